"""Do threads that load, call, keep and resume get the same as a single thread?

COROLLARY_SECONDS=60 for a longer run.
"""

import os
import random
import signal
import threading
import time

import pytest
from wasmtime import wat2wasm

from corollary import Busy, HostCall, Instance, Invalid, Limits, Malformed, Module, Returned, Suspended, Trapped

SECONDS = float(os.environ.get("COROLLARY_SECONDS", "3"))
THREADS = 8
KEY = bytes(32)


def summing(rounds):
    """Return a module that sums numbers in a loop, and squares by calls. Its size grows with the number."""
    pad = " ".join(
        f"(func (param i32) (result i32) (i32.add (local.get 0) (i32.const {number})))" for number in range(rounds)
    )
    return wat2wasm(
        f"""(module (memory (export "memory") 1) (global $calls (mut i32) (i32.const 0)) (table 2 funcref) (elem
          (i32.const 0) $square) {pad}
      (func $square (param i32) (result i32) (global.set $calls (i32.add (global.get $calls) (i32.const 1))) (i32.mul
        (local.get 0) (local.get 0)))
      (func (export "sum") (param i32) (result i32) (local i32)
        (loop (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (call_indirect (param i32) (result i32)
          (local.get 0) (i32.const 0))))
          (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
        (i32.add (i32.load (i32.const 8)) (global.get $calls))))"""
    )


WRONG = {
    "type": wat2wasm("(module (func (result i32) (i32.const 0)))").replace(b"\x41\x00\x0b", b"\x42\x00\x0b"),
    "local": wat2wasm(f'(module (func {"(local i32) " * 1024} (drop (local.get 1000))))').replace(
        b"\x20\xe8\x07", b"\x20\xcc\x08"
    ),
    "opcode": wat2wasm("(module (func (nop)))").replace(b"\x01\x0b", b"\xff\x0b"),
}
BINARIES = {size: summing(size) for size in (1, 40, 400)}
ENDLESS = wat2wasm('(module (func (export "run") (loop (br 0))))')


def sum_of(count):
    """Return the result that the modules must compute."""
    return sum(number * number for number in range(1, count + 1)) + count


def load_right(chosen):
    """Load a valid module, and check that it computes the right result."""
    count = chosen.randrange(1, 60)
    assert Instance(BINARIES[chosen.choice([*BINARIES])]).call("sum", count) == Returned((sum_of(count),))


def load_wrong(chosen):
    """Load an invalid module, and check that it is refused."""
    with pytest.raises((Invalid, Malformed)):
        Module(WRONG[chosen.choice([*WRONG])])


def move(chosen, module=Module(BINARIES[40])):
    """Suspend a call and resume it in other instances of one module; it must end as if uninterrupted."""
    count = chosen.randrange(1, 60)
    instance = Instance(module)
    outcome = instance.call("sum", count, fuel=chosen.randrange(1, 30))
    while isinstance(outcome, Suspended):
        instance = Instance.restore(module, instance.snapshot(KEY), KEY)
        outcome = instance.resume(fuel=chosen.randrange(1, 30))
    assert outcome == Returned((sum_of(count),))


def spend(chosen, module=Module(ENDLESS)):
    """Check that a call passes as many safe points as its own budget allows, whatever the others have."""
    instance, fuel = Instance(module), chosen.randrange(1, 3000)
    assert instance.call("run", fuel=fuel) == Suspended()
    assert instance.resume(fuel=0) == Suspended()


def go_without(chosen):
    """Check that a call without limits is not suspended by the limits of others."""
    assert Instance(BINARIES[1]).call("sum", 2000) == Returned((Instance(BINARIES[1]).call("sum", 2000).value,))


def ask(
    chosen,
    module=Module(
        wat2wasm(
            """(module (import "m" "f" (func $f (param i32) (result i32)))
              (func (export "g") (param i32) (result i32) (call $f (local.get 0))))"""
        )
    ),
):
    """Check that host calls reach the host of their own instance."""
    number = chosen.randrange(1000)
    assert Instance(module, {("m", "f"): lambda value: value + number}).call("g", 1).value == number + 1
    waiting = Instance(module, host_calls=True)
    assert waiting.call("g", number) == HostCall("m", "f", (number,)) and waiting.resume(5).value == 5


STEPS = (load_right, load_wrong, move, spend, go_without, ask)


