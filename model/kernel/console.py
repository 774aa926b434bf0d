"""What goes out on the console, character by character? Words of guests that may write to it, after who speaks."""

from corollary.language.frontend import hardware
from corollary.language.rows import Characters
from corollary.language.types import u8, u16, u32, u64
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.limits import CONSOLE_TEXT_WORDS, CONSOLE_WORDS, PAGE_WORDS
from corollary.spec.kernel.memory import lets, owns_data
from corollary.spec.kernel.state import Call, EntryId, Kernel, PageId, PartitionId
from corollary.spec.kernel.vocabulary import Access, Format, Status

DIGITS = Characters(b"0123456789abcdef")
NEWLINE = ord("\n")
SPACE = ord(" ")
TILDE = ord("~")
DOT = ord(".")
MARK_OF_TEXT = ord(">")
MARK_OF_BYTES = ord("#")


@hardware("the character goes out on the console; a device that has no room for it for too long loses it")
def put(character: u8) -> None:
    """Send one character to the host."""


def put_byte(value: u8) -> None:
    """Send a byte as two hexadecimal digits."""
    put(DIGITS[value >> 4])
    put(DIGITS[value & 15])


def put_bytes(word: u64) -> None:
    """Send the bytes of a word as they lie in memory, two hexadecimal digits each."""
    for i in range(8):
        put_byte(u8.truncate(word >> (8 * i)))


def put_head(p: PartitionId, mark: u8) -> None:
    """Send who speaks, and how: no guest can speak in another's name."""
    put_byte(u8(p))
    put(mark)
    put(SPACE)


def put_shown(p: PartitionId, character: u8) -> None:
    """Send a character of a text: zero is not shown, a new line begins with who speaks, an unprintable one is a dot."""
    if character == NEWLINE:
        put(NEWLINE)
        put_head(p, MARK_OF_TEXT)
    elif character != 0:
        put(character if SPACE <= character <= TILDE else DOT)


def put_text(p: PartitionId, word: u64) -> None:
    """Send the characters of a word as they lie in memory."""
    for i in range(8):
        put_shown(p, u8.truncate(word >> (8 * i)))


def put_word_as_bytes(s: Kernel, page: PageId, position: u32, end: u32) -> None:
    """Send one word of a page as hexadecimal, if it is before the end."""
    if position < end:
        put_bytes(s.memory[page].word[EntryId(position)])


def put_word_as_text(s: Kernel, p: PartitionId, page: PageId, position: u32, end: u32) -> None:
    """Send one word of a page as text, if it is before the end."""
    if position < end:
        put_text(p, s.memory[page].word[EntryId(position)])


def put_page_as_bytes(s: Kernel, p: PartitionId, page: PageId, first: EntryId, words: u16) -> None:
    """Send some words of a page as hexadecimal, in one line."""
    put_head(p, MARK_OF_BYTES)
    for i in range(CONSOLE_WORDS):
        put_word_as_bytes(s, page, u32(first) + i, u32(first) + words)
    put(NEWLINE)


def put_page_as_text(s: Kernel, p: PartitionId, page: PageId, first: EntryId, words: u16) -> None:
    """Send some words of a page as text; each line begins with the partition, and the last line is ended."""
    put_head(p, MARK_OF_TEXT)
    for i in range(CONSOLE_TEXT_WORDS):
        put_word_as_text(s, p, page, u32(first) + i, u32(first) + words)
    put(NEWLINE)


@operation
def console_write(s: Kernel, call: Call, page: PageId, first: EntryId, words: u16, format: Format) -> Status:
    """Write `words` words of the caller's page to the console, from word `first` on; more output takes more calls."""
    most: u16 = CONSOLE_WORDS if format == Format.HEX else CONSOLE_TEXT_WORDS
    if words > most or u32(first) + words > PAGE_WORDS:
        return Status.BAD_ARGUMENT
    if not owns_data(s, s.current, page):
        return Status.NOT_OWNER
    if not lets(s, s.current, page, Access.READ):
        return Status.NOT_MAPPED
    if format == Format.HEX:
        put_page_as_bytes(s, s.current, page, first, words)
    else:
        put_page_as_text(s, s.current, page, first, words)
    return Status.OK
