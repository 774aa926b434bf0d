"""Do the first steps of a module leave what wasmtime leaves? Also where they trap half-way."""

import random

import pytest
import wasmtime
from wasmtime import wat2wasm

from corollary import Global, Instance, Trapped
from corollary.spec.wasm.values import ValueType

MODULES = 100  # for each seed
PAGE = 1 << 16
ITEMS = ("(ref.func $one)", "(ref.func $two)", "(ref.func $tell)", "(ref.null func)")
STEPS = (  # of the start function; `{}` is a small number
    "(call $tell (i32.const {}))",
    "(memory.init $passive (i32.const 65531) (i32.const {}) (i32.const {}))",
    "(data.drop $passive)",
    "(elem.drop $kept)",
    "(table.init $own $kept (i32.const {}) (i32.const 0) (i32.const {}))",
    "(i32.store8 (i32.const 3) (i32.const 77))",
    "(call $tell (call_indirect $own (type $number) (i32.const {})))",
    "(call $tell (memory.grow (i32.const {})))",
    "(call $tell (table.grow $own (ref.null func) (i32.const {})))",
    "(unreachable)",
    "(global.set $wide (i64.const {}))",
    "(call $tell (ref.is_null (table.get $objects (i32.const {}))))",
)
FIXED = """(table $objects 2 externref)
  (global $copy i32 (global.get $base)) (global $wide (mut i64) (i64.const -3))
  (global $function (mut funcref) (ref.func $one))
  (elem $kept funcref (ref.func $one) (ref.func $two)) (elem declare func $one) (data $passive "passive")
  (func $one (result i32) (i32.const 11)) (func $two (result i32) (i32.add (i32.const 22) (global.get $copy)))
  (func (export "at") (param i32) (result i32) (call_indirect $own (type $number) (local.get 0)))
  (func (export "wide") (result i64) (global.get $wide))
  (func (export "function") (result i32)
    (table.set $own (i32.const 0) (global.get $function)) (call_indirect $own (type $number) (i32.const 0)))
  (func (export "size") (result i32) (table.size $own))"""
HOST = wat2wasm("""(module (memory (export "memory") 1 4) (table (export "table") 4 funcref)
  (type $number (func (result i32)))
  (func (export "at") (param i32) (result i32) (call_indirect (type $number) (local.get 0))))""")
ASKED = (("again", ()), *(("at", (place,)) for place in range(8)), ("wide", ()), ("function", ()), ("size", ()))
REASONS = (  # wasmtime has one trap for what is beyond a table
    ("out of bounds table", "undefined element"),
    ("undefined element", "undefined element"),
    ("uninitialized element", "uninitialized element"),
    ("indirect call type", "indirect call type"),
    ("out of bounds memory", "out of bounds memory"),
    ("unreachable", "unreachable"),
)


# ---- modules


def module(chosen):
    """Return a module, and the imported global on which its segments depend."""
    size = chosen.randint(0, 6)
    parts = [
        "(type $number (func (result i32)))",
        '(import "host" "base" (global $base i32)) (import "host" "memory" (memory 1 4))',
        '(import "host" "table" (table $shared 4 funcref)) (import "host" "tell" (func $tell (param i32)))',
        f"(table $own {size} {size + chosen.randint(0, 5)} funcref)",
        FIXED,
        *(elements(chosen, size) for _ in range(chosen.randint(0, 3))),
        *(data(chosen) for _ in range(chosen.randint(0, 3))),
    ]
    steps = " ".join(each.format(*(chosen.randint(0, 5) for _ in range(2))) for each in chosen.choices(STEPS, k=3))
    parts.append(f'(func $begin (export "again") {steps})')
    parts += ["(start $begin)"] if chosen.random() < 0.7 else []
    return wat2wasm(f"(module {' '.join(parts)})"), chosen.choice((0, 0, 0, 2, PAGE - 2, PAGE))


def offset(chosen, size):
    """Return an offset that is often near the end of what has a size."""
    number = chosen.choice((0, 0, 1, max(size - 2, 0), size, -1))
    return chosen.choice((f"(i32.const {number})", f"(i32.const {number})", "(global.get $base)"))


