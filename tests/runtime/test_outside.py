"""Does an agent reach what its rules allow, and nothing else, and is each failure a result in words?"""

import asyncio
import base64
import datetime
import hashlib
import json
import socket
import ssl
import struct
import threading
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import replace

import aiohttp
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from corollary.runtime import outside
from corollary.runtime.line import Full
from corollary.runtime.outside import (
    AHEAD,
    BYTES,
    FRAMES,
    REQUESTS,
    SOCKETS,
    THREADS,
    Lookups,
    Outgoing,
    Outside,
    Pinned,
    Refusal,
    address,
    client,
    is_allowed,
)
from corollary.runtime.store import Agent, Effect, Rules
from tests.runtime.stores import run

LOCAL = Rules(hosts=("127.0.0.1:*", "localhost:*"), methods=("GET", "POST"), private=True, body=10_000, patience=1.0)


@asynccontextmanager
async def serving(handler, trust=None):
    """Serve every address with a handler on loopback; yields the port."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=trust).start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


class Posted:
    """What an agent was told while an effect was carried out; `known` are parts that were told before."""

    def __init__(self, known=()):
        self.parts, self.known, self.came = {}, set(known), asyncio.Event()
        self.awake = asyncio.Event()  # does the agent handle what it is told?
        self.awake.set()

    async def handled(self, effect, part):
        """Wait until the agent has handled a part."""
        assert part in self.parts
        await self.awake.wait()

    async def __call__(self, effect, part, body):
        if part in self.known:
            return False
        self.known.add(part)
        self.parts[part] = json.loads(body)
        self.came.set()
        return True

    async def until(self, part):
        """Wait until a part was told, and return it."""
        while part not in self.parts:
            self.came.clear()
            await self.came.wait()
        return self.parts[part]


def outside_of(posted, trusted=None):
    """Return the outside of an agent that notes what it is told."""
    return Outside(posted, posted.handled, trusted)


def effect(kind, request, id_="a/1/1"):
    """Return an effect of agent `a`."""
    return Effect("a", id_, kind, request if isinstance(request, bytes) else json.dumps(request).encode())


async def fetched(request, rules=LOCAL, trusted=None):
    """Return the result of a request."""
    made = outside_of(Posted(), trusted)
    return json.loads(await made.performers()["http"](Agent("a", "p", rules), effect("http", request)))


def test_a_request_and_its_response():
    seen = {}

    async def handler(request):
        seen.update(method=request.method, path=request.path_qs, body=await request.read(), headers=request.headers)
        return web.Response(status=418, text="é", headers={"X-Answer": "1"})

    async def test():
        async with serving(handler) as port:
            url = f"http://127.0.0.1:{port}/some/path?x=1"
            return await fetched({"url": url, "method": "post", "body": "text", "headers": {"X-Asked": "2"}})

    found = run(test())
    assert (found["status"], found["body"], found["headers"]["X-Answer"]) == (418, "é", "1")
    assert (seen["method"], seen["path"], seen["body"]) == ("POST", "/some/path?x=1", b"text")
    assert (seen["headers"]["Idempotency-Key"], seen["headers"]["X-Asked"]) == ("a/1/1", "2")


def test_headers_that_come_twice_are_joined():
    async def handler(request):
        response = web.Response()
        response.headers.extend([("X-Twice", "a=1"), ("x-twice", "b=2")])
        return response

    async def test():
        async with serving(handler) as port:
            return await fetched({"url": f"http://127.0.0.1:{port}/"})

    assert "a=1, b=2" in run(test())["headers"].values()


def test_bytes_that_are_no_text_come_in_base64():
    async def handler(request):
        return web.Response(body=await request.read() + b"\xff")

    async def test():
        async with serving(handler) as port:
            given = base64.b64encode(b"\xfe").decode()
            return await fetched({"url": f"http://localhost:{port}/", "method": "POST", "base64": given})

    assert base64.b64decode(run(test())["base64"]) == b"\xfe\xff"


def test_a_redirect_is_told_and_not_followed():
    asked = []

    async def handler(request):
        asked.append(request.path)
        return web.Response(status=302, headers={"Location": "http://169.254.169.254/latest"})

    async def test():
        async with serving(handler) as port:
            return await fetched({"url": f"http://127.0.0.1:{port}/first"})

    assert run(test())["status"] == 302
    assert asked == ["/first"]


async def endless(request):
    """Send bytes without end."""
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(bytes(1000))


async def slow(request):
    """Send a byte now and then."""
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b"x")
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("handler, words", [(endless, "more than 10000 bytes"), (slow, "the time is up")])
def test_a_server_that_never_ends_is_left(handler, words):
    async def test():
        async with serving(handler) as port:
            return await fetched({"url": f"http://127.0.0.1:{port}/"})

    assert words in run(test())["error"]


REFUSED = [
    (b"no JSON", "a request is a JSON object"),
    (b"[1]", "a request is a JSON object"),
    (b"[" * 100_000, "a request is a JSON object"),
    ({}, "`url` begins with http:// or https://"),
    ({"url": "file:///etc/passwd"}, "`url` begins with http:// or https://"),
    ({"url": "http://"}, "names a host"),
    ({"url": "http://[::1"}, "`url` is no address"),
    ({"url": "http://user:secret@127.0.0.1/"}, "give an `Authorization` header"),
    ({"url": "http://example.org/"}, "the rules do not allow example.org:80; they allow: 127.0.0.1:*, localhost:*"),
    ({"url": "http://127.0.0.1:1/", "method": "DELETE"}, "the rules allow GET, POST, not DELETE"),
    ({"url": "http://127.0.0.1:1/", "headers": ["x"]}, "`headers` is an object of texts"),
    ({"url": "http://127.0.0.1:1/", "headers": {"x": 1}}, "`headers` is an object of texts"),
    ({"url": "http://127.0.0.1:1/", "headers": {"x": "a\r\nEvil: 1"}}, ""),
    ({"url": "http://127.0.0.1:1/", "headers": {"HOST": "other"}}, "'HOST' is no header that an agent gives"),
    ({"url": "http://127.0.0.1:1/", "headers": {"Content-Length": "0"}}, "is no header that an agent gives"),
    ({"url": "http://127.0.0.1:1/", "headers": {"Transfer-Encoding ": "x"}}, "is no header that an agent gives"),
    ({"url": "http://127.0.0.1:1/", "body": 5}, "`body` is text; give bytes as `base64`"),
    ({"url": "http://127.0.0.1:1/", "base64": "!"}, "what is given as base64 is none"),
    ({"url": "http://127.0.0.1:1/"}, "Connect"),
]


@pytest.mark.parametrize("request_, words", REFUSED, ids=str)
def test_what_is_refused_says_why(request_, words):
    assert words in run(fetched(request_))["error"]


PRIVATE = ["127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.169.254", "0.0.0.0", "::1", "fe80::1%eth0", "fc00::1"]
PRIVATE += ["::ffff:127.0.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255"]
PRIVATE += [
    "::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "fec0::1",
    "192.0.0.8",
    "192.88.99.1",
    "3fff::1",
    "5f00::1",
]


@pytest.mark.parametrize("place", PRIVATE)
def test_private_addresses_are_refused_unless_the_rules_allow_them(place):
    assert not is_allowed(Rules(), place)
    assert is_allowed(Rules(private=True), place)
    host = f"[{place}]" if ":" in place else place
    with pytest.raises(Refusal, match="is a private address|no address"):
        address(Rules(hosts=("*",)), {"url": f"http://{host}/"}, ("http",))


def test_public_addresses_are_allowed():
    assert is_allowed(Rules(), "93.184.216.34") and is_allowed(Rules(), "2606:2800:220:1::1")


@pytest.mark.parametrize(
    "pattern, url, good",
    [
        ("[::1]:80", "http://[::1]/", True),
        ("[::1]:*", "http://[::1:2]:9/", False),
        ("api.example.org:443", "https://API.example.org./", True),
        ("api.example.org.:443", "https://api.example.org/", True),
        ("*.example.org:443", "https://example.org/", False),
    ],
)
def test_a_place_is_allowed_however_it_is_written(pattern, url, good):
    with nullcontext() if good else pytest.raises(Refusal, match="the rules do not allow"):
        address(Rules(hosts=(pattern,), private=True), {"url": url}, ("http", "https"))


def test_an_address_with_a_dot_at_its_end_is_private_too():
    with pytest.raises(Refusal, match="is a private address"):
        address(Rules(hosts=("*",)), {"url": "http://127.0.0.1./"}, ("http",))


def test_a_name_that_leads_to_a_private_address_is_refused():
    with pytest.raises(OSError, match="localhost leads to private addresses only"):
        run(Pinned(Rules(hosts=("*",))).resolve("localhost", 80))
    assert (
        "leads to private addresses only" in run(fetched({"url": "http://localhost:1/"}, Rules(hosts=("*",))))["error"]
    )


def test_names_of_one_agent_take_no_time_of_others(monkeypatch):
    over = threading.Event()

    def slow(host, *more, **given):
        return over.wait(10) if host == "slow" else [(socket.AF_INET, 1, 6, "", ("127.0.0.1", 1))]

    async def test():
        lookups = Lookups()
        agents = [f"agent-{number % (THREADS // 2)}" for number in range(THREADS)]
        waiting = [asyncio.create_task(lookups.of(agent)("slow", 1)) for agent in agents]
        await asyncio.sleep(0.05)
        await asyncio.wait_for(lookups.of("b")("quick", 1), 5)
        over.set()
        await asyncio.gather(*waiting)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    run(test())


def test_a_name_that_nobody_knows_in_time_is_told(monkeypatch):
    over = threading.Event()
    monkeypatch.setattr(outside, "CONNECT", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *given, **more: over.wait(10))

    async def test():
        result = await fetched({"url": "http://localhost:1/"})
        over.set()
        return result

    assert "nobody said within 0.1 s where localhost is" in run(test())["error"]


def test_a_connection_is_made_to_any_address_of_a_name(monkeypatch):
    places = [(socket.AF_INET, 1, 6, "", (place, 1)) for place in ("127.0.0.2", "127.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *given, **more: places)
    frames = [("frame", {"frame": "bye\n"})]
    assert run(connection({"host": "localhost"}, *frames))[0] == b"BYE\n"


def authority(name):
    """Return the key and the certificate of a server with a name, which is its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
        .add_extension(x509.BasicConstraints(True, None), True)
        .sign(key, hashes.SHA256())
    )
    return key, made.public_bytes(serialization.Encoding.PEM)


