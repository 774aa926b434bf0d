"""How does Python reach the VM? A shared library made from the generated C, and its records as `ctypes` structures."""

import ctypes
import gc
import mmap
from functools import lru_cache

from codegen import build
from spec.language.types import ArrayType, SliceType, is_scalar
from spec.wasm import machine, module

LARGE = 1 << 20         # bytes of an array from which on the machine gives only what is used
NO_RESERVE = 0x4000     # MAP_NORESERVE of Linux: room is promised, memory comes when it is used
UNSIGNED = {1: ctypes.c_uint8, 2: ctypes.c_uint16, 4: ctypes.c_uint32, 8: ctypes.c_uint64}
FUNCTIONS = {       # name: result and parameters, P for a pointer to a record
    "decoder_survey": (None, "P"), "decoder_decode": (None, "P"), "validator_validate": (None, "PP"), "translator_translate": (None, "PP"),
    "run": (1, "P"), "machine_init_memory": (1, "PPIII" + "I"), "machine_init_table": (1, "PPIIII"), "machine_grow_memory": (4, "PI"),
    "machine_grow_table": (4, "PI"), "snapshot_check": (1, "PP")}


class Slice(ctypes.Structure):
    """Where the elements of a slice are, and how many."""

    _fields_ = [("at", ctypes.c_void_p), ("length", ctypes.c_uint64)]


@lru_cache(maxsize=None)
def structure(type_):
    """The `ctypes` type of a type of the language: the compiler lays out records as `spec.language.layout` does."""
    if is_scalar(type_):
        return UNSIGNED[type_.storage]
    if isinstance(type_, SliceType):
        return Slice
    if isinstance(type_, ArrayType):
        return structure(type_.element) * type_.length
    made = type(type_.name, (ctypes.Structure,), {"_fields_": [(name, structure(inner)) for name, inner in type_.fields.items()]})
    assert ctypes.sizeof(made) == type_.layout.size, type_.name
    return made


@lru_cache(maxsize=None)
def library(extra=()):
    """The VM, compiled with extra flags, if any."""
    loaded = ctypes.CDLL(str(build.vm_library(extra)))
    letters = {"P": ctypes.c_void_p, "I": ctypes.c_uint32, "L": ctypes.c_uint64}
    for name, (result, parameters) in FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype = UNSIGNED.get(result)
        function.argtypes = [letters[letter] for letter in parameters]
    return loaded


def mapped(size):
    """So many bytes of pages, all zero. Instances that nobody has any more may still hold theirs: they give them back before this fails."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE
    try:
        return mmap.mmap(-1, size, flags=flags)
    except OSError:
        gc.collect()
        return mmap.mmap(-1, size, flags=flags)


def forbid(pages, offset):
    """Nobody may touch a page any more."""
    at = ctypes.addressof(ctypes.c_char.from_buffer(pages, offset))
    if protect()(at, mmap.PAGESIZE, 0) != 0:
        raise OSError(ctypes.get_errno(), "a page beside the memory cannot be protected")


@lru_cache(maxsize=None)
def protect():
    """The function of the C library that says who may touch pages."""
    found = ctypes.CDLL(None, use_errno=True).mprotect
    found.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    return found


class Room:
    """A record in C, and the memory that its slices lie in."""

    def __init__(self, record):
        self.record, self.value, self.kept = record, structure(record)(), {}

    @property
    def address(self):
        """The address of the record."""
        return ctypes.addressof(self.value)

    def make(self, **counts):
        """Room for so many elements of each slice, all zero; the arrays are attributes of `self`."""
        for name, count in counts.items():
            kind = structure(self.record.fields[name].element) * max(count, 1)
            size = ctypes.sizeof(kind)
            self.put(name, kind.from_buffer(mapped(size)) if size >= LARGE else kind(), count)

    def put(self, name, array, count):
        """Let a slice be some elements of an array."""
        self.kept[name] = array
        held = getattr(self.value, name)
        held.at, held.length = ctypes.addressof(array), count

    def reserve(self, name, count):
        """Room for so many elements of a slice, all zero, of which the machine gives only what is used.

        It ends where a page begins that nobody may touch, and such a page is before it, too: a mistake here ends the process.
        """
        element = structure(self.record.fields[name].element)
        size = max(count, 1) * ctypes.sizeof(element)
        end = mmap.PAGESIZE + -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        pages = mapped(end + mmap.PAGESIZE)
        forbid(pages, 0)
        forbid(pages, end)
        self.put(name, (element * max(count, 1)).from_buffer(pages, end - size), count)

    def __getitem__(self, name):
        """The elements of a slice."""
        return self.kept[name]


MODULE, TRANSLATION, VALIDATION = module.Module, module.Translation, module.Validation
MACHINE, MEMORY, TABLE = machine.Machine, machine.Memory, machine.Table
