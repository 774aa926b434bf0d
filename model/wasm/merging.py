"""Does an instruction on slots and constants become an operation of its own, or fuse with the one just before?"""

from corollary.language.builtins import implies
from corollary.language.contracts import ensures, preserves, requires
from corollary.language.types import u16, u32, u64
from corollary.model.wasm.emission import HANDLERS, emit, operation, take_back, word_at
from corollary.model.wasm.operands import maker, own_slot
from corollary.model.wasm.room import in_room, is_operand, two_taken
from corollary.spec.wasm.internal import (
    COMMUTES,
    HAS_VALUE,
    INNER_OF,
    MISSING,
    OUTER_COUNT,
    OUTER_OF,
    PAIR_SLOT_OF,
    PAIR_VALUE_OF,
    SLOTS_OF,
    VALUE_OF,
    Handler,
)
from corollary.spec.wasm.machine import BytecodeWord, Pair
from corollary.spec.wasm.module import NONE, Module, Translation
from corollary.spec.wasm.opcodes import Opcode

ADD_SLOTS = int(Handler.I32_ADD_SLOTS)
ADD_VALUE = int(Handler.I32_ADD_VALUE)
PAIRS = len(PAIR_SLOT_OF)


@requires(two_taken)
@preserves(in_room)
def on_slots(m: Module, t: Translation, opcode: Opcode, a: u32, b: u32) -> u32:
    """Emit an instruction on the slots of the two operands above the stack, and return its position.

    It is fused with the operation that made one of the operands, if they go together.
    """
    height = t.height
    right = height + 1
    target = own_slot(t, height)
    inner = maker(t, height)
    pair = pair_with(t, inner, opcode, False)
    if pair != MISSING:
        return together(m, t, pair, inner, False, b, target)
    inner = maker(t, right)
    pair = pair_with(t, inner, opcode, False)
    if pair != MISSING and COMMUTES[opcode] != 0:
        return together(m, t, pair, inner, False, a, target)
    at = t.at
    if SLOTS_OF[opcode] < HANDLERS:
        operation(m, t, Handler(SLOTS_OF[opcode]), a, b, target)
    return at


@requires(is_operand)
@preserves(in_room)
def on_value(m: Module, t: Translation, height: u32, opcode: Opcode, a: u32, value: u64, target: u32) -> u32:
    """Emit an instruction on the slot of the operand at a height and a constant, and return its position.

    It is fused with the operation that made the operand, if they go together.
    """
    inner = maker(t, height)
    pair = pair_with(t, inner, opcode, True)
    if pair != MISSING and not (has_value(t, inner) and (value > NONE or word_at(t, inner + 1) > NONE)):
        return together(m, t, pair, inner, True, value, target)
    at = t.at
    if VALUE_OF[opcode] < HANDLERS:
        operation(m, t, Handler(VALUE_OF[opcode]), a, 0, target)
        emit(m, t, value)
    return at


@requires(lambda t, at: at < t.at)
@requires(in_room)
def has_value(t: Translation, at: u32) -> bool:
    """Does an operation take a constant, which is its second word?"""
    handler = BytecodeWord(word_at(t, at)).handler
    return handler < HANDLERS and HAS_VALUE[handler] != 0 and t.at - at > 1


@requires(lambda t, inner: inner == NONE or inner < t.at)
@requires(in_room)
@ensures(lambda inner, result: implies(result != MISSING, inner != NONE))
def pair_with(t: Translation, inner: u32, opcode: Opcode, value: bool) -> u16:
    """Return the operation that fuses the one at a position with an instruction on its result, or MISSING.

    The other operand of the instruction is a constant or a slot.
    """
    if inner == NONE:
        return MISSING
    handler = BytecodeWord(word_at(t, inner)).handler
    if handler >= HANDLERS or INNER_OF[handler] == MISSING or OUTER_OF[opcode] == MISSING:
        return MISSING
    row = u32(INNER_OF[handler]) * OUTER_COUNT + u32(OUTER_OF[opcode])
    if row >= PAIRS:
        return MISSING
    return PAIR_VALUE_OF[row] if value else PAIR_SLOT_OF[row]


@requires(lambda t, inner: inner < t.at)
@preserves(in_room)
def together(m: Module, t: Translation, pair: u16, inner: u32, constant: bool, other: u64, target: u32) -> u32:
    """Replace the last operation by a fused one, and return its position.

    The fused operation goes on with the result and another operand, a constant or a slot.
    """
    if pair >= HANDLERS:
        return t.at
    first = word_at(t, inner)
    a = BytecodeWord(first).a
    b = BytecodeWord(first).b
    second = other
    if has_value(t, inner):
        value = word_at(t, inner + 1)
        b = 0 if constant else u16.truncate(other)
        second = Pair(low=u32.truncate(value), high=u32.truncate(other)) if constant else value
    take_back(t, inner)
    operation(m, t, Handler(pair), a, b, target)
    emit(m, t, second)
    return inner
