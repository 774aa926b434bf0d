"""How does a guest call the kernel?

There is one stub for each operation, with the types and constants that the stubs use.
"""

from corollary.codegen import declarations
from corollary.codegen.expressions import type_name
from corollary.codegen.kernel import KERNEL, operation_files
from corollary.codegen.program import is_plain
from corollary.codegen.wrapping import comment, wrap
from corollary.language.types import WORDS, boolean
from corollary.model.kernel.gate import OPERATIONS
from corollary.spec.kernel.limits import (
    AGENT_BITS,
    CHILDREN,
    CONSOLE_TEXT_WORDS,
    CONSOLE_WORDS,
    DRAIN_LIMIT,
    REGISTERS,
    SELF,
)
from corollary.spec.kernel.state import Handle, PageId
from corollary.spec.kernel.vocabulary import ObjectKind, Right, Status, Tier

SOURCES = ("spec/kernel/vocabulary.py", "spec/kernel/state.py", "spec/kernel/hypercalls.py", *operation_files())


def arguments(declared):
    """The name, type and register (1 .. 6) of each argument of an operation, including handle and proof page."""
    found = [("handle", Handle, 1)] if declared.takes_handle else []
    found += [(name, type_, position + 2) for position, (name, type_) in enumerate(declared.parameters)]
    return found + ([("proof", PageId, REGISTERS)] if declared.tier >= Tier.P2 else [])


def types():
    """The named types that the stubs and their arguments use, in the order of the specification."""
    used = {Status, Right, ObjectKind, *(type_ for declared in OPERATIONS for _, type_, _ in arguments(declared))}
    return sorted(
        (type_ for type_ in used if type_ is not boolean and type_ not in WORDS.values()), key=KERNEL.definition_line
    )


def stub(declared):
    """The lines of one stub."""
    inner = ", ".join(f"{type_name(type_)} {name}" for name, type_, _ in arguments(declared)) or "void"
    registers = {register: name for name, _, register in arguments(declared)}
    passed = ", ".join(registers.get(register, "0") for register in range(1, REGISTERS + 1))
    return [
        *comment(declared.function.__doc__),
        *wrap(f"static inline struct answer {declared.name}({inner})"),
        "{",
        *wrap(f"    return hypercall({declared.constant}, {passed});"),
        "}",
    ]


def values():
    """The values that the template uses."""
    plain = [type_ for type_ in types() if is_plain(type_)]
    return {
        "plain": [line for type_ in plain for line in declarations.scalar(type_)],
        "named": [declarations.scalar(type_) for type_ in types() if not is_plain(type_)],
        "status": declarations.scalar(Status),
        "rights": declarations.scalar(Right),
        "operations": declarations.operation_numbers(),
        "own_handle": f"0x{SELF:x}ull",
        "drain_limit": DRAIN_LIMIT,
        "console_words": CONSOLE_WORDS,
        "console_text_words": CONSOLE_TEXT_WORDS,
        "children": CHILDREN,
        "badge_row_bits": AGENT_BITS,
        "stubs": [stub(declared) for declared in OPERATIONS],
    }
