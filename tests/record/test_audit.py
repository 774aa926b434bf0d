"""Is every changed, missing, moved or foreign bit of a witness log noticed, and does no input make the auditor fail?"""

import hashlib
import hmac
import io
import random
import struct
import tracemalloc
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corollary.emulation.calls import DRAIN_PAGE
from corollary.emulation.generator import Generator
from corollary.language.layout import CODES, decode, encode
from corollary.language.types import is_scalar
from corollary.model.kernel.boot import SLOT_LOG
from corollary.model.kernel.gate import dispatch
from corollary.record.audit import FIELDS, TAG, Query, audit, describe
from corollary.record.running import absorbed, finished
from corollary.record.witness_log import HEADER_SIZE, LINKED, SEAL, UNIT, end, hash_of, header, key_bytes, seal
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.state import BootInformation, Call, WitnessRecord
from corollary.spec.kernel.vocabulary import Action, Status
from tests.record.logs import booted, relink, run_trace, run_with_records

RECORDS = 64
SEALED, YIELD = (
    next(declared.number for declared in OPERATIONS if declared.name == name) for name in ("witness_seal", "yield_now")
)


@pytest.fixture(scope="module")
def run():
    return run_with_records(RECORDS, first_seed=5)


def verdict(data, **options):
    return audit(io.BytesIO(data), **options)


def flipped(data, bit):
    return data[: bit >> 3] + bytes([data[bit >> 3] ^ (1 << (bit & 7))]) + data[(bit >> 3) + 1 :]


def test_a_genuine_log_is_good(run):
    found = verdict(run.log)
    assert (found.fault, found.records, found.sequence, found.head) == ("", RECORDS, run.state.sequence, run.head)


def test_the_fields_are_those_of_the_specification():
    assert FIELDS.size == WitnessRecord.layout.size == UNIT
    assert all(is_scalar(slot.type) and slot.type.storage in CODES for slot in WitnessRecord.layout.slots[:-1])


def test_every_single_bit_flip_of_64_records_is_detected(run):
    log, first = run.log, 8 * HEADER_SIZE
    for bit in range(8 * UNIT * RECORDS):
        found = verdict(flipped(log, first + bit))
        assert not found.good, f"bit {bit}"
        assert found.records == bit // (8 * UNIT), f"bit {bit} is reported as {found.fault}"


def test_every_single_bit_flip_of_header_and_end_is_detected(run):
    log = run.log
    for bit in [*range(8 * HEADER_SIZE), *range(8 * (len(log) - UNIT), 8 * len(log))]:
        assert not verdict(flipped(log, bit)).good, f"bit {bit}"


def test_truncation_anywhere_is_detected(run):
    log = run.log
    for length in range(len(log)):
        assert not verdict(log[:length]).good, f"{length} bytes"


def test_truncation_inside_a_record_names_it(run):
    found = verdict(run.log[: HEADER_SIZE + 10 * UNIT + 17])
    assert found.fault == "record 10 (sequence 10): truncated: 17 of 64 bytes"


def units_of(run):
    return [header(run.information), *run.records, end(run.state.sequence, run.head)]


def test_every_swap_of_two_records_is_detected(run):
    for first in range(RECORDS):
        for second in range(first + 1, RECORDS):
            units = units_of(run)
            units[first + 1], units[second + 1] = units[second + 1], units[first + 1]
            found = verdict(b"".join(units))
            assert found.records == first and "sequence number" in found.fault


def test_every_removed_or_repeated_record_is_detected(run):
    for position in range(RECORDS):
        units = units_of(run)
        assert not verdict(b"".join(units[: position + 1] + units[position + 2 :])).good
        assert not verdict(b"".join(units[: position + 2] + units[position + 1 :])).good


def test_splicing_two_genuine_logs_is_detected(run):
    other = run_with_records(RECORDS, first_seed=1000)
    for position in range(1, RECORDS):
        spliced = header(run.information) + b"".join(run.records[:position] + other.records[position:])
        assert verdict(spliced + end(other.state.sequence, other.head)).records == position
    assert "second header" in verdict(run.log[:-UNIT] + other.log).fault


