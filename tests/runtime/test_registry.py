"""Does a name lead to the bytes that were published, and is each lie, flood or delay of a registry told in words?"""

import asyncio
import hashlib
import json
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from corollary.runtime.acquisition import REDIRECTS, Away, Registry, Unresolved
from corollary.runtime.http import application
from corollary.runtime.registry import Shelf
from corollary.runtime.registry import application as registry_of
from corollary.runtime.runtime import Runtime
from corollary.runtime.sqlite import SqliteStore
from corollary.runtime.store import digest_of
from corollary.runtime.urn import LARGEST, parsed
from tests.runtime.agents import COUNTER, PICKY, compiled
from tests.runtime.stores import KEY, run
from tests.runtime.test_outside import serving

NAME = "urn:corollary:counter:1.0"
PROGRAM = compiled(COUNTER)
SHA256 = hashlib.sha256(PROGRAM).hexdigest()


# ---- names


@pytest.mark.parametrize("text", [NAME, "URN:Corollary:counter:1.0", "urn:corollary:a:b"])
def test_a_name_is_read_and_written(text):
    assert str(parsed(text)).split(":")[2:] == text.split(":")[2:]
    assert parsed(str(parsed(text))) == parsed(text)


NO_NAMES = ["", "counter", "urn:corollary:counter", "urn:other:counter:1", "urn:corollary:counter:1:2", NAME + "\n"]
NO_NAMES += [f"urn:corollary:{part}:1" for part in ("", "..", "../a", "a/b", "%2e", "A", "ä", "a" * 64, "-a", "a.")]
NO_NAMES += ["file:///etc/passwd", "/etc/passwd", "urn:corollary:counter:../../programs"]


@pytest.mark.parametrize("text", NO_NAMES)
def test_what_is_no_name_is_refused(text):
    with pytest.raises(ValueError, match="it is urn:corollary:NAME:VERSION"):
        parsed(text)
    with pytest.raises(ValueError, match="it is urn:corollary:NAME:VERSION"):
        run(Registry("http://127.0.0.1:1").program(text))


@pytest.mark.parametrize(
    "url", ["", "registry", "file:///srv", "http://", "http://u:p@127.0.0.1", "ftp://a", "http://["]
)
def test_what_is_no_address_of_a_registry_is_refused(url):
    with pytest.raises(ValueError, match="is not where a registry can be"):
        Registry(url)


# ---- the registry


@asynccontextmanager
async def registry(folder):
    """Serve a registry in a folder; yields its address."""
    shelf = Shelf(folder)
    server = TestServer(registry_of(shelf))
    await server.start_server()
    try:
        yield str(server.make_url("/"))
    finally:
        await server.close()
        await shelf.close()


def test_what_is_published_is_found_and_stays(tmp_path):
    async def publish():
        async with registry(tmp_path) as url:
            return [await Registry(url).publish(NAME, PROGRAM) for _ in range(2)]

    async def find():
        async with registry(tmp_path) as url:
            return await Registry(url).program(NAME), await Registry(url).program(NAME, SHA256)

    assert run(publish()) == [SHA256, SHA256]
    assert run(find()) == (PROGRAM, PROGRAM)


def test_a_name_never_means_another_program(tmp_path):
    async def test():
        async with registry(tmp_path) as url:
            here = Registry(url)
            await here.publish(NAME, PROGRAM)
            with pytest.raises(Unresolved, match=f"{NAME}: the name means {SHA256} already: take another version"):
                await here.publish(NAME, compiled(PICKY))
            await here.publish("urn:corollary:counter:1.1", compiled(PICKY))
            return await here.program(NAME)

    assert run(test()) == PROGRAM


def test_many_publish_at_once_and_one_program_wins(tmp_path):
    async def test():
        async with registry(tmp_path) as url:
            here, programs = Registry(url), [bytes([number]) * 1000 for number in range(20)]
            found = await asyncio.gather(*(here.publish(NAME, each) for each in programs), return_exceptions=True)
            return [each for each in found if isinstance(each, str)], digest_of(await here.program(NAME))

    good, means = run(test())
    assert good == [means]


def test_a_program_of_the_largest_size_is_taken_and_one_byte_more_is_not(tmp_path):
    async def test():
        async with registry(tmp_path) as url:
            here, largest = Registry(url), bytes(LARGEST)
            await here.publish(NAME, largest)
            assert await here.program(NAME) == largest
            with pytest.raises(Unresolved, match=f"a request has {LARGEST} bytes at most"):
                await here.publish("urn:corollary:large:2", bytes(LARGEST + 1))

    run(test())


BAD = [
    ("GET", "/names/a/1", None, 404, "nothing was published as urn:corollary:a:1"),
    ("GET", "/names/A/1", None, 400, "is no name of a program"),
    ("PUT", "/names/a/..%2f..", b"x", 400, "is no name of a program"),
    ("GET", "/programs/" + "0" * 64, None, 404, "no program 0000"),
    ("GET", "/programs/..%2fregistry.sqlite", None, 404, "no program ../registry.sqlite"),
    ("POST", "/names", b"x", 405, "Method Not Allowed"),
    ("GET", "/etc", None, 404, "Not Found"),
]


