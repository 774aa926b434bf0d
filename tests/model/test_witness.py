"""Does the witness log hold one true record for each call, with no effect without a record, and nothing left silent?"""

import pytest

from corollary.model.kernel.gate import OPERATIONS
from corollary.model.kernel.witness import append_for_kernel
from corollary.spec.kernel.arguments import named_arguments, unpack
from corollary.spec.kernel.interface import INTERFACE
from corollary.spec.kernel.limits import DRAIN_LIMIT, KERNEL_RESERVE, RECORDS, ROOT_QUOTA
from corollary.spec.kernel.schedule import RUNNER_BITS, SWITCHES_LIMIT
from corollary.spec.kernel.state import WitnessRecord
from corollary.spec.kernel.vocabulary import Action, Tier
from corollary.spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION, REFUSED_LIMIT, TOLD_LIMIT
from tests.model.properties import changed, miscounted
from tests.model.world import (
    BY_NAME,
    DRAIN_PAGE,
    FIRST_DATA,
    PROOF_PAGE,
    ROOT,
    SELF,
    SLOT_LOG,
    SLOT_OWN,
    SPARE_PAGE,
    Right,
    Status,
    World,
)

LAYOUT = (
    ("sequence", 0, 64),
    ("time", 8, 64),
    ("kind", 16, 8),
    ("tier", 17, 8),
    ("status", 18, 8),
    ("operation", 19, 8),
    ("actor", 20, 16),
    ("refused", 22, 16),
    ("object", 24, 64),
    ("capability", 32, 64),
    ("payload", 40, 64),
    ("link", 48, 64),
)


def test_a_record_is_64_bytes():
    assert WitnessRecord.layout.size == 64
    assert [(slot.name, slot.offset) for slot in WitnessRecord.layout.slots] == [
        (name, offset) for name, offset, _ in LAYOUT
    ]


def test_all_kinds_have_their_codes():
    kinds = [kind for kind in Action if kind != Action.NONE]
    assert len(kinds) == 68
    assert (Action.PARTITION_CREATE, Action.CAPABILITY_ATTENUATED, Action.VMID_RECLAIM, Action.MIGRATION_TIMEOUT) == (
        0x01,
        0x14,
        0xA0,
        0xA1,
    )
    assert all(kind < 0xD0 for kind in kinds)


def test_boot_records_what_it_measured_and_its_end():
    w = World()
    assert [record.kind for record in w.records] == [Action.BOOT_ATTESTATION] * 14 + [Action.BOOT_COMPLETE]
    halves = b"".join(
        word.to_bytes(8, "little") for record in w.records[:-1] for word in (record.object, record.payload)
    )
    assert halves == b"".join(w.information.measurement[i].to_bytes(4, "little") for i in range(56))
    assert w.records[-1].payload == INTERFACE
    assert all(record.actor == KERNEL_ACTOR and record.operation == KERNEL_OPERATION for record in w.records)


@pytest.mark.parametrize(
    "call, expected",
    [
        (("yield_now",), Status.OK),
        (("capability_inspect", 63), Status.INVALID_HANDLE),
        (("system_halt", 2), Status.NEEDS_SRE_WITNESS),
        (("partition_destroy", SLOT_OWN), Status.POLICY_VIOLATION),
        ((200,), Status.UNKNOWN_OPERATION),
        ((1 << 63,), Status.UNKNOWN_OPERATION),
    ],
)
def test_exactly_one_record_for_each_call_allowed_or_denied(call, expected):
    w = World()
    sequence = w.s.sequence
    assert w.call(*call) == expected
    assert w.s.sequence == sequence + 1
    record = w.newest
    assert (record.sequence, record.time, record.status, record.actor) == (sequence, w.now, expected, ROOT)


def test_a_record_tells_the_whole_call():
    w = World()
    w.must("capability_grant", SLOT_LOG, 40, Right.READ, SELF, 0x1234_5678_9ABC_DEF0)
    record = w.newest
    assert (record.kind, record.tier, record.operation) == (
        Action.CAPABILITY_GRANT,
        Tier.P1,
        BY_NAME["capability_grant"].number,
    )
    assert (record.capability, record.payload) == (SLOT_LOG, 0x1234_5678_9ABC_DEF0)
    assert record.object == 40 | (Right.READ << 6) | (SELF << 22)


WHOLE = 3  # registers recorded for a refused call


