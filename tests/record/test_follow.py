"""Is a log that grows read as an audit reads a whole one, and is it told when the file is no longer the same?"""

import io
import os
import tracemalloc
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corollary.language.layout import encode
from corollary.record import follow
from corollary.record.audit import audit
from corollary.record.follow import LinksTrusted, Log, Seen
from corollary.record.witness_log import (
    HEADER_SIZE,
    MARK,
    UNIT,
    BadLog,
    end,
    header,
    key_bytes,
    mark_of,
    seal,
    size_of_unit,
)
from corollary.spec.kernel.state import BootInformation, WitnessRecord
from tests.record.logs import relink, run_with_records
from tests.record.test_audit import HUGE, Endless, flipped, sealed_run

RECORDS = 40


@lru_cache(maxsize=1)
def run_once():
    return run_with_records(RECORDS, first_seed=5)


@pytest.fixture
def run():
    return run_once()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.log"


def grown(path, pieces, **options):
    """Return what is read of a file, piece by piece as it grows, and the log."""
    path.write_bytes(b"")
    with Log(path, **options) as log, path.open("ab", buffering=0) as writer:
        found = [*log.records()]
        for piece in pieces:
            writer.write(piece)
            found += log.records()
        return found, log


def encoded(record):
    """Return a record as the bytes that it was read from."""
    return follow.FIELDS.pack(*record)


@pytest.mark.parametrize("size", [1, 7, 63, 64, 65, 1000])
def test_pieces_of_any_size_give_the_same_records(run, path, size):
    found, log = grown(path, [run.log[at : at + size] for at in range(0, len(run.log), size)])
    assert [*map(encoded, found)] == run.records
    assert log.over and log.verdict == audit(io.BytesIO(run.log)) and log.verdict.good


def test_a_record_is_told_as_soon_as_it_is_whole_and_not_before(run, path):
    path.write_bytes(run.log[:HEADER_SIZE])
    with Log(path) as log, path.open("ab", buffering=0) as writer:
        assert [*log.records()] == []
        for number, data in enumerate(run.records):
            writer.write(data[:-1])
            assert [*log.records()] == [] and log.waiting == UNIT - 1 and log.verdict.good and not log.over
            writer.write(data[-1:])
            assert [each.sequence for each in log.records()] == [number] and log.waiting == 0


def test_only_what_is_new_is_read(run, path, monkeypatch):
    path.write_bytes(run.log[: HEADER_SIZE + 20 * UNIT])
    with Log(path) as log:
        assert len([*log.records()]) == 20
        asked = []
        plain = log.file.read

        class Counted:
            def read(self, size):
                asked.append(data := plain(size))
                return data

            def __getattr__(self, name):
                return getattr(real, name)

        real, log.file = log.file, Counted()
        with path.open("ab") as writer:
            writer.write(run.records[20])
        assert len([*log.records()]) == 1 and sum(map(len, asked)) == UNIT


def test_whoever_leaves_in_the_middle_goes_on_there(run, path):
    path.write_bytes(run.log)
    with Log(path) as log:
        found = []
        while not log.over:
            for record in log.records():
                found.append(record)
                break
        assert [each.sequence for each in found] == [*range(RECORDS)]


def test_the_fields_of_a_record_are_those_of_the_specification(run, path):
    assert Seen._fields == tuple(slot.name for slot in WitnessRecord.layout.slots)
    path.write_bytes(run.log)
    with Log(path) as log:
        first = next(iter(log.records()))
    assert (first.sequence, first.kind, first.time) == (0, run.state.log[0].kind, run.information.now)


@given(st.data())
@settings(max_examples=150)
def test_damage_is_named_as_an_audit_names_it(tmp_path_factory, data):
    run = run_once()
    path = tmp_path_factory.mktemp("log") / "run.log"
    start = data.draw(st.integers(0, len(run.log) - 1))
    stop = data.draw(st.integers(start, len(run.log)))
    damaged = run.log[:start] + data.draw(st.binary(max_size=200)) + run.log[stop:]
    path.write_bytes(damaged)
    with Log(path) as log:
        for _ in log.records():
            pass
    if log.over:
        assert log.verdict == audit(io.BytesIO(damaged))
    else:  # more may come, and all that is whole is good
        told = audit(io.BytesIO(damaged[: len(damaged) - log.waiting]))
        assert log.verdict.good and log.verdict.records == told.records
        assert "truncated: " in told.fault or "the log is empty" in told.fault


