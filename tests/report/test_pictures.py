"""Do the pictures of the report show each byte of the image, and whatever is trusted, as the results say?"""

import re
from dataclasses import asdict

import pytest

from corollary.proofs.machine.account import MODEL
from corollary.proofs.machine.obligations import built, decide_account, decide_translation
from corollary.report import covered, ledger, page, trust
from corollary.report.things import CODE
from tests.report.test_report import row

SYMBOL = "memory_page_map"


def plain(decided):
    """Return a row of the prover as results have it."""
    return asdict(decided) | {"counterexample": None}


@pytest.fixture(scope="module")
def rows():
    return [
        plain(decide_account(CODE)),
        plain(decide_translation(CODE)),
        row(f"{SYMBOL}/{CODE}", 4, result="refuted"),
        row(f"gate_dispatch/{CODE}", 4),
    ]


@pytest.fixture(scope="module")
def sections(rows):
    return covered.sections(rows)


def painted(piece):
    """Return the bytes that a piece of the picture covers, counted from the start of its section."""
    found = []
    for x, y, width, down in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-\d+z", piece.outline):
        for line in range(int(y) // covered.HEIGHT, (int(y) + int(down)) // covered.HEIGHT + 1):
            found += range(line * covered.ROW + int(x), line * covered.ROW + int(x) + int(width))
    return found


def test_each_loaded_byte_is_in_the_picture_once_and_where_it_lies(sections):
    assert [(section.address, section.size) for section in sections] == [
        (base, len(content)) for base, content, _ in built().sections
    ]
    for section in sections:
        for piece in section.pieces:
            assert painted(piece) == list(
                range(piece.address - section.address, piece.address - section.address + piece.size)
            )
        assert sorted(at for piece in section.pieces for at in painted(piece)) == list(range(section.size))


def test_the_totals_are_those_of_the_proof(rows, sections):
    assert {kind: size for kind, _, size, _ in covered.totals(sections)} == rows[0]["figures"]["kinds"]


def test_bytes_are_called_proved_only_where_their_obligations_are(sections):
    of = {piece.name: piece for section in sections for piece in section.pieces if piece.kind == MODEL}
    assert of[SYMBOL].result == "refuted" and of[SYMBOL].page == "thing/page_map.html"
    assert of["gate_dispatch"].result == "proved" and of["gate_perform"].result == ""
    proved = {kind: proved for kind, _, _, proved in covered.totals(sections)}
    assert proved[MODEL] == sum(piece.size for piece in of.values() if piece.result == "proved") > 0


def test_code_with_a_contract_is_as_its_worst_contract():
    assert set(covered.speakers("code with a contract", "vectors")) == {
        f"vectors[{number}]/{CODE}" for number in range(16)
    }


def test_without_an_account_there_is_no_picture(rows):
    assert covered.sections([rows[0] | {"result": "unknown"}]) is None and covered.sections([]) is None


# ---- trust


def drawn(levels=()):
    """Return the picture of trust for the obligations of some levels."""
    return trust.picture(page.level_counts([row("a/b", level) for level in levels]), ledger.rows())


def test_every_kind_of_the_ledger_says_what_rests_on_it():
    assert {each.kind for each in ledger.rows()} <= set(trust.UNDER)


def test_the_picture_has_each_claim_each_level_and_each_kind_and_joins_them():
    picture = drawn()
    keys = {box.key for box in picture.boxes}
    assert {f"kind {each.kind}" for each in ledger.rows()} <= keys and {
        f"level {level}" for level in trust.LEVELS
    } <= keys
    assert {line.upper for line in picture.lines} | {line.lower for line in picture.lines} == keys
    assert sum(int(box.about) for box in picture.boxes if box.style == "base") == len(ledger.rows())


def test_boxes_do_not_overlap():
    places = sorted((box.x, box.y) for box in drawn().boxes)
    assert all(x != other or below - y >= trust.LINE for (x, y), (other, below) in zip(places, places[1:]))


def test_a_level_is_good_only_if_all_of_it_is_proved():
    style = {box.key: box.style for box in drawn((1, 2)).boxes}
    assert (style["level 1"], style["level 3"]) == ("good", "undecided")
    counts = page.level_counts([row("a/b", 1), row("a/c", 1, result="unknown")])
    assert {box.key: box.style for box in trust.picture(counts, ledger.rows()).boxes}["level 1"] == "bad"
