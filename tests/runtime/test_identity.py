"""Does nobody but the right workload get a byte, and is each wrong, late or missing identity told as a violation?"""

import asyncio
import datetime
import json
import queue
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import grpc
import pytest
from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from spiffe._proto import workload_pb2, workload_pb2_grpc
from yarl import URL

from corollary.runtime.acquisition import Registry, Unresolved
from corollary.runtime.authority import CURVE, LIFE, Authority, builder, key_bytes, source_of
from corollary.runtime.identity import (
    BUNDLE,
    CHAIN,
    ID,
    KEY,
    Clearance,
    Passport,
    Policy,
    SecurityViolation,
    Sink,
    client_context,
    from_files,
    id_of,
    policy_in,
    server_context,
    show,
    svid_of,
)
from corollary.runtime.outside import Outside
from corollary.runtime.registry import Shelf
from corollary.runtime.registry import application as registry_of
from corollary.runtime.store import Agent
from tests.runtime.stores import run
from tests.runtime.test_outside import LOCAL, Posted, effect, serving
from tests.runtime.test_registry import NAME, PROGRAM

ME, SINK = "spiffe://corollary.local/runtime", "spiffe://corollary.local/sink"
YESTERDAY = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
NEEDED = Clearance.CONFIDENTIAL


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    """Return an authority."""
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    """Return an authority that nobody trusts."""
    return Authority(tmp_path_factory.mktemp("stranger"))


def passport(svid, port, level=NEEDED, place="localhost"):
    """Return the passport of a workload with a clearance, for which a port is a sink."""
    clearances = {} if level is None else {svid.id: level}
    return Passport(lambda: svid, Policy(clearances, {f"{place}:{port}": Sink(SINK, NEEDED)}))


class Sinking:
    """A sink that counts connections, and keeps what it was told by whom."""

    def __init__(self):
        self.told = []

    async def take(self, request):
        connection = request.transport.get_extra_info("ssl_object")
        peer = connection and id_of(x509.load_der_x509_certificate(connection.getpeercert(True)))
        self.told.append((peer, await request.read()))
        if request.headers.get("Upgrade") == "websocket":
            socket = web.WebSocketResponse()
            await socket.prepare(request)
            await socket.close(code=4000)
            return socket
        return web.Response(text="taken")


async def sent(shown, mine, level=NEEDED, scheme="https"):
    """Send a secret to a sink that shows an identity, and return the result and what the sink was told."""
    sink = Sinking()
    async with serving(sink.take, shown) as port:
        posted = Posted()
        outside = Outside(posted, posted.handled, passport=passport(mine, port, level))
        if scheme in ("tcp", "tls"):
            return await streamed(outside, posted, port, scheme == "tls"), sink.told
        kind = "websocket" if scheme.startswith("ws") else "http"
        request = {"url": f"{scheme}://localhost:{port}/", "method": "POST", "body": "secret"}
        result = json.loads(await outside.performers()[kind](Agent("a", "p", LOCAL), effect(kind, request)))
    return result, sink.told


async def streamed(outside, posted, port, tls):
    """Send the same over a connection, and return the result."""
    agent, place = Agent("a", "p", LOCAL), {"host": "localhost", "port": port, "tls": tls}
    task = asyncio.create_task(outside.performers()["tcp"](agent, effect("tcp", place)))
    await asyncio.wait({task, asyncio.create_task(posted.until("opened"))}, return_when=asyncio.FIRST_COMPLETED)
    text = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret"
    await outside.frame(agent, effect("frame", {"socket": "a/1/1", "frame": text}, "a/2/1"))
    return json.loads(await task)


@pytest.mark.parametrize("level", [NEEDED, Clearance.SECRET])
def test_a_sink_and_a_runtime_know_each_other(authority, level):
    result, told = run(sent(server_context(authority.issue(SINK)), authority.issue(ME), level))
    assert (result["status"], result["body"]) == (200, "taken") and told == [(ME, b"secret")]


def test_a_websocket_shows_the_identity_too(authority):
    result, told = run(sent(server_context(authority.issue(SINK)), authority.issue(ME), scheme="wss"))
    assert result["closed"] == 4000 and told == [(ME, b"")]


def test_a_connection_shows_the_identity_too(authority):
    result, told = run(sent(server_context(authority.issue(SINK)), authority.issue(ME), scheme="tls"))
    assert result["closed"] == 1000 and told == [(ME, b"secret")]


def refused(words, *given, **more):
    """Check that nothing is told to a sink, for a reason."""
    result, told = run(sent(*given, **more))
    assert told == [] and result["error"].startswith("SecurityViolation: ") and words in result["error"], result


