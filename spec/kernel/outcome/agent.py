"""What do the operations on agents do?"""

from corollary.language.builtins import byte_swap, saturating_sub
from corollary.language.property import ensures, succeeds
from corollary.language.types import u16, u32, u64
from corollary.language.values import local
from corollary.spec.agent import Life, may_follow
from corollary.spec.kernel.agent import whole
from corollary.spec.kernel.limits import AGENTS, ANCESTRY_LIMIT, COUNTER_LIMIT, MODULE_LINES
from corollary.spec.kernel.outcome.admission import (
    has_message,
    has_room,
    holds_on,
    may_message,
    stands,
    subject_partition,
)
from corollary.spec.kernel.outcome.partition import commands
from corollary.spec.kernel.outcome.proof import counts_proof, is_shown
from corollary.spec.kernel.outcome.words import is_data, is_there, tells
from corollary.spec.kernel.proof import carries, digest_of_call, leads_to
from corollary.spec.kernel.sha256 import Block, Digest, PairId, begin, compress, word_of
from corollary.spec.kernel.state import AgentBadge, AgentId, Call, ChildId, EntryId, Kernel, PageId, PartId, PartitionId
from corollary.spec.kernel.vocabulary import ObjectKind, Right, Ring

# ---- words


def named_row(badge: u64) -> AgentId:
    """The row that the low byte of a badge names."""
    return AgentId.truncate(badge)


def is_alive(s: Kernel, a: AgentId) -> bool:
    """Is there an agent in the row, and is the incarnation of the partition that it lives in there?"""
    agent = s.agent[a]
    host = s.partition[agent.partition]
    return agent.life != Life.TERMINATED and is_there(s, agent.partition) and host.generation == agent.incarnation


def carries_badge(s: Kernel, badge: u64) -> bool:
    """Does the badge belong to an agent that lives?"""
    a = named_row(badge)
    return is_alive(s, a) and badge >> 8 == s.agent[a].generation


def lives_in(s: Kernel, p: PartitionId, badge: u64) -> bool:
    """Does the badge belong to an agent that lives in the partition?"""
    return carries_badge(s, badge) and s.agent[named_row(badge)].partition == p


def speaking(s: Kernel) -> u64:
    """The badge of the agent that speaks for the caller: the one that it said, if that runs in it; else 0."""
    said = u64(s.partition[s.current].speaker)
    runs = lives_in(s, s.current, said) and s.agent[named_row(said)].life == Life.RUNNING
    return said if runs else u64(0)


def is_at(s: Kernel, call: Call, badge: AgentBadge, life: Life) -> bool:
    """Does the agent live in the partition that the first register leads to, in this state?"""
    return lives_in(s, subject_partition(s, call), u64(badge)) and s.agent[named_row(u64(badge))].life == life


def next_badge(s: Kernel, a: AgentId) -> u64:
    """The badge of the next agent in a row."""
    return (u64(s.agent[a].generation) + 1) * AGENTS + u64(a)


def may_make(s: Kernel, place: ChildId) -> bool:
    """May the caller make an agent: as one that is not too deep, in a free place, or as none if it has no agents?"""
    speaker = speaking(s)
    maker = s.agent[named_row(speaker)]
    if speaker == 0:
        return s.partition[s.current].agents_made == 0
    return maker.depth < ANCESTRY_LIMIT and not carries_badge(s, u64(maker.child[place]))


# ---- operations


@succeeds("agent_create")
def create_is_allowed(before: Kernel, call: Call, agent: AgentId, place: ChildId) -> bool:
    p = subject_partition(before, call)
    return (
        commands(before, call, Right.WRITE | Right.EXECUTE)
        and is_there(before, p)
        and not is_alive(before, agent)
        and before.agent[agent].generation < COUNTER_LIMIT
        and before.partition[p].agents_made < before.partition[p].agents
        and may_make(before, place)
    )


def starting_word(number: PairId) -> u32:
    """A word of the state of SHA-256 before the first block."""
    value = local(Digest)
    begin(value)
    return value[number]


@ensures(
    "agent_create",
    "the row has an agent under the next badge, which the caller is told: it lives in the partition named, begins, "
    "nothing of its module is measured, and whoever speaks for the caller is its parent",
    changes=("agent", "partition.agents_made", "result"),
)
def create_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    agent: AgentId,
    place: ChildId,
    a: AgentId,
    k: ChildId,
    i: PairId,
    q: PartitionId,
) -> bool:
    p = subject_partition(before, call)
    old = before.agent[a]
    new = after.agent[a]
    speaker = speaking(before)
    badge = next_badge(before, agent)
    begun = (
        new.life == Life.INITIALIZING
        and new.partition == p
        and new.incarnation == before.partition[p].generation
        and u64(new.generation) == u64(old.generation) + 1
        and u32(new.depth) == (u32(0) if speaker == 0 else u32(before.agent[named_row(speaker)].depth) + 1)
        and new.parent == speaker
        and new.place == place
        and new.child[k] == 0
        and new.spawned == 0
        and new.lines == 0
        and new.module[i] == starting_word(i)
    )
    gains = speaker != 0 and a == named_row(speaker) and k == place
    kept = (
        new.life == old.life
        and new.partition == old.partition
        and new.incarnation == old.incarnation
        and new.generation == old.generation
        and new.depth == old.depth
        and new.parent == old.parent
        and new.place == old.place
        and new.child[k] == (badge if gains else u64(old.child[k]))
        and new.spawned == old.spawned
        and new.lines == old.lines
        and new.module[i] == old.module[i]
    )
    return (
        (begun if a == agent else kept)
        and u32(after.partition[q].agents_made) == u32(before.partition[q].agents_made) + (u32(1) if q == p else u32(0))
        and tells(call, badge, 0, 0)
    )


