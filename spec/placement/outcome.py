"""When does each operation succeed, and what does it do then?"""

from corollary.language.builtins import saturating_sub, trailing_zeros
from corollary.language.property import ensures, succeeds
from corollary.language.types import u32, u64
from corollary.spec.placement.cut import NO_VALUE, between, heaviest
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
    traffic,
)
from corollary.spec.placement.integrity import is_rested
from corollary.spec.placement.limits import CUT_TIME, DWELL, LAST_EPOCH, LATEST, NODES, REST, WHOLE
from corollary.spec.placement.prediction import (
    frees_enough,
    held_for,
    helps,
    is_better,
    is_enough,
    is_scored,
    rank_of_merge,
    rank_of_move,
    rank_of_split,
    score_joined,
    score_left,
    score_merged,
    score_of,
)
from corollary.spec.placement.state import Advice, HomeId, NodeId, OtherId, Place, Placement, Traffic
from corollary.spec.placement.vocabulary import Change, Stage

# ---- words


def is_aged(after: Placement) -> bool:
    """Is nothing that was computed of the graph as it is?"""
    aged = after.surveyed == 0 and after.scored == 0
    return aged and not after.result.current and not after.couple.current


def is_nothing(advice: Advice) -> bool:
    """Is it the advice to do nothing?"""
    where = advice.node == 0 and advice.source == 0 and advice.target == 0
    return where and advice.kind == Change.NOTHING and advice.gain == 0 and advice.side == 0 and advice.rank == 0


def is_same(one: Advice, other: Advice) -> bool:
    """Is one advice the same as another?"""
    where = one.node == other.node and one.source == other.source and one.target == other.target
    what = one.kind == other.kind and one.gain == other.gain and one.side == other.side and one.rank == other.rank
    return where and what


def is_reconsidered(before: Placement, after: Placement) -> bool:
    """Is it forgotten which change was best, unless it is being carried out?"""
    if before.outstanding:
        return is_nothing(after.best) and is_same(after.advice, before.advice) and after.held == before.held
    return is_nothing(after.best) and is_nothing(after.advice) and after.held == 0


def has_moved(before: Placement, after: Placement, n: NodeId, p: HomeId, q: HomeId) -> bool:
    """Has a node left its home for `p`, as far as some home `q` is concerned?"""
    rest = less(before.home[q].members, only(n))
    return after.home[q].members == (rest | only(n) if q == p else rest)


# ---- the graph


@succeeds("add_node")
def may_add(before: Placement, n: NodeId) -> bool:
    return not is_busy(before) and not has(before.nodes, n)


@ensures(
    "add_node",
    "the node is in the graph, and in its partition",
    changes=(
        "nodes",
        "node.home",
        "home.members",
        "surveyed",
        "scored",
        "result.current",
        "couple.current",
        "best",
        "advice",
        "held",
    ),
)
def is_added(before: Placement, after: Placement, n: NodeId, p: HomeId, i: NodeId, q: HomeId) -> bool:
    home = after.node[i].home == (p if i == n else before.node[i].home)
    known = after.nodes == before.nodes | only(n)
    return home and known and has_moved(before, after, n, p, q) and is_aged(after) and is_reconsidered(before, after)


@succeeds("remove_node")
def may_remove(before: Placement, n: NodeId) -> bool:
    return not is_busy(before) and has(before.nodes, n) and is_isolated(before, n)


@ensures(
    "remove_node",
    "the node is in no partition any more",
    changes=(
        "nodes",
        "home.members",
        "surveyed",
        "scored",
        "result.current",
        "couple.current",
        "best",
        "advice",
        "held",
    ),
)
def is_removed(before: Placement, after: Placement, n: NodeId, q: HomeId) -> bool:
    gone = after.nodes == less(before.nodes, only(n)) and after.home[q].members == less(before.home[q].members, only(n))
    return gone and is_aged(after) and is_reconsidered(before, after)


@succeeds("rehome_node")
def may_rehome(before: Placement, n: NodeId, p: HomeId) -> bool:
    return not is_busy(before) and has(before.nodes, n) and before.node[n].home != p


@ensures(
    "rehome_node",
    "the node is in another partition",
    changes=(
        "node.home",
        "home.members",
        "surveyed",
        "scored",
        "result.current",
        "couple.current",
        "best",
        "advice",
        "held",
    ),
)
def is_rehomed(before: Placement, after: Placement, n: NodeId, p: HomeId, i: NodeId, q: HomeId) -> bool:
    home = after.node[i].home == (p if i == n else before.node[i].home)
    return home and has_moved(before, after, n, p, q) and is_aged(after) and is_reconsidered(before, after)