@pytest.mark.parametrize("scheme", ["https", "wss", "tls"])
@pytest.mark.parametrize("level", [None, Clearance.PUBLIC, Clearance.INTERNAL])
def test_who_lacks_the_clearance_sends_nothing(authority, level, scheme):
    words = f"needs clearance CONFIDENTIAL, and {ME} has {'none' if level is None else level.name}"
    refused(words, server_context(authority.issue(SINK)), authority.issue(ME), level, scheme)


def test_an_identity_that_is_over_or_has_not_begun_is_not_shown(authority):
    for begins in (YESTERDAY, YESTERDAY + datetime.timedelta(days=2)):
        refused("renew it", server_context(authority.issue(SINK)), authority.issue(ME, begins))


@pytest.mark.parametrize("scheme", ["http", "ws", "tcp"])
def test_a_sink_is_reached_with_tls_only(authority, scheme):
    refused("reached with https or wss or tls only", None, authority.issue(ME), scheme=scheme)


def test_a_sink_is_one_with_a_dot_at_its_end_too(authority):
    with pytest.raises(SecurityViolation, match="is a sink, which is reached with https"):
        passport(authority.issue(ME), 443).context(URL("http://LOCALHOST.:443/"))


def test_a_server_with_another_name_is_told_nothing(authority):
    other = "spiffe://corollary.local/sink/other"
    refused(f"the other end is not {SINK}, it is {other}", server_context(authority.issue(other)), authority.issue(ME))


def test_a_server_of_a_stranger_is_told_nothing(authority, stranger):
    refused("certificate", server_context(stranger.issue(SINK)), authority.issue(ME))


def plain(chain, key, tmp_path):
    """Return a TLS context that shows any certificate at all."""
    (tmp_path / "shown").write_bytes(chain + key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "shown")
    return context


def test_a_server_whose_identity_is_over_is_told_nothing(authority, tmp_path):
    old = authority.issue(SINK, YESTERDAY)
    refused("expired", plain(old.chain, old.key, tmp_path), authority.issue(ME))


def certificate(authority, *names, ca=False):
    """Return PEM of a certificate with some names, and of its key."""
    key, now = ec.generate_private_key(CURVE), datetime.datetime.now(datetime.UTC)
    made = builder(key.public_key(), "localhost", authority.certificate.subject, now, now + LIFE)
    if names:
        made = made.add_extension(x509.SubjectAlternativeName(names), False)
    made = made.add_extension(x509.BasicConstraints(ca, None), True).sign(authority.key, hashes.SHA256())
    return made.public_bytes(Encoding.PEM), key_bytes(key)


URI = x509.UniformResourceIdentifier
WRONG = [
    (),
    (x509.DNSName("localhost"),),
    (URI(SINK), URI(ME)),
    (URI("https://localhost/sink"),),
    (URI(SINK + "/"),),
    (x509.DNSName(SINK),),
]


@pytest.mark.parametrize("names", WRONG, ids=range(len(WRONG)))
def test_a_server_that_names_no_workload_is_told_nothing(authority, tmp_path, names):
    chain, key = certificate(authority, *names)
    refused(f"the other end is not {SINK}", plain(chain, key, tmp_path), authority.issue(ME))
    with pytest.raises(SecurityViolation):
        svid_of(chain, key, authority.issue(ME).bundle)


def test_an_authority_is_no_workload(authority):
    with pytest.raises(SecurityViolation, match="is that of one workload"):
        svid_of(*certificate(authority, URI(SINK), ca=True), authority.issue(ME).bundle)


async def knocked(shown, context):
    """Connect to a sink with any TLS context, and return what the sink was told."""
    sink = Sinking()
    async with serving(sink.take, shown) as port:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, server_hostname="localhost")
            writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")
            await reader.read()
            writer.close()
        except OSError:
            pass
    return sink.told


def test_who_shows_no_identity_or_a_strange_one_is_not_heard(authority, stranger):
    server, nobody = server_context(authority.issue(SINK)), ssl.create_default_context()
    nobody.check_hostname, nobody.verify_mode = False, ssl.CERT_NONE
    strange = client_context(stranger.issue(ME), SINK)
    strange.load_verify_locations(cadata=authority.issue(ME).bundle.decode())
    elsewhere = client_context(authority.issue("spiffe://other.example/runtime"), SINK)
    for context in (nobody, strange, elsewhere):
        assert run(knocked(server, context)) == []


def test_an_identity_is_renewed_while_the_server_runs(authority):
    server = server_context(authority.issue("spiffe://corollary.local/before"))
    show(server, authority.issue(SINK))
    assert run(sent(server, authority.issue(ME)))[0]["status"] == 200


