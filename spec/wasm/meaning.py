"""What does an instruction do?

This module says which function computes its result and which one says when it traps. Where there is no function, it
says so in words.
"""

from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.types import u8, u16, u32, u64
from corollary.spec.wasm import floats, integers
from corollary.spec.wasm.opcodes import INSTRUCTIONS
from corollary.spec.wasm.traps import Trap
from corollary.spec.wasm.values import ValueType

WORD = {ValueType.I32: u32, ValueType.I64: u64, ValueType.F32: u32, ValueType.F64: u64}
"""The unsigned type that holds a value of each type."""
BYTES = {1: u8, 2: u16, 4: u32, 8: u64}
FLOATS = {name: function for name, function in vars(floats).items() if getattr(function, "__intrinsic__", False)}
SAME = tuple(
    row.opcode for row in INSTRUCTIONS.values() if ".reinterpret_" in row.name or row.name == "i64.extend_i32_u"
)
"""The instructions that leave the bits of their operand unchanged."""


def meaning(row):
    """Return the function that computes a numeric instruction from its operands."""
    return integers.MEANING.get(row.symbol) or FLOATS[row.symbol.replace("_trunc_f", "_trunc_sat_f")]


def trap(row):
    """Return the function of the operands that says whether the instruction traps, or None."""
    return integers.MEANING.get(f"{row.symbol}_trap")


def fits(row):
    """Return the function that says whether the operand of a conversion has an integer value, or None."""
    return FLOATS.get(f"{row.symbol}_fits")


def is_signed(row):
    """Does a load extend the sign?"""
    return row.name.endswith("_s")


WORDS = {  # of instructions that are not computed from operands alone
    "unreachable": "Trap.",
    "nop": "Nothing.",
    "block": "Instructions up to the matching `end`, which is where a branch to it goes.",
    "loop": "Instructions up to the matching `end`; a branch to it goes to their beginning.",
    "if": "The instructions up to `else`, or `end`, if the operand is not zero; else those between `else` and `end`.",
    "else": "What is done instead.",
    "end": "The end of a block, or of a function.",
    "br": "Go on where the block with this label is gone on with, counted outwards from 0.",
    "br_if": "Do so if the operand is not zero.",
    "br_table": "Do so with the label that the operand numbers, or with the last one.",
    "return": "Leave the function.",
    "call": "Call a function.",
    "call_indirect": "Call the function that an element of a table refers to, which must be of a type.",
    "drop": "Forget the operand.",
    "select": "The first of two numbers if the third operand is not zero, else the second.",
    "select_typed": "The same for operands of any type, which is told.",
    "local.get": "The value of a local.",
    "local.set": "Let it be the operand.",
    "local.tee": "Let it be the operand, which stays.",
    "global.get": "The value of a global.",
    "global.set": "Let it be the operand.",
    "table.get": "An element of a table.",
    "table.set": "Let it be the operand.",
    "memory.size": "The number of pages.",
    "memory.grow": "Add pages of zeros: how many there were, or -1 and nothing is done.",
    "i32.const": "A number.",
    "i64.const": "A number.",
    "f32.const": "A number.",
    "f64.const": "A number.",
    "ref.null": "The reference to nothing.",
    "ref.is_null": "Is the operand the reference to nothing?",
    "ref.func": "A reference to a function.",
    "memory.init": "Copy bytes of a data segment: where to, where from, how many.",
    "data.drop": "From now on a data segment is empty.",
    "memory.copy": "Copy bytes, as if all were read before the first is written: where to, where from, how many.",
    "memory.fill": "Let bytes be the same: where, which, how many.",
    "table.init": "Copy references of an element segment: where to, where from, how many.",
    "elem.drop": "From now on an element segment is empty.",
    "table.copy": "Copy elements, as if all were read before the first is written: where to, where from, how many.",
    "table.grow": (
        "Add elements that are the first operand, by the second: how many there were, or -1 and nothing is done."
    ),
    "table.size": "The number of elements.",
    "table.fill": "Let elements be the same: where, which, how many.",
}
TRAPS = {
    "unreachable": (Trap.UNREACHABLE,),
    "call": (Trap.STACK_EXHAUSTED,),
    "call_indirect": (
        Trap.UNDEFINED_ELEMENT,
        Trap.UNINITIALIZED_ELEMENT,
        Trap.INDIRECT_CALL_TYPE,
        Trap.STACK_EXHAUSTED,
    ),
    "table.get": (Trap.TABLE_OUT_OF_BOUNDS,),
    "table.set": (Trap.TABLE_OUT_OF_BOUNDS,),
    "memory.init": (Trap.MEMORY_OUT_OF_BOUNDS,),
    "memory.copy": (Trap.MEMORY_OUT_OF_BOUNDS,),
    "memory.fill": (Trap.MEMORY_OUT_OF_BOUNDS,),
    "table.init": (Trap.TABLE_OUT_OF_BOUNDS,),
    "table.copy": (Trap.TABLE_OUT_OF_BOUNDS,),
    "table.fill": (Trap.TABLE_OUT_OF_BOUNDS,),
}


def in_words(row):
    """Describe for people what an instruction does."""
    if row.width:
        bits = 8 * row.width
        if not row.results:
            return (
                f"Store the low {bits} bits of the second operand, least byte first, at the first one and the offset."
            )
        return f"Load {bits} bits, least byte first, from the operand and the offset" + (
            ", and spread the sign." if is_signed(row) else "."
        )
    if row.opcode in SAME:
        return "The bits of the operand." if ".reinterpret_" in row.name else "The operand, with zeros above."
    said = WORDS.get(row.name) or " ".join(meaning(row).__doc__.split())
    return said.partition(";")[0] + "." if fits(row) else said


def traps(row):
    """Return every trap that an instruction may end with."""
    if row.width:
        return (Trap.MEMORY_OUT_OF_BOUNDS,)
    if fits(row):
        return (Trap.INVALID_CONVERSION, Trap.INTEGER_OVERFLOW)
    if row.is_numeric and trap(row):
        nodes = ir.walk(translate(trap(row)).body)
        return tuple(
            sorted(
                {Trap(node.value) for node in nodes if isinstance(node, ir.Literal) and node.type is Trap} - {Trap.NONE}
            )
        )
    return TRAPS.get(row.name, ())
