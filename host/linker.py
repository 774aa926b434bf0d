"""What may be imported and exported? Functions, memories, tables and globals, of the host or of an instance."""

import ctypes
import weakref
from bisect import bisect_right
from dataclasses import dataclass

from host.library import MEMORY, TABLE, Room
from host.module import FunctionType
from spec.wasm.machine import PAGE
from spec.wasm.module import NONE
from spec.wasm.values import ValueType


@dataclass(eq=False, slots=True)    # large modules have thousands: frozen ones take three times as long
class Function:
    """A function: bits in, bits out, as the instance has them that defines it, or imports it of the host.

    One that nobody gave knows how it was asked for: module and name.
    """

    type: FunctionType
    perform: object
    instance: object = None
    index: int = 0
    asked: tuple | None = None

    @property
    def of_host(self):
        """Is it no code of an instance?"""
        return self.perform is not None or self.asked is not None


@dataclass(frozen=True)
class WithInstance:
    """A Python function that takes the instance that imports it first."""

    perform: object


class Memory:
    """A memory of so many pages, which may grow up to a maximum; never beyond what the limits of who makes it say."""

    def __init__(self, minimum, maximum=None, limit=PAGE):
        self.minimum, self.maximum, self.users = minimum, maximum, []
        self.room = Room(MEMORY)
        most = max(minimum, min(limit, limit if maximum is None else maximum))
        self.room.reserve("bytes", most * PAGE)
        self.room.value.size, self.room.value.maximum = minimum * PAGE, most

    @property
    def pages(self):
        """How many pages it has now."""
        return self.room.value.size // PAGE

    def view(self):
        """Its bytes as they are now, to be read and written."""
        return memoryview(self.room["bytes"]).cast("B")[:self.room.value.size]

    def read(self, at, count):
        """Some bytes; raises `IndexError` beyond its end."""
        self.check(at, count)
        return bytes(self.view()[at:at + count])

    def write(self, at, data):
        """Replace some bytes; raises `IndexError` beyond its end."""
        self.check(at, len(data))
        self.view()[at:at + len(data)] = data

    def check(self, at, count):
        """Raise `IndexError` for what is not within it."""
        if at < 0 or count < 0 or at + count > self.room.value.size:
            raise IndexError(f"bytes {at} .. {at + count} are not within the memory, which has {self.room.value.size}")


class Table:
    """A table of references, as those who share it see them: 0, or the number of a function of the process, counted from 1."""

    def __init__(self, element, minimum, maximum=None, limit=10_000_000):
        self.element, self.minimum, self.maximum, self.users = ValueType(element), minimum, maximum, []
        self.closed = False     # may it hold references that were forged, so that nobody else should look into it?
        self.room = Room(TABLE)
        most = max(minimum, min(limit, limit if maximum is None else maximum))
        self.room.reserve("elements", most)
        self.room.value.size, self.room.value.maximum = minimum, most

    @property
    def size(self):
        """How many elements it has now."""
        return self.room.value.size


class Global:
    """A global of a type, by its bits; those of a reference are as in a table."""

    def __init__(self, type_, mutable, bits):
        self.type, self.mutable, self.users = ValueType(type_), mutable, []
        self.closed = False     # as of a table
        self.cell = (ctypes.c_uint64 * 1)(bits)

    @property
    def bits(self):
        """Its value now."""
        return self.cell[0]


class Store:
    """The functions of all instances of the process, by number: what references mean where instances share them."""

    def __init__(self):
        self.bases, self.owners, self.end = [], [], 0

    def enter(self, instance, count):
        """The number from which the functions of an instance count. Objects count from far above."""
        base = self.end
        self.bases.append(base)
        self.owners.append(weakref.ref(instance))
        self.end += count + 1       # so that no reference of one instance is the null reference of the next
        return base

    def find(self, reference):
        """The function that a shared reference means; raises `LookupError`. Who shares a table with an instance keeps it."""
        position = bisect_right(self.bases, reference - 1) - 1
        instance = self.owners[position]() if position >= 0 else None
        if instance is None or reference - self.bases[position] > len(instance.functions):
            raise LookupError(f"{reference:#x} refers to no function")
        return instance.functions[reference - self.bases[position] - 1]


STORE = Store()


def fits(size, maximum, wanted):
    """Is a memory or table large enough, and does it promise not to grow too much, for the limits of an import?"""
    if size < wanted.minimum:
        return False
    return not wanted.bounded or (maximum is not None and maximum <= wanted.maximum)


UNBOUNDED = NONE
