"""What does the kernel promise about proofs, and how does a page hold one?

A proof of tier P2 is a commitment: its caller meant exactly this call, once, now. The authority is the right PROVE; a
caller that holds it writes the page itself. A proof of tier P3 also shows that an attested root foresaw the call. The
promises spell out what is hashed. They share with the gate how SHA-256 is computed, and nothing else.
"""

from corollary.language.builtins import byte_swap, implies, saturating_sub, wrapping_add
from corollary.language.property import theorem
from corollary.language.types import Array, u8, u32, u64
from corollary.language.values import local
from corollary.spec.kernel.capability import capability_id, handle_slot
from corollary.spec.kernel.limits import MERKLE_LEVELS, PAGES, PROOF_WINDOW, SELF
from corollary.spec.kernel.memory import is_mappable, own_address, walk_permits
from corollary.spec.kernel.packed import Halves, ObjectName
from corollary.spec.kernel.sha256 import Block, Digest, PairId, begin, compress, end, put, word_of
from corollary.spec.kernel.state import Call, CapabilityId, EntryId, Handle, Kernel, PageId, PartitionId, ProofRootId
from corollary.spec.kernel.vocabulary import Access, ObjectKind, Right, Status, Tier

# words of a page that holds a proof; the first four are the digest of the mutation
PROOF_NONCE = 4
PROOF_TIER = 5
PROOF_FROM = 6  # ns
PROOF_UNTIL = 7  # ns
PROOF_OBJECT = 8
PROOF_POSITION = 9  # of the leaf
PROOF_LEVELS = 10
PROOF_PATH = 16  # siblings, four words a level from the leaf upwards

Meant = Array[u64, 14]


def proved(operation):
    """Does the operation ask for a proof?"""
    return operation.tier >= Tier.P2


# ---- what a proof is about


def presented(s: Kernel, call: Call) -> CapabilityId:
    """The slot of the caller that x1 names."""
    return capability_id(s.current, handle_slot(Handle.truncate(call.argument[0])))


def named_root(s: Kernel, call: Call) -> ProofRootId:
    """The proof root that x1 leads to."""
    return ProofRootId.truncate(s.capability[presented(s, call)].object)


def spell_out(s: Kernel, call: Call, meant: Meant) -> None:
    """Spell out who does what to which object, with which nonce, and what registers x2 to x5 hold."""
    held = s.capability[presented(s, call)]
    actor = s.partition[s.current]
    meant[0] = call.operation
    meant[1] = u64(s.current)
    meant[2] = u64(actor.generation)
    meant[3] = u64(u8(held.kind))
    meant[4] = ObjectName(object=held.object, incarnation=held.incarnation)
    meant[5] = wrapping_add(u64, actor.nonce, 1)
    for i in range(4):
        meant[6 + i] = call.argument[1 + i]
        meant[10 + i] = 0


def who_is_named(s: Kernel, handle: Handle) -> u64:
    """Return the number of the partition that a handle names, below its incarnation; zero for an empty slot."""
    if handle == SELF:
        return ObjectName(object=u32(s.current), incarnation=s.partition[s.current].generation)
    held = s.capability[capability_id(s.current, handle_slot(handle))]
    if held.kind == ObjectKind.NONE:
        return 0
    return ObjectName(object=held.object, incarnation=held.incarnation)


def spell_out_receiver(s: Kernel, call: Call, meant: Meant) -> None:
    """Replace the handle in x2 by the partition that it names."""
    meant[6] = who_is_named(s, Handle.truncate(call.argument[1]))


def spell_out_root(s: Kernel, call: Call, meant: Meant) -> None:
    """Add, at the end, the words of the root that will be in force."""
    pending = s.proof_root[named_root(s, call)].pending
    for i in range(4):
        meant[10 + i] = pending[i]


def digest_of(meant: Meant, digest: Digest) -> None:
    """Compute SHA-256 of 112 bytes."""
    first = local(Block)
    second = local(Block)
    begin(digest)
    for i in range(8):
        put(first, PairId(i), meant[i])
    compress(digest, first)
    for i in range(6):
        put(second, PairId(i), meant[8 + i])
    end(second, 12, 896)
    compress(digest, second)


