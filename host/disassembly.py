"""How do operations read? One line each, made from the rows of their table."""

from spec.wasm.internal import OPERATIONS, WORDS, Form

FIELDS = {          # what of `a b c far value` each form has, the result first
    Form.UNARY: "c a", Form.SLOTS: "c a b", Form.VALUE: "c a value", Form.LOAD: "c a +b", Form.LOAD_FAR: "c a +value", Form.STORE: "a +c b",
    Form.STORE_FAR: "a +value b", Form.IF_SLOTS: "a b next", Form.IF_VALUE: "a value to", Form.UNLESS_SLOTS: "a b next",
    Form.UNLESS_VALUE: "a value to", Form.FROM: "c value a", Form.LOAD_SUM: "c a value +b", Form.STORE_SUM: "a value +c b",
    Form.LOAD_SCALED: "c a value +b", Form.STORE_SCALED: "a value +c b", Form.LOAD_SLOTS: "c a b value", Form.STORE_VALUE: "a +c value",
    Form.LOOP_SLOTS: "a b next", Form.LOOP_VALUE: "a value to", Form.VALUE_SLOTS: "c a value b", Form.VALUE_VALUE: "c a low high",
    Form.SLOTS_SLOTS: "c a b d", Form.SLOTS_VALUE: "c a b value", Form.STEP_SLOTS: "a b c next", Form.STEP_VALUE: "c a low b next",
    Form.STEP_VALUES: "a low high to", Form.STORE_SUM_VALUE: "a low +c high", Form.MOVE: "b high a low", Form.MOVE_SUM: "b high a low",
    Form.COPY_VALUE: "e b c a low", Form.BACK_VALUE: "c a low next"}
TABLES = ("br_table", "br_table_load")      # operations behind which a table follows
OWN = {"const": "c value", "copy": "c a", "copy_two": "c a b", "copy_pair": "c a d b", "copy_loop": "c a next", "select": "c a b value", "br": "to",
       "loop": "to", "br_table": "a far", "br_table_load": "a low high far", "call": "a to", "call_import": "a far", "call_indirect": "a b c",
       "return_one": "a", "return_many": "a b", "get_global": "c b",
       "set_global": "a b", "memory_size": "c", "memory_grow": "c a", "memory_copy": "a b c", "memory_copy_value": "a b value",
       "memory_fill": "a b c", "memory_init": "a b c value", "data_drop": "far", "elem_drop": "far", "table_get": "c a b", "table_set": "a b c",
       "table_size": "c b", "table_grow": "c a b", "table_fill": "a b c", "table_copy": "a b c value", "table_init": "a b c value"}


def size(operation):
    """The words of an operation."""
    if operation.form is Form.OWN:
        return WORDS[operation.name]
    return 1 if operation.form in (Form.UNARY, Form.SLOTS, Form.LOAD, Form.STORE) else 2


def length(operation, word):
    """The words of an operation and of the table behind it, which is as long as its first word says, and one more."""
    return size(operation) + ((word >> 32) + 1 if operation.name in TABLES else 0)


def disassemble(code, first, end):
    """The operations from a word on, as `(position, text)`."""
    at = first
    while at < end:
        operation = OPERATIONS[code[at] & 0xFFFF]
        words = size(operation)
        yield at, f"{operation.name} {' '.join(fields(code, at, operation, words))}".rstrip()
        at += length(operation, code[at])


def fields(code, at, operation, words):
    """The fields of an operation as text."""
    word, behind = code[at], code[at + 1] if words > 1 else 0
    known = {"a": word >> 16 & 0xFFFF, "b": word >> 32 & 0xFFFF, "c": word >> 48, "far": word >> 32, "value": behind,
             "d": behind & 0xFFFF, "e": behind >> 32 & 0xFFFF, "low": behind & 0xFFFF_FFFF, "high": behind >> 32, "to": far(word, at),
             "next": far(behind, at + 1)}
    wanted = (OWN.get(operation.name, "") if operation.form is Form.OWN else FIELDS[operation.form]).split()
    return [f"->{known[name]}" if name in ("to", "next") else f"+{known[name[1:]]}" if name[0] == "+" else
            f"${known[name]}" if name in ("value", "low", "high") else f"#{known[name]}" if name == "far" else f"r{known[name]}" for name in wanted]


def far(word, at):
    """Where the upper half of a word leads."""
    distance = word >> 32
    return at + (distance - (1 << 32) if distance >> 31 else distance)
