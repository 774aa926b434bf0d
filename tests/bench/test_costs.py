"""Is the cost of loading proportional to the size of a module, whatever the module contains?

The test counts the steps for the worst modules that a search finds.
"""

import threading
import time
from dataclasses import replace

import pytest

from corollary import Invalid, Module, TooLarge
from corollary.bench import costs
from corollary.spec.wasm.module import ARITY, BODY, ENTRIES, FREE_ROUNDS, ROUNDS
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.snapshot import Fault

TRIES, SIZE = 8, 1 << 13
SLOPE = 1.3  # factor by which the cost of a byte may grow in a module four times as large
STEPS = 80  # for each byte read, over all passes
PER_ROUND = 16  # for each round that a byte pays for
ROOM = 200  # bytes for each byte
PAID = (Refusal.NONE, Refusal.TOO_MUCH_WORK, Refusal.TOO_LARGE)


@pytest.mark.parametrize("kind", costs.KINDS)
def test_a_byte_costs_no_more_in_a_larger_module(kind):
    found = costs.worst(kind, TRIES, SIZE)
    assert found.slope <= SLOPE and found.large.refusal in PAID


@pytest.mark.parametrize("kind", costs.KINDS)
def test_a_byte_costs_so_much_at_most(kind):
    found = costs.worst(kind, TRIES, SIZE).large
    assert (
        sum(found.steps.values()) <= STEPS * found.size + PER_ROUND * (ROUNDS * found.size + FREE_ROUNDS)
        and found.room <= ROOM * found.size
    )


def test_the_same_module_costs_the_same_again():
    binary = costs.KINDS["arithmetic"](SIZE, 5, 6, 7)
    assert costs.cost(binary) == costs.cost(binary)


def test_what_costs_more_the_more_there_is_would_be_noticed():
    small = costs.cost(costs.KINDS["types"](SIZE, 0, 0, 0))
    pairs = replace(
        small,
        size=costs.LARGER * small.size,
        steps={name: costs.LARGER**2 * steps for name, steps in small.steps.items()},
    )
    assert costs.Worst("types", (), small, pairs).slope > SLOPE


def test_equal_types_are_found_without_comparing_them():
    one, four = (costs.cost(costs.KINDS["types"](size, 0, 0, 0)) for size in (100_000, 400_000))
    assert four.steps["validate"] <= 4 * SLOPE * one.steps["validate"]


def test_names_that_differ_in_the_end_cost_what_they_are_long():
    one, four = (costs.cost(costs.KINDS["exports"](size, 190, 80, 3)) for size in (100_000, 400_000))
    assert four.steps["validate"] <= 4 * SLOPE * one.steps["validate"]


def test_the_second_of_two_equal_names_is_refused():
    export = costs.text(b"name") + b"\3" + costs.number(0)
    binary = costs.module(
        (costs.GLOBAL, costs.vector([bytes([costs.I32, 0, costs.CONST, 0, costs.END])])),
        (costs.EXPORT, costs.vector([export, export])),
    )
    with pytest.raises(Invalid, match="duplicate export name"):
        Module(binary)


def test_restoring_a_snapshot_costs_what_it_is_long():
    (small, fault), (large, other) = costs.restoring(2000, 2000), costs.restoring(8000, 8000)
    assert fault == other == Fault.NONE and 1 < large <= SLOPE * small


def stopped(module):
    """Allow nothing to be read."""
    module.stop = 1


def test_what_is_to_stop_reads_nothing():
    binary = costs.KINDS["arithmetic"](SIZE, 5, 6, 7)
    assert sum(costs.cost(binary, stopped).steps.values()) < 1000 < sum(costs.cost(binary).steps.values())


@pytest.mark.parametrize(
    "kind,numbers",
    [
        ("arithmetic", (5, 6, 0)),
        ("nested", (5, 6, 0)),
        ("branches", (5, 6, 0)),
        ("tables", (5, 6, 0)),
        ("exports", (190, 80, 3)),
        ("elements", (5, 6, 0)),
        ("custom", (5000, 0, 3)),
    ],
)
def test_loading_ends_soon_after_somebody_wants_it_to(kind, numbers):
    binary, wanted = costs.KINDS[kind](BODY - 10_000, *numbers), []

    def stop(module):
        wanted.append(time.monotonic())
        module.stop = 1

    costs.cost(binary, lambda module: threading.Timer(0.02, stop, [module]).start())
    assert time.monotonic() - wanted[0] < 0.5  # on a busy machine; on an idle one it takes some milliseconds


# ---- limits


def body_of(size):
    """Return a module with a function of this many bytes."""
    return costs.functions([costs.signature(0, 0)], [(0, b"\0" + bytes([1]) * (size - 2))])


def test_the_largest_body_is_taken_and_no_larger_one():
    Module(body_of(BODY))
    with pytest.raises(TooLarge):
        Module(body_of(BODY + 1))


@pytest.mark.parametrize("parameters,results", [(ARITY, ARITY), (ARITY + 1, 0), (0, ARITY + 1)])
def test_types_have_so_many_parameters_and_results_at_most(parameters, results):
    binary = costs.module((costs.TYPE, costs.vector([costs.signature(parameters, results)])))
    if parameters == results:
        assert len(Module(binary).type_of(0).results) == ARITY
    else:
        with pytest.raises(TooLarge):
            Module(binary)


def test_a_section_has_so_many_entries_at_most():
    segment = b"\1\0"
    Module(costs.module((costs.DATA, costs.vector([segment] * ENTRIES))))
    with pytest.raises(TooLarge):
        Module(costs.module((costs.DATA, costs.vector([segment] * (ENTRIES + 1)))))


def test_many_operands_are_paid_for_by_many_bytes():
    with pytest.raises(TooLarge, match="more operands"):
        Module(costs.KINDS["calls"](100_000, 999, 0, 1))
    Module(costs.KINDS["calls"](200, 999, 0, 1))