@given(st.binary(max_size=1000))
@settings(max_examples=150)
def test_garbage_is_told_or_waited_for(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("log") / "run.log"
    path.write_bytes(data)
    with Log(path) as log:
        mark = mark_of(data)
        assert [*log.records()] == [] and log.over == (len(data) >= (size_of_unit(mark) if mark else MARK))


@pytest.mark.parametrize("number", [0, 8, RECORDS - 1])
@pytest.mark.parametrize("bit", [3, 100, 8 * 50])
def test_a_changed_bit_is_told_at_its_record(run, path, number, bit):
    found, log = grown(path, [flipped(run.log, 8 * (HEADER_SIZE + number * UNIT) + bit)])
    assert len(found) == number and log.verdict.fault.startswith(f"record {number} (sequence {number}): ")


def test_a_gap_is_told(run, path):
    at = HEADER_SIZE + 20 * UNIT
    _, log = grown(path, [run.log[:at] + run.log[at + UNIT :]])
    assert "record 20 (sequence 20): its sequence number is 21: a record is missing" in log.verdict.fault


def test_another_version_is_told(run, path):
    _, log = grown(path, [run.log[:8] + b"\x09" + run.log[9:]])
    assert "the header is of version 9" in log.verdict.fault


def test_what_comes_after_the_end_is_told_whenever_it_comes(run, path):
    path.write_bytes(run.log)
    with Log(path) as log:
        assert len([*log.records()]) == RECORDS and log.verdict.good
        with path.open("ab") as writer:
            writer.write(b"x")
        assert [*log.records()] == [] and "more after the end mark" in log.verdict.fault


# ---- the file


def test_a_file_that_is_cut_is_watched_no_more(run, path):
    path.write_bytes(run.log[:-UNIT])
    with Log(path) as log:
        assert len([*log.records()]) == RECORDS
        os.truncate(path, HEADER_SIZE + 5 * UNIT)
        assert [*log.records()] == [] and log.over
    assert f"was cut to {HEADER_SIZE + 5 * UNIT} bytes" in log.verdict.fault and "watch it anew" in log.verdict.fault


def test_a_file_that_is_replaced_is_read_to_its_end_and_then_watched_no_more(run, path):
    path.write_bytes(run.log[: HEADER_SIZE + 10 * UNIT])
    with Log(path) as log:
        assert len([*log.records()]) == 10
        with path.open("ab") as writer:
            writer.write(run.records[10])
        (other := path.with_name("other")).write_bytes(run.log)
        other.replace(path)
        assert len([*log.records()]) == 1 and "another file took the place" in log.verdict.fault


def test_a_file_that_is_removed_is_watched_no_more(run, path):
    path.write_bytes(run.log[: HEADER_SIZE + 10 * UNIT])
    with Log(path) as log:
        path.unlink()
        assert len([*log.records()]) == 10 and "was removed" in log.verdict.fault


def test_no_file_and_no_regular_file(path):
    with pytest.raises(FileNotFoundError):
        Log(path)
    with pytest.raises(BadLog, match="no regular file"):
        Log(type(path)("/dev/null"))


# ---- checkpoints


def test_a_log_from_a_checkpoint_needs_the_key(path):
    run, checkpoint, sequence = sealed_run()
    data = seal(checkpoint) + b"".join(run.records[sequence:]) + end(run.state.sequence, run.head)
    _, log = grown(path, [data])
    assert "only the boot key can vouch for" in log.verdict.fault
    for trust in (False, True):
        found, log = grown(path, [data], key=key_bytes(run.information), trust_links=trust)
        assert log.verdict.good and [each.sequence for each in found] == [sequence]
        assert (log.verdict.begins, log.verdict.vouched) == (sequence, sequence)
        found, log = grown(path, [flipped(data, 8 * (192 + 60))], key=key_bytes(run.information), trust_links=trust)
        assert "link is wrong" in log.verdict.fault


# ---- links on trust


def test_links_on_trust_give_the_same_verdict_of_a_good_log(run, path):
    found, log = grown(path, [run.log], trust_links=True)
    assert [*map(encoded, found)] == run.records and log.verdict.good and log.verdict.head == run.head


def test_links_on_trust_still_find_another_record_at_the_end(run, path):
    """But later than an audit, and not where it is."""
    changed = flipped(run.log, 8 * (HEADER_SIZE + 20 * UNIT + 40))
    found, log = grown(path, [changed], trust_links=True)
    assert len(found) == RECORDS and "SHA-256 of the log" in log.verdict.fault
    assert audit(io.BytesIO(changed)).records == 20


def test_links_on_trust_still_find_another_record_at_a_checkpoint(path):
    run, checkpoint, sequence = sealed_run()
    units = [header(run.information), *run.records, end(run.state.sequence, run.head)]
    units.insert(sequence + 1, seal(checkpoint))
    assert grown(path, [b"".join(units)], trust_links=True)[1].verdict.good
    units[sequence] = flipped(units[sequence], 8 * 40)
    _, log = grown(path, [b"".join(units)], trust_links=True)
    assert "SHA-256 of the log" in log.verdict.fault and log.verdict.records == sequence


def test_links_on_trust_are_not_compared(run, path):
    changed = flipped(run.log, 8 * (HEADER_SIZE + 20 * UNIT + 50))
    assert grown(path, [changed], trust_links=True)[1].verdict.good
    assert not grown(path, [changed])[1].verdict.good
    assert issubclass(LinksTrusted, follow.Auditor)


def test_a_log_that_was_forged_whole_is_good_as_an_audit_says(run, path):
    other = bytearray(run.records[30])
    other[40] ^= 1
    records = relink([*run.records[:30], bytes(other), *run.records[31:]])
    data = header(run.information) + b"".join(records)
    assert grown(path, [data])[1].verdict.good and encode(run.information, BootInformation)


def test_a_huge_log_is_read_in_pieces(path, monkeypatch):
    monkeypatch.setattr(follow, "CHUNK", 1 << 16)
    endless = Endless(BootInformation())
    with path.open("wb") as file:
        file.write(endless.read(HEADER_SIZE))
        while data := endless.read(UNIT):
            file.write(data)
    with Log(path, trust_links=True) as log:
        tracemalloc.start()
        count = sum(1 for _ in log.records())
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert (log.verdict.fault, count) == ("", HUGE) and peak < 1 << 20
