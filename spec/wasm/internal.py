"""Which operations are modules translated into?

This module lists their forms, and the instruction and the form of each operation.

An operation is one or two words. The lowest 16 bits of the first word are its number, the rest are fields. The rows
below say once what each field is and in which order operations read. Handlers, the reference machine, disassembly and
the translator's lookup tables are all made from these rows.

Instructions that follow each other in programs are fused into one operation. Each operation costs a jump, and each
slot in between costs a store that the next operation waits for.
"""

from dataclasses import dataclass
from typing import NamedTuple

from corollary.language.types import Enum
from corollary.spec.wasm.meaning import SAME
from corollary.spec.wasm.opcodes import BY_NAME, INSTRUCTIONS, OPCODES

COMMUTING = "add mul and or xor eq ne".split()
EXCHANGED = {"eq": "eq", "ne": "ne"} | {
    f"{a}_{sign}": f"{b}_{sign}"
    for a, b in ("lt gt".split(), "gt lt".split(), "le ge".split(), "ge le".split())
    for sign in "su"
}
"""For each integer comparison, the one that says the same with the operands exchanged."""
BOOLEAN = "eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u lt gt le ge".split()
ZERO = {f"{type_}.eqz": f"{type_}.eq" for type_ in ("i32", "i64")}
"""Each comparison with zero, and the comparison with any constant that stands for it."""


class Span(NamedTuple):
    """Where a field is: in the first or second word of the operation, from which bit on, and how many bits it has."""

    word: int
    first: int
    bits: int


PLACES = {
    "a": Span(0, 16, 16),
    "b": Span(0, 32, 16),
    "c": Span(0, 48, 16),
    "far": Span(0, 32, 32),
    "to": Span(0, 32, 32),
    "value": Span(1, 0, 64),
    "low": Span(1, 0, 32),
    "high": Span(1, 32, 32),
    "next": Span(1, 32, 32),
    "d": Span(1, 0, 16),
    "e": Span(1, 32, 16),
    "about": Span(1, 16, 16),
    "result": Span(1, 48, 16),
}
"""Each field by its name. In a branch, `to` and `next` are displacements from the word that holds them."""
CONSTANTS = ("value", "low", "high")  # all other fields are slots of the frame, unless they are marked


@dataclass(frozen=True)
class Fields:
    """The fields of an operation: `what it changes = from what -> where it leads`, operands in instruction order.

    `+x` is an offset. The fields before it are an address; if there are two, the address is their sum modulo 2^32.
    Address plus offset may be larger. `#x` is the number of something other than a slot. The part before a comma is
    done first.
    """

    text: str

    @property
    def names(self):
        """All fields, with their marks."""
        return tuple(name for name in self.text.replace(",", "").split() if name not in ("=", "->"))

    @property
    def words(self):
        """The number of words of the operation."""
        return 1 + max((PLACES[name.lstrip("+#")].word for name in self.names), default=0)

    @property
    def changed(self):
        """The fields that the last part changes."""
        return tuple(self.text.rpartition("=")[0].rpartition(",")[2].split())

    @property
    def operands(self):
        """The fields that the last part reads."""
        return tuple(self.text.rpartition("=")[2].partition("->")[0].split())

    @property
    def leads(self):
        """The number of the word that says where a branch leads: 0 for the first word, 1 for the second."""
        return PLACES[self.text.rpartition("->")[2].strip()].word


def offset(names):
    """Return the name of the offset among the fields of an address, or None."""
    return next((name[1:] for name in names if name[0] == "+"), None)


class Form(Enum):
    """How an operation is made from its instruction f, which computes, compares or accesses memory. g precedes f."""

    UNARY = 0
    SLOTS = 1  # operands in slots
    VALUE = 2  # the second operand is a constant
    LOAD = 3
    LOAD_FAR = 4  # the offset is too large for a field
    STORE = 5
    STORE_FAR = 6
    IF_SLOTS = 7  # a branch if f
    IF_VALUE = 8
    UNLESS_SLOTS = 9  # a branch if not f
    UNLESS_VALUE = 10
    LOOP_SLOTS = 11  # a branch if f; if taken, a safe point comes first
    LOOP_VALUE = 12
    FROM = 13  # the first operand is a constant
    LOAD_SUM = 14
    STORE_SUM = 15
    LOAD_SCALED = 16  # the address slot is multiplied by the width of the access
    STORE_SCALED = 17
    LOAD_SLOTS = 18
    STORE_VALUE = 19
    VALUE_SLOTS = 20  # f of the result of g and a third operand
    VALUE_VALUE = 21
    SLOTS_SLOTS = 22
    SLOTS_VALUE = 23
    STEP_SLOTS = 24  # g, then a branch if f of that and a third operand; if taken, a safe point comes first
    STEP_VALUE = 25
    STEP_VALUES = 26
    STORE_SUM_VALUE = 27
    MOVE = 28  # from memory to memory, as wide as f stores
    MOVE_SUM = 29
    COPY_VALUE = 30  # a copy, then f
    BACK_VALUE = 31  # a safe point, then f and a branch
    OWN = 32  # its handler says what it does


