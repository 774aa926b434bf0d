"""Does anybody learn, or lose, what they should not? Two runs of one step, from two states that are alike.

A property of two runs is proved of one program that makes both: self-composition.
The same call, or the same event, is run from a state `s` and from another state `t`. As with the invariants, it is
never assumed as a whole that they are alike. Where a candidate pair of states differs in a scalar that one of the
observers sees, the equality of this scalar is added as an instance, at the symbolic indices behind it.
"""

import itertools
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any

import z3

from corollary.language.component import AFTER, ARGUMENT, BEFORE, CALL, NOW, RESULT, STATE
from corollary.language.frontend import translate
from corollary.language.reads import Memo, guessing
from corollary.language.types import Index, is_scalar, u64
from corollary.language.values import difference
from corollary.proofs import bits
from corollary.proofs.context import Context
from corollary.proofs.engine import Question, Search, numbers_in
from corollary.proofs.symbolic import TOP, Executor, Reference, Write, along, intrinsic
from corollary.proofs.transition import Run

OTHER = "t"  # the other state
LOOK = ("p", "slot")  # how released values call the observer, and what it looks through
PATIENCE = 40_000_000  # solver steps for a first answer; nearly all answers need fewer
LED = 8_000_000  # the same where the goal leads the search
z3.set_param("warning", False)  # it warns of `case_split`, but heeds it


def symbols(functions):
    """Return the symbols of some functions."""
    with guessing():  # what a function does is read where it runs
        return {translate(function).symbol for function in functions}


def unread(component, all_=True):
    """Return the symbols of the functions that are not looked into: all of them, or those that never are."""
    return symbols((*component.large, *((*component.named, *component.cut) if all_ else ())))


def of_call(transition, name):
    """Return the place of a field of the call."""
    place = transition.place(CALL)
    return place.field(name, place.type.fields[name])


@dataclass(frozen=True)
class Sight:
    """An observer, and the slot that it looks through, if there are slots: terms."""

    look: tuple


