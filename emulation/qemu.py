"""What happens when the kernel runs?

`python -m corollary.emulation.qemu` boots it, shows who did what and judges the outcome.
"""

import argparse
import json
import os
import shlex
import sys
import tempfile
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from corollary.codegen import build
from corollary.codegen.folders import ROOT, write_whole
from corollary.codegen.image import image_hash
from corollary.emulation import (
    agents,
    disk,
    dozing,
    ending,
    exclusive,
    failing,
    lending,
    mending,
    moving,
    package,
    placing,
    travelling,
    wire,
)
from corollary.emulation.count import Counter, operation_symbols
from corollary.emulation.growing import GrowingLog, complete
from corollary.emulation.installed import emulator
from corollary.emulation.machine import SHIFT, remembering, start
from corollary.emulation.verdict import CLASSES, HEADED, KERNEL, Transcript, verdict, whole_log_of
from corollary.language.layout import decode
from corollary.record.audit import is_fault
from corollary.record.replay import without_key
from corollary.spec.kernel import platform
from corollary.spec.kernel.arguments import named_arguments
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.state import WitnessRecord
from corollary.spec.kernel.vocabulary import Action, Status
from corollary.spec.kernel.witness import KERNEL_ACTOR

LOG, RESULT = build.BUILD / "witness.log", build.BUILD / "qemu.json"
DISK_LOG, DISK_RESULT = build.BUILD / "disk.log", build.BUILD / "disk.json"
WIRE_LOG, WIRE_RESULT = build.BUILD / "wire.log", build.BUILD / "wire.json"
FAIL_LOG, FAIL_RESULT = build.BUILD / "fail.log", build.BUILD / "fail.json"
WIRE_MESSAGES = 300  # that each of two machines sends to the other
TRAVEL_LOG, TRAVEL_RESULT = build.BUILD / "travel.log", build.BUILD / "travel.json"
AGENTS_LOG, AGENTS_RESULT = build.BUILD / "agents.log", build.BUILD / "agents.json"
LOGS = {
    RESULT: LOG,
    DISK_RESULT: DISK_LOG,
    WIRE_RESULT: WIRE_LOG,
    FAIL_RESULT: FAIL_LOG,
    TRAVEL_RESULT: TRAVEL_LOG,
    AGENTS_RESULT: AGENTS_LOG,
}
"""The log of each kind of run, unless another one is asked for, by its result."""
KEY, WHOLE_LOG = ".key", ".log"  # ends of files that are written beside a log, and beside a state
WHY = Status.notes
ROUTINE = {"witness_read", "witness_discard", "console_write"}  # what the auditor calls all the time


def describe(record, names):
    """Return a record as a line with its colour; None for what happens all the time."""
    seconds = f"{record.time / 1e9:10.6f}  "
    if record.actor == KERNEL_ACTOR:
        return kernel_line(record, seconds)
    who = f"{names[record.actor] if record.actor < len(names) else record.actor:9} "
    if is_fault(record):
        return (
            (
                f"{seconds}{who}STOPPED: {CLASSES.get(record.object >> 26 & 0x3F, hex(record.object))} at "
                f"{record.payload:#x}"
            ),
            "red",
        )
    known = record.operation < len(OPERATIONS)
    declared = OPERATIONS[record.operation] if known else None
    if declared is not None and record.status == Status.OK and declared.name in ROUTINE:
        return None
    call = spoken_call(declared, record) if known else f"operation {record.object:#x}, which does not exist"
    if record.status == Status.OK:
        return seconds + who + call, "green"
    return f"{seconds}{who}{call}  denied: {record.status.name} {WHY.get(record.status.name, '')}", "yellow"


def spoken_call(declared, record):
    """Return a call with its handle, and its arguments by name."""
    handle = [f"#{record.capability:x}"] if declared.takes_handle else []
    arguments = [f"{name}={value}" for name, value in named_arguments(declared, record).items()]
    return f"{declared.name}({', '.join([*handle, *arguments])})"


def kernel_line(record, seconds):
    """Return the line and colour of what the kernel recorded of itself; None for an epoch of the scheduler."""
    if record.kind == Action.SCHEDULER_EPOCH:
        return None
    return f"{seconds}{'kernel':9} {record.kind.name} {record.object:#x} {record.payload:#x}", "cyan"


