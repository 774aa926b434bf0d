"""How many instructions does each hypercall take, and where do those of a hypercall and of the boot go?

The guests of the demonstration run under QEMU, and each of their calls is counted; so are those of the guests that use
a disk, in a second run. Operations that none of them calls are counted in random traces on an emulated processor, which
has the same instructions. In the same run the kernel's C appends records and checks handles on this machine, beside
OpenSSL.
"""

import json
import os
import statistics
from collections import defaultdict
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from corollary.bench import log
from corollary.codegen.build import BUILD, Unable
from corollary.codegen.folders import write_whole
from corollary.codegen.image import image_hash
from corollary.emulation import differential, disk, package
from corollary.emulation.count import Counter, operation_symbols
from corollary.emulation.machine import start
from corollary.emulation.verdict import Transcript, verdict
from corollary.proofs.machine.bounds import Bounds
from corollary.report import measured, results
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.vocabulary import Ring

RESULT, VERIFIED = BUILD / "hypercalls.json", BUILD / "verify.json"
SHOWN = 24  # functions of a table, at most; the result has all
STEPS = 12_000  # of traces, at most
WORKERS = 2
QEMU, DISK, EMULATED, NOWHERE = "QEMU", "QEMU, disk", "emulated", "not called"


def counted():
    """Boot the guests of the demonstration, count until they end, and return the hash of the image with the counts.

    Raises `Unable` without QEMU, or if the run did not end as expected.
    """
    system, run = package.demonstration(), Transcript(os.urandom(32))
    return image_hash(system.kernel), counts_of(system, run, (), lambda: verdict(run, system))


def counted_with_disk():
    """Do the same with the guests that use a disk, and return the counts."""
    system, run, good = package.with_disk(), Transcript(os.urandom(32), disk.PARTITIONS), disk.DISKS["good"]
    with disk.attached(good, disk.SLOW) as (drive, contents):
        return counts_of(system, run, drive, lambda: disk.verdict(run, system, good, contents()))


def counts_of(system, run, more, judge):
    """Boot a system with more arguments for QEMU, and return the counts; raises `Unable` unless all rows are good."""
    with Counter(system.kernel) as counter:
        for line in start(system, run.key, *more, *counter.arguments):
            run.take(line)
        if not all(row.good for row in judge()):
            raise Unable("the guests did not end as expected: `corollary qemu` shows how they did")
        return counter.read()


def emulated(names):
    """Return the instructions of calls that succeeded in random traces, by operation, until all named ones did.

    Raises `Unable` if machine code and model differ.
    """

    def gathered(traces):
        found = defaultdict(list)
        for each in traces:
            for name, instructions in each.instructions.items():
                found[name] += instructions
        return found

    traces = differential.run(
        STEPS,
        workers=WORKERS,
        console=Console(stderr=True),
        one=differential.counted_trace,
        enough=lambda done: names <= gathered(done).keys(),
    )
    if differences := [each.difference for each in traces if each.difference]:
        raise Unable(f"the kernel does not do what its model does: {differences[0]}")
    return gathered(traces)


def filled(lines, bounds):
    """Return lines with where each was measured: without a call in the demonstration, with a disk or in traces."""
    found = [(line, QEMU if line.runs else NOWHERE) for line in lines]
    if all(line.runs for line in lines):
        return found
    beside = measured.hypercalls(bounds, counted_with_disk())
    found = [
        (other, DISK) if not line.runs and other.runs else (line, where) for (line, where), other in zip(found, beside)
    ]
    callable_ = {declared.name for declared in OPERATIONS if declared.required_ring != Ring.ROOT}
    missing = {line.name for line, where in found if where == NOWHERE} & callable_
    traced = emulated(missing) if missing else {}
    return [in_traces(line, traced[line.name]) if traced.get(line.name) else (line, where) for line, where in found]


def in_traces(line, instructions):
    """Return a line that is filled with the instructions of calls in traces, and that it was measured there."""
    median = statistics.median_low(instructions)
    return replace(line, runs=len(instructions), median=median, instructions=max(instructions)), EMULATED


