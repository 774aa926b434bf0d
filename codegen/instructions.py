"""Which instructions does the machine accept?

This is the reference for people, by opcode: encoding, types, meaning, traps, and the operations that each instruction
becomes.
"""

from corollary.spec.wasm.internal import OPERATIONS, ZERO
from corollary.spec.wasm.meaning import in_words, traps
from corollary.spec.wasm.opcodes import EXTENDED, INSTRUCTIONS, PREFIX, Immediates

SOURCES = ("spec/wasm/opcodes.py", "spec/wasm/meaning.py", "spec/wasm/bytecodes.py", "spec/wasm/internal.py")
BYTES = {Immediates.NONE: "", Immediates.ZERO: "00", Immediates.TWO_ZEROS: "00 00"}


def encoding(row):
    """The bytes of an instruction: its opcode, then its immediates by their names."""
    code = f"{row.opcode:02X}" if row.opcode < EXTENDED else f"{PREFIX:02X} {row.opcode - EXTENDED:02X}"
    return f"`{code}` {BYTES.get(row.immediates, spelled(row.immediates))}".strip()


def spelled(member):
    """The name of a member of an enumeration as words."""
    return member.name.lower().replace("_", " ")


def types(row):
    """Return `i32 i32 -> i32`, or that the types depend on immediates and the operand stack."""
    if row.parameters is None:
        return "depend"
    before, after = (" ".join(map(spelled, side)) for side in (row.parameters, row.results))
    return f"{before} -> {after}".strip()


def becomes(row):
    """The operations that an instruction may become, by form."""
    if row.name in ZERO:
        return f"{ZERO[row.name]} of it and 0"
    return ", ".join(spelled(operation.form) for operation in OPERATIONS if operation.opcode == row.opcode)


def values():
    """The values that the template uses."""
    return {
        "rows": [
            {
                "name": row.name,
                "encoding": encoding(row),
                "types": types(row),
                "about": in_words(row),
                "becomes": becomes(row),
                "traps": ", ".join(trap.name for trap in traps(row)),
            }
            for row in INSTRUCTIONS.values()
        ]
    }
