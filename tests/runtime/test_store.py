"""Does a store do all of a turn or nothing, and does it keep what it said it keeps? SQLite and NATS have one suite."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest

from corollary.runtime.store import (
    BEGINNING,
    ENTRIES,
    EXCERPT,
    Agent,
    Answer,
    Budget,
    Checkpoint,
    Deed,
    Effect,
    Entry,
    Event,
    Fenced,
    Kind,
    Reply,
    Rules,
    State,
    Step,
    Unknown,
    digest_of,
)
from tests.runtime.stores import begun, failure_of, message, opened, opener, run, turn_of

NOW = 10**18


def with_store(open_store, test):
    """Run a test with a store."""

    async def inner():
        async with opened(open_store) as store:
            return await test(store)

    return run(inner())


def test_a_program_is_kept_by_its_digest(open_store):
    async def test(store):
        name = await store.keep(b"a program")
        assert name == digest_of(b"a program") == await store.keep(b"a program")
        assert await store.program(name) == b"a program"
        with pytest.raises(Unknown, match="no program 00: keep it first"):
            await store.program("00")

    with_store(open_store, test)


def test_an_agent_is_created_once(open_store):
    async def test(store):
        tools = {"s/x": Budget(calls=3), "s/y": Budget(seconds=0.5)}
        rules = Rules("what it does", hosts=("a:80", "*.b:443"), tools=tools, fuel=5, seconds=0.5)
        agent = Agent("some.agent_1-x", "p", rules)
        assert await store.create(agent, 5)
        assert not await store.create(replace(agent, program="q"), 6)
        assert await store.agent(agent.name) == agent
        assert await store.agents() == [agent]
        lease = await store.claim(agent.name)
        assert (lease.agent, lease.turns) == (agent, 0)
        assert await store.next(lease, 5) == Event(agent.name, BEGINNING, Kind.START, b"", BEGINNING, 5, 5)
        with pytest.raises(Unknown, match="no agent 'nobody'"):
            await store.agent("nobody")
        with pytest.raises(Unknown, match="no agent 'nobody'"):
            await store.claim("nobody")

    with_store(open_store, test)


def test_an_event_is_new_once_even_after_it_was_answered(open_store):
    async def test(store):
        lease = await begun(store)
        event = message("a", "one", b"body")
        assert await store.post([event, replace(event, body=b"other")]) == [True, False]
        assert await store.reply("a", "one") is None
        found = await store.next(lease, NOW)
        assert found == event
        await store.commit(lease, turn_of(lease, found, b"answer"))
        assert await store.reply("a", "one") == Reply(Answer.DONE, 7, b"answer")
        assert await store.post([event]) == [False]
        assert await store.next(lease, NOW) is None
        with pytest.raises(Unknown, match="a has no event 'two'"):
            await store.reply("a", "two")

    with_store(open_store, test)


def test_what_is_to_be_handled_at_once_does_not_wait_for_a_clock_that_was_set_back(open_store):
    async def test(store):
        lease = await begun(store)
        soon, later = Event("a", "soon", Kind.TIMER, due=5), replace(message("a", "m"), due=NOW, posted=NOW)
        await store.post([soon, Event("a", "timer", Kind.TIMER, due=NOW, posted=3), later])
        assert (await store.next(lease, 4)).id == "m" and (await store.next(lease, 5)).id == "soon"
        await store.fail(lease, failure_of(lease, await store.next(lease, 4), "again"), NOW + 1)
        assert await store.next(lease, 4) == 5

    with_store(open_store, test)


def test_events_come_in_the_order_in_which_they_are_due(open_store):
    async def test(store):
        lease = await begun(store)
        events = [message("a", "late", due=30), message("a", "first", due=10), message("a", "second", due=10)]
        await store.post(events)
        seen = []
        for _ in events:
            found = await store.next(lease, 30)
            seen.append(found.id)
            await store.commit(lease, turn_of(lease, found))
        assert seen == ["first", "second", "late"]
        await store.post([replace(message("a", "later", due=99), posted=98)])
        assert await store.next(lease, 98) == 99
        assert (await store.next(lease, 99)).id == "later"

    with_store(open_store, test)


def test_an_agent_that_waits_for_something_gets_nothing_else(open_store):
    async def test(store):
        lease = await begun(store)
        timer = Event("a", "t", Kind.TIMER, about="x", due=20)
        await store.post([message("a", "m"), timer, replace(message("a", "x-message"), about="x")])
        assert await store.next(lease, 10, BEGINNING) is None
        assert await store.next(lease, 10, "x") == 20
        assert await store.next(lease, 20, "x") == timer
        assert await store.next(lease, 20, "y") is None

    with_store(open_store, test)


def test_all_that_a_turn_did_is_true_once_it_is_committed(open_store):
    async def test(store):
        lease = await begun(store)
        await store.create(Agent("b", "p"), 1)
        await store.post([message("a", "m"), Event("a", "old", Kind.TIMER, due=NOW)])
        found = await store.next(lease, 10)
        turn = turn_of(
            lease,
            found,
            events=(message("b", "a/2/1", b"to b"), Event("a", "a/2/2", Kind.TIMER, b"", "a/2/2", 50, 10)),
            undone=("old",),
            effects=(Effect("a", "a/2/3", "http", b"one"), Effect("a", "a/2/4", "frame", b"two")),
        )
        assert await store.outbox("a") == []
        await store.commit(lease, turn)
        assert lease.turns == 2
        assert await store.next(lease, 10) == 50
        assert [effect.body for effect in await store.outbox("a")] == [b"one", b"two"]
        other = await store.claim("b")
        assert {(await store.next(other, 1)).id} == {"a/2/1"} or (await store.next(other, 1)).kind is Kind.START
        assert await store.busy() == ["a", "b"]

    with_store(open_store, test)


def test_a_result_comes_once_and_the_effect_is_gone(open_store):
    async def test(store):
        lease = await begun(store)
        await store.post([message("a", "m")])
        effect = Effect("a", "a/2/1", "http", b"request")
        await store.commit(lease, turn_of(lease, await store.next(lease, 10), effects=(effect,)))
        assert await store.outbox("a") == [effect] and await store.effect("a", effect.id) == effect
        assert await store.effect("a", "other") is None
        result = Event("a", "a/2/1/result", Kind.RESULT, b"response", "a/2/1", 10, 10)
        await store.carried_out(effect, result)
        await store.carried_out(effect, replace(result, body=b"another"))
        assert await store.outbox("a") == []
        assert await store.next(lease, 10, "a/2/1") == result

    with_store(open_store, test)


def test_a_lease_that_was_taken_over_commits_nothing(open_store):
    async def test(store):
        old = await begun(store)
        await store.post([message("a", "m")])
        found = await store.next(old, 10)
        new = await store.claim("a")
        with pytest.raises(Fenced):
            await store.commit(old, turn_of(old, found, events=(message("a", "never"),)))
        assert await store.reply("a", "m") is None
        with pytest.raises(Unknown):
            await store.reply("a", "never")
        with pytest.raises(Fenced):
            await store.fail(old, failure_of(old, found, "no"))
        await store.commit(new, turn_of(new, await store.next(new, 10)))
        assert (await store.reply("a", "m")).answer is Answer.DONE

    with_store(open_store, test)


def test_a_suspended_agent_commits_nothing_until_it_is_resumed(open_store):
    async def test(store):
        lease = await begun(store)
        await store.post([message("a", "m")])
        found = await store.next(lease, 10)
        assert (await store.set_state("a", State.SUSPENDED)).state is State.SUSPENDED
        with pytest.raises(Fenced):
            await store.commit(lease, turn_of(lease, found))
        assert (await store.set_state("a", State.RUNNING)).state is State.RUNNING
        lease = await store.claim("a")
        await store.commit(lease, turn_of(lease, await store.next(lease, 10)))

    with_store(open_store, test)


def test_what_was_carried_out_without_a_result_does_not_come_back(open_store):
    async def test(store):
        lease = await begun(store)
        await store.post([message("a", "m")])
        sent = Effect("a", "a/2/1", "frame", b"{}")
        await store.commit(lease, turn_of(lease, await store.next(lease, 10), effects=(sent,)))
        await store.carried_out(sent, None)
        await store.claim("a")
        assert await store.outbox("a") == []

    with_store(open_store, test)


def test_only_timers_are_taken_back(open_store):
    async def test(store):
        lease = await begun(store)
        timer = Event("a", "a/2/2", Kind.TIMER, b"", "a/2/2", NOW, NOW)
        await store.post([message("a", "m"), message("a", "a/2/1", due=NOW), timer])
        await store.commit(lease, turn_of(lease, await store.next(lease, 10), undone=("a/2/1", "a/2/2", "nothing")))
        events, _ = await store.waiting("a")
        assert [each.id for each in events] == ["a/2/1"]

    with_store(open_store, test)


def test_a_process_knows_that_another_one_has_an_agent(tmp_path):
    async def test(open_store):
        async with opened(open_store) as one, opened(open_store) as two:
            await begun(one)
            assert [await each.is_elsewhere("a") for each in (one, two)] == [False, True]
            with pytest.raises(Unknown):
                await two.is_elsewhere("nobody")

    with opener("nats", tmp_path) as open_store:
        run(test(open_store))


def test_trust_changes_and_nothing_else(open_store):
    async def test(store):
        lease = await begun(store)
        await store.post([message("a", "m")])
        before = await store.agent("a")
        after = replace(before, rules=replace(before.rules, trust=0.7, consensus=True))
        assert await store.set_trust("a", 0.7, True) == after == await store.agent("a")
        with pytest.raises(ValueError, match="from 0 to 1"):
            await store.set_trust("a", 1.5, True)
        with pytest.raises(Unknown):
            await store.set_trust("nobody", 0.5, False)
        with suppress(Fenced):  # or the lease is still good
            await store.commit(lease, turn_of(lease, await store.next(lease, 10), ended=True))
        if (await store.agent("a")).state is not State.ENDED:
            lease = await store.claim("a")
            await store.commit(lease, turn_of(lease, await store.next(lease, 10), ended=True))
        assert await store.agent("a") == replace(after, state=State.ENDED)

    with_store(open_store, test)


def test_what_waits_for_an_agent_that_ends_is_answered(open_store):
    async def test(store):
        lease = await begun(store)
        await store.post([message("a", "m"), message("a", "last"), message("a", "timer", due=NOW)])
        found = await store.next(lease, 10)
        await store.commit(lease, turn_of(lease, found, effects=(Effect("a", "e", "http", b""),), ended=True))
        assert (await store.agent("a")).state is State.ENDED
        assert (await store.reply("a", "last")).answer is Answer.GONE
        assert (await store.reply("a", "timer")).answer is Answer.GONE
        assert await store.post([message("a", "too late"), message("nobody", "x")]) == [True, False]
        assert (await store.reply("a", "too late")).answer is Answer.GONE
        with pytest.raises(Unknown, match="nobody has no event 'x'"):
            await store.reply("nobody", "x")
        assert (await store.set_state("a", State.RUNNING)).state is State.ENDED
        assert await store.outbox("a") == []
        assert await store.busy() == []

    with_store(open_store, test)


def test_an_event_may_be_answered_in_a_later_turn(open_store):
    async def test(store):
        lease = await begun(store)
        await store.post([message("a", "m"), message("a", "n"), message("a", "o")])
        for _ in range(2):
            found = await store.next(lease, 10)
            await store.commit(lease, turn_of(lease, found, reply=Reply(Answer.LATER)))
        assert await store.reply("a", "m") is None
        assert await store.post([message("a", "m")]) == [False]
        late, ignored = Reply(Answer.DONE, 3, b"late"), Reply(Answer.DONE, 4, b"ignored")
        last = await store.next(lease, 10)
        assert last.id == "o"
        await store.commit(lease, turn_of(lease, last, answers=(("m", late), ("o", ignored))))
        assert await store.reply("a", "m") == late
        assert (await store.reply("a", "o")).status == 7
        await store.set_state("a", State.ENDED)
        assert (await store.reply("a", "n")).answer is Answer.GONE
        assert await store.reply("a", "m") == late

    with_store(open_store, test)


def test_an_agent_that_is_killed_answers_nothing_more(open_store):
    async def test(store):
        await begun(store)
        await store.post([message("a", "m")])
        await store.set_state("a", State.ENDED)
        assert (await store.reply("a", "m")).answer is Answer.GONE

    with_store(open_store, test)


def test_an_event_that_fails_comes_again_and_at_last_is_a_dead_letter(open_store):
    async def test(store):
        lease = await begun(store)
        await store.post([message("a", "m", b"poison"), message("a", "n", due=5)])
        found = await store.next(lease, 10)
        await store.fail(lease, failure_of(lease, found, "a trap"), 20)
        assert (await store.next(lease, 10)).id == "n"
        await store.commit(lease, turn_of(lease, await store.next(lease, 10)))
        again = await store.next(lease, 20)
        assert (again.attempts, again.reason, again.body) == (1, "a trap", b"poison")
        await store.fail(lease, failure_of(lease, again, "a trap again", Answer.DEAD))
        assert await store.next(lease, NOW) is None
        assert await store.reply("a", "m") == Reply(Answer.DEAD, reason="a trap again")
        (letter,) = await store.dead("a")
        assert (letter.id, letter.body, letter.attempts, letter.reason) == ("m", b"poison", 2, "a trap again")
        assert not await store.retry("a", "x", 30)
        assert await store.retry("a", "m", 30)
        assert not await store.retry("a", "m", 30)
        assert await store.dead("a") == []
        last = await store.next(lease, 30)
        assert (last.body, last.attempts) == (b"poison", 0)
        await store.commit(lease, turn_of(lease, last))
        assert (await store.reply("a", "m")).answer is Answer.DONE

    with_store(open_store, test)


def test_the_past_is_kept_until_it_is_forgotten(open_store):
    async def test(store):
        lease = await begun(store)
        for number in range(2, 6):
            await store.post([message("a", f"m{number}", b"body %d" % number)])
            found = await store.next(lease, 10)
            checkpoint = Checkpoint(number, number == 4, b"block %d" % number, b"seal %d" % number)
            await store.commit(lease, turn_of(lease, found, checkpoint=checkpoint))
        kept = await store.kept("a")
        assert [checkpoint.turn for checkpoint in kept.checkpoints] == [1, 2, 3, 4, 5]
        assert kept.checkpoints[3] == Checkpoint(4, True, b"block 4", b"seal 4")
        assert [(past.number, past.event.body) for past in kept.turns[1:]] == [(n, b"body %d" % n) for n in range(2, 6)]
        await store.forget(lease, 4)
        kept = await store.kept("a")
        assert [checkpoint.turn for checkpoint in kept.checkpoints] == [4, 5]
        assert [past.number for past in kept.turns] == [4, 5]
        assert (await store.reply("a", "m2")).answer is Answer.DONE
        assert await store.post([message("a", "m2")]) == [False]

    with_store(open_store, test)


def test_large_bodies_come_back_whole(open_store):
    body = bytes(range(256)) * (12 << 10)

    async def test(store):
        lease = await begun(store)
        await store.post([message("a", "m", body)])
        found = await store.next(lease, 10)
        assert found.body == body
        effect = Effect("a", "e", "http", body[1:])
        checkpoint = Checkpoint(2, False, body[2:], b"seal")
        turn = turn_of(
            lease, found, body[3:], events=(message("a", "n", body[4:]),), effects=(effect,), checkpoint=checkpoint
        )
        await store.commit(lease, turn)
        assert (await store.reply("a", "m")).body == body[3:]
        assert (await store.next(lease, 10)).body == body[4:]
        assert await store.outbox("a") == [effect]
        assert (await store.kept("a")).checkpoints[1].block == body[2:]
        await store.fail(lease, failure_of(lease, await store.next(lease, 10), "no", Answer.DEAD))
        assert (await store.dead("a"))[0].body == body[4:]

    with_store(open_store, test)


def test_everything_is_there_when_a_store_is_opened_again(open_store):
    async def begin(store):
        lease = await begun(store)
        program = await store.keep(b"program")
        await store.post([message("a", "done"), message("a", "waits", due=50)])
        effect = Effect("a", "e", "http", b"request")
        await store.commit(lease, turn_of(lease, await store.next(lease, 10), b"reply", effects=(effect,)))
        return program

    async def go_on(store, program):
        assert await store.program(program) == b"program"
        assert await store.busy() == ["a"]
        lease = await store.claim("a")
        assert lease.turns == 2
        assert (await store.reply("a", "done")).body == b"reply"
        assert (await store.next(lease, 50)).id == "waits"
        assert [effect.id for effect in await store.outbox("a")] == ["e"]
        assert len((await store.kept("a")).checkpoints) == 2

    program = with_store(open_store, begin)
    with_store(open_store, lambda store: go_on(store, program))


def test_many_tasks_at_once_do_not_disturb_each_other(open_store):
    async def life(store, name):
        lease = await begun(store, name)
        for number in range(10):
            await store.post([message(name, str(number))])
            found = await store.next(lease, 10)
            assert found.id == str(number)
            await store.commit(lease, turn_of(lease, found))
        return lease.turns

    async def test(store):
        assert set(await asyncio.gather(*[life(store, f"agent{number}") for number in range(20)])) == {11}

    with_store(open_store, test)


# ---- the journal


def test_the_journal_tells_of_turns_and_of_failures_in_their_order(open_store):
    async def test(store):
        lease = await begun(store)
        await store.post([message("a", "m", b"x" * (EXCERPT + 1)), message("a", "n", due=5)])
        found = await store.next(lease, 10)
        denied = (Step(Deed.DENIED, "no \0 <b>"),)
        await store.fail(lease, failure_of(lease, found, "a trap", steps=denied), 20)
        steps = (Step(Deed.LOGGED, "a line\nand another"), Step(Deed.SENT, "a/2/1 to b"))
        await store.commit(lease, turn_of(lease, await store.next(lease, 10), steps=steps))
        again = await store.next(lease, 20)
        await store.fail(lease, failure_of(lease, again, "dead", Answer.DEAD))
        start, failed, done, dead = await store.journal("a")
        assert (start.turn, start.event.kind, start.committed) == (1, Kind.START, True)
        cut = replace(found, body=found.body[:EXCERPT])
        assert failed == Entry(2, 2, cut, None, "a trap", denied) and not failed.committed
        assert (done.turn, done.event.id, done.answer, done.steps) == (2, "n", Answer.DONE, steps)
        assert (dead.turn, dead.event.attempts, dead.answer, dead.committed) == (3, 1, Answer.DEAD, False)
        with pytest.raises(Unknown, match="no agent 'nobody'"):
            await store.journal("nobody")

    with_store(open_store, test)


def test_what_was_not_committed_is_in_no_journal(open_store):
    async def test(store):
        old = await begun(store)
        await store.post([message("a", "m")])
        found = await store.next(old, 10)
        await store.claim("a")
        with pytest.raises(Fenced):
            await store.commit(old, turn_of(old, found))
        with pytest.raises(Fenced):
            await store.fail(old, failure_of(old, found, "no"), 20)
        assert [entry.turn for entry in await store.journal("a")] == [1]

    with_store(open_store, test)


def test_a_journal_keeps_the_last_entries_only_and_those_of_others(open_store):
    async def test(store):
        await begun(store, "b")
        lease = await begun(store)
        await store.post([message("a", "m")])
        for _ in range(ENTRIES):
            await store.fail(lease, failure_of(lease, await store.next(lease, NOW), "again"), 1)
        journal = await store.journal("a")
        assert [entry.event.attempts for entry in journal] == list(range(ENTRIES))
        assert len(await store.journal("b")) == 1

    with_store(open_store, test)


def test_an_agent_that_is_taken_over_again_and_again_has_each_entry_once(open_store):
    async def test(store):
        lease = await begun(store)
        await store.post([message("a", "m")])
        for _ in range(3):
            lease = await store.claim("a")
        await store.fail(lease, failure_of(lease, await store.next(lease, 10), "a trap"), 10)
        lease = await store.claim("a")
        await store.commit(lease, turn_of(lease, await store.next(lease, 10)))
        await store.claim("a")
        assert [(entry.turn, entry.committed) for entry in await store.journal("a")] == [
            (1, True),
            (2, False),
            (2, True),
        ]

    with_store(open_store, test)


def test_a_journal_that_was_lost_in_a_crash_is_written_by_whoever_comes_next(tmp_path):
    async def test(store):
        lease = await begun(store)
        await store.post([message("a", "m")])
        found = await store.next(lease, 10)
        store.enter = None  # the process ends before it writes what follows from the turn
        with pytest.raises(TypeError):
            await store.commit(lease, turn_of(lease, found))
        del store.enter
        assert [entry.turn for entry in await store.journal("a")] == [1]
        await store.claim("a")
        assert [entry.turn for entry in await store.journal("a")] == [1, 2]

    with opener("nats", tmp_path) as open_store:
        with_store(open_store, test)
