"""Into which operations are modules translated? Their forms, and which operation is which instruction in which form.

An operation is one word to three: `number | a << 16 | b << 32 | c << 48`. a, b and c are slots of the frame, unless the form
says otherwise; `far` are bits 32 to 63, a displacement counted from the word that holds it. Handlers, disassembly, and the
tables that the translator looks into are all made from these rows.

Instructions that programs have one after the other are one operation: each operation costs a jump, and each slot in between
a store that the next one waits for.
"""

from dataclasses import dataclass

from spec.language.types import Enum
from spec.wasm.meaning import SAME
from spec.wasm.opcodes import BY_NAME, INSTRUCTIONS, OPCODES

COMMUTING = "add mul and or xor eq ne".split()
EXCHANGED = {"eq": "eq", "ne": "ne"} | {f"{a}_{sign}": f"{b}_{sign}" for a, b in ("lt gt".split(), "gt lt".split(), "le ge".split(), "ge le".split())
                                        for sign in "su"}
"""Of each comparison of integers, the one that says the same of its operands in the other order."""
BOOLEAN = "eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u lt gt le ge".split()


class Form(Enum):
    """What the fields of an operation are."""

    UNARY = 0               # c = f(a)
    SLOTS = 1               # c = f(a, b)
    VALUE = 2               # c = f(a, value); value: the word behind
    LOAD = 3                # c = memory[a + b]; b: an offset
    LOAD_FAR = 4            # c = memory[a + value]
    STORE = 5               # memory[a + c] = b; c: an offset
    STORE_FAR = 6           # memory[a + value] = b
    IF_SLOTS = 7            # to far of the word behind if f(a, b)
    IF_VALUE = 8            # to far if f(a, value)
    UNLESS_SLOTS = 9        # the same if not
    UNLESS_VALUE = 10
    LOOP_SLOTS = 11         # to far of the word behind, which is a safe point before, if f(a, b)
    LOOP_VALUE = 12
    FROM = 13               # c = f(value, a)
    LOAD_SUM = 14           # c = memory[(a + value) + b]; the inner sum is modulo 2^32
    STORE_SUM = 15          # memory[(a + value) + c] = b
    LOAD_SCALED = 16        # c = memory[(a * width + value) + b], width: of the access
    STORE_SCALED = 17       # memory[(a * width + value) + c] = b
    LOAD_SLOTS = 18         # c = memory[(a + b) + value]
    STORE_VALUE = 19        # memory[a + c] = value
    VALUE_SLOTS = 20        # c = f(g(a, value), b); g: the inner instruction
    VALUE_VALUE = 21        # c = f(g(a, low), high); low, high: the halves of the word behind
    SLOTS_SLOTS = 22        # c = f(g(a, b), d); d: the slot that the word behind names
    SLOTS_VALUE = 23        # c = f(g(a, b), value)
    STEP_SLOTS = 24         # a = g(a, b), and to far of the word behind, which is a safe point before, if f(a, c)
    STEP_VALUE = 25         # c = g(a, low), and the same if f(c, b)
    STEP_VALUES = 26        # a = g(a, low), and to far if f(a, high)
    STORE_SUM_VALUE = 27    # memory[(a + low) + c] = high
    MOVE = 28               # memory[b + high] = memory[a + low]
    MOVE_SUM = 29           # the same, but that both sums are modulo 2^32
    COPY_VALUE = 30         # the slot that the higher half of the word behind names = b, and then c = f(a, low)
    BACK_VALUE = 31         # c = f(a, low), and to far of the word behind, which is a safe point before
    OWN = 32                # as its handler says


