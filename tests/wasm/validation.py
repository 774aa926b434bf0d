"""Is each translated function still the original function?

Its instructions and its operations are executed symbolically side by side. Both run from the entry, and from the target
of each backward branch, to the next such branch, a return or a trap. They start with the same locals and operands, in a
machine that holds anything, on every path. Then both must have asked the same of others, and left the same.

So nothing is unrolled, and loops are covered by induction over their rounds. The effects of another function, or of the
memory as a whole, are not examined: both sides ask for them with the same arguments, and hold anything afterwards, the
same on both sides.
"""

from dataclasses import dataclass

import z3

from corollary import Module
from corollary.language.types import u32, u64
from corollary.model.wasm.computing import WIDEST
from corollary.proofs import bits
from corollary.proofs.machine.heap import different, part
from corollary.proofs.machine.interpreter import VM
from corollary.proofs.machine.premises import Premises, Typed
from corollary.proofs.symbolic import LENGTH, TOP
from corollary.spec.wasm.machine import Machine
from corollary.spec.wasm.module import External
from corollary.spec.wasm.opcodes import BY_NAME
from corollary.spec.wasm.values import ValueType
from tests.wasm.source_machine import Label, Source, matching
from tests.wasm.target_machine import Target
from tests.wasm.unknowns import LARGEST, MEMORY, OTHERS, Different, anything, low, number, wide

BUDGET = 1 << 40  # safe points: both sides are never suspended
SLICES = (
    part(VM, "code"),
    part(VM, "stack"),
    part(VM, "memory"),
    part(MEMORY, "bytes"),
    part(VM, "globals"),
    part(VM, "globals", None, "cell"),
)


@dataclass(frozen=True)
class Holder:
    """The parts of an operand: a slot, shifted and added to as an i32; or a constant."""

    slot: int | None
    shift: int = 0
    addend: int = 0

    def word(self, target):
        """Return the operand."""
        if self.slot is None:
            return number(self.addend)
        word = target.slot(self.slot)
        return wide((low(word, u32) << self.shift) + self.addend) if self.shift or self.addend else word


