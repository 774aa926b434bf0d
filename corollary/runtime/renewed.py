"""How does a component handle the events of an agent? A new instance of it for each; what it remembers stays.

One that exports `corollary:agent/handler` is called with each event, and may ask for what `wit/agent.wit` says. One
that exports `wasi:cli/run` is a command: it reads a message from standard input, and writes the reply to its output.
"""

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from corollary.components.component import INSIDE, Component, ComponentInstance
from corollary.components.functions import ComponentFunction, Signature, of_host
from corollary.components.host import RUN, VERSION, Interface, Pollable, imports, method, ok
from corollary.components.refusal import trap
from corollary.components.trial import Tried
from corollary.components.values import Case, Enum, Integer, List, Record, Result, String
from corollary.failure import OUTPUT, Fault, OutputExceeded, check_output
from corollary.limits import Limits
from corollary.meter import meter_within
from corollary.outcome import Exited, Unlinkable
from corollary.runtime.desk import NOTED, Denied
from corollary.runtime.host import Lines
from corollary.runtime.run import Failed, Run, done
from corollary.runtime.state import Image
from corollary.runtime.store import Deed, Event, Kind, Reply, Rules
from corollary.spec.wasm.machine import PAGE
from corollary.wasi import Wasi

HANDLER, HOST, TYPES, OURS = "corollary:agent/handler", "corollary:agent/host", "corollary:agent/types", "1."
POLL = "wasi:io/poll"
WIT = Path(__file__).with_name("wit") / "agent.wit"
PARTS = 32  # instances that a component consists of, at most; one of them has a memory
BYTES, TEXT = List(Integer(1, False)), String()
EVENT = Record(
    (("kind", Enum(tuple(kind.name.lower() for kind in Kind))), ("id", TEXT), ("about", TEXT), ("body", BYTES))
)
ASKED = Result(TEXT, TEXT)
HANDLE, COMMAND = Signature((("event", EVENT),), Result(BYTES, TEXT)), Signature((), Result(None, None))
FUNCTIONS = {
    "log": Signature((("line", TEXT),), None),
    "send": Signature((("to", TEXT), ("body", BYTES)), ASKED),
    "later": Signature((("nanoseconds", Integer(8, False)), ("body", BYTES)), ASKED),
    "cancel": Signature((("timer", TEXT),), Result(None, TEXT)),
    "ask": Signature((("kind", TEXT), ("request", BYTES)), ASKED),
    "remembered": Signature((), BYTES),
    "remember": Signature((("state", BYTES),), None),
}
"""Those of `corollary:agent/host`."""


