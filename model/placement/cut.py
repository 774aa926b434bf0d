"""How is the least cut of the graph found? In steps, by the algorithm of Stoer and Wagner.

A phase takes one vertex after the other, always the one with most traffic with those taken before. The traffic of the
last one with all others is a cut. Then the last two are made one, and the next phase begins. The least of these cuts is
the least of the graph.
"""

from corollary.language.builtins import trailing_zeros
from corollary.language.types import u32, u64
from corollary.spec.placement.cut import NO_VALUE, between, heaviest
from corollary.spec.placement.graph import is_busy, less, only, together
from corollary.spec.placement.limits import CUT_TIME, LATEST, NODES
from corollary.spec.placement.state import HomeId, NodeId, OtherId, Place, Placement, Traffic
from corollary.spec.placement.vocabulary import Stage, Status


def begin_cut(s: Placement, whole: bool, p: HomeId, steps: u32, now: u64) -> Status:
    """Begin to cut the whole graph, or a partition, in a number of steps, and in `CUT_TIME` from now (ns) on."""
    if is_busy(s):
        return Status.BUSY
    asked = s.nodes if whole else s.home[p].members
    if asked == 0 or asked & (asked - 1) == 0:
        return Status.TOO_FEW_NODES
    if now > LATEST:
        return Status.TOO_LATE
    cut = s.cut
    cut.stage = Stage.LOADING
    cut.asked = asked
    cut.loading = asked
    cut.count = 0
    cut.left = 0
    cut.turn = 0
    cut.steps = steps
    cut.deadline = now + CUT_TIME
    cut.value = NO_VALUE
    cut.side = 0
    return Status.OK


def barred(s: Placement, stage: Stage, now: u64) -> Status:
    """Return why the cut may not take a step of a stage now, or OK."""
    if s.cut.stage != stage:
        return Status.WRONG_STAGE
    if s.cut.steps == 0 or now > s.cut.deadline:
        return Status.OVER_BUDGET
    return Status.OK


def load_row(s: Placement, now: u64) -> Status:
    """Load the traffic of the next node, and list it as a vertex."""
    refused = barred(s, Stage.LOADING, now)
    if refused != Status.OK:
        return refused
    cut = s.cut
    n = NodeId(trailing_zeros(u64, cut.loading))
    copy_row(s, n)
    put(s, Place(cut.count), n, 0)
    s.group[n] = only(n)
    s.leader[n] = n
    cut.steps -= 1
    cut.count += 1
    cut.loading = less(cut.loading, only(n))
    if cut.loading == 0:
        cut.left = cut.count
        cut.stage = Stage.TAKING
    return Status.OK


def copy_row(s: Placement, n: NodeId) -> None:
    """Copy the traffic of a node."""
    for i in range(NODES):
        s.merged[n].to[OtherId(i)] = Traffic(s.weight[n].to[OtherId(i)])


def put(s: Placement, at: Place, v: NodeId, key: Traffic) -> None:
    """Put a vertex into the list."""
    s.vertex[at].node = v
    s.vertex[at].key = key
    s.place[v] = at


def take_vertex(s: Placement, now: u64) -> Status:
    """Take the vertex that has most traffic with those taken; with the last one the phase ends."""
    refused = barred(s, Stage.TAKING, now)
    if refused != Status.OK:
        return refused
    cut = s.cut
    at = heaviest(s)
    v = s.vertex[at].node
    key = s.vertex[at].key
    cut.steps -= 1
    cut.left -= 1
    last = Place(cut.left)
    put(s, at, s.vertex[last].node, s.vertex[last].key)
    put(s, last, v, key)
    spread(s, v)
    if cut.left == 0:
        end_phase(s, v, key)
    return Status.OK


def spread(s: Placement, v: NodeId) -> None:
    """Add the traffic with a vertex to the key of each vertex that is not taken."""
    for k in range(NODES // 8):
        if k * 8 >= s.cut.left:
            return
        spread_eight(s, v, Place(k * 8))


def spread_eight(s: Placement, v: NodeId, first: Place) -> None:
    """Do so for eight places, from one on."""
    for i in range(8):
        if u32(first) + i < s.cut.left:
            vertex = s.vertex[Place(u32(first) + i)]
            vertex.key = together(vertex.key, s.merged[v].to[OtherId(vertex.node)])


def end_phase(s: Placement, v: NodeId, key: Traffic) -> None:
    """Keep the cut between the vertex taken last and all others, if it is the least so far."""
    cut = s.cut
    if key < cut.value:
        cut.value = key
        cut.side = s.group[v]
    cut.turn = 2
    cut.stage = Stage.JOINING if cut.count > 2 else Stage.CLOSING


def join_entry(s: Placement, now: u64) -> Status:
    """Add up the traffic of the last two vertices taken, which come first in the list, with another one."""
    refused = barred(s, Stage.JOINING, now)
    if refused != Status.OK:
        return refused
    cut = s.cut
    v = s.vertex[Place(1)].node
    other = s.vertex[Place(cut.turn)].node
    sum = together(between(s, v, other), between(s, s.vertex[Place(0)].node, other))
    s.merged[v].to[OtherId(other)] = sum
    s.merged[other].to[OtherId(v)] = sum
    cut.steps -= 1
    cut.turn += 1
    if cut.turn == cut.count:
        cut.stage = Stage.CLOSING
    return Status.OK


def close_phase(s: Placement, now: u64) -> Status:
    """Make the last two vertices taken one, and begin the next phase; with only one left, the cut is complete."""
    refused = barred(s, Stage.CLOSING, now)
    if refused != Status.OK:
        return refused
    cut = s.cut
    gone = s.vertex[Place(0)].node
    v = s.vertex[Place(1)].node
    s.group[v] = s.group[v] | s.group[gone]
    follow(s, gone, v)
    cut.steps -= 1
    cut.count -= 1
    put(s, Place(0), s.vertex[Place(cut.count)].node, 0)
    if cut.count == 1:
        complete(s)
        return Status.OK
    cut.left = cut.count
    forget_keys(s)
    cut.stage = Stage.TAKING
    return Status.OK


def follow(s: Placement, v: NodeId, w: NodeId) -> None:
    """Let one vertex stand for the nodes of another."""
    for i in range(NODES):
        let_follow(s, NodeId(i), v, w)


def let_follow(s: Placement, n: NodeId, v: NodeId, w: NodeId) -> None:
    """Do so for one node."""
    if s.leader[n] == v:
        s.leader[n] = w


def forget_keys(s: Placement) -> None:
    """Begin a phase: nothing is taken."""
    for k in range(NODES // 8):
        if k * 8 >= s.cut.left:
            return
        forget_eight(s, k * 8)


def forget_eight(s: Placement, first: u32) -> None:
    """Do so for eight places, from one on."""
    for i in range(8):
        s.vertex[Place(first + i)].key = 0


def complete(s: Placement) -> None:
    """Let the cut be the result."""
    s.cut.stage = Stage.IDLE
    s.result.asked = s.cut.asked
    s.result.value = Traffic(s.cut.value)
    s.result.side = s.cut.side
    s.result.current = True
    s.degraded = False


def give_up_cut(s: Placement) -> Status:
    """Give up the cut under way: the last complete one stays the result."""
    if not is_busy(s):
        return Status.NO_CUT
    s.cut.stage = Stage.IDLE
    s.degraded = True
    return Status.OK
