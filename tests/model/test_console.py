"""Does guests' output leave correctly: in the right name, as text or bytes, and never more than one call may write?"""

import pytest

from corollary.language.types import u16
from corollary.model.kernel import console
from corollary.model.kernel.console import console_write
from corollary.spec.kernel.limits import CONSOLE_TEXT_WORDS, CONSOLE_WORDS, PAGE_WORDS
from corollary.spec.kernel.state import Call, EntryId, PageId, PartitionId
from corollary.spec.kernel.vocabulary import Format, Status
from tests.model.world import SPARE_PAGE, World

P, PAGE = PartitionId(0), PageId(SPARE_PAGE)


@pytest.fixture
def said(monkeypatch):
    """Return the output as a list of characters."""
    out = []
    monkeypatch.setattr(console, "put", lambda character: out.append(chr(character)))
    return out


def write(data, form, first=0, words=None, page=PAGE):
    """Return the status of a call that writes some bytes from a page of the root partition."""
    s = World().s
    s.current = P
    for number in range(-(-len(data) // 8)):
        s.memory[PAGE].word[EntryId(number)] = int.from_bytes(data[8 * number : 8 * number + 8], "little")
    return console_write(s, Call(), page, EntryId(first), u16(-(-len(data) // 8) if words is None else words), form)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"words", "00> words\n"),
        (b"one\ntwo\0\0", "00> one\n00> two\n"),
        (b"\0a\0b\x7f\x80\x1f\r\xff~ !", "00> ab.....~ !\n"),
        (b"", "00> \n"),
    ],
)
def test_text_is_shown_line_by_line_in_the_name_of_its_partition(said, data, lines):
    assert write(data, Format.TEXT) == Status.OK and "".join(said) == lines


def test_no_text_can_speak_in_anothers_name(said):
    assert write(b"\n01> me\nkernel: me", Format.TEXT) == Status.OK
    assert all(line.startswith("00> ") for line in "".join(said).splitlines())


def test_bytes_are_shown_as_they_lie_in_memory(said):
    data = bytes(range(256))
    assert write(data, Format.HEX, first=2, words=5) == Status.OK and "".join(said) == f"00# {data[16:56].hex()}\n"


TOO_MUCH = [(0, CONSOLE_WORDS + 1), (PAGE_WORDS - 1, 2), (PAGE_WORDS - CONSOLE_WORDS + 1, CONSOLE_WORDS), (0, 0xFFFF)]


@pytest.mark.parametrize(("first", "words"), TOO_MUCH)
def test_what_is_too_much_or_beyond_the_page_is_refused_and_nothing_goes_out(said, first, words):
    assert write(b"", Format.HEX, first, words) == Status.BAD_ARGUMENT and not said


def test_more_text_than_one_call_may_write_is_refused(said):
    assert write(b"", Format.TEXT, words=CONSOLE_TEXT_WORDS) == Status.OK
    said.clear()
    assert write(b"", Format.TEXT, words=CONSOLE_TEXT_WORDS + 1) == Status.BAD_ARGUMENT and not said


def test_the_last_words_of_a_page_go_out(said):
    assert write(b"", Format.HEX, PAGE_WORDS - CONSOLE_WORDS, CONSOLE_WORDS) == Status.OK
    assert "".join(said) == f"00# {16 * CONSOLE_WORDS * '0'}\n"


def test_a_page_of_somebody_else_is_not_shown(said):
    assert write(b"", Format.TEXT, page=PageId(900), words=1) == Status.NOT_OWNER and not said
