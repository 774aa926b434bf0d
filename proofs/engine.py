"""How is one obligation decided? With instances of the invariants, added where a candidate state breaks them.

At first the solver only knows what the step itself says. A candidate model is turned into a concrete state, and
the invariants are evaluated on it in Python. Each one that fails is added as an instance at the symbolic indices behind
it, and the solver is asked again. `unsat` is a proof for all states, since it used fewer assumptions than there are. A
candidate that breaks nothing at the rows looked at is then checked at all rows. What it breaks is added for just these
rows. What is left is a valid state.
"""

import itertools
import time
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import z3

from corollary.language.component import CALL, STATE
from corollary.language.frontend import translate
from corollary.language.reads import guessing
from corollary.language.types import Index, is_scalar
from corollary.language.values import ArrayValue
from corollary.proofs import bits, second
from corollary.proofs.context import Context
from corollary.proofs.symbolic import belongs
from corollary.proofs.whole import broken, fill_log, index_types, log_of

Z3 = f"z3 {z3.get_version_string()}"
ROUNDS = 400
SOON = 3_000_000  # solver steps, some half a second: then the second solver is asked
SEEDS = 20  # more than the steps last for, unless Z3 gives up before it has taken any
OFTEN = 3  # times in vain until it is not asked any more
IN_BITS = 64_000_000  # solver steps
EFFORT = 240_000_000  # solver steps for one question, some 45 s: with a time limit, proofs would depend on the machine
COMBINATIONS = 4000
INSTANCES = 16  # of one invariant for one candidate: most are about rows that do not matter
EVERYWHERE = 400  # instances of all invariants at rows that the step does not name
ALL_FALSE = 0  # an option of the solver: try 0 first for a bit
FEW = 6  # pages of a partition where it does not matter: with fewer, a valid state is found sooner


@dataclass
class Verdict:
    """What the solver said: `proved`, `refuted` or `unknown`, with the candidate state if refuted."""

    result: str
    seconds: float
    rounds: int = 0
    assumptions: tuple = ()
    candidate: Any = None
    reason: str = ""
    solver: str = Z3


@dataclass
class Candidate:
    """A concrete state, call and scalars that the solver proposes."""

    roots: dict
    scalars: dict = field(default_factory=dict)
    hashes: dict = field(default_factory=dict)


