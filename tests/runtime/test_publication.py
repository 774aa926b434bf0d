"""Is a composite one text with one hash, published once however often it is sent, and only if it is a graph?"""

import asyncio
import hashlib
import json
import random
from contextlib import asynccontextmanager

import networkx
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from corollary.runtime.acquisition import Registry, Unresolved
from corollary.runtime.composite import LARGEST, composite_in, composite_of
from corollary.runtime.publication import publisher
from corollary.runtime.registry import Shelf
from corollary.runtime.registry import application as registry_of
from corollary.runtime.store import Agent, Effect, Kind, Rules, State
from corollary.runtime.warden import Later
from tests.runtime.agents import compiled
from tests.runtime.stores import free_port, run
from tests.runtime.test_registry import NAME, PROGRAM, registry
from tests.runtime.test_runtime import running, said

URN = "urn:corollary:team:1.0"
SHA256 = "ab" * 32
ALLOWED = Rules(publish=True, trust=1.0, consensus=True)
AGENTS = dict.fromkeys(("a", "b", "c"), SHA256)
GIVEN = {"urn": URN, "agents": AGENTS, "edges": [["b", "c"], ["a", "b"]]}
TEXT = f'{{"agents":{{"a":"{SHA256}","b":"{SHA256}","c":"{SHA256}"}},"edges":[["a","b"],["b","c"]],"urn":"{URN}"}}'


def test_the_text_is_canonical_and_its_hash_is_the_name():
    made = composite_of(GIVEN)
    assert made.text == TEXT.encode() and made.digest == hashlib.sha256(TEXT.encode()).hexdigest()
    shuffled = {"edges": [["a", "b"], ["b", "c"]], "agents": dict(reversed(AGENTS.items())), "urn": URN}
    assert composite_of(shuffled) == made == composite_in(TEXT.encode())


def test_what_is_a_graph_without_cycles_is_what_another_library_says():
    rng, seen = random.Random(5), set()
    names = "abcdef"
    for _ in range(300):
        edges = rng.sample([[one, two] for one in names for two in names], rng.randint(0, 8))
        good = networkx.is_directed_acyclic_graph(networkx.DiGraph([tuple(edge) for edge in edges]))
        seen.add(good)
        given = {"urn": URN, "agents": dict.fromkeys(names, SHA256), "edges": edges}
        if good:
            assert composite_of(given).urn.name == "team"
        else:
            with pytest.raises(ValueError, match="agents hand on in a circle"):
                composite_of(given)
    assert seen == {True, False}


MANY = dict.fromkeys(map("n{}".format, range(20_000)), SHA256)
BAD = [
    (None, "is an object of agents, edges, urn"),
    ([], "is an object of"),
    ({}, "is an object of"),
    ({**GIVEN, "more": 1}, "is an object of"),
    ({**GIVEN, "urn": 5}, "`urn` is a text"),
    ({**GIVEN, "urn": "team"}, "it is urn:corollary:NAME:VERSION"),
    ({**GIVEN, "agents": {}}, "`agents` is an object"),
    ({**GIVEN, "agents": ["a"]}, "`agents` is an object"),
    ({**GIVEN, "agents": {"../a": SHA256}}, "is no name of an agent"),
    ({**GIVEN, "agents": {"a": SHA256[1:]}}, "has the SHA-256 of a program"),
    ({**GIVEN, "agents": {"a": SHA256.upper()}}, "has the SHA-256 of a program"),
    ({**GIVEN, "agents": {"a": None}}, "has the SHA-256 of a program"),
    ({**GIVEN, "edges": {}}, "`edges` is a list of pairs of agents"),
    ({**GIVEN, "edges": [["a", "d"]]}, "`edges` is a list of pairs of agents"),
    ({**GIVEN, "edges": [["a"]]}, "`edges` is a list of pairs of agents"),
    ({**GIVEN, "edges": [["a", ["b"]]]}, "`edges` is a list of pairs of agents"),
    ({**GIVEN, "edges": ["ab"]}, "`edges` is a list of pairs of agents"),
    ({**GIVEN, "edges": [["a", "b"], ["a", "b"]]}, "`edges` has each pair once"),
    ({**GIVEN, "edges": [["a", "a"]]}, "agents hand on in a circle: a, a"),
    ({**GIVEN, "edges": [["a", "b"], ["b", "c"], ["c", "a"]]}, "agents hand on in a circle"),
    ({**GIVEN, "agents": MANY, "edges": []}, f"has {LARGEST} bytes at most"),
]


