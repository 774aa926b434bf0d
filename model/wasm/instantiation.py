"""How does what a module defines get its first content?

The host makes room, and calls these functions. Each does so little that the host can check its clock between two calls.
"""

from corollary.language.builtins import minimum, wrapping_add
from corollary.language.loops import decreases
from corollary.language.types import u32, u64
from corollary.language.values import length
from corollary.model.wasm.machine import init_memory, init_table
from corollary.spec.wasm.machine import ITEMS, NULL_REFERENCE, PIECE, Machine
from corollary.spec.wasm.module import Constant, Mode
from corollary.spec.wasm.opcodes import Opcode
from corollary.spec.wasm.traps import Trap


def constant(vm: Machine, c: Constant) -> u64:
    """Return the value of a constant expression, with a reference in its shared form."""
    if c.opcode == Opcode.GLOBAL_GET:
        if c.value >= length(vm.globals) or length(vm.globals[c.value].cell) == 0:
            return 0
        return vm.globals[c.value].cell[0]
    if c.opcode == Opcode.REF_NULL:
        return NULL_REFERENCE
    return wrapping_add(u64, vm.base, wrapping_add(u64, c.value, 1)) if c.opcode == Opcode.REF_FUNC else c.value


def fill_globals(vm: Machine) -> None:
    """Give each global that the module defines its first value."""
    if length(vm.module) == 0:
        return
    number: u64 = vm.module[0].imported_globals
    while number < length(vm.globals) and number < length(vm.module[0].globals):
        decreases(length(vm.globals) - number)
        if length(vm.globals[number].cell) != 0:
            vm.globals[number].cell[0] = constant(vm, vm.module[0].globals[number].value)
        number += 1


def fill_items(vm: Machine, first: u64) -> None:
    """Set the items of element segments, from `first` on, to their references: as many as fit one piece."""
    if length(vm.module) == 0 or first >= length(vm.items):
        return
    number = first
    end = first + minimum(length(vm.items) - first, ITEMS)
    while number < end and number < length(vm.items) and number < length(vm.module[0].items):
        decreases(end - number)
        vm.items[number] = constant(vm, vm.module[0].items[number])
        number += 1


def copy_elements(vm: Machine, segment: u32, done: u32) -> Trap:
    """Copy the next piece of an active element segment to its table, when `done` items of it were copied.

    A segment that is not passive is dropped with its last piece.
    """
    if length(vm.module) == 0 or segment >= length(vm.module[0].elements) or segment >= length(vm.dropped_elements):
        return Trap.TABLE_OUT_OF_BOUNDS
    mode = vm.module[0].elements[segment].mode
    count = vm.module[0].elements[segment].count
    number = vm.module[0].elements[segment].table
    trap = Trap.NONE
    if mode == Mode.ACTIVE:
        if done > count or number >= length(vm.tables) or length(vm.tables[number].table) == 0:
            return Trap.TABLE_OUT_OF_BOUNDS
        to = u32.truncate(constant(vm, vm.module[0].elements[segment].offset))
        trap = init_table(vm, vm.tables[number].table[0], segment, wrapping_add(u32, to, done), done, count - done)
    if trap == Trap.NONE and mode != Mode.PASSIVE and (mode != Mode.ACTIVE or count - done <= ITEMS):
        vm.dropped_elements[segment] = 1
    return trap


def copy_data(vm: Machine, segment: u32, done: u32) -> Trap:
    """Copy the next piece of an active data segment to the memory, when `done` bytes of it were copied.

    The segment is dropped with its last piece.
    """
    if length(vm.module) == 0 or segment >= length(vm.module[0].data) or segment >= length(vm.dropped_data):
        return Trap.MEMORY_OUT_OF_BOUNDS
    if vm.module[0].data[segment].mode != Mode.ACTIVE:
        return Trap.NONE
    size = vm.module[0].data[segment].size
    if done > size or length(vm.memory) == 0:
        return Trap.MEMORY_OUT_OF_BOUNDS
    to = u32.truncate(constant(vm, vm.module[0].data[segment].offset))
    trap = init_memory(vm, vm.memory[0], segment, wrapping_add(u32, to, done), done, size - done)
    if trap == Trap.NONE and size - done <= PIECE:
        vm.dropped_data[segment] = 1
    return trap
