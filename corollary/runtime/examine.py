"""Where is a program that does not run? Its calls, innermost first, each with its code and its slots."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from corollary.disassembly import disassemble
from corollary.instance import Instance
from corollary.module import Module
from corollary.run import CallStack
from corollary.spec.wasm.machine import EXIT, Return, Shape

DEEPEST, SLOTS = 100, 64  # calls, and slots of each, that are shown, at most
BEFORE = 4  # operations that are shown before the one where a call is


@dataclass(frozen=True)
class Slots:
    """A slot for each parameter, local and operand, as many as are shown, and how many there are."""

    parameters: tuple[int, ...]
    locals: tuple[int, ...]
    operands: tuple[int, ...]
    count: int


@dataclass(frozen=True)
class Call:
    """A call: the function, the word of code where it is, the last operations up to there, and its slots."""

    function: int
    name: str
    word: int
    code: tuple[str, ...]
    slots: Slots


class Noting(CallStack):
    """The calls of an instance; where it was when an exception ended them stays in `last`, innermost first."""

    last: tuple[Call, ...] = ()
    problem: Any = None

    def end(self, before):
        """Note where the machine is, once for each exception, before it is put back."""
        problem = sys.exc_info()[1]
        if problem is not None and problem is not self.problem:
            self.problem, self.last = problem, tuple(calls_of(self.instance))
        super().end(before)


class Examined(Instance):
    """An instance that can be examined after it failed."""

    calls = Noting


def calls_of(instance: Instance) -> Iterator[Call]:
    """Yield the calls of an instance that waits, or that is about to end, innermost first."""
    machine, module = instance.machine, instance.module
    frame, word = machine.frame, machine.at
    for depth in islice(reversed(range(machine.depth)), DEEPEST):
        function = module.function_at(word)
        if function < 0:
            return
        name = module.names.get(function, "")
        yield Call(function, name, word, code_to(module, function, word), slots_of(instance, function, frame))
        caller = Return(instance.room["control"][depth])
        if caller.word == EXIT:
            return
        frame, word = frame - caller.distance, caller.word - 1


def code_to(module: Module, function: int, word: int) -> tuple[str, ...]:
    """Return the last operations of a function up to a word, which is in the last of them."""
    found: list[str] = []
    for at, text in disassemble(module.translation["code"], module.entries[function], module.end_of(function)):
        if at > word:
            break
        found = [*found[-BEFORE:], f"{at}  {text}"]
    return tuple(found)


def slots_of(instance: Instance, function: int, frame: int) -> Slots:
    """Return the slots of a call."""
    module = instance.module
    shape = Shape(module.translation["code"][module.entries[function] - 1])
    values = tuple(instance.room["stack"][frame : frame + min(shape.slots, SLOTS)])
    first, second = shape.parameters, shape.locals  # parameters are locals, too
    return Slots(values[:first], values[first:second], values[second:], int(shape.slots))
