"""Does every command explain itself, return the right exit code, and never show a traceback?"""

import importlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner
from wasmtime import wat2wasm

from corollary.codegen.build import CompilerMissing
from corollary.codegen.folders import write_whole
from corollary.commands import cli
from corollary.commands.start import told
from corollary.language.layout import encode, offset_of
from corollary.proofs.mutants import run as mutants
from corollary.record.witness_log import HEADER_SIZE, end, key_bytes, seal
from corollary.report import page, results
from corollary.report.ledger import ROOT
from corollary.spec.kernel.state import Kernel
from tests.record.logs import run_trace
from tests.record.test_audit import flipped, sealed_run

INSTALLED = Path(sys.executable).with_name("corollary")
COMMANDS = (
    "doctor",
    "verify",
    "gen",
    "new",
    "test",
    "qemu",
    "audit",
    "replay",
    "explain",
    "report",
    "differential",
    "mutants",
    "bench",
    "run",
    "inspect",
)


def corollary(*arguments):
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def run():
    return run_trace(seed=41, steps=400)


@pytest.fixture
def log(run, tmp_path):
    path = tmp_path / "run.log"
    path.write_bytes(run.log)
    return path


@pytest.fixture
def state(run, tmp_path):
    path = tmp_path / "kernel.bin"
    path.write_bytes(encode(run.state, Kernel))
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches_with_examples(command):
    done = corollary(command, "--help")
    assert done.exit_code == 0 and f"corollary {command}" in done.output


