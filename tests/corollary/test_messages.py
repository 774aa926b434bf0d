"""Can a plain module receive messages and answer them, and does each of its actions end in a status?"""

import math
import threading
import time

import pytest
from wasmtime import wat2wasm

from corollary import (
    Busy,
    Delivery,
    Exited,
    Instance,
    Limits,
    Module,
    Pool,
    Reply,
    Suspended,
    Unlinkable,
    deliver,
    exchange,
)
from corollary.messages import MOST, RESPONSE
from corollary.spec.wasm.machine import PAGE

ECHO = """(import "m" "f" (func $f (param i32))) (memory (export "memory") 1 20) (global $at (mut i32) (i32.const 0))
  (global $size (mut i32) (i32.const 0))
  (global $count (mut i32) (i32.const 0))
  (func (export "handle_message") (param i32 i32) (result i32)
    (global.set $at (local.get 0)) (global.set $size (local.get 1)) (global.set $count (i32.add (global.get $count)
      (i32.const 1))) (global.get $count))
  (func (export "get_response") (param i32 i32) (result i32) (local i32)
    (if (i32.lt_u (local.get 1) (global.get $size)) (then (return (i32.const -1))))
    (block (loop (br_if 1 (i32.eq (local.get 2) (global.get $size)))
      (i32.store8 (i32.add (local.get 0) (local.get 2)) (i32.add (i32.const 1) (i32.load8_u (i32.add (global.get $at)
        (local.get 2)))))
      (local.set 2 (i32.add (local.get 2) (i32.const 1))) (br 0)))
    (global.get $size))"""
FUEL = 1_000_000
HEAD = '(import "m" "f" (func $f (param i32))) (memory (export "memory") 1 20)'


def module(handle, respond="(i32.const 0)", first=""):
    """Return a module with these two function bodies."""
    functions = ((name, body) for name, body in (("handle_message", handle), ("get_response", respond)))
    return wat2wasm(
        f"""(module {HEAD} {first}
          {" ".join(f'(func (export "{name}") (param i32 i32) (result i32) {body})' for name, body in functions)})"""
    )


def given(function=lambda _: None):
    """Return the imports."""
    return {("m", "f"): function}


def leave(status):
    """The program asks to end."""
    raise Exited(status)


def fail(_):
    """The host fails."""
    raise KeyError("no such thing")


def test_a_message_is_answered():
    instance = Instance(wat2wasm(f"(module {ECHO})"), given())
    for number, message in enumerate((b"HAL", b"", b"x" * RESPONSE), 1):
        assert exchange(instance, message) == Reply(Delivery.ANSWERED, number, bytes(byte + 1 for byte in message))
    long = b"x" * (RESPONSE + 1)
    assert exchange(instance, long).delivery is Delivery.RESPONSE_LENGTH and exchange(
        instance, long, room=len(long)
    ).response == b"y" * len(long)


def test_pages_for_messages_are_added_once():
    instance = Instance(wat2wasm(f"(module {ECHO})"), given())
    for _ in range(50):
        assert exchange(instance, b"x" * 1000).delivery is Delivery.ANSWERED
    assert instance.memories[0].pages == 2


@pytest.mark.parametrize(
    "returned",
    ["(i32.const 80000)", "(select (i32.const 80000) (local.get 1) (i32.gt_u (local.get 1) (i32.const 80000)))"],
    ids=["how long it is", "what fits"],
)
def test_a_response_that_does_not_fit_is_asked_for_again(returned):
    asked = []
    instance = Instance(module("(i32.const 7)", f"(call $f (local.get 1)) {returned}"), given(asked.append))
    assert exchange(instance, b"", room=90000) == Reply(Delivery.ANSWERED, 7, bytes(80000))
    assert asked == [PAGE, 90000] and instance.memories[0].pages == 4
    assert len(exchange(instance, b"", room=90001).response) == 80000 and asked[2:] == [90001]


CRASHES = {
    "a trap": (module("unreachable"), Delivery.TRAPPED),
    "a trap in the response": (module("(i32.const 0)", "(i32.load (i32.const -1))"), Delivery.TRAPPED),
    "a stack that is too deep": (module("(call 1 (local.get 0) (local.get 1))"), Delivery.TRAPPED),
    "no end": (module("(loop (br 0)) (i32.const 0)"), Delivery.SPENT),
    "no end of the response": (module("(i32.const 0)", "(loop (br 0)) (i32.const 0)"), Delivery.SPENT),
    "an exit": (module("(call $f (i32.const 3)) (i32.const 0)"), Delivery.EXITED, leave),
    "a host that fails": (module("(call $f (i32.const 3)) (i32.const 0)"), Delivery.TRAPPED, fail),
    "a negative response": (module("(i32.const 0)", "(i32.const -1)"), Delivery.RESPONSE_LENGTH),
    "a response that is too long": (
        module("(i32.const 0)", "(i32.add (local.get 1) (i32.const 1))"),
        Delivery.RESPONSE_LENGTH,
    ),
    "the longest response": (module("(i32.const 0)", "(i32.const 0x7fffffff)"), Delivery.RESPONSE_LENGTH),
    "a message that is too long": (module("(i32.const 0)"), Delivery.NO_ROOM, lambda _: None, bytes(20 << 16)),
    "no room for pages": (module("(i32.const 0)").replace(b"\1\1\x14", b"\1\1\x01"), Delivery.NO_ROOM),
}


