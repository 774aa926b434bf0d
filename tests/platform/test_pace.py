"""Does the machine rest when there is nothing to do, and does the log go on when some do all they can to stop it?"""

import os
import time
from pathlib import Path

import pytest
from wasmtime import wat2wasm

from corollary.codegen import image
from corollary.emulation import agents, ending, package
from corollary.emulation.ending import name_of
from corollary.emulation.machine import booting, start
from corollary.emulation.verdict import Transcript, log_rows
from corollary.language.layout import decode
from corollary.spec.kernel.arguments import named_arguments
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import ROOT
from corollary.spec.kernel.state import WitnessRecord
from corollary.spec.kernel.vocabulary import Status
from corollary.spec.kernel.witness import KERNEL_ACTOR

WATCHED, BUSY = (
    3.0,
    0.5,
)  # s of idleness, and the part of it that the emulator may compute: before, it did so all the time
KEY = bytes(range(32))
MESSAGES = 60  # messages that a victim sends or receives; with its calls in vain, far fewer calls than its share
FLOODS, FLOOD, SHARES = (
    4,
    20_000,
    10,
)  # partitions that leave endless records, for this many ms, and the multiple of their share that they leave


def module(body):
    """Return an agent that has all calls, a counter and one word of memory."""
    return bytes(
        wat2wasm(f"""(module
      (import "corollary" "send" (func $send (param i64 i32 i32 i64) (result i32)))
      (import "corollary" "recv" (func $recv (param i64 i32 i32 i32) (result i32)))
      (import "corollary" "notify" (func $notify (param i64 i64) (result i32)))
      (memory (export "memory") 1)
      (func (export "run") (result i32) (local $left i32) (local.set $left (i32.const {MESSAGES})) {body}))""")
    )


def slot(name):
    """Return the slot where an agent finds a capability."""
    text = (image.GUEST_SOURCES / "slots.h").read_text()
    return text.split("enum { OWN = 1, ")[1].split(" };")[0].split(", ").index(name) + 2


SCHEMA = int((image.GUEST_SOURCES / "slots.h").read_text().split("SCHEMA ")[1].split("ull")[0], 16)
RECEIVE = f"(call $recv (i64.const {slot('RECEIVING')}) (i32.const 0) (i32.const 1) (i32.const 64))"
SEND = f"(call $send (i64.const {slot('SENDING')}) (i32.const 0) (i32.const 1) (i64.const {SCHEMA}))"
WAITING = module(f"(loop (br_if 0 (i32.eq {RECEIVE} (i32.const {Status.WOULD_BLOCK:d})))) (i32.const 0)")
FLOODING = module(f"(loop (drop (call $notify (i64.const {slot('POKE')}) (i64.const 1))) (br 0)) (i32.const 0)")


def until(call):
    """Make a call until it was allowed this many times."""
    return module(f"""(loop (br_if 0 (i32.eq {call} (i32.const {Status.WOULD_BLOCK:d})))
      (local.set $left (i32.sub (local.get $left) (i32.const 1))) (br_if 0 (local.get $left))) (i32.const 0)""")


def together(*pairs):
    """Return agents that speak to each other in pairs."""
    return tuple(
        agents.Agent(one, binary=binary, peer=other, milliseconds=milliseconds, outcome=outcome)
        for (first, second, *made, milliseconds, outcome) in pairs
        for one, other, binary in ((first, second, made[0]), (second, first, made[-1]))
    )


def computed(process):
    """Return the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_while_all_wait_the_processor_waits(tmp_path):
    system = package.with_agents(together(("one", "other", WAITING, WAITING, agents.LONG, ("returned",))), tmp_path)
    with booting(system, KEY, shift=None) as (process, console):
        next(line for line in console.lines() if "agents|" in line)
        time.sleep(1)  # until both wait
        before, began = computed(process), time.monotonic()
        time.sleep(WATCHED)
        part = (computed(process) - before) / (time.monotonic() - began)
    print(f"idle: {100 * part:.0f} % of the host's time")
    assert part < BUSY


@pytest.fixture(scope="module")
def flooded(tmp_path_factory):
    """Return a run in which four agents leave records as fast as they can, and two speak to each other.

    The result is `(run, system, agents)`.
    """
    floods = [(f"flood-{n}", f"flood-{n + 1}", FLOODING, FLOOD, ("overdue",)) for n in range(0, FLOODS, 2)]
    chosen = together(*floods, ("sender", "receiver", until(SEND), until(RECEIVE), agents.LONG, ("returned", 0)))
    system, run = package.with_agents(chosen, tmp_path_factory.mktemp("flood")), Transcript(KEY, ending.names(chosen))
    for line in start(system, run.key, **agents.PACE):
        run.take(line)
    return run, system, chosen


def created(records):
    """Return the arguments of the calls that created partitions."""
    made = [record for record in records if record.status == Status.OK and name_of(record) == "partition_create"]
    return [named_arguments(OPERATIONS[record.operation], record) for record in made]


def test_a_flood_of_records_stops_neither_the_log_nor_anybody_within_its_share(flooded):
    run, system, chosen = flooded
    assert [row for row in log_rows(run, system) if not row.good] == []
    told = {p: [] for p in range(len(run.names))}
    for record in (decode(data, WitnessRecord) for data in run.records):
        if record.actor != KERNEL_ACTOR:
            told[record.actor].append(record)
    numbers = {agent.name: p for p, agent in enumerate(chosen, ending.FIRST)}
    for name in ("sender", "receiver"):
        assert ending.outcome(run, numbers[name]) == ("returned", 0)
        assert sum(record.refused for record in told[numbers[name]]) == 0
    quotas = {made["p"]: made["quota"] for made in created(told[ROOT])}
    floods = {numbers[f"flood-{n}"]: told[numbers[f"flood-{n}"]] for n in range(FLOODS)}
    print(f"records of those that flood: {list(map(len, floods.values()))}")
    assert all(len(records) > SHARES * quotas[p] > 0 for p, records in floods.items())
    for name in ("witness_read", "witness_discard"):
        calls = [record for record in told[ending.FIRST - 1] if name_of(record) == name]
        assert calls and all(record.refused == 0 for record in calls)
