"""Does every module end within 50 ms when its time is up or somebody stops it, whatever it does?

A busy machine may delay one attempt, so the least delay of several counts.
"""

import math
import signal
import subprocess
import sys
import threading
import time
from fractions import Fraction
from functools import cache

import pytest
from wasmtime import wat2wasm

from corollary import Instance, Limits, Module, Returned, Stopped, Suspended, Trapped
from corollary import module as loading
from corollary.meter import LONGEST, Meter
from tests.wasm.binary import section, text, unsigned

SOON, TRIES = 0.05, 8
HARD = "(local.set $x (i64.rem_u (i64.const -7) (i64.or (local.get $x) (i64.const 3))))"
DEEP = 40_000
MODULES = {
    "a loop": '(func (export "run") (loop (br 0)))',
    "a long loop": f'(func (export "run") (local $x i64) (loop {HARD * 30_000} (br 0)))',
    "a short loop in a large module": f'(func (local $x i64) {HARD * 30_000}) (func (export "run") (loop (br 0)))',
    "long functions": f'(func $f (local $x i64) {HARD * 20_000}) (func (export "run") (loop (call $f) (br 0)))',
    "recursion": """(func $f (export "run") (loop (call $g (i32.const 1000)) (br 0)))
      (func $g (param i32) (if (local.get 0) (then (call $g (i32.sub (local.get 0) (i32.const 1))))))""",
    "returns that go on": f"""(func $f (param i32) (local $x i64) (if (local.get 0) (then (call $f (i32.sub
      (local.get 0) (i32.const 1))))) {HARD * 3_000})
      (func (export "run") (loop (call $f (i32.const {DEEP})) (br 0)))""",
    "functions with many locals": f'(func $f (local {"i64 " * 40_000})) (func (export "run") (loop (call $f) (br 0)))',
    "calls of the host": '(import "m" "f" (func $f)) (func (export "run") (loop (call $f) (br 0)))',
    "fresh memory": """(memory 60000) (func (export "run") (local i32) (loop
      (i32.store (local.get 0) (i32.const 1)) (local.set 0 (i32.add (local.get 0) (i32.const 4096))) (br_if 0
        (i32.lt_u (local.get 0) (i32.const 0x7fff0000)))
      (local.set 0 (i32.const 0)) (br 0)))""",
}


@cache
def instances():
    """Return an instance of each module, by its name."""
    return {name: Instance(wat2wasm(f"(module {text})"), {("m", "f"): lambda: None}) for name, text in MODULES.items()}


def least_delay(attempt, wanted=0):
    """Return the least delay of several attempts.

    An attempt should end `wanted` seconds after its start, or after the time that it returns; the delay is the excess.
    """
    delays = []
    for _ in range(TRIES):
        start = time.monotonic()
        start = attempt() or start
        delays.append(time.monotonic() - start - wanted)
        if delays[-1] < SOON:
            break
    assert min(delays) >= -0.001
    return min(delays)


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("seconds", [0.02, 0.1])
def test_a_call_ends_within_50_ms_of_its_deadline(name, seconds):
    instance = instances()[name]

    def attempt():
        assert instance.call("run", seconds=seconds) == Suspended(late=True)
        instance.abandon()

    assert least_delay(attempt, seconds) < SOON


@pytest.mark.parametrize("name", MODULES)
def test_a_call_ends_within_50_ms_of_an_interruption(name):
    instance = instances()[name]

    def interrupt(sent):
        while not sent or not instance.interrupt():
            time.sleep(0.01)
            sent.append(time.monotonic())

    def attempt():
        sent = []
        threading.Thread(target=interrupt, args=(sent,)).start()
        assert instance.call("run") == Suspended(interrupted=True)
        instance.abandon()
        return sent[-1]

    assert least_delay(attempt) < SOON


NEXT = "(local.set $at (i32.add (local.get $at) (i32.const {})))"
FRESH = {
    "a line of stores": "(i32.store (local.get $at) (i32.const 1))" + NEXT.format(4096),
    "a line of fills": "(memory.fill (local.get $at) (i32.const 1) (i32.const 65535))" + NEXT.format(65_536),
}


@pytest.mark.parametrize("name", FRESH)
def test_a_call_that_takes_memory_that_nobody_used_ends_as_soon(name):
    """A page used for the first time takes hundreds of times as long as any other."""
    count = 1000 if "stores" in name else 50
    body = f"""(loop {FRESH[name] * count} (br_if 0 (i32.lt_u (local.get $at) (i32.const 0xe0000000)))
      (local.set $at (i32.const 0)) (br 0))"""
    module = Module(wat2wasm(f'(module (memory 60000) (func (export "run") (local $at i32) {body}))'))
    assert least_delay(lambda: stopped_late(Instance(module)), 0.02) < SOON


