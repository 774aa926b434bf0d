"""Does Prometheus read what the runtime did?"""

import asyncio

from prometheus_client.parser import text_string_to_metric_families

from corollary.runtime.runtime import TRIES
from tests.runtime.agents import ASKER, PICKY
from tests.runtime.test_http import made, with_client


async def numbers(client):
    """Return the value of each number, by its name and labels."""
    async with client.get("/metrics") as answer:
        assert answer.status == 200 and answer.content_type == "text/plain"
        found = text_string_to_metric_families(await answer.text())
        return {(each.name, *each.labels.values()): each.value for family in found for each in family.samples}


def test_events_and_turns_are_counted(tmp_path):
    async def test(client):
        before = await numbers(client)
        assert before["corollary_awake",] == 0 and before["corollary_turn_seconds_count",] == 0
        await made(client, "picky", PICKY)
        async with client.post("/agents/picky/events?wait=20", data=b"!") as reply:
            assert reply.status == 422
        async with client.post("/agents/picky/events?wait=20", data=b"good") as reply:
            assert reply.status == 200
        after = await numbers(client)
        assert after["corollary_events_total", "failed"] == TRIES - 1 and after["corollary_events_total", "dead"] == 1
        done = after["corollary_events_total", "done"]
        assert done == after["corollary_commit_seconds_count",] == after["corollary_checkpoint_bytes_count",] > 0
        assert after["corollary_wake_seconds_count",] > 1 and after["corollary_awake",] == 1

    with_client(tmp_path, test)


def test_what_an_agent_makes_up_gets_no_number_of_its_own(tmp_path):
    async def test(client):
        await made(client, "asker", ASKER)
        for kind in (b"one", b"other"):
            async with client.post("/agents/asker/events?wait=20", data=kind) as reply:
                assert reply.status == 200
        while (found := await numbers(client)).get(("corollary_effects_total", "unknown"), 0) < 2:
            await asyncio.sleep(0.01)
        assert [labels for name, *labels in found if name == "corollary_effects_total"] == [["unknown"]]

    with_client(tmp_path, test)
