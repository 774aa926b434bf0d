"""Does a module that needs an unsupported feature get told which one?"""

import pytest
from wasmtime import wat2wasm

from corollary import Invalid, Malformed, Module, Refused
from corollary.proposals import (
    ARITHMETIC,
    BYTES,
    COMPONENTS,
    CONSTANTS,
    EXCEPTIONS,
    GC,
    MEMORIES,
    MEMORY64,
    PAGE_SIZES,
    REFERENCES,
    SIMD,
    STACKS,
    TAIL_CALLS,
    THREADS,
)
from tests.wasm.binary import section, unsigned

MODULES = {
    "vector constant": (SIMD, "(func (drop (v128.const i32x4 1 2 3 4)))"),
    "vector parameter": (SIMD, "(func (param v128))"),
    "vector local": (SIMD, "(func (local v128))"),
    "vector global": (SIMD, "(global v128 (v128.const i64x2 0 0))"),
    "vector load": (SIMD, "(memory 1) (func (drop (v128.load (i32.const 0))))"),
    "vector block": (SIMD, "(func (block (result v128) unreachable) drop)"),
    "vector select": (SIMD, "(func (drop (select (result v128) (unreachable) (unreachable) (i32.const 0))))"),
    "relaxed": (SIMD, "(func (drop (i32x4.relaxed_trunc_f32x4_s (v128.const i32x4 1 2 3 4))))"),
    "tag": (EXCEPTIONS, "(tag (param i32))"),
    "imported tag": (EXCEPTIONS, '(import "m" "t" (tag (param i32)))'),
    "throw": (EXCEPTIONS, "(tag $t) (func (throw $t))"),
    "try table": (EXCEPTIONS, "(func (block (try_table (catch_all 0))))"),
    "exception reference": (EXCEPTIONS, "(func (param exnref))"),
    "throw reference": (EXCEPTIONS, "(func (param exnref) (throw_ref (local.get 0)))"),
    "shared memory": (THREADS, "(memory 1 2 shared)"),
    "atomic": (THREADS, "(memory 1 1) (func (drop (i32.atomic.load (i32.const 0))))"),
    "tail call": (TAIL_CALLS, "(func $f (return_call $f))"),
    "indirect tail call": (TAIL_CALLS, "(table 1 funcref) (func (return_call_indirect (i32.const 0)))"),
    "struct": (GC, "(type (struct (field i32)))"),
    "array": (GC, "(type (array i32))"),
    "group": (GC, "(rec (type (func)) (type (func)))"),
    "subtype": (GC, "(type (sub (func)))"),
    "any reference": (GC, "(func (param anyref))"),
    "i31": (GC, "(func (drop (ref.i31 (i32.const 1))))"),
    "equality": (GC, "(func (drop (ref.eq (unreachable) (unreachable))))"),
    "table of any": (GC, "(table 1 anyref)"),
    "typed reference": (REFERENCES, "(type $t (func)) (func (param (ref $t)))"),
    "typed call": (REFERENCES, "(type $t (func)) (func (call_ref $t (unreachable)))"),
    "not null": (REFERENCES, "(func (param funcref) (drop (ref.as_non_null (local.get 0))))"),
    "memory64": (MEMORY64, "(memory i64 1)"),
    "table64": (MEMORY64, "(table i64 1 funcref)"),
    "two memories": (MEMORIES, "(memory 1) (memory 1)"),
    "size of the second": (MEMORIES, "(memory 1) (memory 1) (func (drop (memory.size 1)))"),
    "load from the second": (MEMORIES, "(memory 1) (memory 1) (func (drop (i32.load 1 (i32.const 0))))"),
    "wide arithmetic": (
        ARITHMETIC,
        "(func (param i64 i64 i64 i64) (i64.add128 (local.get 0) (local.get 1) (local.get 2) (local.get 3)) drop drop)",
    ),
    "page size": (PAGE_SIZES, "(memory 1 (pagesize 1))"),
    "continuation": (STACKS, "(type $f (func)) (type $c (cont $f))"),
    "component": (COMPONENTS, None),
    "constant": (CONSTANTS, "(global i32 (i32.add (i32.const 1) (i32.const 0x1000)))"),
    "constant of imports": (
        CONSTANTS,
        '(import "" "" (global $g i32)) (memory 1)'
        "(data (i32.sub (global.get $g) (i32.mul (i32.const 2) (i32.const 3))))",
    ),
}


@pytest.mark.parametrize("what", MODULES)
def test_a_module_hears_what_it_needs(what):
    name, text = MODULES[what]
    binary = b"\0asm\x0d\0\1\0" if text is None else wat2wasm(f"(module {text})")
    with pytest.raises(Refused, match=f"the module needs {name}, which this machine does not have") as refused:
        Module(binary)
    assert refused.value.needs == name


def test_every_extension_is_tried():
    known = {name for names in BYTES.values() for name in names.values() if " and " not in name} | {
        MEMORIES,
        ARITHMETIC,
        CONSTANTS,
    }
    assert known - {"string references"} == {name for name, _ in MODULES.values()}


@pytest.mark.parametrize("opcode", [0x16, 0x17, 0x1D, 0x27, 0xC5, 0xD7, 0xF0, 0xFF])
def test_what_is_simply_wrong_needs_nothing(opcode):
    body = bytes([0, opcode, 0x0B])
    binary = (
        b"\0asm\1\0\0\0"
        + section(1, b"\1\x60\0\0")
        + section(3, b"\1\0")
        + section(10, b"\1" + unsigned(len(body)) + body)
    )
    with pytest.raises(Malformed) as refused:
        Module(binary)
    assert refused.value.needs is None and str(refused.value) == f"illegal opcode, at byte {len(binary) - 2:#x}"


@pytest.mark.parametrize(
    "text",
    [
        "(func (result i32) (i32.const 1) (i64.const 2) (i32.add))",
        "(func (i32.const 1))",
        "(global i32 (i64.const 1))",
        "(global i32 (i32.const 1) (i32.const 2))",
    ],
)
def test_a_type_that_is_simply_wrong_needs_nothing(text):
    with pytest.raises(Invalid, match="type mismatch") as refused:
        Module(wat2wasm(f"(module {text})"))
    assert refused.value.needs is None


@pytest.mark.parametrize(
    "binary", [b"", b"\0asm", b"\0asm\2\0\0\0", b"\0asm\1\0\0\0\x0f\0", b"\0asm\1\0\0\0\1\5\1\x60\1\x7a\0"]
)
def test_so_do_bytes_that_are_no_module(binary):
    with pytest.raises(Malformed) as refused:
        Module(binary)
    assert refused.value.needs is None
