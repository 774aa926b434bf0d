"""What may a program ask for in the course of a turn? The desk answers at once, and collects what is to be done later.

Time and randomness are the same whenever a turn is done again. What a program sends and asks for happens when the turn
is committed, and not at all if it is not.
"""

import hashlib
import hmac
import json
import math
import re
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from corollary.runtime.ledger import Denied, Ledger
from corollary.runtime.store import EXCERPT, Agent, Deed, Effect, Event, Kind, Reply, Step
from corollary.runtime.tracing import CALLS, Quiet, Tracing

SECOND = 10**9  # ns
LONGEST = 100 * 365 * 86400 * SECOND  # ns until a timer rings, at most: moments have 63 bits
STEP = 16  # characters that a step takes besides its text
DIGITS = re.compile(r"[0-9]{1,20}", re.ASCII)
NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?", re.ASCII)
NOTED = 1 << 13  # characters of what a turn did that are kept, at most, for each kind of deed
WORD = 63  # letters of a name, at most
LONGEST_ID = 3 * WORD  # letters of an id of what an agent asked for, at most
TOOL = "tool"  # the kind of request that calls a tool of an MCP server


def check_name(name: str) -> None:
    """Raise `ValueError` unless a text can be the name of an agent."""
    if not NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} is no name of an agent: 1 to 63 of a-z, 0-9, `.`, `_`, `-`, with a letter or digit at both ends"
        )


