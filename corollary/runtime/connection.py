"""How is an MCP server spoken to? Through a connection that a task keeps open, and that bounds what the server sends.

A server is believed nothing: it may end, hang, send without end, or send what is none of its protocol.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

import anyio
import httpx2
from mcp.client.client import Client
from mcp.client.stdio import get_default_environment
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from mcp_types import (
    CallToolRequest,
    CallToolRequestParams,
    CallToolResult,
    Implementation,
    Tool,
    ToolListChangedNotification,
    jsonrpc_message_adapter,
)

from corollary.problem import Problem
from corollary.runtime.servers import Http, Stdio

MOST = 10 << 20  # bytes that a server may send between the beginnings of two calls
LINE = 1 << 10  # bytes that each line counts for besides: what is small takes time, too
CONNECT = 10.0  # s until an HTTP connection is there, at most
GRACE = 1.0  # s in which a process may end by itself
KEY = "corollary/idempotency-key"  # where the metadata of a call names the call
NAME = Implementation(name="corollary", version="1")


class Lost(Problem):
    """A server cannot be reached, or not any more; the message says why."""


class Room:
    """How many bytes a server may still send, and the exit status of its process, once that has ended by itself."""

    def __init__(self):
        self.left, self.status = MOST, None

    def renew(self) -> None:
        """Begin anew, unless it is too late."""
        if self.left >= 0:
            self.left = MOST

    def take(self, data: bytes) -> None:
        """Take up what came; raises `Lost` when it is too much."""
        self.left -= len(data) + LINE * (data.count(b"\n") + data.count(b"\r"))
        self.check()

    def check(self) -> None:
        """Raise `Lost` when a server has sent too much, or has ended."""
        if self.left < 0:
            raise Lost(f"the server sends more than {MOST} bytes")
        if self.status is not None:
            raise Lost(f"the server ended with exit status {self.status}; the log of the runtime has its last words")


# ---- over the standard input and output of a process


@asynccontextmanager
async def process(server: Stdio, room: Room) -> AsyncIterator[tuple[Any, Any]]:
    """Run a server, and pass messages on in both directions. Its environment has nothing that is not given."""
    to_session, from_server = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_server, from_session = anyio.create_memory_object_stream[SessionMessage](0)
    async with started(server) as (child, stdout):
        async with anyio.create_task_group() as group, from_server, to_server:
            group.start_soon(read, child, stdout, to_session, room)
            group.start_soon(write, child.stdin, from_session, to_session)
            yield from_server, to_server
            group.cancel_scope.cancel()


@asynccontextmanager
async def started(server: Stdio) -> AsyncIterator[tuple[asyncio.subprocess.Process, asyncio.StreamReader]]:
    """Run the process of a server; yields it and its output."""
    inward, outward = os.pipe()
    with open(inward, "rb", 0) as output:
        try:
            child = await asyncio.create_subprocess_exec(
                server.command,
                *server.args,
                stdin=asyncio.subprocess.PIPE,
                stdout=outward,
                env={**get_default_environment(), **server.env},
                cwd=server.cwd,
                start_new_session=True,
            )
        finally:
            os.close(outward)
        stdout = asyncio.StreamReader(MOST)
        # a pipe of our own can be closed while a process that outlives its parent holds the other end
        pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stdout), output
        )
        try:
            yield child, stdout
        finally:
            pipe.close()
            await end(child)


async def read(child, stdout, to_session, room):
    """Pass on what a server says, a line each, until it ends or says too much; keep its status if it ended."""
    async with to_session:
        with suppress(Lost, anyio.BrokenResourceError, anyio.ClosedResourceError):  # a flood; nobody listens
            while line := await line_of(stdout, room):
                await to_session.send(message_of(line))
            with suppress(TimeoutError):
                room.status = await asyncio.wait_for(child.wait(), GRACE)


async def line_of(stdout, room):
    """Return the next line of a server, or nothing at its end; raises `Lost` when it sends too much."""
    try:
        line = await stdout.readline()
    except ValueError:  # it has no end within the limit
        line = bytes(MOST + 1)
    room.take(line)
    return line


def message_of(line):
    """Return the message of a line, or the problem with it."""
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as problem:
        return problem


async def write(stdin, from_session, to_session):
    """Pass on what is said to a server; when it hears nothing any more, it is over."""
    async with from_session:
        with suppress(OSError):
            async for message in from_session:
                stdin.write(message.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                await stdin.drain()
    await to_session.aclose()


async def end(child):
    """Let a process end, or kill it and all that belongs to it."""
    child.stdin.close()
    try:
        with suppress(TimeoutError):
            await asyncio.wait_for(child.wait(), GRACE)
    finally:  # also when there is no time left to wait
        if child.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            if child.stdin.transport.get_write_buffer_size():  # which nobody takes any more
                child.stdin.transport.abort()
    await child.wait()


# ---- over HTTP


class Bounded(httpx2.AsyncBaseTransport):
    """Makes requests, and counts what comes back."""

    def __init__(self, room: Room):
        self.inner, self.room = httpx2.AsyncHTTPTransport(), room

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Make a request. What was compressed could become of any size, so it is refused."""
        response = await self.inner.handle_async_request(request)
        if "content-encoding" in response.headers:
            await response.aclose()
            raise Lost("the server compresses what it was asked to send as it is")
        response.stream = Counted(response.stream, self.room)
        return response

    async def aclose(self) -> None:
        """Close all connections."""
        await self.inner.aclose()


