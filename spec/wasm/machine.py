"""What does a running instance consist of?

It is everything that a snapshot holds, and what the instance shares with others.

The data stack holds values and nothing else. The control stack holds one number for each call. Its lower half is the
word of code that the call returns to. Its upper half is the upper half of the word before, which says how much higher
the frame of the call is and where a single result belongs. Neither stack holds an address, so both are the same bytes
on every machine.
"""

from corollary.language.types import Enum, Shared, Slice, u8, u16, u32, u64
from corollary.language.values import Record
from corollary.language.word import Word, at
from corollary.spec.wasm.module import Module
from corollary.spec.wasm.traps import Trap

PAGE = 65_536  # bytes in a page of memory
PIECE = 65_536  # most bytes that a bulk operation moves before the next safe point
ITEMS = PIECE // 8  # the same in table elements
FIELD = 0xFFFF  # mask of a field in a word of code: a slot, or a number of slots
FAILED = 0xFFFF_FFFF  # the result of growing when there is no room
EXIT = 1  # the word that a call from outside returns to
NULL_REFERENCE = 0  # a reference to a function is its number, counted from 1


class BytecodeWord(Word[u64]):
    """The first word of an operation: which it is, and three fields."""

    handler: u16 = at(0)
    a: u16 = at(16)
    b: u16 = at(32)
    c: u16 = at(48)


class FarBytecodeWord(Word[u64]):
    """The first word of an operation with one field, and a number of 32 bits or where it leads."""

    handler: u16 = at(0)
    a: u16 = at(16)
    far: u32 = at(32)


class Pair(Word[u64]):
    """Two numbers in the second word of an operation."""

    low: u32 = at(0)
    high: u32 = at(32)


class SlotPair(Word[u32]):
    """Two slots, the operands of a sum."""

    first: u16 = at(0)
    second: u16 = at(16)


class Shape(Word[u64]):
    """The word before a function: how many slots its frame, its parameters, and these and its other locals have."""

    slots: u32 = at(0)
    parameters: u16 = at(32)
    locals: u16 = at(48)


class LastOfCall(Word[u64]):
    """The last word of a call, where the callee returns to."""

    handler: u16 = at(0)
    about: u16 = at(16)  # the first slot above the arguments, or the type of the callee
    distance: u16 = at(32)  # how much higher the frame of the callee is
    result: u16 = at(48)  # the slot of a single result


class Return(Word[u64]):
    """What the control stack holds for each call."""

    word: u32 = at(0)  # of code, that the call returns to
    distance: u16 = at(32)
    result: u16 = at(48)


class EntryOf(Word[u64]):
    """Where a function begins, and the first of its types that is the same."""

    entry: u32 = at(0)
    same: u32 = at(32)


class Outcome(Enum):
    """Why a run ended."""

    RETURNED = 0
    SUSPENDED = 1  # the budget of safe points is down to `stop`; the run resumes where it is
    HOST_CALL = 2  # an imported function is called; the run resumes when its results are there
    TRAPPED = 3


class Memory(Record):
    """A memory: room for all that it may grow to, and its current size."""

    bytes: Slice[u8]
    size: u64  # in bytes
    maximum: u32  # in pages


class Table(Record):
    """A table of references: room for all that it may grow to, and its current size."""

    elements: Slice[u64]
    size: u32
    maximum: u32


class TableOf(Record):
    """A table of an instance. Other instances may share it."""

    table: Slice[Table]
    elements: Slice[u64]  # all that the table has room for; null beyond its size


class GlobalOf(Record):
    """A global of an instance. Other instances may share it. It holds a reference in the same form as a table does."""

    cell: Slice[u64]


class Machine(Record):
    """An instance, and where its run is."""

    module: Slice[Module]
    code: Slice[u64]
    entries: Slice[u64]  # of the module
    stack: Slice[u64]
    beyond: Slice[u64]  # empty: it follows the stack
    control: Slice[u64]  # as long as the stack: every call begins a frame at its own slot
    memory: Slice[Memory]  # at most one
    tables: Slice[TableOf]
    globals: Slice[GlobalOf]
    items: Slice[u64]  # of element segments, as references
    dropped_elements: Slice[u8]
    dropped_data: Slice[u8]
    base: u64  # where references of this instance count from when they are shared
    at: u32  # the next operation
    frame: u32  # the slot at which the frame begins
    depth: u32  # calls on the control stack
    budget: u64  # safe points until the run is suspended
    outcome: Outcome
    trap: Trap
    callee: u64  # of a host call: the function, or a reference to one of another instance
    foreign: bool  # is the callee such a reference?
    type: u32  # the type that such a callee must have
    arguments: u32  # the slot where its arguments are, and where its results belong
    top: u32  # the first slot that is free during the host call
    stop: Shared[u64]  # the budget at which a safe point suspends the run; others may raise it
