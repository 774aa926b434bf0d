"""Does nobody act who was killed, or stood in for it, and is there a result whatever a callback does?"""

import threading
import time
from functools import partial

import pytest

from corollary.governance import Governor, KillReason, KillSwitch, Refused, Status
from tests.governance.clauses import clause
from tests.governance.test_rings import action, refused

SOON = 0.05  # s


@pytest.fixture
def governor():
    """Return a governor with two agents, `one` in two sessions, and a substitute."""
    made = Governor()
    for who, session in (("one", "s"), ("one", "t"), ("two", "s"), ("heir", "s")):
        made.join(who, session, 0.97, True)
    return made


def is_dead(governor, who, session="s"):
    """Is everything refused that an agent asks for?"""
    refused(Status.KILLED, governor.spend, who, session)
    refused(Status.KILLED, governor.join, who, "new")
    refused(Status.KILLED, governor.register_child, who, "child", session)
    return not governor.check(who, session, action(is_read_only=True)).allowed


@clause("S12.2")
def test_reasons():
    assert {each.value for each in KillReason} == {
        "behavioral_drift",
        "rate_limit",
        "ring_breach",
        "manual",
        "quarantine_timeout",
        "session_timeout",
    }


@clause("S12.4", "S12.7", "B10")
def test_agent_and_substitute_never_act_again(governor):
    switch = KillSwitch(governor)
    switch.register_agent("one", lambda: None)
    switch.register_substitute("s", "heir")
    found = switch.kill("one", "s", KillReason.RING_BREACH)
    assert found.terminated and found.details == "" and found.kill_id.startswith("kill:")
    assert (found.agent_did, found.session_id, found.reason) == ("one", "s", KillReason.RING_BREACH)
    assert is_dead(governor, "one") and is_dead(governor, "one", "t") and is_dead(governor, "heir")
    assert governor.check("two", "s", action()).allowed
    assert switch.callbacks == {} and switch.substitutes == {} and switch.results["one"] is found
    refused(Status.KILLED, switch.register_agent, "one", lambda: None)
    refused(Status.KILLED, switch.register_substitute, "s", "heir")


@clause("S12.3", "B10")
def test_steps_in_flight_are_to_be_compensated_not_handed_to_the_dead(governor):
    switch = KillSwitch(governor)
    switch.register_substitute("s", "heir")
    found = switch.kill("one", "s", in_flight_steps=["x", "y"])
    assert [each.step_id for each in found.handoffs] == ["x", "y"] and found.compensation_triggered
    assert found.handoff_success_count == 0 and {each.to_agent for each in found.handoffs} == {None}


def raising():
    """Raise."""
    raise OSError("no such process")


def leaving():
    """Raise what no `except Exception` sees."""
    raise SystemExit(3)


class Untold(Exception):
    """Cannot be told."""

    def __str__(self):
        raise RuntimeError


def raising_what_cannot_be_told():
    """Raise it."""
    raise Untold


async def stop():
    """Would end an agent if somebody awaited it."""


@clause("S12.5", "S12.6", "S19.1")
@pytest.mark.parametrize(
    ("callback", "told"),
    [
        (lambda: stop(), "nobody awaits"),
        (raising_what_cannot_be_told, "Untold"),
        (None, "no callback"),
        (raising, "OSError: no such process"),
        (leaving, "SystemExit: 3"),
        (lambda: time.sleep(60), f"longer than {SOON} s"),
        (lambda nobody: None, "TypeError"),
    ],
)
def test_a_result_is_recorded_whatever_the_callback_does(governor, callback, told):
    switch = KillSwitch(governor, SOON)
    if callback is not None:
        switch.register_agent("one", callback)
    found = switch.kill("one", "s")
    assert not found.terminated and told in found.details and switch.results["one"] is found
    assert is_dead(governor, "one") and not governor.state.agent[governor.agent("one")].terminated


@clause("S12.5")
def test_the_timeout_is_five_seconds_unless_it_is_another(governor):
    assert KillSwitch(governor).timeout == 5
    for wrong in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="timeout"):
            KillSwitch(governor, wrong)


def test_an_interrupt_while_waiting_leaves_a_result(governor, monkeypatch):
    switch = KillSwitch(governor)

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(switch, "ended", interrupted)
    with pytest.raises(KeyboardInterrupt):
        switch.kill("one", "s")
    assert is_dead(governor, "one") and not switch.results["one"].terminated
    assert "interrupted" in switch.results["one"].details


@clause("B10")
def test_many_who_kill_at_once_call_the_callback_once(governor):
    called, refusals, ready = [], [], threading.Barrier(8)
    switch = KillSwitch(governor)
    switch.register_agent("one", lambda: called.append(1))

    def kill():
        ready.wait()
        try:
            switch.kill("one", "s")
        except Refused as problem:
            refusals.append(problem.status)

    threads = [threading.Thread(target=kill) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert called == [1] and refusals == [Status.KILLED] * 7


def test_a_substitute_can_be_killed_by_name_too(governor):
    switch = KillSwitch(governor)
    ended = []
    switch.register_agent("heir", lambda: ended.append(1))
    governor.kill("one", "heir")
    assert switch.kill("heir", "s").terminated and ended == [1]


@pytest.mark.parametrize("callback", [stop, partial(stop)])
def test_a_callback_that_would_have_to_be_awaited_is_refused(governor, callback):
    with pytest.raises(TypeError, match="nobody awaits"):
        KillSwitch(governor).register_agent("one", callback)


def test_what_is_no_reason_kills_nobody(governor):
    with pytest.raises(TypeError, match="reason"):
        KillSwitch(governor).kill("one", "s", "manual")
    assert governor.check("one", "s", action()).allowed
