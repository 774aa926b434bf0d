"""Which agents are there, who made them of what, and who may speak as one?

An agent lives in a partition and ends with it. Its badge is its row and how many agents had that row, so no badge comes
back. While it is INITIALIZING the kernel measures its module. Only a path from what was measured to the root in force
lets it run.
"""

from corollary.language.builtins import implies
from corollary.language.property import by_itself, corollary, invariant, theorem
from corollary.language.types import u32, u64
from corollary.language.values import local
from corollary.spec.agent import Life, may_follow
from corollary.spec.kernel.capability import named_partition
from corollary.spec.kernel.edge import message_id
from corollary.spec.kernel.integrity import acts_on
from corollary.spec.kernel.limits import ANCESTRY_LIMIT, CHILDREN, MODULE_LINES
from corollary.spec.kernel.packed import BadgeParts
from corollary.spec.kernel.partition import alive
from corollary.spec.kernel.proof import carries, digest_of_call, leads_to
from corollary.spec.kernel.sha256 import Block, Digest, WordId, compress, end
from corollary.spec.kernel.state import AgentBadge, AgentId, Call, ChildId, EdgeId, Kernel, PartitionId
from corollary.spec.kernel.vocabulary import PartitionState, Right, Status

NOBODY = 0  # in place of a badge


def lives(s: Kernel, a: AgentId) -> bool:
    """Is there an agent in the row? It ends at the latest with its partition."""
    agent = s.agent[a]
    return (
        agent.life != Life.TERMINATED
        and alive(s, agent.partition)
        and s.partition[agent.partition].generation == agent.incarnation
    )


def life_of(s: Kernel, a: AgentId) -> Life:
    """The state of the agent in a row."""
    return s.agent[a].life if lives(s, a) else Life.TERMINATED


def badge_of(s: Kernel, a: AgentId) -> AgentBadge:
    """The badge of the agent that has the row, or had it last."""
    return BadgeParts(agent=a, generation=s.agent[a].generation)


def row_of(badge: AgentBadge) -> AgentId:
    """The row of the agent with this badge."""
    return BadgeParts(badge).agent


def names_living(s: Kernel, badge: AgentBadge) -> bool:
    """Does the agent with this badge live?"""
    return lives(s, row_of(badge)) and s.agent[row_of(badge)].generation == BadgeParts(badge).generation


def hosts(s: Kernel, p: PartitionId, badge: AgentBadge) -> bool:
    """Does the agent with this badge live in the partition?"""
    return names_living(s, badge) and s.agent[row_of(badge)].partition == p


def speaks(s: Kernel, p: PartitionId, badge: AgentBadge) -> bool:
    """May the agent with this badge speak for the partition?"""
    return hosts(s, p, badge) and s.agent[row_of(badge)].life == Life.RUNNING


def speaker_of(s: Kernel) -> AgentBadge:
    """The badge of the agent that speaks for the caller, or NOBODY."""
    said = s.partition[s.current].speaker
    return said if speaks(s, s.current, said) else AgentBadge(NOBODY)


def is_past(s: Kernel, badge: AgentBadge) -> bool:
    """Was the badge given already, or is it nobody's?"""
    return BadgeParts(badge).generation <= s.agent[row_of(badge)].generation


# ---- what always holds


@invariant("AGENT-1", "whoever lives has a badge, is not deeper than agents may be, and no module is too long")
def agent_is_bounded(s: Kernel, a: AgentId) -> bool:
    agent = s.agent[a]
    return (
        implies(agent.life != Life.TERMINATED, agent.generation != 0)
        and agent.depth <= ANCESTRY_LIMIT
        and agent.lines <= MODULE_LINES
    )


@invariant("AGENT-2", "no agent names an incarnation of its partition that is still to come, so it ends with that")
def host_is_past(s: Kernel, a: AgentId) -> bool:
    agent = s.agent[a]
    host = s.partition[agent.partition]
    return implies(
        agent.life != Life.TERMINATED,
        agent.incarnation <= host.generation
        and implies(host.state == PartitionState.VACANT, agent.incarnation < host.generation),
    )


@invariant("AGENT-3", "no agent names a parent, or a child, that is still to come")
def family_is_past(s: Kernel, a: AgentId) -> bool:
    past = is_past(s, s.agent[a].parent)
    for i in range(CHILDREN):
        past = past and is_past(s, s.agent[a].child[ChildId(i)])
    return past


@invariant("AGENT-4", "a living child that a living agent names has that agent as its parent, in that place")
def children_know_their_parent(s: Kernel, a: AgentId) -> bool:
    known = True
    for i in range(CHILDREN):
        named = s.agent[a].child[ChildId(i)]
        child = s.agent[row_of(named)]
        known = known and implies(names_living(s, named), child.parent == badge_of(s, a) and child.place == i)
    return implies(lives(s, a), known)


@invariant("AGENT-5", "a living parent names each of its living children, in a place of its own, and is less deep")
def parents_know_their_children(s: Kernel, a: AgentId) -> bool:
    agent = s.agent[a]
    parent = s.agent[row_of(agent.parent)]
    return implies(
        lives(s, a) and names_living(s, agent.parent),
        parent.child[agent.place] == badge_of(s, a) and agent.depth == u32(parent.depth) + 1,
    )


