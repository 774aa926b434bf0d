"""Which operation is an instruction on slots and constants: one of its own, or one with the operation just before?"""

from language.builtins import implies
from language.contracts import ensures, preserves, requires
from language.types import u16, u32, u64
from model.wasm.emission import HANDLERS, emit, operation, take_back, word_at
from model.wasm.operands import maker, own_slot
from model.wasm.room import in_room, is_operand, two_taken
from spec.wasm.internal import COMMUTES, HAS_VALUE, INNER_OF, MISSING, OUTER_COUNT, OUTER_OF, PAIR_SLOT_OF, PAIR_VALUE_OF, SLOTS_OF, VALUE_OF, Handler
from spec.wasm.machine import FIELD
from spec.wasm.module import NONE, Module, Translation
from spec.wasm.opcodes import Opcode

ADD_SLOTS = int(Handler.I32_ADD_SLOTS)
ADD_VALUE = int(Handler.I32_ADD_VALUE)
PAIRS = len(PAIR_SLOT_OF)


@requires(two_taken)
@preserves(in_room)
def on_slots(m: Module, t: Translation, opcode: Opcode, a: u32, b: u32) -> u32:
    """An instruction on the two slots of the operands above the stack, with the operation that made one of them if they go together; its place."""
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
    """An instruction on the slot of the operand at a height and a constant, with the operation that made it if they go together; its place."""
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
    """Does an operation take a constant, which is the word behind it?"""
    handler = u32(word_at(t, at) & FIELD)
    return handler < HANDLERS and HAS_VALUE[handler] != 0 and t.at - at > 1


@requires(lambda t, inner: inner == NONE or inner < t.at)
@requires(in_room)
@ensures(lambda inner, result: implies(result != MISSING, inner != NONE))
def pair_with(t: Translation, inner: u32, opcode: Opcode, value: bool) -> u16:
    """The operation that does what the one at a place does, and then an instruction on the result and a constant or slot; MISSING if there is none."""
    if inner == NONE:
        return MISSING
    handler = u32(word_at(t, inner) & FIELD)
    if handler >= HANDLERS or INNER_OF[handler] == MISSING or OUTER_OF[opcode] == MISSING:
        return MISSING
    row = u32(INNER_OF[handler]) * OUTER_COUNT + u32(OUTER_OF[opcode])
    if row >= PAIRS:
        return MISSING
    return PAIR_VALUE_OF[row] if value else PAIR_SLOT_OF[row]


@requires(lambda t, inner: inner < t.at)
@preserves(in_room)
def together(m: Module, t: Translation, pair: u16, inner: u32, constant: bool, other: u64, target: u32) -> u32:
    """An operation in the place of the last one, which goes on with its result and another operand, a constant or a slot; its place."""
    if pair >= HANDLERS:
        return t.at
    first = word_at(t, inner)
    a = u32((first >> 16) & FIELD)
    b = u32((first >> 32) & FIELD)
    second = other
    if has_value(t, inner):
        value = word_at(t, inner + 1)
        b = 0 if constant else u32(other & FIELD)
        second = (value & NONE) | (other & NONE) << 32 if constant else value
    take_back(t, inner)
    operation(m, t, Handler(pair), a, b, target)
    emit(m, t, second)
    return inner