def carries(s: Kernel, call: Call, tier: u8, digest: Digest) -> bool:
    """Does a data page of the caller prove this digest for this capability, at this time, with the next nonce?"""
    page = PageId.truncate(call.argument[5])
    word = s.memory[page].word
    held = s.capability[presented(s, call)]
    own = call.argument[5] < PAGES and is_mappable(s.page[page].kind) and s.page[page].owner == s.current
    same = (
        word[0] == word_of(digest, 0)
        and word[1] == word_of(digest, 1)
        and word[2] == word_of(digest, 2)
        and word[3] == word_of(digest, 3)
    )
    now = (
        word[PROOF_FROM] <= call.now
        and call.now <= word[PROOF_UNTIL]
        and saturating_sub(word[PROOF_UNTIL], word[PROOF_FROM]) <= PROOF_WINDOW
    )
    once = word[PROOF_NONCE] > s.partition[s.current].nonce and word[PROOF_NONCE] - s.partition[s.current].nonce == 1
    return (
        own
        and same
        and now
        and once
        and word[PROOF_TIER] >= tier
        and word[PROOF_OBJECT] == u64(held.object)
        and held.rights & Right.PROVE != 0
    )


# ---- where a path leads


def hash_tagged(tag: u32, left: Digest, right: Digest, both: bool, node: Digest) -> None:
    """Compute SHA-256 of a four-byte tag and one digest of 32 bytes, or two of them."""
    first = local(Block)
    second = local(Block)
    first[0] = tag
    for i in range(8):
        first[1 + i] = left[i]
    if both:
        for i in range(7):
            first[9 + i] = right[i]
        second[0] = right[7]
        end(second, 1, 544)
    else:
        end(first, 9, 288)
    begin(node)
    compress(node, first)
    if both:
        compress(node, second)


def step_up(s: Kernel, page: PageId, level: u32, node: Digest) -> None:
    """Go from a node to its parent.

    The sibling is on the left where the bit of the position says that the node is on the right.
    """
    sibling = local(Digest)
    left = local(Digest)
    right = local(Digest)
    on_right = (s.memory[page].word[PROOF_POSITION] >> level) & 1 != 0
    for i in range(4):
        value = s.memory[page].word[EntryId(PROOF_PATH + 4 * level + i)]
        sibling[2 * i] = byte_swap(Halves(value).low)
        sibling[2 * i + 1] = byte_swap(Halves(value).high)
    for i in range(8):
        left[i] = sibling[i] if on_right else node[i]
        right[i] = node[i] if on_right else sibling[i]
    hash_tagged(1, left, right, True, node)


def leads_to(s: Kernel, call: Call, digest: Digest, r: ProofRootId) -> bool:
    """Does a path of at most sixteen steps lead from the leaf of a digest to this root?"""
    page = PageId.truncate(call.argument[5])
    levels = s.memory[page].word[PROOF_LEVELS]
    node = local(Digest)
    hash_tagged(0, digest, digest, False, node)
    for level in range(MERKLE_LEVELS):
        if level < levels:
            step_up(s, page, level, node)
    root = s.proof_root[r].root
    apart = (
        (root[0] ^ word_of(node, 0))
        | (root[1] ^ word_of(node, 1))
        | (root[2] ^ word_of(node, 2))
        | (root[3] ^ word_of(node, 3))
    )
    return levels <= MERKLE_LEVELS and apart == 0


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


