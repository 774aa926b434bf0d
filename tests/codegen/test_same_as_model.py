"""Does the C kernel equal the model on random traces, in every result, every byte of the state, every witness byte?"""

import random
from functools import cache

import pytest

from corollary.codegen.reference import statuses
from corollary.emulation.generator import Generator, WithDevices, generate
from corollary.emulation.native import Differs, Machine
from corollary.emulation.traces import Coverage, Hypercall, shrink
from corollary.language.layout import offset_of
from corollary.model.kernel.gate import OPERATIONS
from corollary.spec.kernel.state import Kernel

TRACES, LENGTH = 24, 1500


def kind_of(seed):
    """Return what makes the trace of a seed: in one of four there are devices."""
    return WithDevices if seed % 4 == 3 else Generator


@cache
def agreed(seed):
    """Return what a trace covered while C and model agreed. Raises `Differs` if they did not."""
    covered, generator = Coverage(), kind_of(seed)(random.Random(seed))
    machine, steps = Machine(generator.information), []
    try:
        for _ in range(LENGTH):
            step = generator.next(machine.model)
            if step is None:
                break
            steps.append(step)
            covered.note(step, machine.step(step) or 0)
        machine.check_all("the end")
    except Differs as difference:
        raise Differs(f"{difference}\nshortest trace found:\n{shortest(generator.information, steps)}") from None
    assert machine.violated() is None
    return covered


def covered():
    """Return what all traces covered together."""
    whole = Coverage()
    for seed in range(TRACES):
        whole.seen += agreed(seed).seen
    return whole


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, TRACES))]
)
def test_c_and_model_agree(seed):
    assert agreed(seed).operations


def shortest(information, steps):
    """Return a short trace that still shows a difference, one step a line."""

    def fails(fewer):
        machine = Machine(information)
        try:
            for step in fewer:
                machine.step(step)
            machine.check_all("the end")
        except Differs:
            return True
        return False

    return "\n".join(map(str, shrink(steps, fails)))


@pytest.mark.long
def test_traces_reach_every_operation_and_status():
    assert covered().operations >= 10_000
    assert covered().never_succeeded() == []
    assert covered().never_returned() == []


@pytest.mark.long
def test_operations_end_only_as_the_reference_says():
    said = {declared.name: set(statuses(declared)) for declared in OPERATIONS}
    unsaid = [(name, status.name) for name, status in covered().seen if name in said and status not in said[name]]
    assert unsaid == []


def test_traces_repeat():
    assert generate(random.Random(7), 200) == generate(random.Random(7), 200)


def test_a_wrong_byte_is_found_and_named():
    machine = Machine(Generator(random.Random(1)).information)
    machine.memory[offset_of(Kernel, ("partition", 5, "score"))] = 1
    with pytest.raises(Differs, match=r"partition\[5\]\.score"):
        machine.step(Hypercall(1, 37, (0,) * 6))
