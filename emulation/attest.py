"""Which P3 proof does the host allow before boot? A Merkle tree of calls, hashed by the model itself."""

from dataclasses import dataclass

from corollary.language.values import local
from corollary.model.kernel.boot import SLOT_PROOF_ROOTS, boot
from corollary.model.kernel.proof import hash_leaf, hash_pair, mutation_digest
from corollary.spec.kernel.capability import capability_id
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import PAGES, PROOF_ROOTS, REGION_BITS, ROOT
from corollary.spec.kernel.sha256 import Digest, word_of
from corollary.spec.kernel.state import BootInformation, Call, Kernel

PROPOSED = (1, 2, 3, 4)  # the root that root proposes
COMMIT_PAGE = PAGES - (1 << REGION_BITS)  # where root keeps its proofs: the first page of the last region


@dataclass(frozen=True)
class Attested:
    """A root and the path to it from one leaf. Nodes are four words in memory order."""

    root: tuple
    path: tuple
    position: int
    page: int
    proposed: tuple = PROPOSED


def words(digest):
    """Return the four words of a digest as they lie in memory."""
    return tuple(word_of(digest, i) for i in range(4))


def proposing(number):
    """Return a booted kernel in which the proposed root waits in one proof root."""
    s = Kernel()
    boot(s, BootInformation())
    for position, value in enumerate(PROPOSED):
        s.proof_root[number].pending[position] = value
    return s


def leaf(number):
    """Return the leaf that admits the commit of one proof root as the first proof of the root partition."""
    declared = next(declared for declared in OPERATIONS if declared.name == "proof_root_commit")
    call, digest, node = Call(operation=declared.number), local(Digest), local(Digest)
    call.capability = capability_id(ROOT, SLOT_PROOF_ROOTS + number)
    mutation_digest(proposing(number), call, declared.handles, declared.replaces_root, digest)
    hash_leaf(digest, node)
    return node


def pair(left, right):
    """Return the inner node above two nodes."""
    node = local(Digest)
    hash_pair(left, right, node)
    return node


def attested():
    """Build the tree over the commits of all proof roots; return its root and the path of the first leaf."""
    level, path = [leaf(i) for i in range(PROOF_ROOTS)], []
    while len(level) > 1:
        path.append(words(level[1]))
        level = [pair(level[i], level[i + 1]) for i in range(0, len(level), 2)]
    return Attested(words(level[0]), tuple(path), 0, COMMIT_PAGE)
