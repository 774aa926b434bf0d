"""Is a copy what the agent was, does a turn that is done again tell the truth, and is the agent left alone?"""

import asyncio
from dataclasses import replace

import pytest

from corollary.runtime.past import Scene, pending
from corollary.runtime.store import (
    Agent,
    Answer,
    Deed,
    Effect,
    Event,
    Kept,
    Kind,
    Past,
    Rules,
    State,
    StoreDamaged,
    Taken,
    Unknown,
)
from tests.runtime import scripts
from tests.runtime.agents import ALARM, COUNTER, ENDING, FETCHER, HOSTILE, NOISY, PICKY, RELAY, SLEEPER
from tests.runtime.stores import KEY, opener
from tests.runtime.test_runtime import made, said, until, with_runtime

HOUR = (3600 * 10**9).to_bytes(8, "little")  # ns


async def resumed(runtime, name, *given, **more):
    """Make a copy, and let it go on; returns it."""
    copy = await runtime.fork(name, *given, **more)
    assert copy.state is State.SUSPENDED and copy == await runtime.store.agent(copy.name)
    await runtime.set_state(copy.name, State.RUNNING)
    return copy


async def idle(runtime):
    """Has nobody anything to do?"""
    return not await runtime.store.busy()


async def count(runtime, name):
    """Return how many turns an agent took."""
    return (await runtime.store.kept(name)).turns[-1].number


# ---- copies


def test_a_copy_goes_on_where_the_agent_was_and_the_agent_where_it_is(open_store):
    async def begin(runtime):
        await made(runtime, "a", COUNTER, Rules(fuel=10_000))
        for number in range(4):
            await said(runtime, "a", str(number))
        now, before = await resumed(runtime, "a", "b"), await resumed(runtime, "a", "c", turn=2)
        assert (now.copied, before.copied) == ((("a", 5),), (("a", 2),))
        assert before == replace(await runtime.store.agent("a"), name="c", state=State.SUSPENDED, copied=before.copied)
        assert [(await said(runtime, name, "x")).status for name in "abc"] == [5, 5, 2]

    async def go_on(runtime):
        assert [(await said(runtime, name, "y")).status for name in "abc"] == [6, 6, 3]
        first, *_ = await runtime.store.journal("c")
        assert (first.turn, first.steps[0].deed, first.steps[0].text) == (2, Deed.COPIED, "from a after turn 2")
        await resumed(runtime, "c", "d", turn=3)
        assert (await said(runtime, "d", "x")).status == 3

    with_runtime(open_store, begin)
    with_runtime(open_store, go_on)


def test_an_agent_that_was_killed_can_be_copied(open_store):
    async def test(runtime):
        await made(runtime, "a", COUNTER)
        await said(runtime, "a", "one")
        await runtime.set_state("a", State.ENDED)
        await resumed(runtime, "a", "b")
        assert (await said(runtime, "b", "x")).status == 2

    with_runtime(open_store, test)


def test_a_copy_wakes_from_the_sleep_in_which_it_was_copied(open_store):
    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        await made(runtime, "a", SLEEPER)
        await said(runtime, "a", "one", b"message")
        early = await runtime.fork("a", "b", 2)  # the timer waits, most likely
        await until(idle_but, runtime, 1)
        late = await runtime.fork("a", "c", 2)  # the timer rang
        assert (await said(runtime, "sink", "x")).status == 2
        for copy in (early, late):
            await runtime.set_state(copy.name, State.RUNNING)
        await until(idle, runtime)
        assert (await said(runtime, "sink", "y")).status == 5

    async def idle_but(runtime, number):
        return len(await runtime.store.busy()) == number

    with_runtime(open_store, test)


def test_a_copy_gets_the_answers_that_the_agent_got_and_the_world_is_not_asked_again(open_store):
    asked = []

    async def perform(agent, effect):
        asked.append(effect.id)
        return b"answer"

    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        await made(runtime, "a", FETCHER)
        await said(runtime, "a", "one", b"request")
        await until(idle, runtime)
        await resumed(runtime, "a", "b", 2)
        await until(idle, runtime)
        assert (await said(runtime, "sink", "x")).status == 3
        assert (await runtime.store.journal("b"))[-1].event.body == b"answer"

    with_runtime(open_store, test, perform={"http": perform})
    assert asked == ["a/2/1"]


