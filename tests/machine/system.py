"""What does the prover make of one system instruction?

Its effects, by name, and the value of every register after it.
"""

import tempfile
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from elftools.elf.elffile import ELFFile

from corollary.codegen import build
from corollary.codegen.image import TARGET, WHOLE
from corollary.emulation.probe import SLOT
from corollary.proofs.machine import instructions
from corollary.proofs.machine.execute import Thread
from corollary.proofs.machine.lift import SIZE, instruction, registers
from corollary.proofs.machine.platform import INTERRUPT_CONTROLLER, Platform, system
from corollary.proofs.machine.processor import Registers, register_name

GENERAL = tuple(f"x{number}" for number in range(31))


class Instruction(Platform):
    """An instruction at EL2, run once on fully known registers; `memory` maps addresses to bytes."""

    uses = frozenset(instructions.ROWS) - {instructions.HASH}

    def __init__(self, code, held=None, memory=None):
        self.fresh, self.memory, self.multiples, self.image = (
            0,
            memory or {},
            {},
            SimpleNamespace(read=lambda address, size: code.to_bytes(size, "little")),
        )
        self.thread = Thread(SLOT, Registers(lambda node: 0), None, {})
        for name, value in (held or {}).items():
            if name.lower() in registers():
                self.thread.registers[registers()[name.lower()]] = value
        self.run(self.thread, instruction(code.to_bytes(SIZE, "little"), SLOT))

    @property
    def effects(self):
        """Return the effects that the hardware sees."""
        return self.thread.events

    def holds(self, name):
        """Return the value of a register after the instruction.

        A register that SLEIGH does not name holds the value that was written to it, if any was.
        """
        if name.lower() in registers():
            return self.thread.registers.named(name.lower())
        told = [event.values[0] for event in self.effects if (event.kind, event.name) == ("write", name)]
        return told[-1] if told else None

    def depth(self, thread):
        """Return the depth of the stack: there is no frame."""
        return 0

    def obey(self, thread, way, *more):
        """Accept any obligation: there is no caller."""

    def load_word(self, thread, operation):
        address = thread.registers[operation.inputs[1]]
        return int.from_bytes(bytes(self.memory[address + byte] for byte in range(operation.output.size)), "little")

    def store_word(self, thread, operation):
        node, address = operation.inputs[2], thread.registers[operation.inputs[1]]
        self.memory.update(enumerate(thread.registers[node].to_bytes(node.size, "little"), address))


@cache
def read_name(code):
    """Return the register that an instruction copies into a general one, or None."""
    told = [effect.name for effect in Instruction(code).effects if effect.kind == "read"]
    copied = [
        node
        for operation in lifted(code).operations
        if operation.name == "COPY"
        for node in operation.inputs
        if node in system().values()
    ]
    return told[0] if told else register_name(copied[0]).upper() if copied and lifted(code).mnemonic == "mrs" else None


@cache
def written_name(code):
    """Return the system register that an instruction writes, or None."""
    told = [effect.name for effect in Instruction(code).effects if effect.kind == "write"]
    return told[0] if told else None


def is_immediate(code):
    """Does an instruction write an immediate rather than a register?"""
    return not any(
        node in map(registers().get, GENERAL) for operation in lifted(code).operations for node in operation.inputs
    )


def lifted(code):
    """Return an instruction, lifted."""
    return instruction(code.to_bytes(SIZE, "little"), SLOT)


def spelled(code):
    """Return an instruction in the rules' words, for an assembler; None if they do not name it."""
    register = f"x{code & 31}"
    if read_name(code):
        return f"mrs {register}, {read_name(code)}"
    if written_name(code):
        return None if is_immediate(code) else f"msr {written_name(code)}, {register}"
    done = [effect for effect in Instruction(code).effects if effect.kind == "do"]
    if len(done) != 1:
        return None
    return done[0].name + (
        f", {register}"
        if any(
            node in map(registers().get, GENERAL) for operation in lifted(code).operations for node in operation.inputs
        )
        else ""
    )


def encodings():
    """Return `(spelling, op0, op1, CRn, CRm, op2)` for each register that the prover knows by its encoding.

    The spelling is an assembler's.
    """
    for encoding, name in INTERRUPT_CONTROLLER.items():
        yield f"msr {name}, x0" if name != "ICC_IAR1_EL1" else f"mrs x0, {name}", encoding


def encoding_of(code):
    """Return op0, op1, CRn, CRm, op2 of MRS and MSR."""
    return code >> 19 & 3, code >> 16 & 7, code >> 12 & 15, code >> 8 & 15, code >> 5 & 7


def assembled(texts):
    """Return the code of each instruction, by the assembler that makes the image."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder) / "names.S", Path(folder) / "names.o"
        source.write_text("".join(f"    {text}\n" for text in texts))
        build.run([*build.compiler(), *TARGET, WHOLE, "-c", "-o", str(made), str(source)])
        with made.open("rb") as file:
            data = ELFFile(file).get_section_by_name(".text").data()
    codes = [int.from_bytes(data[at : at + SIZE], "little") for at in range(0, len(data), SIZE)]
    assert len(codes) == len(texts)
    return codes
