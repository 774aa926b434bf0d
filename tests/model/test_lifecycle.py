"""Which edges does a partition's life have, what does destruction leave behind, and which partitions may run?

There are ten legal edges, beside those of halves.
"""

import pytest

from corollary.spec.kernel.limits import ANCESTRY_LIMIT, COUNTER_LIMIT, PARTITIONS, SLOTS
from corollary.spec.kernel.partition import legal_edge
from corollary.spec.kernel.vocabulary import FailureClass, PartitionState
from tests.model.world import (
    FIRST_DATA,
    FIRST_FREE,
    GUEST_BASE,
    ROOT,
    SELF,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_SCHEDULER,
    Access,
    ObjectKind,
    PageKind,
    Right,
    Status,
    World,
    region_of,
)

VACANT, CREATED, RUNNING = PartitionState.VACANT, PartitionState.CREATED, PartitionState.RUNNING
SUSPENDED, HIBERNATED, DESTROYED = PartitionState.SUSPENDED, PartitionState.HIBERNATED, PartitionState.DESTROYED

LIVES = {  # the requirements, word for word
    (CREATED, RUNNING),
    (CREATED, DESTROYED),
    (RUNNING, SUSPENDED),
    (RUNNING, HIBERNATED),
    (RUNNING, DESTROYED),
    (SUSPENDED, RUNNING),
    (SUSPENDED, HIBERNATED),
    (SUSPENDED, DESTROYED),
    (HIBERNATED, CREATED),
    (HIBERNATED, DESTROYED),
}
HALVES = {PartitionState.SPLITTING, PartitionState.MERGING}
PARTING = {  # a half that loses its stage-2 root is hibernated
    (CREATED, PartitionState.SPLITTING),
    *((old, half) for old in (RUNNING, SUSPENDED) for half in HALVES),
    *((half, new) for half in HALVES for new in (SUSPENDED, CREATED, HIBERNATED, DESTROYED)),
}
SLOTS_OF_PARTITIONS = {(VACANT, CREATED), (DESTROYED, VACANT)}  # another incarnation

MOVES = {  # which operation requests which edge
    "partition_start": ({CREATED}, RUNNING),
    "partition_suspend": ({RUNNING}, SUSPENDED),
    "partition_resume": ({SUSPENDED}, RUNNING),
    "partition_hibernate": ({RUNNING, SUSPENDED}, HIBERNATED),
    "partition_reconstruct": ({HIBERNATED}, CREATED),
    "partition_destroy": ({CREATED, RUNNING, SUSPENDED, HIBERNATED}, DESTROYED),
}
PROVED = ("partition_hibernate", "partition_reconstruct", "partition_destroy")


def in_state(state):
    """Return a world with partition 1 in a given state, and its handle."""
    w = World()
    handle = w.spawn(1)
    if state != RUNNING:
        w.own(1).state = state
    return w, handle


def ask(w, name, handle):
    return w.proved(name, handle) if name in PROVED else w.call(name, handle)


@pytest.mark.parametrize("old", PartitionState)
@pytest.mark.parametrize("new", PartitionState)
def test_the_legal_edges(old, new):
    assert legal_edge(old, new) == ((old, new) in LIVES | PARTING | SLOTS_OF_PARTITIONS)


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("state", (CREATED, RUNNING, SUSPENDED, HIBERNATED, DESTROYED))
def test_each_operation_takes_its_edges_and_no_other(name, state):
    w, handle = in_state(state)
    sources, target = MOVES[name]
    status = ask(w, name, handle)
    assert status == (Status.OK if state in sources else Status.WRONG_STATE)
    assert w.own(1).state == (target if state in sources else state)


def test_the_operations_take_all_ten_edges():
    assert {(source, target) for sources, target in MOVES.values() for source in sources} == LIVES


def test_a_partition_without_memory_does_not_start():
    w = World()
    handle = w.create(1)
    assert w.call("partition_start", handle, GUEST_BASE) == Status.WRONG_STATE


@pytest.mark.parametrize(
    "name, right",
    [
        ("partition_start", Right.EXECUTE),
        ("partition_suspend", Right.EXECUTE),
        ("partition_resume", Right.EXECUTE),
        ("partition_hibernate", Right.HIBERNATE),
        ("partition_reconstruct", Right.HIBERNATE),
        ("partition_destroy", Right.WRITE),
    ],
)
def test_each_operation_needs_its_right(name, right):
    w, handle = in_state(RUNNING)
    w.must("capability_grant", handle, 50, w.slot(31).rights & ~right, SELF, 0)
    assert ask(w, name, 50) == Status.INSUFFICIENT_RIGHTS


# ---- creation


def test_a_created_partition_has_nothing_but_its_name():
    w = World()
    handle = w.create(1)
    row = w.own(1)
    assert (row.state, row.score, row.pages, row.rooted, row.nonce) == (CREATED, 0, 0, False, 0)
    assert not any(w.slot(slot, 1).kind for slot in range(SLOTS))
    assert w.slot(31).object == 1 and handle == w.handle(31)


