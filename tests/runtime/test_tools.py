"""Do agents call those tools that their rules name, within their budgets, and is each failure a result in words?"""

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import time
from contextlib import asynccontextmanager, contextmanager, nullcontext
from pathlib import Path

import aiohttp
import pytest

from corollary.commands import project
from corollary.runtime.connection import MOST
from corollary.runtime.desk import TOOL, Desk
from corollary.runtime.http import rules_of
from corollary.runtime.ledger import LEAST, Denied, Ledger
from corollary.runtime.runtime import Runtime
from corollary.runtime.schemas import TOO_LARGE
from corollary.runtime.servers import Http, Misconfigured, Stdio, servers_in
from corollary.runtime.sqlite import SqliteStore
from corollary.runtime.store import Agent, Budget, Effect, Event, Kind, Rules
from corollary.runtime.tools import Tools, failure
from tests.runtime import hostile, scripts
from tests.runtime.agents import CALLER, compiled
from tests.runtime.crashes import Client, Server
from tests.runtime.stores import KEY, free_port, nats_server, run, wait_for_port

ROOT = Path(__file__).resolve().parents[2]
SOON = 60.0  # s
PLENTY = {"bytes": 100_000, "seconds": 30.0}


def real(folder):
    """Return the server of the official package, which notes its calls in a folder."""
    return Stdio(command=sys.executable, args=("-m", "tests.runtime.mcp_server", str(folder / "calls")), cwd=ROOT)


def rogue(way):
    """Return a server that misbehaves."""
    return Stdio(command=sys.executable, args=(hostile.__file__, way))