@corollary("AGENT-6", "two living children of an agent have different places, so it has no more than there are places")
def places_are_taken_once(s: Kernel, a: AgentId, b: AgentId) -> bool:
    one = s.agent[a]
    other = s.agent[b]
    siblings = lives(s, a) and lives(s, b) and names_living(s, one.parent) and one.parent == other.parent
    return implies(siblings and a != b, one.place != other.place)


@corollary("AGENT-7", "no agent is its own parent, nor the parent of its parent")
def families_have_no_circle(s: Kernel, a: AgentId) -> bool:
    parent = s.agent[a].parent
    above = s.agent[row_of(parent)].parent
    family = lives(s, a) and names_living(s, parent)
    return implies(family, row_of(parent) != a) and implies(family and names_living(s, above), row_of(above) != a)


# ---- what every step keeps


@theorem("AGENT-10", "an agent goes only along the edges of its life, and begins in a row where none lives")
def legal_lives_only(before: Kernel, after: Kernel, a: AgentId) -> bool:
    old = life_of(before, a)
    new = life_of(after, a)
    begun = old == Life.TERMINATED and new == Life.INITIALIZING
    return old == new or begun or may_follow(old, new)


@theorem("AGENT-11", "no badge comes back: a row counts its agents, and whoever begins is counted anew")
def badges_are_given_once(before: Kernel, after: Kernel, a: AgentId) -> bool:
    old = before.agent[a].generation
    new = after.agent[a].generation
    return new >= old and implies(not lives(before, a) and lives(after, a), new > old)


@theorem("AGENT-12", "who an agent is, where it lives and who made it is fixed as long as it lives")
def identity_is_fixed(before: Kernel, after: Kernel, a: AgentId) -> bool:
    old = before.agent[a]
    new = after.agent[a]
    return implies(
        lives(before, a) and lives(after, a),
        old.generation == new.generation
        and old.partition == new.partition
        and old.incarnation == new.incarnation
        and old.parent == new.parent
        and old.place == new.place
        and old.depth == new.depth,
    )


@theorem(
    "AGENT-13",
    "an agent that is not attested never runs: nothing but a spawn leads out of its beginning, except its end",
    about=lambda operation: operation.name != "agent_spawn",
    unknown=True,
)
def only_spawning_begins(before: Kernel, after: Kernel, a: AgentId) -> bool:
    new = life_of(after, a)
    return implies(life_of(before, a) == Life.INITIALIZING, new == Life.INITIALIZING or new == Life.TERMINATED)


@theorem("AGENT-14", "the module of an agent is fixed from its spawn on, and so is the time of that")
def module_is_fixed(before: Kernel, after: Kernel, a: AgentId) -> bool:
    old = before.agent[a]
    new = after.agent[a]
    same = old.lines == new.lines and old.spawned == new.spawned
    for i in range(8):
        same = same and old.module[i] == new.module[i]
    return implies(lives(before, a) and lives(after, a) and old.life != Life.INITIALIZING, same)


def whole(s: Kernel, a: AgentId, value: Digest) -> None:
    """Compute SHA-256 of what was measured of an agent's module."""
    closing = local(Block)
    for i in range(8):
        value[i] = s.agent[a].module[i]
    end(closing, WordId(0), u32.truncate(u64(s.agent[a].lines) * 512))
    compress(value, closing)


