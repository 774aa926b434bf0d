"""Do values of all types pass in and out of a component as they do in wasmtime, and lie in memory as they do there?"""

from dataclasses import dataclass
from typing import Any

import pytest
import wasmtime
from hypothesis import given, settings
from hypothesis import strategies as st
from wasmtime import component, wat2wasm

from corollary import Trapped
from corollary.components.component import ComponentInstance
from corollary.components.functions import Signature
from corollary.components.values import PRIMITIVES, Char, Integer, List, Option, Record, String, Tuple
from tests.components.choices import TYPES, Written, comparable, to_peer, values

RESULT, HEAP = 0x1_0000, 0x2_0000
ECHO = """(component
  {types}
  (import "host" (func $host (param "x" {type}) (result {type})))
  (core module $libc
    (memory (export "memory") 8)
    (global $at (mut i32) (i32.const {heap}))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (global.set $at (i32.and (i32.add (global.get $at) (i32.sub (local.get 2) (i32.const 1)))
        (i32.sub (i32.const 0) (local.get 2))))
      (memory.copy (global.get $at) (local.get 0) (local.get 1))
      (global.get $at)
      (global.set $at (i32.add (global.get $at) (local.get 3))))
    (func (export "dump") (result i32)
      (i32.store (i32.const 8) (i32.const {result}))
      (i32.store (i32.const 12) (i32.sub (global.get $at) (i32.const {result})))
      (i32.const 8)))
  (core instance $libc (instantiate $libc))
  (alias core export $libc "memory" (core memory $memory))
  (alias core export $libc "realloc" (core func $realloc))
  (core func $lowered (canon lower (func $host) (memory $memory) (realloc $realloc) string-encoding={encoding}))
  (core module $echo
    (import "" "host" (func $host {core}))
    (func (export "echo") {lifted} {gets} {pointer} (call $host) {returns}))
  (core instance $echo (instantiate $echo (with "" (instance (export "host" (func $lowered))))))
  (func (export "echo") (param "x" {type}) (result {type})
    (canon lift (core func $echo "echo") (memory $memory) (realloc $realloc) string-encoding={encoding}))
  (func (export "dump") (result (list u8))
    (canon lift (core func $libc "dump") (memory $memory)))
)"""


def core(type_):
    """Return a type of core functions in the text format."""
    names = [[each.name.lower() for each in side] for side in (type_.parameters, type_.results)]
    return f"(param {' '.join(names[0])}) (result {' '.join(names[1])})"


def echo(type_, encoding="utf8"):
    """Return a component that gives a value to a function of the host, and returns what comes back."""
    signature, written = Signature((("x", type_),), type_), Written()
    name, pointer = written.of(type_), signature.lowered != signature.lifted
    text = ECHO.format(
        types="\n  ".join(written.lines),
        type=name,
        encoding=encoding,
        heap=HEAP,
        result=RESULT,
        core=core(signature.lowered),
        lifted=core(signature.lifted),
        gets=" ".join(f"(local.get {number})" for number in range(len(signature.lifted.parameters))),
        pointer=f"(i32.const {RESULT})" if pointer else "",
        returns=f"(i32.const {RESULT})" if pointer else "",
    )
    return bytes(wat2wasm(text))


@dataclass
class Answer:
    """What the host got, what came back, and what the memory holds then."""

    got: Any
    returned: Any
    memory: bytes


def here(binary, value):
    """Let a value pass through a component on this machine."""
    seen = []
    instance = ComponentInstance(binary, {"host": lambda x: seen.append(x) or x})
    returned = instance.call("echo", value)
    return Answer(seen[0], returned, instance.call("dump"))


def there(binary, type_, value):
    """Let a value pass through a component in wasmtime."""
    engine, seen = wasmtime.Engine(), []
    store = wasmtime.Store(engine)
    linker = component.Linker(engine)
    with linker.root() as root:
        root.add_func("host", lambda _, x: seen.append(x) or x)
    instance = linker.instantiate(store, component.Component(engine, binary))
    function = instance.get_func(store, "echo")
    (_, peer), *_ = function.type(store).params
    given = to_peer(type_, peer, value)
    returned = function(store, given)
    function.post_return(store)
    dump = instance.get_func(store, "dump")(store)
    return Answer(comparable(seen[0]), comparable(returned), dump), comparable(given)


@settings(max_examples=100)
@given(st.data(), TYPES)
def test_a_value_passes_and_lies_as_in_wasmtime(data, type_):
    binary, value = echo(type_), data.draw(values(type_))
    ours, (theirs, given) = here(binary, value), there(binary, type_, value)
    assert ours.got == ours.returned == value
    assert theirs.got == theirs.returned == given
    assert ours.memory == theirs.memory


@settings(max_examples=50)
@given(st.data(), st.sampled_from(["utf16", "latin1+utf16"]), st.sampled_from([String(), List(String()), Char()]))
def test_texts_pass_in_every_encoding(data, encoding, type_):
    binary, value = echo(type_, encoding), data.draw(values(type_))
    ours, (theirs, given) = here(binary, value), there(binary, type_, value)
    assert ours.got == ours.returned == value and theirs.got == theirs.returned == given


MANY = Record(tuple((f"f{number}", Integer(8, False)) for number in range(20)))


@pytest.mark.parametrize("type_", [*PRIMITIVES.values(), MANY, Option(List(MANY))], ids=repr)
def test_what_has_another_type_is_refused_before_the_call(type_):
    instance = ComponentInstance(echo(type_), {"host": lambda x: x})
    for wrong in (object(), None, -(1 << 70), "two", (), {"f0": 1}, b"\0", float("nan"), "\ud800", True):
        try:
            type_.check(wrong, "x")
        except (TypeError, ValueError) as error:
            with pytest.raises(type(error), match="x of echo"):
                instance.call("echo", wrong)
    assert instance.call("dump") is not None  # it can still be called


@pytest.mark.parametrize("type_", [PRIMITIVES[0x76], PRIMITIVES[0x75]], ids=repr)
def test_an_integer_that_is_too_large_for_a_float_is_refused_before_the_call(type_):
    instance = ComponentInstance(echo(type_), {"host": lambda x: x})
    with pytest.raises(ValueError, match="x of echo is a f.*: an integer of 1329 bits does not fit"):
        instance.call("echo", 10**400)
    assert instance.call("echo", 2**60) == 2.0**60


@pytest.mark.parametrize("bad", [object(), "text", -1, 1 << 32, 1.5, None])
def test_a_function_of_the_host_that_returns_something_else_is_a_trap(bad):
    instance = ComponentInstance(echo(Integer(4, False)), {"host": lambda x: bad})
    with pytest.raises(Trapped, match="host of the host failed: (Type|Value)Error: the result of host"):
        instance.call("echo", 1)
    with pytest.raises(Trapped, match="cannot be entered"):
        instance.call("echo", 1)


def test_nan_is_always_the_same():
    binary = echo(Tuple((PRIMITIVES[0x76], PRIMITIVES[0x75])))
    instance = ComponentInstance(binary, {"host": lambda x: x})
    assert all(each != each for each in instance.call("echo", (float("nan"), -float("nan"))))
    assert instance.call("dump")[:16].hex() == "0000c07f00000000000000000000f87f"
