"""Are chatty nodes brought together, does nothing swing back and forth, and is nothing made worse?"""

import random
from fractions import Fraction

import pytest

from corollary.spec.placement.limits import DWELL, REST, WHOLE
from corollary.spec.placement.vocabulary import Change, Status
from tests.placement.driver import Driven

UNIT = 1 << 16


def share(weights, homes, p):
    """Return the score of a partition in ppm: the share of its traffic that is internal, from the definition."""
    internal = sum(w for (n, m), w in weights.items() if homes[n] == homes[m] == p)
    whole = sum(w for (n, m), w in weights.items() if p in (homes[n], homes[m]))
    return int(Fraction(internal, whole) * WHOLE) if whole else WHOLE


def noisy(chosen, weights):
    """Return weights that are a fifth more or less at random."""
    return {pair: weight * chosen.randrange(80, 121) // 100 for pair, weight in weights.items()}


def test_a_chatty_pair_is_brought_together_within_twenty_epochs_and_stays():
    driven, chosen = Driven([0, 1, 0, 1]), random.Random(1)
    weights = {(0, 1): 1000 * UNIT, (0, 2): 10 * UNIT, (1, 3): 10 * UNIT}
    for epoch in range(1000):
        driven.epoch(noisy(chosen, weights))
        assert epoch < 20 or driven.home(0) == driven.home(1)
    assert len(driven.done) <= 3
    assert driven.score(driven.home(0)) > 900_000


def test_a_random_workload_settles_and_then_nothing_moves():
    chosen = random.Random(3)
    driven = Driven([chosen.randrange(4) for _ in range(12)])
    weights = {(n, m): chosen.randrange(1000) * UNIT for n in range(12) for m in range(n) if chosen.random() < 0.4}
    for _ in range(300):
        driven.epoch(weights)
    settled = len(driven.done)
    for _ in range(200):
        driven.epoch(weights)
    assert len(driven.done) == settled <= 12


def test_noise_does_not_make_a_random_workload_swing():
    chosen = random.Random(5)
    driven = Driven([chosen.randrange(4) for _ in range(12)])
    weights = {(n, m): chosen.randrange(1000) * UNIT for n in range(12) for m in range(n) if chosen.random() < 0.4}
    for _ in range(1000):
        driven.epoch(noisy(chosen, weights))
    assert len(driven.done) <= 12


def test_scores_are_those_of_the_definition_and_no_change_makes_its_partitions_worse():
    for seed in range(20):
        chosen = random.Random(seed)
        homes = [chosen.randrange(3) for _ in range(8)]
        weights = {(n, m): chosen.randrange(100) for n in range(8) for m in range(n + 1) if chosen.random() < 0.5}
        driven = Driven(homes)
        for _ in range(60):
            before = [driven.home(n) for n in range(8)]
            old, count = {p: share(weights, before, p) for p in driven.homes}, len(driven.done)
            driven.epoch({pair: weight << 8 for pair, weight in weights.items()})
            assert count or {p: driven.score(p) for p in old} == old
            after = [driven.home(n) for n in range(8)]
            if len(driven.done) > count:
                new = {p: share(weights, after, p) for p in driven.homes}
                touched = {p for n in range(8) if before[n] != after[n] for p in (before[n], after[n])}
                assert all(new[p] >= old[p] for p in touched & old.keys())
                assert any(new[p] > old.get(p, 0) for p in touched)


def held(driven, weights):
    """Let epochs pass until something is recommended; return how many did."""
    for passed in range(1, 2 * DWELL):
        for (n, m), weight in weights.items():
            driven.take("set_weight", n, m, weight)
        driven.survey()
        driven.consider()
        driven.take("begin_epoch")
        if driven.take("recommend") == Status.OK:
            return passed
    return None


def test_a_change_is_recommended_only_after_it_held_for_some_epochs():
    assert held(Driven([0, 1]), {(0, 1): UNIT}) == DWELL


def test_after_a_change_its_partitions_rest():
    driven = Driven([0, 1])
    assert held(driven, {(0, 1): UNIT}) == DWELL
    driven.carry_out()
    driven.take("rehome_node", 0, 0)
    driven.take("rehome_node", 1, 1)
    for _ in range(REST):
        driven.survey()
        assert driven.consider().keys() <= {Status.RESTING, Status.NOT_SURVEYED}
        driven.take("begin_epoch")
    driven.survey()
    assert Status.OK in driven.consider()


@pytest.mark.parametrize("wrong", [Status.DEGRADED, Status.RECOVERING])
def test_nothing_is_recommended_while_something_is_wrong(wrong):
    driven = Driven([0, 1, 2])
    driven.take("set_weight", 0, 1, UNIT)
    driven.survey()
    for _ in range(DWELL):
        driven.take("consider_move", 0, 1)
        driven.take("begin_epoch")
    if wrong == Status.DEGRADED:
        driven.take("begin_cut", 1, 0, 0, 0)
        driven.take("give_up_cut")
    else:
        driven.take("set_recovery", 1)
    assert driven.take("recommend") == driven.take("consider_move", 0, 1) == wrong


def test_equal_candidates_give_the_same_advice_in_any_order():
    found = []
    for order in ((0, 1, 2, 3), (3, 1, 2, 0)):
        driven = Driven([0, 1, 2, 3])
        for n, m in ((0, 1), (2, 3)):
            driven.take("set_weight", n, m, UNIT)
        driven.survey()
        for n in order:
            driven.take("consider_move", n, n ^ 1)
        found.append([driven.read("best", name) for name in ("kind", "node", "target")])
    assert found[0] == found[1] == [Change.MIGRATE, 0, 1]


def test_two_groups_that_talk_with_each_other_are_merged():
    driven = Driven([0, 0, 1, 1])
    inside = {(0, 1): 100 * UNIT, (2, 3): 100 * UNIT}
    for _ in range(20):
        driven.epoch({**inside, **{(n, m): 30 * UNIT for n in (0, 1) for m in (2, 3)}})
    assert [kind for kind, _, _ in driven.done] == [Change.MERGE] and len({driven.home(n) for n in range(4)}) == 1


def test_what_talks_with_nobody_is_split_off_from_what_talks_elsewhere():
    driven = Driven([0, 0, 1])
    for _ in range(20):
        driven.epoch({(0, 2): UNIT, (0, 0): UNIT, (2, 2): 100 * UNIT})
    assert driven.home(1) != driven.home(0)
