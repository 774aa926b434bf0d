"""Is everything freed when nobody refers to it any more? And is it impossible to copy an object that holds memory?"""

import copy
import gc
import os
import pickle
import subprocess
import sys
import weakref

import pytest
from wasmtime import wat2wasm

from corollary import Global, Instance, Limits, Memory, Module, Pool, Suspended, Table
from corollary.spec.wasm.values import ValueType

KEY = bytes(32)
HOLDING = """(module (import "m" "f" (func $f (param externref) (result externref))) (table (export "t") 4 externref)
  (global $g (mut externref) (ref.null extern))
  (table $functions (export "functions") 4 funcref)
  (func (export "keep") (param externref) (table.set 0 (i32.const 1) (local.get 0)) (global.set $g (local.get 0)))
  (func (export "kept") (result externref) (table.get 0 (i32.const 1))) (func (export "pass") (param externref)
    (result externref) (call $f (local.get 0)))
  (func (export "take") (param funcref) (table.set $functions (i32.const 0) (local.get 0))))"""
PASSING = """(module (func (export "same") (param externref) (result externref) (local.get 0))
  (func (export "seven") (result i32) (i32.const 7)))"""
EXPORTING = """(module (memory (export "memory") 1) (table (export "table") 2 funcref) (global (export "global")
  (mut funcref) (ref.null func))
  (func (export "function") (result i32) (i32.const 3)) (elem (i32.const 0) 0))"""


class Thing:
    """An object of the host."""


# ---- no copies


COPIES = {"copy.copy": copy.copy, "copy.deepcopy": copy.deepcopy, "pickle.dumps": pickle.dumps}
OWNERS = {
    "an instance": lambda: Instance(wat2wasm(EXPORTING)),
    "a module": lambda: Module(wat2wasm(EXPORTING)),
    "a memory": lambda: Memory(1),
    "a table": lambda: Table(ValueType.FUNCREF, 1),
    "a global": lambda: Global(ValueType.I32, True, 1),
    "a function": lambda: Instance(wat2wasm(EXPORTING)).export("function"),
    "a pool": lambda: Pool(wat2wasm(EXPORTING), 1),
}


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("what", OWNERS)
def test_what_holds_memory_is_not_copied(how, what):
    with pytest.raises(
        TypeError,
        match="holds memory of this process, it cannot be copied or pickled: (take a snapshot .* )?make another",
    ):
        COPIES[how](OWNERS[what]())


# ---- nothing is kept


def test_an_instance_goes_with_its_last_user():
    """This happens at once, without the cycle collector, for every use except sharing its references."""
    gc.disable()
    try:
        module, thing = Module(wat2wasm(HOLDING)), Thing()
        instance = Instance(module, {("m", "f"): lambda value: value})
        instance.call("keep", thing)
        instance.call("pass", thing)
        assert instance.call("kept").value is thing
        gone, memory = weakref.ref(instance), weakref.ref(instance.tables[0])
        held = weakref.ref(thing)
        del instance, thing
        assert gone() is None and memory() is None and held() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("name", ["memory", "table", "global", "function"])
def test_what_is_exported_goes_with_its_last_user(name):
    instance = Instance(wat2wasm(EXPORTING))
    external, gone = instance.export(name), weakref.ref(instance)
    del instance
    gc.collect()
    assert (gone() is None) == (name == "memory")
    del external
    gc.collect()
    assert gone() is None


def test_objects_go_with_the_instance_that_keeps_them():
    instance, things = Instance(wat2wasm(HOLDING), {("m", "f"): lambda value: value}), [Thing() for _ in range(100)]
    for thing in things:
        instance.call("keep", thing)
    held = [weakref.ref(thing) for thing in things]
    del thing, things
    assert all(reference() is not None for reference in held) and instance.call("kept").value is held[-1]()
    del instance
    gc.collect()
    assert all(reference() is None for reference in held)


def test_objects_go_with_the_call_where_nothing_can_keep_them():
    instance, thing = Instance(wat2wasm(PASSING)), Thing()
    assert instance.call("same", thing).value is thing
    held = weakref.ref(thing)
    del thing
    assert held() is None


def test_objects_stay_while_a_call_waits():
    waiting = wat2wasm(
        '(module (func (export "f") (param externref) (result externref) (call 1) (local.get 0)) (func))'
    )
    instance, thing = Instance(waiting), Thing()
    assert instance.call("f", thing, fuel=0) == Suspended()
    held = weakref.ref(thing)
    del thing
    gc.collect()
    assert held() is not None
    returned = instance.resume().value is held()
    gc.collect()
    assert returned and held() is None


