"""Is the cut of every small graph the least, whatever its weights? The model's own functions are asked, in Z3.

A run is executed symbolically with a known number of nodes. Where a vertex is chosen, each choice is a path of its own,
under the condition that the model makes it. The solver is asked of each path whether the result can be anything but the
least cut over all bipartitions, and of each choice whether it can be any other.
"""

from dataclasses import dataclass, field
from itertools import combinations

import z3

from corollary.language.component import STATE
from corollary.language.frontend import translate
from corollary.language.types import u64
from corollary.model.placement.cut import begin_cut, close_phase, join_entry, load_row, take_vertex
from corollary.proofs import bits
from corollary.proofs.symbolic import TOP, Executor, Reference, Store
from corollary.spec.placement.cut import heaviest
from corollary.spec.placement.limits import WEIGHT_MOST
from corollary.spec.placement.state import Placement, Traffic
from corollary.spec.placement.vocabulary import Stage, Status

STEPS = {Stage.LOADING: load_row, Stage.TAKING: take_vertex, Stage.JOINING: join_entry, Stage.CLOSING: close_phase}
"""The step of each stage."""
ENOUGH = 1000  # steps: no small graph needs as many
S = Reference(STATE, (), (), Placement)


@dataclass
class Path:
    """The choices of one run: those to make, the options of each that was made, and the conditions of all."""

    choices: list
    options: list = field(default_factory=list)
    conditions: list = field(default_factory=list)
    others: list = field(default_factory=list)  # that a choice is none of its options, under the conditions before it

    def choose(self, value, count):
        """Choose a place below a count, under the condition that the model does."""
        if bits.known(value):
            return value
        if len(self.options) == len(self.choices):
            self.choices.append(0)
        choice = self.choices[len(self.options)]
        self.options.append(count)
        self.others.append(z3.And(*self.conditions, z3.UGE(value, count)))
        self.conditions.append(value == choice)
        return choice

    def following(self):
        """Return the choices of the next path, or None after the last one."""
        choices = list(self.choices)
        while choices and choices[-1] == self.options[len(choices) - 1] - 1:
            choices.pop()
        return [*choices[:-1], choices[-1] + 1] if choices else None


class Choosing(Executor):
    """An executor for which the heaviest vertex is a choice."""

    def __init__(self, store, path):
        super().__init__(store)
        self.path = path

    def invoke(self, function, arguments, guard):
        value = super().invoke(function, arguments, guard)
        if function.symbol != translate(heaviest).symbol:
            return value
        return self.path.choose(value, int(self.scalar("cut", "left")))

    def scalar(self, *names):
        """Return a scalar of the state."""
        return self.load(place(*names), TOP)

    def take(self, step, *arguments):
        """Take a step, which must succeed."""
        status = self.run(translate(step), [S, *arguments])
        assert bits.known(status) and status == Status.OK, step.__name__


def place(*names):
    """Return the place of a scalar below the state, by the names of fields and the numbers of rows on the way."""
    found = S
    for name in names:
        found = found.field(name, found.type.fields[name]) if isinstance(name, str) else found.element(name)
    return found


def weights_of(count):
    """Return a term for the weight of each pair of nodes."""
    return {pair: z3.BitVec(f"weight {pair}", 32) for pair in combinations(range(count), 2)}


def executed(count, steps, path):
    """Return the executor of a complete cut of a graph with some nodes."""
    store = Store(frozenset())
    store.shared["roots"] = {STATE: Placement}
    store.write(place("nodes"), (1 << count) - 1, TOP)
    for (n, m), weight in weights_of(count).items():
        store.write(place("weight", n, "to", m), weight, TOP)
        store.write(place("weight", m, "to", n), weight, TOP)
    executor = Choosing(store, path)
    executor.take(begin_cut, True, 0, ENOUGH, 0)
    while executor.scalar("cut", "stage") != Stage.IDLE:
        executor.take(steps[Stage(executor.scalar("cut", "stage"))], 0)
    return executor


