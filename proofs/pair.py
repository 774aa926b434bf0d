"""Does anybody learn, or lose, what they should not? Two runs of one step, from two states that are alike.

A property of two runs is proved of one program that makes both: self-composition.
The same call, or the same event, is run from a state `s` and from another state `t`. As with the invariants, it is
never assumed as a whole that they are alike. Where a candidate pair of states differs in a scalar that one of the
observers sees, the equality of this scalar is added as an instance, at the symbolic indices behind it.
"""

from copy import copy
from dataclasses import dataclass
from functools import partial

import z3

from corollary.language.frontend import translate
from corollary.language.reads import Memo
from corollary.language.types import Index, is_scalar, u8, u64
from corollary.language.values import difference
from corollary.model.kernel import component
from corollary.model.kernel.clock import later
from corollary.model.kernel.partition import together
from corollary.model.kernel.proof import hash_mutation, path_holds
from corollary.model.kernel.ring import shed_tools
from corollary.model.kernel.witness import chain, copy_record, return_record
from corollary.proofs import bits
from corollary.proofs.engine import Question, number_in
from corollary.proofs.symbolic import TOP, Executor, Reference, Write, along, intrinsic
from corollary.proofs.transition import Run, place
from corollary.spec.kernel.observation import ALONE, KNOWN, OBSERVATIONS
from corollary.spec.kernel.sha256 import authenticate
from corollary.spec.kernel.state import Call, Kernel, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import Status
from corollary.spec.kernel.witness import counted_on

KERNEL = place("s")
# only one fact about these matters: equal inputs give equal outputs. The first are never looked into, the others only
# where a pair of states that was found does not replay in the model
LARGE = {
    translate(function).symbol
    for function in (hash_mutation, path_holds, authenticate, chain, copy_record, return_record)
}
CUT = LARGE | {translate(function).symbol for function in (*component.KERNEL.named, together, counted_on, shed_tools)}
# what these compute gets a name: then it is seen to be the same in both runs without looking into it
NAMED = {translate(later).symbol}
# what a partition can tell, by symbol
TOLD = {translate(row.function).symbol: row for row in KNOWN}
REGISTERS = range(Call.fields["argument"].length)
RESULTS = range(Call.fields["result"].length)
PATIENCE = 40_000_000  # solver steps for a first answer; nearly all answers need fewer
LED = 8_000_000  # the same where the goal leads the search
ALL_FALSE = 0  # an option of the solver: try 0 first for a bit
z3.set_param("warning", False)  # it warns of `case_split`, but heeds it


def observations(path):
    """Return the predicates that say who sees the scalar at a path."""
    field = path[2] if len(path) > 2 else None
    return [
        known.function for known in OBSERVATIONS if known.table == path[0] and (not known.only or field in known.only)
    ]


def of_call(name):
    """Return the place of a field of the call."""
    return place("call").field(name, Call.fields[name])


@dataclass(frozen=True)
class Sight:
    """An observer, and the slot that it looks through: two terms."""

    observer: object
    slot: object


class Reader(Executor):
    """An executor for functions that change nothing, on one state: each runs once for the same arguments."""

    def __init__(self, store):
        super().__init__(store)
        self.known = Memo()

    def invoke(self, function, arguments, guard):
        if function.symbol in NAMED:
            return intrinsic(function, arguments)
        local = any(
            isinstance(argument, Reference) and argument.root not in component.KERNEL.types for argument in arguments
        )
        if local or function.mutates or function.opaque:
            return super().invoke(function, arguments, guard)
        key = (function.symbol, *(_identity(argument) for argument in arguments))
        compute = super().invoke
        value, _ = self.known.get(
            key, lambda: (compute(function, arguments, TOP), arguments)
        )  # kept, so that no id is used again
        return value


def _identity(value):
    if isinstance(value, Reference):
        return value.root, value.path, *map(_identity, value.indices)
    return int(value) if bits.known(value) else ("term", value.get_id())


class Noting(Executor):
    """An executor that records the inputs of a function: its scalar arguments, then what it reads, in order."""

    def __init__(self, store, function, arguments):
        super().__init__(store)
        self.inputs = [(value, p.type) for value, p in zip(arguments, function.parameters) if is_scalar(p.type)]
        self.outside = {value.root for value in arguments if isinstance(value, Reference)}

    def load(self, reference, guard):
        value = super().load(reference, guard)
        if reference.root in self.outside:
            self.inputs.append((value, reference.type))
        return value


@dataclass(frozen=True)
class Cut:
    """A call that is not looked into: its inputs, and unknown values for its outputs."""

    inputs: tuple
    outputs: tuple


