"""Would a mistake be noticed in a handler, or in an operation's meaning?

Each is refuted, and the refutation names the difference.
"""

from types import SimpleNamespace
from typing import Any

import pytest
import z3

from corollary.language.bytes import move
from corollary.language.types import u64
from corollary.model.wasm import reference
from corollary.proofs.machine import floats, handlers, interpreter, words
from corollary.proofs.machine.heap import part
from corollary.proofs.machine.image import Image
from corollary.proofs.machine.interpreter import HANDLER
from corollary.proofs.machine.lift import SIZE, instruction
from corollary.proofs.machine.memory import ADDRESS, BYTE
from corollary.spec.wasm.internal import NUMBER, OPERATIONS
from corollary.spec.wasm.machine import Machine
from corollary.spec.wasm.meaning import FLOATS
from tests.machine.system import assembled

HELD = (
    "const",
    "copy_two",
    "select",
    "br_table",
    "br_table_load",
    "return_many",
    "call",
    "get_global",
    "memory_copy",
    "memory_copy_rest",
    "poll",
    "table_grow",
    "table_copy",
    "table_get",
    "i64_add_slots",
    "i32_sub_slots",
    "i32_rem_s_slots",
    "i32_shl_slots",
    "i64_store16",
    "i32_load8_s_far",
    "f64_add_slots",
    "f64_min_slots",
    "f32_sqrt",
    "i32_trunc_f32_s",
    "i64_trunc_sat_f64_s",
    "f64_promote_f32",
    "i32_lt_s_loop_slots",
    "trap_unreachable",
)
MEANT = {  # another operation's meaning for each operation
    "copy": "copy_two",
    "select": "copy_two",
    "br": "loop",
    "loop": "br",
    "return_none": "return_one",
    "return_many": "return_one",
    "exit": "trap_unreachable",
    "get_global": "set_global",
    "get_reference": "get_global",
    "set_reference": "set_global",
    "memory_size": "memory_grow",
    "memory_copy": "memory_fill",
    "memory_copy_value": "memory_copy",
    "memory_copy_rest": "memory_init",
    "memory_fill_rest": "memory_copy_rest",
    "table_get": "table_size",
    "poll": "loop",
    "table_fill": "table_copy",
    "data_drop": "elem_drop",
    "i32_add_slots": "i32_sub_slots",
    "i32_add_value": "i64_add_value",
    "i32_div_s_slots": "i32_div_u_slots",
    "i64_shr_s_slots": "i64_shr_u_slots",
    "i32_load8_s": "i32_load8_u",
    "i64_load_sum": "i64_load_far",
    "i32_store": "i32_store16",
    "i32_lt_s_if_slots": "i32_lt_s_unless_slots",
    "i32_lt_s_loop_slots": "i32_lt_s_if_slots",
    "f64_add_slots": "f64_sub_slots",
    "f64_min_slots": "f64_max_slots",
    "f32_lt_slots": "f32_le_slots",
    "f32_ceil": "f32_floor",
    "f64_abs": "f64_neg",
    "f32_sqrt": "f32_nearest",
    "i32_trunc_f64_s": "i32_trunc_f64_u",
    "i32_trunc_sat_f32_u": "i32_trunc_f32_u",
    "f32_convert_i32_s": "f32_convert_i32_u",
    "f64_promote_f32": "f64_convert_i32_u",
}
BROKEN = {  # original and replaced instructions of a handler, and why the change is refuted
    "a slot too far": ("return_many", {"str x10, [x9], #0x8": "str x10, [x9], #16"}, "in range"),
    "a local that is not cleared": ("call", {"str xzr, [x9], #0x8": "str x8, [x9], #8"}, "stack.[] as it goes on"),
    "a return to nobody": ("copy", {"br x0": "ret"}, "it goes on or leaves the run"),
    "a size from before a call": ("memory_grow", {"ldr x23, [x8, #0x10]": "nop"}, "size as it goes on"),
    "an argument of another slot": (
        "memory_fill",
        {"ldr x2, [x21, x9, LSL #0x3]": "ldr x2, [x21, x8, lsl #3]"},
        "of fill_memory",
    ),
    "a stop that nobody sees": ("loop", {"cmp x24, x8": "cmp x24, #0"}, "code is indexed in range"),
    "a piece that costs nothing": ("memory_copy_rest", {"sub x24, x24, #0x1": "nop"}, "budget as it goes on"),
    "a piece that is done again": ("memory_copy_rest", {"str x9, [x8, #0x10]": "nop"}, "stack.[] as it goes on"),
    "a stack that is left lower": ("memory_fill", {"ldr x30, [sp], #0x10": "ldr x30, [sp, #0]"}, "sp is kept"),
    "a word below the stack": (
        "memory_grow",
        {"str x30, [sp, #-0x10]!": "stur x30, [sp, #-16]", "ldr x30, [sp], #0x10": "ldur x30, [sp, #-16]"},
        "below the stack pointer",
    ),
    "a stack that is no multiple of 16": (
        "memory_grow",
        {"str x30, [sp, #-0x10]!": "str x30, [sp, #-8]!", "ldr x30, [sp], #0x10": "ldr x30, [sp], #8"},
        "sp is a multiple of 16",
    ),
    "a return address that is not given back": (
        "memory_grow",
        {"ldr x30, [sp], #0x10": "ldr x29, [sp], #16"},
        "x30 is kept",
    ),
    "a frame from the record": ("call", {"lsr x9, x9, #0x3": "ldr w9, [x26, #204]"}, "frame as it leaves the run"),
    "a NaN that is taken for a number": ("f64_add_slots", {"fcmp d0, d0": "fcmp d1, d1"}, "stack"),
    "a sign that is none": ("f64_convert_i64_u", {"ucvtf d0, d0": "scvtf d0, d0"}, "stack"),
    "an address of 64 bits": ("i32_load", {"ldr w8, [x22, x8, LSL #0x0]": "ldr x8, [x22, x8]"}, "in range"),
}