class Counted(httpx2.AsyncByteStream):
    """The bytes of a response, counted."""

    def __init__(self, inner: Any, room: Room):
        self.inner, self.room = inner, room

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self.inner:
            self.room.take(part)
            yield part

    async def aclose(self) -> None:
        """Let go of the response."""
        await self.inner.aclose()


@asynccontextmanager
async def requests(server: Http, room: Room) -> AsyncIterator[tuple[Any, Any]]:
    """Pass messages on in both directions."""
    headers = {**server.headers, "Accept-Encoding": "identity"}
    timeout = httpx2.Timeout(None, connect=CONNECT)
    async with httpx2.AsyncClient(transport=Bounded(room), headers=headers, timeout=timeout) as client:
        async with streamable_http_client(server.url, http_client=client, max_sse_event_size=MOST) as streams:
            yield streams


# ---- connections


class Connection:
    """A connection to a server. `calls` counts those that use it now, and `retired` says that no new one does."""

    def __init__(self, server: Stdio | Http):
        self.server, self.room = server, Room()
        self.calls, self.retired = 0, False
        self.tools: dict[str, Tool] = {}
        self.client = asyncio.get_running_loop().create_future()
        self.over = asyncio.Event()
        self.task = asyncio.create_task(self.keep())

    def transport(self) -> AbstractAsyncContextManager[Any]:
        """Return what carries messages to the server and back."""
        return process(self.server, self.room) if isinstance(self.server, Stdio) else requests(self.server, self.room)

    async def keep(self) -> None:
        """Keep the connection open until it is over."""
        try:
            client = Client(self.transport(), client_info=NAME, cache=None, message_handler=self.hear)
            async with client:
                self.client.set_result(client)
                await self.over.wait()
        except Exception as problem:  # whatever a server makes the library raise
            self.lose(problem)

    def lose(self, problem: Exception) -> None:
        """Tell who waits for the connection that there is none."""
        if not self.client.done():
            self.client.set_exception(Lost(self.why(problem)))
            self.client.exception()  # maybe nobody waits any more

    def why(self, problem: BaseException) -> str:
        """Return why there is no connection; what the server did says more than that the connection is closed."""
        try:
            self.room.check()
        except Lost as cause:
            problem = cause
        return reason_of(problem)

    async def hear(self, message: Any) -> None:
        """Note that the server has other tools now."""
        if isinstance(message, ToolListChangedNotification):
            self.tools = {}

    async def tool(self, name: str) -> Tool | None:
        """Return what the server says of a tool, or None if it has none of that name."""
        client = await asyncio.shield(self.client)
        if name not in self.tools:
            cursor, self.tools = "", {}
            while cursor is not None:
                page = await client.list_tools(cursor=cursor or None)
                self.tools.update((tool.name, tool) for tool in page.tools)
                cursor = page.next_cursor
        return self.tools.get(name)

    async def call(self, name: str, arguments: dict[str, Any], key: str) -> CallToolResult:
        """Call a tool, and return its result, which was not compared with the tool's schema yet."""
        client = await asyncio.shield(self.client)
        about: Any = {KEY: key}
        params = CallToolRequestParams(name=name, arguments=arguments, _meta=about)
        return await client.session.send_request(CallToolRequest(params=params), CallToolResult)

    def leave(self) -> None:
        """Note that a call ended; the last one ends a connection that is retired."""
        self.calls -= 1
        if self.retired and not self.calls:
            self.end()

    def end(self) -> None:
        """Let the connection end, also one that is still being made."""
        if not self.client.done() and not self.over.is_set():
            self.task.cancel()
        self.over.set()

    async def close(self) -> None:
        """Close the connection, whoever uses it."""
        self.end()
        await asyncio.gather(self.task, return_exceptions=True)


def reason_of(problem: BaseException) -> str:
    """Return why something failed; of many problems, which a group has, the first."""
    while isinstance(problem, BaseExceptionGroup):
        problem = problem.exceptions[0]
    if isinstance(problem, TimeoutError):
        return "the time is up"
    text = problem.error.message if isinstance(problem, MCPError) else str(problem)
    return text or type(problem).__name__
