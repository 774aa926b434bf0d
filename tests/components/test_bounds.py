"""Does a component get no more than its bounds allow, and does one thread at a time use it?"""

import threading

import pytest
from wasmtime import wat2wasm

from corollary import Busy, LimitExceeded, Limits, Stopped, Trapped
from corollary.components.component import Component, ComponentInstance
from corollary.components.linking import DEPTH, MATCHES
from corollary.components.memory import LIFTED, LONGEST
from corollary.components.resources import HANDLES, NESTED
from corollary.components.values import FLAT, PRIMITIVES, Flags, List, Option, Tuple, Variant
from corollary.run import NESTED as CALLS

MEMORY = """(component
  (import "host" (func $host))
  (core func $host (canon lower (func $host)))
  (core module $m (import "" "host" (func $host)) (memory (export "memory") {pages}) {core})
  (core instance $m (instantiate $m (with "" (instance (export "host" (func $host))))))
  (func (export "f") {type} (canon lift (core func $m "f") (memory (core memory $m "memory")) {options})))"""


def made(type_, core, pages=1, options="", host=lambda: None):
    """Return an instance with one function."""
    text = MEMORY.format(type=type_, core=core, pages=pages, options=options)
    return ComponentInstance(bytes(wat2wasm(text)), {"host": host})


def returning(at, count, fill=""):
    """Return a core function whose result is a list."""
    return (
        f'(func (export "f") (result i32) {fill} (i32.store (i32.const 0) (i32.const {at}))'
        f"(i32.store (i32.const 4) (i32.const {count})) (i32.const 0))"
    )


def test_lists_that_share_their_bytes_are_not_made_without_end():
    """A list of 8,000 lists, all of which are the same 8,000 bytes: one more level would take 512 GB."""
    fill = """(local $n i32)
      (loop
        (i32.store (i32.add (i32.const 16) (i32.mul (local.get $n) (i32.const 8))) (i32.const 16))
        (i32.store (i32.add (i32.const 20) (i32.mul (local.get $n) (i32.const 8))) (i32.const 8000))
        (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 8000))))"""
    core = returning(16, 8000, fill)
    assert len(made("(result (list (list u8)))", core).call("f")) == 8000
    with pytest.raises(Trapped, match=f"take more than {LIFTED} bytes"):
        made("(result (list (list (list u8))))", core).call("f")


