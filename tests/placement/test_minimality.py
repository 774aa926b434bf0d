"""Is the cut of every graph of a few nodes the least there is, and would a mistake in the algorithm be seen?"""

import pytest

from corollary.language.types import u64
from corollary.model.placement.cut import barred, end_phase, put, spread
from corollary.spec.placement.cut import between
from corollary.spec.placement.graph import together
from corollary.spec.placement.state import OtherId, Place, Placement
from corollary.spec.placement.vocabulary import Stage, Status
from tests.placement.minimality import STEPS, refuted


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_cut_of_every_graph_of_up_to_four_nodes_is_the_least(count):
    assert refuted(count) is None


@pytest.mark.full
def test_the_cut_of_every_graph_of_five_nodes_is_the_least():
    assert refuted(5) is None


def take_first(s: Placement, now: u64) -> Status:
    """Take the first vertex instead of the heaviest."""
    refused = barred(s, Stage.TAKING, now)
    if refused != Status.OK:
        return refused
    v = s.vertex[Place(0)].node
    key = s.vertex[Place(0)].key
    s.cut.left -= 1
    last = Place(s.cut.left)
    put(s, Place(0), s.vertex[last].node, s.vertex[last].key)
    put(s, last, v, key)
    spread(s, v)
    if s.cut.left == 0:
        end_phase(s, v, key)
    return Status.OK


def join_one_way(s: Placement, now: u64) -> Status:
    """Add up the traffic of two vertices with another one, but forget that it is the other one's traffic, too."""
    refused = barred(s, Stage.JOINING, now)
    if refused != Status.OK:
        return refused
    v = s.vertex[Place(1)].node
    other = s.vertex[Place(s.cut.turn)].node
    s.merged[v].to[OtherId(other)] = together(between(s, v, other), between(s, s.vertex[Place(0)].node, other))
    s.cut.turn += 1
    if s.cut.turn == s.cut.count:
        s.cut.stage = Stage.CLOSING
    return Status.OK


@pytest.mark.parametrize(
    ("stage", "step"),
    [pytest.param(Stage.TAKING, take_first, id="first"), pytest.param(Stage.JOINING, join_one_way, id="one way")],
)
def test_a_mistake_in_the_algorithm_is_refuted(stage, step):
    assert refuted(4, STEPS | {stage: step}) is not None
