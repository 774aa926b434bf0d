"""What do the words for the steps of a cut mean?"""

from corollary.spec.placement.limits import NODES
from corollary.spec.placement.state import NodeId, OtherId, Place, Placement, Traffic

NO_VALUE = (1 << 64) - 1  # more than any cut: no phase has ended yet


def heaviest(s: Placement) -> Place:
    """Return the place of the vertex not taken that has most traffic with those taken; of equal ones the first."""
    best = Place(0)
    for i in range(NODES):
        if i >= s.cut.left:
            return best
        best = heavier(s, best, Place(i))
    return best


def heavier(s: Placement, chosen: Place, at: Place) -> Place:
    """Return the place of the vertex with more traffic with those taken; of equal ones the one chosen before."""
    return at if s.vertex[at].key > s.vertex[chosen].key else chosen


def between(s: Placement, v: NodeId, w: NodeId) -> Traffic:
    """Return the traffic of two vertices."""
    return s.merged[v].to[OtherId(w)]


def is_listed(s: Placement, v: NodeId) -> bool:
    """Is a vertex in the list of the cut?"""
    at = s.place[v]
    return at < s.cut.count and s.vertex[at].node == v


def is_loaded(s: Placement, n: NodeId) -> bool:
    """Does a vertex of the cut under way stand for a node?"""
    return (s.cut.asked & (s.cut.loading ^ NO_VALUE)) >> n & 1 == 1