class Question:
    """One question to the solver about a run: may `goal` fail while `premises` hold?"""

    patience = 24_000_000  # solver steps for a first answer; nearly all answers need fewer
    options: ClassVar = {}  # of its solvers
    aided = True  # may another solver be asked?

    def __init__(self, run, invariants, effort=EFFORT, quantified=()):
        self.run, self.invariants, self.effort = run, invariants, effort
        self.component = run.component
        self.counted, self.listing, self.spare = self.component.lists or ("", "", 0)
        self.variables = {name: (type_, term) for name, type_, term in quantified}
        self.context = Context()
        self.solver, self.formulas = self.new_solver(), []
        self.instances, self.seen, self.relevant, self.told = {}, set(), [], 0
        self.reads, self.fields, self.noted, self.mentioned = {}, {}, {}, {}
        self.hints, self.hints_given = [], set()
        self.defined = set()
        self.in_vain, self.solved_by = 0, Z3  # how often the second solver was; who found the last contradiction

    def new_solver(self):
        """Return an empty solver.

        It is told that more questions follow; otherwise it would prepare a long search before the first one.
        """
        solver = self.context.solver()
        solver.set(**self.options)
        solver.push()
        return solver

    def decide(self, premises, goal):
        """Prove `premises => goal`, or find a state that satisfies the invariants and breaks it."""
        start, limit = time.process_time(), self.context.spent() + self.effort
        if goal is True:  # the goal folds to this where the step touches nothing
            return self.verdict("proved", start, 0)
        for premise in (*premises, bits.negate(goal)):
            self.assume(bits.truth(premise))
        for round_ in range(ROUNDS):
            self.add_facts()
            left = limit - self.context.spent()
            if left <= 0:
                return self.verdict("unknown", start, round_, reason=f"the solver has taken {self.effort} steps")
            answer = self.ask(left)
            if answer == z3.unsat:
                second.confirm(self.untouched())
                return self.verdict("proved", start, round_)
            if answer == z3.unknown:
                return self.verdict("unknown", start, round_, reason=self.solver.reason_unknown())
            candidate = self.concretize(self.solver.model())
            if not self.refine(candidate):
                self.rest_on_all()
                return self.verdict("refuted", start, round_, candidate=candidate)
        return self.verdict("unknown", start, ROUNDS, reason="too many rounds")

    def rest_on_all(self):
        """Record that the result rests on every invariant: a valid state satisfies them all."""
        for property_ in self.invariants.values():
            translate(property_.function)

    def ask(self, steps):
        """Return a solver's answer, within a number of steps of Z3.

        A search may go astray. Then another way is tried, unless it was in vain too often, and after that Z3 again,
        each time with a higher limit and another seed. Where no other way is tried, no search is stopped for one: Z3
        would begin it anew.
        """
        limit, patience, answer = self.context.spent() + steps, self.patience, z3.unknown
        if self.may_be_aided():
            answer = self.search(min(SOON, steps))
            if answer == z3.unknown and self.is_refuted_otherwise():
                return z3.unsat
        for seed in range(SEEDS):
            left = limit - self.context.spent()
            if answer != z3.unknown or left <= 0:
                break
            if seed:
                self.restart(seed)
            answer = self.search(min(patience, left))
            patience = patience * 3 // 2
        return answer

    def search(self, steps):
        """Return Z3's answer within a number of steps; hints that contradict what is asked are dropped."""
        while True:
            self.solver.set("rlimit", steps)
            answer = self.solver.check(*self.hints)
            misled = self.solver.misled(self.hints) if answer == z3.unsat else ()
            if not misled:
                return answer
            del self.hints[max(misled)]

    def may_be_aided(self):
        """Is another way tried where Z3 goes astray? After some times in vain it is not any more."""
        return self.aided and self.in_vain < OFTEN

    def is_refuted_otherwise(self):
        """Does the second solver find a contradiction or, where that judges Z3, a search of Z3 in bits?"""
        judged = second.asked()
        found = self.in_bits() == z3.unsat if judged else second.refutes(self.untouched())
        self.in_vain += not found
        self.solved_by = second.name() if found and not judged else Z3
        return found

    def untouched(self):
        """Return a solver with all that was asserted, before Z3 has rewritten any of it."""
        solver = self.context.general()
        solver.add(*self.formulas)
        return solver

    def in_bits(self):
        """Return Z3's answer when it takes words apart at once: short where much of two runs is nearly the same."""
        solver = self.context.solver(
            "simplify", "propagate-values", "solve-eqs", "ackermannize_bv", "simplify", "bit-blast", "sat"
        )
        solver.set("rlimit", IN_BITS)
        solver.add(*self.formulas)
        return solver.check()

    def restart(self, seed=0, **options):
        """Start over with a solver that prepares a long search."""
        self.solver = self.context.solver()
        self.solver.set(random_seed=seed, **self.options, **options)
        self.solver.add(*self.formulas)

    def verdict(self, result, start, rounds, candidate=None, reason=""):
        spent, assumed = time.process_time() - start, tuple(self.instances.values())
        return Verdict(result, spent, rounds, assumed, candidate, reason, self.solved_by)

    @property
    def runs(self):
        """The runs that the question is about, by the root of their states."""
        return {STATE: self.run}

    def tell(self, formula):
        """Add a formula to the solver, and keep it: not every solver keeps what it was given."""
        self.solver.add(formula)
        self.formulas.append(formula)

    def assume(self, formula):
        """Add a formula to the solver, and record which fields of the pre-states it mentions."""
        self.tell(formula)
        for root, run in self.runs.items():
            numbered = run.before.numbered()
            for number, field_, read in itertools.islice(numbered, self.noted.get(root, 0), None):
                self.reads[number] = read
                self.fields.setdefault(field_, read)
            self.noted[root] = len(numbered)
        unseen = bits.unseen(formula, self.seen)
        self.relevant += filter(None, (self.reads.get(number) or self.moved(formula, node) for number, node in unseen))

    def moved(self, formula, node):
        """Return what is read by a term that a stored value became at other indices: no step has read it there."""
        read = self.fields.get(bits.declaration(formula, node))
        if read is None:
            return None
        root, reference, types, _, _ = read
        value = bits.expression(formula, node)
        return root, replace(reference, indices=tuple(value.children())), types, value.children(), value

    def add_facts(self):
        """Add the ranges of values that the types of all mentioned fields admit."""
        for _, reference, _, _, value in self.relevant[self.told :]:
            if not reference.type.exact:
                self.tell(belongs(value, reference.type))
        self.told = len(self.relevant)

    # ---- candidates

    def concretize(self, model):
        """Return the state that a model of the solver describes, on the rows that matter."""
        roots = {**self.component.roots, **dict.fromkeys(self.runs, self.component.state)}
        candidate = Candidate({name: type_() for name, type_ in roots.items()})
        self.values = {}
        scalars = {**self.run.scalars, **self.variables}
        terms = [term for *_, arguments, value in self.relevant for term in (*arguments, value)]
        numbers = iter(numbers_in(model, [*terms, *(term for _, term in scalars.values())]))
        for root, reference, types, arguments, _ in self.relevant:
            indices = list(itertools.islice(numbers, len(arguments)))
            for type_, argument, index in zip(types, arguments, indices):
                self.stand_for(type_, index, argument)
            store(candidate.roots[root], reference, indices, next(numbers))
        for (name, (type_, term)), number in zip(scalars.items(), numbers):
            candidate.scalars[name] = number
            if isinstance(type_, Index):
                self.stand_for(type_, number, term)
        for reference, number in self.fixed_calls():
            store(candidate.roots[CALL], reference, [], number)
        candidate.hashes = {"model": model}
        self.mentioned = {root: set(log_of(candidate.roots[root], self.component)) for root in self.runs}
        return candidate

    def stand_for(self, type_, index, term):
        """Remember the term behind an index.

        The first term that is not a number is kept: what is assumed about it holds whatever its value is.
        """
        terms = self.values.setdefault(type_, {})
        if index not in terms or (z3.is_bv_value(terms[index]) and not z3.is_bv_value(term)):
            terms[index] = term

    def fixed_calls(self):
        operation = self.run.transition.operation
        if operation is not None and self.run.transition.hypercall:
            yield self.run.place(CALL).field("operation", self.run.call["operation"]), operation.number

    def refine(self, candidate):
        """Add what the candidate breaks; False if its state, or each of its states, is valid."""
        if self.run.transition.from_zero:
            return self.define(candidate) or self.define()
        return self.refine_near(candidate) or self.define(candidate) or self.define() or self.refine_anywhere(candidate)

    def definitions(self):
        """Return `(name, value)` of everything that has a name in the runs."""
        names = (run.before.shared.get("names", {}) for run in self.runs.values())
        return [(name.name, name.value) for known in names for name in known.values()]

    def define(self, candidate=None):
        """Define the names to which a candidate gives other values; without a candidate, define all names in use.

        False if all of them are defined.
        """

        def agree(name, value):
            return candidate and z3.is_true(candidate.hashes["model"].eval(name == value, model_completion=True))

        new = [
            (name, value)
            for name, value in self.definitions()
            if name.get_id() in self.seen and name.get_id() not in self.defined and not agree(name, value)
        ]
        for name, value in new:
            self.defined.add(name.get_id())
            self.assume(name == value)
        return bool(new)

    def refine_near(self, candidate):
        """Add every invariant that the candidate breaks at the terms behind its indices; False if it breaks none."""
        with guessing():
            found = [
                (root, run, property_, [term for _, term in combination])
                for root, run in self.runs.items()
                for property_ in self.invariants.values()
                for combination in itertools.islice(self.broken_near(property_, candidate.roots[root]), INSTANCES)
            ]
        return any([self.instantiate(*each) for each in found])

    def broken_near(self, property_, s):
        """Yield the mentioned indices at which a candidate breaks an invariant, each with the term behind it."""
        holds = property_.function
        for combination in self.combinations(index_types(property_)):
            if not holds(s, *(index for index, _ in combination)):
                yield combination

    def refine_anywhere(self, candidate):
        """Add every invariant that the candidate breaks at any index; False if none is broken."""
        if self.hint_at_few():
            return True
        found = []
        for root, run in self.runs.items():
            fill_log(candidate.roots[root], self.mentioned[root], self.component)
            with guessing():
                everywhere = itertools.islice(broken(candidate.roots[root], self.invariants.values()), EVERYWHERE)
                found += [(root, run, property_, indices) for property_, indices in everywhere]
        added = any([self.instantiate(*each) for each in found])
        if added:
            self.hint_at_rows(candidate.hashes["model"])
        return added

    def hint_at_few(self):
        """Hint that lists are short and sets empty, to find such states first; was any hint new?"""
        return any(
            [
                self.hint(z3.ULE(value, FEW if reference.path[-1] == self.counted else 0), ("few", value.get_id()))
                for _, reference, _, _, value in list(self.relevant)
                if reference.path[-1] == self.counted or reference.path[0] in self.component.sets
            ]
        )

    def hint_at_rows(self, model):
        """Let the solver look near a candidate first.

        The same rows matter, and lists are filled with rows that nothing else names.
        """
        for _, reference, _, arguments, value in list(self.relevant):
            for term in (
                *arguments,
                *(
                    [value]
                    if reference.path[-1] == self.counted and ("few", value.get_id()) in self.hints_given
                    else ()
                ),
            ):
                if not z3.is_bv_value(term):
                    self.hint(term == model.eval(term, model_completion=True), term.get_id())
            if (
                reference.path[0] == self.listing
                and z3.is_bv_value(arguments[0])
                and self.hint(value == self.spare - 1, value.get_id())
            ):
                self.spare -= 1

    def hint(self, wanted, key):
        """Let the solver assume something as long as it contradicts nothing. Was the hint new?"""
        if key in self.hints_given:
            return False
        self.hints_given.add(key)
        hint = z3.FreshBool("hint")
        self.tell(z3.Implies(hint, wanted))
        self.hints.append(hint)
        return True

    def combinations(self, types):
        """Return combinations of the candidate's indices of the given types, each with the term behind it."""
        choices = [list(self.values.get(type_, {}).items()) for type_ in types]
        return itertools.islice(itertools.product(*choices), COMBINATIONS)

    def instantiate(self, root, run, property_, terms):
        """Assume one invariant about the state before the step, at some indices. Was the instance new?"""
        key = (
            root,
            property_.id,
            *(int(term) if bits.known(term) else term.get_id() for term in terms),
            *map(bits.known, terms),
        )
        if key in self.instances:
            return False
        value, _ = run.evaluate(property_.function, [run.place(STATE), *terms], run.before)
        self.instances[key] = property_.id
        self.assume(bits.truth(value))
        return True


class Search(Question):
    """A question that hopes for a state: it is soonest found among those that hold as little as can be."""

    options: ClassVar = {"phase_selection": ALL_FALSE}
    aided = False  # what finds contradictions alone finds no state


class Unnamed(Question):
    """A question in which names may stand for any value.

    It is quick to prove what holds whatever the names stand for. It refutes nothing.
    """

    def define(self, candidate=None):
        """Define no names."""
        return False

    def refine_anywhere(self, candidate):
        """Add nothing: a candidate is not a valid state anyway."""
        return False


def numbers_in(model, terms):
    """The values of terms in a model."""
    found = iter(model.numbers([term for term in terms if not bits.known(term)]))
    return [int(term) if bits.known(term) else next(found) for term in terms]


def store(value, reference, indices, number):
    """Set the scalar that a reference names inside a concrete record."""
    remaining = iter(indices)
    *path, last = reference.path
    for part in path:
        value = value[next(remaining)] if part == "[]" else getattr(value, part)
    if isinstance(value, ArrayValue):
        value[next(remaining)] = number if not is_scalar(value.type.element) else value.type.element.coerce(number)
    else:
        setattr(value, last, number)