@pytest.mark.parametrize("kind,size", [("u16", 2), ("bool", 1), ("(option u8)", 2)])
def test_a_list_of_many_small_things_is_not_made(kind, size):
    core = returning(0, (1 << 22) // size)
    with pytest.raises(Trapped, match=f"take more than {LIFTED} bytes"):
        made(f"(result (list {kind}))", core, pages=64).call("f")
    assert len(made("(result (list u8))", returning(0, 1 << 22), pages=64).call("f")) == 1 << 22


@pytest.mark.parametrize("parts,fits", [(1, True), (100, False)])
def test_a_list_is_as_large_as_the_objects_in_it(parts, fits):
    """A list of 50,000 lists, all of which are the same single tuple."""
    fill = """(local $n i32)
      (loop
        (i32.store (i32.add (i32.const 1024) (i32.mul (local.get $n) (i32.const 8))) (i32.const 512))
        (i32.store (i32.add (i32.const 1028) (i32.mul (local.get $n) (i32.const 8))) (i32.const 1))
        (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 50000))))"""
    instance = made(f"(result (list (list (tuple {'(option u8) ' * parts}))))", returning(1024, 50_000, fill), pages=8)
    if fits:
        assert len(instance.call("f")) == 50_000
    else:
        with pytest.raises(Trapped, match=f"take more than {LIFTED} bytes"):
            instance.call("f")


def test_a_type_knows_how_many_objects_a_value_is():
    u8, text = PRIMITIVES[0x7D], PRIMITIVES[0x73]
    many = Tuple((u8,) * 9)
    assert [each.objects for each in (u8, text, many, List(many), Flags(("a", "b")))] == [1, 1, 10, 1, 3]
    assert Option(many).objects == Variant((("a", many), ("b", u8), ("c", None))).objects == 11


def test_a_value_that_is_longer_than_all_may_be_is_a_trap():
    core = """(func (export "f") (param i32 i32))
      (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 0))"""
    instance = made('(param "x" (list u8))', core, options='(realloc (core func $m "realloc"))')
    with pytest.raises(Trapped, match="bytes are more than one value may have"):
        instance.call("f", bytes(LONGEST + 1))


def chain(count):
    """Return components of which each calls the next."""
    last = '(core module $m (func (export "g"))) (core instance $i (instantiate $m))'
    one = """(import "f" (func $f)) (core func $f (canon lower (func $f)))
      (core module $m (import "" "f" (func $f)) (func (export "g") (call $f)))
      (core instance $i (instantiate $m (with "" (instance (export "f" (func $f))))))"""
    export = '(func (export "f") (canon lift (core func $i "g")))'
    parts = [f"(component $one {one} {export}) (component $last {last} {export}) (instance $i1 (instantiate $last))"]
    parts += [f'(instance $i{n} (instantiate $one (with "f" (func $i{n - 1} "f"))))' for n in range(2, count + 1)]
    return bytes(wat2wasm(f'(component {" ".join(parts)} (export "f" (func $i{count} "f")))'))


def test_calls_of_components_are_not_nested_too_deeply():
    instance = ComponentInstance(chain(NESTED))
    assert [instance.call("f"), instance.call("f")] == [None, None]
    with pytest.raises(Trapped, match=f"nested too deeply: components call one another {NESTED} times"):
        ComponentInstance(chain(NESTED + 1)).call("f")


def test_as_many_parameters_as_there_are_places_are_passed_without_memory():
    few, many = (Tuple((PRIMITIVES[0x79],) * count) for count in (FLAT, FLAT + 1))
    assert len(few.flat) == FLAT and len(many.flat) == FLAT + 1 and many.depth == 2 and many.weight == FLAT + 2


RESOURCES = """(component
  (type $r (resource (rep i32)))
  (core func $new (canon resource.new $r))
  (core module $m (import "" "new" (func $new (param i32) (result i32)))
    (func (export "f") (loop (drop (call $new (i32.const 0))) (br 0))))
  (core instance $m (instantiate $m (with "" (instance (export "new" (func $new))))))
  (func (export "f") (canon lift (core func $m "f"))))"""


def test_handles_come_to_an_end():
    with pytest.raises((LimitExceeded, Trapped), match=f"{HANDLES} handles"):
        ComponentInstance(bytes(wat2wasm(RESOURCES))).call("f")


ITSELF = """(component
  (component $c
    (import "c" (component $c (import "c" (component))))
    (instance (instantiate $c (with "c" (component $c)))))
  (instance (instantiate $c (with "c" (component $c)))))"""


def test_a_component_that_is_given_itself_does_not_go_on_for_ever():
    with pytest.raises(LimitExceeded, match=f"more than {DEPTH} instances lie within one another"):
        ComponentInstance(bytes(wat2wasm(ITSELF)))


def doubling(depth):
    """Return a component that imports an instance of which each part has two parts, so many times."""
    types = ['(type $t0 (instance (export "a" (func))))']
    for each in range(1, depth):
        before = f"(alias outer 1 $t{each - 1} (type $t))"
        types.append(
            f'(type $t{each} (instance {before} (export "a" (instance (type $t))) (export "b" (instance (type $t)))))'
        )
    return f'(component {" ".join(types)} (import "all" (instance (type $t{depth - 1}))))'


def test_types_of_instances_that_double_are_not_matched_for_ever():
    given = {"a": lambda: None}
    for _ in range(1, 20):
        given = {"a": given, "b": given}
    with pytest.raises(LimitExceeded, match=f"more than {MATCHES} imports"):
        ComponentInstance(bytes(wat2wasm(doubling(20))), {"all": given})


def test_instances_that_double_are_not_listed_for_ever():
    text = ['(instance $i0 (export "f" (func $f)))']
    text += [
        f'(instance $i{n} (export "a" (instance $i{n - 1})) (export "b" (instance $i{n - 1})))' for n in range(1, 60)
    ]
    exports = '(export "few" (instance $i0)) (export "many" (instance $i59)) (export "f" (func $f))'
    core = '(core module $m (func (export "f") (result i32) (i32.const 7))) (core instance $m (instantiate $m))'
    function = '(func $f (result u32) (canon lift (core func $m "f")))'
    instance = ComponentInstance(bytes(wat2wasm(f"(component {core} {function} {' '.join(text)} {exports})")))
    assert [*instance.functions()] == ["few#f", "f"] and instance.call("few#f") == 7
    for name in ("many#f", "many#a#b", "few#g", "f#f", "#f", "f#", "", "nothing#f"):
        with pytest.raises(LookupError, match="there are: few#f, f"):
            instance.call(name)


def test_modules_have_the_limits_that_were_given():
    text = MEMORY.format(type="", core='(func (export "f"))', pages=9, options="")
    with pytest.raises(LimitExceeded, match="9 pages are asked for, the limit is 8"):
        ComponentInstance(bytes(wat2wasm(text)), {"host": lambda: None}, Limits(pages=8))
    with pytest.raises(LimitExceeded, match="size"):
        Component(bytes(wat2wasm(text)), Limits(size=100))


RECURSIVE = """(component
  (core module $a (table (export "t") 1 funcref) (type $t (func (param i32)))
    (func (export "g") (param i32) (call_indirect (type $t) (local.get 0) (i32.const 0))))
  (core instance $a (instantiate $a))
  (core module $b (import "a" "t" (table 1 funcref)) (import "a" "g" (func $g (param i32)))
    (func $f (export "f") (param i32) (if (local.get 0) (then (call $g (i32.sub (local.get 0) (i32.const 1))))))
    (elem (i32.const 0) $f))
  (core instance $b (instantiate $b (with "a" (instance $a))))
  (func (export "f") (param "times" u32) (canon lift (core func $b "f"))))"""


def beneath(frames, function):
    """Call a function beneath some more frames of Python."""
    return beneath(frames - 1, function) if frames else function()


@pytest.mark.parametrize("frames", [0, 200])
def test_how_deep_instances_call_one_another_is_no_matter_of_the_frames_of_python(frames):
    def deep(times):
        return ComponentInstance(bytes(wat2wasm(RECURSIVE))).call("f", times)

    deepest = next(times for times in range(CALLS, 0, -1) if works(lambda: beneath(frames, lambda: deep(times))))
    assert deepest == (CALLS - 2) // 2
    with pytest.raises(Trapped, match=f"are nested {CALLS} deep"):
        beneath(frames, lambda: deep(deepest + 1))


def works(function):
    """Does a call come to its end?"""
    try:
        function()
    except Trapped:
        return False
    return True


def test_passing_values_has_an_end():
    text = """(component
      (core module $m (memory (export "m") 64) (func (export "f") (param i32)) (func (export "g") (result i32)
        (i32.store (i32.const 0) (i32.const 8)) (i32.store (i32.const 4) (i32.const 1000000)) (i32.const 0)))
      (core instance $m (instantiate $m))
      (func (export "g") (result (list bool)) (canon lift (core func $m "g") (memory (core memory $m "m")))))"""
    instance = ComponentInstance(bytes(wat2wasm(text)))
    with pytest.raises(Stopped, match="passing values"):
        instance.call("g", seconds=0.02)


def test_all_instances_together_have_the_limits_that_were_given():
    """A memory that an instance only imports is counted once."""
    text = """(component
      (core module $m (memory (export "memory") 1)) (core module $n (import "m" "memory" (memory 1)))
      (core instance $a (instantiate $m)) (core instance (instantiate $n (with "m" (instance $a))))
      (core instance (instantiate $n (with "m" (instance $a)))) (core instance (instantiate $m)))"""
    binary = bytes(wat2wasm(text))
    assert ComponentInstance(binary, limits=Limits(memories=2, instances=5)).exports == {}
    with pytest.raises(LimitExceeded, match="2 memories are asked for, the limit is 1"):
        ComponentInstance(binary, limits=Limits(memories=1))
    with pytest.raises(LimitExceeded, match="5 instances are asked for, the limit is 4"):
        ComponentInstance(binary, limits=Limits(instances=4))


def test_a_start_function_has_an_end():
    core = '(func (export "f")) (func $begin (loop (br 0))) (start $begin)'
    binary = bytes(wat2wasm(MEMORY.format(type="", core=core, pages=1, options="")))
    for limit in ({"fuel": 1000}, {"seconds": 0.05}):
        with pytest.raises(Stopped):
            ComponentInstance(binary, {"host": lambda: None}, **limit)


def test_one_thread_at_a_time_uses_an_instance():
    inside, leave = threading.Event(), threading.Event()

    def host():
        inside.set()
        leave.wait(30)

    instance = made("", '(func (export "f") (call $host))', host=host)
    thread = threading.Thread(target=instance.call, args=("f",))
    thread.start()
    inside.wait(30)
    with pytest.raises(Busy, match="another thread"):
        instance.call("f")
    leave.set()
    thread.join()
    assert instance.call("f") is None