def bounds_of(image, path):
    """Return the bounds that were proved of an image; there are none without a verification of it."""
    verified = results.verified(path) or {"kernel_sha256": "", "obligations": []}
    return (verified["kernel_sha256"] == image and measured.proved(verified["obligations"])) or Bounds([])


def of_the_shortest(counts, lines):
    """Return the operation with the least median, and each function's own instructions in such a call on average."""
    least = min((line for line, where in lines if where == QEMU), key=lambda line: line.median)
    seen = counts.operations[operation_symbols()[least.name]]
    return least.name, falling({name: share / seen.runs for name, share in seen.shares.items()})


def of_the_boot(counts):
    """Return each function's own instructions until a guest ran first."""
    return falling({name: each.boot for name, each in counts.functions.items() if each.boot})


def falling(own):
    """Return what functions take, the most first."""
    return dict(sorted(own.items(), key=lambda item: -item[1]))


def as_data(image, counts, bounds):
    """Return all that was counted, beside the bounds; None where there is no figure."""
    lines, boot = filled(measured.hypercalls(bounds, counts), bounds), of_the_boot(counts)
    shortest, own = of_the_shortest(counts, lines)
    return {
        "image_sha256": image,
        "hypercalls": [
            {
                "operation": line.name,
                "calls": line.runs,
                "median": line.median,
                "worst": line.instructions,
                "proved": line.instructions_proved,
                "exceeded": line.exceeded,
                "measured": where,
            }
            for line, where in lines
        ],
        "shortest": shortest,
        "shortest_functions": own,
        "boot_instructions": sum(boot.values()),
        "boot_functions": boot,
        "nanoseconds": log.measured(),
    }


# ---- output


def show(data, console):
    """Print the tables."""
    console.print(table_of_hypercalls(data["hypercalls"]))
    console.print(table_of_functions(f"{data['shortest']}, the shortest", data["shortest_functions"]))
    console.print(table_of_functions("the boot", data["boot_functions"]))
    console.print(table_of_times(data["nanoseconds"]))
    for row in data["hypercalls"]:
        if row["exceeded"]:
            console.print(f"{row['operation']}: {row['worst']} instructions, more than was proved", style="red")


def table_of_hypercalls(rows):
    """Return a table with a row for each operation."""
    shown = Table(title="Instructions, from vector to exception return", title_justify="left")
    for heading in ("operation", "calls", "median", "worst", "proved bound", "measured"):
        shown.add_column(heading, justify="left" if heading in ("operation", "measured") else "right")
    for row in rows:
        figures = (row[name] for name in ("calls", "median", "worst", "proved"))
        shown.add_row(row["operation"], *("" if value is None else f"{value:,}" for value in figures), row["measured"])
    return shown


def table_of_times(times):
    """Return a table of what this machine takes, in nanoseconds of processor time."""
    shown = Table("on this machine", title="Nanoseconds", title_justify="left")
    shown.add_column("each", justify="right")
    for name, value in times.items():
        shown.add_row(name, f"{value:,.1f}")
    return shown


def table_of_functions(what, own):
    """Return a table of the functions that take the most, given each function's own instructions."""
    total = sum(own.values())
    shown = Table("function", title=f"Instructions of {what}: {total:,.0f}", title_justify="left")
    for heading in ("its own", "part"):
        shown.add_column(heading, justify="right")
    for name, value in [*own.items()][:SHOWN]:
        shown.add_row(name, f"{value:,.0f}", f"{value / total:.1%}")
    return shown


def main(console=None, target=RESULT, verified=VERIFIED):
    """Count, print and write; return 0 unless a call took more than was proved, or nothing could be counted."""
    console = console or Console()
    try:
        image, counts = counted()
        data = as_data(image, counts, bounds_of(image, verified))
    except Unable as problem:
        console.print(str(problem), style="red", markup=False)
        return 1
    show(data, console)
    if all(row["proved"] is None for row in data["hypercalls"]):
        console.print("no bounds: `corollary verify` did not prove this image", style="yellow")
    write_whole(target, json.dumps(data, indent=1))
    return int(any(row["exceeded"] for row in data["hypercalls"]))
