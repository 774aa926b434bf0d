"""How do many processes share their agents? Through NATS with JetStream, where one entry decides who may act for whom.

    stream corollary-events      an event a subject, `corollary.events.AGENT.EVENT`, until it is answered
    bucket corollary-agents      the head of each agent: what it is, who owns it, how many turns it took
    bucket corollary-replies     what became of events, for a week
    bucket corollary-effects     what is still to be carried out
    stream corollary-journal     what came of events, `corollary.journal.AGENT`: the last entries of each agent
    objects corollary-turns      a turn each, with its checkpoint
    objects corollary-programs   programs

A turn is committed by one change of the head, which succeeds only if nobody changed it meanwhile. The object with the
turn is there before. What follows from the turn (its reply, its events and effects) is written afterwards; whoever
takes the agent over writes it again, and each of those writes may be done twice.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import nats
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeout
from nats.js import api
from nats.js.errors import APIError, KeyWrongLastSequenceError, NotFoundError

from corollary.runtime.encoding import (
    Head,
    did,
    entry_packed,
    entry_unpacked,
    event_from,
    key,
    name_of,
    packed,
    token,
    told_of,
    turn_packed,
    turn_unpacked,
    unpacked,
)
from corollary.runtime.store import (
    ENTRIES,
    Agent,
    Answer,
    Effect,
    Entry,
    Event,
    Fenced,
    Kept,
    Kind,
    Lease,
    Past,
    Reply,
    State,
    StoreDamaged,
    StoreUnavailable,
    Turn,
    Unknown,
    digest_of,
)

EVENTS, SUBJECT = "corollary-events", "corollary.events"
JOURNAL, PAGE = "corollary-journal", "corollary.journal"
HEADS, REPLIES, EFFECTS = "corollary-agents", "corollary-replies", "corollary-effects"
TURNS, PROGRAMS = "corollary-turns", "corollary-programs"
ALIVE, ANSWERED, CHANGED = "corollary.alive", "corollary.answered", "corollary.changed"
WEEK = 7 * 24 * 3600  # s for which a reply is kept
PATIENCE = 2.0  # s in which a process that is alive says so
LOOK = 2.0  # s between two looks for agents whose owner is gone
INLINE = 1 << 18  # bytes of a body that lies in its event; a larger one is an object
WRONG_LAST = 10071  # the error code of a server that found another last message


class JetStreamStore:
    """The agents of many processes; `open` makes one."""

    def __init__(self, connection: Any):
        self.connection = connection
        self.stream = connection.jetstream(timeout=10)
        self.owner = secrets.token_hex(16)
        self.queues: dict[str, Queue] = {}  # of the agents that this process owns
        self.owned: dict[str, tuple[str, float]] = {}  # agents whose owner was alive, and until when that counts
        self.looking: asyncio.Task | None = None
        self.ring: Callable[[str], None] = lambda name: None

    @classmethod
    async def open(cls, url: str, replicas: int = 1) -> "JetStreamStore":
        """Return a store at a NATS server, with streams and buckets; raises `StoreUnavailable`.

        `replicas` is the number of servers that keep everything.
        """
        try:
            connection = await nats.connect(url, max_reconnect_attempts=-1, connect_timeout=5, allow_reconnect=True)
        except (OSError, NatsError) as problem:
            raise StoreUnavailable(f"{url}: {problem or type(problem).__name__}: is a NATS server there?") from None
        made = cls(connection)
        async with made.asked():
            await made.prepare(replicas)
        return made

    async def prepare(self, replicas):
        """Make what is not there yet."""
        await self.stream.add_stream(
            name=EVENTS, subjects=[f"{SUBJECT}.>"], max_msgs_per_subject=1, num_replicas=replicas, allow_direct=True
        )
        await self.stream.add_stream(
            name=JOURNAL, subjects=[f"{PAGE}.*"], max_msgs_per_subject=ENTRIES, num_replicas=replicas, allow_direct=True
        )
        self.heads = await self.stream.create_key_value(bucket=HEADS, history=1, replicas=replicas)
        self.replies = await self.stream.create_key_value(bucket=REPLIES, ttl=WEEK, replicas=replicas)
        self.effects = await self.stream.create_key_value(bucket=EFFECTS, history=1, replicas=replicas)
        self.turns = await self.objects(TURNS, replicas)
        self.programs = await self.objects(PROGRAMS, replicas)

        async def alive(message):
            await message.respond(b"")

        await self.connection.subscribe(f"{ALIVE}.{self.owner}", cb=alive)

    async def objects(self, name, replicas):
        """Return an object store."""
        try:
            return await self.stream.object_store(name)
        except NotFoundError:
            return await self.stream.create_object_store(name, config=api.ObjectStoreConfig(replicas=replicas))

    @asynccontextmanager
    async def asked(self) -> AsyncIterator[None]:
        """Turn what NATS says of itself into `StoreUnavailable`."""
        try:
            yield
        except (TimeoutError, NatsError, OSError) as problem:
            raise StoreUnavailable(f"NATS: {problem or type(problem).__name__}") from None

    async def close(self) -> None:
        if self.looking is not None:
            self.looking.cancel()
        with suppress(NatsError, OSError):
            await self.connection.close()

    # ---- programs and agents

    async def keep(self, program: bytes) -> str:
        name = digest_of(program)
        async with self.asked():
            try:
                await self.programs.get_info(name)
            except NotFoundError:
                await self.programs.put(name, program)
        return name

    async def program(self, name: str) -> bytes:
        async with self.asked():
            try:
                code = (await self.programs.get(name)).data
            except NotFoundError:
                raise Unknown(f"no program {name}: keep it first") from None
        if digest_of(code) != name:
            raise StoreDamaged(f"program {name} is not as it was kept: keep it anew")
        return code

    async def create(self, agent: Agent, now: int, first: Turn | None = None) -> bool:
        head = Head(agent, created=now)
        async with self.asked():
            if first is not None:
                head = replace(head, turns=first.number, kept=(await self.put_turn(agent.name, first),))
            try:
                await self.heads.create(token(agent.name), head.encoded())
            except KeyWrongLastSequenceError:
                await self.drop_turns(agent.name, head.kept)
                return False
            if first is None:
                await self.publish(head.first())
            else:
                await self.follow(head, first)
                await self.enter(agent.name, first.entry)
        return True

    async def keys(self, bucket: str, agent: str = "") -> list[str]:
        """Return the keys of a bucket, or only those of an agent."""
        place = f"$KV.{bucket}."
        about = await self.stream.stream_info(
            f"KV_{bucket}", subjects_filter=f"{place}{token(agent)}.>" if agent else ">"
        )
        return [subject.removeprefix(place) for subject in about.state.subjects or {}]

    async def drop(self, bucket: str, key: str) -> None:
        """Drop an entry of a bucket, and leave no mark of it."""
        await self.stream.purge_stream(f"KV_{bucket}", subject=f"$KV.{bucket}.{key}")

    async def head(self, name: str) -> "tuple[Head, int]":
        """Return the head of an agent and its revision; raises `Unknown`."""
        try:
            entry = await self.heads.get(token(name))
        except NotFoundError:
            raise Unknown(f"there is no agent {name!r}") from None
        return Head.decoded(entry.value), entry.revision

    async def agent(self, name: str) -> Agent:
        async with self.asked():
            return (await self.head(name))[0].agent

    async def agents(self) -> list[Agent]:
        async with self.asked():
            heads = [await self.head(name_of(found)) for found in await self.keys(HEADS)]
            return sorted([head.agent for head, _ in heads], key=lambda agent: agent.name)

    async def set_state(self, name: str, state: State) -> Agent:
        async with self.asked():
            before, after = await self.change(
                name, lambda agent: agent if agent.state is State.ENDED else replace(agent, state=state)
            )
            if after.state is State.ENDED and before.state is not State.ENDED:
                await self.end(name)
            return after

    async def is_elsewhere(self, name: str) -> bool:
        async with self.asked():
            try:
                await self.check_free((await self.head(name))[0])
            except Fenced:
                return True
            return False

    async def set_trust(self, name: str, trust: float, consensus: bool) -> Agent:
        async with self.asked():
            _, after = await self.change(
                name, lambda agent: replace(agent, rules=replace(agent.rules, trust=trust, consensus=consensus))
            )
            return after

    async def change(self, name: str, how: Callable[[Agent], Agent]) -> tuple[Agent, Agent]:
        """Change an agent, whoever else does so, and return it as it was and as it is; its lease is void then."""
        while True:
            head, revision = await self.head(name)
            changed = replace(head, agent=how(head.agent))
            if changed == head:
                return head.agent, head.agent
            with suppress(KeyWrongLastSequenceError):
                await self.heads.update(token(name), changed.encoded(), last=revision)
                await self.connection.publish(CHANGED, name.encode())
                return head.agent, changed.agent

    async def end(self, name):
        """Answer whatever waits for an agent that has ended, and drop what it asked for."""
        queue = Queue(self.stream, name)
        await queue.look()
        for waiting in queue.waiting.values():
            await self.answer(waiting.event, Reply(Answer.GONE, reason="the agent ended before"))
        for found in await self.keys(REPLIES, name):
            told, _ = unpacked((await self.replies.get(found)).value)
            if told["reply"][0] == Answer.LATER:
                event = event_from(name, told["event"], b"")
                await self.answer(event, Reply(Answer.GONE, reason="the agent ended before"))
        for found in await self.keys(EFFECTS, name):
            await self.drop(EFFECTS, found)

    # ---- events

    async def post(self, events: Iterable[Event]) -> list[bool]:
        async with self.asked():
            return [await self.post_one(event) for event in events]

    async def post_one(self, event: Event) -> bool:
        """Post an event; returns whether it is new."""
        try:
            head, _ = await self.head(event.agent)
        except Unknown:
            return False
        if await self.reply_to(event.agent, event.id) is not None:
            return False
        if head.agent.state is State.ENDED:
            await self.answer(event, Reply(Answer.GONE, reason="the agent ended before"))
            return True
        return await self.publish(event)

    async def publish(self, event: Event, last: int = 0) -> bool:
        """Publish an event in the place of the one with the number `last`; returns whether that was there."""
        data = await self.with_object(object_of("event", event.agent, event.id), {"event": told_of(event)}, event.body)
        try:
            headers = {api.Header.EXPECTED_LAST_SUBJECT_SEQUENCE.value: str(last)}
            await self.stream.publish(subject(event.agent, event.id), data, headers=headers)
        except APIError as problem:
            if problem.err_code == WRONG_LAST:
                return False
            raise
        return True

    async def with_object(self, name, told, body):
        """Return an entry; a large body becomes an object with a name, which the entry tells."""
        if len(body) <= INLINE:
            return packed(told, body)
        await self.turns.put(name, body)
        return packed({**told, "object": name})

    async def entry(self, data: bytes) -> tuple[Any, bytes]:
        """Return what an entry tells, and its body, which may be an object; raises `StoreDamaged`."""
        told, body = unpacked(data)
        if "object" not in told:
            return told, body
        try:
            return told, (await self.turns.get(told["object"])).data or b""
        except NotFoundError:
            raise StoreDamaged(f"{told['object']} is gone") from None

    async def answer(self, event: Event, reply: Reply) -> None:
        """Note what became of an event, and take it away. What is needed to try it again stays with a dead letter."""
        told = {"reply": [reply.answer, reply.status, reply.reason], "event": told_of(event)}
        body = event.body if reply.answer is Answer.DEAD else reply.body
        name = object_of("reply", event.agent, event.id)
        await self.replies.put(key(event.agent, event.id), await self.with_object(name, told, body))
        await self.stream.purge_stream(EVENTS, subject=subject(event.agent, event.id))
        if len(event.body) > INLINE:
            with suppress(NotFoundError):
                await self.turns.delete(object_of("event", event.agent, event.id))
        await self.connection.publish(ANSWERED, json.dumps([event.agent, event.id]).encode())

    async def listen(self, ring: Callable[[str], None], answered: Callable[[str, str], None]) -> None:
        async def posted(message):
            name = name_of(message.subject.split(".")[2])
            if name in self.queues:
                self.queues[name].news = True
            ring(name)

        async def changed(message):
            ring(message.data.decode())

        async def done(message):
            answered(*json.loads(message.data))

        self.ring = ring
        async with self.asked():
            await self.connection.subscribe(f"{SUBJECT}.>", cb=posted)
            await self.connection.subscribe(ANSWERED, cb=done)
            await self.connection.subscribe(CHANGED, cb=changed)
        self.looking = asyncio.get_running_loop().create_task(self.look())

    async def look(self):
        """Ring those agents again and again that have something to do: their owner may be gone."""
        while True:
            await asyncio.sleep(LOOK)
            with suppress(StoreUnavailable):
                for name in await self.busy():
                    if name not in self.queues:
                        self.ring(name)

    async def claim(self, name: str) -> Lease:
        async with self.asked():
            head, revision = await self.head(name)
            await self.check_free(head)
            mine = replace(head, owner=self.owner)
            try:
                revision = await self.heads.update(token(name), mine.encoded(), last=revision)
            except KeyWrongLastSequenceError:
                raise Fenced(f"{name}: another runtime takes it") from None
            lease = Lease(head.agent, head.turns, revision, Queue(self.stream, name, mine))
            if head.turns:
                turn = await self.turn(name, mine.kept[-1])
                if not await self.has_entered(name, turn):  # which comes last
                    await self.follow(mine, turn)
                    await self.enter(name, turn.entry)
            else:
                await self.publish(mine.first())
            self.queues[name] = lease.own
            return lease

    async def check_free(self, head):
        """Raise `Fenced` while the owner of an agent is alive, unless it is this process."""
        name, loop = head.agent.name, asyncio.get_running_loop()
        if head.owner in ("", self.owner):
            return
        owner, until = self.owned.get(name, ("", 0.0))
        if owner != head.owner or until < loop.time():
            try:
                await self.connection.request(f"{ALIVE}.{head.owner}", b"", timeout=PATIENCE)
            except (NoRespondersError, NatsTimeout):
                return
            self.owned[name] = head.owner, loop.time() + LOOK
        raise Fenced(f"{name}: another runtime has it")

    async def next(self, lease: Lease, now: int, about: str | None = None) -> Event | int | None:
        async with self.asked():
            queue = lease.own
            while True:
                first = queue.first(about, now)
                if queue.news or first is None or not first.event.is_due(now):
                    await queue.look()
                    first = queue.first(about, now)
                if first is None:
                    return None
                event = first.event
                if not event.is_due(now):
                    return event.due
                reply = await self.reply_to(event.agent, event.id)
                if reply is None or reply.answer is Answer.DEAD:
                    return replace(event, body=(await self.entry(first.data))[1])
                await self.stream.purge_stream(EVENTS, subject=subject(event.agent, event.id))
                queue.drop(event.id)

    def fence(self, lease: Lease) -> Fenced:
        """Give up an agent that another runtime has changed, and return the exception that says so."""
        if self.queues.get(lease.agent.name) is lease.own:
            del self.queues[lease.agent.name]
        return Fenced(f"{lease.agent.name}: another runtime has it, or it was suspended or ended")

    async def commit(self, lease: Lease, turn: Turn) -> None:
        name = lease.agent.name
        queue = lease.own
        async with self.asked():
            entry = await self.put_turn(name, turn)
            agent = replace(lease.agent, state=State.ENDED) if turn.ended else lease.agent
            head = replace(queue.head, agent=agent, turns=turn.number, kept=(*queue.head.kept, entry))
            try:
                lease.token = await self.heads.update(token(name), head.encoded(), last=lease.token)
            except KeyWrongLastSequenceError:
                raise self.fence(lease) from None
            queue.head, lease.turns = head, turn.number
            await self.follow(head, turn)
            await self.enter(name, turn.entry)
            queue.drop(turn.event.id)
            if turn.ended:
                await self.end(name)

    async def follow(self, head: "Head", turn: Turn) -> None:
        """Write what follows from a turn that is committed; doing it again changes nothing."""
        for event in turn.events:
            await self.post_one(event)
        for undone in turn.undone:
            await self.take_back(head.agent.name, undone)
        for number, effect in enumerate(turn.effects):
            if not await self.has_result(effect):
                told = {"id": effect.id, "kind": effect.kind, "order": [turn.number, number]}
                name = object_of("effect", effect.agent, effect.id)
                await self.effects.put(key(effect.agent, effect.id), await self.with_object(name, told, effect.body))
        for id_, reply in turn.answers:
            if (await self.told_of_answer(head.agent.name, id_)) is Answer.LATER:
                await self.answer(Event(head.agent.name, id_, Kind.MESSAGE), reply)
        if await self.told_of_answer(head.agent.name, turn.event.id) in (None, Answer.DEAD):
            await self.answer(turn.event, turn.reply)

    async def take_back(self, name, timer):
        """Drop a timer, unless it has rung."""
        place = subject(name, timer)
        try:
            found = await self.stream.get_msg(EVENTS, subject=place, direct=True)
        except NotFoundError:
            return
        told, _ = unpacked(found.data or b"")
        if event_from(name, told["event"], b"").kind is Kind.TIMER:
            await self.stream.purge_stream(EVENTS, subject=place)

    async def has_result(self, effect):
        """Is the result of an effect there, whether it was handled or not?"""
        id_ = f"{effect.id}/result"
        if await self.reply_to(effect.agent, id_) is not None:
            return True
        try:
            await self.stream.get_msg(EVENTS, subject=subject(effect.agent, id_), direct=True)
        except NotFoundError:
            return False
        return True

    async def fail(self, lease: Lease, entry: Entry, due: int = 0) -> None:
        queue, event = lease.own, entry.event
        changed = replace(event, attempts=event.attempts + 1, reason=entry.reason)
        async with self.asked():
            await self.check(lease)
            await self.enter(lease.agent.name, entry)
            if entry.answer is not None:
                await self.answer(changed, Reply(entry.answer, reason=entry.reason))
                queue.drop(event.id)
            else:
                await self.publish(replace(changed, due=due), queue.waiting[event.id].number)
                queue.news = True

    # ---- the journal

    async def enter(self, name, entry):
        """Add an entry to the journal of an agent; NATS drops those that are too old."""
        await self.stream.publish(f"{PAGE}.{token(name)}", entry_packed(entry))

    async def has_entered(self, name, turn):
        """Is the last turn of an agent in its journal?"""
        try:
            message = await self.stream.get_last_msg(JOURNAL, f"{PAGE}.{token(name)}", direct=True)
        except NotFoundError:
            return False
        last = entry_unpacked(name, message.data)
        return (last.turn, last.committed) >= (turn.number, True)

    async def journal(self, name: str) -> list[Entry]:
        found = {}  # two processes may have entered the same
        async with self.asked():
            await self.head(name)
            async for message in messages(self.stream, JOURNAL, f"{PAGE}.{token(name)}"):
                entry = entry_unpacked(name, message.data)
                found[entry.turn, entry.event.id, entry.event.attempts, entry.moment] = entry
        return [*found.values()]

    async def check(self, lease):
        """Raise `Fenced` unless a lease is good."""
        _, revision = await self.head(lease.agent.name)
        if revision != lease.token:
            raise self.fence(lease)

    async def told_of_answer(self, name, id_) -> Answer | None:
        """Return what kind of answer an event has, or None."""
        found = await self.reply_to(name, id_)
        return None if found is None else found.answer

    async def reply_to(self, name, id_) -> Reply | None:
        """Return what became of an event, or None."""
        try:
            value = (await self.replies.get(key(name, id_))).value
        except NotFoundError:
            return None
        told, body = await self.entry(value)
        answer, status, reason = told["reply"]
        return Reply(Answer(answer), status, b"" if answer == Answer.DEAD else body, reason)

    async def reply(self, agent: str, event: str) -> Reply | None:
        async with self.asked():
            found = await self.reply_to(agent, event)
            if found is not None:
                return None if found.answer is Answer.LATER else found
            try:
                await self.stream.get_msg(EVENTS, subject=subject(agent, event), direct=True)
            except NotFoundError:
                found = await self.reply_to(agent, event)  # it may have been answered meanwhile
                if found is None:
                    raise Unknown(f"{agent} has no event {event!r}") from None
            return None if found is None or found.answer is Answer.LATER else found

    async def dead(self, agent: str) -> list[Event]:
        async with self.asked():
            found = [await self.entry((await self.replies.get(name)).value) for name in await self.keys(REPLIES, agent)]
        dead = [event_from(agent, told["event"], body) for told, body in found if told["reply"][0] == Answer.DEAD]
        return sorted(dead, key=lambda event: event.posted)

    async def retry(self, agent: str, event: str, now: int) -> bool:
        for letter in await self.dead(agent):
            if letter.id == event:
                async with self.asked():
                    await self.publish(replace(letter, attempts=0, reason="", due=now))
                    await self.drop(REPLIES, key(agent, event))
                return True
        return False

    async def busy(self) -> list[str]:
        async with self.asked():
            about = await self.stream.stream_info(EVENTS, subjects_filter=f"{SUBJECT}.>")
            waiting = {name_of(place.split(".")[2]) for place in about.state.subjects or {}}
            return sorted(waiting | {name_of(found.split(".")[0]) for found in await self.keys(EFFECTS)})

    # ---- the past

    async def turn(self, name: str, entry: str) -> Turn:
        """Return a turn that was committed; raises `StoreDamaged`."""
        try:
            return turn_unpacked(name, (await self.turns.get(turn_name(name, entry))).data)
        except NotFoundError:
            raise StoreDamaged(f"turn {entry} of {name} is gone") from None

    async def put_turn(self, name, turn):
        """Put a turn where a head can name it, and return its entry."""
        entry = f"{turn.number}.{secrets.token_hex(8)}"
        await self.turns.put(turn_name(name, entry), turn_packed(turn))
        return entry

    async def drop_turns(self, name, entries):
        """Drop turns that no head names any more."""
        for entry in entries:
            with suppress(NotFoundError):
                await self.turns.delete(turn_name(name, entry))

    async def kept(self, name: str) -> Kept:
        async with self.asked():
            while True:
                head, _ = await self.head(name)
                try:
                    found = [await self.turn(name, entry) for entry in head.kept]
                    break
                except StoreDamaged:
                    if (await self.head(name))[0].kept[:1] == head.kept[:1]:  # else they were forgotten meanwhile
                        raise
        return Kept(
            tuple(turn.checkpoint for turn in found),
            tuple(Past(turn.number, turn.event, turn.moment, did(turn)) for turn in found),
        )

    async def waiting(self, name: str) -> tuple[list[Event], list[Effect]]:
        queue = Queue(self.stream, name)
        async with self.asked():
            await queue.look()
            found = [
                replace(each.event, body=(await self.entry(each.data))[1])
                for each in queue.waiting.values()
                if await self.told_of_answer(name, each.event.id) in (None, Answer.DEAD)
            ]
            return sorted(found, key=lambda event: event.due), await self.effects_of(name)

    async def forget(self, lease: Lease, turn: int) -> None:
        name, queue = lease.agent.name, lease.own
        gone = [entry for entry in queue.head.kept if int(entry.split(".")[0]) < turn]
        head = replace(queue.head, kept=queue.head.kept[len(gone) :])
        async with self.asked():
            try:
                lease.token = await self.heads.update(token(name), head.encoded(), last=lease.token)
            except KeyWrongLastSequenceError:
                raise self.fence(lease) from None
            queue.head = head
            await self.drop_turns(name, gone)

    # ---- effects

    async def outbox(self, name: str) -> list[Effect]:
        if name not in self.queues:
            return []
        async with self.asked():
            return await self.effects_of(name)

    async def effects_of(self, name):
        """Return the effects of an agent that are still to be carried out, oldest first."""
        found = []
        for place in await self.keys(EFFECTS, name):
            with suppress(NotFoundError):
                told, body = await self.entry((await self.effects.get(place)).value)
                found.append((told["order"], Effect(name, told["id"], told["kind"], body)))
        return [effect for _, effect in sorted(found, key=lambda each: each[0])]

    async def effect(self, agent: str, id_: str) -> Effect | None:
        async with self.asked():
            with suppress(NotFoundError):
                told, body = await self.entry((await self.effects.get(key(agent, id_))).value)
                return Effect(agent, told["id"], told["kind"], body)
        return None

    async def carried_out(self, effect: Effect, result: Event | None) -> None:
        async with self.asked():
            if result is not None:
                await self.post_one(result)
            await self.drop(EFFECTS, key(effect.agent, effect.id))
            if len(effect.body) > INLINE:
                with suppress(NotFoundError):
                    await self.turns.delete(object_of("effect", effect.agent, effect.id))


@dataclass(frozen=True)
class Waiting:
    """An event that waits: its number in the stream, and the entry, in which its body is."""

    event: Event
    number: int
    data: bytes


class Queue:
    """The events of one agent that wait, as far as they were read from the stream. `news` says that there are more."""

    def __init__(self, stream: Any, name: str, head: Any = None):
        self.stream, self.name, self.head = stream, name, head
        self.waiting: dict[str, Waiting] = {}
        self.read, self.news = 0, True

    async def look(self) -> None:
        """Read what came since the last look."""
        self.news = False
        async for found in messages(self.stream, EVENTS, f"{SUBJECT}.{token(self.name)}.>", self.read):
            told, _ = unpacked(found.data)
            event = event_from(self.name, told["event"], b"")
            self.waiting[event.id] = Waiting(event, found.seq, found.data)
            self.read = found.seq

    def first(self, about: str | None, now: int) -> Waiting | None:
        """Return the event to handle next; with `about`, only events with this `about` count, and no messages."""

        def order(waiting):
            return not waiting.event.is_due(now), waiting.event.due, waiting.number

        fitting = [
            waiting
            for waiting in self.waiting.values()
            if about is None or waiting.event.about == about and waiting.event.kind is not Kind.MESSAGE
        ]
        return min(fitting, key=order, default=None)

    def drop(self, id_: str) -> None:
        """Forget an event that was answered."""
        self.waiting.pop(id_, None)


async def messages(stream, name, subject, after=0):
    """Yield the messages of a stream with a subject, those after a number."""
    with suppress(NotFoundError):
        while True:
            found = await stream.get_msg(name, seq=after + 1, subject=subject, next=True, direct=True)
            yield found
            after = found.seq


def subject(agent, id_):
    """Return the subject of an event."""
    return f"{SUBJECT}.{key(agent, id_)}"


def object_of(what, agent, id_):
    """Return the name of an object with the body of something."""
    return f"{what}/{key(agent, id_)}"


def turn_name(agent, entry):
    """Return the name of the object with a turn."""
    return f"turn/{token(agent)}/{entry}"
