"""How does a valid module become operations on slots? One pass over each body.

Operands stay where they are as long as possible: in a local, or a constant in the operation that takes it. At the borders
of blocks they are in the slots of their heights, so that all ways into a place agree.
"""

from model.wasm.instructions import instruction
from model.wasm.reader import refuse, refused, skip, unsigned_32
from spec.language.builtins import saturating_sub, wrapping_add, wrapping_sub
from spec.language.loops import decreases
from spec.language.types import u8, u16, u32, u64
from spec.language.values import clear, length, local
from spec.wasm.internal import (
    ACCESS_OF, COMMUTES, EXCHANGED_OF, FAR_OF, FROM_OF, HAS_VALUE, IF_OF, INNER_OF, IS_STORE, KEEPS_BITS, LOAD_SUM_WIDTH, LOAD_WIDTH, LOOP_OF,
    MISSING, MOVE_OF, MOVE_SUM_OF, OUTER_COUNT, OUTER_OF, PAIR_SLOT_OF, PAIR_VALUE_OF, SCALE, SCALED_OF, SLOTS_OF, STEP_SLOTS_OF, STEP_VALUE_OF,
    STEP_VALUES_OF, STORE_SUM_VALUE_OF, STORE_VALUE_OF, SUM_OF, SUM_OF_SLOTS, UNARY_OF, UNLESS_OF, VALUE_OF, Handler)
from spec.wasm.module import DEPTH, LOCALS, NONE, OPERANDS, BlockType, Decoded, Module, Place, Target, Translation
from spec.wasm.opcodes import OPERAND_COUNT, WIDTH, Opcode
from spec.wasm.refusals import Refusal

SLOTS = 65_536                  # of a frame
WIDEST = 3                      # the binary logarithm of the bytes of the widest access
WINDOW = 16                     # operands that `local.set` looks at before it moves all
FIELD = 0xFFFF
HANDLERS = len(Handler)
LOAD = int(Handler.I32_LOAD)
LOAD_SUM = int(Handler.I32_LOAD_SUM)
LOAD_BYTE = int(Handler.I32_LOAD8_U)
LOAD_BYTE_SUM = int(Handler.I32_LOAD8_U_SUM)
ADD_SLOTS = int(Handler.I32_ADD_SLOTS)
ADD_VALUE = int(Handler.I32_ADD_VALUE)
PAIRS = len(PAIR_SLOT_OF)
SAFE_POINT = 1                  # may be resumed at the operation itself
RETURN_POINT = 2                # a call returns here


def begin(m: Module, t: Translation) -> None:
    """The code begins with what a call from outside returns to: word 0 stands for that call, word 1 ends the run."""
    t.at = 0
    t.next_mark = 0
    emit(m, t, 0)
    mark(t, RETURN_POINT)
    operation(m, t, Handler.EXIT, 0, 0, 0)


def translate(m: Module, t: Translation) -> None:
    """All bodies, in their order."""
    begin(m, t)
    position: u32 = 0
    while position < m.counts.functions and position < length(m.functions) and not refused(m):
        decreases(length(m.functions) - position)
        if position >= m.imported_functions:
            body(m, t, position)
        if position < length(m.entries):
            m.entries[position] = u64(m.functions[position].entry) | u64(m.functions[position].same) << 32
        position += 1


# ---- words


def emit(m: Module, t: Translation, word: u64) -> None:
    """One word more."""
    if t.at >= length(t.code) or t.at >= length(t.marks) or t.at >= NONE:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    t.code[t.at] = word
    t.marks[t.at] = t.next_mark
    t.next_mark = 0
    t.at += 1
    t.last = NONE


def operation(m: Module, t: Translation, handler: Handler, a: u32, b: u32, c: u32) -> None:
    """One operation with three fields."""
    emit(m, t, u64(handler) | (u64(a) & FIELD) << 16 | (u64(b) & FIELD) << 32 | (u64(c) & FIELD) << 48)


def far_operation(m: Module, t: Translation, handler: Handler, a: u32, far: u32) -> None:
    """One operation with a field and a number of 32 bits."""
    emit(m, t, u64(handler) | (u64(a) & FIELD) << 16 | u64(far) << 32)


def mark(t: Translation, kind: u8) -> None:
    """Execution may be resumed at the next word."""
    t.next_mark = t.next_mark | kind


def take_back(t: Translation, at: u32) -> None:
    """The code ends before an operation again; what resumed there resumes at what comes in its place."""
    if at < length(t.marks):
        mark(t, t.marks[at])
    t.at = at


def is_latest(t: Translation, at: u32, words: u32) -> bool:
    """Is what stands at a place the last operation, which no branch leads behind, but maybe to itself?"""
    return at >= t.border and at < t.at and t.at - at == words


def word_at(t: Translation, at: u32) -> u64:
    """A word of the code."""
    if at >= length(t.code):
        return 0
    return t.code[at]


def far_of(t: Translation, at: u32) -> u32:
    """The upper half of a word."""
    if at >= length(t.code):
        return 0
    return u32(t.code[at] >> 32)


def set_far(t: Translation, at: u32, far: u32) -> None:
    """Replace the upper half of a word."""
    if at < length(t.code):
        t.code[at] = (t.code[at] & NONE) | u64(far) << 32


def resolve(t: Translation, last: u32, target: u32) -> None:
    """Let a chain of words lead to a target; each holds where the one before stands, counted from 1."""
    at = last
    left = t.at
    if last != 0:
        t.border = t.at
    while at != 0 and left > 0:
        decreases(left)
        left -= 1
        word = wrapping_sub(u32, at, 1)
        at = far_of(t, word)
        set_far(t, word, wrapping_sub(u32, target, word))


# ---- operands


def own_slot(t: Translation, height: u32) -> u32:
    """The slot of an operand at a height; that frames are not too large is seen to when the body is known."""
    return wrapping_add(u32, t.locals, height)


