"""Do the shipped functions, run in QEMU on a trace, leave the same bytes as the model?"""

import random

import pytest

from corollary.emulation.machine import Server
from corollary.language.layout import encode
from corollary.model.kernel.action import contain, preempt
from corollary.model.kernel.boot import boot
from corollary.model.kernel.gate import dispatch
from corollary.model.kernel.schedule import proceed, wait
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.state import BootInformation, Call, Kernel

INFORMATION = BootInformation(now=5, package=6, text=1, data=1)


@pytest.fixture(scope="module")
def server():
    with Server() as running:
        yield running


@pytest.fixture
def model(server):
    server.reset(INFORMATION)
    state = Kernel()
    boot(state, INFORMATION)
    return state


def call(now, operation, *arguments):
    made = Call(now=now, operation=operation)
    for i, argument in enumerate(arguments):
        made.argument[i] = argument
    return made


def test_boot_leaves_the_same_bytes(server, model):
    assert server.state() == encode(model, Kernel)


def test_calls_have_the_same_results_and_leave_the_same_bytes(server, model):
    choose = random.Random(1)
    trace = [
        call(10**9 + n * 10**7, choose.randrange(len(OPERATIONS) + 2), *(choose.randrange(12) for _ in range(6)))
        for n in range(300)
    ]
    results = server.run([("CALL", step) for step in trace])
    for step, (status, after) in zip(trace, results):
        assert status == dispatch(model, step)
        proceed(model)
        assert after == step
    assert server.state() == encode(model, Kernel)


def test_every_kind_of_entry_does_what_the_model_does(server, model):
    server.run(
        [
            ("PREEMPT", call(10**9, 0)),
            ("WAIT", call(0, 0)),
            ("STORE", call(0, 0, 700, 3, 0xABCD)),
            ("CONTAIN", call(2 * 10**9, 0, 0x9200_0000, 0x1234)),
        ]
    )
    preempt(model, 10**9)
    proceed(model)
    wait(model)
    proceed(model)
    model.memory[700].word[3] = 0xABCD
    contain(model, 2 * 10**9, 0x9200_0000, 0x1234)
    proceed(model)
    assert server.state() == encode(model, Kernel)


def test_reset_forgets_everything(server, model):
    server.run([("STORE", call(0, 0, 1, 1, 1)), ("PREEMPT", call(10**9, 0))])
    server.reset(INFORMATION)
    assert server.state() == encode(model, Kernel)


def test_a_trace_that_does_not_fit_is_refused(server, model):
    with pytest.raises(ValueError, match="do not fit"):
        server.run([("WAIT", call(0, 0))] * 400_000)
