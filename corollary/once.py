"""How is a value computed on first use, and never again?"""

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Kept = TypeVar("Kept")


class once(Generic[Kept]):
    """A property that is computed on first use and kept, for each object.

    Two threads may compute it at the same time. Then both get the value that was stored first; neither waits.
    """

    def __init__(self, make: Callable[[Any], Kept]):
        self.make, self.__doc__ = make, make.__doc__

    def __set_name__(self, _, name):
        self.name = name

    @overload
    def __get__(self, owner: None, _: type | None = None) -> Self: ...

    @overload
    def __get__(self, owner: object, _: type | None = None) -> Kept: ...

    def __get__(self, owner, _=None):
        return self if owner is None else vars(owner).setdefault(self.name, self.make(owner))