def push(m: Module, t: Translation, place: Place, value: u64) -> None:
    """An operand more."""
    if t.height >= length(t.operands) or t.height >= OPERANDS:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    t.operands[t.height].place = place
    t.operands[t.height].value = value
    t.operands[t.height].addend = 0
    t.operands[t.height].shift = 0
    t.height += 1
    if t.height > t.most:
        t.most = t.height


def push_slot(m: Module, t: Translation) -> None:
    """An operand more, in the slot of its height."""
    push(m, t, Place.SLOT, 0)


def push_made(m: Module, t: Translation, at: u32) -> None:
    """An operand more, which an operation has left in the slot of its height."""
    t.made = t.height
    push_slot(m, t)
    t.last = at


def maker(t: Translation, height: u32) -> u32:
    """The operation just before that left in its slot the operand at a height, but for what is yet to be computed of it; or NONE."""
    if height >= length(t.operands) or t.made != height or t.last < t.border:
        return NONE
    return t.last if t.operands[height].place == Place.SLOT else NONE


def pop(t: Translation, count: u32) -> None:
    """So many operands less."""
    t.height = t.height - count if count < t.height else 0
    if t.lowest > t.height:
        t.lowest = t.height


def is_value(t: Translation, height: u32) -> bool:
    """Is the operand at a height a constant?"""
    if height >= length(t.operands):
        return False
    return t.operands[height].place == Place.VALUE


def value_of(t: Translation, height: u32) -> u64:
    """The constant at a height."""
    if height >= length(t.operands):
        return 0
    return t.operands[height].value


def addend_of(t: Translation, height: u32) -> u32:
    """What is yet to be added to the operand at a height."""
    if height >= length(t.operands):
        return 0
    return t.operands[height].addend


def shift_of(t: Translation, height: u32) -> u32:
    """By how much the operand at a height is yet to be moved up."""
    if height >= length(t.operands):
        return 0
    return t.operands[height].shift


def slot(m: Module, t: Translation, height: u32) -> u32:
    """The slot in which the operand at a height is; a constant, or what is yet to be computed, gets into one."""
    if is_value(t, height) or addend_of(t, height) != 0 or shift_of(t, height) != 0:
        settle(m, t, height)
    return source(t, height)


def source(t: Translation, height: u32) -> u32:
    """The slot of an operand that is no constant, without what is yet to be added."""
    if height >= length(t.operands):
        return 0
    return u32.truncate(t.operands[height].value) if t.operands[height].place == Place.LOCAL else own_slot(t, height)


def settle(m: Module, t: Translation, height: u32) -> None:
    """Bring the operand at a height into the slot of its height."""
    if height >= length(t.operands):
        return
    place_in(m, t, height, own_slot(t, height))
    t.operands[height].place = Place.SLOT
    t.operands[height].addend = 0
    t.operands[height].shift = 0


def place_in(m: Module, t: Translation, height: u32, target: u32) -> None:
    """Bring the operand at a height into some slot."""
    if is_value(t, height):
        operation(m, t, Handler.CONST, 0, 0, target)
        emit(m, t, value_of(t, height))
        t.last = NONE
    elif addend_of(t, height) != 0 or shift_of(t, height) != 0:
        compute_late(m, t, height, target)
    elif source(t, height) != target:
        copy(m, t, source(t, height), target)


def compute_late(m: Module, t: Translation, height: u32, target: u32) -> None:
    """Bring the operand at a height, with what is yet to be computed of it, into some slot."""
    shift = shift_of(t, height)
    addend = addend_of(t, height)
    from_ = source(t, height)
    at = t.at
    if shift != 0 and addend != 0:
        operation(m, t, Handler.I32_SHL_ADD_VALUE_VALUE, from_, 0, target)
        emit(m, t, u64(shift) | u64(addend) << 32)
    elif shift != 0:
        at = on_value(m, t, height, Opcode.I32_SHL, from_, shift, target)
    else:
        at = add_late(m, t, height, from_, addend, target)
    t.last = at if target == own_slot(t, height) else NONE
    t.made = height


def add_late(m: Module, t: Translation, height: u32, from_: u32, addend: u32, target: u32) -> u32:
    """The sum of a slot, that of the operand at a height, and a constant, as one operation with a copy just before; its place."""
    at = t.copied
    first = word_at(t, at)
    if not is_latest(t, at, 1):
        t.step = on_value(m, t, height, Opcode.I32_ADD, from_, addend, target)
        return t.step
    take_back(t, at)
    operation(m, t, Handler.I32_ADD_COPY_VALUE, unchanged(first, from_), u32((first >> 16) & FIELD), target)
    emit(m, t, u64(addend) | first >> 48 << 32)
    return at


def unchanged(copied: u64, from_: u32) -> u32:
    """The slot that has before a copy what another one has behind it."""
    return u32((copied >> 16) & FIELD) if u32((copied >> 48) & FIELD) == from_ else from_


def copy(m: Module, t: Translation, from_: u32, target: u32) -> None:
    """A copy of a slot; two in a row are one operation."""
    at = t.copied
    first = word_at(t, at)
    if is_latest(t, at, 1):
        take_back(t, at)
        operation(m, t, Handler.COPY_PAIR, u32((first >> 16) & FIELD), unchanged(first, from_), u32((first >> 48) & FIELD))
        emit(m, t, target)
        t.copied = NONE
    else:
        t.copied = t.at
        operation(m, t, Handler.COPY, from_, 0, target)
    t.last = NONE


def settle_from(m: Module, t: Translation, bottom: u32) -> None:
    """Bring all operands from a height on into the slots of their heights."""
    height = bottom
    end = t.height
    while height < end and not refused(m):
        decreases(end - height)
        next_ = wrapping_add(u32, height, 1)
        if next_ < end and is_local(t, height) and is_local(t, next_):
            settle_two(m, t, height)
            height = next_
        else:
            settle(m, t, height)
        height = wrapping_add(u32, height, 1)


