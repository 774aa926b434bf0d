"""Is an instance entered by one call at a time? Any other caller gets `Busy`, and nothing breaks."""

import sys
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


# ---- handlers of signals, which Python runs between any two of its own steps

SUM = """(module (memory (export "memory") 1 100)
  (func (export "sum") (param i32 i64) (result i64) (local i64)
    (loop (local.set 2 (i64.add (local.get 2) (local.get 1)))
      (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))) (local.get 2))
  (func (export "mess") (param i64 i64 i64) (result i64) (local i64) (local.set 3 (local.get 0)) (local.get 3)))"""
LINKED = """(module (import "m" "mess" (func $mess (param i64 i64 i64) (result i64)))
  (func (export "mess") (param i64 i64 i64) (result i64)
    (call $mess (local.get 0) (local.get 1) (local.get 2))))"""
MESS = ("mess", -1, -1, -1)


def handled(name, handle, work):
    """Do some work. Where it calls a function of Python with this name, let a handler come first, as for a signal."""
    seen = []

    def notice(frame, event, _):
        if event == "call" and frame.f_code.co_name == name and not seen:
            try:
                seen.append(handle())
            except (Busy, SnapshotRefused) as problem:
                seen.append(type(problem))
            except Trapped as trapped:
                seen.append(type(trapped.__cause__))

    sys.setprofile(notice)
    try:
        return work(), seen
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("moment", ["budget", "spend", "go_on", "results"])
@pytest.mark.parametrize("linked", [False, True])
def test_a_handler_of_a_signal_does_not_overwrite_the_call_that_it_interrupts(moment, linked):
    instance = Instance(wat2wasm(SUM), reentrant=not linked)
    other = Instance(wat2wasm(LINKED), {("m", "mess"): instance.export("mess")}) if linked else instance
    outcome, seen = handled(moment, lambda: other.call(*MESS), lambda: instance.call("sum", 10, 3))
    assert (outcome.value, seen) == (30, [Busy]) and other.call(*MESS).value == -1


def test_a_handler_may_call_while_a_function_of_the_host_is_performed():
    instance, seen = Instance(ENDLESS, {("m", "f"): lambda: sleeping()}, reentrant=True), []

    def sleeping():
        seen.extend(handled("sleep", lambda: instance.call("one").value, sleep)[1])

    def sleep():
        pass

    assert instance.call("ask") == Returned(()) and seen == [1]


@pytest.mark.parametrize("entry", ["abandon", "resume", "snapshot"])
@pytest.mark.parametrize("moment", ["meter", "proceed"])
def test_a_call_that_goes_on_is_not_dropped_or_resumed_by_a_handler(entry, moment):
    instance = Instance(wat2wasm(SUM))
    assert instance.call("sum", 10, 3, fuel=5) == Suspended()
    outcome, seen = handled(moment, lambda: ENTRIES[entry](instance), instance.resume)
    assert outcome.value == 30 and (seen in ([Busy], [SnapshotRefused]) or moment == "proceed" and seen == [None])


@pytest.mark.parametrize("entry", ["abandon", "resume"])
def test_what_is_saved_is_not_dropped_or_resumed_by_a_handler(entry):
    instance = Instance(wat2wasm(SUM))
    assert instance.call("sum", 10, 3, fuel=5) == Suspended()
    kept, seen = handled("key_mark", lambda: ENTRIES[entry](instance), lambda: instance.snapshot(KEY))
    assert seen == [Busy] and Instance.restore(instance.module, kept, KEY).resume().value == instance.resume().value


def test_a_memory_that_grows_while_it_is_saved_is_not_written_beyond_the_snapshot():
    instance = Instance(wat2wasm(SUM))
    memory = instance.export("memory")
    with pytest.raises(SnapshotRefused, match="grew while it was saved"):
        handled("key_mark", lambda: memory.grow(50), lambda: instance.snapshot(KEY))
    assert memory.pages == 51 and Instance.restore(instance.module, instance.snapshot(KEY), KEY).call("sum", 1, 1)