class Linear:
    """What terms of bit-vectors mean as integers, as long as nothing wraps around.

    The largest value of each term is kept, so nothing does. Weights are integers up to the largest of their type.
    """

    def __init__(self):
        self.known, self.weights = {}, {}

    def truth(self, term):
        """Return a condition on bit-vectors as one on integers."""
        kind, parts = term.decl().kind(), term.children()
        if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
            return term
        if kind in CONNECTIVES:
            return CONNECTIVES[kind](*map(self.truth, parts))
        one, other = (self.number(part)[0] for part in parts)
        return COMPARISONS[kind](one, other)

    def number(self, term):
        """Return a bit-vector as an integer, and the largest value that it may have."""
        if term.get_id() not in self.known:
            value, most = self.computed(term, term.decl().kind(), term.children())
            assert most < 1 << term.size(), term
            self.known[term.get_id()] = (value, most, term)
        return self.known[term.get_id()][:2]

    def is_sure(self, condition):
        """Is a condition that something is less than a number true whatever the weights are?"""
        kind, parts = condition.decl().kind(), condition.children()
        return kind == z3.Z3_OP_ULT and z3.is_bv_value(parts[1]) and self.number(parts[0])[1] < parts[1].as_long()

    def computed(self, term, kind, parts):
        """Return the same, from the parts of a term."""
        if z3.is_bv_value(term):
            return z3.IntVal(term.as_long()), term.as_long()
        if kind == z3.Z3_OP_UNINTERPRETED:
            value = self.weights[term.decl().name()] = z3.Int(term.decl().name())
            return value, (1 << term.size()) - 1
        if kind == z3.Z3_OP_ITE and self.is_sure(parts[0]):
            return self.number(parts[1])
        if kind == z3.Z3_OP_ITE:
            (one, most), (other, more) = map(self.number, parts[1:])
            return z3.If(self.truth(parts[0]), one, other), max(most, more)
        if kind == z3.Z3_OP_BADD:
            values, largest = zip(*map(self.number, parts))
            return z3.Sum(*values), sum(largest)
        assert kind in (z3.Z3_OP_ZERO_EXT, z3.Z3_OP_EXTRACT), term
        assert kind == z3.Z3_OP_ZERO_EXT or term.params()[1] == 0, term
        return self.number(parts[0])


CONNECTIVES = {z3.Z3_OP_AND: z3.And, z3.Z3_OP_OR: z3.Or, z3.Z3_OP_NOT: z3.Not}
COMPARISONS = {
    z3.Z3_OP_ULT: lambda one, other: one < other,
    z3.Z3_OP_ULEQ: lambda one, other: one <= other,
    z3.Z3_OP_UGT: lambda one, other: one > other,
    z3.Z3_OP_UGEQ: lambda one, other: one >= other,
    z3.Z3_OP_EQ: lambda one, other: one == other,
}


def crossing(count, side):
    """Return the traffic between the nodes of a side and all others."""
    across = [w for (n, m), w in weights_of(count).items() if (side >> n ^ side >> m) & 1]
    return z3.Sum([z3.ZeroExt(32, weight) for weight in across])


def wrong(count, executor):
    """Return the condition that the result is no least cut: of two sides, with its value, and no other one less."""
    value = bits.term(bits.resize(executor.scalar("result", "value"), Traffic, u64), u64)
    side = bits.term(executor.scalar("result", "side"), u64)
    sides = range(1, (1 << count) - 1)
    least = [z3.ULE(value, crossing(count, each)) for each in sides]
    exact = z3.Or(*(z3.And(side == each, value == crossing(count, each)) for each in sides))
    return z3.Not(z3.And(exact, *least))


def refuted(count, steps=STEPS):
    """Return weights, by pair, for which the result of a graph with some nodes is wrong; None if there are none."""
    choices = []
    while choices is not None:
        path = Path(choices)
        executor = executed(count, steps, path)
        for doubt in (z3.And(*path.conditions, wrong(count, executor)), *path.others):
            linear, solver = Linear(), z3.SolverFor("QF_LIA")
            solver.add(linear.truth(doubt))
            solver.add(*(z3.And(0 <= w, w <= WEIGHT_MOST) for w in linear.weights.values()))
            answer = solver.check()
            if answer == z3.sat:
                model = solver.model()
                return {name: model.eval(w, model_completion=True).as_long() for name, w in linear.weights.items()}
            assert answer == z3.unsat, solver.reason_unknown()
        choices = path.following()
    return None
