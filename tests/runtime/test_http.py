"""Does the HTTP interface do what it says, and refuse everything else in words?"""

import asyncio
import json
import math

import pytest
from aiohttp.test_utils import TestClient, TestServer

from corollary.runtime.http import LONGEST_WAIT, MESSAGE, application
from corollary.runtime.runtime import Runtime
from corollary.runtime.sqlite import SqliteStore
from tests.runtime.agents import COUNTER, PICKY, compiled
from tests.runtime.stores import KEY, run


def with_client(folder, test):
    """Run a test with a client of a runtime."""

    async def inner():
        runtime = Runtime(SqliteStore(folder), KEY, pause=1000)
        await runtime.start()
        async with TestClient(TestServer(application(runtime))) as client:
            await test(client)
        await runtime.close()

    run(inner())


async def asked(client, method, path, **more):
    """Return status and JSON of an answer."""
    async with client.request(method, path, **more) as response:
        return response.status, await response.json()


async def made(client, name="a", text=COUNTER, **rules):
    """Make an agent."""
    status, told = await asked(client, "POST", "/programs", data=compiled(text))
    assert status == 201
    status, told = await asked(client, "PUT", f"/agents/{name}", json={**told, "rules": rules})
    assert status == 201, told
    return told


def test_a_first_round(tmp_path):
    async def test(client):
        agent = await made(client, hosts=["example.org:443"], seconds=2)
        assert agent["state"] == "RUNNING" and agent["rules"]["seconds"] == 2.0
        for _ in range(2):
            async with client.post("/agents/a/events?wait=5", data=b"x", headers={"Idempotency-Key": "one"}) as reply:
                assert (reply.status, await reply.read()) == (200, b"\1\0\0\0")
                assert (reply.headers["Idempotency-Key"], reply.headers["Corollary-Status"]) == ("one", "1")
        assert await asked(client, "GET", "/agents") == (200, [agent])
        assert await asked(client, "GET", "/agents/a") == (200, agent)
        async with client.get("/agents/a/events/one") as reply:
            assert await reply.read() == b"\1\0\0\0"

    with_client(tmp_path, test)


def test_who_does_not_wait_asks_later(tmp_path):
    async def test(client):
        await made(client)
        await client.post("/agents/a/suspend")
        status, told = await asked(client, "POST", "/agents/a/events", data=b"x")
        assert status == 202
        later = asyncio.create_task(asked_for_reply(client, told["event"]))
        assert (await asked(client, "POST", "/agents/a/resume"))[1]["state"] == "RUNNING"
        assert await later == (200, b"\1\0\0\0")

    async def asked_for_reply(client, event):
        async with client.get(f"/agents/a/events/{event}?wait=5") as reply:
            return reply.status, await reply.read()

    with_client(tmp_path, test)


def test_dead_letters_are_listed_and_tried_again(tmp_path):
    async def test(client):
        await made(client, text=PICKY)
        key = {"Idempotency-Key": "bad one/with a path"}
        status, told = await asked(client, "POST", "/agents/a/events?wait=9", data=b"!", headers=key)
        assert status == 422 and "unreachable" in told["error"]
        status, (letter,) = await asked(client, "GET", "/agents/a/dead")
        assert (letter["attempts"], letter["body"], letter["kind"]) == (5, "!", "MESSAGE")
        status, told = await asked(client, "POST", f"/agents/a/dead/{letter['event']}/retry")
        assert status == 200
        status, told = await asked(client, "POST", "/agents/a/dead/nothing/retry")
        assert (status, told["error"]) == (404, "a has no dead letter 'nothing'")

    with_client(tmp_path, test)


def test_a_killed_agent_is_gone(tmp_path):
    async def test(client):
        await made(client)
        assert (await asked(client, "POST", "/agents/a/kill"))[1]["state"] == "ENDED"
        assert (await asked(client, "POST", "/agents/a/events?wait=5"))[0] == 410

    with_client(tmp_path, test)