FIELDS = {
    form: Fields(text)
    for form, text in {
        Form.UNARY: "c = a",
        Form.SLOTS: "c = a b",
        Form.VALUE: "c = a value",
        Form.FROM: "c = value a",
        Form.IF_SLOTS: "a b -> next",
        Form.UNLESS_SLOTS: "a b -> next",
        Form.LOOP_SLOTS: "a b -> next",
        Form.IF_VALUE: "a value -> to",
        Form.UNLESS_VALUE: "a value -> to",
        Form.LOOP_VALUE: "a value -> to",
        Form.LOAD: "c = a +b",
        Form.LOAD_FAR: "c = a +low",
        Form.LOAD_SUM: "c = a value +b",
        Form.LOAD_SCALED: "c = a value +b",
        Form.LOAD_SLOTS: "c = a b +low",
        Form.STORE: "a +c = b",
        Form.STORE_FAR: "a +low = b",
        Form.STORE_SUM: "a value +c = b",
        Form.STORE_SCALED: "a value +c = b",
        Form.STORE_VALUE: "a +c = value",
        Form.STORE_SUM_VALUE: "a low +c = high",
        Form.VALUE_SLOTS: "c = a value b",
        Form.VALUE_VALUE: "c = a low high",
        Form.SLOTS_SLOTS: "c = a b d",
        Form.SLOTS_VALUE: "c = a b value",
        Form.STEP_SLOTS: "a = a b c -> next",
        Form.STEP_VALUE: "c = a low b -> next",
        Form.STEP_VALUES: "a = a low high -> to",
        Form.MOVE: "b +high = a +low",
        Form.MOVE_SUM: "b high = a low",
        Form.COPY_VALUE: "e = b, c = a low",
        Form.BACK_VALUE: "c = a low -> next",
    }.items()
}
OWN = {
    name: Fields(text)
    for name, text in {
        "exit": "",
        "const": "c = value",
        "copy": "c = a",
        "copy_two": "c = a b",
        "copy_pair": "c = a, d = b",
        "select": "c = a b d",
        "br": "-> to",
        "loop": "-> to",
        "copy_loop": "c = a -> next",
        "br_table": "a #far",
        "br_table_load": "a low +high #far",
        "call": "result = a -> to",
        "call_import": "result = a about #far",
        "call_indirect": "result = a b #c #about",
        "return_none": "",
        "return_one": "a",
        "return_many": "a #b",
        "trap_unreachable": "",
        "poll": "",
        "get_global": "c = #b",
        "set_global": "#b = a",
        "get_reference": "c = #b",
        "set_reference": "#b = a",
        "memory_size": "c =",
        "memory_grow": "c = a",
        "memory_copy": "a b c d",
        "memory_copy_value": "a b low",
        "memory_copy_rest": "a = a",
        "memory_fill": "a b c d",
        "memory_fill_rest": "a = a",
        "memory_init": "a = a #far",
        "data_drop": "#far",
        "table_get": "c = a #b",
        "table_set": "a b #c",
        "table_size": "c = #b",
        "table_grow": "c = a b #low",
        "table_fill": "a = a #far",
        "table_copy": "a = a #low #high",
        "table_init": "a = a #low #high",
        "elem_drop": "#far",
    }.items()
}
"""The operations that have a form of their own."""
BRANCHES = [Form.IF_SLOTS, Form.UNLESS_SLOTS, Form.LOOP_SLOTS, Form.IF_VALUE, Form.UNLESS_VALUE, Form.LOOP_VALUE]
LOADS = [Form.LOAD, Form.LOAD_FAR, Form.LOAD_SUM, Form.LOAD_SCALED, Form.LOAD_SLOTS]
STORES = [Form.STORE, Form.STORE_FAR, Form.STORE_SUM, Form.STORE_SCALED, Form.STORE_VALUE, Form.STORE_SUM_VALUE]
SCALED = [Form.LOAD_SCALED, Form.STORE_SCALED]
MOVES = [Form.MOVE, Form.MOVE_SUM]
STEPS = [Form.STEP_SLOTS, Form.STEP_VALUE, Form.STEP_VALUES]
PAIRS = (  # form, types, inner instructions, outer ones: those that follow each other in programs
    (Form.VALUE_SLOTS, "i32", "add mul and shl shr_u rotl rotr", "add and or xor"),
    (Form.VALUE_VALUE, "i32", "add mul and shl shr_u", "add mul and shl"),
    (Form.SLOTS_SLOTS, "i32", "add sub mul and or xor", "add and or xor"),
    (Form.SLOTS_VALUE, "i32", "add sub mul and or xor", "add mul and shl shr_u"),
    (Form.SLOTS_SLOTS, "f32 f64", "mul", "add"),
)
MOVED = ("i32.store8", "i32.store16", "i32.store", "i64.store")  # the instruction that stands for each width


