"""Is an instance entered by one call at a time? Any other caller gets `Busy`, and nothing breaks."""

import threading
import time

import pytest
from wasmtime import wat2wasm

from corollary import Busy, Instance, Module, Returned, SnapshotRefused, Stopped, Suspended, Trapped

KEY = bytes(32)
ENDLESS = Module(
    wat2wasm(
        """(module (import "m" "f" (func $f)) (memory (export "memory") 1)
  (func (export "run") (loop (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1))) (br 0)))
  (func (export "ask") (call $f)) (func (export "one") (result i32) (i32.const 1)))"""
    )
)
ENTRIES = {
    "call": lambda instance: instance.call("one"),
    "call bits": lambda instance: instance.call_bits(3, ()),
    "resume": lambda instance: instance.resume(),
    "abandon": lambda instance: instance.abandon(),
    "snapshot": lambda instance: instance.snapshot(KEY),
}


@pytest.fixture
def running():
    """Run an instance on another thread."""
    instance = Instance(ENDLESS, {("m", "f"): lambda: None})
    thread = threading.Thread(target=instance.call, args=("run",))
    thread.start()
    while not instance.running:
        time.sleep(0.001)
    yield instance
    assert instance.interrupt()
    thread.join()
    instance.abandon()
    assert instance.call("one").value == 1


@pytest.mark.parametrize("entry", ENTRIES)
def test_an_instance_that_another_thread_runs_is_busy(running, entry):
    for _ in range(50):
        with pytest.raises(Busy, match="another thread"):
            ENTRIES[entry](running)


def test_another_instance_cannot_call_it_either(running):
    other = Instance(
        wat2wasm('(module (import "m" "one" (func $one (result i32))) (func (export "go") (result i32) (call $one)))'),
        {("m", "one"): running.export("one")},
    )
    with pytest.raises(Trapped, match="Busy: another thread") as trapped:
        other.call("go")
    assert isinstance(trapped.value.__cause__, Busy)


def test_many_threads_at_one_instance_are_served_one_by_one():
    """Each call returns the right result, or is refused."""
    instance, ended, gate = Instance(ENDLESS, {("m", "f"): lambda: time.sleep(0.001)}), [], threading.Barrier(8)

    def work():
        gate.wait()
        for name, expected in [("one", Returned((1,))), ("ask", Returned(()))] * 100:
            try:
                ended.append(instance.call(name) == expected)
            except Busy:
                ended.append(None)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {*ended} == {True, None} and len(ended) == 1600 and instance.machine.depth == 0


@pytest.mark.parametrize("entry", ["call", "resume"])
def test_a_function_of_the_host_cannot_call_the_instance_that_calls_it(entry):
    instance = Instance(ENDLESS, {("m", "f"): lambda: ENTRIES[entry](instance)})
    with pytest.raises(Trapped) as trapped:
        instance.call("ask")
    assert isinstance(trapped.value.__cause__, Busy) and instance.call("one").value == 1


def test_it_can_where_that_is_asked_for():
    seen = []
    instance = Instance(ENDLESS, {("m", "f"): lambda: seen.append(instance.call("one").value)}, reentrant=True)
    assert instance.call("ask") == Returned(()) and seen == [1]


@pytest.mark.parametrize("reentrant", [False, True])
def test_within_a_function_of_the_host_nothing_is_resumed_dropped_or_kept(reentrant):
    problems = []

    def within():
        for entry in ("resume", "abandon", "snapshot"):
            try:
                problems.append(ENTRIES[entry](instance))
            except (Busy, SnapshotRefused) as problem:
                problems.append(type(problem))

    instance = Instance(ENDLESS, {("m", "f"): within}, reentrant=reentrant)
    assert instance.call("ask") == Returned(()) and problems == [Busy, None, SnapshotRefused]


def test_instances_may_call_each_other_in_circles():
    """Linked modules do this: there is no function of the host between them."""
    first = Instance(
        wat2wasm(
            """(module (import "m" "back" (func $back (param i32) (result i32))) (table (export "t") 1 funcref)
      (func (export "go") (param i32) (result i32) (if (result i32) (local.get 0)
        (then (call_indirect (param i32) (result i32) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0))) (else
          (call $back (i32.const 0))))))"""
        ),
        {("m", "back"): lambda value: value + 100},
    )
    second = Instance(
        wat2wasm(
            """(module (import "m" "t" (table 1 funcref)) (import "m" "go" (func $go (param i32) (result i32)))
      (func $in (param i32) (result i32) (i32.add (i32.const 1) (call $go (local.get 0)))) (elem (i32.const 0) $in))"""
        ),
        {("m", "t"): first.export("t"), ("m", "go"): first.export("go")},
    )
    assert first.call("go", 20).value == 120 and second.machine.depth == first.machine.depth == 0


def test_calls_that_end_out_of_order_are_stopped():
    """This happens when something switches between stacks of Python: the older call may not go on."""
    instance = Instance(ENDLESS, {("m", "f"): lambda: instance.run.begin(3, ()) and None}, reentrant=True)
    with pytest.raises(Stopped, match="still"):
        instance.call("ask")
    assert instance.call("one").value == 1


def test_one_that_waits_is_busy_for_all_threads():
    instance, seen = Instance(ENDLESS, {("m", "f"): lambda: None}), []
    assert instance.call("run", fuel=5) == Suspended()

    def work():
        with pytest.raises(Busy, match="`resume` or `abandon`"):
            instance.call("one")
        seen.append(instance.resume(fuel=5))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [Suspended()]
