"""How is an instruction decoded? WebAssembly core 2.0, 5.4."""

from corollary.language.loops import decreases
from corollary.language.types import u32
from corollary.language.values import clear, length
from corollary.model.wasm.reader import (
    bits_32,
    bits_64,
    byte,
    count,
    refuse,
    refused,
    signed_number,
    skip,
    skip_number,
    unsigned_32,
)
from corollary.spec.wasm.module import ARITY, BlockType, Decoded, Module, Types
from corollary.spec.wasm.opcodes import EXTENDED, IMMEDIATES, OPCODES, PREFIX, Immediates, Opcode
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.values import IS_REFERENCE_TYPE, IS_VALUE_TYPE, ValueType

NO_TYPES = 0x40  # the byte of a block that takes and leaves nothing
CONTINUED = 0x80
ALIGNMENTS = 32  # powers of two that an alignment may be
NEGATIVE = 0x8000_0000_0000_0000


def instruction(m: Module, d: Decoded) -> None:
    """Read the next instruction with its immediates."""
    clear(d)
    d.at = m.at
    d.opcode = opcode(m)
    if not refused(m):
        immediates(m, d, Immediates(IMMEDIATES[d.opcode]))


def opcode(m: Module) -> Opcode:
    """Read the opcode. Opcodes after the prefix are counted from EXTENDED on."""
    start = m.at
    code: u32 = byte(m)
    if code == PREFIX:
        number = unsigned_32(m)
        code = EXTENDED + number if number < OPCODES - EXTENDED else 0xFF
    if IMMEDIATES[code] == 0:
        refuse(m, Refusal.OPCODE, start)
        return Opcode.UNREACHABLE
    return Opcode(code)


def immediates(m: Module, d: Decoded, kind: Immediates) -> None:
    """Read what follows the opcode."""
    if (
        kind == Immediates.INDEX
        or kind == Immediates.INDEX_ZERO
        or kind == Immediates.TWO_INDICES
        or kind == Immediates.MEMORY_ARGUMENT
    ):
        d.value = unsigned_32(m)
    if kind == Immediates.TWO_INDICES or kind == Immediates.MEMORY_ARGUMENT:
        d.second = unsigned_32(m)
    if kind == Immediates.MEMORY_ARGUMENT and d.value >= ALIGNMENTS:
        refuse(m, Refusal.ACCESS_FLAGS, d.at)
    if kind == Immediates.ZERO or kind == Immediates.TWO_ZEROS or kind == Immediates.INDEX_ZERO:
        zero(m)
    if kind == Immediates.TWO_ZEROS:
        zero(m)
    if kind == Immediates.NUMBER_32:
        value = signed_number(m, 32)
        d.value = u32.truncate(value)
    if kind == Immediates.NUMBER_64:
        d.value = signed_number(m, 64)
    if kind == Immediates.BITS_32:
        d.value = bits_32(m)
    if kind == Immediates.BITS_64:
        d.value = bits_64(m)
    if kind == Immediates.REFERENCE_TYPE:
        d.type = reference_type(m)
    if kind == Immediates.BLOCK_TYPE:
        block_type(m, d)
    if kind == Immediates.LABELS:
        labels(m, d)
    if kind == Immediates.VALUE_TYPES:
        value_types(m, d.vector)


def zero(m: Module) -> None:
    """Read a zero byte, where later versions may name a memory."""
    start = m.at
    found = byte(m)
    if found != 0:
        refuse(m, Refusal.ZERO_BYTE, start)


def value_type(m: Module) -> ValueType:
    """Read a value type."""
    start = m.at
    code = byte(m)
    if IS_VALUE_TYPE[code] == 0:
        refuse(m, Refusal.VALUE_TYPE, start)
        return ValueType.UNKNOWN
    return ValueType(code)


def reference_type(m: Module) -> ValueType:
    """Read a reference type."""
    start = m.at
    code = byte(m)
    if IS_REFERENCE_TYPE[code] == 0:
        refuse(m, Refusal.REFERENCE_TYPE, start)
        return ValueType.UNKNOWN
    return ValueType(code)


def skip_value_type(m: Module) -> None:
    """Skip a value type, and check its encoding."""
    start = m.at
    code = byte(m)
    if IS_VALUE_TYPE[code] == 0:
        refuse(m, Refusal.VALUE_TYPE, start)


def block_type(m: Module, d: Decoded) -> None:
    """Read a block type: no types, one result, or the index of a function type."""
    if m.at >= m.end or m.at >= length(m.bytes):
        refuse(m, Refusal.UNEXPECTED_END, m.at)
        return
    first = m.bytes[m.at]
    d.vector.at = m.at
    if first == NO_TYPES:
        d.block = BlockType.EMPTY
        skip(m, 1)
    elif first < CONTINUED and first > NO_TYPES:
        d.block = BlockType.RESULT
        d.type = value_type(m)
    else:
        start = m.at
        d.block = BlockType.INDEX
        d.value = signed_number(m, 33)
        if d.value >= NEGATIVE:
            refuse(m, Refusal.VALUE_TYPE, start)


def labels(m: Module, d: Decoded) -> None:
    """Read a vector of labels, and into `value` the default label."""
    d.vector.count = count(m)
    d.vector.at = m.at
    left = d.vector.count
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        skip_number(m)
    d.value = unsigned_32(m)


def value_types(m: Module, types: Types) -> None:
    """Read a vector of value types."""
    types.count = count(m)
    types.at = m.at
    if types.count > ARITY:
        refuse(m, Refusal.TOO_LARGE, m.at)
    left = types.count
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        skip_value_type(m)
