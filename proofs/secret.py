"""Does anything reveal the kernel's key? Two machines that differ only in the key answer alike, and are left alike.

This is noninterference with the key as the secret, by self-composition. The second run reads the same unknown state as
the first, except for its key. What does not depend on the key is the same term in both. Values that
`spec/kernel/observation.py` declares to be sealed under the key are excepted.
"""

import copy
from dataclasses import replace

import z3

from corollary.language.types import Index, u32
from corollary.language.values import difference
from corollary.proofs import bits
from corollary.proofs.engine import EFFORT, Question, number_in
from corollary.proofs.frame import scalars_of
from corollary.proofs.pair import split
from corollary.proofs.replay import hashes_as_supposed, take
from corollary.proofs.symbolic import TOP, Unknown
from corollary.proofs.transition import Run, place
from corollary.spec.kernel.observation import SEALED
from corollary.spec.kernel.state import Call, Kernel
from corollary.spec.kernel.vocabulary import Status

KEY = "KEY"
SENTENCE = (
    "two machines that differ in nothing but the key give the same answers and are left the same, "
    "sealed checkpoints excepted"
)
LEVEL = 3
WORDS = range(Kernel.fields["key"].length)
HOLDERS = ("s", "information")  # the objects that hold a key


class OtherKey(Run):
    """The same step from the same state, call and boot information, with another key."""

    def prepare(self, store):
        """Read another key wherever there is one."""
        for root in HOLDERS:
            store.heads[root, ("key", "[]")] = Unknown(TOP, (), other_key(root), None)


def other_key(root):
    """Return the words of the key that the second run reads in an object, as a function of their index."""
    return z3.Function(f"other.{root}.key", bits.sort(u32), bits.sort(u32))


def question(step, sealed=SEALED):
    """Decide the obligation of one step, and return its row."""
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
    if step.transition.hypercall:
        parts.append(bits.compare("==", step.unnamed.status, other.status, Status))
    verdict = Question(step.unnamed, step.invariants, EFFORT, list(variables.values())).decide(
        [*step.premises, *step.preconditions(other)], bits.conjoin(parts)
    )
    example = None
    if verdict.result == "refuted":
        example = replay_with_keys(witness(step, verdict), step.transition, verdict.candidate.hashes["model"])
        example.holds = not betrayed(example, sealed)
        if example.holds:
            verdict.result, verdict.reason = "unknown", "the candidate does not replay in the model"
    return step.row(f"{step.transition.name}/{KEY}", LEVEL, KEY, verdict, SENTENCE, counterexample=example)


def places(transition):
    """Yield every scalar of the state except the key, and, of a call, what its caller is told."""
    answers = [place("call").field("result", Call.fields["result"])] if transition.hypercall else []
    for reference in (place("s"), *answers):
        yield from ((cell, indices) for cell, indices in scalars_of(reference) if cell.path[0] != "key")


def excepted(step, cell, types, sealed):
    """Return the conditions under which a scalar is declared to be sealed under the key."""
    numbers = [index for index, type_ in zip(cell.indices, types) if isinstance(type_, Index)]
    return [
        step.unnamed.evaluate(row.function, [place("before"), place("call"), *numbers])[0]
        for row in sealed
        if row.table == cell.path[0] and step.transition.name in row.about
    ]


# ---- the same for a concrete step


def witness(step, verdict):
    """Return the step that the solver found; the words of the other key are among its scalars."""
    example = step.witness(verdict, KEY)
    for root in HOLDERS:
        words = {named(root, i): number_in(verdict.candidate.hashes["model"], other_key(root)(i)) for i in WORDS}
        example.scalars |= {name: word for name, word in words.items() if word}
    return example


def named(root, i):
    """Return the name of a word of the other key."""
    return f"other {root}.key[{i}]"


def replay_with_keys(example, transition, solver_model=None):
    """Take the step in Python with each of the keys, and fill in both endings."""
    first, second = copy.deepcopy(example.roots), copy.deepcopy(example.roots)
    for root in HOLDERS:
        for i in WORDS:
            second[root].key[i] = example.scalars.get(named(root, i), 0)
    with hashes_as_supposed(example.hashes, solver_model):
        example.status, example.other_status = [
            take(transition, replace(example, roots=roots), roots["s"], roots) for roots in (first, second)
        ]
    example.after, example.other_after = first["s"], second["s"]
    example.roots["call"], example.other_call = first["call"], second["call"]
    return example


def betrayed(example, sealed=SEALED):
    """Return `(path, one, other)` where the other key changes what a concrete step leaves or tells, but may not."""
    left = [each for each in difference(example.after, example.other_after) if not may_differ(example, each[0], sealed)]
    told = [each for each in difference(example.roots["call"], example.other_call) if each[0][0] == "result"]
    ended = [(("status",), example.status, example.other_status)] if example.status != example.other_status else []
    return [*ended, *told, *left]


def may_differ(example, path, sealed):
    """Is a concrete scalar the key, or sealed under it?"""
    _, indices = split(path)
    return path[0] == "key" or any(
        row.function(example.roots["s"], example.roots["call"], *indices)
        for row in sealed
        if row.table == path[0] and example.transition in row.about
    )
