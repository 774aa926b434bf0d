"""In which order does an agent send on a connection? In that of its outbox, whatever has to wait."""

import json
from dataclasses import replace

from corollary.runtime.store import Effect, Store
from corollary.runtime.warden import OPENED, Later

MOST = 1 << 22  # bytes that wait in memory for one connection, at most; the others stay in the outbox


class Full(Later):
    """The other end of a connection takes nothing at the moment."""


class Line:
    """The effects on a connection that are still to be carried out, in order. Bodies beyond `MOST` bytes are left out.

    `given_up` says that the connection is to be closed, and the other end does not take what comes before.
    """

    def __init__(self, store: Store):
        self.store, self.size, self.given_up = store, 0, False
        self.effects: dict[str, Effect] = {}
        self.without: set[str] = set()  # ids of those whose bodies stay in the outbox

    def add(self, effect: Effect) -> None:
        """Let an effect wait until all before it are carried out."""
        if self.size + len(effect.body) > MOST and effect.kind == "frame":
            self.without.add(effect.id)
            effect = replace(effect, body=b"")
        self.size += len(effect.body)
        self.effects[effect.id] = effect

    async def first(self) -> Effect:
        """Return the first effect with its body; raises what the store raises."""
        effect = next(iter(self.effects.values()))
        if effect.id not in self.without:
            return effect
        return await self.store.effect(effect.agent, effect.id) or effect

    def remove(self, effect: Effect) -> None:
        """Let the next effect be the first."""
        self.size -= len(self.effects.pop(effect.id).body)
        self.without.discard(effect.id)

    def is_left(self, effect: Effect) -> bool:
        """Is an effect not carried out any more, because a close comes after it that cannot wait?"""
        return self.given_up and effect.kind != "close"

    def is_closed(self) -> bool:
        """Does a close wait in the line?"""
        return any(effect.kind == "close" for effect in self.effects.values())


def connection_of(effect: Effect) -> str | None:
    """Return the connection on which an effect sends, or None if it does not."""
    if effect.kind not in OPENED:
        return None
    try:
        return str(json.loads(effect.body).get("socket"))
    except (ValueError, RecursionError, AttributeError):
        return ""