def contexts(folder, name):
    """Return the TLS contexts of a server with a name, and of a client that trusts it."""
    key, certificate = authority(name)
    (folder / "certificate").write_bytes(certificate)
    (folder / "key").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "certificate", folder / "key")
    return server, ssl.create_default_context(cadata=certificate.decode())


@pytest.mark.parametrize("name, status", [("localhost", 200), ("other.example", None)])
def test_a_tls_server_is_known_by_its_name(tmp_path, name, status):
    server, client = contexts(tmp_path, name)

    async def handler(request):
        return web.Response(text="secret")

    async def test():
        async with serving(handler, server) as port:
            good = await fetched({"url": f"https://localhost:{port}/"}, trusted=client)
            unknown = await fetched({"url": f"https://localhost:{port}/"})
            return good, unknown

    good, unknown = run(test())
    assert good.get("status") == status
    assert status or "certificate" in good["error"].lower()
    assert "certificate" in unknown["error"].lower()


# ---- WebSocket


async def echo(request):
    """Send each frame back; close at `bye`, and send too much at `flood`."""
    connection = web.WebSocketResponse(protocols=["v1"])
    await connection.prepare(request)
    async for frame in connection:
        if frame.data == "bye":
            await connection.close(code=4001)
        elif frame.data == "flood":
            await connection.send_str("x" * 20_000)
        elif frame.type is aiohttp.WSMsgType.TEXT:
            await connection.send_str(frame.data + "!")
        else:
            await connection.send_bytes(frame.data)
    return connection


