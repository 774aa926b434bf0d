"""Is a promise red if one of its cases says nothing, however it is written, or if no step is asked about it?"""

import pytest

from corollary.language.builtins import implies
from corollary.language.frontend import translate
from corollary.language.property import Property, by_itself
from corollary.model.kernel.component import KERNEL
from corollary.model.kernel.promises import COROLLARIES, INVARIANTS, THEOREMS
from corollary.proofs import cover, prove, witnesses
from corollary.spec.kernel.limits import BURST
from corollary.spec.kernel.state import Call, Kernel, PartitionId
from corollary.spec.kernel.vocabulary import Status


def overdrawn(s: Kernel, p: PartitionId) -> bool:
    """This is true of no state: RING-3."""
    return s.partition[p].bucket.credit > BURST


def unscored(s: Kernel, p: PartitionId) -> bool:
    return s.partition[p].score == 0


def by_premise(s: Kernel, p: PartitionId) -> bool:
    return implies(overdrawn(s, p), unscored(s, p))


def by_inner_premise(s: Kernel, p: PartitionId) -> bool:
    return implies(unscored(s, p), implies(not unscored(s, p), s.partition[p].rooted))


def by_local(s: Kernel, p: PartitionId) -> bool:
    held = implies(overdrawn(s, p), unscored(s, p))
    return held


def by_branch(s: Kernel, p: PartitionId) -> bool:
    if overdrawn(s, p):
        return unscored(s, p)
    return True


def by_rest(s: Kernel, p: PartitionId) -> bool:
    if not overdrawn(s, p):
        return True
    return unscored(s, p)


def by_premise_in_a_branch(s: Kernel, p: PartitionId) -> bool:
    if unscored(s, p):
        return implies(not unscored(s, p), s.partition[p].rooted)
    return s.partition[p].score != 0


def by_conditional(s: Kernel, p: PartitionId) -> bool:
    return unscored(s, p) if overdrawn(s, p) else s.partition[p].bucket.credit <= BURST


def by_choice(s: Kernel, p: PartitionId) -> bool:
    return not overdrawn(s, p) or unscored(s, p)


def by_helper(s: Kernel, p: PartitionId) -> bool:
    return by_premise(s, p)


def by_loop(s: Kernel, p: PartitionId) -> bool:
    for step in range(3):
        if overdrawn(s, PartitionId(step)):
            if not unscored(s, PartitionId(step)):
                return False
    return unscored(s, p) or not unscored(s, p)


def sound(s: Kernel, p: PartitionId) -> bool:
    if unscored(s, p):
        return implies(s.partition[p].rooted, s.partition[p].bucket.credit <= BURST)
    return not s.partition[p].rooted or s.partition[p].bucket.credit <= BURST


EMPTY = (
    by_premise,
    by_inner_premise,
    by_local,
    by_branch,
    by_rest,
    by_premise_in_a_branch,
    by_conditional,
    by_choice,
    by_helper,
    by_loop,
)


def refused(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    return implies(status == Status.UNKNOWN_OPERATION, after.sequence == before.sequence)


@pytest.fixture(scope="module")
def any_state():
    return prove.corollary_step(KERNEL)


def results(function, any_state):
    """Return the results for the cases of an invariant."""
    property_ = Property("X-1", "", function)
    return [
        cover.decide(property_, (id(node), side), f"any state/X-1-{kind}", any_state).result
        for kind, node, side in cover.cases(translate(function))
    ]


@pytest.mark.parametrize("function", EMPTY, ids=lambda function: function.__name__)
def test_a_case_that_no_state_meets_is_red(function, any_state):
    assert "refuted" in results(function, any_state)


def test_a_promise_whose_cases_are_all_met_is_green(any_state):
    assert results(sound, any_state) == ["proved"] * 4


@pytest.mark.parametrize(
    "about",
    [("page_unmapp",), ("page_unmap", "page_mapp"), "page_unmapp", lambda operation: False, ()],
    ids=["misspelled", "one misspelled", "no tuple", "a test that none passes", "none"],
)
def test_a_theorem_that_no_step_is_asked_for_is_red(about):
    assert cover.speaks(Property("X-1", "", refused, about), KERNEL).result == "refuted"


@pytest.mark.parametrize(
    "about, result", [(("yield_now",), "refuted"), ((), "refuted"), (("yield_now", "unknown_operation"), "proved")]
)
def test_a_theorem_of_a_case_that_its_steps_never_come_to_is_red(any_state, monkeypatch, about, result):
    """Its premise is met, but by no call that it is about."""
    ((_, node, side),) = cover.cases(translate(refused))
    theorem = Property("X-1", "", refused, about, unknown="unknown_operation" in about)
    monkeypatch.setitem(THEOREMS, "X-1", theorem)
    assert cover.decide(theorem, (id(node), side), "any state/X-1-premise-1", any_state).result == result


def as_it_was_asked(asked: Call, call: Call, status: Status) -> bool:
    return implies(status == Status.OK, asked.operation == call.operation)


def test_a_case_about_the_call_as_it_was_asked_is_met_by_a_state_and_by_the_same_when_it_is_kept(
    any_state, monkeypatch
):
    theorem = Property("X-1", "", as_it_was_asked, ("yield_now",))
    monkeypatch.setitem(THEOREMS, "X-1", theorem)
    ((_, node, side),) = cover.cases(translate(as_it_was_asked))
    row = cover.decide(theorem, (id(node), side), "any state/X-1-premise-1", any_state)
    assert row.result == "proved" and cover.shows(
        witnesses.read(row.state, KERNEL), theorem, (id(node), side), any_state
    )


def test_every_theorem_is_asked_of_some_step():
    assert {
        id_: row.reason
        for id_, row in ((id_, cover.speaks(promise, KERNEL)) for id_, promise in THEOREMS.items())
        if row.result != "proved"
    } == {}
    assert cover.speaks(Property("X-1", "", refused, by_itself), KERNEL).result == "proved"


def test_every_case_of_every_promise_is_asked_for(any_state):
    asked = {id_ for id_, _, _ in cover.questions(any_state)}
    assert len(asked) == len(list(cover.questions(any_state)))
    for registry in (INVARIANTS, COROLLARIES, THEOREMS):
        for id_, promise in registry.items():
            numbers = [kind for kind, _, _ in cover.cases(translate(promise.function))]
            assert {
                f"any state/{id_}-{kind}-{1 + numbers[:at].count(kind)}" for at, kind in enumerate(numbers)
            } <= asked