def stopped_late(instance):
    """Suspend a call of an instance."""
    assert instance.call("run", seconds=0.02) == Suspended(late=True)


INTERRUPTED = """
import os, signal, sys, threading, time
from tests.corollary.test_time import *
instance, sent = instances()[sys.argv[1]], []
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
least = 9
for _ in range(TRIES):
    threading.Timer(0.1, interrupt).start()
    try:
        instance.call("run")
    except KeyboardInterrupt:
        least = min(least, time.monotonic() - sent[-1])
    assert instance.waiting is None and instance.machine.depth == 0 and not instance.interrupt()
    assert instance.call("run", fuel=5) == Suspended()
    instance.abandon()
print(least)
"""


@pytest.mark.parametrize("name", ["a long loop", "returns that go on"])
def test_the_user_is_heard_within_50_ms(name):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, name], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < SOON


STORM = """
import random, signal, sys, time
from tests.corollary.test_time import *
instance, chosen = Instance(wat2wasm('''(module (import "m" "f" (func $f (param i32) (result i32)))
  (func (export "run") (param i32) (result i32) (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
    (call $f (i32.const 7))))'''),
  {("m", "f"): lambda value: value + 1}), random.Random(5)
heard = 0
def beat(*_):
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, beat)
end = time.monotonic() + 2
while time.monotonic() < end:
    try:
        signal.setitimer(signal.ITIMER_REAL, chosen.uniform(1e-5, 3e-4))
        for _ in range(50):
            assert instance.call("run", 50).value == 8
    except KeyboardInterrupt:
        heard += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    problem = None
    assert instance.call("run", 3).value == 8 and instance.waiting is None
print(heard)
"""


def test_an_interruption_at_any_moment_leaves_the_instance_as_it_was():
    done = subprocess.run([sys.executable, "-c", STORM], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout) > 50


# ---- resuming afterwards


COUNTING = """(func $sum (param i32) (result i64) (if (result i64) (local.get 0)
  (then (i64.add (i64.extend_i32_u (local.get 0)) (call $sum (i32.sub (local.get 0) (i32.const 1))))) (else
    (i64.const 0))))
  (func $two (param i32) (result i32 i64) (local.get 0) (call $sum (local.get 0)))
  (func (export "sum") (param i32) (result i64) (local i64)
    (loop (drop (call $two (local.get 0))) (local.set 1 (i64.add (local.get 1) (call $sum (local.get 0)))) (drop)
      (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))) (local.get 1))"""


@pytest.mark.parametrize("seconds", [0, 0.001, 0.01])
def test_a_call_that_is_late_over_and_over_ends_as_it_would(seconds):
    module = Module(wat2wasm(f"(module {COUNTING})"))
    whole, instance = Instance(module).call("sum", 1500), Instance(module)
    outcome, late = instance.call("sum", 1500, seconds=seconds), 0
    while isinstance(outcome, Suspended) and late < 10_000:
        assert outcome == Suspended(late=True)
        outcome, late = instance.resume(seconds=seconds or (0 if late < 5 else 0.002)), late + 1
    assert outcome == whole and (late > 0 or seconds == 0.01)


def test_a_call_that_is_late_can_be_kept():
    """This holds wherever the call is, even among thousands of returns."""
    deep = "(call $f (i32.sub (local.get 0) (i32.const 1)))"
    module = Module(
        wat2wasm(
            f"""(module (func $f (export "f") (param i32) (result i32) (if (result i32) (local.get 0)
              (then (i32.add (i32.const 1) {deep})) (else (i32.const 0)))))"""
        )
    )
    for number in range(40):
        instance = Instance(module)
        outcome = instance.call("f", 40_000, seconds=number * 2e-5)
        while isinstance(outcome, Suspended):
            instance = Instance.restore(module, instance.snapshot(bytes(32)), bytes(32))
            outcome = instance.resume(seconds=3e-4)
        assert outcome == Returned((40_000,))


