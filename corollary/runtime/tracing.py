"""Who is told how long an event takes, and what its program calls meanwhile? Nobody, unless somebody asks for it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol

from corollary.runtime.store import Effect, Entry, Event

CALLS = 100  # calls of the host that are told of, in each turn, at most


class Tracing(Protocol):
    """Who is told what happens."""

    def event(self, event: Event) -> AbstractContextManager[Callable[[Entry], None]]:
        """Tell that an event is being handled; the function that it gives tells what came of that."""
        ...

    def call(self, name: str) -> AbstractContextManager[Any]:
        """Tell of a call of the host, in the thread that handles the event."""
        ...

    def effect(self, effect: Effect) -> AbstractContextManager[Any]:
        """Tell of an effect that is being carried out."""
        ...

    def close(self) -> None:
        """Tell all that is still to be told."""
        ...


class Quiet:
    """Tells nobody."""

    def event(self, event: Event) -> AbstractContextManager[Callable[[Entry], None]]:
        return nullcontext(lambda entry: None)

    def call(self, name: str) -> AbstractContextManager[Any]:
        return nullcontext()

    def effect(self, effect: Effect) -> AbstractContextManager[Any]:
        return nullcontext()

    def close(self) -> None:
        """There is nothing to tell."""
