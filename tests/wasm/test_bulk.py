"""Can any run be stopped soon, whatever it does?

Bulk operations are cut into pieces, and code without branches has safe points.
"""

import threading
import time

import pytest
from wasmtime import wat2wasm

from corollary import Instance, Limits, Module, Returned, Suspended, Trapped
from corollary.library import library
from corollary.model.wasm import reference
from corollary.model.wasm.branching import UNWINDING
from corollary.model.wasm.translator import STRAIGHT
from corollary.spec.wasm.machine import ITEMS, PIECE, Outcome
from tests.wasm.suspended import KEY
from tests.wasm.test_reference import state

COUNT = 3 * PIECE + 100  # bytes that each operation moves
FIRST, UP = 1000, 70_000  # where they begin, and how much further on the overlapping ones do
MANY = 3 * ITEMS + 10  # elements
NOW = (1 << 64) - 1  # the value of `stop` when a run must end
UNLIMITED = 1 << 62
PROGRAM = Module(
    wat2wasm(f"""(module (memory (export "memory") 7) (data $d "{"".join(chr(97 + n % 26) for n in range(COUNT))}")
  (table $t (export "t") 40000 80000 funcref) (table $u 40000 funcref)
  (elem $e func {" ".join(["$f", "$g"] * (MANY // 2))})
  (func $f) (func $g) (elem declare func $f)
  (func $start (memory.init $d (i32.const {FIRST}) (i32.const 0) (i32.const {COUNT}))
    (table.init $t $e (i32.const 7) (i32.const 0) (i32.const {MANY})))
  (start $start)
  (func (export "up") (param i32)
    (memory.copy (i32.const {FIRST + UP}) (i32.const {FIRST}) (i32.add (local.get 0) (i32.const {COUNT}))))
  (func (export "down") (param i32) (memory.copy (i32.const {FIRST}) (i32.const {FIRST + UP}) (local.get 0)))
  (func (export "constant") (param i32) (memory.copy (i32.const 0) (i32.const {FIRST + UP}) (i32.const {COUNT})))
  (func (export "fill") (param i32) (memory.fill (local.get 0) (local.get 0) (local.get 0)))
  (func (export "init") (param i32) (memory.init $d (i32.const 5) (i32.const 1) (local.get 0)))
  (func (export "table up") (param i32) (table.copy $t $t (i32.const 5000) (i32.const 7) (local.get 0)))
  (func (export "table down") (param i32) (table.copy $t $t (i32.const 7) (i32.const 5000) (local.get 0)))
  (func (export "other table") (param i32) (table.copy $u $t (i32.const 7) (i32.const 5000) (local.get 0)))
  (func (export "table fill") (param i32) (table.fill $t (i32.const 1) (ref.func $f) (local.get 0)))
  (func (export "table init") (param i32) (table.init $u $e (i32.const 1) (i32.const 1) (local.get 0)))
  (func (export "table grow") (param i32) (result i32)
    (i32.add (local.get 0) (table.grow $t (ref.func $f) (local.get 0)))))""")
)
OPERATIONS = {  # the argument of each, and the pieces that it is cut into
    "up": (0, 4),
    "down": (COUNT, 4),
    "constant": (0, 4),
    "fill": (COUNT, 4),
    "init": (COUNT - 1, 4),
    "table up": (MANY, 4),
    "table down": (MANY, 4),
    "other table": (MANY, 4),
    "table fill": (MANY, 4),
    "table init": (MANY - 1, 4),
    "table grow": (MANY, 4),
}
TOO_FAR = {
    "up": 1 << 20,
    "down": 500_000,
    "fill": 300_000,
    "init": COUNT,
    "table up": 35_001,
    "table down": 35_001,
    "table fill": 40_000,
    "table init": MANY,
}


def held(instance):
    """Return the whole content as bytes; the key is the same, so equal states have equal bytes."""
    return instance.snapshot(KEY)


def at_once(name, argument):
    """Return the result of an uninterrupted call, and the instance."""
    instance = Instance(PROGRAM)
    return instance.call(name, argument), instance


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_bulk_operation_goes_on_in_another_instance_from_between_any_two_pieces(name):
    argument, pieces = OPERATIONS[name]
    expected, whole = at_once(name, argument)
    instance, stops = Instance(PROGRAM), 0
    outcome = instance.call(name, argument, fuel=0)
    while outcome == Suspended():
        instance, stops = Instance.restore(PROGRAM, held(instance), KEY), stops + 1
        outcome = instance.resume(fuel=1)
    assert isinstance(outcome, Returned) and outcome == expected and held(instance) == held(whole)
    assert stops in (pieces, pieces + 1)  # one more where few bytes would be copied at once


def test_what_is_copied_is_what_was_there_before():
    before = Instance(PROGRAM).export("memory").read(0, 7 * 65536)
    for name, to, from_ in (("up", FIRST + UP, FIRST), ("down", FIRST, FIRST + UP)):
        memory = at_once(name, OPERATIONS[name][0])[1].export("memory").read(0, 7 * 65536)
        assert memory == before[:to] + before[from_ : from_ + COUNT] + before[to + COUNT :]


@pytest.mark.parametrize("name", TOO_FAR)
def test_what_does_not_fit_traps_before_anything_is_moved(name):
    instance = Instance(PROGRAM)
    before = held(instance)
    with pytest.raises(Trapped):
        instance.call(name, TOO_FAR[name])
    assert held(instance) == before


