"""Does the log of the kernel under QEMU, with all its guests, explain every byte of that kernel's memory?"""

import io

import pytest

from corollary.emulation import machine, package
from corollary.emulation.verdict import Transcript, whole_log_of
from corollary.language.layout import decode, offset_of
from corollary.record.facts import Facts
from corollary.record.follow import Log
from corollary.record.replay import replay, without_key
from corollary.spec.kernel.edge import edge_exists
from corollary.spec.kernel.state import Kernel


@pytest.fixture(scope="module")
def ended():
    """Return the log and the memory of a run that came to its end: `(log, state)`."""
    system, run = package.demonstration(), Transcript(bytes(range(32)))
    with machine.remembering() as (shared, state):
        for line in machine.start(system, run.key, *shared):
            run.take(line)
        kept = state()
    return whole_log_of(run, system, kept), kept


def test_the_log_of_the_running_kernel_explains_its_state(ended):
    log, state = ended
    found = replay(io.BytesIO(log), state)
    assert found.fault == "" and found.records > 1000


def test_what_is_kept_of_a_state_explains_as_much_and_has_no_key(ended):
    log, state = ended
    kept, start = without_key(state), offset_of(Kernel, ("key",))
    assert bytes(range(32)) not in kept and state[start : start + 32] != kept[start : start + 32] == bytes(32)
    assert replay(io.BytesIO(log), kept).same


def test_a_byte_that_the_log_does_not_explain_is_found(ended):
    log, state = ended
    offset = offset_of(Kernel, ("partition", 2, "score"))
    changed = state[:offset] + bytes([state[offset] ^ 1]) + state[offset + 1 :]
    assert replay(io.BytesIO(log), changed).fault.startswith("partition[2].score is ")


def test_what_the_records_tell_is_what_the_kernel_holds(ended, tmp_path):
    log, state = ended
    (path := tmp_path / "run.log").write_bytes(log)
    with Log(path, trust_links=True) as read:
        facts = Facts(read.verdict)
        for record in read.records():
            facts.take(record)
    kernel = decode(state, Kernel)
    assert {p: (row.state, row.ring) for p, row in facts.partitions.items()} == {
        p: (kernel.partition[p].state, kernel.partition[p].ring) for p in facts.partitions
    }
    told = {e: (row.exists, row.carried, row.source, row.target) for e, row in facts.edges.items()}
    assert told == {
        e: (edge_exists(kernel, e), *(getattr(kernel.traffic[e], name) for name in ("carried", "source", "target")))
        for e in facts.edges
    }
    assert facts.records == kernel.sequence and any(carried > 1 for _, carried, _, _ in told.values())