def settle_two(m: Module, t: Translation, height: u32) -> None:
    """Bring two operands, one above the other, from locals into the slots of their heights."""
    next_ = wrapping_add(u32, height, 1)
    operation(m, t, Handler.COPY_TWO, source(t, height), source(t, next_), own_slot(t, height))
    if height < length(t.operands) and next_ < length(t.operands):
        t.operands[height].place = Place.SLOT
        t.operands[next_].place = Place.SLOT
    t.last = NONE


def settle_locals(m: Module, t: Translation, which: u32) -> None:
    """Bring operands that are in a local into slots: those in a given one, or all for NONE."""
    height = t.lowest
    end = t.height
    all_ = which == NONE or (end > height and end - height > WINDOW)
    while height < end and not refused(m):
        decreases(end - height)
        if height < length(t.operands):
            if t.operands[height].place == Place.LOCAL and (all_ or t.operands[height].value == which):
                settle(m, t, height)
        height += 1
    if all_:
        t.lowest = t.height


# ---- bodies


def body(m: Module, t: Translation, position: u32) -> None:
    """The operations of a function: a word on its frame, then those of its instructions."""
    if position >= length(m.functions):
        return
    type_ = m.functions[position].type
    if type_ >= length(m.types):
        return
    m.at = m.functions[position].at
    m.end = m.functions[position].end
    parameters = m.types[type_].parameters.count
    count_locals(m, t, parameters)
    t.height = 0
    t.most = m.types[type_].results.count
    t.depth = 0
    t.lowest = 0
    t.last = NONE
    t.step = NONE
    t.copied = NONE
    t.border = t.at
    t.skipped = 0
    t.reachable = True
    information = t.at
    emit(m, t, 0)
    m.functions[position].entry = t.at
    resolve(t, m.functions[position].calls, t.at)
    open_target(m, t, Opcode.BLOCK, 0, m.types[type_].results.count)
    instructions(m, t)
    slots = wrapping_add(u32, t.locals, t.most)
    if slots >= SLOTS:
        refuse(m, Refusal.TOO_LARGE, m.at)
    if information < length(t.code):
        t.code[information] = u64(slots) | (u64(parameters) & FIELD) << 32 | (u64(t.locals) & FIELD) << 48


def count_locals(m: Module, t: Translation, parameters: u32) -> None:
    """How many locals a function has, parameters included."""
    t.locals = parameters
    left = unsigned_32(m)
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        number = unsigned_32(m)
        skip(m, 1)
        t.locals = wrapping_add(u32, t.locals, number)
    if t.locals > LOCALS:
        refuse(m, Refusal.TOO_LARGE, m.at)
    # so that the frame of a callee never begins where that of its caller does: the control stack cannot overflow before the other
    if t.locals == 0:
        t.locals = 1


def instructions(m: Module, t: Translation) -> None:
    """All instructions of a body; those that never run are left out."""
    d = local(Decoded)
    left = m.end
    while left > 0 and t.depth > 0 and not refused(m):
        decreases(left)
        left -= 1
        instruction(m, d)
        if refused(m):
            return
        if t.reachable:
            translate_one(m, t, d)
        else:
            leave_out(m, t, d)


def leave_out(m: Module, t: Translation, d: Decoded) -> None:
    """An instruction that never runs: only the ends of blocks count."""
    if d.opcode == Opcode.BLOCK or d.opcode == Opcode.LOOP or d.opcode == Opcode.IF:
        t.skipped = wrapping_add(u32, t.skipped, 1)
    elif d.opcode == Opcode.END:
        if t.skipped > 0:
            t.skipped -= 1
        else:
            end(m, t)
    elif d.opcode == Opcode.ELSE and t.skipped == 0:
        other_branch(m, t)


def translate_one(m: Module, t: Translation, d: Decoded) -> None:
    """One instruction."""
    if UNARY_OF[d.opcode] != MISSING or SLOTS_OF[d.opcode] != MISSING or KEEPS_BITS[d.opcode] != 0:
        compute(m, t, d)
    elif WIDTH[d.opcode] != 0:
        access(m, t, d)
    elif d.opcode == Opcode.LOCAL_GET or d.opcode == Opcode.LOCAL_SET or d.opcode == Opcode.LOCAL_TEE:
        variable(m, t, d)
    elif (d.opcode == Opcode.I32_CONST or d.opcode == Opcode.I64_CONST or d.opcode == Opcode.F32_CONST or d.opcode == Opcode.F64_CONST
          or d.opcode == Opcode.REF_NULL):
        push(m, t, Place.VALUE, d.value)
    elif d.opcode == Opcode.REF_FUNC:
        push(m, t, Place.VALUE, wrapping_add(u64, d.value, 1))
    elif d.opcode == Opcode.BLOCK or d.opcode == Opcode.LOOP or d.opcode == Opcode.IF:
        block(m, t, d)
    elif d.opcode == Opcode.ELSE:
        other_branch(m, t)
    elif d.opcode == Opcode.END:
        end(m, t)
    elif d.opcode == Opcode.BR:
        branch(m, t, d.value)
        t.reachable = False
    elif d.opcode == Opcode.BR_IF:
        branch_if(m, t, d.value)
    elif d.opcode == Opcode.BR_TABLE:
        branch_table(m, t, d)
    elif d.opcode == Opcode.RETURN:
        return_(m, t)
        t.reachable = False
    elif d.opcode == Opcode.UNREACHABLE:
        operation(m, t, Handler.TRAP_UNREACHABLE, 0, 0, 0)
        t.reachable = False
    elif d.opcode == Opcode.CALL:
        call(m, t, d)
    elif d.opcode == Opcode.CALL_INDIRECT:
        call_indirect(m, t, d)
    elif d.opcode == Opcode.DROP:
        pop(t, 1)
        t.last = NONE
    elif d.opcode == Opcode.SELECT or d.opcode == Opcode.SELECT_TYPED:
        select(m, t)
    elif d.opcode != Opcode.NOP:
        other(m, t, d)


# ---- computing


