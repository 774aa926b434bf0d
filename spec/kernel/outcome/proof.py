"""What do the operations on proofs do, and when did the caller mean what they do?"""

from corollary.language.builtins import wrapping_add
from corollary.language.property import ensures, succeeds
from corollary.language.types import u8, u64
from corollary.language.values import local
from corollary.spec.kernel.limits import PAGES
from corollary.spec.kernel.outcome.admission import (
    has_room,
    has_token,
    holds_on,
    leads,
    led_to,
    may_call,
    scored,
    subject,
)
from corollary.spec.kernel.outcome.words import gives_words, tells
from corollary.spec.kernel.proof import carries, digest_of_binding, digest_of_call, digest_of_commit, leads_to
from corollary.spec.kernel.sha256 import Digest
from corollary.spec.kernel.state import Call, Handle, Kernel, Ordinal, PageId, PartitionId, ProofRootId
from corollary.spec.kernel.vocabulary import ObjectKind, Right, Ring

# ---- words


def is_shown(s: Kernel, call: Call) -> bool:
    """Is the proof in a page of the caller that it may read itself?"""
    return call.argument[5] < PAGES and gives_words(s, PageId.truncate(call.argument[5]))


def is_meant(s: Kernel, call: Call) -> bool:
    """Does a page of the caller hold its commitment to exactly this call, now and once?"""
    digest = local(Digest)
    digest_of_call(s, call, digest)
    return is_shown(s, call) and carries(s, call, 2, digest)


def pair_is_meant(s: Kernel, call: Call) -> bool:
    """The same for a call whose second handle says who is meant, too."""
    digest = local(Digest)
    digest_of_binding(s, call, digest)
    return is_shown(s, call) and carries(s, call, 2, digest)


def binding_is_meant(s: Kernel, call: Call) -> bool:
    """The same for a root that is bound to a partition, with a path to the root that binds the caller."""
    digest = local(Digest)
    digest_of_binding(s, call, digest)
    return (
        is_shown(s, call)
        and carries(s, call, 3, digest)
        and leads_to(s, call, digest, s.partition[s.current].proof_root)
    )


def commit_is_meant(s: Kernel, call: Call) -> bool:
    """The same for a root that is put in force, with a path to the root that it replaces."""
    digest = local(Digest)
    digest_of_commit(s, call, digest)
    return is_shown(s, call) and carries(s, call, 3, digest) and leads_to(s, call, digest, root_named(s, call))


def root_named(s: Kernel, call: Call) -> ProofRootId:
    """The proof root that the first register leads to."""
    return ProofRootId.truncate(s.capability[subject(s, call)].object)


def may_attest(s: Kernel, call: Call, ring: Ring, rights: Right) -> bool:
    """Is the call let through, in this ring by scores alone, on a proof root with these rights?"""
    return has_room(s) and has_token(s, call) and scored(s, ring) and holds_on(s, call, ObjectKind.PROOF_ROOT, rights)


def counts_proof(before: Kernel, after: Kernel, q: PartitionId) -> bool:
    """Has the caller used up one more proof, and nobody else any?"""
    return after.partition[q].nonce == before.partition[q].nonce + (1 if q == before.current else 0)


# ---- operations


@succeeds("proof_inspect")
def inspect_is_allowed(before: Kernel, call: Call) -> bool:
    return may_call(before, call, Ring.SANDBOX)


@ensures(
    "proof_inspect", "the caller is told the nonce of its next proof, and the root that binds it", changes=("result",)
)
def inspect_is_exact(before: Kernel, call: Call, after: Kernel) -> bool:
    own = before.partition[before.current]
    return tells(call, wrapping_add(u64, own.nonce, 1), u64(own.proof_root), 0)


@succeeds("proof_root_propose")
def propose_is_allowed(before: Kernel, call: Call, position: u8, value: u64) -> bool:
    return may_attest(before, call, Ring.STANDARD, Right.WRITE) and position < 4


@ensures("proof_root_propose", "the word named of the pending root is the one named", changes=("proof_root.pending",))
def propose_is_exact(
    before: Kernel, call: Call, after: Kernel, position: u8, value: u64, r: ProofRootId, part: Ordinal
) -> bool:
    written = r == root_named(before, call) and part == position
    return after.proof_root[r].pending[part] == (value if written else before.proof_root[r].pending[part])


@succeeds("proof_root_bind")
def bind_is_allowed(before: Kernel, call: Call, into: Handle) -> bool:
    return (
        may_attest(before, call, Ring.STANDARD, Right.GRANT | Right.PROVE)
        and binding_is_meant(before, call)
        and leads(before, into, Right.WRITE)
    )


@ensures(
    "proof_root_bind",
    "the root binds the partition named; the proof is used up",
    changes=("partition.proof_root", "partition.nonce"),
)
def bind_is_exact(before: Kernel, call: Call, after: Kernel, into: Handle, q: PartitionId) -> bool:
    named = q == led_to(before, into)
    root = root_named(before, call) if named else before.partition[q].proof_root
    return after.partition[q].proof_root == root and counts_proof(before, after, q)


@succeeds("proof_root_commit")
def commit_is_allowed(before: Kernel, call: Call) -> bool:
    return may_attest(before, call, Ring.PRIVILEGED, Right.WRITE | Right.PROVE) and commit_is_meant(before, call)


@ensures(
    "proof_root_commit",
    "the pending words of the root named are in force; the proof is used up",
    changes=("proof_root.root", "partition.nonce"),
)
def commit_is_exact(before: Kernel, call: Call, after: Kernel, r: ProofRootId, part: Ordinal, q: PartitionId) -> bool:
    old = before.proof_root[r]
    word = old.pending[part] if r == root_named(before, call) else old.root[part]
    return after.proof_root[r].root[part] == word and counts_proof(before, after, q)
