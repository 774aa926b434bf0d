"""Is the cut of the generated C the least one, in a bounded number of steps, and does a budget stop it in time?"""

import random

import pytest

from corollary.bench.placement import FOREVER, Placed, complete, filled, least_cut
from corollary.spec.placement.limits import CUT_TIME, FRACTION, NODES, WEIGHT_MOST
from corollary.spec.placement.vocabulary import Stage, Status

pytest.importorskip("networkx", reason="the oracle")


def drawn(chosen, count):
    """Return random weights: light or heavy, dense or sparse."""
    density, heaviest = chosen.choice([0.1, 0.4, 1.0]), chosen.choice([2, 1000, WEIGHT_MOST])
    pairs = [(n, m) for n in range(count) for m in range(n) if chosen.random() < density]
    return {pair: chosen.randrange(1, heaviest + 1) for pair in pairs}


def across(weights, side):
    """Return the traffic between a side and the rest."""
    return sum(weight for (n, m), weight in weights.items() if (side >> n ^ side >> m) & 1)


def check_random_graphs(number, most):
    """Compare the cuts of some random graphs of up to `most` nodes with those of networkx."""
    chosen = random.Random(7)
    for _ in range(number):
        count = chosen.randrange(2, most + 1)
        weights = drawn(chosen, count)
        placed = filled(count, weights)
        assert placed.take("begin_cut", 1, 0, FOREVER, 0) == placed.cut() == Status.OK
        value, side = placed.read("result", "value"), placed.read("result", "side")
        assert 0 < side < (1 << count) - 1
        assert value == across(weights, side) == least_cut(count, weights)


def test_the_cut_of_random_graphs_is_that_of_networkx():
    check_random_graphs(300, 20)


@pytest.mark.full
def test_the_cut_of_ten_thousand_random_graphs_is_that_of_networkx():
    check_random_graphs(10_000, NODES)


def test_no_sum_is_cut_off_even_if_all_pairs_are_as_heavy_as_can_be():
    placed = filled(NODES, {(n, m): WEIGHT_MOST for n in range(NODES) for m in range(n + 1)})
    assert placed.take("begin_cut", 1, 0, FOREVER, 0) == placed.cut() == Status.OK
    assert placed.read("result", "value") == (NODES - 1) * WEIGHT_MOST
    for n in range(NODES):
        assert placed.take("survey_node", n) == Status.OK
    assert placed.take("score_home", 0) == Status.OK
    assert placed.read("home", 0, "internal") == NODES * (NODES + 1) // 2 * WEIGHT_MOST
    assert placed.read("home", 0, "score") == 1_000_000


def test_only_the_nodes_of_the_partition_that_was_asked_about_are_cut():
    placed = filled(6, {(1, 0): 5, (2, 1): 3, (2, 0): 1, (4, 3): 1, (5, 2): 1})
    for n in (3, 4, 5):
        placed.take("rehome_node", n, 1)
    assert placed.take("begin_cut", 0, 0, FOREVER, 0) == placed.cut() == Status.OK
    assert placed.read("result", "asked") == 0b111 and placed.read("result", "value") == 4
    assert placed.read("result", "side") in (0b100, 0b011)


@pytest.mark.parametrize(("steps", "now"), [(20, 0), (FOREVER, CUT_TIME + 1)])
def test_over_budget_the_last_complete_cut_stays_and_the_component_is_degraded(steps, now):
    placed = filled(8, complete(8))
    assert placed.take("begin_cut", 1, 0, FOREVER, 0) == placed.cut() == Status.OK
    told = [placed.read("result", name) for name in ("asked", "value", "side")]
    assert placed.take("begin_cut", 1, 0, steps, 0) == Status.OK
    assert placed.cut(now) == placed.cut(now) == Status.OVER_BUDGET
    assert placed.take("give_up_cut") == Status.OK and placed.read("degraded")
    assert [placed.read("result", name) for name in ("asked", "value", "side")] == told
    assert placed.take("give_up_cut") == Status.NO_CUT
    assert placed.take("begin_cut", 1, 0, FOREVER, 0) == placed.cut() == Status.OK and not placed.read("degraded")


def test_a_cut_that_is_given_up_before_its_first_step_leaves_no_value():
    placed = filled(4, complete(4))
    assert placed.take("begin_cut", 1, 0, 0, 0) == Status.OK and placed.cut() == Status.OVER_BUDGET
    assert placed.take("give_up_cut") == Status.OK
    assert placed.read("result", "asked") == placed.read("result", "value") == placed.read("result", "side") == 0


def test_the_graph_does_not_change_during_a_cut():
    placed = filled(4, complete(4))
    assert placed.take("begin_cut", 1, 0, FOREVER, 0) == Status.OK
    for name, *arguments in (("add_node", 9, 0), ("remove_node", 1), ("rehome_node", 1, 1), ("set_weight", 1, 0, 9)):
        assert placed.take(name, *arguments) == Status.BUSY
    assert placed.read("cut", "stage") == Stage.LOADING


def test_one_node_and_none_cannot_be_cut():
    placed = Placed()
    assert placed.take("begin_cut", 1, 0, FOREVER, 0) == Status.TOO_FEW_NODES
    placed.take("add_node", 5, 3)
    assert placed.take("begin_cut", 1, 0, FOREVER, 0) == Status.TOO_FEW_NODES


def test_traffic_too_light_for_a_unit_is_not_lost():
    placed = filled(2, {})
    assert placed.take("set_weight", 0, 1, 1) == Status.OK and placed.read("weight", 1, "to", 0) == 1
    assert placed.take("set_weight", 0, 1, (1 << 64) - 1) == Status.OK
    assert placed.read("weight", 0, "to", 1) == WEIGHT_MOST and FRACTION == 8
