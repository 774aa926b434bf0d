"""What does `make` do, and in what order? The kernel runs first, then come the proofs.

Each step says how long it takes, and what is still to come.

    python -m corollary.commands.steps [--short | --full]
"""

import argparse
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from corollary.commands.exits import INTERRUPTED
from corollary.commands.start import ended

MINUTE = 60


@dataclass(frozen=True)
class Step:
    """One command, its purpose, and the seconds that it takes on two cores when nothing is cached."""

    command: str
    purpose: str
    seconds: int
    short: str | None = None  # the same with less to do; None when it is short anyway
    full: str | None = None  # the same with everything there is to do

    def arguments(self, extent):
        """Return the arguments for `corollary`."""
        return (getattr(self, extent or "command") or self.command).split()


STEPS = (
    Step("gen --check", "what is generated is what the specification says", 10),
    Step("qemu", "the kernel boots, and its guests end as they must", 60),
    Step(
        "verify",
        "every promise is proved for every step, and the machine code",
        700,
        "verify --only capability_grant/",
        "verify --full",
    ),
    Step(
        "differential",
        "whole exceptions do what the model does, in an emulator",
        60,
        "differential --steps 300",
        "differential --steps 1000000",
    ),
    Step(
        "mutants --sample 0.05",
        "some seeded bugs are noticed; `make mutants` tries all",
        180,
        "mutants --kind machine --sample 0.01",
        "mutants",
    ),
    Step("report", "all of it on one page", 10),
)


def spoken(seconds):
    """Return a time as text for people."""
    return f"{round(seconds)} s" if seconds < 2 * MINUTE else f"{round(seconds / MINUTE)} min"


def announce(number, extent, console):
    """Print what runs now, how long it takes, and what is still to come."""
    step, later = STEPS[number], STEPS[number + 1 :]
    time_ = "" if extent else f", about {spoken(step.seconds)}"
    console.print(
        f"== corollary {' '.join(step.arguments(extent))}: {step.purpose}{time_}",
        style="bold",
        highlight=False,
        soft_wrap=True,
    )
    if later and not extent:
        console.print(
            (
                f"   then {', '.join(one.command.split()[0] for one in later)}: about "
                f"{spoken(sum(one.seconds for one in later))}"
            ),
            highlight=False,
            soft_wrap=True,
        )


def run(arguments):
    """Run `corollary` with arguments, and return its exit code.

    Ctrl-C reaches it as well as this process. It has a moment to end by itself; then it is terminated.
    """
    process = subprocess.Popen([sys.executable, "-m", "corollary.commands.start", *arguments])
    try:
        code = process.wait()
    except KeyboardInterrupt:  # `wait` has given it a moment to end
        process.terminate()
        raise
    return INTERRUPTED if code == -signal.SIGINT else code


def take(extent, begun, console):
    """Take every step, even after one has failed, so that the report says what went wrong.

    Returns of each step how it ended, and how many seconds after `begun`, a time of the clock.
    """
    ends = []
    for number, step in enumerate(STEPS):
        announce(number, extent, console)
        ends.append((step, run(step.arguments(extent)), time.time() - begun))
        if ends[-1][1] == INTERRUPTED:
            break
    return ends


def summarize(ends, extent, console):
    """Print a table of the steps, how they ended and when."""
    table = Table(title="Steps", title_justify="left")
    for heading in ("step", "result", "done after"):
        table.add_column(heading, justify="right" if heading == "done after" else "left")
    for step, code, seconds in ends:
        table.add_row(
            " ".join(step.arguments(extent)),
            "[green]good[/]" if code == 0 else f"[red]exit {code}[/]",
            f"{seconds:.0f} s",
        )
    console.print(table)


def main(arguments=None):
    """Take the steps and return an exit code: 0 when all ended well, 130 when they were interrupted."""
    parser = argparse.ArgumentParser(prog="python -m corollary.commands.steps", description=__doc__.splitlines()[0])
    extents = parser.add_mutually_exclusive_group()
    for extent, what in (
        ("short", "each step, with little to do"),
        ("full", "each step with all there is to do: a second solver, a million exceptions, all mutants"),
    ):
        extents.add_argument(f"--{extent}", dest="extent", action="store_const", const=extent, default="", help=what)
    parser.add_argument(
        "--begun",
        type=float,
        metavar="TIME",
        default=time.time(),
        help="when all began, in seconds of the clock: `date +%%s`",
    )
    chosen, console = parser.parse_args(arguments), Console()
    ends = take(chosen.extent, chosen.begun, console)
    summarize(ends, chosen.extent, console)
    codes = [code for _, code, _ in ends]
    return INTERRUPTED if INTERRUPTED in codes else max(codes)


if __name__ == "__main__":
    sys.exit(ended(lambda: sys.exit(main())))
