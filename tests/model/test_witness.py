"""The witness log: one true record for each call, no record no effect, and nothing is ever silent."""

import pytest

from model.gate import OPERATIONS
from model.witness import append_for_kernel
from spec.limits import DRAIN_LIMIT, EPOCH_SHARE, KERNEL_RESERVE, RECORDS, ROOT_QUOTA
from spec.operation import named_arguments, unpack
from spec.state import WitnessRecord
from spec.vocabulary import Action, Tier
from spec.witness import KERNEL_ACTOR, KERNEL_OPERATION, REFUSED_LIMIT, TOLD_LIMIT
from tests.model.properties import changed
from tests.model.world import (
    BY_NAME, DRAIN_PAGE, FIRST_DATA, PROOF_PAGE, ROOT, SELF, SLOT_LOG, SLOT_OWN, SPARE_PAGE, Right, Status, World)

LAYOUT = (("sequence", 0, 64), ("time", 8, 64), ("kind", 16, 8), ("tier", 17, 8), ("status", 18, 8), ("operation", 19, 8),
          ("actor", 20, 16), ("refused", 22, 16), ("object", 24, 64), ("capability", 32, 64), ("payload", 40, 64), ("link", 48, 64))


def test_a_record_is_64_bytes():
    assert WitnessRecord.layout.size == 64
    assert [(slot.name, slot.offset) for slot in WitnessRecord.layout.slots] == [(name, offset) for name, offset, _ in LAYOUT]


def test_sixty_kinds_have_their_codes():
    kinds = [kind for kind in Action if kind != Action.NONE]
    assert len(kinds) == 60
    assert (Action.PARTITION_CREATE, Action.CAPABILITY_ATTENUATED, Action.VMID_RECLAIM, Action.MIGRATION_TIMEOUT) == (0x01, 0x14, 0xA0, 0xA1)
    assert all(kind < 0xB0 for kind in kinds)


def test_boot_records_seven_phases_and_its_end():
    w = World()
    assert [record.kind for record in w.records] == [Action.BOOT_ATTESTATION] * 7 + [Action.BOOT_COMPLETE]
    assert [record.payload for record in w.records] == [0, 1, 2, 3, 4, 5, 6, 7]
    assert all(record.actor == KERNEL_ACTOR and record.operation == KERNEL_OPERATION for record in w.records)


@pytest.mark.parametrize("call, expected", [
    (("yield_now",), Status.OK), (("capability_inspect", 63), Status.INVALID_HANDLE), (("system_halt", 2), Status.NEEDS_SRE_WITNESS),
    (("partition_destroy", SLOT_OWN), Status.POLICY_VIOLATION), ((200,), Status.UNKNOWN_OPERATION), ((1 << 63,), Status.UNKNOWN_OPERATION)])
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
    assert (record.kind, record.tier, record.operation) == (Action.CAPABILITY_GRANT, Tier.P1, BY_NAME["capability_grant"].number)
    assert (record.capability, record.payload) == (SLOT_LOG, 0x1234_5678_9ABC_DEF0)
    assert record.object == 40 | (Right.READ << 6) | (SELF << 22)


WHOLE = 3       # registers that the record of a refused call holds


def test_every_call_can_be_read_back_from_its_record():
    w = World()
    for declared in OPERATIONS:
        arguments = [SLOT_OWN] + [(1 << type_.bits) - 1 for _, type_ in declared.parameters]
        status = w.call(declared.name, *arguments)
        told = arguments if status == Status.OK else arguments[:WHOLE]
        assert unpack(declared, w.newest)[:len(told)] == told


@pytest.mark.parametrize("declared", OPERATIONS, ids=lambda declared: declared.name)
def test_what_a_refused_call_asked_for_is_recorded_whole(declared):
    w = World()
    asked = [0xFFFF_FFFF_FFFF_FFFE - position for position in range(WHOLE)]
    if w.call(declared.name, *asked) != Status.OK:      # some take no handle and no arguments
        assert (w.newest.capability, w.newest.object, w.newest.payload) == tuple(asked)
        assert unpack(declared, w.newest)[:WHOLE] == asked
        assert [value for value in named_arguments(declared, w.newest).values()] == asked[1:1 + len(declared.parameters)]


def test_a_page_out_of_range_is_not_cut_to_one_that_is_there():
    w = World()
    assert w.call("page_map", SLOT_OWN, 0xFFFF, 2, 100, 1) == Status.BAD_ARGUMENT
    assert named_arguments(BY_NAME["page_map"], w.newest)["page"] == 0xFFFF


def test_of_an_unknown_operation_its_number_and_two_registers_are_told():
    w = World()
    w.call(1 << 60, 0xAAAA_0000_1111_2222, 0xBBBB_0000_3333_4444)
    assert (w.newest.object, w.newest.capability, w.newest.payload) == (1 << 60, 0xAAAA_0000_1111_2222, 0xBBBB_0000_3333_4444)


