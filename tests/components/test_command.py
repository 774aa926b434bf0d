"""Does `corollary run` run a component, and say what is wrong with one?"""

import pytest
from typer.testing import CliRunner
from wasmtime import wat2wasm

from corollary.commands import cli
from tests.components import real
from tests.components.test_values import MANY, echo
from tests.wasm.test_wasi import program

NUMBERS = """(component
  (core module $m
    (func (export "sum") (param i32 f64) (result f64) (f64.add (f64.convert_i32_s (local.get 0)) (local.get 1)))
    (func (export "fail") (result i32) (i32.const 1))
    (func (export "trap") (unreachable))
    (func (export "endless") (loop (br 0))))
  (core instance $m (instantiate $m))
  (func (export "sum") (param "a" s32) (param "b" f64) (result f64) (canon lift (core func $m "sum")))
  (func (export "fail") (result (result)) (canon lift (core func $m "fail")))
  (func (export "trap") (canon lift (core func $m "trap")))
  (func (export "endless") (canon lift (core func $m "endless"))))"""


@pytest.fixture
def numbers(tmp_path):
    """Write a component with functions on numbers to a file."""
    path = tmp_path / "numbers.wasm"
    path.write_bytes(wat2wasm(NUMBERS))
    return path


def run(path, *arguments, given=""):
    """Return the result of `corollary run`."""
    done = CliRunner().invoke(cli.app, ["run", str(path), *map(str, arguments)], input=given)
    assert "Traceback" not in done.output
    return done


def test_a_command_runs(tmp_path):
    (tmp_path / "program.wasm").write_bytes(real.adapted(program().binary))
    done = run(tmp_path / "program.wasm", "args", "one")
    assert (done.exit_code, done.stdout) == (0, "program.wasm\nargs\none\n")
    done = run(tmp_path / "program.wasm", "stdin", given="a line\n" * 7)
    assert (done.exit_code, done.stdout) == (1, "7 lines\n")


@pytest.mark.parametrize(
    "arguments,code,said",
    [
        (("--invoke", "sum", "--", "-0x10", "0.5"), 0, "-15.5\n"),
        (("--invoke", "fail"), 1, "Case(label='error', value=None)\n"),
        (("--invoke", "trap"), 1, "Trapped: unreachable"),
        (("--invoke", "endless", "--fuel", "9"), 1, "its fuel is spent, and a component cannot go on later"),
        (("--invoke", "endless", "--seconds", "0.01"), 1, "its time is up, and a component cannot go on later"),
        ((), 2, "no wasi:cli/run is exported: use --invoke with one of sum, fail, trap, endless"),
        (("--invoke", "nothing"), 2, "no function 'nothing' is exported"),
        (("--invoke", "sum", "1"), 2, "sum takes 2 values (a, b), not 1"),
        (("--invoke", "sum", "1", "2", "3"), 2, "sum takes 2 values (a, b), not 3"),
        (("--invoke", "sum", "x", "2"), 2, "invalid literal for int"),
        (("--invoke", "sum", str(1 << 31), "2"), 2, "a of sum is a s32"),
        (("--dir", "/"), 2, "a component gets no folders"),
    ],
)
def test_a_function_is_called(numbers, arguments, code, said):
    done = run(numbers, *arguments)
    assert done.exit_code == code and said in " ".join(done.output.split()) + "\n"


def test_what_is_missing_or_broken_is_told(tmp_path):
    whole = echo(MANY)
    for name, binary, said in (
        ("cut", whole[:-3], "ComponentRefused: unexpected end"),
        ("whole", whole, "Unlinkable: unknown import: host"),
    ):
        (tmp_path / name).write_bytes(binary)
        done = run(tmp_path / name)
        assert done.exit_code == 1 and said in done.stderr
