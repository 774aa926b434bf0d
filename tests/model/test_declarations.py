"""Is a declaration refused at its own line if the gate or the log could not honour it?"""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from corollary.language.types import LanguageError, u8, u64
from corollary.model.kernel.gate import OPERATIONS
from corollary.model.kernel.operation import check_guards, operation, performer
from corollary.spec.kernel.operation import hypercall
from corollary.spec.kernel.state import Call, Kernel
from corollary.spec.kernel.vocabulary import Action, Status, Tier


def refuses_late(s: Kernel, call: Call, value: u8) -> Status:
    """Change the state, then refuse."""
    s.switches = 0
    if value > 3:
        return Status.BAD_ARGUMENT
    return Status.OK


def refuses_late_through_a_reference(s: Kernel, call: Call, value: u8) -> Status:
    """Do the same through a name for a part of the state."""
    partition = s.partition[s.current]
    partition.records = 0
    return Status.OK if value > 3 else Status.BAD_ARGUMENT


def refuses_first(s: Kernel, call: Call, value: u8) -> Status:
    """Check guards first, then have effects."""
    if value > 3:
        return Status.BAD_ARGUMENT
    s.switches = 0
    return Status.OK


@pytest.mark.parametrize("function", [refuses_late, refuses_late_through_a_reference])
def test_a_refusal_after_an_effect_is_refused_itself(function):
    with pytest.raises(LanguageError, match=f"{function.__name__} refuses after an effect"):
        check_guards(SimpleNamespace(function=function))


def test_guards_before_effects_are_accepted():
    check_guards(SimpleNamespace(function=refuses_first))


FIVE_BYTES = dict.fromkeys("abcde", u8)


@pytest.mark.parametrize(
    ("takes", "tier", "message"),
    [
        (dict.fromkeys("abcde", u64), Tier.P1, "do not fit a witness record"),
        (FIVE_BYTES | {"f": u8}, Tier.P1, "more than 5 arguments"),
        (FIVE_BYTES, Tier.P2, "more than 4 arguments"),
    ],
)  # one register names the page of the proof
def test_arguments_must_fit_registers_and_record(takes, tier, message):
    known = list(OPERATIONS)
    with pytest.raises(LanguageError, match=message):
        hypercall(len(known), "any", Action.NONE, tier=tier, takes=takes)
    assert OPERATIONS == known


@pytest.mark.parametrize("number", [0, 7, len(OPERATIONS) - 1, len(OPERATIONS) + 1])
def test_a_new_hypercall_gets_the_next_number(number):
    known = list(OPERATIONS)
    with pytest.raises(LanguageError, match=rf"any has number {number}\n.*the next one, {len(known)}"):
        hypercall(number, "any", Action.NONE)
    assert OPERATIONS == known


def test_no_two_hypercalls_have_one_name():
    with pytest.raises(LanguageError, match="two hypercalls are called yield_now"):
        hypercall(len(OPERATIONS), "yield_now", Action.NONE)


def yield_now(s: Kernel, call: Call, value: u8) -> Status:
    """Take an argument that its row does not have."""
    return Status.OK


def unheard_of(s: Kernel, call: Call) -> Status:
    """Have no row at all."""
    return Status.OK


def test_a_function_takes_what_its_row_says():
    known = list(OPERATIONS)
    with pytest.raises(LanguageError, match="yield_now takes other arguments than its row"):
        operation(yield_now)
    with pytest.raises(LookupError, match="no hypercall is called unheard_of"):
        operation(unheard_of)
    assert OPERATIONS == known


def test_a_hypercall_that_no_function_performs_is_refused(monkeypatch):
    others = [*OPERATIONS[:3], replace(OPERATIONS[3], function=None), *OPERATIONS[4:]]
    monkeypatch.setattr("corollary.model.kernel.operation.OPERATIONS", others)
    with pytest.raises(LanguageError, match=f"the hypercall {OPERATIONS[3].name} is for"):
        performer({})
