"""Which types do the operands at a place in a body have, and may an instruction take them?

WebAssembly core 2.0, its appendix.
"""

from corollary.language.contracts import preserves, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u32, u64
from corollary.language.values import length
from corollary.model.wasm.reader import refuse, refused, spend
from corollary.model.wasm.room import stacked, within_block
from corollary.spec.wasm.module import OPERANDS, Module, Types, Validation
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.values import IS_VALUE_TYPE, ValueType


def type_at(m: Module, types: Types, position: u32) -> ValueType:
    """Return one of a list of value types from the module. Refuse the module if there is none."""
    at = u64(types.at) + position
    if at >= length(m.bytes):
        refuse(m, Refusal.UNEXPECTED_END, types.at)
        return ValueType.UNKNOWN
    code = m.bytes[at]
    if IS_VALUE_TYPE[code] == 0:
        refuse(m, Refusal.VALUE_TYPE, types.at)
        return ValueType.UNKNOWN
    return ValueType(code)


def copy_types(source: Types, target: Types) -> None:
    """Copy a list of types."""
    target.at = source.at
    target.count = source.count


def same_types(m: Module, one: Types, other: Types) -> bool:
    """Are the types of two lists the same?"""
    if one.count != other.count:
        return False
    spend(m, one.count)
    left = one.count
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        first = type_at(m, one, left)
        second = type_at(m, other, left)
        if first != second:
            return False
    return True


def mismatch(m: Module) -> None:
    """Refuse the module: the operands are not what the instruction takes."""
    refuse(m, Refusal.TYPE_MISMATCH, m.at)


@preserves(stacked)
def push(m: Module, v: Validation, type_: ValueType) -> None:
    """Push an operand."""
    if v.height >= length(v.operands) or v.height >= OPERANDS:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    v.operands[v.height] = type_
    v.height += 1


@preserves(within_block)
def pop(m: Module, v: Validation) -> ValueType:
    """Pop the topmost operand and return its type. In unreachable code there is always one, of any type."""
    block = v.labels[v.depth - 1]
    if v.height <= block.height:
        if not block.unreachable:
            mismatch(m)
        return ValueType.UNKNOWN
    v.height -= 1
    return v.operands[v.height]


@preserves(within_block)
def expect(m: Module, v: Validation, wanted: ValueType) -> None:
    """Pop the topmost operand, which must be of a given type."""
    found = pop(m, v)
    if found != wanted and found != ValueType.UNKNOWN and wanted != ValueType.UNKNOWN:
        mismatch(m)


@preserves(stacked)
def push_all(m: Module, v: Validation, types: Types) -> None:
    """Push operands of the given types."""
    spend(m, types.count)
    position: u32 = 0
    while position < types.count and not refused(m):
        maintains(stacked(v))
        decreases(types.count - position)
        type_ = type_at(m, types, position)
        push(m, v, type_)
        position += 1


@preserves(within_block)
def expect_all(m: Module, v: Validation, types: Types) -> None:
    """Pop the topmost operands, which must be of the given types."""
    spend(m, types.count)
    left = types.count
    while left > 0 and not refused(m):
        maintains(within_block(v))
        decreases(left)
        left -= 1
        wanted = type_at(m, types, left)
        expect(m, v, wanted)


@requires(within_block)
def fits(m: Module, v: Validation, types: Types) -> bool:
    """Are the topmost operands of the given types? They stay on the stack."""
    block = v.labels[v.depth - 1]
    spend(m, types.count)
    height = v.height
    left = types.count
    while left > 0 and not refused(m):
        maintains(height <= v.height)
        decreases(left)
        left -= 1
        if height <= block.height:
            return block.unreachable
        height -= 1
        wanted = type_at(m, types, left)
        if v.operands[height] != wanted and v.operands[height] != ValueType.UNKNOWN:
            return False
    return True


@preserves(within_block)
def unreachable(m: Module, v: Validation) -> None:
    """Mark the rest of the block as unreachable. Any operands may be taken there."""
    block = v.labels[v.depth - 1]
    if block.height > v.height:
        mismatch(m)
        return
    v.height = block.height
    block.unreachable = True


def is_reference(type_: ValueType) -> bool:
    """Is it a reference type?"""
    return type_ == ValueType.FUNCREF or type_ == ValueType.EXTERNREF