@pytest.mark.parametrize(
    "p, slot, expected",
    [
        (0, 40, Status.PARTITION_IN_USE),
        (1, SLOT_OWN, Status.SLOT_IN_USE),
        (PARTITIONS, 40, Status.BAD_ARGUMENT),
        (1, SLOTS, Status.BAD_ARGUMENT),
        (1, 40, Status.OK),
    ],
)
def test_creation_is_refused_for_what_is_in_use_or_out_of_range(p, slot, expected):
    assert World().call("partition_create", SLOT_SCHEDULER, p, slot, 10) == expected


def test_creation_needs_the_scheduler():
    w = World()
    w.must("capability_grant", SLOT_SCHEDULER, 40, Right.READ, SELF, 0)
    assert w.call("partition_create", 40, 1, 41, 10) == Status.INSUFFICIENT_RIGHTS
    assert w.call("partition_create", SLOT_LOG, 1, 41, 10) == Status.WRONG_OBJECT


def test_eight_generations_and_no_ninth():
    w = World()
    w.own().ancestry = ANCESTRY_LIMIT
    assert w.call("partition_create", SLOT_SCHEDULER, 1, 40, 10) == Status.DEPTH_EXCEEDED


def test_all_partitions_can_exist_at_once():
    w = World()
    for p in range(1, PARTITIONS):
        handle = w.must("partition_create", SLOT_SCHEDULER, p, 63, 1)
        w.must("capability_delete", handle)
    assert [w.own(p).state for p in range(PARTITIONS)] == [RUNNING] + [CREATED] * 63


# ---- destruction


def furnished():
    """Return partition 1, running with pages, mappings, capabilities, shares, a tool, tokens and an elevation."""
    w = World()
    handle = w.spawn(1)
    first = FIRST_FREE + 16
    for number in range(3, 6):
        w.page(1, first + number)
    w.must("page_map", handle, first + 3, first + 2, 5, Access.READ | Access.WRITE)
    w.must("page_share", handle, first + 4, 1, SELF)
    for slot in (0, 9, 63):
        w.give(SLOT_LOG, 1, slot)
    w.store(1, GUEST_BASE + (5 << 12), 0x5EC2E7)
    w.run(1).must("tool_acquire")
    w.run(ROOT)
    return w, handle


def test_destroying_needs_a_proof():
    w, handle = furnished()
    assert w.call("partition_destroy", handle) == Status.POLICY_VIOLATION
    assert w.own(1).state == RUNNING


def test_destroying_stops_a_partition_at_once():
    w, handle = furnished()
    assert w.proved("partition_destroy", handle) == Status.OK
    row = w.own(1)
    assert (row.state, row.bucket.credit, row.elevation.active) == (DESTROYED, 0, False)
    assert not any(row.tools[resource] for resource in range(4))
    for _ in range(4):
        w.preempt()
        assert w.s.current == ROOT


def test_release_frees_a_page_a_step():
    w, handle = furnished()
    assert w.proved("partition_destroy", handle) == Status.OK
    steps = []
    while w.own(1).pages:
        w.must("partition_release", handle)
        steps.append(w.last.result[0])
    assert steps == [5, 4, 3, 2, 1, 0]


def test_nothing_is_held_afterwards():
    w, handle = furnished()
    w.end(handle, 1)
    assert not any(w.slot(slot, 1).kind for slot in range(SLOTS))
    assert [number for number, row in w.s.page.rows.items() if row.owner == 1 and row.kind != PageKind.FREE] == []
    assert not any(row.linked or row.used or row.cached for m, row in w.s.mapping.rows.items() if m >> 2 >= FIRST_FREE)


def test_pages_come_back_as_zeros():
    w, handle = furnished()
    secret = FIRST_FREE + 16 + 3
    assert w.s.memory[secret].word[0] == 0x5EC2E7
    w.end(handle, 1)
    assert not any(w.s.memory[secret].word.rows.values())
    assert w.s.page[secret].kind == PageKind.FREE


def test_reclaim_waits_until_all_is_released():
    w, handle = furnished()
    assert w.call("partition_reclaim", handle) == Status.WRONG_STATE
    assert w.proved("partition_destroy", handle) == Status.OK
    assert w.call("partition_reclaim", handle) == Status.STILL_HOLDING
    for _ in range(8):
        w.must("partition_release", handle)
    assert w.call("partition_reclaim", handle) == Status.STILL_HOLDING


def drained(w):
    """Empty the log."""
    while len(w.records) > 2:  # the records of the last read and discard
        w.drain(FIRST_DATA)
    return w


