"""Which operations do instructions become on what others may share: globals, tables, the memory as a whole?"""

from model.wasm.computing import binary
from model.wasm.emission import emit, far_operation, field_sized, operation
from model.wasm.operands import is_value, own_slot, pop, push, push_made, value_of
from model.wasm.settling import slot
from model.wasm.operand_types import is_reference
from spec.language.builtins import wrapping_add
from spec.language.types import u32, u64
from spec.language.values import length
from spec.wasm.internal import Handler
from spec.wasm.module import NONE, Decoded, Module, Place, Translation
from spec.wasm.opcodes import Opcode


def other(m: Module, t: Translation, d: Decoded) -> None:
    """Globals, the memory as a whole, tables."""
    if d.opcode == Opcode.GLOBAL_GET:
        field_sized(m, d.value)
        leave_result(m, t, Handler.GET_REFERENCE if has_reference(m, d.value) else Handler.GET_GLOBAL, 0, u32.truncate(d.value))
    elif d.opcode == Opcode.GLOBAL_SET:
        field_sized(m, d.value)
        take_one(m, t, Handler.SET_REFERENCE if has_reference(m, d.value) else Handler.SET_GLOBAL, u32.truncate(d.value))
    elif d.opcode == Opcode.REF_IS_NULL:
        push(m, t, Place.VALUE, 0)
        binary(m, t, Opcode.I64_EQ)
    elif d.opcode == Opcode.MEMORY_SIZE:
        leave_result(m, t, Handler.MEMORY_SIZE, 0, 0)
    elif d.opcode == Opcode.TABLE_SIZE:
        field_sized(m, d.value)
        leave_result(m, t, Handler.TABLE_SIZE, 0, u32.truncate(d.value))
    elif d.opcode == Opcode.MEMORY_GROW or d.opcode == Opcode.TABLE_GET:
        field_sized(m, d.value)
        pop(t, 1)
        a = slot(m, t, t.height)
        leave_result(m, t, Handler.MEMORY_GROW if d.opcode == Opcode.MEMORY_GROW else Handler.TABLE_GET, a, u32.truncate(d.value))
    elif d.opcode == Opcode.TABLE_SET or d.opcode == Opcode.TABLE_GROW:
        two_for_table(m, t, d)
    elif d.opcode == Opcode.DATA_DROP or d.opcode == Opcode.ELEM_DROP:
        far_operation(m, t, Handler.DATA_DROP if d.opcode == Opcode.DATA_DROP else Handler.ELEM_DROP, 0, u32.truncate(d.value))
    else:
        three(m, t, d)


def has_reference(m: Module, number: u64) -> bool:
    """Is a global of a reference type?"""
    if number >= length(m.globals):
        return False
    return is_reference(m.globals[number].type)


def leave_result(m: Module, t: Translation, handler: Handler, a: u32, b: u32) -> None:
    """An operation that leaves a result."""
    target = own_slot(t, t.height)
    at = t.at
    operation(m, t, handler, a, b, target)
    push_made(m, t, at)


def take_one(m: Module, t: Translation, handler: Handler, b: u32) -> None:
    """An operation on one operand that leaves nothing."""
    pop(t, 1)
    a = slot(m, t, t.height)
    operation(m, t, handler, a, b, 0)
    t.last = NONE


def two_for_table(m: Module, t: Translation, d: Decoded) -> None:
    """`table.set` and `table.grow`."""
    field_sized(m, d.value)
    pop(t, 2)
    a = slot(m, t, t.height)
    b = slot(m, t, wrapping_add(u32, t.height, 1))
    t.last = NONE
    if d.opcode == Opcode.TABLE_SET:
        operation(m, t, Handler.TABLE_SET, a, b, u32.truncate(d.value))
        return
    at = t.at
    operation(m, t, Handler.TABLE_GROW, a, b, own_slot(t, t.height))
    emit(m, t, d.value)
    push_made(m, t, at)


def three(m: Module, t: Translation, d: Decoded) -> None:
    """The bulk operations: three operands; behind them a word says on what."""
    pop(t, 3)
    a = slot(m, t, t.height)
    b = slot(m, t, wrapping_add(u32, t.height, 1))
    if d.opcode == Opcode.MEMORY_COPY and is_value(t, wrapping_add(u32, t.height, 2)):
        operation(m, t, Handler.MEMORY_COPY_VALUE, a, b, 0)
        emit(m, t, value_of(t, wrapping_add(u32, t.height, 2)))
        t.last = NONE
        return
    c = slot(m, t, wrapping_add(u32, t.height, 2))
    t.last = NONE
    operation(m, t, bulk(d.opcode), a, b, c)
    if d.opcode != Opcode.MEMORY_COPY and d.opcode != Opcode.MEMORY_FILL:
        emit(m, t, d.value & NONE | (d.second & NONE) << 32)


def bulk(opcode: Opcode) -> Handler:
    """The operation of a bulk instruction."""
    return (Handler.MEMORY_COPY if opcode == Opcode.MEMORY_COPY else Handler.MEMORY_FILL if opcode == Opcode.MEMORY_FILL
            else Handler.MEMORY_INIT if opcode == Opcode.MEMORY_INIT else Handler.TABLE_COPY if opcode == Opcode.TABLE_COPY
            else Handler.TABLE_FILL if opcode == Opcode.TABLE_FILL else Handler.TABLE_INIT)