def test_growth_that_fails_changes_nothing():
    instance = Instance(PROGRAM)
    before = held(instance)
    assert instance.call("table grow", 40_001).value == 40_000 and held(instance) == before


# ---- a stop from outside


def seconds_to_stop(text, delay=0.05, **limits):
    """Return how long a run goes on after another thread wants it to end.

    The run is of a module's function `run`.
    """
    instance = Instance(wat2wasm(f"(module {text})"), limits=Limits(**limits))
    instance.run.begin(instance.module.exports["run"][1], ())
    instance.machine.budget, wanted = UNLIMITED, []

    def stop():
        wanted.append(time.monotonic())
        instance.machine.stop = NOW

    threading.Timer(delay, stop).start()
    assert library().run(instance.room.address) == Outcome.SUSPENDED
    return time.monotonic() - wanted[0]


LINE = "(global.set $x (i32.add (global.get $x) (i32.const 1)))"
ATTACKS = {
    "copies": (
        '(memory 2048) (func (export "run") '
        "(loop (memory.copy (i32.const 0) (i32.const 64) (i32.const 0x4000000)) (br 0)))"
    ),
    "one fill": '(memory 65536) (func (export "run") (memory.fill (i32.const 0) (i32.const 1) (i32.const -1)))',
    "tables": (
        '(table 9000000 funcref) (func (export "run") '
        "(loop (table.fill (i32.const 0) (ref.null func) (i32.const 9000000)) (br 0)))"
    ),
    "growing tables": (
        '(table 0 9000000 funcref) (func $f) (elem declare func $f) (func (export "run") '
        "(drop (table.grow (ref.func $f) (i32.const 9000000)))"
        "(loop (table.copy (i32.const 0) (i32.const 1) (i32.const 8000000)) (br 0)))"
    ),
    "a long line": f'(global $x (mut i32) (i32.const 0)) (func (export "run") (loop {20_000 * LINE} (br 0)))',
}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_run_ends_soon_after_somebody_wants_it_to(name):
    assert seconds_to_stop(ATTACKS[name]) < 0.5  # on a busy machine; on an idle one it takes less than a millisecond


def test_a_stop_that_is_there_before_a_run_lets_nothing_run():
    instance = Instance(PROGRAM)
    instance.run.begin(instance.module.exports["up"][1], (0,))
    instance.machine.budget, instance.machine.stop, before = UNLIMITED, NOW, instance.machine.at
    assert library().run(instance.room.address) == Outcome.SUSPENDED and instance.machine.budget == UNLIMITED
    assert instance.machine.at >= before


# ---- code without branches


def longest(text, *arguments):
    """Return the largest number of operations from one safe point of `run` to the next, or to the end.

    The reference machine counts them.
    """
    instance = Instance(wat2wasm(f"(module {text})"))
    instance.run.begin(instance.module.exports["run"][1], arguments)
    instance.machine.budget = UNLIMITED
    machine, most, last, count, budget = state(instance), 0, 0, 0, UNLIMITED
    while reference.step(machine):
        count += 1
        if machine.budget != budget:
            most, last, budget = max(most, count - last), count, machine.budget
    return max(most, count - last)


ADDED = "(global.set $x (i32.add (global.get $x) (i32.const 1)))"
OPERATIONS_OF_IT = 3
GLOBAL = "(global $x (mut i32) (i32.const 0))"
SLACK = 8  # operations of the instruction that needs a safe point, and of the branch to it


def test_a_long_line_has_safe_points():
    assert STRAIGHT // 2 < longest(f'{GLOBAL} (func (export "run") {2000 * ADDED})') <= STRAIGHT + SLACK


def test_branches_around_safe_points_have_their_own():
    steps = "".join(f"(block (br_if 0 (i32.eqz (global.get $x))) {5 * ADDED})" for _ in range(1500))
    assert longest(f'{GLOBAL} (func (export "run") {steps})') <= STRAIGHT + SLACK


def test_the_other_way_of_an_if_counts_from_where_it_begins():
    steps = "".join(
        f"(if (global.get $x) (then {300 * ADDED}) (else {2 * ADDED} (global.set $x (i32.const 0))))"
        for _ in range(300)
    )
    assert longest(f'{GLOBAL} (func (export "run") {steps})') <= STRAIGHT + SLACK


def test_loops_that_are_not_repeated_are_no_safe_points():
    steps = "".join(f"(loop {10 * ADDED} (br_if 0 (i32.eqz (global.get $x))))" for _ in range(200))
    assert longest(f'{GLOBAL} (func (export "run") {steps})') <= STRAIGHT + SLACK


def test_returns_one_after_the_other_have_safe_points():
    call = "(then (call $deep (i32.sub (local.get 0) (i32.const 1))))"
    deep = f"(func $deep (param i32) (if (local.get 0) {call}) {20 * ADDED})"
    assert (
        longest(f'{GLOBAL} {deep} (func (export "run") (call $deep (i32.const 200)))')
        <= 20 * OPERATIONS_OF_IT + UNWINDING + SLACK
    )


def test_short_functions_have_no_safe_points_of_their_own():
    instance = Instance(wat2wasm(f'(module {GLOBAL} (func $f {ADDED}) (func (export "run") (call $f) (call $f)))'))
    assert instance.call("run", fuel=2) == Returned(())
