"""What does the link between two machines consist of? It consists of the cipher and of sessions over it."""

from corollary.codegen.program import Program
from corollary.model.link.aead import open_, seal
from corollary.model.link.exchange import introduce, meet
from corollary.model.link.session import arrive, begin, give_out, poll, submit

HOST = (seal, open_, introduce, meet, begin, submit, give_out, poll, arrive)
"""What a host calls. The rest is hidden in a shared library."""

LINK = Program(
    lambda: HOST,
    common=("corollary.spec.link.envelope", "corollary.spec.link.session"),
    typed=("corollary.spec.kernel.sha256", "corollary.spec.link.envelope", "corollary.spec.link.session"),
)
