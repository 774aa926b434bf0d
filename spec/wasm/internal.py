"""What do the operations consist of that modules are translated into?

`spec/wasm/bytecodes.py` has their numbers, and the instruction and the form of each. An operation is one or two words.
The lowest 16 bits of the first word are its number, the rest are fields. The rows below say once what each field is and
in which order operations read. Handlers, the reference machine, disassembly and the translator's lookup tables are all
made from these rows.

Instructions that follow each other in programs are fused into one operation. Each operation costs a jump, and each
slot in between costs a store that the next operation waits for.
"""

from dataclasses import dataclass
from typing import NamedTuple

from corollary.language.rows import Rows
from corollary.language.types import Enum, LanguageError
from corollary.spec.wasm import bytecodes
from corollary.spec.wasm.bytecodes import Form
from corollary.spec.wasm.meaning import SAME
from corollary.spec.wasm.opcodes import BY_NAME, INSTRUCTIONS, OPCODES, Opcode, column

COMMUTING = "add mul and or xor eq ne".split()
EXCHANGED = {"eq": "eq", "ne": "ne"} | {
    f"{a}_{sign}": f"{b}_{sign}"
    for a, b in ("lt gt".split(), "gt lt".split(), "le ge".split(), "ge le".split())
    for sign in "su"
}
"""For each integer comparison, the one that says the same with the operands exchanged."""
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
OWN = {name: Fields(text) for _, name, text in bytecodes.OWN}
"""The fields of the operations that have a form of their own."""
LOADS = [Form.LOAD, Form.LOAD_FAR, Form.LOAD_SUM, Form.LOAD_SCALED, Form.LOAD_SLOTS]
STORES = [Form.STORE, Form.STORE_FAR, Form.STORE_SUM, Form.STORE_SCALED, Form.STORE_VALUE, Form.STORE_SUM_VALUE]
SCALED = [Form.LOAD_SCALED, Form.STORE_SCALED]
MOVES = [Form.MOVE, Form.MOVE_SUM]
STEPS = [Form.STEP_SLOTS, Form.STEP_VALUE, Form.STEP_VALUES]


@dataclass(frozen=True)
class Bytecode:
    """An operation: one instruction in some form, two instructions fused, or an operation with a form of its own."""

    number: int
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


def commutes(row):
    """May the operands of an instruction be exchanged?"""
    return row.name.split(".")[1] in COMMUTING


def name_of(form, row, inner=None):
    """Return the name of the operation that does an instruction in some form, after another one if two are fused."""
    if inner:
        return f"{inner.symbol}_{row.name.split('.')[1]}_{form.name.lower()}"
    if form is Form.UNARY:
        return row.symbol
    said = f"_{form.name.lower()}"
    return row.symbol + (said if not row.width or form in MOVES else said.removeprefix("_load").removeprefix("_store"))


def operation(number, form, *names):
    """Return the operation of a row of the table."""
    row, inner = (*(BY_NAME[name] for name in names), None)[:2]
    return Bytecode(number, name_of(form, row, inner), form, row.opcode, inner and inner.opcode)


def operations():
    """Return every operation in the order of their numbers.

    Raises `LanguageError` unless these are 0, 1, 2 and so on: handlers are found by them.
    """
    found = [Bytecode(number, name, Form.OWN) for number, name, _ in bytecodes.OWN]
    found = sorted([*found, *(operation(*row) for row in bytecodes.ROWS)], key=lambda made: made.number)
    for place, made in enumerate(found):
        if made.number != place:
            wrong = f"{made.name} has number {made.number}"
            raise LanguageError(wrong, "spec/wasm/bytecodes.py", instead=f"the next one, {place}")
    return tuple(found)


OPERATIONS = operations()
NUMBER = {operation.name: operation.number for operation in OPERATIONS}
Handler = Enum("Handler", {operation.name.upper(): operation.number for operation in OPERATIONS})
Handler._storage_ = 2
Handler.__doc__ = "Every operation by its number."
MISSING = 0xFFFF  # in place of an operation: there is none


def handlers(numbers, index):
    """Return a constant table of operations, by what `index` enumerates. In some rows there is none."""
    return Rows(numbers, index, Handler, MISSING, "MISSING")


def by_opcode(*forms):
    """Return, for each opcode, its operation in one of the forms."""
    found = {operation.opcode: operation.number for operation in OPERATIONS if operation.form in forms}
    return handlers((found.get(opcode, MISSING) for opcode in range(OPCODES)), Opcode)


def turned(form, source):
    """Return, for each comparison in the form `source`, the branch in `form` on the same comparison."""
    found = {operation.opcode: operation.number for operation in OPERATIONS if operation.form is form}
    numbers = (
        found.get(operation.opcode, MISSING) if operation.form is source else MISSING for operation in OPERATIONS
    )
    return handlers(numbers, Handler)


