"""What may be imported and exported? Functions, memories, tables and globals, of the host or of an instance."""

import ctypes
import weakref
from dataclasses import dataclass

from corollary.library import MEMORY, TABLE, Room
from corollary.limits import MOST, LimitExceeded, check_asked, check_whole
from corollary.module import FunctionType
from corollary.uncopied import Uncopied
from corollary.values import REFERENCES, all_bits, all_values, checked_bits
from spec.wasm.machine import PAGE
from spec.wasm.module import MEMORY_PAGES
from spec.wasm.values import ValueType

CELL = ctypes.c_uint64 * 1


@dataclass(eq=False, slots=True, weakref_slot=True)
class Function(Uncopied):
    """A function: bits in, bits out, as the instance has them that defines it, or imports it of the host.

    Bits are a whole number of the width of the type for each value, in a tuple; what else `perform` gives is a trap.

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


@dataclass(frozen=True, slots=True)
class Native:
    """A Python function on values, as one on the bits of the instance that imports it under some name."""

    function: object
    type: FunctionType
    what: str

    def bits(self, instance, arguments):
        """The bits of the results; raises `TypeError` or `ValueError` where they are not of their types."""
        values = all_values(self.type.parameters, arguments, instance.references)
        given = self.function
        result = given.perform(instance, *values) if isinstance(given, WithInstance) else given(*values)
        results = () if result is None and not self.type.results else result if isinstance(result, tuple) else (result,)
        return all_bits(self.type.results, results, instance.references, f"the result of {self.what}")


class Functions:
    """The functions of an instance by index: each made when somebody asks for it, the same while somebody has it."""

    def __init__(self, instance):
        self.owner, self.imported, self.numbers = weakref.ref(instance), [], {}
        self.made = weakref.WeakValueDictionary()

    def add(self, function):
        """One that is imported."""
        self.numbers.setdefault(id(function), len(self.imported))
        self.imported.append(function)

    def __len__(self):
        return self.owner().module.value.counts.functions

    def is_imported(self, index):
        """Is one not defined in the module?"""
        return index < len(self.imported)

    def called(self, index):
        """What a call of one is: as it was given, if it is imported."""
        return self.imported[index] if self.is_imported(index) else self[index]

    def __getitem__(self, index):
        if self.is_imported(index) and self.imported[index].instance is not None:
            return self.imported[index]
        found = self.made.get(index)
        return found if found is not None else self.made.setdefault(index, self.make(index))

    def make(self, index):
        """A function of the host that is imported belongs to the instance, so that others can refer to it, too."""
        owner = self.owner()
        if self.is_imported(index):
            given = self.imported[index]
            return Function(given.type, given.perform, owner, index, given.asked)
        return Function(owner.type_of(index), None, owner, index)

    def number(self, function):
        """The index of a function; None for one of somebody else."""
        return function.index if function.instance is self.owner() else self.numbers.get(id(function))


class External(Uncopied):
    """What instances may share. One with references keeps all that have it, for it may refer to what they have.

    Threads may run instances that share one at the same time: what they read of it may be old or new, but nothing
    beyond it is touched.
    """

    importers = kept = frozenset()      # of one that nobody shares: a module may have thousands

    def __init__(self, holds):
        self.holds = holds

    def share(self, instance):
        """Somebody outside the instance may have it."""
        if self.holds:
            vars(self).setdefault("kept", set()).add(instance)

    def import_to(self, instance):
        """An instance has it that did not make it."""
        vars(self).setdefault("importers", weakref.WeakSet()).add(instance)
        self.share(instance)


class Memory(External):
    """A memory of so many pages, which may grow up to a maximum; never beyond what the limits of who makes it say.

    Raises `LimitExceeded` where it begins beyond them, `TypeError` or `ValueError` for what are no sizes.
    """

    def __init__(self, minimum, maximum=None, limit=MEMORY_PAGES):
        super().__init__(False)
        check_sizes("Memory", minimum, maximum, limit, MEMORY_PAGES)
        check_asked("pages", minimum, limit)
        self.minimum, self.maximum = minimum, maximum
        self.room = Room(MEMORY)
        most = limit if maximum is None else min(limit, maximum)
        self.room.reserve("bytes", most * PAGE)
        self.room.value.size, self.room.value.maximum = minimum * PAGE, most

    @property
    def pages(self):
        """How many pages it has now."""
        return self.room.value.size // PAGE

    def grow(self, count):
        """Add pages, all zero, while no call runs that uses the memory; how many there were. Raises `LimitExceeded`."""
        before, most = self.pages, self.room.value.maximum
        check_whole("a number of pages", count, MEMORY_PAGES)
        if before + count > most:
            raise LimitExceeded(f"the memory has {before} of {most} pages: there is no room for {count} more")
        self.room.value.size += count * PAGE
        return before

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


class Table(External):
    """A table of references, as those who share it see them: 0, or the number of a function or an object.

    Raises as a memory does.
    """

    def __init__(self, element, minimum, maximum=None, limit=10_000_000):
        super().__init__(True)
        check_sizes("Table", minimum, maximum, limit, MOST["elements"])
        check_asked("elements", minimum, limit)
        self.element, self.minimum, self.maximum = ValueType(element), minimum, maximum
        self.closed = False     # may it hold references that were forged, so that nobody else should look into it?
        self.room = Room(TABLE)
        most = limit if maximum is None else min(limit, maximum)
        self.room.reserve("elements", most)
        self.room.value.size, self.room.value.maximum = minimum, most

    @property
    def size(self):
        """How many elements it has now."""
        return self.room.value.size


class Global(External):
    """A global of a type, by its bits; those of a reference are as in a table.

    Raises `TypeError` or `ValueError` for what are no bits of the type.
    """

    def __init__(self, type_, mutable, bits):
        self.type, self.mutable = ValueType(type_), mutable
        super().__init__(self.type in REFERENCES)
        self.closed = False     # as of a table
        self.cell = CELL(*checked_bits((self.type,), (bits,), "the value of a Global"))

    @property
    def bits(self):
        """Its value now."""
        return self.cell[0]


def check_sizes(what, minimum, maximum, limit, most):
    """Raise `TypeError` or `ValueError` for what are no sizes."""
    check_whole(f"the least size of a {what}", minimum, most)
    check_whole(f"the limit of a {what}", limit, most)
    if maximum is not None:
        check_whole(f"the largest size of a {what}", maximum, (1 << 32) - 1)
        if maximum < minimum:
            raise ValueError(f"a {what} of {minimum} that may have {maximum} at most cannot be")


def fits(size, maximum, wanted):
    """Is a memory or table large enough, and does it promise not to grow too much, for the limits of an import?"""
    if size < wanted.minimum:
        return False
    return not wanted.bounded or (maximum is not None and maximum <= wanted.maximum)
