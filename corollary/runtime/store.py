"""What does the runtime keep, and what does it ask of a store? Everything an agent is, between two of its turns.

A turn handles one event. All that it does becomes true at once, when its store commits it, or never: the event counts
as handled, the agent has its new state, and what it sent and asked for is on its way. So a process may be killed at
any moment.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from corollary.language.types import Enum
from corollary.limits import MOST, check_whole
from corollary.problem import Problem


class Kind(Enum):
    """What does an event tell?"""

    START = 0  # the agent was created: its program takes its first steps
    MESSAGE = 1  # somebody sent a message, and may wait for the reply
    TIMER = 2  # a time is over that the agent asked for
    RESULT = 3  # what became of something that the agent asked the outside for


class State(Enum):
    """What may an agent do?"""

    RUNNING = 0  # it handles its events
    SUSPENDED = 1  # its events wait until it is resumed
    ENDED = 2  # its program came to its end, or it was killed: it handles nothing more


class Answer(Enum):
    """What became of an event?"""

    DONE = 0  # the agent handled it
    DEAD = 1  # it failed too often, and lies among the dead letters
    GONE = 2  # the agent had ended
    LATER = 3  # the agent handled it, and answers in a later turn
    FAILED = 4  # the agent handled it, and failed in a later turn


class Deed(Enum):
    """What did a program do in a turn, or what was it refused?"""

    LOGGED = 0  # it wrote a line
    SENT = 1  # it sent a message to an agent
    SET = 2  # it set a timer
    CANCELLED = 3  # it took a timer back
    ASKED = 4  # it asked the outside for something
    ANSWERED = 5  # it answered an earlier event
    DENIED = 6  # it was refused something
    COPIED = 7  # it began as a copy of another agent


EFFECTS = (1 << 16) - 1  # things that a turn sends and asks for, at most: their numbers have 16 bits
EXCERPT = 200  # bytes of a body that a journal keeps
ENTRIES = 256  # of the journal of an agent that are kept, at least
BEGINNING = "start"  # what the first event of an agent is about, and what an agent waits for until it was started


class StoreDamaged(Problem):
    """Something in a store is not as it was written; the message names it."""


class StoreUnavailable(Problem):
    """The store can neither write nor read, as when the disk is full: nothing of what was asked was done."""


class Fenced(Problem):
    """Another runtime owns the agent now: what this one did for it does not count."""


class Unknown(Problem):
    """There is no agent, or no program, of that name."""


class Taken(Problem):
    """There is an agent of that name already."""


class Ended(Problem):
    """The agent has ended, and does nothing any more."""


@dataclass(frozen=True)
class Budget:
    """How much may an agent use of a tool, as long as it lives?

    `calls` that it asks for, `bytes` of their arguments and results, and `seconds` until their results are there.
    """

    calls: int = 100
    bytes: int = 10 << 20
    seconds: float = 600.0


@dataclass(frozen=True)
class Rules:
    """What may an agent use? What is not given here is denied.

    `description` tells others what the agent is for. From `trust` (0 to 1) and `consensus` follows the ring in which it
    acts: ring 3 reaches nothing outside, more than 0.6 is ring 2, and more than 0.95 with consensus ring 1. `hosts` are
    patterns `host:port` with `*` for any text, and `private` tells whether they may lead to private addresses. `tools`
    are those of MCP servers that it may call, as `SERVER/TOOL`, each with a budget: what it may use of the tool as long
    as it lives. `publish` tells whether it may publish composites. `fuel` (safe points) and `seconds` limit a turn,
    `pages` (64 KiB) its memory, `effects` what it may send and ask for in one turn, `body` the bytes of each of those
    and of what comes back, and `patience` the seconds that a request to the outside may take. Raises `TypeError` or
    `ValueError` for more than there can be.
    """

    description: str = ""
    trust: float = 0.0
    consensus: bool = False
    hosts: tuple[str, ...] = ()
    methods: tuple[str, ...] = ("GET", "HEAD")
    private: bool = False
    tools: Mapping[str, Budget] = field(default_factory=dict)
    publish: bool = False
    fuel: int = 1 << 32
    seconds: float = 10.0
    pages: int = 1024
    effects: int = 1000
    body: int = 1 << 20
    patience: float = 30.0

    def __post_init__(self):
        for name, most in (("fuel", MOST["fuel"]), ("pages", MOST["pages"]), ("effects", EFFECTS)):
            check_whole(f"rule `{name}`", getattr(self, name), most)
        if not 0 <= self.trust <= 1:
            raise ValueError(f"rule `trust` is a number from 0 to 1, not {self.trust}")
        for name in ("seconds", "patience"):
            if not getattr(self, name) > 0:
                raise ValueError(f"rule `{name}` is a number above 0, not {getattr(self, name)}")


@dataclass(frozen=True)
class Agent:
    """An agent: the SHA-256 of its program in hexadecimal, what it may use, and what it may do now.

    `copied` has the agents that it is a copy of, the first one first, each with the last of its turns that counts.
    """

    name: str
    program: str
    rules: Rules = Rules()
    state: State = State.RUNNING
    copied: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Event:
    """Something that an agent is to handle, once.

    `id` is unique for the agent: of two events with one id the second is none. `due` and `posted` are nanoseconds
    since 1970: it is handled no earlier than `due`. `about` is what it is the result of, or who sent it. `attempts`
    counts how often handling it failed, `reason` says why it did the last time.
    """

    agent: str
    id: str
    kind: Kind
    body: bytes = b""
    about: str = ""
    due: int = 0
    posted: int = 0
    attempts: int = 0
    reason: str = ""

    def is_due(self, now: int) -> bool:
        """Is it time? What was posted to be handled at once does not wait for a clock that was set back since then."""
        return self.due <= now or self.due <= self.posted


@dataclass(frozen=True)
class Reply:
    """What became of an event: what the program answered, with a status of its own, or the reason for no answer."""

    answer: Answer
    status: int | None = None
    body: bytes = b""
    reason: str = ""


@dataclass(frozen=True)
class Effect:
    """Something that an agent asks the outside for: `id` is its idempotency key, `kind` names who carries it out."""

    agent: str
    id: str
    kind: str
    body: bytes


@dataclass(frozen=True)
class Checkpoint:
    """The state of an agent after a turn, or what changed in it since the checkpoint before.

    `block` has the changed pages, `seal` vouches for it and for all checkpoints that it stands on.
    """

    turn: int
    whole: bool
    block: bytes
    seal: bytes


@dataclass(frozen=True)
class Step:
    """One thing that a program did or was refused; `text` says more about it, in words of the program maybe."""

    deed: Deed
    text: str


@dataclass(frozen=True)
class Entry:
    """What came of handling an event once, whether it was committed or failed: an entry of an agent's journal.

    `turn` is the number that the turn had or would have had, `moment` the time that the program saw, in nanoseconds
    since 1970. `answer` is None for an event that failed and is tried again; `reason` says why it failed. Of the body
    of the event a journal keeps the first `EXCERPT` bytes.
    """

    turn: int
    moment: int
    event: Event
    answer: Answer | None
    reason: str = ""
    steps: tuple[Step, ...] = ()

    @property
    def committed(self) -> bool:
        """Did the turn become true?"""
        return self.answer not in (None, Answer.DEAD)


@dataclass(frozen=True)
class Turn:
    """All that handling one event did.

    `moment` is the time that the program saw, in nanoseconds since 1970. `events` are messages to agents and timers,
    `undone` the ids of the agent's own events that need not come any more, and `answers` replies to earlier events,
    by their ids. `steps` tell people of the same, and `ended` says that the program came to its end.
    """

    number: int
    event: Event
    moment: int
    reply: Reply
    checkpoint: Checkpoint
    events: tuple[Event, ...] = ()
    undone: tuple[str, ...] = ()
    answers: tuple[tuple[str, Reply], ...] = ()
    effects: tuple[Effect, ...] = ()
    steps: tuple[Step, ...] = ()
    ended: bool = False

    @property
    def entry(self) -> Entry:
        """What the journal tells of it."""
        return Entry(self.number, self.moment, self.event, self.reply.answer, self.reply.reason, self.steps)


@dataclass(frozen=True)
class Past:
    """A turn that is committed, as much of it as it takes to do it again.

    `did` is the digest of what it did, as `encoding.did` makes it.
    """

    number: int
    event: Event
    moment: int
    did: bytes = b""


@dataclass(frozen=True)
class Kept:
    """What a store has of an agent's life: its checkpoints, oldest first, and the turns since the first of them."""

    checkpoints: tuple[Checkpoint, ...] = ()
    turns: tuple[Past, ...] = ()

    def until(self, turn: int) -> "Kept":
        """Return what a store had after a turn."""
        checkpoints = tuple(checkpoint for checkpoint in self.checkpoints if checkpoint.turn <= turn)
        return Kept(checkpoints, tuple(past for past in self.turns if past.number <= turn))


