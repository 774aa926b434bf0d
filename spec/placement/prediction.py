"""What would partitions score after a change, and is the change worth it?

The sums of a partition and the traffic of its nodes are of one graph, so no difference below is really cut off at 0.
"""

from corollary.language.builtins import maximum, minimum, saturating_sub
from corollary.language.types import u8, u32, u64
from corollary.spec.placement.graph import has, inside_of, outside_of, share, together
from corollary.spec.placement.limits import DWELL, GAIN_PART, HOMES, NODES, WHOLE
from corollary.spec.placement.state import Advice, Home, HomeId, NodeId, Placement, Traffic
from corollary.spec.placement.vocabulary import Change

MERGES = NODES * HOMES  # ranks of moves come before those of merges
SPLITS = MERGES + HOMES * HOMES


def score_left(p: Home, near: Traffic, far: Traffic) -> u32:
    """Return the score of a partition without a node with traffic `near` in it and `far` outside of it."""
    return share(saturating_sub(p.internal, near), saturating_sub(together(p.external, near), far))


def score_joined(q: Home, whole: Traffic, with_it: Traffic, own: Traffic) -> u32:
    """Return the score of a partition with one more node.

    The node has `whole` traffic with others, of this `with_it` with the partition, and `own` with itself.
    """
    external = saturating_sub(saturating_sub(together(q.external, whole), with_it), with_it)
    return share(together(q.internal, together(with_it, own)), external)


def score_merged(p: Home, q: Home, between: Traffic) -> u32:
    """Return the score of two partitions made one."""
    external = saturating_sub(saturating_sub(together(p.external, q.external), between), between)
    return share(together(together(p.internal, q.internal), between), external)


def score_of(s: Placement, nodes: u64) -> u32:
    """Return the score of some nodes of a partition that have no traffic with the rest of it."""
    return share(inside_of(s, nodes), outside_of(s, nodes))


def helps(old: u32, new: u32, other_old: u32, other_new: u32) -> bool:
    """Does none of two partitions score worse, and at least one better?"""
    return new >= old and other_new >= other_old and (new > old or other_new > other_old)


def is_enough(gain: Traffic, traffic: Traffic) -> bool:
    """Is a gain worth a change that concerns this traffic?"""
    return gain != 0 and u64(gain) * GAIN_PART >= traffic


def frees_enough(old: u32, one: u32, other: u32) -> bool:
    """Are two halves worth a split: none scores worse than the whole, and one better by a tenth of all traffic?"""
    return one >= old and other >= old and maximum(one, other) >= old + WHOLE // GAIN_PART


def is_better(gain: Traffic, rank: u32, best: Advice) -> bool:
    """Is a candidate better than the best so far? Among equal gains, the lower rank is."""
    return gain > best.gain or (gain == best.gain and rank < best.rank)


def rank_of_move(n: NodeId, q: HomeId) -> u32:
    """Return the rank of a move."""
    return u32(n) * HOMES + q + 1


def rank_of_merge(p: HomeId, q: HomeId) -> u32:
    """Return the rank of a merge."""
    return MERGES + u32(p) * HOMES + q + 1


def rank_of_split(p: HomeId) -> u32:
    """Return the rank of a split."""
    return SPLITS + u32(p) + 1


def is_scored(s: Placement, p: HomeId) -> bool:
    """Is the score of a partition of the graph as it is?"""
    return has(s.scored, NodeId(p))


def held_for(held: u8, best: Advice, before: Advice) -> u8:
    """Return for how many epochs the best candidate has held, if the one before had held for `held`."""
    if best.kind == Change.NOTHING:
        return 0
    same = best.rank == before.rank and best.side == before.side
    return u8(minimum(held + 1, DWELL)) if same else 1