def test_what_was_not_answered_when_a_copy_was_made_is_told_as_lost(open_store):
    asked = []

    async def hang(agent, effect):
        asked.append(agent.name)
        await asyncio.Event().wait()

    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        await made(runtime, "a", FETCHER)
        await said(runtime, "a", "one", b"request")
        await resumed(runtime, "a", "b")
        while await count(runtime, "b") < 3:
            await asyncio.sleep(0.005)
        assert b"copied before the answer came" in (await runtime.store.kept("b")).turns[-1].event.body
        assert await count(runtime, "a") == 2

    with_runtime(open_store, test, perform={"http": hang})
    assert asked == ["a"]


def test_a_copy_takes_back_a_timer_that_the_agent_had_set(open_store):
    async def test(runtime):
        await made(runtime, "a", ALARM)
        await said(runtime, "a", "set", HOUR)
        await resumed(runtime, "a", "b")
        assert await runtime.store.busy() == ["a", "b"]
        await said(runtime, "b", "take back", b"x")
        assert await runtime.store.busy() == ["a"]
        await said(runtime, "b", "set another", HOUR)
        await said(runtime, "b", "take that back", b"x")
        assert await runtime.store.busy() == ["a"]

    with_runtime(open_store, test)


def test_a_copy_whose_beginning_is_damaged_does_not_begin_anew(open_store):
    async def test(runtime):
        await made(runtime, "a", COUNTER)
        await said(runtime, "a", "one")
        for turn, name in ((1, "b"), (2, "c")):
            await runtime.fork("a", name, turn)
            kept = await runtime.store.kept(name)
            broken = replace(kept, checkpoints=(replace(kept.checkpoints[0], seal=bytes(32)),))
            actor = await runtime.actor(name)
            with pytest.raises(StoreDamaged):
                actor.wake(broken)

    with_runtime(open_store, test)


def test_what_cannot_be_copied_is_refused_and_makes_nothing(open_store):
    async def test(runtime):
        await made(runtime, "a", COUNTER)
        await made(runtime, "end", ENDING)
        for name in ("a", "end"):
            await said(runtime, name, "one")
        before = [await runtime.store.agents(), (await runtime.store.journal("a"))]
        with pytest.raises(Taken, match="end is there already"):
            await runtime.fork("a", "end")
        with pytest.raises(ValueError, match="'NO' is no name of an agent"):
            await runtime.fork("a", "NO")
        with pytest.raises(Unknown, match="no agent 'nobody'"):
            await runtime.fork("nobody", "b")
        with pytest.raises(Unknown, match="after turn 3 is not kept: there are those after turns 0 to 2"):
            await runtime.fork("a", "b", 3)
        with pytest.raises(ValueError, match="nothing to go on with"):
            await runtime.fork("a", "b", 0)
        with pytest.raises(ValueError, match="nothing to go on with"):
            await runtime.fork("end", "b")
        assert before == [await runtime.store.agents(), (await runtime.store.journal("a"))]

    with_runtime(open_store, test)


@pytest.mark.long
def test_a_script_goes_on_in_a_copy(tmp_path):
    script = """let n = 0
        agent.on('message', async message => {
          n += 1
          await new Promise(done => setTimeout(done, 20))
          return `${n}`
        })"""

    async def test(runtime):
        program = await runtime.store.keep(scripts.program(script))
        assert await runtime.create(Agent("a", program))
        assert [(await said(runtime, "a", str(number))).body for number in range(3)] == [b"1", b"2", b"3"]
        await resumed(runtime, "a", "b", 3)
        assert (await said(runtime, "b", "x")).body == b"2"
        assert (await said(runtime, "a", "x")).body == b"4"
        for name in "ab":
            found = await runtime.replay(name)
            assert found and all(each.same for each in found), found

    with opener("sqlite", tmp_path) as open_store:
        with_runtime(open_store, test)


# ---- how it looks


