"""Does a proof notice a mistake in the model? One step is executed with the mistake, and its obligations are decided.

The properties are read without the mistake, even where they share a function with the model. An obligation whose
formula the mistake leaves unchanged is already proved: formulas are compared as terms, and everything else that
decides an obligation is the same.
"""

import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import z3

from corollary.language.component import STATE
from corollary.language.types import LanguageError
from corollary.proofs import bits, prove
from corollary.proofs.engine import Question
from corollary.proofs.frame import scalars_of
from corollary.proofs.prove import Step
from corollary.proofs.symbolic import TOP
from corollary.proofs.transition import Run

EFFORT = 60_000_000  # solver steps for one obligation, or for several together; one of twelve often takes 30 million
TOGETHER = 12  # obligations that are tried together first
PATIENCE = 60.0  # seconds of computing for trying them one by one


@dataclass
class Formula:
    """An obligation as a formula: premises, goal, and the variables that both use."""

    premises: tuple
    goal: Any
    variables: dict

    def same(self, other):
        """Is the formula the same as another one? None is never the same."""
        if other is None or len(self.premises) != len(other.premises):
            return False
        return all(a.eq(b) for a, b in zip((*self.premises, self.goal), (*other.premises, other.goal)))


class _Formula(Exception):
    """Carries the terms of an obligation out of its decision."""


class _Terms(Question):
    """A question that is recorded, not decided."""

    def decide(self, premises, goal):
        raise _Formula(Formula(tuple(map(bits.truth, premises)), bits.truth(goal), self.variables))


class _NothingKept:
    """A replacement for the saved states: it has none, so the solver is asked for every one."""

    @staticmethod
    def shown(id_, shows, component):
        """Return None: no saved state shows anything."""


@contextmanager
def swapped(**values):
    """Give names of `corollary.proofs.prove` other values while the context lasts."""
    before = {name: getattr(prove, name) for name in values}
    prove.__dict__.update(values)
    try:
        yield
    finally:
        prove.__dict__.update(before)


class Judge:
    """The judge of a step: knows its formulas without mistakes, and decides those that a mistake changes."""

    def __init__(self, transition):
        self.transition, self.step = transition, Step(transition)
        self.formulas = formulas(self.step)

    def verdict(self, mutant, patient=False):
        """Return what notices the mistake, or None.

        The front end checks first. Then come the proofs: together, or one by one if `patient`.
        """
        with mutant.applied():
            try:
                if self.transition.operation is not None and self.transition.component.demands:
                    self.transition.component.demands(self.transition.operation)
            except LanguageError as refusal:
                return f"front-end: {str(refusal).splitlines()[0]}"
            try:
                step = Step(self.transition)
            except Exception:  # the mutant has no meaning as a program; the differential test may tell more
                return None
        red = self.one_by_one(step) if patient else self.red(step)
        return f"proof: {red}" if red else None

    def red(self, step):
        """Return the id of an obligation of the step that does not hold, or None if no group is refuted."""
        for group in grouped(self.changed(step)):
            result, id_ = tried(lambda: together(step, group))
            if result == "refuted":
                return id_
        return None

    def one_by_one(self, step):
        """Do the same with each obligation by itself, as long as patience lasts."""
        start = time.process_time()
        for id_, _, decide in self.changed(step):
            if time.process_time() - start > PATIENCE:
                return None
            with swapped(EFFORT=EFFORT, replay=believed):
                if tried(lambda: (decide().result, id_))[0] == "refuted":
                    return id_
        return None

    def of_two_runs(self, mutant):
        """Return what notices the mistake among the obligations about two runs, or None: each takes its time."""
        with mutant.applied():
            step = Step(self.transition)
            questions = [each for each in step.questions() if prove.is_about_two_runs(each[0])]
            for id_, _, decide in questions if step.component.view else ():
                with swapped(replay=believed, replay_both=refuted):
                    try:
                        result = decide().result
                    except _Refuted:
                        result = "refuted"
                if result == "refuted":
                    return f"proof: {id_}"
        return None

    def is_equivalent(self, mutant):
        """Does the step end the same with the mistake, from every state?"""
        with mutant.applied():
            other = Run(self.transition)
        variables, parts = {}, []
        for cell, indices in scalars_of(self.transition.place(STATE)):
            types = self.step.unnamed.executor.index_types(cell)
            one, two = [run.after.read(cell, types, TOP) for run in (self.step.unnamed, other)]
            parts.append(bits.compare("==", one, two, cell.type))
            variables.update({name: (name, type_, term) for name, type_, term in indices})
        if self.step.unnamed.status is not None:
            parts.append(bits.compare("==", self.step.unnamed.status, other.status, self.transition.status))
        question = Question(self.step.unnamed, self.step.invariants, EFFORT, list(variables.values()))
        return question.decide(self.step.premises, bits.conjoin(parts)).result == "proved"

    def changed(self, step):
        """Yield `(id, formula, decide)` of the obligations that the mistake changes, theorems first."""
        for id_, _, decide in sorted(of_one_run(step), key=lambda question: (question[1] == 1, -question[1])):
            formula = formula_of(step, decide)
            if not formula.same(self.formulas.get(id_)):
                yield id_, formula, decide


