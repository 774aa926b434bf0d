"""Does the proof of a wrong function fail, and that of a wrong step of a store? `verify` proves the right ones."""

import pytest

from corollary.codegen.vectors import VECTORS as LIBRARY
from corollary.language import component as components
from corollary.language.component import Component, check, declared
from corollary.model.vectors import component as stores
from corollary.model.vectors import distance, index, search, store
from corollary.proofs.outside import functions
from corollary.proofs.whole import broken, holds_if_any_is_blank
from corollary.spec.vectors.state import Vectors
from tests.store.test_proved import changed, outcome, result_of

VERSIONED = "    if not is_expected(version_of(s, old), expected):\n        return Status.STALE_VERSION\n"
WRONG_STEPS = [
    (index, "put", VERSIONED, "", "OK-iff"),
    (
        index,
        "put",
        "        return Status.FULL\n    if s.latest >= LAST",
        "        return Status.OK\n    if s.latest >= LAST",
        "NEAR-6",
    ),
    (index, "put", "        clear(s.row[old])\n    return Status.OK\n", "    return Status.OK\n", "VEC-7"),
    (index, "put", "        s.row[row].next = s.row[old].next\n", "", "VEC-3"),
    (index, "put", "s.row[row].version = s.latest\n", "s.row[row].version = s.row[old].version\n", "VEC-11"),
    (index, "put", "is_vector(s, row) or not is_row", "not is_row", "VEC-3"),
    (
        index,
        "put",
        "    if not is_before(s, p, key):\n        return Status.WRONG_PLACE\n    return Status.OK",
        "    return Status.OK",
        "VEC-3",
    ),
    (index, "delete", "    link(s, p, s.row[old].next)\n", "", "VEC-3"),
    (index, "delete", "    s.latest += 1\n    link", "    link", "NEAR-5"),
    (index, "delete", "    s.row[RowId(0)].key = minimum(s.row[RowId(0)].key, MOST - 1) + 1\n", "", "VEC-9"),
    (index, "adopt", "version == 0 or version > s.latest", "version == 0", "VEC-2"),
    (index, "adopt", "    s.search.running = False\n", "", "NEAR-5"),
    (search, "begin_search", "    s.search.found = 0\n", "", "NEAR-1"),
    (
        search,
        "look",
        "return Status.STALE_SEARCH if s.search.latest != s.latest else Status.OK",
        "return Status.OK",
        "OK-iff",
    ),
    (search, "look", "s.search.found and r > place", "s.search.found and r >= place and r > 1", "NEAR-2"),
    (search, "look", "        s.seen[here].far = far\n", "", "ENSURES"),
    (search, "conclude", "Status.OK if is_complete(s) else Status.UNFINISHED", "Status.OK", "OK-iff"),
]
"""Changes of the steps: the module, the step, what is replaced, by what, and which promise must fail."""
SHORT = "    if length(s.table) < HEADER:\n        return Status.NO_ROOM\n    fault"
WRONG = [
    (distance, "has_bytes", "few and first + s.index.dimension <= length(s.bytes)", "first + s.index.dimension > 0"),
    (distance, "squared_of_bytes", "i * MOST_SQUARE", "i * (MOST_SQUARE - 1024)"),
    (distance, "squared", "u32(maximum(a, b) - minimum(a, b))", "u32(a) + b"),
    (distance, "fall", "MOST_FALL = 1 << 15", "MOST_FALL = 1 << 14"),
    (distance, "fall", "SIGN * (u32(a) + b) - u32(a) * b", "u32(a) * b - SIGN * (u32(a) + b)"),
    (distance, "are_finite", "s.words[first + i] & MAGNITUDE", "s.words[first + i + 1] & MAGNITUDE"),
    (distance, "far", "if not has_bytes(s, first)", "if has_words(s, first)"),
    (store, "note_row", "if at + 1 < length(s.table):", "if at < length(s.table):"),
    (store, "open_stored", SHORT, "    fault"),
    (store, "taken_in", " and HEADER + ENTRY * row + 1 < length(s.table)", ""),
    (store, "put_row", "    if row >= ROWS:\n        return Status.ROW_TAKEN\n", ""),
    (store, "go_on", "        left -= 1\n", ""),
]
"""Changes of the functions: the module, the function whose proof must fail, what is replaced, and by what."""


def named(changes):
    """Return a name for each change."""
    return [f"{change[1]} {number}" for number, change in enumerate(changes)]


def test_the_component_is_well_made():
    check(declared("vectors"), stores.__file__)


@pytest.mark.parametrize(("module", "name", "old", "new", "promise"), WRONG_STEPS, ids=named(WRONG_STEPS))
def test_a_wrong_step_breaks_a_promise(module, name, old, new, promise, tmp_path, monkeypatch):
    monkeypatch.setitem(components.COMPONENTS, "vectors", None)  # and what it is now comes back
    other = changed(module, old, new, tmp_path)
    taken = [getattr(other, each.name, each.function) for each in stores.VECTORS.operations]
    wrong = Component(state=Vectors, boot=getattr(other, "begin", index.begin), operations=tuple(taken))
    assert result_of(name, promise, wrong) == "refuted"


@pytest.mark.parametrize(("module", "name", "old", "new"), WRONG, ids=named(WRONG))
def test_the_proof_of_a_wrong_function_fails(module, name, old, new, tmp_path):
    assert outcome(getattr(changed(module, old, new, tmp_path), name)) == "refuted"


def test_every_function_has_a_row():
    assert {function.symbol for function in LIBRARY.functions} <= set(functions())


# ---- pairs of rows


def test_pairs_of_rows_are_checked_where_both_hold_something():
    """The state breaks one promise about pairs; the other one, about no pair, would be asked of all rows."""
    invariants = stores.VECTORS.invariants
    assert holds_if_any_is_blank(invariants["VEC-7"]) and not holds_if_any_is_blank(invariants["NEAR-2"])
    s = Vectors()
    for number in (5, 8000):
        s.row[number].key, s.row[number].version = 7, number
    found = {indices for promise, indices in broken(s, [invariants["VEC-7"]])}
    assert found == {(5, 8000), (8000, 5)}
