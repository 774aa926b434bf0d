"""What do tests of the prover ask of the kernel? Its objects, its parts, and the step that does nothing."""

from corollary.model.kernel.component import KERNEL
from corollary.proofs.symbolic import Reference
from corollary.proofs.transition import Transition, nothing

PARTS = KERNEL.view.parts


def place(name):
    """Return a reference to a whole object of the kernel."""
    return Reference(name, (), (), KERNEL.types[name])


def still(name="any state", from_zero=False):
    """Return the step that does nothing."""
    return Transition(name, nothing, from_zero=from_zero, component=KERNEL)
