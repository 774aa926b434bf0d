"""Who handles which event when? Each agent that has something to do has one task, which takes its turns one by one.

An agent is awake from its first event on, until others need the room. Its turns run in threads, so many agents run at
the same time, and one never does twice.
"""

import asyncio
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from contextvars import copy_context
from itertools import islice, takewhile
from typing import Any

from corollary import compression
from corollary import library as machine
from corollary.components.component import Component
from corollary.governance import Ring
from corollary.limits import LimitExceeded
from corollary.module import Module, Refused
from corollary.outcome import Stopped, Unlinkable
from corollary.runtime.actor import Actor
from corollary.runtime.desk import SECOND, check_name
from corollary.runtime.line import Full, Line, connection_of
from corollary.runtime.metrics import Metrics, timed
from corollary.runtime.past import Again, Scene, again, awake_after, copied, known, pending, scene_after, scene_of
from corollary.runtime.programs import Program, loaded
from corollary.runtime.run import Failed
from corollary.runtime.store import (
    Agent,
    Answer,
    Deed,
    Effect,
    Ended,
    Entry,
    Event,
    Fenced,
    Kept,
    Kind,
    Reply,
    State,
    Store,
    StoreDamaged,
    StoreUnavailable,
    Taken,
    Unknown,
)
from corollary.runtime.tracing import Quiet, Tracing
from corollary.runtime.warden import Later, NotPermitted, Warden

TRIES = 5  # of handling an event, before it is a dead letter
PAUSE = 10**8  # ns before the second try of an event
AWAKE = 1000  # agents that stay awake, at most, when they have nothing to do
LONGEST_REASON = 4096  # characters that are kept of why an event failed
SHORTLY = 0.05  # s until it is asked again whether a connection may be opened
AGAIN = 1.0  # s until a store that was not available is asked again, or whether an agent is still suspended
LONGEST_WAIT = 60.0  # s until an effect that cannot be carried out now is tried again, at most

log = logging.getLogger("corollary.runtime")
Perform = Callable[[Agent, Effect], Awaitable[bytes | None]]
Room = Callable[[str], AbstractAsyncContextManager[Any]]


class Clock:
    """The time, in nanoseconds since 1970. It never runs back, and does not follow a clock that is set meanwhile."""

    def __init__(self):
        self.begin = time.time_ns() - time.monotonic_ns()

    def now(self) -> int:
        """Return the time."""
        return self.begin + time.monotonic_ns()


