"""Does anyone learn, or lose, what is not theirs? Two runs of one step, from two states that are alike.

The same call, or the same event, is run from a state `s` and from a state `t` of its own. That they are alike
is, like the invariants, never assumed as a whole: where a candidate pair of states differs in a scalar that
one of the observers sees, this scalar is added as an instance, at the symbolic indices behind it.
"""

from copy import copy
from dataclasses import dataclass
from functools import partial

import z3

from language.frontend import translate
from language.reads import Kept
from language.types import Index, is_scalar, u8, u64
from language.values import difference
from model.kernel.clock import later
from model.kernel.partition import together
from model.kernel.proof import hash_mutation, path_holds
from model.kernel.ring import shed_tools
from model.kernel.witness import chain, copy_record, return_record
from proofs import bits
from proofs.engine import Question, number_in
from proofs.symbolic import TOP, Executor, Reference, Write, along, intrinsic
from proofs.transition import ARITHMETIC, OBJECTS, Run, place
from spec.kernel.observation import ALONE, KNOWN, OBSERVATIONS
from spec.kernel.sha256 import authenticate
from spec.kernel.state import Call, Kernel, PartitionId, SlotId
from spec.kernel.vocabulary import Status
from spec.kernel.witness import counted_on

KERNEL = place("s")
# that these make the same of the same is all that needs to be known of them: the first are never looked into, the others
# where a pair of states that was found is none of the model's
LARGE = {translate(function).symbol for function in (hash_mutation, path_holds, authenticate, chain, copy_record, return_record)}
CUT = LARGE | ARITHMETIC | {translate(function).symbol for function in (together, counted_on, shed_tools)}
# what these compute has a name, so that it is seen to be the same in both runs without looking into it
NAMED = {translate(later).symbol}
# what a partition can tell, by symbol
TOLD = {translate(row.function).symbol: row for row in KNOWN}
REGISTERS = range(Call.fields["argument"].length)
RESULTS = range(Call.fields["result"].length)
PATIENCE = 40_000_000       # steps of the solver for a first answer; nearly all come in less
LED = 8_000_000             # the same where it is led by the goal
ALL_FALSE = 0               # of the solver: a bit is tried as 0 first
z3.set_param("warning", False)      # it warns of `case_split`, and heeds it


def observations(path):
    """The predicates that tell who sees the scalar at a path."""
    field = path[2] if len(path) > 2 else None
    return [known.function for known in OBSERVATIONS if known.table == path[0] and (not known.only or field in known.only)]


def of_call(name):
    """A place in the call."""
    return place("call").field(name, Call.fields[name])


@dataclass(frozen=True)
class Sight:
    """Somebody who looks, and the slot looked through: two terms."""

    observer: object
    slot: object


class Reader(Executor):
    """Computes what functions that change nothing say of one state, each once for the same arguments."""

    def __init__(self, store):
        super().__init__(store)
        self.known = Kept()

    def invoke(self, function, arguments, guard):
        if function.symbol in NAMED:
            return intrinsic(function, arguments)
        local = any(isinstance(argument, Reference) and argument.root not in OBJECTS for argument in arguments)
        if local or function.mutates or function.opaque:
            return super().invoke(function, arguments, guard)
        key = (function.symbol, *(_identity(argument) for argument in arguments))
        compute = super().invoke
        value, _ = self.known.get(key, lambda: (compute(function, arguments, TOP), arguments))      # kept, so that no identity is used again
        return value


def _identity(value):
    if isinstance(value, Reference):
        return value.root, value.path, *map(_identity, value.indices)
    return int(value) if bits.known(value) else ("term", value.get_id())


class Noting(Executor):
    """Notes what a function is given, and what it reads of it, in the order in which it reads."""

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
    """A function that is not looked into: what it reads, and unknown values for what it makes of it."""

    inputs: tuple
    outputs: tuple


