"""What does an instruction mean? AArch64 machine code as p-code, from SLEIGH's description of the processor."""

from dataclasses import dataclass

import pypcode

from corollary.language.reads import remembered
from corollary.proofs.machine import instructions

LANGUAGE = "AARCH64:LE:64:v8A"
SIZE = 4  # bytes of an instruction


class NotAllowed(Exception):
    """Code may not do this: no instruction with a meaning here, or one that leaves its registers, memory or code."""


class GaveUp(Exception):
    """The solver does not know."""


@dataclass(frozen=True)
class Varnode:
    """A place or constant of p-code: its space, offset and size in bytes."""

    space: str
    offset: int
    size: int


@dataclass(frozen=True)
class PcodeOp:
    """One p-code operation."""

    name: str
    output: Varnode | None
    inputs: tuple


@dataclass(frozen=True)
class Instruction:
    """One instruction: its address, its text, its meaning and its form."""

    address: int
    text: str
    mnemonic: str
    operations: tuple
    form: instructions.Form


@remembered
def context():
    """Return the processor description."""
    return pypcode.Context(LANGUAGE)


@remembered
def registers():
    """Return the place of every register by its name."""
    return {name: Varnode("register", node.offset, node.size) for name, node in context().registers.items()}


@remembered
def instruction(code, address):
    """Return the instruction that four bytes at an address encode. Raises `NotAllowed` if it has no form."""
    word = int.from_bytes(code, "little")
    form = instructions.form_of(word)
    if form is None:
        raise NotAllowed(
            f"{address:#x}: {word:#010x} is of no form in proofs/machine/instructions.py; choose one that "
            "is, or add a row and let tests/machine/test_oracle.py compare it with the processor"
        )
    try:
        lifted = context().translate(code, base_address=address, max_instructions=1)
        text = context().disassemble(code, base_address=address, max_instructions=1).instructions[0]
    except Exception as problem:
        raise NotAllowed(f"{address:#x}: {code.hex()} is no instruction: {problem}") from None
    operations = tuple(operation(op) for op in lifted.ops if op.opcode.name != "IMARK")
    if text.mnem in CORRECTED:
        operations = CORRECTED[text.mnem](text.mnem, operations)
    return Instruction(address, f"{text.mnem} {text.body}".strip(), text.mnem, operations, form)


def sum_alone(_, operations):
    """Add to ADDV that it clears the register above its sum (Arm ARM, C7.2); SLEIGH leaves that part as it was."""
    return (*operations, *cleared(operations[0].output))


def cleared(place):
    """Return what clears the rest of a register, vector or general, after its low part was written."""
    whole = registers()["q0"] if place.offset >= registers()["q0"].offset else registers()["x0"]
    rest = whole.size - place.size
    return (
        (PcodeOp("COPY", Varnode(place.space, place.offset + place.size, rest), (Varnode("const", 0, rest),)),)
        if rest
        else ()
    )


def named(mnemonic, operations):
    """Return one operation with the instruction's own name, and then what clears the rest of the register.

    SLEIGH has several operations for it, or one that other instructions have, too. This is for instructions on one
    number: those on several lanes, or on numbers with a fixed point, stay unchanged.
    """
    outputs = [each.output for each in operations if each.output is not None and each.output.space == "register"]
    if not outputs:  # the zero register
        return ()
    output = outputs[0]
    inputs = next(each.inputs for each in operations if each.name != "COPY")
    computed = {
        each.output
        for each in operations
        if each.name != "COPY" and each.output is not None and each.output.space == "register"
    }
    if len(computed) > 1 or any(node.space == "const" for node in inputs):
        return operations
    zeros = (each for each in operations if each.output in inputs and each.output.space == "unique")  # zero register
    return (*zeros, PcodeOp(mnemonic, output, inputs), *cleared(output))


def compared(_, operations):
    """Return a comparison without a branch inside (FPCompare).

    Nothing is less than a NaN or equal to one, and the order is unknown only with a NaN.
    """
    at = next(number for number, each in enumerate(operations) if each.name == "FLOAT_NAN")
    one, other, unordered, _, less, equal, carry, overflow = operations[at:]
    first = next(number for number, each in enumerate(operations) if each.output == less.output and each.name == "COPY")
    return (
        *operations[:first],
        one,
        other,
        unordered,
        PcodeOp("COPY", overflow.output, (unordered.output,)),
        less,
        equal,
        PcodeOp("BOOL_NEGATE", carry.output, (less.output,)),
    )


NAMED = ("fmin", "fmax", "frintn", "frintm", "frintp", "frintz", "fcvtzs", "fcvtzu", "scvtf", "ucvtf")
CORRECTED = {"addv": sum_alone, "fcmp": compared, "fccmp": compared, **dict.fromkeys(NAMED, named)}
"""Corrections to the operations that the processor description gives an instruction."""


def operation(op):
    """Convert an operation of pypcode to one of ours. One that p-code leaves to the processor keeps its own name."""
    if op.opcode.name == "CALLOTHER":
        return PcodeOp(op.inputs[0].getUserDefinedOpName(), varnode(op.output), tuple(map(varnode, op.inputs[1:])))
    return PcodeOp(op.opcode.name, varnode(op.output), tuple(map(varnode, op.inputs)))


def varnode(node):
    """Convert a place of pypcode to one of ours."""
    return None if node is None else Varnode(node.space.name, node.offset, node.size)