class Modular(Executor):
    """An executor that does not look into some functions.

    What functions in `cut` compute is unknown, and is kept with their inputs. What functions in `NAMED` compute gets a
    name.
    """

    def __init__(self, store, cut=CUT):
        super().__init__(store)
        self.cut, self.cuts, self.names, self.asked = cut, [], [], []
        self.definitions = []  # of unknown values: each with what it really is

    def invoke(self, function, arguments, guard):
        if function.symbol in TOLD:
            self.asked.append((TOLD[function.symbol], arguments))
        if function.symbol in NAMED:
            self.names.append((intrinsic(function, arguments), super().invoke(function, arguments, guard)))
            return self.names[-1][0]
        if function.symbol not in self.cut:
            return super().invoke(function, arguments, guard)
        noting = Noting(self.store.fork(), function, arguments)
        value = noting.run(function, arguments, guard)
        outputs = list(self.rewritten(noting))
        if value is not None:
            outputs.append((z3.FreshConst(value.sort(), function.symbol), value))
            value = outputs[-1][0]
        self.definitions += outputs if function.symbol not in LARGE else ()
        outputs = [unknown for unknown, _ in outputs]
        self.cuts.append(Cut(tuple(noting.inputs), tuple(outputs)))
        return value

    def rewritten(self, noting):
        """Replace each recorded write by one of an unknown value, in the same place under the same condition.

        Yield each unknown value with the value that was written.
        """
        for (root, path), node in noting.store.heads.items():
            made, old = [], self.store.heads.get((root, path))
            while root in noting.outside and node is not old:
                made.append(node)
                node = node.older
            for write in reversed(made):
                type_, _, _ = along(self.root_type(root), path)
                value = z3.FreshConst(bits.sort(type_), path[-1])
                self.store.heads[root, path] = Write(
                    write.guard, write.indices, value, self.store.heads.get((root, path))
                )
                yield value, write.value


class Pair:
    """One transition, executed from two states with the same arguments; functions in `cut` are not looked into."""

    def __init__(self, transition, cut=CUT, run=Run):
        self.transition = transition
        self.first, self.second = [run(transition, state, partial(Modular, cut=cut)) for state in ("s", "t")]
        self.runs = {"s": self.first, "t": self.second}
        self.acting, self.agreed = acting(self.first), Memo()
        self.readers = {
            after: [Reader((run.after if after else run.before).fork()) for run in self.runs.values()]
            for after in (False, True)
        }

    def both(self, function, arguments, after=False):
        """Return what a function computes on each of the two states, before or after the step."""
        return [reader.run(translate(function), arguments) for reader in self.readers[after]]

    def same(self, function, arguments, after=False):
        """The condition that a function computes the same on the two states."""
        return bits.compare("==", *self.both(function, arguments, after), translate(function).returns)

    def obligations(self, function, scalars):
        """Return what must hold for a function to have a value.

        It is about the first state, or takes the first state for the one before a step and the second for the one
        after.
        """
        store = self.first.before.fork()
        store.symbolic = {*store.symbolic, *self.runs}
        for name, root in (("before", "s"), ("after", "t")):
            store.view(name, root, self.first.before)
            store.shared["roots"][name] = Kernel
        executor = Executor(store)
        executor.run(
            translate(function),
            [scalars[p.name] if is_scalar(p.type) else place(p.name) for p in translate(function).parameters],
        )
        return executor.obligations

    def seen(self, cell, types, sight, after=False):
        """The condition that a scalar is seen in either state."""
        indices = [index for index, type_ in zip(cell.indices, types) if isinstance(type_, Index)]
        arguments = [place("s"), sight.observer, sight.slot, *indices]
        return bits.disjoin([value for sees in observations(cell.path) for value in self.both(sees, arguments, after)])

    def agree(self, cell, types, sight, after=False):
        """The condition that a scalar is the same in both states if it is seen in either."""
        key = (cell.path, *map(_identity, cell.indices), *map(_identity, (sight.observer, sight.slot)), after)
        agreed, *_ = self.agreed.get(
            key, lambda: (self.agreement(cell, types, sight, after), cell, sight)
        )  # kept, so that no id is used again
        return agreed

    def agreement(self, cell, types, sight, after):
        """Compute the condition that `agree` returns."""
        seen = self.seen(cell, types, sight, after)
        if seen is False:
            return True
        values = [(run.after if after else run.before).read(cell, types, TOP) for run in self.runs.values()]
        return bits.disjoin([bits.negate(seen), bits.compare("==", *values, cell.type)])

    def cuts(self):
        """Yield that each function that is not looked into gives equal outputs for equal inputs."""
        for one, other in zip(self.first.executor.cuts, self.second.executor.cuts, strict=True):
            same = [
                bits.compare("==", a, b, type_) for (a, type_), (b, _) in zip(one.inputs, other.inputs, strict=True)
            ]
            made = [a == b for a, b in zip(one.outputs, other.outputs, strict=True)]
            yield bits.disjoin([bits.negate(bits.conjoin(same)), bits.conjoin(made)])

    def known(self):
        """Yield premises about what the step asks and the actor can tell.

        The answer is the same in both states (NI-0), and has the consequences that it has in any state.
        """
        for row, (state, _, *rest) in self.first.executor.asked:
            arguments = [state, self.first.actor, *rest]
            yield self.same(row.function, arguments)
            yield from self.both(row.corollary, arguments)

    def names(self):
        """Return the definitions of names: each name equals its value."""
        return [name == value for run in self.runs.values() for name, value in run.executor.names]