class Modular(Executor):
    """Takes what some functions compute for unknown, and keeps what they compute it of; gives a name to what others compute."""

    def __init__(self, store, cut=CUT):
        super().__init__(store)
        self.cut, self.cuts, self.names, self.asked = cut, [], [], []
        self.definitions = []       # of unknown values: each, and what it is when it is looked into

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
        """Make each write that was noted one of an unknown value, in the same place on the same condition; these, and what was written."""
        for (root, path), node in noting.store.heads.items():
            made, old = [], self.store.heads.get((root, path))
            while root in noting.outside and node is not old:
                made.append(node)
                node = node.older
            for write in reversed(made):
                type_, _, _ = along(self.root_type(root), path)
                value = z3.FreshConst(bits.sort(type_), path[-1])
                self.store.heads[root, path] = Write(write.guard, write.indices, value, self.store.heads.get((root, path)))
                yield value, write.value


class Pair:
    """One transition, run symbolically from two states with the same arguments; what is `cut` is not looked into."""

    def __init__(self, transition, cut=CUT):
        self.transition = transition
        self.first, self.second = [Run(transition, state, partial(Modular, cut=cut)) for state in ("s", "t")]
        self.runs = {"s": self.first, "t": self.second}
        self.acting, self.agreed = acting(self.first), Kept()
        self.readers = {after: [Reader((run.after if after else run.before).fork()) for run in self.runs.values()] for after in (False, True)}

    def both(self, function, arguments, after=False):
        """What a function computes on the two states, before or after the step."""
        return [reader.run(translate(function), arguments) for reader in self.readers[after]]

    def same(self, function, arguments, after=False):
        """The condition that a function computes the same on the two states."""
        return bits.compare("==", *self.both(function, arguments, after), translate(function).returns)

    def obligations(self, function, scalars):
        """What must hold for a function to have a value: of the first state, or before and after of the first and the second."""
        store = self.first.before.fork()
        store.symbolic = {*store.symbolic, *self.runs}
        for name, root in (("before", "s"), ("after", "t")):
            store.view(name, root, self.first.before)
            store.shared["roots"][name] = Kernel
        executor = Executor(store)
        executor.run(translate(function), [scalars[p.name] if is_scalar(p.type) else place(p.name) for p in translate(function).parameters])
        return executor.obligations

    def seen(self, cell, types, sight, after=False):
        """The condition that a scalar is seen in either state."""
        indices = [index for index, type_ in zip(cell.indices, types) if isinstance(type_, Index)]
        arguments = [place("s"), sight.observer, sight.slot, *indices]
        return bits.disjoin([value for sees in observations(cell.path) for value in self.both(sees, arguments, after)])

    def agree(self, cell, types, sight, after=False):
        """The condition that a scalar is the same in both states if it is seen in either."""
        key = (cell.path, *map(_identity, cell.indices), *map(_identity, (sight.observer, sight.slot)), after)
        agreed, *_ = self.agreed.get(key, lambda: (self.agreement(cell, types, sight, after), cell, sight))   # kept, so that no identity is used again
        return agreed

    def agreement(self, cell, types, sight, after):
        """What `agree` tells, computed."""
        seen = self.seen(cell, types, sight, after)
        if seen is False:
            return True
        values = [(run.after if after else run.before).read(cell, types, TOP) for run in self.runs.values()]
        return bits.disjoin([bits.negate(seen), bits.compare("==", *values, cell.type)])

    def cuts(self):
        """Where a function is not looked into: it makes the same of the same."""
        for one, other in zip(self.first.executor.cuts, self.second.executor.cuts, strict=True):
            same = [bits.compare("==", a, b, type_) for (a, type_), (b, _) in zip(one.inputs, other.inputs, strict=True)]
            made = [a == b for a, b in zip(one.outputs, other.outputs, strict=True)]
            yield bits.disjoin([bits.negate(bits.conjoin(same)), bits.conjoin(made)])

    def known(self):
        """What the step asks that who acts can tell is the same (NI-0), and has the consequences that it has in any state."""
        for row, (state, _, *rest) in self.first.executor.asked:
            arguments = [state, self.first.actor, *rest]
            yield self.same(row.function, arguments)
            yield from self.both(row.corollary, arguments)

    def names(self):
        """What has a name is what the name stands for."""
        return [name == value for run in self.runs.values() for name, value in run.executor.names]


