"""Is traffic counted once, and is nothing scored that is not known? Each is a mistake that others made."""

import random

from corollary.bench.placement import FOLDER
from corollary.commands.trial import check
from corollary.emulation.beside import Beside, library
from corollary.model.placement.component import PLACEMENT
from corollary.spec.placement.vocabulary import Stage, Status
from tests.placement.driver import Driven

UNIT = 1 << 16


def test_traffic_of_a_node_with_itself_counts_once_and_is_internal():
    driven = Driven([0, 1])
    driven.take("set_weight", 0, 0, UNIT)
    driven.survey()
    assert driven.score(0) == 1_000_000 and driven.read("home", 0, "pressure") == 0
    driven.take("set_weight", 0, 1, UNIT)
    driven.survey()
    assert driven.score(0) == 500_000 and driven.score(1) == 0


def test_traffic_between_nodes_of_one_partition_is_internal():
    driven = Driven([0, 0, 1])
    driven.take("set_weight", 0, 1, 3 * UNIT)
    driven.take("set_weight", 1, 2, UNIT)
    driven.survey()
    assert driven.score(0) == 750_000 and driven.read("home", 0, "pressure") == 250_000


def test_two_messages_do_not_split_anything():
    driven = Driven([0, 1])
    for _ in range(50):
        driven.epoch({(0, 1): 2 * UNIT})
    assert len({driven.home(n) for n in (0, 1)}) == 1 and driven.homes == [0, 1] and len(driven.done) == 1


def test_an_unknown_node_has_no_score_and_no_traffic():
    driven = Driven([0, 0])
    assert driven.take("survey_node", 9) == driven.take("set_weight", 0, 9, UNIT) == Status.NODE_UNKNOWN
    assert driven.take("consider_move", 9, 1) == driven.take("remove_node", 9) == Status.NODE_UNKNOWN


def test_no_candidate_rests_on_a_score_of_an_older_graph():
    driven = Driven([0, 1])
    driven.take("set_weight", 0, 1, UNIT)
    assert driven.take("consider_move", 0, 1) == driven.take("score_home", 0) == Status.NOT_SURVEYED
    driven.survey()
    assert driven.take("consider_move", 0, 1) == Status.OK
    driven.take("set_weight", 0, 1, UNIT)
    assert driven.take("consider_move", 0, 1) == Status.NOT_SURVEYED


def test_a_node_with_traffic_stays_and_one_without_goes():
    driven = Driven([0, 1])
    driven.take("set_weight", 0, 1, UNIT)
    assert driven.take("remove_node", 0) == Status.CONNECTED
    driven.take("set_weight", 1, 0, 0)
    assert driven.take("remove_node", 0) == Status.OK and driven.take("add_node", 0, 5) == Status.OK


def test_the_sixty_fourth_node_is_in_the_graph_like_the_first():
    driven = Driven([0] * 64)
    driven.take("set_weight", 63, 0, UNIT)
    driven.survey()
    assert driven.read("home", 0, "internal") == 256 and driven.take("add_node", 63, 0) == Status.NODE_KNOWN


def test_c_does_the_same_as_the_model_in_random_cuts_and_every_invariant_holds(tmp_path):
    chosen, made = random.Random(2), library(FOLDER, tmp_path)
    steps = {each.name: each.function for each in PLACEMENT.operations}
    stages = {Stage.LOADING: "load_row", Stage.TAKING: "take_vertex", Stage.JOINING: "join_entry"}
    for _ in range(5):
        beside = Beside(PLACEMENT, made)
        for n in range(5):
            beside.take(steps["add_node"], n, chosen.randrange(2))
        for n in range(5):
            for m in range(n + 1):
                beside.take(steps["set_weight"], n, m, chosen.randrange(4) << 8)
        beside.take(steps["begin_cut"], True, 0, 1000, 0)
        while beside.model.cut.stage != Stage.IDLE:
            beside.take(steps[stages.get(beside.model.cut.stage, "close_phase")], 0)
            check(beside)
