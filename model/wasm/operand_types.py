"""Which types have the operands at a place of a body, and may an instruction take them? WebAssembly core 2.0, its appendix."""

from model.wasm.reader import byte_at, refuse, refused, spend
from spec.language.builtins import wrapping_add
from spec.language.loops import decreases
from spec.language.types import u32
from spec.language.values import length
from spec.wasm.module import OPERANDS, Module, Types, Validation
from spec.wasm.refusals import Refusal
from spec.wasm.values import IS_VALUE_TYPE, ValueType


def type_at(m: Module, types: Types, position: u32) -> ValueType:
    """One of some value types."""
    code = byte_at(m, wrapping_add(u32, types.at, position))
    if IS_VALUE_TYPE[code] == 0:
        return ValueType.UNKNOWN
    return ValueType(code)


def copy_types(source: Types, target: Types) -> None:
    """The same types."""
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
        if type_at(m, one, left) != type_at(m, other, left):
            return False
    return True


def mismatch(m: Module) -> None:
    """The operands are not what the instruction takes."""
    refuse(m, Refusal.TYPE_MISMATCH, m.at)


def push(m: Module, v: Validation, type_: ValueType) -> None:
    """An operand more."""
    if v.height >= length(v.operands) or v.height >= OPERANDS:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    v.operands[v.height] = type_
    v.height += 1


def pop(m: Module, v: Validation) -> ValueType:
    """The type of the uppermost operand, which is gone; in unreachable code there is always one, of any type."""
    if v.depth == 0 or v.depth > length(v.labels):
        mismatch(m)
        return ValueType.UNKNOWN
    block = v.labels[v.depth - 1]
    if v.height <= block.height:
        if not block.unreachable:
            mismatch(m)
        return ValueType.UNKNOWN
    v.height -= 1
    if v.height >= length(v.operands):
        return ValueType.UNKNOWN
    return v.operands[v.height]


def expect(m: Module, v: Validation, wanted: ValueType) -> None:
    """The uppermost operand is of a type, and is gone."""
    found = pop(m, v)
    if found != wanted and found != ValueType.UNKNOWN and wanted != ValueType.UNKNOWN:
        mismatch(m)


def push_all(m: Module, v: Validation, types: Types) -> None:
    """Operands of some types more."""
    spend(m, types.count)
    position: u32 = 0
    while position < types.count and not refused(m):
        decreases(types.count - position)
        push(m, v, type_at(m, types, position))
        position += 1


def expect_all(m: Module, v: Validation, types: Types) -> None:
    """The uppermost operands are of some types, and are gone."""
    spend(m, types.count)
    left = types.count
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        expect(m, v, type_at(m, types, left))


def fits(m: Module, v: Validation, types: Types) -> bool:
    """Are the uppermost operands, which stay, of some types?"""
    if v.depth == 0 or v.depth > length(v.labels):
        return False
    block = v.labels[v.depth - 1]
    spend(m, types.count)
    height = v.height
    left = types.count
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        if height <= block.height or height > length(v.operands):
            return block.unreachable
        height -= 1
        if v.operands[height] != type_at(m, types, left) and v.operands[height] != ValueType.UNKNOWN:
            return False
    return True


def unreachable(v: Validation) -> None:
    """Nothing runs behind this; any operands may be taken there."""
    if v.depth == 0 or v.depth > length(v.labels):
        return
    v.height = v.labels[v.depth - 1].height
    v.labels[v.depth - 1].unreachable = True


def is_reference(type_: ValueType) -> bool:
    """Is it a reference type?"""
    return type_ == ValueType.FUNCREF or type_ == ValueType.EXTERNREF