@succeeds("set_weight")
def may_weigh(before: Placement, n: NodeId, m: NodeId) -> bool:
    return not is_busy(before) and has(before.nodes, n) and has(before.nodes, m)


@ensures(
    "set_weight",
    "the traffic of the pair is set, as precisely as it is kept",
    changes=("weight", "surveyed", "scored", "result.current", "couple.current"),
)
def is_weighed(before: Placement, after: Placement, n: NodeId, m: NodeId, weight: u64, i: NodeId, k: OtherId) -> bool:
    mine = (i == n and k == OtherId(m)) or (i == m and k == OtherId(n))
    return after.weight[i].to[k] == (kept(weight) if mine else before.weight[i].to[k]) and is_aged(after)


@succeeds("survey_node")
def may_survey(before: Placement, n: NodeId) -> bool:
    return has(before.nodes, n)


@ensures(
    "survey_node",
    "the traffic of the node is added up: inside of its home each pair once, and outside",
    changes=("node.inside", "node.outside", "surveyed"),
)
def is_surveyed(before: Placement, after: Placement, n: NodeId, i: NodeId) -> bool:
    members = before.home[before.node[n].home].members
    if i != n:
        kept = after.node[i].inside == before.node[i].inside and after.node[i].outside == before.node[i].outside
        return kept and after.surveyed == before.surveyed | only(n)
    inside = after.node[i].inside == toward(before, n, later(members, n))
    outside = after.node[i].outside == toward(before, n, less(before.nodes, members))
    return inside and outside and after.surveyed == before.surveyed | only(n)


@succeeds("score_home")
def may_score(before: Placement, p: HomeId) -> bool:
    return less(before.home[p].members, before.surveyed) == 0


@ensures(
    "score_home",
    "the partition scores the share of its traffic that is internal, and the rest is its pressure",
    changes=("home.internal", "home.external", "home.score", "home.pressure", "scored"),
)
def is_scored_now(before: Placement, after: Placement, p: HomeId, q: HomeId) -> bool:
    home = after.home[q]
    known = after.scored == before.scored | only(NodeId(p))
    if q != p:
        old = before.home[q]
        sums = home.internal == old.internal and home.external == old.external
        return known and sums and home.score == old.score and home.pressure == old.pressure
    internal = inside_of(before, before.home[p].members)
    external = outside_of(before, before.home[p].members)
    score = share(internal, external)
    sums = home.internal == internal and home.external == external
    return known and sums and home.score == score and home.pressure == WHOLE - score


@succeeds("couple_homes")
def may_couple(before: Placement, p: HomeId, q: HomeId) -> bool:
    return p != q


@ensures("couple_homes", "nothing of the traffic of two partitions is added up yet", changes=("couple",))
def is_coupled(before: Placement, after: Placement, p: HomeId, q: HomeId) -> bool:
    couple = after.couple
    homes = couple.first == p and couple.second == q and couple.current
    return homes and couple.left == before.home[p].members and couple.between == 0


@succeeds("add_couple_row")
def may_add_row(before: Placement) -> bool:
    return before.couple.current and before.couple.left != 0


@ensures("add_couple_row", "the traffic of one node more is added", changes=("couple.left", "couple.between"))
def is_row_added(before: Placement, after: Placement) -> bool:
    if before.couple.left == 0:
        return False
    n = NodeId(trailing_zeros(u64, before.couple.left))
    row = toward(before, n, before.home[before.couple.second].members)
    sum = after.couple.between == together(before.couple.between, row)
    return sum and after.couple.left == less(before.couple.left, only(n))


# ---- cuts


@succeeds("begin_cut")
def may_begin_cut(before: Placement, whole: bool, p: HomeId, now: u64) -> bool:
    asked = before.nodes if whole else before.home[p].members
    return not is_busy(before) and asked != 0 and asked & (asked - 1) != 0 and now <= LATEST


@ensures("begin_cut", "the cut begins with nothing loaded", changes=("cut",))
def is_begun(before: Placement, after: Placement, whole: bool, p: HomeId, steps: u32, now: u64) -> bool:
    cut = after.cut
    asked = before.nodes if whole else before.home[p].members
    budget = cut.steps == steps and cut.deadline == now + CUT_TIME
    empty = cut.count == 0 and cut.left == 0 and cut.turn == 0 and cut.value == NO_VALUE and cut.side == 0
    return cut.stage == Stage.LOADING and cut.asked == asked and cut.loading == asked and budget and empty


def may_step(before: Placement, stage: Stage, now: u64) -> bool:
    """May the cut under way take a step of a stage now?"""
    return before.cut.stage == stage and before.cut.steps != 0 and now <= before.cut.deadline


