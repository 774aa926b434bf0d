"""Which change of placement is recommended?

In each epoch whoever drives the component has it consider candidates. One that is the best for some epochs after
another is recommended.
"""

from corollary.language.builtins import saturating_sub
from corollary.language.types import u32, u64
from corollary.language.values import clear
from corollary.spec.placement.graph import has, less, only, together, toward, traffic
from corollary.spec.placement.limits import DWELL, LAST_EPOCH, REST
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
from corollary.spec.placement.state import Advice, HomeId, NodeId, Placement, Traffic
from corollary.spec.placement.vocabulary import Change, Status


def unsuited(s: Placement, p: HomeId, q: HomeId) -> Status:
    """Return why no change of two partitions may be considered now, or OK."""
    if s.degraded:
        return Status.DEGRADED
    if s.recovering:
        return Status.RECOVERING
    if s.outstanding:
        return Status.OUTSTANDING
    if s.home[p].rests_until > s.epoch or s.home[q].rests_until > s.epoch:
        return Status.RESTING
    if not is_scored(s, p) or not is_scored(s, q):
        return Status.NOT_SURVEYED
    return Status.OK


def consider_move(s: Placement, n: NodeId, q: HomeId) -> Status:
    """Consider a move of a node to another partition."""
    if not has(s.nodes, n):
        return Status.NODE_UNKNOWN
    p = s.node[n].home
    if p == q:
        return Status.SAME_HOME
    refused = unsuited(s, p, q)
    if refused != Status.OK:
        return refused
    own = Traffic(traffic(s, n, n))
    near = toward(s, n, less(s.home[p].members, only(n)))
    far = toward(s, n, less(s.nodes, s.home[p].members))
    there = toward(s, n, s.home[q].members)
    gain = saturating_sub(there, near)
    if not is_enough(gain, together(own, together(near, far))):
        return Status.TOO_LITTLE
    left = score_left(s.home[p], together(own, near), far)
    joined = score_joined(s.home[q], together(near, far), there, own)
    if not helps(s.home[p].score, left, s.home[q].score, joined):
        return Status.WORSE
    return prefer(s, Change.MIGRATE, n, p, q, gain, only(n), rank_of_move(n, q))


def consider_merge(s: Placement) -> Status:
    """Consider to make one partition of the two whose traffic with each other was added up."""
    couple = s.couple
    if not couple.current or couple.left != 0:
        return Status.NOT_SURVEYED
    p = couple.first
    q = couple.second
    refused = unsuited(s, p, q)
    if refused != Status.OK:
        return refused
    external = saturating_sub(together(s.home[p].external, s.home[q].external), couple.between)
    traffic = together(together(s.home[p].internal, s.home[q].internal), external)
    if not is_enough(couple.between, traffic):
        return Status.TOO_LITTLE
    score = score_merged(s.home[p], s.home[q], couple.between)
    if not helps(s.home[p].score, score, s.home[q].score, score):
        return Status.WORSE
    return prefer(s, Change.MERGE, NodeId(0), p, q, couple.between, s.home[p].members, rank_of_merge(p, q))


def consider_split(s: Placement, p: HomeId) -> Status:
    """Consider to divide a partition along its cut, if the sides have no traffic with each other.

    If they had, one side would score worse than the partition: what both have inside is less, and what they have
    outside is more.
    """
    refused = unsuited(s, p, p)
    if refused != Status.OK:
        return refused
    result = s.result
    if not result.current or result.asked != s.home[p].members:
        return Status.NO_CUT
    if result.value != 0:
        return Status.WORSE
    one = score_of(s, result.side)
    other = score_of(s, less(result.asked, result.side))
    if not frees_enough(s.home[p].score, one, other):
        return Status.TOO_LITTLE
    return prefer(s, Change.SPLIT, NodeId(0), p, p, 0, result.side, rank_of_split(p))


def prefer(s: Placement, kind: Change, n: NodeId, p: HomeId, q: HomeId, gain: Traffic, side: u64, rank: u32) -> Status:
    """Make a candidate the best of this epoch, if it is."""
    best = s.best
    if best.kind != Change.NOTHING and not is_better(gain, rank, best):
        return Status.NOT_BETTER
    best.kind = kind
    best.node = n
    best.source = p
    best.target = q
    best.gain = gain
    best.side = side
    best.rank = rank
    return Status.OK


def begin_epoch(s: Placement) -> Status:
    """End an epoch: its best candidate has held for one more, or takes the place of the one before."""
    if s.epoch >= LAST_EPOCH:
        return Status.LAST_EPOCH
    s.epoch += 1
    if not s.outstanding:
        s.held = held_for(s.held, s.best, s.advice)
        replace(s.advice, s.best)
    clear(s.best)
    return Status.OK


def replace(advice: Advice, other: Advice) -> None:
    """Make one advice the same as another."""
    advice.kind = other.kind
    advice.node = other.node
    advice.source = other.source
    advice.target = other.target
    advice.gain = other.gain
    advice.side = other.side
    advice.rank = other.rank


def set_recovery(s: Placement, on: bool) -> Status:
    """Record that the system recovers from a failure, or that it does no more."""
    s.recovering = on
    return Status.OK


def recommend(s: Placement) -> Status:
    """Recommend the change that was the best for long enough."""
    if s.degraded:
        return Status.DEGRADED
    if s.recovering:
        return Status.RECOVERING
    if s.outstanding:
        return Status.OUTSTANDING
    if s.held < DWELL:
        return Status.NOT_HELD
    s.outstanding = True
    return Status.OK


def conclude(s: Placement) -> Status:
    """Record that what was recommended was carried out, or failed: either way its partitions rest."""
    if not s.outstanding:
        return Status.NOT_OUTSTANDING
    s.home[s.advice.source].rests_until = s.epoch + REST
    s.home[s.advice.target].rests_until = s.epoch + REST
    clear(s.advice)
    clear(s.best)
    s.held = 0
    s.outstanding = False
    return Status.OK
