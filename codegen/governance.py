"""What does governance consist of? Its operations, and how actions and trust lead to rings, for a host to call."""

from corollary.codegen.program import Program
from corollary.model.governance.component import GOVERNANCE as COMPONENT
from corollary.spec.governance.words import admitted, effective_ring, required_ring
from corollary.spec.ring import ring_for

HOST = (*COMPONENT.functions, effective_ring, admitted, required_ring, ring_for)
"""What a host calls. The rest is hidden in a shared library."""

GOVERNANCE = Program(
    lambda: HOST,
    common=("corollary.spec.ring", "corollary.spec.governance.limits"),
    typed=("corollary.spec.ring", "corollary.spec.governance.vocabulary", "corollary.spec.governance.state"),
)
