"""How does the graph change, and what do its partitions score?"""

from corollary.language.builtins import trailing_zeros
from corollary.language.types import u64
from corollary.language.values import clear
from corollary.spec.placement.graph import (
    has,
    inside_of,
    is_busy,
    is_isolated,
    kept,
    later,
    less,
    only,
    outside_of,
    share,
    together,
    toward,
)
from corollary.spec.placement.limits import HOMES, WHOLE
from corollary.spec.placement.state import HomeId, NodeId, OtherId, Placement
from corollary.spec.placement.vocabulary import Status


def begin(s: Placement) -> None:
    """Make every partition one without traffic."""
    for i in range(HOMES):
        s.home[HomeId(i)].score = WHOLE


def add_node(s: Placement, n: NodeId, p: HomeId) -> Status:
    """Add a node to the graph, in a partition."""
    if is_busy(s):
        return Status.BUSY
    if has(s.nodes, n):
        return Status.NODE_KNOWN
    s.nodes = s.nodes | only(n)
    s.node[n].home = p
    s.home[p].members = s.home[p].members | only(n)
    age(s)
    reconsider(s)
    return Status.OK


def remove_node(s: Placement, n: NodeId) -> Status:
    """Take a node without traffic out of the graph."""
    if is_busy(s):
        return Status.BUSY
    if not has(s.nodes, n):
        return Status.NODE_UNKNOWN
    if not is_isolated(s, n):
        return Status.CONNECTED
    s.nodes = less(s.nodes, only(n))
    home = s.home[s.node[n].home]
    home.members = less(home.members, only(n))
    age(s)
    reconsider(s)
    return Status.OK


def rehome_node(s: Placement, n: NodeId, p: HomeId) -> Status:
    """Record that a node is in another partition now."""
    if is_busy(s):
        return Status.BUSY
    if not has(s.nodes, n):
        return Status.NODE_UNKNOWN
    if s.node[n].home == p:
        return Status.SAME_HOME
    home = s.home[s.node[n].home]
    home.members = less(home.members, only(n))
    s.home[p].members = s.home[p].members | only(n)
    s.node[n].home = p
    age(s)
    reconsider(s)
    return Status.OK


def set_weight(s: Placement, n: NodeId, m: NodeId, weight: u64) -> Status:
    """Set the traffic of two nodes, or of one with itself, in units with 16 fractional bits."""
    if is_busy(s):
        return Status.BUSY
    if not has(s.nodes, n) or not has(s.nodes, m):
        return Status.NODE_UNKNOWN
    s.weight[n].to[OtherId(m)] = kept(weight)
    s.weight[m].to[OtherId(n)] = kept(weight)
    age(s)
    return Status.OK


def age(s: Placement) -> None:
    """Note that whatever was computed is of an older graph."""
    s.surveyed = 0
    s.scored = 0
    s.result.current = False
    s.couple.current = False


def reconsider(s: Placement) -> None:
    """Forget which change was best, since other nodes are at other places now; not one that is being carried out."""
    clear(s.best)
    if not s.outstanding:
        clear(s.advice)
        s.held = 0


def survey_node(s: Placement, n: NodeId) -> Status:
    """Add up the traffic of a node inside and outside of its home."""
    if not has(s.nodes, n):
        return Status.NODE_UNKNOWN
    node = s.node[n]
    members = s.home[node.home].members
    node.inside = toward(s, n, later(members, n))
    node.outside = toward(s, n, less(s.nodes, members))
    s.surveyed = s.surveyed | only(n)
    return Status.OK


def score_home(s: Placement, p: HomeId) -> Status:
    """Score a partition whose nodes were all surveyed."""
    home = s.home[p]
    if less(home.members, s.surveyed) != 0:
        return Status.NOT_SURVEYED
    home.internal = inside_of(s, home.members)
    home.external = outside_of(s, home.members)
    home.score = share(home.internal, home.external)
    home.pressure = WHOLE - home.score
    s.scored = s.scored | only(NodeId(p))
    return Status.OK


def couple_homes(s: Placement, p: HomeId, q: HomeId) -> Status:
    """Begin to add up the traffic of two partitions with each other."""
    if p == q:
        return Status.SAME_HOME
    couple = s.couple
    couple.first = p
    couple.second = q
    couple.left = s.home[p].members
    couple.between = 0
    couple.current = True
    return Status.OK


def add_couple_row(s: Placement) -> Status:
    """Add the traffic of the next node of the first partition with the second one."""
    couple = s.couple
    if not couple.current or couple.left == 0:
        return Status.NOT_SURVEYED
    n = NodeId(trailing_zeros(u64, couple.left))
    couple.between = together(couple.between, toward(s, n, s.home[couple.second].members))
    couple.left = less(couple.left, only(n))
    return Status.OK