class Runtime:
    """The agents of a store, and the tasks in which they act.

    `key` (32 bytes or more) seals their states. `threads` is the number of turns at one moment, and `awake` the number
    of agents that stay awake with nothing to do. An event that fails is tried again after `pause` nanoseconds, then
    each time after ten times as long.

    `perform` has who carries out effects, by kind: it takes the agent and the effect, and returns what the agent gets
    as the result, or None for no result; it raises `Later` for what cannot be done now. An effect may be carried out
    twice, with the same id, if the process ends in the midst of it. What the ring of an agent does not permit is not
    carried out: the result says so, and an agent that goes on asking is suspended. `rooms` has, by kind, what an effect
    of an agent waits for before it is asked whether it is permitted. `tracing` is told of events, calls
    and effects.
    """

    warden: Warden  # who lets agents act; `start` makes it

    def __init__(
        self,
        store: Store,
        key: bytes,
        perform: Mapping[str, Perform] = {},
        threads: int = 2,
        awake: int = AWAKE,
        pause: int = PAUSE,
        tracing: Tracing = Quiet(),
    ):
        self.tracing = tracing
        self.store, self.key, self.perform, self.most, self.pause = store, key, dict(perform), awake, pause
        self.rooms: dict[str, Room] = {}
        self.clock, self.metrics = Clock(), Metrics()
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="turn")
        self.modules: dict[str, Module | Component] = {}
        self.awake: OrderedDict[str, Actor] = OrderedDict()
        self.tasks: dict[str, asyncio.Task] = {}
        self.rung: set[str] = set()  # agents that got something to do while their task ran
        self.alarms: dict[str, asyncio.TimerHandle] = {}
        self.sending: dict[tuple[str, str], asyncio.Task] = {}
        self.stopped: set[str] = set()  # agents that were suspended because of what they asked for
        self.begun: set[tuple[str, str]] = set()  # those of `sending` that were permitted
        self.lines: dict[tuple[str, str], tuple[Line, asyncio.Task]] = {}  # by agent and connection
        self.waiting: dict[tuple[str, str], set[asyncio.Event]] = {}
        self.closing = False
        self.metrics.awake.set_function(lambda: len(self.awake))
        self.metrics.busy.set_function(lambda: len(self.tasks))

    # ---- what people ask for

    async def start(self) -> None:
        """Go on with all that was begun, once the machine and governance are built."""
        *_, self.warden = await asyncio.to_thread(lambda: (machine.library(), compression.library(), Warden()))
        await self.store.listen(self.ring, self.tell)
        for name in await self.store.busy():
            self.ring(name)

    async def close(self) -> None:
        """End all tasks, as a kill would, and close the store."""
        self.closing = True
        for alarm in self.alarms.values():
            alarm.cancel()
        tasks = [*self.tasks.values(), *self.sending.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.threads.shutdown()
        await asyncio.to_thread(self.tracing.close)
        await self.store.close()

    async def create(self, agent: Agent) -> bool:
        """Create an agent; returns False if its name is taken.

        Raises `ValueError` for a name that cannot be one, `Unknown` for a program that is not kept, what `Module` and
        `Component` raise for one that is neither, and `Unlinkable` for one that lacks something.
        """
        check_name(agent.name)
        program = await self.program_of(agent)
        await asyncio.get_running_loop().run_in_executor(self.threads, program.check)
        made = await self.store.create(agent, self.clock.now())
        if made:
            self.ring(agent.name)
        return made

    async def post(self, name: str, id_: str, body: bytes, about: str = "") -> bool:
        """Post a message to an agent; returns whether it is new. Raises `Unknown` if there is no such agent."""
        await self.store.agent(name)
        now = self.clock.now()
        (new,) = await self.store.post([Event(name, id_, Kind.MESSAGE, body, about, now, now)])
        self.ring(name)
        return new

    async def reply(self, name: str, id_: str, seconds: float) -> Reply | None:
        """Wait for what becomes of an event, and return it, or None if nothing has by then; raises `Unknown`."""
        loop = asyncio.get_running_loop()
        end, bell = loop.time() + seconds, asyncio.Event()
        waiting = self.waiting.setdefault((name, id_), set())
        waiting.add(bell)
        try:
            while True:
                bell.clear()
                found = await self.store.reply(name, id_)
                left = end - loop.time()
                if found is not None or left <= 0:
                    return found
                with suppress(TimeoutError):
                    await asyncio.wait_for(bell.wait(), left)
        finally:
            waiting.discard(bell)
            if not waiting:
                self.waiting.pop((name, id_), None)

    async def set_state(self, name: str, state: State) -> Agent:
        """Suspend, resume or end an agent; raises `Unknown`."""
        agent = await self.store.set_state(name, state)
        if state is State.RUNNING:
            self.go_on(agent)
        if agent.state is State.ENDED:
            self.let_go(agent)
        self.awake.pop(name, None)
        self.ring(name)
        return agent

    async def elevate(self, name: str, ring: Ring, seconds: float, attestation: str, reason: str) -> Agent:
        """Let an agent act in a better ring for a while, or until the process ends.

        Raises `Unknown`, `Ended` and `Refused`, and `Fenced` if another process runs it, which has to be asked.
        """
        agent = await self.owned(name)
        self.warden.elevate(agent, ring, seconds, attestation, reason)
        return agent

    async def demote(self, name: str) -> Agent:
        """End the elevation of an agent before its time; raises as `elevate` does."""
        agent = await self.owned(name)
        self.warden.demote(agent)
        return agent

    async def set_trust(self, name: str, trust: float, consensus: bool) -> Agent:
        """Set the trust in an agent, from which the ring follows in which it acts; an elevation ends.

        Raises `Unknown` and `Ended`, and `ValueError` for what is no trust.
        """
        await self.acting(name)
        agent = await self.store.set_trust(name, trust, consensus)
        self.warden.trusts(agent)
        self.awake.pop(name, None)
        self.ring(name)
        log.info("%s: trust is %g%s", name, trust, " with consensus" if consensus else "", extra=about(name))
        return agent

    async def owned(self, name: str) -> Agent:
        """Return an agent that may act, and no other process runs; raises `Unknown`, `Ended` and `Fenced`."""
        agent = await self.acting(name)
        if await self.store.is_elsewhere(name):
            raise Fenced(f"{name} is run by another process, which keeps its ring: ask that one")
        return agent

    async def acting(self, name: str) -> Agent:
        """Return an agent that may act; raises `Unknown` and `Ended`."""
        agent = await self.store.agent(name)
        if agent.state is State.ENDED:
            raise Ended(f"{name} has ended: it acts in no ring")
        return agent

    async def retry(self, name: str, id_: str) -> bool:
        """Let a dead letter be an event again; returns whether there was one."""
        found = await self.store.retry(name, id_, self.clock.now())
        self.ring(name)
        return found

    # ---- the past

    async def fork(self, name: str, new: str, turn: int | None = None) -> Agent:
        """Make a copy of an agent as it was after a turn, or after its last one; it is suspended until it is resumed.

        Timers and results that the agent still waited for come to the copy, too; messages do not. Raises `Unknown`,
        `Taken`, `ValueError` and `StoreDamaged`.
        """
        check_name(new)
        agent, program, kept = await self.past(name)
        at = known(agent, kept)[-1] if turn is None and kept.turns else turn or 0
        waits = await self.store.waiting(name)
        later = await self.store.kept(name)  # what was handled since it was asked what waits is here
        actor = await asyncio.to_thread(awake_after, at, agent, program, self.key, kept)
        copy, first = copied(actor, new, pending(at, later, *waits))
        if not await self.store.create(copy, self.clock.now(), first):
            raise Taken(f"{new} is there already: give the copy another name")
        return copy

    async def replay(self, name: str, since: int | None = None) -> list[Again]:
        """Do the turns of an agent since one of them, or all that are kept, again in a copy that nobody else sees.

        Raises `Unknown` and `StoreDamaged`.
        """
        agent, program, kept = await self.past(name)
        begin = since if since is not None else known(agent, kept)[0] if kept.turns else 0
        turns = again(begin, agent, program, self.key, kept)
        return await asyncio.to_thread(lambda: list(takewhile(lambda _: not self.closing, turns)))

    async def scene_after(self, name: str, turn: int) -> Scene:
        """Return how an agent looked after a turn; raises `Unknown` and `StoreDamaged`."""
        return await asyncio.to_thread(scene_after, turn, *await self.parts(name))

    async def scene_of(self, name: str, moment: int) -> Scene:
        """Return how an agent looked when it failed at a moment of its journal; raises `Unknown` and `StoreDamaged`."""
        entries = [each for each in await self.store.journal(name) if each.moment == moment and not each.committed]
        waiting, dead = (await self.store.waiting(name))[0], await self.store.dead(name)
        parts = await self.parts(name)
        events = {event.id: event for event in (*waiting, *dead, *(past.event for past in parts[-1].turns))}
        if not entries or entries[0].event.id not in events:
            raise Unknown(f"{name} did not fail then, or what it could not handle is not kept any more")
        return await asyncio.to_thread(scene_of, entries[0], events[entries[0].event.id], *parts)

    async def parts(self, name: str) -> tuple[Agent, Program, bytes, Kept]:
        """Return what it takes to wake a copy of an agent; raises `Unknown`."""
        agent, program, kept = await self.past(name)
        return agent, program, self.key, kept

    async def past(self, name: str) -> tuple[Agent, Program, Kept]:
        """Return an agent, its program, and what is kept of its past; raises `Unknown`."""
        agent = await self.store.agent(name)
        return agent, await self.program_of(agent), await self.store.kept(name)

    # ---- tasks

    def ring(self, name: str) -> None:
        """Let an agent look whether there is something to do."""
        if self.closing:
            return
        if name in self.tasks:
            self.rung.add(name)
        else:
            self.tasks[name] = asyncio.get_running_loop().create_task(self.live(name))

    def ring_at(self, name: str, due: int) -> None:
        """Let an agent look at a time."""
        if name in self.alarms:
            self.alarms.pop(name).cancel()
        wait = max(0.0, (due - self.clock.now()) / SECOND)
        self.alarms[name] = asyncio.get_running_loop().call_later(min(wait, 1e6), self.ring, name)

    async def live(self, name: str) -> None:
        """Take turns as long as there is something to do."""
        try:
            again = True
            while again:
                self.rung.discard(name)
                await self.take_turns(name)
                again = name in self.rung
        except StoreUnavailable as problem:
            log.warning("%s waits: %s", name, problem, extra=about(name))
            self.ring_at(name, self.clock.now() + int(AGAIN * SECOND))
        except Stopped as problem:
            log.warning("%s waits: its program is not loaded in time: %s", name, problem, extra=about(name))
            self.ring_at(name, self.clock.now() + int(LONGEST_WAIT * SECOND))
        except (StoreDamaged, Unknown, Refused, LimitExceeded, Unlinkable) as problem:
            log.error("%s cannot go on: %s", name, problem, extra=about(name))
        except Fenced as problem:
            log.info("%s", problem)
            self.awake.pop(name, None)
            await self.give_up(name)
        except Exception:
            defect = "%s waits for the next event, because of a defect of the runtime"
            log.exception(defect, name, extra=about(name))
            self.awake.pop(name, None)
        finally:
            del self.tasks[name]
            if name in self.rung:
                self.rung.discard(name)
                self.ring(name)

    async def take_turns(self, name):
        """Take turns until there is no event that is due."""
        agent = await self.store.agent(name)
        while agent.state is State.RUNNING:
            actor = await self.actor(name)
            agent = actor.lease.agent  # it may have been suspended before the lease was taken
            if agent.state is not State.RUNNING:
                break
            event = await self.store.next(actor.lease, self.clock.now(), actor.about)
            if not isinstance(event, Event):
                if event is not None:
                    self.ring_at(name, event)
                return
            with self.tracing.event(event) as tell:
                agent = await self.take_turn(actor, event, tell)
        self.awake.pop(name, None)
        if agent.state is State.ENDED:
            self.let_go(agent)
            self.tell_all(name)

    async def take_turn(self, actor: Actor, event: Event, tell: Callable[[Entry], None]) -> Agent:
        """Handle an event, commit it, and tell what came of it; returns the agent as it is then."""
        loop, lease = asyncio.get_running_loop(), actor.lease
        try:
            with timed(self.metrics.turn):
                context, now = copy_context(), self.clock.now()
                turn = await loop.run_in_executor(self.threads, lambda: context.run(actor.turn, event, now))
        except Failed as problem:
            self.awake.pop(actor.name, None)
            tell(await self.note_failure(actor, event, str(problem)[:LONGEST_REASON]))
            return lease.agent
        try:
            with timed(self.metrics.commit):
                await self.store.commit(lease, turn)
        except BaseException:
            self.awake.pop(actor.name, None)  # whether it was committed is known to the store alone
            raise
        tell(turn.entry)
        needed = actor.committed(turn)
        self.metrics.events.labels("done").inc()
        self.metrics.checkpoint.observe(len(turn.checkpoint.block))
        for id_ in (event.id, *(id_ for id_, _ in turn.answers)):
            self.tell(event.agent, id_)
        note_steps(actor.name, turn.entry)
        for receiver in {other.agent for other in turn.events} - {actor.name}:
            self.ring(receiver)
        self.send(turn.effects)
        if needed is not None:
            await self.store.forget(lease, needed)
        return await self.store.agent(actor.name) if turn.ended else lease.agent

    async def note_failure(self, actor: Actor, event: Event, reason: str) -> Entry:
        """Let a failed event come again later, or make it a dead letter; returns what the journal tells of it."""
        name, desk, count = actor.name, actor.desk, event.attempts + 1
        last = count >= TRIES
        entry = Entry(desk.turn, desk.moment, event, Answer.DEAD if last else None, reason, tuple(desk.steps))
        note_steps(name, entry)
        log.warning(
            "%s: event %s failed (%d of %d): %s", name, event.id, count, TRIES, reason, extra=about(name, entry)
        )
        await self.store.fail(actor.lease, entry, self.clock.now() + self.pause * 10**event.attempts)
        self.metrics.events.labels("dead" if last else "failed").inc()
        if last:
            self.tell(event.agent, event.id)
        return entry

    def go_on(self, agent: Agent) -> None:
        """Let an agent act again that governance had stopped."""
        self.stopped.discard(agent.name)
        self.warden.let_go_on(agent)

    def let_go(self, agent: Agent) -> None:
        """Forget an agent that has ended, and leave what is being carried out for it: its connections are closed."""
        self.stopped.discard(agent.name)
        self.warden.let_go(agent)
        if agent.name in self.alarms:
            self.alarms.pop(agent.name).cancel()
        for task in self.sent_for(agent.name):
            task.cancel()

    async def give_up(self, name: str) -> None:
        """Leave what is being carried out for an agent if another process has it, which carries that out."""
        with suppress(StoreUnavailable, Unknown):
            if self.sent_for(name) and await self.store.is_elsewhere(name):
                for task in self.sent_for(name):
                    task.cancel()

    def sent_for(self, name: str) -> list[asyncio.Task]:
        """Return the tasks that carry something out for an agent."""
        return [task for (agent, _), task in self.sending.items() if agent == name]

    # ---- agents that are awake

    async def actor(self, name: str) -> Actor:
        """Return an agent, awake."""
        if name in self.awake:
            self.awake.move_to_end(name)
            return self.awake[name]
        lease = await self.store.claim(name)
        actor = Actor(lease, await self.program_of(lease.agent), self.key, self.tracing)
        with timed(self.metrics.wake):
            kept = await self.store.kept(name)
            await asyncio.get_running_loop().run_in_executor(self.threads, actor.wake, kept)
        if actor.problem:
            log.error("%s: the turns since then were done again", actor.problem, extra=about(name))
        self.awake[name] = actor
        begun = {*self.sending}  # what ends while the outbox is read may still be in what is read
        self.send(effect for effect in await self.store.outbox(name) if (name, effect.id) not in begun)
        self.let_sleep()
        return actor

    def let_sleep(self):
        """Let those agents sleep that have had nothing to do for the longest time, if too many are awake."""
        idle = (name for name in self.awake if name not in self.tasks)
        for name in [*islice(idle, max(0, len(self.awake) - self.most))]:
            del self.awake[name]

    async def program_of(self, agent: Agent) -> Program:
        """Return the program of an agent; its module is translated once for all that share it."""
        if agent.program not in self.modules:
            code, loop = await self.store.program(agent.program), asyncio.get_running_loop()
            module = await loop.run_in_executor(self.threads, lambda: loaded(code, agent.rules.seconds))
            self.modules.setdefault(agent.program, module)
        return Program(self.modules[agent.program], agent.rules)

    # ---- who waits for what

    def tell(self, name: str, id_: str) -> None:
        """Tell whoever waits for an event to look what became of it."""
        for bell in self.waiting.get((name, id_), ()):
            bell.set()

    def tell_all(self, name: str) -> None:
        """Tell whoever waits for an agent to look."""
        for agent, id_ in [*self.waiting]:
            if agent == name:
                self.tell(name, id_)

    # ---- effects

    def send(self, effects: Iterable[Effect]) -> None:
        """Begin to carry out those effects that are not being carried out yet."""
        for effect in effects:
            place = effect.agent, effect.id
            if place in self.sending:
                continue
            connection = connection_of(effect)
            if connection is None:
                self.begin(effect, self.carry_out(effect))
            else:
                self.sending[place] = self.line_up(effect, connection)

    def begin(self, effect: Effect, work: Coroutine[Any, Any, None]) -> None:
        """Begin a part of carrying out an effect, after which it is over."""
        place = effect.agent, effect.id
        task = self.sending[place] = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(lambda _: self.sending.pop(place, None))

    def line_up(self, effect: Effect, connection: str) -> asyncio.Task:
        """Let an effect on a connection wait for those before it; returns the task that carries out all of them."""
        place = effect.agent, connection
        if place not in self.lines:
            line = Line(self.store)
            task = asyncio.get_running_loop().create_task(self.carry_out_all(place, line))
            task.add_done_callback(lambda _: self.leave(place, line))
            self.lines[place] = line, task
        line, task = self.lines[place]
        line.add(effect)
        return task

    def leave(self, place: tuple[str, str], line: Line) -> None:
        """Forget a line that is over, and what is left of it when it was cancelled."""
        if place in self.lines and self.lines[place][0] is line:
            del self.lines[place]
        for id_ in line.effects:
            self.sending.pop((place[0], id_), None)

    async def carry_out_all(self, place: tuple[str, str], line: Line) -> None:
        """Carry out the effects on a connection one after another, until there is none."""
        while line.effects:
            effect = await self.patiently(line.first)
            with self.tracing.effect(effect):
                body = await self.patiently(lambda: self.sent(line, effect))
            line.remove(effect)
            self.begin(effect, self.note(effect, body))
        del self.lines[place]

    async def sent(self, line, effect):
        """Return what became of an effect on a connection; if the other end takes nothing, a close need not wait."""
        perform, opening = self.perform.get(effect.kind), (effect.agent, connection_of(effect))
        if line.is_left(effect):
            return None
        if opening in self.sending and opening not in self.begun:
            raise Later(f"connection {opening[1]} waits itself", SHORTLY)
        try:
            return await self.performed(perform, effect) if perform else no_service(effect)
        except Full:
            line.given_up = line.is_closed()
            raise

    async def carry_out(self, effect: Effect) -> None:
        """Carry out an effect, and post its result, if it has one; wait for a store that is not available."""
        perform = self.perform.get(effect.kind)
        with self.tracing.effect(effect):
            body = await self.patiently(lambda: self.performed(perform, effect)) if perform else no_service(effect)
        await self.note(effect, body)

    async def note(self, effect: Effect, body: bytes | None) -> None:
        """Note that an effect was carried out, and post its result, if it has one."""
        result = None if body is None else self.result(effect, "result", body)
        await self.patiently(lambda: self.store.carried_out(effect, result))
        self.metrics.effects.labels(effect.kind if effect.kind in self.perform else "unknown").inc()
        self.ring(effect.agent)

    async def performed(self, perform, effect):
        """Return what became of an effect. An agent that has ended acts no more, others as they are permitted.

        Raises `Later` while the agent is suspended.
        """
        async with self.rooms.get(effect.kind, with_room)(effect.agent):
            agent = await self.store.agent(effect.agent)
            if agent.state is State.ENDED:
                return None
            if agent.state is State.SUSPENDED:
                raise Later(f"{agent.name} is suspended", AGAIN)
            if agent.name in self.stopped:  # and another process has resumed it
                self.go_on(agent)
            return await self.permitted(perform, agent, effect)

    async def permitted(self, perform, agent, effect):
        """Return what became of an effect, if it is permitted."""
        place = effect.agent, effect.id
        try:
            with self.warden.permit(agent, effect):
                self.begun.add(place)
                return await perform(agent, effect)
        except NotPermitted as problem:
            return await self.denied(agent, effect, str(problem))
        except (StoreUnavailable, Later):
            raise
        except Exception as problem:  # it is told, too, so that nobody waits for ever
            log.exception("%s: %s %s failed", agent.name, effect.kind, effect.id, extra=about(agent.name))
            return json.dumps({"error": f"{type(problem).__name__}: {problem}"[:LONGEST_REASON]}).encode()
        finally:
            self.begun.discard(place)

    async def denied(self, agent, effect, reason):
        """Tell an agent why an effect is not permitted; suspend one that has asked too often."""
        log.warning(
            "%s: %s %s is not permitted: %s", agent.name, effect.kind, effect.id, reason, extra=about(agent.name)
        )
        self.metrics.denied.labels(effect.kind if effect.kind in self.perform else "unknown").inc()
        if self.warden.is_stopped(agent):
            await self.set_state(agent.name, State.SUSPENDED)
            self.stopped.add(agent.name)
        return json.dumps({"error": f"not permitted: {reason}"}).encode()

    async def patiently(self, ask: Callable[[], Awaitable[Any]]) -> Any:
        """Ask until the store is available, and whoever carries out the effect."""
        wait = AGAIN
        while True:
            try:
                return await ask()
            except (StoreUnavailable, Later) as problem:
                known = getattr(problem, "seconds", None)
                log.log(logging.WARNING if known is None else logging.DEBUG, "an effect waits: %s", problem)
                await asyncio.sleep(wait if known is None else known)
                wait = min(2 * wait, LONGEST_WAIT)

    def result(self, effect: Effect, part: str, body: bytes) -> Event:
        """Return the event that tells an agent a part of what became of an effect."""
        now = self.clock.now()
        return Event(effect.agent, f"{effect.id}/{part}", Kind.RESULT, body, effect.id, now, now)

    async def tell_part(self, effect: Effect, part: str, body: bytes) -> bool:
        """Post a part of a result while the effect is still being carried out; returns whether it is new."""
        (new,) = await self.store.post([self.result(effect, part, body)])
        self.ring(effect.agent)
        return new

    async def part_handled(self, effect: Effect, part: str) -> None:
        """Wait until a part of a result was handled."""
        with suppress(Unknown):  # it is forgotten
            while await self.reply(effect.agent, f"{effect.id}/{part}", LONGEST_WAIT) is None:
                pass


def note_steps(name: str, entry: Entry) -> None:
    """Write to the log what an agent wrote, and what it was denied."""
    for step in entry.steps:
        if step.deed is Deed.LOGGED:
            log.info("%s: %s", name, step.text, extra=about(name, entry))
        elif step.deed is Deed.DENIED:
            log.info("%s: denied: %s", name, step.text, extra=about(name, entry))


def with_room(agent: str) -> AbstractAsyncContextManager[None]:
    """Return what effects wait for that may be begun at any time: nothing."""
    return nullcontext()


def about(name: str, entry: Entry | None = None) -> dict[str, Any]:
    """Return what a record of the log is about."""
    return {"agent": name} | ({} if entry is None else {"event": entry.event.id, "turn": entry.turn})


def no_service(effect: Effect) -> bytes:
    """Tell an agent that nobody carries out an effect of this kind."""
    return json.dumps({"error": f"there is no service {effect.kind!r}"}).encode()
