"""Does the promise of integrity cover the whole state? Any change of a scalar without authority breaks it."""

import pytest
import z3

from corollary.language.frontend import translate
from corollary.language.property import by_itself
from corollary.language.types import is_scalar
from corollary.model.kernel.promises import THEOREMS
from corollary.proofs import bits
from corollary.proofs.frame import scalars_of
from corollary.proofs.symbolic import TOP
from corollary.proofs.transition import Run
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.state import Call
from tests.proofs.kernel import place, still

LEAVES = {".".join(cell.path): (cell, indices) for cell, indices in scalars_of(place("s"))}
OF_CALLS = [theorem for theorem in THEOREMS.values() if theorem.about is None]
OF_EVENTS = [
    *(
        theorem
        for theorem in OF_CALLS
        if not {"call", "status"} & {p.name for p in translate(theorem.function).parameters}
    ),
    *(theorem for theorem in THEOREMS.values() if theorem.about is by_itself),
]
THE_KERNELS_OWN = {
    "epoch",
    "epoch_began",
    "kernel_records",
    "idle",
    "turn",
    "urges",
    "claim.[]",
    "device.[].kind",
}  # the fields that the kernel changes without a call
WITHOUT_HANDLES = next(declared for declared in OPERATIONS if not declared.handles)


def changed_alone(leaf):
    """Return a step that presents no handle and changes one scalar, anywhere in its table.

    The result also has the condition for the change.
    """
    run, (cell, _) = Run(still()), LEAVES[leaf]
    types = run.executor.index_types(cell)
    value = z3.Const("value", bits.sort(cell.type))
    old = run.before.read(cell, types, TOP)
    run.after = run.before.fork()
    run.after.write(place("call").field("operation", Call.fields["operation"]), WITHOUT_HANDLES.number, TOP)
    run.after.write(cell, value, TOP)
    return run, value != old


def notices(theorem, run, changed):
    """Can the theorem fail for the step?"""
    arguments = [
        place(p.name)
        if not is_scalar(p.type)
        else run.actor
        if p.name == "actor"
        else z3.Const("!" + p.name, bits.sort(p.type))
        for p in translate(theorem.function).parameters
    ]
    goal, _ = run.evaluate(theorem.function, arguments)
    solver = z3.SolverFor("QF_UFBV")
    solver.add(changed, bits.truth(bits.negate(goal)))
    return solver.check() == z3.sat


def noticed(leaf, theorems):
    """Does any of the theorems notice a change of one scalar alone?"""
    run, changed = changed_alone(leaf)
    return any(
        notices(theorem, run, changed)
        for theorem in sorted(theorems, key=lambda theorem: not theorem.id.startswith("INT-"))
    )


@pytest.mark.parametrize("leaf", LEAVES)
def test_a_call_that_changes_a_scalar_without_authority_breaks_a_promise(leaf):
    assert noticed(leaf, OF_CALLS)


@pytest.mark.parametrize("leaf", LEAVES)
def test_an_event_that_changes_what_is_not_the_kernels_own_breaks_a_promise(leaf):
    assert noticed(leaf, OF_EVENTS) == (leaf not in THE_KERNELS_OWN)
