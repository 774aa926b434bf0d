"""How does a runtime start, and how does it end? It locks its folder, goes on with what was begun, and listens."""

import asyncio
import secrets
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aiohttp import web

from corollary.runtime.acquisition import Registry
from corollary.runtime.http import application
from corollary.runtime.identity import Passport
from corollary.runtime.jetstream import JetStreamStore
from corollary.runtime.logs import begin
from corollary.runtime.outside import Outside
from corollary.runtime.publication import publisher
from corollary.runtime.runtime import Runtime
from corollary.runtime.secret import kept
from corollary.runtime.servers import Http, Stdio, servers_in
from corollary.runtime.sqlite import SqliteStore
from corollary.runtime.store import StoreUnavailable
from corollary.runtime.tracing import Quiet, Tracing

KEY = 32  # bytes


def serve(
    folder: Path,
    nats: str | None,
    tools: Path | None,
    registry: str | None,
    host: str,
    port: int,
    threads: int,
    passport: Passport | None = None,
    trace: str | None = None,
    json_log: bool = False,
) -> None:
    """Run agents until SIGINT or SIGTERM; raises `StoreUnavailable`, `StoreDamaged` and `Misconfigured`.

    They are those of a NATS server, or without one those of the folder, where the key lies in either case. `tools` is
    the file with the MCP servers that they may use. `registry` is where programs are that are named by URN; raises
    `ValueError` for what is no address. `passport` is shown to it, and to sinks of agents. `trace` is where a collector
    of OpenTelemetry listens. With `json_log`, the log is JSON.
    """
    begin(json_log)
    servers = {} if tools is None else servers_in(tools)
    found = None if registry is None else Registry(registry, passport=passport)
    asyncio.run(served(folder, nats, servers, found, host, port, threads, passport, tracing_to(trace)))


def tracing_to(url: str | None) -> Tracing:
    """Return who is told of events; a collector needs the packages of the extra `trace`."""
    if url is None:
        return Quiet()
    from corollary.runtime.spans import Spans

    return Spans.to(url)


def tools_of(servers: Mapping[str, Http | Stdio], key: bytes) -> Any:
    """Return who calls tools, if there is any server. Only then the package of the protocol is loaded: it is slow."""
    if not servers:
        return None
    from corollary.runtime.tools import Tools

    return Tools(servers, key)


async def served(folder, nats, servers, registry, host, port, threads, passport, tracing):
    """Serve until the process is told to end."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    key = key_of(folder)
    store = SqliteStore(folder) if nats is None else await JetStreamStore.open(nats)
    runtime = Runtime(store, key, threads=threads, tracing=tracing)
    outside = Outside(runtime.tell_part, runtime.part_handled, passport=passport)
    runtime.perform.update({**outside.performers(), "publish": publisher(registry)})
    runtime.rooms.update(outside.rooms())
    tools = tools_of(servers, key)
    if tools is not None:
        runtime.perform.update(tools.performers())
    runner = web.AppRunner(application(runtime, [host], registry))
    try:
        await runtime.start()
        await runner.setup()
        await listen(runner, host, port)
        await until_told_to_end()
    finally:
        await runner.cleanup()
        await runtime.close()
        if tools is not None:
            await tools.close()


async def listen(runner, host, port, context=None):
    """Listen, with TLS if there is a context, and say where; raises `StoreUnavailable` when the address is taken."""
    site = web.TCPSite(runner, host, port, ssl_context=context)
    try:
        await site.start()
    except OSError as problem:
        raise StoreUnavailable(f"cannot listen at {host}:{port}: {problem.strerror}: give another --port") from None
    place, number = runner.addresses[0][:2]
    print(f"listening at http{'s' if context else ''}://{place}:{number}", flush=True)


async def until_told_to_end():
    """Wait for SIGINT or SIGTERM."""
    told = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    await told.wait()


def key_of(folder: Path) -> bytes:
    """Return the key that seals the states of a folder's agents; makes one, which only its owner can read."""
    path = folder / "key"
    try:
        found = bytes.fromhex(kept(path, lambda: secrets.token_hex(KEY).encode()).decode())
    except ValueError:
        found = b""
    if len(found) != KEY:
        raise StoreUnavailable(f"{path} has no key of {KEY} bytes: put the one there that the folder was made with")
    return found
