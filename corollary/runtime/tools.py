"""How does an agent call a tool of an MCP server? The runtime does it, within what was reserved for the call.

No byte of the arguments leaves before they fit the schema that the server gave for them. Whatever a server does, there
is a result: `content`, `structuredContent` and `isError` as in MCP, or `error` with the reason for none. `spent` has
the bytes and seconds that the call took. A call may be made twice if the process ends in the midst of it: both carry
the same key in their metadata.
"""

import asyncio
import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from anyio import CapacityLimiter
from mcp_types import CallToolResult

from corollary.runtime.connection import Connection, reason_of
from corollary.runtime.desk import TOOL
from corollary.runtime.outside import Refusal
from corollary.runtime.schemas import misfit
from corollary.runtime.servers import Http, Stdio
from corollary.runtime.store import Agent, Effect

LONGEST = 1000  # characters that are told of why a call failed
ESCAPED = len(json.dumps(chr(0x1F600))) - 2  # bytes of the longest character in JSON
CHECKS = 2  # values of one server that are compared with its schemas at once
SHOWN = ("content", "structuredContent", "isError")

log = logging.getLogger("corollary.runtime")


class Tools:
    """The MCP servers of a runtime, by name. One is started, or connected to, when it is first needed.

    `secret` is the key of the runtime: with it, a call gets a key that no call of another runtime has.
    """

    def __init__(self, servers: Mapping[str, Stdio | Http], secret: bytes):
        self.servers = {name: Server(server) for name, server in servers.items()}
        self.secret = secret

    def performers(self) -> dict[str, Callable[[Agent, Effect], Awaitable[bytes | None]]]:
        """Return who carries out which kind of effect."""
        return {TOOL: self.perform}

    async def perform(self, agent: Agent, effect: Effect) -> bytes:
        """Call a tool, and return what became of it."""
        loop, call = asyncio.get_running_loop(), json.loads(effect.body)
        begin = loop.time()
        try:
            async with asyncio.timeout(call["seconds"]):
                result = json.dumps(await self.called(call, self.key(effect)), allow_nan=False)
            if len(result) > call["bytes"]:
                raise Refusal(f"the result has {len(result)} bytes, and only {call['bytes']} are allowed")
        except Exception as problem:  # whatever a server makes the libraries raise is told, and nobody waits for ever
            result = failure(reason_of(problem), call["bytes"])
            log.warning("%s: call %s of %s failed: %s", agent.name, effect.id, call["tool"], result)
        spent = {"bytes": len(json.dumps(call["arguments"])) + len(result), "seconds": loop.time() - begin}
        return json.dumps({**json.loads(result), "spent": spent}).encode()

    def key(self, effect: Effect) -> str:
        """Return the key of a call, the same each time that it is made."""
        return hmac.digest(self.secret, f"call {effect.id}".encode(), "sha256").hex()

    async def called(self, call: dict[str, Any], key: str) -> dict[str, Any]:
        """Return the result of a call; raises `Refusal` for what no server or tool takes."""
        name, _, tool = call["tool"].partition("/")
        if name not in self.servers:
            raise Refusal(f"there is no MCP server {name!r}; there are: {', '.join(self.servers) or 'none'}")
        return await self.servers[name].called(tool, call["arguments"], key)

    async def close(self) -> None:
        """Close all connections."""
        await asyncio.gather(*(server.close() for server in self.servers.values()))


class Server:
    """A server, with the connection that the next call uses, and all that are open."""

    def __init__(self, server: Stdio | Http):
        self.server = server
        self.newest: Connection | None = None
        self.open: set[Connection] = set()
        self.turns: CapacityLimiter | None = None  # of checks of its schemas; needs a loop

    async def called(self, tool: str, arguments: dict[str, Any], key: str) -> dict[str, Any]:
        """Return the result of a call. After one that failed or did not end, the next one gets a new connection."""
        connection = self.connection()
        try:
            self.turns = self.turns or CapacityLimiter(CHECKS)
            return await called(connection, tool, arguments, key, self.turns)
        except Refusal:
            connection.tools = {}  # the server may have changed its tools without a word
            raise
        except BaseException as problem:
            self.retire(connection)
            if isinstance(problem, Exception):
                connection.room.check()  # says more than that the connection is closed
            raise
        finally:
            connection.leave()

    def connection(self) -> Connection:
        """Return a connection for one more call."""
        if self.newest is None or self.newest.task.done():
            self.newest = Connection(self.server)
            self.open.add(self.newest)
            self.newest.task.add_done_callback(lambda _, made=self.newest: self.open.discard(made))
        self.newest.calls += 1
        self.newest.room.renew()
        return self.newest

    def retire(self, connection: Connection) -> None:
        """Let no new call use a connection."""
        connection.retired = True
        if self.newest is connection:
            self.newest = None

    async def close(self) -> None:
        """Close all connections."""
        await asyncio.gather(*(connection.close() for connection in self.open))


async def called(
    connection: Connection, name: str, arguments: dict[str, Any], key: str, turns: CapacityLimiter
) -> dict[str, Any]:
    """Call a tool, if its arguments fit, and return its result, if that fits; raises `Refusal`."""
    tool = await connection.tool(name)
    if tool is None:
        raise Refusal(f"the server has no tool {name!r}; it has: {', '.join(connection.tools)}")
    problem = await misfit(tool.input_schema, arguments, turns)
    if problem:
        raise Refusal(f"the arguments do not fit the schema of {name}: {problem}")
    result = shown(await connection.call(name, arguments, key))
    if tool.output_schema is not None and not result["isError"]:
        problem = await misfit(tool.output_schema, result.get("structuredContent"), turns)
        if problem:
            raise Refusal(f"the result does not fit the schema that the server gave for {name}: {problem}")
    return result


def failure(reason: str, room: int) -> str:
    """Return in JSON why a call failed, cut off where there is no room for more bytes."""
    text = reason[:LONGEST]
    while len(whole := json.dumps({"error": text})) > room and text:
        text = text[: -max(1, (len(whole) - room) // ESCAPED)]
    return whole


def shown(result: CallToolResult) -> dict[str, Any]:
    """Return what an agent gets of a result."""
    whole = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {name: whole[name] for name in SHOWN if name in whole}
