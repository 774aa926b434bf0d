"""Do limits apply to what a module requests at its start? Are things too large to hold refused before they are made?"""

import math
import resource
import subprocess
import sys
import time

import pytest
from wasmtime import wat2wasm

from corollary import (
    Global,
    Instance,
    LimitExceeded,
    Limits,
    Memory,
    Module,
    Refused,
    Returned,
    SnapshotRefused,
    Table,
    TooLarge,
)
from corollary.limits import MOST
from corollary.spec.wasm.values import ValueType
from tests.wasm.binary import section, unsigned

KEY = bytes(32)


def made(text, **limits):
    """Return an instance of a module given as text, within limits."""
    return Instance(wat2wasm(f"(module {text})"), limits=Limits(**limits))


# ---- what a module requests at its start


ASKED = {
    "pages": ("(memory 11)", 11),
    "a whole address space": ("(memory 65536)", 65_536, "pages"),
    "elements": ("(table 11 funcref)", 11),
    "all tables": ("(table 6 funcref) (table 5 externref)", 11, "elements"),
    "tables": ("(table 0 funcref)" * 11, 11),
    "globals": ("(global i32 (i32.const 0))" * 11, 11),
    "functions": ("(func)" * 11, 11),
}


@pytest.mark.parametrize("what", ASKED)
def test_what_a_module_asks_for_is_bound(what):
    text, asked, *name = ASKED[what]
    (name,) = name or [what]
    module = Module(wat2wasm(f"(module {text})"))
    with pytest.raises(LimitExceeded, match=f"{asked} {name} are asked for, the limit is {asked - 1}"):
        Instance(module, limits=Limits(**{name: asked - 1}))
    Instance(module, limits=Limits(**{name: asked}))


@pytest.mark.parametrize(
    "name,text", [("tables", "(table 0 funcref)"), ("globals", "(global i32 (i32.const 0))"), ("functions", "(func)")]
)
def test_a_module_is_not_even_decoded_beyond_its_limits(name, text):
    binary = wat2wasm(f"(module {text * 11})")
    with pytest.raises(LimitExceeded, match=name):
        Module(binary, Limits(**{name: 10}))
    assert Module(binary, Limits(**{name: 11})).value.counts.types <= 1


def test_a_module_may_have_so_many_bytes():
    binary = wat2wasm("(module)")
    Module(binary, Limits(size=len(binary)))
    with pytest.raises(LimitExceeded, match="8 size are asked for"):
        Module(binary, Limits(size=len(binary) - 1))


def test_the_stack_is_bound():
    text = (
        '(func $f (export "f") (param i32) (if (local.get 0) (then (call $f (i32.sub (local.get 0) (i32.const 1))))))'
    )
    depth = next(depth for depth in range(1000) if not returns(made(text, slots=100), depth))
    assert 10 < depth < 100 and returns(made(text, slots=1000), depth)
    assert not returns(made(text, slots=0), 0)


def returns(instance, *arguments):
    """Does a call return?"""
    try:
        return instance.call("f", *arguments) == Returned(())
    except Exception as problem:
        assert "stack" in str(problem)
        return False


# ---- growth


GROWING = '(memory 1) (func (export "f") (param i32) (result i32) (memory.grow (local.get 0)))'
TABLES = """(table $a 1 funcref) (table $b 1 4 funcref) (table $c 2 2 funcref) (func (export "a") (param i32)
  (result i32) (table.grow $a (ref.null func) (local.get 0)))
  (func (export "b") (param i32) (result i32) (table.grow $b (ref.null func) (local.get 0)))"""


def test_growth_ends_at_the_limit():
    instance = made(GROWING, pages=3)
    assert [instance.call("f", count).value for count in (3, 1, 2, 1, 1, 0)] == [-1, 1, -1, 2, -1, 3]


