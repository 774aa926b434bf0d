"""How does a plain module get messages and answer them? By two functions that it exports, in pages that the host adds.

`handle_message(at, size) -> i32` is told where a message lies in its memory, and returns a status of its own.
`get_response(at, size) -> i32` is told where how much room is for the response, writes it there, and returns how many
bytes it has. Whatever the module does, the caller gets a `Reply`.
"""

from dataclasses import dataclass, field

from corollary.limits import LimitExceeded, check_whole
from corollary.meter import meter_within
from corollary.module import FunctionType
from corollary.outcome import Busy, Exited, HostCall, Stopped, Trapped, Unlinkable
from language.types import Enum
from spec.wasm.machine import PAGE
from spec.wasm.module import NONE, External
from spec.wasm.values import ValueType

HANDLE, RESPOND = "handle_message", "get_response"
TYPE = FunctionType((ValueType.I32, ValueType.I32), (ValueType.I32,))
RESPONSE, MOST = 1 << 16, 10 << 20      # bytes of a response, usually and at most
PROBLEMS = (Trapped, Stopped, Exited, Busy, LimitExceeded)
ALIGNED, SIGN = 16, 1 << 31


class Delivery(Enum):
    """What became of a message?"""

    ANSWERED = 0            # the module handled it, and responded
    TRAPPED = 1             # the module trapped, or a function of the host that it called failed
    SPENT = 2               # its fuel is spent
    LATE = 3                # its time is up
    INTERRUPTED = 4         # somebody interrupted it
    EXITED = 5              # the module asked to end
    WAITING = 6             # the module called a function that nobody gave
    BUSY = 7                # the instance is in the middle of a call, or none is free
    NO_ROOM = 8             # the message, or the instance, is beyond the limits
    RESPONSE_LENGTH = 9     # the response is negatively long, or longer than there is room for it


@dataclass(frozen=True)
class Reply:
    """What became of a message: the status that the module returned and its response, or why it was not answered."""

    delivery: Delivery
    status: int | None = None
    response: bytes = b""
    problem: object = field(default="", compare=False)

    @property
    def reason(self):
        """Why, in words; none where it was answered."""
        return str(self.problem)


def exchange(instance, message, room=RESPONSE, fuel=None, seconds=None):
    """Give a message to an instance and take its response, at most `room` bytes, with fuel and time for both.

    Raises `Unlinkable` for a module without the two functions and a memory, `TypeError` or `ValueError` for arguments.
    After anything but ANSWERED the instance is in no state that its program knows of: take another one.
    """
    check_interface(instance.module)
    check_whole("the room for a response", room, MOST)
    meter = meter_within(instance.limits.fuel if fuel is None else fuel, seconds)
    try:
        with meter, instance.enter():
            return exchanged(instance, bytes(message), room)
    except PROBLEMS as problem:
        return told(problem, meter)


def deliver(pool, message, room=RESPONSE, fuel=None, seconds=None, wait=None):
    """As `exchange`, with a new instance of a pool, whose first steps count, too; it waits so long for a free one."""
    check_interface(pool.module)
    meter = meter_within(pool.limits.fuel if fuel is None else fuel, seconds)
    try:
        with meter, pool.instance(seconds if wait is None else wait) as instance:
            return exchange(instance, message, room)
    except PROBLEMS as problem:
        return told(problem, meter)


def exchanged(instance, message, room):
    """The reply of an instance that nobody else is in; raises one of `PROBLEMS`."""
    if instance.waiting is not None or instance.machine.depth:
        raise Busy("the instance is in the middle of a call")
    memory, response = instance.export("memory"), len(message) + -len(message) % ALIGNED
    at = area(instance, memory, response + room)
    memory.write(at, message)
    status = called(instance, HANDLE, at, len(message))
    size = called(instance, RESPOND, at + response, room)
    if not 0 <= size <= room:
        reason = f"{RESPOND} returned {size}, there is room for {room} bytes"
        return Reply(Delivery.RESPONSE_LENGTH, status, problem=reason)
    return Reply(Delivery.ANSWERED, status, memory.read(at + response, size))


def area(instance, memory, size):
    """Where pages begin that the host added to the memory for messages, with so many bytes; raises `LimitExceeded`."""
    at, end = instance.messages
    if end - at < size:
        pages = -(-size // PAGE)
        at = memory.grow(pages) * PAGE
        instance.messages = at, at + pages * PAGE
    return at


def called(instance, name, *arguments):
    """What a function of two numbers returns, as a signed one."""
    _, index = instance.module.exports[name]
    result, = instance.call_bits(index, arguments)
    return (result & NONE ^ SIGN) - SIGN


def told(problem, meter):
    """The reply for a problem."""
    if isinstance(problem, Stopped):
        return Reply(stopped(problem, meter), problem=problem)
    if isinstance(problem, Exited):
        return Reply(Delivery.EXITED, problem.status, problem=problem)
    kinds = {Trapped: Delivery.TRAPPED, Busy: Delivery.BUSY, LimitExceeded: Delivery.NO_ROOM}
    return Reply(next(kind for class_, kind in kinds.items() if isinstance(problem, class_)), problem=problem)


def stopped(problem, meter):
    """Why a call was stopped."""
    if isinstance(problem.outcome, HostCall):
        return Delivery.WAITING
    if meter.stopped:
        return Delivery.INTERRUPTED
    return Delivery.SPENT if meter.fuel == 0 else Delivery.LATE if meter.late else Delivery.TRAPPED


def check_interface(module):
    """Raise `Unlinkable` for a module that takes no messages."""
    for name in (HANDLE, RESPOND):
        kind, index = module.exports.get(name, (None, None))
        if kind is not External.FUNCTION or module.type_of(module.room["functions"][index].type) != TYPE:
            raise Unlinkable(f"the module does not export a function {name} of two i32 that returns an i32")
    if module.exports.get("memory", (None,))[0] is not External.MEMORY:
        raise Unlinkable("the module does not export its memory as `memory`")