class Reader(Executor):
    """An executor for functions that change nothing, on one state: each runs once for the same arguments."""

    def __init__(self, store, component):
        super().__init__(store)
        self.known, self.objects, self.alike = Memo(), component.types, symbols(component.alike)

    def invoke(self, function, arguments, guard):
        if function.symbol in self.alike:
            return intrinsic(function, arguments)
        local = any(isinstance(argument, Reference) and argument.root not in self.objects for argument in arguments)
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

    What functions in `cut` compute is unknown, and is kept with their inputs. What functions in `alike` compute gets a
    name: then it is seen to be the same in both runs without looking into it.
    """

    def __init__(self, store, component, cut):
        super().__init__(store)
        self.cut, self.cuts, self.names, self.asked = cut, [], [], []
        self.large, self.alike = unread(component, False), symbols(component.alike)
        with guessing():
            self.told = {translate(row.function).symbol: row for row in component.view.known} if component.view else {}
        self.definitions = []  # of unknown values: each with what it really is

    def invoke(self, function, arguments, guard):
        if function.symbol in self.told:
            self.asked.append((self.told[function.symbol], arguments))
        if function.symbol in self.alike:
            self.names.append((intrinsic(function, arguments), super().invoke(function, arguments, guard)))
            return self.names[-1][0]
        if function.symbol not in self.cut:
            return super().invoke(function, arguments, guard)
        noting = Noting(self.store.fork(), function, arguments)
        value: Any = noting.run(function, arguments, guard)
        outputs = list(self.rewritten(noting))
        if value is not None:
            outputs.append((z3.FreshConst(value.sort(), function.symbol), value))
            value = outputs[-1][0]
        self.definitions += outputs if function.symbol not in self.large else ()
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

    def __init__(self, transition, cut=None, run=Run):
        self.transition, self.view = transition, transition.component.view
        cut = unread(transition.component) if cut is None else cut
        executor = partial(Modular, component=transition.component, cut=cut)
        self.first, self.second = [run(transition, state, executor) for state in (STATE, OTHER)]
        self.runs = {STATE: self.first, OTHER: self.second}
        self.state = transition.place(STATE)
        self.acting, self.agreed = acting(self.first), Memo()
        self.readers = {
            after: [
                Reader((run.after if after else run.before).fork(), transition.component) for run in self.runs.values()
            ]
            for after in (False, True)
        }

    def both(self, function, arguments, after=False):
        """Return what a function computes on each of the two states, before or after the step."""
        return [reader.run(translate(function), arguments) for reader in self.readers[after]]

    def same(self, function, arguments, after=False):
        """The condition that a function computes the same on the two states."""
        return bits.compare("==", *self.both(function, arguments, after), type_=translate(function).returns)

    def obligations(self, function, scalars):
        """Return what must hold for a function to have a value.

        It is about the first state, or takes the first state for the one before a step and the second for the one
        after.
        """
        store = self.first.before.fork()
        store.symbolic = {*store.symbolic, *self.runs}
        for name, root in ((BEFORE, STATE), (AFTER, OTHER)):
            store.view(name, root, self.first.before)
            store.shared["roots"][name] = self.state.type
        executor = Executor(store)
        executor.run(
            translate(function),
            [
                scalars[p.name] if is_scalar(p.type) else self.transition.place(p.name)
                for p in translate(function).parameters
            ],
        )
        return executor.obligations

    def seen(self, cell, types, sight, after=False):
        """The condition that a scalar is seen in either state."""
        indices = [index for index, type_ in zip(cell.indices, types) if isinstance(type_, Index)]
        arguments = [self.state, *sight.look, *indices]
        seeing = self.view.observing(cell.path)
        return bits.disjoin([value for sees in seeing for value in self.both(sees, arguments, after)])

    def agree(self, cell, types, sight, after=False):
        """The condition that a scalar is the same in both states if it is seen in either."""
        key = (cell.path, *map(_identity, (*cell.indices, *sight.look)), after)
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
        return bits.disjoin([bits.negate(seen), bits.compare("==", *values, type_=cell.type)])

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
    held = getattr(step.operation, "handles", 0)
    return [i for i in range(held.bit_length()) if (held >> i) & 1]


def acting(run):
    """Return the sights of the actor: through each handle of the call, or alone."""
    view = run.component.view
    places = [of_call(run.transition, ARGUMENT).element(i) for i in handles(run.transition)]
    registers = [run.before.read(cell, run.executor.index_types(cell), TOP) for cell in places]
    slots = [bits.resize(bits.resize(register, u64, view.slots), view.slots, slot_type(view)) for register in registers]
    return [Sight((run.actor, slot)) for slot in slots] or [Sight(view.look_alone(run.actor))]


def slot_type(view):
    """Return the type of the slots that an observer looks through, with one more: that it looks by itself."""
    return translate(view.observations[0].function).parameters[2].type


class PairQuestion(Question):
    """A question: may `goal` fail for two runs from states that are alike to the observers?"""

    options = Search.options
    wanders = False  # does the goal lead the solver once it has found a candidate?

    def __init__(self, pair, invariants, sights, released, effort, quantified=()):
        super().__init__(pair.first, invariants, effort, [*other_time(pair.transition.component), *quantified])
        self.pair, self.sights, self.released = pair, sights, released
        self.goal_directed = False
        self.searched, self.likened = False, 0  # is there a candidate; how many reads are already likened

    def new_solver(self):
        """Return an empty solver: two runs are worth a long search, among states that hold as little as can be."""
        solver = self.context.solver()
        solver.set(**self.options)
        return solver

    @property
    def patience(self):
        """The solver steps for a first answer."""
        return LED if self.goal_directed else PATIENCE

    def restart(self, seed=0):
        """Start over; if the search wanders, split cases where the goal leads.

        A search wanders in what else the states hold. Where this is little, such a split is slower.
        """
        super().restart(seed, **({"case_split": 3} if self.wanders else {}))
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
            if concerns(row, step) and not indices_of(row, step):
                yield from (self.pair.same(row.function, arguments) for arguments in self.arguments(row))

    def arguments(self, row):
        """Return the arguments of a released value: state and call, what the step is given, and each sight."""
        step, names = self.pair.transition, names_of(row)
        told = [self.run.scalars[name][1] for name in names if name in asked_of(step)]
        if any(name in names for name in LOOK):
            return [step.given(row.function, step.place, *sight.look, *told) for sight in self.sights]
        return [step.given(row.function, step.place, *told)]

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
        other.effort, other.context = effort, Context()
        other.solver = other.new_solver()
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
        model = candidate.hashes["model"]
        sights = [(sight, numbers_in(model, sight.look)) for sight in self.sights]
        return self.liken(candidate, sights) | self.release(candidate, sights) | super().refine_near(candidate)

    def definitions(self):
        """Also return the unknown values of functions that are not looked into, with what they really are."""
        return [*super().definitions(), *(each for run in self.runs.values() for each in run.executor.definitions)]

    def liken(self, candidate, sights):
        """Add the equality of each scalar that is seen and differs."""
        model, one, other = candidate.hashes["model"], candidate.roots[STATE], candidate.roots[OTHER]
        added, relevant = False, list(self.relevant)
        all_numbers = iter(numbers_in(model, [argument for *_, arguments, _ in relevant for argument in arguments]))
        for root, reference, types, arguments, _ in relevant:
            numbers = list(itertools.islice(all_numbers, len(arguments)))
            indices = [number for number, type_ in zip(numbers, types) if isinstance(type_, Index)]
            for sight, look in sights if root in self.runs else ():
                if scalar_at(one, reference.path, numbers) != scalar_at(other, reference.path, numbers) and any(
                    sees(state, *look, *indices)
                    for sees in self.component.view.observing(reference.path)
                    for state in (one, other)
                ):
                    added |= self.liken_cell(
                        Reference("s", reference.path, tuple(arguments), reference.type), types, sight
                    )
        return added

    def release(self, candidate, sights):
        """Add the equality of each released value that differs at some index, such as of a page."""
        added, step = False, self.pair.transition
        for row in self.released:
            types = [parameter.type for parameter in indices_of(row, step)]
            if not types or step.name not in row.about:
                continue
            for sight, look in sights:
                for chosen in self.combinations(types):
                    numbers, terms = zip(*chosen)
                    one, other = [row.function(candidate.roots[root], *look, *numbers) for root in self.runs]
                    if one != other:
                        added |= self.add(
                            (row.name, id(sight), *(term.get_id() for term in terms)),
                            self.pair.same,
                            row.function,
                            [self.pair.state, *sight.look, *terms],
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


def names_of(row):
    """Return the names of the parameters of a row's function."""
    return [parameter.name for parameter in translate(row.function).parameters]


