"""Does a weight fade by 5 % an epoch, however often it is looked at, and does it die only when it is worth nothing?"""

from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corollary.record.fading import FRACTION_BITS, HALVED, KEPT, OF, Weight, faded, units

VALUES = st.integers(0, 1 << 80) | st.integers(0, 100)
EPOCHS = st.integers(0, 2000)
LEFT = Fraction(95, 100)
ULP = Fraction(1, 1 << FRACTION_BITS)


def test_an_epoch_takes_five_percent():
    assert Fraction(KEPT, OF) == LEFT and (faded(2_000_000, 1), faded(2_000_000, 2)) == (1_900_000, 1_805_000)
    assert LEFT**HALVED < Fraction(1, 2) <= LEFT ** (HALVED - 1)


@given(VALUES, EPOCHS)
@example(1, 1)
@example(2, 14)
@example((1 << 80) - 1, 80 * HALVED)
def test_what_is_left_is_exact_but_for_one_rounding_down(value, epochs):
    exact = value * LEFT**epochs
    assert faded(value, epochs) <= exact < faded(value, epochs) + 1


@given(VALUES, EPOCHS)
def test_a_weight_dies_just_when_it_is_worth_less_than_the_smallest_number(value, epochs):
    assert (faded(value, epochs) == 0) == (value * LEFT**epochs < 1)


def test_a_light_edge_lives_longer_than_if_each_epoch_rounded_down():
    value, rounded, epochs = 20, 20, 0
    while rounded:
        rounded, epochs = rounded * KEPT // OF, epochs + 1
    assert faded(value, epochs) > 0


@given(VALUES, VALUES, EPOCHS)
def test_a_heavier_edge_stays_the_heavier_one(one, other, epochs):
    assert faded(min(one, other), epochs) <= faded(max(one, other), epochs)


@given(VALUES, EPOCHS, EPOCHS)
def test_a_weight_never_grows_by_fading(value, epochs, more):
    assert faded(value, epochs + more) <= faded(value, epochs) <= value


STEPS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 5)), max_size=40)


def followed(steps, looks):
    """Return a weight after steps of so many epochs, each with more units, and the epoch.

    If `looks`, it is looked at in each epoch, as one does who applies them one by one.
    """
    weight, epoch = Weight(), 0
    for passed, more in steps:
        for each in range(epoch, epoch + passed) if looks else ():
            weight.at(each)
        epoch += passed
        weight = weight.plus(more, epoch) if more else weight
    return weight, epoch


@given(STEPS, st.integers(0, 200))
def test_epochs_that_are_applied_late_are_as_those_applied_one_by_one(steps, later):
    (one, epoch), (other, _) = followed(steps, True), followed(steps, False)
    assert [one.at(epoch + each) for each in range(later)] == [other.at(epoch + each) for each in range(later)]


@given(STEPS)
@settings(max_examples=200)
def test_a_weight_with_additions_is_the_exact_sum_but_for_twenty_of_the_smallest_numbers(steps):
    weight, epoch = followed(steps, False)
    exact, now = Fraction(0), 0
    for passed, more in steps:
        now, exact = now + passed, exact * LEFT**passed + more
    assert 0 <= exact - weight.at(epoch) * ULP <= 21 * ULP


def test_an_earlier_epoch_fades_nothing():
    assert Weight(100, 7).at(3) == 100


def test_a_weight_of_any_age_is_found_at_once():
    assert Weight(1 << 80, 0).at((1 << 48) - 1) == 0


@pytest.mark.parametrize("value, told", [(0, 0.0), (3 << 16, 3.0), (1, 1 / 65536)])
def test_a_weight_is_told_in_units(value, told):
    assert units(value) == told