# ---- the registry


@asynccontextmanager
async def registry(folder, shown, policy):
    """Serve a registry to workloads; yields the port."""
    shelf, runner = Shelf(folder), None
    try:
        runner = web.AppRunner(registry_of(shelf, policy))
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=shown).start()
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()
        await shelf.close()


def test_who_has_the_clearance_publishes_and_all_of_the_domain_read(authority, tmp_path):
    writer, reader = (authority.issue(f"spiffe://corollary.local/{name}") for name in ("writer", "reader"))
    policy = Policy({writer.id: Clearance.INTERNAL, reader.id: Clearance.PUBLIC})

    async def test():
        async with registry(tmp_path, server_context(authority.issue(SINK)), policy) as port:
            url = f"https://localhost:{port}"
            good, bad = (Registry(url, passport=passport(each, port)) for each in (writer, reader))
            with pytest.raises(Exception, match=f"publishing needs clearance INTERNAL, and {reader.id} has PUBLIC"):
                await bad.publish(NAME, PROGRAM)
            await good.publish(NAME, PROGRAM)
            assert await bad.program(NAME) == PROGRAM
            with pytest.raises(SecurityViolation, match="has PUBLIC"):
                await Registry(url, passport=passport(writer, port, Clearance.PUBLIC)).publish(NAME, PROGRAM)
            with pytest.raises(SecurityViolation, match="certificate"):
                await Registry(url).program(NAME)

    run(test())


def test_a_redirect_is_not_shown_the_identity(authority):
    seen = Sinking()

    async def lead(request):
        if request.path.startswith("/names"):
            return web.json_response({"program": "0" * 64})
        return web.Response(status=302, headers={"Location": other})

    async def test():
        nonlocal other
        async with serving(seen.take, server_context(authority.issue(SINK))) as elsewhere:
            other = f"https://localhost:{elsewhere}/"
            async with serving(lead, server_context(authority.issue(SINK))) as port:
                return await Registry(
                    f"https://localhost:{port}", passport=passport(authority.issue(ME), port)
                ).program(NAME)

    other = ""
    with pytest.raises(Exception, match="leads to private addresses only"):
        run(test())
    assert seen.told == []


def test_a_registry_with_tls_does_not_lead_to_a_place_without(authority):
    async def lead(request):
        if request.path.startswith("/names"):
            return web.json_response({"program": "0" * 64})
        return web.Response(status=302, headers={"Location": "http://example.org/"})

    async def test():
        async with serving(lead, server_context(authority.issue(SINK))) as port:
            shown = passport(authority.issue(ME), port)
            return await Registry(f"https://localhost:{port}", passport=shown).program(NAME)

    with pytest.raises(Unresolved, match="`url` begins with https://, and names a host"):
        run(test())


# ---- where identities and policies come from


def test_an_identity_comes_from_files_and_is_read_anew_each_time(authority, tmp_path, monkeypatch):
    monkeypatch.delenv("SPIFFE_ENDPOINT_SOCKET", raising=False)
    (tmp_path / CHAIN).touch()
    source = source_of(tmp_path, "ignored")
    for number in range(2):
        made = authority.issue(f"{ME}/{number}")
        for name, data in ((CHAIN, made.chain), (KEY, made.key), (BUNDLE, made.bundle)):
            (tmp_path / name).write_bytes(data)
        assert source() == made
    (tmp_path / KEY).write_bytes(authority.issue(ME).key)
    with pytest.raises(SecurityViolation, match="the key of an identity is not that of its certificate"):
        source()
    (tmp_path / KEY).write_bytes(b"nonsense")
    with pytest.raises(SecurityViolation, match="cannot be read"):
        source()
    (tmp_path / KEY).unlink()
    with pytest.raises(SecurityViolation, match=KEY):
        from_files(tmp_path)


def test_without_files_an_authority_is_made_that_stays(tmp_path, monkeypatch):
    monkeypatch.delenv("SPIFFE_ENDPOINT_SOCKET", raising=False)
    first, second = source_of(tmp_path, "runtime")(), source_of(tmp_path, "sink")()
    assert (first.id, second.id) == (ME, SINK) and first.bundle == second.bundle
    assert run(sent(server_context(second), first))[0]["status"] == 200
    assert all(path.stat().st_mode & 0o77 == 0 for path in tmp_path.iterdir())
    (tmp_path / "authority.pem").write_bytes(b"nonsense")
    with pytest.raises(SecurityViolation, match="remove it, and a new one is made"):
        source_of(tmp_path, "runtime")


