"""What does each operation of the bytecode do to a machine?

The handlers in C are proved to do the same, and tests run these functions. There is one function for each operation
that has a form of its own, by its name, and one for each form of the others, made with the meaning of the instruction.
Each function says whether the run goes on. Where an index would be out of range or a sum too large, an operation has
no meaning. In the code of a valid module, that happens nowhere.
"""

from corollary.language.builtins import minimum, shift_left, sign_extend, wrapping_add, wrapping_sub
from corollary.language.bytes import fill, move
from corollary.language.types import u8, u32, u64
from corollary.language.values import length
from corollary.model.wasm import machine
from corollary.spec.wasm import floats, integers
from corollary.spec.wasm.bytecodes import Form
from corollary.spec.wasm.internal import CONSTANTS, FIELDS, LOADS, MOVES, OPERATIONS, SCALED, STEPS, STORES, offset
from corollary.spec.wasm.machine import (
    FAILED,
    FIELD,
    ITEMS,
    NULL_REFERENCE,
    PAGE,
    PIECE,
    BytecodeWord,
    EntryOf,
    FarBytecodeWord,
    LastOfCall,
    Machine,
    Memory,
    Outcome,
    Pair,
    Return,
    Shape,
)
from corollary.spec.wasm.meaning import WORD, fits, is_signed, meaning, trap
from corollary.spec.wasm.traps import Trap

BACKWARD = 1 << 31  # from here on, displacements lead back


# ---- an operation and its slots


def field_a(vm: Machine) -> u64:
    """The first field."""
    return BytecodeWord(vm.code[vm.at]).a


def field_b(vm: Machine) -> u64:
    """The second field."""
    return BytecodeWord(vm.code[vm.at]).b


def field_c(vm: Machine) -> u64:
    """The third field."""
    return BytecodeWord(vm.code[vm.at]).c


def far(word: u64) -> u32:
    """The upper half of a word."""
    return FarBytecodeWord(word).far


def value(vm: Machine) -> u64:
    """The second word."""
    return vm.code[u64(vm.at) + 1]


def low(vm: Machine) -> u64:
    """The lower half of the second word."""
    return Pair(value(vm)).low


def high(vm: Machine) -> u64:
    """The upper half of the second word."""
    return Pair(value(vm)).high


def slot(vm: Machine, number: u64) -> u64:
    """The value in a slot of the frame."""
    return vm.stack[u64(vm.frame) + number]


def slot_a(vm: Machine) -> u64:
    """The value in the slot that the first field names."""
    return slot(vm, field_a(vm))


def slot_b(vm: Machine) -> u64:
    """The value in the slot that the second field names."""
    return slot(vm, field_b(vm))


def slot_c(vm: Machine) -> u64:
    """The value in the slot that the third field names."""
    return slot(vm, field_c(vm))


def slot_d(vm: Machine) -> u64:
    """The value in the slot that the second word names."""
    return slot(vm, value(vm) & FIELD)


NUMBERS = {"a": field_a, "b": field_b, "c": field_c, "value": value, "low": low, "high": high}
OPERANDS = {"a": slot_a, "b": slot_b, "c": slot_c, "d": slot_d} | {name: NUMBERS[name] for name in CONSTANTS}
"""For each field of a form, the function that reads the operand: a constant, or the value in a slot."""


def operands(form):
    """Return the functions that read the operands of a form, in order."""
    return [OPERANDS[name] for name in FIELDS[form].operands]


def target_of(form):
    """Return the function that reads which slot takes the result of a form."""
    (name,) = FIELDS[form].changed
    return NUMBERS[name]


def put(vm: Machine, number: u64, word: u64) -> None:
    """Replace the value in a slot of the frame."""
    vm.stack[u64(vm.frame) + number] = word


# ---- how the run goes on, or ends


def go_on(vm: Machine, words: u64) -> bool:
    """Go on with the operation so many words further."""
    vm.at = u32(u64(vm.at) + words)
    return True


