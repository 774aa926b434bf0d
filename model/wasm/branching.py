"""Which bytecode does a branch compile to, and how does it take operands along?"""

from corollary.language.builtins import maximum, saturating_sub, wrapping_add, wrapping_sub
from corollary.language.contracts import ensures, preserves, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u16, u32, u64
from corollary.language.values import length
from corollary.model.wasm.emission import (
    HANDLERS,
    SAFE_POINT,
    emit,
    far_operation,
    is_latest,
    mark,
    operation,
    poll,
    resolve,
    set_far,
    take_back,
    word_at,
)
from corollary.model.wasm.merging import ADD_SLOTS, ADD_VALUE, has_value
from corollary.model.wasm.operands import in_own_slot, is_local, maker, own_slot, pop, value_of
from corollary.model.wasm.reader import refuse, refused, spend, unsigned_32
from corollary.model.wasm.room import in_block, in_room
from corollary.model.wasm.spilling import gather, place_in, slot, spill_from
from corollary.spec.wasm.internal import (
    EXCHANGED_OF,
    HAS_VALUE,
    IF_OF,
    LOOP_OF,
    MISSING,
    STEP_SLOTS_OF,
    STEP_VALUE_OF,
    STEP_VALUES_OF,
    UNLESS_OF,
    Handler,
)
from corollary.spec.wasm.machine import BytecodeWord, Pair
from corollary.spec.wasm.module import NONE, Decoded, Module, Target, Translation
from corollary.spec.wasm.opcodes import Opcode
from corollary.spec.wasm.refusals import Refusal

LOAD_BYTE = int(Handler.I32_LOAD8_U)
LOAD_BYTE_SUM = int(Handler.I32_LOAD8_U_SUM)
UNWINDING = 16  # most operations from a return point to the next return


@preserves(in_room)
def take_condition(m: Module, t: Translation) -> None:
    """Take the topmost operand as a condition.

    The condition is the comparison that made the operand, taken back from the code, or whether the operand is not 0.
    """
    popped = pop(m, t, 1)
    if not popped:
        return
    height = t.height
    last = maker(t, height)
    if last != NONE and in_own_slot(t, height):
        handler = BytecodeWord(word_at(t, last)).handler
        if handler < HANDLERS:
            if IF_OF[handler] != MISSING:
                t.condition = Handler(handler)
                t.first = word_at(t, last)
                t.value = word_at(t, last + 1) if has_value(t, last) else 0
                take_back(t, last)
                t.last = NONE
                return
    a = slot(m, t, height)
    t.condition = Handler.I32_NE_VALUE
    t.first = BytecodeWord(handler=0, a=u16.truncate(a), b=0, c=0)
    t.value = 0
    t.last = NONE


@preserves(in_room)
def jump(m: Module, t: Translation, branch_handler: u16, pending: u32) -> u32:
    """Emit a branch on the condition that was taken, and return the chain that now ends with it.

    `pending` is the chain of branches that it joins, or a displacement from the word before the returned position.
    """
    if branch_handler >= HANDLERS:
        return pending
    values = HAS_VALUE[t.condition] != 0
    at = t.at
    if values:
        far_operation(m, t, Handler(branch_handler), BytecodeWord(t.first).a, pending)
        emit(m, t, t.value)
        return wrapping_add(u32, at, 1)
    operation(m, t, Handler(branch_handler), BytecodeWord(t.first).a, BytecodeWord(t.first).b, 0)
    emit(m, t, Pair(low=0, high=pending))
    return wrapping_add(u32, at, 2)


def expected(target: Target) -> u32:
    """Return how many operands a branch to a block takes along."""
    return target.parameters if target.opcode == Opcode.LOOP else target.results


@requires(in_room)
def must_move(m: Module, t: Translation, target: Target) -> bool:
    """Are the operands that a branch takes along not where the target expects them?"""
    count = expected(target)
    if count == 0:
        return False
    spend(m, count)
    if t.height < count or t.height - count != target.height:
        return True
    height = target.height
    while height < t.height:
        decreases(t.height - height)
        if not in_own_slot(t, height):
            return True
        height = wrapping_add(u32, height, 1)
    return False


def lead_to_end(t: Translation, target: Target, last: u32) -> None:
    """Record a branch from here as the latest branch to the end of a block."""
    target.pending = last
    target.straight = maximum(target.straight, t.straight)


def is_outermost(t: Translation, label: u64) -> bool:
    """Does a label stand for the function itself?"""
    return label >= saturating_sub(t.depth, 1)


