"""Do agents in JavaScript do what their authors expect, from a line of output to a bot that survives kills?"""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import asynccontextmanager

import aiohttp
import pytest
from aiohttp import web

from corollary.module import Module
from corollary.outcome import Unlinkable
from corollary.runtime.acquisition import Registry
from corollary.runtime.composite import composite_of
from corollary.runtime.outside import AHEAD, Outside
from corollary.runtime.programs import Program
from corollary.runtime.publication import publisher
from corollary.runtime.runtime import Runtime
from corollary.runtime.sqlite import SqliteStore
from corollary.runtime.store import Agent, Answer, Rules, State
from tests.runtime import gateway, scripts
from tests.runtime.agents import COUNTER, compiled
from tests.runtime.stores import KEY, free_port, run, wait_for_port
from tests.runtime.test_outside import echo, serving, upper
from tests.runtime.test_registry import registry

pytestmark = pytest.mark.long

LOCAL = Rules(trust=0.8, hosts=("127.0.0.1:*",), private=True, methods=("GET", "POST"))
SOON = 60.0  # s
MOST = 32 << 10  # bytes of a checkpoint after an event, on average


@asynccontextmanager
async def running(folder):
    """Run agents with access to the outside."""
    runtime = Runtime(SqliteStore(folder), KEY, pause=10_000)
    runtime.perform.update(Outside(runtime.tell_part, runtime.part_handled).performers())
    await runtime.start()
    try:
        yield runtime
    finally:
        await runtime.close()


def with_agent(folder, script, test, rules=Rules()):
    """Run a test with a runtime that has an agent `a` with a script."""

    async def inner():
        async with running(folder) as runtime:
            program = await runtime.store.keep(scripts.program(script))
            assert await runtime.create(Agent("a", program, rules))
            return await test(runtime)

    return run(inner(), None)


async def said(runtime, id_, body=b"", name="a"):
    """Send a message, and return the reply."""
    await runtime.post(name, id_, body)
    reply = await runtime.reply(name, id_, SOON)
    assert reply is not None
    return reply


def answer(folder, script, body=b"", rules=Rules()):
    """Return what a script answers to a message."""
    reply = with_agent(folder, script, lambda runtime: said(runtime, "one", body), rules)
    assert reply.answer is Answer.DONE, reply
    return reply.body.decode()


def on(body):
    """Return a script that handles messages with a function of `m`."""
    return f"agent.on('message', async (m) => {{ {body} }});"


def test_hello(tmp_path, caplog):
    caplog.set_level("INFO")
    assert answer(tmp_path, "console.log('hello', agent.name, {a: [1, 2n]}, new Error('why')); " + on("")) == ""
    assert re.search(r'a: hello a {"a":\[1,"2n"\]} Error: why\n +at', caplog.text)


