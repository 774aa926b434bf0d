"""How does Python keep vectors, and find the nearest ones? In memory of its own, by code that is proved.

Each vector has a key and a version. A version is never given twice, so what was read can be replaced only if nobody
replaced it since. A search is exact, and about the vectors of one moment.
"""

import ctypes
import struct
from collections.abc import Sequence
from functools import cache
from typing import Any

from corollary.codegen import build
from corollary.lasting import Lock
from corollary.library import PREFIX, UNSIGNED, Room, structure
from corollary.limits import check_whole
from corollary.model.vectors.distance import FARTHEST, LARGEST_PRODUCT
from corollary.problem import Problem
from corollary.spec.vectors.limits import ANY, MOST, MOST_DIMENSION, RANKS
from corollary.spec.vectors.store import ENTRY, HEADER, Store
from corollary.spec.vectors.vocabulary import Element, Metric, Status
from corollary.spec.wasm.floats import F32_NAN, F32_SIGN, f32_value
from corollary.uncopied import Uncopied

FUNCTIONS: dict[str, tuple[int, str]] = {  # rest of the name: bytes of the result, and parameters by letter
    "store_format": (Status.storage, "PIBI"),
    "store_open_stored": (Status.storage, "P"),
    "store_free_row": (4, "P"),
    "store_row_of": (4, "PL"),
    "store_put_row": (Status.storage, "PILL"),
    "store_delete_key": (Status.storage, "PLL"),
    "store_begin_nearest": (Status.storage, "PB"),
    "store_go_on": (Status.storage, "PI"),
}
LETTERS = {"P": ctypes.c_void_p, "B": ctypes.c_uint8, "I": ctypes.c_uint32, "L": ctypes.c_uint64}
PARTS = {Element.I8: ("bytes", "b"), Element.F32: ("words", "f")}  # the slice of the elements, and their format
STEP = 256  # rows that are looked at in one call
structure(Store)  # made once, before there can be a second thread


class VectorRefused(Problem):
    """What a store does not do. `status` says why: a `Status`."""

    def __init__(self, status: Status):
        super().__init__(Status.notes.get(status.name) or status.name.lower().replace("_", " "))
        self.status = status


