"""Would a mistake be noticed in a handler's callee, or in its assumed meaning?

Each is refuted, and the refutation names the difference.
"""

from typing import Any

import pytest
import z3

from corollary.language.builtins import minimum
from corollary.language.bytes import fill, move
from corollary.language.frontend import translate
from corollary.language.types import u8, u32, u64
from corollary.language.values import length
from corollary.proofs.machine import called, handlers
from corollary.proofs.machine.interpreter import CALLED, HANDLER, not_yet
from corollary.proofs.machine.memory import ADDRESS
from corollary.spec.wasm.machine import FAILED, PIECE, Memory, Table
from corollary.spec.wasm.traps import Trap
from tests.proofs.test_handlers import patched

BROKEN = {  # original and replaced instructions of a function, and why the change is refuted
    "a piece that is too long": (
        "machine_fill_table",
        {"csel x9, x9, x10, cc": "mov x9, x9"},
        "elements.[] as it returns",
    ),
    "a round too many": ("machine_fill_table", {"mov w9, w3": "add w9, w3, #1"}, "in range"),
    "elements that are left out": ("machine_fill_table", {"add x8, x8, #0x8": "add x8, x8, #16"}, "in range"),
    "a maximum that does not count": ("machine_grow_table", {"cmp x9, x10": "cmp x0, x10"}, "the result"),
    "a size that stays": (
        "machine_grow_table",
        {"str w9, [x8, #0x10]": "nop"},
        "tables.[].table.[].size as it returns",
    ),
    "an index that is not looked at": ("machine_copy_table", {"cmp x13, x11": "cmp x13, xzr"}, "in range"),
    "a part of a register that nobody defined": (
        "machine_grow_table",
        {"add x9, x0, w1, UXTW": "add x9, x0, x1"},
        "the result",
    ),
    "a move that goes back": ("machine_copy_table", {"add x0, x8, x11": "add x0, x9, x11"}, "elements"),
    "the first piece where the last one is first": (
        "machine_copy_memory",
        {"csel w12, w12, wzr, hi": "csel w12, wzr, wzr, hi"},
        "bytes.[] as it returns",
    ),
    "half of the elements": ("machine_init_table", {"lsl x2, x9, #0x3": "lsl x2, x9, #2"}, "a part of an element"),
    "bytes beyond the memory": ("machine_fill_memory", {"cmp x11, x10": "cmp x8, x10"}, "moved and filled in range"),
    "another byte": ("machine_fill_memory", {"mov w1, w2": "mov w1, w3"}, "memory.[].bytes.[] as it returns"),
    "another result": ("machine_copy_memory", {"mov w0, wzr": "mov w0, #5"}, "the result"),
    "a stack that is left lower": ("machine_copy_memory", {"ldr x30, [sp], #0x10": "ldr x30, [sp]"}, "sp is kept"),
    "a return to somebody else": (
        "machine_grow_table",
        {"mov w0, #0xffffffff": "mov x30, xzr"},
        "a return goes to the caller",
    ),
    "a register of the caller": ("machine_grow_memory", {"mov w8, w9": "mov w19, w9"}, "x19 is kept"),
    "another callee": ("machine_fill_memory", {"ldr x10, [x0]": "ldr x10, [x0, #8]"}, "no object"),
}


def compared(symbol, image=None, meant=None):
    """Return the result of comparing a function."""
    return called.Comparison(image or handlers.built(), CALLED[symbol], meant and translate(meant)).run()


@pytest.mark.parametrize("symbol", CALLED)
def test_what_handlers_call_does_what_the_model_says(symbol):
    assert compared(symbol) == ("proved", "")


@pytest.mark.parametrize("mistake", BROKEN)
def test_a_broken_function_is_refuted(mistake):
    symbol, changes, why = BROKEN[mistake]
    answer = compared(symbol, patched(symbol, changes))
    assert answer.result == "refuted" and why in answer.reason


def copied_back(m: Memory, target: u32, source: u32, count: u32) -> Trap:
    """Copy bytes in the other direction."""
    if u64(target) + u64(count) > m.size or u64(source) + u64(count) > m.size or m.size > length(m.bytes):
        return Trap.MEMORY_OUT_OF_BOUNDS
    move(m.bytes, source, m.bytes, target, minimum(count, PIECE))
    return Trap.NONE


def copied_first(m: Memory, target: u32, source: u32, count: u32) -> Trap:
    """Copy the first piece first, whatever it may overwrite."""
    if u64(target) + u64(count) > m.size or u64(source) + u64(count) > m.size or m.size > length(m.bytes):
        return Trap.MEMORY_OUT_OF_BOUNDS
    move(m.bytes, target, m.bytes, source, minimum(count, PIECE))
    return Trap.NONE


def copied_whole(m: Memory, target: u32, source: u32, count: u32) -> Trap:
    """Copy all at once."""
    if u64(target) + u64(count) > m.size or u64(source) + u64(count) > m.size or m.size > length(m.bytes):
        return Trap.MEMORY_OUT_OF_BOUNDS
    move(m.bytes, target, m.bytes, source, count)
    return Trap.NONE


def filled_less(m: Memory, target: u32, value: u32, count: u32) -> Trap:
    """Leave the last byte as it is."""
    if u64(target) + u64(count) > m.size or m.size > length(m.bytes):
        return Trap.MEMORY_OUT_OF_BOUNDS
    if count > 0:
        fill(m.bytes, target, u8.truncate(value), minimum(count, PIECE) - 1)
    return Trap.NONE


def grown_by_one(t: Table, count: u32) -> u32:
    """Grow by one element, however many are wanted."""
    before = t.size
    after = u64(before) + u64(count)
    if after > t.maximum or after > length(t.elements) or count == 0:
        return FAILED
    t.size = u32(u64(before) + 1)
    return before


@pytest.mark.parametrize(
    ("symbol", "meant"),
    [
        ("machine_copy_memory", copied_back),
        ("machine_copy_memory", copied_first),
        ("machine_copy_memory", copied_whole),
        ("machine_fill_memory", filled_less),
        ("machine_grow_table", grown_by_one),
    ],
)
def test_another_meaning_is_refuted(symbol, meant):
    assert compared(symbol, meant=meant).result == "refuted"


def test_only_a_count_that_nothing_else_changes_tells_how_many_rounds_there_were():
    number, count, held = (
        z3.BitVec("round", ADDRESS),
        z3.BitVec("count", ADDRESS),
        z3.Function("held", z3.BitVecSort(ADDRESS), z3.BitVecSort(ADDRESS)),
    )
    counted: Any = not_yet(z3.Not(count - number == 0), number)
    assert counted.eq(z3.ULE(number, count))
    assert not_yet(z3.Not(held(number) - number == 0), number) is True
    assert not_yet(z3.Not(count - 2 * number == 0), number) is True


def test_what_is_unknown_anew_in_each_round_tells_nothing_of_the_rounds_before():
    code = called.Comparison(handlers.built(), CALLED["machine_fill_table"]).code
    number = code.anything("round", ADDRESS)
    before, loaded = len(code.unknowns), code.anything("loaded", ADDRESS)
    assert len(code.so_far(z3.Not(z3.BitVec("count", ADDRESS) - number == 0), number, before)) == 2
    assert code.so_far(z3.Not(loaded - number == 0), number, before) == []


def test_nothing_of_the_vm_runs_that_is_neither_proved_nor_in_the_ledger():
    others = {name for name in handlers.built().functions if not name.startswith(HANDLER)}
    assert others == {*CALLED, called.MOVE, called.FILL, "corollary_run"}
