"""Do agents live as they should: once for each event, with timers and results, through failures and restarts?"""

import asyncio
import itertools
import sqlite3
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from corollary.module import Malformed
from corollary.outcome import Stopped, Unlinkable
from corollary.runtime import line
from corollary.runtime import runtime as runtime_module
from corollary.runtime.desk import NOTED
from corollary.runtime.line import Full
from corollary.runtime.runtime import TRIES, Runtime
from corollary.runtime.sqlite import SqliteStore
from corollary.runtime.store import (
    Agent,
    Answer,
    Deed,
    Effect,
    Reply,
    Rules,
    State,
    StoreDamaged,
    StoreUnavailable,
    Unknown,
)
from corollary.runtime.warden import Later
from tests.runtime.agents import ALARM, ASKER, COUNTER, ENDING, FETCHER, FLOOD, NOISY, PICKY, RELAY, SLEEPER, compiled
from tests.runtime.stores import KEY, opener, run

SOON = 10.0  # s in which something comes that comes
MILLISECOND = 10**6  # ns


@asynccontextmanager
async def running(open_store, **more):
    """Run agents, and end as a kill would."""
    runtime = Runtime(await open_store(), KEY, **{"pause": MILLISECOND // 10, **more})
    await runtime.start()
    try:
        yield runtime
    finally:
        await runtime.close()


def with_runtime(open_store, test, **more):
    """Run a test with a runtime."""

    async def inner():
        async with running(open_store, **more) as runtime:
            return await test(runtime)

    return run(inner())


async def made(runtime, name, text, rules=Rules(trust=0.8)):
    """Make an agent of a program."""
    program = await runtime.store.keep(compiled(text))
    assert await runtime.create(Agent(name, program, rules))


async def said(runtime, name, id_, body=b""):
    """Send a message, and return the reply."""
    await runtime.post(name, id_, body)
    reply = await runtime.reply(name, id_, SOON)
    assert reply is not None, f"{name} did not answer {id_}"
    return reply


async def until(true, *arguments):
    """Wait until something is true."""
    while not await true(*arguments):
        await asyncio.sleep(0.005)


def test_each_message_is_answered_once(open_store):
    async def test(runtime):
        await made(runtime, "a", COUNTER)
        assert await said(runtime, "a", "one") == Reply(Answer.DONE, 1, b"\1\0\0\0")
        assert await said(runtime, "a", "two") == Reply(Answer.DONE, 2, b"\2\0\0\0")
        assert await said(runtime, "a", "one") == Reply(Answer.DONE, 1, b"\1\0\0\0")

    with_runtime(open_store, test)


def test_agents_go_on_where_they_were(open_store):
    async def begin(runtime):
        await made(runtime, "a", COUNTER)
        for count in range(3):
            await said(runtime, "a", str(count))

    async def go_on(runtime):
        assert (await said(runtime, "a", "3")).status == 4

    with_runtime(open_store, begin)
    with_runtime(open_store, go_on)


def test_a_program_sleeps_in_the_midst_of_its_code(open_store):
    async def begin(runtime):
        await made(runtime, "sink", COUNTER)
        await made(runtime, "sleeper", SLEEPER)
        await said(runtime, "sleeper", "one", b"message")

    async def go_on(runtime):
        await until(arrived, runtime)
        assert (await said(runtime, "sink", "x")).status == 2

    async def arrived(runtime):
        reply = None
        try:
            reply = await runtime.store.reply("sink", "sleeper/3/1")
        except Unknown:
            pass
        return reply is not None

    with_runtime(open_store, begin)
    with_runtime(open_store, go_on)


def test_what_is_asked_for_has_a_short_name(open_store):
    async def test(runtime):
        await made(runtime, "a", ASKER, Rules())
        assert (await said(runtime, "a", "one", b"k" * 64)).status == 1
        assert (await said(runtime, "a", "two", b"k" * 63)).status == 0
        assert [len(effect.kind) for effect in await runtime.store.outbox("a")] in ([], [63])

    with_runtime(open_store, test)


def test_what_ends_while_the_outbox_is_read_is_not_carried_out_again(open_store):
    done = []

    async def perform(agent, effect):
        done.append(effect.id)
        await asyncio.sleep(0.05)
        return b"{}"

    async def test(runtime):
        outbox = runtime.store.outbox

        async def slowly(name):
            found = await outbox(name)
            await asyncio.sleep(0.3)
            return found

        await made(runtime, "a", ASKER)
        await said(runtime, "a", "one", b"http")
        await until(began)
        runtime.store.outbox = slowly
        await runtime.set_trust("a", 0.9, False)
        await said(runtime, "a", "two", b"")
        await asyncio.sleep(0.5)
        assert len(done) == len(set(done))

    async def began():
        return done

    with_runtime(open_store, test, perform={"http": perform})


def test_a_program_that_is_not_loaded_in_time_is_loaded_later(tmp_path, monkeypatch):
    async def test(runtime):
        await made(runtime, "a", COUNTER)
        await said(runtime, "a", "one")
        runtime.modules.clear()
        runtime.awake.clear()
        loaded, tries = runtime_module.loaded, []

        def late(*arguments):
            tries.append(arguments)
            if len(tries) < 3:
                raise Stopped("loading a module is not over")
            return loaded(*arguments)

        monkeypatch.setattr(runtime_module, "loaded", late)
        monkeypatch.setattr(runtime_module, "LONGEST_WAIT", 0.01)
        assert (await said(runtime, "a", "two")).status == 2 and len(tries) == 3

    with opener("sqlite", tmp_path) as open_store:
        with_runtime(open_store, test)


def test_a_timer_that_is_too_far_away_is_denied(open_store):
    async def test(runtime):
        await made(runtime, "a", ALARM)
        await said(runtime, "a", "set", (2**63 - 1).to_bytes(8, "little"))
        assert await runtime.store.busy() == []
        assert Deed.DENIED in [step.deed for entry in await runtime.store.journal("a") for step in entry.steps]

    with_runtime(open_store, test)


def test_a_timer_rings_once_unless_it_is_taken_back(open_store):
    async def test(runtime):
        await made(runtime, "a", ALARM)
        wait = (20 * MILLISECOND).to_bytes(8, "little")
        await said(runtime, "a", "set", wait)
        await until(rang, runtime, 1)
        await said(runtime, "a", "set again", (3600 * 10**9).to_bytes(8, "little"))
        assert await runtime.store.busy() == ["a"]
        await said(runtime, "a", "take back", b"x")
        assert await runtime.store.busy() == []
        assert (await said(runtime, "a", "ask")).status == 1

    async def rang(runtime, count):
        return (await said(runtime, "a", f"ask {next(asked)}")).status == count

    asked = itertools.count()
    with_runtime(open_store, test)


def test_what_the_outside_answers_comes_back(open_store):
    seen = []

    async def perform(agent, effect):
        seen.append((agent.name, effect.id, effect.body))
        return b"answer to " + effect.body

    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        await made(runtime, "a", FETCHER)
        await said(runtime, "a", "one", b"request")
        await until(answered, runtime)

    async def answered(runtime):
        lease = await runtime.store.agents()
        assert len(lease) == 2
        return (await said(runtime, "sink", f"x{next(numbers)}")).status > 1 and not await runtime.store.busy()

    numbers = iter(range(10**6))
    with_runtime(open_store, test, perform={"http": perform})
    assert seen == [("a", "a/2/1", b"request")]


def test_a_request_that_makes_the_runtime_raise_is_answered(open_store, caplog):
    async def perform(agent, effect):
        raise RuntimeError("nobody thought of this")

    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        await made(runtime, "a", FETCHER)
        await said(runtime, "a", "one", b"request")
        await until(over, runtime)

    async def over(runtime):
        return not await runtime.store.busy()

    with_runtime(open_store, test, perform={"http": perform})
    assert "a: http a/2/1 failed" in caplog.text and "nobody thought of this" in caplog.text


def test_a_request_that_was_not_answered_before_the_end_is_made_again(open_store):
    asked = []

    async def hang(agent, effect):
        asked.append(effect.id)
        await asyncio.Event().wait()

    async def perform(agent, effect):
        asked.append(effect.id)
        return b"answer"

    async def begin(runtime):
        await made(runtime, "sink", COUNTER)
        await made(runtime, "a", FETCHER)
        await said(runtime, "a", "one", b"request")
        while not asked:
            await asyncio.sleep(0.005)

    async def go_on(runtime):
        await until(idle, runtime)

    async def idle(runtime):
        return not await runtime.store.busy()

    with_runtime(open_store, begin, perform={"http": hang})
    with_runtime(open_store, go_on, perform={"http": perform})
    assert asked == ["a/2/1", "a/2/1"]


def test_nobody_carries_out_an_unknown_kind(open_store):
    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        await made(runtime, "a", FETCHER)
        await said(runtime, "a", "one", b"{}")
        while await runtime.store.busy():
            await asyncio.sleep(0.005)

    with_runtime(open_store, test)


@pytest.mark.parametrize("poison, reason", [(b"!", "unreachable"), (b"?", "its fuel is spent|its time is up")])
def test_poison_becomes_a_dead_letter_and_harms_nothing_else(open_store, poison, reason):
    async def test(runtime):
        await made(runtime, "a", PICKY, Rules(fuel=10_000))
        assert (await said(runtime, "a", "one", b"good")).status == 1
        await runtime.post("a", "two", poison)
        assert (await said(runtime, "a", "three", b"good")).status == 2
        dead = await runtime.reply("a", "two", SOON)
        assert dead.answer is Answer.DEAD
        (letter,) = await runtime.store.dead("a")
        assert (letter.id, letter.attempts, letter.body) == ("two", TRIES, poison)
        assert any(part in letter.reason for part in reason.split("|")), letter.reason
        assert (await said(runtime, "a", "four", b"good")).status == 3
        assert await runtime.retry("a", "two")
        assert not await runtime.retry("a", "no such letter")
        while not await runtime.store.dead("a"):
            await asyncio.sleep(0.005)

    with_runtime(open_store, test)


def test_a_suspended_agent_waits_and_goes_on(open_store):
    async def test(runtime):
        await made(runtime, "a", COUNTER)
        await said(runtime, "a", "one")
        await runtime.set_state("a", State.SUSPENDED)
        await runtime.post("a", "two", b"")
        assert await runtime.reply("a", "two", 0.1) is None
        await runtime.set_state("a", State.RUNNING)
        assert (await runtime.reply("a", "two", SOON)).status == 2

    with_runtime(open_store, test)


def test_who_waits_for_an_agent_that_is_killed_is_told(open_store):
    async def test(runtime):
        await made(runtime, "a", COUNTER)
        await runtime.set_state("a", State.SUSPENDED)
        await runtime.post("a", "one", b"")
        waiting = asyncio.create_task(runtime.reply("a", "one", SOON))
        await asyncio.sleep(0.05)
        await runtime.set_state("a", State.ENDED)
        assert (await waiting).answer is Answer.GONE
        assert (await said(runtime, "a", "two")).answer is Answer.GONE

    with_runtime(open_store, test)


FRAMES = [Effect("a", f"a/1/{number}", "frame", b'{"socket": "s"}') for number in range(4)]


def test_frames_of_a_connection_leave_in_order_whatever_has_to_wait(open_store, monkeypatch):
    monkeypatch.setattr(line, "MOST", 2 * len(FRAMES[0].body))
    carried = []

    async def perform(agent, effect):
        carried.append((effect.id, effect.body))
        if carried.count(carried[-1]) == 1 and effect.id == "a/1/1":
            raise Later("not now", 0.05)

    async def effect(agent, id_):
        return next(frame for frame in FRAMES if frame.id == id_)

    async def test(runtime):
        await made(runtime, "a", COUNTER)
        monkeypatch.setattr(runtime.store, "effect", effect)
        runtime.send(FRAMES[:3])
        runtime.send(FRAMES)
        await until(over, runtime)

    async def over(runtime):
        return not runtime.sending and not runtime.lines

    with_runtime(open_store, test, perform={"frame": perform})
    assert carried == [(FRAMES[number].id, FRAMES[0].body) for number in (0, 1, 1, 2, 3)]


def test_a_close_does_not_wait_for_frames_that_nobody_takes(open_store):
    carried = []

    async def perform(agent, effect):
        raise Full("it takes nothing", 0.0)

    async def close(agent, effect):
        carried.append(effect.id)

    async def test(runtime):
        await made(runtime, "a", COUNTER)
        runtime.send([*FRAMES, replace(FRAMES[0], id="a/1/9", kind="close")])
        await until(over)

    async def over():
        return carried == ["a/1/9"]

    with_runtime(open_store, test, perform={"frame": perform, "close": close})


def test_nothing_leaves_for_an_agent_that_is_suspended_until_it_is_resumed(open_store):
    carried = []

    async def perform(agent, effect):
        if not carried:
            carried.append(effect.id)
            await runtime_of[0].set_state("a", State.SUSPENDED)
            raise Later("not now", 0.0)
        carried.append(effect.id)
        return b"answer"

    async def test(runtime):
        runtime_of.append(runtime)
        await made(runtime, "sink", COUNTER)
        await made(runtime, "a", FETCHER)
        await runtime.post("a", "one", b"x")
        await until(suspended, runtime)
        await asyncio.sleep(0.2)
        assert len(carried) == 1
        await runtime.set_state("a", State.RUNNING)
        await asyncio.wait_for(until(again), SOON)

    async def suspended(runtime):
        return (await runtime.store.agent("a")).state is State.SUSPENDED

    async def again():
        return len(carried) == 2

    runtime_of = []
    with_runtime(open_store, test, perform={"http": perform})


def test_what_is_under_way_for_an_agent_that_is_killed_is_left(open_store):
    async def test(runtime):
        begun, left = asyncio.Event(), asyncio.Event()

        async def endless(agent, effect):
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                left.set()

        runtime.perform["http"] = endless
        await made(runtime, "a", FETCHER)
        await runtime.post("a", "one", b"x")
        await asyncio.wait_for(begun.wait(), SOON)
        await runtime.set_state("a", State.ENDED)
        await asyncio.wait_for(left.wait(), SOON)

    with_runtime(open_store, test)


def test_a_program_that_ends_is_over(open_store):
    async def test(runtime):
        await made(runtime, "a", ENDING)
        assert await said(runtime, "a", "one") == Reply(Answer.DONE, 5, b"bye")
        assert (await runtime.store.agent("a")).state is State.ENDED
        assert (await said(runtime, "a", "two")).answer is Answer.GONE

    with_runtime(open_store, test)


def test_more_agents_than_may_be_awake(open_store):
    async def test(runtime):
        for number in range(10):
            await made(runtime, f"a{number}", COUNTER)
        for turn in range(1, 4):
            replies = await asyncio.gather(*[said(runtime, f"a{number}", str(turn)) for number in range(10)])
            assert {reply.status for reply in replies} == {turn}
        await asyncio.sleep(0.05)
        runtime.let_sleep()
        assert len(runtime.awake) <= 2

    with_runtime(open_store, test, awake=2)


def test_a_turn_that_is_done_again_sees_the_same_time_and_randomness(open_store):
    async def begin(runtime):
        await made(runtime, "a", NOISY)
        return [(await said(runtime, "a", str(number))).body for number in range(3)]

    async def again(runtime):
        await runtime.store.claim("a")
        kept = await runtime.store.kept("a")
        broken = tuple(replace(checkpoint, seal=bytes(32)) for checkpoint in kept.checkpoints)
        actor = await runtime.actor("a")
        before = actor.run.image(KEY)
        actor.wake(replace(kept, checkpoints=broken))
        assert "damaged" in actor.problem
        return before, actor.run.image(KEY)

    bodies = with_runtime(open_store, begin)
    assert len({body[:8] for body in bodies}) == len({body[8:] for body in bodies}) == 3
    before, after = with_runtime(open_store, again)
    assert before == after


def test_what_cannot_be_an_agent_is_refused(open_store):
    async def test(runtime):
        with pytest.raises(Unknown, match="keep it first"):
            await runtime.create(Agent("a", "00"))
        with pytest.raises(ValueError, match="no name of an agent"):
            await runtime.create(Agent("no name", "00"))
        with pytest.raises(Malformed):
            await runtime.create(Agent("a", await runtime.store.keep(b"no module")))
        empty = await runtime.store.keep(compiled("(module)"))
        with pytest.raises(Unlinkable, match="it can handle nothing"):
            await runtime.create(Agent("a", empty))
        start = '(func (export "_start"))'
        other = await runtime.store.keep(compiled(f'(module (import "env" "f" (func)) {start})'))
        with pytest.raises(Unlinkable, match="an agent has no import env.f"):
            await runtime.create(Agent("a", other))
        wrong = await runtime.store.keep(compiled(f'(module (import "corollary" "now" (func)) {start})'))
        with pytest.raises(Unlinkable, match="corollary.now has the type"):
            await runtime.create(Agent("a", wrong))
        with pytest.raises(Unknown):
            await runtime.post("a", "one", b"")
        assert await runtime.store.agents() == []

    with_runtime(open_store, test)


def test_two_runtimes_share_agents_over_nats(tmp_path):
    async def test(first, open_store):
        async with running(open_store) as second:
            await made(first, "a", COUNTER)
            assert (await said(first, "a", "one")).status == 1
            assert (await said(second, "a", "two")).status == 2
            owner, other = (first, second) if "a" in first.awake else (second, first)
            assert "a" not in other.awake
            await owner.store.close()
            assert (await said(other, "a", "three")).status == 3

    with opener("nats", tmp_path) as open_store:
        with_runtime(open_store, lambda first: test(first, open_store))


@pytest.mark.parametrize("is_killed", [True, False])
def test_what_is_open_is_cut_when_another_process_kills_an_agent_or_takes_it_over(tmp_path, monkeypatch, is_killed):
    cut = []

    async def stay_open(agent, effect):
        try:
            await asyncio.Event().wait()
        finally:
            cut.append(effect.id)

    async def is_cut():
        return cut

    async def opens(runtime):
        return runtime.begun

    async def test(first, open_store):
        await made(first, "a", ASKER)
        await said(first, "a", "one", b"http")
        await until(opens, first)
        async with running(open_store, perform={"http": closed}) as second:
            if is_killed:
                await second.set_state("a", State.ENDED)
            else:  # the first one was too slow to say that it is alive
                monkeypatch.setattr(second.store, "check_free", any_owner)
                await said(second, "a", "two")
            await asyncio.wait_for(until(is_cut), SOON)

    async def closed(agent, effect):
        return b"{}"

    async def any_owner(head):
        pass

    with opener("nats", tmp_path) as open_store:
        with_runtime(open_store, lambda first: test(first, open_store), perform={"http": stay_open})


def test_a_folder_of_sqlite_belongs_to_one_process(tmp_path):
    async def test():
        store = SqliteStore(tmp_path)
        with pytest.raises(StoreUnavailable, match="in use by another process: stop it, or give another --dir"):
            SqliteStore(tmp_path)
        await store.close()
        await SqliteStore(tmp_path).close()

    run(test())


def test_a_database_that_is_none_is_named(tmp_path):
    async def test():
        (tmp_path / "agents.sqlite").write_bytes(b"no database" * 1000)
        with pytest.raises(StoreDamaged, match="agents.sqlite: file is not a database"):
            SqliteStore(tmp_path)
        (tmp_path / "agents.sqlite").unlink()
        await SqliteStore(tmp_path).close()

    run(test())


def test_a_full_disk_loses_nothing(tmp_path):
    async def open_store():
        return SqliteStore(tmp_path)

    async def test(runtime):
        await made(runtime, "a", COUNTER)
        assert (await said(runtime, "a", "one")).status == 1
        pages = (await runtime.store.ask(lambda db: db.execute("PRAGMA page_count").fetchone()))[0]
        await runtime.store.ask(lambda db: db.execute(f"PRAGMA max_page_count = {pages}").fetchone())
        with pytest.raises(StoreUnavailable, match="full"):
            for number in range(1000):
                await runtime.post("a", f"filling {number}", b"x" * 10_000)
        await runtime.store.ask(lambda db: db.execute("PRAGMA max_page_count = 1000000").fetchone())
        reply = await said(runtime, "a", "last")
        taken = await runtime.store.ask(lambda db: db.execute("SELECT count(*) FROM events").fetchone())
        assert reply.status == taken[0] - 1

    with_runtime(open_store, test)


def test_the_clock_never_runs_back(open_store, monkeypatch):
    async def test(runtime):
        await made(runtime, "a", NOISY)
        first = (await said(runtime, "a", "one")).body[:8]
        monkeypatch.setattr(runtime.clock, "begin", 0)
        second = (await said(runtime, "a", "two")).body[:8]
        assert int.from_bytes(second, "little") >= int.from_bytes(first, "little")

    with_runtime(open_store, test)


def test_an_error_of_sqlite_is_named(tmp_path):
    async def test():
        store = SqliteStore(tmp_path)
        with pytest.raises(StoreUnavailable, match="no such table"):
            await store.ask(lambda db: db.execute("SELECT * FROM nowhere"))
        assert await store.agents() == []
        await store.close()
        with pytest.raises(sqlite3.ProgrammingError):
            store.database.execute("SELECT 1")

    run(test())


def test_tests_have_a_loop_of_their_own_whatever_runs_in_this_thread():
    async def outer():
        return run(inner())

    async def inner():
        return 1

    assert run(outer()) == 1


def test_the_journal_says_what_was_done_and_what_was_denied_and_why(open_store):
    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        await made(runtime, "a", RELAY, Rules(body=4))
        await said(runtime, "a", "one", b"four")
        await said(runtime, "a", "two", b"fives")
        _, done, denied = await runtime.store.journal("a")
        assert [(step.deed, step.text) for step in done.steps] == [(Deed.SENT, "a/2/1 to sink, 4 bytes")]
        (step,) = denied.steps
        assert step.deed is Deed.DENIED and "may have 4 bytes, not 5" in step.text
        assert (denied.event.id, denied.event.body, denied.answer) == ("two", b"fives", Answer.DONE)

    with_runtime(open_store, test)


def test_the_journal_tells_of_every_try_and_why_it_failed(open_store):
    async def test(runtime):
        await made(runtime, "a", PICKY)
        await said(runtime, "a", "one", b"!")
        tries = (await runtime.store.journal("a"))[1:]
        assert [entry.answer for entry in tries] == [None] * (TRIES - 1) + [Answer.DEAD]
        assert [entry.event.attempts for entry in tries] == list(range(TRIES))
        assert all("unreachable" in entry.reason and entry.turn == 2 for entry in tries)

    with_runtime(open_store, test)


def test_a_flood_hides_nothing_and_takes_little_room(open_store):
    async def test(runtime):
        await made(runtime, "a", FLOOD, Rules(body=0))
        await said(runtime, "a", "one")
        (entry,) = (await runtime.store.journal("a"))[1:]
        lines = [step for step in entry.steps if step.deed is Deed.LOGGED]
        assert len(lines) < 1000 and sum(len(step.text) for step in lines) <= NOTED
        assert [step.deed for step in entry.steps if step not in lines] == [Deed.DENIED]

    with_runtime(open_store, test)