async def talk(*frames, id_="a/1/1", known=()):
    """Open a WebSocket, send frames, and return what the agent was told, and the result."""
    posted = Posted(known)
    performers = outside_of(posted).performers()
    agent = Agent("a", "p", LOCAL)
    async with serving(echo) as port:
        request = {"url": f"ws://127.0.0.1:{port}/", "protocols": ["v1"]}
        task = asyncio.create_task(performers["websocket"](agent, effect("websocket", request, id_)))
        if not known:
            await posted.until("opened")
        for kind, frame in frames:
            await performers[kind](agent, effect(kind, {"socket": id_, **frame}, "a/2/1"))
        return posted.parts, json.loads(await task)


def test_a_queue_that_is_full_holds_nobody_when_its_socket_is_closed():
    async def test():
        made = outside_of(Posted())
        made.sockets["a/1/1"] = Outgoing("a")
        sent = Effect("a", "a/2/1", "frame", b'{"socket": "a/1/1", "frame": "x"}')
        waiting = [asyncio.create_task(made.frame(Agent("a", "p", LOCAL), sent)) for _ in range(3 * FRAMES)]
        await asyncio.sleep(0)
        await made.drop(effect("tcp", {}))
        await asyncio.wait_for(asyncio.gather(*waiting), 1)
        assert not made.sockets

    run(test())


