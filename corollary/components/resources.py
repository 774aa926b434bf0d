"""Who has which resource? Handles say so: each component instance has a table of those that it owns or borrows."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from corollary.components.refusal import run_to_its_end, trap
from corollary.guard import Guard
from corollary.limits import LimitExceeded
from corollary.meter import meter_of

HANDLES = 1 << 16  # of one component instance at once, at most
NESTED = 32  # calls within one another, at most: Python has no room for many more


@dataclass(eq=False)
class ResourceType:
    """A type of resources, equal to itself only.

    `owner` is the component instance that defines it; None is the host, whose resources are objects of the class
    `of_host`. `destroy` is called with what a resource is inside, when nobody has it any more.
    """

    name: str
    owner: "Compartment | None" = None
    destroy: Callable[[Any], object] = lambda inside: None
    of_host: type = object

    def check(self, value: Any, what: str) -> None:
        """Raise `TypeError` unless a Python value is such a resource, and `ValueError` if its time is over."""
        if self.owner is None:
            if not isinstance(value, self.of_host):
                raise TypeError(f"{what} is a {self.name}: {value!r} is none")
        elif not isinstance(value, Resource) or value.type is not self:
            raise TypeError(f"{what} is a {self.name}: {value!r} is none")
        elif value.standing in ENDED:
            raise ValueError(f"{what} is a {self.name} that {value.standing.value}")

    def check_owned(self, value: Any, what: str) -> None:
        """Check a value that is to be passed on; raises `ValueError` as well if it is borrowed or lent."""
        self.check(value, what)
        if self.owner is None:
            return
        if value.standing is Standing.BORROWED:
            raise ValueError(f"{what} is a {self.name} that {value.standing.value}: only its owner passes it on")
        if value.lent:
            raise ValueError(f"{what} is a {self.name} that is lent to a call: wait until the call is over")

    def owned(self, inside: Any) -> Any:
        """Return a resource as Python has it that owns it."""
        return inside if self.owner is None else Resource(self, inside)

    def borrowed(self, inside: Any, scope: "Scope") -> Any:
        """Return a resource as Python has it until a call ends."""
        return inside if self.owner is None else scope.borrow(Resource(self, inside, Standing.BORROWED))

    def inside(self, value: Any) -> Any:
        """Return what a resource is inside its owner."""
        return value if self.owner is None else value.inside

    def pass_on(self, value: Any) -> None:
        """Note that Python has a resource no more."""
        if self.owner is not None:
            value.standing = Standing.GONE

    def lend(self, value: Any, scope: "Scope") -> Any:
        """Return the same, of a resource that is lent until a call ends."""
        if self.owner is not None:
            scope.lend(value)
        return self.inside(value)

    def end(self, inside: Any, by: "Compartment | None" = None) -> None:
        """Destroy a resource that `by` has dropped; None is the host."""
        if self.owner is None or self.owner is by:
            self.destroy(inside)
        else:
            with self.owner.visited():
                self.destroy(inside)


class Standing(Enum):
    """How the host has a resource of a component."""

    OWNED = "is owned"
    BORROWED = "was only borrowed"
    RETURNED = "was only borrowed, for a call that is over"
    GONE = "was passed on, or dropped"


ENDED = (Standing.RETURNED, Standing.GONE)


@dataclass(eq=False)
class Resource:
    """A resource of a component, outside of it. `drop` gives it up; `lent` is to how many calls it is lent now."""

    type: ResourceType
    inside: int = field(repr=False)
    standing: Standing = Standing.OWNED
    lent: int = 0

    def drop(self) -> None:
        """Give the resource up; its owner destroys it.

        Raises `ValueError` if it was passed on, borrowed or lent; `Busy` while another thread calls its owner; and
        `Trapped`, `Stopped` and `Exited`, as a call does. While its owner is called it stays what it was.
        """
        owner = self.type.owner
        assert owner is not None
        with owner.calls.guard.enter(sys._getframe(0)):
            self.type.check_owned(self, "what is dropped")
            owner.check_may_enter()
            self.standing = Standing.GONE
            with meter_of(None, None, owner.calls.fuel):
                run_to_its_end(self.type.end, self.inside)


@dataclass(eq=False)
class Handle:
    """An entry of a table: a resource that is owned, or borrowed until the call of `scope` ends."""

    type: ResourceType
    inside: Any
    scope: "Scope | None" = None
    lent: int = 0


@dataclass(eq=False)
class Scope:
    """One call: what is lent for it, what the host borrows, and how many borrowed handles it must drop before its end.

    A `with` statement ends it; it traps if the call keeps what was only borrowed.
    """

    lent: list[Handle | Resource] = field(default_factory=list)
    shown: list[Resource] = field(default_factory=list)
    borrowed: int = 0

    def lend(self, lent: Handle | Resource) -> None:
        """Lend something until the call ends."""
        lent.lent += 1
        self.lent.append(lent)

    def borrow(self, resource: Resource) -> Resource:
        """Return a resource that the host has until the call ends."""
        self.shown.append(resource)
        return resource

    def __enter__(self) -> "Scope":
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        for lent in self.lent:
            lent.lent -= 1
        for resource in self.shown:
            resource.standing = Standing.RETURNED
        if kind is None and self.borrowed:
            trap(f"{self.borrowed} borrowed handles were not dropped before the call ended")


class Handles:
    """The handles of a component instance, which are numbers from 1. What is wrong about one is a trap."""

    def __init__(self) -> None:
        self.entries: dict[int, Handle] = {}
        self.free: list[int] = []

    def add(self, handle: Handle) -> int:
        """Return the number of a new handle; raises `LimitExceeded`."""
        if len(self.entries) == HANDLES:
            raise LimitExceeded(f"a component has {HANDLES} handles, which is all it may have")
        number = self.free.pop() if self.free else len(self.entries) + 1
        self.entries[number] = handle
        return number

    def find(self, number: int, type_: ResourceType) -> Handle:
        """Return a handle of a type."""
        handle = self.entries.get(number)
        if handle is None:
            trap(f"{number} is no handle")
        if handle.type is not type_:
            trap(f"handle {number} is a {handle.type.name}, no {type_.name}")
        return handle

    def remove(self, number: int, type_: ResourceType) -> Handle:
        """Return a handle, and forget it."""
        handle = self.find(number, type_)
        if handle.lent:
            trap(f"handle {number} is lent")
        del self.entries[number]
        self.free.append(number)
        return handle

    def take(self, type_: ResourceType, inside: Any) -> int:
        """Return the number of a new handle that owns a resource."""
        return self.add(Handle(type_, inside))

    def give(self, number: int, type_: ResourceType) -> Any:
        """Return what is inside a resource, which is passed on."""
        if self.find(number, type_).scope is not None:
            trap(f"handle {number} is borrowed: it cannot be passed on")
        return self.remove(number, type_).inside

    def borrow(self, type_: ResourceType, inside: Any, scope: Scope) -> int:
        """Return the number of a new handle that must be dropped before a call ends."""
        number = self.add(Handle(type_, inside, scope))
        scope.borrowed += 1
        return number

    def lend(self, number: int, type_: ResourceType, scope: Scope) -> Any:
        """Return what is inside a resource, which stays until a call ends."""
        handle = self.find(number, type_)
        scope.lend(handle)
        return handle.inside

    def drop(self, number: int, type_: ResourceType, by: "Compartment") -> None:
        """Give a handle up; what was owned is destroyed."""
        handle = self.remove(number, type_)
        if handle.scope is None:
            type_.end(handle.inside, by)
        else:
            handle.scope.borrowed -= 1


class Calls:
    """The calls into all parts of one component: `guard` lets one thread in, and `fuel` is what a call has usually."""

    def __init__(self, fuel: int | None):
        self.guard, self.fuel, self.nested = Guard(), fuel, 0

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Count a call while it runs; trap when too many run within one another."""
        if self.nested == NESTED:
            trap(f"the calls are nested too deeply: components call one another {NESTED} times already")
        self.nested += 1
        try:
            yield
        finally:
            self.nested -= 1


class Compartment:
    """What a component instance has of its own: its handles, and whether it may be entered and left now.

    `calls` it shares with all parts of its component. One that trapped stays entered: nobody comes in again.
    """

    def __init__(self, calls: Calls) -> None:
        self.calls, self.handles, self.entered, self.may_leave = calls, Handles(), False, True

    def check_may_enter(self) -> None:
        """Trap while a call into it runs."""
        if self.entered:
            trap("a component cannot be entered that is in the middle of a call, or trapped in one")

    @contextmanager
    def visited(self) -> Iterator[None]:
        """While a call into it runs, nobody else comes in."""
        self.check_may_enter()
        with self.calls.one_more():
            self.entered = True
            yield
            self.entered = False

    def check_may_leave(self) -> None:
        """Trap while it is given values, or cleans up."""
        if not self.may_leave:
            trap("a component cannot call another one, or change its handles, while it is given values or cleans up")

    @contextmanager
    def staying(self) -> Iterator[None]:
        """While it is given values, or cleans up, it may call nobody."""
        self.may_leave = False
        yield
        self.may_leave = True
