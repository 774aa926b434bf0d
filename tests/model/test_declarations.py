"""Is a declaration that the gate or the log could not honour refused where it is written?"""

from types import SimpleNamespace

import pytest

from language.types import LanguageError, u8, u64
from spec.kernel.operation import OPERATIONS, check_guards, operation
from spec.kernel.state import Call, Kernel
from spec.kernel.vocabulary import Action, Status, Tier


def refuses_late(s: Kernel, call: Call, value: u8) -> Status:
    """Change the state, then change its mind."""
    s.switches = 0
    if value > 3:
        return Status.BAD_ARGUMENT
    return Status.OK


def refuses_late_through_a_reference(s: Kernel, call: Call, value: u8) -> Status:
    """The same, through a name for a part of the state."""
    partition = s.partition[s.current]
    partition.records = 0
    return Status.OK if value > 3 else Status.BAD_ARGUMENT


def refuses_first(s: Kernel, call: Call, value: u8) -> Status:
    """Guards first, then effects."""
    if value > 3:
        return Status.BAD_ARGUMENT
    s.switches = 0
    return Status.OK


def five_words(s: Kernel, call: Call, a: u64, b: u64, c: u64, d: u64, e: u64) -> Status:
    """More than a record keeps."""
    return Status.OK


def six_arguments(s: Kernel, call: Call, a: u8, b: u8, c: u8, d: u8, e: u8, f: u8) -> Status:
    """More than the registers carry."""
    return Status.OK


def five_arguments(s: Kernel, call: Call, a: u8, b: u8, c: u8, d: u8, e: u8) -> Status:
    """As many as the registers carry, when none of them names a proof."""
    return Status.OK


@pytest.mark.parametrize("function", [refuses_late, refuses_late_through_a_reference])
def test_a_refusal_after_an_effect_is_refused_itself(function):
    with pytest.raises(LanguageError, match=f"{function.__name__} refuses after an effect"):
        check_guards(SimpleNamespace(function=function))


def test_guards_before_effects_are_accepted():
    check_guards(SimpleNamespace(function=refuses_first))


@pytest.mark.parametrize(("function", "tier", "message"), [
    (five_words, Tier.P1, "do not fit a witness record"), (six_arguments, Tier.P1, "more than 5 arguments"),
    (five_arguments, Tier.P2, "more than 4 arguments")])
def test_arguments_must_fit_registers_and_record(function, tier, message):
    known = len(OPERATIONS)
    with pytest.raises(LanguageError, match=message):
        operation(Action.NONE, tier=tier)(function)
    assert len(OPERATIONS) == known
