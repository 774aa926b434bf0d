"""Does step consistency follow from the obligations about single steps? Asked of a step that does anything.

A system is weakly step consistent (Rushby 1992) if two states that are alike to an observer and to the actor are alike
to the observer after a step. Here the step leaves two states as it likes, and nothing is known of it but the goals of
the obligations about single steps, made by the functions that make them for every step. So what follows here follows
for every step of which those obligations are proved. Not even that states are valid is used.

Obligations are about all scalars and all observers. Each is used at one scalar of each field, with any indices, and
for one observer: those that the conclusion is about.
"""

import time
from typing import Any

import z3

from corollary.language.component import RESULT, STATE
from corollary.proofs import bits, second
from corollary.proofs.context import Context
from corollary.proofs.engine import EFFORT, Verdict
from corollary.proofs.frame import scalars_of
from corollary.proofs.pair import Pair, handles, of_call, onlooker, same_answer
from corollary.proofs.prove import ANSWER, CONSISTENT, LEFT, SHOWN, SIGHT, labelled
from corollary.proofs.symbolic import TOP, Unknown
from corollary.proofs.transition import Run, Transition, nothing, transitions
from corollary.proofs.unwinding import (
    cells_of,
    determined,
    disclosed,
    disclosing,
    handed_on,
    indices_of,
    released_after,
    same,
    secrets,
    told_by_sight,
    words_of,
)

OBSERVER, ACTOR, SAME_KEY, RELEASE = "alike to the observer", "alike to the actor", "the same key", "released alike"
OBLIGATIONS = (SIGHT.id, ANSWER.id, SHOWN.id, LEFT.id)
PREMISES = (OBSERVER, ACTOR, SAME_KEY, RELEASE, *OBLIGATIONS)


class AnyRun(Run):
    """A step that anybody takes from an arbitrary state to another one, with an arbitrary status and answer."""

    def __init__(self, transition, state, executor):
        super().__init__(transition, state, executor)
        for root in (self.place(STATE), *([of_call(transition, RESULT)] if self.component.gate else [])):
            for cell, _ in scalars_of(root):
                unknown = arbitrary(f"{state}'.{'.'.join(cell.path)}", self.executor.index_types(cell), cell.type)
                self.after.heads[cell.root, cell.path] = Unknown(TOP, (), unknown, None)
        self.status = transition.status and z3.Const(f"{state}'.status", bits.sort(transition.status))

    @property
    def actor(self):
        """Who acts: anybody, and the same in both runs."""
        return z3.Const("actor", bits.sort(self.component.actor))


def arbitrary(name, types, result):
    """Return an unknown value as a function of its indices."""
    function: Any = z3.Function(name, *map(bits.sort, types), bits.sort(result)) if types else None
    return lambda *indices: function(*map(bits.term, indices, types)) if types else z3.Const(name, bits.sort(result))


def questions(step):
    """Yield `(id, level, decide)` for each part of the state; `step` is the one that does nothing.

    It is asked of a component that says who sees what.
    """
    for part in step.component.view.parts if step.component.view else ():
        yield f"{step.transition.name}/{labelled(CONSISTENT, part)}", 3, lambda part=part: follows(step, part)


def kinds(component):
    """Return one step of each kind, with an arbitrary effect.

    Two steps are of one kind if they take handles in the same arguments and disclose the same.
    """
    found = {}
    for known in transitions(component):
        shows = tuple(row.name for row in disclosing(known))
        kind = Transition(known.name, nothing, known.operation, component=component)
        found.setdefault((*handles(known), shows), kind)
    return list(found.values())


def follows(step, part, without=()):
    """Decide step consistency for some tables of the state, for steps of every kind.

    `without` names premises that are left out.
    """
    start, result, reason = time.process_time(), "proved", ""
    for kind in kinds(step.component):
        premises, goal = argument(Pair(kind, run=AnyRun), part)
        answer = fails([premises[name] for name in PREMISES if name not in without], goal)
        if answer != z3.unsat:
            result, reason = (
                "refuted" if answer == z3.sat else "unknown",
                f"it does not follow for a step like {kind.name}",
            )
            break
    verdict = Verdict(result, time.process_time() - start, assumptions=OBLIGATIONS, reason=reason)
    id_ = f"{step.transition.name}/{labelled(CONSISTENT, part)}"
    return step.row(id_, 3, CONSISTENT.id, verdict, CONSISTENT.sentence)


def argument(pair, part):
    """Return the premises by name, and the conclusion.

    The conclusion: the states are alike to an observer after the step, or the step discloses something to it.
    """
    step, view = pair.transition, pair.view
    (_, sight), cells = onlooker(step.component), [cell for cell, _ in cells_of(step, part)]
    places = [*cells, *(word for table in view.parts[part] for word in words_of(step, table))]
    _, given, left = determined(pair, part)
    released, answer = released_after(pair, view.released), same_answer(pair)
    premises = {
        OBSERVER: likeness(pair, places, sight),
        ACTOR: bits.conjoin([likeness(pair, places, who) for who in pair.acting]),
        SAME_KEY: bits.conjoin([same(pair, word) for table in secrets(pair) for word in words_of(step, table)]),
        RELEASE: bits.conjoin(released),
        SIGHT.id: bits.conjoin(
            [
                told_by_sight(pair, row, who, indices_of(pair.first, cell))
                for cell in cells
                for row in view.implying(cell.path)
                for who in (sight, *pair.acting)
            ]
        ),
        ANSWER.id: answer,
        SHOWN.id: bits.conjoin([handed_on(run, part)[1] for run in pair.runs.values()]),
        LEFT.id: bits.disjoin([bits.negate(bits.conjoin([*given, *released, answer])), bits.conjoin(left)]),
    }
    shows = [disclosed(run, sight) for run in pair.runs.values()]
    return premises, bits.disjoin([*shows, likeness(pair, cells, sight, after=True)])


def likeness(pair, cells, sight, after=False):
    """Return the condition that some scalars are the same in both states if they are seen in either."""
    return bits.conjoin([pair.agree(cell, pair.first.executor.index_types(cell), sight, after) for cell in cells])


def fails(premises, goal):
    """Return the solver's answer to whether the goal can fail while the premises hold."""
    solver = Context().general()
    solver.set("rlimit", EFFORT)
    solver.add(*map(bits.truth, premises), bits.truth(bits.negate(goal)))
    answer = solver.check()
    if answer == z3.unsat:
        second.confirm(solver)
    return answer
