"""What can a program call? The functions of the module `corollary`, and those of WASI that need nothing else.

A program names them in its imports. `Host` is what one instance gets; the desk of the turn that runs answers it.
"""

import io
from collections.abc import Callable
from typing import Any

from corollary.failure import OUTPUT, check_output
from corollary.linker import WithInstance
from corollary.module import FunctionType, Module
from corollary.outcome import Unlinkable
from corollary.runtime.desk import NOTED, Denied, Desk
from corollary.runtime.store import Deed, Event
from corollary.spec.wasm.module import External
from corollary.spec.wasm.values import ValueType
from corollary.wasi import MODULE as WASI
from corollary.wasi import Wasi

MODULE = "corollary"
OK, DENIED = 0, 1  # answers
TICKETS = 16  # bits of a timer's number that count within its turn
LETTERS = {"i": ValueType.I32, "l": ValueType.I64}


class Lines(io.RawIOBase):
    """An output that goes to the log of the agent line by line."""

    def __init__(self, host):
        self.host, self.begun = host, b""

    def writable(self):
        return True

    def write(self, data):
        *lines, self.begun = (self.begun + bytes(data)).split(b"\n")
        if len(self.begun) > NOTED:
            lines, self.begun = [*lines, self.begun], b""
        for line in lines:
            self.host.desk.note(Deed.LOGGED, readable(line))
        return len(data)

    def end(self):
        """End a line that has begun."""
        if self.begun:
            self.write(b"\n")


class Host:
    """What one instance may call. `desk` and `event` are those of the turn that runs, `inbox` is what came last."""

    desk: Desk  # each turn begins with `serve`, which sets these two
    event: Event

    def __init__(self):
        self.inbox, self.answer = b"", b""
        self.wasi = Wasi(
            stdout=Lines(self),
            stderr=Lines(self),
            clock=lambda number: self.desk.clock(number),
            random=lambda count: self.desk.random(count),
        )

    def serve(self, desk: Desk, event: Event) -> None:
        """Serve a turn."""
        self.desk, self.event = desk, event
        self.inbox, self.answer = event.body, b""

    def imports(self, module: Module) -> dict[tuple[str, str], WithInstance]:
        """Return what a module imports; raises `Unlinkable` for what is not there, or has another type."""
        given = self.wasi.imports(module)
        for from_, name, kind, index in module.imports:
            if kind is not External.FUNCTION or from_ not in (MODULE, WASI):
                raise Unlinkable(f"an agent has no import {from_}.{name}: only functions of `{MODULE}` and `{WASI}`")
            if from_ == MODULE:
                check_type(name, module.type_of(module.room["functions"][index].type))
                check_memory(module)
                if name not in WAITING:
                    given[from_, name] = WithInstance(self.function(name))
        return given

    def function(self, name: str) -> Callable[..., Any]:
        """Return a function that an instance can call."""
        function = getattr(Calls, name)

        def call(instance, *values):
            with self.desk.call(name):
                return function(self, instance.export("memory"), *values)

        return call


