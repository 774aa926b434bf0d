"""Do the log and the boot information alone rebuild the kernel, field by field, apart from the declared exclusions?"""

import copy
import io
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corollary.emulation.calls import DRAIN_PAGE
from corollary.emulation.generator import Generator
from corollary.emulation.traces import Fault, Preempt, apply
from corollary.language.layout import decode, encode, offset_of
from corollary.language.values import spell
from corollary.model.kernel.boot import SLOT_LOG, SLOT_TRANSPORTS
from corollary.model.kernel.device import device_write, find
from corollary.model.kernel.gate import OPERATIONS, dispatch
from corollary.record.replay import EXCLUDED, replay
from corollary.record.witness_log import SEAL, end, hash_of, header, key_bytes, seal
from corollary.spec.kernel.limits import KERNEL_RESERVE, PARTITIONS, QUANTUM, ROOT, ROOT_QUOTA, SECOND
from corollary.spec.kernel.state import Call, Kernel, WitnessRecord
from corollary.spec.kernel.vocabulary import Action, DeviceKind, FailureClass, PageKind, PartitionState, Status
from tests.model.world import FIRST_FREE, World
from tests.record.logs import Recorded, booted, relink, run_trace

SEEDS = range(8)


def outcome(run, data=None, log=None, **options):
    data = encode(run.state, Kernel) if data is None else data
    return replay(io.BytesIO(run.log if log is None else log), data, **options)


@pytest.fixture(scope="module")
def run():
    return run_trace(seed=28, steps=800)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_run_is_rebuilt_from_its_log(seed):
    run = run_trace(seed, steps=1500)
    found = outcome(run)
    assert (found.fault, found.records) == ("", len(run.records))
    assert_equal_but_for_exclusions(found.state, run.state)


@pytest.mark.parametrize("seed", SEEDS)
def test_waiting_without_a_record_is_rebuilt_too(seed):
    run = run_trace(seed, steps=1000, waits=0.5)
    found = outcome(run)
    assert found.fault == ""
    assert_equal_but_for_exclusions(found.state, run.state)


@given(st.integers(0, 1 << 32), st.integers(1, 120), st.sampled_from((0.0, 0.2, 0.8)))
@settings(max_examples=40)
def test_any_run_is_rebuilt_from_its_log(seed, steps, waits):
    run = run_trace(seed, steps, waits=waits)
    assert outcome(run).fault == ""


def test_who_was_started_may_have_waited_but_who_ran_is_not_fresh_again():
    runs = (run_trace(seed, steps=45, waits=0.2) for seed in range(200))
    run = next(run for run in runs if run.state.partition[1].state == PartitionState.RUNNING)
    assert not run.state.partition[1].fresh
    assert outcome(run).fault == ""
    run.state.partition[ROOT].fresh = True
    assert outcome(run).fault == "partition[0].fresh is 0x1 in the state, 0x0 according to the log"


def assert_equal_but_for_exclusions(replayed, real):
    """Copy the excluded fields, and nothing else, before the states are compared."""
    replayed, real = copy.deepcopy(replayed), copy.deepcopy(real)
    for state in (replayed, real):
        for page in real.page.rows:
            if real.page[page].kind == PageKind.DATA:
                state.memory[page].word.rows.clear()
        for m in real.message.rows:
            state.message[m].word.rows.clear()
        for a in real.agent.rows:
            for i in range(8):
                state.agent[a].module[i] = 0
        state.answer.rows.clear()
        for p in range(PARTITIONS):
            state.partition[p].refused = 0
            state.partition[p].fresh = False
        for i in range(8):
            state.key[i] = 0
    assert replayed == real
    assert len(EXCLUDED) == 13


def test_every_other_field_is_compared(run):
    data = encode(run.state, Kernel)
    for path in (
        ("capability", 70, "lineage"),
        ("partition", 3, "score"),
        ("page", 7, "owner"),
        ("mapping", 12, "entry"),
        ("owned", 5),
        ("proof_root", 1, "pending", 2),
        ("message", 9, "badge"),
        ("edge", 1, "waiting"),
        ("notification", 2, "bits"),
        ("agent", 2, "parent"),
        ("log", 4, "payload"),
        ("head", 3),
        ("drained",),
        ("idle",),
    ):
        offset = offset_of(Kernel, path)
        changed = data[:offset] + bytes([data[offset] ^ 1]) + data[offset + 1 :]
        fault = outcome(run, changed).fault
        assert fault.startswith(spell(path)), fault


def test_contents_of_data_pages_are_not_compared(run):
    data = bytearray(encode(run.state, Kernel))
    page = next(page for page, row in run.state.page.rows.items() if row.kind == PageKind.DATA)
    data[offset_of(Kernel, ("memory", page, "word", 9))] ^= 1
    assert outcome(run, bytes(data)).fault == ""


