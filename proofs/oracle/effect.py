"""What does the prover make of one instruction, in the same case as the processor?"""

from dataclasses import dataclass, field
from typing import Any

import z3

from corollary.emulation.probe import BREAKPOINT, GENERAL, MIDDLE, VECTORS, WINDOW, Outcome, State
from corollary.proofs.machine import words
from corollary.proofs.machine.beyond import Wide
from corollary.proofs.machine.execute import Thread
from corollary.proofs.machine.hashing import Hashing
from corollary.proofs.machine.lanes import Lanes
from corollary.proofs.machine.lift import SIZE, instruction, registers
from corollary.proofs.machine.processor import Core, Registers, as_condition, as_word, general
from corollary.proofs.machine.sweep import is_input, nodes

BYTE, WORD = 8, 64
FLAGS = ("NG", "ZR", "CY", "OV")  # bits 31 .. 28


@dataclass
class Effect(Core):
    """An instruction of the kernel, executed once on registers that are variables."""

    code: int
    loads: list = field(default_factory=list)  # (address, size, variable)
    stores: list = field(default_factory=list)  # (address, size, value)
    goes: Any = None  # where control goes, if not to the next instruction

    names = GENERAL

    def __post_init__(self):
        self.variables = {name: z3.BitVec(name, BYTE * registers()[name].size) for name in self.names}
        self.flags = {name: z3.Bool(name) for name in FLAGS}
        memory: Any = None  # it is not looked at
        self.thread = Thread(MIDDLE, self.held(), memory, {})
        for name, variable in {**self.variables, **self.flags}.items():
            self.thread.registers[registers()[name]] = variable
        self.instruction = instruction(self.code.to_bytes(SIZE, "little"), MIDDLE)
        self.form = self.instruction.form
        fork = self.run(self.thread, self.instruction)
        if fork is not None:
            self.goes = words.choose(fork[0], fork[1], MIDDLE + SIZE, WORD)
        self.changed = {
            name: value
            for name, variable in self.variables.items()
            if not words.same(value := self.thread.registers.named(name), variable)
        }
        self.turned = {
            name: value
            for name, variable in self.flags.items()
            if not words.same(value := as_condition(self.thread.registers.named(name), 1), variable)
        }
        reached = [word for address, _, value in (*self.loads, *self.stores) for word in (address, value)]
        terms = [
            word
            for word in (*self.changed.values(), *self.turned.values(), *reached, self.goes)
            if isinstance(word, z3.ExprRef)
        ]
        inputs = {node.get_id() for node in nodes(terms)}
        self.inputs = {
            name: variable for name, variable in {**self.variables, **self.flags}.items() if variable.get_id() in inputs
        }

    def held(self):
        """Return the registers that there are."""
        return Registers(self.unknown, general())

    def unknown(self, node):
        """Return a fresh value for a register that was never written: nothing may depend on it."""
        return z3.FreshConst(z3.BitVecSort(BYTE * node.size), "unknown")

    def load_word(self, thread, operation):
        size = operation.output.size
        variable = z3.FreshConst(z3.BitVecSort(BYTE * size), "loaded")
        self.loads.append((thread.registers[operation.inputs[1]], size, variable))
        return variable

    def store_word(self, thread, operation):
        node = operation.inputs[2]
        self.stores.append(
            (thread.registers[operation.inputs[1]], node.size, as_word(thread.registers[node], node.size))
        )

    def call(self, thread, target):
        self.goes = target

    def jump(self, thread, target):
        self.goes = target

    def leave(self, thread, target):
        self.goes = target

    # ---- one case

    def known(self, state):
        """Return the value of each variable that anything depends on."""
        held = state.registers | {name: bool(state.flags >> (31 - place) & 1) for place, name in enumerate(FLAGS)}
        return [
            (variable, z3.BoolVal(held[name]) if z3.is_bool(variable) else z3.BitVecVal(held[name], variable.size()))
            for name, variable in self.inputs.items()
        ]

    def outcome(self, state):
        """Return what the instruction leaves of a state, by these rules.

        A register may hold an uninterpreted function of known words.
        """
        known, window = self.known(state), bytearray(state.window)
        for address, size, variable in self.loads:
            at = number(address, known) - WINDOW
            known.append((variable, z3.BitVecVal(int.from_bytes(window[at : at + size], "little"), BYTE * size)))
        for address, size, value in self.stores:
            at = number(address, known) - WINDOW
            window[at : at + size] = number(value, known).to_bytes(size, "little")
        found = state.registers | {name: number(value, known) for name, value in self.changed.items()}
        flags = state.flags
        for name, value in self.turned.items():
            bit = 1 << (31 - FLAGS.index(name))
            flags = flags | bit if number(words.choose(value, 1, 0, 1), known) else flags & ~bit
        goes = MIDDLE + SIZE if self.goes is None else number(self.goes, known)
        return Outcome(State.of(found, flags, bytes(window)), goes, BREAKPOINT)

    def address(self, state):
        """Return where the instruction reaches into memory, or None."""
        reached = [address for address, _, _ in (*self.loads, *self.stores)]
        return number(reached[0], self.known(state)) if reached else None


class WideEffect(Wide, Effect):
    """An instruction of a handler, executed once."""

    names = (*GENERAL, *VECTORS)

    def held(self):
        return Lanes(self.unknown)


class HashEffect(Hashing, WideEffect):
    """An instruction of a hash, executed once."""


class Functions:
    """What is known so far of uninterpreted functions: their values for known words."""

    def __init__(self):
        self.said = {}

    def allow(self, value, found):
        """Can a value, by the rules, be what the processor found, together with everything found before?"""
        if not isinstance(value, z3.ExprRef):
            return value == found
        (application,) = [node for node in nodes([value]) if is_input(node)]
        if not application.num_args() or not all(map(z3.is_bv_value, application.children())):
            raise ValueError(f"{application} is unknown")
        said = self.said.setdefault(application.sexpr(), [])
        said.append(value == found)
        solver = z3.Solver()
        return solver.check(*said) == z3.sat


def differences(expected, found, functions):
    """Return `{name: (ours, theirs)}` of everything that the rules say and the processor did not do."""
    theirs = found.parts
    return {
        name: (value, theirs[name])
        for name, value in expected.parts.items()
        if not functions.allow(value, theirs[name])
    }


def number(value, known):
    """Evaluate a word with known values.

    What is left may be an uninterpreted function of known words.
    """
    if words.known(value):
        return value
    found = z3.simplify(z3.substitute(value, *known))
    return found.as_long() if z3.is_bv_value(found) else found
