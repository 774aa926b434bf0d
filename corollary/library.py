"""How does Python reach the VM? Through a shared library built from the generated C, with records as `ctypes` types."""

import ctypes
import gc
import mmap
from functools import cache
from types import SimpleNamespace
from typing import Any

from corollary.codegen import build
from corollary.language.types import ArrayType, SliceType, is_scalar
from corollary.lasting import Lock
from corollary.limits import LimitExceeded
from corollary.spec.wasm import machine, module, snapshot

LARGE = 1 << 20  # bytes; an array of this size or more gets memory only as it is used
NO_RESERVE = 0x4000  # MAP_NORESERVE of Linux: address space now, memory when it is used
UNSIGNED = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}
PREFIX = "corollary_"  # start of each name in the library
FUNCTIONS = {  # rest of the name: result and parameters, P for a pointer to a record
    "decoder_survey": (None, "P"),
    "room_code_words": (8, "P"),
    "decoder_decode": (None, "P"),
    "validator_validate": (None, "PP"),
    "translator_translate": (None, "PP"),
    "instantiation_fill_globals": (None, "P"),
    "instantiation_fill_items": (None, "PL"),
    "instantiation_copy_elements": (1, "PII"),
    "instantiation_copy_data": (1, "PII"),
    "entry_enter": (1, "PI"),
    "entry_leave": (None, "P"),
    "entry_result_slot": (4, "PI"),
    "run": (1, "P"),
    "turn": (1, "PIL"),
    "stop_loading": (None, "P"),
    "saved_size": (8, "P"),
    "save_to": (1, "PPL"),
    "content_restore": (1, "PPP"),
}
LOADING, LOADED = Lock(), {}  # libraries by flags; the lock makes concurrent threads load one only once


class Slice(ctypes.Structure):
    """Where the elements of a slice lie, and how many there are."""

    _fields_ = [("at", ctypes.c_void_p), ("length", ctypes.c_uint64)]


@cache
def structure(type_) -> Any:
    """Return the `ctypes` type for a type of the language.

    The C compiler lays out records as `corollary.language.layout` does.
    """
    if is_scalar(type_):
        return UNSIGNED[type_.storage]
    if isinstance(type_, SliceType):
        return Slice
    if isinstance(type_, ArrayType):
        return structure(type_.element) * type_.length
    made = type(
        type_.name,
        (ctypes.Structure,),
        {"_fields_": [(name, structure(inner)) for name, inner in type_.fields.items()]},
    )
    assert ctypes.sizeof(made) == type_.layout.size, type_.name
    return made


def library(extra: tuple[str, ...] = ()) -> Any:
    """Return the VM's library, compiled with `extra` compiler flags."""
    if extra not in LOADED:
        with LOADING.here:
            LOADED.setdefault(extra, LOADED.get(extra) or loaded_library(extra))
    return LOADED[extra]


def loaded_library(extra):
    """Load the VM's library, and return an object with its functions, and with all of it as `loaded`."""
    loaded = ctypes.CDLL(str(build.vm_library(extra)))  # its calls release the lock of the interpreter
    letters = {"P": ctypes.c_void_p, "I": ctypes.c_uint32, "L": ctypes.c_uint64}
    functions = {name: getattr(loaded, PREFIX + name) for name in FUNCTIONS}
    for name, (result, parameters) in FUNCTIONS.items():
        functions[name].restype = UNSIGNED.get(result)
        functions[name].argtypes = [letters[letter] for letter in parameters]
    return SimpleNamespace(**functions, loaded=loaded)


NO_ROOM = (OSError, OverflowError, MemoryError, ValueError)  # what Python raises when it cannot map so many pages


def mapped(size):
    """Map `size` bytes of zero pages, which take memory only as they are used; raises one of `NO_ROOM`."""
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE)


def guarded(size):
    """Map the same between two guard pages; any access to those ends the process."""
    pages = mapped(size + 2 * mmap.PAGESIZE)
    forbid(pages, 0)
    forbid(pages, size + mmap.PAGESIZE)
    return pages


def forbid(pages, offset):
    """Make the page at an offset inaccessible; raises `OSError`."""
    at = ctypes.addressof(ctypes.c_char.from_buffer(pages, offset))
    if protect()(at, mmap.PAGESIZE, 0) != 0:
        raise OSError(ctypes.get_errno(), "a page beside the memory cannot be protected")


def had(make, what):
    """Return what `make` returns; raises `LimitExceeded` when there is no room.

    Unreachable instances may still hold pages, so it collects garbage and tries once more first.
    """
    try:
        return make()
    except NO_ROOM:
        gc.collect()
    try:
        return make()
    except NO_ROOM as error:
        raise LimitExceeded(f"this machine has no room for {what}: {error or type(error).__name__}") from None


@cache
def protect():
    """Return `mprotect` of the C library, which sets the access rights of pages."""
    found = ctypes.CDLL(None, use_errno=True).mprotect
    found.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return found


def part(array, first, end):
    """Yield the elements of an array from `first` up to `end`."""
    return (array[number] for number in range(first, end))


class Room:
    """A C record and the memory that its slices point to."""

    def __init__(self, record):
        self.record, self.value, self.kept = record, structure(record)(), {}

    @property
    def address(self):
        """The address of the record."""
        return ctypes.addressof(self.value)

    def make(self, **counts):
        """Allocate zeroed elements for slices, `name=count`; raises `LimitExceeded`."""
        for name, count in counts.items():
            kind = structure(self.record.fields[name].element) * max(count, 1)
            size = ctypes.sizeof(kind)
            self.put(
                name, had(lambda: kind.from_buffer(mapped(size)) if size >= LARGE else kind(), f"{count} {name}"), count
            )

    def put(self, name, array, count):
        """Point a slice at the first `count` elements of an array."""
        self.kept[name] = array
        held = getattr(self.value, name)
        held.at, held.length = ctypes.addressof(array), count

    def refer(self, name: str, other: "Room") -> None:
        """Point a slice at the record of another room."""
        self.put(name, (structure(other.record) * 1).from_buffer(other.value), 1)

    def lend(self, name, data):
        """Point a slice that is only read at a Python `bytes` object.

        Copying a large one would delay the reaction to an interrupt for too long.
        """
        held, self.kept[name] = getattr(self.value, name), data
        held.at, held.length = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data)

    def reserve(self, name, count):
        """Reserve `count` zeroed elements of a slice, which take memory only as they are used.

        The elements end where a guard page begins, and another guard page lies before them: an access outside ends the
        process. Raises `LimitExceeded`.
        """
        element = structure(self.record.fields[name].element)
        size = max(count, 1) * ctypes.sizeof(element)
        whole = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        pages = had(lambda: guarded(whole), f"{count} {name}")
        self.put(name, (element * max(count, 1)).from_buffer(pages, mmap.PAGESIZE + whole - size), count)

    def drop(self, name):
        """Give up the elements of a slice."""
        self.put(name, (structure(self.record.fields[name].element) * 1)(), 0)

    def __getitem__(self, name: str) -> Any:
        """Return the elements of a slice."""
        return self.kept[name]


MODULE, TRANSLATION, VALIDATION = module.Module, module.Translation, module.Validation
MACHINE, MEMORY, TABLE, CONTENT = machine.Machine, machine.Memory, machine.Table, snapshot.Content
for record in (MODULE, TRANSLATION, VALIDATION, MACHINE, MEMORY, TABLE, CONTENT):
    structure(record)  # each is made once, before there can be a second thread