def displaced(at: u64, word: u64) -> u64:
    """Return where a word at a position leads."""
    return wrapping_add(u64, at, sign_extend(u64, FarBytecodeWord(word).far, 32))


def jump(vm: Machine, at: u64) -> bool:
    """Go on where the word at a position leads."""
    vm.at = u32(displaced(at, vm.code[at]))
    return True


def leave(vm: Machine, outcome: Outcome) -> bool:
    """End the run."""
    vm.outcome = outcome
    return False


def trapped(vm: Machine, reason: Trap) -> bool:
    """End the run for good."""
    vm.trap = reason
    return leave(vm, Outcome.TRAPPED)


def jump_back(vm: Machine, at: u64) -> bool:
    """Jump, with a safe point first."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    return jump(vm, at)


def exit_(vm: Machine) -> bool:
    """End the run: the call from outside has returned."""
    return leave(vm, Outcome.RETURNED)


def poll(vm: Machine) -> bool:
    """A safe point, and nothing else."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    return go_on(vm, 1)


def trap_unreachable(vm: Machine) -> bool:
    """Trap: the module says that this is never reached."""
    return trapped(vm, Trap.UNREACHABLE)


# ---- constants, copies, branches


def const(vm: Machine) -> bool:
    """c = value."""
    put(vm, field_c(vm), value(vm))
    return go_on(vm, 2)


def copy(vm: Machine) -> bool:
    """c = a."""
    put(vm, field_c(vm), slot_a(vm))
    return go_on(vm, 1)


def copy_two(vm: Machine) -> bool:
    """c = a, then the slot after c = b."""
    put(vm, field_c(vm), slot_a(vm))
    put(vm, field_c(vm) + 1, slot_b(vm))
    return go_on(vm, 1)


def copy_pair(vm: Machine) -> bool:
    """c = a, then the slot that the second word names = b."""
    put(vm, field_c(vm), slot_a(vm))
    put(vm, value(vm) & FIELD, slot_b(vm))
    return go_on(vm, 2)


def copy_loop(vm: Machine) -> bool:
    """After a safe point, c = a, then jump where the second word leads."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    put(vm, field_c(vm), slot_a(vm))
    return jump(vm, u64(vm.at) + 1)


def select(vm: Machine) -> bool:
    """c = a, or b if the slot that the second word names is zero."""
    chosen = slot_a(vm)
    other = slot_b(vm)
    if u32.truncate(slot_d(vm)) == 0:
        chosen = other
    put(vm, field_c(vm), chosen)
    return go_on(vm, 2)


def br(vm: Machine) -> bool:
    """Jump where far leads."""
    return jump(vm, vm.at)


def loop(vm: Machine) -> bool:
    """Jump where far leads, with a safe point first."""
    return jump_back(vm, vm.at)


def choose(vm: Machine, index: u32, words: u64) -> bool:
    """Jump where one of far words leads, or one more word for every index that is too large.

    A jump back has a safe point first.
    """
    number = minimum(index, far(vm.code[vm.at]))
    at = u64(vm.at) + words + u64(number)
    if far(vm.code[at]) < BACKWARD:
        return jump(vm, at)
    return jump_back(vm, at)


def br_table(vm: Machine) -> bool:
    """Jump where word number a leads."""
    return choose(vm, u32.truncate(slot_a(vm)), 1)


def br_table_load(vm: Machine) -> bool:
    """Load the byte at (a + low) + high of the memory, and jump where the word with that number leads.

    The inner sum is modulo 2^32.
    """
    at = u64(wrapping_add(u32, u32.truncate(slot_a(vm)), u32(low(vm)))) + high(vm)
    if at + 1 > vm.memory[0].size:
        return trapped(vm, Trap.MEMORY_OUT_OF_BOUNDS)
    return choose(vm, u32(vm.memory[0].bytes[at]), 2)


# ---- calls


def enter(vm: Machine, entry: u64) -> bool:
    """Begin a frame at slot a.

    The word before the first operation of a function holds the slots of its frame, its parameters and its locals.
    """
    base = u64(vm.frame) + field_a(vm)
    shape = vm.code[entry - 1]
    if base + Shape(shape).slots > length(vm.stack):
        return trapped(vm, Trap.STACK_EXHAUSTED)
    back = u64(vm.at) + 2
    last = LastOfCall(vm.code[back - 1])
    vm.control[vm.depth] = Return(word=u32(back), distance=last.distance, result=last.result)
    vm.depth = u32(u64(vm.depth) + 1)
    first = Shape(shape).parameters
    if first < Shape(shape).locals:
        fill(vm.stack, base + first, 0, Shape(shape).locals - first)
    vm.frame = u32(base)
    vm.at = u32(entry)
    return True


def call(vm: Machine) -> bool:
    """Call the function where far leads."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    return enter(vm, displaced(vm.at, vm.code[vm.at]))


