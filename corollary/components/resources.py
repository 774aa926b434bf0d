"""Who has which resource? Handles say so: each component instance has a table of those that it owns or borrows."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from corollary.components.refusal import trap
from corollary.limits import LimitExceeded

HANDLES = 1 << 16  # of one component instance at once, at most


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
        """Raise `TypeError` unless a Python value is such a resource, `ValueError` if it was passed on."""
        if self.owner is None:
            if not isinstance(value, self.of_host):
                raise TypeError(f"{what} is a {self.name}: {value!r} is none")
        elif not isinstance(value, Resource) or value.type is not self:
            raise TypeError(f"{what} is a {self.name}: {value!r} is none")
        elif value.gone:
            raise ValueError(f"{what} is a {self.name} that was passed on, or was only borrowed")

    def held(self, inside: Any) -> Any:
        """Return a resource as Python has it."""
        return inside if self.owner is None else Resource(self, inside)

    def inside(self, value: Any) -> Any:
        """Return what a resource is inside its owner."""
        return value if self.owner is None else value.inside

    def moved(self, value: Any) -> Any:
        """Return the same, of a resource that is passed on."""
        if self.owner is not None:
            value.gone = True
        return self.inside(value)

    def end(self, inside: Any, by: "Compartment | None" = None) -> None:
        """Destroy a resource that `by` has dropped; None is the host."""
        if self.owner is None or self.owner is by:
            self.destroy(inside)
        else:
            self.owner.enter()
            self.destroy(inside)
            self.owner.leave()


@dataclass(eq=False)
class Resource:
    """A resource of a component, outside of it. `drop` gives it up."""

    type: ResourceType
    inside: int = field(repr=False)
    gone: bool = False

    def drop(self) -> None:
        """Give the resource up; its owner destroys it. Raises `Trapped`, and `ValueError` if it was passed on."""
        self.type.check(self, "what is dropped")
        self.gone = True
        self.type.end(self.inside)


@dataclass(eq=False)
class Handle:
    """An entry of a table: a resource that is owned, or borrowed until the call of `scope` ends."""

    type: ResourceType
    inside: Any
    scope: "Scope | None" = None
    lent: int = 0


@dataclass(eq=False)
class Scope:
    """One call: the handles that are lent for it, and how many borrowed ones it must drop before its end."""

    lent: list[Handle] = field(default_factory=list)
    borrowed: int = 0

    def over(self) -> None:
        """End the call; trap if it keeps what was only borrowed."""
        if self.borrowed:
            trap(f"{self.borrowed} borrowed handles were not dropped before the call ended")
        for handle in self.lent:
            handle.lent -= 1


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
        handle.lent += 1
        scope.lent.append(handle)
        return handle.inside

    def drop(self, number: int, type_: ResourceType, by: "Compartment") -> None:
        """Give a handle up; what was owned is destroyed."""
        handle = self.remove(number, type_)
        if handle.scope is None:
            type_.end(handle.inside, by)
        else:
            handle.scope.borrowed -= 1


class Compartment:
    """What a component instance has of its own: its handles, and whether it may be entered and left now.

    One that trapped stays entered: nobody comes in again.
    """

    def __init__(self) -> None:
        self.handles, self.entered, self.may_leave = Handles(), False, True

    def enter(self) -> None:
        """Begin a call into it; trap if one is running."""
        if self.entered:
            trap("a component cannot be entered that is in the middle of a call, or trapped in one")
        self.entered = True

    def leave(self) -> None:
        """End a call into it."""
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
