"""What becomes of events when processes are killed? Posts events, kills at random, and counts what came of them."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from dataclasses import dataclass

import aiohttp

from tests.runtime.agents import COUNTER, RELAY, compiled
from tests.runtime.stores import free_port, wait_for_port

AGENTS = 3
BETWEEN = 0.8  # s between two kills, on average
PATIENCE = 60  # s until an event is answered


@dataclass
class Crashes:
    """What was counted: `answers` has the statuses of each relay in the order of the events."""

    kills: int
    events: int
    answers: dict[str, list[int]]
    arrived: int


class Server:
    """A process that serves, is killed, and is started again."""

    def __init__(self, folder, more, command="serve", here=None):
        self.port = free_port()
        self.command = [sys.executable, "-m", "corollary.commands.start", command, "--dir", str(folder)]
        self.command += ["--port", str(self.port), *more]
        self.here = here  # the folder that it runs in
        self.log = open(folder / f"log-{self.port}", "ab")
        self.start()

    def start(self):
        """Start it."""
        self.process = subprocess.Popen(self.command, stdout=self.log, stderr=self.log, cwd=self.here)

    def kill(self):
        """Kill it, as nothing can prevent."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    @property
    def url(self):
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"


async def crash(folder, more, processes, kills, seed):
    """Let processes serve, kill them at random, and return what was counted."""
    folder.mkdir(exist_ok=True)
    servers = [Server(folder, more) for _ in range(processes)]
    try:
        for server in servers:
            await asyncio.to_thread(wait_for_port, server.port)
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5)) as session:
            client = Client(session, servers, random.Random(seed))
            await client.make()
            done = asyncio.Event()
            posting = [asyncio.create_task(client.post_all(f"relay{number}", done)) for number in range(AGENTS)]
            await kill_all(servers, kills, random.Random(seed + 1))
            done.set()
            answers = {f"relay{number}": await task for number, task in enumerate(posting)}
            events = sum(len(found) for found in answers.values())
            return Crashes(kills, events, answers, await client.arrived(events))
    finally:
        for server in servers:
            server.kill()
            server.log.close()


async def kill_all(servers, kills, rng):
    """Kill one process after the other, and start each again."""
    for _ in range(kills):
        await asyncio.sleep(rng.expovariate(1 / BETWEEN))
        server = rng.choice(servers)
        await asyncio.to_thread(server.kill)
        server.start()
    for server in servers:
        await asyncio.to_thread(wait_for_port, server.port)


class Client:
    """Asks any of the processes, and asks again when it does not answer."""

    def __init__(self, session, servers, rng):
        self.session, self.servers, self.rng = session, servers, rng

    async def ask(self, method, path, **more):
        """Return headers and body of an answer; asks until somebody gives one."""
        end = asyncio.get_running_loop().time() + PATIENCE
        while True:
            try:
                url = self.rng.choice(self.servers).url + path
                async with self.session.request(method, url, **more) as answer:
                    if answer.status in (200, 201):
                        return answer.headers, await answer.read()
                    assert answer.status in (202, 503), await answer.text()
            except (aiohttp.ClientError, TimeoutError, OSError):
                pass
            assert asyncio.get_running_loop().time() < end, f"{method} {path} is not answered"
            await asyncio.sleep(0.02)

    async def make(self):
        """Make the agents."""
        for name, text in [("sink", COUNTER), *((f"relay{number}", RELAY) for number in range(AGENTS))]:
            _, body = await self.ask("POST", "/programs", data=compiled(text))
            await self.ask("PUT", f"/agents/{name}", data=body)

    async def post_all(self, name, done):
        """Post events one by one until it is enough, and return the statuses."""
        statuses = []
        while not done.is_set():
            statuses.append(await self.status(name, str(len(statuses))))
        return statuses

    async def status(self, name, id_):
        """Post an event, and return the status of its reply."""
        headers, _ = await self.ask(
            "POST", f"/agents/{name}/events?wait=2", data=os.urandom(20), headers={"Idempotency-Key": id_}
        )
        return int(headers["Corollary-Status"])

    async def arrived(self, wanted):
        """Return how many messages arrived at the sink, once those arrived that were sent."""
        for number in range(200):
            found = await self.status("sink", f"ask {number}") - number - 1
            if found >= wanted:
                break
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)  # nothing more comes
        return await self.status("sink", "last") - number - 2
