"""How small do programs of others get when they hibernate, and how long does it take? Usage:

    python -m corollary.bench.hibernation

Each is suspended in the middle of its run and hibernated; another process brings it back and lets it end. What it says
must be what it says uninterrupted. Then its snapshot is compressed beside the reference implementation, in turns.
"""

import json
import multiprocessing
import secrets
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.table import Table

from corollary import Exited, Instance, Suspended, compression, hibernate, reconstruct
from corollary.bench import modules
from corollary.bench.clock import processor_seconds
from corollary.bench.compression import measured
from corollary.codegen.build import Unable
from corollary.codegen.folders import write_whole

RESULT = Path("build/hibernation.json")
SLICE = 100_000  # safe points: a run is measured in these


class WrongOutput(RuntimeError):
    """A program that hibernated did not do what it does uninterrupted."""


def ended(step):
    """Take a step of a program; return its outcome, which is an exit status if it exits."""
    try:
        return step()
    except Exited as exited:
        return exited.status


def uninterrupted(program):
    """Run a program to its end; return its outcome and its output."""
    instance, given, (name, *values) = modules.started(program)
    return ended(lambda: instance.call(name, *values)), given.stdout.getvalue()


def slices(program):
    """Return how many slices a whole run has."""
    instance, _, (name, *values) = modules.started(program)
    outcome, count = ended(lambda: instance.call(name, *values, fuel=SLICE)), 1
    while isinstance(outcome, Suspended):
        outcome, count = ended(lambda: instance.resume(fuel=SLICE)), count + 1
    return count


def halfway(program):
    """Run a program to the middle; return the instance, its output so far, and what it did not read of its input."""
    instance, given, (name, *values) = modules.started(program)
    outcome = ended(lambda: instance.call(name, *values, fuel=slices(program) // 2 * SLICE))
    if not isinstance(outcome, Suspended):
        raise WrongOutput(f"{program.name} ended before its middle: {outcome}")
    return instance, given.stdout.getvalue(), given.stdin.read()


def brought_back(name, receipt, block, key, unread):
    """Bring a program back and let it end; return its outcome, its output from there, and the seconds until it ran."""
    program = modules.PROGRAMS[name]
    given, module = modules.wasi(program, unread), program.module
    start = processor_seconds()
    instance: Instance = reconstruct(module, receipt, block, key, given.imports(module))
    seconds = processor_seconds() - start
    return ended(instance.resume), given.stdout.getvalue(), seconds


def elsewhere(*arguments):
    """Do the same in a process that shares nothing with this one."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as other:
        return other.submit(brought_back, *arguments).result()


def hibernated(program, away=elsewhere):
    """Return the figures of one program; raises `WrongOutput`, and `Unable` if its module cannot be had."""
    key, (instance, said, unread) = secrets.token_bytes(32), halfway(program)
    start = processor_seconds()
    receipt, block = hibernate(instance, key)
    seconds = processor_seconds() - start
    content = compression.decompress(block, receipt.plain)
    outcome, rest, back = away(program.name, receipt, block, key, unread)
    expected = uninterrupted(program)
    if (outcome, said + rest) != expected:
        raise WrongOutput(f"{program.name}: {outcome}, {said + rest!r}, but uninterrupted {expected}")
    return {
        "what": program.what,
        "output": len(said + rest),
        "output before": len(said),
        "hibernate seconds": seconds,
        "reconstruct seconds": back,
        "snapshot": measured(content),
    }


def table(data):
    """Return a table of all figures."""
    shown = Table(title="Hibernation", title_justify="left", caption="times in ms; lz4 is the reference")
    figures = ("compress", "of lz4", "decompress", "of lz4", "hibernate", "reconstruct")
    for heading in ("program", "MB", "ratio", "of lz4", *figures):
        shown.add_column(heading, justify="left" if heading == "program" else "right")
    for name, row in data.items():
        found = row["snapshot"]
        pairs = (found[kind][whose] for kind in ("compress", "decompress") for whose in ("seconds", "other seconds"))
        seconds = (*pairs, row["hibernate seconds"], row["reconstruct seconds"])
        sizes = (found["bytes"] / 1e6, found["ratio"], found["other ratio"])
        shown.add_row(name, *(f"{size:.2f}" for size in sizes), *(f"{1000 * each:.1f}" for each in seconds))
    return shown


def main(console=None, target=RESULT):
    """Measure, print and write; return 1 if a program came back differently, or could not be had."""
    console = console or Console()
    try:
        data = {name: hibernated(program) for name, program in modules.PROGRAMS.items()}
    except (Unable, WrongOutput) as problem:
        console.print(str(problem), style="red", markup=False)
        return 1
    write_whole(target, json.dumps(data, indent=1))
    console.print(table(data))
    for name, row in data.items():
        console.print(f"{name}: {row['what']}; its {row['output']} bytes of output are those of an uninterrupted run")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
