"""What does a running instance consist of? Everything that a snapshot holds, and what it shares with others.

The data stack holds values and nothing else, the control stack one number for each call: the word of code that it returns to, and
above it the upper half of the word before, which tells how much higher its frame is, and where a single result belongs. Neither holds
an address, so both are the same bytes on every machine.
"""

from language.types import Enum, Slice, u8, u32, u64
from language.values import Record
from spec.wasm.module import Module
from spec.wasm.traps import Trap

PAGE = 65_536                   # bytes of a page of memory
PIECE = 65_536                  # bytes that a bulk operation moves at most before the next safe point
ITEMS = PIECE // 8              # the same in elements of a table
FIELD = 0xFFFF                  # of a word of code: a slot, or a number of slots
PARAMETERS_AT = 32              # of the word before a function, about slots of its frame: parameters,
LOCALS_AT = 48                  # and these with all other locals
RESULT_AT = 48                  # in the last word of an operation: the slot of its result
FAILED = 0xFFFF_FFFF            # what growing results in when there is no room
EXIT = 1                        # the word that a call from outside returns to
NULL_REFERENCE = 0              # the null reference; that of a function is its number, counted from 1


class Outcome(Enum):
    """Why a run came to its end."""

    RETURNED = 0
    SUSPENDED = 1               # the budget of safe points is down to `stop`; it goes on where it is
    HOST_CALL = 2               # an imported function is called; it goes on when its results are there
    TRAPPED = 3


class Memory(Record):
    """A memory: room for all that it may become, and how much of that it is."""

    bytes: Slice[u8]
    size: u64                   # in bytes
    maximum: u32                # in pages


class Table(Record):
    """A table of references: room for all that it may become, and how much of that it is."""

    elements: Slice[u64]
    size: u32
    maximum: u32


class TableOf(Record):
    """A table of an instance, which others may share."""

    table: Slice[Table]
    elements: Slice[u64]        # all that it has room for; null beyond its size


class GlobalOf(Record):
    """A global of an instance, which others may share; a reference is in it as in tables."""

    cell: Slice[u64]


class Machine(Record):
    """An instance, and where it is."""

    module: Slice[Module]
    code: Slice[u64]
    entries: Slice[u64]         # of the module
    stack: Slice[u64]
    beyond: Slice[u64]          # nothing: what follows the stack
    control: Slice[u64]         # as long as the stack: every call begins a frame at a slot of its own
    memory: Slice[Memory]       # one at most
    tables: Slice[TableOf]
    globals: Slice[GlobalOf]
    items: Slice[u64]           # of element segments, as references
    dropped_elements: Slice[u8]
    dropped_data: Slice[u8]
    base: u64                   # what references of this instance count from where they are shared
    at: u32                     # the next operation
    frame: u32                  # the slot at which the frame begins
    depth: u32                  # calls on the control stack
    budget: u64                 # safe points until it is suspended
    outcome: Outcome
    trap: Trap
    callee: u64                 # of a host call: the function, or a reference to one of another instance
    foreign: bool               # is it such a reference?
    type: u32                   # the type that it must have then
    arguments: u32              # the slot where its arguments are, and its results are wanted
    top: u32                    # the first slot that is free then
    stop: u64                   # the budget at which a safe point suspends it; others may raise it
