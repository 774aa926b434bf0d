"""May a snapshot from outside run?

Nothing in it is trusted: its resume point, calls, sizes and references are checked. Values on the stack need no check,
because no operation relies on them.
"""

from corollary.language.builtins import implies, wrapping_add, wrapping_sub
from corollary.language.contracts import ensures, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u8, u32, u64
from corollary.language.values import length
from corollary.model.wasm.emission import RETURN_POINT, SAFE_POINT
from corollary.model.wasm.operand_types import is_reference
from corollary.model.wasm.room import counted
from corollary.spec.wasm.internal import Handler
from corollary.spec.wasm.machine import (
    EXIT,
    NULL_REFERENCE,
    PAGE,
    EntryOf,
    FarBytecodeWord,
    LastOfCall,
    Machine,
    Outcome,
    Return,
    Shape,
    Table,
)
from corollary.spec.wasm.module import Module, Translation
from corollary.spec.wasm.snapshot import Fault
from corollary.spec.wasm.values import ValueType

CALL_IMPORT = int(Handler.CALL_IMPORT)
CALL_INDIRECT = int(Handler.CALL_INDIRECT)
BEHIND = int(Handler.EXIT)  # the last words of these two begin with it


def check(vm: Machine, t: Translation) -> Fault:
    """Return what is wrong with a state, if anything.

    Each call comes as the word that it returns to and is completed. A call that waits for the host is completed, too.
    """
    if not loaded(vm, t):
        return Fault.LAYOUT
    fault = check_memory(vm)
    if fault == Fault.NONE:
        fault = check_tables(vm, vm.module[0])
    if fault == Fault.NONE:
        fault = check_globals(vm, vm.module[0])
    if fault == Fault.NONE:
        fault = check_calls(vm, t)
    return fault


def loaded(vm: Machine, t: Translation) -> bool:
    """Is there a module, and all the code that it was translated to?"""
    return length(vm.module) > 0 and counted(vm.module[0]) and t.at <= length(t.marks) and t.at <= length(vm.code)


# ---- memory, tables, globals


def check_memory(vm: Machine) -> Fault:
    """Check that the memory is a whole number of pages and that there is room for it."""
    if length(vm.memory) == 0:
        return Fault.NONE
    size = vm.memory[0].size
    if size % PAGE != 0 or size // PAGE > vm.memory[0].maximum or size > length(vm.memory[0].bytes):
        return Fault.MEMORY
    return Fault.NONE


def check_tables(vm: Machine, m: Module) -> Fault:
    """Check that every table has room for its size, and holds what the instance may have."""
    number: u64 = 0
    fault = Fault.NONE
    while number < length(vm.tables) and fault == Fault.NONE:
        decreases(length(vm.tables) - number)
        if number >= length(m.tables) or length(vm.tables[number].table) == 0:
            return Fault.LAYOUT
        fault = check_table(vm, vm.tables[number].table[0], m.tables[number].element)
        number += 1
    return fault


def check_table(vm: Machine, t: Table, type_: ValueType) -> Fault:
    """Check that a table has room for its size, and holds what the instance may have."""
    if t.size > t.maximum or t.size > length(t.elements):
        return Fault.TABLE
    left = t.size
    while left > 0:
        maintains(left <= length(t.elements))
        decreases(left)
        left -= 1
        if not may_have(vm, t.elements[left], type_):
            return Fault.REFERENCE
    return Fault.NONE


def check_globals(vm: Machine, m: Module) -> Fault:
    """Check that every global of a reference type holds what the instance may have."""
    number: u64 = 0
    while number < length(vm.globals):
        decreases(length(vm.globals) - number)
        if number >= length(m.globals) or length(vm.globals[number].cell) == 0:
            return Fault.LAYOUT
        type_ = m.globals[number].type
        if is_reference(type_) and not may_have(vm, vm.globals[number].cell[0], type_):
            return Fault.REFERENCE
        number += 1
    return Fault.NONE


def may_have(vm: Machine, reference: u64, type_: ValueType) -> bool:
    """Is a reference in a table or global null, or does it refer to a function of the instance?"""
    if reference == NULL_REFERENCE:
        return True
    return type_ == ValueType.FUNCREF and wrapping_sub(u64, wrapping_sub(u64, reference, vm.base), 1) < length(
        vm.entries
    )


# ---- calls