def about(vm: Machine) -> u32:
    """Return what the last word of a call says: the first slot above the arguments, or the type of the callee."""
    return LastOfCall(vm.code[u64(vm.at) + 1]).about


def ask(vm: Machine, top: u32) -> bool:
    """Call the host. Its arguments begin at slot a, the free slots at `top`. It returns to the word after the call."""
    vm.arguments = wrapping_add(u32, vm.frame, u32(field_a(vm)))
    vm.top = wrapping_add(u32, vm.frame, top)
    vm.at = u32(u64(vm.at) + 2)
    return leave(vm, Outcome.HOST_CALL)


def call_import(vm: Machine) -> bool:
    """Call the imported function far. The last word holds the first free slot."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    vm.callee = far(vm.code[vm.at])
    vm.foreign = False
    return ask(vm, about(vm))


def call_indirect(vm: Machine) -> bool:
    """Call the function that element b of table c refers to. It must have the type that the last word names."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    index = u32.truncate(slot_b(vm))
    table = vm.tables[field_c(vm)].table[0]
    if index >= table.size:
        return trapped(vm, Trap.UNDEFINED_ELEMENT)
    reference = table.elements[index]
    if reference == NULL_REFERENCE:
        return trapped(vm, Trap.UNINITIALIZED_ELEMENT)
    number = wrapping_sub(u64, wrapping_sub(u64, reference, vm.base), 1)
    own = number < length(vm.entries)
    if own:
        if EntryOf(vm.entries[number]).entry != 0 and EntryOf(vm.entries[number]).same == about(vm):
            return enter(vm, EntryOf(vm.entries[number]).entry)
    vm.foreign = not own
    vm.callee = number if own else reference
    vm.type = about(vm)
    if own:
        if EntryOf(vm.entries[number]).same != about(vm):
            return trapped(vm, Trap.INDIRECT_CALL_TYPE)
    return ask(vm, u32(field_a(vm)))


def last_call(vm: Machine) -> u64:
    """Where the last call returns to, how much higher its frame is, and the slot of a single result."""
    return vm.control[u64(vm.depth) - 1]


def back(vm: Machine) -> bool:
    """Return to the caller."""
    last = last_call(vm)
    vm.depth = u32(u64(vm.depth) - 1)
    vm.at = Return(last).word
    vm.frame = u32(u64(vm.frame) - Return(last).distance)
    return True


def return_none(vm: Machine) -> bool:
    """Return without a result."""
    return back(vm)


def return_one(vm: Machine) -> bool:
    """Return a, in the slot where it belongs in the frame of the caller."""
    result = slot_a(vm)
    target = Return(last_call(vm)).result
    going = back(vm)
    put(vm, target, result)
    return going


def return_many(vm: Machine) -> bool:
    """Return b slots from a on."""
    move(vm.stack, vm.frame, vm.stack, u64(vm.frame) + field_a(vm), field_b(vm))
    return back(vm)


# ---- globals, the memory as a whole, tables


def get_global(vm: Machine) -> bool:
    """c = global b."""
    put(vm, field_c(vm), vm.globals[field_b(vm)].cell[0])
    return go_on(vm, 1)


