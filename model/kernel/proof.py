"""When does a proof convince the kernel? P2 and P3, read from a page of the caller.

P2 is a commitment: a holder of PROVE meant exactly this, once, now. It is no authority of its own: the caller writes
the page itself. A P3 proof adds that the root in force vouches for the call.

Every check is evaluated; none decides alone what is looked at next.
"""

from corollary.language.builtins import wrapping_add, wrapping_sub
from corollary.language.types import Array, u8, u32, u64
from corollary.language.values import local
from corollary.model.kernel.capability import may_act_on, partition_of_handle
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.capability import capability_id, free, handle_slot
from corollary.spec.kernel.limits import DEPTH_LIMIT, MERKLE_LEVELS, PAGES, PROOF_WINDOW, SELF
from corollary.spec.kernel.memory import lets
from corollary.spec.kernel.packed import ObjectName
from corollary.spec.kernel.proof import (
    PROOF_FROM,
    PROOF_LEVELS,
    PROOF_NONCE,
    PROOF_OBJECT,
    PROOF_PATH,
    PROOF_POSITION,
    PROOF_TIER,
    PROOF_UNTIL,
)
from corollary.spec.kernel.sha256 import Block, Digest, PairId, begin, compress, end, put, put_digest, word_of
from corollary.spec.kernel.state import Call, EntryId, Handle, Kernel, PageId, ProofRootId
from corollary.spec.kernel.vocabulary import Access, Right, Status, Tier

Mutation = Array[u64, 14]
LEAF_TAG = 0
NODE_TAG = 1


def receiver(s: Kernel, handle: Handle) -> u64:
    """Return what a handle of the caller means to anybody.

    That is the number that it leads to, below its incarnation; zero for an empty slot.
    """
    if handle == SELF:
        return ObjectName(object=u32(s.current), incarnation=s.partition[s.current].generation)
    c = capability_id(s.current, handle_slot(handle))
    if free(s, c):
        return 0
    return ObjectName(object=s.capability[c].object, incarnation=s.capability[c].incarnation)


def spell_out(s: Kernel, call: Call, handles: u32, replaces_root: bool, mutation: Mutation) -> None:
    """Spell out what the caller means to do, without a handle or a page.

    Operation; actor, its incarnation; kind of the object, its number below its incarnation; nonce; what x2 .. x5 mean;
    the four words of the pending root where the call replaces one, else zeros.
    """
    source = s.capability[call.capability]
    renewed = s.proof_root[named_root(s, call)]
    mutation[0] = call.operation
    mutation[1] = u64(s.current)
    mutation[2] = u64(s.partition[s.current].generation)
    mutation[3] = u64(u8(source.kind))
    mutation[4] = ObjectName(object=source.object, incarnation=source.incarnation)
    mutation[5] = wrapping_add(u64, s.partition[s.current].nonce, 1)
    for i in range(4):
        argument = call.argument[1 + i]
        mutation[6 + i] = receiver(s, Handle.truncate(argument)) if (handles >> (1 + i)) & 1 != 0 else argument
        mutation[10 + i] = renewed.pending[i] if replaces_root else u64(0)


def hash_mutation(mutation: Mutation, digest: Digest) -> None:
    """Compute SHA-256 of the mutation's 14 words, each as eight bytes."""
    state = local(Digest)
    block = local(Block)
    begin(state)
    for i in range(8):
        put(block, PairId(i), mutation[i])
    compress(state, block)
    rest = local(Block)
    for i in range(6):
        put(rest, PairId(i), mutation[8 + i])
    end(rest, 12, 8 * 112)
    compress(state, rest)
    for i in range(8):
        digest[i] = state[i]


def mutation_digest(s: Kernel, call: Call, handles: u32, replaces_root: bool, digest: Digest) -> None:
    """Compute the digest that a proof of this call has to carry."""
    mutation = local(Mutation)
    spell_out(s, call, handles, replaces_root, mutation)
    hash_mutation(mutation, digest)


def proof_page(call: Call) -> PageId:
    """The page that the last argument register names."""
    return PageId.truncate(call.argument[5])


def same_digest(s: Kernel, page: PageId, digest: Digest) -> bool:
    """Does the proof carry this digest? The comparison has no early exit."""
    target = s.memory[page]
    wrong = (
        (target.word[0] ^ word_of(digest, 0))
        | (target.word[1] ^ word_of(digest, 1))
        | (target.word[2] ^ word_of(digest, 2))
        | (target.word[3] ^ word_of(digest, 3))
    )
    return wrong == 0


