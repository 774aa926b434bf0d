"""Does anything reveal the key? Two machines that differ only in the key answer alike, and are left alike.

This is noninterference with the key as the secret, by self-composition. The second run reads the same unknown state as
the first, except for its key. What does not depend on the key is the same term in both. Values that the component
declares to be sealed under the key are excepted.
"""

import copy
from dataclasses import replace

import z3

from corollary.language.component import BEFORE, CALL, RESULT, STATE
from corollary.language.types import Index
from corollary.language.values import difference
from corollary.proofs import bits
from corollary.proofs.engine import EFFORT, Question, numbers_in
from corollary.proofs.frame import scalars_of
from corollary.proofs.pair import of_call, split
from corollary.proofs.replay import hashes_as_supposed, take
from corollary.proofs.symbolic import TOP, Unknown, index_type
from corollary.proofs.transition import Run

KEY = "KEY"
SENTENCE = (
    "two machines that differ in nothing but the key give the same answers and are left the same, "
    "but for what is sealed under it"
)
LEVEL = 3


class OtherKey(Run):
    """The same step from the same state, call and boot information, with another key."""

    def prepare(self, store):
        """Read another key wherever there is one."""
        secret = self.component.secret
        for root, type_ in holders(self.component).items():
            store.heads[root, (secret, "[]")] = Unknown(TOP, (), other_key(root, type_), None)


def holders(component):
    """Return the type of the key in each object that holds one."""
    secret, roots = component.secret, component.roots
    return {root: type_.fields[secret] for root, type_ in roots.items() if secret in type_.fields}


def other_key(root, type_):
    """Return the words of the key that the second run reads in an object, as a function of their index."""
    return z3.Function(f"other.{root}.key", bits.sort(index_type(type_)), bits.sort(type_.element))


def question(step, sealed=None):
    """Decide the obligation of one step, and return its row."""
    sealed = declared(step.component) if sealed is None else sealed
    other = OtherKey(step.transition)
    variables, parts = {}, []
    for cell, indices in places(step.transition):
        types = step.unnamed.executor.index_types(cell)
        same = bits.compare(
            "==", step.unnamed.after.read(cell, types, TOP), other.after.read(cell, types, TOP), cell.type
        )
        if same is not True:
            variables.update({name: (name, type_, term) for name, type_, term in indices})
            parts.append(bits.disjoin([same, *excepted(step, cell, types, sealed)]))
    if step.transition.status is not None and step.unnamed.status is not None:
        parts.append(bits.compare("==", step.unnamed.status, other.status, step.transition.status))
    verdict = Question(step.unnamed, step.invariants, EFFORT, list(variables.values())).decide(
        [*step.premises, *step.preconditions(other)], bits.conjoin(parts)
    )
    example = None
    if verdict.result == "refuted":
        example = replay_with_keys(witness(step, verdict), step.transition, verdict.candidate.hashes["model"])
        example.holds = not betrayed(example, step.transition, sealed)
        if example.holds:
            verdict.result, verdict.reason = "unknown", "the candidate does not replay in the model"
    return step.row(f"{step.transition.name}/{KEY}", LEVEL, KEY, verdict, SENTENCE, counterexample=example)


def declared(component):
    """Return what is declared to be sealed under the key."""
    return component.view.sealed if component.view else ()


def places(transition):
    """Yield every scalar of the state except the key, and, of a call, what its caller is told."""
    answers = [of_call(transition, RESULT)] if transition.hypercall else []
    for reference in (transition.place(STATE), *answers):
        secret = transition.component.secret
        yield from ((cell, indices) for cell, indices in scalars_of(reference) if cell.path[0] != secret)


def excepted(step, cell, types, sealed):
    """Return the conditions under which a scalar is declared to be sealed under the key."""
    numbers = [index for index, type_ in zip(cell.indices, types) if isinstance(type_, Index)]
    return [
        step.unnamed.about(row.function, *numbers)
        for row in sealed
        if row.table == cell.path[0] and step.transition.name in row.about
    ]


# ---- the same for a concrete step


def witness(step, verdict):
    """Return the step that the solver found; the words of the other key are among its scalars."""
    example, model = step.witness(verdict, KEY), verdict.candidate.hashes["model"]
    for root, type_ in holders(step.component).items():
        word = other_key(root, type_)
        words = enumerate(numbers_in(model, [word(i) for i in range(type_.length)]))
        example.scalars |= {named(root, i): number for i, number in words if number}
    return example


def named(root, i):
    """Return the name of a word of the other key."""
    return f"other {root}.key[{i}]"


def replay_with_keys(example, transition, solver_model=None):
    """Take the step in Python with each of the keys, and fill in both endings."""
    first, second = copy.deepcopy(example.roots), copy.deepcopy(example.roots)
    component = transition.component
    for root, type_ in holders(component).items():
        for i in range(type_.length):
            getattr(second[root], component.secret)[i] = example.scalars.get(named(root, i), 0)
    with hashes_as_supposed(component, example.hashes, solver_model):
        example.status, example.other_status = [
            take(transition, replace(example, roots=roots), roots[STATE], roots) for roots in (first, second)
        ]
    example.after, example.other_after = first[STATE], second[STATE]
    if CALL in first:
        example.roots[CALL], example.other_call = first[CALL], second[CALL]
    return example


def betrayed(example, step, sealed=None):
    """Return `(path, one, other)` where the other key changes what a concrete step leaves or tells, but may not."""
    sealed = declared(step.component) if sealed is None else sealed
    changed = difference(example.after, example.other_after)
    left = [each for each in changed if not may_differ(example, step, each[0], sealed)]
    calls = difference(example.roots[CALL], example.other_call) if CALL in example.roots else ()
    told = [each for each in calls if each[0][0] == RESULT]
    ended = [(("status",), example.status, example.other_status)] if example.status != example.other_status else []
    return [*ended, *told, *left]


def may_differ(example, step, path, sealed):
    """Is a concrete scalar the key, or sealed under it?"""
    _, indices = split(path, step.component.state)
    objects = {**example.roots, BEFORE: example.roots[STATE]}
    return path[0] == step.component.secret or any(
        row.function(*step.given(row.function, objects.get, *indices))
        for row in sealed
        if row.table == path[0] and step.name in row.about
    )
