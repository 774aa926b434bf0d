"""Does every promise have a value?

One that adds beyond its type, or looks outside a table, says nothing, and is refused.
"""

import pytest

from corollary.language.builtins import implies
from corollary.language.property import Property
from corollary.language.types import u8, u16, u32
from corollary.model.kernel.component import KERNEL
from corollary.proofs.prove import Step, corollary, corollary_questions, corollary_step, meaningful
from corollary.proofs.transition import transitions
from corollary.spec.kernel import observation
from corollary.spec.kernel.limits import SECOND
from corollary.spec.kernel.state import Call, Kernel, PageId, PartitionId
from corollary.spec.kernel.vocabulary import Ring, Status


def step(name):
    return Step(next(transition for transition in transitions(KERNEL) if transition.name == name))


def theorem(function):
    return Property("X-1", "", function)


def sum_overflows(before: Kernel, after: Kernel) -> bool:
    return before.time + 1 <= 0xFFFFFFFFFFFFFFFF


def looks_anywhere(before: Kernel, after: Kernel, i: u32) -> bool:
    return before.head[i] == before.head[i]


def elevation_of_the_past(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    new = after.partition[before.current].elevation
    return implies(status == Status.OK, new.expires - call.now <= 3600 * SECOND)


def one_more_than_fits(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    page = PageId.truncate(call.argument[1])
    return implies(status == Status.OK, after.page[page].filled == before.page[page].filled + 1)


@pytest.mark.parametrize(
    "function, of",
    (
        (sum_overflows, "yield_now"),
        (looks_anywhere, "preempt"),
        (elevation_of_the_past, "ring_elevate"),
        (one_more_than_fits, "page_append"),
    ),
)
def test_a_theorem_without_a_value_is_refused(function, of):
    row = step(of).theorem(theorem(function))
    assert row.result == "refuted" and "X-1 has no value" in row.reason and "test_defined.py" in row.reason


def test_indices_of_theorems_range_over_their_types():
    def named(before: Kernel, after: Kernel, ring: Ring) -> bool:
        return u8(ring) < Ring.bound

    assert step("preempt").theorem(theorem(named)).result == "proved"


def test_a_corollary_without_a_value_is_refused():
    def sums(s: Kernel, p: PartitionId) -> bool:
        return u16(s.partition[p].score) == u16(s.partition[p].score)

    assert "has no value" in corollary(corollary_step(KERNEL), theorem(sums)).reason


def adds(s: Kernel, p: PartitionId, slot: u8) -> bool:
    return s.partition[p].nonce + 1 > 0


def subtracts(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    return after.partition[p].nonce - before.partition[p].nonce >= 0


@pytest.mark.parametrize("function", (adds, subtracts))
def test_who_sees_what_must_have_a_value(function):
    assert meaningful(corollary_step(KERNEL), function).result == "refuted"


def test_whoever_is_named_in_a_table_of_observations_is_asked():
    rows = [
        row
        for value in vars(observation).values()
        if isinstance(value, tuple)
        for row in value
        if callable(getattr(row, "function", None))
    ]
    asked = {id_ for id_, _, _ in corollary_questions(corollary_step(KERNEL))}
    assert rows and {f"any state/{row.function.__name__}-well-formed" for row in rows} <= asked