def test_frames_go_both_ways_until_the_server_closes():
    data = base64.b64encode(b"\x00\xff").decode()
    frames = [("frame", {"frame": "one"}), ("frame", {"base64": data}), ("frame", {"frame": "bye"})]
    parts, result = run(talk(*frames))
    assert parts == {"open": {"open": True}, "opened": {"opened": "v1"}, "0": {"frame": "one!"}, "1": {"base64": data}}
    assert result == {"closed": 4001, "reason": ""}


def test_an_agent_closes_its_socket():
    assert run(talk(("close", {"code": 1000})))[1]["closed"] == 1000


def test_a_frame_that_is_too_large_closes_the_socket():
    _, result = run(talk(("frame", {"frame": "flood"})))
    assert result["closed"] == 1009


def test_an_agent_that_takes_no_bytes_gets_no_frame():
    async def test():
        posted = Posted()
        async with serving(frames_without_end) as port:
            agent, request = Agent("a", "p", replace(LOCAL, body=0)), {"url": f"ws://127.0.0.1:{port}/"}
            result = await outside_of(posted).performers()["websocket"](agent, effect("websocket", request))
            assert json.loads(result)["closed"] == 1009 and "0" not in posted.parts

    run(test())


def test_what_is_no_frame_is_not_sent():
    wrong = [("frame", {"frame": 5}), ("frame", {"base64": "!"}), ("close", {"code": "x"})]
    parts, result = run(talk(*wrong, ("frame", {"frame": "bye"})))
    assert "0" not in parts and result["closed"] == 4001


WRONG = [
    ("websocket", b'{"url": "ws://127.0.0.1:1/", "protocols": 5}', "`protocols` is a list of texts"),
    ("close", b'{"socket": "a/1/1", "code": 1e999}', "`code` is 1000, or from 3000 to 4999"),
    ("close", b'{"socket": "a/1/1", "code": 99999}', "`code` is 1000, or from 3000 to 4999"),
    ("frame", b'{"socket": "a/1/1", "frame": 5}', "`frame` is text"),
]


@pytest.mark.parametrize("kind, request_, words", WRONG, ids=str)
def test_what_is_wrong_about_a_connection_is_told(kind, request_, words):
    performers = outside_of(Posted()).performers()
    assert words in json.loads(run(performers[kind](Agent("a", "p", LOCAL), effect(kind, request_))))["error"]


def test_nobody_sends_on_the_socket_of_another():
    async def test():
        posted = Posted()
        performers = outside_of(posted).performers()
        async with serving(echo) as port:
            request = {"url": f"ws://127.0.0.1:{port}/"}
            task = asyncio.create_task(performers["websocket"](Agent("a", "p", LOCAL), effect("websocket", request)))
            await posted.until("opened")
            other = Effect("b", "b/1/1", "frame", b'{"socket": "a/1/1", "frame": "bye"}')
            await performers["frame"](Agent("b", "p", LOCAL), other)
            await asyncio.sleep(0.05)
            assert not task.done()
            task.cancel()

    run(test())


def test_a_socket_of_a_process_that_was_killed_is_told_as_closed():
    _, result = run(talk(known=["open"]))
    assert result == {"closed": 1006, "reason": "the runtime was restarted"}


