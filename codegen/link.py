"""What does the link between two machines consist of? It consists of the cipher and of sessions over it."""

from corollary.codegen.program import Program
from corollary.model.link.aead import open_, seal

HOST = (seal, open_)
"""What a host calls. The rest is hidden in a shared library."""

LINK = Program(lambda: HOST, common=("corollary.spec.link.envelope",), typed=("corollary.spec.link.envelope",))