def exchanged(operation):
    """Return the operation that makes the same comparison with its two slots exchanged, if any."""
    name = operation.row.name.split(".")[1] if operation.form is Form.SLOTS else ""
    return NUMBER[f"{operation.row.name.split('.')[0]}_{EXCHANGED[name]}_slots"] if name in EXCHANGED else MISSING


def paired(*forms):
    """Return, for each inner operation and each outer instruction, the operation in a form that fuses both."""
    found = {
        (operation.form, operation.first, operation.opcode): operation.number
        for operation in OPERATIONS
        if operation.form in forms
    }
    form_of = {form.name.split("_")[0]: form for form in forms}
    pairs = [(inner, outer) for inner in Inner for outer in Outer]
    numbers = (
        found.get((form_of[INNERS[inner].form.name], INNERS[inner].opcode, OUTERS[outer]), MISSING)
        for inner, outer in pairs
    )
    return handlers(numbers, [f"INNER_{inner.name} * OUTER_COUNT + OUTER_{outer.name}" for inner, outer in pairs])


def merged(one, other):
    """Merge two columns. At most one of them has an entry in each place."""
    return handlers((a if a != MISSING else b for a, b in zip(one, other)), one.index)


def moving(form):
    """Return, for each store, the operation in a form that moves as many bytes."""
    found = {operation.row.width: operation.number for operation in OPERATIONS if operation.form is form}
    numbers = (
        found[row.width] if (row := INSTRUCTIONS.get(opcode)) and row.width and not row.results else MISSING
        for opcode in range(OPCODES)
    )
    return handlers(numbers, Opcode)


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
SCALE = column(lambda row: row.width.bit_length() - 1 if row.width else 0)
IF_OF = merged(turned(Form.IF_SLOTS, Form.SLOTS), turned(Form.IF_VALUE, Form.VALUE))
UNLESS_OF = merged(turned(Form.UNLESS_SLOTS, Form.SLOTS), turned(Form.UNLESS_VALUE, Form.VALUE))
LOOP_OF = merged(turned(Form.LOOP_SLOTS, Form.SLOTS), turned(Form.LOOP_VALUE, Form.VALUE))
STEP_SLOTS_OF = turned(Form.STEP_SLOTS, Form.SLOTS)
STEP_VALUE_OF = turned(Form.STEP_VALUE, Form.SLOTS)
STEP_VALUES_OF = turned(Form.STEP_VALUES, Form.VALUE)
EXCHANGED_OF = handlers(map(exchanged, OPERATIONS), Handler)
PAIRED = tuple(operation for operation in OPERATIONS if operation.first is not None and operation.form not in STEPS)
OUTERS = tuple(dict.fromkeys(operation.opcode for operation in PAIRED))
FIRSTS = {operation.first for operation in PAIRED}
INNERS = tuple(
    operation for operation in OPERATIONS if operation.form in (Form.SLOTS, Form.VALUE) and operation.opcode in FIRSTS
)
Inner = Enum("Inner", {operation.name.upper(): number for number, operation in enumerate(INNERS)})
Inner.__doc__ = "The operations that are fused with an instruction after them: rows of tables of pairs."
Outer = Enum("Outer", {INSTRUCTIONS[opcode].symbol.upper(): number for number, opcode in enumerate(OUTERS)})
Outer.__doc__ = "The instructions that are fused with an operation before them: columns of tables of pairs."
INNER_OF = Rows(
    (INNERS.index(operation) if operation in INNERS else MISSING for operation in OPERATIONS),
    Handler,
    Inner,
    MISSING,
    "MISSING",
)
OUTER_OF = Rows(
    (OUTERS.index(opcode) if opcode in OUTERS else MISSING for opcode in range(OPCODES)),
    Opcode,
    Outer,
    MISSING,
    "MISSING",
)
OUTER_COUNT = len(OUTERS)  # columns of a table of pairs
PAIR_SLOT_OF = paired(Form.VALUE_SLOTS, Form.SLOTS_SLOTS)  # the other operand of the outer instruction is in a slot
PAIR_VALUE_OF = paired(Form.VALUE_VALUE, Form.SLOTS_VALUE)  # it is a constant
MOVE_OF = moving(Form.MOVE)
MOVE_SUM_OF = moving(Form.MOVE_SUM)
LOAD_WIDTH = Rows((each.row.width if each.form is Form.LOAD else 0 for each in OPERATIONS), Handler)
LOAD_SUM_WIDTH = Rows((each.row.width if each.form is Form.LOAD_SUM else 0 for each in OPERATIONS), Handler)
STORE_SUM_VALUE_OF = by_opcode(Form.STORE_SUM_VALUE)
HAS_VALUE = Rows((operation.form is Form.VALUE for operation in OPERATIONS), Handler)
COMMUTES = column(lambda row: row.is_numeric and commutes(row))
KEEPS_BITS = column(lambda row: row.opcode in SAME)
IS_STORE = column(lambda row: row.width > 0 and not row.results)