def show(run, console, everything=False, quiet=()):
    """Return a function that prints the console of a running machine line by line.

    It leaves out calls with a status that is `quiet`.
    """

    def take(line):
        for data in run.take(line):
            record = decode(data, WitnessRecord)
            described = describe(record, run.names)
            if described is not None and (record.actor == KERNEL_ACTOR or record.status not in quiet):
                console.print(described[0], style=described[1], highlight=False, markup=False, soft_wrap=True)
        if line.startswith(KERNEL) or everything:
            console.print(line, style="cyan", highlight=False, markup=False, soft_wrap=True)

    return take


def show_agents(run, console, everything=False):
    """Return the same for a run with agents: it prints what they say, and what is refused."""
    take_other = show(run, console, everything, agents.ROUTINE)

    def take(line):
        take_other(line)
        said = HEADED.fullmatch(line)
        if said is not None and said[2] == ">" and not everything:
            console.print(
                f"{run.names[int(said[1], 16)]:9} {said[3]}",
                style="green",
                highlight=False,
                markup=False,
                soft_wrap=True,
            )

    return take


def print_verdict(rows, console):
    """Print the table and the count."""
    table = Table(title="Verdict", title_justify="left")
    for heading in ("", "who", "attempt", "expected", "observed", "witnessed"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(
            "[green]ok[/]" if row.good else "[red]BAD[/]",
            row.who,
            row.attempt,
            row.expected,
            row.observed,
            row.witnessed,
        )
    console.print(table)
    bad = sum(not row.good for row in rows)
    console.print(f"{len(rows)} rows, {bad} not as expected")


def print_table(rows, console):
    """Print figures by what went wrong; a time that nothing took is left out."""
    table = Table(*rows[0], title="What went wrong in moves", title_justify="left")
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row.values()))
    console.print(table)


def figures(run, system):
    """Return what a run shows about size and speed, in instructions."""
    ticks = run.value("ticks", "to", "the", "first", "guest", "instruction")
    call = run.lines(0, "hypercall")
    in_instructions = platform.TICK_NS / (1 << SHIFT)
    return {
        "image_sha256": image_hash(system.kernel),
        "boot_instructions": int(int(ticks[0], 16) * in_instructions) if ticks else None,
        "hypercall_instructions": int(int(call[0][0], 16) * in_instructions) if call else None,
        "records": len(run.records),
    }


def run_demonstration(console, everything, kept=None, log=LOG):
    """Boot the guests of the demonstration, show and judge the run; return whether all is as expected.

    The state in which the kernel ends is saved as the file `kept`, beside the log that explains it.
    """
    system = package.demonstration()
    run = Transcript(os.urandom(32))
    take = show(run, console, everything)
    with Counter(system.kernel) as counter, remembering() as (shared, state):
        growing = GrowingLog(run, system, log)
        for line in start(system, run.key, *counter.arguments, *(shared if kept else ())):
            take(line)
            grow(growing, console)
        counted = counter.read()
        if kept:
            keep_state(run, system, state(), kept, console)
    rows = verdict(run, system)
    print_verdict(rows, console)
    keep_log(run, system, log, console)
    measured = figures(run, system) | {
        "operations": len(operation_symbols()),
        "operations_run": len(counted.operations),
    }
    print_figures(measured, console)
    write_whole(
        RESULT, json.dumps(measured | {"verdict": [asdict(row) for row in rows], "counted": asdict(counted)}, indent=1)
    )
    return all(row.good for row in rows)


def run_agents(console, everything, chosen, log=AGENTS_LOG):
    """Run agents, in as many boots as they need, then those that hibernated once more. Are all as expected?"""
    waiting, rows, fastest, number = agents.boots(chosen), [], 0, 0
    while waiting:
        together = waiting.pop(0)
        run, judged = boot_agents(console, everything, together, numbered(log, number))
        rows, fastest, number = rows + judged, max(fastest, ending.messages_a_second(run.records)), number + 1
        waiting += agents.boots(ending.resumed(run, together))
    measured = {"messages a second": fastest}
    print_figures(measured, console)
    write_whole(AGENTS_RESULT, json.dumps(measured | {"verdict": [asdict(row) for row in rows]}, indent=1))
    return all(row.good for row in rows)


