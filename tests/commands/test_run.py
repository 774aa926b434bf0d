"""Do `corollary run` and `corollary inspect` report what a program did and what it contains?"""

import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner
from wasmtime import wat2wasm

from corollary import Suspended
from corollary.commands import cli
from corollary.commands import run as runner
from tests.wasm.suspended import BINARIES, KEY
from tests.wasm.test_wasi import program

ECHO = """(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1 7) (data (i32.const 0) "\\08\\00\\00\\00\\06\\00\\00\\00hello\\0a")
  (table 2 funcref) (global $g (mut i64) (i64.const 1))
  (func $main (export "_start")
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 100))) (call $exit (i32.const 5)))
  (func (export "half") (param f64) (result f64) (f64.div (local.get 0) (f64.const 2)))
  (func (export "trap") (unreachable))
  (func (export "endless") (loop (br 0))))"""


@pytest.fixture
def agent(tmp_path):
    """Write a program to a file."""
    path = tmp_path / "agent.wasm"
    path.write_bytes(wat2wasm(ECHO))
    return path


@pytest.fixture
def fib(tmp_path):
    """Write a function to a file."""
    path = tmp_path / "fib.wasm"
    path.write_bytes(BINARIES["recursion"])
    return path


def corollary(*arguments):
    """Return the result of a command."""
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])


def test_a_program_runs_and_its_status_is_the_exit_code(agent):
    done = corollary("run", agent)
    assert (done.exit_code, done.stdout) == (5, "hello\n")


@pytest.mark.parametrize(
    "options,status,said,at_once", [((), 5, "hello\n", True), (("--invoke", "half", "3"), 0, "1.5\n", False)]
)
def test_a_program_without_options_starts_without_the_command_line(agent, options, status, said, at_once):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "corollary.commands.start", "run", str(agent), *options],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (status, said) and ("typer" not in done.stderr) is at_once


def test_a_program_in_c_has_arguments_streams_and_folders(tmp_path):
    (tmp_path / "program.wasm").write_bytes(program().binary)
    (tmp_path / "text").write_text("> what is written\n")
    environment = os.environ | {"PYTHONPATH": str(cli.ROOT)}
    for arguments, status, said in (
        ("args -- -x y", 0, "program.wasm\nargs\n-x\ny\n"),
        ("stdin", 2, "2 lines\n"),
        ("show ./text --dir .", 0, "what is written\n"),
        ("show ./text", 1, "./text: No such file or directory\n"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "corollary.commands.cli", "run", "program.wasm", *arguments.split()],
            cwd=tmp_path,
            env=environment,
            input="one\ntwo\n",
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stdout) == (status, said), done.stderr


@pytest.mark.parametrize("arguments,said", [(("half", "3"), "1.5\n"), (("half", "--", "-1e3"), "-500.0\n")])
def test_a_function_is_called_with_numbers(agent, arguments, said):
    done = corollary("run", agent, "--invoke", *arguments)
    assert (done.exit_code, done.stdout) == (0, said)


def test_a_suspended_function_goes_on_from_its_snapshot(fib, tmp_path):
    kept, rounds = tmp_path / "kept", 0
    done = corollary(
        "run", fib, "--invoke", "run", 12, "--fuel", 100, "--snapshot-on-suspend", kept, "--key", KEY.hex()
    )
    while "suspended: its fuel is spent; go on with --resume" in done.stderr:
        rounds += 1
        assert done.exit_code == 0
        done = corollary("run", fib, "--resume", kept, "--fuel", 100, "--snapshot-on-suspend", kept, "--key", KEY.hex())
    assert (done.exit_code, done.stdout) == (0, "144\n") and rounds == 4


@pytest.mark.parametrize(
    "arguments,said",
    [
        (("--invoke", "trap"), "Trapped: unreachable\n  in #4 trap"),
        (("--invoke", "endless", "--fuel", "9"), "its fuel is spent; --snapshot-on-suspend keeps it"),
        (("--invoke", "endless", "--seconds", "0.01"), "its time is up"),
    ],
)
def test_what_does_not_return_fails(agent, arguments, said):
    done = corollary("run", agent, *arguments)
    assert done.exit_code == 1 and said in done.stderr


@pytest.mark.parametrize(
    "outcome,why",
    [
        (Suspended(), "its fuel is spent"),
        (Suspended(late=True), "its time is up"),
        (Suspended(interrupted=True), "it was interrupted"),
        (Suspended(late=True, interrupted=True), "it was interrupted"),
    ],
)
def test_it_is_told_why_a_call_is_suspended(capsys, outcome, why):
    assert runner.told(None, outcome, KEY, save=None) == runner.FAILED
    assert capsys.readouterr().err == f"suspended: {why}; --snapshot-on-suspend keeps it\n"


def test_what_is_no_module_or_snapshot_fails(agent, fib, tmp_path):
    (tmp_path / "bad").write_bytes(b"\0asm")
    for arguments, said in (
        (("run", tmp_path / "bad"), "Malformed: "),
        (("inspect", tmp_path / "bad"), "Malformed: "),
        (("run", agent, "--resume", fib, "--key", KEY.hex()), "SnapshotRefused: it is no snapshot"),
    ):
        done = corollary(*arguments)
        assert done.exit_code == 1 and said in done.stderr and "Traceback" not in done.output


def test_an_import_that_nobody_has_is_told(tmp_path):
    (tmp_path / "asking").write_bytes(BINARIES["host calls"])
    done = corollary("run", tmp_path / "asking", "--invoke", "run", 1)
    assert done.exit_code == 1 and "Unlinkable: unknown import: env.ask" in done.stderr


@pytest.mark.parametrize(
    "arguments,said",
    [
        (("--invoke", "nothing"), "use --invoke with one of _start, half, trap, endless"),
        (("--invoke", "half"), "half takes f64, not 0 arguments"),
        (("--invoke", "half", "x"), "half takes f64, not x"),
        (("--snapshot-on-suspend", "x"), "need --key or --key-file"),
        (("--fuel", "-1"), "--fuel"),
        (("--dir", "/nowhere"), "--dir"),
        (("--key", "12"), "64 hexadecimal digits"),
    ],
)
def test_wrong_use_exits_with_2_and_says_how(agent, arguments, said):
    done = corollary("run", agent, *arguments)
    assert done.exit_code == 2 and said in done.stderr and "Traceback" not in done.output


def test_a_module_is_described(agent, fib):
    said = corollary("inspect", agent).stdout
    for line in (
        "import wasi_snapshot_preview1.proc_exit: func 1 (i32) -> ()",
        "export half: func 3 (f64) -> (f64)",
        "export memory: memory 0, pages 1 .. 7",
        "table 0 of funcref, elements 2 ..",
        "global 0, mutable i64",
        "func 2 main: ",
        "trap_unreachable",
    ):
        assert line in said
    said = corollary("inspect", fib).stdout
    assert sum(line.startswith("*") and " call " in line for line in said.splitlines()) == 2
    assert "call" not in corollary("inspect", fib, "--no-code").stdout
