"""Which bytecode do instructions on globals, tables and the memory as a whole compile to?

Other instances may share these.
"""

from corollary.language.builtins import saturating_sub, wrapping_add
from corollary.language.contracts import preserves, requires
from corollary.language.types import u32, u64
from corollary.model.wasm.computing import binary
from corollary.model.wasm.emission import emit, far_operation, field_sized, operation, safe_point
from corollary.model.wasm.operand_types import is_reference
from corollary.model.wasm.operands import is_value, own_slot, pop, push, push_made, push_slot, value_of
from corollary.model.wasm.reader import refuse
from corollary.model.wasm.room import counted, in_room
from corollary.model.wasm.spilling import slot, spill_from
from corollary.spec.wasm.internal import Handler
from corollary.spec.wasm.machine import PIECE, Pair
from corollary.spec.wasm.module import NONE, Decoded, Module, Place, Translation
from corollary.spec.wasm.opcodes import Opcode
from corollary.spec.wasm.refusals import Refusal

STATE = 3  # slots that hold the progress of a bulk operation


@requires(counted)
@preserves(in_room)
def other(m: Module, t: Translation, d: Decoded) -> None:
    """Translate an instruction on globals, tables or the memory as a whole."""
    if (d.opcode == Opcode.GLOBAL_GET or d.opcode == Opcode.GLOBAL_SET) and d.value >= m.counts.globals:
        refuse(m, Refusal.UNKNOWN_GLOBAL, d.at)
    elif d.opcode == Opcode.GLOBAL_GET:
        field_sized(m, d.value)
        leave_result(
            m, t, Handler.GET_REFERENCE if has_reference(m, d.value) else Handler.GET_GLOBAL, 0, u32.truncate(d.value)
        )
    elif d.opcode == Opcode.GLOBAL_SET:
        field_sized(m, d.value)
        take_one(
            m, t, Handler.SET_REFERENCE if has_reference(m, d.value) else Handler.SET_GLOBAL, u32.truncate(d.value)
        )
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
        popped = pop(m, t, 1)
        if not popped:
            return
        a = slot(m, t, t.height)
        leave_result(
            m, t, Handler.MEMORY_GROW if d.opcode == Opcode.MEMORY_GROW else Handler.TABLE_GET, a, u32.truncate(d.value)
        )
    elif d.opcode == Opcode.TABLE_SET or d.opcode == Opcode.TABLE_GROW:
        two_for_table(m, t, d)
    elif d.opcode == Opcode.DATA_DROP or d.opcode == Opcode.ELEM_DROP:
        far_operation(
            m, t, Handler.DATA_DROP if d.opcode == Opcode.DATA_DROP else Handler.ELEM_DROP, 0, u32.truncate(d.value)
        )
    elif d.opcode == Opcode.MEMORY_COPY or d.opcode == Opcode.MEMORY_FILL:
        bytes_of_memory(m, t, d)
    else:
        in_pieces(m, t, d)


@requires(counted)
@requires(lambda m, number: number < m.counts.globals)
def has_reference(m: Module, number: u64) -> bool:
    """Is a global of a reference type?"""
    return is_reference(m.globals[number].type)


@preserves(in_room)
def leave_result(m: Module, t: Translation, handler: Handler, a: u32, b: u32) -> None:
    """Emit an operation that leaves a result."""
    target = own_slot(t, t.height)
    at = t.at
    operation(m, t, handler, a, b, target)
    push_made(m, t, at)


@preserves(in_room)
def take_one(m: Module, t: Translation, handler: Handler, b: u32) -> None:
    """Emit an operation on one operand that leaves nothing."""
    popped = pop(m, t, 1)
    if not popped:
        return
    a = slot(m, t, t.height)
    operation(m, t, handler, a, b, 0)
    t.last = NONE


@preserves(in_room)
def two_for_table(m: Module, t: Translation, d: Decoded) -> None:
    """Translate `table.set` and `table.grow`."""
    field_sized(m, d.value)
    popped = pop(m, t, 2)
    if not popped:
        return
    a = slot(m, t, t.height)
    b = slot(m, t, t.height + 1)
    t.last = NONE
    if d.opcode == Opcode.TABLE_SET:
        operation(m, t, Handler.TABLE_SET, a, b, u32.truncate(d.value))
    else:
        grow(m, t, d, a, b)


@preserves(in_room)
def grow(m: Module, t: Translation, d: Decoded, a: u32, b: u32) -> None:
    """Translate `table.grow`. The table grows at once, and its new elements are filled in pieces.

    The slots above the result hold the progress of the fill.
    """
    result = own_slot(t, t.height)
    operation(m, t, Handler.TABLE_GROW, a, b, result)
    emit(m, t, d.value)
    push_slot(m, t)
    for word in range(STATE):
        push_slot(m, t)
    safe_point(t)
    far_operation(m, t, Handler.TABLE_FILL, wrapping_add(u32, result, 1), u32.truncate(d.value))
    popped = pop(m, t, STATE)
    if popped:
        t.last = NONE


@preserves(in_room)
def bytes_of_memory(m: Module, t: Translation, d: Decoded) -> None:
    """Translate `memory.copy` and `memory.fill`: few bytes at once, many bytes in pieces by the next operation."""
    copies = d.opcode == Opcode.MEMORY_COPY
    popped = pop(m, t, 3)
    if not popped:
        return
    few = is_value(t, t.height + 2) and value_of(t, t.height + 2) <= PIECE
    a = slot(m, t, t.height)
    b = slot(m, t, t.height + 1)
    if copies and few:
        safe_point(t)
        operation(m, t, Handler.MEMORY_COPY_VALUE, a, b, 0)
        emit(m, t, value_of(t, t.height + 2))
        t.last = NONE
        return
    c = slot(m, t, t.height + 2)
    safe_point(t)
    operation(m, t, Handler.MEMORY_COPY if copies else Handler.MEMORY_FILL, a, b, c)
    emit(m, t, own_slot(t, t.height))
    safe_point(t)
    operation(m, t, Handler.MEMORY_COPY_REST if copies else Handler.MEMORY_FILL_REST, own_slot(t, t.height), 0, 0)
    t.last = NONE


@preserves(in_room)
def in_pieces(m: Module, t: Translation, d: Decoded) -> None:
    """Translate the other bulk operations. The slots of their operands hold their progress."""
    spill_from(m, t, saturating_sub(t.height, STATE))
    popped = pop(m, t, STATE)
    if not popped:
        return
    first = own_slot(t, t.height)
    safe_point(t)
    if d.opcode == Opcode.MEMORY_INIT or d.opcode == Opcode.TABLE_FILL:
        far_operation(
            m,
            t,
            Handler.MEMORY_INIT if d.opcode == Opcode.MEMORY_INIT else Handler.TABLE_FILL,
            first,
            u32.truncate(d.value),
        )
    else:
        operation(m, t, Handler.TABLE_COPY if d.opcode == Opcode.TABLE_COPY else Handler.TABLE_INIT, first, 0, 0)
        emit(m, t, Pair(low=u32.truncate(d.value), high=u32.truncate(d.second)))
    t.last = NONE