@pytest.mark.parametrize("given, words", BAD, ids=range(len(BAD)))
def test_what_is_no_composite_is_refused(given, words):
    with pytest.raises(ValueError, match=words):
        composite_of(given)


async def posted(client, data, key):
    """Return status and JSON of the answer to a composite."""
    async with client.post("/composites", data=data, headers={"Idempotency-Key": key}) as answer:
        return answer.status, await answer.json()


def test_a_registry_keeps_each_composite_once_and_takes_no_other_text(tmp_path):
    made = composite_of(GIVEN)
    other = composite_of({**GIVEN, "edges": []})

    async def test():
        shelf = Shelf(tmp_path)
        async with TestClient(TestServer(registry_of(shelf))) as client:
            found = [await posted(client, made.text, made.digest) for _ in range(3)]
            found.append(await posted(client, other.text, other.digest))
            found.append(await posted(client, other.text, made.digest))
            found.append(await posted(client, json.dumps(GIVEN).encode(), made.digest))
            found.append(await posted(client, b"[" * 100_000, made.digest))
            found.append(await posted(client, b"", made.digest))
            async with client.get("/composites") as answer:
                listed = await answer.json()
            async with client.get(f"/composites/{made.digest}") as answer:
                assert await answer.read() == made.text
            async with client.get(f"/composites/{other.digest}") as answer:
                assert answer.status == 404
        await shelf.ask(lambda db: db.execute("UPDATE composites SET text = x'00'"))
        async with TestClient(TestServer(registry_of(shelf))) as client:
            async with client.get(f"/composites/{made.digest}") as answer:
                assert answer.status == 500
        await shelf.close()
        return found, listed

    found, listed = run(test())
    assert [status for status, _ in found] == [201, 200, 200, 409, 400, 400, 400, 400]
    assert listed == [{"urn": URN, "composite": made.digest}]


def test_programs_and_composites_share_their_names(tmp_path):
    async def test():
        async with registry(tmp_path) as url:
            here = Registry(url)
            await here.announce(composite_of(GIVEN))
            await here.publish(NAME, PROGRAM)
            with pytest.raises(Unresolved, match="take another version"):
                await here.publish(URN, PROGRAM)
            with pytest.raises(Unresolved, match="take another version"):
                await here.announce(composite_of({**GIVEN, "urn": NAME}))

    run(test())


# ---- agents that publish


PUBLISHING = """(module
  (import "corollary" "ask" (func $ask (param i32 i32 i32 i32) (result i64)))
  (import "corollary" "kind" (func $kind (result i32)))
  (import "corollary" "send" (func $send (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1) (data (i32.const 0) "publish") (data (i32.const 8) "sink")
  (func (export "handle_message") (param $at i32) (param $size i32) (result i32)
    (if (i32.eq (call $kind) (i32.const 1))
      (then (drop (call $ask (i32.const 0) (i32.const 7) (local.get $at) (local.get $size)))))
    (if (i32.eq (call $kind) (i32.const 3))
      (then (drop (call $send (i32.const 8) (i32.const 4) (local.get $at) (local.get $size))))) (i32.const 0))
  (func (export "get_response") (param i32 i32) (result i32) (i32.const 0)))"""
"""Publishes what each message says, and sends what came of it on to `sink`."""


@asynccontextmanager
async def at_port(folder, port):
    """Serve a registry at a port; yields its shelf."""
    shelf = Shelf(folder)
    runner = web.AppRunner(registry_of(shelf))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    try:
        yield shelf
    finally:
        await runner.cleanup()
        await shelf.close()


def publishing(open_store, port):
    """Run agents that publish at a registry."""
    return running(open_store, perform={"publish": publisher(Registry(f"http://127.0.0.1:{port}"))})


