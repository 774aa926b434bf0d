"""Does the system contain the guests' attempts, and can a host tell from the log alone?"""

import copy
import io
import re
import shlex

import pytest
from rich.console import Console
from typer.testing import CliRunner

from corollary.codegen.image import GUEST_SOURCES
from corollary.commands.cli import app
from corollary.emulation import qemu
from corollary.emulation.machine import start
from corollary.emulation.verdict import Transcript, log_of, verdict
from corollary.language.layout import decode
from corollary.record.audit import audit
from corollary.spec.kernel.state import WitnessRecord
from corollary.spec.kernel.witness import KERNEL_ACTOR


def test_every_row_of_the_verdict_is_as_expected(run, system):
    assert [row for row in verdict(run, system) if not row.good] == []


def test_every_attempt_of_the_hostile_guest_is_judged(run, system):
    rows = [row for row in verdict(run, system) if row.who == "hostile"]
    written = re.findall(r'^    \{"(.*?)",', (GUEST_SOURCES / "hostile.c").read_text(), re.MULTILINE)
    assert [row.attempt for row in rows] == written


def test_the_command_that_is_printed_checks_the_log_with_the_key_of_the_boot(run, system, tmp_path):
    said, log = io.StringIO(), tmp_path / "a folder" / "my.log"
    qemu.keep_log(run, system, log, Console(file=said, width=1000))
    program, *arguments = shlex.split(said.getvalue())
    done = CliRunner().invoke(app, arguments)
    assert (
        program == "corollary"
        and done.exit_code == 0
        and "sealed with the key; the last vouches for every record" in done.output
    )
    assert run.key.hex() not in said.getvalue() and (log.parent / "my.log.key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("option", "file", "said"),
    [
        ("--log", "nowhere/kept", "nowhere/kept cannot be written: No such file or directory"),
        ("--state", "file/kept", "file/kept cannot be written: Not a directory"),
        ("--log", "/dev/stdout", "/dev/stdout cannot be written: it is not a regular file"),
        ("--log", "link", "link cannot be written: it is not a regular file"),
        ("--state", ".", "cannot be written: it is not a regular file"),
        ("--log", "/", "/ cannot be written: it is not a regular file"),
        ("--log", "kept", "kept.key cannot be written: it is not a regular file"),
        ("--state", "kept", "kept.log cannot be written: it is not a regular file"),
    ],
)
def test_nothing_boots_whose_results_cannot_be_written(tmp_path, monkeypatch, capsys, option, file, said):
    monkeypatch.setattr(qemu, "run_demonstration", lambda *given: True)
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "kept.key").mkdir()
    (tmp_path / "kept.log").mkdir()
    with pytest.raises(SystemExit) as left:
        qemu.main([option, file], tmp_path)
    assert left.value.code == 2 and f"{option}: " in (told := capsys.readouterr().err) and said in told


def test_results_are_written_where_one_asks_for_them(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(qemu, "run_demonstration", lambda console, everything, *files: not asked.extend(files))
    (tmp_path / "old").touch()
    assert qemu.main(["--state", "new", "--log", "old"], tmp_path) == qemu.main([]) == 0
    assert asked == [tmp_path / "new", tmp_path / "old", None, qemu.LOG] and [*tmp_path.iterdir()] == [tmp_path / "old"]


def test_the_whole_run_is_the_same_twice(run, system):
    again = Transcript(run.key)
    for line in start(system, run.key):
        again.take(line)
    assert again == run


def test_another_key_changes_nothing_but_the_seals(run, system):
    again = Transcript(bytes(32 * [7]))
    for line in start(system, again.key):
        again.take(line)
    assert again.records == run.records
    assert [seal[:64] for seal in again.checkpoints] == [seal[:64] for seal in run.checkpoints]
    assert all(one[64:] != other[64:] for one, other in zip(again.checkpoints, run.checkpoints))


def test_a_machine_that_says_nothing_is_judged_too(system):
    assert not any(
        row.good
        for row in verdict(Transcript(bytes(32)), system)
        if row.attempt != "records of the kernel lost for want of room"
    )


def test_without_a_key_the_kernel_says_so_and_the_verdict_is_bad(system):
    keyless = Transcript(bytes(32))
    for line in start(system, keyless.key):
        keyless.take(line)
    assert keyless.value("NO", "KEY,")
    assert any(not row.good for row in verdict(keyless, system))


@pytest.mark.parametrize("number", [0, 1, 100, -1])
def test_a_changed_record_is_found(run, system, number):
    changed = copy.deepcopy(run)
    changed.records[number] = (
        changed.records[number][:40] + bytes([changed.records[number][40] ^ 1]) + changed.records[number][41:]
    )
    found = audit(io.BytesIO(log_of(changed, system)), run.key)
    assert not found.good and found.records == number % len(run.records)


def test_the_log_is_bound_to_what_was_booted(run, system):
    changed = copy.deepcopy(run)
    changed.said = [["measurement", "0", 64 * "0"] if line[:2] == ["measurement", "0"] else line for line in run.said]
    assert audit(io.BytesIO(log_of(changed, system)), run.key).records == 0


def test_checkpoints_do_not_verify_with_another_key(run, system):
    assert audit(io.BytesIO(log_of(run, system)), run.key).sealed == len(run.checkpoints)
    assert not audit(io.BytesIO(log_of(run, system)), bytes(32)).good


def test_lines_of_a_guest_are_never_taken_for_the_kernels_or_anothers(run):
    run = Transcript(bytes(32))
    run.take("04> kernel: invariants 33 hold")
    run.take("04> 00> canary|before|0")
    run.take("04# " + 64 * "00")
    assert not run.said and not run.records and list(run.told) == [4]


def test_nothing_is_recorded_for_the_kernel_but_boot_and_epochs(run):
    records = [decode(data, WitnessRecord) for data in run.records]
    kinds = {record.kind.name for record in records if record.actor == KERNEL_ACTOR}
    assert kinds == {"BOOT_ATTESTATION", "BOOT_COMPLETE", "SCHEDULER_EPOCH"}
