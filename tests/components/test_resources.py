"""Do handles mean what they should, here and in wasmtime? What is not owned cannot be used, and a loan has an end."""

import threading

import pytest
import wasmtime
from wasmtime import wat2wasm

from corollary import Busy, Limits, Stopped, Trapped
from corollary.components.component import ComponentInstance
from tests.components import peer

TWO = """(component
  (component $maker
    (core module $m
      (global $dropped (mut i32) (i32.const 0))
      (func (export "drop") (param i32) (global.set $dropped (i32.add (global.get $dropped) (local.get 0))))
      (func (export "dropped") (result i32) (global.get $dropped)))
    (core instance $m (instantiate $m))
    (type $r' (resource (rep i32) (dtor (core func $m "drop"))))
    (export $r "r" (type $r'))
    (core func $new (canon resource.new $r'))
    (core func $rep (canon resource.rep $r'))
    (core func $give-up (canon resource.drop $r'))
    (core module $n
      (import "" "new" (func $new (param i32) (result i32)))
      (import "" "rep" (func $rep (param i32) (result i32)))
      (import "" "drop" (func $drop (param i32)))
      (func (export "make") (param i32) (result i32) (call $new (local.get 0)))
      (func (export "see") (param i32) (result i32) (local.get 0))
      (func (export "eat") (param i32) (result i32) (call $rep (local.get 0)) (call $drop (local.get 0)))
      (func (export "both") (param i32 i32) (result i32) (i32.const 0)))
    (core instance $n (instantiate $n (with "" (instance
      (export "new" (func $new)) (export "rep" (func $rep)) (export "drop" (func $give-up))))))
    (func (export "make") (param "x" u32) (result (own $r)) (canon lift (core func $n "make")))
    (func (export "see") (param "x" (borrow $r)) (result u32) (canon lift (core func $n "see")))
    (func (export "eat") (param "x" (own $r)) (result u32) (canon lift (core func $n "eat")))
    (func (export "both") (param "x" (borrow $r)) (param "y" (own $r)) (result u32)
      (canon lift (core func $n "both")))
    (func (export "dropped") (result u32) (canon lift (core func $m "dropped"))))
  (component $user
    (import "r" (type $r (sub resource)))
    (import "other" (type $other (sub resource)))
    (import "make" (func $make (param "x" u32) (result (own $r))))
    (import "see" (func $see (param "x" (borrow $r)) (result u32)))
    (import "eat" (func $eat (param "x" (own $r)) (result u32)))
    (import "both" (func $both (param "x" (borrow $r)) (param "y" (own $r)) (result u32)))
    (import "make-other" (func $make-other (param "x" u32) (result (own $other))))
    (core func $make (canon lower (func $make)))
    (core func $see (canon lower (func $see)))
    (core func $eat (canon lower (func $eat)))
    (core func $both (canon lower (func $both)))
    (core func $make-other (canon lower (func $make-other)))
    (core func $drop (canon resource.drop $r))
    (core module $m
      (import "" "make" (func $make (param i32) (result i32)))
      (import "" "see" (func $see (param i32) (result i32)))
      (import "" "eat" (func $eat (param i32) (result i32)))
      (import "" "both" (func $both (param i32 i32) (result i32)))
      (import "" "make-other" (func $make-other (param i32) (result i32)))
      (import "" "drop" (func $drop (param i32)))
      (func (export "borrowing") (param $b i32) (result i32) {borrowing})
      (func (export "run") (result i32) (local $h i32) {code}))
    (core instance $m (instantiate $m (with "" (instance (export "make" (func $make)) (export "see" (func $see))
      (export "eat" (func $eat)) (export "both" (func $both)) (export "make-other" (func $make-other))
      (export "drop" (func $drop))))))
    (func (export "borrowing") (param "x" (borrow $r)) (result u32) (canon lift (core func $m "borrowing")))
    (func (export "run") (result u32) (canon lift (core func $m "run"))))
  (instance $maker (instantiate $maker))
  (instance $another (instantiate $maker))
  (instance $user (instantiate $user (with "r" (type $maker "r")) (with "other" (type $another "r"))
    (with "make" (func $maker "make")) (with "see" (func $maker "see")) (with "eat" (func $maker "eat"))
    (with "both" (func $maker "both")) (with "make-other" (func $another "make"))))
  (export $r "r" (type $maker "r"))
  (export "make" (func $maker "make") (func (param "x" u32) (result (own $r))))
  (export "borrowing" (func $user "borrowing") (func (param "x" (borrow $r)) (result u32)))
  (export "dropped" (func $maker "dropped"))
  (export "run" (func $user "run")))"""
