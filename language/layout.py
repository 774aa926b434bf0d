"""At which byte is each field stored?

The layout is decided once, for C, the prover, the decoder and the assembly. Scalars are little-endian and aligned to
their size. Records and arrays are aligned to their widest scalar. Padding is explicit and zero. Only the functions here
know this.
"""

import struct
from dataclasses import dataclass
from functools import cache
from typing import Any

from corollary.language.types import ArrayType, SliceType, is_scalar

WORD = 8  # bytes of an address or a length
CODES = {1: "B", 2: "H", 4: "I", 8: "Q"}


@dataclass(frozen=True)
class Slot:
    """One field of a record: its name, type, byte offset and size."""

    name: str
    type: Any
    offset: int
    size: int


@dataclass(frozen=True)
class Layout:
    """The slots of a record in order, its size and alignment in bytes."""

    slots: tuple
    size: int
    alignment: int

    def __getitem__(self, name):
        return next(slot for slot in self.slots if slot.name == name)


def align(offset, alignment):
    """`offset` rounded up to a multiple of `alignment`."""
    return -(-offset // alignment) * alignment


def alignment_of(type_):
    """The alignment of a type in bytes."""
    if is_scalar(type_):
        return type_.storage
    if isinstance(type_, SliceType):
        return WORD
    return alignment_of(type_.element) if isinstance(type_, ArrayType) else type_.layout.alignment


def size_of(type_):
    """The size of a type in bytes, padding included."""
    if is_scalar(type_):
        return type_.storage
    if isinstance(type_, SliceType):
        return 2 * WORD
    return size_of(type_.element) * type_.length if isinstance(type_, ArrayType) else type_.layout.size


def lay_out(record):
    """The `Layout` of a record class."""
    slots, offset = [], 0
    for name, type_ in record.fields.items():
        offset = align(offset, alignment_of(type_))
        slots.append(Slot(name, type_, offset, size_of(type_)))
        offset += size_of(type_)
    widest = max(alignment_of(slot.type) for slot in slots)
    return Layout(tuple(slots), align(offset, widest), widest)


def offset_of(type_: Any, path):
    """The byte offset of `path` (names and positions) inside a value of `type_`."""
    offset = 0
    for part in path:
        if isinstance(part, int):
            offset, type_ = offset + part * size_of(type_.element), type_.element
        else:
            slot = type_.layout[part]
            offset, type_ = offset + slot.offset, slot.type
    return offset


def leaf_at(type_: Any, offset):
    """The path of the scalar (or padding) that covers byte `offset` of a value of `type_`."""
    path: tuple = ()
    while not is_scalar(type_):
        if isinstance(type_, ArrayType):
            position, offset = divmod(offset, size_of(type_.element))
            path, type_ = (*path, position), type_.element
            continue
        slot = next((s for s in type_.layout.slots if s.offset <= offset < s.offset + s.size), None)
        if slot is None:
            return (*path, "padding")
        path, type_, offset = (*path, slot.name), slot.type, offset - slot.offset
    return path


@cache
def _record_format(record):
    """The `struct` format of a record that holds only scalars and scalar arrays, or None."""
    parts, offset = ["<"], 0
    for slot in record.layout.slots:
        count, element = (slot.type.length, slot.type.element) if isinstance(slot.type, ArrayType) else (1, slot.type)
        if not is_scalar(element):
            return None
        parts.append(f"{slot.offset - offset}x{count}{CODES[element.storage]}")
        offset = slot.offset + slot.size
    return struct.Struct("".join(parts) + f"{record.layout.size - offset}x")


@cache
def _counts(record):
    """The name of each slot of such a record, and how many elements it has; None for a scalar."""
    return [(slot.name, None if is_scalar(slot.type) else slot.type.length) for slot in record.layout.slots]


def _flat(value, type_):
    """The numbers in such a record, in order."""
    numbers = []
    for name, count in _counts(type_):
        item = getattr(value, name)
        if count is None:
            numbers.append(item)
        else:
            numbers += [item.rows.get(i, 0) for i in range(count)]
    return numbers


def encode(value, type_):
    """The bytes of a value in memory. Untouched rows are zero."""
    if is_scalar(type_):
        return int(value).to_bytes(type_.storage, "little")
    data = bytearray(size_of(type_))
    if isinstance(type_, ArrayType):
        step = size_of(type_.element)
        for index, row in value.rows.items():
            data[index * step : (index + 1) * step] = encode(row, type_.element)
        return bytes(data)
    packed = _record_format(type_)
    if packed is not None:
        return packed.pack(*_flat(value, type_))
    for slot in type_.layout.slots:
        data[slot.offset : slot.offset + slot.size] = encode(getattr(value, slot.name), slot.type)
    return bytes(data)


def word(record, number):
    """The u64 in bytes `8 * number ..` of a record in memory."""
    return int.from_bytes(encode(record, type(record))[8 * number : 8 * number + 8], "little")


def decode(data, type_, into=None) -> Any:
    """Return the value whose bytes are `data`. Rows of zeros stay untouched. The inverse of `encode`."""
    from corollary.language.values import default  # the two modules depend on each other

    if is_scalar(type_):
        number = int.from_bytes(data, "little")
        return type_.coerce(bool(number) if type_.name == "bool" else number)
    value = default(type_) if into is None else into
    if isinstance(type_, ArrayType):
        step = size_of(type_.element)
        blank = bytes(step)
        value.rows.clear()
        for index in range(type_.length):
            part = data[index * step : (index + 1) * step]
            if part != blank:
                value.rows[index] = decode(part, type_.element)
        return value
    for slot in type_.layout.slots:
        part = data[slot.offset : slot.offset + slot.size]
        object.__setattr__(value, slot.name, decode(part, slot.type))
    return value
