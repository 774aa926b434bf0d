"""How are events, turns and heads of agents written as bytes? As JSON, with what is large behind it.

u32 size of the JSON, little-endian; the JSON; bytes
"""

import hashlib
import json
import struct
from dataclasses import asdict, dataclass, replace
from typing import Any

from corollary.runtime.store import (
    BEGINNING,
    EXCERPT,
    Agent,
    Answer,
    Budget,
    Checkpoint,
    Deed,
    Effect,
    Entry,
    Event,
    Kind,
    Reply,
    Rules,
    State,
    Step,
    StoreDamaged,
    Turn,
)

SIZE = struct.Struct("<I")


def packed(told: Any, body: bytes = b"") -> bytes:
    """Return JSON and bytes as one."""
    text = json.dumps(told, separators=(",", ":")).encode()
    return b"".join((SIZE.pack(len(text)), text, body))


def unpacked(data: bytes) -> tuple[Any, bytes]:
    """Return the JSON and the bytes; raises `StoreDamaged`."""
    try:
        (size,) = SIZE.unpack_from(data)
        return json.loads(data[SIZE.size : SIZE.size + size]), data[SIZE.size + size :]
    except (struct.error, ValueError) as problem:
        raise StoreDamaged(f"an entry of the store cannot be read: {problem}") from None


# ---- rules and agents


def rules_from(given: dict) -> Rules:
    """Return the rules that `asdict` made a dictionary of."""
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    tools = {name: Budget(**budget) for name, budget in given.get("tools", {}).items()}
    return Rules(**{**values, "tools": tools})


def copied_from(told: list) -> tuple[tuple[str, int], ...]:
    """Return the agents that JSON names as those that one is a copy of."""
    return tuple((name, turn) for name, turn in told)


@dataclass(frozen=True)
class Head:
    """All that decides about an agent: who owns it, how many turns are committed, and which objects have them.

    `created` is when its first event was posted, in nanoseconds since 1970.
    """

    agent: Agent
    created: int
    owner: str = ""
    turns: int = 0
    kept: tuple[str, ...] = ()

    def encoded(self) -> bytes:
        """Return it as bytes."""
        told = asdict(self)
        del told["agent"]
        return packed({**told, **asdict(self.agent)})

    @classmethod
    def decoded(cls, data: bytes) -> "Head":
        """Return what was encoded; raises `StoreDamaged`."""
        told, _ = unpacked(data)
        copied = copied_from(told["copied"])
        agent = Agent(told["name"], told["program"], rules_from(told["rules"]), State(told["state"]), copied)
        return cls(agent, told["created"], told["owner"], told["turns"], tuple(told["kept"]))

    def first(self) -> Event:
        """Return the first event of the agent."""
        return first_event(self.agent.name, self.created)


def first_event(name: str, now: int) -> Event:
    """Return the event with which an agent starts."""
    return Event(name, BEGINNING, Kind.START, b"", BEGINNING, now, now)


# ---- events and turns


def told_of(event: Event) -> list:
    """Return what JSON tells of an event, without its body."""
    return [event.id, event.kind, event.about, event.due, event.posted, event.attempts, event.reason]


def event_from(agent: str, told: list, body: bytes) -> Event:
    """Return the event that JSON tells of."""
    id_, kind, about, due, posted, attempts, reason = told
    return Event(agent, id_, Kind(kind), body, about, due, posted, attempts, reason)


def steps_told(steps: tuple[Step, ...]) -> list:
    """Return what JSON tells of steps."""
    return [[step.deed, step.text] for step in steps]


def steps_from(told: list) -> tuple[Step, ...]:
    """Return the steps that JSON tells of."""
    return tuple(Step(Deed(deed), text) for deed, text in told)