class Function:
    """A function of a program, as instructions and as operations."""

    def __init__(self, program, module, index):
        self.program, self.module, self.index = program, module, index
        body = program.functions[index - len(program.imported(External.FUNCTION))]
        self.code, (self.parameters, self.results) = body.code, program.types[body.type]
        self.types = [*self.parameters, *body.locals]
        self.globals = [
            type_
            for type_, _ in (
                *program.imported(External.GLOBAL),
                *((type_, mutable) for type_, mutable, _ in program.globals),
            )
        ]
        self.entry = module.entries[index] & 0xFFFF_FFFF
        self.end = (
            min(
                [entry & 0xFFFF_FFFF for entry in module.entries if entry & 0xFFFF_FFFF > self.entry],
                default=module.translation.value.at + 1,
            )
            - 1
        )
        self.words = dict(zip(range(self.entry - 1, self.end), module.translation["code"][self.entry - 1 : self.end]))
        self.first = max(1, len(self.types))  # slot of the first operand
        self.others, self.ends = matching(self.code)
        self.paths = 0
        self.heap = self.machine()
        self.solver = Premises(self.heap.facts)

    def machine(self):
        """Return a machine that holds anything but the code, before any budget is spent."""
        heap = Typed(frozenset({VM.root}))
        heap.shared["roots"] = {VM.root: Machine}
        for at, word in self.words.items():
            heap.write(part(VM, "code", at), word, TOP)
        for place, value in (
            (part(VM, "frame"), 0),
            (part(VM, "budget"), BUDGET),
            (part(VM, "stop"), 0),
            *((place.field(LENGTH, u64), LARGEST) for place in SLICES),
        ):
            heap.write(place, value, TOP)
        return heap

    # ---- types

    def type_of(self, index):
        """Return the parameters and results of a function."""
        types = [*self.program.imported(External.FUNCTION), *(body.type for body in self.program.functions)]
        if index >= len(types):
            raise Different(f"a call of function {index}")
        return self.program.types[types[index]]

    def block_type(self, type_):
        """Return the parameters and results of a block."""
        return (
            ((), ()) if type_ is None else ((), (type_,)) if isinstance(type_, ValueType) else self.program.types[type_]
        )

    def element(self, table):
        """Return the type of a table's elements."""
        return [*self.program.imported(External.TABLE), *self.program.tables][table][0]

    def signature(self, row, immediates):
        """Return the parameters and results of an instruction that others do."""
        if row.parameters is not None:
            return row.parameters, row.results
        element, i32 = self.element(immediates[0]), ValueType.I32
        return {
            "table_get": ((i32,), (element,)),
            "table_set": ((i32, element), ()),
            "table_grow": ((element, i32), (i32,)),
            "table_fill": ((i32, element, i32), ()),
        }[row.symbol]

    def results_of(self, what):
        """Return the types of the results of others."""
        name, *immediates = what
        return self.signature(BY_NAME[name.replace("_", ".", 1)], immediates)[1]

    def entered(self, entry):
        """Return the function that begins at an operation."""
        found = [index for index, word in enumerate(self.module.entries) if word & 0xFFFF_FFFF == entry]
        if len(found) != 1:
            raise Different(f"a call of what begins at {entry}")
        return found[0]

    def oblige(self, obligation):
        """Require that an operation is defined."""
        self.prove(z3.Implies(bits.truth(obligation.guard.term), bits.truth(obligation.condition)), obligation.what)

    # ---- the comparison

    def validate(self):
        """Compare from the entry and from the target of each backward branch; return the number of paths.

        Raises `Different`.
        """
        slots = [
            anything(f"local {position}", type_) if position < len(self.parameters) else number(0)
            for position, type_ in enumerate(self.types)
        ]
        source = Source(
            self, self.heap.fork(), 0, list(zip(self.types, slots)), labels=[Label(None, len(self.results), 0)]
        )
        cuts, waiting = {}, [(source, self.started(self.entry, slots))]
        while waiting:
            for after, there in self.pairs(*waiting.pop()):
                self.paths += 1
                self.compare(after, there)
                if after.end == ("back",):
                    held = cuts.setdefault((after.at, there.at), [])
                    if not held:
                        held += [self.holder(word, there, height) for height, (_, word) in enumerate(after.stack)]
                        waiting.append(self.any_round(after, there, held))
                        held.append(None)  # an empty list would be a new one
                    self.equal(
                        [word for _, word in after.stack], [holder.word(there) for holder in held[:-1]], "operands"
                    )
        return self.paths

    def started(self, at, words):
        """Return the operations from a place on, with words in the first slots."""
        target = Target(self, self.heap.fork(), at)
        for position, word in enumerate(words):
            target.put(position, word)
        return target

    def any_round(self, after, there, held):
        """Return both sides at the beginning of any round of a loop.

        All values are arbitrary, and operands are where they were found to be.
        """
        locals_ = [(type_, anything(f"local {position}", type_)) for position, type_ in enumerate(self.types)]
        unused = [number(0)] * (self.first - len(locals_))
        slots = [anything(f"operand {height}", type_) for height, (type_, _) in enumerate(after.stack)]
        target = self.started(there.at, [*(word for _, word in locals_), *unused, *slots])
        stack = [(type_, holder.word(target)) for holder, (type_, _) in zip(held, after.stack)]
        return Source(self, self.heap.fork(), after.at, locals_, stack, list(after.labels)), target

    def holder(self, word, target, height):
        """Return the holder of an operand's word.

        Below a block, the word may still have to be computed, or be a constant of the operations that use it.
        """
        places = [self.first + height, *range(len(self.types))]
        found = [Holder(place) for place in places]
        found += [Holder(None, 0, known.as_long()) for known in [z3.simplify(word)] if z3.is_bv_value(known)]
        for place in places:
            for shift in range(WIDEST + 1):
                rest = z3.simplify(low(word, u32) - (low(target.slot(place), u32) << shift))
                if z3.is_bv_value(rest):
                    found.append(Holder(place, shift, rest.as_long()))
        return next((holder for holder in found if self.holds(holder.word(target) == word)), found[0])

    def pairs(self, source, target):
        """Yield every path of the instructions, with every path of the operations on the same condition.

        There is at least one of each.
        """
        for after in some(self.ways(source), "instructions"):
            for there in some(self.ways(target.fork()), "operations"):
                yield after, there

    def ways(self, state):
        """Yield every possible path to an end; the solver holds its conditions meanwhile."""
        while not state.end:
            if isinstance(state, Source) and state.at == len(self.code):
                state.return_()
                break
            sides = [(condition, side) for condition, side in state.step() if chosen(condition) is not False]
            if len(sides) == 1:
                state = sides[0][1]
                continue
            for condition, side in sides:
                self.solver.push()
                self.solver.add(bits.truth(condition))
                if self.possible():
                    yield from self.ways(side)
                self.solver.pop()
            return
        if self.possible():  # also with the assumptions of the steps
            yield state

    def values(self, term, condition):
        """Return all possible values of a term where a condition holds."""
        known = z3.simplify(term)
        if z3.is_bv_value(known):
            return [known.as_long()]
        found = []
        self.solver.push()
        self.solver.add(condition)
        while self.possible():
            found.append(self.solver.model().eval(term, True).as_long())
            self.solver.add(term != found[-1])
        self.solver.pop()
        return found

    def possible(self):
        """May all conditions hold?"""
        answer = self.solver.check()
        assert answer != z3.unknown, "the solver gives up"
        return answer == z3.sat

    def prove(self, condition, what):
        """Prove that it must hold here."""
        if not self.holds(condition):
            raise Different(what)

    def holds(self, condition):
        """Must it hold here?"""
        if chosen(condition) is not None:
            return chosen(condition)
        self.solver.push()
        self.solver.add(z3.Not(bits.truth(condition)))
        wrong = self.possible()
        self.solver.pop()
        return not wrong

    def compare(self, source, target):
        """Compare: both sides must have asked the same and left the same."""
        if [what for what, *_ in source.asked] != [what for what, *_ in target.asked]:
            raise Different(
                f"others are asked for {[what for what, *_ in source.asked]}, then for "
                f"{[what for what, *_ in target.asked]}"
            )
        for (what, *ours), (_, *theirs) in zip(source.asked, target.asked):
            self.equal(ours[0], theirs[0], f"what {what[0]} is given")
            self.same(ours[1], theirs[1], f"before {what[0]}")
        if source.end[0] != target.end[0]:
            raise Different(f"{source.end} became {target.end}")
        if source.end[0] == "trap":
            self.equal([source.end[1]], [target.end[1]], "the trap")
        if source.end[0] == "return":
            self.equal(source.end[1], target.end[1], "results")
        if source.end[0] == "back":
            self.equal([word for _, word in source.locals], target.several(0, len(self.types)), "locals")
        self.same(source.heap, target.heap, "at the end")

    def same(self, one, other, when):
        """Check that everything visible to others is the same."""
        hidden = {*one.heads, *other.heads} - {(VM.root, path) for path in OTHERS}
        for condition, what in different(one, other, when, hidden):
            self.prove(condition, what)

    def equal(self, ours, theirs, what):
        """Check that both are the same words."""
        if len(ours) != len(theirs):
            raise Different(what)
        for one, other in zip(ours, theirs):
            self.prove(one == other, what)


def some(ways, what):
    """Yield all of them. Raises `AssertionError` when there are none.

    In that case nothing was compared, because the assumptions are contradictory.
    """
    there = False
    for way in ways:
        there = True
        yield way
    assert there, f"there is no way through the {what}"


def chosen(condition):
    """Return a condition that is known, or None."""
    known = z3.simplify(bits.truth(condition))
    return True if z3.is_true(known) else False if z3.is_false(known) else None


def validate(program):
    """Compare all functions of a program with their operations; return the number of paths.

    Raises `Different`.
    """
    module = Module(program.encoded())
    first = len(program.imported(External.FUNCTION))
    return sum(Function(program, module, first + number).validate() for number in range(len(program.functions)))
