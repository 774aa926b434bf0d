"""How long does each engine take for each program, compared with the others?

All engines take turns in one run, so a disturbance of the machine affects all of them. Seconds are processor time, not
wall-clock time, so other work of the machine is not counted.
"""

import json
import statistics
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from corollary.bench import engines, figures, plot, programs
from corollary.bench.clock import processor_seconds
from corollary.codegen.build import CompilationFailed, CompilerMissing
from corollary.codegen.folders import write_whole
from corollary.codegen.progress import bar

RESULT = Path("build/bench.json")
PARTIAL = Path("build/bench-only.json")  # for a run with only some programs or engines
PEERS = ("native", "wasm3")  # all are compared with these, or with the first if neither was run
YARDSTICK = "wasm3"  # chooses the scale
TARGET = 0.3  # seconds that its run should take
ENOUGH = TARGET / 8  # seconds; a run of this length predicts how long a longer one takes
LARGEST = 1 << 22  # the largest scale: every program can count to it
ROUNDS = 11


class WrongChecksum(RuntimeError):
    """Two engines do not agree on what a program computes."""


class Unmeasurable(RuntimeError):
    """A run takes no longer than an empty one."""


@dataclass(frozen=True)
class Result:
    """The result of one program: `seconds` by engine, without the time of a run of scale 0.

    They are medians: `rounds` and `empty` hold the seconds of every round, at this scale and at scale 0.
    """

    program: str
    question: str
    scale: int
    checksum: int
    seconds: dict
    rounds: dict
    empty: dict


# ---- one program


def measured(program, found, rounds, clock=processor_seconds, advance=lambda: None):
    """Run one program on all engines in turn, round by round.

    A run of scale 0 goes before each run, so that the start of a process and the filling of buffers can be subtracted.
    Raises WrongChecksum, Unmeasurable, EngineFailed.
    """
    runs = {engine.name: loaded(engine, program) for engine in found}
    scale = chosen_scale(program.name, runs.get(YARDSTICK, runs[found[0].name]), clock)
    whole, empty, told = {name: [] for name in runs}, {name: [] for name in runs}, {}
    for _ in range(rounds):
        for name, run in runs.items():
            for asked, taken in ((0, empty), (scale, whole)):
                checksum, seconds = timed(run, asked, clock)
                compare(program.name, asked, told.setdefault(asked, (name, checksum)), (name, checksum))
                taken[name].append(seconds)
        advance()
    seconds = {name: statistics.median(whole[name]) - statistics.median(empty[name]) for name in runs}
    for name, taken in seconds.items():
        if taken <= 0:
            raise Unmeasurable(f"{program.name}: {name} takes no longer for scale {scale} than for scale 0")
    return Result(program.name, program.question, scale, told[scale][1], seconds, whole, empty)


def loaded(engine, program):
    """Load a program on an engine; any problem there raises EngineFailed with the names of both."""

    def named(action, *arguments):
        try:
            return action(*arguments)
        except Exception as problem:  # an engine may raise anything
            raise engines.EngineFailed(f"{program.name}: {engine.name} failed: {problem}") from problem

    run = named(engine.load, program)
    return lambda scale: named(run, scale)


def timed(run, scale, clock):
    """Return the checksum of one run, and its seconds."""
    start = clock()
    checksum = run(scale)
    return checksum, clock() - start


def chosen_scale(name, run, clock):
    """Return the scale at which a run takes about `TARGET` seconds; raises Unmeasurable."""
    scale = 1
    while True:
        seconds = timed(run, scale, clock)[1] - timed(run, 0, clock)[1]
        if seconds >= ENOUGH:
            return max(1, round(scale * TARGET / seconds))
        if scale >= LARGEST:
            raise Unmeasurable(f"{name}: a run of scale {scale} takes {seconds:.6f} s")
        scale *= 2


