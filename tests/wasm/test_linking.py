"""Do references mean the same functions wherever they are passed?"""

import gc
import weakref

import pytest
from wasmtime import wat2wasm

from corollary import Instance
from tests.wasm.corollary_engine import CorollaryEngine
from tests.wasm.suite import Trap
from tests.wasm.wasmtime_engine import WasmtimeEngine

FIRST = wat2wasm("""(module
  (type $number (func (result i32)))
  (table 1 funcref)
  (elem declare func $two)
  (func $one (type $number) (i32.const 1))
  (func $two (type $number) (i32.const 2))
  (func (export "give") (result funcref) (ref.func $two))
  (func (export "take") (param funcref) (result i32)
    (table.set (i32.const 0) (local.get 0))
    (if (result i32) (ref.is_null (local.get 0)) (then (i32.const 0))
      (else (call_indirect (type $number) (i32.const 0)))))
)""")
SECOND = wat2wasm("""(module
  (type $number (func (result i32)))
  (import "first" "give" (func $give (result funcref)))
  (import "first" "take" (func $take (param funcref) (result i32)))
  (table 1 funcref)
  (elem declare func $three)
  (func $three (type $number) (i32.const 3))
  (func (export "given") (result i32)
    (table.set (i32.const 0) (call $give))
    (call_indirect (type $number) (i32.const 0)))
  (func (export "given back") (result i32) (call $take (call $give)))
  (func (export "own") (result i32) (call $take (ref.func $three)))
  (func (export "null") (result i32) (call $take (ref.null func)))
)""")


@pytest.mark.parametrize("name,result", [("given", 2), ("given back", 2), ("own", 3), ("null", 0)])
def test_a_reference_means_the_same_function_in_both_instances(name, result):
    first = Instance(FIRST)
    second = Instance(SECOND, {("first", name): first.export(name) for name in ("give", "take")})
    assert second.call_bits(second.module.exports[name][1], ()) == (result,)


# ---- functions of the host


TAKER = wat2wasm("""(module (table 1 funcref)
  (func (export "take") (param funcref externref) (result externref)
    (table.set (i32.const 0) (local.get 0))
    (call_indirect (param externref) (result externref) (local.get 1) (i32.const 0)))
)""")
GIVER = wat2wasm("""(module
  (import "host" "twin" (func $twin (param externref) (result externref)))
  (import "taker" "take" (func $take (param funcref externref) (result externref)))
  (elem declare func $twin) (export "twin" (func $twin))
  (func (export "give") (param externref) (result externref) (call $take (ref.func $twin) (local.get 0)))
  (func (export "lend") (result funcref) (ref.func $twin))
)""")


@pytest.fixture
def taker_and_giver():
    """Return an instance that calls the function it is given, and one that gives it a function of the host."""
    taker, twins = Instance(TAKER), {}
    giver = Instance(
        GIVER,
        {
            ("host", "twin"): lambda thing: twins.setdefault(thing, f"the twin of {thing}"),
            ("taker", "take"): taker.export("take"),
        },
    )
    return taker, giver


def test_a_function_of_the_host_means_the_same_in_another_instance(taker_and_giver):
    _, giver = taker_and_giver
    assert giver.call("give", "this").value == "the twin of this"


def test_an_imported_function_of_the_host_can_be_exported_and_given_by_python(taker_and_giver):
    taker, giver = taker_and_giver
    assert giver.call("twin", "this").value == "the twin of this"
    assert taker.call("take", giver.call("lend").value, "that").value == "the twin of that"


# ---- globals that instances share


CALLING = """(table 1 funcref)
  (func $called (param funcref) (result i32)
    (table.set (i32.const 0) (local.get 0)) (call_indirect (result i32) (i32.const 0)))
  (func (export "call") (result i32) (call $called (global.get $g)))
  (func (export "call fixed") (result i32) (call $called (global.get $fixed)))
  (func (export "clear") (global.set $g (ref.null func)))
  (func (export "is null") (result i32) (ref.is_null (global.get $g)))"""
OWNER = f"""(module (func $one (result i32) (i32.const 1)) (func $two (result i32) (i32.const 2))
  (global $g (export "g") (mut funcref) (ref.func $two))
  (global $fixed (export "fixed") funcref (ref.func $one)) {CALLING}
  (func (export "set") (global.set $g (ref.func $one))))"""
USER = f"""(module (import "owner" "g" (global $g (mut funcref))) (import "owner" "fixed" (global $fixed funcref))
  (func $three (result i32) (i32.const 3)) (elem declare func $three) (global $copy funcref (global.get $fixed))
  (table $items 1 funcref) (elem (table $items) (i32.const 0) funcref (global.get $fixed)) {CALLING}
  (func (export "call copy") (result i32) (call $called (global.get $copy)))
  (func (export "call item") (result i32) (call_indirect $items (result i32) (i32.const 0)))
  (func (export "set") (global.set $g (ref.func $three))))"""
STEPS = (
    "user call",
    "user call fixed",
    "user call copy",
    "user call item",
    "owner call fixed",
    "user set",
    "owner call",
    "user call",
    "other call",
    "owner set",
    "user call",
    "other call",
    "other set",
    "owner call",
    "user call",
    "user clear",
    "owner is null",
    "other call",
)


def said(engine):
    """Return the result of each step of an owner and two users of its globals."""
    made = {}
    for name, text in (("owner", OWNER), ("user", USER), ("other", USER)):
        made[name] = engine.instantiate(engine.decode(wat2wasm(text)), made)
    for step in STEPS:
        name, _, export = step.partition(" ")
        try:
            yield step, made[name].invoke(export, ())
        except Trap:
            yield step, "trap"


def test_a_reference_in_a_global_means_the_same_function_to_all():
    ours, theirs = list(said(CorollaryEngine())), list(said(WasmtimeEngine()))
    assert ours == theirs
    assert {result for _, result in ours} == {(("i32", number),) for number in (1, 2, 3)} | {(), "trap"}


def test_an_object_in_a_global_is_the_same_to_all():
    owner = Instance(
        wat2wasm("""(module (func) (global $g (export "g") (mut externref) (ref.null extern))
      (func (export "hold") (param externref) (global.set $g (local.get 0))))""")
    )
    user = Instance(
        wat2wasm("""(module (import "m" "g" (global $g (mut externref)))
      (func (export "held") (result externref) (global.get $g)))"""),
        {("m", "g"): owner.export("g")},
    )
    thing = object()
    assert user.call("held").value is None
    owner.call("hold", thing)
    assert user.call("held").value is thing


def test_who_shares_a_global_keeps_the_functions_in_it():
    owner = Instance(wat2wasm(OWNER))
    user = Instance(wat2wasm(USER), {("owner", name): owner.export(name) for name in ("g", "fixed")})
    kept = weakref.ref(owner)
    del owner
    gc.collect()
    assert user.call("call").value == 2 and user.call("call fixed").value == 1 and kept()
