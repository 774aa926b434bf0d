"""What does the prover make of one instruction? The same case as the processor's, by the rules of the proofs."""

import re
from dataclasses import dataclass, field

import z3

from proofs.machine import words
from proofs.machine.execute import Thread
from proofs.machine.lift import SIZE, instruction, registers
from proofs.machine.processor import Core, Registers, as_condition, as_word, general
from tests.machine.probe import MIDDLE, WINDOW, Outcome, State

BYTE, WORD = 8, 64
NAMES = (*(f"x{number}" for number in range(31)), "sp")
FLAGS = ("NG", "ZR", "CY", "OV")        # bits 31 .. 28


def form(text):
    """The form of an instruction: its text without the numbers of registers and constants."""
    text = re.sub(r"\b([wx])\d+\b", r"\1", text)
    return re.sub(r"#?-?0x[0-9a-f]+|#-?\d+", "#", text)


@dataclass
class Effect(Core):
    """An instruction run once, on registers that are variables."""

    code: int
    loads: list = field(default_factory=list)       # (address, size, variable)
    stores: list = field(default_factory=list)      # (address, size, value)
    goes: object = None                             # where control goes, if not to the next instruction

    def __post_init__(self):
        self.variables = {name: z3.BitVec(name, WORD) for name in NAMES}
        self.flags = {name: z3.Bool(name) for name in FLAGS}
        self.thread = Thread(MIDDLE, Registers(self.unknown, general()), None, {})
        for name, variable in {**self.variables, **self.flags}.items():
            self.thread.registers[registers()[name]] = variable
        fork = self.run(self.thread, instruction(self.code.to_bytes(SIZE, "little"), MIDDLE))
        if fork is not None:
            self.goes = words.choose(fork[0], fork[1], MIDDLE + SIZE, WORD)
        self.changed = {name: value for name, variable in self.variables.items()
                        if not words.same(value := self.thread.registers.named(name), variable)}
        self.turned = {name: value for name, variable in self.flags.items()
                       if not words.same(value := as_condition(self.thread.registers.named(name), 1), variable)}

    def unknown(self, node):
        """Nothing may depend on what nobody wrote."""
        return z3.FreshConst(z3.BitVecSort(BYTE * node.size), "unknown")

    def load_word(self, thread, operation):
        size = operation.output.size
        variable = z3.FreshConst(z3.BitVecSort(BYTE * size), "loaded")
        self.loads.append((thread.registers[operation.inputs[1]], size, variable))
        return variable

    def store_word(self, thread, operation):
        node = operation.inputs[2]
        self.stores.append((thread.registers[operation.inputs[1]], node.size, as_word(thread.registers[node], node.size)))

    def call(self, thread, target):
        self.goes = target

    def jump(self, thread, target):
        self.goes = target

    def leave(self, thread, target):
        self.goes = target

    # ---- one case

    def outcome(self, state):
        """What the instruction leaves of a state, by these rules."""
        known = [(self.variables[name], z3.BitVecVal(value, WORD)) for name, value in zip(NAMES, (*state.general, state.stack))]
        known += [(self.flags[name], z3.BoolVal(bool(state.flags >> (31 - place) & 1))) for place, name in enumerate(FLAGS)]
        window = bytearray(state.window)
        for address, size, variable in self.loads:
            at = number(address, known) - WINDOW
            known.append((variable, z3.BitVecVal(int.from_bytes(window[at:at + size], "little"), BYTE * size)))
        for address, size, value in self.stores:
            at = number(address, known) - WINDOW
            window[at:at + size] = number(value, known).to_bytes(size, "little")
        found = dict(zip(NAMES, (*state.general, state.stack))) | {name: number(value, known) for name, value in self.changed.items()}
        flags = state.flags
        for name, value in self.turned.items():
            bit = 1 << (31 - FLAGS.index(name))
            flags = flags | bit if truth(value, known) else flags & ~bit
        goes = MIDDLE + SIZE if self.goes is None else number(self.goes, known)
        return Outcome(State(tuple(found[name] for name in NAMES[:-1]), found["sp"], flags, bytes(window)), goes, None)

    def address(self, state):
        """Where the instruction reaches into memory, or None."""
        reached = [address for address, _, _ in (*self.loads, *self.stores)]
        known = [(self.variables[name], z3.BitVecVal(value, WORD)) for name, value in zip(NAMES, (*state.general, state.stack))]
        return number(reached[0], known) if reached else None


def number(value, known):
    """A word with everything known."""
    return value if words.known(value) else z3.simplify(z3.substitute(value, *known)).as_long()


def truth(value, known):
    """A condition with everything known."""
    return int(value) if words.known(value) else int(z3.is_true(z3.simplify(z3.substitute(value, *known))))