def test_threads_get_what_one_thread_gets():
    end, wrong, done = time.monotonic() + SECONDS, [], []

    def work(number):
        chosen = random.Random(number)
        while time.monotonic() < end:
            step = chosen.choice(STEPS)
            try:
                step(chosen)
            except BaseException as problem:
                wrong.append((step.__name__, repr(problem)))
            done.append(step)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, (len(wrong), wrong[:5])
    assert {*done} == {*STEPS} and len(done) > 10 * SECONDS


def test_the_first_use_may_be_by_several_threads_at_once():
    program = """
import threading
from tests.corollary.test_threads import load_right
import random
wrong, gate = [], threading.Barrier(8)
def work(number):
    gate.wait()
    try:
        load_right(random.Random(number))
    except BaseException as problem:
        wrong.append(problem)
threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
raise SystemExit(repr(wrong) if wrong else 0)"""
    import subprocess
    import sys

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_fork_in_the_middle_of_calls_goes_on():
    """The child has one thread, and its instances work; an instance that another thread was in stays busy."""
    running = [Instance(ENDLESS) for _ in range(3)]
    threads = [threading.Thread(target=instance.call, args=("run",)) for instance in running]
    for thread in threads:
        thread.start()
    while not all(instance.running for instance in running):
        time.sleep(0.01)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            for number in range(20):
                for step in STEPS:
                    step(random.Random(number))
            try:
                running[0].call("run", fuel=1)
            except Busy:
                os._exit(0)
        finally:
            os._exit(1)
    status = os.waitpid(child, 0)[1]
    for instance in running:
        assert instance.interrupt()
    for thread in threads:
        thread.join()
    assert os.waitstatus_to_exitcode(status) == 0


def test_instances_of_two_threads_may_share_what_they_import():
    """A read may give an old or a new value, but nothing else breaks.

    A count that all threads advance reaches at least the share of one.
    """
    owner = Instance(
        wat2wasm(
            """(module (memory (export "m") 1 200) (table (export "t") 1 100 funcref)
              (global (export "g") (mut i64) (i64.const 0)))"""
        )
    )
    module = Module(
        wat2wasm(
            """(module (import "o" "m" (memory 1 200)) (import "o" "t" (table 1 100 funcref)) (import "o" "g"
              (global $g (mut i64)))
      (func $one (export "one") (result i32) (i32.const 1)) (elem declare func $one)
      (func (export "run") (param i32) (result i32)
        (loop (i64.store (i32.const 0) (i64.add (i64.load (i32.const 0)) (i64.const 1))) (global.set $g (i64.add
          (global.get $g) (i64.const 1)))
          (table.set 0 (i32.const 0) (ref.func $one)) (drop (memory.grow (i32.const 1))) (drop (table.grow
            (ref.null func) (i32.const 1)))
          (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
        (memory.size)))"""
        )
    )
    imports = {("o", name): owner.export(name) for name in "mtg"}
    instances, rounds, ended = [Instance(module, imports) for _ in range(4)], 20_000, []
    threads = [
        threading.Thread(target=lambda instance=instance: ended.append(instance.call("run", rounds)))
        for instance in instances
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ended == [Returned((200,))] * 4
    assert (
        rounds <= owner.export("g").bits <= 4 * rounds
        and owner.export("t").size <= 100
        and owner.export("m").pages == 200
    )


def test_a_call_of_another_thread_does_not_count():
    module, other = Module(ENDLESS), Module(BINARIES[1])
    thread = threading.Thread(target=Instance(module).call, args=("run",), kwargs={"fuel": 40_000_000})
    thread.start()
    outcomes = [Instance(other, limits=Limits(fuel=10_000)).call("sum", 100) for _ in range(50)]
    thread.join()
    assert outcomes == [Returned((sum_of(100),))] * 50


def test_a_trap_of_another_thread_is_not_ours():
    module = Module(
        wat2wasm('(module (func (export "run") (param i32) (result i32) (i32.div_s (i32.const 100) (local.get 0))))')
    )
    ended = []

    def work(divisor):
        for _ in range(300):
            try:
                ended.append((divisor, Instance(module).call("run", divisor).value))
            except Trapped:
                ended.append((divisor, None))

    threads = [threading.Thread(target=work, args=(divisor,)) for divisor in (0, 5, 0, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {*ended} == {(0, None), (5, 20), (4, 25)}
