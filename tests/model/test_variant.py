"""Is a variant the model but for the functions that others stand for, and is the model itself left as it is?"""

import copy
import random

from corollary.emulation.generator import Generator
from corollary.emulation.traces import Hypercall, apply, booted
from corollary.language.layout import encode
from corollary.model.kernel import gate, package, witness
from corollary.model.kernel.schedule import proceed
from corollary.model.variant import Variant
from corollary.spec.kernel.operation import named
from corollary.spec.kernel.package import PACKAGE_MAGIC, PACKAGE_VERSION, PackageFault, PackageHeader
from corollary.spec.kernel.state import BootInformation, Call, Kernel
from corollary.spec.kernel.vocabulary import Status

HEADER = {"magic": PACKAGE_MAGIC, "version": PACKAGE_VERSION, "pages": 5, "text": 3, "data": 1}


def call_of(step):
    """Return the call that a hypercall of a trace makes."""
    call = Call(now=step.now, operation=step.operation)
    for position, value in enumerate(step.arguments):
        call.argument[position] = value
    return call


def test_a_variant_without_a_difference_does_what_the_model_does():
    same, generator, calls = Variant({}), Generator(random.Random(5)), 0
    state = booted(generator.information)
    while calls < 100:
        step, twin = generator.next(state), copy.deepcopy(state)
        call, status = apply(state, step)
        if isinstance(step, Hypercall):
            asked, calls = call_of(step), calls + 1
            assert (same.of(gate.dispatch)(twin, asked), asked) == (status, call)
            same.of(proceed)(twin)
            assert encode(twin, Kernel) == encode(state, Kernel)


def test_what_stands_for_a_function_is_called_from_wherever_the_model_calls_that():
    told = []
    instead = Variant({witness.append: lambda s, *rest: told.append(rest), gate.known: lambda call: False})
    states = [booted(BootInformation()) for _ in range(2)]
    instead.of(gate.dispatch)(states[0], Call(now=7))
    gate.dispatch(states[1], Call(now=7))
    assert len(told) == 1 and states[0].sequence + 1 == states[1].sequence
    assert gate.dispatch.__globals__["known"] is gate.known and Variant({}).of(gate.known) is gate.known


def test_a_function_that_another_stands_for_can_still_be_called():
    counted = []

    def perform(s, call):
        counted.append(call.operation)
        return own(s, call)

    instead = Variant({gate.perform: perform})
    own, dispatch, number = instead.copy(gate.perform), instead.of(gate.dispatch), named("yield_now").number
    assert dispatch(booted(BootInformation()), Call(now=7, operation=number)) == Status.OK
    assert counted == [number]


def test_a_function_with_a_contract_is_copied_with_what_it_calls():
    accepted, wrong = BootInformation(), Variant({package.fault: lambda header: PackageFault.PARTS})
    assert wrong.of(package.accept)(PackageHeader(**HEADER), accepted) == PackageFault.PARTS
    assert package.accept(PackageHeader(**HEADER), accepted) == PackageFault.NONE
