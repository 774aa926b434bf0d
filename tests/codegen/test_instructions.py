"""Does the instruction reference say what each instruction does, and which instructions may end with each trap?"""

import pytest
from wasmtime import wat2wasm

from corollary import Instance, Trap, Trapped
from corollary.codegen.instructions import encoding, values
from corollary.spec.wasm.meaning import in_words, traps
from corollary.spec.wasm.opcodes import BY_NAME, INSTRUCTIONS

# the trap that a program ends with: the instruction that ends it, what stands before its code, and the code
PROGRAMS = {
    Trap.UNREACHABLE: ("unreachable", "", "unreachable"),
    Trap.DIVISION_BY_ZERO: ("i32.div_u", "", "(drop (i32.div_u (i32.const 1) (i32.const 0)))"),
    Trap.INTEGER_OVERFLOW: ("i64.trunc_f32_s", "", "(drop (i64.trunc_f32_s (f32.const 1e30)))"),
    Trap.INVALID_CONVERSION: ("i32.trunc_f64_u", "", "(drop (i32.trunc_f64_u (f64.const nan)))"),
    Trap.MEMORY_OUT_OF_BOUNDS: ("i64.load16_s", "(memory 1)", "(drop (i64.load16_s (i32.const 65535)))"),
    Trap.TABLE_OUT_OF_BOUNDS: ("table.get", "(table 1 funcref)", "(drop (table.get (i32.const 1)))"),
    Trap.UNDEFINED_ELEMENT: ("call_indirect", "(table 1 funcref)", "(call_indirect (i32.const 1))"),
    Trap.UNINITIALIZED_ELEMENT: ("call_indirect", "(table 1 funcref)", "(call_indirect (i32.const 0))"),
    Trap.INDIRECT_CALL_TYPE: (
        "call_indirect",
        "(table funcref (elem 0))",
        "(call_indirect (param i32) (i32.const 0) (i32.const 0))",
    ),
    Trap.STACK_EXHAUSTED: ("call", "", "(call 0)"),
}


def test_every_instruction_is_told():
    assert all(row["about"].endswith((".", "?")) and row["encoding"] for row in values()["rows"]) and len(
        values()["rows"]
    ) == len(INSTRUCTIONS)


def test_encodings_are_those_of_the_binary():
    assert encoding(BY_NAME["i32.add"]) == "`6A`" and encoding(BY_NAME["memory.init"]) == "`FC 08` index zero"


def test_words_are_the_docstrings_of_what_runs():
    assert in_words(BY_NAME["i64.rem_u"]) == "The remainder." and "saturat" not in in_words(BY_NAME["i32.trunc_f32_s"])


def test_every_trap_has_a_program():
    assert {*PROGRAMS} == {*Trap} - {Trap.NONE} == {trap for row in INSTRUCTIONS.values() for trap in traps(row)}


@pytest.mark.parametrize("trap", PROGRAMS, ids=lambda trap: trap.name)
def test_an_instruction_ends_with_a_trap_that_is_told(trap):
    name, before, code = PROGRAMS[trap]
    instance = Instance(bytes(wat2wasm(f'(module {before} (func (export "run") {code}))')))
    with pytest.raises(Trapped) as trapped:
        instance.call("run")
    assert trapped.value.trap is trap and trap in traps(BY_NAME[name])