def test_reclaim_makes_another_incarnation():
    w, handle = furnished()
    w.must("capability_grant", handle, 50, Right.WRITE, SELF, 0)
    w.end(handle, 1)
    drained(w).must("partition_reclaim", handle)
    assert (w.own(1).state, w.own(1).generation) == (VACANT, 1)
    assert w.call("partition_release", 50) == Status.WRONG_OBJECT
    again = w.must("partition_create", SLOT_SCHEDULER, 1, 51, 10)
    assert w.call("partition_release", 50) == Status.WRONG_OBJECT
    assert w.call("ring_demote", again, 0) == Status.OK


def test_a_partition_whose_generations_are_used_up_retires():
    w = World()
    w.own(1).generation = COUNTER_LIMIT - 1
    handle = w.create(1)
    w.end(handle, 1)
    w.must("partition_reclaim", handle)
    assert w.call("partition_create", SLOT_SCHEDULER, 1, 41, 10) == Status.SLOT_RETIRED


def test_the_destroyed_stay_destroyed():
    w, handle = furnished()
    w.end(handle, 1)
    for name in ("partition_start", "partition_suspend", "partition_resume", "partition_release", "partition_fail"):
        w.call(name, handle, FailureClass.CATASTROPHIC)
        assert w.own(1).state == DESTROYED


def test_the_root_partition_cannot_be_destroyed():
    w = World()
    assert w.proved("partition_destroy", SLOT_OWN) == Status.WRONG_STATE


# ---- failures


@pytest.mark.parametrize("was", FailureClass)
@pytest.mark.parametrize("told", FailureClass)
def test_failures_only_get_worse(was, told):
    w = World()
    handle = w.spawn(1)
    w.own(1).failure = was
    assert w.call("partition_fail", handle, told) == (Status.OK if told > was else Status.NOT_ESCALATING)
    assert w.own(1).failure == max(was, told)


def test_a_fault_stops_the_faulty_one_and_is_witnessed():
    w = World()
    handle = w.spawn(1)
    w.run(1).fault()
    assert (w.own(1).state, w.own(1).failure) == (SUSPENDED, FailureClass.TRANSIENT)
    assert w.s.current == ROOT and not w.s.idle
    assert (w.newest.actor, w.newest.object, w.newest.payload) == (1, 0x9200_0000, 0xDEAD)
    w.must("partition_resume", handle)


def test_faults_escalate_step_by_step():
    w = World()
    handle = w.spawn(1)
    seen = []
    for _ in range(5):
        w.run(1).fault()
        seen.append(w.own(1).failure)
        w.must("partition_resume", handle)
    assert seen == [1, 2, 3, 4, 4]


# ---- the processor


def test_round_robin():
    w = World()
    for p in (1, 2, 5):
        w.spawn(p)
    order = []
    for _ in range(8):
        order.append(w.s.current)
        w.preempt()
    assert order == [0, 1, 2, 5, 0, 1, 2, 5]


def test_yield_gives_way_once_recorded():
    w = World()
    w.spawn(1)
    w.must("yield_now")
    assert w.s.current == 1 and w.newest.actor == ROOT


def test_whoever_stops_itself_gives_way():
    w = World()
    w.spawn(1)
    w.must("partition_suspend", SLOT_OWN)
    assert w.s.current == 1


def test_when_nobody_can_run_the_processor_idles():
    w = World()
    w.must("partition_suspend", SLOT_OWN)
    assert w.s.idle
    w.preempt()
    assert w.s.idle


def test_an_epoch_is_summed_up_in_one_record():
    w = World()
    w.spawn(1)
    w.preempt()
    w.must("yield_now")
    w.must("yield_now")
    w.preempt()
    assert (w.newest.actor, w.newest.object, w.newest.payload) == (0xFFFF, 3, (2 << 16) | 1)


def test_an_epoch_without_a_switch_leaves_no_record():
    w = World()
    sequence = w.s.sequence
    for _ in range(10):
        w.preempt()
    assert w.s.sequence == sequence and w.s.epoch == 10


def test_nothing_waits_longer_than_one_round():
    w = World()
    for p in range(1, 8):
        w.spawn(p)
    waited = dict.fromkeys(range(8), 0)
    for turn in range(200):
        if turn % 3:
            w.preempt()
        else:
            w.call("yield_now")
        waited = {p: 0 if p == w.s.current else waited[p] + 1 for p in waited}
        assert max(waited.values()) < 8


def test_a_reconstructed_partition_starts_again_with_its_memory():
    w, handle = furnished()
    w.must("partition_suspend", handle)
    assert w.proved("partition_hibernate", handle) == Status.OK
    assert w.proved("partition_reconstruct", handle) == Status.OK
    w.must("partition_start", handle, GUEST_BASE)
    assert w.own(1).state == RUNNING and w.s.memory[FIRST_FREE + 16 + 3].word[0] == 0x5EC2E7


def test_objects_of_partitions_carry_their_kind():
    w = World()
    w.create(1)
    assert w.slot(31).kind == ObjectKind.PARTITION and region_of(FIRST_FREE) == 12