async def made(runtime):
    """Make an agent that publishes, and one that keeps what it is told until it is resumed."""
    program = await runtime.store.keep(compiled(PUBLISHING))
    for name in ("a", "sink"):
        await runtime.create(Agent(name, program, ALLOWED))
    while (await runtime.store.busy()) != []:
        await asyncio.sleep(0.005)
    await runtime.set_state("sink", State.SUSPENDED)


async def told(runtime):
    """Return what came of a publication."""
    lease = await runtime.store.claim("sink")
    while (event := await runtime.store.next(lease, runtime.clock.now())) is None:
        await asyncio.sleep(0.01)
    assert event.kind is Kind.MESSAGE
    return json.loads(event.body)


def test_while_the_registry_is_away_a_composite_waits_and_is_published_once(open_store, tmp_path, monkeypatch):
    monkeypatch.setattr("corollary.runtime.runtime.AGAIN", 0.02)
    monkeypatch.setattr("corollary.runtime.runtime.LONGEST_WAIT", 0.02)
    port, composite = free_port(), composite_of(GIVEN)

    async def test():
        async with publishing(open_store, port) as runtime:
            await made(runtime)
            await said(runtime, "a", "one", json.dumps(GIVEN).encode())
            await asyncio.sleep(0.1)
            (waiting,) = await runtime.store.outbox("a")
            assert waiting.kind == "publish"
        async with publishing(open_store, port) as runtime:  # the first one ended as by a kill
            async with at_port(tmp_path / "registry", port) as shelf:
                result = await told(runtime)
                while await runtime.store.outbox("a"):
                    await asyncio.sleep(0.01)
                return result, await shelf.composites()

    result, listed = run(test())
    assert result == {"urn": URN, "composite": composite.digest} and listed == [(URN, composite.digest)]


def test_what_the_registry_took_before_a_crash_is_there_once(open_store, tmp_path):
    port, composite = free_port(), composite_of(GIVEN)

    async def test():
        async with at_port(tmp_path / "registry", port) as shelf, publishing(open_store, port) as runtime:
            await shelf.compose(composite)  # as if the process had ended behind this
            await made(runtime)
            await said(runtime, "a", "one", json.dumps(GIVEN).encode())
            return await told(runtime), await shelf.composites()

    assert run(test()) == ({"urn": URN, "composite": composite.digest}, [(URN, composite.digest)])


def test_an_agent_that_was_ended_publishes_no_more(open_store, tmp_path, monkeypatch):
    monkeypatch.setattr("corollary.runtime.runtime.AGAIN", 0.02)
    monkeypatch.setattr("corollary.runtime.runtime.LONGEST_WAIT", 0.02)
    port = free_port()

    async def test():
        async with publishing(open_store, port) as runtime:
            await made(runtime)
            await said(runtime, "a", "one", json.dumps(GIVEN).encode())
            await asyncio.sleep(0.1)
            await runtime.set_state("a", State.ENDED)
            async with at_port(tmp_path / "registry", port) as shelf:
                while runtime.sending:
                    await asyncio.sleep(0.01)
                return await shelf.composites()

    assert run(test()) == []


async def result(body, registry_, rules=ALLOWED):
    """Return what an agent is told that wants to publish something."""
    return json.loads(await publisher(registry_)(Agent("a", "p", rules), Effect("a", "a/1/1", "publish", body)))


@pytest.mark.parametrize("body, words", [(b"{}", "a composite is"), (b"[", "a request is a JSON"), (b"x", "JSON")])
def test_what_is_no_composite_is_told_to_the_agent(body, words):
    assert words in run(result(body, Registry("http://127.0.0.1:1")))["error"]


def test_what_cannot_be_published_is_told_to_the_agent_unless_it_may_be_later():
    body = json.dumps(GIVEN).encode()
    assert "start the runtime with --registry URL" in run(result(body, None))["error"]
    with pytest.raises(Later, match="127.0.0.1:1"):
        run(result(body, Registry("http://127.0.0.1:1")))


def test_who_may_not_publish_is_told():
    found = run(result(json.dumps(GIVEN).encode(), Registry("http://127.0.0.1:1"), Rules(hosts=("*",))))
    assert found == {"error": "the rules do not allow to publish"}
