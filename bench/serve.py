"""How many events a second do agents handle, beside what one would write without a runtime? Usage:

    python -m corollary.bench.serve [--agents N] [--events N] [--program FILE]

Each way counts messages in WebAssembly or in Python, and answers each with the count:

* the runtime, with one transaction for each event, at most 1,000 of the agents awake;
* wasmtime, with a new instance of the module for each event, which keeps nothing;
* an actor of Python with a queue, which keeps its count in memory.

Each way has a process of its own. With `--program`, one agent of that program, such as a script in JavaScript, handles
messages besides: how many bytes of checkpoint are written for each, and how long does one take if the agent is awake,
and if it has to wake?
"""

import argparse
import asyncio
import json
import resource
import secrets
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table

from corollary.codegen.folders import write_whole
from corollary.codegen.workers import processes
from corollary.runtime.runtime import Runtime
from corollary.runtime.sqlite import SqliteStore
from corollary.runtime.store import Agent, Answer

RESULT = Path("build/serve.json")
AGENTS, EVENTS = 10_000, 20_000
AT_ONCE = 64  # events that are posted and not yet answered
OF_ONE = 200  # events of the agent of a program, half of them when it sleeps
MEMORY = 1024  # bytes of a unit of the resident size on Linux
COUNTER = """(module (memory (export "memory") 1) (global $n (mut i32) (i32.const 0))
  (func (export "handle_message") (param i32 i32) (result i32)
    (global.set $n (i32.add (global.get $n) (i32.const 1))) (global.get $n))
  (func (export "get_response") (param $at i32) (param i32) (result i32)
    (i32.store (local.get $at) (global.get $n)) (i32.const 4)))"""


async def timed(ask, count):
    """Ask `count` times, `AT_ONCE` at a time; return the seconds of all, and those of each."""
    numbers, each = iter(range(count)), []

    async def worker():
        for number in numbers:
            begin = time.perf_counter()
            await ask(number)
            each.append(time.perf_counter() - begin)

    begin = time.perf_counter()
    await asyncio.gather(*[worker() for _ in range(AT_ONCE)])
    return time.perf_counter() - begin, sorted(each)


def compiled():
    """Return the module."""
    from wasmtime import wat2wasm  # the runtime needs no wasmtime

    return bytes(wat2wasm(COUNTER))


async def by_runtime(agents, events):
    """Let the runtime do it."""
    with TemporaryDirectory() as folder:
        runtime = Runtime(SqliteStore(Path(folder)), secrets.token_bytes(32))
        await runtime.start()
        program = await runtime.store.keep(compiled())
        for first in range(0, agents, AT_ONCE):
            names = [f"a{number}" for number in range(first, min(first + AT_ONCE, agents))]
            await asyncio.gather(*[runtime.create(Agent(name, program)) for name in names])

        async def ask(number):
            name, id_ = f"a{number % agents}", f"e{number}"
            await runtime.post(name, id_, b"message")
            reply = await runtime.reply(name, id_, 60)
            assert reply is not None and reply.status == number // agents + 1, reply

        found = await timed(ask, events)
        await runtime.close()
    return found


async def by_wasmtime(agents, events):
    """Let wasmtime do it, with nothing kept."""
    import wasmtime

    engine = wasmtime.Engine()
    module = wasmtime.Module(engine, compiled())

    async def ask(number):
        store = wasmtime.Store(engine)
        exports: Any = wasmtime.Instance(store, module, []).exports(store)
        exports["memory"].write(store, b"message", 0)
        assert exports["handle_message"](store, 0, 7) == 1
        exports["get_response"](store, 16, 16)
        bytes(exports["memory"].read(store, 16, 20))

    return await timed(ask, events)


async def by_actors(agents, events):
    """Let actors of Python do it."""
    queues = [asyncio.Queue() for _ in range(agents)]

    async def actor(queue):
        count = 0
        while True:
            answer = await queue.get()
            count += 1
            answer.set_result(count)

    tasks = [asyncio.create_task(actor(queue)) for queue in queues]

    async def ask(number):
        answer = asyncio.get_running_loop().create_future()
        await queues[number % agents].put(answer)
        assert await answer == number // agents + 1

    found = await timed(ask, events)
    for task in tasks:
        task.cancel()
    return found


async def of_program(program):
    """Let an agent of a program handle messages, first awake and then asleep; return its figures."""
    with TemporaryDirectory() as folder:
        runtime = Runtime(SqliteStore(Path(folder)), secrets.token_bytes(32))
        await runtime.start()
        await runtime.create(Agent("a", await runtime.store.keep(program)))
        times = []
        for number in range(OF_ONE):
            if number >= OF_ONE // 2:
                runtime.awake.clear()
            begin = time.perf_counter()
            await runtime.post("a", f"e{number}", b"message")
            reply = await runtime.reply("a", f"e{number}", 60)
            times.append(time.perf_counter() - begin)
            assert reply is not None and reply.answer is Answer.DONE, reply
        kept = await runtime.store.kept("a")
        await runtime.close()
    sizes = [len(checkpoint.block) for checkpoint in kept.checkpoints]
    awake, asleep = sorted(times[: OF_ONE // 2]), sorted(times[OF_ONE // 2 :])
    return {
        "bytes of checkpoint": sum(sizes) / len(sizes),
        "bytes of a whole checkpoint": max(sizes),
        "awake": awake[len(awake) // 2],
        "asleep": asleep[len(asleep) // 2],
    }


WAYS = {"runtime": by_runtime, "wasmtime": by_wasmtime, "actors": by_actors}


def figures(name, agents, events):
    """Return the figures of a way."""
    seconds, each = asyncio.run(WAYS[name](agents, events))
    return {
        "events a second": events / seconds,
        "median": each[len(each) // 2],
        "p99": each[len(each) * 99 // 100],
        "resident": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MEMORY,
    }


def measured(agents, events):
    """Return the figures of each way, in a process of its own."""
    data = {}
    for name in WAYS:
        with processes(1) as pool:
            data[name] = pool.submit(figures, name, agents, events).result()
    return data


def table(data, agents):
    """Return a table of all figures."""
    shown = Table(title=f"Events of {agents} agents", title_justify="left", caption="times in ms, of one event")
    for heading in ("way", "events a second", "of wasmtime", "of actors", "median", "p99", "MB at most"):
        shown.add_column(heading, justify="left" if heading == "way" else "right")
    for name, row in data.items():
        rate = row["events a second"]
        ratios = (f"{rate / data[other]['events a second']:.3f}" for other in ("wasmtime", "actors"))
        times = (f"{1000 * row[part]:.2f}" for part in ("median", "p99"))
        shown.add_row(name, f"{rate:.0f}", *ratios, *times, f"{row['resident'] / 1e6:.0f}")
    return shown


def main(arguments=None, target=RESULT):
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", type=int, default=AGENTS)
    parser.add_argument("--events", type=int, default=EVENTS)
    parser.add_argument("--program", type=Path)
    options = parser.parse_args(arguments)
    data = measured(options.agents, options.events)
    Console().print(table(data, options.agents))
    if options.program is not None:
        data["program"] = found = asyncio.run(of_program(options.program.read_bytes()))
        Console().print(
            f"{options.program}: {found['bytes of checkpoint']:.0f} bytes of checkpoint an event, "
            f"{found['bytes of a whole checkpoint']} a whole one; "
            f"{1000 * found['awake']:.1f} ms an event when it is awake, {1000 * found['asleep']:.1f} when it sleeps"
        )
    write_whole(target, json.dumps(data, indent=1))


if __name__ == "__main__":
    main()