class Renewed(Run):
    """A component that runs for an agent."""

    def __init__(self, component: Component, rules: Rules):
        super().__init__(component.digest, rules)
        self.component, self.handler = component, exported(component, HANDLER, OURS)
        self.remembered = b""

    def check(self) -> None:
        """Link the component as for an event, without its code; raises `Unlinkable`, and what linking raises."""
        with meter_within(self.rules.fuel, self.rules.seconds):
            self.linked(Tried, Wasi())

    # ---- what it gets

    def imports(self) -> dict[str, Any]:
        """Return what the component imports; raises `Unlinkable`."""
        return self.given_with(Wasi())

    def given_with(self, wasi: Wasi) -> dict[str, Any]:
        """Return what the component imports, with that of WASI from a `Wasi`; raises `Unlinkable`."""
        given: dict[str, Any] = dict(imports(self.component, wasi))
        for asked in self.component.imports:
            name, _, version = asked.partition("@")
            if name == POLL and asked in given:
                given[asked] = never_waiting()
            elif version.startswith(OURS) and name in (HOST, TYPES):
                given[asked] = Interface(self.functions() if name == HOST else {})
        missing = [asked for asked in self.component.imports if asked not in given]
        if missing:
            raise Unlinkable(f"a component of an agent has no import {', '.join(missing)}")
        return given

    def functions(self) -> dict[str, ComponentFunction]:
        """Return the functions of `corollary:agent/host`."""
        own = {"log": self.log, "remembered": lambda: self.remembered, "remember": self.remember}
        return {name: self.function(name, own.get(name) or self.asking(name)) for name in FUNCTIONS}

    def function(self, name: str, function: Callable[..., Any]) -> ComponentFunction:
        """Return a function as a call of the host."""

        def call(*values: Any) -> Any:
            with self.host.desk.call(name):
                return function(*values)

        return of_host(FUNCTIONS[name], call, name)

    def asking(self, name: str) -> Callable[..., Case]:
        """Return a function of the desk; it answers with what was asked for, or with why it was denied."""

        def ask(*values: Any) -> Case:
            try:
                return ok(getattr(self.host.desk, name)(*values))
            except Denied as denied:
                self.host.desk.note(Deed.DENIED, str(denied))
                return Case("error", str(denied))

        return ask

    def log(self, line: str) -> None:
        """Write a line to the log."""
        self.host.desk.note(Deed.LOGGED, line[:NOTED])

    def remember(self, state: bytes) -> None:
        """Remember something; raises `OutputExceeded` when it is longer than a memory may be."""
        check_output(len(state), min(OUTPUT, self.rules.pages * PAGE))
        self.remembered = state

    # ---- events

    def begin(self) -> None:
        """Make nothing: each event makes an instance."""

    def start(self, event: Event) -> Reply:
        """Handle the first event."""
        return self.handle(event)

    def handle(self, event: Event) -> Reply:
        """Handle an event with a new instance."""
        if self.handler is not None:
            return self.called(event)
        return self.commanded(event) if event.kind is Kind.MESSAGE else done()

    def called(self, event: Event) -> Reply:
        """Call the handler."""
        lines = Lines(self.host)
        told = {"kind": event.kind.name.lower(), "id": event.id, "about": event.about, "body": event.body}
        found = self.result(self.wasi(b"", lines, lines), told)
        lines.end()
        if found.label == "error":
            raise Failed(f"the handler says: {found.value}")
        try:
            check_output(len(found.value), self.rules.body)
        except OutputExceeded as problem:
            raise Failed(str(problem), Fault.OUTPUT) from None
        return done(body=found.value)

    def commanded(self, event: Event) -> Reply:
        """Run the command with a message."""
        answer, lines = Gathered(self.rules.body), Lines(self.host)
        try:
            status = int(self.result(self.wasi(event.body, answer, lines)).label == "error")
        except Exited as end:
            status = end.status
        lines.end()
        return done(status, bytes(answer.data))

    def wasi(self, message: bytes, output: Any, errors: Any) -> Wasi:
        """Return what WASI gives to one instance."""
        ours = self.host.wasi
        return Wasi((self.host.desk.agent,), (), io.BytesIO(message), output, errors, (), ours.clock, ours.random)

    def result(self, wasi: Wasi, *values: Any) -> Case:
        """Return what a new instance makes of an event; raises `Unlinkable`."""
        instance, name = self.linked(ComponentInstance, wasi)
        result: Case = instance.call(name, *values)
        return result

    def linked(self, kind: type[ComponentInstance], wasi: Wasi) -> tuple[ComponentInstance, str]:
        """Return a new instance, and the name of its function; raises `Unlinkable` unless that has the type."""
        name, signature = f"{self.handler}{INSIDE}handle", HANDLE
        if self.handler is None:
            name, signature = f"{exported(self.component, RUN, VERSION)}{INSIDE}run", COMMAND
        instance = kind(self.component, self.given_with(wasi), self.limits)
        try:
            found = instance.function(name)
        except LookupError as missing:
            raise Unlinkable(str(missing)) from None
        if found.signature != signature:
            raise Unlinkable(f"{name} has another type than an agent needs: take {WIT.name}, or WASI {VERSION}x")
        return instance, name

    @property
    def limits(self) -> Limits:
        """What an instance may use. Of all but the memory, each of its parts may use a share."""
        whole = Limits()
        return Limits(
            pages=self.rules.pages,
            elements=whole.elements // PARTS,
            tables=whole.tables // PARTS,
            globals=whole.globals // PARTS,
            memories=1,
            instances=PARTS,
        )

    # ---- the state

    @property
    def memory(self) -> bytes:
        """What it remembers."""
        return self.remembered

    def go_on(self, image: Image, key: bytes) -> None:
        """Go on from a state."""
        self.take_notes(image)
        self.remembered = image.rest

    def image(self, key: bytes) -> Image:
        """Return the state."""
        return Image(rest=self.remembered, notes=self.notes())


class Gathered(io.RawIOBase):
    """An output that is kept; raises `OutputExceeded` when it is too long."""

    def __init__(self, most: int):
        self.most, self.data = most, bytearray()

    def writable(self):
        return True

    def write(self, data):
        check_output(len(self.data) + len(data), self.most)
        self.data += data
        return len(data)


def exported(component: Component, interface: str, version: str) -> str | None:
    """Return the name by which a component exports an interface, or None."""
    return next((name for name in component.exports if name.startswith(f"{interface}@{version}")), None)


def check_handles(component: Component) -> None:
    """Raise `Unlinkable` unless a component can run for an agent."""
    if all(exported(component, *each) is None for each in ((HANDLER, OURS), (RUN, VERSION))):
        raise Unlinkable(f"the component exports neither {HANDLER}@{OURS}x nor {RUN}@{VERSION}x: it can handle nothing")


def never_waiting() -> Interface:
    """Return the interface for what is ready; to wait for anything else is a trap, since time stands still."""

    def ready(waiting: Sequence[Pollable]) -> list[int]:
        found = [number for number, each in enumerate(waiting) if each.ready()]
        if not waiting:
            trap("a component waits for nothing: that would be for ever")
        return found or trap("the time of a turn stands still, so nothing comes in it: ask for a timer")

    poll = Interface({"poll": ready}, {"pollable": Pollable})
    poll["[method]pollable.block"] = method(Pollable, lambda this: ready([this]) and None)
    return poll
