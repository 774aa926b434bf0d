"""Who gets the next place, when there are few for all agents? Whoever has the fewest, and has waited the longest."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

PART = 4  # an agent gets one more place while it has less than this part of those that are free


class Shares:
    """Gives places to agents: to each `most` at most, and fewer when few are free.

    So a few agents never have all, and no agent waits for ever, as long as places are left again.
    """

    def __init__(self, places: int, most: int):
        self.free, self.most = places, most
        self.held: Counter[str] = Counter()  # places, by agent
        self.waiting: dict[str, OrderedDict[asyncio.Future, None]] = {}  # by agent, in the order of their turns

    @asynccontextmanager
    async def place(self, agent: str) -> AsyncIterator[None]:
        """Wait until an agent may have one more place, and leave it in the end."""
        await self.take(agent)
        try:
            yield
        finally:
            self.leave(agent)

    async def take(self, agent: str) -> None:
        """Wait until an agent has one more place."""
        given = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(agent, OrderedDict())[given] = None
        self.give()
        try:
            await given
        except asyncio.CancelledError:
            if given.cancelled():
                self.drop(agent, given)
            else:
                self.leave(agent)
            raise

    def leave(self, agent: str) -> None:
        """Leave a place to whoever is next."""
        self.free += 1
        self.held[agent] -= 1
        if not self.held[agent]:
            del self.held[agent]
        self.give()

    def give(self):
        """Give places as long as somebody may have one."""
        while fitting := [agent for agent in self.waiting if may_have_more(self.held[agent], self.most, self.free)]:
            agent = min(fitting, key=lambda each: self.held[each])
            given = next(iter(self.waiting[agent]))
            self.waiting[agent] = self.waiting.pop(agent)  # the turn of all others comes first
            self.drop(agent, given)
            if not given.done():
                self.free -= 1
                self.held[agent] += 1
                given.set_result(None)

    def drop(self, agent, given):
        """Let something wait no more."""
        self.waiting.get(agent, {}).pop(given, None)
        if not self.waiting.get(agent, True):
            del self.waiting[agent]


def may_have_more(held: int, most: int, free: int) -> bool:
    """May an agent that has some places have one more of those that are free?"""
    return held < most and held * PART < free
