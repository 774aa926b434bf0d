"""Does each documented exit code occur where it is said to, and are all of them explained where people look?"""

import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner
from wasmtime import wat2wasm

from corollary.codegen.folders import ROOT
from corollary.commands import cli, exits
from docs import values  # pyright: ignore[reportAttributeAccessIssue] - not `tests/docs`

ENDLESS = '(module (func (export "_start") (loop (br 0))))'
TRAPS = '(module (func (export "_start") (unreachable)))'
ENDS = '(module (func (export "_start")))'
OCCURS = {
    "0": (ENDS, None, exits.PASSED),
    "1": (TRAPS, None, exits.FAILED),
    "2": ("(module)", None, exits.USAGE),
    "130": (ENDLESS, signal.SIGINT, exits.INTERRUPTED),
    "128 + n": (ENDLESS, signal.SIGTERM, exits.SIGNALED + signal.SIGTERM),
}


@pytest.mark.parametrize("code", OCCURS)
def test_each_code_occurs(tmp_path, code):
    text, sent, expected = OCCURS[code]
    (tmp_path / "program.wasm").write_bytes(wat2wasm(text))
    command = [sys.executable, "-m", "corollary.commands.start", "run", "program.wasm", "--invoke", "_start"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    if sent:
        time.sleep(3)
        process.send_signal(sent)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == expected and "Traceback" not in said, said


BEGINS = "import os, signal, sys, time; from corollary.commands.start import ended\n"
ENDINGS = {
    "by itself": ("print('x')", exits.FAILED),
    "with a code": ("print('x'); sys.exit(2)", exits.FAILED),
    "interrupted": ("print('x'); os.kill(os.getpid(), signal.SIGINT); time.sleep(9)", exits.INTERRUPTED),
    "by an error": ("print('x'); open('/nowhere/at/all')", exits.FAILED),
}


def output_lost(tmp_path, body, stdout):
    """Run a command whose output cannot be written; return its exit code and what it says of that.

    It keeps its output until it ends, as Python does unless it is told not to.
    """
    (tmp_path / "command.py").write_text(f"{BEGINS}def command():\n    {body}\nsys.exit(ended(command))\n")
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [sys.executable, "command.py"],
        cwd=tmp_path,
        env=buffered | {"PYTHONPATH": str(ROOT)},
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("how", ENDINGS)
def test_a_full_disk_is_told_in_a_line_and_ends_in_a_documented_code(tmp_path, how):
    body, code = ENDINGS[how]
    with open("/dev/full", "w") as full:
        found, said = output_lost(tmp_path, body, full)
    assert found == code and len(said.splitlines()) == 1, said


@pytest.mark.parametrize("how", ENDINGS)
def test_a_closed_pipe_ends_in_a_documented_code(tmp_path, how):
    body, code = ENDINGS[how]
    reader, writer = os.pipe()
    os.close(reader)
    found, said = output_lost(tmp_path, body, writer)
    os.close(writer)
    assert found == code and "Exception" not in said and "Traceback" not in said, said


def test_each_code_that_is_explained_is_tried():
    assert OCCURS.keys() == exits.MEANINGS.keys()


def test_the_help_and_the_documents_explain_each_code():
    said = " ".join(CliRunner().invoke(cli.app, ["--help"]).output.split())
    table = values.exit_codes()
    for code, meaning in exits.MEANINGS.items():
        assert f"{code}: {meaning}" in said and f"| {code} | {meaning} |" in table


def test_the_status_of_a_program_is_the_exit_code(tmp_path):
    text = """(module (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
      (memory (export "memory") 1) (func (export "_start") (call $exit (i32.const 77))))"""
    (tmp_path / "program.wasm").write_bytes(wat2wasm(text))
    command = [sys.executable, "-m", "corollary.commands.start", "run", "program.wasm"]
    assert subprocess.run(command, cwd=tmp_path, check=False).returncode == 77
