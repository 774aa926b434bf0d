"""Which MCP servers may agents use? Those in the file that whoever runs the runtime gives.

{"mcpServers": {"files": {"command": "npx", "args": ["server-files", "/srv"], "env": {}, "cwd": "/srv"},
                "web": {"url": "https://example.org/mcp", "headers": {"Authorization": "Bearer ..."}}}}
"""

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corollary.problem import Problem

SERVERS = "mcpServers"


class Misconfigured(Problem):
    """A file with servers cannot be used; the message says what is wrong with it."""


class Stdio(BaseModel):
    """A server that is a process, and speaks over its standard input and output."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    command: str
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: Path | None = None


class Http(BaseModel):
    """A server that is reached by HTTP."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    url: str = Field(pattern="^https?://.")
    headers: dict[str, str] = {}


def servers_in(path: Path) -> dict[str, Stdio | Http]:
    """Return the servers of a file by name; raises `Misconfigured`."""
    try:
        given = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as problem:
        raise Misconfigured(f"{path} cannot be read as JSON: {problem}") from None
    if not isinstance(given, dict) or given.keys() != {SERVERS} or not isinstance(given[SERVERS], dict):
        raise Misconfigured(f'{path} holds {{"{SERVERS}": {{NAME: SERVER, ...}}}}, and nothing else')
    return {name: server_of(f"{path}: server {name!r}", name, found) for name, found in given[SERVERS].items()}


def server_of(where: str, name: str, given: Any) -> Stdio | Http:
    """Return a server that JSON describes; raises `Misconfigured`."""
    if not name or "/" in name:
        raise Misconfigured(f"{where}: a name has no `/`, which comes between server and tool")
    if not isinstance(given, dict) or ("url" in given) == ("command" in given):
        raise Misconfigured(f"{where}: give either `command` or `url`")
    try:
        return (Http if "url" in given else Stdio).model_validate(given)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise Misconfigured(f"{where}: `{place}`: {first['msg']}") from None