@requires(in_block)
@ensures(in_room)
def branch(m: Module, t: Translation, label: u64) -> None:
    """Move the operands that the target expects, and branch to it. What is known of the operands stays the same."""
    if is_outermost(t, label):
        return_(m, t)
        return
    target = t.targets[t.depth - 1 - label]
    count = expected(target)
    if count > t.height:
        refuse(m, Refusal.TYPE_MISMATCH, m.at)
        return
    source = t.height - count
    spend(m, count)
    left = count
    goal = target.height
    while left > 0 and not refused(m):
        maintains(in_room(t))
        maintains(u64(source) + left <= length(t.operands))
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
        lead_to_end(t, target, wrapping_add(u32, at, 1))


@preserves(in_room)
def loop(m: Module, t: Translation, start: u32) -> None:
    """Emit a branch back, fused with a copy or a sum just before."""
    copied = is_latest(t, t.copied, 1)
    added = is_latest(t, t.step, 2) and BytecodeWord(word_at(t, t.step)).handler == ADD_VALUE
    at = t.copied if copied else t.step if added else t.at
    first: u64 = 0
    addend = Pair(word_at(t, at + 1)).low if added and not copied else 0
    if copied or added:
        first = word_at(t, at)
        take_back(t, at)
    mark(t, SAFE_POINT)
    if copied or added:
        fused = Handler.COPY_LOOP if copied else Handler.I32_ADD_BACK_VALUE
        operation(m, t, fused, BytecodeWord(first).a, 0, BytecodeWord(first).c)
        emit(m, t, Pair(low=addend, high=wrapping_sub(u32, start, wrapping_add(u32, at, 1))))
    else:
        far_operation(m, t, Handler.LOOP, 0, wrapping_sub(u32, start, at))


@requires(in_block)
@ensures(in_room)
def branch_if(m: Module, t: Translation, label: u64) -> None:
    """Emit a branch on a condition. If operands must move first, branch around the moves on the opposite condition."""
    take_condition(m, t)
    if label >= t.depth:
        refuse(m, Refusal.UNKNOWN_LABEL, m.at)
        return
    target = t.targets[t.depth - 1 - label]
    moves = must_move(m, t, target)
    if is_outermost(t, label) or moves:
        around = jump(m, t, UNLESS_OF[t.condition], 0)
        branch(m, t, label)
        resolve(m, t, around, t.at)
    elif target.opcode == Opcode.LOOP:
        stepped = step_back(m, t, target.start)
        if not stepped:
            mark(t, SAFE_POINT)
            word = t.at if HAS_VALUE[t.condition] != 0 else wrapping_add(u32, t.at, 1)
            back(m, t, wrapping_sub(u32, target.start, word))
    else:
        last = jump(m, t, IF_OF[t.condition], target.pending)
        lead_to_end(t, target, last)
    t.last = NONE


@preserves(in_room)
def back(m: Module, t: Translation, displacement: u32) -> None:
    """Emit a branch back on the condition that was taken."""
    word = jump(m, t, LOOP_OF[t.condition], displacement)
    if word == 0:
        refuse(m, Refusal.TOO_LARGE, m.at)


@preserves(in_room)
def step_back(m: Module, t: Translation, start: u32) -> bool:
    """Fuse a branch back on the condition that was taken with the sum that is its operand.

    Return False where they do not go together.
    """
    at = t.step
    if at >= t.at:
        return False
    sum_ = word_at(t, at)
    handler = BytecodeWord(sum_).handler
    stepped = BytecodeWord(sum_).c
    a = BytecodeWord(t.first).a
    b = BytecodeWord(t.first).b
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


@requires(lambda t, at: is_latest(t, at, 2))
@preserves(in_room)
def step_on_value(m: Module, t: Translation, at: u32, start: u32) -> bool:
    """Fuse a loop's step by a constant with a comparison with another constant."""
    sum_ = word_at(t, at)
    by = word_at(t, at + 1)
    number = STEP_VALUES_OF[t.condition]
    if number >= HANDLERS or BytecodeWord(sum_).a != BytecodeWord(sum_).c:
        return False
    take_back(t, at)
    mark(t, SAFE_POINT)
    far_operation(m, t, Handler(number), BytecodeWord(sum_).a, wrapping_sub(u32, start, at))
    emit(m, t, Pair(low=Pair(by).low, high=Pair(t.value).low))
    return True