def test_renumbered_records_do_not_help_a_forger(run):
    changed = list(run.records)
    changed[20:21] = []
    changed = [struct.pack("<Q", number) + record[8:] for number, record in enumerate(changed)]
    found = verdict(header(run.information) + b"".join(changed) + end(len(changed), run.head))
    assert found.records == 20 and "link" in found.fault


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        bytes(64),
        b"\xff" * 1000,
        b"WITNESS\xff",
        b"SEALED.\xff",
        b"THE END\xff",
        b"SEALED.\xff" + bytes(184),
    ],
)
def test_empty_and_odd_files_get_a_verdict(data):
    assert not verdict(data).good


@given(st.binary(max_size=2000))
@settings(max_examples=300)
def test_garbage_gets_a_verdict(data):
    assert not verdict(data).good


@given(st.data())
@settings(max_examples=300)
def test_any_other_damage_is_detected(data):
    log = run_once().log
    start = data.draw(st.integers(0, len(log) - 1))
    stop = data.draw(st.integers(start, len(log)))
    damaged = log[:start] + data.draw(st.binary(max_size=200)) + log[stop:]
    assert verdict(damaged).good == (damaged == log)


@lru_cache(maxsize=1)
def run_once():
    return run_with_records(RECORDS, first_seed=2000)


FAULTS = (
    ("kind", 0xEE, "unknown kind 0xee"),
    ("tier", 9, "unknown tier 9"),
    ("status", 1, "status 1"),
    ("status", 99, "status 99"),
    ("operation", 200, "unknown operation 200"),
    ("actor", 99, "unknown actor 99"),
    ("kind", int(Action.EDGE_CREATE), "never writes"),
)


@pytest.mark.parametrize("field, value, said", FAULTS)
def test_what_the_kernel_never_writes_is_named_even_when_the_chain_is_forged(run, field, value, said):
    slot = WitnessRecord.layout[field]
    record = bytearray(run.records[3])
    record[slot.offset : slot.offset + slot.size] = value.to_bytes(slot.size, "little")
    records = relink([*run.records[:3], bytes(record)])
    found = verdict(header(run.information) + b"".join(records) + bytes(UNIT))
    assert found.fault.startswith("record 3 (sequence 3)") and said in found.fault


HUGE = 20_000


class Endless(io.RawIOBase):
    """A log of many records, made as they are read."""

    def __init__(self, information):
        run = booted(information)
        self.start, self.chain, self.number = header(information) + b"".join(run.records), run.chain, len(run.records)

    def read(self, size):
        if self.start:
            out, self.start = self.start[:size], self.start[size:]
            return out
        self.number += 1
        if self.number > HUGE:
            return end(HUGE, finished(self.chain, HUGE)) if self.number == HUGE + 1 else b""
        body = FIELDS.pack(self.number - 1, 5, int(Action.SCHEDULER_EPOCH), 0, 0, 255, 65535, 0, 1, 0, 2, bytes(16))
        self.chain = absorbed(self.chain, body)
        return body[:LINKED] + self.chain[: UNIT - LINKED]


