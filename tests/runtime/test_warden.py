"""Is an agent let do what its ring permits, and nothing else, at its rate, and is it stopped when it goes on asking?"""

import asyncio
import json
from contextlib import ExitStack, nullcontext, suppress

import pytest

from corollary.governance import EventType, Refused, Ring, Status
from corollary.runtime.runtime import Runtime
from corollary.runtime.sqlite import SqliteStore
from corollary.runtime.store import Agent, Effect, Kind, Rules, State
from corollary.runtime.warden import PAUSE, SESSION, Later, NotPermitted, Warden
from corollary.spec.governance.limits import HIGH
from corollary.spec.ring import BURST, RATE, SECOND, TOOLS
from tests.runtime.agents import COUNTER, FETCHER
from tests.runtime.stores import KEY, run
from tests.runtime.test_http import asked, made, with_client
from tests.runtime.test_runtime import made as begun
from tests.runtime.test_runtime import said, until

SANDBOX, STANDARD, PRIVILEGED = Rules(), Rules(trust=0.8), Rules(trust=0.96, consensus=True)
FIRST = SECOND  # when the clock of these tests begins: a bucket is full then


class Time:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = FIRST

    def __call__(self):
        return self.now


def agent(rules, name="a"):
    """Return an agent."""
    return Agent(name, "program", rules)


def effect(kind, body=b"{}"):
    """Return an effect of agent `a`."""
    return Effect("a", "a/1/1", kind, body)


def permitted(warden, who, what):
    """Let an agent do something at once."""
    with warden.permit(who, what):
        pass


# ---- rings

GET, POST = b'{"method": "get"}', b'{"method": "POST"}'
WHO_MAY = [
    ("http", GET, (2, 1)),  # it needs ring 3, and a network
    ("http", b"{}", (2, 1)),
    ("http", POST, (2, 1)),
    ("http", b"no JSON", (2, 1)),
    ("http", b"[]", (2, 1)),
    ("http", b"[" * 10**5, (2, 1)),
    ("websocket", b"{}", (2, 1)),
    ("tcp", b"{}", (2, 1)),
    ("frame", b"{}", (2, 1)),
    ("end", b"{}", (3, 2, 1)),
    ("close", b"{}", (3, 2, 1)),
    ("tool", b"{}", (2, 1)),
    ("publish", b"{}", (1,)),
    ("something new", b"{}", (1,)),
]


@pytest.mark.parametrize("ring, rules", [(3, SANDBOX), (2, STANDARD), (1, PRIVILEGED)], ids=["3", "2", "1"])
@pytest.mark.parametrize("kind, body, may", WHO_MAY, ids=[f"{kind} {body[:20]!r}" for kind, body, _ in WHO_MAY])
def test_each_ring_may_do_what_it_is_for(kind, body, may, ring, rules):
    warden = Warden()
    if ring in may:
        permitted(warden, agent(rules), effect(kind, body))
    else:
        with pytest.raises(NotPermitted, match=f"the rules give it `trust` {rules.trust:g}"):
            permitted(warden, agent(rules), effect(kind, body))


EDGES = [(0.0, True, 3), (0.6, True, 3), (0.61, False, 2), (0.95, True, 2), (0.96, False, 2), (1, True, 1)]


@pytest.mark.parametrize("trust, consensus, ring", EDGES)
def test_the_ring_follows_from_trust_also_before_governance_knows_the_agent(trust, consensus, ring):
    warden, who = Warden(), agent(Rules(trust=trust, consensus=consensus))
    assert warden.ring(who) is Ring(ring)
    warden.seat(who)
    assert warden.ring(who) is Ring(ring)


@pytest.mark.parametrize("trust", [-0.1, 1.1, float("nan")])
def test_trust_is_from_0_to_1(trust):
    with pytest.raises(ValueError, match="rule `trust` is a number from 0 to 1"):
        Rules(trust=trust)


# ---- rates and tools