def turn_packed(turn: Turn) -> bytes:
    """Return a turn as bytes."""
    parts = [turn.event.body, turn.reply.body, turn.checkpoint.block, turn.checkpoint.seal]
    parts += [event.body for event in turn.events] + [effect.body for effect in turn.effects]
    parts += [reply.body for _, reply in turn.answers]
    told = {
        "number": turn.number,
        "moment": turn.moment,
        "ended": turn.ended,
        "event": told_of(turn.event),
        "reply": [turn.reply.answer, turn.reply.status, turn.reply.reason],
        "whole": turn.checkpoint.whole,
        "events": [[event.agent, told_of(event)] for event in turn.events],
        "undone": turn.undone,
        "effects": [[effect.id, effect.kind] for effect in turn.effects],
        "answers": [[id_, reply.answer, reply.status, reply.reason] for id_, reply in turn.answers],
        "steps": steps_told(turn.steps),
        "sizes": [len(part) for part in parts],
    }
    return packed(told, b"".join(parts))


def turn_unpacked(agent: str, data: bytes) -> Turn:
    """Return the turn of an agent from bytes; raises `StoreDamaged`."""
    told, rest = unpacked(data)
    try:
        parts, at = [], 0
        for size in told["sizes"]:
            parts.append(rest[at : at + size])
            at += size
        event, reply, block, seal, *bodies = parts
        answer, status, reason = told["reply"]
        to_events, to_effects, to_answers = told["events"], told["effects"], told["answers"]
        if len(bodies) != len(to_events) + len(to_effects) + len(to_answers):
            raise ValueError(f"{len(bodies)} bodies")
        rest = iter(bodies)
        return Turn(
            number=told["number"],
            event=event_from(agent, told["event"], event),
            moment=told["moment"],
            reply=Reply(Answer(answer), status, reply, reason),
            checkpoint=Checkpoint(told["number"], told["whole"], block, seal),
            events=tuple(event_from(to, about, next(rest)) for to, about in to_events),
            effects=tuple(Effect(agent, id_, kind, next(rest)) for id_, kind in to_effects),
            answers=tuple((id_, Reply(Answer(how), code, next(rest), why)) for id_, how, code, why in to_answers),
            undone=tuple(told["undone"]),
            steps=steps_from(told["steps"]),
            ended=told["ended"],
        )
    except (KeyError, TypeError, ValueError) as problem:
        raise StoreDamaged(f"a turn of {agent} cannot be read: {problem!r}") from None


def entry_packed(entry: Entry) -> bytes:
    """Return an entry of a journal as bytes."""
    told = [entry.turn, entry.moment, told_of(entry.event), entry.answer, entry.reason, steps_told(entry.steps)]
    return packed(told, entry.event.body[:EXCERPT])


def entry_unpacked(agent: str, data: bytes) -> Entry:
    """Return an entry of the journal of an agent from bytes; raises `StoreDamaged`."""
    told, body = unpacked(data)
    try:
        turn, moment, event, answer, reason, steps = told
        how = None if answer is None else Answer(answer)
        return Entry(turn, moment, event_from(agent, event, body), how, reason, steps_from(steps))
    except (TypeError, ValueError) as problem:
        raise StoreDamaged(f"an entry of the journal of {agent} cannot be read: {problem!r}") from None


def did(turn: Turn) -> bytes:
    """Return the SHA-256 of all that a turn did, but for the state that it left."""
    nothing = Event(turn.event.agent, "", Kind.START), Checkpoint(0, False, b"", b"")
    return hashlib.sha256(turn_packed(replace(turn, event=nothing[0], checkpoint=nothing[1], steps=()))).digest()


# ---- names that NATS takes


def token(agent: str) -> str:
    """Return the name of an agent as one token of a subject."""
    return agent.replace(".", "=")


def name_of(token: str) -> str:
    """Return the agent of a token."""
    return token.replace("=", ".")


def key(agent: str, id_: str) -> str:
    """Return the key of something with an id of any characters."""
    return f"{token(agent)}.{hashlib.sha256(id_.encode()).hexdigest()[:32]}"