BAD = [
    ("GET", "/nothing", {}, 404, "GET /nothing: Not Found"),
    ("DELETE", "/agents", {}, 405, "Method Not Allowed"),
    ("GET", "/agents/b", {}, 404, "there is no agent 'b'"),
    ("POST", "/agents/b/events", {"data": b"x"}, 404, "there is no agent 'b'"),
    ("GET", "/agents/a/events/none", {}, 404, "a has no event"),
    ("POST", "/agents/b/kill", {}, 404, "there is no agent 'b'"),
    ("GET", "/agents/b/journal", {}, 404, "there is no agent 'b'"),
    ("GET", "/agents/a/journal?last=-1", {}, 400, "`last` is a whole number, not '-1'"),
    ("GET", "/agents/a/journal?last=" + "9" * 5000, {}, 400, "`last` is a whole number"),
    ("POST", "/agents/b/fork", {"json": {"name": "c"}}, 404, "there is no agent 'b'"),
    ("POST", "/agents/a/fork", {"json": {"name": "a"}}, 409, "a is there already: give the copy another name"),
    ("POST", "/agents/a/fork", {"json": {"turn": 1}}, 400, "a copy has a `name`"),
    ("POST", "/agents/a/fork", {"json": {"name": "c", "turn": True}}, 400, "`turn`, which is a number"),
    ("POST", "/agents/a/fork", {"json": {"name": "c", "turn": -1}}, 400, "`turn`, which is a number"),
    ("POST", "/agents/a/fork", {"json": {"name": "c", "turn": 10**15}}, 404, f"after turn {10**15} is not kept"),
    ("POST", "/agents/a/fork", {"json": {"name": "c", "rules": {}}}, 400, "a copy has a `name`"),
    ("POST", "/agents/a/fork", {"json": {"name": "<b>"}}, 400, "no name of an agent"),
    ("POST", "/agents/b/replay", {}, 404, "there is no agent 'b'"),
    ("POST", "/agents/a/replay?since=x", {}, 400, "`since` is a whole number, not 'x'"),
    ("POST", "/agents/a/replay?since=7", {}, 404, "after turn 7 is not kept"),
    ("GET", "/agents/b/dead", {}, 404, "there is no agent 'b'"),
    ("POST", "/agents/a/events?wait=nan", {}, 400, f"from 0 to {LONGEST_WAIT:g}, not 'nan'"),
    ("POST", "/agents/a/events?wait=-1", {}, 400, "not '-1'"),
    ("POST", "/agents/a/events?wait=soon", {}, 400, "not 'soon'"),
    ("POST", "/agents/a/events", {"headers": {"Idempotency-Key": "k" * 257}}, 400, "256 printable characters"),
    ("POST", "/agents/a/events", {"data": bytes(MESSAGE + 1)}, 413, f"a message has {MESSAGE} bytes at most"),
    ("PUT", "/agents/b", {"data": b"no JSON"}, 400, "is no JSON: Expecting value"),
    ("PUT", "/agents/b", {}, 400, "the body is a JSON object; it is no JSON"),
    ("PUT", "/agents/b", {"data": b"[" * 100_000}, 400, "deep"),
    ("PUT", "/agents/b", {"json": []}, 400, "the body is a JSON object"),
    ("PUT", "/agents/b", {"json": {}}, 400, "an agent has a `program` or a `urn`"),
    ("PUT", "/agents/b", {"json": {"program": 5}}, 400, "`program` is a text"),
    ("PUT", "/agents/b", {"json": {"urn": ["x"]}}, 400, "`urn` is a text"),
    ("PUT", "/agents/b", {"json": {"urn": "urn:corollary:a:1"}}, 400, "start the runtime with --registry URL"),
    ("PUT", "/agents/b", {"json": {"program": "00"}}, 404, "no program 00: keep it first"),
    ("PUT", "/agents/b", {"json": {"program": "00", "other": 1}}, 400, "an agent has no other"),
    ("PUT", "/agents/NO", {"json": {"program": "00"}}, 400, "'NO' is no name of an agent"),
    ("PUT", "/agents/" + "n" * 64, {"json": {"program": "00"}}, 400, "no name of an agent"),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": 5}}, 400, "an object with some of: description, trust"),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": {"x": 5}}}, 400, "`rules` is an object with some of"),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": {"hosts": "x"}}}, 400, "rule `hosts` is a list of texts"),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": {"private": 1}}}, 400, "rule `private` is true or false"),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": {"fuel": True}}}, 400, "rule `fuel` is a number"),
    (
        "PUT",
        "/agents/b",
        {"json": {"program": "00", "rules": {"fuel": -1}}},
        400,
        "number from 0 to 1099511627776, not -1",
    ),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": {"fuel": 0.5}}}, 400, "rule `fuel` is a whole number"),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": {"trust": -1}}}, 400, "`trust` is a number from 0 to 1,"),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": {"trust": math.nan}}}, 400, "from 0 to 1, not nan"),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": {"pages": 65537}}}, 400, "rule `pages` is a whole number"),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": {"effects": 65536}}}, 400, "from 0 to 65535, not 65536"),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": {"seconds": 0}}}, 400, "is a number above 0, not 0.0"),
    ("PUT", "/agents/b", {"json": {"program": "00", "rules": {"seconds": "1"}}}, 400, "rule `seconds` is a number"),
]


@pytest.mark.parametrize("method, path, given, status, words", BAD, ids=str)
def test_what_is_refused_says_why(tmp_path, method, path, given, status, words):
    async def test(client):
        await made(client)
        async with client.post("/agents/a/events?wait=5", data=b"x") as reply:
            assert reply.status == 200
        found, told = await asked(client, method, path, **given)
        assert found == status and words in told["error"], told
        assert len((await asked(client, "GET", "/agents"))[1]) == 1

    with_client(tmp_path, test)


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_body_that_is_not_what_its_headers_say_is_refused(tmp_path, encoding):
    async def test(client):
        reader, writer = await asyncio.open_connection("127.0.0.1", client.server.port)
        about = f"Host: localhost\r\nContent-Encoding: {encoding}\r\nContent-Length: 7"
        writer.write(f"PUT /agents/b HTTP/1.1\r\n{about}\r\nConnection: close\r\n\r\ngarbage".encode())
        answer = (await reader.read()).decode()
        writer.close()
        assert answer.startswith("HTTP/1.1 400 ") and "the body is not what its headers say" in answer, answer

    with_client(tmp_path, test)


def test_a_program_that_is_none_is_refused_with_the_agent(tmp_path):
    async def test(client):
        for data, words in ((b"no module", "magic"), (compiled("(module)"), "can handle nothing")):
            _, told = await asked(client, "POST", "/programs", data=data)
            status, told = await asked(client, "PUT", "/agents/b", json=told)
            assert status == 422 and words in told["error"], told

    with_client(tmp_path, test)


def test_the_same_agent_again_changes_nothing_and_another_one_is_refused(tmp_path):
    async def test(client):
        agent = await made(client)
        same = {"program": agent["program"], "rules": agent["rules"]}
        assert await asked(client, "PUT", "/agents/a", json=same) == (200, agent)
        other = {"program": agent["program"], "rules": {"fuel": 1}}
        status, told = await asked(client, "PUT", "/agents/a", data=json.dumps(other))
        assert (status, told["error"]) == (409, "a is there already, and differs in fuel")

    with_client(tmp_path, test)