@dataclass(frozen=True)
class Operation:
    """An operation: one instruction in some form, two instructions fused, or an operation with a form of its own."""

    name: str
    form: Form
    opcode: int | None = None
    first: int | None = None

    @property
    def row(self):
        """The instruction, if any."""
        return INSTRUCTIONS.get(self.opcode)

    @property
    def inner(self):
        """The instruction fused before it, if any."""
        return INSTRUCTIONS.get(self.first)

    @property
    def fields(self):
        """The fields of its words."""
        return OWN[self.name] if self.form is Form.OWN else FIELDS[self.form]


def is_condition(row):
    """Is the result of a numeric instruction a truth value?"""
    return row.is_numeric and row.name.split(".")[1] in BOOLEAN


def commutes(row):
    """May the operands of an instruction be exchanged?"""
    return row.name.split(".")[1] in COMMUTING


def operations():
    """Yield every operation."""
    for name in OWN:
        yield Operation(name, Form.OWN)
    for row in INSTRUCTIONS.values():
        if row.is_numeric and row.opcode not in SAME and row.name not in ZERO:
            forms = (
                [Form.UNARY]
                if len(row.parameters) == 1
                else [Form.SLOTS, Form.VALUE]
                if commutes(row)
                else [Form.SLOTS, Form.VALUE, Form.FROM]
            )
            forms += BRANCHES if is_condition(row) else []
            yield from (
                Operation(
                    f"{row.symbol}_{form.name.lower()}" if form is not Form.UNARY else row.symbol, form, row.opcode
                )
                for form in forms
            )
        elif row.width:
            # an index of bytes is already an address
            for form in (form for form in (LOADS if row.results else STORES) if row.width > 1 or form not in SCALED):
                yield Operation(
                    row.symbol + form.name.lower().removeprefix("load").removeprefix("store"), form, row.opcode
                )
    yield from pairs()
    yield from (
        Operation(f"{BY_NAME[name].symbol}_{form.name.lower()}", form, BY_NAME[name].opcode)
        for name in MOVED
        for form in MOVES
    )
    yield from (
        Operation(f"i32_add_{form.name.lower()}", form, BY_NAME["i32.add"].opcode)
        for form in (Form.COPY_VALUE, Form.BACK_VALUE)
    )


def pairs():
    """Yield the operations of two instructions: one on the result of another, or a loop's step and its condition."""
    rows = [
        (form, BY_NAME[f"{type_}.{inner}"], BY_NAME[f"{type_}.{outer}"])
        for form, types, inners, outers in PAIRS
        for type_ in types.split()
        for inner in inners.split()
        for outer in outers.split()
    ]
    rows += [(form, BY_NAME["i32.add"], BY_NAME[f"i32.{name}"]) for name in EXCHANGED for form in STEPS]
    for form, inner, outer in rows:
        yield Operation(
            f"{inner.symbol}_{outer.name.split('.')[1]}_{form.name.lower()}", form, outer.opcode, inner.opcode
        )


OPERATIONS = tuple(operations())
NUMBER = {operation.name: number for number, operation in enumerate(OPERATIONS)}
Handler = Enum("Handler", {operation.name.upper(): number for number, operation in enumerate(OPERATIONS)})
Handler._storage_ = 2
Handler.__doc__ = "Every operation by its number."
MISSING = 0xFFFF


def by_opcode(*forms):
    """Return, for each opcode, its operation in one of the forms."""
    found = {operation.opcode: number for number, operation in enumerate(OPERATIONS) if operation.form in forms}
    return tuple(found.get(opcode, MISSING) for opcode in range(OPCODES))


def turned(form, source):
    """Return, for each comparison in the form `source`, the branch in `form` on the same comparison."""
    found = {operation.opcode: number for number, operation in enumerate(OPERATIONS) if operation.form is form}
    return tuple(
        found.get(operation.opcode, MISSING) if operation.form is source else MISSING for operation in OPERATIONS
    )


def exchanged(operation):
    """Return the operation that makes the same comparison with its two slots exchanged, if any."""
    name = operation.row.name.split(".")[1] if operation.form is Form.SLOTS else ""
    return NUMBER[f"{operation.row.name.split('.')[0]}_{EXCHANGED[name]}_slots"] if name in EXCHANGED else MISSING