@theorem(
    "PROOF-12", "a proof is taken only from a page that the caller's own tables would have let it read", about=proved
)
def proof_is_readable(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    page = PageId.truncate(call.argument[5])
    return implies(
        status == Status.OK, walk_permits(before, before.current, own_address(before, page), page, Access.READ)
    )


@theorem(
    "PROOF-8",
    "whoever asks is told the nonce that follows its own, and the proof root that binds it",
    about=("proof_inspect",),
)
def inspection_is_true(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    own = before.partition[before.current]
    return implies(
        status == Status.OK, call.result[0] == wrapping_add(u64, own.nonce, 1) and call.result[1] == u64(own.proof_root)
    )


def same_root(before: Kernel, after: Kernel, r: ProofRootId) -> bool:
    """Is the proof root in force unchanged?"""
    old = before.proof_root[r]
    new = after.proof_root[r]
    return (
        old.root[0] == new.root[0]
        and old.root[1] == new.root[1]
        and old.root[2] == new.root[2]
        and old.root[3] == new.root[3]
    )


@theorem(
    "PROOF-3",
    "an attested root changes only by a P3 proof against the root in force",
    about=lambda operation: operation.tier < Tier.P3,
)
def root_needs_p3(before: Kernel, after: Kernel, r: ProofRootId) -> bool:
    return same_root(before, after, r)


def digest_of_call(s: Kernel, call: Call, digest: Digest) -> None:
    """Compute the digest of a call whose registers say what is meant."""
    meant = local(Meant)
    spell_out(s, call, meant)
    digest_of(meant, digest)


def digest_of_binding(s: Kernel, call: Call, digest: Digest) -> None:
    """Compute the digest of a call whose second handle says who is meant."""
    meant = local(Meant)
    spell_out(s, call, meant)
    spell_out_receiver(s, call, meant)
    digest_of(meant, digest)


def digest_of_commit(s: Kernel, call: Call, digest: Digest) -> None:
    """Compute the digest of a call that puts a root in force."""
    meant = local(Meant)
    spell_out(s, call, meant)
    spell_out_root(s, call, meant)
    digest_of(meant, digest)


@theorem(
    "PROOF-4",
    (
        "an operation of tier P2 succeeds only on a commitment of this actor to this operation, object, "
        "arguments and nonce, at this time"
    ),
    about=lambda operation: operation.tier == Tier.P2 and operation.handles == 1,
)
def call_is_meant(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    digest = local(Digest)
    digest_of_call(before, call, digest)
    return implies(status == Status.OK, carries(before, call, 2, digest))


@theorem(
    "PROOF-15",
    "a partition is split or merged only on a commitment that names both partitions, and which of their numbers",
    about=lambda operation: operation.tier == Tier.P2 and operation.handles != 1,
)
def pair_is_meant(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    digest = local(Digest)
    digest_of_binding(before, call, digest)
    return implies(status == Status.OK, carries(before, call, 2, digest))


@theorem(
    "PROOF-10",
    "a proof root is bound only on a commitment that names the partition meant, and which of that number",
    about=("proof_root_bind",),
)
def binding_is_meant(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    digest = local(Digest)
    digest_of_binding(before, call, digest)
    return implies(status == Status.OK, carries(before, call, 3, digest))


@theorem(
    "PROOF-5",
    "a proof root is bound only on a path that leads from what is meant to the root that binds the caller",
    about=("proof_root_bind",),
)
def binding_is_foreseen(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    digest = local(Digest)
    digest_of_binding(before, call, digest)
    return implies(status == Status.OK, leads_to(before, call, digest, before.partition[before.current].proof_root))


@theorem(
    "PROOF-9", "a root is put in force only on a commitment to all of its four words", about=("proof_root_commit",)
)
def commit_is_meant(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    digest = local(Digest)
    digest_of_commit(before, call, digest)
    return implies(status == Status.OK, carries(before, call, 3, digest))


@theorem(
    "PROOF-11",
    "a root is put in force only on a path that leads from what is meant to the very root that it replaces",
    about=("proof_root_commit",),
)
def commit_is_foreseen(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    digest = local(Digest)
    digest_of_commit(before, call, digest)
    return implies(status == Status.OK, leads_to(before, call, digest, named_root(before, call)))


@theorem(
    "PROOF-7",
    "a commit puts all four words that were proposed in force, in the root that is named and in no other",
    about=("proof_root_commit",),
)
def commit_is_exact(before: Kernel, call: Call, after: Kernel, status: Status, r: ProofRootId, position: u8) -> bool:
    named = r == named_root(before, call)
    old = before.proof_root[r]
    new = after.proof_root[r].root[position & 3]
    return implies(
        position < 4 and status == Status.OK, new == (old.pending[position & 3] if named else old.root[position & 3])
    )
