"""Do merged operations leave nothing out, and do they keep the places where execution may be resumed?"""

import random
from typing import Any

import pytest
from wasmtime import wat2wasm

from corollary import HostCall, Instance, Module, Returned, Suspended
from corollary.model.wasm.emission import RETURN_POINT, SAFE_POINT
from corollary.spec.wasm.internal import OWN, Handler
from corollary.spec.wasm.machine import PAGE
from tests.wasm.suspended import KEY

HANDLER: Any = Handler  # made of a table, so that a checker knows none of its names
WORK = """
  (memory 1) (data $d "abcd") (global $g (mut i32) (i32.const 0))
  (func $set (global.set $g (i32.const 7)))
  (func $same (param i32) (result i32) local.get 0)"""


def result(body, argument):
    """Return the result of a function of an i32 with this body."""
    instance = Instance(wat2wasm(f'(module {WORK} (func (export "f") (param i32) (result i32) {body}))'))
    return instance.call_bits(instance.module.exports["f"][1], (argument,))[0]


@pytest.mark.parametrize("argument", [1, 2])
@pytest.mark.parametrize("between", ["(call $set)", "(global.set $g (i32.const 7))"])
def test_what_stands_between_a_comparison_and_its_branch_is_done(between, argument):
    assert result(f"(block (i32.eq (local.get 0) (i32.const 1)) {between} (br_if 0)) (global.get $g)", argument) == 7


def test_what_stands_between_a_sum_and_the_access_through_it_is_done():
    body = "(i32.add (local.get 0) (local.get 0)) (data.drop $d) (i32.load)"
    instance = Instance(wat2wasm(f'(module {WORK} (func (export "f") (param i32) (result i32) {body}))'))
    assert instance.call_bits(2, (8,)) == (0,) and instance.room["dropped_data"][0] == 1


@pytest.mark.parametrize("argument,wanted", [(0, 1), (1, 5)])
def test_where_a_branch_leads_nothing_is_merged(argument, wanted):
    body = """(i32.and
      (block (result i32) (br_if 0 (i32.const 5) (local.get 0)) (drop) (i32.add (local.get 0) (i32.const 9)))
      (i32.const 7))"""
    assert result(body, argument) == wanted


def test_a_store_of_more_than_was_loaded_is_no_move():
    body = (
        "(i32.store8 offset=3 (local.get 0) (i32.const 8)) "
        "(i32.store8 (local.get 0) (i32.add (i32.load8_u offset=3 (local.get 0)) (i32.const 1)))"
    )
    assert result(f"{body} (i32.load8_u (local.get 0))", 2) == 9


@pytest.mark.parametrize(
    "step,condition",
    [
        ("(local.get 1) (i32.const 3)", "(local.get 1) (local.get 0)"),
        ("(local.get 1) (i32.const 3)", "(local.get 1) (i32.const 30)"),
        ("(local.get 1) (local.get 2)", "(local.get 1) (local.get 0)"),
        ("(local.get 2) (local.get 1)", "(local.get 1) (local.get 0)"),
    ],
)
@pytest.mark.parametrize("fuel", [1, 2, None])
def test_a_step_of_a_loop_is_taken_once_however_often_it_is_suspended(step, condition, fuel):
    instance = Instance(
        wat2wasm(f"""(module (func (export "f") (param i32) (result i32) (local i32 i32) (local.set 2 (i32.const 3))
      (loop (br_if 0 (i32.lt_u (local.tee 1 (i32.add {step})) {condition.removeprefix("(local.get 1) ")})))
      (local.get 1)))""")
    )
    code = instance.module.translation["code"][: instance.module.translation.value.at]
    assert any("STEP" in HANDLER(word & 0xFFFF).name for word in code if word & 0xFFFF < len(HANDLER))
    outcome = instance.call("f", 28, fuel=fuel)
    while isinstance(outcome, Suspended):
        outcome = instance.resume(fuel=fuel)
    assert outcome == Returned((30,))


COPIES = [
    (count, distance)
    for count in (0, 1, 2047, 2048, 2049, 2303, 4096, 5000, 1 << 18, (1 << 18) + 1)
    for distance in (0, 1, -1, 31, -31, 255, -255, 256, -256, 257, -257, count - 1, 1 - count, count, -count)
]


@pytest.mark.parametrize(
    "operands", ["(local.get 0) (local.get 1) (local.get 2)", "(local.get 0) (local.get 1) (i32.const {count})"]
)
def test_a_block_is_copied_as_if_by_way_of_a_third_place(operands):
    wanted = bytearray(random.Random(1).randbytes(PAGE * 16))
    for count, distance in COPIES:
        text = (
            '(module (memory (export "m") 16) (func (export "f") (param i32 i32 i32) '
            f"(memory.copy {operands.format(count=count)})))"
        )
        instance, source = Instance(wat2wasm(text)), PAGE * 6
        instance.export("m").write(0, wanted)
        instance.call("f", source + distance, source, count)
        wanted[source + distance : source + distance + count] = wanted[source : source + count]
        assert instance.export("m").read(0, len(wanted)) == wanted, (count, distance)


@pytest.mark.parametrize(
    "call",
    [
        "(call $ask)",
        "(call_indirect (result i32) (i32.const 0))",
        "(call_indirect (result i32) (i32.load (local.get 0)))",
    ],
)
def test_the_answer_of_the_host_goes_where_the_result_of_the_call_belongs(call):
    instance = Instance(
        wat2wasm(f"""(module (import "env" "ask" (func $ask (result i32))) (memory 1)
      (table 1 funcref) (elem (i32.const 0) $ask)
      (func (export "f") (param i32) (result i32) (local i32 i32)
        (local.set 1 {call}) (i32.sub (local.get 1) (local.get 2))))"""),
        host_calls=True,
    )
    assert isinstance(instance.call("f", 0), HostCall)
    other = Instance.restore(instance.module, instance.snapshot(KEY), KEY, host_calls=True)
    assert instance.resume(77) == other.resume(77) == Returned((77,))


@pytest.mark.parametrize(
    "body",
    [
        "(loop (br_if 0 (i32.eq (call $same (local.get 0)) (i32.const 9)))) (local.get 0)",
        "(block (br_if 0 (i32.eq (call $same (local.get 0)) (i32.const 9)))) (local.get 0)",
        "(i32.load (i32.add (call $same (local.get 0)) (local.get 0)))",
        (
            "(if (result i32) (i64.eq (i64.extend_i32_u (call $same (local.get 0))) (i64.const 1)) "
            "(then (i32.const 1)) (else (i32.const 2)))"
        ),
    ],
)
def test_where_a_call_returns_is_a_return_point_also_where_operations_were_merged(body):
    translation = Module(wat2wasm(f'(module {WORK} (func (export "f") (param i32) (result i32) {body}))')).translation
    calls = [
        at
        for at in range(translation.value.at)
        if translation["marks"][at] & SAFE_POINT and translation["code"][at] & 0xFFFF == HANDLER.CALL
    ]
    assert calls and all(translation["marks"][at + OWN["call"].words] & RETURN_POINT for at in calls)