@theorem("PROOF-13", "an agent is spawned only on a commitment of this actor to just that", about=("agent_spawn",))
def spawn_is_meant(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    digest = local(Digest)
    digest_of_call(before, call, digest)
    return implies(status == Status.OK, carries(before, call, 3, digest))


@theorem(
    "PROOF-14",
    "an agent is spawned only of a module that the kernel measured, on a path from its hash to the root that binds "
    "the caller",
    about=("agent_spawn",),
)
def module_is_attested(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    digest = local(Digest)
    whole(before, AgentId.truncate(call.argument[1]), digest)
    return implies(status == Status.OK, leads_to(before, call, digest, before.partition[before.current].proof_root))


@theorem("AGENT-15", "an agent that is spawned was beginning, in the partition that is named", about=("agent_spawn",))
def spawned_was_beginning(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    badge = AgentBadge.truncate(call.argument[1])
    return implies(
        status == Status.OK,
        hosts(before, named_partition(before, call), badge)
        and before.agent[row_of(badge)].life == Life.INITIALIZING
        and after.agent[row_of(badge)].life == Life.RUNNING,
    )


# ---- who speaks


@theorem(
    "AGENT-16",
    "a message carries the number of the partition that sends, and the badge of an agent that runs in it, or none",
    about=("edge_send",),
)
def messages_are_signed(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    e = EdgeId.truncate(before.capability[call.capability].object)
    message = after.message[message_id(e, before.edge[e].sent)]
    stamped = message.agent
    agent = before.agent[AgentId.truncate(stamped)]
    runs = (
        agent.life == Life.RUNNING
        and agent.partition == before.current
        and agent.incarnation == before.partition[before.current].generation
        and stamped == u64(agent.generation) << 8 | u64(AgentId.truncate(stamped))
        and stamped == before.partition[before.current].speaker
    )
    return implies(status == Status.OK, message.source == before.current and (stamped == NOBODY or runs))


@theorem("AGENT-17", "who speaks for a partition is said by itself, and is an agent that runs in it")
def speakers_are_own(before: Kernel, after: Kernel, call: Call, status: Status, p: PartitionId) -> bool:
    old = before.partition[p].speaker
    new = after.partition[p].speaker
    return implies(old != new, p == before.current and status == Status.OK and speaks(before, p, new))


@theorem("AGENT-18", "what happens without a call changes no agent and nobody's speaker", about=by_itself)
def agents_are_left_alone(before: Kernel, after: Kernel, a: AgentId, k: ChildId, p: PartitionId) -> bool:
    return (
        same_agent(before, after, a)
        and before.agent[a].child[k] == after.agent[a].child[k]
        and before.partition[p].speaker == after.partition[p].speaker
        and before.partition[p].agents_made == after.partition[p].agents_made
    )


def same_agent(before: Kernel, after: Kernel, a: AgentId) -> bool:
    """Is a row unchanged, but for the children that it names?"""
    old = before.agent[a]
    new = after.agent[a]
    same = (
        old.life == new.life
        and old.partition == new.partition
        and old.incarnation == new.incarnation
        and old.generation == new.generation
        and old.depth == new.depth
        and old.parent == new.parent
        and old.place == new.place
        and old.spawned == new.spawned
        and old.lines == new.lines
    )
    for i in range(8):
        same = same and old.module[i] == new.module[i]
    return same


@theorem(
    "INT-34",
    "an agent changes only through a handle with EXECUTE on its partition, and begins in one that is named with WRITE",
)
def agents_obey_their_handles(before: Kernel, call: Call, after: Kernel, a: AgentId) -> bool:
    old = before.agent[a].partition
    new = after.agent[a].partition
    changed = not same_agent(before, after, a)
    return implies(changed and lives(before, a), acts_on(before, call, old, Right.EXECUTE)) and implies(
        changed and not lives(before, a), acts_on(before, call, new, Right.WRITE)
    )


@theorem("INT-35", "an agent gets another child only when the partition that it speaks for makes one")
def children_are_made_by_their_parent(before: Kernel, call: Call, after: Kernel, a: AgentId, k: ChildId) -> bool:
    changed = before.agent[a].child[k] != after.agent[a].child[k]
    return implies(
        changed and lives(before, a),
        before.partition[before.current].speaker == badge_of(before, a)
        and speaks(before, before.current, badge_of(before, a)),
    )


def began(before: Kernel, after: Kernel, a: AgentId) -> bool:
    """Is there an agent in the row that was not there before?"""
    return not lives(before, a) and lives(after, a)


@theorem(
    "AGENT-19",
    "the agents of a partition are counted one by one: the row that a call names tells whether one began or ended",
    about=("agent_create", "agent_change"),
)
def agents_are_counted(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    a = AgentId.truncate(call.argument[1])
    old = before.partition[p].agents_made
    new = after.partition[p].agents_made
    more = began(before, after, a) and after.agent[a].partition == p
    less = began(after, before, a) and before.agent[a].partition == p
    return u32(new) + (u32(1) if less and old != 0 else u32(0)) == u32(old) + (u32(1) if more else u32(0))


@theorem(
    "AGENT-20",
    "agents begin and end, and are counted, in no other way but with their partition",
    about=lambda operation: operation.name not in ("agent_create", "agent_change"),
    unknown=True,
)
def others_count_no_agents(before: Kernel, after: Kernel, a: AgentId, p: PartitionId) -> bool:
    left = after.partition[p].state == PartitionState.VACANT
    ended = began(after, before, a)
    host = before.agent[a].partition
    return (
        (before.partition[p].agents_made == after.partition[p].agents_made or left)
        and not began(before, after, a)
        and implies(ended, not alive(after, host))
    )


@theorem(
    "AGENT-21",
    "what a call that names an agent of its beginning or life does to agents, it does to the one that it names",
    about=("agent_create", "agent_measure", "agent_spawn", "agent_change", "agent_speak"),
)
def others_stay(before: Kernel, call: Call, after: Kernel, status: Status, a: AgentId) -> bool:
    return implies(a != AgentId.truncate(call.argument[1]), same_agent(before, after, a))


@theorem("INT-36", "the agents of another partition are counted only through a handle with EXECUTE on it")
def counts_obey_their_handles(before: Kernel, call: Call, after: Kernel, p: PartitionId) -> bool:
    changed = before.partition[p].agents_made != after.partition[p].agents_made
    ends = after.partition[p].state == PartitionState.VACANT and acts_on(before, call, p, Right.WRITE)
    return implies(changed, acts_on(before, call, p, Right.EXECUTE) or ends)
