"""What do `make`, `make check`, `make test` and `make full` do, in what order, and what does it take?

Each step says how long it takes, and what is still to come. In the end a run says what it took: time, memory and disk.
That is kept, so that the next run, and `corollary doctor`, can say what it took the last time.

    python -m corollary.commands.steps [make | check | test | full | short]
"""

import argparse
import json
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from corollary.codegen.folders import ROOT, build_folder, purpose, write_whole
from corollary.codegen.progress import spoken
from corollary.commands.exits import INTERRUPTED, PASSED
from corollary.commands.measured import GIB, Memory, size_of
from corollary.commands.start import ended

BUILD = build_folder()
KEPT = BUILD / "steps.json"
SHORT = "short"
COROLLARY, PYTEST = "corollary.commands.start", "pytest"
QUICK = ("tests/test_style.py", "tests/test_layers.py", "tests/language", "tests/model", "tests/codegen")


@dataclass(frozen=True)
class Step:
    """One command, its purpose, and the seconds that it takes on two cores when nothing is kept."""

    command: tuple
    purpose: str
    seconds: int
    module: str = COROLLARY

    @property
    def text(self):
        """The command as one types it."""
        return shlex.join([self.module.split(".")[0], *self.command])

    @property
    def name(self):
        """The first words of the command."""
        return self.command[0] if self.module == COROLLARY else self.module


def step(command, purpose, seconds):
    """Return a step that is a command of Corollary."""
    return Step(tuple(command.split()), purpose, seconds)


CURRENT = step("gen --check", "what is generated is what the specification says", 10)
PROVED = step("verify", "every promise is proved for every step, and the machine code", 1300)
BOOTED = step("qemu", "the kernel boots, and its guests end as they must", 60)
REPORTED = step("report", "all of it on pages that need no network", 10)
TARGETS = {
    "make": (
        CURRENT,
        BOOTED,
        PROVED,
        step("differential", "whole exceptions do what the model does, in an emulator", 60),
        step("mutants --sample 0.05", "some seeded bugs are noticed; `make mutants` tries all", 950),
        REPORTED,
    ),
    "check": (CURRENT, PROVED, Step(("-m", "not full and not long", *QUICK), "the quickest tests", 70, PYTEST)),
    "test": (CURRENT, PROVED, Step(("-m", "not full"), "all tests but those that take long", 1800, PYTEST)),
    "full": (
        CURRENT,
        BOOTED,
        step("verify --full", "a second solver agrees with every proof", 2400),
        step("differential --steps 1000000", "a million exceptions do what the model does", 3600),
        step("mutants", "every seeded bug is noticed", 10_000),
        REPORTED,
        Step((), "all tests", 3600, PYTEST),
    ),
    SHORT: (
        CURRENT,
        BOOTED,
        step("verify --only capability_grant/GATE", "some promises are proved", 20),
        step("differential --steps 300", "a few exceptions do what the model does", 10),
        step("mutants --kind machine --only action_ --sample 0.03", "a few seeded bugs are noticed", 10),
        REPORTED,
    ),
}
"""The steps of each target of the Makefile; `short` has each command of `make`, with little to do."""


@dataclass(frozen=True)
class Took:
    """What a run took: seconds, and the most memory at once and the disk in the end, in bytes."""

    seconds: float
    memory: int
    disk: int

    def __str__(self):
        return (
            f"{spoken(self.seconds)}, {self.memory / GIB:.1f} GiB of memory at most, and {self.disk / GIB:.1f} GiB of "
            "disk"
        )


# ---- what earlier runs took


def kept():
    """Return of each target what its last run took that ended well: `{"steps": {text: seconds}, "took": ...}`."""
    with suppress(OSError, ValueError):
        found = json.loads(KEPT.read_text())
        if isinstance(found, dict):
            return found
    return {}


def last(target):
    """Return what the last good run of a target took, or None."""
    with suppress(KeyError, TypeError):
        return Took(**kept()[target]["took"])
    return None


