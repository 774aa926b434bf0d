"""Does a call leave alone every partition on which it presents no handle? That is local respect (Rushby 1992), NI-1.

What such a partition sees by itself does not change. There is one run of one call. The goal covers every scalar of the
state, at fresh indices, and any partition that exists, is not the caller, and is named by none of the call's handles.
"""

import z3

from corollary.language.types import Index
from corollary.language.values import difference
from corollary.proofs import bits
from corollary.proofs.frame import scalars_of
from corollary.proofs.pair import observations, split
from corollary.proofs.symbolic import TOP
from corollary.proofs.transition import place
from corollary.spec.kernel.integrity import acts_on
from corollary.spec.kernel.observation import ALONE, INTERFERENCES
from corollary.spec.kernel.state import PartitionId
from corollary.spec.kernel.vocabulary import ALL_RIGHTS, PartitionState


def exceptions(path, interferences):
    """Return the predicates that say how a call may change the scalar at a path nonetheless."""
    return [row.function for row in interferences if row.table == path[0] and (not row.only or path[2] in row.only)]


def respect_goal(run, interferences=INTERFERENCES):
    """Return `(variables, goal)`: what a bystander sees by itself is as before, except for the interferences."""
    bystander = z3.Const("?bystander", bits.sort(PartitionId))
    variables, parts = {"?bystander": ("?bystander", PartitionId, bystander)}, []
    for cell, indices in scalars_of(place("s")):
        types = run.executor.index_types(cell)
        same = bits.compare("==", run.after.read(cell, types, TOP), run.before.read(cell, types, TOP), cell.type)
        if same is True:
            continue
        variables.update({name: (name, type_, term) for name, type_, term in indices})
        typed = [index for index, type_ in zip(cell.indices, types) if isinstance(type_, Index)]
        seen = [
            run.evaluate(sees, [place("s"), bystander, ALONE, *typed], run.before)[0]
            for sees in observations(cell.path)
        ]
        allowed = [
            run.evaluate(function, [place("before"), place("call"), place("after"), bystander, *typed])[0]
            for function in exceptions(cell.path, interferences)
        ]
        parts.append(bits.disjoin([bits.negate(bits.disjoin(seen)), *allowed, same]))
    return list(variables.values()), bits.disjoin([involved(run, bystander), bits.conjoin(parts)])


def disturbed(example, interferences=INTERFERENCES):
    """Return the paths that a bystander sees by itself and a concrete call changed, though no handle names it."""
    before, call, after, p = example.roots["s"], example.roots["call"], example.after, example.scalars["?bystander"]
    if (
        p == before.current
        or before.partition[p].state == PartitionState.VACANT
        or acts_on(before, call, p, ALL_RIGHTS)
    ):
        return []
    found = []
    for path, _, _ in difference(before, after):
        fields, indices = split(path)
        allowed = any(function(before, call, after, p, *indices) for function in exceptions(fields, interferences))
        if not allowed and any(sees(before, p, ALONE, *indices) for sees in observations(fields)):
            found.append(path)
    return found


def involved(run, p):
    """Return the condition that a partition is vacant, is the caller, or is named by a handle of the call."""
    state = place("s").field("partition", place("s").type.fields["partition"]).element(p)
    state = state.field("state", PartitionState)
    vacant = bits.compare(
        "==", run.before.read(state, run.executor.index_types(state), TOP), int(PartitionState.VACANT), PartitionState
    )
    named, _ = run.evaluate(acts_on, [place("s"), place("call"), p, int(ALL_RIGHTS)], run.before)
    return bits.disjoin([vacant, p == run.actor, named])