@succeeds("load_row")
def may_load(before: Placement, now: u64) -> bool:
    return may_step(before, Stage.LOADING, now)


@ensures(
    "load_row",
    "the next node is a vertex of its own, with its traffic; after the last one vertices are taken",
    changes=(
        "merged",
        "vertex",
        "place",
        "group",
        "leader",
        "cut.steps",
        "cut.count",
        "cut.loading",
        "cut.left",
        "cut.stage",
    ),
)
def is_loaded_now(before: Placement, after: Placement, i: NodeId, j: Place, k: OtherId) -> bool:
    if before.cut.loading == 0 or before.cut.steps == 0 or before.cut.count >= NODES:
        return False
    n = NodeId(trailing_zeros(u64, before.cut.loading))
    at = Place(before.cut.count)
    is_last = before.cut.loading == only(n)
    row = after.merged[i].to[k] == (Traffic(before.weight[i].to[k]) if i == n else before.merged[i].to[k])
    listed = after.vertex[j].node == (n if j == at else before.vertex[j].node)
    key = after.vertex[j].key == (0 if j == at else before.vertex[j].key)
    places = after.place[i] == (at if i == n else before.place[i])
    leads = after.leader[i] == (n if i == n else before.leader[i])
    group = after.group[i] == (only(n) if i == n else before.group[i])
    left = after.cut.left == (before.cut.count + 1 if is_last else before.cut.left)
    stage = after.cut.stage == (Stage.TAKING if is_last else Stage.LOADING)
    counts = after.cut.steps == before.cut.steps - 1 and after.cut.count == before.cut.count + 1
    loading = after.cut.loading == less(before.cut.loading, only(n))
    return row and listed and key and places and leads and group and left and stage and counts and loading


@succeeds("take_vertex")
def may_take(before: Placement, now: u64) -> bool:
    return may_step(before, Stage.TAKING, now)


@ensures(
    "take_vertex",
    "the heaviest vertex goes behind those left, and its traffic is added to theirs; the last one ends the phase",
    changes=("vertex", "place", "cut.steps", "cut.left", "cut.stage", "cut.turn", "cut.value", "cut.side"),
)
def is_taken(before: Placement, after: Placement, i: NodeId, j: Place) -> bool:
    if before.cut.left == 0 or before.cut.left > NODES or before.cut.steps == 0:
        return False
    at = heaviest(before)
    last = Place(before.cut.left - 1)
    v = before.vertex[at].node
    other = before.vertex[last].node
    origin = at if j == last else last if j == at else j
    moved = before.vertex[origin].node
    key = before.vertex[origin].key
    listed = after.vertex[j].node == moved
    weighed = after.vertex[j].key == (together(key, between(before, v, moved)) if j < last else key)
    places = after.place[i] == (last if i == v else at if i == other else before.place[i])
    counts = after.cut.steps == before.cut.steps - 1 and after.cut.left == before.cut.left - 1
    return listed and weighed and places and counts and ends_phase(before, after, v, before.vertex[at].key)


def ends_phase(before: Placement, after: Placement, v: NodeId, key: Traffic) -> bool:
    """Is the cut around the vertex taken last kept, if it is the least? Before, nothing of that changes."""
    cut = after.cut
    last = before.cut.left == 1
    least = last and key < before.cut.value
    value = cut.value == (key if least else before.cut.value)
    side = cut.side == (before.group[v] if least else before.cut.side)
    next = Stage.JOINING if before.cut.count > 2 else Stage.CLOSING
    return (
        value
        and side
        and cut.stage == (next if last else Stage.TAKING)
        and cut.turn == (2 if last else before.cut.turn)
    )


@succeeds("join_entry")
def may_join(before: Placement, now: u64) -> bool:
    return may_step(before, Stage.JOINING, now)


@ensures(
    "join_entry",
    "the traffic of one vertex with the last two taken is one sum",
    changes=("merged", "cut.steps", "cut.turn", "cut.stage"),
)
def is_joined(before: Placement, after: Placement, i: NodeId, k: OtherId) -> bool:
    if before.cut.turn >= NODES or before.cut.steps == 0:
        return False
    v = before.vertex[Place(1)].node
    other = before.vertex[Place(before.cut.turn)].node
    sum = together(between(before, v, other), between(before, before.vertex[Place(0)].node, other))
    mine = (i == v and k == OtherId(other)) or (i == other and k == OtherId(v))
    counts = after.cut.steps == before.cut.steps - 1 and after.cut.turn == before.cut.turn + 1
    stage = after.cut.stage == (Stage.CLOSING if after.cut.turn == before.cut.count else Stage.JOINING)
    return after.merged[i].to[k] == (sum if mine else before.merged[i].to[k]) and counts and stage


