"""Which instructions does WebAssembly have?

Each instruction has one row: encoding, immediates and types. The function that computes it is found by its name.
WebAssembly core 2.0 without SIMD: chapter 5.4 for encodings, 3.3 for types. Decoder, validator, reference machine,
translator, handlers and the reference for people all read this table.
"""

from dataclasses import dataclass

from corollary.language.rows import Rows
from corollary.language.types import Enum
from corollary.spec.wasm.values import ValueType

PREFIX = 0xFC  # the next number says which instruction
EXTENDED = 0x100  # opcodes after the prefix are counted from here


class Immediates(Enum):
    """What follows an opcode."""

    UNKNOWN = 0  # there is no such instruction
    NONE = 1
    BLOCK_TYPE = 2  # none, a value type, or the index of a function type
    INDEX = 3
    TWO_INDICES = 4
    LABELS = 5  # a vector of labels, and one more
    MEMORY_ARGUMENT = 6  # alignment, offset
    ZERO = 7  # a zero byte, for a memory
    TWO_ZEROS = 8
    INDEX_ZERO = 9
    NUMBER_32 = 10  # an i32, signed
    NUMBER_64 = 11  # an i64, signed
    BITS_32 = 12  # an f32
    BITS_64 = 13  # an f64
    REFERENCE_TYPE = 14
    VALUE_TYPES = 15  # a vector of value types


@dataclass(frozen=True)
class Instruction:
    """An instruction. `parameters` and `results` are None where they depend on immediates."""

    name: str
    opcode: int
    immediates: Immediates
    parameters: tuple | None = None
    results: tuple | None = None
    width: int = 0  # bytes of memory that it loads or stores

    @property
    def symbol(self):
        """Its name in the form of a function name."""
        return self.name.replace(".", "_")

    @property
    def is_numeric(self):
        """Does it compute its result from its operands alone?"""
        return (
            self.immediates is Immediates.NONE
            and self.results is not None
            and len(self.results) == 1 == len({*self.parameters})
        )


