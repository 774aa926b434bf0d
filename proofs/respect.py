"""Does a call leave alone every partition on which it presents no handle? That is local respect (Rushby 1992), NI-1.

What such a partition sees by itself does not change. There is one run of one call. The goal covers every scalar of the
state, at fresh indices, and any partition that exists, is not the caller, and is named by none of the call's handles.
"""

import z3

from corollary.language.component import AFTER, BEFORE, CALL, STATE
from corollary.language.observation import is_about
from corollary.language.types import Index
from corollary.language.values import difference
from corollary.proofs import bits
from corollary.proofs.frame import scalars_of
from corollary.proofs.pair import asked_of, split
from corollary.proofs.replay import actor_of
from corollary.proofs.symbolic import TOP

BYSTANDER = "?bystander"


def exceptions(path, interferences):
    """Return the predicates that say how a call may change the scalar at a path nonetheless."""
    return [row.function for row in interferences if is_about(row, path)]


def respect_goal(run, interferences=None):
    """Return `(variables, goal)`: what a bystander sees by itself is as before, except for the interferences."""
    view, actor = run.component.view, run.component.actor
    interferences = view.interferences if interferences is None else interferences
    bystander = z3.Const(BYSTANDER, bits.sort(actor))
    variables, parts = {BYSTANDER: (BYSTANDER, actor, bystander)}, []
    for cell, indices in scalars_of(run.place(STATE)):
        types = run.executor.index_types(cell)
        same = bits.compare("==", run.after.read(cell, types, TOP), run.before.read(cell, types, TOP), cell.type)
        if same is True:
            continue
        variables.update({name: (name, type_, term) for name, type_, term in indices})
        typed = [index for index, type_ in zip(cell.indices, types) if isinstance(type_, Index)]
        look = view.look_alone(bystander)
        seen = [run.about(sees, *look, *typed, state=run.before) for sees in view.observing(cell.path)]
        allowed = [run.about(function, bystander, *typed) for function in exceptions(cell.path, interferences)]
        parts.append(bits.disjoin([bits.negate(bits.disjoin(seen)), *allowed, same]))
    return list(variables.values()), bits.disjoin([involved(run, bystander), bits.conjoin(parts)])


def involved(run, p):
    """Return the condition that there is no such observer, that it is the caller, or that the call names it."""
    view, type_ = run.component.view, run.component.actor
    exists = run.about(view.exists, p, state=run.before) if view.exists else True
    if run.transition.hypercall:
        named = [run.about(view.names, p, state=run.before)] if view.names else []
    else:
        given = (run.scalars[name] for name in asked_of(run.transition))
        named = [bits.compare("==", term, p, type_) for each, term in given if each is type_]
    return bits.disjoin([bits.negate(exists), p == run.actor, *named])


# ---- the same for a concrete step


def disturbed(example, step, interferences=None):
    """Return the paths that a bystander sees by itself and a concrete call changed, though it does not name it."""
    view, before, p = step.component.view, example.roots[STATE], example.scalars[BYSTANDER]
    interferences = view.interferences if interferences is None else interferences
    objects = {**example.roots, BEFORE: before, AFTER: example.after}
    if is_involved(example, step, p):
        return []
    found = []
    for path, _, _ in difference(before, example.after):
        fields, indices = split(path, type(before))
        rows = exceptions(fields, interferences)
        allowed = any(function(*step.given(function, objects.get, p, *indices)) for function in rows)
        if not allowed and any(sees(before, *view.look_alone(p), *indices) for sees in view.observing(fields)):
            found.append(path)
    return found


def is_involved(example, step, p):
    """Is there no such observer in a concrete state, is it the caller, or does the call name it?"""
    view, before = step.component.view, example.roots[STATE]
    if step.hypercall:
        named = view.names is not None and view.names(before, example.roots[CALL], p)
    else:
        given = step.operation.parameters if step.operation else ()
        named = any(example.scalars[name] == p for name, type_ in given if type_ is step.component.actor)
    return p == actor_of(example, step) or named or (view.exists is not None and not view.exists(before, p))