def paired(*forms):
    """Return, for each inner operation and each outer instruction, the operation in a form that fuses both."""
    found = {
        (operation.form, operation.first, operation.opcode): number
        for number, operation in enumerate(OPERATIONS)
        if operation.form in forms
    }
    form_of = {form.name.split("_")[0]: form for form in forms}
    return tuple(
        found.get((form_of[inner.form.name], inner.opcode, outer), MISSING) for inner in INNERS for outer in OUTERS
    )


def merged(one, other):
    """Merge two columns. At most one of them has an entry in each place."""
    return tuple(a if a != MISSING else b for a, b in zip(one, other))


def moving(form):
    """Return, for each store, the operation in a form that moves as many bytes."""
    found = {operation.row.width: number for number, operation in enumerate(OPERATIONS) if operation.form is form}
    return tuple(
        found[row.width] if (row := INSTRUCTIONS.get(opcode)) and row.width and not row.results else MISSING
        for opcode in range(OPCODES)
    )


UNARY_OF = by_opcode(Form.UNARY)
SLOTS_OF = by_opcode(Form.SLOTS)
VALUE_OF = by_opcode(Form.VALUE)
FROM_OF = by_opcode(Form.FROM)
ACCESS_OF = by_opcode(Form.LOAD, Form.STORE)
FAR_OF = by_opcode(Form.LOAD_FAR, Form.STORE_FAR)
SUM_OF = by_opcode(Form.LOAD_SUM, Form.STORE_SUM)
STORE_VALUE_OF = by_opcode(Form.STORE_VALUE)
SCALED_OF = by_opcode(Form.LOAD_SCALED, Form.STORE_SCALED)
SUM_OF_SLOTS = by_opcode(Form.LOAD_SLOTS)
SCALE = tuple(
    INSTRUCTIONS[opcode].width.bit_length() - 1 if opcode in INSTRUCTIONS and INSTRUCTIONS[opcode].width else 0
    for opcode in range(OPCODES)
)
IF_OF = merged(turned(Form.IF_SLOTS, Form.SLOTS), turned(Form.IF_VALUE, Form.VALUE))
UNLESS_OF = merged(turned(Form.UNLESS_SLOTS, Form.SLOTS), turned(Form.UNLESS_VALUE, Form.VALUE))
LOOP_OF = merged(turned(Form.LOOP_SLOTS, Form.SLOTS), turned(Form.LOOP_VALUE, Form.VALUE))
STEP_SLOTS_OF = turned(Form.STEP_SLOTS, Form.SLOTS)
STEP_VALUE_OF = turned(Form.STEP_VALUE, Form.SLOTS)
STEP_VALUES_OF = turned(Form.STEP_VALUES, Form.VALUE)
EXCHANGED_OF = tuple(exchanged(operation) for operation in OPERATIONS)
PAIRED = tuple(operation for operation in OPERATIONS if operation.first is not None and operation.form not in STEPS)
OUTERS = tuple(dict.fromkeys(operation.opcode for operation in PAIRED))
FIRSTS = {operation.first for operation in PAIRED}
INNERS = tuple(
    operation for operation in OPERATIONS if operation.form in (Form.SLOTS, Form.VALUE) and operation.opcode in FIRSTS
)
INNER_OF = tuple(INNERS.index(operation) if operation in INNERS else MISSING for operation in OPERATIONS)
OUTER_OF = tuple(OUTERS.index(opcode) if opcode in OUTERS else MISSING for opcode in range(OPCODES))
OUTER_COUNT = len(OUTERS)
PAIR_SLOT_OF = paired(Form.VALUE_SLOTS, Form.SLOTS_SLOTS)  # the other operand of the outer instruction is in a slot
PAIR_VALUE_OF = paired(Form.VALUE_VALUE, Form.SLOTS_VALUE)  # it is a constant
MOVE_OF = moving(Form.MOVE)
MOVE_SUM_OF = moving(Form.MOVE_SUM)
LOAD_WIDTH = tuple(operation.row.width if operation.form is Form.LOAD else 0 for operation in OPERATIONS)
LOAD_SUM_WIDTH = tuple(operation.row.width if operation.form is Form.LOAD_SUM else 0 for operation in OPERATIONS)
STORE_SUM_VALUE_OF = by_opcode(Form.STORE_SUM_VALUE)
HAS_VALUE = tuple(int(operation.form is Form.VALUE) for operation in OPERATIONS)
COMMUTES = tuple(
    int(opcode in INSTRUCTIONS and INSTRUCTIONS[opcode].is_numeric and commutes(INSTRUCTIONS[opcode]))
    for opcode in range(OPCODES)
)
KEEPS_BITS = tuple(int(opcode in SAME) for opcode in range(OPCODES))
IS_STORE = tuple(
    int(opcode in INSTRUCTIONS and INSTRUCTIONS[opcode].width > 0 and not INSTRUCTIONS[opcode].results)
    for opcode in range(OPCODES)
)
