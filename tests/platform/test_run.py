"""Does the system contain what guests try, and can a host tell from the log alone?"""

import re

import pytest

from codegen import qemu
from codegen.image import GUEST_SOURCES
from spec.language.layout import decode
from spec.state import WitnessRecord
from spec.witness import KERNEL_ACTOR


def test_every_row_of_the_verdict_is_as_expected(run, elf):
    assert [row for row in qemu.verdict(run, elf) if not row.good] == []


def test_every_attempt_of_the_hostile_guest_is_judged(run, elf):
    rows = [row for row in qemu.verdict(run, elf) if row.who == "hostile"]
    written = re.findall(r'^    \{"(.*?)",', (GUEST_SOURCES / "hostile.c").read_text(), re.MULTILINE)
    assert [row.attempt for row in rows] == written


def test_the_whole_run_is_the_same_twice(run, elf):
    again = qemu.Run(run.key)
    for line in qemu.start(elf, run.key):
        again.take(line)
    assert again == run


def test_another_key_changes_nothing_but_the_seals(run, elf):
    again = qemu.Run(bytes(32 * [7]))
    for line in qemu.start(elf, again.key):
        again.take(line)
    assert again.records == run.records
    assert [seal[:64] for seal in again.checkpoints] == [seal[:64] for seal in run.checkpoints]
    assert all(one[64:] != other[64:] for one, other in zip(again.checkpoints, run.checkpoints))


def test_without_a_key_the_kernel_says_so_and_the_verdict_is_bad(elf):
    keyless = qemu.Run(bytes(32))
    for line in qemu.start(elf, keyless.key):
        keyless.take(line)
    assert keyless.value("NO", "KEY,")
    assert any(not row.good for row in qemu.verdict(keyless, elf))


@pytest.mark.parametrize("number", [0, 1, 100, -1])
def test_a_changed_record_breaks_the_chain_where_it_was_changed(run, number):
    number %= len(run.records)
    changed = list(run.records)
    changed[number] = bytes([changed[number][0], changed[number][1], *changed[number][2:40], changed[number][40] ^ 1, *changed[number][41:]])
    with pytest.raises(ValueError, match=f"record {number} "):
        qemu.verify_chain(changed, run.measurements)


def test_the_chain_is_bound_to_what_was_booted(run):
    with pytest.raises(ValueError, match="record 0 "):
        qemu.verify_chain(run.records, [bytes(32), *run.measurements[1:]])


def test_a_checkpoint_does_not_verify_with_another_key(run):
    heads = qemu.verify_chain(run.records, run.measurements)
    assert qemu.verify_checkpoint(run.checkpoints[-1], heads, run.key)
    assert not qemu.verify_checkpoint(run.checkpoints[-1], heads, bytes(32))


def test_lines_of_a_guest_are_never_taken_for_the_kernels_or_anothers(run):
    run = qemu.Run(bytes(32))
    run.take("04> kernel: invariants 33 hold")
    run.take("04> 00> canary|before|0")
    run.take("04# " + 64 * "00")
    assert not run.said and not run.records and list(run.told) == [4]


def test_nothing_is_recorded_for_the_kernel_but_boot_epochs_and_stops(run):
    records = [decode(data, WitnessRecord) for data in run.records]
    kinds = {record.kind.name for record in records if record.actor == KERNEL_ACTOR}
    assert kinds == {"BOOT_ATTESTATION", "BOOT_COMPLETE", "SCHEDULER_EPOCH", "TASK_TERMINATE"}