def policy_holds(s: Kernel, call: Call, tier: Tier, digest: Digest) -> bool:
    """Does a mutation pass all eight P2 checks?

    The proof must also lie in a page that the caller's own tables let it read.
    """
    page = proof_page(call)
    target = s.memory[page]
    actor = s.partition[s.current]
    source = s.capability[call.capability]
    named = call.argument[5] < PAGES
    readable = lets(s, s.current, page, Access.READ)
    may_prove = source.rights & Right.PROVE != 0
    same_mutation = same_digest(s, page, digest)
    tier_reached = target.word[PROOF_TIER] >= u8(tier)
    not_expired = call.now <= target.word[PROOF_UNTIL]
    window = wrapping_sub(u64, target.word[PROOF_UNTIL], target.word[PROOF_FROM])
    bounded = (target.word[PROOF_FROM] <= call.now) & (window <= PROOF_WINDOW)
    fresh = (target.word[PROOF_NONCE] == wrapping_add(u64, actor.nonce, 1)) & (target.word[PROOF_NONCE] != 0)
    shallow = source.depth <= DEPTH_LIMIT
    same_object = target.word[PROOF_OBJECT] == source.object
    return (
        named
        & readable
        & may_prove
        & same_mutation
        & tier_reached
        & not_expired
        & bounded
        & fresh
        & shallow
        & same_object
    )


def hash_leaf(digest: Digest, node: Digest) -> None:
    """Compute the leaf of a mutation: SHA-256(0 || digest), the tag as four bytes."""
    block = local(Block)
    block[0] = LEAF_TAG
    put_digest(block, 1, digest)
    end(block, 9, 8 * 36)
    begin(node)
    compress(node, block)


def hash_pair(left: Digest, right: Digest, node: Digest) -> None:
    """Compute an inner node: SHA-256(1 || left || right), the tag as four bytes."""
    block = local(Block)
    block[0] = NODE_TAG
    put_digest(block, 1, left)
    for i in range(7):
        block[i + 9] = right[i]
    begin(node)
    compress(node, block)
    rest = local(Block)
    rest[0] = right[7]
    end(rest, 1, 8 * 68)
    compress(node, rest)


def climb(node: Digest, s: Kernel, page: PageId, level: u32) -> None:
    """Replace a node by its parent, with the sibling that the proof gives for this level."""
    target = s.memory[page]
    sibling = local(Block)
    for i in range(4):
        put(sibling, PairId(i), target.word[EntryId(PROOF_PATH + 4 * level + i)])
    right = (target.word[PROOF_POSITION] >> level) & 1 != 0
    one = local(Digest)
    other = local(Digest)
    for i in range(8):
        one[i] = sibling[i] if right else node[i]
        other[i] = node[i] if right else sibling[i]
    hash_pair(one, other, node)


def path_holds(s: Kernel, call: Call, root: ProofRootId, digest: Digest) -> bool:
    """Does the Merkle path of the proof lead from the mutation to this attested root?"""
    node = local(Digest)
    hash_leaf(digest, node)
    page = proof_page(call)
    levels = s.memory[page].word[PROOF_LEVELS]
    for level in range(MERKLE_LEVELS):
        if level < levels:
            climb(node, s, page, level)
    held = s.proof_root[root]
    wrong = (
        (held.root[0] ^ word_of(node, 0))
        | (held.root[1] ^ word_of(node, 1))
        | (held.root[2] ^ word_of(node, 2))
        | (held.root[3] ^ word_of(node, 3))
    )
    return (levels <= MERKLE_LEVELS) & (wrong == 0)


def named_root(s: Kernel, call: Call) -> ProofRootId:
    """The proof root that the handle of the call names."""
    return ProofRootId.truncate(s.capability[call.capability].object)


@operation
def proof_inspect(s: Kernel, call: Call) -> Status:
    """Tell the caller the nonce that its next proof must carry, and which proof root binds it."""
    call.result[0] = wrapping_add(u64, s.partition[s.current].nonce, 1)
    call.result[1] = s.partition[s.current].proof_root
    return Status.OK


@operation
def proof_root_propose(s: Kernel, call: Call, position: u8, value: u64) -> Status:
    """Write one of the four words of the root that `proof_root_commit` will put in force."""
    if position >= 4:
        return Status.BAD_ARGUMENT
    s.proof_root[named_root(s, call)].pending[position] = value
    return Status.OK


@operation
def proof_root_bind(s: Kernel, call: Call, into: Handle) -> Status:
    """Let the P3 proofs of a partition lead to this root from now on."""
    if not may_act_on(s, s.current, into, Right.WRITE):
        return Status.INSUFFICIENT_RIGHTS
    p = partition_of_handle(s, s.current, into)
    s.partition[p].proof_root = named_root(s, call)
    return Status.OK


@operation
def proof_root_commit(s: Kernel, call: Call) -> Status:
    """Put the proposed root in force, on a proof of all its words against the very root that it replaces."""
    held = s.proof_root[named_root(s, call)]
    for i in range(4):
        held.root[i] = held.pending[i]
    return Status.OK
