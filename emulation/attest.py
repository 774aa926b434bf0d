"""Which P3 proofs does the host allow before boot? A Merkle tree of calls and modules, hashed by the model itself."""

import hashlib
from dataclasses import dataclass

from corollary.language.values import local
from corollary.model.kernel.boot import SLOT_PROOF_ROOTS, boot
from corollary.model.kernel.proof import hash_leaf, hash_pair, mutation_digest
from corollary.spec.kernel.capability import capability_id
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import LINE_WORDS, PAGES, PART_LINES, PROOF_ROOTS, REGION_BITS, ROOT
from corollary.spec.kernel.sha256 import Digest, word_of
from corollary.spec.kernel.state import BootInformation, Call, Kernel

PROPOSED = (1, 2, 3, 4)  # the root that root proposes
PART = 8 * LINE_WORDS * PART_LINES  # bytes of a module that the kernel measures at a time
COMMIT_PAGE = PAGES - (1 << REGION_BITS)  # where root keeps its proofs: the first page of the last region


@dataclass(frozen=True)
class Leaf:
    """Where a leaf is in the tree. The nodes of the path are four words each, in memory order.

    `word` has the first eight bytes of the hash of a module.
    """

    path: tuple
    position: int
    word: int = 0


@dataclass(frozen=True)
class Attested:
    """A root, and the leaves of the commit of the first proof root and of modules below it."""

    root: tuple
    commit: Leaf
    modules: tuple = ()
    page: int = COMMIT_PAGE
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


def measured(module):
    """Return the digest of a module as the kernel measures it: in whole parts, the last one filled with zeros."""
    found, digest = hashlib.sha256(module + bytes(-len(module) % PART)).digest(), local(Digest)
    for i in range(8):
        digest[i] = int.from_bytes(found[4 * i : 4 * i + 4], "big")
    return digest


def leaf_of(module):
    """Return the leaf that admits agents of a module."""
    node = local(Digest)
    hash_leaf(measured(module), node)
    return node


def attested(modules=()):
    """Build the tree over the commits of all proof roots and over modules, as bytes."""
    leaves = [leaf(i) for i in range(PROOF_ROOTS)] + [leaf_of(module) for module in modules]
    levels = [filled(leaves)]
    while len(levels[-1]) > 1:
        levels.append([pair(*levels[-1][i : i + 2]) for i in range(0, len(levels[-1]), 2)])

    def at(position, word=0):
        return Leaf(
            tuple(words(level[position >> depth ^ 1]) for depth, level in enumerate(levels[:-1])), position, word
        )

    known = tuple(
        at(position, int(word_of(measured(module), 0))) for position, module in enumerate(modules, start=PROOF_ROOTS)
    )
    return Attested(words(levels[-1][0]), at(0), known)


def filled(leaves):
    """Return the leaves, the last one repeated until their number is a power of two."""
    return leaves + leaves[-1:] * ((1 << (len(leaves) - 1).bit_length()) - len(leaves))
