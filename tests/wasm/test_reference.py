"""Does the interpreter in C do what the reference does?

Both run the same machine, step by step, and are compared after each safe point.
"""

import pytest
from wasmtime import wat2wasm

from corollary import Instance
from corollary.language.types import SliceType, is_scalar
from corollary.language.values import allocate
from corollary.library import library, structure
from corollary.limits import Limits
from corollary.model.wasm import reference
from corollary.spec.wasm.machine import Machine, Outcome, TableOf

LIMITS = Limits(pages=2, elements=8, slots=64)
BUDGETS = (*range(24), 1000)
LEFT_OUT = {
    (Machine, "module"),
    (TableOf, "elements"),
}  # parts that no operation looks into itself, and parts that exist under another name
PROGRAM = """(module
  (import "host" "ask" (func $ask (param i32) (result i32)))
  (type $one (func (param i32) (result i32))) (type $none (func))
  (memory 1 2) (data $d "abcdefgh") (table $t 4 8 funcref) (table $u 2 funcref)
  (elem (table $t) (i32.const 0) func $twice $deep $nothing)
  (elem $e func $twice $ask) (global $g (mut i64) (i64.const 5)) (global $f (mut funcref) (ref.null func))
  (func $nothing)
  (func $twice (param i32) (result i32) (local i64 i64)
    (local.set 1 (i64.extend_i32_u (local.get 0))) (i32.add (local.get 0) (i32.wrap_i64 (local.get 1))))
  (func $deep (param i32) (result i32) (call $deep (local.get 0)))
  (func $pair (param i32) (result i32 i32) (local.get 0) (i32.const 7))
  (func (export "calls") (param i32) (result i32)
    (i32.add (call $twice (local.get 0)) (call_indirect (type $one) (i32.const 3) (local.get 0))))
  (func (export "host") (param i32) (result i32) (call $ask (local.get 0)))
  (func (export "recursion") (param i32) (result i32) (call $deep (local.get 0)))
  (func (export "pairs") (param i32) (result i32) (call $pair (local.get 0)) (i32.sub))
  (func (export "loops") (param i32) (result i32) (local i32)
    (loop (local.set 1 (i32.add (local.get 1) (i32.add (local.get 0) (i32.const 1))))
      (br_if 0 (i32.lt_u (local.get 1) (i32.const 9))))
    (block (block (block (br_table 0 1 2 (local.get 0))) (return (i32.const 10))) (return (i32.const 11)))
    (local.get 1))
  (func (export "memory") (param i32) (result i32)
    (i64.store8 offset=3 (local.get 0) (i64.const 200)) (i32.store (i32.add (local.get 0) (i32.const 8)) (local.get 0))
    (i32.add (i32.load8_s offset=3 (local.get 0)) (i32.load16_u (i32.shl (local.get 0) (i32.const 1)))))
  (func (export "globals") (param i32) (result i32)
    (global.set $g (i64.add (global.get $g) (i64.extend_i32_s (local.get 0))))
    (select (memory.size) (i32.const 3) (local.get 0)))
  (func (export "tables") (param i32) (result i32)
    (table.set $u (i32.const 1) (table.get $t (local.get 0))) (global.set $f (table.get $u (i32.const 1)))
    (i32.add (i32.add (table.size $t) (ref.is_null (global.get $f))) (ref.is_null (table.get $u (i32.const 0)))))
  (func (export "floats") (param i32) (result i32)
    (i32.trunc_f64_s (f64.div (f64.convert_i32_s (local.get 0))
      (f64.sqrt (f64.promote_f32 (f32.convert_i32_u (local.get 0)))))))
  (func (export "division") (param i32) (result i32)
    (i32.rem_s (i32.div_u (i32.const 100) (local.get 0)) (local.get 0)))
  (func (export "end") (param i32) (result i32) unreachable))"""
NAMES = "calls host recursion pairs loops memory globals tables floats division end".split()


def mirrored(value, type_):
    """Return a record in C as one of the language, with the content of its slices."""
    made = type_()
    for name, inner in type_.fields.items():
        held = getattr(value, name)
        if is_scalar(inner):
            setattr(made, name, inner.coerce(bool(held) if inner.name == "bool" else held))
        elif (type_, name) not in LEFT_OUT and isinstance(inner, SliceType):
            allocate(made, **{name: elements(held, inner.element)})
    return made


def elements(slice_, type_):
    """Return the elements of a slice in C."""
    if not slice_.at or not slice_.length:
        return []
    array = (structure(type_) * slice_.length).from_address(slice_.at)
    return list(array) if is_scalar(type_) else [mirrored(each, type_) for each in array]


def begun(name, argument):
    """Return an instance that has entered a function."""
    instance = Instance(wat2wasm(PROGRAM), limits=LIMITS, host_calls=True)
    instance.run.begin(instance.module.exports[name][1], (argument,))
    return instance


def state(instance):
    """Return the machine of an instance."""
    return mirrored(instance.machine, Machine)


@pytest.mark.parametrize("argument", [0, 1, 2, 3, 200_000])
@pytest.mark.parametrize("name", NAMES)
def test_c_does_what_the_reference_does(name, argument):
    ends = set()
    for budget in BUDGETS:
        instance = begun(name, argument)
        instance.machine.budget = budget
        expected = state(instance)
        assert library().run(instance.room.address) == instance.machine.outcome
        reference.run(expected)
        assert state(instance) == expected, budget
        ends.add(expected.outcome)
    assert ends - {Outcome.SUSPENDED}


def test_a_difference_is_noticed(monkeypatch):
    monkeypatch.setattr(
        reference,
        "FUNCTIONS",
        tuple(reference.copy if each is reference.const else each for each in reference.FUNCTIONS),
    )
    with pytest.raises((AssertionError, IndexError)):
        test_c_does_what_the_reference_does("pairs", 3)
