"""How does an agent reach the world? By HTTP, WebSocket, TCP and TLS, which the runtime speaks as its rules allow.

Nothing is reached before the turn that asked for it is committed. The result comes as an event. A request may be made
twice if the process ends in the midst of it: both carry the same `Idempotency-Key`. A connection belongs to the runtime
and stays open while its agent sleeps; when the process ends, the agent is told that it is closed.

What an agent asks for, and what it gets, is JSON. A `body` or a frame is text; `base64` is there instead for bytes that
are no text.
"""

import asyncio
import base64
import binascii
import ipaddress
import json
import logging
import re
import resource
import socket
import ssl
import sys
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from fnmatch import fnmatchcase
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver
from yarl import URL

from corollary.problem import Problem
from corollary.runtime.identity import Passport, SecurityViolation, place_at, plain
from corollary.runtime.line import Full
from corollary.runtime.shares import Shares, may_have_more
from corollary.runtime.store import Agent, Effect, Rules

SCHEMES = {"http": 80, "https": 443, "ws": 80, "wss": 443}
CONNECT = 10.0  # s until a connection is there, at most
GRACE = 1.0  # s in which the last bytes may leave
NORMAL, ABNORMAL = 1000, 1006  # codes of a connection that one side closed, and of one that broke (RFC 6455, 7.4.1)
RESTARTED = {"closed": ABNORMAL, "reason": "the runtime was restarted"}
FRAMES = 64  # frames that wait to be sent on one connection, at most
BYTES = 1 << 20  # bytes that wait to be sent on one connection, at most, but for one frame
SOCKETS, REQUESTS = 64, 16  # connections and HTTP requests of one agent at once, at most
THREADS, NAMES = 32, 2  # that look names up: all of them, and of one agent
RESERVE = 64  # files that are left for all but connections of agents
END = object()  # in a queue: no more is sent
AHEAD = 16  # frames or chunks of one connection that its agent has not handled yet, at most, but for one
CHUNK = 1 << 16  # bytes of a connection that an agent is told at once, at most
EMBEDDING = [
    ipaddress.ip_network(net) for net in ("::/96", "::ffff:0:0:0/96", "64:ff9b::/96")
]  # of IPv6, which end in an IPv4 address
LOCAL = [
    ipaddress.ip_network(net)
    for net in ("192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "64:ff9b:1::/48", "3fff::/20", "5f00::/16")
]  # some versions of Python take them for global
OWN = ("connection", "content-length", "host", "transfer-encoding", "upgrade")  # headers that only the runtime gives
SURROGATE = re.compile("[\ud800-\udfff]")
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", re.ASCII)  # the name of a header (RFC 9110, 5.6.2)
log = logging.getLogger("corollary.runtime")
Post = Callable[[Effect, str, bytes], Awaitable[bool]]
Handled = Callable[[Effect, str], Awaitable[None]]


class Refusal(Problem):
    """The outside was not asked, or did not answer; the message says why."""


class Outside:
    """The connections of a runtime. `post` posts a part of a result to the agent of an effect, with an id of its own.

    `handled` waits until the agent has handled a part: of a connection no more than `AHEAD` of them wait for it.
    `trusted` is the TLS context to check servers with; None takes the authorities of the system. `passport` is shown to
    sinks, and to nobody else.
    """

    def __init__(self, post: Post, handled: Handled, trusted: Any = None, passport: Passport | None = None):
        self.post, self.handled, self.trusted, self.passport = post, handled, trusted, passport
        self.sockets: dict[str, Outgoing] = {}
        files = room_for_connections()
        self.requests = Shares(max(1, files // 4), REQUESTS)
        self.most = files - files // 4
        self.lookups = Lookups()

    def performers(self) -> dict[str, Callable[[Agent, Effect], Awaitable[bytes | None]]]:
        """Return who carries out which kind of effect."""
        return {
            "http": self.told(self.fetch),
            "websocket": self.told(self.websocket),
            "tcp": self.told(self.tcp),
            "frame": self.frame,
            "end": self.end,
            "close": self.hang_up,
        }

    def told(self, perform):
        """Return the same function, whose problems are results, too."""

        async def performed(agent: Agent, effect: Effect) -> bytes:
            try:
                return encoded(await perform(agent.rules, effect, asked(effect.body)))
            except (SecurityViolation, aiohttp.ClientSSLError, ssl.SSLError) as violation:
                log.warning("%s asked for %s: SecurityViolation: %s", agent.name, effect.id, why(violation))
                return encoded({"error": f"SecurityViolation: {why(violation)}"})
            except TimeoutError:
                return encoded({"error": "the time is up"})
            except (Refusal, aiohttp.ClientError, OSError, ValueError) as problem:
                return encoded({"error": why(problem)})

        return performed

    def rooms(self) -> dict[str, Callable[[str], AbstractAsyncContextManager[Any]]]:
        """Return what an effect of an agent waits for, by kind: so many requests are made at once."""
        return {"http": self.requests.place}

    # ---- HTTP

    async def fetch(self, rules: Rules, effect: Effect, request: dict) -> dict:
        """Make an HTTP request, and return status, headers and body."""
        url, method = address(rules, request, ("http", "https")), str(request.get("method", "GET")).upper()
        if method not in rules.methods:
            raise Refusal(f"the rules allow {', '.join(rules.methods) or 'no method'}, not {method}")
        headers, data = {"Idempotency-Key": effect.id, **headers_of(request)}, content(request)
        async with client(rules, rules.patience, look_up=self.lookups.of(effect.agent)) as session:
            async with session.request(
                method, url, headers=headers, data=data, allow_redirects=False, ssl=self.trust(url)
            ) as response:
                body = await limited(response.content, rules.body)
                return {"status": response.status, "headers": joined(response.headers), **as_text("body", body)}

    def trust(self, url):
        """Return how the server at an address is checked; raises `SecurityViolation`."""
        shown = None if self.passport is None else self.passport.context(url)
        return shown or (True if self.trusted is None else self.trusted)

    # ---- WebSocket

    async def websocket(self, rules: Rules, effect: Effect, request: dict) -> dict:
        """Open a WebSocket, and pass its frames on until it is closed; returns why it was closed."""
        url = address(rules, request, ("ws", "wss"))
        look_up = self.lookups.of(effect.agent)
        async with self.opening(effect) as frames, client(rules, look_up=look_up) as session:
            if not await self.begins(effect):
                return RESTARTED
            async with asyncio.timeout(CONNECT):
                connection = await session.ws_connect(
                    url,
                    headers=headers_of(request),
                    protocols=protocols_of(request),
                    max_msg_size=max(1, rules.body),  # 0 would be no limit
                    ssl=self.trust(url),
                )
            await self.post(effect, "opened", encoded({"opened": connection.protocol or ""}))
            try:
                return await passed(self.receive(effect, connection), send_all(connection, frames), frames)
            finally:
                cut(connection)

    async def receive(self, effect, connection):
        """Tell an agent the frames that come, and return why the connection was closed."""
        number = 0
        try:
            async for frame in connection:
                if frame.type in (aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY):
                    data = frame.data if isinstance(frame.data, bytes) else frame.data.encode()
                    told = as_text("frame", data) if frame.type is aiohttp.WSMsgType.TEXT else as_bytes(data)
                    await self.tell(effect, number, told)
                    number += 1
        except OSError as problem:  # a ping cannot be answered any more
            return {"closed": ABNORMAL, "reason": why(problem)}
        problem = connection.exception()
        return {"closed": connection.close_code or ABNORMAL, "reason": "" if problem is None else why(problem)}

    async def begins(self, effect):
        """Note that a connection is made; returns whether it is for the first time, as none outlives its process."""
        return await self.post(effect, "open", encoded({"open": True}))

    async def tell(self, effect, number, told):
        """Tell an agent what came on a connection; whoever sends more than it handles has to wait."""
        await self.post(effect, str(number), encoded(told))
        if number >= AHEAD:
            await self.handled(effect, str(number - AHEAD))

    @asynccontextmanager
    async def opening(self, effect):
        """Yield what is to be sent on a connection while it is open; raises `Refusal` when there are too many."""
        own = sum(frames.agent == effect.agent for frames in self.sockets.values())
        if own >= SOCKETS:
            raise Refusal(f"{effect.agent} has {own} connections open, and may have {SOCKETS}: close one")
        if not may_have_more(own, SOCKETS, self.most - len(self.sockets)):
            raise Refusal(f"the runtime has {len(self.sockets)} connections open, {own} of them here: try it later")
        self.sockets[effect.id] = frames = Outgoing(effect.agent)
        try:
            yield frames
        finally:
            await self.drop(effect)

    async def drop(self, effect):
        """Forget a connection, and let nobody wait for room to send on it."""
        self.sockets.pop(effect.id).leave()

    # ---- TCP and TLS

    async def tcp(self, rules: Rules, effect: Effect, request: dict) -> dict:
        """Open a connection, and pass its bytes on until it is closed; returns why it was closed."""
        url = address(rules, {"url": place_of(request)}, ("tcp", "tls"))
        trust = self.trust(url)
        async with self.opening(effect) as frames:
            if not await self.begins(effect):
                return RESTARTED
            resolver = Pinned(rules, self.lookups.of(effect.agent))
            async with connected(resolver, url, trust) as (reader, writer):
                await self.post(effect, "opened", encoded({"opened": ""}))
                most = max(1, min(CHUNK, rules.body))
                return await passed(self.read(effect, most, reader), write_all(writer, frames), frames, writer)

    async def read(self, effect, most, reader):
        """Tell an agent the bytes that come, and return why there are no more."""
        number = 0
        try:
            while data := await reader.read(most):
                await self.tell(effect, number, as_bytes(data))
                number += 1
        except OSError as problem:
            return {"closed": ABNORMAL, "reason": why(problem)}
        return {"closed": NORMAL, "reason": ""}

    # ---- what an agent sends on what is open

    async def frame(self, agent: Agent, effect: Effect) -> bytes | None:
        """Send a frame, or bytes, on a connection of the agent; one that is closed takes nothing any more."""
        return await self.put(agent, effect, lambda request: content(request, "frame") or "")

    async def end(self, agent: Agent, effect: Effect) -> bytes | None:
        """Send no more on a connection of the agent, which the other end closes then."""
        return await self.put(agent, effect, lambda request: END)

    async def hang_up(self, agent: Agent, effect: Effect) -> bytes | None:
        """Close a connection of the agent."""
        return await self.put(agent, effect, code_of)

    async def put(self, agent, effect, what):
        """Put something into the queue of a connection, if that is open and belongs to the agent; returns problems."""
        try:
            request = asked(effect.body)
            wanted = what(request)
        except Refusal as problem:
            return encoded({"error": why(problem)})
        name = str(request.get("socket"))
        if name.startswith(f"{agent.name}/") and name in self.sockets:
            await self.sockets[name].put(wanted)


class Outgoing:
    """What an agent sends on a connection, in order: `FRAMES` and `BYTES` wait, at most, but for one frame."""

    def __init__(self, agent: str):
        self.agent = agent
        self.frames: deque[Any] = deque()
        self.size = self.taken = 0
        self.turn = asyncio.Lock()  # whoever comes first puts first
        self.room, self.some, self.closing = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.reached = asyncio.Event()  # all that comes before the close was sent
        self.code: int | None = None  # with which it is closed
        self.is_over = self.is_left = False  # nothing more is sent; nobody sends any more

    async def put(self, frame: Any) -> None:
        """Let something be sent; raises `Full` when there is no room for a while."""
        async with self.turn:
            while not self.is_left and self.is_full() and not isinstance(frame, int):
                self.room.clear()
                try:
                    await asyncio.wait_for(self.room.wait(), GRACE)
                except TimeoutError:
                    raise Full(f"the other end of a connection of {self.agent} takes nothing", 0.0) from None
            self.frames.append(frame)
            self.size += size_of(frame)
            self.some.set()
            if isinstance(frame, int):
                self.code = frame if self.code is None else self.code
                self.closing.set()

    def is_full(self) -> bool:
        """Does so much wait that no more is taken?"""
        return len(self.frames) >= FRAMES or self.size >= BYTES

    async def get(self) -> Any:
        """Return what is to be sent next."""
        while not self.frames:
            self.some.clear()
            await self.some.wait()
        frame = self.frames.popleft()
        self.size -= size_of(frame)
        self.taken += 1
        self.room.set()
        return frame

    def leave(self) -> None:
        """Let nobody wait any more."""
        self.is_left = True
        self.room.set()


def size_of(frame):
    """Return how many bytes, or letters, a frame has."""
    return len(frame) if isinstance(frame, (str, bytes)) else 0


async def passed(receiving, sending, frames, writer=None):
    """Pass on what comes and goes until a connection is closed, and return why it was.

    An agent that closes it has `GRACE` for what leaves before. When the other end sends no more, and `writer` is given,
    the agent's part goes on as long as there is something to send, and it leaves.
    """
    waits = (receiving, sending, frames.closing.wait(), frames.reached.wait())
    tasks = receiver, sender, closer, reaching = [asyncio.ensure_future(each) for each in waits]
    try:
        await asyncio.wait({receiver, sender, closer}, return_when=asyncio.FIRST_COMPLETED)
        if receiver.done() and writer is not None and writer.can_write_eof() and not frames.is_over:
            await go_on({sender, closer}, frames, writer)
        if frames.code is not None:
            await asyncio.wait({receiver, reaching}, timeout=GRACE)
            return {"closed": frames.code, "reason": ""}
        if sender.done() and (problem := sender.exception()) is not None:
            return {"closed": ABNORMAL, "reason": why(problem)}
        return receiver.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def go_on(tasks, frames, writer):
    """Wait while something is sent to an end that sends no more itself, until one of the tasks is done."""
    before, now = None, (frames.taken, writer.transport.get_write_buffer_size())
    while not frames.is_over and now != before and not any(task.done() for task in tasks):
        patience = CONNECT if frames.frames or now[1] else GRACE
        await asyncio.wait(tasks, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        before, now = now, (frames.taken, writer.transport.get_write_buffer_size())


def cut(connection):
    """Cut a WebSocket off, or its client would wait until the other end takes what is left."""
    found = connection.get_extra_info("socket")
    if found is not None:
        with suppress(OSError):
            found.shutdown(socket.SHUT_RDWR)


async def send_all(connection, frames):
    """Send what is to be sent on a WebSocket; a number closes it, and after an end the other side has to."""
    while True:
        frame = await frames.get()
        if isinstance(frame, int):
            frames.reached.set()
            await connection.close(code=frame)
            return await asyncio.Event().wait()
        frames.is_over = frames.is_over or frame is END
        if not frames.is_over:
            await (connection.send_str(frame) if isinstance(frame, str) else connection.send_bytes(frame))


async def write_all(writer, frames):
    """Write what is to be sent until it is over; a number closes, and so does an end where TLS has no half of one."""
    while True:
        frame = await frames.get()
        if isinstance(frame, int) or frame is END and not writer.can_write_eof():
            frames.reached.set()
            writer.close()
            return await asyncio.Event().wait()
        if frame is END and not frames.is_over:
            writer.write_eof()
            frames.is_over = True
        elif not frames.is_over:
            writer.write(frame.encode() if isinstance(frame, str) else frame)
            await writer.drain()


@asynccontextmanager
async def connected(resolver: "Pinned", url: URL, trust: Any) -> AsyncIterator[tuple[asyncio.StreamReader, Any]]:
    """Yield what is read from and written to a connection, which goes to an address that the rules allow."""
    secure = {"ssl": ssl.create_default_context() if trust is True else trust, "server_hostname": url.host}
    places = await resolver.resolve(url.host or "", url.port or 0, socket.AF_UNSPEC)
    reader, writer = await first_of(places, secure if url.scheme == "tls" else {})
    try:
        yield reader, writer
    finally:
        writer.close()
        try:
            await asyncio.wait_for(writer.wait_closed(), GRACE)
        except TimeoutError:
            writer.transport.abort()
        except OSError:
            pass


async def first_of(places, secure):
    """Return a connection to the first address that takes it; raises what the last one made of it."""
    problem: Exception = OSError("there is no address")
    for place in places:
        try:
            async with asyncio.timeout(CONNECT / len(places)):
                return await asyncio.open_connection(place["host"], place["port"], **secure)
        except ssl.SSLError:
            raise
        except OSError as found:
            problem = found
    raise problem


def client(
    rules: Rules,
    total: float | None = None,
    decompress: bool = True,
    look_up: Callable[..., Awaitable[Any]] | None = None,
) -> aiohttp.ClientSession:
    """Return a client that connects to addresses that the rules allow, and to no others, for `total` seconds at most.

    It follows no redirect. Without `decompress`, a body comes as it was sent. `look_up` is that of `Pinned`.
    """
    traced = aiohttp.TraceConfig()
    traced.on_request_redirect.append(leads_on)
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            resolver=Pinned(rules, look_up),
            use_dns_cache=False,
            force_close=True,
            socket_factory=lambda info: made(rules, info),
        ),
        trace_configs=[traced],
        timeout=aiohttp.ClientTimeout(total=total, sock_connect=CONNECT),
        auto_decompress=decompress,
        cookie_jar=aiohttp.DummyCookieJar(),
        max_line_size=1 << 16,
        max_field_size=1 << 16,
    )


async def leads_on(session, context, told):
    """Refuse to follow a redirect, as `ws_connect` would."""
    raise Refusal(f"{told.url} leads on to {told.response.headers.get('Location', 'nowhere')}: open that instead")


def made(rules, info):
    """Return a socket for an address; raises `OSError` unless the rules allow it, as for one that is no name."""
    family, kind, protocol, _, place = info
    if not is_allowed(rules, str(place[0])):
        raise OSError(f"{place[0]} is a private address: the rules do not allow those")
    return socket.socket(family, kind, protocol)


def room_for_connections() -> int:
    """Return how many connections all agents may have: the files of a process, less some for its own."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if files == resource.RLIM_INFINITY else max(0, files - max(RESERVE, files // 4))


def why(problem):
    """Return in words why something failed."""
    cause = getattr(problem, "os_error", None)
    text = str(problem) or type(problem).__name__
    return text if cause is None else f"{text}: {cause}"


# ---- what is asked for, and what is told


def asked(body: bytes) -> dict:
    """Return a request; raises `Refusal` when it is none."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refusal(f"a request is a JSON object: {error}") from None
    if not isinstance(found, dict):
        raise Refusal("a request is a JSON object")
    return found


def encoded(told):
    """Return a result as bytes."""
    return json.dumps(told).encode()


def as_text(name, data):
    """Return bytes under a name if they are text, otherwise in base64."""
    try:
        return {name: data.decode()}
    except UnicodeDecodeError:
        return as_bytes(data)


def as_bytes(data):
    """Return bytes in base64."""
    return {"base64": base64.b64encode(data).decode()}


def content(request, name="body"):
    """Return the content of a request: text, bytes, or None; raises `Refusal`."""
    try:
        if "base64" in request:
            return base64.b64decode(request["base64"], validate=True)
    except (binascii.Error, TypeError, ValueError) as error:
        raise Refusal(f"what is given as base64 is none: {error}") from None
    found = request.get(name)
    if found is not None and not isinstance(found, str):
        raise Refusal(f"`{name}` is text; give bytes as `base64`")
    if found is not None and SURROGATE.search(found):
        raise Refusal(f"`{name}` has half of a character: give bytes as `base64`")
    return found


def place_of(request) -> URL:
    """Return the place that a request wants a connection to; raises `Refusal`, and `ValueError` for what is no host."""
    host, port, tls = request.get("host"), request.get("port"), request.get("tls", False)
    if type(host) is not str or type(port) is not int or type(tls) is not bool or not 0 < port < 1 << 16:
        raise Refusal("a connection has a `host`, a `port` from 1 to 65535, and maybe `tls`, which is true or false")
    return URL.build(scheme="tls" if tls else "tcp", host=host, port=port)


def headers_of(request):
    """Return the headers of a request; raises `Refusal`."""
    found = request.get("headers", {})
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise Refusal("`headers` is an object of texts")
    wrong = [name for name in found if not TOKEN.fullmatch(name) or name.lower() in OWN]
    if wrong:
        raise Refusal(f"{wrong[0]!r} is no header that an agent gives: leave it out")
    return found


def joined(headers):
    """Return headers as an object; those that came more than once are joined with a comma."""
    names = {name.lower(): name for name in headers}
    return {name: ", ".join(headers.getall(name)) for name in names.values()}


def protocols_of(request):
    """Return the protocols that a WebSocket may have; raises `Refusal`."""
    found = request.get("protocols", [])
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise Refusal("`protocols` is a list of texts")
    return found


def code_of(request):
    """Return the code with which a connection is closed; raises `Refusal`."""
    found = request.get("code", NORMAL)
    if type(found) is not int or not (found == NORMAL or 3000 <= found < 5000):
        raise Refusal(f"`code` is {NORMAL}, or from 3000 to 4999")
    return found


async def limited(stream, most):
    """Return all bytes of a stream; raises `Refusal` as soon as they are too many."""
    parts, size = [], 0
    async for part in stream.iter_any():
        size += len(part)
        if size > most:
            raise Refusal(f"the response has more than {most} bytes")
        parts.append(part)
    return b"".join(parts)


# ---- what may be reached


def address(rules: Rules, request: dict, schemes: tuple[str, ...]) -> URL:
    """Return the address that a request names; raises `Refusal` unless the rules allow it."""
    try:
        url = URL(str(request.get("url", "")))
        host, place = url.host, place_at(url, SCHEMES.get(url.scheme))
    except ValueError as error:
        raise Refusal(f"`url` is no address: {error}") from None
    if url.scheme not in schemes or not host:
        raise Refusal(f"`url` begins with {' or '.join(f'{scheme}://' for scheme in schemes)}, and names a host")
    if url.user is not None or url.password is not None:
        raise Refusal("`url` names no user: give an `Authorization` header")
    if not any(fnmatchcase(place, plain(pattern).replace("[", "[[]")) for pattern in rules.hosts):
        raise Refusal(f"the rules do not allow {place}; they allow: {', '.join(rules.hosts) or 'nothing'}")
    if is_address(host.rstrip(".")) and not is_allowed(rules, host.rstrip(".")):  # `Pinned` never sees it
        raise Refusal(f"{host} is a private address: the rules do not allow those")
    return url


def is_address(host):
    """Is it an address, not a name?"""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_allowed(rules, address):
    """Do the rules allow an address?"""
    found = leading_to(ipaddress.ip_address(address.split("%")[0]))
    return rules.private or found.is_global and not found.is_multicast and not any(found in each for each in LOCAL)


def leading_to(found):
    """Return the address of IPv4 that one of IPv6 stands for or is translated to, otherwise the address itself."""
    if found.version == 4:
        return found
    if any(found in each for each in EMBEDDING):
        return ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
    return found.ipv4_mapped or found.sixtofour or found


class Lookups:
    """Looks names up in `THREADS` threads of its own, of which an agent has `NAMES` at most; its others wait."""

    def __init__(self):
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="names")
        self.shares = Shares(THREADS, NAMES)

    def of(self, agent: str) -> Callable[..., Awaitable[Any]]:
        """Return what looks names up for an agent; it raises `OSError`."""

        async def look_up(host, port, **more):
            try:
                async with asyncio.timeout(CONNECT):
                    return await self.found(agent, lambda: socket.getaddrinfo(host, port, **more))
            except TimeoutError:
                raise OSError(f"nobody said within {CONNECT:g} s where {host} is") from None

        return look_up

    async def found(self, agent, ask):
        """Return what is found in a thread; the agent has it until that is done, even if nobody waits any more."""
        await self.shares.take(agent)
        asked = asyncio.get_running_loop().run_in_executor(self.threads, ask)
        asked.add_done_callback(lambda done: (self.shares.leave(agent), done.cancelled() or done.exception()))
        return await asyncio.shield(asked)


class Pinned(AbstractResolver):
    """Finds the addresses of a name once, and lets no one connect to any other than those that it checked.

    `look_up` takes the same as `getaddrinfo` of a loop, which is taken without it.
    """

    def __init__(self, rules: Rules, look_up: Callable[..., Awaitable[Any]] | None = None):
        self.rules, self.look_up = rules, look_up

    async def resolve(self, host: str, port: int = 0, family: Any = socket.AF_INET) -> list[Any]:
        """Return the allowed addresses of a name; raises `OSError`."""
        found = await (self.look_up or asyncio.get_running_loop().getaddrinfo)(
            host, port, family=family, type=socket.SOCK_STREAM
        )
        good = [(kind, place) for kind, _, _, _, place in found if is_allowed(self.rules, str(place[0]))]
        if not good:
            raise OSError(f"{host} leads to private addresses only: the rules do not allow those")
        return [
            {
                "hostname": host,
                "host": place[0],
                "port": port,
                "family": kind,
                "proto": 0,
                "flags": socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            }
            for kind, place in good
        ]

    async def close(self) -> None:
        """There is nothing to close."""