def test_every_call_can_be_read_back_from_its_record():
    w = World()
    for declared in OPERATIONS:
        arguments = [SLOT_OWN] + [(1 << type_.bits) - 1 for _, type_ in declared.parameters]
        status = w.call(declared.name, *arguments)
        told = arguments if status == Status.OK else arguments[:WHOLE]
        assert unpack(declared, w.newest)[: len(told)] == told


@pytest.mark.parametrize("declared", OPERATIONS, ids=lambda declared: declared.name)
def test_what_a_refused_call_asked_for_is_recorded_whole(declared):
    w = World()
    asked = [0xFFFF_FFFF_FFFF_FFFE - position for position in range(WHOLE)]
    if w.call(declared.name, *asked) != Status.OK:  # some take no handle and no arguments
        assert (w.newest.capability, w.newest.object, w.newest.payload) == tuple(asked)
        assert unpack(declared, w.newest)[:WHOLE] == asked
        assert list(named_arguments(declared, w.newest).values()) == asked[1 : 1 + len(declared.parameters)]


def test_a_page_out_of_range_is_not_cut_to_one_that_is_there():
    w = World()
    assert w.call("page_map", SLOT_OWN, 0xFFFF, 2, 100, 1) == Status.BAD_ARGUMENT
    assert named_arguments(BY_NAME["page_map"], w.newest)["page"] == 0xFFFF


def test_of_an_unknown_operation_its_number_and_two_registers_are_told():
    w = World()
    w.call(1 << 60, 0xAAAA_0000_1111_2222, 0xBBBB_0000_3333_4444)
    assert (w.newest.object, w.newest.capability, w.newest.payload) == (
        1 << 60,
        0xAAAA_0000_1111_2222,
        0xBBBB_0000_3333_4444,
    )


# ---- no room, no effect


def kernel_record(w):
    """Make something happen that the kernel must record."""
    append_for_kernel(w.s, w.now, Action.SCHEDULER_EPOCH, 0, 0)


def filled():
    """Return a log in which the kernel has used up its reserve and the root partition its share."""
    w = World()
    while w.s.kernel_records < KERNEL_RESERVE:
        kernel_record(w)
    while w.call("proof_inspect") != Status.WITNESS_FULL:
        pass
    return w


def silenced():
    """Return a world in which the root partition has used up its records; partition 1 has not."""
    w = World()
    w.spawn(1)
    w.own(ROOT).quota = w.own(ROOT).records
    return w


def test_without_room_nothing_happens_but_the_count():
    from copy import deepcopy

    w = silenced()
    before = deepcopy(w.s)
    assert w.call("capability_delete", SLOT_LOG) == Status.WITNESS_FULL
    assert sorted(changed(before, w.s)) == [("partition", 0, "refused"), ("time",)]
    assert w.own().refused == 1


def test_what_was_refused_is_told_in_the_next_record():
    w = silenced()
    for _ in range(5):
        assert w.call("yield_now") == Status.WITNESS_FULL
    w.own().quota += 2
    w.must("capability_inspect", SLOT_OWN)
    assert w.newest.refused == 5 and w.own().refused == 0
    w.must("capability_inspect", SLOT_OWN)
    assert w.newest.refused == 0


def test_refusals_without_number_are_told_by_as_many_records_as_it_takes():
    w = silenced()
    w.own().refused = 2 * TOLD_LIMIT + 5
    assert w.call("yield_now") == Status.WITNESS_FULL
    w.own().quota += 5
    told = []
    for _ in range(4):
        w.must("capability_inspect", SLOT_OWN)
        told.append(w.newest.refused)
    assert told == [TOLD_LIMIT, TOLD_LIMIT, 6, 0] and w.own().refused == 0


def test_a_count_of_refusals_that_nobody_lives_to_see_stays_at_its_end():
    w = silenced()
    w.own().refused = REFUSED_LIMIT
    assert w.call("yield_now") == Status.WITNESS_FULL
    assert w.own().refused == REFUSED_LIMIT


def test_whoever_reclaims_a_partition_tells_of_the_calls_that_it_was_refused():
    w = World()
    handle = w.spawn(1)
    w.end(handle, 1)
    w.own(1).refused, w.own(1).records = 7, 0
    w.own().refused = 2
    w.must("partition_reclaim", handle)
    assert (w.newest.refused, w.own(1).refused, w.own().refused) == (9, 0, 0)


def test_a_quota_keeps_one_agent_from_filling_the_log():
    w = World()
    w.spawn(1, quota=20)
    w.run(1)
    statuses = [w.call("proof_inspect") for _ in range(40)]
    assert statuses == [Status.OK] * 20 + [Status.WITNESS_FULL] * 20
    w.run(ROOT)
    assert w.call("yield_now") == Status.OK


