"""Loading costs in proportion to the size of a module, whatever is in it: steps are counted, of the worst modules that a search finds."""

from dataclasses import replace

import pytest

from bench import costs
from host import Invalid, Module
from spec.wasm.module import FREE_ROUNDS, ROUNDS
from spec.wasm.refusals import Refusal
from spec.wasm.snapshot import Fault

TRIES, SIZE = 8, 1 << 13
SLOPE = 1.3             # a byte of a module four times as large may cost that many times as much
STEPS = 80              # for each byte that is read, in all passes
PER_ROUND = 16          # for each round that a byte pays for
ROOM = 200              # bytes for each byte
PAID = (Refusal.NONE, Refusal.TOO_MUCH_WORK, Refusal.TOO_LARGE)


@pytest.mark.parametrize("kind", costs.KINDS)
def test_a_byte_costs_no_more_in_a_larger_module(kind):
    found = costs.worst(kind, TRIES, SIZE)
    assert found.slope <= SLOPE and found.large.refusal in PAID


@pytest.mark.parametrize("kind", costs.KINDS)
def test_a_byte_costs_so_much_at_most(kind):
    found = costs.worst(kind, TRIES, SIZE).large
    assert sum(found.steps.values()) <= STEPS * found.size + PER_ROUND * (ROUNDS * found.size + FREE_ROUNDS) and found.room <= ROOM * found.size


def test_the_same_module_costs_the_same_again():
    binary = costs.KINDS["arithmetic"](SIZE, 5, 6, 7)
    assert costs.cost(binary) == costs.cost(binary)


def test_what_costs_more_the_more_there_is_would_be_noticed():
    small = costs.cost(costs.KINDS["types"](SIZE, 0, 0, 0))
    pairs = replace(small, size=costs.LARGER * small.size, steps={name: costs.LARGER ** 2 * steps for name, steps in small.steps.items()})
    assert costs.Worst("types", (), small, pairs).slope > SLOPE


def test_equal_types_are_found_without_comparing_them():
    one, four = (costs.cost(costs.KINDS["types"](size, 0, 0, 0)) for size in (100_000, 400_000))
    assert four.steps["validate"] <= 4 * SLOPE * one.steps["validate"]


def test_names_that_differ_in_the_end_cost_what_they_are_long():
    one, four = (costs.cost(costs.KINDS["exports"](size, 190, 80, 3)) for size in (100_000, 400_000))
    assert four.steps["validate"] <= 4 * SLOPE * one.steps["validate"]


def test_the_second_of_two_equal_names_is_refused():
    export = costs.text(b"name") + b"\3" + costs.number(0)
    binary = costs.module((costs.GLOBAL, costs.vector([bytes([costs.I32, 0, costs.CONST, 0, costs.END])])), (costs.EXPORT, costs.vector([export, export])))
    with pytest.raises(Invalid, match="duplicate export name"):
        Module(binary)


def test_checking_a_snapshot_costs_what_it_is_long():
    (small, fault), (large, other) = costs.checking(2000, 2000), costs.checking(8000, 8000)
    assert fault == other == Fault.NONE and large <= SLOPE * small


def test_what_is_to_stop_reads_nothing():
    binary = costs.KINDS["arithmetic"](SIZE, 5, 6, 7)
    assert sum(costs.cost(binary, stop=1).steps.values()) < 1000 < sum(costs.cost(binary).steps.values())
