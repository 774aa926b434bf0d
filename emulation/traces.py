"""What may happen to a kernel? The steps of a trace, what each does to the model, and what a trace has reached.

A trace is boot information and a list of steps. Each step is a small record of numbers, so a trace can be kept,
replayed on any reading of the specification, and shrunk. Nothing here knows about C or an emulator.
"""

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from typing import Any

from corollary.language.layout import offset_of, size_of
from corollary.model.kernel.action import contain, preempt
from corollary.model.kernel.boot import boot
from corollary.model.kernel.gate import OPERATIONS, dispatch
from corollary.model.kernel.schedule import proceed
from corollary.spec.kernel.device import first_descriptor
from corollary.spec.kernel.limits import COUNTER_LIMIT, QUEUE_SIZE, RECORDS
from corollary.spec.kernel.memory import lets
from corollary.spec.kernel.state import Call, Kernel
from corollary.spec.kernel.vocabulary import ALL_RIGHTS, Access, DeviceKind, ObjectKind, PageKind, Ring, Status


@dataclass(frozen=True)
class Hypercall:
    """The current partition calls."""

    now: int
    operation: int
    arguments: tuple


@dataclass(frozen=True)
class Preempt:
    """The quantum is over."""

    now: int


@dataclass(frozen=True)
class Fault:
    """The current partition causes an exception that it has no right to."""

    now: int
    syndrome: int
    address: int


class Environment(ABC):
    """A step that the kernel does not take: something is written to its memory, if that is possible."""

    changes: Any  # what it writes, and where: pairs of a path and a value

    @abstractmethod
    def possible(self, s) -> bool:
        """Can it happen in this state?"""

    def patches(self):
        """Yield `(offset, bytes)` of what is written to the encoded state."""
        for path, value in self.changes:
            yield offset_of(Kernel, path), value.to_bytes(size_of(leaf_type(path)), "little")


@dataclass(frozen=True)
class Store(Environment):
    """The owner of a data page writes a word of it."""

    page: int
    position: int
    value: int

    @property
    def changes(self):
        """What it writes, and where."""
        return ((("memory", self.page, "word", self.position), self.value),)

    def possible(self, s):
        """Do the tables of the page's owner still let it write the page?"""
        return lets(s, s.page[self.page].owner, self.page, Access(Access.WRITE))


@dataclass(frozen=True)
class Age(Environment):
    """Counters move to where they would be after billions of operations."""

    changes: tuple

    def possible(self, s):
        """Would the kernel itself get there?"""
        return all(grows(s, path, value) for path, value in self.changes)


@dataclass(frozen=True)
class Plug(Environment):
    """A device is found, and the root partition is given all rights on it."""

    device: int
    slot: int
    kind: DeviceKind

    @property
    def changes(self):
        """What is written, and where."""
        given = {"kind": ObjectKind.TRANSPORT, "object": self.device, "incarnation": 0, "rights": ALL_RIGHTS}
        given |= {"depth": 0, "parent": self.slot, "parent_lineage": 0, "badge": 0}
        found = (("device", self.device, "kind"), self.kind)
        first = first_descriptor(self.kind)
        ring = ((("queue", self.device, "ring", i), first) for i in range(QUEUE_SIZE))
        return (found, *ring, *((("capability", self.slot, name), value) for name, value in given.items()))

    def possible(self, s):
        """Is the slot of the root partition free?"""
        row = s.capability[self.slot]
        return row.kind == ObjectKind.NONE and row.generation < COUNTER_LIMIT and row.lineage < COUNTER_LIMIT


@dataclass(frozen=True)
class Answer(Environment):
    """A device says how many requests are done, and how the last one went, or how much it wrote."""

    device: int
    used: int
    status: int
    written: int

    @property
    def changes(self):
        """What is written, and where."""
        told = (("used",), self.used), (("status",), self.status)
        newest = 2 * ((self.used - 1) % QUEUE_SIZE) + 1
        written = (("element", newest), self.written)
        return tuple((("answer", self.device, *path), value) for path, value in (*told, written))

    def possible(self, s):
        """Is a request in flight? Otherwise the device writes nothing."""
        return s.device[self.device].busy