def handles(step):
    """The arguments of the call in which a step takes handles."""
    held = step.operation.handles if step.operation else 0
    return [i for i in REGISTERS if (held >> i) & 1]


def acting(run):
    """The sights of who acts: through each handle of the call, or alone."""
    places = [of_call("argument").element(i) for i in handles(run.transition)]
    slots = [bits.resize(bits.resize(run.before.read(cell, run.executor.index_types(cell), TOP), u64, SlotId), SlotId, u8) for cell in places]
    return [Sight(run.actor, slot) for slot in slots or [ALONE]]


class PairQuestion(Question):
    """May `goal` fail of two runs whose states before are alike to those who look?"""

    wanders = False     # is the solver to be led by the goal once it has found a candidate?

    def __init__(self, pair, invariants, sights, released, effort, quantified=()):
        other_time = ("t.now", u64, z3.Const("t.now", bits.sort(u64)))
        super().__init__(pair.first, invariants, effort, [other_time, *quantified])
        self.pair, self.sights, self.released = pair, sights, released
        self.goal_directed = False
        self.searched, self.likened = False, 0      # is there a candidate; how far was looked for what is alike

    def new_solver(self):
        """A solver that knows nothing: two runs are worth a long search, among states with as little in them as can be."""
        solver = z3.SolverFor("QF_UFBV")
        solver.set(phase_selection=ALL_FALSE)
        return solver

    def ask_bits_first(self):
        """Begin with a search in bits: the shortest way where both runs compute much of nearly the same, as hashes are."""
        self.solver = z3.Then("simplify", "propagate-values", "solve-eqs", "ackermannize_bv", "simplify", "bit-blast", "sat").solver()
        self.solver.add(*self.formulas)
        self.tells_why = False

    @property
    def patience(self):
        """Steps of the solver for a first answer."""
        return LED if self.goal_directed else PATIENCE

    def restart(self, seed=0):
        """Ask anew, splitting cases where the goal leads if it wanders in what the states have besides: that is slower when this is little."""
        super().restart(seed, phase_selection=ALL_FALSE, **({"case_split": 3} if self.wanders else {}))
        self.goal_directed = self.wanders

    @property
    def runs(self):
        return self.pair.runs

    def premises(self):
        """That what is released is the same, as far as it needs no index, and what is not looked into comes to the same."""
        step = self.pair.transition
        yield from self.pair.cuts()
        yield from self.pair.names()
        yield from self.pair.known()
        for row in self.released:
            names = [parameter.name for parameter in translate(row.function).parameters]
            if ("call" in names and not step.hypercall) or "page" in names or (row.about and step.name not in row.about):
                continue
            for arguments in self.arguments(names):
                yield self.pair.same(row.function, arguments)

    def arguments(self, names):
        """What a released value is taken of: the state, the call, and each sight."""
        objects = [place(name) for name in names if name in ("s", "call")]
        if "slot" in names:
            return [[*objects, sight.observer, sight.slot] for sight in self.sights]
        return [objects]

    def prepare(self, premises):
        """Assume all that is known whatever the goal is."""
        for premise in (*premises, *self.premises()):
            self.assume(bits.truth(premise))
        self.add_facts()

    def fork(self, effort):
        """A question that knows what this one knows, to be asked apart."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list | set) and value is not self.invariants:
                setattr(other, name, copy(value))
        other.effort, other.solver = effort, self.new_solver()
        other.solver.add(*self.formulas)
        return other

    def decide(self, goal):
        """Prove the goal of all pairs of states that are alike, or find a pair that is not."""
        return super().decide([], goal)

    def add_facts(self):
        """Besides, before the first candidate: each scalar of one state that the question speaks of is the same where it is seen."""
        for root, reference, types, arguments, _ in self.relevant[self.likened:] if not self.searched else ():
            cell = Reference("s", reference.path, tuple(arguments), reference.type)
            for sight in self.sights if root == "t" else ():
                self.liken_cell(cell, types, sight)
        self.likened = len(self.relevant)
        super().add_facts()

    def liken_cell(self, cell, types, sight):
        """Assume that a scalar is the same in both states where it is seen, once; was that new?"""
        return self.add(("alike", cell.path, *(index.get_id() for index in cell.indices), id(sight)), self.pair.agree, cell, types, sight)

    def refine_near(self, candidate):
        """Add what the candidate breaks of the invariants, and of what makes its two states alike."""
        self.searched = True
        if self.wanders and not self.goal_directed:
            self.restart()
        sights = [(sight, *(number_in(candidate.hashes["model"], term) for term in (sight.observer, sight.slot))) for sight in self.sights]
        return self.liken(candidate, sights) | self.release(candidate, sights) | super().refine_near(candidate)

    def definitions(self):
        """Besides: what is not looked into, and what it is when it is."""
        return [*super().definitions(), *(each for run in self.runs.values() for each in run.executor.definitions)]

    def liken(self, candidate, sights):
        """Add each scalar that is seen and differs."""
        model, one, other = candidate.hashes["model"], candidate.roots["s"], candidate.roots["t"]
        added = False
        for root, reference, types, arguments, _ in list(self.relevant):
            numbers = [number_in(model, argument) for argument in arguments]
            indices = [number for number, type_ in zip(numbers, types) if isinstance(type_, Index)]
            for sight, observer, slot in sights if root in self.runs else ():
                if scalar_at(one, reference.path, numbers) != scalar_at(other, reference.path, numbers) and any(
                        sees(state, observer, slot, *indices) for sees in observations(reference.path) for state in (one, other)):
                    added |= self.liken_cell(Reference("s", reference.path, tuple(arguments), reference.type), types, sight)
        return added

    def release(self, candidate, sights):
        """Add each released value of a page that differs."""
        added = False
        for row in self.released:
            if [parameter.name for parameter in translate(row.function).parameters][-1] != "page" or self.pair.transition.name not in row.about:
                continue
            for (sight, observer, slot) in sights:
                for ((page, term),) in self.combinations([translate(row.function).parameters[-1].type]):
                    if row.function(candidate.roots["s"], observer, slot, page) != row.function(candidate.roots["t"], observer, slot, page):
                        added |= self.add((row.name, id(sight), term.get_id()), self.pair.same, row.function,
                                          [place("s"), sight.observer, sight.slot, term])
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
        if any(sees(s, observer, slot, *indices) for s in (one, other) for sees in observations(fields) for slot in range(ALONE + 1)):
            return False
    return True


def split(path):
    """The fields of a concrete path, and its indices into tables."""
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
    """The caller is told the same: the status, and every word of the result."""
    one, other = pair.runs.values()
    parts = [bits.compare("==", one.status, other.status, Status)]
    for i in RESULTS:
        cell = of_call("result").element(i)
        types = one.executor.index_types(cell)
        parts.append(bits.compare("==", one.after.read(cell, types, TOP), other.after.read(cell, types, TOP), cell.type))
    return bits.conjoin(parts)


def onlooker():
    """Anybody, looking through any slot: the variables and the sight."""
    observer, slot = z3.Const("?observer", bits.sort(PartitionId)), z3.Const("?slot", bits.sort(u8))
    return [("?observer", PartitionId, observer), ("?slot", u8, slot)], Sight(observer, slot)