class Calls:
    """The functions by name, those that answer at once. Each takes the host, the program's memory, and arguments."""

    @staticmethod
    def now(host, memory):
        """Return the time of the turn, in nanoseconds since 1970."""
        return host.desk.moment

    @staticmethod
    def random(host, memory, at, size):
        """Store random bytes."""
        memory.check(at & 0xFFFFFFFF, size & 0xFFFFFFFF)
        memory.write(at & 0xFFFFFFFF, host.desk.random(size & 0xFFFFFFFF))

    @staticmethod
    def log(host, memory, at, size):
        """Write a line to the log of the agent."""
        host.desk.note(Deed.LOGGED, readable(read(memory, at, size)))

    @staticmethod
    def kind(host, memory):
        """Return the kind of the event."""
        return host.event.kind

    @staticmethod
    def sender(host, memory, at, room):
        """Store who sent the message, as much of it as there is room for, and return how long it is."""
        name = host.event.about.encode()
        memory.write(at & 0xFFFFFFFF, name[: room & 0xFFFFFFFF])
        return len(name)

    @staticmethod
    def read(host, memory, at, from_, size):
        """Store a part of what came last, and return how many bytes that are."""
        part = host.inbox[from_ & 0xFFFFFFFF :][: size & 0xFFFFFFFF]
        memory.write(at & 0xFFFFFFFF, part)
        return len(part)

    @staticmethod
    def reply(host, memory, at, size):
        """Answer the event."""
        host.answer = read(memory, at, size, host.desk.rules.body)

    @staticmethod
    def send(host, memory, to, to_size, at, size):
        """Send a message to an agent."""
        try:
            host.desk.send(read(memory, to, to_size).decode(errors="replace"), read(memory, at, size))
        except Denied as denied:
            return refused(host, denied)
        return OK

    @staticmethod
    def later(host, memory, wait, at, size):
        """Ask for a timer after some nanoseconds, and return its number; -1 if that was one too many."""
        try:
            return number_of(host.desk.later(wait, read(memory, at, size)))
        except Denied as denied:
            refused(host, denied)
            return -1

    @staticmethod
    def cancel(host, memory, number):
        """Take back a timer."""
        try:
            host.desk.cancel(host.desk.id_of(number >> TICKETS, number & ((1 << TICKETS) - 1)))
        except Denied as denied:
            return refused(host, denied)
        return OK

    @staticmethod
    def ask(host, memory, kind, kind_size, at, size):
        """Ask the outside for something; return the number that the result will be about, or -1."""
        try:
            name = read(memory, kind, kind_size).decode(errors="replace")
            return number_of(host.desk.ask(name, read(memory, at, size)))
        except Denied as denied:
            refused(host, denied)
            return -1


TYPES = {
    "now": ("", "l"),
    "random": ("ii", ""),
    "log": ("ii", ""),
    "kind": ("", "i"),
    "sender": ("ii", "i"),
    "read": ("iii", "i"),
    "reply": ("ii", ""),
    "send": ("iiii", "i"),
    "later": ("lii", "l"),
    "cancel": ("l", "i"),
    "ask": ("iiii", "l"),
    "recv": ("", "l"),
    "sleep": ("l", ""),
    "fetch": ("ii", "l"),
}
"""The functions with the types of their parameters and results, a letter each."""
WAITING = {
    "recv": "Wait for an event, and return how many bytes it has.",
    "sleep": "Wait for some nanoseconds.",
    "fetch": "Make an HTTP request, and return how many bytes its result has.",
}
"""Those that wait: the program sleeps in the middle of the call, maybe for days, and its process may end meanwhile."""


def functions() -> list[tuple[str, str, str, str]]:
    """Return each function: its name, the types of its parameters and of its results, and what it does."""
    texts = {**WAITING, **{name: getattr(Calls, name).__doc__ for name in TYPES if name not in WAITING}}
    return [(name, spelled(given), spelled(got), texts[name]) for name, (given, got) in TYPES.items()]


def spelled(letters):
    """Return types by name."""
    return ", ".join(LETTERS[letter].name.lower() for letter in letters)


def check_type(name, type_):
    """Raise `Unlinkable` unless there is a function of that name and type."""
    if name not in TYPES:
        raise Unlinkable(f"there is no {MODULE}.{name}; there are: {', '.join(TYPES)}")
    wanted = FunctionType(*(tuple(LETTERS[letter] for letter in letters) for letters in TYPES[name]))
    if type_ != wanted:
        raise Unlinkable(f"{MODULE}.{name} has the type {wanted}, not {type_}")


def check_memory(module):
    """Raise `Unlinkable` unless a module exports the memory that its calls are about."""
    if module.exports.get("memory", (None,))[0] is not External.MEMORY:
        raise Unlinkable(f"what uses functions of `{MODULE}` exports its memory as `memory`")


def readable(line: bytes) -> str:
    """Return a line for the log; what can be in no log is not even decoded."""
    return line[:NOTED].decode(errors="replace")


def read(memory, at, size, most=OUTPUT):
    """Return bytes of a program's memory; raises `IndexError`, and `OutputExceeded` when they are too many."""
    check_output(size & 0xFFFFFFFF, most)
    return memory.read(at & 0xFFFFFFFF, size & 0xFFFFFFFF)


def number_of(ticket):
    """Return the number that stands for the id of something that was asked for."""
    _, turn, count = ticket.rsplit("/", 2)
    return int(turn) << TICKETS | int(count)


def refused(host, denied):
    """Tell the journal what was denied."""
    host.desk.note(Deed.DENIED, str(denied))
    return DENIED