def test_a_failure_is_shown_at_the_operation_that_trapped(open_store):
    async def test(runtime):
        await made(runtime, "a", HOSTILE, Rules(body=10))
        await said(runtime, "a", "one", b"?")
        assert (await said(runtime, "a", "two", b"!")).answer is Answer.DEAD
        before, entry = await runtime.scene_after("a", 2), (await runtime.store.journal("a"))[-1]
        kept = [await runtime.store.kept("a"), await runtime.store.journal("a")]
        scene = await runtime.scene_of("a", entry.moment)
        assert "unreachable" in scene.problem and scene.problem == entry.reason
        inner, outer = scene.calls
        assert inner.name == "<img/src=x/onerror=document.title='owned'>" and outer.name == "handle_message"
        assert inner.code[-1].split()[1:] == ["trap_unreachable"] and outer.code[-1].split()[1] == "call"
        assert inner.slots.locals == (0x1234,) and outer.slots.parameters[1] == 1
        at = inner.slots.parameters[0]
        assert scene.memory[at : at + 1] == b"!" and before.memory[at : at + 1] == b"?"
        assert scene.memory[64:66] == b"\xfe\xca" and scene.changed == (at // 1024,)
        assert before.calls == () and 0 in before.changed
        assert kept == [await runtime.store.kept("a"), await runtime.store.journal("a")]
        with pytest.raises(Unknown, match="did not fail then"):
            await runtime.scene_of("a", entry.moment + 1)

    with_runtime(open_store, test)


def test_a_program_that_waits_is_shown_where_it_waits(open_store):
    async def test(runtime):
        await made(runtime, "a", SLEEPER)
        await said(runtime, "a", "one", b"message")
        (call,) = (await runtime.scene_after("a", 2)).calls
        assert call.name == "_start" and call.slots.locals == (len(b"message"),)
        assert [each.name for each in (await runtime.scene_after("a", 1)).calls] == ["_start"]
        assert await runtime.scene_after("a", 0) == Scene(b"", ())
        with pytest.raises(Unknown, match="is not kept"):
            await runtime.scene_after("a", 9)

    with_runtime(open_store, test)


@pytest.mark.long
def test_a_script_that_never_ends_is_shown_in_the_midst_of_its_loop(tmp_path):
    async def test(runtime):
        code = "agent.on('message', () => { globalThis.mark = 'in the loop'; while (true); })"
        program = await runtime.store.keep(scripts.program(code))
        assert await runtime.create(Agent("a", program, Rules(fuel=5_000_000)))
        await said(runtime, "a", "one")
        scene = await runtime.scene_of("a", (await runtime.store.journal("a"))[-1].moment)
        assert "its fuel is spent" in scene.problem and b"in the loop" in scene.memory
        assert len(scene.calls) > 3 and scene.calls[-1].name == "qjs_eval"

    with opener("sqlite", tmp_path) as open_store:
        with_runtime(open_store, test)


# ---- again


def test_every_kind_of_turn_is_the_same_again_and_nothing_else_happens(open_store):
    asked = []

    async def perform(agent, effect):
        asked.append(effect.id)
        return b"answer"

    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        for name, text in (("noisy", NOISY), ("relay", RELAY), ("fetcher", FETCHER), ("sleeper", SLEEPER)):
            await made(runtime, name, text)
            await said(runtime, name, "one", b"request")
        await until(idle, runtime)
        names = ["sink", "noisy", "relay", "fetcher", "sleeper"]
        before = [(await runtime.store.kept(name), await runtime.store.journal(name)) for name in names]
        for name, (kept, _) in zip(names, before):
            found = await runtime.replay(name)
            assert [each.turn for each in found] == [past.number for past in kept.turns] and len(found) > 1
            assert all(each.same and not each.problem for each in found), (name, found)
        assert before == [(await runtime.store.kept(name), await runtime.store.journal(name)) for name in names]
        assert await idle(runtime) and [agent.name for agent in await runtime.store.agents()] == sorted(names)
        assert (await said(runtime, "noisy", "two")).status == 0

    with_runtime(open_store, test, perform={"http": perform})
    assert asked == ["fetcher/2/1"]


def test_turns_are_done_again_from_any_checkpoint(open_store):
    async def test(runtime):
        await made(runtime, "a", NOISY)
        for number in range(3):
            await said(runtime, "a", str(number))
        assert [each.turn for each in await runtime.replay("a", 2)] == [3, 4]
        assert await runtime.replay("a", 4) == []
        with pytest.raises(Unknown, match="after turn 5 is not kept"):
            await runtime.replay("a", 5)
        await runtime.fork("a", "b", 3)
        assert await runtime.replay("b") == []
        with pytest.raises(Unknown, match="those after turns 3 to 3"):
            await runtime.replay("b", 2)
        await runtime.fork("a", "c", 1)
        assert await runtime.replay("c") == []

    with_runtime(open_store, test)


def test_a_runtime_that_closes_does_not_wait_for_turns_that_are_done_again(open_store):
    async def test(runtime):
        await made(runtime, "a", COUNTER)
        await said(runtime, "a", "one")
        runtime.closing = True
        assert await runtime.replay("a") == []

    with_runtime(open_store, test)


def test_a_result_that_is_there_is_not_lost():
    effect = Effect("a", "a/2/1", "http", b"")
    result = Event("a", "a/2/1/result", Kind.RESULT, b"answer", "a/2/1")
    handled = Kept((), (Past(3, replace(result, body=b"handled"), 0),))
    assert pending(2, Kept(), [result], [effect]) == [result]
    assert [event.body for event in pending(2, handled, [], [effect])] == [b"handled"]
    assert pending(1, handled, [result], [effect]) == pending(3, handled, [], []) == []
    (lost,) = pending(2, Kept(), [], [effect])
    assert lost.id == result.id and b"error" in lost.body


OTHER = {
    "an event that says something else": (
        RELAY,
        lambda past: replace(past, event=replace(past.event, body=b"other")),
        (False, False),
    ),
    "an event that the program only stores": (
        COUNTER,
        lambda past: replace(past, event=replace(past.event, body=b"other")),
        (False, True),
    ),
    "another time": (NOISY, lambda past: replace(past, moment=past.moment + 1), (False, False)),
    "other effects": (COUNTER, lambda past: replace(past, did=bytes(32)), (True, False)),
}


@pytest.mark.parametrize("what", OTHER)
def test_what_is_not_the_same_is_noticed(open_store, monkeypatch, what):
    text, alter, expected = OTHER[what]

    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        await made(runtime, "a", text)
        for number in range(2):
            await said(runtime, "a", str(number), b"first")
        kept = await runtime.store.kept("a")
        altered = replace(kept, turns=(*kept.turns[:1], alter(kept.turns[1]), *kept.turns[2:]))

        async def lying(name):
            return altered

        monkeypatch.setattr(runtime.store, "kept", lying)
        start, changed, *_ = await runtime.replay("a")
        assert start.same and (changed.state, changed.effects) == expected

    with_runtime(open_store, test)


def test_a_turn_that_fails_this_time_and_a_damaged_checkpoint_are_named(open_store, monkeypatch):
    async def test(runtime):
        await made(runtime, "a", PICKY)
        for number in range(3):
            await said(runtime, "a", str(number), b"good")
        kept = await runtime.store.kept("a")
        poisoned = replace(kept.turns[2], event=replace(kept.turns[2].event, body=b"!"))
        broken = replace(kept.checkpoints[3], seal=bytes(32))
        answers = {
            "poisoned": replace(kept, turns=(*kept.turns[:2], poisoned, *kept.turns[3:])),
            "broken": replace(kept, checkpoints=(*kept.checkpoints[:3], broken)),
        }
        for what, words, turns in (("poisoned", "unreachable", [1, 2, 3]), ("broken", "damaged", [1, 2, 3, 4])):

            async def lying(name, what=what):
                return answers[what]

            monkeypatch.setattr(runtime.store, "kept", lying)
            found = await runtime.replay("a")
            assert [each.turn for each in found] == turns and words in found[-1].problem
            assert all(each.same for each in found[:-1]) and not found[-1].same

    with_runtime(open_store, test)


def test_the_copy_of_an_agent_whose_checkpoint_is_damaged_is_made_by_doing_its_turns_again(open_store, monkeypatch):
    async def test(runtime):
        await made(runtime, "a", NOISY)
        for number in range(2):
            await said(runtime, "a", str(number))
        kept = await runtime.store.kept("a")
        broken = replace(kept, checkpoints=(*kept.checkpoints[:2], replace(kept.checkpoints[2], seal=bytes(32))))

        async def lying(name):
            return broken

        with monkeypatch.context() as patch:
            patch.setattr(runtime.store, "kept", lying)
            await runtime.fork("a", "b")
        await runtime.fork("a", "c")
        images = [(await runtime.actor(name)).run.image(KEY) for name in "bc"]
        assert images[0] == images[1]
        assert [past.event.kind for past in (await runtime.store.kept("b")).turns] == [Kind.START]
        assert (await runtime.store.reply("b", "start")).answer is Answer.DONE

    with_runtime(open_store, test)
