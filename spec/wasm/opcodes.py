"""Which instructions does WebAssembly have?

Each instruction has one row: encoding, immediates and types. The function that computes it is found by its name.
WebAssembly core 2.0 without SIMD: chapter 5.4 for encodings, 3.3 for types. Decoder, validator, reference machine,
translator, handlers and the reference for people all read this table.
"""

from dataclasses import dataclass

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
TYPE = {"i32": I32, "i64": I64, "f32": F32, "f64": F64}
COMPARISONS = {"i": "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u", "f": "eq ne lt gt le ge"}
UNARY = {"i": "clz ctz popcnt", "f": "abs neg ceil floor trunc nearest sqrt"}
BINARY = {
    "i": "add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr",
    "f": "add sub mul div min max copysign",
}
CONVERSIONS = (  # result, operation, operand; from 0xA7 on
    "i32 wrap i64",
    "i32 trunc f32_s",
    "i32 trunc f32_u",
    "i32 trunc f64_s",
    "i32 trunc f64_u",
    "i64 extend i32_s",
    "i64 extend i32_u",
    "i64 trunc f32_s",
    "i64 trunc f32_u",
    "i64 trunc f64_s",
    "i64 trunc f64_u",
    "f32 convert i32_s",
    "f32 convert i32_u",
    "f32 convert i64_s",
    "f32 convert i64_u",
    "f32 demote f64",
    "f64 convert i32_s",
    "f64 convert i32_u",
    "f64 convert i64_s",
    "f64 convert i64_u",
    "f64 promote f32",
    "i32 reinterpret f32",
    "i64 reinterpret f64",
    "f32 reinterpret i32",
    "f64 reinterpret i64",
)
SATURATING = tuple(
    f"{to} trunc_sat {source}_{sign}" for to in ("i32", "i64") for source in ("f32", "f64") for sign in "su"
)
LOADS = (
    "i32.load 4",
    "i64.load 8",
    "f32.load 4",
    "f64.load 8",
    "i32.load8_s 1",
    "i32.load8_u 1",
    "i32.load16_s 2",
    "i32.load16_u 2",
    "i64.load8_s 1",
    "i64.load8_u 1",
    "i64.load16_s 2",
    "i64.load16_u 2",
    "i64.load32_s 4",
    "i64.load32_u 4",
)  # name, bytes; from 0x28 on
STORES = (
    "i32.store 4",
    "i64.store 8",
    "f32.store 4",
    "f64.store 8",
    "i32.store8 1",
    "i32.store16 2",
    "i64.store8 1",
    "i64.store16 2",
    "i64.store32 4",
)
N, X = Immediates.NONE, Immediates.INDEX
CONTROL = (  # opcode, name, immediates, and the types before and after where they are fixed
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
    (0x3F, "memory.size", Immediates.ZERO, (), (I32,)),
    (0x40, "memory.grow", Immediates.ZERO, (I32,), (I32,)),
    (0x41, "i32.const", Immediates.NUMBER_32, (), (I32,)),
    (0x42, "i64.const", Immediates.NUMBER_64, (), (I64,)),
    (0x43, "f32.const", Immediates.BITS_32, (), (F32,)),
    (0x44, "f64.const", Immediates.BITS_64, (), (F64,)),
    (0xD0, "ref.null", Immediates.REFERENCE_TYPE),
    (0xD1, "ref.is_null", N),
    (0xD2, "ref.func", X),
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


def numeric(first, type_, count, names, result=None):
    """Return instructions with consecutive opcodes that take `count` operands of a type."""
    return [
        Instruction(f"{type_}.{name}", first + number, N, (TYPE[type_],) * count, (result or TYPE[type_],))
        for number, name in enumerate(names.split())
    ]


def conversions(first, rows):
    """Return instructions with consecutive opcodes that convert one type to another."""
    parts = [row.split() for row in rows]
    return [
        Instruction(f"{to}.{name}_{source}", first + number, N, (TYPE[source[:3]],), (TYPE[to],))
        for number, (to, name, source) in enumerate(parts)
    ]


def accesses(first, rows, loads):
    """Yield instructions with consecutive opcodes that load or store."""
    for number, (name, width) in enumerate(row.split() for row in rows):
        type_ = TYPE[name[:3]]
        types = ((I32,), (type_,)) if loads else ((I32, type_), ())
        yield Instruction(name, first + number, Immediates.MEMORY_ARGUMENT, *types, int(width))


def rows():
    """Yield the rows of the whole table."""
    for opcode, name, immediates, *types in CONTROL:
        yield Instruction(name, opcode, immediates, *types)
    yield from accesses(0x28, LOADS, True)
    yield from accesses(0x36, STORES, False)
    at = 0x45
    for type_ in TYPE:
        for count, names in ((1, "eqz" if type_[0] == "i" else ""), (2, COMPARISONS[type_[0]])):
            yield from numeric(at, type_, count, names, I32)
            at += len(names.split())
    for type_ in TYPE:
        for count, names in ((1, UNARY[type_[0]]), (2, BINARY[type_[0]])):
            yield from numeric(at, type_, count, names)
            at += len(names.split())
    yield from conversions(at, CONVERSIONS)
    at += len(CONVERSIONS)
    yield from numeric(at, "i32", 1, "extend8_s extend16_s")
    yield from numeric(at + 2, "i64", 1, "extend8_s extend16_s extend32_s")
    yield from conversions(EXTENDED, SATURATING)


INSTRUCTIONS = {row.opcode: row for row in sorted(rows(), key=lambda row: row.opcode)}
"""Every instruction by its opcode. Opcodes after the prefix are counted from `EXTENDED`."""
BY_NAME = {row.name: row for row in INSTRUCTIONS.values()}
OPCODES = max(INSTRUCTIONS) + 1
Opcode = Enum("Opcode", {row.symbol.upper(): row.opcode for row in INSTRUCTIONS.values()})
Opcode._storage_ = 2
Opcode.__doc__ = "Every instruction by its opcode; those behind the prefix are counted from EXTENDED on."


def column(value, missing=0):
    """Return one number of each row, as a constant table over all opcodes."""
    return tuple(int(value(INSTRUCTIONS[opcode])) if opcode in INSTRUCTIONS else missing for opcode in range(OPCODES))


IMMEDIATES = column(lambda row: row.immediates)
NUMERIC = column(lambda row: row.is_numeric)
OPERAND_COUNT = column(lambda row: len(row.parameters) if row.parameters is not None else 0)
FIRST_OPERAND = column(lambda row: row.parameters[0] if row.parameters else 0)
LAST_OPERAND = column(lambda row: row.parameters[-1] if row.parameters else 0)
RESULT = column(lambda row: row.results[0] if row.results else 0)
FIXED = column(lambda row: row.parameters is not None)
WIDTH = column(lambda row: row.width)