BRANCHES = [Form.IF_SLOTS, Form.UNLESS_SLOTS, Form.LOOP_SLOTS, Form.IF_VALUE, Form.UNLESS_VALUE, Form.LOOP_VALUE]
LOADS = [Form.LOAD, Form.LOAD_FAR, Form.LOAD_SUM, Form.LOAD_SCALED, Form.LOAD_SLOTS]
STORES = [Form.STORE, Form.STORE_FAR, Form.STORE_SUM, Form.STORE_SCALED, Form.STORE_VALUE, Form.STORE_SUM_VALUE]
MOVES = [Form.MOVE, Form.MOVE_SUM]
STEPS = [Form.STEP_SLOTS, Form.STEP_VALUE, Form.STEP_VALUES]
PAIRS = (           # form, types, inner instructions, outer ones: those that programs have one after the other
    (Form.VALUE_SLOTS, "i32", "add mul and shl shr_u rotl rotr", "add and or xor"), (Form.VALUE_VALUE, "i32", "add mul and shl shr_u", "add mul and shl"),
    (Form.SLOTS_SLOTS, "i32", "add sub mul and or xor", "add and or xor"), (Form.SLOTS_VALUE, "i32", "add sub mul and or xor", "add mul and shl shr_u"),
    (Form.SLOTS_SLOTS, "f32 f64", "mul", "add"))
MOVED = ("i32.store8", "i32.store16", "i32.store", "i64.store")     # of each width the instruction that stands for all


@dataclass(frozen=True)
class Operation:
    """An operation: an instruction in some form, with another one before it in some, or one of our own."""

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
        """The instruction before it, if any."""
        return INSTRUCTIONS.get(self.first)


OWN = (             # name, words
    ("exit", 1), ("const", 2), ("copy", 1), ("copy_two", 1), ("copy_pair", 2), ("select", 2), ("br", 1), ("loop", 1), ("copy_loop", 2),
    ("br_table", 1), ("br_table_load", 2), ("call", 2), ("call_import", 2), ("call_indirect", 2),
    ("return_none", 1), ("return_one", 1), ("return_many", 1), ("trap_unreachable", 1), ("get_global", 1),
    ("set_global", 1), ("memory_size", 1), ("memory_grow", 1), ("memory_copy", 1), ("memory_copy_value", 2), ("memory_fill", 1), ("memory_init", 2),
    ("data_drop", 1), ("table_get", 1), ("table_set", 1), ("table_size", 1), ("table_grow", 2), ("table_fill", 2), ("table_copy", 2),
    ("table_init", 2), ("elem_drop", 1))
WORDS = dict(OWN)


def is_condition(row):
    """Is the result of a numeric instruction a truth value?"""
    return row.is_numeric and row.name.split(".")[1] in BOOLEAN


def commutes(row):
    """May the operands of an instruction be exchanged?"""
    return row.name.split(".")[1] in COMMUTING


def operations():
    """Every operation."""
    for name, _ in OWN:
        yield Operation(name, Form.OWN)
    for row in INSTRUCTIONS.values():
        if row.is_numeric and row.opcode not in SAME:
            forms = [Form.UNARY] if len(row.parameters) == 1 else [Form.SLOTS, Form.VALUE] if commutes(row) else [Form.SLOTS, Form.VALUE, Form.FROM]
            forms += BRANCHES if is_condition(row) and len(row.parameters) == 2 else []
            yield from (Operation(f"{row.symbol}_{form.name.lower()}" if form is not Form.UNARY else row.symbol, form, row.opcode) for form in forms)
        elif row.width:
            for form in LOADS if row.results else STORES:
                yield Operation(row.symbol + form.name.lower().removeprefix("load").removeprefix("store"), form, row.opcode)
    yield from pairs()
    yield from (Operation(f"{BY_NAME[name].symbol}_{form.name.lower()}", form, BY_NAME[name].opcode) for name in MOVED for form in MOVES)
    yield from (Operation(f"i32_add_{form.name.lower()}", form, BY_NAME["i32.add"].opcode) for form in (Form.COPY_VALUE, Form.BACK_VALUE))


def pairs():
    """The operations that are two instructions: one on the result of another, or the step of a loop and its condition."""
    rows = [(form, BY_NAME[f"{type_}.{inner}"], BY_NAME[f"{type_}.{outer}"])
            for form, types, inners, outers in PAIRS for type_ in types.split() for inner in inners.split() for outer in outers.split()]
    rows += [(form, BY_NAME["i32.add"], BY_NAME[f"i32.{name}"]) for name in EXCHANGED for form in STEPS]
    for form, inner, outer in rows:
        yield Operation(f"{inner.symbol}_{outer.name.split('.')[1]}_{form.name.lower()}", form, outer.opcode, inner.opcode)


