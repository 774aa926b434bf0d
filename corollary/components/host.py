"""What does a component get from the host? WASI 0.2: what a `Wasi` has for programs of preview 1, but no folders.

There are arguments, variables, standard streams, clocks, random bytes and the waiting for them. Files are there as
types, of which no object exists. Whoever calls a function of HTTP or sockets is trapped: it is denied.
"""

import errno
import time
from collections.abc import Callable, Mapping, Sequence
from operator import index
from typing import Any, NoReturn

from corollary.components.component import INSIDE, Component, ComponentInstance
from corollary.components.linking import Denied
from corollary.components.refusal import trap
from corollary.components.values import Case
from corollary.meter import RUNNING
from corollary.outcome import Exited
from corollary.wasi import CHUNK, Stream, Wasi

VERSION = "0.2."  # of all interfaces; what comes behind the last dot only adds to them
RUN = "wasi:cli/run"
DENIED = ("wasi:http/", "wasi:sockets/")
AT_ONCE = 4096  # bytes that one call writes and flushes, at most
SECOND = 10**9  # nanoseconds
NAP = 0.01  # seconds between two looks whether anything is ready, or the call is to stop
NONE, CLOSED = Case("none"), Case("error", Case("closed"))


def some(value: Any) -> Case:
    """Return an option that is there."""
    return Case("some", value)


def ok(value: Any = None) -> Case:
    """Return the result of what went well."""
    return Case("ok", value)


class Interface(dict[str, Any]):
    """What an instance of the host exports: functions and classes by name; any other name is one of a type."""

    def __init__(self, functions: Mapping[str, Any], classes: Mapping[str, type] = {}):
        super().__init__(functions)
        for name, class_ in classes.items():
            self[name] = class_
            for each, function in vars(class_).items():
                if callable(function) and not each.startswith("_"):
                    self[f"[method]{name}.{each.replace('_', '-')}"] = method(class_, function)

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> None:
        return None