def by_name(name):
    """Return the operation of this name."""
    return OPERATIONS[NUMBER[name]]


def compared(name, image=None, function=None):
    """Return the result of comparing a handler."""
    return handlers.Comparison(image or handlers.built(), by_name(name), function).run()


@pytest.mark.parametrize("name", HELD)
def test_a_handler_does_what_its_operation_means(name):
    assert compared(name) == ("proved", "")


@pytest.mark.parametrize("name", MEANT)
def test_another_meaning_is_refuted(name):
    assert compared(name, function=reference.function_of(by_name(MEANT[name]))).result == "refuted"


def patched(symbol, changes):
    """Return the VM with the first instruction of each given text in a function replaced."""
    image, patches = handlers.built(), []
    for old, new in changes.items():
        at = next(at for at in image.code(image.functions[symbol]) if instruction(image.read(at, SIZE), at).text == old)
        patches.append((at, assembled([new])[0].to_bytes(SIZE, "little")))
    return Image(image.path, patches)


@pytest.mark.parametrize("mistake", BROKEN)
def test_a_broken_handler_is_refuted(mistake):
    name, changes, why = BROKEN[mistake]
    answer = compared(name, patched(f"{HANDLER}{name}", changes))
    assert answer.result == "refuted" and why in answer.reason


def moved_up(vm: Machine) -> bool:
    """Do what `return_many` would do if it took each slot from below its destination, and all at once."""
    move(vm.stack, vm.frame, vm.stack, u64(vm.frame) - 1, reference.field_b(vm))
    return reference.back(vm)


def test_a_round_that_uses_what_one_before_left_is_refuted():
    broken = patched(f"{HANDLER}return_many", {"ldr x10, [x9, x10, LSL #0x3]": "ldur x10, [x9, #-8]"})
    answer = compared("return_many", broken, moved_up)
    assert answer.result == "refuted" and "stack.[] after a round" in answer.reason


def test_every_operation_is_compared():
    names = {id_ for step in handlers.steps() for id_, _, _ in handlers.questions(step)}
    assert names == {f"{operation.name}/handler" for operation in OPERATIONS}


def test_exactly_the_floats_of_the_specification_have_a_meaning():
    assert set(floats.MEANING) == set(FLOATS)


def test_an_index_may_be_beyond_a_table_where_there_is_null_and_nothing_else():
    comparison = handlers.Comparison(handlers.built(), by_name("call_indirect"))
    has_room, beyond = comparison.beyond(comparison.store)
    inside, far, null = beyond.children()
    solver = z3.Solver()
    solver.add(has_room, beyond, z3.Not(inside), z3.Not(far))
    assert solver.check() == z3.sat and solver.check(z3.Not(null)) == z3.unsat


def test_a_premise_that_is_never_so_proves_nothing(monkeypatch):
    usual = handlers.Comparison.premises
    monkeypatch.setattr(handlers.Comparison, "premises", lambda self: [*usual(self), False])
    assert compared("copy") == ("unknown", "no path is possible")


COMPARED = {
    "INT_LESSEQUAL": lambda one, other: z3.ULE(one, other),
    "INT_SUB": lambda one, other: one - other,
    "INT_EQUAL": lambda one, other: one == other,
}


@pytest.mark.parametrize("name", COMPARED)
def test_addresses_in_the_stack_are_compared_as_words_where_that_is_obliged(name):
    code = handlers.Comparison(handlers.built(), by_name("copy")).code
    path, base = code.start(), code.pointer(part(interpreter.VM, "stack"))
    both, *parts = z3.BitVecs("both one other", ADDRESS)
    one, other = (
        words.add(base, words.multiply(words.add(both, each, ADDRESS), BYTE, ADDRESS), ADDRESS) for each in parts
    )
    given = (code.of_addresses(path, "INT_SUB", one, other), 0) if name == "INT_EQUAL" else (one, other)
    found = code.of_addresses(path, name, *given)
    solver = z3.Solver()
    solver.add(
        z3.ULT(base, 1 << ADDRESS - 1),
        *(words.condition(condition) for condition, _ in path.obligations),
        found != COMPARED[name](one, other),
    )
    assert solver.check() == z3.unsat


@pytest.mark.parametrize("first, count, fits", [(3, 7, True), (3, 8, False), (2**64 - 1, 2, False), (0, 0, True)])
def test_elements_are_in_range_if_the_last_one_is_and_their_number_does_not_go_round(first, count, fits):
    meaning: Any = handlers.Meaning.__new__(handlers.Meaning)
    obliged: list[Any] = []
    meaning.place, meaning.length = lambda *_: None, lambda *_: 10
    meaning.oblige = lambda condition, *_: obliged.append(condition)
    meaning.inside(None, first, count, SimpleNamespace(line=1), SimpleNamespace(guard=SimpleNamespace(term=False)))
    assert z3.is_true(z3.simplify(obliged[0])) == fits
