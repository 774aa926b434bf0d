"""Is every state that the prover shows a possible state of the kernel? Every invariant must hold, at every index."""

import itertools
import random

import pytest
import z3

from corollary.emulation.generator import Generator
from corollary.emulation.traces import booted
from corollary.language.frontend import translate
from corollary.language.property import Property
from corollary.language.reads import Memo
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.promises import INVARIANTS
from corollary.proofs import cover, engine, prove, second, whole, witnesses
from corollary.proofs.engine import EFFORT, Question
from corollary.proofs.prove import Step
from corollary.proofs.transition import transitions
from corollary.proofs.whole import Filled, broken, fill_log, holds_of_blank_rows, index_types, rows_of
from corollary.spec.kernel.limits import PAGES_PER_PARTITION
from corollary.spec.kernel.state import EntryId, Kernel, PartitionId
from corollary.spec.kernel.vocabulary import PartitionState

SHOWN = ("page_release/reaches-OK", "capability_delete/reaches-OK", "edge_send/reaches-WOULD_BLOCK")


def everywhere(s):
    """Check the same as `broken` without any shortcut, except that only the non-zero words of pages are checked."""
    for property_ in INVARIANTS.values():
        types = index_types(property_)
        words = ((page, entry) for page, frame in list(s.memory.rows.items()) for entry in list(frame.word.rows))
        for indices in words if EntryId in types else itertools.product(*(range(type_.bound) for type_ in types)):
            if not property_.function(s, *indices):
                yield property_.id, indices


def state_of(id_, monkeypatch):
    """Return the state that the prover finds for an obligation."""
    name, _ = id_.split("/")
    seen, usual = [], Question.verdict

    def verdict(self, result, start, rounds, candidate=None, reason=""):
        seen.append(candidate)
        return usual(self, result, start, rounds, candidate, reason)

    monkeypatch.setattr(Question, "verdict", verdict)
    monkeypatch.setattr(witnesses, "saved", lambda id_, component: ())
    step = Step(next(transition for transition in transitions(KERNEL) if transition.name == name))
    row = next(decide for other, _, decide in step.questions() if other == id_)()
    return row, seen[-1].roots["s"]


@pytest.mark.parametrize("id_", SHOWN)
def test_a_state_that_shows_that_something_can_happen_is_whole(id_, monkeypatch):
    row, s = state_of(id_, monkeypatch)
    assert row.result == "proved" and list(everywhere(s)) == []


def test_a_state_at_a_limit_has_all_that_reaches_it(monkeypatch):
    row, s = state_of("page_create/reaches-LIMIT_REACHED", monkeypatch)
    assert row.result == "proved" and list(everywhere(s)) == []
    full = [p for p, row in s.partition.rows.items() if row.pages == PAGES_PER_PARTITION]
    assert full and all(
        sum(page.owner == p and page.kind != 0 for page in s.page.rows.values()) == PAGES_PER_PARTITION for p in full
    )


def test_where_no_state_is_whole_nothing_can_happen(monkeypatch):
    """A partition that the step does not name must be vacant and own a page, which MEM-8 forbids."""

    def at_odds(s: Kernel, p: PartitionId) -> bool:
        return p != 40 or (s.partition[p].state == PartitionState.VACANT and s.partition[p].pages == 1)

    monkeypatch.setitem(INVARIANTS, "X-1", Property("X-1", "", at_odds))
    step = Step(next(transition for transition in transitions(KERNEL) if transition.name == "yield_now"))
    row = next(decide for id_, _, decide in step.questions() if id_ == "yield_now/reaches-OK")()
    assert row.result == "refuted" and row.reason == "no state leads to this status"


def test_what_is_broken_is_found_wherever_it_is():
    s = booted(Generator(random.Random(3)).information)
    assert list(broken(s, INVARIANTS.values())) == []
    s.partition[40].pages = 3  # of a partition that nobody created
    found = {(property_.id, indices) for property_, indices in broken(s, INVARIANTS.values())}
    assert (
        {("MEM-8", (40,)), *(("MEM-7", (40 * PAGES_PER_PARTITION + place,)) for place in range(3))}
        <= found
        == set(everywhere(s))
    )