def test_a_socket_that_cannot_be_opened_is_told():
    async def handler(request):
        return web.Response(status=403)

    async def test():
        async with serving(handler) as port:
            agent, request = Agent("a", "p", LOCAL), {"url": f"ws://127.0.0.1:{port}/"}
            return json.loads(await outside_of(Posted()).performers()["websocket"](agent, effect("websocket", request)))

    assert "403" in run(test())["error"]


def test_a_socket_is_led_nowhere_else():
    async def test():
        async with serving(echo) as other:

            async def handler(request):
                return web.Response(status=302, headers={"Location": f"http://127.0.0.1:{other}/there"})

            async with serving(handler) as port:
                rules = Rules(hosts=(f"127.0.0.1:{port}",), private=True)
                agent, request = Agent("a", "p", rules), effect("websocket", {"url": f"ws://127.0.0.1:{port}/"})
                result = json.loads(await outside_of(Posted()).performers()["websocket"](agent, request))
                assert f"leads on to http://127.0.0.1:{other}/there" in result["error"]

    run(test())


def test_no_client_connects_to_an_address_that_is_private():
    async def test():
        async with serving(echo) as port, client(Rules(hosts=("*",))) as session:
            with pytest.raises(aiohttp.ClientConnectorError) as raised:
                await session.get(f"http://127.0.0.1:{port}/")
            assert "is a private address" in str(raised.value.os_error)

    run(test())


# ---- TCP and TLS


async def upper(reader, writer):
    """Answer each line in capitals; `bye` ends the connection, and `break` breaks it."""
    with suppress(OSError):
        while line := await reader.readline():
            if line == b"break\n":
                reset = struct.pack("ii", 1, 0)
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
                writer.transport.abort()
                return
            writer.write(line.upper())
            if line == b"bye\n":
                break
        writer.close()


async def connection(request, *frames, rules=LOCAL, trusted=None, trust=None, known=(), handler=upper):
    """Open a connection, send frames, and return the bytes that the agent was told, and the result."""
    posted = Posted(known)
    performers = outside_of(posted, trusted).performers()
    server = await asyncio.start_server(handler, "127.0.0.1", 0, ssl=trust)
    async with server:
        wanted = {"host": "127.0.0.1", "port": server.sockets[0].getsockname()[1], **request}
        task = asyncio.create_task(performers["tcp"](Agent("a", "p", rules), effect("tcp", wanted)))
        for kind, frame in frames:
            await asyncio.wait({task, asyncio.create_task(posted.until("opened"))}, return_when=asyncio.FIRST_COMPLETED)
            await performers[kind](Agent("a", "p", rules), effect(kind, {"socket": "a/1/1", **frame}, "a/2/1"))
        result = json.loads(await task)
        told = [
            posted.parts[str(number)]["base64"] for number in range(len(posted.parts)) if str(number) in posted.parts
        ]
        return b"".join(map(base64.b64decode, told)), result


def test_bytes_go_both_ways_until_the_server_closes():
    frames = [("frame", {"frame": "one\n"}), ("frame", {"base64": "dHdvCg=="}), ("frame", {"frame": "bye\n"})]
    assert run(connection({}, *frames)) == (b"ONE\nTWO\nBYE\n", {"closed": 1000, "reason": ""})


def test_all_that_was_sent_leaves_before_an_agent_closes_its_connection():
    got = []

    async def collect(reader, writer):
        got.append(await reader.read())
        writer.close()

    data = base64.b64encode(bytes(5000)).decode()
    frames = [("frame", {"base64": data})] * 50 + [("close", {})]
    assert run(connection({}, *frames, handler=collect))[1] == {"closed": 1000, "reason": ""}
    assert got == [bytes(250_000)]


def test_who_sends_no_more_is_still_answered():
    async def answer(reader, writer):
        writer.write(await reader.read())
        writer.close()

    frames = [("frame", {"frame": "all"}), ("end", {}), ("frame", {"frame": "more"})]
    assert run(connection({}, *frames[:2], handler=answer)) == (b"all", {"closed": 1000, "reason": ""})
    assert run(connection({}, *frames, handler=answer))[0] == b"all"


def test_a_connection_that_breaks_is_told():
    _, result = run(connection({}, ("frame", {"frame": "break\n"})))
    assert result["closed"] == 1006 and result["reason"]