@pytest.mark.parametrize("stride", [1, 2, 3, 7, 50])
def test_where_a_turn_ends_changes_nothing(stride):
    """Returns past the place where a run may end give the same, deep or not, with one result or many."""
    module = Module(wat2wasm(f"(module {COUNTING})"))
    module.stride = stride
    for count in (1, 2, 5, 100):
        instance, expected = Instance(module), sum(number * (number + 1) // 2 for number in range(1, count + 1))
        assert instance.call("sum", count).value == expected
        fuel = 0
        while instance.call("sum", count, fuel=fuel) == Suspended():
            assert instance.run.backtrace()[-1].name == "sum"
            assert instance.resume() == Returned((expected,))
            fuel += 1 + fuel // 3


def test_the_first_steps_have_a_deadline_too():
    module = wat2wasm("(module (func $f (loop (br 0))) (start $f))")
    assert least_delay(lambda: stopped(lambda: Instance(module, seconds=0.05)), 0.05) < SOON
    stopped(lambda: Instance(module, fuel=1000))
    stopped(
        lambda: Instance(
            wat2wasm(f"(module (memory 1) {'(data (i32.const 0) ' + chr(34) + 'x' + chr(34) + ')'})"), seconds=0
        )
    )


def test_loading_has_fuel_and_a_deadline():
    module = wat2wasm("(module)")
    stopped(lambda: Module(module, fuel=len(module) - 1))
    stopped(lambda: Module(module, seconds=0))
    assert Module(module, fuel=len(module), seconds=10).binary == module


LARGE = wat2wasm(f"(module {f'(func (local $x i64) {HARD * 100})' * 2000})")


def test_a_large_module_is_loaded_as_any_other():
    assert len(LARGE) > loading.LARGE and Module(LARGE, seconds=60).value.counts.functions == 2000


@pytest.mark.parametrize("seconds", [0.002, 0.005, 0.01])
def test_loading_ends_within_50_ms_of_its_deadline(seconds):
    assert least_delay(lambda: stopped(lambda: Module(LARGE, seconds=seconds)), seconds) < SOON


LOADED = """
import os, signal, threading, time
from tests.corollary.test_time import *
sent, least = [], 9
def interrupt():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
for _ in range(TRIES):
    threading.Timer(0.02, interrupt).start()
    try:
        while True:
            Module(LARGE)
    except KeyboardInterrupt:
        least = min(least, time.monotonic() - sent[-1])
print(least)
"""


def test_the_user_is_heard_while_a_module_is_loaded():
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < SOON


# ---- large tables, read by Python


MANY = 100_000
HEADER, TYPE, ONE = b"\0asm\1\0\0\0", section(1, b"\1\x60\0\0"), section(3, b"\1\0")
EXPORTED, TRAPPING = section(7, b"\1" + text("f") + b"\0\0"), section(10, b"\1\3\0\0\x0b")


def vector(*items, times=1):
    """Return a vector that repeats some items this many times."""
    return unsigned(len(items) * times) + b"".join(items) * times


def named(count):
    """Return a vector of exports with names of their own, and of the function's export."""
    return vector(text("f") + b"\0\0", *(text(f"n{number}") + b"\0\0" for number in range(count)))


def names():
    """Return a part of the function names."""
    content = vector(*(unsigned(number) + text("a") for number in range(4 * MANY)))
    return text("name") + b"\1" + unsigned(len(content)) + content


def bytes_at_0(count):
    """Return a data segment."""
    return b"\0\x41\0\x0b" + unsigned(count) + bytes(count)


CALLED = {
    "names of functions": lambda: TYPE + ONE + EXPORTED + TRAPPING + section(0, names()),
    "exports": lambda: TYPE + ONE + section(7, named(MANY)) + TRAPPING,
    "types": lambda: section(1, vector(b"\x60\0\0", times=MANY)) + ONE + EXPORTED + TRAPPING,
}
MADE = {
    "imports": lambda: TYPE + section(2, vector(text("m") + text("f") + b"\0\0", times=MANY)),
    "globals": lambda: section(6, vector(b"\x7f\1\x41\0\x0b", times=MANY)),
    "items": lambda: TYPE + ONE + section(9, vector(b"\1\0" + vector(b"\0", times=40 * MANY))) + TRAPPING,
    "data": lambda: section(5, vector(b"\0" + unsigned(4000))) + section(11, vector(bytes_at_0(150 << 20))),
}


@pytest.mark.parametrize("what", CALLED)
def test_a_first_call_does_not_wait_for_what_its_module_has_besides(what):
    binary = HEADER + CALLED[what]()

    def attempt():
        instance, start = Instance(binary), time.monotonic()
        with pytest.raises(Trapped):
            instance.call("f", seconds=0.01)
        return start

    assert least_delay(attempt) < SOON


@pytest.mark.parametrize("what", MADE)
def test_an_instance_is_made_until_its_time_is_up(what):
    module = Module(HEADER + MADE[what]())
    imports = {("m", "f"): lambda: None}
    assert least_delay(lambda: stopped(lambda: Instance(module, imports, seconds=0.01)), 0.01) < SOON


@pytest.mark.parametrize("load", [Module, Instance])
@pytest.mark.parametrize("what", ["exports", "data"])
def test_bytes_are_loaded_until_the_time_is_up(load, what):
    binary = HEADER + (CALLED | MADE)[what]()
    assert least_delay(lambda: stopped(lambda: load(binary, seconds=0))) < SOON


def test_nobody_reads_a_list_of_all_that_there_is():
    instance = Instance(HEADER + CALLED["exports"]())
    with pytest.raises(LookupError) as error:
        instance.call("missing")
    assert str(error.value).endswith(", n18, ...") and len(str(error.value)) < 200


def stopped(attempt):
    """Stop something."""
    with pytest.raises(Stopped):
        attempt()


# ---- which values are times


@pytest.mark.parametrize(
    "seconds,error",
    [
        (math.nan, ValueError),
        (-1, ValueError),
        (-math.inf, ValueError),
        (-0.0001, ValueError),
        ("1", TypeError),
        (True, TypeError),
        (1j, TypeError),
        (Fraction(1, 2), TypeError),
        ([], TypeError),
    ],
)
def test_what_is_no_time_is_refused(seconds, error):
    instance = instances()["a loop"]
    for attempt in (
        lambda: instance.call("run", seconds=seconds),
        lambda: Module(b"", seconds=seconds),
        lambda: Instance(instance.module, seconds=seconds),
        lambda: suspended_once(instance).resume(seconds=seconds),
    ):
        with pytest.raises(error, match="seconds is"):
            attempt()
        instance.abandon()


def suspended_once(instance):
    """Return the instance, suspended."""
    instance.call("run", fuel=1)
    return instance


@pytest.mark.parametrize("seconds", [math.inf, 1e300, 10**400, LONGEST + 1])
def test_a_time_that_never_comes_is_any_time(seconds):
    instance = instances()["a loop"]
    assert instance.call("run", seconds=seconds, fuel=1000) == Suspended()
    instance.abandon()
    assert Meter(seconds=seconds).end is None


@pytest.mark.parametrize("seconds", [0, -0.0, 5e-324, 1e-9])
def test_no_time_is_over_at_once(seconds):
    instance = instances()["a loop"]
    assert instance.call("run", seconds=seconds) == Suspended(late=True)
    instance.abandon()


@pytest.mark.parametrize(
    "fuel,error",
    [
        (-1, ValueError),
        (1 << 64, ValueError),
        (1.0, TypeError),
        (math.nan, TypeError),
        ("1", TypeError),
        (True, TypeError),
    ],
)
def test_what_is_no_fuel_is_refused(fuel, error):
    for attempt in (
        lambda: instances()["a loop"].call("run", fuel=fuel),
        lambda: Limits(fuel=fuel),
        lambda: Module(b"", fuel=fuel),
    ):
        with pytest.raises(error, match="fuel"):
            attempt()


def test_fuel_is_never_less_than_none():
    meter = Meter(fuel=5)
    meter.spend(7)
    assert meter.fuel == 0 and meter.budget()[0] == 0


def test_a_call_within_a_call_has_no_more_than_that_one():
    inner = instances()["a loop"]
    outer = Instance(
        wat2wasm('(module (import "m" "f" (func $f)) (func (export "run") (call $f) (loop (br 0))))'),
        {("m", "f"): lambda: given()},
    )
    seen = []

    def given():
        seen.append(inner.call("run", fuel=1 << 60, seconds=1000))
        inner.abandon()

    start = time.monotonic()
    assert (
        outer.call("run", seconds=0.1) == Suspended(late=True)
        and seen == [Suspended(late=True)]
        and time.monotonic() - start < 5
    )
    outer.abandon()
    assert outer.call("run", fuel=1000) == Suspended() and seen[1:] == [Suspended()]
    outer.abandon()


def test_nobody_can_interrupt_what_does_not_run():
    instance = instances()["a loop"]
    assert instance.interrupt() is False
    assert (
        instance.call("run", fuel=10) == Suspended()
        and instance.interrupt() is False
        and instance.resume(fuel=10) == Suspended()
    )
    instance.abandon()
    assert signal.getsignal(signal.SIGINT) is not None
