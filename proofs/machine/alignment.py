"""How must a memory access be aligned? That depends on the instruction's encoding and on where the image runs.

Arm ARM (DDI 0487), B2.5.2: with SCTLR_ELx.A set, and always for Device memory, an address must be a multiple of the
size of the accessed element; an exclusive pair is one element. With SA set, SP must be a multiple of 16 wherever it is
the base (D1.8.2).
"""

from dataclasses import dataclass

from corollary.proofs.machine.lift import NotAllowed
from corollary.spec.kernel import platform

STACK_POINTER = 31  # as a base register


@dataclass(frozen=True)
class Regime:
    """What the processor checks where an image runs, and why."""

    accesses: bool  # are addresses checked?
    stack: bool  # is SP checked where it is a base?
    why: str

    @classmethod
    def of(cls, register, why):
        """Return the regime that a value of SCTLR_ELx sets up."""
        fields = {field.name: field.value for field in register.fields}
        return cls(bool(fields.get("A")), bool(fields.get("SA")), why)


SCTLR_EL1 = next(register for register in platform.NO_STAGE_1 if register.name == "SCTLR_EL1")
KERNEL = Regime.of(
    platform.SCTLR_EL2,
    "the kernel runs at EL2; before SCTLR_EL2 is written all memory is Device memory, of which the same is asked",
)
PARTITION = Regime.of(
    SCTLR_EL1, "the VM runs in a partition, or in a process, where an access of a WebAssembly memory may be unaligned"
)


@dataclass(frozen=True)
class Access:
    """A memory access: the bytes of each element, and the alignment of its address."""

    size: int
    alignment: int
    on_stack: bool  # is SP the base?


def is_vector(code):
    """Does the instruction move a vector register?"""
    return code >> 26 & 1


def of_literal(code):
    """Return the bytes of a PC-relative load; a prefetch loads none."""
    return ((4, 8, 4, 0), (4, 8, 16, 0))[is_vector(code)][code >> 30]


def of_pair(code):
    """Return the bytes of each of two registers."""
    return ((4, 4, 8, 0), (4, 8, 16, 0))[is_vector(code)][code >> 30]


def of_one(code):
    """Return the bytes of one register."""
    return 16 if is_vector(code) and code >> 23 & 1 else of_general(code)


def of_general(code):
    """Return the bytes of one general register."""
    return 1 << (code >> 30)


def of_general_pair(code):
    """Return the bytes of each of two general registers that form one element."""
    return 4 << (code >> 30 & 1)


def of_structure(code):
    """Return the bytes of an element of LD1 or ST1."""
    return 1 << (code >> 10 & 3)


LITERAL = 0x18000000
# Arm ARM C4.1.94, "Loads and Stores": (mask, bits under it, bytes of an element, elements aligned as one)
FORMS = (
    (0x3F000000, 0x0C000000, of_structure, 1),
    (0x3B000000, LITERAL, of_literal, 1),
    (0x3A000000, 0x28000000, of_pair, 1),
    (0x3B000000, 0x39000000, of_one, 1),  # unsigned offset
    (0x3B200000, 0x38000000, of_one, 1),  # unscaled, unprivileged, pre- and post-indexed
    (0x3B200C00, 0x38200800, of_one, 1),  # register offset
    (0x3B200C00, 0x38200000, of_general, 1),  # atomic
    (0x3FA00000, 0x08000000, of_general, 1),  # exclusive
    (0x3FA00000, 0x08200000, of_general_pair, 2),  # exclusive pair, compare and swap pair
    (0x3FA00000, 0x08800000, of_general, 1),  # ordered
    (0x3FA00000, 0x08A00000, of_general, 1),  # compare and swap
)


def access(code):
    """Return the memory access that an instruction makes, or None. Raises `NotAllowed` if it has no form here."""
    if code >> 25 & 0b0101 != 0b0100:
        return None
    for mask, form, size, together in FORMS:
        if code & mask == form and size(code):
            return Access(size(code), size(code) * together, form != LITERAL and code >> 5 & 31 == STACK_POINTER)
    raise NotAllowed(f"nobody knows how {code:#010x} must be aligned")
