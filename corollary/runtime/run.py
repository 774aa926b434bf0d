"""What is a program that runs for an agent? An instance with its host, whose state is an image between two turns."""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from corollary.failure import Fault, GuestFailure, failures_of
from corollary.instance import Instance
from corollary.limits import LimitExceeded, Limits
from corollary.meter import meter_within
from corollary.module import Module
from corollary.outcome import Suspended
from corollary.runtime.desk import Desk
from corollary.runtime.host import Host
from corollary.runtime.ledger import Ledger
from corollary.runtime.state import Image, image_of, instance_of
from corollary.runtime.store import BEGINNING, Answer, Event, Kind, Reply, Rules

Failed = GuestFailure  # a program did not come to the end of a turn


class Run(ABC):
    """A program that runs for an agent, in one of several ways. `begin` or `go_on` comes first.

    `digest` is the SHA-256 of the program. `made` is the instance, if there is one that lasts from one event to the
    next; `about` is what the program waits for, if not for just any event; `ended` says that it came to its end.
    """

    made: Instance | None = None

    def __init__(self, digest: bytes, rules: Rules):
        self.digest, self.rules = digest.hex(), rules
        self.host = Host()
        self.ledger = Ledger(rules)
        self.about: str | None = BEGINNING
        self.ended = False

    # ---- what each way has of its own

    @abstractmethod
    def imports(self) -> dict[Any, Any]:
        """Return what the program imports; raises `Unlinkable`."""

    @abstractmethod
    def begin(self) -> None:
        """Make what lasts from one event to the next."""

    @abstractmethod
    def start(self, event: Event) -> Reply:
        """Take the first steps; raises one of `failure.PROBLEMS`, or `Failed`."""

    @abstractmethod
    def handle(self, event: Event) -> Reply:
        """Handle an event; raises one of `failure.PROBLEMS`, or `Failed`."""

    @abstractmethod
    def go_on(self, image: Image, key: bytes) -> None:
        """Go on from a state; raises as `Instance.restore` does."""

    @abstractmethod
    def image(self, key: bytes) -> Image:
        """Return the state; raises `SnapshotRefused`."""

    # ---- what all have

    def check(self) -> None:
        """See what the program lacks; raises `Unlinkable`, and whatever linking it raises."""
        self.imports()

    @property
    def memory(self) -> bytes:
        """What people see of the state."""
        made = self.made
        return b"" if made is None else b"".join(held.read(0, held.room.value.size) for held in made.memories)

    def take_notes(self, image: Image) -> dict[str, Any]:
        """Take up what the runtime noted with a state, and return it."""
        notes: dict[str, Any] = json.loads(image.notes)
        self.about, self.ended, self.ledger = notes["about"], notes["ended"], Ledger(self.rules, notes.get("ledger"))
        return notes

    def notes(self, **more: Any) -> bytes:
        """Return what the runtime notes with a state, and more."""
        return json.dumps({"about": self.about, "ended": self.ended, **more, "ledger": self.ledger.noted()}).encode()

    def turn(self, desk: Desk, event: Event) -> Reply:
        """Handle an event; raises `Failed`, and then this run is to be dropped."""
        self.host.serve(desk, event)
        desk.ledger = self.ledger
        self.ledger.settle(event)
        self.about = None
        meter = meter_within(self.rules.fuel, self.rules.seconds)
        with failures_of(self.digest, meter), advised(), meter:
            if event.kind is not Kind.START:
                return self.handle(event)
            self.begin()
            return self.start(event)


class Lasting(Run):
    """A module with one instance, which lasts as long as the agent. `kind` is the class of the instance."""

    def __init__(self, module: Module, rules: Rules, kind: type[Instance] = Instance):
        super().__init__(module.digest, rules)
        self.module, self.kind = module, kind

    def imports(self) -> dict[tuple[str, str], Any]:
        """Return what the module imports; raises `Unlinkable`."""
        return dict(self.host.imports(self.module))

    def begin(self) -> None:
        """Make the instance."""
        self.made = self.kind(self.module, **self.given)

    @property
    def instance(self) -> Instance:
        """The instance; raises `Failed` before there is one."""
        if self.made is None:
            raise Failed("the agent has not been started")
        return self.made

    @property
    def given(self) -> dict[str, Any]:
        """What an instance is made with."""
        limits = Limits(pages=self.rules.pages)
        return {"imports": self.imports(), "limits": limits, "host_calls": True, "reentrant": True}

    def go_on(self, image: Image, key: bytes) -> None:
        """Go on from a state; raises as `Instance.restore` does."""
        self.made = instance_of(image, self.module, key, self.kind, **self.given)
        self.made.messages = tuple(self.take_notes(image)["messages"])

    def image(self, key: bytes) -> Image:
        """Return the state; raises `SnapshotRefused`."""
        return image_of(self.instance, key, self.notes(messages=self.instance.messages))


@contextmanager
def advised() -> Iterator[None]:
    """Advise, for a limit that is exceeded within the context, what the rules of an agent can do about it."""
    try:
        yield
    except LimitExceeded as problem:
        if problem.limit is None:
            raise
        advice = f": give the agent more `{problem.limit}` in its rules" if problem.limit in vars(Rules()) else ""
        raise LimitExceeded(f"{problem.message}{advice}") from None


def unfinished(outcome: Any) -> Failed:
    """Return the failure of a call that should have returned, and waits or was suspended."""
    fault = Fault.WAITING
    if isinstance(outcome, Suspended):
        fault = Fault.INTERRUPTED if outcome.interrupted else Fault.LATE if outcome.late else Fault.SPENT
    return Failed(f"the turn did not end: {outcome}", fault)


def done(status: int = 0, body: bytes = b"") -> Reply:
    """Return the reply to an event that was handled."""
    return Reply(Answer.DONE, status, body)
