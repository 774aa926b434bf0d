"""Does a proof notice a mistake in the model? One step is executed with the mistake, and its obligations decided.

The properties are read without the mistake, even where they share a function with the kernel. An obligation
whose formula is the same as without the mistake is proved already: formulas are compared as terms, and all
else that decides an obligation is the same.
"""

import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import z3

from language.types import LanguageError
from model.kernel.operation import check_guards
from proofs import bits, prove
from proofs.engine import Question
from proofs.prove import Step
from proofs.transition import transitions

EFFORT = 20_000_000     # steps of the solver for one obligation, or for several together
TOGETHER = 12           # obligations that are looked at together first
PATIENCE = 60.0         # seconds of computing for a look at each by itself


@dataclass
class Formula:
    """What an obligation says: premises, goal, and the variables that both speak of."""

    premises: tuple
    goal: object
    variables: dict

    def same(self, other):
        """Is it the same as another one, or as none?"""
        if other is None or len(self.premises) != len(other.premises):
            return False
        return all(a.eq(b) for a, b in zip((*self.premises, self.goal), (*other.premises, other.goal)))


class _Formula(Exception):
    """Carries the terms of an obligation out of its decision."""


class _Terms(Question):
    """A question that is only written down."""

    def decide(self, premises, goal):
        raise _Formula(Formula(tuple(map(bits.truth, premises)), bits.truth(goal), self.variables))


class _NothingKept:
    """In place of the states that are kept: the solver is asked for every one."""

    @staticmethod
    def shown(id_, shows):
        """None shows anything."""


@contextmanager
def swapped(**values):
    """Names of `proofs.prove` with other values while the context lasts."""
    before = {name: getattr(prove, name) for name in values}
    vars(prove).update(values)
    try:
        yield
    finally:
        vars(prove).update(before)


@lru_cache(maxsize=None)
def judge_of(name):
    """The judge of a step, once for each process."""
    return Judge(name)


class Judge:
    """Knows the formulas of a step without mistakes, and decides those that a mistake changes."""

    def __init__(self, name):
        self.transition = next(t for t in transitions() if t.name == name)
        self.step = Step(self.transition)
        self.formulas = formulas(self.step)

    def verdict(self, mutant, patient=False):
        """The id of what notices the mistake, or None: the check of the front end, then the proofs, together or one by one."""
        with mutant.applied():
            try:
                if self.transition.operation is not None:
                    check_guards(self.transition.operation)
            except LanguageError as refusal:
                return f"front-end: {str(refusal).splitlines()[0]}"
            try:
                step = Step(self.transition)
            except Exception:  # the mistake makes a program that has no meaning; the differential may tell more
                return None
        red = self.one_by_one(step) if patient else self.red(step)
        return f"proof: {red}" if red else None

    def red(self, step):
        """The id of an obligation of the step that does not hold, or None if no group of them tells."""
        for group in grouped(self.changed(step)):
            result, id_ = tried(lambda: together(step, group))
            if result == "refuted":
                return id_
        return None

    def one_by_one(self, step):
        """The same, each obligation by itself, as long as patience lasts."""
        start = time.process_time()
        for id_, _, decide in self.changed(step):
            if time.process_time() - start > PATIENCE:
                return None
            with swapped(EFFORT=EFFORT, replay=believed):
                if tried(lambda: (decide().result, id_))[0] == "refuted":
                    return id_
        return None

    def changed(self, step):
        """`(id, formula, decide)` of the obligations that say something else than without the mistake, theorems first."""
        new = formulas(step)
        questions = sorted(of_one_run(step), key=lambda question: (question[1] == 1, -question[1]))
        return [(id_, new[id_], decide) for id_, _, decide in questions if not new[id_].same(self.formulas.get(id_))]


def tried(decide):
    """What a decision says; a mistake may bring the solver to a state that cannot be, which decides nothing."""
    try:
        return decide()
    except Exception:  # an index outside an array, above all
        return "unknown", None


def grouped(changed):
    """The obligations in groups that can be decided together: as many premises, not too many."""
    groups = {}
    for item in changed:
        groups.setdefault(tuple(term.get_id() for term in item[1].premises), []).append(item)
    return [group[at:at + TOGETHER] for group in groups.values() for at in range(0, len(group), TOGETHER)]


def together(step, group):
    """`(result, id)` of several obligations with the same premises at once; the id of one that is refuted."""
    variables = [(f"{name}:{type_.name}", type_, term) for _, formula, _ in group
                 for name, (type_, term) in formula.variables.items()]
    question = Question(step.run, step.invariants, EFFORT, variables)
    verdict = question.decide(group[0][1].premises, z3.And(*(formula.goal for _, formula, _ in group)))
    first = group[0][0]
    if "/reaches-" in first:        # a state is asked for: none is bad news
        return {"refuted": "proved", "proved": "refuted"}.get(verdict.result, "unknown"), first
    if verdict.result != "refuted":
        return verdict.result, None
    model = verdict.candidate.hashes["model"]
    false = (id_ for id_, formula, _ in group if z3.is_false(model.eval(formula.goal, model_completion=True)))
    return "refuted", next(false, first)


def of_one_run(step):
    """The obligations of a step about one run of it; those about two cost more than a mutant is worth."""
    return [question for question in step.questions() if not prove.is_about_two_runs(question[0])]


def formulas(step):
    """The formula of every obligation of a step about one run, by its id."""
    found, usual = {}, step.question
    step.question = _Terms
    with swapped(Question=_Terms, witnesses=_NothingKept):
        for id_, _, decide in of_one_run(step):
            try:
                decide()
            except _Formula as formula:
                found[id_] = formula.args[0]
    step.question = usual
    return found


def believed(example, transition, property_, solver_model=None, judged=None):
    """A candidate as the solver has it: the model in Python lacks the mistake and cannot replay it."""
    example.holds, example.status = False, _Any()
    return example


class _Any:
    """A status equal to any."""

    name = "any"

    def __eq__(self, other):
        return True

    __hash__ = None
