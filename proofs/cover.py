"""Does every promise have something to say? Each premise of a property must be met by some state.

A property that reads `implies(premise, conclusion)` is worthless when no state satisfies the premise. For
each premise the solver must find a state that satisfies all invariants; for theorems, one before a step.
"""

from dataclasses import replace

from model.promises import COROLLARIES, INVARIANTS, THEOREMS
from proofs.engine import Question
from proofs.prove import ALWAYS, EFFORT, Row, Step, in_range
from proofs.replay import Contents, actor_of, replay
from proofs.symbolic import Executor
from proofs.transition import place, transitions
from spec.language import ir
from spec.language.frontend import translate
from spec.language.reads import remembered
from spec.language.types import boolean, is_scalar


def premises(function):
    """The premises in the result of a boolean function: each with those around it, outermost first."""
    result = function.body[-1]
    return list(_premises(result.value, ())) if isinstance(result, ir.Return) else []


def _premises(node, above):
    if isinstance(node, ir.Logic) and node.op == "and":
        for operand in node.operands:
            yield from _premises(operand, above)
    elif isinstance(node, ir.Builtin) and node.name == "implies":
        yield (*above, node.arguments[0])
        yield from _premises(node.arguments[1], (*above, node.arguments[0]))


def premise_function(function, conditions):
    """The function that computes whether the given premises hold."""
    whole = conditions[0] if len(conditions) == 1 else ir.Logic("and", conditions, boolean)
    return replace(function, body=(*function.body[:-1], replace(function.body[-1], value=whole)))


def questions(any_state):
    """Yield `(id, level, decide)` for every premise of every property."""
    for registry in (INVARIANTS, COROLLARIES, THEOREMS):
        for property_ in registry.values():
            for number, conditions in enumerate(premises(translate(property_.function))):
                id_ = f"any state/{property_.id}-premise-{number + 1}"
                yield id_, 1, lambda p=property_, c=conditions, i=id_: decide(p, c, i, any_state)


def decide(property_, conditions, id_, any_state):
    """Find a whole state, for a theorem one before a step, in which the premise holds; the model must say so, too."""
    function, spent = premise_function(translate(property_.function), conditions), 0.0
    for step in steps_for(property_, any_state):
        quantified = step.fresh(property_)
        value, _ = step.run.evaluate(function, step.arguments(property_, quantified), step.state_of(property_))
        verdict = Question(step.run, step.invariants, EFFORT, quantified).decide([*step.premises, *in_range(quantified), value], False)
        spent += verdict.seconds
        if verdict.result == "refuted":
            break
    result = {"refuted": "proved", "proved": "refuted", "unknown": "unknown"}[verdict.result]
    reason = verdict.reason or ("" if result == "proved" else "no state meets the premise: the property says nothing")
    if result == "proved" and not met(step, property_, function, verdict):
        result, reason = "unknown", "the state that was found does not meet the premise in the model"
    return Row(id_, 1, property_.id, "any state", result, spent, f"the premise of {property_.id} can be met", reason=reason)


def met(step, property_, function, verdict):
    """Does the premise hold of the state that was found, and of the step that the model takes from it?"""
    example = replay(step.witness(verdict, property_.id), step.transition, ALWAYS, verdict.candidate.hashes["model"])
    before = example.roots["s"]
    contents = Contents({"s": before, "before": before, "after": example.after, "call": example.roots["call"]})
    scalars = example.scalars | {"?status": example.status, "?actor": actor_of(example, step.transition)}
    return Executor(contents).run(function, [scalars["?" + p.name] if is_scalar(p.type) else place(p.name) for p in function.parameters]) is True


def steps_for(property_, any_state):
    """The steps in which a premise may be met: any state, or those that a theorem speaks of, one by one."""
    if property_.id not in THEOREMS:
        yield any_state
        return
    for transition in transitions():
        if transition.speaks(property_):
            yield taken(transition)


@remembered
def taken(transition):
    """A step, executed symbolically once for all that it is asked."""
    return Step(transition)