def test_a_run_goes_on_from_a_saved_state(run):
    earlier = run_trace(seed=28, steps=400).state
    assert 0 < earlier.sequence < run.state.sequence
    saved = encode(earlier, Kernel)
    assert outcome(run, saved=saved).fault == ""
    earlier.partition[0].bucket.refilled += 1 << 40
    assert outcome(run, saved=encode(earlier, Kernel)).fault != ""


def test_threads_replay_logs_while_another_runs_the_model():
    """Proofs convince and operations refuse as a record says in the replay of that record, and nowhere else."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            runs = list(pool.map(run_trace, SEEDS[:4], [400] * 4))
            outcomes = pool.map(outcome, runs * 2)
            again = list(pool.map(run_trace, SEEDS[:4], [400] * 4))
            assert [found.fault for found in outcomes] == [""] * 8
    finally:
        sys.setswitchinterval(interval)
    assert [run.log for run in again] == [run.log for run in runs]


def test_a_log_that_ends_before_the_saved_state_explains_nothing(run):
    """They do not even explain that state itself: no record of the log leads to it."""
    saved = encode(run.state, Kernel)
    for other in (run_trace(seed=28, steps=400), run_trace(seed=24, steps=40)):
        assert other.state.sequence < run.state.sequence
        assert "what lies between is missing" in outcome(run, saved=saved, log=other.log).fault


def test_a_log_of_another_boot_does_not_explain_the_saved_state():
    one, other = booted(Generator(random.Random(3)).information), booted(Generator(random.Random(4)).information)
    assert one.state.sequence == other.state.sequence and one.head != other.head
    assert "of another log" in outcome(one, saved=encode(one.state, Kernel), log=other.log).fault


def test_a_log_from_a_checkpoint_needs_the_state_saved_there():
    run = booted(Generator(random.Random(3)).information)
    saved = encode(run.state, Kernel)
    call = Call(now=run.information.now, operation=next(d.number for d in OPERATIONS if d.name == "witness_seal"))
    call.argument[0], call.argument[1] = SLOT_LOG, DRAIN_PAGE
    assert dispatch(run.state, call) == Status.OK
    run.collect()
    checkpoint = b"".join(run.state.memory[DRAIN_PAGE].word[i].to_bytes(8, "little") for i in range(SEAL // 8))
    log = seal(checkpoint) + b"".join(run.records[call.result[0] :]) + end(run.state.sequence, run.head)
    key = key_bytes(run.information)
    assert "state saved there" in outcome(run, log=log, key=key).fault
    assert outcome(run, log=log, key=key, saved=saved).fault == ""


def forged(run, position, **fields):
    """Return the log with one record changed and every link recomputed."""
    records = list(run.records)
    record = decode(records[position], WitnessRecord)
    for name, value in fields.items():
        setattr(record, name, value)
    records[position] = encode(record, WitnessRecord)
    records = relink(records)
    return header(run.information) + b"".join(records) + end(len(records), hash_of(records))


def test_an_allowed_call_forged_into_a_denied_one_is_found(run):
    decoded = [decode(record, WitnessRecord) for record in run.records]
    position = next(i for i, r in enumerate(decoded) if r.operation < 255 and r.status == Status.OK and i > 20)
    log = forged(run, position, status=Status.RING_DENIED)
    assert outcome(run, log=log).fault == f"record {position}: it says RING_DENIED, but the gate lets the call through"


def test_a_denied_call_forged_into_an_allowed_one_is_found(run):
    decoded = [decode(record, WitnessRecord) for record in run.records]
    position = next(i for i, r in enumerate(decoded) if r.status == Status.INVALID_HANDLE)
    fault = outcome(run, log=forged(run, position, status=Status.OK)).fault
    assert fault == f"record {position}: it says status = OK, the model status = INVALID_HANDLE"


def test_a_call_forged_for_another_partition_is_found(run):
    decoded = [decode(record, WitnessRecord) for record in run.records]
    position = next(i for i, r in enumerate(decoded) if r.operation < 255)
    assert "which cannot be the one that runs" in outcome(run, log=forged(run, position, actor=63)).fault


@pytest.fixture(scope="module")
def nearly_full():
    """Return a run with the maximum number of undrained sums of epochs; further epochs end without a record."""
    run = booted(Generator(random.Random(4)).information)
    for _ in range(KERNEL_RESERVE - run.state.kernel_records):
        run.state.switches = 1  # somebody was given on, so that there is something to record
        end_epoch(run.state)
        run.collect()
    assert run.state.kernel_records == KERNEL_RESERVE
    return run


def end_epoch(s):
    """End an epoch, which is over once its time is."""
    apply(s, Preempt(s.epoch_began + QUANTUM))


def test_quanta_that_ended_without_a_record_are_counted(nearly_full):
    run = copy.deepcopy(nearly_full)
    for _ in range(7):
        end_epoch(run.state)
    assert run.state.sequence == len(run.records)
    assert outcome(run).fault == ""
    run.state.epoch = nearly_full.state.epoch - 1
    assert outcome(run).fault.startswith("epoch is")


def stopped_without_a_record():
    """Return a run in which the root partition faults beyond its share."""
    run = booted(Generator(random.Random(4)).information)
    run.state.partition[ROOT].quota = run.state.partition[ROOT].records
    apply(run.state, Fault(run.information.now, 1, 2))
    return run


def test_a_fault_that_left_no_record_shows_in_the_end():
    run = stopped_without_a_record()
    assert run.state.partition[ROOT].state == PartitionState.SUSPENDED and run.state.idle
    run.state.partition[ROOT].quota = ROOT_QUOTA
    assert outcome(run).fault == ""
    run.state.partition[ROOT].refused = 0
    assert "state" in outcome(run).fault


def with_a_partition_stopped_unseen():
    """Return a world in which partition 1 used up its share and faulted without a record, and root runs."""
    w = World()
    w.spawn(1, quota=1)
    w.run(1).must("yield_now")
    w.run(1).fault()
    assert w.own(1).state == PartitionState.SUSPENDED and w.own(1).refused == 1 and w.s.current == ROOT
    return w


def written_by(w):
    """Return the run of a world whose log was never full."""
    run = Recorded(w.s, w.information, [])
    run.collect()
    return run


def with_a_device():
    """Return a world in which root made requests to a device, one of them over, and took a page back from another."""
    w = World()
    find(w.s, w.now, 2, DeviceKind.BLOCK)
    w.data(ROOT, FIRST_FREE)
    disk = w.handle(SLOT_TRANSPORTS + 2)
    w.must("device_lease", disk, 60 * SECOND, 1 << 20)
    w.must("device_submit", disk, FIRST_FREE, 0, 512, 1, 7)
    assert w.call("device_complete", disk) == Status.WOULD_BLOCK
    device_write(w.s, ROOT, 2, 1, 5, 0, 3, 0, 0)
    assert w.must("device_complete", disk) == 5
    w.must("device_submit", disk, FIRST_FREE, 512, 512, 1, 8)
    return w


def test_devices_are_found_and_used_again_though_the_log_has_no_answers():
    w = with_a_device()
    found = outcome(written_by(w))
    assert found.fault == "" and found.state.device[2] == w.s.device[2] and w.s.device[2].busy
    assert found.state.queue == w.s.queue and found.state.pin == w.s.pin
    assert_equal_but_for_exclusions(found.state, w.s)


@pytest.mark.parametrize(
    "path", [("device", 2, "active"), ("queue", 2, "data", "address"), ("pin", FIRST_FREE, "held")]
)
def test_what_a_device_may_see_is_compared(path):
    w = with_a_device()
    data, offset = encode(w.s, Kernel), offset_of(Kernel, path)
    changed = data[:offset] + bytes([data[offset] ^ 1]) + data[offset + 1 :]
    assert outcome(written_by(w), changed).fault.startswith(spell(path))


def test_a_device_that_was_not_found_is_in_no_log():
    w = World()
    w.s.device[2].kind = DeviceKind.BLOCK
    assert outcome(written_by(w)).fault.startswith("device[2].kind")


def test_who_was_started_after_a_fault_that_left_no_record_need_not_have_run():
    w = with_a_partition_stopped_unseen()
    w.create(2)
    w.tables(2)
    w.must("partition_start", w.handle(32), 0)
    assert w.own(2).fresh and outcome(written_by(w)).fault == ""
    w.must("partition_resume", w.handle(31))
    assert w.own(2).fresh and outcome(written_by(w)).fault == ""


def test_a_quantum_of_nobody_shows_that_a_fault_left_no_record():
    w = with_a_partition_stopped_unseen()
    w.fault()
    w.preempt()
    assert w.s.idle and w.newest.kind == Action.SCHEDULER_EPOCH and outcome(written_by(w)).fault == ""
    w.s.partition[1].state = PartitionState.RUNNING
    assert "state" in outcome(written_by(w)).fault


@pytest.mark.parametrize("resumed", [False, True])
def test_a_failure_may_be_reported_after_a_fault_that_left_no_record(resumed):
    w = with_a_partition_stopped_unseen()
    w.must("partition_fail", w.handle(31), FailureClass.PERMANENT)
    if resumed:
        w.must("partition_resume", w.handle(31))
    assert outcome(written_by(w)).fault == ""
    w.s.partition[1].failure = FailureClass.RECOVERABLE
    assert "failure" in outcome(written_by(w)).fault


@pytest.mark.parametrize("data", [b"", bytes(100)])
def test_a_state_of_the_wrong_size_gets_a_verdict(run, data):
    assert "bytes, a kernel" in outcome(run, data).fault
    assert "bytes, a kernel" in outcome(run, saved=data).fault


def test_a_saved_state_of_garbage_gets_a_verdict(run):
    assert outcome(run, saved=random.Random(1).randbytes(len(encode(run.state, Kernel)))).fault


def test_a_bad_log_gets_the_verdict_of_the_audit(run):
    log = bytearray(run.log)
    log[1000] ^= 1
    assert "record" in outcome(run, log=bytes(log)).fault
    assert "empty" in outcome(run, log=b"").fault