def elements(chosen, size):
    """Return an active element segment."""
    table, size = chosen.choice((("$shared", 4), ("$own", size)))
    items = " ".join(chosen.choices(ITEMS, k=chosen.randint(0, 3)))
    return f"(elem (table {table}) (offset {offset(chosen, size)}) funcref {items})"


def data(chosen):
    """Return an active data segment."""
    content = "".join(f"\\{byte:02x}" for byte in chosen.randbytes(chosen.choice((0, 1, 4, 30))))
    return f'(data (offset {offset(chosen, PAGE)}) "{content}")'


# ---- what each engine makes of them


def reason(message):
    """Return what both engines call a trap."""
    return next(name for start, name in REASONS if start in message)


def told(calls, traps, message):
    """Return the result of each call, or why it trapped."""
    results = []
    for call in calls:
        try:
            results.append(call())
        except traps as trap:
            results.append(reason(message(trap)))
    return results


def ours(binary, base):
    """Return what was told meanwhile, what calls answer afterwards, and the memory that is left."""
    host, seen, made = Instance(HOST), [], []
    imports = {("host", name): host.export(name) for name in ("memory", "table")}
    imports |= {("host", "base"): Global(ValueType.I32, False, base), ("host", "tell"): seen.append}

    def asked(instance, name, given):
        return lambda: instance.call(name, *given).value

    def told_of(calls):
        return told(calls, Trapped, lambda trap: trap.message)

    begun = told_of([lambda: made.append(Instance(binary, imports))])
    answers = told_of(asked(each, name, given) for each in made for name, given in ASKED)
    shared = told_of(asked(host, "at", (place,)) for place in range(5))
    return begun, answers, shared, seen, bytes(host.export("memory").view())


def theirs(binary, base):
    """Return the same of wasmtime."""
    store, seen, made = wasmtime.Store(), [], []
    host = wasmtime.Instance(store, wasmtime.Module(store.engine, HOST), []).exports(store)
    number = wasmtime.ValType.i32()
    constant = wasmtime.Global(store, wasmtime.GlobalType(number, False), wasmtime.Val.i32(base))
    tell = wasmtime.Func(store, wasmtime.FuncType([number], []), seen.append)
    imports = [constant, host["memory"], host["table"], tell]

    def begin():
        made.append(wasmtime.Instance(store, wasmtime.Module(store.engine, binary), imports).exports(store))

    def asked(exports, name, given):
        return lambda: exports[name](store, *given)

    def told_of(calls):
        return told(calls, wasmtime.Trap, lambda trap: trap.message)

    begun = told_of([begin])
    answers = told_of(asked(each, name, given) for each in made for name, given in ASKED)
    shared = told_of(asked(host, "at", (place,)) for place in range(5))
    memory = host["memory"]
    assert isinstance(memory, wasmtime.Memory)
    return begun, answers, shared, seen, bytes(memory.read(store, 0, memory.data_len(store)))


@pytest.mark.parametrize("seed", range(4))
def test_the_first_steps_leave_what_they_leave_in_wasmtime(seed):
    chosen, ends = random.Random(seed), set()
    for _ in range(MODULES):
        binary, base = module(chosen)
        made = ours(binary, base)
        assert made == theirs(binary, base), (binary, base)
        ends.add(made[0][0])
    assert {None, "undefined element", "out of bounds memory", "unreachable"} <= ends


def test_a_segment_that_writes_elsewhere_would_be_noticed():
    text = '(module (import "host" "base" (global i32)) (import "host" "memory" (memory 1)) (import "host" "table"' + (
        ' (table 4 funcref)) (import "host" "tell" (func (param i32))) (data (i32.const {}) "a") {} {})'
    )
    functions = " ".join(f'(func (export "{name}"))' for name in ("again", "wide", "function", "size"))
    one, other = (wat2wasm(text.format(place, functions, '(func (export "at") (param i32))')) for place in (7, 8))
    assert ours(one, 0) == theirs(one, 0) != theirs(other, 0)
