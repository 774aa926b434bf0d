"""Does anything tell of the kernel's key? Two machines that differ in nothing else answer alike, and are left alike.

The second run reads the same unknown state as the first, but for its key; what does not depend on the key is the same
term in both. What is declared in `spec/observation.py` to be sealed under the key is excepted.
"""

import z3

from proofs import bits
from proofs.engine import EFFORT, Question
from proofs.frame import scalars_of
from proofs.symbolic import TOP, Unknown
from proofs.transition import Run, place
from spec.language.types import Index, u32
from spec.observation import SEALED
from spec.state import Call
from spec.vocabulary import Status

KEY = "KEY"
SENTENCE = "two machines that differ in nothing but the key give the same answers and are left the same, sealed checkpoints excepted"
LEVEL = 3


class OtherKey(Run):
    """The same step from the same state, call and boot information, with another key."""

    def prepare(self, store):
        """Read another key, wherever there is one."""
        for root in ("s", "information"):
            store.heads[root, ("key", "[]")] = Unknown(TOP, (), z3.Function(f"other.{root}.key", bits.sort(u32), bits.sort(u32)), None)


def question(step, sealed=SEALED):
    """The row of one step."""
    other = OtherKey(step.transition)
    variables, parts = {}, []
    for cell, indices in places(step.transition):
        types = step.unnamed.executor.index_types(cell)
        same = bits.compare("==", step.unnamed.after.read(cell, types, TOP), other.after.read(cell, types, TOP), cell.type)
        if same is not True:
            variables.update({name: (name, type_, term) for name, type_, term in indices})
            parts.append(bits.disjoin([same, *excepted(step, cell, types, sealed)]))
    if step.transition.hypercall:
        parts.append(bits.compare("==", step.unnamed.status, other.status, Status))
    verdict = Question(step.unnamed, step.invariants, EFFORT, list(variables.values())).decide(
        [*step.premises, *step.preconditions(other)], bits.conjoin(parts))
    return step.row(f"{step.transition.name}/{KEY}", LEVEL, KEY, verdict, SENTENCE)


def places(transition):
    """Every scalar of the state but the key, and, of a call, what its caller is told."""
    answers = [place("call").field("result", Call.fields["result"])] if transition.hypercall else []
    for reference in (place("s"), *answers):
        yield from ((cell, indices) for cell, indices in scalars_of(reference) if cell.path[0] != "key")


def excepted(step, cell, types, sealed):
    """The conditions under which a scalar is declared to be sealed under the key."""
    numbers = [index for index, type_ in zip(cell.indices, types) if isinstance(type_, Index)]
    return [step.unnamed.evaluate(row.function, [place("before"), place("call"), *numbers])[0]
            for row in sealed if row.table == cell.path[0] and step.transition.name in row.about]
