"""What can a module import and export? Functions, memories, tables and globals, of the host or of an instance."""

import ctypes
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from corollary.library import MEMORY, TABLE, Room
from corollary.limits import MOST, LimitExceeded, check_asked, check_whole
from corollary.module import FunctionType
from corollary.spec.wasm.machine import PAGE
from corollary.spec.wasm.module import MEMORY_PAGES
from corollary.spec.wasm.values import ValueType
from corollary.uncopied import Uncopied
from corollary.values import REFERENCES, all_bits, all_values, checked_bits

CELL = ctypes.c_uint64 * 1


@dataclass(eq=False, slots=True, weakref_slot=True)
class Function(Uncopied):
    """A function that takes and returns bits.

    `type` is its `FunctionType`. For a function of the host, `perform` takes one int for each argument, and returns a
    tuple with one int for each result; each int has the width of its type, and is unsigned. Anything else that it
    returns is a trap.
    References count as in the instance that defines the function, or imports it from the host: `instance`, where it
    has number `index`. `asked` is the `(module, name)` of an import that was not given.
    """

    type: FunctionType
    perform: Any
    instance: Any = None
    index: int = 0
    asked: tuple[str, str] | None = None

    @property
    def of_host(self) -> bool:
        """Is it a function of the host, not code of an instance?"""
        return self.perform is not None or self.asked is not None


@dataclass(frozen=True)
class WithInstance:
    """A Python function that takes the importing instance as its first argument."""

    perform: Any


@dataclass(frozen=True, slots=True)
class Native:
    """A Python function on values, wrapped as a function on the bits of the importing instance.

    `what` names it in messages.
    """

    function: Any
    type: FunctionType
    what: str

    def bits(self, instance, arguments):
        """Call it and return the bits of its results; raises `TypeError` or `ValueError` when they have other types."""
        values = all_values(self.type.parameters, arguments, instance.references)
        given = self.function
        result = given.perform(instance, *values) if isinstance(given, WithInstance) else given(*values)
        results = () if result is None and not self.type.results else result if isinstance(result, tuple) else (result,)
        return all_bits(self.type.results, results, instance.references, f"the result of {self.what}")


class Functions:
    """The functions of an instance by index.

    Each object is made on demand, and stays the same while something refers to it.
    """

    def __init__(self, instance):
        self.imported, self.numbers = [], {}
        self.owner: Callable[[], Any] = weakref.ref(instance)  # it lives as long as these are used
        self.made = weakref.WeakValueDictionary()

    def add(self, function):
        """Add an imported function."""
        self.numbers.setdefault(id(function), len(self.imported))
        self.imported.append(function)

    def __len__(self):
        return self.owner().module.value.counts.functions

    def is_imported(self, index):
        """Is the function imported, not defined in the module?"""
        return index < len(self.imported)

    def called(self, index):
        """Return the function to call: an imported one as it was given."""
        return self.imported[index] if self.is_imported(index) else self[index]

    def __getitem__(self, index):
        if self.is_imported(index) and self.imported[index].instance is not None:
            return self.imported[index]
        found = self.made.get(index)
        return found if found is not None else self.made.setdefault(index, self.make(index))

    def make(self, index):
        """Make the object for a function of this instance.

        An imported function of the host belongs to the instance too, so that others can refer to it.
        """
        owner = self.owner()
        if self.is_imported(index):
            given = self.imported[index]
            return Function(given.type, given.perform, owner, index, given.asked)
        return Function(owner.type_of(index), None, owner, index)

    def number(self, function):
        """Return the index of a function, or None when it is foreign to this instance."""
        return function.index if function.instance is self.owner() else self.numbers.get(id(function))


class External(Uncopied):
    """A memory, table or global, which instances may share.

    One that holds references keeps all its instances alive, because it may refer to things of theirs. Threads may run
    instances that share one at the same time: a read may then give an old or a new value, but nothing outside it is
    touched.
    """

    importers: Any = frozenset()
    kept: Any = importers  # shared default: a module may have thousands of externals

    def __init__(self, holds: bool):
        self.holds = holds

    def share(self, instance: Any) -> None:
        """Note that it is visible outside the instance."""
        if self.holds:
            vars(self).setdefault("kept", set()).add(instance)

    def import_to(self, instance: Any) -> None:
        """Note that an instance imports it."""
        vars(self).setdefault("importers", weakref.WeakSet()).add(instance)
        self.share(instance)