GOOD_IDS = ["spiffe://a", "spiffe://a/b", "spiffe://a.b-c_1/B/..c/d.e"]
BAD_IDS = ["", "spiffe://", "spiffe://A/b", "spiffe://a/", "spiffe://a//b", "spiffe://a/./b", "spiffe://a/.."]
BAD_IDS += ["spiffe://a/b?c", "spiffe://a/b#c", "spiffe://a:1/b", "spiffe://u@a/b", "https://a/b", "spiffe://a/%41"]


@pytest.mark.parametrize("text", GOOD_IDS + BAD_IDS)
def test_what_is_a_spiffe_id(text):
    assert bool(ID.fullmatch(text)) is (text in GOOD_IDS)


POLICY = {"clearances": {ME: "SECRET"}, "sinks": {"Sink.example:443": {"id": SINK, "level": "CONFIDENTIAL"}}}
NO_POLICIES = [
    b"",
    b"[]",
    b"[" * 100_000,
    b'{"other": {}}',
    b'{"clearances": {"nobody": "SECRET"}}',
    json.dumps({"clearances": {ME: "secret"}}).encode(),
    json.dumps({"clearances": {ME: 3}}).encode(),
    json.dumps({"sinks": {"a:1": {"id": SINK}}}).encode(),
    json.dumps({"sinks": {"a:1": "SECRET"}}).encode(),
    json.dumps({"sinks": []}).encode(),
]


def test_a_policy_is_read(tmp_path):
    (tmp_path / "policy").write_text(json.dumps(POLICY))
    assert policy_in(tmp_path / "policy") == Policy({ME: Clearance.SECRET}, {"sink.example:443": Sink(SINK, NEEDED)})


@pytest.mark.parametrize("data", NO_POLICIES, ids=range(len(NO_POLICIES)))
def test_what_is_no_policy_is_refused(tmp_path, data):
    (tmp_path / "policy").write_bytes(data)
    with pytest.raises(SecurityViolation, match="is no policy"):
        policy_in(tmp_path / "policy")


def test_other_places_are_checked_as_before(authority):
    assert passport(authority.issue(ME), 443).context(URL("https://example.org/")) is None


class WorkloadApi(workload_pb2_grpc.SpiffeWorkloadAPIServicer):
    """Gives identities as SPIRE does: each stays until the next one is there."""

    def __init__(self):
        self.identities = queue.SimpleQueue()

    def FetchX509SVID(self, request, context):  # noqa: N802 - the name in the protocol
        assert ("workload.spiffe.io", "true") in context.invocation_metadata()
        while (svid := self.identities.get()) is not None:
            private = load_pem_private_key(svid.key, None)
            key = private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
            told = {
                "spiffe_id": svid.id,
                "x509_svid": der(svid.chain),
                "x509_svid_key": key,
                "bundle": der(svid.bundle),
            }
            yield workload_pb2.X509SVIDResponse(svids=[workload_pb2.X509SVID(**told)])


def der(pem):
    """Return certificates as the protocol has them."""
    return b"".join(each.public_bytes(Encoding.DER) for each in x509.load_pem_x509_certificates(pem))


@pytest.fixture
def workload_api(tmp_path, monkeypatch):
    """Serve the Workload API at a socket that the environment names."""
    server, api = grpc.server(ThreadPoolExecutor(4)), WorkloadApi()
    workload_pb2_grpc.add_SpiffeWorkloadAPIServicer_to_server(api, server)
    place = f"unix://{tmp_path}/api.sock"
    server.add_insecure_port(place)
    server.start()
    monkeypatch.setenv("SPIFFE_ENDPOINT_SOCKET", place)
    yield api
    api.identities.put(None)
    server.stop(None).wait()


def test_the_workload_api_gives_the_identity_and_renews_it(authority, workload_api, tmp_path):
    workload_api.identities.put(authority.issue(ME))
    source = source_of(tmp_path, "ignored")
    first = source()
    assert first.id == ME and run(sent(server_context(authority.issue(SINK)), first))[0]["status"] == 200
    workload_api.identities.put(authority.issue(ME + "/renewed"))
    while source().id == ME:
        time.sleep(0.01)
    assert source().id == ME + "/renewed"


def test_where_no_workload_api_answers_there_is_no_identity(tmp_path, monkeypatch):
    monkeypatch.setenv("SPIFFE_ENDPOINT_SOCKET", f"unix://{tmp_path}/nothing.sock")
    monkeypatch.setattr("corollary.runtime.authority.PATIENCE", 0.5)
    with pytest.raises(SecurityViolation, match="gives no identity"):
        source_of(tmp_path, "runtime")