def handles(step):
    """Return the numbers of the call's arguments in which a step takes handles."""
    held = step.operation.handles if step.operation else 0
    return [i for i in REGISTERS if (held >> i) & 1]


def acting(run):
    """Return the sights of the actor: through each handle of the call, or alone."""
    places = [of_call("argument").element(i) for i in handles(run.transition)]
    slots = [
        bits.resize(bits.resize(run.before.read(cell, run.executor.index_types(cell), TOP), u64, SlotId), SlotId, u8)
        for cell in places
    ]
    return [Sight(run.actor, slot) for slot in slots or [ALONE]]


class PairQuestion(Question):
    """A question: may `goal` fail for two runs from states that are alike to the observers?"""

    wanders = False  # does the goal lead the solver once it has found a candidate?

    def __init__(self, pair, invariants, sights, released, effort, quantified=()):
        other_time = ("t.now", u64, z3.Const("t.now", bits.sort(u64)))
        super().__init__(pair.first, invariants, effort, [other_time, *quantified])
        self.pair, self.sights, self.released = pair, sights, released
        self.goal_directed = False
        self.searched, self.likened = False, 0  # is there a candidate; how many reads are already likened

    def new_solver(self):
        """Return an empty solver: two runs are worth a long search, among states that hold as little as can be."""
        solver = z3.SolverFor("QF_UFBV")
        solver.set(phase_selection=ALL_FALSE)
        return solver

    def ask_bits_first(self):
        """Begin with a search in bits.

        It is the shortest way where both runs compute much that is nearly the same, such as hashes.
        """
        self.solver = z3.Then(
            "simplify", "propagate-values", "solve-eqs", "ackermannize_bv", "simplify", "bit-blast", "sat"
        ).solver()
        self.solver.add(*self.formulas)
        self.tells_why = False

    @property
    def patience(self):
        """The solver steps for a first answer."""
        return LED if self.goal_directed else PATIENCE

    def restart(self, seed=0):
        """Start over; if the search wanders, split cases where the goal leads.

        A search wanders in what else the states hold. Where this is little, such a split is slower.
        """
        super().restart(seed, phase_selection=ALL_FALSE, **({"case_split": 3} if self.wanders else {}))
        self.goal_directed = self.wanders

    @property
    def runs(self):
        return self.pair.runs

    def premises(self):
        """Yield that released values are the same, and functions that are not looked into agree.

        Released values are included as far as they need no index.
        """
        step = self.pair.transition
        yield from self.pair.cuts()
        yield from self.pair.names()
        yield from self.pair.known()
        for row in self.released:
            names = [parameter.name for parameter in translate(row.function).parameters]
            if (
                ("call" in names and not step.hypercall)
                or "page" in names
                or (row.about and step.name not in row.about)
            ):
                continue
            for arguments in self.arguments(names):
                yield self.pair.same(row.function, arguments)

    def arguments(self, names):
        """Return the arguments of a released value: the state, the call, and each sight."""
        objects = [place(name) for name in names if name in ("s", "call")]
        if "slot" in names:
            return [[*objects, sight.observer, sight.slot] for sight in self.sights]
        return [objects]

    def prepare(self, premises):
        """Assume everything that is known for any goal."""
        for premise in (*premises, *self.premises()):
            self.assume(bits.truth(premise))
        self.add_facts()

    def fork(self, effort):
        """Return a copy that knows what this question knows, to be asked by itself."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list | set) and value is not self.invariants:
                setattr(other, name, copy(value))
        other.effort, other.solver = effort, self.new_solver()
        other.solver.add(*self.formulas)
        return other

    def decide(self, goal):
        """Prove the goal for all pairs of states that are alike, or find a pair that breaks it."""
        return super().decide([], goal)

    def add_facts(self):
        """Also assume, before the first candidate, that what is mentioned and seen is the same in both states.

        Each scalar of one state that the question mentions is assumed to be the same where it is seen.
        """
        for root, reference, types, arguments, _ in self.relevant[self.likened :] if not self.searched else ():
            cell = Reference("s", reference.path, tuple(arguments), reference.type)
            for sight in self.sights if root == "t" else ():
                self.liken_cell(cell, types, sight)
        self.likened = len(self.relevant)
        super().add_facts()

    def liken_cell(self, cell, types, sight):
        """Assume that a scalar is the same in both states where it is seen, once; was that new?"""
        return self.add(
            ("alike", cell.path, *(index.get_id() for index in cell.indices), id(sight)),
            self.pair.agree,
            cell,
            types,
            sight,
        )

    def refine_near(self, candidate):
        """Add what the candidate breaks of the invariants, and of the likeness of its two states."""
        self.searched = True
        if self.wanders and not self.goal_directed:
            self.restart()
        sights = [
            (sight, *(number_in(candidate.hashes["model"], term) for term in (sight.observer, sight.slot)))
            for sight in self.sights
        ]
        return self.liken(candidate, sights) | self.release(candidate, sights) | super().refine_near(candidate)

    def definitions(self):
        """Also return the unknown values of functions that are not looked into, with what they really are."""
        return [*super().definitions(), *(each for run in self.runs.values() for each in run.executor.definitions)]

    def liken(self, candidate, sights):
        """Add the equality of each scalar that is seen and differs."""
        model, one, other = candidate.hashes["model"], candidate.roots["s"], candidate.roots["t"]
        added = False
        for root, reference, types, arguments, _ in list(self.relevant):
            numbers = [number_in(model, argument) for argument in arguments]
            indices = [number for number, type_ in zip(numbers, types) if isinstance(type_, Index)]
            for sight, observer, slot in sights if root in self.runs else ():
                if scalar_at(one, reference.path, numbers) != scalar_at(other, reference.path, numbers) and any(
                    sees(state, observer, slot, *indices)
                    for sees in observations(reference.path)
                    for state in (one, other)
                ):
                    added |= self.liken_cell(
                        Reference("s", reference.path, tuple(arguments), reference.type), types, sight
                    )
        return added

    def release(self, candidate, sights):
        """Add the equality of each released value of a page that differs."""
        added = False
        for row in self.released:
            if [parameter.name for parameter in translate(row.function).parameters][
                -1
            ] != "page" or self.pair.transition.name not in row.about:
                continue
            for sight, observer, slot in sights:
                for ((page, term),) in self.combinations([translate(row.function).parameters[-1].type]):
                    if row.function(candidate.roots["s"], observer, slot, page) != row.function(
                        candidate.roots["t"], observer, slot, page
                    ):
                        added |= self.add(
                            (row.name, id(sight), term.get_id()),
                            self.pair.same,
                            row.function,
                            [place("s"), sight.observer, sight.slot, term],
                        )
        return added

    def add(self, key, condition, *arguments):
        """Assume a condition, once; was it new?"""
        if key in self.instances:
            return False
        self.instances[key] = key[0]
        self.assume(bits.truth(condition(*arguments)))
        return True


def scalar_at(value, path, numbers):
    """The scalar at a path in a concrete record."""
    remaining = iter(numbers)
    for part in path:
        value = value[next(remaining)] if part == "[]" else getattr(value, part)
    return value


def alike(one, other, observer):
    """Do two concrete states agree wherever the observer sees either, by itself or through any of its slots?"""
    for path, _, _ in difference(one, other):
        fields, indices = split(path)
        if any(
            sees(s, observer, slot, *indices)
            for s in (one, other)
            for sees in observations(fields)
            for slot in range(ALONE + 1)
        ):
            return False
    return True


def split(path):
    """Return the fields of a concrete path, and its indices into tables."""
    fields = tuple("[]" if isinstance(part, int) else part for part in path)
    numbers = [part for part in path if isinstance(part, int)]
    return fields, [number for number, index in zip(numbers, indices_along(fields)) if isinstance(index, Index)]


def indices_along(path):
    """The index types of the tables along a path."""
    type_ = Kernel
    for part in path:
        if part == "[]":
            yield type_.index
        type_ = type_.element if part == "[]" else type_.fields[part]


# ---- the questions


def same_answer(pair):
    """Return the condition that the caller is told the same: the status, and every word of the result."""
    one, other = pair.runs.values()
    parts = [bits.compare("==", one.status, other.status, Status)]
    for i in RESULTS:
        cell = of_call("result").element(i)
        types = one.executor.index_types(cell)
        parts.append(
            bits.compare("==", one.after.read(cell, types, TOP), other.after.read(cell, types, TOP), cell.type)
        )
    return bits.conjoin(parts)


def onlooker():
    """Return an arbitrary observer that looks through any slot: the variables and the sight."""
    observer, slot = z3.Const("?observer", bits.sort(PartitionId)), z3.Const("?slot", bits.sort(u8))
    return [("?observer", PartitionId, observer), ("?slot", u8, slot)], Sight(observer, slot)