@contextmanager
def over_http(folder):
    """Run the server of the official package over HTTP; yields where it is."""
    port = free_port()
    command = [sys.executable, "-m", "tests.runtime.mcp_server", str(folder / "calls"), str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        yield Http(url=f"http://127.0.0.1:{port}/mcp")
    finally:
        server.kill()
        server.wait()


@asynccontextmanager
async def having(**servers):
    """Yield a function that calls a tool of the servers, as the runtime does."""
    tools = Tools(servers, KEY)

    async def call(tool, arguments, id_="a/1/1", **more):
        asked = {"tool": tool, "arguments": arguments, **PLENTY, **more}
        return json.loads(await tools.perform(Agent("a", "p"), Effect("a", id_, TOOL, json.dumps(asked).encode())))

    try:
        yield call
    finally:
        await tools.close()


def called(server, tool, arguments, **more):
    """Return what becomes of one call."""

    async def test():
        async with having(s=server) as call:
            return await call(f"s/{tool}", arguments, **more)

    return run(test())


# ---- budgets


def ledger(**budget):
    """Return the ledger of an agent that may use `s/x` within a budget."""
    return Ledger(Rules(tools={"s/x": Budget(**budget)}, body=1000, patience=5.0))


def result(id_, size=0, seconds=0.0):
    """Return the event with the result of a call."""
    body = json.dumps({"spent": {"bytes": size, "seconds": seconds}}).encode()
    return Event("a", f"{id_}/result", Kind.RESULT, body, id_)


def test_a_call_reserves_what_it_may_use_and_its_result_settles_that():
    made = ledger(calls=3, bytes=2500, seconds=8.0)
    assert made.reserve("1", "s/x", 100) == Budget(1, 1100, 5.0)
    assert made.reserve("2", "s/x", 100) == Budget(1, 1100, 3.0)
    with pytest.raises(Denied, match="1 calls, 300 bytes, 0 s are left"):
        made.reserve("3", "s/x", 100)
    made.settle(result("1", 150, 0.5))
    assert made.left("s/x") == Budget(1, 1250, 4.5)
    made.settle(result("1", 150, 0.5))  # it counts once
    made.settle(result("unknown", 150, 0.5))
    assert made.left("s/x") == Budget(1, 1250, 4.5)
    again = Ledger(made.rules, json.loads(json.dumps(made.noted())))
    again.settle(result("2", 9999, 9999.0))  # never more than was reserved
    assert again.left("s/x") == Budget(1, 1250, 4.5)
    assert again.reserve("4", "s/x", 0) == Budget(1, 1000, 4.5)
    again.settle(result("4"))
    with pytest.raises(Denied, match="0 calls"):
        again.reserve("5", "s/x", 0)


def test_arguments_must_fit_into_the_budget():
    with pytest.raises(Denied, match="the budget of s/x is spent"):
        ledger(bytes=LEAST + 9).reserve("1", "s/x", 10)
    assert ledger(bytes=LEAST + 10).reserve("1", "s/x", 10).bytes == len(failure("", 0)) + 10


def desk(**more):
    """Return a desk of an agent that may call `s/x`."""
    made = Desk(Agent("a", "", Rules(tools={"s/x": Budget()}, **more)), 7, 0, KEY)
    made.ledger = Ledger(made.rules)
    return made


def test_what_is_asked_for_goes_on_with_what_it_may_use():
    made = desk(body=1000, patience=2.0)
    assert made.ask(TOOL, b'{"tool": "s/x", "arguments": {"n": 1}}') == "a/7/1"
    (effect,) = made.effects
    assert json.loads(effect.body) == {"tool": "s/x", "arguments": {"n": 1}, "bytes": 1000, "seconds": 2.0}


DENIED = [
    (b'{"tool": "s/y"}', "the rules do not allow 's/y'; they allow: s/x"),
    (b'{"tool": "S/X"}', "the rules do not allow"),
    (b'{"tool": "*"}', "the rules do not allow"),
    (b"no JSON", "a call of a tool is a JSON object"),
    (b"[" * 100_000, "a call of a tool is a JSON object"),
    (b"\xff", "a call of a tool is a JSON object"),
    (b"[1]", "a call of a tool is a JSON object"),
    (b"{}", 'a call of a tool is a JSON object: {"tool": "SERVER/TOOL"'),
    (b'{"tool": 5}', "a call of a tool is a JSON object"),
    (b'{"tool": "s/x", "arguments": [1]}', "`arguments` is an object"),
    (b'{"tool": "s/x", "arguments": {"n": NaN}}', "NaN is no number of JSON"),
    (b'{"tool": "s/x", "arguments": {"n": 1e999}}', "1e999 is no number of JSON"),
    (b'{"tool": "s/x", "arguments": {"n": "\\ud800"}}', "surrogates not allowed"),
]


@pytest.mark.parametrize("body, words", DENIED, ids=lambda value: str(value)[:40])
def test_what_is_denied_reserves_nothing_and_says_why(body, words):
    made = desk()
    with pytest.raises(Denied) as denied:
        made.ask(TOOL, body)
    assert words in str(denied.value) and made.effects == []
    assert made.ledger.left("s/x") == Budget()


def test_without_rules_there_is_no_tool():
    made = Desk(Agent("a", "", Rules(hosts=("*",))), 1, 0, KEY)
    made.ledger = Ledger(made.rules)
    with pytest.raises(Denied, match="they allow: no tool"):
        made.ask(TOOL, b'{"tool": "s/x"}')


BUDGETS = [
    ({"tools": ["s/x"]}, "rule `tools` is an object with a budget for each SERVER/TOOL"),
    ({"tools": {"x": {}}}, "rule `tools` is an object with a budget for each SERVER/TOOL"),
    ({"tools": {"s/": {}}}, "rule `tools` is an object with a budget for each SERVER/TOOL"),
    ({"tools": {"s/x": 5}}, "the budget of s/x is an object with some of: calls, bytes, seconds"),
    ({"tools": {"s/x": {"days": 5}}}, "the budget of s/x is an object with some of: calls, bytes, seconds"),
    ({"tools": {"s/x": {"calls": -1}}}, "rule `calls` is a whole number"),
    ({"tools": {"s/x": {"calls": True}}}, "rule `calls` is a number"),
]


@pytest.mark.parametrize("given, words", BUDGETS, ids=str)
def test_a_budget_that_is_none_is_refused(given, words):
    with pytest.raises(ValueError) as refused:
        rules_of(given)
    assert words in str(refused.value)


def test_budgets_come_as_json():
    found = rules_of({"tools": {"s/x/y": {"calls": 5, "seconds": 2}, "t/x": {}}})
    assert found.tools == {"s/x/y": Budget(calls=5, seconds=2.0), "t/x": Budget()}


# ---- which servers there are


FILES = [
    (None, "cannot be read as JSON"),
    ("no JSON", "cannot be read as JSON"),
    ("[" * 100_000, "cannot be read as JSON"),
    ("[]", 'holds {"mcpServers"'),
    ('{"mcpServers": {}, "other": 1}', "and nothing else"),
    ('{"mcpServers": []}', "and nothing else"),
    ('{"mcpServers": {"a/b": {"command": "x"}}}', "server 'a/b': a name has no `/`"),
    ('{"mcpServers": {"": {"command": "x"}}}', "server '': a name has no `/`"),
    ('{"mcpServers": {"a": 5}}', "server 'a': give either `command` or `url`"),
    ('{"mcpServers": {"a": {"command": "x", "url": "y"}}}', "server 'a': give either `command` or `url`"),
    ('{"mcpServers": {"a": {"command": 5}}}', "server 'a': `command`: Input should be a valid string"),
    ('{"mcpServers": {"a": {"command": "x", "arg": []}}}', "server 'a': `arg`: Extra inputs are not permitted"),
    (
        '{"mcpServers": {"a": {"url": "http://x/", "headers": {"y": 5}}}}',
        "server 'a': `headers.y`: Input should be a valid",
    ),
    ('{"mcpServers": {"a": {"url": "file:///etc/passwd"}}}', "server 'a': `url`: String should match pattern"),
]


@pytest.mark.parametrize("text, words", FILES, ids=lambda value: str(value)[:40])
def test_a_file_with_servers_that_cannot_be_used_is_refused(tmp_path, text, words):
    path = tmp_path / "tools.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(Misconfigured) as refused:
        servers_in(path)
    assert words in str(refused.value) and str(path) in str(refused.value)


def test_a_file_with_servers(tmp_path):
    path = tmp_path / "tools.json"
    path.write_text('{"mcpServers": {"a": {"command": "x", "args": ["y"]}, "b": {"url": "http://z/", "headers": {}}}}')
    assert servers_in(path) == {"a": Stdio(command="x", args=("y",)), "b": Http(url="http://z/")}


# ---- calls


async def answers(call):
    """Return what a real server answers, and how it fails."""
    good = await call("s/add", {"a": 2, "b": 3})
    assert (good["structuredContent"], good["content"]) == ({"result": 5}, [{"type": "text", "text": "5"}])
    assert good["isError"] is False and good["spent"]["bytes"] > 60 and 0 < good["spent"]["seconds"] < 30
    keys = [(await call("s/slow", {"seconds": 0}, id_))["content"][0]["text"] for id_ in ("a/9/9", "a/9/9", "a/9/8")]
    assert keys[0] == keys[1] != keys[2]
    failed = await call("s/broken", {})
    assert failed["isError"] is True and failed["content"][0]["text"].startswith("Error executing tool broken")
    assert "$.b: 'x' is not of type 'integer'" in (await call("s/add", {"a": 2, "b": "x"}))["error"]
    assert "'b' is a required property" in (await call("s/add", {"a": 2}))["error"]
    assert "has no tool 'sub'; it has: add, " in (await call("s/sub", {}))["error"]
    assert "there is no MCP server 't'; there are: s" in (await call("t/add", {}))["error"]
    assert "and only 500 are allowed" in (await call("s/letters", {"count": 600}, bytes=500))["error"]
    assert (await call("s/slow", {"seconds": 30}, seconds=0.3))["error"] == "the time is up"
    assert "error" in await call("s/die", {}, seconds=5.0)


@pytest.mark.long
def test_a_real_server_over_its_standard_input_and_output(tmp_path):
    async def test():
        async with having(s=real(tmp_path)) as call:
            await answers(call)
            good = await asyncio.gather(*(call("s/add", {"a": n, "b": n}) for n in range(20)))
            assert [each["structuredContent"]["result"] for each in good] == [2 * n for n in range(20)]

    run(test(), None)
    assert noted(tmp_path) == 4  # nothing else got there


@pytest.mark.long
def test_a_real_server_over_http(tmp_path):
    async def test(server):
        async with having(s=server) as call:
            await answers(call)  # which ends the server
            assert "error" in await call("s/add", {"a": 1, "b": 1}, seconds=5.0)

    with over_http(tmp_path) as server:
        run(test(server), None)
    assert noted(tmp_path) == 4


ROGUES = [
    ("flood", f"the server sends more than {MOST} bytes"),
    ("endless", f"the server sends more than {MOST} bytes"),
    ("pages", f"the server sends more than {MOST} bytes"),
    ("silent", "the time is up"),
    ("stubborn", "the time is up"),
    ("other", "the time is up"),
    ("no JSON", "the time is up"),
    ("last words", "the server ended with exit status 0"),
    ("no list", "validation error"),
    ("no result", "validation error"),
    ("refusal", "y" * 1000),
    ("lie", "the result does not fit the schema that the server gave for x: $.n: 'five' is not of type 'integer'"),
    ("nothing", "the result does not fit the schema that the server gave for x: $: None is not of type 'object'"),
    ("no schema", "the arguments do not fit the schema of x: the schema is none"),
    ("schema elsewhere", "the arguments do not fit the schema of x: the schema is none"),
]


@pytest.mark.long
@pytest.mark.parametrize("way, words", ROGUES)
def test_a_server_that_misbehaves_leads_to_an_error_and_is_begun_anew(way, words):
    async def test():
        async with having(s=rogue(way), good=rogue("good")) as call:
            for _ in range(2):
                seconds = 3.0 if "time" in words else 30.0
                found = await call("s/x", {"n": 5}, seconds=seconds)
                assert words in found["error"] and len(found["error"]) <= 1000, found
            assert (await call("good/x", {"n": 5}))["content"][0]["text"] == "hello"

    run(test(), None)


@pytest.mark.long
def test_what_is_no_number_of_json_never_reaches_an_agent():
    assert called(rogue("no number"), "x", {"n": 5})["structuredContent"] == {"n": None}


@pytest.mark.long
def test_a_schema_that_takes_for_ever_stops_nobody_else():
    async def test():
        async with having(s=rogue("slow schema"), good=rogue("good")) as call:
            assert "content" in await call("good/x", {"n": 5})  # which begins what checks
            bad = {"text": "a" * 50 + "b"}
            calls = 2 * (os.cpu_count() or 1)
            stuck = [asyncio.create_task(call("s/x", bad, seconds=9.0)) for _ in range(calls)]
            await asyncio.sleep(1)
            assert "content" in await call("good/x", {"n": 5}, seconds=7.0)
            assert not any(each.done() for each in stuck)
            assert {each["error"] for each in await asyncio.gather(*stuck)} == {"the time is up"}
            assert "content" in await call("s/x", {"text": "a"})

    run(test(), None)


@pytest.mark.long
def test_a_schema_gets_a_bounded_memory():
    assert TOO_LARGE in called(rogue("large schema"), "x", {}, seconds=60.0)["error"]


@pytest.mark.parametrize("room", [13, 14, 30, 100, 1013])
def test_a_failure_is_told_within_the_budget(room):
    for reason in ("x" * 5000, "\U0001f600" * 5000, '\n"' * 5000):
        said = failure(reason, room)
        assert reason.startswith(json.loads(said)["error"]) and room - 12 < len(said) <= room
    assert json.loads(failure("short", 1000)) == {"error": "short"}


def test_a_program_that_is_not_there_is_told():
    assert "No such file or directory: '/no/such'" in called(Stdio(command="/no/such"), "x", {})["error"]


def test_a_port_where_nobody_listens_is_told():
    assert "connection" in called(Http(url=f"http://127.0.0.1:{free_port()}/mcp"), "x", {})["error"].lower()


@pytest.mark.long
def test_no_process_stays(tmp_path):
    """Neither a server that hears nothing, nor one that is still starting, nor what checks schemas, is left behind."""

    async def test():
        async with having(a=rogue("stubborn"), b=Stdio(command="sleep", args=("1000",))) as call:
            await asyncio.gather(*(call(f"{name}/x", {"n": 5}, seconds=3.0) for name in "ab"))

    before = children()
    run(test())
    assert children() == before


def children():
    """Return the processes that this one started."""
    return Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()


# ---- agents


@asynccontextmanager
async def running(folder, servers, text=CALLER, **rules):
    """Run an agent `a` with tools of servers; it is made if it is not there."""
    runtime = Runtime(SqliteStore(folder / "data"), KEY, pause=1000)
    tools = Tools(servers, KEY)
    runtime.perform.update(tools.performers())
    await runtime.start()
    try:
        program = await runtime.store.keep(text if isinstance(text, bytes) else compiled(text))
        await runtime.create(Agent("a", program, Rules(**{"trust": 0.8, **rules})))
        yield runtime
    finally:
        await runtime.close()
        await tools.close()


async def status_of(runtime, id_, body=b""):
    """Send a message, and return status and body of the reply."""
    await runtime.post("a", id_, body)
    reply = await runtime.reply("a", id_, SOON)
    return reply.status, reply.body


@pytest.mark.long
def test_a_budget_counts_across_restarts(tmp_path, caplog):
    caplog.set_level("INFO")
    add = b'{"tool": "s/add", "arguments": {"a": 2, "b": 3}}'
    given = {"servers": {"s": real(tmp_path)}, "tools": {"s/add": Budget(calls=2)}}

    async def once(number):
        async with running(tmp_path, **given) as runtime:
            results = (await status_of(runtime, f"before {number}"))[0]
            await status_of(runtime, f"ask {number}", add)
            for count in range(200):
                found, body = await status_of(runtime, f"look {number} {count}")
                if found > results:
                    return json.loads(body)
                await asyncio.sleep(0.05)

    assert run(once(1))["structuredContent"] == {"result": 5}
    assert run(once(2))["structuredContent"] == {"result": 5}

    async def too_often():
        async with running(tmp_path, **given) as runtime:
            await status_of(runtime, "ask 3", add)

    run(too_often())
    assert "denied: the budget of s/add is spent, or reserved by calls that go on: 0 calls" in caplog.text


SCRIPT = """agent.on('message', async (m) => {
  try {
    const result = await tool(...m.json());
    return result.isError ? 'failed: ' + result.content[0].text : result.structuredContent;
  } catch (error) {
    return `${error}`;
  }
});"""
SAID = [
    (["s/add", {"a": 2, "b": 3}], '{"result":5}'),
    (["s/add", {"a": 2, "b": "x"}], "TypeError: the arguments do not fit the schema of add: $.b: 'x' is not of type"),
    (["s/broken"], "failed: Error executing tool broken"),
    (["s/slow", {"seconds": 1}], "TypeError: the rules do not allow 's/slow'; they allow: s/add, s/broken"),
]


@pytest.mark.long
def test_a_script_calls_tools(tmp_path):
    async def test():
        given = {"tools": {"s/add": Budget(), "s/broken": Budget()}}
        async with running(tmp_path, {"s": real(tmp_path)}, scripts.program(SCRIPT), **given) as runtime:
            for number, (asked, answer) in enumerate(SAID):
                _, body = await status_of(runtime, str(number), json.dumps(asked).encode())
                assert body.decode().startswith(answer)

    run(test(), None)


@pytest.mark.long
def test_the_example_does_what_its_readme_says(tmp_path, monkeypatch):
    """Its three calls are spent one before and two after a kill; the fourth message is told the reason."""
    folder = project.begin("tool-agent", tmp_path / "example")
    program = scripts.built("tool-agent", tmp_path)
    (folder / "data").mkdir()
    readme = (folder / "README.md").read_text()
    (rules,) = re.findall(r'"rules": (\{.*\})\}\'', readme)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    server = Server(folder / "data", ["--tools", "tools.json"], here=folder)

    async def test():
        await asyncio.to_thread(wait_for_port, server.port)
        async with aiohttp.ClientSession() as session:
            client = Client(session, [server], random)
            _, kept = await client.ask("POST", "/programs", data=program)
            await client.ask("PUT", "/agents/clerk", json={**json.loads(kept), "rules": json.loads(rules)})
            for number in range(1, 4):
                _, body = await client.ask("POST", "/agents/clerk/events?wait=60", data=f"note {number}")
                assert body.decode() == f"There are {number} notes."
                if number == 1:
                    server.kill()
                    server.start()
            _, body = await client.ask("POST", "/agents/clerk/events?wait=60", data="note 4")
            assert body.startswith(b"the budget of notes/add is spent")

    try:
        run(test(), None)
    finally:
        server.kill()
        server.log.close()
    assert (folder / "notes.txt").read_text() == "note 1\nnote 2\nnote 3\n"


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "nats"])
def test_a_kill_in_the_midst_of_a_call_neither_loses_nor_doubles_its_result(tmp_path, kind):
    """The call is made again, with the same key; result and budget count once."""
    with nats_server(tmp_path / "nats") if kind == "nats" else nullcontext() as url:
        killed_in_the_midst(tmp_path, ["--nats", url] if url else [])


