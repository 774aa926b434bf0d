"""Does an MCP client reach agents as tools, and is each failure told as one of the tool?"""

import asyncio
import base64
import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from corollary.runtime.connection import KEY
from corollary.runtime.desk import TOOL
from corollary.runtime.http import DESCRIPTION, MESSAGE
from corollary.runtime.offer import Offer
from corollary.runtime.serve import key_of
from corollary.runtime.store import Effect
from corollary.runtime.tools import Tools
from tests.runtime.agents import CALLER, COUNTER, PICKY, compiled
from tests.runtime.crashes import Client as Asking
from tests.runtime.crashes import Server
from tests.runtime.stores import free_port, run, wait_for_port
from tests.runtime.test_http import made
from tests.runtime.test_http import with_client as with_runtime

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "corollary.commands.start", "mcp"]
AGENTS = {
    "counter": (COUNTER, {"description": "Counts what it is told."}),
    "picky": (PICKY, {"seconds": 0.2}),
    "asleep": (COUNTER, {}),
    "ended": (COUNTER, {}),
}


@pytest.fixture(scope="module")
def runtime(tmp_path_factory):
    """Return a runtime with some agents."""
    server = Server(tmp_path_factory.mktemp("runtime"), [])
    try:
        wait_for_port(server.port)
        run(make(server), None)
        yield server
    finally:
        server.kill()
        server.log.close()


async def make(server):
    """Make the agents."""
    async with aiohttp.ClientSession() as session:
        asking = Asking(session, [server], FIRST)
        for name, (text, rules) in AGENTS.items():
            _, program = await asking.ask("POST", "/programs", data=compiled(text))
            await asking.ask("PUT", f"/agents/{name}", json={**json.loads(program), "rules": rules})
        await asking.ask("POST", "/agents/asleep/suspend")
        await asking.ask("POST", "/agents/ended/kill")


class FIRST:
    """Chooses the first."""

    choice = staticmethod(lambda choices: choices[0])


def stdio(at, *more):
    """Return how a client starts the command."""
    return StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "--at", at, *more], cwd=ROOT)


@contextmanager
def over_http(at, *more):
    """Run the command at a port; yields its address."""
    command = [*COMMAND, "--at", at, "--port", "0", *more]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def with_client(server, test):
    """Run a test with the official client of a server."""

    async def inner():
        async with Client(server, cache=None) as client:
            return await test(client)

    return run(inner(), None)


async def error(client, name, arguments, **more):
    """Return the reason of a call that fails."""
    found = await client.call_tool(name, arguments, **more)
    assert found.is_error
    return found.content[0].text