OPERATIONS = tuple(operations())
NUMBER = {operation.name: number for number, operation in enumerate(OPERATIONS)}
Handler = Enum("Handler", {operation.name.upper(): number for number, operation in enumerate(OPERATIONS)})
Handler._storage_ = 2
Handler.__doc__ = "Every operation by its number."
MISSING = 0xFFFF


def by_opcode(*forms):
    """For each instruction, its operation in one of some forms."""
    found = {operation.opcode: number for number, operation in enumerate(OPERATIONS) if operation.form in forms}
    return tuple(found.get(opcode, MISSING) for opcode in range(OPCODES))


def turned(form, source):
    """For each operation of a form that compares, the branch of another form on the same comparison."""
    found = {operation.opcode: number for number, operation in enumerate(OPERATIONS) if operation.form is form}
    return tuple(found.get(operation.opcode, MISSING) if operation.form is source else MISSING for operation in OPERATIONS)


def exchanged(operation):
    """The operation that compares two slots as one does in the other order, if any."""
    name = operation.row.name.split(".")[1] if operation.form is Form.SLOTS else ""
    return NUMBER[f"{operation.row.name.split('.')[0]}_{EXCHANGED[name]}_slots"] if name in EXCHANGED else MISSING


def paired(*forms):
    """For each inner operation and each outer instruction, both as one operation in one of some forms."""
    found = {(operation.form, operation.first, operation.opcode): number for number, operation in enumerate(OPERATIONS) if operation.form in forms}
    form_of = {form.name.split("_")[0]: form for form in forms}
    return tuple(found.get((form_of[inner.form.name], inner.opcode, outer), MISSING) for inner in INNERS for outer in OUTERS)


def merged(one, other):
    """Two columns of which one at most has an entry in each place."""
    return tuple(a if a != MISSING else b for a, b in zip(one, other))


def moving(form):
    """For each instruction that stores, the operation of a form that moves as many bytes."""
    found = {operation.row.width: number for number, operation in enumerate(OPERATIONS) if operation.form is form}
    return tuple(found[row.width] if (row := INSTRUCTIONS.get(opcode)) and row.width and not row.results else MISSING for opcode in range(OPCODES))


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
SCALE = tuple(INSTRUCTIONS[opcode].width.bit_length() - 1 if opcode in INSTRUCTIONS and INSTRUCTIONS[opcode].width else 0 for opcode in range(OPCODES))
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
INNERS = tuple(operation for operation in OPERATIONS if operation.form in (Form.SLOTS, Form.VALUE) and operation.opcode in FIRSTS)
INNER_OF = tuple(INNERS.index(operation) if operation in INNERS else MISSING for operation in OPERATIONS)
OUTER_OF = tuple(OUTERS.index(opcode) if opcode in OUTERS else MISSING for opcode in range(OPCODES))
OUTER_COUNT = len(OUTERS)
PAIR_SLOT_OF = paired(Form.VALUE_SLOTS, Form.SLOTS_SLOTS)       # the other operand of the outer instruction is in a slot
PAIR_VALUE_OF = paired(Form.VALUE_VALUE, Form.SLOTS_VALUE)      # it is a constant
MOVE_OF = moving(Form.MOVE)
MOVE_SUM_OF = moving(Form.MOVE_SUM)
LOAD_WIDTH = tuple(operation.row.width if operation.form is Form.LOAD else 0 for operation in OPERATIONS)
LOAD_SUM_WIDTH = tuple(operation.row.width if operation.form is Form.LOAD_SUM else 0 for operation in OPERATIONS)
STORE_SUM_VALUE_OF = by_opcode(Form.STORE_SUM_VALUE)
HAS_VALUE = tuple(int(operation.form is Form.VALUE) for operation in OPERATIONS)
COMMUTES = tuple(int(opcode in INSTRUCTIONS and INSTRUCTIONS[opcode].is_numeric and commutes(INSTRUCTIONS[opcode])) for opcode in range(OPCODES))
KEEPS_BITS = tuple(int(opcode in SAME) for opcode in range(OPCODES))
IS_STORE = tuple(int(opcode in INSTRUCTIONS and INSTRUCTIONS[opcode].width > 0 and not INSTRUCTIONS[opcode].results) for opcode in range(OPCODES))