def compute(m: Module, t: Translation, d: Decoded) -> None:
    """A numeric instruction."""
    if KEEPS_BITS[d.opcode] != 0:
        t.last = NONE
    elif d.opcode == Opcode.I32_EQZ or d.opcode == Opcode.I64_EQZ:
        push(m, t, Place.VALUE, 0)
        binary(m, t, Opcode.I32_EQ if d.opcode == Opcode.I32_EQZ else Opcode.I64_EQ)
    elif OPERAND_COUNT[d.opcode] == 1:
        unary(m, t, d.opcode)
    else:
        binary(m, t, d.opcode)


def unary(m: Module, t: Translation, opcode: Opcode) -> None:
    """One operand becomes a result."""
    if UNARY_OF[opcode] == MISSING:
        return
    pop(t, 1)
    height = t.height
    a = slot(m, t, height)
    target = own_slot(t, height)
    at = t.at
    operation(m, t, Handler(UNARY_OF[opcode]), a, 0, target)
    push_made(m, t, at)


def binary(m: Module, t: Translation, opcode: Opcode) -> None:
    """Two operands become a result; a constant one is in the operation."""
    pop(t, 2)
    height = t.height
    right = wrapping_add(u32, height, 1)
    if is_value(t, right):
        value_behind(m, t, opcode)
    elif is_value(t, height):
        value_before(m, t, opcode)
    elif SLOTS_OF[opcode] != MISSING:
        a = slot(m, t, height)
        b = slot(m, t, right)
        at = on_slots(m, t, opcode, a, b)
        push_made(m, t, at)


def value_before(m: Module, t: Translation, opcode: Opcode) -> None:
    """The first operand is a constant, the second is not."""
    height = t.height
    right = wrapping_add(u32, height, 1)
    value = value_of(t, height)
    a = slot(m, t, right)
    if COMMUTES[opcode] != 0:
        at = on_value(m, t, right, opcode, a, value, own_slot(t, height))
        push_made(m, t, at)
    else:
        with_value(m, t, FROM_OF[opcode], a, value)


def value_behind(m: Module, t: Translation, opcode: Opcode) -> None:
    """The second operand is a constant; what it adds to an i32, or moves it up by, waits for its use."""
    height = t.height
    value = value_of(t, wrapping_add(u32, height, 1))
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


def on_slots(m: Module, t: Translation, opcode: Opcode, a: u32, b: u32) -> u32:
    """An instruction on the two slots of the operands above the stack, with the operation that made one of them if they go together; its place."""
    height = t.height
    right = wrapping_add(u32, height, 1)
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


def on_value(m: Module, t: Translation, height: u32, opcode: Opcode, a: u32, value: u64, target: u32) -> u32:
    """An instruction on the slot of the operand at a height and a constant, with the operation that made it if they go together; its place."""
    inner = maker(t, height)
    pair = pair_with(t, inner, opcode, True)
    if pair != MISSING and not (has_value(t, inner) and (value > NONE or word_at(t, wrapping_add(u32, inner, 1)) > NONE)):
        return together(m, t, pair, inner, True, value, target)
    at = t.at
    if VALUE_OF[opcode] < HANDLERS:
        operation(m, t, Handler(VALUE_OF[opcode]), a, 0, target)
        emit(m, t, value)
    return at


def has_value(t: Translation, at: u32) -> bool:
    """Does an operation take a constant?"""
    handler = u32(word_at(t, at) & FIELD)
    return handler < HANDLERS and HAS_VALUE[handler] != 0


def pair_with(t: Translation, inner: u32, opcode: Opcode, value: bool) -> u16:
    """The operation that does what the one at a place does, and then an instruction on the result and a constant or slot; MISSING if there is none."""
    handler = u32(word_at(t, inner) & FIELD)
    if inner == NONE or handler >= HANDLERS or INNER_OF[handler] == MISSING or OUTER_OF[opcode] == MISSING:
        return MISSING
    row = u32(INNER_OF[handler]) * OUTER_COUNT + u32(OUTER_OF[opcode])
    if row >= PAIRS:
        return MISSING
    return PAIR_VALUE_OF[row] if value else PAIR_SLOT_OF[row]


def together(m: Module, t: Translation, pair: u16, inner: u32, constant: bool, other: u64, target: u32) -> u32:
    """An operation in the place of the last one, which goes on with its result and another operand, a constant or a slot; its place."""
    if pair >= HANDLERS:
        return t.at
    first = word_at(t, inner)
    value = word_at(t, wrapping_add(u32, inner, 1))
    a = u32((first >> 16) & FIELD)
    b = u32((first >> 32) & FIELD)
    second = other
    if has_value(t, inner):
        b = 0 if constant else u32(other & FIELD)
        second = (value & NONE) | (other & NONE) << 32 if constant else value
    take_back(t, inner)
    operation(m, t, Handler(pair), a, b, target)
    emit(m, t, second)
    return inner


def add(t: Translation, value: u32) -> None:
    """The operand above the stack is on it again, and more by a number."""
    if t.height < length(t.operands) and t.height < OPERANDS:
        t.operands[t.height].addend = wrapping_add(u32, t.operands[t.height].addend, value)
        t.height += 1


def may_shift(t: Translation, height: u32) -> bool:
    """Is the operand at a height no constant, and nothing yet to be computed of it?"""
    return not is_value(t, height) and addend_of(t, height) == 0 and shift_of(t, height) == 0


def scale(t: Translation, shift: u32) -> None:
    """The operand above the stack is on it again, moved up."""
    if t.height < length(t.operands) and t.height < OPERANDS:
        t.operands[t.height].shift = shift
        t.height += 1


def with_value(m: Module, t: Translation, number: u16, a: u32, value: u64) -> None:
    """An operation on a slot and a constant."""
    if number >= HANDLERS:
        return
    at = t.at
    operation(m, t, Handler(number), a, 0, own_slot(t, t.height))
    emit(m, t, value)
    push_made(m, t, at)


def access(m: Module, t: Translation, d: Decoded) -> None:
    """A load or a store; a sum that is the address is made on the way, and an offset beyond a field is in a word of its own."""
    if IS_STORE[d.opcode] != 0:
        pop(t, 2)
        moved = move(m, t, d)
        if not moved:
            store(m, t, d)
    else:
        pair = taken_back(t)
        pop(t, 1)
        load(m, t, d, pair)


