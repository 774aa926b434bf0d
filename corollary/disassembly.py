"""How do operations read? One line each, made from the rows of their table."""

from spec.wasm.internal import CONSTANTS, OPERATIONS, PLACES

TABLES = ("br_table", "br_table_load")      # operations behind which a table follows


def length(operation, word):
    """The words of an operation and of the table behind it, which is as long as its first word says, and one more."""
    return operation.fields.words + ((word >> 32) + 1 if operation.name in TABLES else 0)


def disassemble(code, first, end):
    """The operations from a word on, as `(position, text)`."""
    at = first
    while at < end:
        operation = OPERATIONS[code[at] & 0xFFFF]
        yield at, " ".join([operation.name, *(shown(code, at, name) for name in operation.fields.names)])
        at += length(operation, code[at])


def shown(code, at, name):
    """A field of the operation at a place as text."""
    place = PLACES[name.lstrip("+#")]
    held = code[at + place.word] >> place.first & (1 << place.bits) - 1
    if name in ("to", "next"):
        return f"->{at + place.word + (held - (1 << 32) if held >> 31 else held)}"
    return f"{name[0] if name[0] in '+#' else '$' if name in CONSTANTS else 'r'}{held}"