@succeeds("close_phase")
def may_close(before: Placement, now: u64) -> bool:
    return may_step(before, Stage.CLOSING, now)


@ensures(
    "close_phase",
    "the last two vertices taken are one, and a phase begins; with one vertex left, the cut is complete",
    changes=(
        "vertex",
        "place",
        "group",
        "leader",
        "cut.steps",
        "cut.count",
        "cut.left",
        "cut.stage",
        "result",
        "degraded",
    ),
)
def is_closed(before: Placement, after: Placement, i: NodeId, j: Place) -> bool:
    if before.cut.count < 2 or before.cut.count > NODES or before.cut.steps == 0:
        return False
    gone = before.vertex[Place(0)].node
    moved = before.vertex[Place(before.cut.count - 1)].node
    last = before.cut.count == 2
    leader = before.vertex[Place(1)].node if before.leader[i] == gone else before.leader[i]
    v = before.vertex[Place(1)].node
    group = after.group[i] == (before.group[v] | before.group[gone] if i == v else before.group[i])
    listed = after.vertex[j].node == (moved if j == 0 else before.vertex[j].node)
    begun = not last and j // 8 * 8 < before.cut.count - 1  # keys are forgotten eight at a time
    key = after.vertex[j].key == (0 if begun or j == 0 else before.vertex[j].key)
    places = after.place[i] == (Place(0) if i == moved else before.place[i])
    counts = after.cut.steps == before.cut.steps - 1 and after.cut.count == before.cut.count - 1
    stage = after.cut.stage == (Stage.IDLE if last else Stage.TAKING)
    left = after.cut.left == (before.cut.left if last else before.cut.count - 1)
    list_ = after.leader[i] == leader and group and listed and key and places
    return list_ and counts and stage and left and (is_complete(before, after) if last else is_kept(before, after))


def is_complete(before: Placement, after: Placement) -> bool:
    """Is the cut under way the result?"""
    what = after.result.asked == before.cut.asked and after.result.value == before.cut.value
    return what and after.result.side == before.cut.side and after.result.current and not after.degraded


def is_kept(before: Placement, after: Placement) -> bool:
    """Is the result the one that it was?"""
    what = after.result.asked == before.result.asked and after.result.value == before.result.value
    same = after.result.side == before.result.side and after.result.current == before.result.current
    return what and same and after.degraded == before.degraded


@succeeds("give_up_cut")
def may_give_up(before: Placement) -> bool:
    return is_busy(before)


@ensures("give_up_cut", "no cut is under way, and the component is degraded", changes=("cut.stage", "degraded"))
def is_given_up(before: Placement, after: Placement) -> bool:
    return after.cut.stage == Stage.IDLE and after.degraded


# ---- recommendations


@succeeds("begin_epoch")
def may_begin_epoch(before: Placement) -> bool:
    return before.epoch < LAST_EPOCH


@ensures(
    "begin_epoch",
    "the best candidate has held for one epoch more, or is held from now on",
    changes=("epoch", "best", "advice", "held"),
)
def is_next_epoch(before: Placement, after: Placement) -> bool:
    if before.epoch >= LAST_EPOCH or before.held > DWELL:
        return False
    held = before.held if before.outstanding else held_for(before.held, before.best, before.advice)
    advice = is_same(after.advice, before.advice) if before.outstanding else is_same(after.advice, before.best)
    return after.epoch == before.epoch + 1 and is_nothing(after.best) and after.held == held and advice


@succeeds("set_recovery")
def may_set_recovery(before: Placement) -> bool:
    return True


@ensures("set_recovery", "it is known whether the system recovers", changes=("recovering",))
def is_recovery_set(before: Placement, after: Placement, on: bool) -> bool:
    return after.recovering == on


def may_consider(before: Placement, p: HomeId, q: HomeId) -> bool:
    """May a change of two partitions be considered?"""
    well = not before.degraded and not before.recovering and not before.outstanding
    rested = is_rested(before, p) and is_rested(before, q)
    return well and rested and is_scored(before, p) and is_scored(before, q)


def would_be_best(before: Placement, gain: Traffic, rank: u32) -> bool:
    """Would a candidate be the best of the epoch?"""
    return before.best.kind == Change.NOTHING or is_better(gain, rank, before.best)


def is_preferred(after: Placement, kind: Change, n: NodeId, p: HomeId, q: HomeId) -> bool:
    """Is this the change that is best?"""
    where = after.best.node == n and after.best.source == p and after.best.target == q
    return after.best.kind == kind and where


