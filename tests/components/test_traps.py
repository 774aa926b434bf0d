"""Is what a component passes wrongly a trap, here and in wasmtime?"""

import pytest
import wasmtime
from wasmtime import wat2wasm

from corollary import Exited, Stopped, Trapped
from corollary.components.component import ComponentInstance
from tests.components import peer

TEXT = """(component
  (import "host" (func $host))
  (core func $host (canon lower (func $host)))
  (core module $m
    (import "" "host" (func $host))
    (memory (export "memory") 1)
    (data (i32.const 0) "\\01\\00\\00\\00\\ff\\fe\\00\\d8\\00\\00")
    {core})
  (core instance $i (instantiate $m (with "" (instance (export "host" (func $host))))))
  (alias core export $i "memory" (core memory $memory))
  {types}
  (func (export "f") {type} (canon lift (core func $i "f") (memory $memory) {options})))"""
REALLOC = '(realloc (core func $i "realloc"))'
POST = '(post-return (core func $i "post"))'


def returns(*numbers, result="i32"):
    """Return a core function with constants as results; two are put into memory, as address and length."""
    if len(numbers) == 1:
        return f'(func (export "f") (result {result}) ({result}.const {numbers[0]}))'
    at, size = numbers
    return (
        f'(func (export "f") (result i32) (i32.store (i32.const 16) (i32.const {at}))'
        f"(i32.store (i32.const 20) (i32.const {size})) (i32.const 16))"
    )


def takes(realloc, body=""):
    """Return core functions that take a text, with the body of `realloc`."""
    return (
        '(func (export "f") (param i32 i32) (result i32) (local.get 1))'
        f'(func (export "realloc") (param i32 i32 i32 i32) (result i32) {realloc})'
    )


TEXTS = '(param "x" string) (result u32)'
CASES = {
    "half of a character": ("(result char)", returns(0xD800), "", "is no character"),
    "a character beyond Unicode": ("(result char)", returns(0x110000), "", "is no character"),
    "a case that is none": ("(result (result (error u32)))", returns(2, 0), "", None),
    "a case in memory": ("(result (option u64))", returns(2, 0), "", "case 2 of 2 is none"),
    "no UTF-8": ("(result string)", returns(4, 2), "", "a text is no utf-8"),
    "half of a character in UTF-16": ("(result string)", returns(6, 1), "string-encoding=utf16", "is no utf-16"),
    "an odd address": ("(result string)", returns(5, 1), "string-encoding=utf16", "is no multiple of 2"),
    "a text beyond the end": ("(result string)", returns(0xFFFF, 2), "", "are not within the memory"),
    "a text far beyond the end": ("(result string)", returns(-1, -1), "", "too long|not within"),
    "a text beyond the end in Latin-1": (
        "(result string)",
        returns(0xFFFE, 3),
        "string-encoding=latin1+utf16",
        "are not within the memory",
    ),
    "a list beyond the end": ("(result (list u64))", returns(0xFFF8, 2), "", "are not within the memory"),
    "a list of more than there can be": ("(result (list u64))", returns(0, -1), "", "are not within the memory"),
    "a list at an odd address": ("(result (list u16))", returns(1, 1), "", "is no multiple of 2"),
    "an empty list at an odd address": ("(result (list u16))", returns(1, 0), "", "is no multiple of 2"),
    "an empty list beyond the end": ("(result (list u8))", returns(0x10001, 0), "", "are not within the memory"),
    "a result at an odd address": ("(result (tuple u32 u32))", returns(2), "", "is no multiple of 4"),
    "a result beyond the end": ("(result (tuple u32 u32))", returns(0xFFFC), "", "are not within the memory"),
    "memory beyond the end": (TEXTS, takes("(i32.const 0xffff)"), REALLOC, "are not within the memory"),
    "memory at an odd address": (
        TEXTS,
        takes("(i32.const 1)"),
        f"{REALLOC} string-encoding=utf16",
        "is no multiple of 2",
    ),
    "no memory": (TEXTS, takes("(unreachable)"), REALLOC, "unreachable"),
    "a call while it is given values": (
        TEXTS,
        takes("(call $host) (i32.const 0)"),
        REALLOC,
        "while it is given values",
    ),
    "a call while it cleans up": (
        "(result u32)",
        returns(1) + '(func (export "post") (param i32) (call $host))',
        POST,
        "while it is given values or cleans up",
    ),
    "a trap while it cleans up": (
        "(result u32)",
        returns(1) + '(func (export "post") (param i32) (unreachable))',
        POST,
        "unreachable",
    ),
}


def component(type_, core, options=""):
    """Return a component with one function."""
    return bytes(wat2wasm(TEXT.format(type=type_, core=core, options=options, types="")))


@pytest.mark.parametrize("what", CASES)
def test_it_is_a_trap(what):
    type_, core, options, why = CASES[what]
    binary = component(type_, core, options)
    values = ("text",) if "param" in type_ else ()
    with pytest.raises((wasmtime.Trap, wasmtime.WasmtimeError)):
        peer.called(binary, {"host": lambda: None}, "f", values)
    instance = ComponentInstance(binary, {"host": lambda: None})
    with pytest.raises(Trapped, match=why):
        instance.call("f", *values)
    with pytest.raises(Trapped, match="a component cannot be entered"):
        instance.call("f", *values)


def test_what_is_almost_wrong_is_right():
    for type_, core, options, wanted in (
        ("(result (list u8))", returns(0x10000, 0), "", b""),
        ("(result char)", returns(0xD7FF), "", "\ud7ff"),
        ("(result bool)", returns(256), "", True),
        ("(result s8)", returns(0x1FF), "", -1),
        ("(result u16)", returns(-1), "", 0xFFFF),
        ("(result string)", returns(0, 1), "", "\1"),
    ):
        binary = component(type_, core, options)
        assert ComponentInstance(binary, {"host": lambda: None}).call("f") == wanted
        assert peer.called(binary, {"host": lambda: None}, "f", ()) == wanted


def test_a_component_is_not_entered_again_from_a_function_of_the_host():
    binary = component("(result u32)", '(func (export "f") (result i32) (call $host) (i32.const 1))')
    instance = ComponentInstance(binary, {"host": lambda: instance.call("f")})
    with pytest.raises(Trapped, match="cannot be entered"):
        instance.call("f")


def test_exit_and_fuel_end_a_call():
    def leave():
        raise Exited(3)

    core = '(func (export "f") (result i32) (call $host) (loop (br 0)) (i32.const 1))'
    binary = component("(result u32)", core)
    with pytest.raises(Exited, match="status 3"):
        ComponentInstance(binary, {"host": leave}).call("f")
    for limit in ({"fuel": 1000}, {"seconds": 0.01}):
        with pytest.raises(Stopped):
            ComponentInstance(binary, {"host": lambda: None}).call("f", **limit)