@pytest.mark.parametrize("elements", [4, 5, 10, 100])
def test_tables_grow_to_the_limit_together(elements):
    instance = made(TABLES, elements=elements)
    while instance.call("a", 1).value != -1 or instance.call("b", 1).value != -1:
        pass
    sizes = [table.size for table in instance.tables]
    assert sum(sizes) <= elements and sizes[1] <= 4 and sizes[2] == 2
    assert elements == 4 or sizes[0] + 1 >= 1 + (elements - 4) // 2


def test_growth_costs_nothing_until_it_is_used():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kept = [made(GROWING) for _ in range(50)]
    assert all(instance.call("f", 60_000).value == 1 for instance in kept)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * 1024


# ---- what is not limited


@pytest.mark.parametrize("name", MOST)
@pytest.mark.parametrize(
    "value,error",
    [
        (-1, ValueError),
        (-(1 << 70), ValueError),
        (1 << 70, ValueError),
        (math.nan, TypeError),
        (math.inf, TypeError),
        (1.0, TypeError),
        ("1", TypeError),
        (True, TypeError),
        ([], TypeError),
    ],
)
def test_what_is_no_limit_is_refused(name, value, error):
    with pytest.raises(error, match=rf"Limits\({name}=...\) is a whole number from 0 to {MOST[name]}, not "):
        Limits(**{name: value})


def test_only_fuel_may_be_any():
    assert Limits(fuel=None).fuel is None
    for name in MOST.keys() - {"fuel"}:
        with pytest.raises(TypeError):
            Limits(**{name: None})
    assert all(getattr(Limits(**{name: most}), name) == most for name, most in MOST.items())


@pytest.mark.parametrize(
    "make",
    [
        lambda value: Memory(value),
        lambda value: Memory(0, value),
        lambda value: Memory(0, limit=value),
        lambda value: Table(ValueType.FUNCREF, value),
        lambda value: Table(ValueType.FUNCREF, 0, value),
        lambda value: Table(ValueType.FUNCREF, 0, limit=value),
    ],
)
@pytest.mark.parametrize("value", [-1, 1 << 40, math.nan, "1", True])
def test_what_is_no_size_is_refused(make, value):
    with pytest.raises((ValueError, TypeError), match="is a whole number from 0 to"):
        make(value)


def test_a_size_must_be_possible():
    for make in (lambda: Memory(2, 1), lambda: Table(ValueType.FUNCREF, 2, 1)):
        with pytest.raises(ValueError, match="of 2 that may have 1 at most"):
            make()
    for make in (lambda: Memory(2, limit=1), lambda: Table(ValueType.FUNCREF, 2, limit=1)):
        with pytest.raises(LimitExceeded):
            make()
    memory = Memory(1, 3)
    assert memory.grow(2) == 1 and memory.pages == 3
    with pytest.raises(LimitExceeded, match="has 3 of 3 pages"):
        memory.grow(1)


# ---- what the host cannot hold


def many(kind, count, entry):
    """Return a module with a section of this many entries."""
    return b"\0asm\1\0\0\0" + section(kind, unsigned(count) + entry * count)


def functions(count):
    """Return a module with this many functions that do nothing."""
    return (
        b"\0asm\1\0\0\0"
        + section(1, b"\1\x60\0\0")
        + section(3, unsigned(count) + bytes(count))
        + section(10, unsigned(count) + b"\2\0\x0b" * count)
    )


HUGE = {
    "30,000 tables": many(4, 30_000, b"\x70\0\0"),
    "a table of 4 G elements": many(4, 1, b"\x70\0\xff\xff\xff\xff\x0f"),
    "100 large tables": many(4, 100, b"\x70\0\xff\xff\xff\x7f"),
    "5 M functions": functions(5_000_000),
    "2 M globals": many(6, 2_000_000, b"\x7f\0\x41\0\x0b"),
}