def boot_agents(console, everything, together, log):
    """Boot agents, each in the VM in its own partition; show and judge the run. Return it with the rows."""
    system, watched = package.with_agents(together), agents.is_managed(together) or agents.stores(together)
    run = Transcript(os.urandom(32), names_of(together))
    take = show_agents(run, console, everything)
    growing = GrowingLog(run, system, log)
    with remembering() as (shared, state), disk_of(together) as (drive, contents):
        for line in start(system, run.key, *(shared if watched else ()), *drive, **agents.PACE):
            take(line)
            grow(growing, console)
        if agents.naps(together):
            rows = dozing.verdict(run, system, together, contents())
        elif watched:
            rows = judge_of(together).verdict(run, system, together, state())
        else:
            rows = ending.verdict(run, system, together)
    print_verdict(rows, console)
    keep_log(run, system, log, console)
    return run, rows


def judge_of(together):
    """Return the module that judges a boot of agents that a manager or a librarian looks after."""
    if agents.stores(together):
        return lending
    if agents.houses_of(together):
        return placing
    return moving if agents.moves(together) else mending


def names_of(together):
    """Return the names of the partitions of a boot with agents."""
    if agents.stores(together):
        return lending.names(together)
    if agents.houses_of(together):
        return placing.names(together)
    return (mending if agents.is_managed(together) else ending).names(together)


def disk_of(together):
    """Return the context of the disk on which agents of a boot hibernate; without such an agent there is none."""
    return disk.attached(disk.DISKS["good"]) if agents.naps(together) else nullcontext(((), bytes))


def numbered(path, number):
    """Return the path of the log of a boot: of the first, the path itself."""
    return path.with_stem(f"{path.stem}-{number + 1}") if number else path


def run_disk(console, everything, kind, kept=None, log=DISK_LOG):
    """Boot guests with a disk of this kind, show and judge the run. Return whether all is as expected.

    The state in which the kernel ends is saved as the file `kept`.
    """
    system, chosen = package.with_disk(), disk.DISKS[kind]
    run = Transcript(os.urandom(32), disk.PARTITIONS)
    take = show(run, console, everything)
    with disk.attached(chosen, disk.SLOW) as (drive, contents), remembering() as (shared, state):
        growing = GrowingLog(run, system, log)
        for line in start(system, run.key, *drive, *(shared if kept else ())):
            take(line)
            grow(growing, console)
        if kept:
            keep_state(run, system, state(), kept, console)
        rows = disk.verdict(run, system, chosen, contents())
    print_verdict(rows, console)
    keep_log(run, system, log, console)
    write_whole(DISK_RESULT, json.dumps({"verdict": [asdict(row) for row in rows]}, indent=1))
    return all(row.good for row in rows)


def run_wire(console, everything, kind, messages=WIRE_MESSAGES, log=WIRE_LOG):
    """Boot two machines with this kind of wire between them; show and judge both. Return whether all is as expected.

    Each has a log of its own.
    """
    ends, between = wire.Ends(), wire.WIRES[kind]
    systems, between = ends.systems(messages), ends.along(between) if between.interferes else between
    runs = wire.transcripts([os.urandom(32) for _ in systems])
    wire.run_both(systems, runs, between, [show_kernel(run, console, everything) for run in runs])
    rows = [row for run, system in zip(runs, systems) for row in wire.verdict(run, system, between, messages)]
    print_verdict(rows, console)
    for number, (run, system) in enumerate(zip(runs, systems)):
        keep_log(run, system, numbered(log, number), console)
    write_whole(WIRE_RESULT, json.dumps({"verdict": [asdict(row) for row in rows]}, indent=1))
    return all(row.good for row in rows)


def run_failing(console, everything, kind, log=FAIL_LOG):
    """Let the kernel or root fail while agents run; show and judge each boot. Return whether all is as expected.

    Each boot has a log of its own.
    """
    system, failure = package.with_lasting_agents(), failing.FAILURES[kind]
    boots = failing.Boots(os.urandom(32))
    take = show_agents(boots, console, everything)
    with disk.attached(disk.DISKS["good"]) as (drive, _), failing.failing(system, failure) as more:
        for line in start(system, boots.key, *drive, *more, **failing.PACE):
            take(line)
    rows = failing.verdict(boots, system, failure)
    print_verdict(rows, console)
    for number, run in enumerate(boots.runs):
        keep_log(run, system, numbered(log, number), console)
    write_whole(FAIL_RESULT, json.dumps({"verdict": [asdict(row) for row in rows]}, indent=1))
    return all(row.good for row in rows)


