"""Does an agent that is suspended on one machine go on on the other? Between the host library and the guest of the kernel, both ways."""

from dataclasses import replace

import pytest
from wasmtime import wat2wasm

from codegen import agents, ending, image
from codegen.machine import start
from codegen.verdict import Run
from host import HostCall, Instance, Reason, Returned, Suspended, WithInstance
from host.snapshot import HEADER
from tests.wasm.forged import Parts
from tests.wasm.suspended import KEY

AGENT = agents.KNOWN["recursing"]
MODULE = agents.module(AGENT.name).read_bytes()
FUELS = (1, 20_000)
STARTING = wat2wasm("""(module (global $rounds (mut i64) (i64.const 0))
  (func $round (result i64) (global.set $rounds (i64.add (global.get $rounds) (i64.const 1))) (global.get $rounds))
  (func $begin (loop (br_if 0 (i64.ne (call $round) (i64.const 99)))))
  (start $begin)
  (func (export "run") (result i32) (loop (br_if 0 (i64.ne (call $round) (i64.const 199)))) (i32.wrap_i64 (global.get $rounds))))""")


def instance(said, made=None):
    """The agent on this machine; what it prints goes into a list. With a snapshot, it goes on with that."""
    def keep(self, at, size):
        said.append(self.export("memory").read(at, size).decode())
        return 0
    imports = {("corollary", "print"): WithInstance(keep)}
    return Instance(MODULE, imports) if made is None else Instance.restore(MODULE, made, KEY, imports)


def suspended(fuel):
    """A snapshot of the agent, made here in the midst of its calls."""
    waiting = instance([])
    assert isinstance(waiting.call("run", fuel=fuel), Suspended)
    return waiting.snapshot(KEY)


def outcome(agent, folder, key=KEY):
    """A run of one agent on the kernel, how it ended, and what it said."""
    elf = image.agents_image((agent,), folder, key)
    run = Run(KEY, ending.names((agent,)))
    for line in start(elf, run.key, **agents.PACE):
        run.take(line)
    return run, ending.outcome(run, ending.FIRST), tuple("|".join(line) for line in run.lines(ending.FIRST, "said"))


def test_the_start_function_spends_no_fuel(tmp_path):
    here = Instance(STARTING)
    assert isinstance(here.call("run", fuel=50), Suspended)
    agent = agents.Agent("starting", binary=bytes(STARTING), fuel=50)
    run, (how, size), _ = outcome(agent, tmp_path)
    assert how == "suspended" and run.shown[ending.FIRST][:size] == here.snapshot(KEY)
    assert outcome(replace(agent, fuel=0), tmp_path)[1] == ("returned", 199) and here.resume() == Returned((199,))


@pytest.mark.parametrize("fuel", FUELS)
def test_what_was_suspended_here_ends_on_the_kernel(fuel, tmp_path):
    data = suspended(fuel)
    _, ended, said = outcome(replace(AGENT, kept=data), tmp_path)
    assert (ended, said) == (AGENT.outcome, AGENT.said)


@pytest.mark.parametrize("fuel", FUELS)
def test_what_was_suspended_on_the_kernel_ends_here_and_is_the_same(fuel, tmp_path):
    run, (how, size), told = outcome(replace(AGENT, fuel=fuel), tmp_path)
    data = run.shown[ending.FIRST][:size]
    assert how == "suspended" and told == () and data == suspended(fuel)
    assert Parts(data).depth > (fuel > 1)
    said = []
    assert instance(said, data).resume() == Returned(AGENT.outcome[1:]) and tuple(said) == AGENT.said


def test_it_crosses_again_and_again(tmp_path):
    data = suspended(500)
    for _ in range(2):
        run, (how, size), _ = outcome(replace(AGENT, kept=data, fuel=500), tmp_path)
        there = run.shown[ending.FIRST][:size]
        assert how == "suspended" and there != data
        waiting = instance([], there)
        assert isinstance(waiting.resume(fuel=500), Suspended)
        data = waiting.snapshot(KEY)
    assert data == suspended(5 * 500)


def test_what_waits_for_the_host_here_is_answered_by_the_kernel(tmp_path):
    waiting = Instance(MODULE, host_calls=True)
    assert isinstance(waiting.call("run"), HostCall)
    _, ended, said = outcome(replace(AGENT, kept=waiting.snapshot(KEY)), tmp_path)
    assert (ended, said) == (AGENT.outcome, AGENT.said)


def astray(data):
    """The same state at an operation where nothing can be resumed, well sealed."""
    parts = Parts(data)
    parts.put(at=0)
    return parts.sealed()


@pytest.mark.parametrize(("change", "reason"), [
    (lambda data: b"x" + data[1:], Reason.KIND),
    (lambda data: data[:10] + b"\xff" + data[11:], Reason.FORMAT),
    (lambda data: data[:12] + bytes(32) + data[44:], Reason.MACHINE),
    (lambda data: data[:44] + bytes(16) + data[60:], Reason.KEY),
    (lambda data: data[:HEADER.size] + bytes([data[HEADER.size] ^ 1]) + data[HEADER.size + 1:], Reason.DAMAGED),
    (lambda data: data[:-1], Reason.DAMAGED),
    (astray, Reason.CONTENT),
])
def test_the_kernel_takes_nothing_else(change, reason, tmp_path):
    _, ended, said = outcome(replace(AGENT, kept=change(suspended(1000))), tmp_path)
    assert (ended, said) == (("foreign", reason), ())


def test_another_key_is_refused(tmp_path):
    _, ended, _ = outcome(replace(AGENT, kept=suspended(1000)), tmp_path, bytes(32))
    assert ended == ("foreign", Reason.KEY)


def test_a_snapshot_of_another_module_is_refused(tmp_path):
    _, ended, _ = outcome(replace(agents.KNOWN["looping"], kept=suspended(1000)), tmp_path)
    assert ended == ("foreign", Reason.MODULE)
