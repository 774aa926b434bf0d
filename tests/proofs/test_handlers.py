"""Would a mistake in a handler be seen, or in what an operation means? Each refuted, by the name of what differs."""

import pytest

from model.wasm import reference
from proofs.machine import floats, handlers, interpreter
from proofs.machine.image import Image
from proofs.machine.lift import SIZE, instruction
from spec.wasm.internal import NUMBER, OPERATIONS
from spec.wasm.meaning import FLOATS
from tests.machine.system import assembled

HELD = ("const", "copy_two", "select", "br_table", "return_many", "get_global", "memory_copy", "table_get", "i64_add_slots", "i32_rem_s_slots",
        "i64_store16", "i32_load8_s_far", "f64_min_slots", "f32_sqrt", "i32_trunc_f32_s", "f64_promote_f32", "i32_lt_s_loop_slots", "trap_unreachable")
MEANT = {       # what an operation is taken to mean, though it means another
    "copy": "copy_two", "select": "copy_two", "br": "loop", "loop": "br", "return_none": "return_one", "return_many": "return_one", "exit": "trap_unreachable",
    "get_global": "set_global", "get_reference": "get_global", "set_reference": "set_global", "memory_size": "memory_grow",
    "memory_copy": "memory_fill", "memory_copy_value": "memory_copy", "table_get": "table_size",
    "table_fill": "table_copy", "data_drop": "elem_drop", "i32_add_slots": "i32_sub_slots", "i32_add_value": "i64_add_value", "i32_div_s_slots": "i32_div_u_slots",
    "i64_shr_s_slots": "i64_shr_u_slots", "i32_load8_s": "i32_load8_u", "i64_load_sum": "i64_load_far", "i32_store": "i32_store16",
    "i32_lt_s_if_slots": "i32_lt_s_unless_slots", "i32_lt_s_loop_slots": "i32_lt_s_if_slots", "f64_add_slots": "f64_sub_slots", "f64_min_slots": "f64_max_slots",
    "f32_lt_slots": "f32_le_slots", "f32_ceil": "f32_floor", "f64_abs": "f64_neg", "f32_sqrt": "f32_nearest", "i32_trunc_f64_s": "i32_trunc_f64_u",
    "i32_trunc_sat_f32_u": "i32_trunc_f32_u", "f32_convert_i32_s": "f32_convert_i32_u", "f64_promote_f32": "f64_convert_i32_u"}
BROKEN = {      # an instruction of a handler, and what stands there now
    "return_many": ("str x10, [x9], #0x8", "str x10, [x9], #16", "in range"),
    "call": ("str xzr, [x9], #0x8", "str x8, [x9], #8", "stack.[] as it goes on"),
    "copy": ("br x0", "ret", "it goes on or leaves the run"),
    "memory_grow": ("ldr x23, [x8, #0x10]", "nop", "size as it goes on"),
    "memory_fill": ("ldr x30, [sp], #0x10", "ldr x30, [sp, #0]", "sp is kept"),
    "f64_add_slots": ("fcmp d0, d0", "fcmp d1, d1", "stack"),
    "f64_convert_i64_u": ("ucvtf d0, d0", "scvtf d0, d0", "stack"),
    "i32_load": ("ldr w8, [x22, x8, LSL #0x0]", "ldr x8, [x22, x8]", "in range"),
}


def by_name(name):
    """The operation of a name."""
    return OPERATIONS[NUMBER[name]]


def compared(name, image=None, function=None):
    """What comes of the comparison of a handler."""
    return handlers.Comparison(image or handlers.built(), by_name(name), function).run()


@pytest.mark.parametrize("name", HELD)
def test_a_handler_does_what_its_operation_means(name):
    assert compared(name) == ("proved", "")


@pytest.mark.parametrize("name", MEANT)
def test_another_meaning_is_refuted(name):
    assert compared(name, function=reference.function_of(by_name(MEANT[name]))).result == "refuted"


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_handler_is_refuted(name):
    old, new, why = BROKEN[name]
    built = handlers.built()
    symbol = built.functions[f"{interpreter.HANDLER}{name}"]
    at = next(at for at in built.code(symbol) if instruction(built.read(at, SIZE), at).text == old)
    answer = compared(name, Image(built.path, [(at, assembled([new])[0].to_bytes(SIZE, "little"))]))
    assert answer.result == "refuted" and why in answer.reason


def test_every_operation_is_compared():
    names = {id_ for step in handlers.steps() for id_, _, _ in handlers.questions(step)}
    assert names == {f"{operation.name}/handler" for operation in OPERATIONS}


def test_exactly_the_floats_of_the_specification_have_a_meaning():
    assert set(floats.MEANING) == set(FLOATS)