def test_a_log_is_filled_where_nothing_of_it_is_mentioned():
    s = Kernel()
    fill_log(s, {3}, KERNEL)
    numbers = [s.log[number].sequence for number in range(len(s.log))]
    assert numbers == [number if number != 3 else 0 for number in range(len(s.log))]


def test_of_a_row_with_something_in_it_each_place_with_something_in_it_is_known():
    s = Kernel()
    s.memory[3].word[7] = s.partition[2].score = 1
    page, word = Kernel.fields["memory"].index, Kernel.fields["memory"].element.fields["word"].index
    filled = Filled(s)
    assert filled.indices((page, word)) == [(3, 7)] and filled.indices((page,)) == [(3,)]
    assert filled.indices((PartitionId,)) == [(2,)] and filled.indices((Kernel.fields["edge"].index,)) == []


def test_a_promise_that_blank_rows_break_is_asked_of_all_rows():
    def never_blank(s: Kernel, p: PartitionId) -> bool:
        return s.partition[p].score != 0

    assert not holds_of_blank_rows(Property("X-1", "", never_blank)) and holds_of_blank_rows(INVARIANTS["CAP-1"])


def test_all_rows_are_checked_once_for_the_same_contents(monkeypatch):
    """MEM-7 reads a partition's count of pages, its list, and the pages."""
    listed, checked = INVARIANTS["MEM-7"], []
    monkeypatch.setattr(whole, "_everywhere", Memo())
    monkeypatch.setattr(whole, "rows_of", lambda types: checked.append(types) or rows_of(types))
    for change, times, first in (
        (lambda s: None, 1, None),
        (lambda s: setattr(s, "switches", 7), 1, None),
        (lambda s: setattr(s.partition[3], "pages", 1), 3, (3 * PAGES_PER_PARTITION,)),
        (lambda s: setattr(s.partition[2], "pages", 0), 3, None),
    ):
        s = Kernel()
        change(s)
        found = next(broken(s, [listed]), None)
        assert (found and found[1], len(checked)) == (first, times)


def test_of_a_promise_whose_reads_nobody_knows_all_fields_count(monkeypatch):
    function = translate(INVARIANTS["MEM-7"].function)
    assert set(whole.fields_read(function)) == {"owned", "page", "partition"}
    monkeypatch.setattr(whole, "footprint", lambda function: raises(TypeError()))
    assert whole.fields_read(function) == list(Kernel.fields)


def raises(problem):
    raise problem


@pytest.mark.parametrize("judged", ["", "1"])
@pytest.mark.parametrize("soon", [engine.SOON, 1])
def test_a_hint_that_contradicts_proves_nothing(monkeypatch, judged, soon):
    """Neither to Z3, nor to the second solver, nor to a search in bits, which cannot name the hint."""
    monkeypatch.setenv(second.SWITCH, judged)
    monkeypatch.setattr(engine, "SOON", soon)
    question, word = Question(prove.corollary_step(KERNEL).run, {}), z3.BitVec("word", 8)
    question.tell(word == 2)
    question.hint(word == 1, "one")
    assert question.ask(EFFORT) == z3.sat


def test_records_of_which_nothing_is_known_are_put_in_their_places():
    s = Kernel()
    s.sequence = s.drained = 5000
    fill_log(s, set(), KERNEL)
    assert all(INVARIANTS["WIT-2"].function(s, r) for r in range(len(s.log)))


@pytest.mark.parametrize("id_", ("any state/MEM-7-premise-1", "any state/RING-22-premise-1"))
def test_a_premise_is_met_in_the_model_too(id_, monkeypatch):
    decide = {other: decide for other, _, decide in cover.questions(prove.corollary_step(KERNEL))}[id_]
    assert decide().result == "proved"
    monkeypatch.setattr(cover, "met", lambda *found: False)
    assert decide().result == "unknown"


def test_a_premise_that_the_model_denies_is_red(monkeypatch):
    id_ = "any state/MEM-7-premise-1"
    decide = {other: decide for other, _, decide in cover.questions(prove.corollary_step(KERNEL))}[id_]
    usual = cover.Contents.base
    monkeypatch.setattr(
        cover.Contents,
        "base",
        lambda self, reference, types: 0 if reference.path[-1] == "pages" else usual(self, reference, types),
    )
    assert decide().result == "unknown"