I32, I64, F32, F64 = ValueType.I32, ValueType.I64, ValueType.F32, ValueType.F64
N, X, M = Immediates.NONE, Immediates.INDEX, Immediates.MEMORY_ARGUMENT
ROWS = (  # opcode, name, immediates, the types before and after where they are fixed, and bytes of memory
    (0x00, "unreachable", N),
    (0x01, "nop", N, (), ()),
    (0x02, "block", Immediates.BLOCK_TYPE),
    (0x03, "loop", Immediates.BLOCK_TYPE),
    (0x04, "if", Immediates.BLOCK_TYPE),
    (0x05, "else", N),
    (0x0B, "end", N),
    (0x0C, "br", X),
    (0x0D, "br_if", X),
    (0x0E, "br_table", Immediates.LABELS),
    (0x0F, "return", N),
    (0x10, "call", X),
    (0x11, "call_indirect", Immediates.TWO_INDICES),
    (0x1A, "drop", N),
    (0x1B, "select", N),
    (0x1C, "select_typed", Immediates.VALUE_TYPES),
    (0x20, "local.get", X),
    (0x21, "local.set", X),
    (0x22, "local.tee", X),
    (0x23, "global.get", X),
    (0x24, "global.set", X),
    (0x25, "table.get", X),
    (0x26, "table.set", X),
    (0x28, "i32.load", M, (I32,), (I32,), 4),
    (0x29, "i64.load", M, (I32,), (I64,), 8),
    (0x2A, "f32.load", M, (I32,), (F32,), 4),
    (0x2B, "f64.load", M, (I32,), (F64,), 8),
    (0x2C, "i32.load8_s", M, (I32,), (I32,), 1),
    (0x2D, "i32.load8_u", M, (I32,), (I32,), 1),
    (0x2E, "i32.load16_s", M, (I32,), (I32,), 2),
    (0x2F, "i32.load16_u", M, (I32,), (I32,), 2),
    (0x30, "i64.load8_s", M, (I32,), (I64,), 1),
    (0x31, "i64.load8_u", M, (I32,), (I64,), 1),
    (0x32, "i64.load16_s", M, (I32,), (I64,), 2),
    (0x33, "i64.load16_u", M, (I32,), (I64,), 2),
    (0x34, "i64.load32_s", M, (I32,), (I64,), 4),
    (0x35, "i64.load32_u", M, (I32,), (I64,), 4),
    (0x36, "i32.store", M, (I32, I32), (), 4),
    (0x37, "i64.store", M, (I32, I64), (), 8),
    (0x38, "f32.store", M, (I32, F32), (), 4),
    (0x39, "f64.store", M, (I32, F64), (), 8),
    (0x3A, "i32.store8", M, (I32, I32), (), 1),
    (0x3B, "i32.store16", M, (I32, I32), (), 2),
    (0x3C, "i64.store8", M, (I32, I64), (), 1),
    (0x3D, "i64.store16", M, (I32, I64), (), 2),
    (0x3E, "i64.store32", M, (I32, I64), (), 4),
    (0x3F, "memory.size", Immediates.ZERO, (), (I32,)),
    (0x40, "memory.grow", Immediates.ZERO, (I32,), (I32,)),
    (0x41, "i32.const", Immediates.NUMBER_32, (), (I32,)),
    (0x42, "i64.const", Immediates.NUMBER_64, (), (I64,)),
    (0x43, "f32.const", Immediates.BITS_32, (), (F32,)),
    (0x44, "f64.const", Immediates.BITS_64, (), (F64,)),
    (0x45, "i32.eqz", N, (I32,), (I32,)),
    (0x46, "i32.eq", N, (I32, I32), (I32,)),
    (0x47, "i32.ne", N, (I32, I32), (I32,)),
    (0x48, "i32.lt_s", N, (I32, I32), (I32,)),
    (0x49, "i32.lt_u", N, (I32, I32), (I32,)),
    (0x4A, "i32.gt_s", N, (I32, I32), (I32,)),
    (0x4B, "i32.gt_u", N, (I32, I32), (I32,)),
    (0x4C, "i32.le_s", N, (I32, I32), (I32,)),
    (0x4D, "i32.le_u", N, (I32, I32), (I32,)),
    (0x4E, "i32.ge_s", N, (I32, I32), (I32,)),
    (0x4F, "i32.ge_u", N, (I32, I32), (I32,)),
    (0x50, "i64.eqz", N, (I64,), (I32,)),
    (0x51, "i64.eq", N, (I64, I64), (I32,)),
    (0x52, "i64.ne", N, (I64, I64), (I32,)),
    (0x53, "i64.lt_s", N, (I64, I64), (I32,)),
    (0x54, "i64.lt_u", N, (I64, I64), (I32,)),
    (0x55, "i64.gt_s", N, (I64, I64), (I32,)),
    (0x56, "i64.gt_u", N, (I64, I64), (I32,)),
    (0x57, "i64.le_s", N, (I64, I64), (I32,)),
    (0x58, "i64.le_u", N, (I64, I64), (I32,)),
    (0x59, "i64.ge_s", N, (I64, I64), (I32,)),
    (0x5A, "i64.ge_u", N, (I64, I64), (I32,)),
    (0x5B, "f32.eq", N, (F32, F32), (I32,)),
    (0x5C, "f32.ne", N, (F32, F32), (I32,)),
    (0x5D, "f32.lt", N, (F32, F32), (I32,)),
    (0x5E, "f32.gt", N, (F32, F32), (I32,)),
    (0x5F, "f32.le", N, (F32, F32), (I32,)),
    (0x60, "f32.ge", N, (F32, F32), (I32,)),
    (0x61, "f64.eq", N, (F64, F64), (I32,)),
    (0x62, "f64.ne", N, (F64, F64), (I32,)),
    (0x63, "f64.lt", N, (F64, F64), (I32,)),
    (0x64, "f64.gt", N, (F64, F64), (I32,)),
    (0x65, "f64.le", N, (F64, F64), (I32,)),
    (0x66, "f64.ge", N, (F64, F64), (I32,)),
    (0x67, "i32.clz", N, (I32,), (I32,)),
    (0x68, "i32.ctz", N, (I32,), (I32,)),
    (0x69, "i32.popcnt", N, (I32,), (I32,)),
    (0x6A, "i32.add", N, (I32, I32), (I32,)),
    (0x6B, "i32.sub", N, (I32, I32), (I32,)),
    (0x6C, "i32.mul", N, (I32, I32), (I32,)),
    (0x6D, "i32.div_s", N, (I32, I32), (I32,)),
    (0x6E, "i32.div_u", N, (I32, I32), (I32,)),
    (0x6F, "i32.rem_s", N, (I32, I32), (I32,)),
    (0x70, "i32.rem_u", N, (I32, I32), (I32,)),
    (0x71, "i32.and", N, (I32, I32), (I32,)),
    (0x72, "i32.or", N, (I32, I32), (I32,)),
    (0x73, "i32.xor", N, (I32, I32), (I32,)),
    (0x74, "i32.shl", N, (I32, I32), (I32,)),
    (0x75, "i32.shr_s", N, (I32, I32), (I32,)),
    (0x76, "i32.shr_u", N, (I32, I32), (I32,)),
    (0x77, "i32.rotl", N, (I32, I32), (I32,)),
    (0x78, "i32.rotr", N, (I32, I32), (I32,)),
    (0x79, "i64.clz", N, (I64,), (I64,)),
    (0x7A, "i64.ctz", N, (I64,), (I64,)),
    (0x7B, "i64.popcnt", N, (I64,), (I64,)),
    (0x7C, "i64.add", N, (I64, I64), (I64,)),
    (0x7D, "i64.sub", N, (I64, I64), (I64,)),
    (0x7E, "i64.mul", N, (I64, I64), (I64,)),
    (0x7F, "i64.div_s", N, (I64, I64), (I64,)),
    (0x80, "i64.div_u", N, (I64, I64), (I64,)),
    (0x81, "i64.rem_s", N, (I64, I64), (I64,)),
    (0x82, "i64.rem_u", N, (I64, I64), (I64,)),
    (0x83, "i64.and", N, (I64, I64), (I64,)),
    (0x84, "i64.or", N, (I64, I64), (I64,)),
    (0x85, "i64.xor", N, (I64, I64), (I64,)),
    (0x86, "i64.shl", N, (I64, I64), (I64,)),
    (0x87, "i64.shr_s", N, (I64, I64), (I64,)),
    (0x88, "i64.shr_u", N, (I64, I64), (I64,)),
    (0x89, "i64.rotl", N, (I64, I64), (I64,)),
    (0x8A, "i64.rotr", N, (I64, I64), (I64,)),
    (0x8B, "f32.abs", N, (F32,), (F32,)),
    (0x8C, "f32.neg", N, (F32,), (F32,)),
    (0x8D, "f32.ceil", N, (F32,), (F32,)),
    (0x8E, "f32.floor", N, (F32,), (F32,)),
    (0x8F, "f32.trunc", N, (F32,), (F32,)),
    (0x90, "f32.nearest", N, (F32,), (F32,)),
    (0x91, "f32.sqrt", N, (F32,), (F32,)),
    (0x92, "f32.add", N, (F32, F32), (F32,)),
    (0x93, "f32.sub", N, (F32, F32), (F32,)),
    (0x94, "f32.mul", N, (F32, F32), (F32,)),
    (0x95, "f32.div", N, (F32, F32), (F32,)),
    (0x96, "f32.min", N, (F32, F32), (F32,)),
    (0x97, "f32.max", N, (F32, F32), (F32,)),
    (0x98, "f32.copysign", N, (F32, F32), (F32,)),
    (0x99, "f64.abs", N, (F64,), (F64,)),
    (0x9A, "f64.neg", N, (F64,), (F64,)),
    (0x9B, "f64.ceil", N, (F64,), (F64,)),
    (0x9C, "f64.floor", N, (F64,), (F64,)),
    (0x9D, "f64.trunc", N, (F64,), (F64,)),
    (0x9E, "f64.nearest", N, (F64,), (F64,)),
    (0x9F, "f64.sqrt", N, (F64,), (F64,)),
    (0xA0, "f64.add", N, (F64, F64), (F64,)),
    (0xA1, "f64.sub", N, (F64, F64), (F64,)),
    (0xA2, "f64.mul", N, (F64, F64), (F64,)),
    (0xA3, "f64.div", N, (F64, F64), (F64,)),
    (0xA4, "f64.min", N, (F64, F64), (F64,)),
    (0xA5, "f64.max", N, (F64, F64), (F64,)),
    (0xA6, "f64.copysign", N, (F64, F64), (F64,)),
    (0xA7, "i32.wrap_i64", N, (I64,), (I32,)),
    (0xA8, "i32.trunc_f32_s", N, (F32,), (I32,)),
    (0xA9, "i32.trunc_f32_u", N, (F32,), (I32,)),
    (0xAA, "i32.trunc_f64_s", N, (F64,), (I32,)),
    (0xAB, "i32.trunc_f64_u", N, (F64,), (I32,)),
    (0xAC, "i64.extend_i32_s", N, (I32,), (I64,)),
    (0xAD, "i64.extend_i32_u", N, (I32,), (I64,)),
    (0xAE, "i64.trunc_f32_s", N, (F32,), (I64,)),
    (0xAF, "i64.trunc_f32_u", N, (F32,), (I64,)),
    (0xB0, "i64.trunc_f64_s", N, (F64,), (I64,)),
    (0xB1, "i64.trunc_f64_u", N, (F64,), (I64,)),
    (0xB2, "f32.convert_i32_s", N, (I32,), (F32,)),
    (0xB3, "f32.convert_i32_u", N, (I32,), (F32,)),
    (0xB4, "f32.convert_i64_s", N, (I64,), (F32,)),
    (0xB5, "f32.convert_i64_u", N, (I64,), (F32,)),
    (0xB6, "f32.demote_f64", N, (F64,), (F32,)),
    (0xB7, "f64.convert_i32_s", N, (I32,), (F64,)),
    (0xB8, "f64.convert_i32_u", N, (I32,), (F64,)),
    (0xB9, "f64.convert_i64_s", N, (I64,), (F64,)),
    (0xBA, "f64.convert_i64_u", N, (I64,), (F64,)),
    (0xBB, "f64.promote_f32", N, (F32,), (F64,)),
    (0xBC, "i32.reinterpret_f32", N, (F32,), (I32,)),
    (0xBD, "i64.reinterpret_f64", N, (F64,), (I64,)),
    (0xBE, "f32.reinterpret_i32", N, (I32,), (F32,)),
    (0xBF, "f64.reinterpret_i64", N, (I64,), (F64,)),
    (0xC0, "i32.extend8_s", N, (I32,), (I32,)),
    (0xC1, "i32.extend16_s", N, (I32,), (I32,)),
    (0xC2, "i64.extend8_s", N, (I64,), (I64,)),
    (0xC3, "i64.extend16_s", N, (I64,), (I64,)),
    (0xC4, "i64.extend32_s", N, (I64,), (I64,)),
    (0xD0, "ref.null", Immediates.REFERENCE_TYPE),
    (0xD1, "ref.is_null", N),
    (0xD2, "ref.func", X),
    (EXTENDED + 0, "i32.trunc_sat_f32_s", N, (F32,), (I32,)),
    (EXTENDED + 1, "i32.trunc_sat_f32_u", N, (F32,), (I32,)),
    (EXTENDED + 2, "i32.trunc_sat_f64_s", N, (F64,), (I32,)),
    (EXTENDED + 3, "i32.trunc_sat_f64_u", N, (F64,), (I32,)),
    (EXTENDED + 4, "i64.trunc_sat_f32_s", N, (F32,), (I64,)),
    (EXTENDED + 5, "i64.trunc_sat_f32_u", N, (F32,), (I64,)),
    (EXTENDED + 6, "i64.trunc_sat_f64_s", N, (F64,), (I64,)),
    (EXTENDED + 7, "i64.trunc_sat_f64_u", N, (F64,), (I64,)),
    (EXTENDED + 8, "memory.init", Immediates.INDEX_ZERO, (I32, I32, I32), ()),
    (EXTENDED + 9, "data.drop", X, (), ()),
    (EXTENDED + 10, "memory.copy", Immediates.TWO_ZEROS, (I32, I32, I32), ()),
    (EXTENDED + 11, "memory.fill", Immediates.ZERO, (I32, I32, I32), ()),
    (EXTENDED + 12, "table.init", Immediates.TWO_INDICES, (I32, I32, I32), ()),
    (EXTENDED + 13, "elem.drop", X, (), ()),
    (EXTENDED + 14, "table.copy", Immediates.TWO_INDICES, (I32, I32, I32), ()),
    (EXTENDED + 15, "table.grow", X),
    (EXTENDED + 16, "table.size", X, (), (I32,)),
    (EXTENDED + 17, "table.fill", X),
)