@requires(lambda t, at: at < t.at)
@preserves(in_room)
def step_on_slot(m: Module, t: Translation, at: u32, condition: Handler, limit: u32, start: u32) -> bool:
    """Fuse a loop's step with a comparison of its result with a slot."""
    sum_ = word_at(t, at)
    constant = BytecodeWord(sum_).handler == ADD_VALUE and is_latest(t, at, 2)
    by = word_at(t, at + 1) if constant else 0
    a = BytecodeWord(sum_).a
    b = BytecodeWord(sum_).b
    c = BytecodeWord(sum_).c
    number = STEP_VALUE_OF[condition] if constant else STEP_SLOTS_OF[condition]
    if number >= HANDLERS or not constant and a != c and b != c:
        return False
    take_back(t, at)
    mark(t, SAFE_POINT)
    if constant:
        operation(m, t, Handler(number), a, limit, c)
    else:
        operation(m, t, Handler(number), c, b if a == c else a, limit)
    emit(m, t, Pair(low=Pair(by).low, high=wrapping_sub(u32, start, wrapping_add(u32, at, 1))))
    return True


@requires(in_block)
@ensures(in_room)
def branch_table(m: Module, t: Translation, d: Decoded) -> None:
    """Emit a branch to one of many labels, perhaps fused with the load of the byte that selects it.

    There is a word for each label. After the words comes the code for labels that need more than a branch.
    """
    popped = pop(m, t, 1)
    if not popped:
        return
    if d.value >= t.depth:
        refuse(m, Refusal.UNKNOWN_LABEL, d.at)
        return
    top = t.height
    loaded = maker(t, top) if in_own_slot(t, top) else NONE
    load_ = word_at(t, loaded) if loaded != NONE else 0
    with_sum = BytecodeWord(load_).handler == LOAD_BYTE_SUM and loaded < t.at and t.at - loaded > 1
    sum_ = Pair(word_at(t, loaded + 1)).low if with_sum else 0
    with_load = BytecodeWord(load_).handler == LOAD_BYTE or with_sum
    index: u32 = BytecodeWord(load_).a
    if with_load:
        take_back(t, loaded)
    else:
        index = slot(m, t, top)
    spill_from(m, t, saturating_sub(t.height, table_results(t, d)))
    mark(t, SAFE_POINT)
    far_operation(m, t, Handler.BR_TABLE_LOAD if with_load else Handler.BR_TABLE, index, d.vector.count)
    if with_load:
        emit(m, t, Pair(low=sum_, high=BytecodeWord(load_).b))
    first = t.at
    left = wrapping_add(u64, d.vector.count, 1)
    while left > 0 and not refused(m):
        maintains(in_room(t))
        decreases(left)
        left -= 1
        emit(m, t, 0)
    after = m.at
    m.at = d.vector.at
    word = first
    left = d.vector.count
    while left > 0 and not refused(m):
        maintains(in_room(t))
        decreases(left)
        left -= 1
        label = unsigned_32(m)
        branch_from_table(m, t, label, word)
        word = wrapping_add(u32, word, 1)
    if not refused(m):
        m.at = after
    branch_from_table(m, t, d.value, word)
    t.reachable = False


@requires(in_block)
@requires(lambda t, d: d.value < t.depth)
def table_results(t: Translation, d: Decoded) -> u32:
    """Return how many operands the branches of a table take along."""
    return expected(t.targets[t.depth - 1 - d.value])


@requires(in_block)
@ensures(in_room)
def branch_from_table(m: Module, t: Translation, label: u64, word: u32) -> None:
    """Fill in one word of a branch table."""
    if label >= t.depth:
        refuse(m, Refusal.UNKNOWN_LABEL, m.at)
        return
    if word >= t.at:
        refuse(m, Refusal.TOO_LARGE, m.at)
        return
    target = t.targets[t.depth - 1 - label]
    moves = must_move(m, t, target)
    if is_outermost(t, label) or moves:
        set_far(t, word, wrapping_sub(u32, t.at, word))
        branch(m, t, label)
    elif target.opcode == Opcode.LOOP:
        set_far(t, word, wrapping_sub(u32, target.start, word))
    else:
        set_far(t, word, target.pending)
        lead_to_end(t, target, wrapping_add(u32, word, 1))


@requires(in_block)
@ensures(in_room)
def return_(m: Module, t: Translation) -> None:
    """Emit a return with the results of the function. What is known of the operands stays the same."""
    if t.calls and t.straight > UNWINDING:
        poll(m, t)
    count = t.targets[0].results
    if count > t.height:
        refuse(m, Refusal.TYPE_MISMATCH, m.at)
        return
    first = t.height - count
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