@pytest.mark.parametrize("method, path, data, status, words", BAD)
def test_what_a_registry_refuses_says_why(tmp_path, method, path, data, status, words):
    async def test():
        shelf = Shelf(tmp_path)
        async with TestClient(TestServer(registry_of(shelf))) as client:
            async with client.request(method, path.replace("%2f", "%2F"), data=data) as response:
                found = response.status, (await response.json())["error"]
            async with client.get("/names") as response:
                assert await response.json() == []
        await shelf.close()
        return found

    found, error = run(test())
    assert found == status and words in error


def test_who_publishes_byte_by_byte_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("corollary.runtime.registry.PATIENCE", 0.2)

    async def slowly():
        while True:
            yield b"x"
            await asyncio.sleep(0.02)

    async def test():
        shelf = Shelf(tmp_path)
        async with TestClient(TestServer(registry_of(shelf))) as client:
            async with client.put("/names/counter/1.0", data=slowly()) as response:
                found = response.status
            async with client.get("/names") as response:
                assert await response.json() == []
        await shelf.close()
        return found

    assert run(test()) == 408


def test_a_program_that_was_damaged_on_the_disk_is_not_given(tmp_path):
    async def test():
        async with registry(tmp_path) as url:
            await Registry(url).publish(NAME, PROGRAM)
        shelf = Shelf(tmp_path)
        await shelf.ask(lambda db: db.execute("UPDATE programs SET code = x'00'"))
        await shelf.close()
        async with registry(tmp_path) as url:
            await Registry(url).program(NAME)

    with pytest.raises(Unresolved, match="answers 500"):
        run(test())


# ---- registries that are hostile, or not well


def means(digest, size=0):
    """Return the answer that a name means a program."""
    return web.json_response({"urn": NAME, "program": digest, "size": size})


def lying(serve, digest=SHA256):
    """Return the handler of a registry that gives programs in its own way."""

    async def handler(request):
        return means(digest) if request.path.startswith("/names") else await serve(request)

    return handler


async def got(handler, patience=20.0, expected=None, name=NAME):
    """Return the program that a registry with this handler gives."""
    async with serving(handler) as port:
        return await Registry(f"http://127.0.0.1:{port}", patience).program(name, expected)


def fails(handler, words, kind=Unresolved, **more):
    """Check that a registry with this handler gives no program, for a reason."""
    with pytest.raises(kind, match=words) as found:
        run(got(handler, **more))
    assert type(found.value) is kind and NAME in str(found.value)


def test_bytes_with_another_digest_are_no_program():
    async def other(request):
        return web.Response(body=PROGRAM[:-1] + b"\0")

    fails(lying(other), f"should have the SHA-256 {SHA256}, and what came has")


def test_another_program_than_the_one_expected_is_not_even_fetched():
    async def never(request):
        raise AssertionError("fetched")

    fails(lying(never), f"means {SHA256}, and {'0' * 64} is expected", expected="0" * 64)


@pytest.mark.parametrize("announced", [True, False])
def test_a_stream_of_one_byte_too_many_is_left_without_reading_on(announced):
    sent = []

    async def flood(request):
        response = web.StreamResponse()
        if announced:
            response.content_length = 100 * LARGEST
        await response.prepare(request)
        try:
            for _ in range(100 * LARGEST // 65536):
                await response.write(bytes(65536))
                sent.append(65536)
        except ConnectionError:
            pass
        return response

    fails(lying(flood), f"{LARGEST} bytes" if not announced else f"more than {LARGEST}")
    assert sum(sent) < (LARGEST if announced else 2 * LARGEST) + 8 * 2**20  # of which some lie in buffers


def test_a_stream_of_the_largest_size_is_taken_whole():
    largest = bytes(LARGEST)

    async def all_of_it(request):
        response = web.StreamResponse()
        await response.prepare(request)
        await response.write(largest)
        return response

    handler = lying(all_of_it, digest_of(largest))
    assert run(got(handler)) == largest


def test_bytes_that_are_compressed_are_not_unpacked():
    async def bomb(request):
        response = web.Response(body=b"\0" * (64 << 20))
        response.enable_compression(web.ContentCoding.gzip)
        return response

    fails(lying(bomb, digest_of(b"\0" * (64 << 20))), "and what came has")


async def drip(request):
    """Send a byte now and then, for ever."""
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b"{")
        await asyncio.sleep(0.02)


async def nothing(request):
    """Answer nothing as long as somebody waits."""
    while request.transport is not None:
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("handler", [drip, nothing, lying(drip), lying(nothing)])
def test_a_registry_that_takes_its_time_is_left(handler):
    fails(handler, "did not answer within 0.3 s", kind=Away, patience=0.3)