class Desk:
    """What one turn of an agent sees and asks for. `moment` is its time, in nanoseconds since 1970."""

    ledger: Ledger  # of the agent; `Run.turn` sets it

    def __init__(self, agent: Agent, turn: int, moment: int, key: bytes):
        self.agent, self.rules, self.copied = agent.name, agent.rules, agent.copied
        self.turn, self.moment = turn, moment
        self.seed = hmac.digest(key, f"randomness of {self.agent} in turn {turn}".encode(), "sha256")
        self.drawn = self.given = 0  # pieces of randomness, and ids
        self.events: list[Event] = []
        self.undone: list[str] = []
        self.answers: list[tuple[str, Reply]] = []
        self.effects: list[Effect] = []
        self.steps: list[Step] = []
        self.room = dict.fromkeys(Deed, NOTED)
        self.tracing: Tracing = Quiet()
        self.calls = 0

    def call(self, name: str) -> AbstractContextManager[Any]:
        """Return the context of a call of the host; `CALLS` of them are told of."""
        self.calls += 1
        return self.tracing.call(name) if self.calls <= CALLS else nullcontext()

    def random(self, count: int) -> bytes:
        """Return random bytes, others each time."""
        self.drawn += 1
        return hashlib.shake_256(self.seed + self.drawn.to_bytes(8, "little")).digest(count)

    def clock(self, number: int) -> int:
        """Return the time of a clock of Linux: all show that of the turn."""
        return self.moment

    def send(self, agent: str, body: bytes) -> str:
        """Send a message to an agent, and return its id; raises `Denied`."""
        if not NAME.fullmatch(agent):
            raise Denied(f"{agent[:WORD]!r} is no name of an agent")
        event = Event(agent, self.ticket(body), Kind.MESSAGE, body, self.agent, self.moment, self.moment)
        self.events.append(event)
        self.note(Deed.SENT, f"{event.id} to {agent}, {len(body)} bytes")
        return event.id

    def later(self, wait: int, body: bytes = b"") -> str:
        """Ask for a timer after some nanoseconds, and return its id; raises `Denied`."""
        if wait > LONGEST:
            raise Denied(f"a timer rings within {LONGEST // SECOND} s, not after {wait // SECOND} s")
        id_ = self.ticket(body)
        due = self.moment + max(0, wait)
        self.events.append(Event(self.agent, id_, Kind.TIMER, body, id_, due, self.moment))
        self.note(Deed.SET, f"{id_} in {(due - self.moment) / SECOND:g} s")
        return id_

    def cancel(self, timer: str) -> None:
        """Take back a timer, whether it is of this turn or of an earlier one; raises `Denied`."""
        self.check_own(timer)
        kept = [event for event in self.events if event.id != timer or event.kind is not Kind.TIMER]
        if len(kept) == len(self.events):
            self.check_room()
            self.undone.append(timer)
        self.events = kept
        self.note(Deed.CANCELLED, timer)

    def ask(self, kind: str, body: bytes) -> str:
        """Ask the outside for something, and return the id that its result will be about; raises `Denied`."""
        if len(kind) > WORD:
            raise Denied(f"what is asked for has a name of {WORD} letters at most, not {len(kind)}")
        id_ = self.ticket(body)
        self.effects.append(Effect(self.agent, id_, kind, self.granted(id_, body) if kind == TOOL else body))
        self.note(Deed.ASKED, f"{id_} for {kind}: {body[:EXCERPT].decode(errors='replace')}")
        return id_

    def granted(self, id_: str, body: bytes) -> bytes:
        """Return a call of a tool with what it may use, which is reserved from now on; raises `Denied`."""
        tool, arguments = call_in(body)
        size = len(json.dumps(arguments))
        use = self.ledger.reserve(id_, tool, size)
        call = {"tool": tool, "arguments": arguments, "bytes": use.bytes - size, "seconds": use.seconds}
        return json.dumps(call).encode()

    def settle(self, event: str, reply: Reply) -> None:
        """Answer an event of an earlier turn."""
        self.answers.append((event, reply))
        self.note(Deed.ANSWERED, f"{event}: {reply.answer.name}{reply.reason and ', ' + reply.reason}")

    def note(self, deed: Deed, text: str) -> None:
        """Note what the program did; what is beyond `NOTED` characters is cut off.

        Each kind of deed has room of its own, so no flood of one hides another.
        """
        kept = text[: self.room[deed]]
        if self.room[deed] > 0:
            self.steps.append(Step(deed, kept))
        self.room[deed] -= len(kept) + STEP

    def ticket(self, body):
        """Return the id for one more thing to be done; raises `Denied` when it is one too many or too large."""
        self.check_room()
        if len(body) > self.rules.body:
            raise Denied(f"what is sent may have {self.rules.body} bytes, not {len(body)}")
        self.given += 1
        return self.id_of(self.turn, self.given)

    def id_of(self, turn: int, count: int) -> str:
        """Return the id of what the agent asked for in a turn; before it was copied, it had another name."""
        name = next((name for name, last in self.copied if turn <= last), self.agent)
        return f"{name}/{turn}/{count}"

    def check_own(self, id_):
        """Raise `Denied` unless an id is of something that the agent asked for."""
        _, *numbers = id_[: LONGEST_ID + 1].rsplit("/", 2)
        if len(id_) > LONGEST_ID or len(numbers) < 2 or not all(map(DIGITS.fullmatch, numbers)):
            raise Denied(f"{id_[:WORD]!r} is no id of a timer")
        if id_ != self.id_of(*map(int, numbers)):
            raise Denied(f"{id_} is of another agent")

    def check_room(self):
        """Raise `Denied` when a turn has asked for as many things as it may."""
        if len(self.events) + len(self.effects) + len(self.undone) >= self.rules.effects:
            raise Denied(f"a turn may send and ask for {self.rules.effects} things")


def call_in(body: bytes) -> tuple[str, dict[str, Any]]:
    """Return the tool and the arguments that a request names; raises `Denied`."""
    try:
        given = json.loads(body, parse_constant=no_number, parse_float=finite)
        json.dumps(given, ensure_ascii=False).encode()  # half a surrogate is no text
    except (ValueError, RecursionError) as problem:
        raise Denied(f"a call of a tool is a JSON object: {problem}") from None
    if not isinstance(given, dict) or not isinstance(given.get("tool"), str):
        raise Denied('a call of a tool is a JSON object: {"tool": "SERVER/TOOL", "arguments": {...}}')
    arguments = given.get("arguments", {})
    if not isinstance(arguments, dict):
        raise Denied("`arguments` is an object")
    return given["tool"], arguments


def finite(text):
    """Return a number; refuses one that is too large for any program."""
    found = float(text)
    return found if math.isfinite(found) else no_number(text)


def no_number(text):
    """Refuse what Python takes for JSON, and nobody else does."""
    raise ValueError(f"{text} is no number of JSON")
