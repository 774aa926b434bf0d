"""What does the kernel promise about proofs?"""

from spec.language.builtins import implies, wrapping_add
from spec.language.types import u64
from spec.memory import own_address, walk_permits
from spec.property import theorem
from spec.state import Call, Kernel, PageId, PartitionId, ProofRootId
from spec.vocabulary import Access, Status, Tier


def proved(operation):
    """Does the operation ask for a proof?"""
    return operation.tier >= Tier.P2


@theorem("PROOF-1", "each proof is accepted at most once: success advances the caller's nonce by one", about=proved)
def nonce_is_spent(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    old = before.partition[before.current].nonce
    new = after.partition[before.current].nonce
    return new == old + 1 if status == Status.OK else new == old


@theorem("PROOF-2", "a nonce never runs back, and nobody advances another's")
def nonce_is_own(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    old = before.partition[p].nonce
    new = after.partition[p].nonce
    return new >= old and implies(p != before.current or status != Status.OK, new == old)


@theorem("PROOF-10", "a proof is taken only from a page that the caller's own tables would have let it read", about=proved)
def proof_is_readable(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    page = PageId.truncate(call.argument[5])
    return implies(status == Status.OK, walk_permits(before, before.current, own_address(before, page), page, Access.READ))


@theorem("PROOF-8", "whoever asks is told the nonce that follows its own, and the proof root that binds it", about=("proof_inspect",))
def inspection_is_true(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    own = before.partition[before.current]
    return implies(status == Status.OK, call.result[0] == wrapping_add(u64, own.nonce, 1) and call.result[1] == u64(own.proof_root))


@theorem("PROOF-3", "an attested root changes only by a P3 proof against the root in force",
         about=lambda operation: operation.tier < Tier.P3)
def root_needs_p3(before: Kernel, after: Kernel, r: ProofRootId) -> bool:
    old = before.proof_root[r]
    new = after.proof_root[r]
    return old.root[0] == new.root[0] and old.root[1] == new.root[1] and old.root[2] == new.root[2] and old.root[3] == new.root[3]