MAKE = "(local.set $h (call $make (i32.const 7)))"
GOOD = {
    "it is seen inside by its owner": (f"{MAKE} (call $see (local.get $h))", 7, 0),
    "it is passed on": (f"{MAKE} (call $eat (local.get $h))", 7, 7),
    "it is dropped": (f"{MAKE} (call $drop (local.get $h)) (i32.const 1)", 1, 7),
    "numbers are used again": (
        f"{MAKE} (call $drop (local.get $h)) (i32.sub (call $make (i32.const 5)) (local.get $h))",
        0,
        7,
    ),
}
BAD = {
    "there is none": ("(call $see (i32.const 0))", "0 is no handle"),
    "there is none yet": ("(call $see (i32.const 9))", "9 is no handle"),
    "it was passed on": (f"{MAKE} (drop (call $eat (local.get $h))) (call $see (local.get $h))", "is no handle"),
    "it was dropped": (f"{MAKE} (call $drop (local.get $h)) (call $eat (local.get $h))", "is no handle"),
    "it is dropped twice": (
        f"{MAKE} (call $drop (local.get $h)) (call $drop (local.get $h)) (i32.const 0)",
        "is no handle",
    ),
    "it has another type": ("(call $see (call $make-other (i32.const 1)))", "is a resource of byte"),
    "it is lent and passed on at once": (f"{MAKE} (call $both (local.get $h) (local.get $h))", "is lent"),
}
LOANS = {
    "it is dropped in time": ("(call $drop (local.get $b)) (i32.const 1)", None),
    "it is lent again": ("(call $see (local.get $b)) (call $drop (local.get $b))", None),
    "it is kept": ("(i32.const 1)", "were not dropped before the call ended"),
    "it is passed on": ("(call $eat (local.get $b))", "is borrowed: it cannot be passed on"),
}


def component(code="(i32.const 0)", borrowing="(i32.const 0)"):
    """Return two components, of which one has resources of the other."""
    return bytes(wat2wasm(TWO.format(code=code, borrowing=borrowing)))


@pytest.mark.parametrize("what", GOOD)
def test_a_handle_is_used_as_it_should(what):
    code, wanted, dropped = GOOD[what]
    instance = ComponentInstance(component(code))
    assert instance.call("run") == wanted == peer.called(component(code), {}, "run", ())
    assert instance.call("dropped") == dropped


@pytest.mark.parametrize("what", BAD)
def test_a_handle_that_is_wrong_is_a_trap(what):
    code, why = BAD[what]
    with pytest.raises((wasmtime.Trap, wasmtime.WasmtimeError)):
        peer.called(component(code), {}, "run", ())
    with pytest.raises(Trapped, match=why):
        ComponentInstance(component(code)).call("run")


@pytest.mark.parametrize("what", LOANS)
def test_a_loan_ends_with_its_call(what):
    borrowing, why = LOANS[what]
    instance = ComponentInstance(component(borrowing=borrowing))
    held = instance.call("make", 7)
    if why is None:
        assert instance.call("borrowing", held) in (1, 7)
        held.drop()
        assert instance.call("dropped") == 7
    else:
        with pytest.raises(Trapped, match=why):
            instance.call("borrowing", held)


def test_a_resource_that_was_given_up_is_refused():
    instance = ComponentInstance(component())
    held = instance.call("make", 7)
    held.drop()
    for use in (held.drop, lambda: instance.call("borrowing", held)):
        with pytest.raises(ValueError, match="was passed on"):
            use()
    with pytest.raises(TypeError, match="x of borrowing is a resource"):
        instance.call("borrowing", 1)


OWNER = """(component
  (import "host" (func $host))
  (core func $host (canon lower (func $host)))
  (core module $m
    (global $dropped (mut i32) (i32.const 0))
    (func (export "drop") (param i32) (global.set $dropped (i32.add (global.get $dropped) (i32.const 1))) {dropping})
    (func (export "dropped") (result i32) (global.get $dropped)))
  (core instance $m (instantiate $m))
  (type $r' (resource (rep i32) (dtor (core func $m "drop"))))
  (export $r "r" (type $r'))
  (core func $new (canon resource.new $r'))
  (core func $give-up (canon resource.drop $r'))
  (core module $n
    (import "" "drop" (func $drop (param i32)))
    (import "" "host" (func $host))
    (func (export "eat") (param i32 i32) (call $drop (local.get 0)) (call $drop (local.get 1)))
    (func (export "both") (param i32 i32) (call $drop (local.get 0)))
    (func (export "busy") (call $host)))
  (core instance $n (instantiate $n (with "" (instance (export "drop" (func $give-up)) (export "host" (func $host))))))
  (func (export "make") (param "x" u32) (result (own $r)) (canon lift (core func $new)))
  (func (export "eat") (param "x" (own $r)) (param "y" (own $r)) (canon lift (core func $n "eat")))
  (func (export "both") (param "x" (own $r)) (param "y" (borrow $r)) (canon lift (core func $n "both")))
  (func (export "busy") (canon lift (core func $n "busy")))
  (func (export "dropped") (result u32) (canon lift (core func $m "dropped"))))"""
USER = """(component
  (import "r" (type $r (sub resource)))
  (import "host" (func $host (param "x" (borrow $r))))
  (core func $host (canon lower (func $host)))
  (core func $drop (canon resource.drop $r))
  (core module $m
    (import "" "host" (func $host (param i32)))
    (import "" "drop" (func $drop (param i32)))
    (func (export "use") (param i32) (call $host (local.get 0)) (call $drop (local.get 0))))
  (core instance $m (instantiate $m (with "" (instance (export "host" (func $host)) (export "drop" (func $drop))))))
  (func (export "use") (param "x" (borrow $r)) (canon lift (core func $m "use"))))"""


