"""Which bytecode does a load or a store compile to?"""

from corollary.language.contracts import preserves, requires
from corollary.language.types import u16, u32, u64
from corollary.model.wasm.emission import HANDLERS, emit, operation, take_back, word_at
from corollary.model.wasm.merging import ADD_SLOTS
from corollary.model.wasm.operands import (
    addend_of,
    in_own_slot,
    is_value,
    maker,
    may_shift,
    own_slot,
    pop,
    push_made,
    shift_of,
    source,
    value_of,
)
from corollary.model.wasm.room import in_room, is_operand, one_taken, two_taken
from corollary.model.wasm.spilling import slot
from corollary.spec.wasm.internal import (
    ACCESS_OF,
    FAR_OF,
    IS_STORE,
    LOAD_SUM_WIDTH,
    LOAD_WIDTH,
    MISSING,
    MOVE_OF,
    MOVE_SUM_OF,
    SCALE,
    SCALED_OF,
    STORE_SUM_VALUE_OF,
    STORE_VALUE_OF,
    SUM_OF,
    SUM_OF_SLOTS,
    Handler,
)
from corollary.spec.wasm.machine import FIELD, BytecodeWord, Pair, SlotPair
from corollary.spec.wasm.module import NONE, Decoded, Module, Translation
from corollary.spec.wasm.opcodes import WIDTH


@preserves(in_room)
def access(m: Module, t: Translation, d: Decoded) -> None:
    """Translate a load or a store.

    If the address is a sum, the operation computes it. An offset too large for a field is in a word of its own.
    """
    if IS_STORE[d.opcode] != 0:
        popped = pop(m, t, 2)
        if not popped:
            return
        moved = move(m, t, d)
        if not moved:
            store(m, t, d)
    else:
        popped = pop(m, t, 1)
        if not popped:
            return
        pair = taken_back(t)
        load(m, t, d, pair)


@requires(is_operand)
def is_scaled(t: Translation, height: u32, d: Decoded) -> bool:
    """Is the address at a height still to be multiplied by the width of the access?"""
    return d.second <= FIELD and shift_of(t, height) != 0 and shift_of(t, height) == SCALE[d.opcode]


@requires(is_operand)
def is_sum(t: Translation, height: u32, d: Decoded) -> bool:
    """Is something still to be added to the address at a height?"""
    return d.second <= FIELD and shift_of(t, height) == 0 and addend_of(t, height) != 0 and not is_value(t, height)


@requires(is_operand)
def number_of(t: Translation, height: u32, d: Decoded) -> u16:
    """Return the number of the handler that loads from the address at a height, or stores there."""
    if is_scaled(t, height, d):
        return SCALED_OF[d.opcode]
    if is_sum(t, height, d):
        return SUM_OF[d.opcode]
    return ACCESS_OF[d.opcode] if d.second <= FIELD else FAR_OF[d.opcode]


@requires(one_taken)
@preserves(in_room)
def load(m: Module, t: Translation, d: Decoded, pair: u32) -> None:
    """Emit a load. Its address may be the sum of a pair of slots."""
    height = t.height
    near = d.second <= FIELD
    scaled = is_scaled(t, height, d)
    sum_ = is_sum(t, height, d)
    addend = addend_of(t, height)
    a = source(t, height)
    if not sum_ and not scaled and pair == NONE:
        a = slot(m, t, height)
    number = number_of(t, height, d)
    offset: u32 = u32.truncate(d.second) if near else 0
    if pair != NONE:
        number = SUM_OF_SLOTS[d.opcode]
        a = SlotPair(pair).first
        offset = SlotPair(pair).second
    at = t.at
    if number < HANDLERS:
        operation(m, t, Handler(number), a, offset, own_slot(t, height))
    if pair != NONE or not near:
        emit(m, t, d.second)
    elif sum_ or scaled:
        emit(m, t, addend)
    push_made(m, t, at)


@requires(two_taken)
@preserves(in_room)
def store(m: Module, t: Translation, d: Decoded) -> None:
    """Emit a store of the operand above its address. A constant is part of the operation."""
    height = t.height
    above = height + 1
    near = d.second <= FIELD
    scaled = is_scaled(t, height, d)
    sum_ = is_sum(t, height, d)
    addend = addend_of(t, height)
    stored = value_of(t, above)
    constant = near and not scaled and is_value(t, above) and (not sum_ or stored <= NONE)
    a = source(t, height)
    if not sum_ and not scaled:
        a = slot(m, t, height)
    b: u32 = 0
    if not constant:
        b = slot(m, t, above)
    number = number_of(t, height, d)
    if constant:
        number = STORE_SUM_VALUE_OF[d.opcode] if sum_ else STORE_VALUE_OF[d.opcode]
    if number < HANDLERS:
        operation(m, t, Handler(number), a, b, u32.truncate(d.second) if near else 0)
    if sum_ and constant:
        emit(m, t, Pair(low=addend, high=u32(stored)))
    elif constant:
        emit(m, t, stored)
    elif sum_ or scaled:
        emit(m, t, addend)
    elif not near:
        emit(m, t, d.second)
    t.last = NONE


@requires(two_taken)
@preserves(in_room)
def move(m: Module, t: Translation, d: Decoded) -> bool:
    """Fuse a store with the load just before that made its value. Return False where they do not go together."""
    height = t.height
    loaded = maker(t, height + 1)
    if loaded == NONE:
        return False
    handler = BytecodeWord(word_at(t, loaded)).handler
    if handler >= HANDLERS or not may_shift(t, height + 1) or is_value(t, height) or shift_of(t, height) != 0:
        return False
    first = word_at(t, loaded)
    addend = addend_of(t, height)
    from_: u32 = BytecodeWord(first).b
    number: u16 = MISSING
    if LOAD_WIDTH[handler] == WIDTH[d.opcode] and addend == 0:
        number = MOVE_OF[d.opcode]
    elif LOAD_SUM_WIDTH[handler] == WIDTH[d.opcode] and from_ == 0 and d.second == 0 and t.at - loaded > 1:
        number = MOVE_SUM_OF[d.opcode]
        from_ = u32.truncate(word_at(t, loaded + 1))
    if number >= HANDLERS:
        return False
    to = d.second if addend == 0 else u64(addend)
    take_back(t, loaded)
    operation(m, t, Handler(number), BytecodeWord(first).a, source(t, height), 0)
    emit(m, t, Pair(low=from_, high=u32.truncate(to)))
    t.last = NONE
    return True


@requires(one_taken)
@preserves(in_room)
def taken_back(t: Translation) -> u32:
    """Take back the sum that made the operand above the stack, and return its two slots.

    Return NONE if the operand is not a sum of slots.
    """
    height = t.height
    last = maker(t, height)
    if last == NONE or not in_own_slot(t, height) or BytecodeWord(word_at(t, last)).handler != ADD_SLOTS:
        return NONE
    sum_ = word_at(t, last)
    take_back(t, last)
    return SlotPair(first=BytecodeWord(sum_).a, second=BytecodeWord(sum_).b)
