"""Does a module do the same in Python and in C, with the same fuel, and does it end alike?"""

import subprocess

import pytest
from wasmtime import wat2wasm

from corollary import Instance, Limits, Module, Stopped, Suspended, Trapped
from corollary.meter import Meter
from corollary.spec.wasm.machine import PAGE
from tests.corollary.test_embedding import program

HOST = '(import "host" "twice" (func $twice (param i32) (result i32)))'
BODY = """(memory 1 4) (table 3 6 funcref) (elem (i32.const 0) $down)
  (func $down (export "down") (param i32) (result i32)
    (if (result i32) (local.get 0)
      (then (i32.add (i32.const 1) (call $down (i32.sub (local.get 0) (i32.const 1))))) (else (i32.const 0))))
  (func (export "served") (param i32) (result i32) (local i32)
    (loop (local.set 1 (i32.add (local.get 1) (call $twice (local.get 0))))
      (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
    (local.get 1))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "fill") (param i32) (result i32)
    (memory.fill (i32.const 0) (i32.const 7) (local.get 0)) (i32.load (i32.const 0)))
  (func (export "extend") (param i32) (result i32) (table.grow (ref.null func) (local.get 0)))
  (func (export "indirect") (param i32) (result i32) (call_indirect (param i32) (result i32) (i32.const 5)
    (local.get 0)))
  (func (export "divide") (param i32) (result i32) (i32.div_s (call $down (i32.const 3)) (local.get 0)))
  (func $endless (export "endless") (param i32) (result i32) (call $endless (local.get 0)))"""
COUNT = """(func $count (local i32)
  (loop (local.set 0 (i32.add (local.get 0) (i32.const 1))) (br_if 0 (i32.lt_u (local.get 0) (i32.const 5)))))"""
MODULES = {
    "no start": "",
    "a start that returns": f"{COUNT} (func $begin (call $count) (drop (memory.grow (i32.const 1)))) (start $begin)",
    "a start that calls the host": "(func $begin (drop (call $twice (call $twice (i32.const 4))))) (start $begin)",
    "a start that traps": f"{COUNT} (func $begin (call $count) unreachable) (start $begin)",
    "a segment outside": '(data (i32.const 65536) "a")',
}
CALLS = (
    ("down", 5),
    ("served", 4),
    ("divide", 2),
    ("divide", 0),
    ("indirect", 0),
    ("indirect", 9),
    ("grow", 2),
    ("grow", 2),
    ("fill", 3 * PAGE),
    ("fill", 3 * PAGE + 1),
    ("extend", 2),
    ("extend", 2),
    ("endless", 0),
    ("down", 1),
)
FUEL = (1, 2, 3, 5, 8, 1000, 1 << 20)
RETURNED, SUSPENDED, TRAPPED, ROUNDS = 0, 1, 2, 100
SLOTS = 1 << 16  # of the stack of an instance in C that was given no limits


def in_c(binary, fuel, path, calls=CALLS):
    """Return what the program says of each call, once for each of its two instances."""
    path.write_bytes(binary)
    arguments = [str(part) for call in calls for part in call]
    done = subprocess.run([program("metered"), path, str(fuel), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def in_python(binary, fuel, calls=CALLS):
    """Yield the same of an instance in Python."""
    given = {("host", "twice"): lambda number: 2 * number}
    with Meter(fuel) as meter:
        try:
            instance = Instance(Module(binary), given, Limits(slots=SLOTS))
        except Trapped as trapped:
            yield f"made: {TRAPPED} {int(trapped.trap)}"
            return
        except Stopped as stopped:
            assert isinstance(stopped.outcome, Suspended)
            yield f"made: {SUSPENDED} 0"
            return
    yield f"made: {RETURNED} 0, fuel {meter.fuel}, memory {PAGE * instance.memories[0].pages}"
    for name, number in calls:
        yield called(instance, fuel, name, number)


def called(instance, fuel, name, number):
    """Call a function, go on with new fuel as often as it is suspended, and return how that ended."""
    status, trap, rounds, result = RETURNED, 0, 0, 0
    try:
        with Meter(fuel) as meter:
            outcome = instance.call(name, number)
        while isinstance(outcome, Suspended) and rounds < ROUNDS:
            rounds += 1
            with Meter(fuel) as meter:
                outcome = instance.resume()
        if isinstance(outcome, Suspended):
            status = SUSPENDED
            instance.abandon()
        else:
            result = outcome.value
    except Trapped as trapped:
        status, trap = TRAPPED, int(trapped.trap)
    memory = PAGE * instance.memories[0].pages
    return f"{name}: {status} {trap}, result {result}, fuel {meter.fuel}, rounds {rounds}, memory {memory}"


@pytest.mark.parametrize("name", MODULES)
def test_python_and_c_end_alike_with_the_same_fuel(name, tmp_path):
    binary = wat2wasm(f"(module {HOST} {BODY} {MODULES[name]})")
    for fuel in FUEL:
        said = in_c(binary, fuel, tmp_path / "module.wasm")
        assert said[0::2] == said[1::2] == list(in_python(binary, fuel))


def test_other_fuel_would_be_noticed(tmp_path):
    binary = wat2wasm(f"(module {HOST} {BODY})")
    assert in_c(binary, 1000, tmp_path / "module.wasm")[0::2] != list(in_python(binary, 1001))