def killed_in_the_midst(tmp_path, more):
    """Kill a runtime while a tool is called, and look what came of it."""
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps({"mcpServers": {"s": json.loads(real(tmp_path).model_dump_json())}}))
    folder = tmp_path / "data"
    folder.mkdir()
    server = Server(folder, ["--tools", str(tools), *more])
    slow = b'{"tool": "s/slow", "arguments": {"seconds": 2}}'

    async def test():
        await asyncio.to_thread(wait_for_port, server.port)
        async with aiohttp.ClientSession() as session:
            client = Client(session, [server], random)
            _, program = await client.ask("POST", "/programs", data=compiled(CALLER))
            rules = {"trust": 0.8, "tools": {"s/slow": {"calls": 2}}}
            await client.ask("PUT", "/agents/a", json={**json.loads(program), "rules": rules})
            await ask(client, "one", slow)
            await until(lambda: noted(tmp_path) == 1)
            server.kill()
            server.start()
            assert await results(client, 1) == 1
            assert noted(tmp_path) == 2
            await ask(client, "two", slow)
            assert await results(client, 2) == 2
            await ask(client, "three", slow)  # one too many

    try:
        run(test(), None)
    finally:
        server.kill()
        server.log.close()
    keys = (tmp_path / "calls").read_text().split()
    assert keys[0] == keys[1] != keys[2] and len(keys) == 3
    log = next(folder.glob("log-*")).read_text()
    assert log.count("denied: the budget of s/slow is spent") == 1 and "0 calls" in log


async def ask(client, id_, body=b""):
    """Send a message to the agent, and return status and body of its reply."""
    key = {"Idempotency-Key": id_}
    headers, body = await client.ask("POST", "/agents/a/events?wait=30", data=body, headers=key)
    return int(headers["Corollary-Status"]), body


async def results(client, wanted):
    """Return how many results the agent has, once they are enough; no more come."""
    for count in range(200):
        if (await ask(client, f"look {wanted} {count}"))[0] >= wanted:
            break
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)
    return (await ask(client, f"last {wanted}"))[0]


def noted(folder):
    """Return how many calls the server has noted."""
    path = folder / "calls"
    return len(path.read_text().splitlines()) if path.exists() else 0


async def until(true):
    """Wait until something is true."""
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)
