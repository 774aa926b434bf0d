"""What does the VM's bytecode look like as text? One line for each operation, made from its row in the table."""

from corollary.spec.wasm.internal import CONSTANTS, OPERATIONS, PLACES
from corollary.spec.wasm.machine import BytecodeWord, FarBytecodeWord

TABLES = ("br_table", "br_table_load")  # operations that are followed by a table


def length(operation, word):
    """Return how many words an operation takes, with the table that may follow it.

    The first word of the operation says how long the table is; the table has one entry more than that.
    """
    return operation.fields.words + (FarBytecodeWord(word).far + 1 if operation.name in TABLES else 0)


def disassemble(code, first, end):
    """Yield the operations from word `first` up to word `end`, each as `(position, text)`."""
    at = first
    while at < end:
        operation = OPERATIONS[BytecodeWord(code[at]).handler]
        yield at, " ".join([operation.name, *(shown(code, at, name) for name in operation.fields.names)])
        at += length(operation, code[at])


def shown(code, at, name):
    """Return one field of the operation at word `at`, as text."""
    place = PLACES[name.lstrip("+#")]
    held = code[at + place.word] >> place.first & (1 << place.bits) - 1
    if name in ("to", "next"):
        return f"->{at + place.word + (held - (1 << 32) if held >> 31 else held)}"
    return f"{name[0] if name[0] in '+#' else '$' if name in CONSTANTS else 'r'}{held}"
