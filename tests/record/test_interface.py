"""Do the tools of the kernel that wrote a log read it?

A log with another interface is refused by name, never misread.
"""

import dataclasses
import io

import pytest
from typer.testing import CliRunner

from corollary.commands.cli import app
from corollary.language.layout import decode, encode
from corollary.record.audit import BOOTED, audit
from corollary.record.replay import replay
from corollary.record.witness_log import end, hash_of, header, key_bytes, seal
from corollary.spec.kernel import interface
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.state import Kernel, WitnessRecord
from corollary.spec.kernel.vocabulary import Action
from tests.record.logs import relink, run_trace
from tests.record.test_audit import sealed_run

OLD = 7  # the value written there by kernels that did not record an interface
SAID = "this log was written by a kernel with another interface (0x7, this one has"


@pytest.fixture(scope="module")
def run():
    return run_trace(seed=21, steps=60)


@pytest.fixture(scope="module")
def old_log(run):
    """Return the log of a kernel that recorded the number of its boot phases, with links as that kernel makes them."""
    records = list(run.records)
    last = decode(records[BOOTED], WitnessRecord)
    assert (last.kind, last.payload) == (Action.BOOT_COMPLETE, interface.INTERFACE)
    last.payload = OLD
    records[BOOTED] = encode(last, WitnessRecord)
    records = relink(records)
    return header(run.information) + b"".join(records) + end(len(records), hash_of(records))


def test_a_log_of_this_kernel_is_read(run):
    assert audit(io.BytesIO(run.log)).good


def test_a_log_of_an_old_kernel_is_refused_by_name(old_log):
    found = audit(io.BytesIO(old_log))
    assert SAID in found.fault and found.fault.startswith(f"record {BOOTED} ")


def test_no_record_behind_the_boot_of_another_kernel_is_told(old_log):
    told = []
    audit(io.BytesIO(old_log), on_record=told.append)
    assert [record.kind for record in told] == [Action.BOOT_ATTESTATION] * BOOTED


def test_it_is_not_replayed(run, old_log):
    assert SAID in replay(io.BytesIO(old_log), encode(run.state, Kernel)).fault


@pytest.fixture
def later_kernel(monkeypatch):
    """Return a kernel with another interface, which still reads logs of this one."""
    for module in ("corollary.record.audit", "corollary.record.replay"):
        monkeypatch.setattr(f"{module}.INTERFACE", 9)
        monkeypatch.setattr(f"{module}.READABLE", {9: "this one", interface.INTERFACE: "0.1.0"})


def test_a_log_of_a_release_is_read_by_later_kernels(run, old_log, later_kernel):
    assert audit(io.BytesIO(run.log)).good
    assert "another interface (0x7" in audit(io.BytesIO(old_log)).fault


def test_it_is_replayed_by_the_kernel_that_wrote_it_only(run, later_kernel):
    assert "is that of release 0.1.0" in replay(io.BytesIO(run.log), encode(run.state, Kernel)).fault


def log_from_a_checkpoint(monkeypatch, interface):
    """Return a log that starts at a checkpoint of a kernel with this interface, the key, and the state saved there."""
    run, checkpoint, sequence = sealed_run()
    with monkeypatch.context() as patch:
        patch.setattr("corollary.record.witness_log.INTERFACE", interface)
        unit = seal(checkpoint)
    return (
        unit + b"".join(run.records[sequence:]) + end(run.state.sequence, run.head),
        key_bytes(run.information),
        encode(run.state, Kernel),
    )


def test_a_log_from_a_checkpoint_of_this_kernel_is_read(monkeypatch):
    log, key, _ = log_from_a_checkpoint(monkeypatch, interface.INTERFACE)
    assert audit(io.BytesIO(log), key, tail=1).good


def test_a_log_from_a_checkpoint_of_another_kernel_is_refused_by_name(monkeypatch):
    log, key, state = log_from_a_checkpoint(monkeypatch, OLD)
    assert (
        SAID in audit(io.BytesIO(log), key).fault and SAID in replay(io.BytesIO(log), state, saved=state, key=key).fault
    )


def test_a_log_from_a_checkpoint_of_a_release_is_not_replayed(monkeypatch, later_kernel):
    log, key, state = log_from_a_checkpoint(monkeypatch, interface.INTERFACE)
    assert audit(io.BytesIO(log), key, tail=1).good
    assert "is that of release 0.1.0" in replay(io.BytesIO(log), state, saved=state, key=key).fault


def test_a_checkpoint_of_another_kernel_is_not_part_of_a_log(monkeypatch, later_kernel):
    run, checkpoint, sequence = sealed_run()
    units = [header(run.information), *run.records, end(run.state.sequence, run.head)]
    monkeypatch.setattr("corollary.record.witness_log.INTERFACE", 9)
    units.insert(sequence + 1, seal(checkpoint))
    assert (
        "a checkpoint of a kernel with interface 0x9 in a log that follows" in audit(io.BytesIO(b"".join(units))).fault
    )


@pytest.mark.parametrize(
    "command", [["audit"], ["audit", "--list"], ["audit", "--partition", "0"], ["replay", "--state"]], ids=" ".join
)
def test_every_command_says_so_and_fails(run, old_log, tmp_path, command):
    log, state = tmp_path / "old.log", tmp_path / "kernel.bin"
    log.write_bytes(old_log)
    state.write_bytes(encode(run.state, Kernel))
    name, *options = command
    result = CliRunner().invoke(app, [name, str(log), *options, *([str(state)] if name == "replay" else [])])
    assert result.exit_code == 1 and SAID in " ".join(result.output.split())


# ---- changes that make an interface another one


def lines(monkeypatch, **changed):
    """Return all the lines that readers agree on, if the first operation were declared otherwise."""
    others = list(OPERATIONS)
    others[0] = dataclasses.replace(others[0], **changed)
    monkeypatch.setattr(interface, "OPERATIONS", others)
    return list(interface.meaning())


@pytest.mark.parametrize(
    "changed",
    [{"name": "another"}, {"number": 200}, {"kind": Action.NONE}, {"parameters": OPERATIONS[1].parameters}],
    ids=lambda changed: next(iter(changed)),
)
def test_another_operation_is_another_interface(monkeypatch, changed):
    assert list(interface.meaning()) != lines(monkeypatch, **changed)


@pytest.mark.parametrize("changed", [{"needs": 0}, {"read_only": True}], ids=lambda changed: next(iter(changed)))
def test_what_an_operation_asks_for_does_not_change_what_its_records_say(monkeypatch, changed):
    assert list(interface.meaning()) == lines(monkeypatch, **changed)


def test_prose_has_no_part_in_it():
    assert not any(declared.function.__doc__ in line for declared in OPERATIONS for line in interface.meaning())
