"""Do references mean the same functions wherever they go?"""

import pytest
from wasmtime import wat2wasm

from host import Instance

FIRST = wat2wasm("""(module
  (type $number (func (result i32)))
  (table 1 funcref)
  (elem declare func $two)
  (func $one (type $number) (i32.const 1))
  (func $two (type $number) (i32.const 2))
  (func (export "give") (result funcref) (ref.func $two))
  (func (export "take") (param funcref) (result i32)
    (table.set (i32.const 0) (local.get 0))
    (if (result i32) (ref.is_null (local.get 0)) (then (i32.const 0)) (else (call_indirect (type $number) (i32.const 0)))))
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
