"""What was an agent after an earlier turn, and does it do the same again? A copy answers, which touches nothing."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from corollary.runtime.actor import Actor
from corollary.runtime.encoding import did, first_event
from corollary.runtime.examine import Call, Examined, Noting, calls_of
from corollary.runtime.programs import Program
from corollary.runtime.run import Failed, Run
from corollary.runtime.state import Chain, Image, differing, states
from corollary.runtime.store import (
    Agent,
    Answer,
    Deed,
    Effect,
    Entry,
    Event,
    Kept,
    Kind,
    Lease,
    Past,
    Reply,
    State,
    Step,
    Turn,
    Unknown,
)

NO_LEASE = -1  # the token of a lease with which nothing can be committed
LOST = json.dumps({"error": "the agent was copied before the answer came"}).encode()


@dataclass(frozen=True)
class Again:
    """What came of doing a turn again: did it leave the same state and do the same, or what was the problem?"""

    turn: int
    state: bool
    effects: bool
    problem: str = ""

    @property
    def same(self) -> bool:
        """Was everything the same?"""
        return self.state and self.effects


def known(agent: Agent, kept: Kept) -> range:
    """Return after which turns the state of an agent is known; 0 is before the first one, which a copy did not take."""
    if not kept.turns:
        return range(0)
    first = kept.turns[0].number
    return range(0 if first == 1 and not agent.copied else first, kept.turns[-1].number + 1)


def awake_after(turn: int, agent: Agent, program: Program, key: bytes, kept: Kept) -> Actor:
    """Return an agent as it was after a turn. Raises `Unknown` if that is not kept, and `StoreDamaged`."""
    turns = known(agent, kept)
    if turn not in turns:
        there = f"those after turns {turns[0]} to {turns[-1]}" if turns else "none"
        raise Unknown(f"the state of {agent.name} after turn {turn} is not kept: there are {there}")
    actor = Actor(Lease(agent, turn, NO_LEASE), program, key)
    actor.wake(kept.until(turn))
    return actor


# ---- how it looks


@dataclass(frozen=True)
class Scene:
    """What a program looks like while it does not run: its memory, and its calls, innermost first.

    `changed` has the numbers of the pages of memory that the turn changed, and `problem` says why it stands there.
    """

    memory: bytes
    calls: tuple[Call, ...]
    changed: tuple[int, ...] = ()
    problem: str = ""


def scene_after(turn: int, agent: Agent, program: Program, key: bytes, kept: Kept) -> Scene:
    """Return how an agent looked after a turn; raises as `awake_after` does."""
    memory, calls = looked_at(awake_after(turn, agent, program, key, kept).run)
    before = b""
    if turn - 1 in known(agent, kept):
        before, _ = looked_at(awake_after(turn - 1, agent, program, key, kept).run)
    return Scene(memory, calls, tuple(differing(before, memory)))


def scene_of(entry: Entry, event: Event, agent: Agent, program: Program, key: bytes, kept: Kept) -> Scene:
    """Return how an agent looked when handling an event failed: before the operation that trapped, if one did.

    The event is handled once more. Raises as `awake_after` does.
    """
    actor = awake_after(entry.turn - 1, agent, Program(program.module, program.rules, Examined), key, kept)
    run, (before, _) = actor.run, looked_at(actor.run)
    try:
        actor.turn(event, entry.moment)
        problem = "it did not fail this time"
    except Failed as failed:
        problem = str(failed)
    memory, calls = looked_at(run)
    return Scene(memory, calls, tuple(differing(before, memory)), problem)


def looked_at(run: Run | None) -> tuple[bytes, tuple[Call, ...]]:
    """Return the memory and the calls of a run."""
    if run is None:
        return b"", ()
    made, memory = run.made, run.memory
    if made is None:
        return memory, ()
    if made.waiting is not None:
        return memory, tuple(calls_of(made))
    return memory, made.run.last if isinstance(made.run, Noting) else ()


# ---- copies


def copied(actor: Actor, name: str, waits: Iterable[Event]) -> tuple[Agent, Turn]:
    """Return a suspended copy of an agent that is awake, and the turn with which its life begins.

    `waits` are the events that the copy is to get. Raises `ValueError` for an agent without a state to go on from.
    """
    agent, turn, run = actor.lease.agent, actor.lease.turns, actor.run
    if turn == 0 or run is None or run.ended:
        raise ValueError(f"{agent.name} after turn {turn} has nothing to go on with: take a turn between start and end")
    copy = replace(agent, name=name, state=State.SUSPENDED, copied=(*agent.copied, (agent.name, turn)))
    begun = Turn(
        number=turn,
        event=first_event(name, actor.moment),
        moment=actor.moment,
        reply=Reply(Answer.DONE),
        checkpoint=Chain(name, actor.key).next(turn, run.image(actor.key)),
        events=tuple(replace(event, agent=name, attempts=0, reason="") for event in waits),
        steps=(Step(Deed.COPIED, f"from {agent.name} after turn {turn}"),),
    )
    return copy, begun


def pending(turn: int, later: Kept, events: Iterable[Event], effects: Iterable[Effect]) -> list[Event]:
    """Return what an agent still waited for after a turn: its timers, and the results of what it had asked for.

    They come as they came to the agent in `later` turns, or as they wait now; what has no result yet never gets one.
    """
    came = [past.event for past in later.turns if past.number > turn]
    lost = [Event(effect.agent, f"{effect.id}/result", Kind.RESULT, LOST, effect.id) for effect in effects]
    found = {event.id: event for event in (*lost, *events, *came) if event.kind in (Kind.TIMER, Kind.RESULT)}
    return [event for event in found.values() if turn_of(event.about) <= turn]


def turn_of(id_: str) -> int:
    """Return the turn in which an agent asked for something, from its id."""
    return int(id_.rsplit("/", 2)[1])


# ---- again


def again(since: int, agent: Agent, program: Program, key: bytes, kept: Kept) -> Iterator[Again]:
    """Do the turns since a turn again, and tell of each. Raises `Unknown` if that is not kept, and `StoreDamaged`."""
    actor = awake_after(since, agent, program, key, kept)
    for past, image in with_states(since, agent, key, kept):
        try:
            turn = actor.turn(past.event, past.moment)
        except Failed as problem:
            yield Again(past.number, False, False, str(problem))
            return
        problem = "" if image is not None else "its checkpoint is damaged"
        yield Again(past.number, actor.state == image, did(turn) == past.did, problem)
        actor.committed(turn)
        actor.lease.turns = turn.number


def with_states(since: int, agent: Agent, key: bytes, kept: Kept) -> Iterator[tuple[Past, Image | None]]:
    """Yield the turns since a turn, each with the state that it left, or with None if that is not good."""
    found = states(agent.name, key, kept)
    held = next(found, None)
    for past in kept.turns:
        while held is not None and held[0].turn < past.number:
            held = next(found, None)
        if past.number > since:
            yield past, held[1] if held is not None and held[0].turn == past.number else None
