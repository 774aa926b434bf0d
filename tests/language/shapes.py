"""Over which state do the generated programs run?

It has every kind of type once, and is small enough to compare whole.
"""

from corollary.language.builtins import (
    byte_swap,
    implies,
    leading_zeros,
    maximum,
    minimum,
    ones,
    rotate_right,
    rotated_left,
    rotated_right,
    saturating_sub,
    shift_left,
    shift_right,
    shift_right_signed,
    sign_extend,
    signed_divide,
    signed_less,
    signed_overflows,
    signed_remainder,
    subset,
    trailing_zeros,
    without,
    wrapping_add,
    wrapping_mul,
    wrapping_sub,
)
from corollary.language.bytes import fill, move
from corollary.language.layout import word
from corollary.language.loops import decreases, maintains
from corollary.language.types import Array, Enum, Flags, Index, OutOfRange, Slice, Table, boolean, u8, u16, u32, u64
from corollary.language.values import Record, clear, length, local

Slot = Index("Slot", 5)
Lane = Index("Lane", 8)
Far = Index("Far", 300)
LIMIT = 3
LARGE = 0x9000_0000_0000
BYTES = (3, 250, 0, 17, 9)
WORDS = (0x1_0000_0000, 5, 0xFFFF_FFFF_FFFF_FFFF)


class Kind(Enum):
    """Contiguous from zero, with more members than a `Lane`."""

    EMPTY = 0
    PAGE = 1
    GATE = 2
    RING = 3
    CLOCK = 4
    TOOL = 5
    SHARE = 6
    ROOT = 7
    LOG = 8


class Gap(Enum):
    """An enumeration with holes, and wider than `Slot` can count."""

    NONE = 0
    ONE = 1
    FOUR = 4
    ELEVEN = 11


class Right(Flags):
    """Named bits in two bytes."""

    READ = 1
    WRITE = 2
    GRANT = 0x8000


class Inner(Record):
    """A record without records."""

    flag: bool
    level: u8
    count: u32
    rights: Right


class Row(Record):
    """A table row with a nested record and an array."""

    kind: Kind
    gap: Gap
    owner: Slot
    rights: Right
    size: u64
    half: u16
    inner: Inner
    marks: Array[u8, 3]


class State(Record):
    """The state that the programs read and write."""

    row: Table[Slot, Row]
    lane: Table[Lane, u32]
    words: Array[u64, 4]
    cell: Array[Inner, 2]
    inner: Inner
    tick: u64
    ready: bool
    far: Far
    seat: Slot
    kind: Kind


class Heap(Record):
    """The state that programs outside the kernel read and write: slices, and numbers that count in them."""

    data: Slice[u8]
    text: Slice[u8]
    words: Slice[u64]
    cells: Slice[Inner]
    size: u64
    at: u32
    step: u8
    inner: Inner
    pair: Array[u32, 2]


Marks = Array[u8, 3]
Words = Array[u64, 4]
UNSIGNED = (u8, u16, u32, u64)
INDICES = (Slot, Lane, Far)
ENUMS = (Kind, Gap)
SCALARS = (*UNSIGNED, *INDICES, *ENUMS, Right, boolean)


def fits(type_, value):
    """Return `value`, the result of an operator of type `type_`.

    Raises `OutOfRange` when the exact result does not fit.
    """
    if not type_.contains(value):
        raise OutOfRange(f"{value} is not a {type_.name}")
    return value


def holds(promise):
    """Check the promise of a loop. Raises `OutOfRange` when it does not hold."""
    if not promise:
        raise OutOfRange("a loop breaks its promise")


def falls(measure, before):
    """Return the measure of a loop.

    `before` is the measure of the previous round, None in the first. Raises `OutOfRange` when the measure does not
    fall.
    """
    if before is not None and measure >= before:
        raise OutOfRange(f"the measure of a loop goes from {before} to {measure}")
    return measure


def below(bound, count):
    """Return the shift count `count`. Raises `OutOfRange` at `bound`."""
    if count >= bound:
        raise OutOfRange(f"shift by {count} of {bound}")
    return count
