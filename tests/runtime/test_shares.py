"""Do a few agents leave something for the others, and does nobody wait for ever?"""

import asyncio
from contextlib import AsyncExitStack

from corollary.runtime.shares import Shares
from tests.runtime.stores import run


async def asked(shares, agent, count):
    """Let an agent ask for places; returns the tasks, once those have a place that get one."""
    tasks = [asyncio.create_task(shares.take(agent)) for _ in range(count)]
    await asyncio.sleep(0)
    return tasks


async def given(tasks):
    """Return how many of some tasks have a place."""
    for _ in range(3):
        await asyncio.sleep(0)
    return sum(task.done() and not task.cancelled() for task in tasks)


def test_many_who_ask_for_many_leave_something_for_others():
    async def test():
        shares = Shares(192, 16)
        greedy = [await asked(shares, f"agent-{number}", 40) for number in range(20)]
        assert await given(greedy[0]) == 16 and shares.free > 0
        assert await given(await asked(shares, "modest", 1)) == 1

    run(test())


def test_whoever_has_fewest_is_next_and_others_take_turns():
    async def test():
        shares, order = Shares(1, 16), []

        async def use(agent):
            async with shares.place(agent):
                order.append(agent)
                await asyncio.sleep(0)

        await asyncio.gather(*[use(agent) for agent in "aaaabc"])
        assert order == ["a", "a", "b", "c", "a", "a"]
        assert (shares.free, shares.waiting, shares.held) == (1, {}, {})

    run(test())


def test_who_waits_no_more_takes_nothing():
    async def test():
        shares = Shares(1, 1)
        async with AsyncExitStack() as held:
            await held.enter_async_context(shares.place("a"))
            waiting, other = await asked(shares, "b", 2)
            waiting.cancel()
            assert await given([waiting, other]) == 0
        other.cancel()  # just when it has got its place
        assert await given([waiting, other]) == 0
        assert (shares.free, shares.waiting, shares.held) == (1, {}, {})

    run(test())
