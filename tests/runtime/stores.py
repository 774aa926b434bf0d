"""What do tests of stores have in common? Each runs over SQLite, and over NATS with the real server."""

import asyncio
import socket
import subprocess
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager

from corollary.runtime.jetstream import JetStreamStore
from corollary.runtime.sqlite import SqliteStore
from corollary.runtime.store import Agent, Answer, Checkpoint, Entry, Event, Kind, Reply, Store, Turn
from tests import debian

PATIENCE = 60  # s
KEY = b"a key for tests, of 32 bytes, ok"
Open = Callable[[], Awaitable[Store]]


def free_port():
    """Return a port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextmanager
def nats_server(folder):
    """Run a NATS server that keeps its streams in a folder; yields its address."""
    port = free_port()
    program = debian.file("nats-server", "usr/sbin/nats-server")
    command = [program, "-js", "-sd", folder, "-a", "127.0.0.1", "-p", str(port)]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        yield f"nats://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def wait_for_port(port):
    """Wait until somebody listens at a port."""
    soon(lambda: listens(port), f"somebody listens at port {port}")


def listens(port):
    """Does somebody listen at a port?"""
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def soon(ask, what):
    """Ask until the answer is true, and return it; fails when that takes too long."""
    end = time.monotonic() + PATIENCE
    while not (answer := ask()):
        assert time.monotonic() < end, f"not within {PATIENCE} s: {what}"
        time.sleep(0.02)
    return answer


@contextmanager
def opener(kind, folder):
    """Yield a function that opens a store of a kind, always the same one."""
    if kind == "sqlite":

        async def open_sqlite():
            return SqliteStore(folder)

        yield open_sqlite
    else:
        with nats_server(folder) as url:

            async def open_nats():
                return await JetStreamStore.open(url)

            yield open_nats


@asynccontextmanager
async def opened(open_store: Open):
    """Open a store, and close it."""
    store = await open_store()
    try:
        yield store
    finally:
        await store.close()


def run(coroutine, patience: float | None = PATIENCE):
    """Run a coroutine, which has to end in time. It gets a thread: in this one a browser may have its loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(coroutine, patience)).result()


def message(agent, id_, body=b"", due=0):
    """Return a message."""
    return Event(agent, id_, Kind.MESSAGE, body, "somebody", due, due)


def turn_of(lease, event, body=b"", **more):
    """Return a turn that handles an event, with a checkpoint that means nothing."""
    number = lease.turns + 1
    given = {
        "number": number,
        "event": event,
        "moment": number,
        "reply": Reply(Answer.DONE, 7, body),
        "checkpoint": Checkpoint(number, True, b"block %d" % number, b"seal"),
    }
    return Turn(**{**given, **more})


def failure_of(lease, event, reason, answer=None, **more):
    """Return the entry for an event that failed, for good with an answer."""
    return Entry(lease.turns + 1, lease.turns + 1, event, answer, reason, **more)


async def begun(store, name="a", **more):
    """Create an agent, let it take its first turn, and return its lease."""
    await store.create(Agent(name, "no program", **more), 1)
    lease = await store.claim(name)
    first = await store.next(lease, 1)
    await store.commit(lease, turn_of(lease, first))
    return lease