def run_travel(console, options, folder, log):
    """Boot two machines and let an agent move back and forth between them, as the options say. Is all as expected?"""
    mover = travelling.chosen(options.agents, folder)
    moves, messages = options.moves or travelling.MOVES, options.messages or travelling.MESSAGES
    faults = travelling.SHORT if moves <= travelling.MOVES else travelling.FAULTS
    return travel(console, options.all, mover, wire.WIRES[options.wire], (moves, messages, faults), log)


def travel(console, everything, mover, between, plan, log=TRAVEL_LOG):
    """Do that, over this wire. Each machine has a log of its own."""
    cable, (moves, messages, faults) = wire.Cable(), plan
    systems = travelling.systems(mover, wire.Ends().known(), moves, messages, faults)
    runs = [Transcript(os.urandom(32), travelling.names(mover, end)) for end in range(wire.MACHINES)]
    journey = travelling.Journey(runs, cable.cut)
    takes = [partial(take_along, journey, end, console, everything) for end in range(wire.MACHINES)]
    wire.run_both(systems, runs, between, takes, cable, travelling.limit(moves, messages, mover.large))
    logs = travelling.logs_of(journey)
    rows = list(travelling.rows(journey, logs, systems, mover, moves, faults))
    print_verdict(rows, console)
    for number, (run, system) in enumerate(zip(runs, systems)):
        keep_log(run, system, numbered(log, number), console)
    measured, of_faults = travelling.figures(logs), list(travelling.table(journey, faults))
    print_figures(measured, console)
    print_table(of_faults, console)
    result = measured | {"faults": of_faults, "verdict": [asdict(row) for row in rows]}
    write_whole(TRAVEL_RESULT, json.dumps(result, indent=1))
    return all(row.good for row in rows)


def show_kernel(run, console, everything=False):
    """Return a function that takes a console line by line, and prints what the kernel itself says."""

    def take(line):
        run.take(line)
        show_line(run, line, console, everything)

    return take


def show_line(run, line, console, everything):
    """Print a line of one of two machines, if the kernel said it."""
    if line.startswith(KERNEL) or everything:
        console.print(f"{run.names[0]}: {line}", style="cyan", highlight=False, markup=False, soft_wrap=True)


def take_along(journey, end, console, everything, line):
    """Take in a line of one of two machines between which an agent moves, and print it if the kernel said it.

    Print also where the agent is after a move.
    """
    for told in journey.take(end, line):
        console.print(told, style="green", highlight=False, markup=False, soft_wrap=True)
    show_line(journey.runs[end], line, console, everything)


def print_figures(measured, console):
    """Print each figure by its name."""
    for name, value in measured.items():
        console.print(f"{name:24} {value}", highlight=False)


def result_of(arguments):
    """Return the file that a run with these options writes."""
    names = {each.split("=")[0] for each in arguments}
    if {"--agents", "--wire"} <= names:
        return TRAVEL_RESULT
    results = {"--agents": AGENTS_RESULT, "--disk": DISK_RESULT, "--wire": WIRE_RESULT, "--fail": FAIL_RESULT}
    return next((result for name, result in results.items() if name in names), RESULT)


def grow(growing, console):
    """Let the file of a log grow; print how it is watched once it begins."""
    if growing.grow():
        console.print(f"corollary watch {quoted(growing.path)}", highlight=False, soft_wrap=True)


def keep_log(run, system, path, console):
    """Save the log, and beside it the key of the boot, readable only by this user; print how the log is checked."""
    if run.records:
        key = beside(path, KEY)
        complete(run, system, path)
        write_whole(key, f"{run.key.hex()}\n", mode=0o600)
        console.print(f"corollary audit {quoted(path)} --key-file {quoted(key)}", highlight=False, soft_wrap=True)


def beside(path, end):
    """Return the path of a file in the same folder, whose name goes on with `end`."""
    return Path(f"{path}{end}")


def obstacle(path):
    """Return why a regular file cannot be written at a path, or nothing."""
    try:
        if path.is_symlink() or path.exists() and not path.is_file():
            return "it is not a regular file"
        with tempfile.TemporaryFile(dir=path.parent):
            return ""
    except OSError as problem:
        return problem.strerror


def quoted(path):
    """Return a path as one types it at the root of the tree."""
    return shlex.quote(str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path))