def test_a_stream_comes_in_pieces_of_a_size():
    async def flood(reader, writer):
        writer.write(bytes(25_000))
        await writer.drain()
        writer.close()

    told, result = run(connection({}, handler=flood))
    assert told == bytes(25_000) and result["closed"] == 1000


@pytest.mark.parametrize("name, good", [("localhost", True), ("other.example", False)])
def test_a_tls_server_of_a_connection_is_known_by_its_name(tmp_path, name, good):
    server, client = contexts(tmp_path, name)
    frames = [("frame", {"frame": "bye\n"})]
    told, result = run(connection({"host": "localhost", "tls": True}, *frames, trusted=client, trust=server))
    if good:
        assert (told, result["closed"]) == (b"BYE\n", 1000)
    else:
        assert told == b"" and "SecurityViolation" in result["error"]


NO_CONNECTION = [
    ({"host": "other.example"}, "the rules do not allow other.example:"),
    ({"host": "127.0.0.1/x"}, "error"),
    ({"host": "a@127.0.0.1"}, "error"),
    ({"host": ""}, "error"),
    ({"host": "x" * 10**5}, "error"),
    ({"host": None}, "a connection has a `host`"),
    ({"port": 0}, "a `port` from 1 to 65535"),
    ({"port": 65536}, "a `port` from 1 to 65535"),
    ({"port": True}, "a `port` from 1 to 65535"),
    ({"port": "80"}, "a `port` from 1 to 65535"),
    ({"tls": "yes"}, "`tls`, which is true or false"),
    ({"port": 1}, "error"),  # nobody listens
]


@pytest.mark.parametrize("request_, words", NO_CONNECTION, ids=[str(given)[:40] for given, _ in NO_CONNECTION])
def test_what_is_no_place_is_not_connected_to(request_, words):
    told, result = run(connection(request_))
    assert told == b"" and words in json.dumps(result)


def test_a_private_address_is_not_connected_to():
    public = Rules(hosts=("*",))
    assert "private" in run(connection({}, rules=public))[1]["error"]
    assert "private" in run(connection({"host": "localhost"}, rules=public))[1]["error"]


def test_a_connection_of_a_process_that_was_killed_is_told_as_closed():
    assert run(connection({}, known=["open"]))[1] == {"closed": 1006, "reason": "the runtime was restarted"}


def test_what_is_sent_leaves_in_order_however_many_wait():
    async def test():
        outgoing, got = Outgoing("a"), []
        putting = [asyncio.create_task(outgoing.put(str(number))) for number in range(3 * FRAMES)]
        while len(got) < 3 * FRAMES:
            got.append(await outgoing.get())
            if len(putting) < 5 * FRAMES:
                putting.append(asyncio.create_task(outgoing.put(str(len(putting)))))
            await asyncio.sleep(0)
        assert got == [str(number) for number in range(3 * FRAMES)]

    run(test())


def test_an_end_that_takes_nothing_is_waited_for_later(monkeypatch):
    monkeypatch.setattr(outside, "GRACE", 0.05)

    async def test():
        outgoing = Outgoing("a")
        await outgoing.put(bytes(BYTES))
        with pytest.raises(Full, match="takes nothing"):
            await outgoing.put(b"more")

    run(test())


def test_an_end_that_sends_no_more_still_gets_all():
    got = []

    async def collect(reader, writer):
        writer.write_eof()
        got.append(await reader.read())
        writer.close()

    async def test():
        posted = Posted()
        performers, agent = outside_of(posted).performers(), Agent("a", "p", LOCAL)
        async with await asyncio.start_server(collect, "127.0.0.1", 0) as server:
            place = {"host": "127.0.0.1", "port": server.sockets[0].getsockname()[1]}
            task = asyncio.create_task(performers["tcp"](agent, effect("tcp", place)))
            await posted.until("opened")
            for _ in range(20):
                await asyncio.sleep(0.01)
                await performers["frame"](agent, effect("frame", {"socket": "a/1/1", "frame": "x" * 1000}))
            assert json.loads(await task)["closed"] == 1000

    run(test())
    assert got == [b"x" * 20_000]