@pytest.mark.full
def test_the_installed_command_finds_what_mutants_need(tmp_path):
    done = subprocess.run(
        [INSTALLED, "mutants", "--kind", "ir", "--only", "tool_release"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0 and "0 of them without a reason" in done.stdout, done.stdout + done.stderr


def test_help_waits_for_neither_solver_nor_specification():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "corollary.commands.cli", "--help"], capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "z3" not in done.stderr and "corollary.spec.kernel.state" not in done.stderr


def test_a_good_log_exits_with_0(log):
    done = corollary("audit", log)
    assert done.exit_code == 0 and done.output.startswith("GOOD: ") and "measured boot" in done.output


def test_a_bad_log_exits_with_1_and_names_the_record(run, log):
    log.write_bytes(flipped(run.log, 8 * (HEADER_SIZE + 5 * 64) + 300))
    done = corollary("audit", log)
    assert done.exit_code == 1 and done.output.startswith("BAD: record 5 (sequence 5): ")


@pytest.mark.parametrize("data", [b"", b"garbage", bytes(4096), os.urandom(100_000)])
def test_garbage_exits_with_1_and_no_traceback(log, state, data):
    log.write_bytes(data)
    for done in (
        corollary("audit", log),
        corollary("audit", log, "--list"),
        corollary("replay", log, "--state", state),
    ):
        assert done.exit_code == 1 and "Traceback" not in done.output and isinstance(done.exception, SystemExit)


@pytest.mark.parametrize(
    "arguments",
    [
        ("audit",),
        ("audit", "/nowhere"),
        ("audit", "/"),
        ("audit", "LOG", "--kind", "NONSENSE"),
        ("audit", "LOG", "--status", "ok?"),
        ("audit", "LOG", "--key", "12"),
        ("audit", "LOG", "--key", "z" * 64),
        ("audit", "LOG", "--object", "page="),
        ("audit", "LOG", "--seal", "LOG"),
        ("audit", "LOG", "--since", "nan"),
        ("audit", "LOG", "--until", "inf"),
        ("audit", "LOG", "--since", "-1"),
        ("audit", "LOG", "--since", "2", "--until", "1"),
        ("audit", "LOG", "--partition", "64"),
        ("audit", "LOG", "--partition", "-1"),
        ("audit", "LOG", "--unsealed-tail", "3"),
        ("audit", "LOG", "--unsealed-tail", "-1", "--key", "0" * 64),
        ("audit", "LOG", "--unsealed-tail", "some", "--key", "0" * 64),
        ("audit", "LOG", "--seal", "LOG", "--key", "0" * 64),
        ("replay", "LOG"),
        ("replay", "LOG", "--state", "/nowhere"),
        ("explain",),
        ("nonsense",),
    ],
)
def test_wrong_usage_exits_with_2(log, arguments):
    done = corollary(*(log if argument == "LOG" else argument for argument in arguments))
    assert done.exit_code == 2 and "Traceback" not in done.output


def test_unknown_names_get_a_suggestion(log):
    assert "CAPABILITY_GRANT" in corollary("audit", log, "--kind", "capability_grand").output


def test_queries_print_only_what_was_asked_for(log):
    lines = corollary("audit", log, "--kind", "capability_grant").output.splitlines()
    listed = [line for line in lines if "capability_grant(" in line]
    assert listed and len(listed) < len(corollary("audit", log, "--list").output.splitlines()) - 3
    assert all(line.lstrip()[0].isdigit() for line in lines[: len(listed)])
    assert corollary("audit", log, "--since", "99999999999").output.count("partition") == 0


def test_a_key_and_a_checkpoint_are_taken(tmp_path):
    run, checkpoint, sequence = sealed_run()
    log, held, key = tmp_path / "rest.log", tmp_path / "seal.bin", key_bytes(run.information).hex()
    log.write_bytes(seal(checkpoint) + b"".join(run.records[sequence:]) + end(run.state.sequence, run.head))
    held.write_bytes(checkpoint)
    assert corollary("audit", log).exit_code == 1
    expected = corollary("audit", log, "--key", key, "--seal", held, "--unsealed-tail", "1")
    assert (
        expected.exit_code == 0
        and f"the records before {sequence}; as you allowed, the 1 from there on" in expected.output
    )
    assert corollary("audit", log, "--key", key, "--seal", held).exit_code == 1
    assert corollary("audit", log, "--key", "00" * 32, "--unsealed-tail", "any").exit_code == 1


def test_a_key_is_taken_from_a_file_or_the_environment_too(tmp_path, monkeypatch):
    run, checkpoint, sequence = sealed_run()
    log, file, key = tmp_path / "rest.log", tmp_path / "boot.key", key_bytes(run.information).hex()
    log.write_bytes(seal(checkpoint) + b"".join(run.records[sequence:]) + end(run.state.sequence, run.head))
    file.write_text(f"{key}\n")
    asked = "audit", log, "--unsealed-tail", "1"
    expected = corollary(*asked, "--key", key)
    assert expected.exit_code == 0 and corollary(*asked).exit_code == 2
    assert corollary(*asked, "--key-file", file).output == expected.output
    monkeypatch.setenv("COROLLARY_KEY", key)
    assert corollary(*asked).output == expected.output
    file.write_text("00" * 32)
    assert corollary(*asked, "--key-file", file).exit_code == 1


@pytest.mark.parametrize(
    "content",
    ["", "\n", "12", "z" * 64, "00" * 33, "0" * 100_000, "\udcff" * 64, f"{'00' * 32:256}more", f"{'00' * 32:257}"],
)
def test_a_file_without_a_key_is_named(log, tmp_path, content):
    file = tmp_path / "boot.key"
    file.write_bytes(content.encode(errors="surrogateescape"))
    done = corollary("audit", log, "--key-file", file)
    assert done.exit_code == 2 and f"{file} does not have the 64 hexadecimal digits of a key" in done.output.replace(
        "\n", ""
    )


def test_a_file_without_end_is_no_key(log):
    assert corollary("audit", log, "--key-file", "/dev/zero").exit_code == 2


def test_without_a_key_it_is_said_what_is_not_shown(log):
    assert "no key was given" in corollary("audit", log).output


def test_a_key_that_sealed_nothing_vouches_for_nothing(run, log):
    key = key_bytes(run.information).hex()
    refused = corollary("audit", log, "--key", key)
    assert refused.exit_code == 1 and "no checkpoint was sealed with this key" in refused.output
    allowed = corollary("audit", log, "--key", key, "--unsealed-tail", "any")
    assert allowed.exit_code == 0 and "may have been written by anybody" in allowed.output


def test_replay_tells_same_from_different(log, state):
    assert corollary("replay", log, "--state", state).output.startswith("SAME: ")
    data = bytearray(state.read_bytes())
    data[offset_of(Kernel, ("sequence",))] ^= 1
    state.write_bytes(data)
    done = corollary("replay", log, "--state", state)
    assert done.exit_code == 1 and done.output.startswith("DIFFERENT: ") and "according to the log" in done.output


def test_explain_of_an_unknown_obligation_exits_with_1():
    assert corollary("explain", "no_such_operation/NO-1").exit_code == 1


def test_a_missing_emulator_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    done = corollary("qemu")
    assert (
        done.exit_code == 1 and "apt-get install -y qemu-system-arm" in done.output and "Traceback" not in done.output
    )


def test_a_missing_compiler_is_named_with_the_command_that_installs_it(monkeypatch, tmp_path):
    def absent(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", absent)
    monkeypatch.setattr(
        "corollary.emulation.package.cached", lambda target, make, key: make(tmp_path / "guests.package")
    )
    done = corollary("qemu")
    assert done.exit_code == 1 and "pip install ziglang==" in done.output and "Traceback" not in done.output


# ---- nothing ends in a traceback


IDENTITY = '(module (func (export "f") (param i32) (result i32) (local.get 0)) (func (export "loop") (loop (br 0))))'


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "given.wasm"
    path.write_bytes(wat2wasm(IDENTITY))
    return path


def typed(cwd, *arguments):
    """Return what the installed command prints on a terminal in a given folder."""
    done = subprocess.run(
        [INSTALLED, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, env=os.environ | {"TERM": "dumb"}
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        (("run", "given.wasm"), 2, "no function _start is exported: use --invoke with one of f, loop"),
        (("run", "given.wasm", "--invoke", "f", "4294967296"), 2, "value 1 of f is an i32: 4294967296 does not fit"),
        (("run", "given.wasm", "--invoke", "f", "nan"), 2, "f takes i32, not nan"),
        (
            (
                "run",
                "given.wasm",
                "--invoke",
                "loop",
                "--fuel",
                "9",
                "--key",
                "0" * 64,
                "--snapshot-on-suspend",
                "nowhere/kept",
            ),
            2,
            "nowhere/kept cannot be written",
        ),
        (
            (
                "run",
                "given.wasm",
                "--invoke",
                "loop",
                "--fuel",
                "9",
                "--key",
                "0" * 64,
                "--snapshot-on-suspend",
                "/dev/full",
            ),
            1,
            "No space left on device",
        ),
        (("run", "."), 2, "is a directory"),
        (("inspect", "empty"), 1, "Malformed"),
        (("qemu", "--agents", "empty"), 2, "empty is no module that can run: Malformed"),
        (("qemu", "--agents", "given.wasm"), 2, "given.wasm does not export a function `run`"),
        (("qemu", "--agents", "nothing.wasm"), 2, "nothing.wasm is no agent and no file"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(module, arguments, code, said):
    (module.parent / "empty").touch()
    found, text = typed(module.parent, *arguments)
    assert found == code and said in " ".join(text.split()), text


@pytest.mark.parametrize(
    "command",
    [
        ("verify", "--only", "tool_release/PART-1"),
        ("report",),
        ("qemu",),
        ("mutants", "--kind", "rule", "--only", "nothing"),
    ],
)
def test_results_that_cannot_be_written_are_told_in_a_line(command, tmp_path):
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, symlinks=True, ignore=shutil.ignore_patterns(".git", ".venv", "build", "__pycache__"))
    (tree / "build").write_text("a file where the folder should be")
    done = subprocess.run(
        [sys.executable, "-m", "corollary.commands.start", *command],
        cwd=tree,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": ""},
    )
    assert done.returncode == 1 and "Traceback" not in done.stderr and "build" in done.stderr, done.stderr


@pytest.mark.parametrize(
    "command", ["verify", "gen", "qemu", "report", "differential", "mutants", "bench", "explain page_map/MEM-3"]
)
def test_outside_a_source_tree_it_is_said_where_to_go(command, monkeypatch):
    monkeypatch.setattr(cli, "IN_TREE", False)
    done = corollary(*command.split())
    assert done.exit_code == 2 and "from a clone" in done.output


def test_gen_check_and_verify_are_the_same_as_the_modules(monkeypatch):
    monkeypatch.setattr("corollary.codegen.__main__.run", lambda check, wanted, remedy: (0 if check else 1, {}))
    assert (corollary("gen", "--check").exit_code, corollary("gen").exit_code) == (0, 1)
    monkeypatch.setattr("corollary.proofs.verify.every", lambda components, only, dask: 0 if only == "page_map/" else 1)
    assert (corollary("verify", "--only", "page_map/").exit_code, corollary("verify").exit_code) == (0, 1)


@pytest.mark.parametrize(
    "options",
    [
        ("--since", "1e300"),
        ("--until", "1e300"),
        ("--object", "pgae=1"),
        ("--object", "=1"),
        ("--unsealed-tail", "9" * 5000, "--key", "0" * 64),
        ("--seal", "/dev/zero", "--key", "0" * 64),
    ],
)
def test_no_number_or_name_is_too_odd_for_an_audit(log, options):
    done = corollary("audit", log, *options)
    assert done.exit_code == 2 and isinstance(done.exception, SystemExit), done.output


def test_an_argument_that_no_record_has_gets_a_suggestion(log):
    assert "did you mean page, place?" in corollary("audit", log, "--object", "pgae=1").output


def test_a_log_that_begins_at_a_checkpoint_says_so(tmp_path):
    run, checkpoint, sequence = sealed_run()
    path, key = tmp_path / "rest.log", key_bytes(run.information).hex()
    path.write_bytes(seal(checkpoint) + b"".join(run.records[sequence:]) + end(run.state.sequence, run.head))
    assert (
        f"the log begins at record {sequence}" in corollary("audit", path, "--key", key, "--unsealed-tail", "1").output
    )


ENDLESS_INPUT = (
    ("run", "/dev/zero"),
    ("inspect", "/dev/zero"),
    ("run", "given.wasm", "--resume", "/dev/zero", "--key", "0" * 64),
)
TOO_LARGE = 1 << 31  # bytes that the process may map: reading an endless input whole soon fails


@pytest.mark.parametrize(
    "arguments, said", [*zip(ENDLESS_INPUT, ("LimitExceeded", "LimitExceeded", "it is no snapshot"))]
)
def test_a_file_without_end_is_no_module_and_no_snapshot(module, arguments, said):
    done = subprocess.run(
        ["bash", "-c", f'ulimit -v {TOO_LARGE // 1024}; exec "$0" "$@"', INSTALLED, *arguments],
        cwd=module.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and said in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_fuel_that_cannot_be_counted_is_told(module):
    code, text = typed(module.parent, "run", "given.wasm", "--invoke", "f", "1", "--fuel", 1 << 64)
    assert code == 2 and f"--fuel takes a number up to {(1 << 64) - 1}" in text


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_may_be_closed(module, closed):
    """A file that is opened later must not take the place of a stream: nothing is written into it."""
    done = subprocess.run(
        ["bash", "-c", f'"$0" run given.wasm --invoke f 7 --key {"0" * 64} {closed}', INSTALLED],
        cwd=module.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert done.stdout == ("" if ">&- " in f"{closed} " and not closed.startswith("2") else "7\n")


def test_what_a_terminal_cannot_show_is_spelled(module):
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([INSTALLED, "audit", "--help"], capture_output=True, text=True, env=os.environ | plain)
    assert done.returncode == 0 and "audit" in done.stdout and "Traceback" not in done.stderr


def test_a_log_may_come_through_a_pipe(log):
    done = subprocess.run(
        ["bash", "-c", f'"$0" audit <(cat {log}) && cat {log} | "$0" audit /dev/stdin', INSTALLED],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and done.stdout.count("GOOD: ") == 2, done.stderr


@pytest.mark.parametrize("name", ["verify.json", "mutants.json", "qemu.json"])
@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "3",
        '"x"',
        '[{"a": 1}]',
        '{"obligations": [{}], "seconds": 1}',
        '{"obligations": 3, "seconds": 1}',
        "\udcff",
    ],
)
def test_a_damaged_result_is_told_with_the_command_that_makes_it_anew(tmp_path, name, content):
    (tmp_path / name).write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(
        results.Damaged, match=f"{name} is damaged, or of another version: run `corollary {name.removesuffix('.json')}`"
    ):
        page.Found(tmp_path)


GOOD_ROW = dict(id="a/B-1", level=1, property="B-1", operation="a", result="proved", seconds=0.5)


@pytest.mark.parametrize(
    "found",
    [
        [GOOD_ROW | {"level": 99}],
        [GOOD_ROW | {"result": "maybe"}],
        [GOOD_ROW | {"id": "a"}],
        [GOOD_ROW | {"id": "/B-1"}],
        [GOOD_ROW | {"seconds": float("inf")}],
        [GOOD_ROW, GOOD_ROW],
    ],
)
def test_a_row_that_says_what_cannot_be_is_damage(tmp_path, found):
    (tmp_path / "verify.json").write_text(json.dumps({"seconds": 1, "obligations": [GOOD_ROW]}))
    assert results.verified(tmp_path / "verify.json")["obligations"] == [GOOD_ROW]
    (tmp_path / "verify.json").write_text(json.dumps({"seconds": 1, "obligations": found}))
    with pytest.raises(results.Damaged):
        results.verified(tmp_path / "verify.json")


def test_a_result_that_is_too_deep_to_read_is_damage(tmp_path):
    (tmp_path / "verify.json").write_text("[" * 100_000)
    with pytest.raises(results.Damaged):
        results.verified(tmp_path / "verify.json")


def test_what_is_missing_or_damaged_ends_every_command_in_a_line():
    for problem in (results.Damaged("x.json is damaged"), CompilerMissing("no C compiler"), MemoryError()):
        assert told(problem)
    assert told(KeyError("a mistake of ours")) is None


@pytest.mark.parametrize("arguments", [("--sample", "-1"), ("--sample", "nan"), ("--sample", "5"), ("--workers", "0")])
def test_a_share_of_mutants_is_one(arguments):
    with pytest.raises(SystemExit) as left:
        mutants.main([*arguments])
    assert left.value.code == 2


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    target, link = tmp_path / "kept", tmp_path / "link"
    write_whole(target, "first")
    link.symlink_to(target)
    write_whole(link, b"second")
    assert link.is_symlink() and target.read_text() == "second" and sorted(tmp_path.iterdir()) == [target, link]
    with pytest.raises(OSError):
        write_whole(Path("/dev/full"), b"third")
    assert Path("/dev/full").is_char_device()


def test_a_file_is_never_open_to_more_than_it_is_for(tmp_path):
    write_whole(tmp_path / "secret", "first", mode=0o600)
    assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600
    write_whole(tmp_path / "open", "first")
    (tmp_path / "compared").touch()
    assert (tmp_path / "open").stat().st_mode == (tmp_path / "compared").stat().st_mode


# ---- results as JSON


@pytest.mark.parametrize("partial, path", [((), "verify.json"), (("--only", "page_map/"), "verify-only.json")])
def test_as_json_the_output_is_the_result_alone(monkeypatch, tmp_path, partial, path):
    def verified(components, only, dask):
        print("a table")
        (tmp_path / path).write_text('{"obligations": []}')
        return 1

    monkeypatch.setattr("corollary.proofs.verify.every", verified)
    for name, file in (("RESULT", "verify.json"), ("PARTIAL", "verify-only.json")):
        monkeypatch.setattr(f"corollary.proofs.verify.{name}", tmp_path / file)
    done = corollary("verify", *partial, "--json")
    assert done.exit_code == 1 and json.loads(done.stdout) == {"obligations": []} and "a table" in done.stderr


def test_a_command_that_wrote_no_result_prints_none(monkeypatch, tmp_path):
    (tmp_path / "old.json").write_text("{}")
    monkeypatch.setattr("corollary.proofs.verify.every", lambda only, dask: 1)
    monkeypatch.setattr("corollary.proofs.verify.RESULT", tmp_path / "old.json")
    done = corollary("verify", "--json")
    assert (done.exit_code, done.stdout) == (1, "")


@pytest.mark.parametrize(
    "module, arguments, path",
    [
        ("proofs.mutants.run", [], "mutants.json"),
        ("proofs.mutants.run", ["--kind", "break"], "mutants-only.json"),
        ("emulation.qemu", ["--all"], "qemu.json"),
        ("emulation.qemu", ["--agents=all"], "agents.json"),
        ("emulation.qemu", ["--agents", "ping"], "agents.json"),
        ("emulation.qemu", ["--disk", "good"], "disk.json"),
    ],
)
def test_each_kind_of_run_has_a_result_of_its_own(module, arguments, path):
    assert importlib.import_module(f"corollary.{module}").result_of(arguments).name == path


def test_an_audit_tells_as_json_what_it_found(log):
    whole = json.loads(corollary("audit", log, "--json").stdout)
    assert whole["good"] and whole["records"] > 0 and whole["fault"] == "" and len(whole["head"]) == 64
    log.write_bytes(flipped(log.read_bytes(), 4 * len(log.read_bytes())))
    done = corollary("audit", log, "--json", "--list")
    found = json.loads(done.stdout)
    assert done.exit_code == 1 and not found["good"] and found["records"] < whole["records"] and found["fault"]
    assert "BOOT_COMPLETE" in done.stderr
