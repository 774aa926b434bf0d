"""How does Python reach the VM? A shared library made from the generated C, and its records as `ctypes` structures."""

import ctypes
import gc
import mmap
from functools import lru_cache

from codegen import build
from corollary.lasting import Lock
from corollary.limits import LimitExceeded
from language.types import ArrayType, SliceType, is_scalar
from spec.wasm import machine, module

LARGE = 1 << 20         # bytes of an array from which on the machine gives only what is used
NO_RESERVE = 0x4000     # MAP_NORESERVE of Linux: room is promised, memory comes when it is used
UNSIGNED = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}
FUNCTIONS = {       # name: result and parameters, P for a pointer to a record
    "decoder_survey": (None, "P"), "decoder_decode": (None, "P"), "validator_validate": (None, "PP"), "translator_translate": (None, "PP"),
    "run": (1, "P"), "turn": (1, "PIL"), "snapshot_check": (1, "PP")}
LOADING, LOADED = Lock(), {}        # by flags: two threads that begin at once load one library


class Slice(ctypes.Structure):
    """Where the elements of a slice are, and how many."""

    _fields_ = [("at", ctypes.c_void_p), ("length", ctypes.c_uint64)]


@lru_cache(maxsize=None)
def structure(type_):
    """The `ctypes` type of a type of the language: the compiler lays out records as `language.layout` does."""
    if is_scalar(type_):
        return UNSIGNED[type_.storage]
    if isinstance(type_, SliceType):
        return Slice
    if isinstance(type_, ArrayType):
        return structure(type_.element) * type_.length
    made = type(type_.name, (ctypes.Structure,), {"_fields_": [(name, structure(inner)) for name, inner in type_.fields.items()]})
    assert ctypes.sizeof(made) == type_.layout.size, type_.name
    return made


def library(extra=()):
    """The VM, compiled with extra flags, if any."""
    if extra not in LOADED:
        with LOADING.here:
            LOADED.setdefault(extra, LOADED.get(extra) or loaded_library(extra))
    return LOADED[extra]


def loaded_library(extra):
    """The VM, loaded."""
    loaded = ctypes.CDLL(str(build.vm_library(extra)))
    letters = {"P": ctypes.c_void_p, "I": ctypes.c_uint32, "L": ctypes.c_uint64}
    for name, (result, parameters) in FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype = UNSIGNED.get(result)
        function.argtypes = [letters[letter] for letter in parameters]
    return loaded


NO_ROOM = (OSError, OverflowError, MemoryError, ValueError)     # what Python says where there are not so many pages


def mapped(size):
    """So many bytes of pages, all zero, of which the machine gives only what is used; raises one of `NO_ROOM`."""
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE)


def guarded(size):
    """The same between two pages that nobody may touch."""
    pages = mapped(size + 2 * mmap.PAGESIZE)
    forbid(pages, 0)
    forbid(pages, size + mmap.PAGESIZE)
    return pages


def forbid(pages, offset):
    """Nobody may touch a page any more."""
    at = ctypes.addressof(ctypes.c_char.from_buffer(pages, offset))
    if protect()(at, mmap.PAGESIZE, 0) != 0:
        raise OSError(ctypes.get_errno(), "a page beside the memory cannot be protected")


def had(make, what):
    """What `make` returns; raises `LimitExceeded`.

    Instances that nobody has any more may still hold pages: they give them back before.
    """
    try:
        return make()
    except NO_ROOM:
        gc.collect()
    try:
        return make()
    except NO_ROOM as error:
        raise LimitExceeded(f"this machine has no room for {what}: {error or type(error).__name__}") from None


@lru_cache(maxsize=None)
def protect():
    """The function of the C library that says who may touch pages."""
    found = ctypes.CDLL(None, use_errno=True).mprotect
    found.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return found


def part(array, first, end):
    """Some elements of an array, one after the other."""
    return (array[number] for number in range(first, end))


class Room:
    """A record in C, and the memory that its slices lie in."""

    def __init__(self, record):
        self.record, self.value, self.kept = record, structure(record)(), {}

    @property
    def address(self):
        """The address of the record."""
        return ctypes.addressof(self.value)

    def make(self, **counts):
        """Room for so many elements of each slice, all zero; raises `LimitExceeded`."""
        for name, count in counts.items():
            kind = structure(self.record.fields[name].element) * max(count, 1)
            size = ctypes.sizeof(kind)
            self.put(name, had(lambda: kind.from_buffer(mapped(size)) if size >= LARGE else kind(), f"{count} {name}"), count)

    def put(self, name, array, count):
        """Let a slice be some elements of an array."""
        self.kept[name] = array
        held = getattr(self.value, name)
        held.at, held.length = ctypes.addressof(array), count

    def lend(self, name, data):
        """Let a slice that nobody writes to be bytes of Python: to copy many takes longer than one may be deaf."""
        held, self.kept[name] = getattr(self.value, name), data
        held.at, held.length = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p), len(data)

    def reserve(self, name, count):
        """Room for so many elements of a slice, all zero, of which the machine gives only what is used.

        It ends where a page begins that nobody may touch, and such a page is before it, too: a mistake here ends the
        process. Raises `LimitExceeded`.
        """
        element = structure(self.record.fields[name].element)
        size = max(count, 1) * ctypes.sizeof(element)
        whole = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        pages = had(lambda: guarded(whole), f"{count} {name}")
        self.put(name, (element * max(count, 1)).from_buffer(pages, mmap.PAGESIZE + whole - size), count)

    def drop(self, name):
        """Nobody needs the elements of a slice any more."""
        self.put(name, (structure(self.record.fields[name].element) * 1)(), 0)

    def __getitem__(self, name):
        """The elements of a slice."""
        return self.kept[name]


MODULE, TRANSLATION, VALIDATION = module.Module, module.Translation, module.Validation
MACHINE, MEMORY, TABLE = machine.Machine, machine.Memory, machine.Table
for record in (MODULE, TRANSLATION, VALIDATION, MACHINE, MEMORY, TABLE):
    structure(record)       # each is made once, before there can be two threads