def last_seconds(target, each):
    """Return the seconds that a step took the last time, or None."""
    with suppress(KeyError, TypeError):
        return float(kept()[target]["steps"][each.text])
    return None


def cold(target):
    """Return the seconds that a target takes when nothing is kept."""
    return sum(each.seconds for each in TARGETS[target])


def keep(target, ends, took):
    """Keep what a run took that ended well."""
    steps = {each.text: round(seconds, 1) for each, _, seconds in ends}
    write_whole(KEPT, json.dumps(kept() | {target: {"steps": steps, "took": asdict(took)}}, indent=1))


# ---- one run


def announce(target, number, console):
    """Print what runs now, how long it takes, and what is still to come."""
    each, later = TARGETS[target][number], TARGETS[target][number + 1 :]
    say(console, f"== {each.text}: {each.purpose}, {expected([each], target)}", style="bold")
    if later:
        say(console, f"   then {', '.join(one.name for one in later)}: {expected(later, target)}")


def expected(steps, target):
    """Return in words how long some steps take: as the last time, and when nothing is kept."""
    times = [last_seconds(target, each) for each in steps]
    whole = f"about {spoken(sum(each.seconds for each in steps))}"
    known = [seconds for seconds in times if seconds is not None]
    return whole if len(known) < len(times) else f"{whole} when nothing is kept, {spoken(sum(known))} the last time"


def say(console, text, **style):
    """Print a line as it is."""
    console.print(text, highlight=False, soft_wrap=True, markup=False, **style)


def run(each):
    """Run a step, and return its exit code.

    Ctrl-C reaches it as well as this process. It has a moment to end by itself; then it is terminated.
    """
    process = subprocess.Popen([sys.executable, "-m", each.module, *each.command])
    try:
        code = process.wait()
    except KeyboardInterrupt:  # `wait` has given it a moment to end
        process.terminate()
        raise
    return INTERRUPTED if code == -signal.SIGINT else code


def take(target, console):
    """Take every step, even after one has failed, so that the report says what went wrong.

    Returns of each step how it ended, and how many seconds it took.
    """
    ends = []
    for number, each in enumerate(TARGETS[target]):
        announce(target, number, console)
        begun = time.monotonic()
        code = run(each)
        ends.append((each, code, time.monotonic() - begun))
        if code == INTERRUPTED:
            break
    return ends


def summarize(ends, console):
    """Print a table of the steps, how they ended and how long they took."""
    table = Table(title="Steps", title_justify="left")
    for heading in ("step", "result", "time"):
        table.add_column(heading, justify="right" if heading == "time" else "left")
    for each, code, seconds in ends:
        result = "[green]good[/]" if code == PASSED else f"[red]exit {code}[/]"
        table.add_row(each.text, result, f"{seconds:.0f} s")
    console.print(table)


def main(arguments=None):
    """Take the steps and return an exit code: 0 when all ended well, 130 when they were interrupted."""
    parser = argparse.ArgumentParser(prog="python -m corollary.commands.steps", description=purpose(__doc__))
    parser.add_argument("target", nargs="?", choices=TARGETS, default="make")
    parser.add_argument(
        "--begun",
        type=float,
        metavar="TIME",
        default=time.time(),
        help="when all began, in seconds of the clock: `date +%%s`",
    )
    chosen, console = parser.parse_args(arguments), Console()
    with Memory() as memory:
        ends = take(chosen.target, console)
    summarize(ends, console)
    took = Took(round(time.time() - chosen.begun, 1), memory.most, sum(map(size_of, (BUILD, Path(sys.prefix)))))
    say(console, f"{chosen.target} took {took} ({BUILD.relative_to(ROOT)} and {Path(sys.prefix).name})")
    codes = [code for _, code, _ in ends]
    if not any(codes):
        keep(chosen.target, ends, took)
    return INTERRUPTED if INTERRUPTED in codes else max(codes)


if __name__ == "__main__":
    sys.exit(ended(lambda: sys.exit(main())))