def test_a_huge_log_is_streamed():
    tracemalloc.start()
    found = audit(Endless(BootInformation()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (found.fault, found.records) == ("", HUGE)
    assert peak < 1 << 20


# ---- the boot


def remeasured(run, field, value):
    """Return a log with another value in its header, and a new digest."""
    told = decode(encode(run.information, BootInformation), BootInformation)
    setattr(told, field, value)
    return header(told) + run.log[HEADER_SIZE:]


def test_a_header_that_tells_of_another_boot_is_not_good():
    run, checkpoint, sequence = sealed_run()
    units = forged_after(run, sequence, 0)
    units.insert(sequence + 1, seal(checkpoint))
    assert verdict(b"".join(units), key=key_bytes(run.information)).good
    for field, value in (("now", run.information.now + 1), ("package", run.information.package + 1)):
        found = verdict(remeasured(run, field, value))
        assert not found.good and "as the header says" in found.fault


def test_a_log_without_its_whole_boot_is_not_good(run):
    """Without the key, a log can be cut down until nothing is sealed, and finally to nothing."""
    booted_ = len(booted(run.information).records)
    for kept in range(booted_ + 1):
        records = run.records[:kept]
        log = header(run.information) + b"".join(records) + end(kept, hash_of(records))
        assert verdict(log).good == (kept == booted_)
        assert not verdict(log, key=key_bytes(run.information)).good


def test_where_a_log_begins_is_told():
    run, checkpoint, sequence = sealed_run()
    rest = seal(checkpoint) + end(sequence, hash_of(run.records[:sequence]))
    found = verdict(rest, key=key_bytes(run.information))
    assert (found.fault, found.begins, found.records, found.information) == ("", sequence, 0, None)
    assert verdict(run.log).begins == 0


# ---- checkpoints


def sealed_run():
    """Return a run with a checkpoint in the middle, after a call: `(run, checkpoint, its sequence)`."""
    run = booted(Generator(random.Random(3)).information)
    assert dispatch(run.state, Call(now=run.information.now, operation=YIELD)) == Status.OK
    call = Call(now=run.information.now, operation=SEALED)
    call.argument[0], call.argument[1] = SLOT_LOG, DRAIN_PAGE
    assert dispatch(run.state, call) == Status.OK
    page = run.state.memory[DRAIN_PAGE]
    checkpoint = b"".join(page.word[i].to_bytes(8, "little") for i in range(SEAL // 8))
    run.collect()
    return run, checkpoint, call.result[0]


def test_a_log_is_good_from_a_sealed_checkpoint():
    run, checkpoint, sequence = sealed_run()
    log = seal(checkpoint) + b"".join(run.records[sequence:]) + end(run.state.sequence, run.head)
    found = verdict(log, key=key_bytes(run.information), tail=1)
    assert (found.fault, found.records, found.sealed, found.vouched) == ("", 1, 1, sequence)
    assert "boot key" in verdict(log).fault
    assert "not sealed with this key" in verdict(log, key=bytes(32)).fault


def test_an_embedded_checkpoint_agrees_with_the_chain():
    run, checkpoint, sequence = sealed_run()
    units = [header(run.information), *run.records, end(run.state.sequence, run.head)]
    units.insert(sequence + 1, seal(checkpoint))
    assert verdict(b"".join(units)).good and verdict(b"".join(units)).seals == 1
    assert verdict(b"".join(units), key=key_bytes(run.information), tail=None).sealed == 1
    for bit in range(8 * SEAL):
        units[sequence + 1] = seal(flipped(checkpoint, bit))
        assert not verdict(b"".join(units), key=key_bytes(run.information), tail=None).good, f"bit {bit}"


def test_a_checkpoint_in_hand_shows_that_the_end_was_cut_off():
    run, checkpoint, sequence = sealed_run()
    cut = run.records[: sequence - 1]
    forged = header(run.information) + b"".join(cut) + end(len(cut), hash_of(cut))
    assert verdict(forged).good
    assert "truncated" in verdict(forged, seal=checkpoint, key=key_bytes(run.information)).fault
    assert verdict(run.log, seal=checkpoint, key=key_bytes(run.information), tail=1).good


def test_the_seal_is_hmac_sha256():
    run, checkpoint, _ = sealed_run()
    assert hmac.new(key_bytes(run.information), checkpoint[:-TAG], hashlib.sha256).digest() == checkpoint[-TAG:]


# ---- what a seal guarantees


def forged_after(run, sequence, invented):
    """Return the units of a log that is genuine up to a record.

    The records after it come from a forger who can compute links but has no key.
    """
    lie = bytearray(run.records[sequence - 1])
    records = list(run.records[:sequence])
    for number in range(sequence, sequence + invented):
        lie[:8] = number.to_bytes(8, "little")
        records.append(bytes(lie))
    records = relink(records)
    return [header(run.information), *records, end(len(records), hash_of(records))]


def test_invented_records_behind_a_genuine_seal_are_not_good():
    run, checkpoint, sequence = sealed_run()
    units = forged_after(run, sequence, 3275)
    units.insert(sequence + 1, seal(checkpoint))
    found = verdict(b"".join(units), key=key_bytes(run.information))
    assert not found.good and f"made at record {sequence}" in found.fault and "3275 records" in found.fault
    assert (found.sealed, found.vouched, found.unsealed) == (1, sequence, 3275)


def test_a_log_written_anew_without_seals_is_not_good():
    run, _, sequence = sealed_run()
    found = verdict(b"".join(forged_after(run, sequence, 100)), key=key_bytes(run.information))
    assert "no checkpoint was sealed with this key" in found.fault and found.unsealed == sequence + 100


@pytest.mark.parametrize("tail, good", [(0, False), (1, False), (2, True), (3, True), (None, True)])
def test_as_many_records_may_follow_the_last_seal_as_the_reader_expects(tail, good):
    run, checkpoint, sequence = sealed_run()
    units = forged_after(run, sequence, 2)
    units.insert(sequence + 1, seal(checkpoint))
    assert verdict(b"".join(units), key=key_bytes(run.information), tail=tail).good == good


def test_a_log_that_ends_with_its_seal_is_good():
    run, checkpoint, sequence = sealed_run()
    units = forged_after(run, sequence, 0)
    units.insert(sequence + 1, seal(checkpoint))
    found = verdict(b"".join(units), key=key_bytes(run.information))
    assert (found.fault, found.vouched, found.unsealed) == ("", sequence, 0)


def test_a_seal_is_used_once_where_it_was_made_and_in_its_boot():
    run, checkpoint, sequence = sealed_run()
    key, units = key_bytes(run.information), forged_after(run, sequence, 2)
    for position in range(1, len(units)):
        moved = [*units[:position], seal(checkpoint), *units[position:]]
        assert verdict(b"".join(moved), key=key, tail=None).good == (position == sequence + 1)
    units[sequence + 1 : sequence + 1] = [seal(checkpoint), seal(checkpoint)]
    assert "put there again" in verdict(b"".join(units), key=key, tail=None).fault
    other = run_with_records(RECORDS, first_seed=7)
    foreign = forged_after(other, sequence, 0)
    foreign.insert(sequence + 1, seal(checkpoint))
    assert not verdict(b"".join(foreign), key=key, tail=None).good


# ---- queries


def found(run, query):
    out = []
    verdict(run.log, on_record=lambda record: out.append(record) if query.wants(record) else None)
    return out


def test_queries_find_what_was_asked_for():
    run = run_trace(seed=11, steps=1500)
    every = found(run, Query())
    assert len(every) == len(run.records)
    assert found(run, Query(partition=0)) == [r for r in every if r.actor == 0]
    assert found(run, Query(kind=Action.CAPABILITY_GRANT)) == [r for r in every if r.kind == Action.CAPABILITY_GRANT]
    assert found(run, Query(status=Status.OK)) == [r for r in every if r.status == Status.OK]
    middle = every[len(every) // 2].time
    assert found(run, Query(until=middle)) + found(run, Query(since=middle + 1)) != []
    assert all(r.time <= middle for r in found(run, Query(until=middle)))
    created = next(r for r in every if r.operation < 255 and OPERATIONS[r.operation].name == "page_create")
    assert created in found(run, Query(object=("page", created.object & 1023)))


def test_every_record_is_described_in_one_line():
    run = run_trace(seed=12, steps=1500)
    lines = [describe(decode(record, WitnessRecord)) for record in run.records]
    assert all("\n" not in line for line in lines)
    assert any("capability_grant(" in line for line in lines)
