"""What does a C program see of the VM? Names and numbers of types, traps and refusals, and what is usual."""

from corollary.spec.wasm.machine import PAGE
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.traps import Trap
from corollary.spec.wasm.values import ValueType

SOURCES = ("spec/wasm/values.py", "spec/wasm/traps.py", "spec/wasm/refusals.py", "codegen/embedding.py")
USUAL = (("PAGES", 1024), ("ELEMENTS", 100_000), ("SLOTS", 1 << 16))
"""The limits of an instance that was given none."""
REASONS = (
    ("trap", Trap, "Why code trapped."),
    ("refusal", Refusal, "Why bytes are no module, or one that must not run."),
)
ALIGNMENT = 16  # bytes, of the block that a module or an instance lies in
COLUMN = 46  # of notes


def values():
    """The values that the templates may use."""
    enumerations = [
        (
            "",
            "The types of values.",
            [(type_.name, f"{int(type_):#x}", "") for type_ in ValueType if type_ != ValueType.UNKNOWN],
        )
    ]
    enumerations += [(f"{name.upper()}_", about, numbered(enum)) for name, enum, about in REASONS]
    return {
        "page": PAGE,
        "alignment": ALIGNMENT,
        "enumerations": enumerations,
        "texts": [(name, numbered(enum)) for name, enum, _ in REASONS],
        "usual": USUAL,
        "space": space,
    }


def numbered(enum):
    """Return name, number and note of each member of an enumeration."""
    return [(item.name, int(item), enum.notes.get(item.name, "")) for item in enum]


def space(text, note):
    """Return the space between an enumerator and its note."""
    return " " * max(1, COLUMN - len(f"    COROLLARY_{text} = ,")) if note else ""