def owner(host=lambda: None, dropping="", limits=Limits()):
    """Return an instance that has resources."""
    return ComponentInstance(bytes(wat2wasm(OWNER.replace("{dropping}", dropping))), {"host": host}, limits)


def user(of, host):
    """Return an instance that shows the host what it borrows."""
    return ComponentInstance(bytes(wat2wasm(USER)), {"r": of.exports["r"], "host": host})


@pytest.mark.parametrize("name", ["eat", "both"])
def test_a_resource_is_passed_on_once(name):
    instance = owner()
    held, other = instance.call("make", 7), instance.call("make", 7)
    with pytest.raises(ValueError, match=f"{name} passes a resource .* on that is there once more"):
        instance.call(name, held, held)
    assert instance.call("dropped") == 0
    instance.call(name, held, other)
    assert instance.call("dropped") == (2 if name == "eat" else 1)


def test_what_the_host_borrows_it_has_until_the_call_ends():
    instance, seen = owner(), []

    def host(borrowed):
        for use in (borrowed.drop, lambda: instance.call("eat", borrowed, other)):
            with pytest.raises(ValueError, match="was only borrowed: only its owner passes it on"):
                use()
        seen.append(borrowed)

    held, other = instance.call("make", 7), instance.call("make", 7)
    user(instance, host).call("use", held)
    for use in (seen[0].drop, lambda: instance.call("both", other, seen[0])):
        with pytest.raises(ValueError, match="was only borrowed, for a call that is over"):
            use()
    held.drop()
    assert instance.call("dropped") == 1


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_lent_is_not_passed_on(fails):
    instance = owner()
    held, other = instance.call("make", 7), instance.call("make", 7)

    def host(borrowed):
        for use in (held.drop, lambda: instance.call("eat", other, held)):
            with pytest.raises(ValueError, match="is lent to a call: wait"):
                use()
        if fails:
            raise OSError

    using = user(instance, host)
    if fails:
        with pytest.raises(Trapped, match="OSError"):
            using.call("use", held)
    else:
        using.call("use", held)
    held.drop()
    assert instance.call("dropped") == 1


def test_what_cannot_be_dropped_now_is_not_lost():
    def host():
        with pytest.raises(Trapped, match="in the middle of a call"):
            held.drop()

    instance = owner(host)
    held = instance.call("make", 7)
    instance.call("busy")
    held.drop()
    assert instance.call("dropped") == 1


def test_another_thread_drops_nothing_during_a_call():
    inside, leave = threading.Event(), threading.Event()

    def host():
        inside.set()
        leave.wait(30)

    instance = owner(host)
    held = instance.call("make", 7)
    thread = threading.Thread(target=instance.call, args=("busy",))
    thread.start()
    inside.wait(30)
    with pytest.raises(Busy, match="another thread"):
        held.drop()
    leave.set()
    thread.join()
    held.drop()
    assert instance.call("dropped") == 1


def test_what_is_dropped_has_the_fuel_of_a_call():
    held = owner(dropping="(loop (br 0))", limits=Limits(fuel=1000)).call("make", 7)
    with pytest.raises(Stopped, match="a component cannot go on later"):
        held.drop()


class File:
    """A resource of the host."""

    def __init__(self, name):
        self.name = name


HOST = """(component
  (import "files" (instance $files
    (export "file" (type $file (sub resource)))
    (export "open" (func (param "name" u32) (result (own $file))))
    (export "[method]file.name" (func (param "self" (borrow $file)) (result u32)))))
  (alias export $files "file" (type $file))
  (core func $open (canon lower (func $files "open")))
  (core func $name (canon lower (func $files "[method]file.name")))
  (core func $drop (canon resource.drop $file))
  (core module $m
    (import "" "open" (func $open (param i32) (result i32)))
    (import "" "name" (func $name (param i32) (result i32)))
    (import "" "drop" (func $drop (param i32)))
    (func (export "run") (result i32) (local $h i32)
      (local.set $h (call $open (i32.const 41)))
      (i32.add (call $name (local.get $h)) (local.get $h))
      (call $drop (local.get $h))))
  (core instance $m (instantiate $m (with "" (instance
    (export "open" (func $open)) (export "name" (func $name)) (export "drop" (func $drop))))))
  (func (export "run") (result u32) (canon lift (core func $m "run"))))"""


def test_resources_of_the_host_are_objects_of_python():
    files = {"file": File, "open": File, "[method]file.name": lambda file: file.name}
    instance = ComponentInstance(bytes(wat2wasm(HOST)), {"files": files})
    assert instance.call("run") == 42


def test_what_the_host_gives_for_another_class_is_a_trap():
    files = {"file": File, "open": lambda name: "a text", "[method]file.name": lambda file: 0}
    with pytest.raises(Trapped, match="the result of files#open is a File: 'a text' is none"):
        ComponentInstance(bytes(wat2wasm(HOST)), {"files": files}).call("run")