def test_what_ends_in_the_midst_is_no_program():
    async def half(request):
        response = web.StreamResponse()
        response.content_length = len(PROGRAM)
        await response.prepare(request)
        await response.write(PROGRAM[:-1])
        request.transport.abort()
        return response

    fails(lying(half), "payload", kind=Away)


def test_where_nobody_listens_the_registry_is_away():
    with pytest.raises(Away, match="127.0.0.1:1"):
        run(Registry("http://127.0.0.1:1").program(NAME))


NO_DIGEST = [b"", b"{}", b"[]", b"[" * 60_000, b'{"program": 5}', b'{"program": "%s"}' % (b"g" * 64)]


@pytest.mark.parametrize("body", NO_DIGEST, ids=len)
def test_what_tells_no_digest_is_no_registry(body):
    async def handler(request):
        return web.Response(body=body)

    fails(handler, "it is no registry")


def test_a_description_that_floods_is_left():
    async def handler(request):
        return web.Response(body=b" " * (1 << 20))

    fails(handler, "bytes, more than 65536")


@pytest.mark.parametrize("status, kind", [(403, Unresolved), (500, Away), (503, Away)])
def test_what_a_registry_refuses_is_told(status, kind):
    async def handler(request):
        return web.Response(status=status)

    fails(handler, f"answers {status}", kind=kind)


PLACES = [
    ("http://169.254.169.254/latest", "169.254.169.254 is a private address"),
    ("http://127.0.0.1:1/", "127.0.0.1 is a private address"),
    ("http://[::1]/", "::1 is a private address"),
    ("http://[::ffff:10.0.0.1]/", "is a private address"),
    ("//10.0.0.1/x", "10.0.0.1 is a private address"),
    ("file:///etc/passwd", "begins with http:// or https://"),
    ("ftp://example.org/", "begins with http:// or https://"),
    ("http://user:secret@example.org/", "names no user"),
    ("http://[", "Invalid IPv6 URL"),
]


@pytest.mark.parametrize("location, words", PLACES)
def test_a_redirect_to_a_place_that_is_not_public_is_refused(location, words):
    async def handler(request):
        return web.Response(status=302, headers={"Location": location})

    fails(lying(handler), words)


def test_a_redirect_to_a_name_with_a_private_address_is_refused():
    async def handler(request):
        return web.Response(status=302, headers={"Location": "http://localhost:1/"})

    fails(lying(handler), "localhost leads to private addresses only", kind=Away)


def test_the_registry_itself_may_lead_on_but_not_for_ever():
    asked = []

    async def handler(request):
        asked.append(request.path)
        return web.Response(status=307, headers={"Location": "/programs/again"})

    fails(lying(handler), f"leads on more than {REDIRECTS} times")
    assert len(asked) == REDIRECTS + 1

    async def once(request):
        if request.path.endswith("/there"):
            return web.Response(body=PROGRAM)
        return web.Response(status=302, headers={"Location": "there"})

    assert run(got(lying(once))) == PROGRAM


def test_what_a_name_means_is_said_by_the_registry_alone():
    async def handler(request):
        return web.Response(status=302, headers={"Location": "/elsewhere"})

    fails(handler, "answers 302")


# ---- agents by name


def test_an_agent_is_made_of_a_program_with_a_name(tmp_path):
    async def test():
        runtime = Runtime(SqliteStore(tmp_path / "agents"), KEY)
        await runtime.start()
        async with registry(tmp_path / "registry") as url:
            await Registry(url).publish(NAME, PROGRAM)
            await Registry(url).publish("urn:corollary:none:1", b"no module")
            async with TestClient(TestServer(application(runtime, registry=Registry(url)))) as client:
                found = [await put(client, "a", urn=NAME) for _ in range(2)]
                found.append(await put(client, "b", urn=NAME, program=SHA256))
                found.append(await put(client, "c", urn=NAME, program="0" * 64))
                found.append(await put(client, "c", urn="urn:corollary:none:1"))
                found.append(await put(client, "c", urn="urn:corollary:none:2"))
                found.append(await put(client, "c", urn="/etc/passwd"))
                async with client.post("/agents/a/events?wait=20", data=b"x") as reply:
                    assert await reply.read() == b"\1\0\0\0"
                names = [agent.name for agent in await runtime.store.agents()]
        async with TestClient(TestServer(application(runtime, registry=Registry(url)))) as client:
            found.append(await put(client, "c", urn=NAME))
        await runtime.close()
        return found, names

    found, names = run(test())
    assert [status for status, _ in found] == [201, 200, 201, 502, 422, 502, 400, 503] and names == ["a", "b"]
    assert {told["program"] for _, told in found[:3]} == {SHA256}
    assert all(told["error"] for _, told in found[3:])


async def put(client, name, **given):
    """Return status and JSON of the answer to the wish for an agent."""
    async with client.put(f"/agents/{name}", data=json.dumps(given)) as answer:
        return answer.status, await answer.json()
