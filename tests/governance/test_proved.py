"""Does a wrong step of governance break a promise, and does its C do what its model does? `verify` proves the rest."""

import pytest
from hypothesis import given, settings

from corollary.codegen.build import BUILD
from corollary.codegen.folders import GENERATED
from corollary.commands.trial import steps_of
from corollary.emulation.beside import Beside, library
from corollary.language import component as components
from corollary.language.component import Component, check, declared
from corollary.library import PREFIX
from corollary.model.governance import component as governance
from corollary.model.governance import kills, sagas, seats, sessions
from corollary.proofs import steps
from corollary.spec.governance.state import Governance
from tests.store.test_proved import changed

PARENT = "    above = standing(s, parent, now)\n    if above != Status.OK:\n        return above\n"
TRUST = "    if target == Ring.PRIVILEGED and not attested:\n        return Status.NO_SPONSORSHIP\n"
TWICE = "    if is_elevated(held, now):\n        return Status.DUPLICATE_ELEVATION\n"
ORDER = "    if number != session.deltas + 1:\n        return Status.OUT_OF_ORDER\n"
WRONG = [
    (seats, "enrol", "    if s.agent[agent].killed:\n        return Status.KILLED\n", "", "KILL-4"),
    (seats, "enrol", "    if score > PPM:\n        return Status.BAD_SCORE\n    return", "    return", "RING-2"),
    (seats, "enrol", "    clear(seat)\n    seat.taken", "    seat.taken", "ENSURES"),
    (seats, "register_child", PARENT, "", "KILL-6"),
    (seats, "register_child", "    s.seat[a].born = s.seat[parent].generation\n", "", "ENSURES"),
    (seats, "register_child", "u8(ANCESTRY_LIMIT - 1)) + 1", "u8(ANCESTRY_LIMIT - 1))", "RING-3"),
    (seats, "dismiss", "    s.seat[a].generation = generation\n", "", "RING-4"),
    (seats, "assign", "    seat.ring = ring_for(score, consensus)\n    return", "    return", "RING-2"),
    (seats, "elevate", TRUST, "", "RING-10"),
    (seats, "elevate", TWICE, "", "OK-iff"),
    (seats, "elevate", "    if target == Ring.ROOT:\n        return Status.RING_0_FORBIDDEN\n", "", "RING-1"),
    (seats, "elevate", "minimum(time, u64(ELEVATION_LIMIT) * SECOND)", "minimum(time, CLOCK_LIMIT)", "RING-10"),
    (seats, "expire", " or is_elevated(s.seat[a].elevation, now)", "", "OK-iff"),
    (
        seats,
        "check",
        "    if refused != Status.OK:\n        return refused\n    return admitted",
        "    return admitted",
        "KILL-3",
    ),
    (seats, "spend", "    if due > now + span:\n        return Status.RATE_LIMITED\n", "", "RATE-3"),
    (seats, "spend", "    s.seat[a].due = due\n", "    s.seat[a].due = now\n", "RATE-2"),
    (seats, "quarantine", "maximum(s.seat[a].quarantined, now + time)", "now + time", "ENSURES"),
    (seats, "record_call", "breach.tripped or severity == Severity.HIGH", "severity == Severity.HIGH", "BREACH-2"),
    (seats, "record_call", " or severity == Severity.CRITICAL", "", "BREACH-3"),
    (seats, "record_call", "breach.weight = minimum(weight, WEIGHT_LIMIT)", "breach.weight = 0", "ENSURES"),
    (seats, "reset_breaker", "    clear(s.seat[a].breach)\n", "    s.seat[a].breach.tripped = False\n", "ENSURES"),
    (kills, "kill", "    s.agent[substitute].killed = True\n", "", "KILL-5"),
    (kills, "kill", "    if s.agent[agent].asked:\n        return Status.KILLED\n", "", "OK-iff"),
    (kills, "report", "    if s.agent[agent].reported:\n        return Status.REPORTED\n", "", "KILL-2"),
    (sessions, "advance", "stage != next_stage(s.session[c].stage)", "False", "SESSION-1"),
    (sessions, "append", ORDER, "", "CHAIN-2"),
    (sessions, "append", "    session.fourth = fourth\n", "", "ENSURES"),
    (sagas, "complete_step", "    saga.failures = 0\n", "", "ENSURES"),
    (sagas, "fail_step", "saga.failures < saga.retries", "saga.failures <= saga.retries", "SAGA-2"),
    (sagas, "fail_step", "Phase.COMPENSATING if saga.done > 0 else Phase.COMPENSATED", "Phase.COMPENSATED", "SAGA-1"),
    (sagas, "undo_step", "    saga.done -= 1\n", "    saga.done = 0\n", "SAGA-4"),
    (sagas, "undo_step", "    if not undone:\n", "    if undone:\n", "ENSURES"),
    (sagas, "undo_step", "Phase.COMPENSATED if saga.lost == 0 else Phase.ESCALATED", "Phase.COMPENSATED", "SAGA-3"),
]
"""Changes of the steps: the module, the step, what is replaced, by what, and which promise must fail."""


def decided(name, promise, component):
    """Return the result of a promise about a step."""
    return next(ask().result for id_, _, ask in steps.questions(name, component) if id_ == f"{name}/{promise}")


def test_the_component_is_well_made():
    check(declared("governance"), governance.__file__)


@pytest.mark.parametrize(
    ("module", "name", "old", "new", "promise"), WRONG, ids=[f"{row[1]} {at}" for at, row in enumerate(WRONG)]
)
def test_a_wrong_step_breaks_a_promise(module, name, old, new, promise, tmp_path, monkeypatch):
    monkeypatch.setitem(components.COMPONENTS, "governance", None)  # and what it is now comes back
    other = changed(module, old, new, tmp_path)
    taken = tuple(getattr(other, each.name, each.function) for each in governance.GOVERNANCE.operations)
    assert decided(name, promise, Component(state=Governance, operations=taken, calls=("ring",))) == "refuted"


def test_c_does_the_same_as_the_model_in_random_steps():
    made = library(GENERATED / "governance", BUILD / "host")

    @settings(max_examples=10)
    @given(steps_of(governance.GOVERNANCE))
    def trial(taken):
        beside = Beside(governance.GOVERNANCE, made, PREFIX)
        for operation, *arguments in taken:
            beside.take(operation.function, *arguments)

    trial()