@succeeds("agent_measure")
def measure_is_allowed(before: Kernel, call: Call, badge: AgentBadge, page: PageId, part: PartId) -> bool:
    return (
        may_message(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.PARTITION, Right.WRITE | Right.EXECUTE)
        and is_at(before, call, badge, Life.INITIALIZING)
        and is_data(before, page)
        and before.page[page].owner == subject_partition(before, call)
        and before.agent[named_row(u64(badge))].lines + 4 <= MODULE_LINES
    )


def measured(s: Kernel, a: AgentId, page: PageId, part: PartId, value: Digest) -> None:
    """Compute the state of SHA-256 after 32 words more, each of which goes in as it lies in memory."""
    for j in range(8):
        value[j] = s.agent[a].module[j]
    for line in range(4):
        block = local(Block)
        for j in range(8):
            word = s.memory[page].word[EntryId(32 * u32(part) + 8 * line + j)]
            block[2 * j] = byte_swap(u32.truncate(word))
            block[2 * j + 1] = byte_swap(u32.truncate(word >> 32))
        compress(value, block)


@ensures(
    "agent_measure",
    "256 bytes of the page are folded into the hash of the agent's module; the caller is told how many lines that were",
    changes=("agent.module", "agent.lines", "result"),
)
def measure_is_exact(
    before: Kernel, call: Call, after: Kernel, badge: AgentBadge, page: PageId, part: PartId, a: AgentId, i: PairId
) -> bool:
    old = before.agent[a]
    new = after.agent[a]
    named = named_row(u64(badge))
    value = local(Digest)
    measured(before, named, page, part, value)
    more = u32(4) if a == named else u32(0)
    return (
        new.module[i] == (value[i] if a == named else old.module[i])
        and u64(new.lines) == u64(old.lines) + more
        and tells(call, u64(before.agent[named].lines) + 4, 0, 0)
    )


def module_is_shown(s: Kernel, call: Call) -> bool:
    """Does the caller mean this call, and does a path lead from the module to the root that binds the caller?"""
    meant = local(Digest)
    digest_of_call(s, call, meant)
    module = local(Digest)
    whole(s, named_row(call.argument[1]), module)
    return (
        is_shown(s, call)
        and carries(s, call, 3, meant)
        and leads_to(s, call, module, s.partition[s.current].proof_root)
    )


@succeeds("agent_spawn")
def spawn_is_allowed(before: Kernel, call: Call, badge: AgentBadge, module: u64) -> bool:
    value = local(Digest)
    whole(before, named_row(u64(badge)), value)
    return (
        commands(before, call, Right.WRITE | Right.EXECUTE | Right.PROVE)
        and module_is_shown(before, call)
        and is_at(before, call, badge, Life.INITIALIZING)
        and word_of(value, 0) == module
    )


@ensures(
    "agent_spawn",
    "the agent runs from now on, and its hash is that of its whole module; the proof is used up",
    changes=("agent.life", "agent.spawned", "agent.module", "partition.nonce"),
)
def spawn_is_exact(
    before: Kernel, call: Call, after: Kernel, badge: AgentBadge, module: u64, a: AgentId, i: PairId, q: PartitionId
) -> bool:
    old = before.agent[a]
    new = after.agent[a]
    value = local(Digest)
    whole(before, a, value)
    runs = new.life == Life.RUNNING and new.spawned == call.now and new.module[i] == value[i]
    kept = new.life == old.life and new.spawned == old.spawned and new.module[i] == old.module[i]
    return (runs if a == named_row(u64(badge)) else kept) and counts_proof(before, after, q)


@succeeds("agent_change")
def change_is_allowed(before: Kernel, call: Call, badge: AgentBadge, life: Life, old: Life) -> bool:
    return (
        commands(before, call, Right.EXECUTE)
        and is_at(before, call, badge, old)
        and may_follow(old, life)
        and (life == Life.TERMINATED or old != Life.INITIALIZING)
    )


@ensures(
    "agent_change",
    "the agent is in the state named; one that ended is counted no more",
    changes=("agent.life", "partition.agents_made"),
)
def change_is_exact(
    before: Kernel, call: Call, after: Kernel, badge: AgentBadge, life: Life, old: Life, a: AgentId, q: PartitionId
) -> bool:
    named = a == named_row(u64(badge))
    ended = life == Life.TERMINATED and q == subject_partition(before, call)
    return after.agent[a].life == (life if named else before.agent[a].life) and after.partition[
        q
    ].agents_made == saturating_sub(before.partition[q].agents_made, u16(1) if ended else u16(0))


@succeeds("agent_speak")
def speak_is_allowed(before: Kernel, call: Call, badge: AgentBadge) -> bool:
    return (
        has_room(before)
        and has_message(before, call)
        and stands(before, call, Ring.SANDBOX)
        and lives_in(before, before.current, u64(badge))
        and before.agent[named_row(u64(badge))].life == Life.RUNNING
    )


@ensures("agent_speak", "the agent speaks for the caller", changes=("partition.speaker",))
def speak_is_exact(before: Kernel, call: Call, after: Kernel, badge: AgentBadge, q: PartitionId) -> bool:
    return after.partition[q].speaker == (badge if q == before.current else before.partition[q].speaker)
