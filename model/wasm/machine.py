"""What do the operations on memories and tables as a whole do?

Each operation checks everything before it changes anything. It moves one piece at a time: the first bytes or elements,
or the last ones where they move up to a place that they may overlap. What is left is in range, as all of it was.
"""

from corollary.language.builtins import minimum
from corollary.language.bytes import fill, move
from corollary.language.types import u8, u32, u64
from corollary.language.values import length
from corollary.spec.wasm.machine import FAILED, ITEMS, PAGE, PIECE, Machine, Memory, Table
from corollary.spec.wasm.module import MEMORY_PAGES
from corollary.spec.wasm.traps import Trap


def grow_memory(m: Memory, pages: u32) -> u32:
    """Add pages of zeros. Return the number of pages before, or FAILED."""
    before = u32.truncate(m.size // PAGE)
    if (
        pages > MEMORY_PAGES
        or before > MEMORY_PAGES
        or before + pages > m.maximum
        or u64(before + pages) * PAGE > length(m.bytes)
    ):
        return FAILED
    m.size = u64(before + pages) * PAGE
    return before


def copy_memory(m: Memory, target: u32, source: u32, count: u32) -> Trap:
    """Copy bytes of the memory to another place in it, as if through a buffer."""
    if u64(target) + u64(count) > m.size or u64(source) + u64(count) > m.size or m.size > length(m.bytes):
        return Trap.MEMORY_OUT_OF_BOUNDS
    piece = minimum(count, PIECE)
    ahead: u32 = 0 if target <= source else count - piece
    move(m.bytes, u64(target) + u64(ahead), m.bytes, u64(source) + u64(ahead), piece)
    return Trap.NONE


def fill_memory(m: Memory, target: u32, value: u32, count: u32) -> Trap:
    """Fill bytes of the memory with one byte."""
    if u64(target) + u64(count) > m.size or m.size > length(m.bytes):
        return Trap.MEMORY_OUT_OF_BOUNDS
    fill(m.bytes, target, u8.truncate(value), minimum(count, PIECE))
    return Trap.NONE


def init_memory(vm: Machine, m: Memory, segment: u32, target: u32, source: u32, count: u32) -> Trap:
    """Copy bytes of a data segment to the memory. A dropped segment has none."""
    if length(vm.module) == 0 or segment >= length(vm.module[0].data) or segment >= length(vm.dropped_data):
        return Trap.MEMORY_OUT_OF_BOUNDS
    at = vm.module[0].data[segment].at
    size: u32 = 0 if vm.dropped_data[segment] != 0 else vm.module[0].data[segment].size
    if u64(source) + u64(count) > size or u64(target) + u64(count) > m.size or m.size > length(m.bytes):
        return Trap.MEMORY_OUT_OF_BOUNDS
    if u64(at) + u64(source) + u64(count) > length(vm.module[0].bytes):
        return Trap.MEMORY_OUT_OF_BOUNDS
    move(m.bytes, target, vm.module[0].bytes, u64(at) + u64(source), minimum(count, PIECE))
    return Trap.NONE


def grow_table(t: Table, count: u32) -> u32:
    """Add elements, all null as they are beyond the size. Return the number of elements before, or FAILED."""
    before = t.size
    after = u64(before) + u64(count)
    if after > t.maximum or after > length(t.elements):
        return FAILED
    t.size = u32(after)
    return before


def fill_table(t: Table, target: u32, value: u64, count: u32) -> Trap:
    """Fill elements of a table with one element."""
    if u64(target) + u64(count) > t.size or t.size > length(t.elements):
        return Trap.TABLE_OUT_OF_BOUNDS
    fill(t.elements, target, value, minimum(count, ITEMS))
    return Trap.NONE


def copy_table(to: Table, source: Table, target: u32, first: u32, count: u32) -> Trap:
    """Copy elements of a table to another table, or to another place in it, as if through a buffer."""
    if u64(target) + u64(count) > to.size or u64(first) + u64(count) > source.size:
        return Trap.TABLE_OUT_OF_BOUNDS
    if to.size > length(to.elements) or source.size > length(source.elements):
        return Trap.TABLE_OUT_OF_BOUNDS
    piece = minimum(count, ITEMS)
    ahead: u32 = 0 if target <= first else count - piece
    move(to.elements, u64(target) + u64(ahead), source.elements, u64(first) + u64(ahead), piece)
    return Trap.NONE


def init_table(vm: Machine, t: Table, segment: u32, target: u32, source: u32, count: u32) -> Trap:
    """Copy items of an element segment to a table. A dropped segment has none."""
    if length(vm.module) == 0 or segment >= length(vm.module[0].elements) or segment >= length(vm.dropped_elements):
        return Trap.TABLE_OUT_OF_BOUNDS
    at = vm.module[0].elements[segment].first
    size: u32 = 0 if vm.dropped_elements[segment] != 0 else vm.module[0].elements[segment].count
    if u64(source) + u64(count) > size or u64(target) + u64(count) > t.size or t.size > length(t.elements):
        return Trap.TABLE_OUT_OF_BOUNDS
    if u64(at) + u64(source) + u64(count) > length(vm.items):
        return Trap.TABLE_OUT_OF_BOUNDS
    move(t.elements, target, vm.items, u64(at) + u64(source), minimum(count, ITEMS))
    return Trap.NONE
