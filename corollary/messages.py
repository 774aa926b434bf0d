"""How does a plain module receive messages and answer them? With two functions that it exports.

`handle_message(at, size) -> i32` gets the position and size of a message in its memory, and returns a status of its
own. `get_response(at, size) -> i32` gets the position and size of the room for the response, writes the response there,
and returns how many bytes it has. It is asked again, with all the room that the caller gives, when the response did not
fit: it returned less than 0, or `size` or more. Both use pages that the host adds to the memory. Whatever the module
does, the caller gets a `Reply`.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Any

from corollary.failure import OUTPUT, Fault, GuestFailure, failures_of, fault_of
from corollary.instance import Instance
from corollary.language.types import Enum
from corollary.limits import LimitExceeded, check_whole
from corollary.linker import Imports
from corollary.meter import meter_within
from corollary.module import Binary, FunctionType, Module
from corollary.outcome import Busy, Exited, Stopped, Trapped, Unlinkable
from corollary.pool import Pool
from corollary.spec.wasm.machine import PAGE
from corollary.spec.wasm.module import NONE, External
from corollary.spec.wasm.values import ValueType

HANDLE, RESPOND = "handle_message", "get_response"
TYPE = FunctionType((ValueType.I32, ValueType.I32), (ValueType.I32,))
RESPONSE, MOST = 1 << 16, OUTPUT  # bytes of room for a response, by default and at most
FIRST = 1 << 12  # bytes of room that a response gets at first: what is added is part of each snapshot
PROBLEMS = (Trapped, Stopped, Exited, Busy, LimitExceeded)
ALIGNED, SIGN = 16, 1 << 31


class Delivery(Enum):
    """What became of a message?"""

    ANSWERED = 0  # the module handled it, and responded
    TRAPPED = 1  # the module trapped, or a function of the host that it called failed
    SPENT = 2  # its fuel is spent
    LATE = 3  # its time is up
    INTERRUPTED = 4  # somebody interrupted it
    EXITED = 5  # the module asked to end
    WAITING = 6  # the module called a function that nobody gave
    BUSY = 7  # the instance is in the middle of a call, or none is free
    NO_ROOM = 8  # the message, or the instance, is beyond the limits
    RESPONSE_LENGTH = 9  # the response is negatively long, or longer than there is room for it


@dataclass(frozen=True)
class Reply:
    """What became of a message.

    `status` and `response` are what the module returned: an int and bytes. If `delivery` is not ANSWERED, `problem`
    is the exception or text that says why, and `status` may be None.
    """

    delivery: Delivery
    status: int | None = None
    response: bytes = b""
    problem: Any = field(default="", compare=False)

    @property
    def reason(self) -> str:
        """Why the message was not answered, in words; empty if it was."""
        return str(self.problem)


def exchange(
    instance: Instance,
    message: bytes | bytearray | memoryview,
    room: int = RESPONSE,
    fuel: int | None = None,
    seconds: float | None = None,
) -> Reply:
    """Give a message to an instance, and return a `Reply` with its response.

    `message` is bytes, and `room` the most bytes that the response may have. `fuel` (safe points) and `seconds` limit
    both calls together. Raises `Unlinkable` when the module does not export the two functions and a memory, and
    `TypeError` or `ValueError` for unsuitable arguments. After anything but ANSWERED, the program may be in a state
    that it does not expect: use another instance.
    """
    check_interface(instance.module)
    check_whole("the room for a response", room, MOST)
    meter = meter_within(instance.limits.fuel if fuel is None else fuel, seconds)
    try:
        with meter, instance.enter():
            return exchanged(instance, bytes(message), room)
    except PROBLEMS as problem:
        return told(problem, meter)


def deliver(
    pool: Pool,
    message: bytes | bytearray | memoryview,
    room: int = RESPONSE,
    fuel: int | None = None,
    seconds: float | None = None,
    wait: float | None = None,
) -> Reply:
    """Do the same as `exchange` with a new instance of a pool, and return the `Reply`.

    The first steps of the instance count against `fuel` and `seconds`, too. `wait` is how many seconds it waits for a
    free instance; None stands for `seconds`.
    """
    check_interface(pool.module)
    meter = meter_within(pool.limits.fuel if fuel is None else fuel, seconds)
    try:
        with meter, pool.instance(seconds if wait is None else wait) as instance:
            return exchange(instance, message, room)
    except PROBLEMS as problem:
        return told(problem, meter)


def invoke(
    program: Binary,
    message: bytes | bytearray | memoryview,
    imports: Imports = (),
    room: int = RESPONSE,
    fuel: int | None = None,
    seconds: float | None = None,
) -> Reply:
    """Give a message to a new instance of a program, which is given as bytes, and return an answered `Reply`.

    Whatever the program does, the only exception is `GuestFailure`. `fuel` (safe points, and bytes of the program) and
    `seconds` limit all of it, loading included; the rest is as in `exchange`.
    """
    meter, digest = meter_within(fuel, seconds), hashlib.sha256(program).hexdigest()
    with failures_of(digest, meter), meter:
        instance = Instance(Module(program), imports)
        reply = exchange(instance, message, room)
        check_answered(reply)
        return reply


def check_answered(reply: Reply) -> None:
    """Raise what a `Reply` was not answered for: one of the problems of a guest, or `GuestFailure`."""
    if isinstance(reply.problem, PROBLEMS):
        raise reply.problem
    if reply.delivery is not Delivery.ANSWERED:
        raise GuestFailure(reply.reason, Fault.OUTPUT)


def exchanged(instance, message, room):
    """Return the reply of an instance that this thread has entered; raises one of `PROBLEMS`."""
    if instance.waiting is not None or instance.machine.depth:
        raise Busy("the instance is in the middle of a call")
    memory, before = instance.export("memory"), len(message) + -len(message) % ALIGNED
    at = area(instance, memory, before + min(room, FIRST))
    memory.write(at, message)
    status = called(instance, HANDLE, at, len(message))
    offered = min(room, instance.messages[1] - at - before)
    size = called(instance, RESPOND, at + before, offered)
    if offered < room and not 0 <= size < offered:
        at = area(instance, memory, before + room)
        size = called(instance, RESPOND, at + before, room)
    if not 0 <= size <= room:
        reason = f"{RESPOND} returned {size}, there is room for {room} bytes"
        return Reply(Delivery.RESPONSE_LENGTH, status, problem=reason)
    return Reply(Delivery.ANSWERED, status, memory.read(at + before, size))


def area(instance, memory, size):
    """Return the position of `size` bytes in the pages for messages.

    Adds pages to the memory when there are too few; raises `LimitExceeded`.
    """
    at, end = instance.messages
    if end - at < size:
        pages = -(-size // PAGE)
        at = memory.grow(pages) * PAGE
        instance.messages = at, at + pages * PAGE
    return at


def called(instance, name, *arguments):
    """Return the result of an exported function of two numbers, as a signed number."""
    _, index = instance.module.exports[name]
    (result,) = instance.call_bits(index, arguments)
    return (result & NONE ^ SIGN) - SIGN


def told(problem, meter):
    """Return the reply for a problem."""
    status = problem.status if isinstance(problem, Exited) else None
    fault = fault_of(problem, meter)
    return Reply(Delivery.RESPONSE_LENGTH if fault is Fault.OUTPUT else Delivery[fault.name], status, problem=problem)


def check_interface(module):
    """Raise `Unlinkable` unless the module exports the two functions and a memory."""
    for name in (HANDLE, RESPOND):
        kind, index = module.exports.get(name, (None, None))
        if kind is not External.FUNCTION or module.type_of(module.room["functions"][index].type) != TYPE:
            raise Unlinkable(f"the module does not export a function {name} of two i32 that returns an i32")
    if module.exports.get("memory", (None,))[0] is not External.MEMORY:
        raise Unlinkable("the module does not export its memory as `memory`")