def set_global(vm: Machine) -> bool:
    """Global b = a."""
    vm.globals[field_b(vm)].cell[0] = slot_a(vm)
    return go_on(vm, 1)


def shared(vm: Machine, reference: u64) -> u64:
    """Convert a reference of this instance to the form in tables and globals, which other instances may share."""
    return NULL_REFERENCE if reference == NULL_REFERENCE else wrapping_add(u64, reference, vm.base)


def taken(vm: Machine, reference: u64) -> u64:
    """Convert a reference from a table or global to the form that this instance uses."""
    return NULL_REFERENCE if reference == NULL_REFERENCE else wrapping_sub(u64, reference, vm.base)


def get_reference(vm: Machine) -> bool:
    """c = global b, a reference."""
    put(vm, field_c(vm), taken(vm, vm.globals[field_b(vm)].cell[0]))
    return go_on(vm, 1)


def set_reference(vm: Machine) -> bool:
    """Global b = a, a reference."""
    vm.globals[field_b(vm)].cell[0] = shared(vm, slot_a(vm))
    return go_on(vm, 1)


def memory_size(vm: Machine) -> bool:
    """c = the number of pages of the memory."""
    put(vm, field_c(vm), vm.memory[0].size // PAGE)
    return go_on(vm, 1)


def memory_grow(vm: Machine) -> bool:
    """Grow the memory by a pages. c = the number of pages before, or FAILED."""
    before = machine.grow_memory(vm.memory[0], u32.truncate(slot_a(vm)))
    put(vm, field_c(vm), before)
    return go_on(vm, 1)


def done(vm: Machine, reason: Trap, words: u64) -> bool:
    """Go on, or trap if there is a reason."""
    if reason != Trap.NONE:
        return trapped(vm, reason)
    return go_on(vm, words)


def state(vm: Machine, place: u64) -> u32:
    """The i32 in one of the slots from a on, which hold the progress of a bulk operation done in pieces."""
    return u32.truncate(slot(vm, field_a(vm) + place))


def begin(vm: Machine) -> bool:
    """Copy three operands to the slots that the second word names. The next operation does the work in pieces."""
    first = slot_a(vm)
    second = slot_b(vm)
    count = slot_c(vm)
    place = value(vm) & FIELD
    put(vm, place, first)
    put(vm, place + 1, second)
    put(vm, place + 2, count)
    return go_on(vm, 2)


def rest(vm: Machine, moved: u32, words: u64) -> bool:
    """Subtract what was moved from the count. Repeat the operation unless nothing is left."""
    left = state(vm, 2)
    put(vm, field_a(vm) + 2, u64(left - moved))
    if moved < left:
        return True
    return go_on(vm, words)


def further(vm: Machine, place: u64, moved: u32) -> None:
    """Advance a position by the number moved."""
    put(vm, field_a(vm) + place, u64(state(vm, place)) + u64(moved))


def memory_copy(vm: Machine) -> bool:
    """After a safe point, copy c bytes from b to a. Many bytes are left to the next operation."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    if u32.truncate(slot_c(vm)) > PIECE:
        return begin(vm)
    reason = machine.copy_memory(
        vm.memory[0], u32.truncate(slot_a(vm)), u32.truncate(slot_b(vm)), u32.truncate(slot_c(vm))
    )
    return done(vm, reason, 3)


def memory_copy_value(vm: Machine) -> bool:
    """After a safe point, copy bytes from b to a. The second word says how many; they are few."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    reason = machine.copy_memory(
        vm.memory[0], u32.truncate(slot_a(vm)), u32.truncate(slot_b(vm)), u32.truncate(value(vm))
    )
    return done(vm, reason, 2)


