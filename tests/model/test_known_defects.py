"""Which defects of kernels of this kind does ours not have? Each test is called as what it denies.

`tests/model/peer/` rebuilds others, so that the same check fails there.
"""

from copy import deepcopy

import pytest

from corollary.bench.placement import complete, filled, least_cut
from corollary.model.kernel.capability import mint
from corollary.model.kernel.device import find
from corollary.spec.kernel.capability import capability_id
from corollary.spec.kernel.edge import edge_exists, notification_exists
from corollary.spec.kernel.limits import LEASE_LIMIT, PARTITIONS, QUANTUM, SECOND, SLOT_BITS, SLOTS
from corollary.spec.kernel.partition import runnable
from corollary.spec.kernel.vocabulary import DeviceKind
from corollary.spec.placement.vocabulary import Change
from tests.model.properties import changed
from tests.model.test_edges import (
    BADGE,
    EDGE,
    END,
    NOTIFICATION,
    PAGE,
    RECEIVER,
    SCHEMA,
    SENDER,
    THIRD,
    maker,
    message,
    padded,
    peers,
    receive,
    send,
)
from tests.model.test_traffic import traffic
from tests.model.world import ALL_RIGHTS, OPERATIONS, ROOT, SELF, SLOT_LOG, ObjectKind, Right, Status, World
from tests.placement.driver import Driven

UNIT = 1 << 16
DEVICE, DEVICE_SLOT = 3, 40
OWN = {"log", "head", "sequence", "time", "idle", "cleaning", "cleaned"}
"""What every call may change: it leaves a record, time passes, the caller may give the processor on, and dirt is
nobody's."""

# ---- what outlives its owner


def lender():
    """Return a machine with a partition that has all there is, a lease of an idle device, and a mapped share."""
    w = maker()
    w.give(SLOT_LOG, SENDER, 5)
    w.must("page_share", w.handle(31), PAGE[SENDER], 1, w.handle(w.spawn(THIRD)))
    find(w.s, w.now, DEVICE, DeviceKind.BLOCK)
    for p in (ROOT, SENDER):
        mint(w.s, capability_id(p, DEVICE_SLOT), ObjectKind.TRANSPORT, DEVICE, 0, ALL_RIGHTS)
    w.run(SENDER).must("device_lease", w.handle(DEVICE_SLOT, SENDER), LEASE_LIMIT, 1 << 20)
    return w.run(ROOT)


def left_of(w, p):
    """Return what there still is of a partition."""
    rows = w.s
    return {
        "capabilities": [c for c, row in rows.capability.rows.items() if c >> SLOT_BITS == p and row.kind],
        "edges": [e for e in rows.edge.rows if edge_exists(w.s, e) and rows.edge[e].origin >> SLOT_BITS == p],
        "notifications": [
            n
            for n in rows.notification.rows
            if notification_exists(w.s, n) and rows.notification[n].origin >> SLOT_BITS == p
        ],
        "pages": [page for page, row in rows.page.rows.items() if row.kind and row.owner == p],
        "mappings": [m for m, row in rows.mapping.rows.items() if row.partition == p and (row.used or row.linked)],
        "turns": [p] * runnable(w.s, p),
    }


def test_destroy_releases_capabilities_edges_pages_and_queue_entries():
    w = lender()
    before = left_of(w, SENDER)
    assert before.pop("mappings") is not None and all(before.values())
    w.end(w.handle(30 + SENDER), SENDER)
    assert not any(left_of(w, SENDER).values())
    assert not edge_exists(w.s, EDGE) and not notification_exists(w.s, NOTIFICATION)


def test_the_destroyed_never_get_a_turn():
    w = lender()
    w.end(w.handle(30 + SENDER), SENDER)
    ran = set()
    for _ in range(3 * PARTITIONS):
        w.preempt()
        ran.add(int(w.s.current))
    assert ran == {ROOT, THIRD}


def test_a_lease_of_the_destroyed_ends_by_the_clock_or_by_whoever_may_revoke_it():
    w = lender()
    w.end(w.handle(30 + SENDER), SENDER)
    until = w.s.device[DEVICE].until
    patient, other = deepcopy(w), w
    assert patient.call("device_lease", patient.handle(DEVICE_SLOT), SECOND, 0, now=until - 1) == Status.OBJECT_IN_USE
    assert patient.call("device_lease", patient.handle(DEVICE_SLOT), SECOND, 0, now=until) == Status.OK
    assert other.call("device_return", other.handle(DEVICE_SLOT)) == Status.OK
    assert other.call("device_lease", other.handle(DEVICE_SLOT), SECOND, 0) == Status.OK