@pytest.mark.parametrize("what", HUGE)
def test_what_the_host_cannot_hold_is_refused_at_once(what):
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    with pytest.raises(LimitExceeded):
        Instance(HUGE[what])
    assert (
        time.process_time() - start < 1
        and resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024 + 2 * len(HUGE[what]) // 1024
    )


def test_without_such_limits_the_machine_says_no():
    module, wide = Module(HUGE["a table of 4 G elements"]), Limits(elements=MOST["elements"])
    with pytest.raises(LimitExceeded, match="this machine has no room for"):
        assert not [Instance(module, limits=wide) for _ in range(5000)]
    assert Instance(module, limits=wide).tables[0].size == MOST["elements"]


ORDINARY = """(module (memory 1 10) (table 10 funcref) (global i32 (i32.const 1)) (data (i32.const 0) "x")
  (elem (i32.const 0) 0) (func (export "f")))"""
STARVED = """
import mmap, resource, sys
from tests.corollary.test_limits import *
room, module, small = int(sys.argv[1]), wat2wasm(ORDINARY), Limits(pages=10, elements=100, slots=1000)
large = bytes(room)
Instance(module).call("f")
used = int(open("/proc/self/statm").read().split()[0]) * mmap.PAGESIZE
resource.setrlimit(resource.RLIMIT_AS, (used + room, used + room))
ended = set()
for make in (lambda: Instance(module).call("f"), lambda: Module(functions(20_000)), lambda: Memory(100),
             lambda: Table(ValueType.FUNCREF, 1000), lambda: Instance(module, limits=small).call("f"),
             lambda: Module(large)):
    try:
        make()
        ended.add("made")
    except (LimitExceeded, Refused) as problem:
        ended.add(LimitExceeded.__name__ if isinstance(problem, LimitExceeded) else "refused")
print(*sorted(ended))
"""


@pytest.mark.parametrize("room", [1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28])
def test_a_machine_without_room_refuses_with_the_same_exception(room):
    done = subprocess.run([sys.executable, "-c", STARVED, str(room)], capture_output=True, text=True)
    assert done.returncode == 0 and "LimitExceeded" in done.stdout, (done.stdout, done.stderr[-2000:])


def test_a_snapshot_must_be_within_the_limits_too():
    module = wat2wasm(f"(module {GROWING})")
    instance = Instance(module)
    instance.call("f", 9)
    data = instance.snapshot(KEY)
    assert Instance.restore(module, data, KEY, limits=Limits(pages=10)).memories[0].pages == 10
    with pytest.raises(SnapshotRefused):
        Instance.restore(module, data, KEY, limits=Limits(pages=9))


def test_what_is_too_large_for_the_implementation_is_of_the_same_kind():
    with pytest.raises(LimitExceeded) as refused:
        Module(wat2wasm(f"(module (func {'(block ' * 5000} {')' * 5000}))"))
    assert isinstance(refused.value, TooLarge) and isinstance(refused.value, Refused)


def test_an_instance_holds_so_many_objects():
    instance = made(
        '(func (export "f") (param externref externref) (result externref) (local.get 1)) (table 9 externref)',
        objects=2,
    )
    things = [object(), object(), object()]
    assert instance.call("f", things[0], things[1]).value is things[1]
    with pytest.raises(LimitExceeded, match="3 objects are asked for, the limit is 2"):
        instance.call("f", things[0], things[2])
    assert Global(ValueType.I32, False, 5).bits == 5


@pytest.mark.parametrize("type_,bits", [("I32", -8), ("I32", 1 << 32), ("F32", 1 << 32), ("I64", 1 << 64), ("I64", -1)])
def test_a_global_has_no_more_bits_than_its_type(type_, bits):
    with pytest.raises(ValueError, match="the value of a Global, an .* is a whole number from 0 to"):
        Global(ValueType[type_], False, bits)
    with pytest.raises(TypeError):
        Global(ValueType[type_], False, 1.5)
    assert Global(ValueType[type_], False, 0).bits == 0