def memory_copy_rest(vm: Machine) -> bool:
    """Copy a piece of the bytes. The target is in slot a, source and count are in the next two slots.

    If the bytes move up, the last piece comes first.
    """
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    reason = machine.copy_memory(vm.memory[0], state(vm, 0), state(vm, 1), state(vm, 2))
    if reason != Trap.NONE:
        return trapped(vm, reason)
    piece = minimum(state(vm, 2), PIECE)
    if state(vm, 0) <= state(vm, 1):
        further(vm, 0, piece)
        further(vm, 1, piece)
    return rest(vm, piece, 1)


def memory_fill(vm: Machine) -> bool:
    """After a safe point, write byte b c times from a on. Many bytes are left to the next operation."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    if u32.truncate(slot_c(vm)) > PIECE:
        return begin(vm)
    reason = machine.fill_memory(
        vm.memory[0], u32.truncate(slot_a(vm)), u32.truncate(slot_b(vm)), u32.truncate(slot_c(vm))
    )
    return done(vm, reason, 3)


def memory_fill_rest(vm: Machine) -> bool:
    """Fill a piece of the bytes. The target is in slot a, byte and count are in the next two slots."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    reason = machine.fill_memory(vm.memory[0], state(vm, 0), state(vm, 1), state(vm, 2))
    if reason != Trap.NONE:
        return trapped(vm, reason)
    piece = minimum(state(vm, 2), PIECE)
    further(vm, 0, piece)
    return rest(vm, piece, 1)


def memory_init(vm: Machine) -> bool:
    """Copy a piece of data segment far. The target is in slot a, source and count are in the next two slots."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    reason = machine.init_memory(vm, vm.memory[0], far(vm.code[vm.at]), state(vm, 0), state(vm, 1), state(vm, 2))
    if reason != Trap.NONE:
        return trapped(vm, reason)
    piece = minimum(state(vm, 2), PIECE)
    further(vm, 0, piece)
    further(vm, 1, piece)
    return rest(vm, piece, 1)


def data_drop(vm: Machine) -> bool:
    """Drop data segment far, which has no bytes any more."""
    vm.dropped_data[far(vm.code[vm.at])] = 1
    return go_on(vm, 1)


def elem_drop(vm: Machine) -> bool:
    """Drop element segment far, which has no items any more."""
    vm.dropped_elements[far(vm.code[vm.at])] = 1
    return go_on(vm, 1)


def table_get(vm: Machine) -> bool:
    """c = element a of table b."""
    table = vm.tables[field_b(vm)].table[0]
    index = u32.truncate(slot_a(vm))
    if index >= table.size:
        return trapped(vm, Trap.TABLE_OUT_OF_BOUNDS)
    put(vm, field_c(vm), taken(vm, table.elements[index]))
    return go_on(vm, 1)


def table_set(vm: Machine) -> bool:
    """Element a of table c = b."""
    table = vm.tables[field_c(vm)].table[0]
    index = u32.truncate(slot_a(vm))
    if index >= table.size:
        return trapped(vm, Trap.TABLE_OUT_OF_BOUNDS)
    table.elements[index] = shared(vm, slot_b(vm))
    return go_on(vm, 1)


def table_size(vm: Machine) -> bool:
    """c = the number of elements of table b."""
    put(vm, field_c(vm), vm.tables[field_b(vm)].table[0].size)
    return go_on(vm, 1)


def table_grow(vm: Machine) -> bool:
    """Grow table low by b elements. c = the number of elements before, or FAILED.

    The next operation fills the new elements with a.
    """
    table = vm.tables[low(vm)].table[0]
    element = slot_a(vm)
    count = u32.truncate(slot_b(vm))
    before = machine.grow_table(table, count)
    put(vm, field_c(vm), before)
    put(vm, field_c(vm) + 1, 0 if before == FAILED else before)
    put(vm, field_c(vm) + 2, element)
    put(vm, field_c(vm) + 3, 0 if before == FAILED else count)
    return go_on(vm, 2)


def table_fill(vm: Machine) -> bool:
    """Fill a piece of table far. The target is in slot a, element and count are in the next two slots."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    table = vm.tables[far(vm.code[vm.at])].table[0]
    reason = machine.fill_table(table, state(vm, 0), shared(vm, slot(vm, field_a(vm) + 1)), state(vm, 2))
    if reason != Trap.NONE:
        return trapped(vm, reason)
    piece = minimum(state(vm, 2), ITEMS)
    further(vm, 0, piece)
    return rest(vm, piece, 1)


