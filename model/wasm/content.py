"""How is the content of a snapshot brought into an instance?

It begins with nine numbers of 32 bits: outcome, next operation, frame, calls, slots in use, callee, globals, tables and
pages. The control stack follows, the operand stack, the globals, the tables, a byte for each segment, and the memory,
unless that comes apart. Nothing in it is trusted.
"""

from corollary.language.builtins import wrapping_add, wrapping_sub
from corollary.language.bytes import move
from corollary.language.contracts import requires
from corollary.language.loops import decreases
from corollary.language.types import u8, u32, u64
from corollary.language.values import length
from corollary.model.wasm.operand_types import is_reference
from corollary.model.wasm.snapshot import check
from corollary.spec.wasm.machine import NULL_REFERENCE, PAGE, Machine, Outcome, Table
from corollary.spec.wasm.module import Translation
from corollary.spec.wasm.snapshot import Content, Fault

HOST_CALL = int(Outcome.HOST_CALL)  # the last outcome in which an instance can wait


def restore(vm: Machine, t: Translation, c: Content) -> Fault:
    """Bring the content into an instance that has taken no step yet, and check it. Return what is wrong, if any is.

    If its numbers do not fit, nothing is changed. After any other fault the instance must not be used.
    """
    outcome = number(c)
    at = number(c)
    frame = number(c)
    depth = number(c)
    slots = number(c)
    callee = number(c)
    globals_ = number(c)
    tables = number(c)
    pages = number(c)
    if outcome > HOST_CALL or globals_ != length(vm.globals) or tables != length(vm.tables):
        return Fault.LAYOUT
    if not has_stacks(vm, depth, slots):
        return Fault.STACK
    vm.outcome = Outcome(u8(outcome))
    vm.at = at
    vm.frame = frame
    vm.depth = depth
    vm.callee = callee
    restore_stacks(vm, c, slots)
    fault = restore_globals(vm, c)
    if fault == Fault.NONE:
        fault = restore_tables(vm, c)
    if fault == Fault.NONE:
        restore_dropped(vm, c)
        fault = restore_memory(vm, c, pages)
    if fault == Fault.NONE:
        fault = check(vm, t)
    return fault


def has_stacks(vm: Machine, depth: u32, slots: u32) -> bool:
    """Has the instance room for that many calls and slots?"""
    return u64(depth) <= length(vm.control) and u64(slots) <= length(vm.stack)


@requires(lambda vm, slots: has_stacks(vm, vm.depth, slots))
def restore_stacks(vm: Machine, c: Content, slots: u32) -> None:
    """Read the words that calls return to, and the slots in use. The check completes the control stack."""
    read: u32 = 0
    depth = vm.depth
    while read < depth:
        decreases(depth - read)
        vm.control[read] = number(c)
        read += 1
    read = 0
    while read < slots:
        decreases(slots - read)
        vm.stack[read] = word(c)
        read += 1


def restore_globals(vm: Machine, c: Content) -> Fault:
    """Read the globals. One that never changes must have its value already."""
    at: u64 = 0
    while at < length(vm.globals):
        decreases(length(vm.globals) - at)
        if length(vm.module) == 0 or at >= length(vm.module[0].globals) or length(vm.globals[at].cell) == 0:
            return Fault.LAYOUT
        value = word(c)
        if is_reference(vm.module[0].globals[at].type):
            value = shared(vm, value)
        if vm.module[0].globals[at].mutable:
            vm.globals[at].cell[0] = value
        elif vm.globals[at].cell[0] != value:
            return Fault.GLOBAL
        at += 1
    return Fault.NONE


def restore_tables(vm: Machine, c: Content) -> Fault:
    """Read the tables."""
    at: u64 = 0
    fault = Fault.NONE
    while at < length(vm.tables) and fault == Fault.NONE:
        decreases(length(vm.tables) - at)
        if length(vm.tables[at].table) == 0:
            return Fault.LAYOUT
        fault = restore_table(vm, vm.tables[at].table[0], c)
        at += 1
    return fault


def restore_table(vm: Machine, table: Table, c: Content) -> Fault:
    """Read a table: its size, and a reference for each element."""
    size = number(c)
    if size > length(table.elements):
        return Fault.TABLE
    table.size = size
    read: u32 = 0
    while read < size:
        decreases(size - read)
        reference = number(c)
        table.elements[read] = shared(vm, reference)
        read += 1
    return Fault.NONE


def restore_dropped(vm: Machine, c: Content) -> None:
    """Read for each segment whether it is dropped: any byte but zero says so."""
    at: u64 = 0
    while at < length(vm.dropped_elements):
        decreases(length(vm.dropped_elements) - at)
        vm.dropped_elements[at] = flag(c)
        at += 1
    at = 0
    while at < length(vm.dropped_data):
        decreases(length(vm.dropped_data) - at)
        vm.dropped_data[at] = flag(c)
        at += 1


def restore_memory(vm: Machine, c: Content, pages: u32) -> Fault:
    """Read the memory, if there is one. Nothing may follow, and nothing may have been missing."""
    size = u64(pages) * PAGE
    there = 0 if c.apart else size
    if length(vm.memory) == 0:
        return Fault.NONE if pages == 0 and c.at == length(c.bytes) and not c.missing else Fault.LAYOUT
    if size > length(vm.memory[0].bytes):
        return Fault.MEMORY
    if c.missing or c.at > length(c.bytes) or length(c.bytes) - c.at != there:
        return Fault.LAYOUT
    vm.memory[0].size = size
    move(vm.memory[0].bytes, 0, c.bytes, c.at, there)
    return Fault.NONE


def shared(vm: Machine, reference: u64) -> u64:
    """Return a reference of the instance in its shared form."""
    return NULL_REFERENCE if reference == NULL_REFERENCE else wrapping_add(u64, vm.base, reference)


def own(vm: Machine, reference: u64) -> u64:
    """Return a shared reference as the instance counts it."""
    return NULL_REFERENCE if reference == NULL_REFERENCE else wrapping_sub(u64, reference, vm.base)


# ---- reading


def flag(c: Content) -> u8:
    """Read a byte; 1 when it is not 0."""
    if c.at >= length(c.bytes):
        c.missing = True
        return 0
    read = c.bytes[c.at]
    c.at += 1
    return 0 if read == 0 else 1


def number(c: Content) -> u32:
    """Read a number of 32 bits; 0 when it is not there."""
    at = c.at
    if at > length(c.bytes) or length(c.bytes) - at < 4:
        c.missing = True
        return 0
    c.at = at + 4
    return u32(c.bytes[at]) | u32(c.bytes[at + 1]) << 8 | u32(c.bytes[at + 2]) << 16 | u32(c.bytes[at + 3]) << 24


def word(c: Content) -> u64:
    """Read a number of 64 bits."""
    low = number(c)
    high = number(c)
    return u64(low) | u64(high) << 32
