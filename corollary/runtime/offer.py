"""How does an MCP client reach agents? Each agent is a tool: a call is a message to it, and its reply the result.

A call with a key in its metadata is one message, however often it is made. What an agent did not answer is an error of
the tool, with the reason.
"""

import asyncio
import base64
import secrets
import socket
from collections.abc import Collection
from typing import Any
from urllib.parse import quote

import aiohttp
import uvicorn
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ListToolsResult,
    TextContent,
    Tool,
)

from corollary.problem import Problem
from corollary.runtime.connection import KEY
from corollary.runtime.store import State

HOST = "127.0.0.1"
ANSWER = 10.0  # s that a runtime may take besides
SCHEMA = {
    "type": "object",
    "properties": {"message": {"type": "string", "description": "What the agent is told."}},
    "required": ["message"],
    "additionalProperties": False,
}


class Unanswered(Problem):
    """There is no reply of an agent; the message says why."""


class Offer:
    """The agents of the runtime at `url` as tools: all of them, or only those with `names`.

    A call waits `wait` seconds for the reply, at most.
    """

    def __init__(self, url: str, names: Collection[str], wait: float):
        self.url, self.names, self.wait = url.rstrip("/"), frozenset(names), wait

    def server(self) -> Server[Any]:
        """Return the server that offers them."""
        return Server("corollary", on_list_tools=self.listed, on_call_tool=self.called)

    async def listed(self, context: Any, params: Any) -> ListToolsResult:
        """List the agents that have not ended; raises `MCPError`."""
        try:
            _, agents = await self.asked("GET", "/agents")
        except Unanswered as problem:
            raise MCPError(INTERNAL_ERROR, str(problem)) from None
        living = [agent for agent in agents if agent["state"] != State.ENDED.name and self.offers(agent["name"])]
        return ListToolsResult(tools=[tool_of(agent) for agent in living])

    def offers(self, name: str) -> bool:
        """Is an agent of that name offered?"""
        return not self.names or name in self.names

    async def called(self, context: Any, params: Any) -> CallToolResult:
        """Send a message to an agent, and return its reply."""
        try:
            message, key = message_in(params.arguments), key_in(params.meta)
            return CallToolResult(content=[await self.reply(params.name, message, key)])
        except Unanswered as problem:
            return CallToolResult(content=[TextContent(text=str(problem))], is_error=True)

    async def reply(self, name: str, message: str, key: str) -> TextContent | EmbeddedResource:
        """Return what an agent replies; raises `Unanswered`."""
        if not self.offers(name):
            raise Unanswered(f"{name!r} is not offered; there are: {', '.join(sorted(self.names))}")
        page = f"/agents/{quote(name, safe='')}/events?wait={self.wait:g}"
        status, found = await self.asked("POST", page, data=message.encode(), headers={"Idempotency-Key": key})
        if status == 202:
            raise Unanswered(f"{name} has not answered within {self.wait:g} s: its event is {key}; call again with it")
        return content_of(name, found)

    async def asked(self, method: str, page: str, **more: Any) -> tuple[int, Any]:
        """Return status and content of an answer of the runtime, bytes or JSON; raises `Unanswered`."""
        limit = aiohttp.ClientTimeout(total=self.wait + ANSWER)
        try:
            async with aiohttp.ClientSession(timeout=limit) as session:
                async with session.request(method, self.url + page, **more) as answer:
                    found = await (answer.json() if answer.content_type == "application/json" else answer.read())
        except (aiohttp.ClientError, OSError, ValueError) as problem:
            text = str(problem) or type(problem).__name__
            raise Unanswered(f"no runtime answers at {self.url}: {text}: is `corollary serve` running there?") from None
        if answer.status >= 400:
            raise Unanswered(found["error"] if isinstance(found, dict) else f"the runtime answers {answer.status}")
        return answer.status, found

    async def over_stdio(self) -> None:
        """Serve whoever started this process, until the input ends."""
        server = self.server()
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    async def over_http(self, port: int) -> None:
        """Serve whoever reaches a port of loopback, until the process is told to end; raises `OSError`."""
        with socket.create_server((HOST, port)) as listening:
            print(f"listening at http://{HOST}:{listening.getsockname()[1]}/mcp", flush=True)
            app = self.server().streamable_http_app(host=HOST)
            config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1)
            await uvicorn.Server(config).serve([listening])


def serve(url: str, names: Collection[str], wait: float, port: int | None) -> None:
    """Offer agents over the standard input and output, or at a port; raises `OSError` for one that is taken."""
    offer = Offer(url, names, wait)
    asyncio.run(offer.over_stdio() if port is None else offer.over_http(port))


def tool_of(agent: dict[str, Any]) -> Tool:
    """Return the tool that an agent is."""
    name, about = agent["name"], agent["rules"]["description"]
    return Tool(name=name, description=about or f"Send a message to the agent {name}.", input_schema=SCHEMA)


def message_in(arguments: Any) -> str:
    """Return the message that arguments hold; raises `Unanswered`."""
    found = arguments or {}
    if found.keys() != {"message"} or not isinstance(found["message"], str):
        raise Unanswered("an agent takes one argument: `message`, a text")
    return found["message"]


def key_in(meta: Any) -> str:
    """Return the key that the metadata of a call have, or a new one; raises `Unanswered`."""
    key = (meta or {}).get(KEY, secrets.token_hex(16))
    if not isinstance(key, str) or not key or not key.isprintable():
        raise Unanswered(f"`{KEY}` in the metadata is a text of printable characters")
    return key


def content_of(name: str, reply: bytes) -> TextContent | EmbeddedResource:
    """Return a reply as MCP has it: as text, or as bytes if it is none."""
    try:
        return TextContent(text=reply.decode())
    except UnicodeDecodeError:
        blob = base64.b64encode(reply).decode()
        return EmbeddedResource(resource=BlobResourceContents(uri=f"corollary:{name}", blob=blob))