def table_copy(vm: Machine) -> bool:
    """Copy a piece of table high to table low. The target is in slot a, source and count are in the next two slots."""
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    to = vm.tables[low(vm)].table[0]
    source = vm.tables[high(vm)].table[0]
    reason = machine.copy_table(to, source, state(vm, 0), state(vm, 1), state(vm, 2))
    if reason != Trap.NONE:
        return trapped(vm, reason)
    piece = minimum(state(vm, 2), ITEMS)
    if state(vm, 0) <= state(vm, 1):
        further(vm, 0, piece)
        further(vm, 1, piece)
    return rest(vm, piece, 2)


def table_init(vm: Machine) -> bool:
    """Copy a piece of element segment low to table high.

    The target is in slot a, source and count are in the next two slots.
    """
    if vm.budget <= vm.stop:
        return leave(vm, Outcome.SUSPENDED)
    vm.budget -= 1
    table = vm.tables[high(vm)].table[0]
    reason = machine.init_table(vm, table, u32(low(vm)), state(vm, 0), state(vm, 1), state(vm, 2))
    if reason != Trap.NONE:
        return trapped(vm, reason)
    piece = minimum(state(vm, 2), ITEMS)
    further(vm, 0, piece)
    further(vm, 1, piece)
    return rest(vm, piece, 2)


# ---- instructions that compute, in a form


def unary(row):
    """c = f(a)."""
    type_, computed = WORD[row.parameters[0]], meaning(row)

    def operation(vm: Machine) -> bool:
        put(vm, field_c(vm), u64(computed(type_.truncate(slot_a(vm)))))
        return go_on(vm, 1)

    return operation


def converting(row):
    """c = f(a), or a trap if a has no integer value."""
    type_, computed, fitting = WORD[row.parameters[0]], meaning(row), fits(row)
    differ = getattr(floats, f"{row.parameters[0].name.lower()}_ne")

    def operation(vm: Machine) -> bool:
        a = type_.truncate(slot_a(vm))
        if not fitting(a):
            return trapped(vm, Trap.INVALID_CONVERSION if differ(a, a) else Trap.INTEGER_OVERFLOW)
        put(vm, field_c(vm), u64(computed(a)))
        return go_on(vm, 1)

    return operation


def binary(row, form):
    """c = f of two operands."""
    type_, computed, (first, second), words = WORD[row.parameters[0]], meaning(row), operands(form), FIELDS[form].words

    def operation(vm: Machine) -> bool:
        put(vm, field_c(vm), u64(computed(type_.truncate(first(vm)), type_.truncate(second(vm)))))
        return go_on(vm, words)

    return operation


def pair(row, inner, form):
    """c = f(g of two operands, a third operand)."""
    first_type, type_, computed, before = (
        WORD[inner.parameters[0]],
        WORD[row.parameters[0]],
        meaning(row),
        meaning(inner),
    )
    (first, second, third), words = operands(form), FIELDS[form].words

    def operation(vm: Machine) -> bool:
        put(
            vm,
            field_c(vm),
            u64(
                computed(
                    before(first_type.truncate(first(vm)), first_type.truncate(second(vm))), type_.truncate(third(vm))
                )
            ),
        )
        return go_on(vm, words)

    return operation


def step_of(row, inner, form):
    """A slot = g of two operands. If f of that and a third operand holds, jump, with a safe point first."""
    type_, holds, computed, (first, second, third) = (
        WORD[row.parameters[0]],
        meaning(row),
        meaning(inner),
        operands(form),
    )
    target, word, words = target_of(form), FIELDS[form].leads, FIELDS[form].words

    def operation(vm: Machine) -> bool:
        result = computed(type_.truncate(first(vm)), type_.truncate(second(vm)))
        if holds(result, type_.truncate(third(vm))):
            if vm.budget <= vm.stop:
                return leave(vm, Outcome.SUSPENDED)
            vm.budget -= 1
            put(vm, target(vm), u64(result))
            return jump(vm, u64(vm.at) + word)
        put(vm, target(vm), u64(result))
        return go_on(vm, words)

    return operation


