"""Does every promise say something, or does it hold vacuously? Some state must meet each of its cases.

A promise that reads `implies(premise, conclusion)`, or `if case: return conclusion`, is worthless when no state
satisfies the premise or reaches the case. For each of them the solver must find a state that satisfies all invariants.
For a theorem, this is a state before a step, and there must be such a step.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

from corollary.language import ir
from corollary.language.component import AFTER, ASKED, BEFORE, CALL, STATE
from corollary.language.frontend import translate
from corollary.language.reads import remembered
from corollary.language.types import boolean, is_scalar
from corollary.proofs import bits, witnesses
from corollary.proofs.engine import Search
from corollary.proofs.prove import ALWAYS, ANY_STATE, EFFORT, ObligationResult, Step, in_range
from corollary.proofs.replay import Contents, actor_of, replay
from corollary.proofs.symbolic import Executor
from corollary.proofs.transition import transitions

PREMISE, CASE = "premise", "case"


def cases(function):
    """Yield the cases of a boolean function: `(kind, node, side)` for each premise and each side of a branch.

    In the functions that it calls only the premises count: branches there compute values.
    """
    for node in ir.walk(function.body):
        if is_premise(node):
            yield PREMISE, node, True
        elif isinstance(node, ir.If):
            sides = (True, node.then), (False, node.other)
            yield from ((CASE, node, side) for side, body in sides if not is_constant(body))
        elif isinstance(node, ir.Conditional):
            yield from ((CASE, node, side) for side in (True, False))
        elif isinstance(node, ir.Return) and is_choice(node.value):
            yield CASE, node, False
    for callee in ir.below(function):
        yield from ((PREMISE, node, True) for node in ir.walk(callee.body) if is_premise(node))


def is_premise(node):
    """Is a node an implication?"""
    return isinstance(node, ir.Builtin) and node.name == "implies"


def is_constant(body):
    """Does a side of a branch only say that the promise holds there, or that it is broken?"""
    return len(body) == 1 and isinstance(body[0], ir.Return) and isinstance(body[0].value, ir.Literal)


def is_choice(value):
    """Is a value `a or b`, so that the last operand only matters where all others are false?"""
    return isinstance(value, ir.Logic) and value.op == "or"


class Cases(Executor):
    """An executor of a boolean function that records the condition under which each case counts."""

    def __init__(self, store, function):
        super().__init__(store)
        self.function, self.conditions = function, {}
        self.statement: Any = None
        self.around = ()

    def note(self, node, side, condition):
        """Record a case: it counts where its statement is reached and the enclosing conditions hold, too."""
        key, whole = (id(node), side), bits.conjoin([self.statement.term, *self.around, condition])
        self.conditions[key] = bits.disjoin([self.conditions.get(key, False), whole])

    def inside(self, condition, node, frame):
        """Return the value of a node that only counts under a condition."""
        outer, guard = self.around, frame.guard
        self.around, frame.guard = (*outer, condition), guard.extend(condition)
        value = self.value(node, frame)
        self.around, frame.guard = outer, guard
        return value

    def block(self, statements, frame):
        for statement in statements:
            outer, self.statement = self.statement, frame.guard
            super().block((statement,), frame)
            self.statement = outer

    def on_If(self, node, frame):
        condition = self.value(node.condition, frame)
        for side in (True, False):
            self.note(node, side, condition if side else bits.negate(condition))
        super().on_If(replace(node, condition=ir.Literal(condition, boolean)), frame)

    def on_Return(self, node, frame):
        if is_choice(node.value) and frame.function is self.function:
            others = [self.value(operand, frame) for operand in node.value.operands[:-1]]
            self.note(node, False, bits.negate(bits.disjoin(others)))
        super().on_Return(node, frame)

    def of_Conditional(self, node, frame):
        condition = self.value(node.condition, frame)
        sides = {True: condition, False: bits.negate(condition)}
        for side, counts in sides.items():
            self.note(node, side, counts)
        if bits.known(condition):
            return self.value(node.then if condition else node.other, frame)
        then, other = (
            self.inside(sides[side], chosen, frame) for side, chosen in ((True, node.then), (False, node.other))
        )
        return bits.choose(condition, then, other, node.type)

    def of_Builtin(self, node, frame):
        if not is_premise(node):
            return super().of_Builtin(node, frame)
        premise = self.value(node.arguments[0], frame)
        self.note(node, True, premise)
        if premise is False:
            return True
        return bits.disjoin([bits.negate(premise), self.inside(premise, node.arguments[1], frame)])


def questions(any_state):
    """Yield `(id, level, decide)` for every case of every promise, and for whether each theorem is about some step."""
    component = any_state.component
    for registry in (component.invariants, component.corollaries, component.theorems):
        for property_ in registry.values():
            numbers: Counter[str] = Counter()
            for kind, node, side in cases(translate(property_.function)):
                numbers[kind] += 1
                id_ = f"{ANY_STATE}/{property_.id}-{kind}-{numbers[kind]}"
                yield id_, 1, lambda p=property_, c=(id(node), side), i=id_: decide(p, c, i, any_state)
    for property_ in component.theorems.values():
        yield f"{ANY_STATE}/{property_.id}-speaks", 1, lambda property_=property_: speaks(property_, component)


def speaks(property_, component):
    """Decide whether a theorem is about some step, and names no step that does not exist."""
    named = property_.about if isinstance(property_.about, (tuple, str)) else ()
    steps = {transition.name for transition in transitions(component)}
    wrong = sorted(set([named] if isinstance(named, str) else named) - steps)
    reason = (
        f"it names {', '.join(wrong)}, which is no step"
        if wrong
        else ""
        if any(transition.speaks(property_) for transition in transitions(component))
        else "no step is asked for it"
    )
    return ObligationResult(
        f"{ANY_STATE}/{property_.id}-speaks",
        1,
        property_.id,
        ANY_STATE,
        "refuted" if reason else "proved",
        0.0,
        f"{property_.id} is asked of some step",
        reason=reason,
    )


def decide(property_, case, id_, any_state):
    """Find a valid state in which a case counts; for a theorem, a state before a step. The model must agree."""
    sentence = f"{id_.split('/')[1]} can be met"
    kept = witnesses.shown(id_, lambda example: shows(example, property_, case, any_state), any_state.component)
    if kept:
        state, spent = kept
        return ObligationResult(
            id_, 1, property_.id, ANY_STATE, "proved", spent, sentence, solver=witnesses.SOLVER, state=state
        )
    result, reason, spent, found = "refuted", "", 0.0, None
    verdict: Any = None
    step: Any = None
    for step in steps_for(property_, any_state):
        verdict = sought(property_, case, step)
        result, reason, spent = OPPOSITE[verdict.result], verdict.reason, spent + verdict.seconds
        if result == "proved":
            break
    if result == "proved":
        example = step.witness(verdict, property_.id)
        if not met(example, step.transition, property_, case, verdict.candidate.hashes["model"]):
            result, reason = "unknown", "the state that was found does not meet it in the model"
        found = witnesses.written(example)
    if result == "refuted":
        reason = "no state meets it: the promise says nothing there"
    return ObligationResult(id_, 1, property_.id, ANY_STATE, result, spent, sentence, reason=reason, state=found)


def sought(property_, case, step):
    """Ask the solver to prove that the case counts in no valid state before a step."""
    function, quantified = translate(property_.function), step.fresh(property_)
    found = Cases(step.run.readable(step.state_of(property_)), function)
    found.run(function, step.arguments(property_, quantified))
    return Search(step.run, step.invariants, EFFORT, quantified).decide(
        [*step.premises, *in_range(quantified), found.conditions.get(case, False)], False
    )


def shows(example, property_, case, any_state):
    """Is a kept state valid, and does a case count in it, or in the step that is taken from it?"""
    transition = step_of(example, property_, any_state)
    if transition is None or not witnesses.is_met(example, transition, any_state.invariants):
        return False
    witnesses.returned(example, transition)  # records what the step reads
    return met(example, transition, property_, case)


OPPOSITE = {"refuted": "proved", "proved": "refuted", "unknown": "unknown"}


def met(example, transition, property_, case, solver_model=None):
    """Does the case count in a state and the step that the model takes from it?"""
    function, asked = translate(property_.function), example.roots.get(CALL)
    example = replay(replace(example, roots=dict(example.roots)), transition, ALWAYS, solver_model)
    asked = {ASKED: asked} if asked is not None else {}
    objects = {**example.roots, BEFORE: example.roots[STATE], AFTER: example.after, **asked}
    found = Cases(Contents(objects), function)
    given = {**example.scalars, **{f"?{name}": value for name, value in example.scalars.items()}}
    given |= {"?status": example.status, "?actor": actor_of(example, transition)}
    found.run(
        function,
        [
            p.type.coerce(given["?" + p.name]) if is_scalar(p.type) else transition.place(p.name)
            for p in function.parameters
        ],
    )
    return found.conditions.get(case) is True


def step_of(example, property_, any_state):
    """Return the step that a state is meant for, if the promise is about that step; else None."""
    if property_.id not in any_state.component.theorems:
        return any_state.transition
    asked = (transition for transition in transitions(any_state.component) if transition.speaks(property_))
    return next((transition for transition in asked if transition.name == example.transition), None)


def steps_for(property_, any_state):
    """Yield the steps in which a case may be met: any state, or, for a theorem, each step that it is about."""
    if property_.id not in any_state.component.theorems:
        yield any_state
        return
    for transition in transitions(any_state.component):
        if transition.speaks(property_):
            yield taken(transition)


@remembered
def taken(transition):
    """Return a step, executed symbolically once for all questions about it."""
    return Step(transition)
