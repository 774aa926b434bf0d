"""Can any number of users share a few instances, and none of them see anything of another?"""

import threading
import time

import pytest
from wasmtime import wat2wasm

from corollary import (
    Busy,
    Exited,
    Instance,
    LimitExceeded,
    Limits,
    Module,
    Pool,
    Returned,
    Stopped,
    Suspended,
    Trapped,
    Wasi,
)

STATE = wat2wasm(
    """(module (import "m" "told" (func $told (param i32))) (memory (export "memory") 1 4) (global (export "g")
      (mut i32) (i32.const 7))
  (table (export "t") 2 4 funcref) (elem (i32.const 0) $one) (elem $later funcref (ref.func $two)) (data
    (i32.const 8) "begin") (data $late "late")
  (func $one (result i32) (i32.const 1)) (func $two (result i32) (i32.const 2))
  (func (export "spoil") (param i32) (call $told (local.get 0)) (i32.store (i32.const 8) (local.get 0)) (i32.store
    (i32.const 65532) (local.get 0))
    (global.set 0 (local.get 0)) (table.init $later (i32.const 1) (i32.const 0) (i32.const 1)) (elem.drop $later)
      (data.drop $late)
    (drop (memory.grow (i32.const 2))) (i32.store (i32.const 131000) (local.get 0)) (drop (table.grow (ref.func $two)
      (i32.const 2))))
  (func (export "deep") (param i32) (if (local.get 0) (then (call 4 (i32.sub (local.get 0) (i32.const 1))))))
  (func (export "end") (param i32) (if (i32.eqz (local.get 0)) (then unreachable)) (loop (br 0)))
  (func (export "late") (memory.init $late (i32.const 0) (i32.const 0) (i32.const 4)) (table.init $later
    (i32.const 0) (i32.const 0) (i32.const 1))))"""
)


def told():
    """Return the imports of one user's instance: a list of its own."""
    kept = []
    return {("m", "told"): lambda value: kept.append(value) or None}


@pytest.fixture
def pool():
    """Return a pool of two."""
    return Pool(STATE, 2, told, Limits(slots=1000))


def state(instance):
    """Return everything that a program could see of its instance."""
    room = instance.room
    return (
        instance.export("memory").pages,
        bytes(instance.export("memory").view()),
        instance.export("g").bits,
        instance.export("t").size,
        [instance.references.own(held) for held in instance.export("t").room["elements"]],
        bytes(room["dropped_elements"]),
        bytes(room["dropped_data"]),
        any(room["stack"]),
        any(room["control"]),
        instance.machine.depth,
        instance.waiting,
        instance.references.objects,
        instance.references.kept,
    )


LEAVING = {
    "returns": lambda instance: instance.call("deep", 50),
    "traps": lambda instance: instance.call("end", 0),
    "waits": lambda instance: instance.call("end", 1, fuel=100),
    "fails": lambda instance: 1 / 0,
}


@pytest.mark.parametrize("way", LEAVING)
def test_what_one_user_leaves_another_does_not_find(pool, way):
    with pool.instance() as first:
        initial = state(first)
    for number in range(4):
        try:
            with pool.instance() as instance:
                assert state(instance) == initial
                instance.call("late")
                instance.call("spoil", -number - 1)
                assert state(instance) != initial
                LEAVING[way](instance)
        except (Trapped, ZeroDivisionError):
            assert way in ("traps", "fails")


def test_an_instance_that_was_given_back_is_nobodys(pool):
    with pool.instance() as kept:
        spoil = kept.export("spoil")
    for entry in (
        lambda: kept.call("late"),
        lambda: kept.snapshot(bytes(32)),
        lambda: kept.resume(),
        lambda: kept.abandon(),
        lambda: kept.call_bits(1, ()),
    ):
        with pytest.raises(Busy, match="given back"):
            entry()
    other = Instance(
        wat2wasm('(module (import "m" "f" (func $f (param i32))) (func (export "f") (call $f (i32.const 1))))'),
        {("m", "f"): spoil},
    )
    with pytest.raises(Trapped, match="given back"):
        other.call("f")


def test_no_two_users_have_one_instance_and_no_more_than_there_are():
    pool, lock, using, most, wrong = Pool(STATE, 3, told), threading.Lock(), set(), [], []

    def work(number):
        for turn in range(25):
            with pool.instance() as instance:
                with lock:
                    if id(instance) in using:
                        wrong.append("twice")
                    using.add(id(instance))
                    most.append(len(using))
                if instance.export("g").bits != 7:
                    wrong.append("spoilt")
                instance.call("spoil", number * 100 + turn)
                if instance.export("g").bits != number * 100 + turn:
                    wrong.append("shared")
                with lock:
                    using.discard(id(instance))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and max(most) <= 3 and len(most) == 200


def test_who_finds_none_free_waits_or_is_told(pool):
    with pool.instance(), pool.instance():
        start = time.monotonic()
        for wait in (0, 0.05):
            with pytest.raises(Busy, match="no instance of the pool is free"):
                with pool.instance(wait):
                    pass
        assert 0.05 <= time.monotonic() - start < 5
        for wrong in (-1, float("nan"), "1"):
            with pytest.raises((ValueError, TypeError)):
                with pool.instance(wrong):
                    pass
    with pool.instance(0), pool.instance(0):
        pass


def test_a_user_that_leaves_a_call_running_does_not_stop_the_pool(pool):
    ended = []
    with pool.instance() as instance:
        thread = threading.Thread(target=lambda: ended.append(instance.call("end", 1)))
        thread.start()
        while not instance.running:
            time.sleep(0.001)
    thread.join(5)
    assert ended == [Suspended(interrupted=True)]
    with pool.instance(0), pool.instance(0):
        pass


@pytest.mark.parametrize("first,problem", [("unreachable", Trapped), ("(loop (br 0))", Stopped)])
def test_an_instance_that_cannot_begin_takes_no_place(first, problem):
    pool = Pool(wat2wasm(f"(module (func $f {first}) (start $f))"), 1, limits=Limits(fuel=100))
    for _ in range(3):
        with pytest.raises(problem):
            with pool.instance(0):
                pass


def test_each_user_has_its_own_streams():
    module = Module(
        wat2wasm(
            """(module (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
      (import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32))) (memory (export "memory") 1)
      (func (export "_start") (call $exit (call $close (i32.const 1)))))"""
        )
    )
    pool = Pool(module, 1, lambda: Wasi().imports(module))
    for _ in range(3):
        with pytest.raises(Exited) as exited, pool.instance() as instance:
            instance.call("_start")
        assert exited.value.status == 0


@pytest.mark.parametrize("size", [-1, 1.0, "2", True, 1 << 40])
def test_what_is_no_size_of_a_pool_is_refused(size):
    with pytest.raises((ValueError, TypeError), match="the size of a pool"):
        Pool(STATE, size)


def test_limits_are_those_of_the_pool():
    with pytest.raises(LimitExceeded):
        Pool(STATE, 1, told, Limits(functions=2))
    with pytest.raises(LimitExceeded), Pool(Module(STATE), 1, told, Limits(pages=0)).instance():
        pass
    with Pool(STATE, 1, told, Limits(pages=2)).instance() as instance, pytest.raises(Trapped):
        instance.call("spoil", 1)
    with Pool(STATE, 1, told, Limits(fuel=10)).instance() as instance:
        assert instance.call("end", 1) == Suspended() and Returned(()) == Returned(())