def copying(row, form):
    """The slot that the upper half of the second word names = b, then c = f(a, low)."""
    type_, computed, (first, second), words = WORD[row.parameters[0]], meaning(row), operands(form), FIELDS[form].words

    def operation(vm: Machine) -> bool:
        put(vm, high(vm) & FIELD, slot_b(vm))
        put(vm, field_c(vm), u64(computed(type_.truncate(first(vm)), type_.truncate(second(vm)))))
        return go_on(vm, words)

    return operation


def computing_back(row, form):
    """After a safe point, c = f(a, low), then jump where the second word leads."""
    type_, computed, (first, second), word = WORD[row.parameters[0]], meaning(row), operands(form), FIELDS[form].leads

    def operation(vm: Machine) -> bool:
        if vm.budget <= vm.stop:
            return leave(vm, Outcome.SUSPENDED)
        vm.budget -= 1
        put(vm, field_c(vm), u64(computed(type_.truncate(first(vm)), type_.truncate(second(vm)))))
        return jump(vm, u64(vm.at) + word)

    return operation


def trapping(row, form):
    """c = f of two operands, or a trap if f has no value for them."""
    type_, computed, failing, (first, second), words = (
        WORD[row.parameters[0]],
        meaning(row),
        trap(row),
        operands(form),
        FIELDS[form].words,
    )

    def operation(vm: Machine) -> bool:
        a = type_.truncate(first(vm))
        b = type_.truncate(second(vm))
        if failing(a, b) != Trap.NONE:
            return trapped(vm, failing(a, b))
        put(vm, field_c(vm), u64(computed(a, b)))
        return go_on(vm, words)

    return operation


# ---- branches on comparisons


def branch(row, form):
    """Jump if a comparison holds, or if it does not hold, or if it holds, with a safe point first."""
    kind, _ = form.name.split("_")
    type_, holds, (first, second) = WORD[row.parameters[0]], meaning(row), operands(form)
    word, words = FIELDS[form].leads, FIELDS[form].words
    wanted = kind != "UNLESS"
    go = jump_back if kind == "LOOP" else jump

    def operation(vm: Machine) -> bool:
        if holds(type_.truncate(first(vm)), type_.truncate(second(vm))) == wanted:
            return go(vm, u64(vm.at) + word)
        return go_on(vm, words)

    return operation


# ---- accesses of the memory


def byte(m: Memory, at: u64) -> u64:
    """A byte."""
    return m.bytes[at]


def half(m: Memory, at: u64) -> u64:
    """Two bytes, the low one first."""
    return byte(m, at) | shift_left(u64, byte(m, at + 1), 8)


def word_(m: Memory, at: u64) -> u64:
    """Four bytes."""
    return half(m, at) | shift_left(u64, half(m, at + 2), 16)


def double(m: Memory, at: u64) -> u64:
    """Eight bytes."""
    return word_(m, at) | shift_left(u64, word_(m, at + 4), 32)


def put_byte(m: Memory, at: u64, word: u64) -> None:
    """Replace a byte."""
    m.bytes[at] = u8.truncate(word)


def put_half(m: Memory, at: u64, word: u64) -> None:
    """Replace two bytes, the low one first."""
    put_byte(m, at, word)
    put_byte(m, at + 1, word >> 8)


def put_word(m: Memory, at: u64, word: u64) -> None:
    """Replace four bytes."""
    put_half(m, at, word)
    put_half(m, at + 2, word >> 16)


def put_double(m: Memory, at: u64, word: u64) -> None:
    """Replace eight bytes."""
    put_word(m, at, word)
    put_word(m, at + 4, word >> 32)