def method(class_: type, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that no object of another class is taken for, whatever type a component says that it has."""

    def called(this: Any, *values: Any) -> Any:
        if not isinstance(this, class_):
            raise TypeError(f"{this!r} is no {class_.__name__}")
        return function(this, *values)

    return called


class DeniedInterface(Interface):
    """An interface that a component may import, but not use."""

    def __init__(self, path: str):
        super().__init__({})
        self.path = path

    def __missing__(self, name: str) -> Any:
        return self.setdefault(name, type(f"{self.path}#{name}", (Denied,), {}))


class Error:
    """What went wrong with a stream."""

    def __init__(self, error: OSError):
        self._error = error

    def to_debug_string(self) -> str:
        """Return what people may read."""
        return str(self._error)


def failed(error: OSError) -> Case:
    """Return the result of a stream that failed."""
    return Case("error", Case("last-operation-failed", Error(error)))


class Pollable:
    """Something to wait for: a time of the monotonic clock in nanoseconds, or None for what is ready."""

    def __init__(self, clock: Callable[[int], int], at: int | None = None):
        self._clock, self._at = clock, at

    def ready(self) -> bool:
        """Is it there?"""
        return self._at is None or self._clock(time.CLOCK_MONOTONIC) >= self._at

    def block(self) -> None:
        """Wait for it."""
        poll([self])


def poll(waiting: Sequence[Pollable]) -> list[int]:
    """Wait until something is ready; return the numbers of all that is. Raises `Stopped` when the time is up."""
    if not waiting:
        trap("a component waits for nothing: that would be for ever")
    while True:
        ready = [number for number, each in enumerate(waiting) if each.ready()]
        if ready:
            return ready
        rest()


def rest() -> None:
    """Wait for a moment; raises `Stopped` when the time of the call is up."""
    meter = RUNNING.innermost()
    if meter is not None:
        meter.check("waiting")
    time.sleep(NAP)


class InputStream:
    """Bytes that come in."""

    def __init__(self, stream: Stream, clock: Callable[[int], int]):
        self._stream, self._clock = stream, clock

    def _read(self, count: int, wait: bool) -> Case:
        """Return up to `count` bytes; with `wait`, at least one."""
        while True:
            try:
                found = self._stream.read(min(count, CHUNK))
            except OSError as error:
                if error.errno != errno.EAGAIN:
                    return failed(error)
                if not wait:
                    return ok(b"")
                rest()
                continue
            return ok(found) if found or not count else CLOSED

    def read(self, count: int) -> Case:
        """Return what is there."""
        return self._read(count, False)

    def blocking_read(self, count: int) -> Case:
        """Wait for at least one byte."""
        return self._read(count, True)

    def skip(self, count: int) -> Case:
        """Read and forget."""
        return counted(self.read(count))

    def blocking_skip(self, count: int) -> Case:
        """Read and forget, at least one byte."""
        return counted(self.blocking_read(count))

    def subscribe(self) -> Pollable:
        """Return what is ready when a read would find something; a read waits for it, so it is ready."""
        return Pollable(self._clock)


def counted(read: Case) -> Case:
    """Return how many bytes were read."""
    return ok(len(read.value)) if read.label == "ok" else read


class OutputStream:
    """Bytes that go out. Each write is made at once, so there is always room, and nothing to flush."""

    def __init__(self, stream: Stream, clock: Callable[[int], int]):
        self._stream, self._clock = stream, clock

    def check_write(self) -> Case:
        """Return how many bytes may be written now."""
        return CLOSED if self._stream.closed else ok(CHUNK)

    def write(self, data: bytes) -> Case:
        """Write all of it."""
        if len(data) > CHUNK:
            trap(f"{len(data)} bytes are written at once, {CHUNK} may be")
        if self._stream.closed:
            return CLOSED
        left = memoryview(data)
        while left:
            try:
                left = left[self._stream.write(left) :]
            except OSError as error:
                if error.errno == errno.EPIPE:
                    return CLOSED
                if error.errno != errno.EAGAIN:
                    return failed(error)
                rest()
        return ok()

    def blocking_write_and_flush(self, data: bytes) -> Case:
        """Write all of it, which is little."""
        if len(data) > AT_ONCE:
            trap(f"{len(data)} bytes are written and flushed at once, {AT_ONCE} may be")
        return self.write(data)

    def write_zeroes(self, count: int) -> Case:
        """Write so many zeroes."""
        return self.write(bytes(min(count, CHUNK + 1)))

    def blocking_write_zeroes_and_flush(self, count: int) -> Case:
        """Write so many zeroes, which are few."""
        return self.blocking_write_and_flush(bytes(min(count, AT_ONCE + 1)))

    def flush(self) -> Case:
        """Do nothing: all was written."""
        return self.write(b"")

    def blocking_flush(self) -> Case:
        """Do nothing: all was written."""
        return self.write(b"")

    def splice(self, source: InputStream, count: int) -> Case:
        """Write what is read from another stream."""
        return self._spliced(source.read(count))

    def blocking_splice(self, source: InputStream, count: int) -> Case:
        """Write what is read from another stream, at least one byte."""
        return self._spliced(source.blocking_read(count))

    def _spliced(self, read: Case) -> Case:
        """Write what was read, and return how much it was."""
        written = self.write(read.value) if read.label == "ok" else read
        return ok(len(read.value)) if written.label == "ok" else written

    def subscribe(self) -> Pollable:
        """Return what is ready when something may be written, which is always."""
        return Pollable(self._clock)


class TerminalInput:
    """A person who types."""


class TerminalOutput:
    """A person who reads."""


class Descriptor:
    """A file. There is none."""


class DirectoryEntryStream:
    """What is in a folder. There is none."""


def exit_with(status: int) -> NoReturn:
    """End the program with a status, which is a byte."""
    raise Exited(index(status) & 0xFF)


def text(data: bytes) -> str:
    """Return a text of the host as one of a component."""
    return data.decode(errors="replace")


def variables(wasi: Wasi) -> list[tuple[str, str]]:
    """Return the environment."""
    found = (text(each).split("=", 1) for each in wasi.environ)
    return [(name, value) for name, value in found]


def moment(nanoseconds: int) -> dict[str, int]:
    """Return a time in seconds and nanoseconds."""
    seconds, rest = divmod(nanoseconds, SECOND)
    return {"seconds": seconds, "nanoseconds": rest}


def bytes_of(wasi: Wasi, count: int) -> bytes:
    """Return random bytes."""
    if count > CHUNK:
        trap(f"{count} random bytes are asked for at once, {CHUNK} may be")
    return wasi.random(count)


def number_of(wasi: Wasi) -> int:
    """Return a random number of 8 bytes."""
    return int.from_bytes(wasi.random(8), "little")


def interfaces(wasi: Wasi) -> dict[str, Interface]:
    """Return what a `Wasi` gives to a component, by the names of interfaces without their version."""
    clock = wasi.clock
    streams = {"input-stream": InputStream, "output-stream": OutputStream}
    files = {"descriptor": Descriptor, "directory-entry-stream": DirectoryEntryStream}

    def later(after: int) -> Pollable:
        return Pollable(clock, clock(time.CLOCK_MONOTONIC) + after)

    def terminal(file: Any, class_: type) -> Callable[[], Case]:
        return lambda: some(class_()) if file.isatty() else NONE

    return {
        "wasi:io/error": Interface({}, {"error": Error}),
        "wasi:io/poll": Interface({"poll": poll}, {"pollable": Pollable}),
        "wasi:io/streams": Interface({}, streams),
        "wasi:cli/environment": Interface(
            {
                "get-arguments": lambda: [text(each) for each in wasi.args],
                "get-environment": lambda: variables(wasi),
                "initial-cwd": lambda: NONE,
            }
        ),
        "wasi:cli/exit": Interface(
            {"exit": lambda status: exit_with(int(status.label == "error")), "exit-with-code": exit_with}
        ),
        "wasi:cli/stdin": Interface({"get-stdin": lambda: InputStream(wasi.open[0], clock)}),
        "wasi:cli/stdout": Interface({"get-stdout": lambda: OutputStream(wasi.open[1], clock)}),
        "wasi:cli/stderr": Interface({"get-stderr": lambda: OutputStream(wasi.open[2], clock)}),
        "wasi:cli/terminal-input": Interface({}, {"terminal-input": TerminalInput}),
        "wasi:cli/terminal-output": Interface({}, {"terminal-output": TerminalOutput}),
        "wasi:cli/terminal-stdin": Interface({"get-terminal-stdin": terminal(wasi.stdin, TerminalInput)}),
        "wasi:cli/terminal-stdout": Interface({"get-terminal-stdout": terminal(wasi.stdout, TerminalOutput)}),
        "wasi:cli/terminal-stderr": Interface({"get-terminal-stderr": terminal(wasi.stderr, TerminalOutput)}),
        "wasi:clocks/monotonic-clock": Interface(
            {
                "now": lambda: clock(time.CLOCK_MONOTONIC),
                "resolution": lambda: wasi.resolution(time.CLOCK_MONOTONIC),
                "subscribe-instant": lambda at: Pollable(clock, at),
                "subscribe-duration": later,
            }
        ),
        "wasi:clocks/wall-clock": Interface(
            {
                "now": lambda: moment(clock(time.CLOCK_REALTIME)),
                "resolution": lambda: moment(wasi.resolution(time.CLOCK_REALTIME)),
            }
        ),
        "wasi:random/random": Interface(
            {"get-random-bytes": lambda count: bytes_of(wasi, count), "get-random-u64": lambda: number_of(wasi)}
        ),
        "wasi:random/insecure": Interface(
            {
                "get-insecure-random-bytes": lambda count: bytes_of(wasi, count),
                "get-insecure-random-u64": lambda: number_of(wasi),
            }
        ),
        "wasi:random/insecure-seed": Interface({"insecure-seed": lambda: (number_of(wasi), number_of(wasi))}),
        "wasi:filesystem/preopens": Interface({"get-directories": list}),
        "wasi:filesystem/types": FileTypes({"filesystem-error-code": lambda error: NONE}, files),
    }


class FileTypes(Interface):
    """Files: each function on one is there, but nobody has a file to call it with."""

    def __missing__(self, name: str) -> Any:
        return (lambda *values: trap(f"{name} is called, but there are no files")) if name.startswith("[") else None


def imports(component: Component, wasi: Wasi) -> dict[str, Interface]:
    """Return of WASI what a component imports, for `ComponentInstance`."""
    found = interfaces(wasi)
    given = {}
    for asked in component.imports:
        name, _, version = asked.partition("@")
        if version.startswith(VERSION) and name in found:
            given[asked] = found[name]
        elif name.startswith(DENIED):
            given[asked] = DeniedInterface(name)
    return given


def run_of(instance: ComponentInstance) -> str | None:
    """Return the name of the function that runs a command, or None if the component is no command."""
    names = (name for name in instance.exports if name.startswith(f"{RUN}@{VERSION}"))
    return next((f"{name}{INSIDE}run" for name in names), None)