# ---- no room, no effect


def kernel_record(w):
    """Something that the kernel must record."""
    append_for_kernel(w.s, w.now, Action.TASK_TERMINATE, 0, 0)


def filled():
    """A log in which the kernel's reserve and the share of the root partition are used up, by the kernel and by root."""
    w = World()
    while w.s.kernel_records < KERNEL_RESERVE:
        kernel_record(w)
    while w.call("proof_inspect") != Status.WITNESS_FULL:
        pass
    return w


def silenced():
    """The root partition has used up its records; partition 1 has not."""
    w = World()
    w.spawn(1)
    w.own(ROOT).quota = w.own(ROOT).records
    return w


def test_without_room_nothing_happens_but_the_count():
    from copy import deepcopy
    w = silenced()
    before = deepcopy(w.s)
    assert w.call("capability_delete", SLOT_LOG) == Status.WITNESS_FULL
    assert [path for path in changed(before, w.s)] == [("partition", 0, "refused")]
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
        w.must("witness_drain", SLOT_LOG, DRAIN_PAGE)
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
    assert w.call("witness_drain", SLOT_OWN, DRAIN_PAGE) == Status.WITNESS_FULL
    while w.call("yield_now") == Status.WITNESS_FULL:
        w.must("witness_drain", SLOT_LOG, DRAIN_PAGE)


def test_epochs_leave_half_the_reserve_to_what_matters_more_and_are_summed_up():
    w = World()
    w.spawn(1)
    while w.s.kernel_records < EPOCH_SHARE:
        w.preempt()
    epoch, used = w.s.epoch, w.used
    for _ in range(3):
        w.preempt()
    assert (w.s.epoch, w.used, w.s.dropped, w.s.switches) == (epoch + 3, used, 0, 4)


def test_waiting_alone_fills_no_log():
    w = World()
    for _ in range(2 * RECORDS):
        w.preempt()
    assert w.used == 8 and w.call("yield_now") == Status.OK


def test_the_kernel_has_a_reserve_and_counts_what_even_that_does_not_hold(unchained):
    w = filled()
    sequence, head = w.s.sequence, [w.s.head[part] for part in range(8)]
    for _ in range(3):
        kernel_record(w)
    assert (w.s.sequence, w.s.dropped) == (sequence, 3)
    assert [w.s.head[part] for part in range(8)] == head


def test_records_the_kernel_dropped_are_told_in_its_next():
    w = World()
    w.s.dropped = 3
    kernel_record(w)
    assert w.newest.refused == 3 and w.s.dropped == 0


# ---- draining and sealing


def test_draining_moves_the_oldest_records_in_order():
    w = World()
    assert w.must("witness_drain", SLOT_LOG, DRAIN_PAGE) == DRAIN_LIMIT
    assert [w.s.memory[DRAIN_PAGE].word[8 * number] for number in range(DRAIN_LIMIT)] == list(range(DRAIN_LIMIT))
    assert w.s.drained == DRAIN_LIMIT


def test_a_drain_moves_what_there_is_up_to_its_limit():
    w = World()
    w.must("yield_now")
    moved = [w.must("witness_drain", SLOT_LOG, DRAIN_PAGE) for _ in range(4)]     # 9 records, and those of the drains
    assert moved == [DRAIN_LIMIT, 2, 1, 1]


def test_draining_needs_to_read_the_log_and_a_page_of_ones_own():
    w = World()
    w.spawn(1)
    w.page(1, 320)
    w.must("capability_grant", SLOT_LOG, 40, Right.WRITE, SELF, 0)
    assert w.call("witness_drain", 40, DRAIN_PAGE) == Status.INSUFFICIENT_RIGHTS
    for page in (0, 320, 900):          # a table, another's page, a free page
        assert w.call("witness_drain", SLOT_LOG, page) == Status.NOT_OWNER
        assert w.call("witness_seal", SLOT_LOG, page) == Status.NOT_OWNER


def test_a_drain_leaves_its_own_record():
    w = World()
    for _ in range(RECORDS):
        w.must("witness_drain", SLOT_LOG, DRAIN_PAGE)
    assert w.used == 1


def test_the_log_goes_round_without_losing_its_chain():
    w = World()
    while w.s.sequence <= RECORDS + 100:
        w.must("proof_inspect")
        while w.used > 1000:
            w.must("witness_drain", SLOT_LOG, DRAIN_PAGE)
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
    assert w.call("witness_drain", SLOT_LOG, FIRST_DATA) == Status.INVALID_HANDLE
    assert w.call("witness_seal", SLOT_LOG, PROOF_PAGE) == Status.INVALID_HANDLE