def near_of(s: Placement, n: NodeId) -> Traffic:
    """Return the traffic of a node with others of its home."""
    return toward(s, n, less(s.home[s.node[n].home].members, only(n)))


def far_of(s: Placement, n: NodeId) -> Traffic:
    """Return the traffic of a node with other homes."""
    return toward(s, n, less(s.nodes, s.home[s.node[n].home].members))


def gain_of(s: Placement, n: NodeId, q: HomeId) -> Traffic:
    """Return how much more traffic a node would have within its home, if that was `q`."""
    return saturating_sub(toward(s, n, s.home[q].members), near_of(s, n))


@succeeds("consider_move")
def may_move(before: Placement, n: NodeId, q: HomeId) -> bool:
    p = before.node[n].home
    if not has(before.nodes, n) or p == q or not may_consider(before, p, q):
        return False
    own = Traffic(traffic(before, n, n))
    near = near_of(before, n)
    far = far_of(before, n)
    there = toward(before, n, before.home[q].members)
    left = score_left(before.home[p], together(own, near), far)
    joined = score_joined(before.home[q], together(near, far), there, own)
    gain = gain_of(before, n, q)
    return (
        is_enough(gain, together(own, together(near, far)))
        and helps(before.home[p].score, left, before.home[q].score, joined)
        and would_be_best(before, gain, rank_of_move(n, q))
    )


@ensures("consider_move", "the move is the best candidate", changes=("best",))
def is_moved(before: Placement, after: Placement, n: NodeId, q: HomeId) -> bool:
    what = after.best.gain == gain_of(before, n, q) and after.best.side == only(n)
    where = is_preferred(after, Change.MIGRATE, n, before.node[n].home, q)
    return what and where and after.best.rank == rank_of_move(n, q)


@succeeds("consider_merge")
def may_merge(before: Placement) -> bool:
    couple = before.couple
    if not couple.current or couple.left != 0 or not may_consider(before, couple.first, couple.second):
        return False
    p = before.home[couple.first]
    q = before.home[couple.second]
    external = saturating_sub(together(p.external, q.external), couple.between)
    score = score_merged(p, q, couple.between)
    return (
        is_enough(couple.between, together(together(p.internal, q.internal), external))
        and helps(p.score, score, q.score, score)
        and would_be_best(before, couple.between, rank_of_merge(couple.first, couple.second))
    )


@ensures("consider_merge", "the merge is the best candidate", changes=("best",))
def is_merged(before: Placement, after: Placement) -> bool:
    couple = before.couple
    what = after.best.gain == couple.between and after.best.side == before.home[couple.first].members
    where = is_preferred(after, Change.MERGE, NodeId(0), couple.first, couple.second)
    return what and where and after.best.rank == rank_of_merge(couple.first, couple.second)


@succeeds("consider_split")
def may_split(before: Placement, p: HomeId) -> bool:
    result = before.result
    if not may_consider(before, p, p) or not result.current or result.asked != before.home[p].members:
        return False
    one = score_of(before, result.side)
    other = score_of(before, less(result.asked, result.side))
    best = would_be_best(before, 0, rank_of_split(p))
    return result.value == 0 and frees_enough(before.home[p].score, one, other) and best


@ensures("consider_split", "the split is the best candidate", changes=("best",))
def is_split(before: Placement, after: Placement, p: HomeId) -> bool:
    what = after.best.gain == 0 and after.best.side == before.result.side
    return what and is_preferred(after, Change.SPLIT, NodeId(0), p, p) and after.best.rank == rank_of_split(p)


@succeeds("recommend")
def may_recommend(before: Placement) -> bool:
    return not before.degraded and not before.recovering and not before.outstanding and before.held == DWELL


@ensures("recommend", "the advice is being carried out", changes=("outstanding",))
def is_recommended(before: Placement, after: Placement) -> bool:
    return after.outstanding


@succeeds("conclude")
def may_conclude(before: Placement) -> bool:
    return before.outstanding


@ensures(
    "conclude",
    "the partitions concerned rest, and nothing is held for any",
    changes=("home.rests_until", "advice", "best", "held", "outstanding"),
)
def is_concluded(before: Placement, after: Placement, q: HomeId) -> bool:
    concerned = q == before.advice.source or q == before.advice.target
    if before.epoch > LAST_EPOCH:
        return False
    rests = after.home[q].rests_until == (before.epoch + REST if concerned else before.home[q].rests_until)
    return rests and is_nothing(after.advice) and is_nothing(after.best) and after.held == 0 and not after.outstanding