def asked_of(step):
    """Return the names of the arguments of a step, if it is not taken through a gate."""
    return [] if step.hypercall or step.operation is None else [name for name, _ in step.operation.parameters]


def indices_of(row, step):
    """Return the parameters of a released value that stand for any index."""
    named = (*LOOK, *asked_of(step))
    return [p for p in translate(row.function).parameters if is_scalar(p.type) and p.name not in named]


def concerns(row, step):
    """Is a value released in a step, and can it be told there?"""
    return (not row.about or step.name in row.about) and (CALL not in names_of(row) or step.hypercall)


def other_time(component):
    """Return the time of the call in the other run, as a variable, if calls have a time."""
    if component.gate is None:
        return []
    type_, name = component.objects[CALL].fields[NOW], f"{OTHER}.{NOW}"
    return [(name, type_, z3.Const(name, bits.sort(type_)))]


def alike(one, other, observer, view):
    """Do two concrete states agree wherever the observer sees either, by itself or through any of its slots?"""
    for path, _, _ in difference(one, other):
        fields, indices = split(path, type(one))
        if any(
            sees(s, *look, *indices)
            for s in (one, other)
            for sees in view.observing(fields)
            for look in view.looks(observer)
        ):
            return False
    return True


def split(path, record):
    """Return the fields of a concrete path in a record, and its indices into tables."""
    fields = tuple("[]" if isinstance(part, int) else part for part in path)
    numbers = [part for part in path if isinstance(part, int)]
    return fields, [number for number, index in zip(numbers, indices_along(fields, record)) if isinstance(index, Index)]


def indices_along(path, record):
    """The index types of the tables along a path in a record."""
    type_ = record
    for part in path:
        if part == "[]":
            yield type_.index
        type_ = type_.element if part == "[]" else type_.fields[part]


# ---- the questions


def same_answer(pair):
    """Return the condition that the caller is told the same: the status, and every word of the result."""
    one, other = pair.runs.values()
    status = pair.transition.status
    parts = [] if status is None else [bits.compare("==", one.status, other.status, status)]
    for cell in told(pair.transition):
        types = one.executor.index_types(cell)
        parts.append(
            bits.compare("==", one.after.read(cell, types, TOP), other.after.read(cell, types, TOP), cell.type)
        )
    return bits.conjoin(parts)


def told(transition):
    """Return every word that a caller is told through a gate."""
    if transition.component.gate is None:
        return []
    result = of_call(transition, RESULT)
    return [result.element(i) for i in range(result.type.length)]


def onlooker(component):
    """Return an arbitrary observer that looks through any slot: the variables and the sight."""
    types = [("?observer", component.actor), *([("?slot", slot_type(component.view))] if component.view.slots else [])]
    variables = [(name, type_, z3.Const(name, bits.sort(type_))) for name, type_ in types]
    return variables, Sight(tuple(term for _, _, term in variables))
