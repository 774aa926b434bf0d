"""What always holds of the graph, of the cut under way, and of what is recommended?"""

from corollary.language.builtins import implies, trailing_zeros
from corollary.language.property import invariant
from corollary.language.types import u64
from corollary.spec.placement.cut import NO_VALUE, between, is_listed, is_loaded
from corollary.spec.placement.graph import has, is_busy, is_member, less, traffic
from corollary.spec.placement.limits import DWELL, LAST_EPOCH, NODES, TRAFFIC, WHOLE
from corollary.spec.placement.state import HomeId, NodeId, Place, Placement
from corollary.spec.placement.vocabulary import Change, Stage

# ---- the graph


@invariant("PLACE-1", "a partition lists exactly the nodes that are in it")
def home_lists_its_nodes(s: Placement, n: NodeId, p: HomeId) -> bool:
    return is_member(s, n, p) == (has(s.nodes, n) and s.node[n].home == p)


@invariant("PLACE-2", "traffic is the same both ways round")
def is_symmetric(s: Placement, n: NodeId, m: NodeId) -> bool:
    return traffic(s, n, m) == traffic(s, m, n)


@invariant("PLACE-3", "what is not in the graph has no traffic")
def stranger_has_no_traffic(s: Placement, n: NodeId, m: NodeId) -> bool:
    return has(s.nodes, n) or traffic(s, n, m) == 0


@invariant("PLACE-4", "score and pressure lie between 0 and 1,000,000, and add up to 1,000,000")
def score_and_pressure_are_all(s: Placement, p: HomeId) -> bool:
    return s.home[p].score <= WHOLE and s.home[p].pressure == WHOLE - s.home[p].score


@invariant("PLACE-5", "two partitions whose traffic is added up are not the same")
def couple_is_of_two(s: Placement) -> bool:
    return implies(s.couple.current, s.couple.first != s.couple.second)


@invariant("PLACE-6", "epochs do not end")
def epoch_is_bounded(s: Placement) -> bool:
    return s.epoch <= LAST_EPOCH


# ---- cuts


@invariant("CUT-1", "a complete cut has some but not all of the nodes asked about on its side, and a value")
def result_has_two_sides(s: Placement) -> bool:
    return s.result.asked == 0 or is_proper(s.result.side, s.result.asked)


def is_proper(side: u64, asked: u64) -> bool:
    """Is a side a proper, non-empty subset of the nodes asked about?"""
    return side != 0 and less(side, asked) == 0 and side != asked


@invariant("CUT-2", "so has the best cut of the phases so far")
def side_is_proper(s: Placement) -> bool:
    known = is_proper(s.cut.side, s.cut.asked) and s.cut.value < TRAFFIC
    ended = s.cut.stage == Stage.JOINING or s.cut.stage == Stage.CLOSING
    return implies(is_busy(s), known or (s.cut.side == 0 and s.cut.value == NO_VALUE and not ended))


@invariant("CUT-3", "the nodes of a cut are in the graph, and those that are not loaded are among them")
def cut_is_of_the_graph(s: Placement) -> bool:
    return implies(is_busy(s), less(s.cut.asked, s.nodes) == 0 and less(s.cut.loading, s.cut.asked) == 0)


@invariant("CUT-4", "nodes are loaded in order, until all are")
def loads_in_order(s: Placement) -> bool:
    if s.cut.stage != Stage.LOADING:
        return implies(is_busy(s), s.cut.loading == 0)
    return s.cut.loading != 0 and s.cut.count <= trailing_zeros(u64, s.cut.loading)


@invariant("CUT-5", "a cut has at least two nodes")
def cut_has_two_nodes(s: Placement) -> bool:
    cut = s.cut
    rest = cut.asked & (cut.asked - 1) if cut.asked != 0 else 0
    loading = implies(cut.count == 0, cut.loading == cut.asked) and implies(cut.count == 1, cut.loading == rest)
    return implies(is_busy(s), rest != 0 and implies(cut.stage == Stage.LOADING, loading))


@invariant("CUT-6", "the numbers of a phase fit each other")
def phase_is_counted(s: Placement) -> bool:
    cut = s.cut
    taking = cut.count >= 2 and cut.left >= 1 and cut.left <= cut.count
    joining = cut.turn >= 2 and cut.turn < cut.count
    return (
        implies(is_busy(s), cut.count <= NODES)
        and implies(cut.stage == Stage.TAKING, taking)
        and implies(cut.stage == Stage.JOINING, joining)
        and implies(cut.stage == Stage.CLOSING, cut.count >= 2)
    )


@invariant("CUT-7", "the vertices of the list are different, and stand for nodes of the cut, themselves among them")
def list_has_no_doubles(s: Placement, i: Place) -> bool:
    v = s.vertex[i].node
    known = s.place[v] == i and is_loaded(s, v) and s.leader[v] == v
    return implies(is_busy(s) and i < s.cut.count, known)


@invariant("CUT-8", "each node is in one group: that of the vertex that stands for it, which is listed")
def groups_cover_the_nodes(s: Placement, n: NodeId) -> bool:
    return implies(is_busy(s) and is_loaded(s, n), is_listed(s, s.leader[n]))


@invariant("CUT-9", "the groups of vertices are disjoint: each has just the nodes that it stands for")
def groups_are_disjoint(s: Placement, n: NodeId, v: NodeId) -> bool:
    in_group = has(s.group[v], n) == (s.leader[n] == v)
    return implies(is_busy(s) and is_loaded(s, n) and is_loaded(s, v) and is_listed(s, v), in_group)


@invariant("CUT-13", "a group has nodes of the cut only")
def groups_are_of_the_cut(s: Placement, v: NodeId) -> bool:
    loaded = less(s.cut.asked, s.cut.loading)
    return implies(is_busy(s) and is_loaded(s, v), less(s.group[v], loaded) == 0)


@invariant("CUT-10", "traffic of vertices is the same both ways round")
def merged_is_symmetric(s: Placement, n: NodeId, m: NodeId) -> bool:
    return implies(is_busy(s) and is_loaded(s, n) and is_loaded(s, m), between(s, n, m) == between(s, m, n))


@invariant("CUT-11", "what is loaded is the traffic of the graph")
def loaded_is_exact(s: Placement, n: NodeId, m: NodeId) -> bool:
    loading = s.cut.stage == Stage.LOADING and is_loaded(s, n)
    return implies(loading, between(s, n, m) == traffic(s, n, m))


# ---- recommendations


@invariant("MOVE-1", "nothing is held for a partition that rests")
def rested(s: Placement) -> bool:
    advised = s.advice.kind == Change.NOTHING or (is_rested(s, s.advice.source) and is_rested(s, s.advice.target))
    return advised and (s.best.kind == Change.NOTHING or (is_rested(s, s.best.source) and is_rested(s, s.best.target)))


def is_rested(s: Placement, p: HomeId) -> bool:
    """Has a partition rested since its last change?"""
    return s.home[p].rests_until <= s.epoch


@invariant("MOVE-2", "an advice is held for one to `DWELL` epochs, and carried out only after all of them")
def is_held(s: Placement) -> bool:
    counted = s.held <= DWELL and (s.held == 0) == (s.advice.kind == Change.NOTHING)
    return counted and implies(s.outstanding, s.held == DWELL)


@invariant("MOVE-3", "every change has a rank, and nothing else has one")
def is_ranked(s: Placement) -> bool:
    ranked = (s.advice.rank == 0) == (s.advice.kind == Change.NOTHING)
    return ranked and (s.best.rank == 0) == (s.best.kind == Change.NOTHING)