def is_scaled(t: Translation, height: u32, d: Decoded) -> bool:
    """Is the address at a height yet to be moved up by as much as the access is wide?"""
    return d.second <= FIELD and shift_of(t, height) != 0 and shift_of(t, height) == SCALE[d.opcode]


def is_sum(t: Translation, height: u32, d: Decoded) -> bool:
    """Is something yet to be added to the address at a height?"""
    return d.second <= FIELD and shift_of(t, height) == 0 and addend_of(t, height) != 0 and not is_value(t, height)


def load(m: Module, t: Translation, d: Decoded, pair: u32) -> None:
    """A load; its address may be the sum of a pair of slots."""
    height = t.height
    near = d.second <= FIELD
    scaled = is_scaled(t, height, d)
    sum_ = is_sum(t, height, d)
    addend = addend_of(t, height)
    a = source(t, height)
    if not sum_ and not scaled and pair == NONE:
        a = slot(m, t, height)
    number = SCALED_OF[d.opcode] if scaled else SUM_OF[d.opcode] if sum_ else ACCESS_OF[d.opcode] if near else FAR_OF[d.opcode]
    offset: u32 = u32.truncate(d.second) if near else 0
    if pair != NONE:
        number = SUM_OF_SLOTS[d.opcode]
        a = pair & FIELD
        offset = pair >> 16
    at = t.at
    if number < HANDLERS:
        operation(m, t, Handler(number), a, offset, own_slot(t, height))
    if pair != NONE or not near:
        emit(m, t, d.second)
    elif sum_ or scaled:
        emit(m, t, addend)
    push_made(m, t, at)


def store(m: Module, t: Translation, d: Decoded) -> None:
    """A store of the operand above its address; a constant is in the operation."""
    height = t.height
    above = wrapping_add(u32, height, 1)
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
    number = SCALED_OF[d.opcode] if scaled else SUM_OF[d.opcode] if sum_ else ACCESS_OF[d.opcode] if near else FAR_OF[d.opcode]
    if constant:
        number = STORE_SUM_VALUE_OF[d.opcode] if sum_ else STORE_VALUE_OF[d.opcode]
    if number < HANDLERS:
        operation(m, t, Handler(number), a, b, u32.truncate(d.second) if near else 0)
    if sum_ and constant:
        emit(m, t, u64(addend) | stored << 32)
    elif constant:
        emit(m, t, stored)
    elif sum_ or scaled:
        emit(m, t, addend)
    elif not near:
        emit(m, t, d.second)
    t.last = NONE


def move(m: Module, t: Translation, d: Decoded) -> bool:
    """A store of what was loaded just before, as one operation with the load; False where they do not go together."""
    height = t.height
    loaded = maker(t, wrapping_add(u32, height, 1))
    handler = u32(word_at(t, loaded) & FIELD)
    if loaded == NONE or handler >= HANDLERS or not may_shift(t, wrapping_add(u32, height, 1)) or is_value(t, height) or shift_of(t, height) != 0:
        return False
    first = word_at(t, loaded)
    addend = addend_of(t, height)
    from_ = u32((first >> 32) & FIELD)
    number: u16 = MISSING
    if LOAD_WIDTH[handler] == WIDTH[d.opcode] and addend == 0:
        number = MOVE_OF[d.opcode]
    elif LOAD_SUM_WIDTH[handler] == WIDTH[d.opcode] and from_ == 0 and d.second == 0:
        number = MOVE_SUM_OF[d.opcode]
        from_ = u32.truncate(word_at(t, wrapping_add(u32, loaded, 1)))
    if number >= HANDLERS:
        return False
    to = d.second if addend == 0 else u64(addend)
    take_back(t, loaded)
    operation(m, t, Handler(number), u32((first >> 16) & FIELD), source(t, height), 0)
    emit(m, t, u64(from_) | (to & NONE) << 32)
    t.last = NONE
    return True


def taken_back(t: Translation) -> u32:
    """The slots whose sum is the uppermost operand, once that sum is taken back from the code; NONE when it is none."""
    height = saturating_sub(t.height, 1)
    last = maker(t, height)
    if last == NONE or not in_own_slot(t, height) or word_at(t, last) & FIELD != ADD_SLOTS:
        return NONE
    sum_ = word_at(t, last)
    take_back(t, last)
    return u32((sum_ >> 16) & NONE)


def select(m: Module, t: Translation) -> None:
    """One of two operands."""
    pop(t, 3)
    height = t.height
    a = slot(m, t, height)
    b = slot(m, t, wrapping_add(u32, height, 1))
    c = slot(m, t, wrapping_add(u32, height, 2))
    target = own_slot(t, height)
    at = t.at
    operation(m, t, Handler.SELECT, a, b, target)
    emit(m, t, c)
    push_made(m, t, at)


# ---- variables


def variable(m: Module, t: Translation, d: Decoded) -> None:
    """`local.get` leaves the value where it is; `local.set` first moves operands that still are in the local."""
    which = u32.truncate(d.value)
    if d.opcode == Opcode.LOCAL_GET:
        push(m, t, Place.LOCAL, which)
        return
    height = saturating_sub(t.height, 1)
    pop(t, 1)
    settle_locals(m, t, which)
    last = maker(t, height)
    if last != NONE and in_own_slot(t, height):
        retarget(t, last, which)
        t.step = last
    else:
        place_in(m, t, height, which)
    t.last = NONE
    if d.opcode == Opcode.LOCAL_TEE:
        push(m, t, Place.LOCAL, which)


def in_own_slot(t: Translation, height: u32) -> bool:
    """Is the operand at a height in the slot of its height?"""
    if height >= length(t.operands):
        return False
    return t.operands[height].place == Place.SLOT and may_shift(t, height)


def retarget(t: Translation, at: u32, target: u32) -> None:
    """Let an operation leave its result in another slot."""
    if at < length(t.code):
        t.code[at] = (t.code[at] & 0x0000_FFFF_FFFF_FFFF) | (u64(target) & FIELD) << 48