def test_draining_gives_room_back():
    w = World()
    w.spawn(1, quota=20)
    w.run(1)
    while w.call("proof_inspect") == Status.OK:
        pass
    w.run(ROOT)
    while w.own(1).records > 0:
        w.drain()
    assert w.run(1).call("proof_inspect") == Status.OK
    assert w.newest.refused == 1


def test_a_full_log_refuses_and_overwrites_nothing(unchained):
    w = filled()
    assert w.used == KERNEL_RESERVE + ROOT_QUOTA
    oldest = w.s.log[0].sequence, w.s.log[0].time
    assert w.call("yield_now") == Status.WITNESS_FULL
    assert (w.s.log[0].sequence, w.s.log[0].time) == oldest


def test_a_full_log_can_be_drained_by_whoever_may_and_by_nobody_else(unchained):
    w = filled()
    assert w.call("witness_read", SLOT_OWN, DRAIN_PAGE, 0) == Status.WITNESS_FULL
    while w.call("yield_now") == Status.WITNESS_FULL:
        w.drain()


def test_epochs_beyond_the_kernels_reserve_are_summed_up_once_it_has_room():
    w = World()
    w.spawn(1)
    while w.s.kernel_records < KERNEL_RESERVE:
        w.preempt()
    epoch, used = w.s.epoch, w.used
    for _ in range(3):
        w.preempt()
    assert (w.s.epoch, w.used, w.s.switches) == (epoch + 3, used, 4)
    w.run(ROOT).drain()
    switches = w.s.switches
    w.preempt()
    assert (w.newest.kind, w.newest.object, w.newest.payload >> RUNNER_BITS, w.s.switches) == (
        Action.SCHEDULER_EPOCH,
        switches,
        w.s.epoch,
        1,
    )


@pytest.mark.parametrize("switches", [1, 0xFFFF, 70_000, SWITCHES_LIMIT])
def test_the_sum_of_an_epoch_counts_every_switch(switches):
    w = World()
    w.spawn(1)
    w.s.switches = switches
    runner = w.s.current
    w.preempt()
    assert (w.newest.object, w.newest.payload) == (switches, (w.s.epoch << RUNNER_BITS) | runner)


@pytest.mark.full
def test_seventy_thousand_turns_given_away_are_told(unchained):
    w = World(now=0)
    w.spawn(1)
    counted = w.s.switches
    for _ in range(70_000):
        w.s.drained = w.s.copied = w.s.sequence - 1  # as if the log were drained, and all shares given back
        w.own(ROOT).records = w.own(1).records = 0
        assert w.call("yield_now") == Status.OK
    w.preempt()
    assert w.newest.object == counted + 70_000


def test_waiting_alone_fills_no_log():
    w = World()
    for _ in range(2 * RECORDS):
        w.preempt()
    assert w.used == 15 and w.call("yield_now") == Status.OK


# ---- draining and sealing


def copied(w, page=DRAIN_PAGE):
    """Return the numbers of the records in a page."""
    return [w.s.memory[page].word[8 * number] for number in range(w.last.result[0])]


def test_reading_copies_the_records_from_the_one_named_and_leaves_them_there():
    w = World()
    w.spawn(1)
    for first in (0, 3, w.s.sequence - 1):
        assert w.must("witness_read", SLOT_LOG, DRAIN_PAGE, first) == min(DRAIN_LIMIT, w.s.sequence - 1 - first)
        assert copied(w) == list(range(first, first + w.last.result[0]))
    assert w.s.drained == 0 and miscounted(w.s) is None


def test_a_reader_that_ends_before_it_told_anybody_loses_nothing():
    w = World()
    w.spawn(1, quota=1500)
    w.data(1, 320)
    w.give(SLOT_LOG, 1, 5, Right.READ | Right.WRITE)
    w.run(1).must("witness_read", 5, 320, 0)
    lost = [w.s.memory[320].word[i] for i in range(8 * DRAIN_LIMIT)]
    w.fault()
    w.run(ROOT).must("witness_read", SLOT_LOG, DRAIN_PAGE, 0)
    assert [w.s.memory[DRAIN_PAGE].word[i] for i in range(8 * DRAIN_LIMIT)] == lost