def keep_state(run, system, state, path, console):
    """Save the state of the kernel without its key, and its whole log; print how they are compared."""
    log = beside(path, WHOLE_LOG)
    write_whole(path, without_key(state))
    write_whole(log, whole_log_of(run, system, state))
    console.print(f"corollary replay {quoted(log)} --state {quoted(path)}", highlight=False, soft_wrap=True)


def run_chosen(console, options, folder, state, log):
    """Make the run that the options choose; return whether all is as expected."""
    if options.disk:
        return run_disk(console, options.all, options.disk, state, log)
    if options.agents is not None and options.wire:
        return run_travel(console, options, folder, log)
    if options.wire:
        return run_wire(console, options.all, options.wire, log=log)
    if options.fail:
        return run_failing(console, options.all, options.fail, log)
    if options.agents is None:
        return run_demonstration(console, options.all, state, log)
    return run_agents(console, options.all, agents.chosen(agents.listed(options.agents), folder), log)


def main(arguments=None, folder=Path()):
    """Boot, show and judge. Return 0 only if all is as expected, 2 if there are no such agents.

    Modules and files are named relative to `folder`. Exits with 2 if a file that is asked for cannot be written, and
    with 1 if another run writes the same files.
    """
    parser = argparse.ArgumentParser(prog="corollary.emulation.qemu", description=__doc__)
    parser.add_argument("--all", action="store_true", help="show every line of the console as well")
    parser.add_argument(
        "--agents",
        metavar="NAMES",
        help=f"run WebAssembly agents instead: {agents.ALL}, or some of {', '.join(agents.KNOWN)}, or files of modules",
    )
    parser.add_argument(
        "--disk",
        choices=disk.DISKS,
        help="run guests that use a disk instead, one of them hostile, with a disk that does its work or fails",
    )
    parser.add_argument(
        "--wire",
        choices=wire.WIRES,
        help="run two machines instead that send each other sealed messages, over a wire that may be hostile; with"
        f" --agents {' or '.join(travelling.KNOWN)}, or the file of a module, that agent moves back and forth between"
        " them",
    )
    parser.add_argument("--moves", type=int, metavar="N", help="how often it moves at least; otherwise few times")
    parser.add_argument("--messages", type=int, metavar="N", help="how many messages it is sent at least meanwhile")
    parser.add_argument(
        "--fail",
        choices=failing.FAILURES,
        help="let the kernel or root fail while guests run, and start again: once, or too often, or with a kept log "
        "that is not what the kernel left",
    )
    parser.add_argument(
        "--state",
        type=Path,
        metavar="FILE",
        help="keep the bytes of the kernel's state at the end, and in FILE.log all of its log, for `corollary replay`",
    )
    parser.add_argument(
        "--log",
        type=Path,
        metavar="FILE",
        help="where the witness log goes as the run writes it, and in FILE.key the key that checks it",
    )
    options = parser.parse_args(arguments)
    if options.state and (options.agents is not None or options.wire or options.fail):
        parser.error("--state is of a run of one machine without agents, which nothing lets fail")
    travels = options.agents is not None and options.wire is not None
    if sum(each is not None for each in (options.agents, options.disk, options.wire, options.fail)) > 1 + travels:
        parser.error("--agents, --disk, --wire and --fail are for runs of their own, but for an agent on a wire")
    if not travels and (options.moves or options.messages):
        parser.error("--moves and --messages are of an agent that moves over a --wire")
    state, log = (path and folder / path for path in (options.state, options.log))
    for option, path, end in (("--state", state, WHOLE_LOG), ("--log", log, KEY)):
        for file in (path, beside(path, end)) if path else ():
            why = obstacle(file)
            if why:
                parser.error(f"{option}: {file} cannot be written: {why}")
    console = Console(width=None if sys.stdout.isatty() else 160)
    result = result_of(f"--{name}" for name, given in vars(options).items() if given is not None)
    log = log or LOGS[result]
    try:
        emulator()
        with exclusive.alone(log, result, *([state] if state else [])):
            return 0 if run_chosen(console, options, folder, state, log) else 1
    except build.Unable as missing:
        console.print(str(missing), style="red", markup=False)
        return 1
    except agents.UnknownAgent as unknown:
        console.print(str(unknown), style="red", markup=False)
        return 2


if __name__ == "__main__":
    sys.exit(main())