@requires(loaded)
def check_calls(vm: Machine, t: Translation) -> Fault:
    """Check where the run is, and where its calls return to."""
    if vm.outcome == Outcome.RETURNED:
        return Fault.NONE if vm.depth == 0 and vm.frame == 0 else Fault.FRAMES
    if vm.outcome == Outcome.HOST_CALL:
        if not is_host_call(vm, t):
            return Fault.HOST_CALL
    elif vm.outcome != Outcome.SUSPENDED or not is_marked(t, vm.at, SAFE_POINT):
        return Fault.PLACE
    fault = check_frames(vm, t)
    if fault == Fault.NONE and vm.outcome == Outcome.HOST_CALL:
        complete(vm)
    return fault


@requires(lambda t: t.at <= length(t.marks))
def is_marked(t: Translation, word: u32, kind: u8) -> bool:
    """Is a word a resume point of this kind?"""
    return word < t.at and t.marks[word] & kind != 0


@requires(loaded)
def check_frames(vm: Machine, t: Translation) -> Fault:
    """Check the frames from the innermost call to the outermost, which returns to the exit.

    Every frame must fit the stack. The outermost frame must begin where the stack begins.
    """
    word = vm.at
    frame = vm.frame
    left = vm.depth
    while left > 1:
        decreases(left)
        left -= 1
        if not frame_fits(vm, word, frame):
            return Fault.STACK
        if left >= length(vm.control):
            return Fault.FRAMES
        word = u32.truncate(vm.control[left])
        distance = distance_at(vm, t, word)
        if distance == 0 or vm.control[left] != word:
            return Fault.RETURN
        last = LastOfCall(vm.code[word - 1])
        vm.control[left] = Return(word=word, distance=last.distance, result=last.result)
        if distance > frame:
            return Fault.FRAMES
        frame -= distance
    if left == 0 or length(vm.control) == 0 or frame != 0:
        return Fault.FRAMES
    if vm.control[0] != EXIT:
        return Fault.RETURN
    return Fault.NONE if frame_fits(vm, word, frame) else Fault.STACK


@requires(loaded)
@ensures(lambda t, word, result: implies(result != 0, word > EXIT and word < t.at))
def distance_at(vm: Machine, t: Translation, word: u32) -> u32:
    """Return how far the frame of a call that returns to a word lies above its caller's; 0 if no call returns there."""
    if word <= EXIT or not is_marked(t, word, RETURN_POINT):
        return 0
    return LastOfCall(vm.code[word - 1]).distance


def frame_fits(vm: Machine, word: u32, frame: u32) -> bool:
    """Does the frame of the function that a word belongs to fit the stack?"""
    slots = slots_at(vm, word)
    return slots != 0 and u64(frame) + u64(slots) <= length(vm.stack)


def slots_at(vm: Machine, word: u32) -> u32:
    """Return the number of slots in a frame of the function that a word belongs to; 0 if it belongs to none."""
    if length(vm.module) == 0 or not counted(vm.module[0]):
        return 0
    after = first_after(vm.module[0], word)
    if after <= vm.module[0].imported_functions:
        return 0
    entry = vm.module[0].functions[after - 1].entry
    if entry == 0 or entry > length(vm.code):
        return 0
    return Shape(vm.code[entry - 1]).slots


@requires(counted)
@ensures(lambda m, result: result <= m.counts.functions)
def first_after(m: Module, word: u32) -> u32:
    """Return the first function that begins after a word. Functions lie in order."""
    low = m.imported_functions
    high = m.counts.functions
    while low < high:
        maintains(low <= high and high <= m.counts.functions)
        decreases(high - low)
        middle = low + (high - low) // 2
        if m.functions[middle].entry <= word:
            low = middle + 1
        else:
            high = middle
    return low


# ---- host calls


@requires(loaded)
@ensures(lambda vm, t, result: implies(result, vm.at > 0 and vm.at < t.at))
def is_host_call(vm: Machine, t: Translation) -> bool:
    """Does the call just before the resume point ask the host for exactly this function?"""
    if distance_at(vm, t, vm.at) == 0 or vm.foreign:
        return False
    last = LastOfCall(vm.code[vm.at - 1])
    if vm.callee >= vm.module[0].imported_functions or vm.callee >= length(vm.entries) or last.handler != BEHIND:
        return False
    call = FarBytecodeWord(vm.code[vm.at - 2])
    if call.handler == CALL_IMPORT:
        return vm.callee == call.far
    called = EntryOf(vm.entries[vm.callee])
    return call.handler == CALL_INDIRECT and called.same == last.about


@requires(lambda vm: vm.at > 0 and vm.at <= length(vm.code))
def complete(vm: Machine) -> None:
    """Set the slot where the arguments of a host call are, and where its results belong."""
    vm.arguments = wrapping_add(u32, vm.frame, u32(LastOfCall(vm.code[vm.at - 1]).distance))
