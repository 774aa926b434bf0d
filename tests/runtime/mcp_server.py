"""Which tools do tests call? Those of a real MCP server, made by the official package.

`python -m tests.runtime.mcp_server FILE` speaks over its standard input and output, with a port behind it over HTTP.
Each call that came is a line of the file.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context, MCPServer

from corollary.runtime.connection import KEY

KEPT = Path(sys.argv[1])
server = MCPServer("for tests")


@server.tool()
def add(a: int, b: int) -> int:
    """Return a sum."""
    return a + b


@server.tool()
def letters(count: int) -> str:
    """Return as many letters as are wanted."""
    return "x" * count


@server.tool()
def broken() -> str:
    """Fail."""
    raise ValueError("it is broken")


@server.tool()
def die() -> str:
    """End the process of the server."""
    os._exit(1)


@server.tool()
async def slow(seconds: float, context: Context[Any]) -> str:
    """Note the key of the call, take some time, and return the key."""
    key = str(dict(context.request_context.meta or {})[KEY])
    with KEPT.open("a") as file:
        file.write(f"{key}\n")
    await asyncio.sleep(seconds)
    return key


if __name__ == "__main__":
    if len(sys.argv) > 2:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
    else:
        server.run()
