"""Do programs written by others run, and move while they run? The interpreters of Python and Ruby."""

import subprocess
import sys
from pathlib import Path

import pytest

from corollary import Exited, Instance, Returned, Suspended
from tests.wasm.interpreters import PYTHON, RUBY, module, started, wasi
from tests.wasm.suspended import KEY

SCRIPT = Path(__file__).with_name("scripted.py").read_text()
RUBY_SCRIPT = """
def fibonacci(n) = n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2)
puts "#{RUBY_ENGINE} #{RUBY_VERSION} #{RUBY_PLATFORM}", fibonacci(15), 2 ** 100
p %w[c a b].sort.each_with_index.to_h, 10.0 / 3
begin
  Integer("seven")
rescue ArgumentError => error
  puts error.message
end
"""
RUBY_SAYS = """ruby 3.2.0 wasm32-wasi
610
1267650600228229401496703205376
{"a"=>0, "b"=>1, "c"=>2}
3.3333333333333335
invalid value for Integer(): "seven"
"""
IMPORTED = (
    12_000_000  # safe points until all files that the script imports are closed again: a snapshot holds no open files
)
SLICE = 2_000_000  # between two snapshots


@pytest.fixture(scope="module")
def expected():
    """Return the script's output in the Python that runs the tests."""
    return subprocess.run([sys.executable, "-I", "-c", SCRIPT], capture_output=True, text=True, check=True).stdout


def test_python_runs_a_program(expected):
    instance, given = started(PYTHON, "-c", SCRIPT)
    assert instance.call("_start") == Returned(())
    assert given.stdout.getvalue().decode() == expected


def test_ruby_runs_a_program():
    instance, given = started(RUBY, "-e", RUBY_SCRIPT)
    assert instance.call("_start") == Returned(())
    assert given.stdout.getvalue().decode() == RUBY_SAYS


def test_python_tells_how_it_ended():
    instance, given = started(PYTHON, "-c", "import sys; sys.exit(3)")
    with pytest.raises(Exited) as exited:
        instance.call("_start")
    assert exited.value.status == 3


def test_python_moves_in_the_middle_of_a_program(expected):
    """The snapshot holds the whole interpreter: the resumed instance uses nothing of the old one."""
    instance, given = started(PYTHON, "-c", SCRIPT)
    outcome, said, moves = instance.call("_start", fuel=IMPORTED), b"", 0
    while isinstance(outcome, Suspended):
        data, said, moves = instance.snapshot(KEY), said + given.stdout.getvalue(), moves + 1
        given = wasi(PYTHON, "-c", SCRIPT)
        instance = Instance.restore(module(PYTHON), data, KEY, given.imports(module(PYTHON)))
        outcome = instance.resume(fuel=SLICE)
    assert moves > 3 and outcome == Returned(())
    assert (said + given.stdout.getvalue()).decode() == expected
