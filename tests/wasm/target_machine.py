"""What do operations do, executed symbolically? They run on the reference machine, except those that others do."""

from dataclasses import dataclass, field
from typing import Any

import z3

from corollary.language.frontend import translate
from corollary.language.types import u64
from corollary.model.wasm.reference import FIELD, FUNCTIONS
from corollary.proofs import bits
from corollary.proofs.machine.heap import part, read
from corollary.proofs.machine.interpreter import VM
from corollary.proofs.symbolic import TOP
from corollary.spec.wasm.internal import CONSTANTS, NUMBER, OPERATIONS, PLACES
from corollary.spec.wasm.machine import Machine
from corollary.spec.wasm.opcodes import INSTRUCTIONS
from corollary.spec.wasm.traps import Trap
from corollary.spec.wasm.values import ValueType
from tests.wasm.source_machine import Source
from tests.wasm.unknowns import Blind, Different, anything, leave_anything, number

PLACE = Machine.fields["at"]
ASKED = {
    row.symbol
    for row in INSTRUCTIONS.values()
    if not row.is_numeric and not row.width and not hasattr(Source, f"on_{row.symbol}")
}
"""The instructions that others do. The operation has the same name, except for operations with a constant."""
PIECES = {
    "memory_copy": ("memory_copy_rest", "d", 0),
    "memory_fill": ("memory_fill_rest", "d", 0),
    "table_grow": ("table_fill", "c", 1),
}
"""The operations that others do in pieces.

Each has the operation that does the rest, the field that names a slot, and the distance from there to its state.
"""
STATE = 3  # number of slots for its state


@dataclass
class Target:
    """The operations of a function under comparison, at some point: the next one, and the machine."""

    function: Any
    heap: Any
    at: int
    asked: list = field(default_factory=list)
    end: tuple = ()

    def fork(self):
        """Return a copy that goes on by itself."""
        return Target(self.function, self.heap.fork(), self.at, list(self.asked), self.end)

    def word(self, behind=0):
        """Return a word of code."""
        if self.at + behind not in self.function.words:
            raise Different(f"it goes on at {self.at}, outside of its operations")
        return self.function.words[self.at + behind]

    def field(self, name):
        """Return a field of the operation."""
        place = PLACES[name]
        return self.word(place.word) >> place.first & (1 << place.bits) - 1

    def operand(self, name):
        """Return the operand that a field names: a constant, or the content of a slot."""
        return number(self.field(name)) if name in CONSTANTS else self.slot(self.field(name))

    def slot(self, position):
        """Return the word in a slot."""
        return bits.term(read(self.heap, part(VM, "stack", position)), u64)

    def put(self, position, word):
        """Replace the word in a slot."""
        self.heap.write(part(VM, "stack", position), word, TOP)

    def several(self, first, count):
        """Return the words in some slots."""
        return [self.slot(first + position) for position in range(count)]

    def step(self):
        """Execute an operation: `(condition, state)` for every continuation."""
        operation = OPERATIONS[self.word() & FIELD]
        name, fields = operation.name, operation.fields
        if name.removesuffix("_value") in ASKED:
            self.ask(name.removesuffix("_value"), fields)
        elif name.startswith("return_"):
            count, first = {"return_none": (0, 0), "return_one": (1, self.field("a"))}.get(
                name, (self.field("b"), self.field("a"))
            )
            self.end = ("return", self.several(first, count))
        elif name.startswith("call"):
            self.call(name, fields)
        else:
            return self.perform()
        return [(True, self)]

    def ask(self, symbol, fields):
        """Ask others to do something: the marked fields are the instruction's immediates, the rest its operands."""
        what = (symbol, *(self.field(name[1:]) for name in fields.operands if name[0] == "#"))
        words, name = fields.words, OPERATIONS[self.word() & FIELD].name
        if fields.changed == ("a",):
            state, given, target = self.field("a"), self.several(self.field("a"), STATE), []
        else:
            given = [self.operand(name) for name in fields.operands if name[0] != "#" and name != "d"]
            state, target = None, [self.field(name) for name in fields.changed]
        if name in PIECES:
            state, words = self.state(*PIECES[name], words, what), words + 1
        self.others_do(what, given, self.function.results_of(what), *target, words=words)
        for position in range(STATE if state is not None else 0):
            self.put(state + position, anything(f"state {position} of {len(self.asked)}", ValueType.I64))

    def state(self, rest, name, above, words, what):
        """Return the first slot of the state of the operation that does the rest.

        That operation comes next and works on the same state.
        """
        slot, behind = self.field(name) + above, self.word(words)
        expected = NUMBER[rest] | slot << PLACES["a"].first | sum(what[1:]) << PLACES["far"].first
        if behind != expected:
            raise Different(f"the operation behind {what[0]} is {behind:#x}, not {expected:#x}")
        return slot

    def others_do(self, what, given, results, target=0, *, words):
        """Let others do something with these words; put the results into slots."""
        self.asked.append((what, given, self.heap.fork()))
        leave_anything(self.heap, len(self.asked))
        for position, type_ in enumerate(results):
            self.put(target + position, anything(f"result {position} of {len(self.asked)}", type_))
        self.at += words

    def call(self, name, fields):
        """Call another function; a host function may use all slots above its arguments."""
        base = self.field("a")
        if name == "call_indirect":
            type_ = self.field("about")
            parameters, results = self.function.program.types[type_]
            what, more = (name, type_, self.field("c")), [self.slot(self.field("b"))]
        else:
            index = (
                self.field("far") if name == "call_import" else self.function.entered(displaced(self.at, self.word()))
            )
            parameters, results = self.function.type_of(index)
            what, more = ("call", index), []
            if name == "call_import" and self.field("about") != base + len(parameters):
                raise Different("the arguments of a call of the host are not the last slots that are used")
        target = self.field("result") if len(results) == 1 else base
        self.others_do(what, [*self.several(base, len(parameters)), *more], results, target, words=fields.words)

    def perform(self):
        """Execute an operation that involves no other, as the reference machine does it."""
        heap = self.heap.fork()
        heap.write(part(VM, "at"), self.at, TOP)
        meaning_ = Blind(heap)
        goes_on = bits.truth(meaning_.run(translate(FUNCTIONS[self.word() & FIELD]), [VM]))
        for obligation in meaning_.obligations:
            self.function.oblige(obligation)
        after, trapped = meaning_.store, self.fork()
        trapped.end = ("trap", bits.term(read(after, part(VM, "trap")), Trap))
        trapped.heap = after
        yield z3.Not(goes_on), trapped
        at = bits.term(read(after, part(VM, "at")), PLACE)
        for place in self.function.values(at, goes_on):
            side = self.fork()
            side.heap, side.at = after.fork(), place
            if place <= self.at:
                side.end = ("back",)
            yield z3.And(goes_on, at == place), side


def displaced(at, word):
    """Return the target of a word."""
    return (at + (word >> 32)) % (1 << 32)
