"""Can Python call a module, be called by it, interrupt it, and report its errors?"""

import math
import re
import time

import pytest
from wasmtime import wat2wasm

from corollary import (
    Busy,
    Exited,
    Function,
    HostCall,
    Instance,
    Limits,
    Memory,
    Returned,
    Stopped,
    Suspended,
    Trap,
    Trapped,
    Unlinkable,
    WithInstance,
)
from corollary.module import FunctionType
from corollary.names import function_names
from corollary.spec.wasm.values import ValueType

VALUES = """
  (func (export "i32") (param i32) (result i32) local.get 0) (func (export "i64") (param i64) (result i64) local.get 0)
  (func (export "f32") (param f32) (result f32) local.get 0) (func (export "f64") (param f64) (result f64) local.get 0)
  (func (export "externref") (param externref) (result externref) local.get 0)
  (func (export "funcref") (param funcref) (result funcref) local.get 0)
  (func (export "none")) (func (export "two") (result i32 i64) (i32.const -1) (i64.const -2))"""
ENDLESS = '(func (export "run") (loop (br 0)))'
CALLS = """
  (import "env" "host" (func $host (param i32) (result i32))) (memory (export "memory") 1)
  (func $inner (param i32) (result i32) (call $host (local.get 0)))
  (func (export "outer") (param i32) (result i32) (i32.add (call $inner (local.get 0)) (i32.const 1)))
  (func (export "endless") (result i32) (loop (br 0)) (unreachable))
  (func (export "divide") (param i32) (result i32) (i32.div_s (i32.const 1) (local.get 0)))"""


def made(text, imports=(), **more):
    """Return an instance of a module given as text."""
    return Instance(wat2wasm(f"(module {text})"), imports, **more)


def calling(host, **more):
    """Return an instance that calls a function of the host."""
    return made(CALLS, {("env", "host"): host}, **more)


# ---- values


@pytest.mark.parametrize(
    "type_,given,returned",
    [
        ("i32", -1, -1),
        ("i32", 0xFFFF_FFFF, -1),
        ("i32", (1 << 31) - 1, (1 << 31) - 1),
        ("i64", -(1 << 63), -(1 << 63)),
        ("i64", 1 << 63, -(1 << 63)),
        ("f32", 1.5, 1.5),
        ("f32", 1e300, math.inf),
        ("f64", 0.1, 0.1),
        ("f64", 3, 3.0),
        ("externref", None, None),
        ("funcref", None, None),
    ],
)
def test_values_come_back_as_they_are(type_, given, returned):
    assert made(VALUES).call(type_, given) == Returned((returned,))


def test_a_nan_and_a_negative_zero_come_back():
    assert (
        math.isnan(made(VALUES).call("f64", math.nan).value)
        and math.copysign(1, made(VALUES).call("f32", -0.0).value) == -1
    )


def test_references_are_objects():
    instance, thing = made(VALUES), object()
    assert instance.call("externref", thing).value is thing and instance.call(
        "funcref", instance.export("two")
    ).value is instance.export("two")
    other = made(VALUES)
    assert other.call("funcref", instance.export("two")).value is instance.export("two")


def test_results_are_as_many_as_there_are():
    instance = made(VALUES)
    assert (
        instance.call("none").values == ()
        and instance.call("none").value is None
        and instance.call("two").values == (-1, -2)
    )
    with pytest.raises(ValueError, match="2 results"):
        instance.call("two").value


@pytest.mark.parametrize(
    "name,values,error,said",
    [
        ("i32", (1 << 32,), ValueError, "value 1 of i32 is an i32: 4294967296 does not fit"),
        ("i32", (-(1 << 31) - 1,), ValueError, "does not fit"),
        ("i32", (1.0,), TypeError, "give an int, not 1.0"),
        ("f64", ("1",), TypeError, "give a float, not '1'"),
        ("i32", (), TypeError, "takes 1 values (i32), not 0"),
        ("funcref", (print,), TypeError, "give one that an instance exports"),
        ("nothing", (), LookupError, "there are: i32, i64, f32"),
        ("funcref", (Function(None, print),), TypeError, "only once an instance imports it"),
    ],
)
def test_what_is_wrong_with_a_call_is_told(name, values, error, said):
    with pytest.raises(error, match=re.escape(said)):
        made(VALUES).call(name, *values)


# ---- functions of the host


def test_a_function_of_the_host_gets_and_gives_values():
    given = []
    assert calling(lambda number: given.append(number) or 2 * number).call("outer", -3) == Returned(
        (-5,)
    ) and given == [-3]


def test_a_function_of_the_host_may_have_the_instance():
    instance = calling(WithInstance(lambda caller, at: caller.export("memory").read(at, 4)[0]))
    instance.export("memory").write(8, b"A")
    assert instance.call("outer", 8).value == ord("A") + 1