@pytest.mark.parametrize("what", CRASHES)
def test_what_a_module_does_is_a_status(what):
    binary, delivery, *rest = CRASHES[what]
    function, message = [*rest, *(lambda _: None, b"message")[len(rest) :]]
    instance = Instance(binary, given(function))
    reply = exchange(instance, message, fuel=FUEL)
    assert reply.delivery is delivery and reply.response == b"" and reply.reason
    pool = Pool(binary, 1, lambda: given(function))
    for _ in range(3):
        assert deliver(pool, message, fuel=FUEL, wait=0) == reply


@pytest.mark.parametrize(
    "first,delivery",
    [
        ("(func $s unreachable) (start $s)", Delivery.TRAPPED),
        ("(func $s (loop (br 0))) (start $s)", Delivery.SPENT),
        ("(func $s (call $f (i32.const 1))) (start $s)", Delivery.EXITED),
        ("(table 999 funcref)", Delivery.NO_ROOM),
    ],
)
def test_what_its_first_steps_do_is_a_status_too(first, delivery):
    pool = Pool(Module(module("(i32.const 0)", first=first)), 1, lambda: given(leave), Limits(elements=100))
    assert (
        deliver(pool, b"", fuel=1000).delivery is delivery
        and deliver(pool, b"", fuel=1000, wait=0).delivery is delivery
    )


def test_a_function_that_nobody_gave_is_a_status():
    instance = Instance(module("(call $f (i32.const 3)) (i32.const 0)"), host_calls=True)
    assert exchange(instance, b"").delivery is Delivery.WAITING and instance.waiting is None


def interrupt(instance):
    """Interrupt as soon as it runs."""
    while not instance.interrupt():
        time.sleep(0.01)


def test_the_time_is_for_both_functions():
    instance = Instance(module("(loop (br 0)) (i32.const 0)"), given())
    start = time.monotonic()
    assert exchange(instance, b"", seconds=0.05).delivery is Delivery.LATE and time.monotonic() - start < 5
    threading.Thread(target=interrupt, args=(instance,)).start()
    assert exchange(instance, b"").delivery is Delivery.INTERRUPTED
    pool = Pool(instance.module, 1, given)
    assert deliver(pool, b"", seconds=0.05).delivery is Delivery.LATE


def test_the_fuel_is_for_both_functions():
    counting = "(loop (br_if 0 (local.tee 2 (i32.sub (local.get 2) (i32.const 1)))))"
    looping = f"(local i32) (local.set 2 (i32.const 500)) {counting} (i32.const 0)"
    instance = Instance(module(looping, looping), given())
    assert (
        exchange(instance, b"", fuel=700).delivery is Delivery.SPENT
        and exchange(instance, b"", fuel=1100).delivery is Delivery.ANSWERED
    )
    assert exchange(Instance(instance.module, given(), Limits(fuel=700)), b"").delivery is Delivery.SPENT


def test_an_instance_in_the_middle_of_a_call_is_busy():
    instance = Instance(module("(loop (br 0)) (i32.const 0)"), given())
    instance.call("handle_message", 0, 0, fuel=5)
    assert exchange(instance, b"").delivery is Delivery.BUSY and instance.resume(fuel=5) == Suspended()
    instance.abandon()
    within = []
    asking = Instance(
        module("(call $f (i32.const 1)) (i32.const 5)"),
        given(lambda _: within.append(exchange(asking, b"").delivery)),
        reentrant=True,
    )
    assert exchange(asking, b"").delivery is Delivery.ANSWERED and within == [Delivery.BUSY]


def test_a_pool_answers_many_threads():
    pool, wrong = Pool(wat2wasm(f"(module {ECHO})"), 3, given), []

    def work(number):
        for turn in range(20):
            message = bytes([number, turn]) * 50
            reply = deliver(pool, message)
            if reply != Reply(Delivery.ANSWERED, 1, bytes(byte + 1 for byte in message)):
                wrong.append(reply)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    with pool.instance(), pool.instance(), pool.instance():
        assert (
            deliver(pool, b"", wait=0).delivery is Delivery.BUSY
            and deliver(pool, b"", seconds=0.01).delivery is Delivery.BUSY
        )


@pytest.mark.parametrize(
    "text",
    [
        "",
        '(memory (export "memory") 1)',
        '(memory (export "memory") 1) (func (export "handle_message") (param i32 i32) (result i32) (i32.const 0))',
        '(memory (export "memory") 1) (func (export "handle_message") (param i32)) (export "get_response" (func 0))',
        '(func (export "handle_message") (param i32 i32) (result i32) (i32.const 0)) (export "get_response" (func 0))',
    ],
)
def test_a_module_without_the_interface_is_told_at_once(text):
    binary = wat2wasm(f"(module {text})")
    for attempt in (lambda: exchange(Instance(binary), b""), lambda: deliver(Pool(binary, 1), b"")):
        with pytest.raises(Unlinkable, match="the module does not export"):
            attempt()


@pytest.mark.parametrize(
    "more", [{"room": -1}, {"room": MOST + 1}, {"room": 1.5}, {"fuel": -1}, {"seconds": math.nan}, {"seconds": "1"}]
)
def test_what_is_wrong_with_a_delivery_is_told(more):
    instance = Instance(module("(i32.const 0)"), given())
    for attempt in (
        lambda: exchange(instance, b"", **more),
        lambda: deliver(Pool(instance.module, 1, given), b"", **more),
    ):
        with pytest.raises((ValueError, TypeError)):
            attempt()
    with pytest.raises(TypeError):
        exchange(instance, "text")
    assert isinstance(Busy(), Exception)