ANSWERS = {
    "text": ("return m.text() + 'é'", "xé"),
    "an object": ("return {said: m.text()}", '{"said":"x"}'),
    "bytes": ("return new Uint8Array([104, 105])", "hi"),
    "nothing": ("", ""),
    "a number": ("return 5", "5"),
    "JSON": ("return m.from + typeof m.json", "function"),
    "date": ("return new Date().getFullYear() >= 2026", "true"),
    "base64": ("return atob(btoa('hello'))", "hello"),
    "uuid": ("return crypto.randomUUID()", "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"),
    "random": ("return new Set(crypto.getRandomValues(new Uint8Array(5000))).size", "256"),
    "coding": ("return new TextDecoder().decode(new TextEncoder().encode('a\\u00e9\\u20ac\\u{1f600}'))", "aé€😀"),
    "bad UTF-8": ("return new TextDecoder().decode(new Uint8Array([0x61, 0xe2, 0x82, 0x62, 0xff]))", "a�b�"),
    "order": ("const o = []; setTimeout(() => o.push(3)); Promise.resolve().then(() => o.push(2)); o.push(1);"
              " await new Promise((d) => setTimeout(d, 0)); return o", r"\[1,2,3\]"),
    "abort": ("try { await fetch('x', {signal: AbortSignal.abort()}) } catch (e) { return e.name }", "AbortError"),
    "event": ("const t = new EventTarget(); let n = 0; t.addEventListener('x', () => n++, {once: true});"
              " t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x')); return n", "1"),
    "cleared": ("let n = 0; const t = setTimeout(() => n++, 1); clearTimeout(t);"
                " await new Promise((d) => setTimeout(d, 20)); return n", "0"),
    "headers": ("const h = new Headers({A: '1'}); h.append('a', '2'); return [...h]", r'\[\["a","1, 2"\]\]'),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_what_scripts_use(tmp_path, name):
    script, expected = ANSWERS[name]
    assert re.fullmatch(expected, answer(tmp_path, on(script), b"x"))


def test_an_interval_rings_until_it_is_cleared(tmp_path):
    script = "let n = 0; const t = setInterval(() => { if (++n === 3) clearInterval(t); }, 5);"
    script += on("await new Promise((d) => setTimeout(d, 200)); return n")
    assert answer(tmp_path, script) == "3"


def test_agents_send_to_each_other(tmp_path):
    async def test(runtime):
        program = await runtime.store.keep(
            scripts.program("let from = ''; " + on("const f = from; from = m.from; return f"))
        )
        await runtime.create(Agent("b", program))
        await said(runtime, "one")
        return (await said(runtime, "two", name="b")).body

    assert with_agent(tmp_path, on("agent.send('b', {x: 1})"), test) == b"a"


FAILURES = {
    "thrown": ("agent.on('message', () => { throw new Error('no way') })", Answer.DEAD, "Error: no way\n.*agent.js:1"),
    "rejected": (on("throw new Error('no way')"), Answer.DEAD, "Error: no way\n.*agent.js:1"),
    "late": (on("await new Promise((d) => setTimeout(d, 5)); throw new Error('late')"), Answer.FAILED, "Error: late"),
    "endless": ("agent.on('message', () => { for (;;); })", Answer.DEAD, "its fuel is spent"),
    "never at rest": (on("const f = () => setTimeout(f, 0); f()"), Answer.DEAD, "did not come to rest|fuel"),
    "deep": (
        "const f = () => f() + 1; agent.on('message', f)",
        Answer.DEAD,
        "RangeError: Maximum call stack size exceeded",
    ),
    "large": (on("return 'x'.repeat(1 << 30)"), Answer.DEAD, "string too long"),
    "denied": (on("await fetch('http://127.0.0.1:1/')"), Answer.FAILED, "the rules do not allow 127.0.0.1:1"),
    "many": (on("for (let i = 0; i < 2000; i++) agent.send('b', 'x'); return 5"), Answer.DONE, ""),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failures_are_told(tmp_path, name):
    script, kind, words = FAILURES[name]
    rules = Rules(trust=0.8, fuel=5_000_000, pages=512)
    reply = with_agent(tmp_path, script, lambda runtime: said(runtime, "one"), rules)
    assert reply.answer is kind and re.search(words, reply.reason, re.DOTALL), reply


def test_a_rejection_that_nobody_handles_is_logged(tmp_path, caplog):
    caplog.set_level("INFO")
    answer(tmp_path, "Promise.reject(new Error('lost'));" + on(""))
    assert re.search(r"not handled: Error: lost\n +at", caplog.text)


def test_an_engine_that_is_none_is_refused():
    other = (
        compiled(COUNTER) + scripts.program("")[len((scripts.installed("js-agent") / scripts.ENGINE).read_bytes()) :]
    )
    Program(Module(scripts.program("")), Rules())
    Program(Module(other), Rules())  # it imports nothing that is not there, and fails when it starts
    broken = compiled('(module (import "env" "other" (func)))') + scripts.program("")[-23:]
    with pytest.raises(Unlinkable, match="no import env.other: take quickjs-wasi from npm|can handle nothing"):
        Program(Module(broken), Rules())


PUBLISH = on("const {urn, agents, edges} = JSON.parse(m.text()); return await agent.publish({urn, agents, edges});")


@pytest.mark.parametrize("edges, kind", [([["x", "y"]], Answer.DONE), ([["x", "y"], ["y", "x"]], Answer.FAILED)])
def test_a_script_publishes_a_composite(tmp_path, edges, kind):
    given = {"urn": "urn:corollary:team:1.0", "agents": dict.fromkeys("xy", "ab" * 32), "edges": edges}

    async def test(runtime):
        async with registry(tmp_path / "registry") as url:
            runtime.perform["publish"] = publisher(Registry(url))
            return await said(runtime, "one", json.dumps(given).encode())

    reply = with_agent(tmp_path / "data", PUBLISH, test, Rules(publish=True, trust=1.0, consensus=True))
    assert reply.answer is kind, reply
    if kind is Answer.DONE:
        assert json.loads(reply.body) == {"urn": given["urn"], "composite": composite_of(given).digest}
    else:
        assert "agents hand on in a circle" in reply.reason


def test_fetch(tmp_path):
    async def handler(request):
        body = await request.text()
        told = {"method": request.method, "body": body, "header": request.headers.get("X-Header", "")}
        return web.json_response(told, status=201, headers={"X-Answer": "yes"})

    async def test(runtime):
        async with serving(handler) as port:
            return await said(runtime, "one", f"http://127.0.0.1:{port}/x".encode())

    script = on(
        "const r = await fetch(m.text(), {method: 'POST', body: 'é', headers: {'X-Header': 'h'}});"
        " return [r.ok, r.status, r.headers.get('x-answer'), await r.json()]"
    )
    found = json.loads(with_agent(tmp_path, script, test, LOCAL).body)
    assert found == [True, 201, "yes", {"method": "POST", "body": "é", "header": "h"}]


def test_websocket(tmp_path):
    async def test(runtime):
        async with serving(echo) as port:
            return await said(runtime, "one", f"ws://127.0.0.1:{port}/".encode())

    script = on(
        "const s = new WebSocket(m.text()), got = []; s.binaryType = 'arraybuffer';"
        " return await new Promise((done) => {"
        " s.onopen = () => { s.send('one'); s.send(new Uint8Array([1, 255])); s.send('bye'); };"
        " s.onmessage = (e) => got.push(typeof e.data === 'string' ? e.data : [...new Uint8Array(e.data)]);"
        " s.onclose = (e) => done([...got, e.code, s.readyState]); })"
    )
    assert json.loads(with_agent(tmp_path, script, test, LOCAL).body) == ["one!", [1, 255], 4001, 3]


COUNTS = """
let bytes = 0, over = false;
agent.on('message', (m) => {
  if (m.text() === 'how many?') return [bytes, over];
  const connection = new Connection('127.0.0.1', m.text());
  connection.ondata = ({ data }) => { bytes += data.length; };
  connection.onclose = () => { over = true; };
});
"""


def test_what_comes_for_an_agent_that_is_suspended_waits_at_the_other_end(tmp_path):
    async def pour(reader, writer):
        for _ in range(400):
            writer.write(bytes(10_000))
            await writer.drain()
        writer.close()

    async def test(runtime):
        server = await asyncio.start_server(pour, "127.0.0.1", 0)
        async with server:
            await said(runtime, "one", str(server.sockets[0].getsockname()[1]).encode())
            await runtime.set_state("a", State.SUSPENDED)
            await asyncio.sleep(0.3)
            assert len((await runtime.store.waiting("a"))[0]) <= AHEAD + 3
            await runtime.set_state("a", State.RUNNING)
            found, count = b"", 0
            while found != b"[4000000,true]":
                assert count < 1000, found
                found, count = (await said(runtime, f"ask {count}", b"how many?")).body, count + 1

    with_agent(tmp_path, COUNTS, test, LOCAL)


NODE = """
import net, { Socket } from 'node:net';
import http from 'node:http';

const talked = (port) => new Promise((done, failed) => {
  let got = '';
  const socket = net.connect({ port, host: '127.0.0.1' }, () => socket.write('one\\n'));
  socket.on('data', (data) => {
    got += data;
    if (got === 'ONE\\n') socket.end('bye\\n');
  });
  socket.on('close', () => done([got, socket instanceof Socket]));
  socket.on('error', failed);
});
const posted = (port) => new Promise((done, failed) => {
  const options = { host: `127.0.0.1:${port}`, method: 'POST', path: '/x', headers: { 'X-Header': 'h' } };
  const request = http.request(options, (response) => {
    const parts = [];
    response.on('data', (part) => parts.push(part));
    response.on('end', () => done([response.statusCode, response.headers['x-answer'], parts.join('')]));
  });
  request.on('error', failed);
  request.write('body ');
  request.end('é');
});
const refused = (url) => new Promise((done) => {
  http.get(url, () => done('it was answered')).on('error', (problem) => done(problem.message));
});
agent.on('message', async (m) => {
  const [tcp, web] = m.json();
  return [await talked(tcp), await posted(web), await refused('http://192.0.2.1/')];
});
"""


def test_modules_of_node_reach_the_network(tmp_path):
    async def handler(request):
        told = f"{request.method} {request.path} {request.headers['X-Header']} {await request.text()}"
        return web.Response(text=told, status=201, headers={"X-Answer": "yes"})

    async def test():
        listening = await asyncio.start_server(upper, "127.0.0.1", 0)
        async with running(tmp_path / "data") as runtime, serving(handler) as port, listening:
            assert await runtime.create(Agent("a", await runtime.store.keep(program), LOCAL))
            ports = [listening.sockets[0].getsockname()[1], port]
            return await said(runtime, "one", json.dumps(ports).encode())

    program = scripts.bundled(NODE, tmp_path)
    reply = run(test(), None)
    assert reply.answer is Answer.DONE, reply
    talked, posted, refused = json.loads(reply.body)
    assert talked == ["ONE\nBYE\n", True]
    assert posted == [201, "yes", "POST /x h body é"]
    assert "the rules do not allow 192.0.2.1:80" in refused


def test_a_checkpoint_after_an_event_is_small(tmp_path):
    async def test(runtime):
        for number in range(100):
            await said(runtime, str(number), b"x")
        return await runtime.store.kept("a")

    kept = with_agent(tmp_path, "let n = 0; " + on("return ++n"), test)
    sizes = [len(checkpoint.block) for checkpoint in kept.checkpoints]
    print(f"{sum(sizes) // len(sizes)} bytes of checkpoint an event, {max(sizes)} for a whole one")
    assert sum(sizes) / len(sizes) <= MOST


# ---- what people begin with, and what they want in the end


def serve(folder, port):
    """Start the command, and wait until it listens."""
    command = [sys.executable, "-m", "corollary.commands.start", "serve", "--dir", str(folder), "--port", str(port)]
    with open(folder.with_suffix(".log"), "ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    wait_for_port(port)
    return process


def kill(process):
    """Kill it."""
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


async def asked(port, method, path, **given):
    """Return the body of an answer."""
    async with aiohttp.ClientSession() as session:
        async with session.request(method, f"http://127.0.0.1:{port}{path}", **given) as answer:
            assert answer.status in (200, 201), await answer.text()
            return await answer.read()


def test_the_first_agent_of_a_newcomer(tmp_path):
    program, port = scripts.built("js-agent", tmp_path), free_port()
    process = serve(tmp_path / "data", port)
    try:
        told = run(asked(port, "POST", "/programs", data=program))
        run(asked(port, "PUT", "/agents/mine", data=told))
        first = run(asked(port, "POST", "/agents/mine/events?wait=20", data=b"hello"))
        kill(process)
        process = serve(tmp_path / "data", port)
        second = run(asked(port, "POST", "/agents/mine/events?wait=20", data=b"hello"))
    finally:
        kill(process)
    assert (json.loads(first), json.loads(second)) == ({"count": 1, "said": "hello"}, {"count": 2, "said": "hello"})


def test_a_discord_bot_survives_kills_without_a_new_login(tmp_path):
    program, port = scripts.built("discord-bot", tmp_path), free_port()

    async def live():
        async with gateway.serving() as service:
            process = await asyncio.to_thread(serve, tmp_path / "data", port)
            try:
                told = json.loads(await asked(port, "POST", "/programs", data=program))
                rules = {
                    "trust": 0.8,
                    "hosts": ["127.0.0.1:*"],
                    "private": True,
                    "methods": ["GET", "POST"],
                    "seconds": 60,
                }
                await asked(port, "PUT", "/agents/bot", json={**told, "rules": rules})
                login = f"a token\n{service.url}/api".encode()
                logged_in = await asked(port, "POST", "/agents/bot/events?wait=60", data=login)
                numbers = []
                for round_ in range(3):
                    numbers.append(await service.say(f"message {round_}"))
                    await service.until_replied(numbers[-1], SOON)
                    kill(process)
                    numbers.append(await service.say(f"while away {round_}"))
                    process = await asyncio.to_thread(serve, tmp_path / "data", port)
                    await service.until_replied(numbers[-1], SOON)
                return service, numbers, logged_in
            finally:
                kill(process)

    service, numbers, logged_in = run(live(), None)
    said = [f"you said {words} {round_}" for round_ in range(3) for words in ("message", "while away")]
    assert logged_in == b"logged in as bot"
    assert service.replies == {number: [text] for number, text in zip(numbers, said)}
    assert (service.identified, service.resumed) == (1, 3)


def test_half_a_character_is_replaced_wherever_a_script_says_it(tmp_path):
    script = "agent.on('message', async (m) => { console.log('\\ud800 logged'); throw new Error('\\udc00 thrown') })"

    async def test(runtime):
        reply = await said(runtime, "one")
        (letter,) = await runtime.store.dead("a")
        assert reply.answer is Answer.DEAD and "? thrown" in reply.reason and letter.reason == reply.reason
        entry = (await runtime.store.journal("a"))[-1]
        assert "? thrown" in entry.reason and "? logged" in [step.text for step in entry.steps]

    with_agent(tmp_path, script, test)