def compare(program, scale, first, other):
    """Check that two engines, each given with its checksum, agree; raises WrongChecksum."""
    if first[1] != other[1]:
        raise WrongChecksum(
            f"{program}, scale {scale}: {other[0]} returns {other[1]:#010x}, {first[0]} returns {first[1]:#010x}"
        )


# ---- comparison


def ratios(results, base):
    """Return how many times as long as `base` each engine takes: by engine, a list in the order of the results."""
    return {name: [result.seconds[name] / result.seconds[base] for result in results] for name in results[0].seconds}


def compared(results):
    """Return the ratios to each peer: for each program, and their geometric mean."""
    run = list(results[0].seconds)
    return {
        base: {
            name: {
                "programs": {result.program: ratio for result, ratio in zip(results, found)},
                "geometric_mean": statistics.geometric_mean(found),
            }
            for name, found in ratios(results, base).items()
        }
        for base in [name for name in PEERS if name in run] or run[:1]
    }


def as_data(results, found, left_out, rounds, more):
    """Return the machine-readable result; `more` are the figures besides the programs."""
    return {
        "rounds": rounds,
        "engines": {engine.name: engine.version for engine in found},
        "left_out": dict(left_out),
        "programs": [asdict(result) for result in results],
        "ratios": compared(results),
        "figures": figures.as_data(more),
    }


def table(data):
    """Return a table of every program and engine: how long, and how many times as long as the peers."""
    shown = Table(
        title="Benchmark",
        title_justify="left",
        caption="times as long: less than 1 is faster than the peer",
        caption_justify="left",
    )
    for heading in ("program", "scale", "engine", "ms", *(f"times {base}" for base in data["ratios"])):
        shown.add_column(heading, justify="left" if heading in ("program", "engine") else "right")
    for program in data["programs"]:
        for number, (name, seconds) in enumerate(program["seconds"].items()):
            opening = (program["program"], str(program["scale"])) if number == 0 else ("", "")
            shown.add_row(
                *opening,
                name,
                f"{1000 * seconds:.2f}",
                *(f"{to[name]['programs'][program['program']]:.2f}" for to in data["ratios"].values()),
            )
        shown.add_section()
    for number, name in enumerate(data["engines"]):
        shown.add_row(
            "" if number else "geometric mean",
            "",
            name,
            "",
            *(f"{to[name]['geometric_mean']:.2f}" for to in data["ratios"].values()),
        )
    return shown


# ---- the whole run


def measure(names, found, rounds, console):
    """Return the results of these programs on these engines."""
    results = []
    # a thread that draws would take time from the engines
    with bar(console, auto_refresh=False) as progress:
        task = progress.add_task("rounds", total=rounds * len(names))
        for name in names:
            progress.update(task, description=name, refresh=True)
            results.append(
                measured(
                    programs.program(name),
                    found,
                    rounds,
                    advance=lambda: progress.update(task, advance=1, refresh=True),
                )
            )
    return results


def main(only=(), wanted=(), rounds=ROUNDS, console=None):
    """Measure, print and write; return 0 if every requested engine ran every program and all agree, else 1."""
    console = console or Console()
    found, left_out = engines.at_hand(wanted or engines.ENGINES)
    for name, reason in left_out:
        console.print(f"left out: {name}: {reason}", style="red" if wanted else "yellow", markup=False)
    if wanted and left_out:
        return 1
    try:
        results = measure(only or list(programs.SOURCES), found, rounds, console)
        more = [] if only else figures.figures(results)
    except (WrongChecksum, Unmeasurable, engines.EngineFailed, CompilerMissing, CompilationFailed) as problem:
        console.print(str(problem), style="red", markup=False)
        return 1
    data, path = as_data(results, found, left_out, rounds, more), PARTIAL if only or wanted else RESULT
    write_whole(path, json.dumps(data, indent=1))
    write_whole(path.with_suffix(".svg"), plot.draw(data))
    console.print(table(data))
    if more:
        console.print(figures.table(more))
    console.print(f"{path}, {path.with_suffix('.svg')}", highlight=False)
    return 0