async def talk(client):
    """Ask for everything that a client can ask."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert tools.keys() == {"asleep", "counter", "picky"}  # those that have not ended
    assert tools["counter"].description == "Counts what it is told."
    assert tools["picky"].description == "Send a message to the agent picky."
    assert tools["counter"].input_schema["required"] == ["message"]
    counts = [(await client.call_tool("counter", {"message": text})).content[0].text for text in ("a", "é")]
    assert [ord(count[0]) for count in counts] == [ord(counts[0][0]), ord(counts[0][0]) + 1]
    for key in ("a\nb", 5, ""):
        assert "printable characters" in await error(client, "counter", {"message": "x"}, meta={KEY: key})
    assert "there is no agent 'nobody'" in await error(client, "nobody", {"message": "x"})
    assert "'../x'" in await error(client, "../x", {"message": "x"})
    assert "the agent ended before" in await error(client, "ended", {"message": "x"})
    for arguments in ({}, None, {"message": 5}, {"message": "x", "more": 1}, {"text": "x"}):
        assert await error(client, "counter", arguments) == "an agent takes one argument: `message`, a text"
    with pytest.raises(MCPError):
        await client.session.read_resource("file:///etc/passwd")


def test_over_standard_input_and_output(runtime):
    with_client(stdio(runtime.url), talk)


def test_the_reason_why_an_agent_failed_is_told(tmp_path):
    async def test(client):
        await made(client, "picky", PICKY)
        offer = Offer(str(client.make_url("")), (), 20)
        async with Client(offer.server()) as asking:
            assert "unreachable" in await error(asking, "picky", {"message": "!"})
            assert not (await asking.call_tool("picky", {"message": "x"})).is_error

    with_runtime(tmp_path, test)


def test_over_http(runtime):
    with over_http(runtime.url) as url:
        with_client(url, talk)


def test_a_call_with_a_key_is_one_message_however_often_it_is_made(runtime):
    async def test(client):
        found = [await client.call_tool("counter", {"message": "x"}, meta={KEY: "one"}) for _ in range(3)]
        other = await client.call_tool("counter", {"message": "x"}, meta={KEY: "two"})
        first, *_ = {each.content[0].text for each in found}
        assert ord(other.content[0].text[0]) == ord(first[0]) + 1 and len({each.content[0].text for each in found}) == 1

    with_client(stdio(runtime.url), test)


def test_only_those_that_are_named_are_offered(runtime):
    async def test(client):
        assert [tool.name for tool in (await client.list_tools()).tools] == ["counter"]
        assert "'picky' is not offered; there are: counter" in await error(client, "picky", {"message": "x"})

    with_client(stdio(runtime.url, "counter"), test)


def test_who_does_not_answer_in_time_is_told_of_with_the_key_to_ask_again(runtime):
    async def test(client):
        reason = await error(client, "asleep", {"message": "x"}, meta={KEY: "later"})
        assert reason == "asleep has not answered within 0.2 s: its event is later; call again with it"

    with_client(stdio(runtime.url, "--wait", "0.2"), test)


def test_without_a_runtime_the_reason_is_told():
    at = f"http://127.0.0.1:{free_port()}"

    async def test(client):
        assert f"no runtime answers at {at}: " in await error(client, "counter", {"message": "x"})
        with pytest.raises(MCPError, match=f"no runtime answers at {at}: .*: is `corollary serve` running there"):
            await client.list_tools()

    with_client(stdio(at), test)


def test_a_message_beyond_the_limit_is_refused(runtime):
    async def test(client):
        assert str(MESSAGE) in await error(client, "counter", {"message": "x" * (MESSAGE + 1)})

    with_client(stdio(runtime.url), test)


def test_bytes_that_are_no_text_come_as_such(runtime):
    """The counter answers with four bytes: from 128 on they are no text."""

    async def test(client):
        for _ in range(150):
            content = (await client.call_tool("counter", {"message": "x"})).content[0]
            if content.type == "resource":
                return base64.b64decode(content.resource.blob)

    assert with_client(stdio(runtime.url), test) == b"\x80\0\0\0"


GARBAGE = [
    b"no JSON\n",
    b"[]\n",
    b"\xff\xfe\n",
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}}\n',
    b'{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": []}\n',
    b'{"jsonrpc": "2.0", "id": 3, "method": "nothing"}\n',
    b"[" * 100_000 + b"\n",
]


def test_a_client_that_misbehaves_gets_errors_and_ends_nothing(runtime):
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    begin = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}).encode() + b"\n"
    done = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode() + b"\n"
    last = json.dumps({"jsonrpc": "2.0", "id": 9, "method": "tools/list"}).encode() + b"\n"
    with subprocess.Popen(
        [*COMMAND, "--at", runtime.url], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdin.write(b"".join([begin, done, *GARBAGE, last]))
        process.stdin.flush()
        told = {}
        while 9 not in told:
            line = json.loads(process.stdout.readline())
            told[line["id"]] = line
        process.stdin.close()
        assert process.wait(20) == 0  # it ends with its input
    assert {tool["name"] for tool in told[9]["result"]["tools"]} == {"asleep", "counter", "picky"}
    assert all("error" in told[number] for number in (1, 2, 3) if number in told) and 3 in told


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}], ids=str)
def test_a_page_of_somebody_else_reaches_nothing(runtime, headers):
    async def test(url):
        async with aiohttp.ClientSession() as session:
            async with session.post(url, json={}, headers=headers) as answer:
                return answer.status

    with over_http(runtime.url) as url:
        assert run(test(url)) in (403, 421)


def test_a_port_that_is_taken_is_told(runtime):
    command = [*COMMAND, "--at", runtime.url, "--port", str(runtime.port)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2 and f"cannot listen at port {runtime.port}: Address already in use" in done.stderr


def test_a_description_has_its_limit(runtime):
    async def test():
        async with aiohttp.ClientSession() as session:
            rules = {"description": "x" * (DESCRIPTION + 1)}
            given = {"program": "0", "rules": rules}
            async with session.put(f"{runtime.url}/agents/long", json=given) as answer:
                assert (answer.status, str(DESCRIPTION) in await answer.text()) == (400, True)

    run(test())


def test_an_agent_calls_another_one_once_though_its_runtime_is_killed(tmp_path, runtime):
    """Both ways at once: the tool that an agent calls is an agent, and the key goes through."""
    tools = tmp_path / "tools.json"
    command = {"command": COMMAND[0], "args": [*COMMAND[1:], "--at", runtime.url], "cwd": str(ROOT)}
    tools.write_text(json.dumps({"mcpServers": {"agents": command}}))
    (tmp_path / "data").mkdir()
    mine = Server(tmp_path / "data", ["--tools", str(tools)])

    async def test():
        async with aiohttp.ClientSession() as session:
            asking, there = Asking(session, [mine], FIRST), Asking(session, [runtime], FIRST)
            await asyncio.to_thread(wait_for_port, mine.port)
            _, program = await asking.ask("POST", "/programs", data=compiled(CALLER))
            rules = {"trust": 0.8, "tools": {"agents/counter": {"calls": 1}}, "patience": 60}
            await asking.ask("PUT", "/agents/a", json={**json.loads(program), "rules": rules})
            before = await there.status("counter", "before the kill")
            await there.ask("POST", "/agents/counter/suspend")
            call = json.dumps({"tool": "agents/counter", "arguments": {"message": "x"}})
            await asking.ask("POST", "/agents/a/events?wait=9", data=call)
            await until_posted(session, f"{runtime.url}/agents/counter/events/{key_of_call(tmp_path)}")
            mine.kill()
            mine.start()
            await asyncio.to_thread(wait_for_port, mine.port)
            await there.ask("POST", "/agents/counter/resume")
            for number in range(200):
                if await results(asking, f"look {number}"):
                    break
                await asyncio.sleep(0.1)
            assert await there.status("counter", "after the kill") == before + 2
            assert await results(asking, "last") == 1

    try:
        run(test(), None)
    finally:
        mine.kill()
        mine.log.close()


def key_of_call(folder):
    """Return the key of the first call that the agent makes: its first turn was the start."""
    return Tools({}, key_of(folder / "data")).key(Effect("a", "a/2/1", TOOL, b""))


async def until_posted(session, page):
    """Wait until an event is there, and not answered."""
    while True:
        async with session.get(page) as answer:
            if answer.status == 202:
                return
        await asyncio.sleep(0.05)


async def results(asking, id_):
    """Return how many results the caller has."""
    headers, _ = await asking.ask("POST", "/agents/a/events?wait=9", headers={"Idempotency-Key": id_})
    return int(headers["Corollary-Status"])