READ = {1: byte, 2: half, 4: word_, 8: double}
WRITE = {1: put_byte, 2: put_half, 4: put_word, 8: put_double}


def nothing(vm: Machine) -> u64:
    """Nothing is added."""
    return 0


def address(row, form, names):
    """Return the function that computes an address from its fields."""
    first, *more = [OPERANDS[name] for name in names if name[0] != "+"]
    second = more[0] if more else nothing
    further = NUMBERS[offset(names)] if offset(names) else nothing
    scale = row.width.bit_length() - 1 if form in SCALED else 0

    def at(vm: Machine) -> u64:
        return u64(
            wrapping_add(u32, shift_left(u32, u32.truncate(first(vm)), scale), u32.truncate(second(vm)))
        ) + further(vm)

    return at


def same(word: u64) -> u64:
    """Return the word unchanged."""
    return word


def loading(row, form):
    """c = memory."""
    at_of, width, read, words = (
        address(row, form, FIELDS[form].operands),
        row.width,
        READ[row.width],
        FIELDS[form].words,
    )
    type_ = WORD[row.results[0]] if is_signed(row) else u64
    extended = integers.MEANING[f"{row.name[:3]}_extend{8 * row.width}_s"] if is_signed(row) else same

    def operation(vm: Machine) -> bool:
        at = at_of(vm)
        if at + width > vm.memory[0].size:
            return trapped(vm, Trap.MEMORY_OUT_OF_BOUNDS)
        put(vm, field_c(vm), u64(extended(type_.truncate(read(vm.memory[0], at)))))
        return go_on(vm, words)

    return operation


def storing(row, form):
    """Memory = a slot or a constant."""
    at_of, width, write, (stored,), words = (
        address(row, form, FIELDS[form].changed),
        row.width,
        WRITE[row.width],
        operands(form),
        FIELDS[form].words,
    )

    def operation(vm: Machine) -> bool:
        at = at_of(vm)
        if at + width > vm.memory[0].size:
            return trapped(vm, Trap.MEMORY_OUT_OF_BOUNDS)
        write(vm.memory[0], at, stored(vm))
        return go_on(vm, words)

    return operation


def moving(row, form):
    """Memory = memory."""
    width, read, write = row.width, READ[row.width], WRITE[row.width]
    from_, to, words = (
        address(row, form, FIELDS[form].operands),
        address(row, form, FIELDS[form].changed),
        FIELDS[form].words,
    )

    def operation(vm: Machine) -> bool:
        source = from_(vm)
        target = to(vm)
        if source + width > vm.memory[0].size or target + width > vm.memory[0].size:
            return trapped(vm, Trap.MEMORY_OUT_OF_BOUNDS)
        write(vm.memory[0], target, read(vm.memory[0], source))
        return go_on(vm, words)

    return operation


# ---- all of them


def function_of(operation):
    """Return the function of an operation."""
    row, form = operation.row, operation.form
    if form is Form.OWN:
        return exit_ if operation.name == "exit" else globals()[operation.name]
    if form in LOADS:
        return loading(row, form)
    if form in STORES:
        return storing(row, form)
    if form in MOVES:
        return moving(row, form)
    if form in STEPS:
        return step_of(row, operation.inner, form)
    if form is Form.COPY_VALUE:
        return copying(row, form)
    if form is Form.BACK_VALUE:
        return computing_back(row, form)
    if operation.inner:
        return pair(row, operation.inner, form)
    if form is Form.UNARY:
        return unary(row) if fits(row) is None else converting(row)
    if not FIELDS[form].changed:
        return branch(row, form)
    return binary(row, form) if trap(row) is None else trapping(row, form)


FUNCTIONS = tuple(map(function_of, OPERATIONS))
"""What each operation does, by its number."""


def step(vm):
    """Do the next operation, and return whether the run goes on."""
    return FUNCTIONS[vm.code[vm.at] & FIELD](vm)


def run(vm):
    """Run until the run ends. `outcome` says why."""
    while step(vm):
        pass
