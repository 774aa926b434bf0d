"""Which programs are built into libraries of functions, besides the VM?"""

from typing import NamedTuple

from corollary.codegen import governance, link, store, vectors
from corollary.codegen.program import Program


class Library(NamedTuple):
    """A program, the functions of it that a host calls, and what it is called in texts."""

    program: Program
    host: tuple
    owner: str


LIBRARIES = {
    "store": Library(store.STORE, store.HOST, "the store"),
    "link": Library(link.LINK, link.HOST, "the link"),
    "governance": Library(governance.GOVERNANCE, governance.HOST, "governance"),
    "vectors": Library(vectors.VECTORS, vectors.HOST, "the store of vectors"),
}
"""By the folder of their C."""
