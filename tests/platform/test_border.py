"""Does an agent that is suspended on one machine resume on the other?

It moves between the host library and the guest of the kernel, both ways.
"""

import struct
from dataclasses import dataclass
from functools import cache

import pytest
from wasmtime import wat2wasm

from corollary import HostCall, Instance, Reason, Returned, Suspended, WithInstance
from corollary.emulation import agents, ending, package
from corollary.emulation.machine import start
from corollary.emulation.verdict import Transcript
from corollary.snapshot import HEADER
from tests.wasm.forged import Parts
from tests.wasm.suspended import KEY

AGENT = agents.KNOWN["recursing"]
MODULE = agents.module(AGENT.name).read_bytes()
FUELS = (1, 20_000)
TOGETHER = 2  # agents of one boot: a boot package has no room for more of their snapshots
LEG, LEGS = 500, 2  # safe points from one crossing to the next, and the number of round trips
STARTING = wat2wasm("""(module (global $rounds (mut i64) (i64.const 0))
  (func $round (result i64) (global.set $rounds (i64.add (global.get $rounds) (i64.const 1))) (global.get $rounds))
  (func $begin (loop (br_if 0 (i64.ne (call $round) (i64.const 99)))))
  (start $begin)
  (func (export "run") (result i32)
    (loop (br_if 0 (i64.ne (call $round) (i64.const 199)))) (i32.wrap_i64 (global.get $rounds))))""")


def instance(said, made=None):
    """Return the agent on this machine, resumed from a snapshot if there is one; its output goes into a list."""

    def keep(self, at, size):
        said.append(self.export("memory").read(at, size).decode())
        return 0

    imports = {("corollary", "print"): WithInstance(keep)}
    return Instance(MODULE, imports) if made is None else Instance.restore(MODULE, made, KEY, imports)


@cache
def suspended(fuel, key=KEY):
    """Return a snapshot of the agent, made here in the middle of its calls."""
    waiting = instance([])
    assert isinstance(waiting.call("run", fuel=fuel), Suspended)
    return waiting.snapshot(key)


def asking():
    """Return a snapshot of the agent while it waits for the host."""
    waiting = Instance(MODULE, host_calls=True)
    assert isinstance(waiting.call("run"), HostCall)
    return waiting.snapshot(KEY)


def astray():
    """Return a properly sealed state at an operation where nothing can be resumed."""
    parts = Parts(suspended(LEG))
    parts.put(at=0)
    return parts.sealed()


def changed(opening):
    """Return a snapshot with a changed byte after some fields of the header."""
    data, at = bytearray(suspended(LEG)), struct.calcsize(opening)
    data[at] ^= 1
    return bytes(data)


FOREIGN = {  # snapshots that the kernel must refuse
    "kind": (lambda: changed("<"), Reason.KIND),
    "format": (lambda: changed("<10s"), Reason.FORMAT),
    "machine": (lambda: changed("<10sH"), Reason.MACHINE),
    "key-mark": (lambda: changed("<10sH32s"), Reason.KEY),
    "other-key": (lambda: suspended(LEG, bytes(len(KEY))), Reason.KEY),
    "content": (lambda: changed(HEADER.format), Reason.DAMAGED),
    "short": (lambda: suspended(LEG)[:-1], Reason.DAMAGED),
    "astray": (astray, Reason.CONTENT),
}


def wanted():
    """Return the agents that these tests run on the kernel: each one's name, module, snapshot and fuel."""
    yield "starting", STARTING, b"", 50
    yield "started", STARTING, b"", 0
    yield "asking", MODULE, asking(), 0
    yield "other-module", agents.module("looping").read_bytes(), suspended(LEG), 0
    for fuel in FUELS:
        yield f"from-here-{fuel}", MODULE, suspended(fuel), 0
        yield f"from-there-{fuel}", MODULE, b"", fuel
    for number in range(LEGS):
        yield f"leg-{number}", MODULE, suspended((2 * number + 1) * LEG), LEG
    for name, (make, _) in FOREIGN.items():
        yield name, MODULE, make(), 0


@dataclass(frozen=True)
class Ended:
    """An agent's end on the kernel: how it ended, its output, and the bytes that it left."""

    outcome: tuple
    said: tuple
    left: bytes


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """Return the end of each agent, by name; each boot is for several."""
    made = [agents.Agent(name, binary=bytes(module), snapshot=kept, fuel=fuel) for name, module, kept, fuel in wanted()]
    folder = tmp_path_factory.mktemp("border")
    return {
        name: found
        for at in range(0, len(made), TOGETHER)
        for name, found in boot(tuple(made[at : at + TOGETHER]), folder)
    }


def boot(together, folder):
    """Return the agents of one boot and their ends, by name."""
    run = Transcript(KEY, ending.names(together))
    for line in start(package.with_agents(together, folder, KEY), run.key, **agents.PACE):
        run.take(line)
    for p, agent in enumerate(together, ending.FIRST):
        how = ending.outcome(run, p)
        left = run.shown.get(p, b"")[: how[1]] if how[0] == "suspended" else b""
        yield agent.name, Ended(how, tuple("|".join(line) for line in run.lines(p, "said")), left)


def test_the_start_function_spends_no_fuel(ended):
    here = Instance(STARTING)
    assert isinstance(here.call("run", fuel=50), Suspended)
    assert ended["starting"].left == here.snapshot(KEY)
    assert ended["started"].outcome == ("returned", 199) and here.resume() == Returned((199,))


@pytest.mark.parametrize("fuel", FUELS)
def test_what_was_suspended_here_ends_on_the_kernel(fuel, ended):
    assert ended[f"from-here-{fuel}"] == Ended(AGENT.outcome, AGENT.said, b"")


@pytest.mark.parametrize("fuel", FUELS)
def test_what_was_suspended_on_the_kernel_ends_here_and_is_the_same(fuel, ended):
    there = ended[f"from-there-{fuel}"]
    assert there == Ended(("suspended", len(there.left)), (), suspended(fuel))
    assert Parts(there.left).depth > (fuel > 1)
    said = []
    assert instance(said, there.left).resume() == Returned(AGENT.outcome[1:]) and tuple(said) == AGENT.said


@pytest.mark.parametrize("number", range(LEGS))
def test_it_crosses_again_and_again(number, ended):
    there = ended[f"leg-{number}"].left
    assert there == suspended((2 * number + 2) * LEG)
    waiting = instance([], there)
    assert isinstance(waiting.resume(fuel=LEG), Suspended)
    assert waiting.snapshot(KEY) == suspended((2 * number + 3) * LEG)


def test_what_waits_for_the_host_here_is_answered_by_the_kernel(ended):
    assert ended["asking"] == Ended(AGENT.outcome, AGENT.said, b"")


@pytest.mark.parametrize(("name", "reason"), [(name, reason) for name, (_, reason) in FOREIGN.items()])
def test_the_kernel_takes_nothing_else(name, reason, ended):
    assert ended[name] == Ended(("foreign", reason), (), b"")


def test_a_snapshot_of_another_module_is_refused(ended):
    assert ended["other-module"] == Ended(("foreign", Reason.MODULE), (), b"")
