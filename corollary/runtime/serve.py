"""How does a runtime start, and how does it end? It locks its folder, goes on with what was begun, and listens."""

import asyncio
import logging
import os
import secrets
import signal
from contextlib import suppress
from pathlib import Path

from aiohttp import web

from corollary.runtime.http import application
from corollary.runtime.jetstream import JetStreamStore
from corollary.runtime.outside import Outside
from corollary.runtime.runtime import Runtime
from corollary.runtime.servers import servers_in
from corollary.runtime.sqlite import SqliteStore
from corollary.runtime.store import StoreUnavailable
from corollary.runtime.tools import Tools

KEY = 32  # bytes


def serve(folder: Path, nats: str | None, tools: Path | None, host: str, port: int, threads: int) -> None:
    """Run agents until SIGINT or SIGTERM; raises `StoreUnavailable`, `StoreDamaged` and `Misconfigured`.

    They are those of a NATS server, or without one those of the folder, where the key lies in either case. `tools` is
    the file with the MCP servers that they may use.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)-7s %(message)s")
    for chatty in ("aiohttp.access", "httpx2"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # each line of a server that is none; calls tell why they fail
    servers = {} if tools is None else servers_in(tools)
    asyncio.run(served(folder, nats, servers, host, port, threads))


async def served(folder, nats, servers, host, port, threads):
    """Serve until the process is told to end."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    key = key_of(folder)
    store = SqliteStore(folder) if nats is None else await JetStreamStore.open(nats)
    runtime = Runtime(store, key, threads=threads)
    tools = Tools(servers, key)
    runtime.perform.update({**Outside(runtime.tell_part).performers(), **tools.performers()})
    runner = web.AppRunner(application(runtime))
    try:
        await runtime.start()
        await runner.setup()
        await listen(runner, host, port)
        await until_told_to_end()
    finally:
        await runner.cleanup()
        await runtime.close()
        await tools.close()


async def listen(runner, host, port):
    """Listen, and say where; raises `StoreUnavailable` when the address is taken."""
    site = web.TCPSite(runner, host, port)
    try:
        await site.start()
    except OSError as problem:
        raise StoreUnavailable(f"cannot listen at {host}:{port}: {problem.strerror}: give another --port") from None
    place, number = runner.addresses[0][:2]
    print(f"listening at http://{place}:{number}", flush=True)


async def until_told_to_end():
    """Wait for SIGINT or SIGTERM."""
    told = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    await told.wait()


def key_of(folder: Path) -> bytes:
    """Return the key that seals the states of a folder's agents; makes one, which only its owner can read."""
    path = folder / "key"
    if not path.exists():
        made = folder / f"key.{os.getpid()}"
        with open(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_hex(KEY))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(made, path)  # whoever comes second takes the first one's
        made.unlink()
    try:
        found = bytes.fromhex(path.read_text())
    except ValueError:
        found = b""
    if len(found) != KEY:
        raise StoreUnavailable(f"{path} has no key of {KEY} bytes: put the one there that the folder was made with")
    return found
