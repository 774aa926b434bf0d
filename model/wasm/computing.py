"""Which bytecode do instructions that compute a result from operands compile to?"""

from corollary.language.builtins import wrapping_sub
from corollary.language.contracts import preserves, requires
from corollary.language.types import u16, u32, u64
from corollary.model.wasm.emission import HANDLERS, emit, operation
from corollary.model.wasm.merging import on_slots, on_value
from corollary.model.wasm.operands import add, is_value, may_shift, own_slot, pop, push, push_made, scale, value_of
from corollary.model.wasm.room import in_room, two_taken
from corollary.model.wasm.spilling import slot
from corollary.spec.wasm.internal import COMMUTES, FROM_OF, KEEPS_BITS, MISSING, SLOTS_OF, UNARY_OF, Handler
from corollary.spec.wasm.module import NONE, Decoded, Module, Place, Translation
from corollary.spec.wasm.opcodes import OPERAND_COUNT, Opcode

WIDEST = 3  # the binary logarithm of the bytes of the widest access


@preserves(in_room)
def compute(m: Module, t: Translation, d: Decoded) -> None:
    """Translate a numeric instruction."""
    if KEEPS_BITS[d.opcode] != 0:
        t.last = NONE
    elif d.opcode == Opcode.I32_EQZ or d.opcode == Opcode.I64_EQZ:
        push(m, t, Place.VALUE, 0)
        binary(m, t, Opcode.I32_EQ if d.opcode == Opcode.I32_EQZ else Opcode.I64_EQ)
    elif OPERAND_COUNT[d.opcode] == 1:
        unary(m, t, d.opcode)
    else:
        binary(m, t, d.opcode)


@preserves(in_room)
def unary(m: Module, t: Translation, opcode: Opcode) -> None:
    """Translate an instruction that takes one operand."""
    if UNARY_OF[opcode] == MISSING:
        return
    popped = pop(m, t, 1)
    if not popped:
        return
    height = t.height
    a = slot(m, t, height)
    target = own_slot(t, height)
    at = t.at
    operation(m, t, Handler(UNARY_OF[opcode]), a, 0, target)
    push_made(m, t, at)


@preserves(in_room)
def binary(m: Module, t: Translation, opcode: Opcode) -> None:
    """Translate an instruction that takes two operands. A constant operand is part of the operation."""
    popped = pop(m, t, 2)
    if not popped:
        return
    height = t.height
    right = height + 1
    if is_value(t, right):
        value_behind(m, t, opcode)
    elif is_value(t, height):
        value_before(m, t, opcode)
    elif SLOTS_OF[opcode] != MISSING:
        a = slot(m, t, height)
        b = slot(m, t, right)
        at = on_slots(m, t, opcode, a, b)
        push_made(m, t, at)


@requires(two_taken)
@preserves(in_room)
def value_before(m: Module, t: Translation, opcode: Opcode) -> None:
    """Translate an instruction with a constant as its first operand but not as its second."""
    height = t.height
    right = height + 1
    value = value_of(t, height)
    a = slot(m, t, right)
    if COMMUTES[opcode] != 0:
        at = on_value(m, t, right, opcode, a, value, own_slot(t, height))
        push_made(m, t, at)
    else:
        with_value(m, t, FROM_OF[opcode], a, value)


@requires(two_taken)
@preserves(in_room)
def value_behind(m: Module, t: Translation, opcode: Opcode) -> None:
    """Translate an instruction with a constant as its second operand.

    An addition to an i32, or a left shift of one, is delayed until the result is used.
    """
    height = t.height
    value = value_of(t, height + 1)
    if not is_value(t, height) and opcode == Opcode.I32_ADD:
        add(t, u32.truncate(value))
    elif not is_value(t, height) and opcode == Opcode.I32_SUB:
        add(t, wrapping_sub(u32, 0, u32.truncate(value)))
    elif opcode == Opcode.I32_SHL and value <= WIDEST and may_shift(t, height):
        scale(t, u32.truncate(value))
    else:
        a = slot(m, t, height)
        at = on_value(m, t, height, opcode, a, value, own_slot(t, height))
        push_made(m, t, at)


@preserves(in_room)
def with_value(m: Module, t: Translation, number: u16, a: u32, value: u64) -> None:
    """Emit an operation on a slot and a constant."""
    if number >= HANDLERS:
        return
    at = t.at
    operation(m, t, Handler(number), a, 0, own_slot(t, t.height))
    emit(m, t, value)
    push_made(m, t, at)


@preserves(in_room)
def select(m: Module, t: Translation) -> None:
    """Translate `select`, which chooses one of two operands."""
    popped = pop(m, t, 3)
    if not popped:
        return
    height = t.height
    a = slot(m, t, height)
    b = slot(m, t, height + 1)
    c = slot(m, t, height + 2)
    target = own_slot(t, height)
    at = t.at
    operation(m, t, Handler.SELECT, a, b, target)
    emit(m, t, c)
    push_made(m, t, at)
