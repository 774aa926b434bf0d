"""Does a disk under QEMU do what guests may have it do, and nothing else, whether it works or fails?"""

import copy
import io
import re

import pytest
from elftools.elf.elffile import ELFFile
from rich.console import Console

from corollary.codegen.image import GUEST_SOURCES, symbols
from corollary.emulation import disk, qemu
from corollary.emulation.machine import start
from corollary.emulation.package import System, with_disk
from corollary.emulation.verdict import Transcript
from corollary.language.layout import decode
from corollary.record.audit import audit
from corollary.record.replay import replay
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import DeviceKind, Status

RET = 0xD65F03C0.to_bytes(4, "little")
LEASED = "lease the disk of another one"  # how rows about it begin


def judged(system, chosen):
    """Run the guests of a disk; return the transcript, the rows, and what is on the disk."""
    run = Transcript(bytes(range(32)), disk.PARTITIONS)
    with disk.attached(chosen, disk.SLOW) as (drive, contents):
        for line in start(system, run.key, *drive):
            run.take(line)
        return run, disk.verdict(run, system, chosen, contents()), contents()


@pytest.fixture(scope="module")
def good():
    return judged(with_disk(), disk.DISKS["good"])


def wrong(rows):
    return {row.attempt for row in rows if not row.good}


def test_a_guest_stores_and_reads_back_and_a_hostile_one_gets_nowhere(good):
    assert wrong(good[1]) == set()


def test_the_log_explains_the_state_though_it_has_no_answers(tmp_path):
    kept, log = tmp_path / "kernel.bin", tmp_path / "disk.log"
    assert qemu.run_disk(Console(file=io.StringIO()), False, "good", kept, log)
    state = kept.read_bytes()
    found = replay(io.BytesIO(qemu.beside(kept, qemu.WHOLE_LOG).read_bytes()), state)
    assert found.same, found.fault
    assert decode(state, Kernel).device[disk.PLACE].kind == DeviceKind.BLOCK
    key = bytes.fromhex(qemu.beside(log, qemu.KEY).read_text())
    assert audit(io.BytesIO(log.read_bytes()), key).good


def test_every_attempt_of_the_hostile_guest_is_judged(good):
    written = re.findall(r'^    \{"(.*?)",', (GUEST_SOURCES / "intruder.c").read_text(), re.MULTILINE)
    assert [row.attempt for row in good[1] if row.who == "intruder"] == written and len(written) > 40


@pytest.mark.parametrize("name", ["read-only", "failing"])
def test_a_disk_that_fails_is_told_of_and_harms_nobody(name):
    run, rows, contents = judged(with_disk(), disk.DISKS[name])
    assert wrong(rows) == set()
    assert any(contents) == (name == "failing")
    assert run.lines(disk.DRIVER, "kept") == [["not all"]]


def test_a_disk_that_does_not_do_as_expected_is_noticed(good):
    run, _, contents = good
    system, failing = with_disk(), disk.DISKS["read-only"]
    assert {"how the disk ends: write", "what is on the disk in the end"} <= wrong(
        disk.verdict(run, system, failing, contents)
    )
    assert "what is on the disk in the end" in wrong(disk.verdict(run, system, disk.DISKS["good"], b"1" + contents[1:]))


def test_a_kernel_that_does_not_reset_a_device_is_noticed(tmp_path):
    system = with_disk()
    broken = tmp_path / "kernel.elf"
    broken.write_bytes(returning_at_once(system.kernel, "hardware_device_reset"))
    _, rows, _ = judged(System(broken, system.package), disk.DISKS["good"])
    told = {f"{LEASED}: {when}" for when in ("alive", "destroyed")}  # it never answers the next holder
    assert wrong(rows) == {"lend a disk, take it over, take pages back, and destroy who has it", *told}


@pytest.mark.parametrize("when", disk.LEASES)
def test_a_lease_that_ends_too_soon_or_too_late_is_noticed(good, when):
    run = copy.deepcopy(good[0])
    line = next(line for line in run.told[disk.ROOT] if line[:2] == ["lease", when])
    line[2] = f"{Status.OK if disk.LEASES[when] else Status.OBJECT_IN_USE:x}"
    assert wrong(disk.lease_rows(run)) == {f"{LEASED}: {when}"}


def returning_at_once(path, name):
    """Return the bytes of an image in which a function does nothing."""
    data = bytearray(path.read_bytes())
    with path.open("rb") as file:
        place = next(iter(ELFFile(file).address_offsets(dict(symbols(path))[name])))
    data[place : place + len(RET)] = RET
    return bytes(data)
