"""How does an agent begin, of what module is it, how does it live, and who speaks as one?"""

from corollary.language.builtins import saturating_sub
from corollary.language.types import u32, u64
from corollary.language.values import local
from corollary.model.kernel.operation import operation
from corollary.spec.agent import Life, may_follow
from corollary.spec.kernel.agent import NOBODY, badge_of, hosts, lives, names_living, row_of, speaker_of, speaks
from corollary.spec.kernel.capability import named_partition
from corollary.spec.kernel.limits import ANCESTRY_LIMIT, CHILDREN, COUNTER_LIMIT, LINE_WORDS, MODULE_LINES, PART_LINES
from corollary.spec.kernel.memory import owns_data
from corollary.spec.kernel.partition import alive
from corollary.spec.kernel.sha256 import Block, Digest, PairId, begin, compress, end, put, word_of
from corollary.spec.kernel.state import AgentBadge, AgentId, Call, ChildId, Depth, EntryId, Kernel, PageId, PartId
from corollary.spec.kernel.vocabulary import Status

LINE_BITS = 512


@operation
def agent_create(s: Kernel, call: Call, agent: AgentId, place: ChildId) -> Status:
    """Begin an agent in a partition, in a row where none lives; return its badge.

    If an agent speaks for the caller, it is the parent, and the child has the `place` that is named among its children.
    """
    p = named_partition(s, call)
    host = s.partition[p]
    parent = speaker_of(s)
    maker = s.agent[row_of(parent)]
    if not alive(s, p):
        return Status.WRONG_STATE
    if lives(s, agent):
        return Status.OBJECT_IN_USE
    if s.agent[agent].generation == COUNTER_LIMIT:
        return Status.SLOT_RETIRED
    if host.agents_made >= host.agents:
        return Status.LIMIT_REACHED
    if parent == NOBODY and s.partition[s.current].agents_made != 0:
        return Status.NO_SPEAKER
    if parent != NOBODY and maker.depth >= ANCESTRY_LIMIT:
        return Status.DEPTH_EXCEEDED
    if parent != NOBODY and names_living(s, maker.child[place]):
        return Status.SPAWN_LIMIT
    host.agents_made += 1
    begun = s.agent[agent]
    begun.life = Life.INITIALIZING
    begun.partition = p
    begun.incarnation = host.generation
    begun.generation += 1
    begun.depth = Depth(u32(maker.depth) + 1) if parent != NOBODY else Depth(0)
    begun.parent = parent
    begun.place = place
    for i in range(CHILDREN):
        begun.child[ChildId(i)] = AgentBadge(NOBODY)
    begun.spawned = 0
    begun.lines = 0
    begin(begun.module)
    if parent != NOBODY:
        maker.child[place] = badge_of(s, agent)
    call.result[0] = badge_of(s, agent)
    return Status.OK


def absorb_line(digest: Digest, s: Kernel, page: PageId, first: EntryId) -> None:
    """Fold eight words of a page, from the first on, into a digest."""
    source = s.memory[page]
    block = local(Block)
    for i in range(LINE_WORDS):
        put(block, PairId(i), source.word[EntryId.truncate(u32(first) + i)])
    compress(digest, block)


def absorb(digest: Digest, s: Kernel, page: PageId, part: PartId) -> None:
    """Fold a part of a page into a digest."""
    for i in range(PART_LINES):
        absorb_line(digest, s, page, EntryId(LINE_WORDS * (PART_LINES * u32(part) + i)))


@operation
def agent_measure(s: Kernel, call: Call, badge: AgentBadge, page: PageId, part: PartId) -> Status:
    """Measure the next 256 bytes of the module of an agent that begins: a part of a page of its partition."""
    p = named_partition(s, call)
    a = row_of(badge)
    if not hosts(s, p, badge):
        return Status.STALE_HANDLE
    if s.agent[a].life != Life.INITIALIZING:
        return Status.WRONG_STATE
    if not owns_data(s, p, page):
        return Status.NOT_OWNER
    if s.agent[a].lines + PART_LINES > MODULE_LINES:
        return Status.LIMIT_REACHED
    digest = local(Digest)
    for i in range(8):
        digest[i] = s.agent[a].module[i]
    absorb(digest, s, page, part)
    for i in range(8):
        s.agent[a].module[i] = digest[i]
    s.agent[a].lines += PART_LINES
    call.result[0] = s.agent[a].lines
    return Status.OK


def close_module(s: Kernel, a: AgentId, digest: Digest) -> None:
    """Compute SHA-256 of all that was measured of an agent's module."""
    block = local(Block)
    for i in range(8):
        digest[i] = s.agent[a].module[i]
    end(block, 0, LINE_BITS * s.agent[a].lines)
    compress(digest, block)


def shows_module(s: Kernel, call: Call, digest: Digest) -> bool:
    """Compute the hash of the module of the agent that x2 names. Does it live in the partition that is named?

    The hash of another partition's module is never used.
    """
    badge = AgentBadge.truncate(call.argument[1])
    close_module(s, row_of(badge), digest)
    return hosts(s, named_partition(s, call), badge)


@operation
def agent_spawn(s: Kernel, call: Call, badge: AgentBadge, module: u64) -> Status:
    """Let an agent run whose module was measured, on a path from the hash of that to the root in force.

    The hash begins with the eight bytes `module`, so the record tells what the agent is.
    """
    a = row_of(badge)
    digest = local(Digest)
    if s.agent[a].life != Life.INITIALIZING:
        return Status.WRONG_STATE
    close_module(s, a, digest)
    if word_of(digest, 0) != module:
        return Status.MODULE_MISMATCH
    for i in range(8):
        s.agent[a].module[i] = digest[i]
    s.agent[a].spawned = call.now
    s.agent[a].life = Life.RUNNING
    return Status.OK


@operation
def agent_change(s: Kernel, call: Call, badge: AgentBadge, life: Life, old: Life) -> Status:
    """Move an agent from its `old` state along an edge of its life; out of its beginning, only to its end."""
    a = row_of(badge)
    p = named_partition(s, call)
    if not hosts(s, p, badge):
        return Status.STALE_HANDLE
    if s.agent[a].life != old or not may_follow(old, life) or old == Life.INITIALIZING and life != Life.TERMINATED:
        return Status.WRONG_STATE
    s.agent[a].life = life
    if life == Life.TERMINATED:
        s.partition[p].agents_made = saturating_sub(s.partition[p].agents_made, 1)
    return Status.OK


@operation
def agent_speak(s: Kernel, call: Call, badge: AgentBadge) -> Status:
    """Say which of the caller's agents speaks: it signs what the caller sends, and is the parent of whom it makes."""
    if not hosts(s, s.current, badge):
        return Status.STALE_HANDLE
    if not speaks(s, s.current, badge):
        return Status.WRONG_STATE
    s.partition[s.current].speaker = badge
    return Status.OK
