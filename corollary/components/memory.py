"""How does a call read and write the memory of a component? Within its bounds, aligned, and not without end."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn, TypeVar

from corollary.components.refusal import trap
from corollary.components.resources import Compartment, Scope
from corollary.linker import Function, Memory
from corollary.meter import RUNNING
from corollary.run import perform

PASSING = "passing values"
LONGEST = (1 << 28) - 1  # bytes of a text
LIFTED = 1 << 26  # bytes that the Python values of one call take, at most
UTF16_TAG = 1 << 31  # in the length of a text that is either Latin-1 or UTF-16

Item = TypeVar("Item")


class Encoding(Enum):
    """How texts lie in memory: name for Python, and bytes of a unit."""

    UTF8 = "utf-8", 1
    UTF16 = "utf-16-le", 2
    LATIN1_UTF16 = "latin-1", 2


@dataclass(frozen=True)
class Options:
    """What a function that is lifted or lowered says about its core module."""

    encoding: Encoding = Encoding.UTF8
    memory: Memory | None = None
    realloc: Function | None = None
    post_return: Function | None = None


class Context:
    """One direction of one call, as seen from one component: `instance`, its `options`, and the `scope` of borrows."""

    def __init__(self, instance: Compartment, options: Options, scope: Scope):
        self.instance, self.options, self.scope = instance, options, scope
        self.left = LIFTED

    @property
    def memory(self) -> Memory:
        """The memory; a function that needs one was refused without."""
        assert self.options.memory is not None
        return self.options.memory

    def charge(self, size: int) -> None:
        """Count bytes of Python values; trap when they are too many, raise `Stopped` when the time is up."""
        self.left -= size
        if self.left < 0:
            trap(f"the values of one call take more than {LIFTED} bytes")
        meter = RUNNING.innermost()
        if meter is not None:
            meter.check(PASSING)

    def watched(self, items: Iterable[Item]) -> Iterable[Item]:
        """Return the items; whoever takes them all gets `Stopped` when the time is up."""
        meter = RUNNING.innermost()
        return items if meter is None else meter.watched(items, PASSING)

    def outside(self, at: int, size: int) -> NoReturn:
        """Trap: bytes are not within the memory."""
        trap(f"{size} bytes at {at:#x} are not within the memory, which has {self.memory.pages} pages")

    def check(self, at: int, size: int, alignment: int) -> None:
        """Trap unless so many bytes lie within the memory, at a multiple of the alignment."""
        if at % alignment:
            trap(f"the address {at:#x} is no multiple of {alignment}")
        if at + size > self.memory.room.value.size:
            self.outside(at, size)

    def read(self, at: int, size: int) -> bytes:
        """Return bytes of the memory."""
        try:
            return self.memory.read(at, size)
        except IndexError:
            self.outside(at, size)

    def write(self, at: int, data: bytes) -> None:
        """Replace bytes of the memory."""
        try:
            self.memory.write(at, data)
        except IndexError:
            self.outside(at, len(data))

    def allocate(self, size: int, alignment: int) -> int:
        """Return the address of new bytes that the component gives."""
        assert self.options.realloc is not None
        if size > LONGEST:
            trap(f"{size} bytes are more than one value may have")
        (at,) = perform(self.options.realloc, (0, 0, alignment, size))
        self.check(at, size, alignment)
        return at

    def text(self, at: int, length: int) -> str:
        """Return the text at an address; the length counts units of its encoding."""
        (name, unit), size = self.options.encoding.value, length
        if self.options.encoding is Encoding.LATIN1_UTF16 and length & UTF16_TAG:
            name, size = Encoding.UTF16.value[0], 2 * (length ^ UTF16_TAG)
        elif self.options.encoding is Encoding.UTF16:
            size = 2 * length
        if size > LONGEST:
            trap(f"a text of {size} bytes is too long")
        self.check(at, size, unit)
        self.charge(size)
        try:
            return self.read(at, size).decode(name)
        except UnicodeDecodeError as error:
            trap(f"a text is no {name}: {error.reason}, at byte {error.start}")

    def put_text(self, text: str) -> list[int]:
        """Put a text into new memory; return its address, and its length in units."""
        (name, unit), tag = self.options.encoding.value, 0
        try:
            data = text.encode(name)
        except UnicodeEncodeError:  # of the three, only Latin-1 lacks a character
            name, tag = Encoding.UTF16.value[0], UTF16_TAG
            data = text.encode(name)
        at = self.allocate(len(data), unit)
        self.write(at, data)
        return [at, len(data) // (2 if name == Encoding.UTF16.value[0] else 1) | tag]
