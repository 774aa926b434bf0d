"""What do the words for sets of nodes, for traffic and for scores mean?"""

from corollary.language.builtins import minimum, shift_left, wrapping_add
from corollary.language.types import u32, u64
from corollary.spec.placement.limits import FRACTION, NODES, TRAFFIC, WEIGHT_MOST, WHOLE
from corollary.spec.placement.state import HomeId, NodeId, OtherId, Placement, Traffic
from corollary.spec.placement.vocabulary import Stage

ALL_NODES = (1 << NODES) - 1
LOST = (1 << FRACTION) - 1  # mask of the fractional bits that are not kept


def only(n: NodeId) -> u64:
    """Return the set of one node."""
    return shift_left(u64, 1, n)


def has(nodes: u64, n: NodeId) -> bool:
    """Is a node in a set?"""
    return nodes >> n & 1 == 1


def less(nodes: u64, others: u64) -> u64:
    """Return the nodes that are not among others."""
    return nodes & (others ^ ALL_NODES)


def later(nodes: u64, n: NodeId) -> u64:
    """Return the nodes of a set from one on."""
    return nodes & shift_left(u64, ALL_NODES, n)


def kept(weight: u64) -> u32:
    """Return a weight as it is kept, of one with 16 fractional bits: rounded up, so that no traffic is lost."""
    units = (weight >> FRACTION) + (1 if weight & LOST != 0 else 0)
    return u32(minimum(units, WEIGHT_MOST))


def together(a: Traffic, b: Traffic) -> Traffic:
    """Return the sum of two amounts of traffic."""
    return Traffic(minimum(u64(a) + b, TRAFFIC - 1))


def traffic(s: Placement, n: NodeId, m: NodeId) -> u32:
    """Return the traffic of two nodes, or of one with itself."""
    return s.weight[n].to[OtherId(m)]


def capped(sum: u64) -> Traffic:
    """Return a sum of at most all weights."""
    return Traffic(minimum(sum, TRAFFIC - 1))


def toward(s: Placement, n: NodeId, nodes: u64) -> Traffic:
    """Return the traffic of a node with some nodes."""
    return capped(sum_toward(s, n, nodes))


def inside_of(s: Placement, nodes: u64) -> Traffic:
    """Return the traffic of some nodes within their home, by the sums of each."""
    return capped(sum_inside(s, nodes))


def outside_of(s: Placement, nodes: u64) -> Traffic:
    """Return the traffic of some nodes with other homes, by the sums of each."""
    return capped(sum_outside(s, nodes))


def counted(nodes: u64, n: NodeId, amount: u64) -> u64:
    """Return an amount of traffic of a node, or nothing if the node is not in a set."""
    return amount if has(nodes, n) else 0


# the sums below never wrap around: 64 summands have at most 44 bits each


def sum_toward(s: Placement, n: NodeId, nodes: u64) -> u64:
    """Add up the traffic of a node with some nodes."""
    found: u64 = 0
    for i in range(NODES):
        found = wrapping_add(u64, found, counted(nodes, NodeId(i), u64(traffic(s, n, NodeId(i)))))
    return found


def sum_inside(s: Placement, nodes: u64) -> u64:
    """Add up the traffic of some nodes within their home."""
    found: u64 = 0
    for i in range(NODES):
        found = wrapping_add(u64, found, counted(nodes, NodeId(i), u64(s.node[NodeId(i)].inside)))
    return found


def sum_outside(s: Placement, nodes: u64) -> u64:
    """Add up the traffic of some nodes with other homes."""
    found: u64 = 0
    for i in range(NODES):
        found = wrapping_add(u64, found, counted(nodes, NodeId(i), u64(s.node[NodeId(i)].outside)))
    return found


def share(internal: Traffic, external: Traffic) -> u32:
    """Return the score in ppm, rounded down: how much of the traffic is internal. All of none is internal."""
    whole = u64(internal) + external
    return u32(minimum(quotient(u64(internal) * WHOLE, whole), WHOLE))


def quotient(part: u64, whole: u64) -> u64:
    """Return how often a whole is in a part, rounded down; for a whole of nothing, a million times."""
    return part // whole if whole != 0 else WHOLE


def is_isolated(s: Placement, n: NodeId) -> bool:
    """Has a node no traffic at all?"""
    for i in range(NODES):
        if traffic(s, n, NodeId(i)) != 0:
            return False
    return True


def is_busy(s: Placement) -> bool:
    """Is a cut under way?"""
    return s.cut.stage != Stage.IDLE


def is_member(s: Placement, n: NodeId, p: HomeId) -> bool:
    """Is a node listed in a home?"""
    return has(s.home[p].members, n)
