"""Which P3 proof does the host allow before boot? A Merkle tree of calls, hashed by the model itself."""

from dataclasses import dataclass

from model.boot import SLOT_PROOF_ROOTS
from model.proof import hash_leaf, hash_pair, mutation_digest
from model.sha256 import Digest, word_of
from spec.language.values import local
from spec.limits import PAGES, PROOF_ROOTS, REGION_BITS
from spec.operation import OPERATIONS
from spec.state import Call

PROPOSED = (1, 2, 3, 4)     # the root that root proposes
COMMIT_PAGE = PAGES - (1 << REGION_BITS)    # where root keeps its proofs: the first page of the last region


@dataclass(frozen=True)
class Attested:
    """A root, and the way to it from one leaf; nodes as four words in memory order."""

    root: tuple
    path: tuple
    position: int
    page: int
    proposed: tuple = PROPOSED


def words(digest):
    """The four words of a digest as they lie in memory."""
    return tuple(word_of(digest, i) for i in range(4))


def leaf(handle):
    """The leaf that admits the commit of one proof root."""
    number = next(declared.number for declared in OPERATIONS if declared.name == "proof_root_commit")
    call, digest, node = Call(operation=number), local(Digest), local(Digest)
    for position, value in enumerate((handle, *PROPOSED[:2])):
        call.argument[position] = value
    call.argument[5] = COMMIT_PAGE
    mutation_digest(call, digest)
    hash_leaf(digest, node)
    return node


def pair(left, right):
    """The inner node above two nodes."""
    node = local(Digest)
    hash_pair(left, right, node)
    return node


def attested():
    """The tree over the commits of all proof roots, and the path of the first."""
    level, path = [leaf(SLOT_PROOF_ROOTS + i) for i in range(PROOF_ROOTS)], []
    while len(level) > 1:
        path.append(words(level[1]))
        level = [pair(level[i], level[i + 1]) for i in range(0, len(level), 2)]
    return Attested(words(level[0]), tuple(path), 0, COMMIT_PAGE)