@pytest.mark.parametrize(
    "result,error", [(None, TypeError), ("x", TypeError), (1 << 40, ValueError), ((1, 2), TypeError)]
)
def test_a_function_of_the_host_must_give_what_it_promises(result, error):
    with pytest.raises(Trapped, match="the result of env.host") as trapped:
        calling(lambda _: result).call("outer", 1)
    assert isinstance(trapped.value.__cause__, error)


@pytest.mark.parametrize("given", [(), (1, 2), (-8,), (1 << 32,), (1.5,), (True,), 5, None])
def test_a_function_on_bits_must_give_those_that_it_promises(given):
    of_host = Function(FunctionType((), (ValueType.I32,)), lambda: given)
    asking = wat2wasm("""(module (import "m" "f" (func $f (result i32))) (memory 1)
      (func (export "run") (result i32) (i32.load (call $f))))""")
    with pytest.raises(Trapped, match="TypeError|ValueError"):
        Instance(asking, {("m", "f"): of_host}).call("run")


@pytest.mark.parametrize("bits", [(), (1, 2)])
def test_a_call_with_bits_has_those_of_all_arguments(bits):
    with pytest.raises(TypeError, match="function 0 takes the bits of 1 values, not of"):
        Instance(wat2wasm("(module (func (param i32)))")).call_bits(0, bits)


def test_an_exception_of_the_host_is_a_trap_with_a_cause():
    def fail(_):
        raise KeyError("no such thing")

    with pytest.raises(Trapped, match="KeyError: 'no such thing'") as trapped:
        calling(fail).call("outer", 1)
    assert isinstance(trapped.value.__cause__, KeyError) and trapped.value.trap is None
    assert [(frame.function, frame.name) for frame in trapped.value.backtrace] == [(1, "inner"), (2, "outer")]


def test_an_interruption_is_none_of_ours():
    def interrupt(_):
        raise KeyboardInterrupt

    instance = calling(interrupt)
    with pytest.raises(KeyboardInterrupt):
        instance.call("outer", 1)
    assert instance.waiting is None and instance.machine.depth == 0


def test_a_program_may_end_through_the_host():
    def leave(status):
        raise Exited(status)

    with pytest.raises(Exited) as exited:
        calling(leave).call("outer", 7)
    assert exited.value.status == 7


def test_the_host_may_call_back():
    instance = calling(lambda number: instance.call("outer", number - 1).value if number else 0, reentrant=True)
    assert instance.call("outer", 5).value == 6


def test_a_trap_tells_through_which_calls_it_came():
    instance = calling(lambda number: instance.call("divide", number).value, reentrant=True)
    with pytest.raises(Trapped) as trapped:
        instance.call("outer", 0)
    assert trapped.value.trap is Trap.DIVISION_BY_ZERO and str(trapped.value).splitlines()[1:] == [
        "  in #4 divide",
        "  in #1 inner",
        "  in #2 outer",
    ]


def test_a_backtrace_is_not_longer_than_one_can_read():
    with pytest.raises(Trapped) as trapped:
        made('(func $down (export "down") (call $down))').call("down")
    assert trapped.value.trap is Trap.STACK_EXHAUSTED and len(trapped.value.backtrace) == 64


@pytest.mark.parametrize(
    "imports,said",
    [
        ({}, "unknown import: env.host (or let it be one of `host_calls`)"),
        ({("env", "host"): 5}, "incompatible import type"),
        ({("env", "host"): Memory(1)}, "is no such function"),
    ],
)
def test_what_is_wrong_with_an_import_is_told(imports, said):
    with pytest.raises(Unlinkable, match=re.escape(said)):
        made(CALLS, imports)


def test_bytes_beyond_the_memory_are_none():
    memory = Memory(1)
    for wrong in (lambda: memory.read(65533, 4), lambda: memory.write(-1, b"x"), lambda: memory.read(0, -1)):
        with pytest.raises(IndexError, match="65536"):
            wrong()


# ---- host calls


def test_a_function_that_nobody_gave_ends_the_call_and_answers_it():
    instance = made(CALLS, host_calls=True)
    assert instance.call("outer", 5) == instance.waiting == HostCall("env", "host", (5,))
    assert instance.resume(41) == Returned((42,)) and instance.waiting is None


def test_an_answer_must_be_of_the_right_type():
    instance = made(CALLS, host_calls=True)
    instance.call("outer", 5)
    for wrong in ((), (1, 2), ("x",)):
        with pytest.raises(TypeError, match="the result of env.host"):
            instance.resume(*wrong)
    assert instance.resume(1) == Returned((2,))


def test_within_a_call_of_the_host_nothing_can_wait():
    inner = made(CALLS, host_calls=True)
    instance = calling(inner.export("outer"))
    with pytest.raises(Stopped, match="cannot wait"):
        instance.call("outer", 1)
    assert inner.waiting is None and inner.machine.depth == instance.machine.depth == 0


# ---- fuel and time


def test_a_call_without_fuel_stops_where_it_is():
    instance = made(ENDLESS)
    assert instance.call("run", fuel=1000) == Suspended() == instance.resume(fuel=10)
    with pytest.raises(TypeError, match="waits for no results"):
        instance.resume(1)