def test_records_leave_the_log_oldest_first_as_far_as_they_are_named():
    w = World()
    w.must("witness_read", SLOT_LOG, DRAIN_PAGE, 0)
    assert [w.must("witness_discard", SLOT_LOG, last) for last in (0, 4, 7)] == [1, 4, 3]
    assert w.s.drained == 8 and miscounted(w.s) is None
    assert w.call("witness_read", SLOT_LOG, DRAIN_PAGE, 7) == Status.BAD_ARGUMENT


def test_what_no_reader_has_copied_stays_in_the_log():
    w = World()
    w.must("proof_inspect")
    assert w.call("witness_discard", SLOT_LOG, 0) == Status.NOT_COPIED
    w.must("witness_read", SLOT_LOG, DRAIN_PAGE, 5)  # after a gap
    assert w.s.copied == 0 and w.call("witness_discard", SLOT_LOG, 5) == Status.NOT_COPIED
    w.must("witness_read", SLOT_LOG, DRAIN_PAGE, 0)
    assert w.s.copied == DRAIN_LIMIT and w.call("witness_discard", SLOT_LOG, DRAIN_LIMIT) == Status.BAD_ARGUMENT
    w.must("witness_discard", SLOT_LOG, DRAIN_LIMIT - 1)
    assert w.call("witness_discard", SLOT_LOG, DRAIN_LIMIT) == Status.NOT_COPIED


@pytest.mark.parametrize("last", [0, 1, 7, 16, 1 << 63, (1 << 64) - 1])
def test_no_record_is_dropped_but_of_the_next_eight(last):
    w = World()
    w.drain()
    w.must("witness_read", SLOT_LOG, DRAIN_PAGE, w.s.copied)
    assert w.call("witness_discard", SLOT_LOG, last) == Status.BAD_ARGUMENT and w.s.drained == DRAIN_LIMIT


@pytest.mark.parametrize("first", [0, 7, 100, 1 << 63, (1 << 64) - 1])
def test_no_record_is_read_but_those_in_the_log(first):
    w = World()
    w.drain()
    assert w.call("witness_read", SLOT_LOG, DRAIN_PAGE, first) == Status.BAD_ARGUMENT


def test_reading_the_log_needs_the_right_and_a_page_of_ones_own():
    w = World()
    w.spawn(1)
    w.page(1, 320)
    w.must("capability_grant", SLOT_LOG, 40, Right.WRITE, SELF, 0)
    assert w.call("witness_read", 40, DRAIN_PAGE, 0) == Status.INSUFFICIENT_RIGHTS
    for page in (0, 320, 900):  # a table, another partition's page, a free page
        assert w.call("witness_read", SLOT_LOG, page, 0) == Status.NOT_OWNER
        assert w.call("witness_seal", SLOT_LOG, page) == Status.NOT_OWNER


@pytest.mark.parametrize("rights", [Right.READ, Right.WRITE])
def test_emptying_the_log_is_another_right_than_reading_it_and_needs_both(rights):
    w = World()
    w.must("capability_grant", SLOT_LOG, 40, rights, SELF, 0)
    w.must("witness_read", SLOT_LOG, DRAIN_PAGE, 0)
    assert w.call("witness_discard", 40, 0) == Status.INSUFFICIENT_RIGHTS and w.s.drained == 0
    w.must("witness_discard", SLOT_LOG, 0)


@pytest.mark.long
def test_emptying_leaves_its_own_records():
    w = World()
    for _ in range(RECORDS):
        w.drain()
    assert w.used == 2


@pytest.mark.long
def test_the_log_goes_round_without_losing_its_chain():
    w = World()
    while w.s.sequence <= RECORDS + 100:
        w.must("proof_inspect")
        while w.used > 1000:
            w.drain()
    assert w.s.sequence > RECORDS
    assert [record.sequence for record in w.records] == list(range(w.s.drained, w.s.sequence))


def test_sealing_changes_neither_log_nor_drain():
    w = World()
    sequence = w.s.sequence
    assert w.must("witness_seal", SLOT_LOG, SPARE_PAGE) == sequence
    assert (w.s.sequence, w.s.drained) == (sequence + 1, 0)


def test_the_log_capability_is_all_it_takes_and_no_less():
    w = World()
    w.spawn(1)
    w.run(1)
    assert w.call("witness_read", SLOT_LOG, FIRST_DATA, 0) == Status.INVALID_HANDLE
    assert w.call("witness_discard", SLOT_LOG, 0) == Status.INVALID_HANDLE
    assert w.call("witness_seal", SLOT_LOG, PROOF_PAGE) == Status.INVALID_HANDLE