INSTRUCTIONS = {opcode: Instruction(name, opcode, *rest) for opcode, name, *rest in ROWS}
"""Every instruction by its opcode. Opcodes after the prefix are counted from `EXTENDED`."""
BY_NAME = {row.name: row for row in INSTRUCTIONS.values()}
OPCODES = max(INSTRUCTIONS) + 1
Opcode = Enum("Opcode", {row.symbol.upper(): row.opcode for row in INSTRUCTIONS.values()})
Opcode._storage_ = 2
Opcode.__doc__ = "Every instruction by its opcode; those behind the prefix are counted from EXTENDED on."


def column(value, type_=None):
    """Return one number of each row, as a constant table over all opcodes. `type_` enumerates the numbers."""
    numbers = (value(INSTRUCTIONS[opcode]) if opcode in INSTRUCTIONS else 0 for opcode in range(OPCODES))
    return Rows(numbers, Opcode, type_)


IMMEDIATES = column(lambda row: row.immediates, Immediates)
NUMERIC = column(lambda row: row.is_numeric)
OPERAND_COUNT = column(lambda row: len(row.parameters) if row.parameters is not None else 0)
FIRST_OPERAND = column(lambda row: row.parameters[0] if row.parameters else 0, ValueType)
LAST_OPERAND = column(lambda row: row.parameters[-1] if row.parameters else 0, ValueType)
RESULT = column(lambda row: row.results[0] if row.results else 0, ValueType)
FIXED = column(lambda row: row.parameters is not None)
WIDTH = column(lambda row: row.width)