def test_a_close_waits_a_moment_only_for_an_end_that_never_reads():
    async def deaf(reader, writer):
        writer.transport.pause_reading()
        await asyncio.sleep(60)

    frames = [("frame", {"frame": "x" * 8_000_000}), ("frame", {"frame": "more"}), ("close", {})]
    assert run(connection({}, *frames, handler=deaf))[1] == {"closed": 1000, "reason": ""}


def test_who_never_answers_a_handshake_is_left(monkeypatch):
    monkeypatch.setattr(outside, "CONNECT", 0.1)

    async def silent(reader, writer):
        await reader.read()
        writer.close()

    async def test():
        async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
            request = {"url": f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"}
            return await outside_of(Posted()).performers()["websocket"](
                Agent("a", "p", LOCAL), effect("websocket", request)
            )

    assert json.loads(run(test())) == {"error": "the time is up"}


@pytest.mark.parametrize("files, room", [(0, 0), (63, 0), (64, 0), (65, 1), (1024, 768)])
def test_some_files_are_left_for_the_runtime_itself(monkeypatch, files, room):
    monkeypatch.setattr(outside.resource, "getrlimit", lambda which: (files, files))
    assert outside.room_for_connections() == room


def test_connections_that_are_too_many_are_refused():
    async def test():
        made = outside_of(Posted())
        made.sockets = {f"a/1/{number}": Outgoing("a") for number in range(SOCKETS)}
        request = effect("websocket", {"url": "ws://127.0.0.1:1/"}, "a/2/1")
        own = await made.performers()["websocket"](Agent("a", "p", LOCAL), request)
        made.most, other = SOCKETS, replace(request, agent="b")
        return own, await made.performers()["websocket"](Agent("b", "p", LOCAL), other)

    own, other = run(test())
    assert b"a has 64 connections open, and may have 64" in own
    assert b"the runtime has 64 connections open" in other


def test_a_few_agents_leave_connections_for_others():
    async def test():
        made = outside_of(Posted())
        made.most = 10
        made.sockets = {f"a/1/{number}": Outgoing("a") for number in range(2)}
        request, perform = effect("websocket", {"url": "ws://127.0.0.1:1/"}, "a/2/1"), made.performers()["websocket"]
        own = await perform(Agent("a", "p", LOCAL), request)
        return own, await perform(Agent("b", "p", LOCAL), replace(request, agent="b"))

    own, other = run(test())
    assert b"the runtime has 2 connections open, 2 of them here" in own and b"Connect call failed" in other


async def accepted(reader, writer):
    """Open a WebSocket."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    (key,) = [line.split(": ")[1] for line in head.split("\r\n") if line.lower().startswith("sec-websocket-key")]
    proof = base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()).decode()
    writer.write(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + f"Sec-WebSocket-Accept: {proof}\r\n\r\n".encode()
    )


async def deaf(reader, writer):
    """Open a WebSocket, and read nothing from it."""
    await accepted(reader, writer)
    reader._transport.pause_reading()
    await asyncio.sleep(1000)


def test_a_socket_whose_other_end_reads_nothing_is_closed():
    async def test():
        posted = Posted()
        made, who = outside_of(posted), Agent("a", "p", replace(LOCAL, body=16 << 20))
        perform = made.performers()
        server = await asyncio.start_server(deaf, "127.0.0.1", 0, limit=1 << 14)
        url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        task = asyncio.create_task(perform["websocket"](who, effect("websocket", {"url": url})))
        await posted.until("opened")
        with suppress(Full):
            for _ in range(14):
                frame = effect("frame", {"socket": "a/1/1", "frame": "x" * (1 << 20)}, "a/2/1")
                await perform["frame"](who, frame)
                await asyncio.sleep(0.01)
        await perform["close"](who, effect("close", {"socket": "a/1/1"}, "a/2/2"))
        return json.loads(await asyncio.wait_for(task, 10)), made.sockets

    assert run(test()) == ({"closed": 1000, "reason": ""}, {})


@pytest.mark.parametrize("half", [False, True])
def test_what_was_sent_before_a_close_arrives_though_the_other_end_sends_no_more(half):
    async def test():
        posted, arrived = Posted(), asyncio.get_running_loop().create_future()
        perform, who = outside_of(posted).performers(), Agent("a", "p", replace(LOCAL, body=1 << 20))

        async def peer(reader, writer):
            writer.write(b"hi")
            if half:
                writer.write_eof()
            await asyncio.sleep(0.6)
            count = 0
            while data := await reader.read(1 << 16):
                count += len(data)
            arrived.set_result(count)
            writer.close()

        async with await asyncio.start_server(peer, "127.0.0.1", 0, limit=1 << 14) as server:
            place = {"host": "127.0.0.1", "port": server.sockets[0].getsockname()[1]}
            task = asyncio.create_task(perform["tcp"](who, effect("tcp", place)))
            await posted.until("0")
            for _ in range(16):
                frame = {"socket": "a/1/1", "base64": base64.b64encode(bytes(1 << 19)).decode()}
                await perform["frame"](who, effect("frame", frame, "a/2/1"))
            await perform["close"](who, effect("close", {"socket": "a/1/1"}, "a/2/2"))
            return await asyncio.wait_for(arrived, 10), json.loads(await task)["closed"]

    assert run(test()) == (16 << 19, 1000)


async def pinging(reader, writer):
    """Open a WebSocket, send many pings, and break it off before they can be answered."""
    await accepted(reader, writer)
    writer.write(b"\x89\0" * 200_000)
    await writer.drain()
    writer.transport.abort()


def test_a_socket_that_breaks_while_pings_are_answered_is_closed():
    async def test():
        async with await asyncio.start_server(pinging, "127.0.0.1", 0) as server:
            url = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
            perform = outside_of(Posted()).performers()["websocket"]
            return json.loads(await perform(Agent("a", "p", LOCAL), effect("websocket", {"url": url})))

    assert run(test())["closed"] == 1006


def test_half_of_a_character_is_no_frame():
    performed = outside_of(Posted()).performers()["frame"](
        Agent("a", "p", LOCAL), effect("frame", {"socket": "a/1/1", "frame": "\ud800"})
    )
    assert b"has half of a character" in run(performed)


def test_requests_that_are_too_many_wait():
    at_work, most = [], []

    async def handler(request):
        at_work.append(request)
        most.append(len(at_work))
        await asyncio.sleep(0.05)
        at_work.pop()
        return web.Response()

    async def test():
        made = outside_of(Posted())
        async with serving(handler) as port:
            request = effect("http", {"url": f"http://127.0.0.1:{port}/"})

            async def asked():
                async with made.rooms()["http"]("a"):
                    return await made.performers()["http"](Agent("a", "p", LOCAL), request)

            found = await asyncio.gather(*[asked() for _ in range(3 * REQUESTS)])
        return [json.loads(each)["status"] for each in found]

    assert run(test()) == [200] * 3 * REQUESTS and max(most) == REQUESTS


# ---- who sends more than the agent handles


async def spate(reader, writer):
    """Send more than any agent takes at once."""
    with suppress(OSError):
        for _ in range(1000):
            writer.write(bytes(10_000))
            await writer.drain()
        writer.close()


async def frames_without_end(request):
    """Send more frames than any agent takes at once."""
    connection = web.WebSocketResponse()
    await connection.prepare(request)
    with suppress(OSError):
        for _ in range(1000):
            await connection.send_bytes(bytes(5000))
    await connection.close()
    return connection


@pytest.mark.parametrize("kind", ["tcp", "websocket"])
def test_an_agent_that_handles_nothing_is_told_a_few_parts_and_the_rest_later(kind):
    async def test():
        posted = Posted()
        posted.awake.clear()
        server = await asyncio.start_server(spate, "127.0.0.1", 0)
        async with server, serving(frames_without_end) as port:
            places = {"tcp": {"host": "127.0.0.1", "port": server.sockets[0].getsockname()[1]}}
            request = places.get(kind, {"url": f"ws://127.0.0.1:{port}/"})
            agent = Agent("a", "p", LOCAL)
            task = asyncio.create_task(outside_of(posted).performers()[kind](agent, effect(kind, request)))
            await posted.until(str(AHEAD))
            await asyncio.sleep(0.1)
            assert len(posted.parts) == AHEAD + 3 and not task.done()  # `open`, `opened`, and one that waits
            posted.awake.set()
            assert json.loads(await task)["closed"] == 1000 and len(posted.parts) >= 1000

    run(test())
