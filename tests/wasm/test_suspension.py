"""Can the programs of the benchmark be stopped at any safe point, and resumed in another process?"""

import random
import subprocess
import sys
from functools import cache

import pytest

from corollary import Instance, Module, Returned
from corollary.bench import programs
from tests.wasm.restored import said
from tests.wasm.suspended import KEY

SAMPLE = 200  # safe points at which each program moves to another process
SCALE = {"copy_words": 200}  # rounds of a program that has few safe points in one


@cache
def module(name):
    """Return a program."""
    return Module(programs.program(name).wasm.read_bytes())


def begun(name, fuel=None):
    """Return an instance of a program, and the outcome of its call."""
    instance = Instance(module(name))
    return instance, instance.call("run", SCALE.get(name, 1), fuel=fuel)


@cache
def whole(name):
    """Return how an uninterrupted program ends, and its state."""
    instance, outcome = begun(name)
    return said(outcome, instance.snapshot(KEY))


@cache
def stopped_everywhere(name):
    """Return how a program ends that stops at each of its safe points, and their number."""
    instance, outcome = begun(name, fuel=1)
    points = 0
    while not isinstance(outcome, Returned):
        outcome, points = instance.resume(fuel=1), points + 1
    return said(outcome, instance.snapshot(KEY)), points


@pytest.mark.parametrize("name", programs.SOURCES)
def test_a_program_may_stop_at_each_of_its_safe_points(name):
    end, points = stopped_everywhere(name)
    assert end == whole(name) and points > SAMPLE


@pytest.mark.parametrize("name", programs.SOURCES)
def test_a_program_goes_on_in_another_process(name, tmp_path):
    _, points = stopped_everywhere(name)
    for point in random.Random(name).sample(range(1, points), SAMPLE):
        instance, _ = begun(name, fuel=point)
        (tmp_path / f"{point}").write_bytes(instance.snapshot(KEY))
    command = [sys.executable, "-m", "tests.wasm.restored", programs.program(name).wasm, *sorted(tmp_path.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.splitlines() == SAMPLE * [whole(name)], done.stderr