class VectorStore(Uncopied):
    """Up to `capacity` vectors of `dimension` elements, which are of type `element`.

    `stored` is what `saved` returned for a store of the same shape; without it, the store is empty. Raises
    `VectorRefused` if `stored` is no such store or a number is 0, `ValueError` for numbers beyond the limits, and
    `LimitExceeded` if this machine has no room. All methods may be called by several threads at once; they take turns.
    """

    advice = "save it, and make another one of that"

    def __init__(self, dimension: int, element: Element, capacity: int, stored: bytes | None = None):
        check_whole("dimension", dimension, MOST_DIMENSION)
        check_whole("capacity", capacity, MOST)
        self.dimension, self.element, self.capacity = dimension, Element(element), capacity
        self.part, letter = PARTS[self.element]
        self.format = struct.Struct(f"<{dimension}{letter}")
        rows = capacity + 2
        self.room, self.lock = Room(Store), Lock()
        self.room.make(table=HEADER + ENTRY * rows, **{self.part: rows * dimension})
        self.index = self.room.value.index
        if stored is None:
            self.do("format", dimension, int(self.element), capacity)
        else:
            self.restore(stored)

    def ask(self, name, *arguments):
        """Call a function of the store, and return its result."""
        return getattr(library(), f"{PREFIX}store_{name}")(self.room.address, *arguments)

    def do(self, name, *arguments):
        """Call a function that answers with a status; raises `VectorRefused`."""
        status = Status(self.ask(name, *arguments))
        if status is not Status.OK:
            raise VectorRefused(status)

    def restore(self, stored):
        """Take what was saved."""
        areas = [self.room["table"], self.room[self.part]]
        if len(stored) != sum(map(ctypes.sizeof, areas)):
            raise VectorRefused(Status.NO_ROOM)
        ctypes.memmove(areas[0], stored[: ctypes.sizeof(areas[0])], ctypes.sizeof(areas[0]))
        ctypes.memmove(areas[1], stored[ctypes.sizeof(areas[0]) :], ctypes.sizeof(areas[1]))
        self.do("open_stored")
        if (self.index.dimension, self.index.kind, self.index.capacity) != (
            self.dimension,
            int(self.element),
            self.capacity,
        ):
            raise VectorRefused(Status.NO_STORE)

    def saved(self) -> bytes:
        """Return the whole store, to be opened again."""
        with self.lock.here:
            return bytes(self.room["table"]) + bytes(self.room[self.part])

    def at(self, row):
        """Return the address of the elements of a row."""
        return ctypes.addressof(self.room[self.part]) + row * self.format.size

    def write(self, row, elements):
        """Write elements into a row; raises `ValueError` if they are too few or too many, or not of the type."""
        try:
            packed = self.format.pack(*elements)
        except (struct.error, OverflowError) as error:
            raise ValueError(f"no {self.dimension} elements of type {self.element.name}: {error}") from None
        ctypes.memmove(self.at(row), packed, len(packed))

    def get(self, key: int) -> tuple[Sequence[float], int]:
        """Return the elements of the vector of a key, and its version. Raises `KeyError`, `ValueError` for no u64."""
        check_whole("key", key, ANY)
        with self.lock.here:
            row = self.ask("row_of", key)
            if row == 0:
                raise KeyError(key)
            return self.format.unpack(ctypes.string_at(self.at(row), self.format.size)), self.index.row[row].version

    def put(self, key: int, elements: Sequence[float], expected: int = ANY) -> int:
        """Give a key a vector, and return its version, a new one.

        The vector that the key has must be of version `expected`; 0 stands for none, ANY for whatever it is. Raises
        `VectorRefused` if it is not, or if there is no place, or an element is not finite; nothing has changed then.
        """
        check_whole("key", key, ANY)
        check_whole("expected", expected, ANY)
        with self.lock.here:
            row = self.ask("free_row")
            self.write(row, elements)
            self.do("put_row", row, key, expected)
            return self.index.latest

    def delete(self, key: int, expected: int = ANY) -> None:
        """Take the vector of a key out; raises `VectorRefused` if there is none, or it has another version."""
        check_whole("key", key, ANY)
        check_whole("expected", expected, ANY)
        with self.lock.here:
            self.do("delete_key", key, expected)

    def nearest(self, query: Sequence[float], count: int, metric: Metric = Metric.SQUARED) -> list[tuple[int, float]]:
        """Return the keys of the vectors nearest to a query, and how near they are, nearest first.

        Of two that are as near, the one with the lower key comes first. How near is the squared distance or the dot
        product. Raises `ValueError` for a `count` above RANKS, and `VectorRefused` for a query that is not finite.
        """
        check_whole("count", count, RANKS)
        with self.lock.here:
            self.write(0, query)
            self.do("begin_nearest", int(metric))
            while self.index.search.at <= self.capacity + 1:  # in steps, between which an interrupt has its turn
                self.ask("go_on", STEP)
            self.do("go_on", 0)
            found = self.index.best[: min(count, self.index.search.found)]
            return [(each.key, self.shown(each.far, metric)) for each in found]

    def shown(self, far, metric):
        """Return the squared distance or the dot product that a place in the order of nearness stands for."""
        if self.element is Element.I8:
            return far if metric == Metric.SQUARED else self.dimension * LARGEST_PRODUCT - far
        if metric == Metric.DOT:
            far = F32_NAN if far == FARTHEST else far if far >= F32_SIGN else F32_SIGN - 1 - far
        return f32_value(far)


@cache
def library() -> Any:
    """Return the library with the functions of the store; its calls release the lock of the interpreter."""
    loaded = ctypes.CDLL(str(build.vectors_library()))
    for name, (size, parameters) in FUNCTIONS.items():
        function = getattr(loaded, PREFIX + name)
        function.restype, function.argtypes = UNSIGNED[size], [LETTERS[each] for each in parameters]
    return loaded
