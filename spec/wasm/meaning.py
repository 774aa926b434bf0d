"""Which function computes what an instruction does with its operands, and which one says when it traps?"""

from spec.language.types import u8, u16, u32, u64
from spec.wasm import floats, integers
from spec.wasm.opcodes import INSTRUCTIONS
from spec.wasm.values import ValueType

WORD = {ValueType.I32: u32, ValueType.I64: u64, ValueType.F32: u32, ValueType.F64: u64}
"""What the value of a type is held as."""
BYTES = {1: u8, 2: u16, 4: u32, 8: u64}
FLOATS = {name: function for name, function in vars(floats).items() if getattr(function, "__intrinsic__", False)}
SAME = tuple(row.opcode for row in INSTRUCTIONS.values() if ".reinterpret_" in row.name or row.name == "i64.extend_i32_u")
"""The instructions that leave the bits of their operand as they are."""


def meaning(row):
    """The function of the operands of a numeric instruction."""
    return integers.MEANING.get(row.symbol) or FLOATS[row.symbol.replace("_trunc_f", "_trunc_sat_f")]


def trap(row):
    """The function of the operands that tells a trap, or None."""
    return integers.MEANING.get(f"{row.symbol}_trap")


def fits(row):
    """The function of the operand of a conversion that tells whether its value has an integer, or None."""
    return FLOATS.get(f"{row.symbol}_fits")


def is_signed(row):
    """Does a load spread the sign?"""
    return row.name.endswith("_s")