# ---- who speaks, who listens, and who is believed


def test_a_receiver_cannot_be_spoofed():
    """A message goes where its edge leads, whatever the words of the sender say, and is credited to that edge."""
    w = peers((SENDER, Right.WRITE), (RECEIVER, Right.READ), (THIRD, Right.EXECUTE))
    assert send(w.run(SENDER), THIRD, 0xFACE) == Status.OK
    w.run(THIRD)
    for slot in range(SLOTS):
        assert w.call("edge_receive", w.handle(slot, THIRD), PAGE[THIRD]) != Status.OK
    assert receive(w.run(RECEIVER)) == Status.OK and message(w)[4] == padded(THIRD, 0xFACE)
    assert traffic(w.run(ROOT)) == (1, SENDER, RECEIVER)


def test_a_sender_cannot_be_spoofed():
    """What the page claims of the badge is not what the receiver reads."""
    w = peers((SENDER, Right.WRITE), (RECEIVER, Right.READ))
    w.run(SENDER)
    for position in range(8):
        w.s.memory[PAGE[SENDER]].word[position] = BADGE + THIRD
    assert w.call("edge_send", w.handle(END, SENDER), PAGE[SENDER], 1, SCHEMA) == Status.OK
    assert receive(w.run(RECEIVER)) == Status.OK and message(w)[1] == BADGE + SENDER


@pytest.mark.parametrize("declared", OPERATIONS, ids=lambda declared: declared.name)
def test_no_operation_works_on_others_without_a_capability(declared):
    """A partition that holds nothing calls with numbers that would name what others have."""
    for argument in (0, 1, SELF, PAGE[RECEIVER], ROOT):
        w = World()
        w.spawn(SENDER)
        w.spawn(RECEIVER)
        w.data(RECEIVER, PAGE[RECEIVER])
        before = deepcopy(w.run(SENDER).s)
        status = w.dispatched(declared.name, *[argument] * 6)
        foreign = {path[0] for path in changed(before, w.s) if path[0] not in OWN and path[:2] != ("partition", SENDER)}
        assert not foreign, (status, foreign)
        assert status != Status.OK or not declared.takes_handle


# ---- what traffic leads to


def test_traffic_does_not_multiply_partitions():
    """Two that talk all the time come together; what they leave is empty, and nothing is ever split."""
    driven = Driven([0, 1])
    for _ in range(300):
        driven.epoch({(0, 1): 10_000 * UNIT})
    assert [kind for kind, _, _ in driven.done] in ([Change.MERGE], [Change.MIGRATE])
    assert driven.home(0) == driven.home(1) and len(driven.homes) == 2
    assert driven.score(driven.home(0)) == 1_000_000
    assert driven.read("home", 1 - driven.home(0), "members") == 0


def test_traffic_within_a_partition_is_no_pressure():
    """Of eight units seven stay inside: traffic of one with itself counts once, like that of two."""
    driven = Driven([0, 0, 1])
    driven.epoch({(0, 1): 4 * UNIT, (0, 0): 3 * UNIT, (0, 2): UNIT})
    assert (driven.score(0), driven.read("home", 0, "pressure")) == (875_000, 125_000)


def test_the_cut_that_is_timed_is_of_a_graph_of_that_many_nodes():
    pytest.importorskip("networkx", reason="the oracle")
    for count in (16, 32):
        weights = complete(count)
        placed = filled(count, weights)
        assert len(weights) == count * (count - 1) // 2
        assert placed.seconds(1) > 0 and placed.read("result", "value") == least_cut(count, weights)
        assert placed.read("result", "asked") == (1 << count) - 1


# ---- what time does


def test_nobody_keeps_the_processor():
    """Three that never rest run within three quanta, each."""
    w = World()
    for p in (1, 2):
        w.spawn(p)
    turns = []
    for _ in range(30):
        w.preempt(w.now + QUANTUM)
        turns.append(int(w.s.current))
    assert all({*turns[first : first + 3]} == {0, 1, 2} for first in range(len(turns) - 3))