@dataclass
class Lease:
    """The right to act for an agent; whoever gets a newer one fences this one off. `turns` counts committed turns.

    `token` tells a lease from an older one, and `own` is what the store notes about it.
    """

    agent: Agent
    turns: int
    token: int
    own: Any = None


def digest_of(program: bytes) -> str:
    """Return the name of a program: its SHA-256 in hexadecimal."""
    return hashlib.sha256(program).hexdigest()


class Store(Protocol):
    """What a store can do. All of it may be called by any task at the same time.

    Once a coroutine returns, what it did is on the disk. Each raises `StoreDamaged` for what cannot be read, and
    `StoreUnavailable` when it could not do what was asked.
    """

    async def close(self) -> None:
        """Write what is still to be written, and let go of everything."""
        ...

    async def keep(self, program: bytes) -> str:
        """Keep a program, and return its name."""
        ...

    async def program(self, name: str) -> bytes:
        """Return a program by name; raises `Unknown`."""
        ...

    async def create(self, agent: Agent, now: int, first: Turn | None = None) -> bool:
        """Create an agent, and post its first event. Returns False, and does nothing, if the name is taken.

        With `first`, which may have any number, that turn has handled the first event, and is committed at once.
        """
        ...

    async def agent(self, name: str) -> Agent:
        """Return an agent by name; raises `Unknown`."""
        ...

    async def agents(self) -> list[Agent]:
        """Return all agents by name."""
        ...

    async def set_state(self, name: str, state: State) -> Agent:
        """Suspend, resume or end an agent, and return it; raises `Unknown`. One that has ended stays so."""
        ...

    async def is_elsewhere(self, name: str) -> bool:
        """Does another runtime that is alive have an agent? Raises `Unknown`."""
        ...

    async def set_trust(self, name: str, trust: float, consensus: bool) -> Agent:
        """Set `trust` and `consensus` among the rules of an agent, and return it; raises `Unknown` and `ValueError`.

        No turn depends on these two, so turns can still be done again.
        """
        ...

    async def post(self, events: Iterable[Event]) -> list[bool]:
        """Post events; returns for each whether it is new.

        One to an agent that has ended is answered at once, and one to nobody is dropped.
        """
        ...

    async def listen(self, ring: Callable[[str], None], answered: Callable[[str, str], None]) -> None:
        """From now on, tell which agents may have something to do, and which events were answered elsewhere."""
        ...

    async def claim(self, name: str) -> Lease:
        """Take the lease of an agent; raises `Unknown`, and `Fenced` while another runtime that is alive has it."""
        ...

    async def next(self, lease: Lease, now: int, about: str | None = None) -> Event | int | None:
        """Return the event to handle next, or when one will be due, or None if there is none.

        Of those for which it is time, the order is that of `due`, then of coming. With `about`, only events with this
        `about` count, and no messages.
        """
        ...

    async def commit(self, lease: Lease, turn: Turn) -> None:
        """Make a turn true, all of it, its entry in the journal too; raises `Fenced`, and then nothing of it is."""
        ...

    async def fail(self, lease: Lease, entry: Entry, due: int = 0) -> None:
        """Note in the journal that handling an event failed, as all of this does at once or not at all.

        The event is due again later, or becomes a dead letter if the entry says so. Raises `Fenced`.
        """
        ...

    async def journal(self, name: str) -> list[Entry]:
        """Return the last entries of an agent's journal, oldest first; raises `Unknown`."""
        ...

    async def kept(self, name: str) -> Kept:
        """Return what there is of an agent's past; raises `Unknown`."""
        ...

    async def waiting(self, name: str) -> tuple[list[Event], list[Effect]]:
        """Return the events of an agent that wait, and the effects that are still to be carried out."""
        ...

    async def forget(self, lease: Lease, turn: int) -> None:
        """Drop checkpoints that came before a turn, and what it takes to do earlier turns again."""
        ...

    async def outbox(self, name: str) -> list[Effect]:
        """Return the effects of an agent that are still to be carried out, oldest first."""
        ...

    async def effect(self, agent: str, id_: str) -> Effect | None:
        """Return an effect that is still to be carried out, or None if it is not."""
        ...

    async def carried_out(self, effect: Effect, result: Event | None) -> None:
        """Note that an effect was carried out, and post its result, if it has one: both at once."""
        ...

    async def reply(self, agent: str, event: str) -> Reply | None:
        """Return what became of an event, or None if nothing has yet; raises `Unknown` when there is no such event."""
        ...

    async def dead(self, agent: str) -> list[Event]:
        """Return the dead letters of an agent."""
        ...

    async def retry(self, agent: str, event: str, now: int) -> bool:
        """Let a dead letter be an event again; returns whether there was one."""
        ...

    async def busy(self) -> list[str]:
        """Return the names of agents that have an event or an effect."""
        ...
