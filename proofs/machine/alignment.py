"""How must an access of memory be aligned? By the encoding of its instruction, and by where the image runs.

Arm ARM (DDI 0487), B2.5.2: with SCTLR_ELx.A set, and of Device memory always, an address is a multiple of the size of
the element that is accessed; an exclusive pair is one element. With SA set, SP is a multiple of 16 wherever it is the
base (D1.8.2).
"""

from dataclasses import dataclass

from proofs.machine.lift import NotAllowed
from spec.kernel import platform

STACK_POINTER = 31          # as a base register


@dataclass(frozen=True)
class Regime:
    """What the processor checks where an image runs, and why that is so."""

    accesses: bool          # addresses
    stack: bool             # SP, where it is a base
    why: str

    @classmethod
    def of(cls, register, why):
        """The regime that a value of SCTLR_ELx makes."""
        fields = {field.name: field.value for field in register.fields}
        return cls(bool(fields.get("A")), bool(fields.get("SA")), why)


SCTLR_EL1 = next(register for register in platform.NO_STAGE_1 if register.name == "SCTLR_EL1")
KERNEL = Regime.of(platform.SCTLR_EL2, "the kernel runs at EL2; before SCTLR_EL2 is written all memory is Device memory, "
                   "of which the same is asked")
PARTITION = Regime.of(SCTLR_EL1, "the VM runs in a partition, or in a process, where an access of a WebAssembly memory "
                      "may be unaligned")


@dataclass(frozen=True)
class Access:
    """What an instruction reads or writes: the bytes of each element, and of what its address is a multiple."""

    size: int
    alignment: int
    on_stack: bool          # is SP the base?


def is_vector(code):
    """Is a vector register moved?"""
    return code >> 26 & 1


def of_literal(code):
    """The bytes that are loaded from beside the instruction; a prefetch loads none."""
    return ((4, 8, 4, 0), (4, 8, 16, 0))[is_vector(code)][code >> 30]


def of_pair(code):
    """The bytes of each of two registers."""
    return ((4, 4, 8, 0), (4, 8, 16, 0))[is_vector(code)][code >> 30]


def of_one(code):
    """The bytes of one register."""
    return 16 if is_vector(code) and code >> 23 & 1 else of_general(code)


def of_general(code):
    """The bytes of one general register."""
    return 1 << (code >> 30)


def of_general_pair(code):
    """The bytes of each of two general registers that are one element."""
    return 4 << (code >> 30 & 1)


LITERAL = 0x18000000
# Arm ARM C4.1.94, "Loads and Stores": (mask, bits under it, bytes of an element, elements that are aligned as one)
FORMS = (
    (0x3B000000, LITERAL, of_literal, 1),
    (0x3A000000, 0x28000000, of_pair, 1),
    (0x3B000000, 0x39000000, of_one, 1),                # unsigned offset
    (0x3B200000, 0x38000000, of_one, 1),                # unscaled, unprivileged, pre- and post-indexed
    (0x3B200C00, 0x38200800, of_one, 1),                # register offset
    (0x3B200C00, 0x38200000, of_general, 1),            # atomic
    (0x3FA00000, 0x08000000, of_general, 1),            # exclusive
    (0x3FA00000, 0x08200000, of_general_pair, 2),       # exclusive pair, compare and swap pair
    (0x3FA00000, 0x08800000, of_general, 1),            # ordered
    (0x3FA00000, 0x08A00000, of_general, 1),            # compare and swap
)


def access(code):
    """The access of memory that an instruction is, or None. Raises `NotAllowed` for one that has no form here."""
    if code >> 25 & 0b0101 != 0b0100:
        return None
    for mask, form, size, together in FORMS:
        if code & mask == form and size(code):
            return Access(size(code), size(code) * together, form != LITERAL and code >> 5 & 31 == STACK_POINTER)
    raise NotAllowed(f"nobody knows how {code:#010x} must be aligned")