# ---- blocks


def open_target(m: Module, t: Translation, opcode: Opcode, parameters: u32, results: u32) -> None:
    """A block begins; its parameters are operands of its own."""
    if t.depth >= length(t.targets) or t.depth >= DEPTH:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    target = t.targets[t.depth]
    clear(target)
    target.opcode = opcode
    target.height = saturating_sub(t.height, parameters)
    target.parameters = parameters
    target.results = results
    target.start = t.at
    t.border = t.at
    t.depth += 1


def block(m: Module, t: Translation, d: Decoded) -> None:
    """`block`, `loop` and `if`."""
    types = local(Target)
    count_types(m, d, types)
    if d.opcode == Opcode.IF:
        take_condition(m, t)
    settle_locals(m, t, NONE)
    if d.opcode != Opcode.BLOCK:
        settle_from(m, t, saturating_sub(t.height, types.parameters))
    otherwise: u32 = 0
    if d.opcode == Opcode.IF:
        otherwise = jump(m, t, UNLESS_OF[t.condition], 0)
    t.last = NONE
    open_target(m, t, d.opcode, types.parameters, types.results)
    if t.depth > 0 and t.depth <= length(t.targets):
        t.targets[t.depth - 1].otherwise = otherwise


def count_types(m: Module, d: Decoded, types: Target) -> None:
    """How many operands a block takes and leaves."""
    types.results = 1 if d.block == BlockType.RESULT else 0
    if d.block == BlockType.INDEX and d.value < length(m.types):
        types.parameters = m.types[d.value].parameters.count
        types.results = m.types[d.value].results.count


def other_branch(m: Module, t: Translation) -> None:
    """The `else` of an `if`: the first branch goes to the end, and the operands are as before it."""
    if t.depth == 0 or t.depth > length(t.targets):
        return
    target = t.targets[t.depth - 1]
    if t.reachable:
        settle_from(m, t, target.height)
        at = t.at
        far_operation(m, t, Handler.BR, 0, target.pending)
        target.pending = wrapping_add(u32, at, 1)
    resolve(t, target.otherwise, t.at)
    target.otherwise = 0
    target.opcode = Opcode.ELSE
    restore(m, t, target.height, target.parameters)
    t.reachable = True


def restore(m: Module, t: Translation, height: u32, count: u32) -> None:
    """So many operands in their slots above a height."""
    t.height = height
    if t.lowest > height:
        t.lowest = height
    left = count
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        push_slot(m, t)
    t.last = NONE


def end(m: Module, t: Translation) -> None:
    """A block ends: all that branch here meet."""
    if t.depth == 0 or t.depth > length(t.targets):
        return
    position = t.depth - 1
    target = t.targets[position]
    if position == 0:
        finish(m, t, target)
        return
    joined = target.pending != 0 or target.otherwise != 0
    if t.reachable and joined:
        settle_from(m, t, target.height)
    resolve(t, target.pending, t.at)
    resolve(t, target.otherwise, t.at)
    if joined or not t.reachable:
        restore(m, t, target.height, target.results)
    t.depth = position
    t.reachable = t.reachable or joined


def finish(m: Module, t: Translation, target: Target) -> None:
    """A body ends: all that branch to its end return."""
    if t.reachable:
        return_(m, t)
    t.depth = 0


# ---- branches


def take_condition(m: Module, t: Translation) -> None:
    """Take the uppermost operand as a condition: the comparison that made it, taken back from the code, or whether it is not 0."""
    height = saturating_sub(t.height, 1)
    last = maker(t, height)
    if last != NONE and in_own_slot(t, height):
        handler = u32(word_at(t, last) & FIELD)
        if handler < HANDLERS:
            if IF_OF[handler] != MISSING:
                t.condition = Handler(handler)
                t.fields = word_at(t, last)
                t.value = word_at(t, wrapping_add(u32, last, 1))
                take_back(t, last)
                pop(t, 1)
                t.last = NONE
                return
    a = slot(m, t, height)
    t.condition = Handler.I32_NE_VALUE
    t.fields = (u64(a) & FIELD) << 16
    t.value = 0
    pop(t, 1)
    t.last = NONE


def jump(m: Module, t: Translation, branch_handler: u16, pending: u32) -> u32:
    """A branch on the condition that was taken: the chain of branches that it joins, or a displacement from the word before it."""
    if branch_handler >= HANDLERS:
        return pending
    values = HAS_VALUE[t.condition] != 0
    at = t.at
    if values:
        far_operation(m, t, Handler(branch_handler), u32((t.fields >> 16) & FIELD), pending)
        emit(m, t, t.value)
        return wrapping_add(u32, at, 1)
    operation(m, t, Handler(branch_handler), u32((t.fields >> 16) & FIELD), u32((t.fields >> 32) & FIELD), 0)
    emit(m, t, u64(pending) << 32)
    return wrapping_add(u32, at, 2)


def expected(target: Target) -> u32:
    """How many operands a branch to a block takes along."""
    return target.parameters if target.opcode == Opcode.LOOP else target.results


def must_move(t: Translation, target: Target) -> bool:
    """Are the operands that a branch takes along elsewhere than expected?"""
    count = expected(target)
    if count == 0:
        return False
    if t.height < count or t.height - count != target.height:
        return True
    height = target.height
    while height < t.height:
        decreases(t.height - height)
        if not in_own_slot(t, height):
            return True
        height = wrapping_add(u32, height, 1)
    return False


def is_outermost(t: Translation, label: u64) -> bool:
    """Is a label that of the function itself?"""
    return wrapping_add(u64, label, 1) >= t.depth