ENVIRONMENT = {kind.__name__ for kind in (Store, Age, Plug, Answer)}


def aged(*path, at):
    """Return a step that sets one counter to another value."""
    return Age(((path, at),))


def grows(s, path, value):
    """May a counter move to this value?

    Counters only grow. Those of the log grow by whole rounds of it. In a capability in use only the lineage grows,
    and it stays below its end.
    """
    old = reach(s, path)
    if path[0] in ("sequence", "drained", "copied"):
        return RECORDS <= old <= value and (value - old) % RECORDS == 0
    if path[0] == "page":
        return s.page[path[1]].kind == PageKind.APPEND and old <= value
    if path[0] == "capability" and s.capability[path[1]].kind != ObjectKind.NONE:
        return path[2] == "lineage" and old <= value < COUNTER_LIMIT
    return old <= value


def apply(s, step):
    """Take a step in the model, and give the processor on; return the call of a hypercall and its status, if any."""
    call, status = taken(s, step)
    proceed(s)
    return call, status


def taken(s, step):
    """Take a step in the model; return the finished call of a hypercall and its status, else nothing."""
    if isinstance(step, Hypercall):
        call = Call(now=step.now, operation=step.operation)
        for position, value in enumerate(step.arguments):
            call.argument[position] = value
        return call, dispatch(s, call)
    if isinstance(step, Preempt):
        preempt(s, step.now)
    elif isinstance(step, Fault):
        contain(s, step.now, step.syndrome, step.address)
    elif step.possible(s):
        for path, value in step.changes:
            place(s, path, value)
    return None, None


def reach(s, path):
    """Return what a path leads to."""
    for part in path:
        s = s[part] if isinstance(part, int) else getattr(s, part)
    return s


def leaf_type(path):
    """Return the scalar type at a path of the state."""
    type_: Any = Kernel
    for part in path:
        type_ = type_.element if isinstance(part, int) else type_.fields[part]
    return type_


def place(s, path, value):
    """Put a value at a path."""
    s = reach(s, path[:-1])
    if isinstance(path[-1], int):
        s[path[-1]] = value
    else:
        setattr(s, path[-1], value)


def booted(information):
    """Return the state after boot."""
    s = Kernel()
    boot(s, information)
    return s


def shrink(steps, fails):
    """Return a shorter list of steps for which `fails` still holds."""
    size = len(steps) // 2
    while size:
        position = 0
        while position < len(steps):
            fewer = steps[:position] + steps[position + size :]
            if fails(fewer):
                steps = fewer
            else:
                position += size
        size //= 2
    return steps


class Coverage:
    """A count of how operations ended."""

    def __init__(self):
        self.seen = Counter()

    def note(self, step, status):
        """Count a step; `status` is as `apply` returned it."""
        if isinstance(step, Hypercall):
            name = OPERATIONS[step.operation].name if step.operation < len(OPERATIONS) else "unknown"
            self.seen[name, Status(status)] += 1
        else:
            self.seen[type(step).__name__, Status.OK] += 1

    @property
    def operations(self):
        """How many steps the kernel took."""
        return sum(count for (name, _), count in self.seen.items() if name not in ENVIRONMENT)

    def never_succeeded(self):
        """Return the operations that never returned OK, though some ring may call them."""
        return [
            declared.name
            for declared in OPERATIONS
            if declared.required_ring != Ring.ROOT and not self.seen[declared.name, Status.OK]
        ]

    def never_returned(self):
        """Return the statuses that no call returned."""
        returned = {status for _, status in self.seen}
        return [status.name for status in Status if status not in returned]

    def table(self):
        """Return one line for each operation, for people."""
        names = sorted({name for name, _ in self.seen})
        return "\n".join(
            f"{name:24} "
            + " ".join(
                f"{status.name}:{count}"
                for (other, status), count in sorted(self.seen.items(), key=lambda item: item[0][1])
                if other == name
            )
            for name in names
        )