class Memory(External):
    """A linear memory of `minimum` pages of 64 KiB, which may grow.

    It grows up to `maximum` pages, which is also the maximum of its type (None: none is declared), and never beyond
    `limit` pages. Raises `LimitExceeded` when `minimum` is above `limit`, and `TypeError` or `ValueError` for sizes
    that are not ints in range, or when `maximum` is below `minimum`.
    """

    def __init__(self, minimum: int, maximum: int | None = None, limit: int = MEMORY_PAGES):
        super().__init__(False)
        check_sizes("Memory", minimum, maximum, limit, MEMORY_PAGES)
        check_asked("pages", minimum, limit)
        self.minimum, self.maximum = minimum, maximum
        self.room = Room(MEMORY)
        most = limit if maximum is None else min(limit, maximum)
        self.room.reserve("bytes", most * PAGE)
        self.room.value.size, self.room.value.maximum = minimum * PAGE, most

    @property
    def pages(self) -> int:
        """The number of pages that it has now."""
        return self.room.value.size // PAGE

    def grow(self, count: int) -> int:
        """Add `count` zero pages, and return how many there were before.

        Call this only while no call that uses the memory is running. Raises `LimitExceeded` when there is no room, and
        `TypeError` or `ValueError` for a count that is not an int in range.
        """
        before, most = self.pages, self.room.value.maximum
        check_whole("a number of pages", count, MEMORY_PAGES)
        if before + count > most:
            raise LimitExceeded(f"the memory has {before} of {most} pages: there is no room for {count} more")
        self.room.value.size += count * PAGE
        return before

    def view(self) -> memoryview:
        """Return a writable `memoryview` of its bytes, as long as the memory is now."""
        return memoryview(self.room["bytes"]).cast("B")[: self.room.value.size]

    def read(self, at: int, count: int) -> bytes:
        """Return `count` bytes from position `at`; raises `IndexError` when they are not within the memory."""
        self.check(at, count)
        return bytes(self.view()[at : at + count])

    def write(self, at: int, data: bytes | bytearray | memoryview) -> None:
        """Replace the bytes from position `at` with `data`; raises `IndexError` when they are not within the memory."""
        self.check(at, len(data))
        self.view()[at : at + len(data)] = data

    def check(self, at: int, count: int) -> None:
        """Raise `IndexError` unless `count` bytes from position `at` are within the memory."""
        if at < 0 or count < 0 or at + count > self.room.value.size:
            raise IndexError(f"bytes {at} .. {at + count} are not within the memory, which has {self.room.value.size}")


class Table(External):
    """A table of `minimum` references, which code may make larger, up to `maximum` and never beyond `limit` elements.

    `element` is the reference type. A reference is stored in its shared form: 0 for null, or the number of a function
    or an object. Raises as `Memory` does.
    """

    def __init__(self, element: ValueType, minimum: int, maximum: int | None = None, limit: int = 10_000_000):
        super().__init__(True)
        check_sizes("Table", minimum, maximum, limit, MOST["elements"])
        check_asked("elements", minimum, limit)
        self.element, self.minimum, self.maximum = ValueType(element), minimum, maximum
        self.closed = False  # may it hold forged references? Then no other instance may import it
        self.room = Room(TABLE)
        most = limit if maximum is None else min(limit, maximum)
        self.room.reserve("elements", most)
        self.room.value.size, self.room.value.maximum = minimum, most

    @property
    def size(self) -> int:
        """The number of elements that it has now."""
        return self.room.value.size


class Global(External):
    """A global of a value type, with its value as bits.

    `bits` is an unsigned int of the type's width; a reference has the form that it has in a table. `mutable` says
    whether code may set it. Raises `TypeError` or `ValueError` when `bits` do not fit the type.
    """

    def __init__(self, type_: ValueType, mutable: bool, bits: int):
        self.type, self.mutable = ValueType(type_), mutable
        super().__init__(self.type in REFERENCES)
        self.closed = False  # as for a table
        self.cell = CELL(*checked_bits((self.type,), (bits,), "the value of a Global"))

    @property
    def bits(self) -> int:
        """Its value now, as an unsigned int."""
        return self.cell[0]


Import = Function | External | WithInstance | Callable[..., Any]
Imports = Mapping[tuple[str, str], Import] | Iterable[tuple[tuple[str, str], Import]]
"""What is given for the imports of a module, by the module and the name that it asks for."""


def check_sizes(what, minimum, maximum, limit, most):
    """Raise `TypeError` or `ValueError` unless the sizes are ints in range, with a maximum not below the minimum."""
    check_whole(f"the least size of a {what}", minimum, most)
    check_whole(f"the limit of a {what}", limit, most)
    if maximum is not None:
        check_whole(f"the largest size of a {what}", maximum, (1 << 32) - 1)
        if maximum < minimum:
            raise ValueError(f"a {what} of {minimum} that may have {maximum} at most cannot be")


def fits(size, maximum, wanted):
    """Do the size and the maximum of a memory or table fit the limits that an import asks for?"""
    if size < wanted.minimum:
        return False
    return not wanted.bounded or (maximum is not None and maximum <= wanted.maximum)