def branch(m: Module, t: Translation, label: u64) -> None:
    """Take along what is expected, and go there; what is known of the operands stays as it was."""
    if is_outermost(t, label):
        return_(m, t)
        return
    if t.depth > length(t.targets) or label >= t.depth:
        return
    target = t.targets[t.depth - 1 - label]
    count = expected(target)
    source = saturating_sub(t.height, count)
    left = count
    goal = target.height
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        place_in(m, t, source, own_slot(t, goal))
        source = wrapping_add(u32, source, 1)
        goal = wrapping_add(u32, goal, 1)
    at = t.at
    if target.opcode == Opcode.LOOP:
        loop(m, t, target.start)
    else:
        far_operation(m, t, Handler.BR, 0, target.pending)
        target.pending = wrapping_add(u32, at, 1)


def loop(m: Module, t: Translation, start: u32) -> None:
    """A branch back, as one operation with a copy or a sum just before."""
    copied = is_latest(t, t.copied, 1)
    added = is_latest(t, t.step, 2) and u32(word_at(t, t.step) & FIELD) == ADD_VALUE
    at = t.copied if copied else t.step if added else t.at
    first = word_at(t, at)
    addend = word_at(t, wrapping_add(u32, at, 1)) & NONE if added else 0
    if copied or added:
        take_back(t, at)
    mark(t, SAFE_POINT)
    if copied or added:
        operation(m, t, Handler.COPY_LOOP if copied else Handler.I32_ADD_BACK_VALUE, u32((first >> 16) & FIELD), 0, u32((first >> 48) & FIELD))
        emit(m, t, addend | u64(wrapping_sub(u32, start, wrapping_add(u32, at, 1))) << 32)
    else:
        far_operation(m, t, Handler.LOOP, 0, wrapping_sub(u32, start, at))


def branch_if(m: Module, t: Translation, label: u64) -> None:
    """A branch on a condition; around it, when operands must move first."""
    take_condition(m, t)
    if t.depth > length(t.targets) or label >= t.depth:
        return
    target = t.targets[t.depth - 1 - label]
    if is_outermost(t, label) or must_move(t, target):
        around = jump(m, t, UNLESS_OF[t.condition], 0)
        branch(m, t, label)
        resolve(t, around, t.at)
    elif target.opcode == Opcode.LOOP:
        stepped = step_back(m, t, target.start)
        if not stepped:
            mark(t, SAFE_POINT)
            word = t.at if HAS_VALUE[t.condition] != 0 else wrapping_add(u32, t.at, 1)
            back(m, t, wrapping_sub(u32, target.start, word))
    else:
        target.pending = jump(m, t, IF_OF[t.condition], target.pending)
    t.last = NONE


def back(m: Module, t: Translation, displacement: u32) -> None:
    """A branch back on the condition that was taken."""
    word = jump(m, t, LOOP_OF[t.condition], displacement)
    if word == 0:
        refuse(m, Refusal.TOO_LARGE, m.at)


def step_back(m: Module, t: Translation, start: u32) -> bool:
    """A branch back on the condition that was taken, as one operation with the sum that is its operand; False where they do not go together."""
    at = t.step
    sum_ = word_at(t, at)
    handler = u32(sum_ & FIELD)
    stepped = u32((sum_ >> 48) & FIELD)
    a = u32((t.fields >> 16) & FIELD)
    b = u32((t.fields >> 32) & FIELD)
    if not is_latest(t, at, 2 if handler == ADD_VALUE else 1) or handler != ADD_VALUE and handler != ADD_SLOTS:
        return False
    if HAS_VALUE[t.condition] != 0:
        if handler != ADD_VALUE or a != stepped:
            return False
        return step_on_value(m, t, at, start)
    number = u16(t.condition) if a == stepped else EXCHANGED_OF[t.condition]
    if a == b or a != stepped and b != stepped or number >= HANDLERS:
        return False
    return step_on_slot(m, t, at, Handler(number), b if a == stepped else a, start)


def step_on_value(m: Module, t: Translation, at: u32, start: u32) -> bool:
    """A step of a loop by a constant, and a comparison with another one."""
    sum_ = word_at(t, at)
    by = word_at(t, wrapping_add(u32, at, 1))
    number = STEP_VALUES_OF[t.condition]
    if number >= HANDLERS or (sum_ >> 16) & FIELD != sum_ >> 48:
        return False
    take_back(t, at)
    mark(t, SAFE_POINT)
    far_operation(m, t, Handler(number), u32((sum_ >> 16) & FIELD), wrapping_sub(u32, start, at))
    emit(m, t, by & NONE | (t.value & NONE) << 32)
    return True


def step_on_slot(m: Module, t: Translation, at: u32, condition: Handler, limit: u32, start: u32) -> bool:
    """A step of a loop, and a comparison of what it leads to with a slot."""
    sum_ = word_at(t, at)
    by = word_at(t, wrapping_add(u32, at, 1))
    constant = u32(sum_ & FIELD) == ADD_VALUE
    a = u32((sum_ >> 16) & FIELD)
    b = u32((sum_ >> 32) & FIELD)
    c = u32((sum_ >> 48) & FIELD)
    number = STEP_VALUE_OF[condition] if constant else STEP_SLOTS_OF[condition]
    if number >= HANDLERS or not constant and a != c and b != c:
        return False
    take_back(t, at)
    mark(t, SAFE_POINT)
    if constant:
        operation(m, t, Handler(number), a, limit, c)
    else:
        operation(m, t, Handler(number), c, b if a == c else a, limit)
    emit(m, t, (by & NONE if constant else 0) | u64(wrapping_sub(u32, start, wrapping_add(u32, at, 1))) << 32)
    return True