def test_who_calls_too_often_waits():
    time = Time()
    warden, who = Warden(time), agent(STANDARD)
    burst = RATE[Ring.STANDARD] * BURST // SECOND
    for _ in range(burst):
        permitted(warden, who, effect("http"))
    with pytest.raises(Later, match="makes too many calls"):
        permitted(warden, who, effect("http"))
    permitted(warden, agent(STANDARD, "b"), effect("http"))  # each has a rate of its own
    permitted(warden, who, effect("frame"))  # what was opened goes on, in order
    time.now += SECOND // RATE[Ring.STANDARD]
    permitted(warden, who, effect("http"))
    with pytest.raises(Later):
        permitted(warden, who, effect("http"))


def test_those_that_wait_come_one_after_the_other():
    time = Time()
    warden, who, one = Warden(time), agent(STANDARD), 1 / RATE[Ring.STANDARD]
    for _ in range(RATE[Ring.STANDARD] * BURST // SECOND):
        permitted(warden, who, effect("http"))
    waits = [pytest.raises(Later, permitted, warden, who, effect("http")).value.seconds for _ in range(100)]
    assert waits == pytest.approx([one * number for number in range(1, 101)])
    for _ in waits:  # each is tried when its time has come, and is let through
        time.now += SECOND // RATE[Ring.STANDARD]
        permitted(warden, who, effect("http"))
    time.now += SECOND
    permitted(warden, who, effect("http"))


def test_as_many_tools_are_under_way_as_the_ring_allows():
    warden, who = Warden(), agent(STANDARD)
    open_ = [warden.permit(who, effect("tool")) for _ in range(TOOLS[Ring.STANDARD])]
    for each in open_:
        each.__enter__()
    with pytest.raises(Later, match="has 8 calls of tools under way"):
        permitted(warden, who, effect("tool"))
    permitted(warden, who, effect("http"))
    open_[0].__exit__(None, None, None)
    permitted(warden, who, effect("tool"))
    for each in open_[1:]:
        each.__exit__(None, None, None)
    assert not warden.under_way


def test_a_call_that_fails_is_not_under_way_any_more():
    warden, who = Warden(), agent(STANDARD)
    with pytest.raises(OSError), warden.permit(who, effect("tool")):
        raise OSError
    assert not warden.under_way


# ---- who goes on asking


def test_who_goes_on_asking_for_what_is_beyond_its_ring_is_stopped():
    time = Time()
    warden, who = Warden(time), agent(STANDARD)
    for number in range(HIGH + 1):
        assert not warden.is_stopped(who) or number == HIGH
        with pytest.raises(NotPermitted):
            permitted(warden, who, effect("publish"))
    assert warden.is_stopped(who)
    with pytest.raises(NotPermitted, match="somebody must look at it"):
        permitted(warden, who, effect("http"))
    warden.let_go_on(who)
    permitted(warden, who, effect("http"))
    assert not warden.is_stopped(who)


def test_who_stays_in_its_ring_is_never_stopped():
    time = Time()
    warden, who = Warden(time), agent(STANDARD)
    for _ in range(3 * HIGH):
        time.now += SECOND // RATE[Ring.STANDARD]
        permitted(warden, who, effect("http"))
    assert not warden.is_stopped(who)


# ---- elevation


def test_an_agent_rises_for_a_while():
    time = Time()
    warden, who = Warden(time), agent(Rules(trust=0.9))
    warden.elevate(who, Ring.PRIVILEGED, 10, "ticket 1", "release")
    assert warden.ring(who) is Ring.PRIVILEGED
    permitted(warden, who, effect("publish"))
    time.now += 10 * SECOND
    assert warden.ring(who) is Ring.STANDARD
    with pytest.raises(NotPermitted):
        permitted(warden, who, effect("publish"))


def test_an_elevation_can_be_ended_early_and_then_nothing_more_is_sent():
    warden, who = Warden(Time()), agent(Rules(trust=0.9))
    with pytest.raises(Refused):
        warden.demote(who)
    warden.elevate(who, Ring.PRIVILEGED, 10, "ticket 1", "release")
    warden.demote(who)
    assert warden.ring(who) is Ring.STANDARD
    with pytest.raises(NotPermitted):
        permitted(warden, who, effect("publish"))
    lost = agent(SANDBOX)
    assert warden.ring(lost) is Ring.SANDBOX
    for kind, may in (("frame", False), ("end", True), ("close", True)):
        with nullcontext() if may else pytest.raises(NotPermitted):
            permitted(warden, lost, effect(kind))


def test_who_is_told_a_ring_changes_nothing():
    warden, old, new = Warden(Time()), agent(Rules(trust=0.7)), agent(Rules(trust=0.9))
    warden.elevate(new, Ring.PRIVILEGED, 10, "ticket 1", "release")
    assert [warden.ring(each) for each in (new, old, new)] == [Ring.PRIVILEGED, Ring.STANDARD, Ring.PRIVILEGED]
    warden.trusts(new)  # the same again ends an elevation, too
    assert warden.ring(new) is Ring.STANDARD


def test_calls_of_tools_that_wait_are_tried_one_after_the_other():
    warden, who = Warden(Time()), agent(STANDARD)
    waits = []
    with ExitStack() as stack:
        for _ in range(TOOLS[Ring.STANDARD]):
            stack.enter_context(warden.permit(who, effect("tool")))
        for _ in range(100):
            with pytest.raises(Later) as later:
                permitted(warden, who, effect("tool"))
            waits.append(later.value.seconds)
    assert waits == sorted(set(waits)) and waits[-1] == 100 * PAUSE / SECOND


def test_trust_that_changes_counts_at_once_and_ends_an_elevation():
    warden = Warden(Time())
    warden.elevate(agent(Rules(trust=0.9)), Ring.PRIVILEGED, 10, "ticket 1", "release")
    assert warden.ring(agent(Rules(trust=0.91))) is Ring.STANDARD
    assert warden.ring(agent(PRIVILEGED)) is Ring.PRIVILEGED
    permitted(warden, agent(PRIVILEGED), effect("publish"))
    with pytest.raises(NotPermitted):
        permitted(warden, agent(SANDBOX), effect("http"))


def test_who_rose_and_why_is_in_the_log_and_kept_though_others_flood(caplog):
    caplog.set_level("INFO")
    warden, who, other = Warden(Time()), agent(Rules(trust=0.9), "boss"), agent(STANDARD)
    warden.elevate(who, Ring.PRIVILEGED, 10, "ticket 1", "release")
    assert "boss: in ring 1, attested by 'ticket 1', because 'release'" in caplog.text
    for _ in range(10_050):
        with suppress(Later):
            permitted(warden, other, effect("http"))
    assert warden.told(who)[0].event_type is EventType.RING_ELEVATED
    assert EventType.RATE_LIMITED not in {each.event_type for each in warden.told(other)}


RISES = [
    (0.9, 1, "", Status.NO_SPONSORSHIP),
    (0.8, 1, "ticket", Status.INSUFFICIENT_TRUST),
    (1.0, 0, "ticket", Status.RING_0_FORBIDDEN),
    (0.8, 2, "ticket", Status.INVALID_TARGET),
    (0.4, 2, "ticket", Status.INSUFFICIENT_TRUST),
]


@pytest.mark.parametrize("trust, ring, attestation, status", RISES)
def test_nobody_rises_without_trust_and_attestation(trust, ring, attestation, status):
    warden, who = Warden(), agent(Rules(trust=trust))
    before = warden.ring(who)
    with pytest.raises(Refused) as refused:
        warden.elevate(who, Ring(ring), 10, attestation, "")
    assert refused.value.status is status and warden.ring(who) is before


def test_who_has_ended_takes_no_room():
    warden = Warden()
    for number in range(1000):
        warden.seat(agent(STANDARD, f"a{number}"))
        warden.let_go(agent(STANDARD, f"a{number}"))
    assert not warden.governor.seats and warden.governor.free.next == 1


# ---- in a runtime


def running(folder, test, perform):
    """Run a test with a runtime."""

    async def inner():
        runtime = Runtime(SqliteStore(folder), KEY, {"http": perform}, pause=1000)
        await runtime.start()
        try:
            await test(runtime)
        finally:
            await runtime.close()

    run(inner())


async def results(runtime, count):
    """Return what agent `a` was told of its first effects, once it was."""

    async def found(runtime):
        told = [each.event for each in await runtime.store.journal("a") if each.event.kind is Kind.RESULT]
        return [json.loads(event.body) for event in told] if len(told) >= count else None

    await until(found, runtime)
    return await found(runtime)


async def nobody(agent, effect):
    raise AssertionError("it was carried out")


def test_what_is_not_permitted_is_not_carried_out_and_the_agent_is_told_why(tmp_path, caplog):
    async def test(runtime):
        await begun(runtime, "a", FETCHER, Rules(hosts=("*",), trust=0.6))
        await said(runtime, "a", "one", b"{}")
        (told,) = await results(runtime, 1)
        assert told == {"error": "not permitted: ring 3 has no network; the rules give it `trust` 0.6"}
        assert b'corollary_denied_total{kind="http"} 1.0' in runtime.metrics.text()
        assert "a: http a/2/1 is not permitted: ring 3 has no network" in caplog.text

    running(tmp_path, test, nobody)


def test_who_goes_on_asking_is_suspended_also_after_a_restart_until_it_is_resumed(tmp_path):
    async def begin(runtime):
        await begun(runtime, "a", FETCHER, SANDBOX)
        runtime.warden.seat(await runtime.store.agent("a"))
        for _ in range(HIGH):  # as if it had asked as often a moment ago
            runtime.warden.governor.record_call("a", SESSION, Ring.STANDARD)
        await said(runtime, "a", "one", b'{"method": "POST"}')
        await until(stopped, runtime)

    async def stopped(runtime):
        return (await runtime.store.agent("a")).state is State.SUSPENDED

    async def go_on(runtime):
        assert await stopped(runtime)
        assert (await runtime.set_state("a", State.RUNNING)).state is State.RUNNING
        await until(idle, runtime)

    async def idle(runtime):
        return not await runtime.store.busy()

    running(tmp_path, begin, nobody)
    running(tmp_path, go_on, nobody)


def test_what_waits_for_room_is_not_carried_out_once_the_agent_is_suspended(tmp_path):
    done, one = [], asyncio.Semaphore(1)

    async def perform(agent, effect):
        done.append(effect.id)
        await asyncio.sleep(0.2)
        return b"{}"

    async def test(runtime):
        runtime.rooms["http"] = lambda agent: one
        await begun(runtime, "a", FETCHER, STANDARD)
        runtime.send([Effect("a", f"a/9/{number}", "http", b"{}") for number in range(3)])
        while not done:
            await asyncio.sleep(0.005)
        await runtime.set_state("a", State.SUSPENDED)
        await asyncio.sleep(0.7)
        assert len(done) == 1
        await runtime.set_state("a", State.RUNNING)
        while len(done) < 3:
            await asyncio.sleep(0.01)

    running(tmp_path, test, perform)


def test_what_is_sent_on_a_connection_waits_until_that_may_be_opened(tmp_path):
    done = []

    async def perform(agent, effect):
        done.append(effect.kind)
        return b"{}"

    async def test(runtime):
        runtime.perform.update(dict.fromkeys(("tcp", "frame", "close"), perform))
        await begun(runtime, "a", FETCHER, STANDARD)
        count = RATE[Ring.STANDARD] * BURST // SECOND + 3
        runtime.send([Effect("a", f"a/8/{number}", "http", b"{}") for number in range(count)])
        on_it = b'{"socket": "a/9/1"}'
        effects = [("tcp", b"{}"), ("frame", on_it), ("close", on_it)]
        runtime.send([Effect("a", f"a/9/{number}", kind, body) for number, (kind, body) in enumerate(effects, 1)])
        while len(done) < count + 3:
            await asyncio.sleep(0.01)
        assert [kind for kind in done if kind != "http"] == ["tcp", "frame", "close"]

    running(tmp_path, test, perform)


def test_a_flood_of_requests_is_carried_out_as_fast_as_the_ring_allows_and_none_is_lost(tmp_path):
    carried_out = []

    async def perform(agent, effect):
        carried_out.append(effect.id)
        return b"{}"

    async def test(runtime):
        await begun(runtime, "sink", COUNTER)
        await begun(runtime, "a", FETCHER, STANDARD)
        count = RATE[Ring.STANDARD] * BURST // SECOND + 3
        runtime.send([Effect("a", f"a/9/{number}", "http", b"{}") for number in range(count)])
        await asyncio.sleep(0.1)
        assert len(carried_out) < count
        while len(carried_out) < count:
            await asyncio.sleep(0.01)
        assert sorted(set(carried_out)) == sorted(carried_out)

    running(tmp_path, test, perform)


def test_a_ring_is_shown_and_raised_over_http(tmp_path):
    async def test(client):
        assert (await made(client, "low"))["ring"] == 3
        assert (await made(client, trust=0.9))["ring"] == 2
        status, told = await asked(client, "POST", "/agents/a/elevate", json={"ring": 1, "seconds": 60})
        assert status == 403 and "ring 1 needs an attestation" in told["error"]
        wanted = {"ring": 1, "seconds": 60, "attestation": "ticket <1>", "reason": "release"}
        status, told = await asked(client, "POST", "/agents/a/elevate", json=wanted)
        assert (status, told["ring"]) == (200, 1)
        async with client.get("/ui/agents/a") as answer:
            text = await answer.text()
            assert "ring 1 PRIVILEGED" in text and "ring.elevated" in text
        async with client.get("/ui") as answer:
            assert answer.status == 200
        for wrong in ({}, {"ring": 4}, {"ring": True}, {"ring": 1, "more": 1}, []):
            status, told = await asked(client, "POST", "/agents/a/elevate", json=wrong)
            assert status == 400 and told["error"], wrong
        for length in ("x", None, True, 0, -5, -1e300, 3601, float("inf"), float("nan")):
            status, told = await asked(client, "POST", "/agents/a/elevate", json={**wanted, "seconds": length})
            assert status == 400 and "a number above 0, and 3600 at most" in told["error"], length
        assert (await asked(client, "POST", "/agents/a/demote"))[1]["ring"] == 2
        assert (await asked(client, "POST", "/agents/a/demote"))[0] == 403
        status, told = await asked(client, "POST", "/agents/a/trust", json={"trust": 1, "consensus": True})
        assert (status, told["ring"], told["rules"]["trust"]) == (200, 1, 1)
        for wrong in ({}, {"trust": "x"}, {"trust": True}, {"trust": 1.1}, {"trust": 1, "more": 1}, []):
            status, told = await asked(client, "POST", "/agents/a/trust", json=wrong)
            assert status == 400 and told["error"], wrong
        await asked(client, "POST", "/agents/low/kill")
        status, told = await asked(client, "POST", "/agents/low/elevate", json=wanted)
        assert (status, told["error"]) == (410, "low has ended: it acts in no ring")
        assert (await asked(client, "POST", "/agents/nobody/elevate", json=wanted))[0] == 404
        assert (await asked(client, "POST", "/agents/low/trust", json={"trust": 1}))[0] == 410
        assert (await asked(client, "POST", "/agents/nobody/trust", json={"trust": 1}))[0] == 404

    with_client(tmp_path, test)