def test_fuel_of_the_limits_is_for_every_call():
    assert made(ENDLESS, limits=Limits(fuel=100)).call("run") == Suspended()
    with pytest.raises(Stopped):
        made(f"{ENDLESS} (start 0)", limits=Limits(fuel=100))


def test_fuel_is_no_negative_number():
    with pytest.raises(ValueError, match="fuel is a whole number from 0 to"):
        made(ENDLESS).call("run", fuel=-1)


def test_a_call_ends_when_its_time_is_up():
    instance, start = made(ENDLESS), time.monotonic()
    assert instance.call("run", seconds=0.05) == Suspended(late=True) and 0.05 <= time.monotonic() - start < 5
    assert instance.resume(seconds=0) == Suspended(late=True)


def test_time_passes_in_functions_of_the_host_too():
    instance = made(
        '(import "env" "wait" (func $wait)) (func (export "run") (loop (call $wait) (br 0)))',
        {("env", "wait"): lambda: time.sleep(0.01)},
    )
    assert instance.call("run", seconds=0.05) == Suspended(late=True)


def test_calls_within_a_call_draw_on_its_fuel():
    inner, outcomes = calling(lambda _: 0), []
    instance = calling(lambda _: outcomes.append(inner.call("endless")) or 0)
    assert instance.call("outer", 1, fuel=1000).value == 1 and outcomes == [Suspended()]
    inner.abandon()
    linked = made(
        '(import "m" "endless" (func $e (result i32))) (func (export "run") (drop (call $e)))',
        {("m", "endless"): inner.export("endless")},
    )
    with pytest.raises(Stopped, match="cannot wait"):
        linked.call("run", fuel=1000)
    again = made(
        '(import "m" "endless" (func $e (result i32))) (export "run" (func $e))',
        {("m", "endless"): inner.export("endless")},
    )
    with pytest.raises(Stopped, match="cannot wait"):
        again.call("run", fuel=1000)


def test_an_instance_that_waits_is_busy():
    instance = made(ENDLESS)
    instance.call("run", fuel=1)
    with pytest.raises(Busy, match="`resume` or `abandon`"):
        instance.call("run")
    instance.abandon()
    assert instance.call("run", fuel=1) == Suspended()
    instance.abandon()
    with pytest.raises(Busy, match="no call waits"):
        instance.resume()


# ---- references between instances


TAKER = """(table (export "t") 4 externref) (table $f (export "f") 4 funcref)
  (func (export "keep") (param externref) (table.set 0 (i32.const 1) (local.get 0)))
  (func (export "put") (param funcref) (table.set $f (i32.const 0) (local.get 0)))
  (func (export "do") (result i32) (call_indirect $f (result i32) (i32.const 0)))"""
GIVER = """(import "m" "t" (table 4 externref)) (import "m" "put" (func $put (param funcref)))
  (func $pad) (func $seven (export "seven") (result i32) (i32.const 7)) (elem declare func $seven)
  (global (export "g") funcref (ref.func $seven))
  (func (export "see") (result externref) (table.get (i32.const 1)))
  (func (export "lend") (call $put (ref.func $seven)))"""


def test_a_reference_means_the_same_to_all_instances():
    taker, thing = made(TAKER), object()
    giver = made(GIVER, {("m", "t"): taker.export("t"), ("m", "put"): taker.export("put")})
    taker.call("keep", thing)
    giver.call("lend")
    assert giver.call("see").value is thing and taker.call("do").value == 7
    reader = made(
        '(import "m" "g" (global funcref)) (func (export "get") (result funcref) (global.get 0))',
        {("m", "g"): giver.export("g")},
    )
    assert reader.call("get").value is giver.export("seven")


# ---- names


def test_names_come_from_the_name_section_or_from_exports():
    assert made('(func $own (export "exported")) (func (export "second")) (func)').module.names == {
        0: "own",
        1: "second",
    }


@pytest.mark.parametrize(
    "content,found",
    [
        (b"", {}),
        (b"\4", {}),
        (b"\4nam", {}),
        (b"\4name", {}),
        (b"\4name\1", {}),
        (b"\4name\1\x7f\x7f", {}),
        (b"\4name\1\5\xff\xff\xff\xff\xff", {}),
        (b"\4name\1\x0a\1\x80\x80\x80\x80\x80\x80\0\1a", {}),
        (b"\5namex\1\4\1\0\1a", {}),
        (b"\4name\2\0\1\7\2\0\1a\1\1b", {0: "a", 1: "b"}),
        (b"\4name\0\0\1\7\2\0\1a\1\2b", {0: "a"}),
        (b"\4name\1\4\1\0\1\xff", {0: "\N{REPLACEMENT CHARACTER}"}),
    ],
)
def test_names_are_read_as_far_as_they_can_be(content, found):
    assert function_names(b"\0asm\1\0\0\0\0" + bytes([len(content)]) + content) == found
