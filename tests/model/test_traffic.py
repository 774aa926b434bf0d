"""Is what edges carry counted as it is sent, and told to those alone who may see it?"""

import pytest

from corollary.spec.kernel.limits import EDGES, GRAPH_ROWS, PAYLOAD_WORDS
from corollary.spec.kernel.packed import TrafficEnds
from tests.model.test_edges import EDGE, END, FREE_SLOT, OTHER_EDGE, PAGE, RECEIVER, SCHEMA, SENDER, SLOT, joined, pair
from tests.model.world import ALL_RIGHTS, DRAIN_PAGE, ROOT, SLOT_COHERENCE, SLOT_SCHEDULER, SPARE_PAGE, Right, Status


def traffic(w, edge=EDGE, slot=SLOT_COHERENCE, page=DRAIN_PAGE):
    """Return how much an edge carried, its source and its target, as a reader is told."""
    w.must("graph_read", slot, page, edge // GRAPH_ROWS)
    words = w.s.memory[page].word
    place = 2 * (edge % GRAPH_ROWS)
    ends = TrafficEnds(words[place + 1])
    assert ends.edge == edge
    return words[place], ends.source, ends.target


@pytest.mark.parametrize(("length", "units"), [(0, 1), (1, 1), (7, 1), (8, 2), (15, 2), (PAYLOAD_WORDS, 5)])
def test_a_message_counts_once_and_once_more_for_each_whole_64_bytes(length, units):
    w = pair()
    w.run(SENDER).must("edge_send", END, PAGE[SENDER], length, SCHEMA)
    assert traffic(w.run(ROOT))[0] == units


def test_traffic_adds_up_over_messages_and_is_not_lost_when_they_are_received():
    w = pair()
    for _ in range(3):
        w.run(SENDER).must("edge_send", END, PAGE[SENDER], PAYLOAD_WORDS, SCHEMA)
        w.run(RECEIVER).must("edge_receive", END, PAGE[RECEIVER])
    assert traffic(w.run(ROOT)) == (15, SENDER, RECEIVER)


def test_what_is_refused_is_no_traffic():
    w = pair()
    w.run(SENDER)
    assert w.call("edge_send", END, PAGE[SENDER], 0, SCHEMA + 1) == Status.SCHEMA_MISMATCH
    assert w.run(RECEIVER).call("edge_send", END, PAGE[RECEIVER], 0, SCHEMA) != Status.OK
    assert w.call("edge_receive", END, PAGE[RECEIVER]) == Status.WOULD_BLOCK
    assert traffic(w.run(ROOT)) == (0, ROOT, ROOT)


def test_an_edge_that_is_made_anew_has_carried_nothing():
    w = joined()
    w.must("edge_send", SLOT, SPARE_PAGE, 0, SCHEMA)
    w.must("edge_destroy", SLOT)
    assert traffic(w)[0] == 1
    w.must("edge_create", SLOT_SCHEDULER, EDGE, FREE_SLOT, SCHEMA)
    assert traffic(w) == (0, ROOT, ROOT)


def test_edges_are_told_eight_at_a_time_and_there_are_no_others():
    w = joined(OTHER_EDGE)
    w.must("edge_send", SLOT, SPARE_PAGE, 8, SCHEMA)
    assert traffic(w, OTHER_EDGE) == (2, ROOT, ROOT)
    assert w.call("graph_read", SLOT_COHERENCE, DRAIN_PAGE, EDGES // GRAPH_ROWS) == Status.BAD_ARGUMENT


def test_a_look_changes_nothing_of_what_it_sees():
    w = pair()
    w.run(SENDER).must("edge_send", END, PAGE[SENDER], 0, SCHEMA)
    w.run(ROOT)
    assert traffic(w) == traffic(w)
    assert w.s.edge[EDGE].waiting == 1


@pytest.mark.parametrize(("rights", "expected"), [(Right.READ, Status.OK), (Right.WRITE, Status.INSUFFICIENT_RIGHTS)])
def test_traffic_is_told_through_a_capability_to_read_it(rights, expected):
    w = pair()
    w.give(SLOT_COHERENCE, SENDER, 9, rights)
    assert w.run(SENDER).call("graph_read", 9, PAGE[SENDER], 0) == expected
    assert w.call("graph_read", 12, PAGE[SENDER], 0) == Status.INVALID_HANDLE
    assert w.call("graph_read", END, PAGE[SENDER], 0) == Status.WRONG_OBJECT


def test_traffic_is_written_only_where_the_reader_may_write():
    w = pair()
    w.give(SLOT_COHERENCE, SENDER, 9, ALL_RIGHTS)
    assert w.run(SENDER).call("graph_read", 9, PAGE[RECEIVER], 0) == Status.NOT_OWNER
    w.run(ROOT).must("page_unmap", 30 + SENDER, PAGE[SENDER])
    assert w.run(SENDER).call("graph_read", 9, PAGE[SENDER], 0) == Status.NOT_MAPPED