def branch_table(m: Module, t: Translation, d: Decoded) -> None:
    """A branch to one of many labels, perhaps with the load of a byte that says which.

    There is a word for each, and behind them the ways to those that need more than a branch.
    """
    top = saturating_sub(t.height, 1)
    loaded = maker(t, top) if in_own_slot(t, top) else NONE
    load_ = word_at(t, loaded)
    sum_ = word_at(t, wrapping_add(u32, loaded, 1)) & NONE if load_ & FIELD == LOAD_BYTE_SUM else 0
    with_load = load_ & FIELD == LOAD_BYTE or load_ & FIELD == LOAD_BYTE_SUM
    index = u32((load_ >> 16) & FIELD)
    if with_load:
        take_back(t, loaded)
    else:
        index = slot(m, t, top)
    pop(t, 1)
    settle_from(m, t, saturating_sub(t.height, table_results(t, d)))
    mark(t, SAFE_POINT)
    far_operation(m, t, Handler.BR_TABLE_LOAD if with_load else Handler.BR_TABLE, index, d.vector.count)
    if with_load:
        emit(m, t, sum_ | ((load_ >> 32) & FIELD) << 32)
    first = t.at
    left = wrapping_add(u64, d.vector.count, 1)
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        emit(m, t, 0)
    after = m.at
    m.at = d.vector.at
    word = first
    left = d.vector.count
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        label = unsigned_32(m)
        branch_from_table(m, t, label, word)
        word = wrapping_add(u32, word, 1)
    if not refused(m):
        m.at = after
    branch_from_table(m, t, d.value, word)
    t.reachable = False


def table_results(t: Translation, d: Decoded) -> u32:
    """How many operands the branches of a table take along."""
    if t.depth > length(t.targets) or d.value >= t.depth:
        return 0
    return expected(t.targets[t.depth - 1 - d.value])


def branch_from_table(m: Module, t: Translation, label: u64, word: u32) -> None:
    """One word of a branch table."""
    if t.depth > length(t.targets) or label >= t.depth:
        return
    target = t.targets[t.depth - 1 - label]
    if is_outermost(t, label) or must_move(t, target):
        set_far(t, word, wrapping_sub(u32, t.at, word))
        branch(m, t, label)
    elif target.opcode == Opcode.LOOP:
        set_far(t, word, wrapping_sub(u32, target.start, word))
    else:
        set_far(t, word, target.pending)
        target.pending = wrapping_add(u32, word, 1)


def return_(m: Module, t: Translation) -> None:
    """Leave the function with its results; what is known of the operands stays as it was."""
    if t.depth == 0 or length(t.targets) == 0:
        return
    count = t.targets[0].results
    first = saturating_sub(t.height, count)
    if count == 0:
        operation(m, t, Handler.RETURN_NONE, 0, 0, 0)
    elif count == 1 and is_local(t, first):
        operation(m, t, Handler.RETURN_ONE, u32.truncate(value_of(t, first)), 0, 0)
    else:
        gather(m, t, first)
        if count == 1:
            operation(m, t, Handler.RETURN_ONE, own_slot(t, first), 0, 0)
        else:
            operation(m, t, Handler.RETURN_MANY, own_slot(t, first), count, 0)
    t.last = NONE


def is_local(t: Translation, height: u32) -> bool:
    """Is the operand at a height in a local?"""
    if height >= length(t.operands):
        return False
    return t.operands[height].place == Place.LOCAL and may_shift(t, height)


def gather(m: Module, t: Translation, first: u32) -> None:
    """Bring the uppermost operands into the slots of their heights, on this way only."""
    height = first
    end = t.height
    while height < end and not refused(m):
        decreases(end - height)
        place_in(m, t, height, own_slot(t, height))
        height = wrapping_add(u32, height, 1)


# ---- calls


def call(m: Module, t: Translation, d: Decoded) -> None:
    """A call: arguments are where the frame of the callee begins, and so are its results."""
    if d.value >= length(m.functions):
        return
    type_ = m.functions[d.value].type
    if type_ >= length(m.types):
        return
    parameters = m.types[type_].parameters.count
    settle_from(m, t, saturating_sub(t.height, parameters))
    top = own_slot(t, t.height)
    pop(t, parameters)
    base = own_slot(t, t.height)
    mark(t, SAFE_POINT)
    at = t.at
    if d.value < m.imported_functions:
        far_operation(m, t, Handler.CALL_IMPORT, base, u32.truncate(d.value))
    elif m.functions[d.value].entry != 0:
        far_operation(m, t, Handler.CALL, base, wrapping_sub(u32, m.functions[d.value].entry, at))
    else:
        far_operation(m, t, Handler.CALL, base, m.functions[d.value].calls)
        m.functions[d.value].calls = wrapping_add(u32, at, 1)
    operation(m, t, Handler.EXIT, top, base, base)
    return_here(m, t, m.types[type_].results.count)


def call_indirect(m: Module, t: Translation, d: Decoded) -> None:
    """A call of what a table holds."""
    if d.value >= length(m.types):
        return
    pop(t, 1)
    index = slot(m, t, t.height)
    parameters = m.types[d.value].parameters.count
    settle_from(m, t, saturating_sub(t.height, parameters))
    pop(t, parameters)
    base = own_slot(t, t.height)
    field_sized(m, d.second)
    field_sized(m, m.types[d.value].same)
    mark(t, SAFE_POINT)
    operation(m, t, Handler.CALL_INDIRECT, base, index, u32.truncate(d.second))
    operation(m, t, Handler.EXIT, m.types[d.value].same, base, base)
    return_here(m, t, m.types[d.value].results.count)


def return_here(m: Module, t: Translation, results: u32) -> None:
    """What was called comes back here, its results where its arguments were; or a single one where the word before says."""
    mark(t, RETURN_POINT)
    if results == 1:
        at = wrapping_sub(u32, t.at, 1)
        push_made(m, t, at)
        return
    left = results
    while left > 0 and not refused(m):
        decreases(left)
        left -= 1
        push_slot(m, t)


def field_sized(m: Module, index: u64) -> None:
    """An index fits a field of an operation."""
    if index > FIELD:
        refuse(m, Refusal.TOO_LARGE, m.at)


# ---- the rest


def other(m: Module, t: Translation, d: Decoded) -> None:
    """Globals, the memory as a whole, tables."""
    if d.opcode == Opcode.GLOBAL_GET:
        field_sized(m, d.value)
        leave_result(m, t, Handler.GET_GLOBAL, 0, u32.truncate(d.value))
    elif d.opcode == Opcode.GLOBAL_SET:
        field_sized(m, d.value)
        take_one(m, t, Handler.SET_GLOBAL, u32.truncate(d.value))
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