def tried(decide):
    """Return the result of a decision.

    A mistake may lead the solver into an impossible state, which decides nothing.
    """
    try:
        return decide()
    except Exception:  # above all, an index outside an array
        return "unknown", None


def grouped(changed):
    """Yield groups of obligations that can be decided together: the same premises, and not too many."""
    groups = {}
    for item in changed:
        premises = tuple(term.get_id() for term in item[1].premises)
        group = groups.setdefault(premises, [])
        group.append(item)
        if len(group) == TOGETHER:
            yield groups.pop(premises)
    yield from groups.values()


class Suspicion(Question):
    """A question about a mistake: it is expected to be refuted, so a solver that only proves would search in vain."""

    aided = False


def together(step, group):
    """Decide several obligations with the same premises at once; return `(result, id)` with one that is refuted."""
    variables = [
        (f"{name}:{type_.name}", type_, term)
        for _, formula, _ in group
        for name, (type_, term) in formula.variables.items()
    ]
    question = Suspicion(step.run, step.invariants, EFFORT, variables)
    verdict = question.decide(group[0][1].premises, z3.And(*(formula.goal for _, formula, _ in group)))
    first = group[0][0]
    if "/reaches-" in first:  # it asks for a state: finding none is bad
        return {"refuted": "proved", "proved": "refuted"}.get(verdict.result, "unknown"), first
    if verdict.result != "refuted":
        return verdict.result, None
    model = verdict.candidate.hashes["model"]
    false = (id_ for id_, formula, _ in group if z3.is_false(model.eval(formula.goal, model_completion=True)))
    return "refuted", next(false, first)


def of_one_run(step):
    """Return the obligations of a step about one run; those about two cost more than a mutant is worth."""
    return [question for question in step.questions() if not prove.is_about_two_runs(question[0])]


def formulas(step):
    """Return the formula of every obligation of a step about one run, by its id."""
    return {id_: formula_of(step, decide) for id_, _, decide in of_one_run(step)}


def formula_of(step, decide) -> Any:
    """Return the formula that an obligation would be decided by."""
    usual, step.question = step.question, _Terms
    try:
        with swapped(Question=_Terms, Search=_Terms, witnesses=_NothingKept):
            decide()
    except _Formula as formula:
        return formula.args[0]
    finally:
        step.question = usual
    raise AssertionError("an obligation about one run was decided without a question")


def believed(example, transition, property_, solver_model=None, judged=None):
    """Accept the solver's candidate: the model in Python lacks the mistake and cannot replay it."""
    example.holds, example.status = False, _Any()
    return example


class _Refuted(Exception):
    """Says that the solver has found a candidate about two runs."""


def refuted(*_):
    """Stop at the solver's candidate: the model in Python lacks the mistake."""
    raise _Refuted


class _Any:
    """A status that equals every other."""

    name = "any"

    def __eq__(self, other):
        return True