def test_functions_of_the_host_go_with_the_instance():
    class Host:
        """An object with a function."""

        def answer(self, thing):
            """Return the thing."""
            return thing

    host = Host()
    instance, gone = Instance(wat2wasm(HOLDING), {("m", "f"): host.answer}), weakref.ref(host)
    assert instance.call("pass", 5).value == 5
    del host
    assert gone() is not None
    del instance
    gc.collect()
    assert gone() is None


def test_who_was_given_a_function_keeps_its_instance():
    giver, taker = Instance(wat2wasm(PASSING)), Instance(wat2wasm(HOLDING), {("m", "f"): lambda value: value})
    taker.call("take", giver.export("seven"))
    gone = weakref.ref(giver)
    del giver
    gc.collect()
    assert (
        gone() is not None
        and taker.references.function(taker.references.own(taker.tables[1].room["elements"][0])).instance is gone()
    )
    del taker
    gc.collect()
    assert gone() is None


def test_a_function_is_found_by_way_of_others():
    """C's function was given to B, B put it into a table of A, and D reads it there."""
    table = "(table 2 funcref)"
    owner = Instance(wat2wasm('(module (table (export "t") 2 funcref) (func (export "x")))'))
    putting = wat2wasm(
        f"""(module (import "m" "t" {table})
          (func (export "put") (param funcref) (table.set (i32.const 1) (local.get 0))))"""
    )
    calling = wat2wasm(
        f"""(module (import "m" "t" {table}) (func (export "do") (result i32) (call_indirect (result i32)
          (i32.const 1)))
      (func (export "get") (result funcref) (table.get (i32.const 1))))"""
    )
    giver, putter = Instance(wat2wasm(PASSING)), Instance(putting, {("m", "t"): owner.export("t")})
    putter.call("put", giver.export("seven"))
    reader = Instance(calling, {("m", "t"): owner.export("t")})
    gone = weakref.ref(giver)
    del giver, putter, owner
    gc.collect()
    assert reader.call("do").value == 7 and reader.call("get").value.instance is gone()
    del reader
    gc.collect()
    assert gone() is None


def test_an_object_in_a_shared_table_is_found_by_all():
    owner, thing = Instance(wat2wasm(HOLDING), {("m", "f"): lambda value: value}), Thing()
    reader = Instance(
        wat2wasm(
            """(module (import "m" "t" (table 4 externref)) (func (export "see") (result externref) (table.get
              (i32.const 1)))
      (func (export "keep") (param externref) (table.set (i32.const 1) (local.get 0))))"""
        ),
        {("m", "t"): owner.export("t")},
    )
    owner.call("keep", thing)
    assert reader.call("see").value is thing
    other = Thing()
    reader.call("keep", other)
    assert owner.call("kept").value is other


def test_users_of_a_shared_memory_do_not_add_up():
    memory, module = Memory(1, 1), Module(wat2wasm('(module (import "m" "m" (memory 1 1)))'))
    kept = [Instance(module, {("m", "m"): memory}) for _ in range(5)]
    assert len(memory.importers) == 5
    del kept
    gc.collect()
    assert len(memory.importers) == 0 == len(memory.kept)


def test_an_instance_may_be_kept_once_nobody_else_has_its_memory():
    owner = Instance(wat2wasm('(module (memory (export "m") 1))'))
    user = Instance(wat2wasm('(module (import "m" "m" (memory 1)))'), {("m", "m"): owner.export("m")})
    with pytest.raises(Exception, match="others have memory 0"):
        owner.snapshot(KEY)
    del user
    gc.collect()
    assert owner.snapshot(KEY)


MEMORY = '(memory (export "memory") 1) (data (i32.const 100) "x")'
MANY = """
import mmap
from tests.corollary.test_ownership import *
module, sizes = Module(wat2wasm(HOLDING.replace("(table", MEMORY + " (table", 1))), []
for number in range(10_000):
    instance = Instance(module, {("m", "f"): lambda value: value})
    instance.call("keep", Thing())
    instance.call("pass", [bytes(10_000)])
    instance.export("memory").write(0, b"x" * 20_000)
    if number % 1000 == 999:
        sizes.append(int(open("/proc/self/statm").read().split()[1]) * mmap.PAGESIZE)
print(*sizes)
"""


def test_ten_thousand_instances_take_no_more_than_a_thousand():
    done = subprocess.run([sys.executable, "-c", MANY], capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, done.stderr
    sizes = [int(size) for size in done.stdout.split()]
    assert len(sizes) == 10 and max(sizes) - sizes[0] < 4 << 20, sizes


def test_limits_are_values():
    assert copy.deepcopy(Limits(pages=5)) == pickle.loads(pickle.dumps(Limits(pages=5))) == Limits(pages=5)
