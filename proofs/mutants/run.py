"""Would anyone notice a mistake? Mutants of the model, the C, the machine code and the provers, each to be killed.

Each kind of mutant is looked for in its own way, in this order:

* a mutant of the model: by the front end's own check, the proofs of one step that uses it, and the differential test;
* a mutant of the C: by the differential test, then by the proof of its compiled code;
* a mutant of the machine code: by the proof of its function. The proof may also show that it is equivalent. Then
  mutant and original run in something that shares no code with the prover, and one difference is a mistake of the
  prover;
* a mutant that breaks its calling convention on the way out (`way-out`): by that proof alone, as it is never
  equivalent;
* a wrong rule of the prover: by the tests of the language and by obligations that must fail;
* a wrong rule of the prover of machine code: by what QEMU did, by obligations and by tests;
* a change of the source of either prover, made by a program (`source`): by a test that takes less than a minute.

Every survivor has its reason in `survivors.toml`, or the run fails.

    python -m corollary.proofs.mutants.run [--sample SHARE] [--seed S] [--only TEXT]
                             [--kind ir|c|machine|way-out|handler|prover|rule|break|source]
"""

import argparse
import importlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import as_completed
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from corollary.codegen.build import CompilationFailed
from corollary.codegen.folders import make_room, purpose
from corollary.codegen.progress import Pace, bar
from corollary.codegen.progress import left as rest
from corollary.codegen.workers import processes
from corollary.emulation.crossexamine import crossexamine
from corollary.model.kernel.component import KERNEL
from corollary.proofs.machine.summary import named
from corollary.proofs.mutants import breaks, c, compiled, decided, machine, matrix, prover, rules, sample, source, ways
from corollary.proofs.mutants.apart import made
from corollary.proofs.mutants.differential import SEEDS, Workshop, differs, mutated_text, recorded, workshop
from corollary.proofs.mutants.kernel import judge_of
from corollary.proofs.mutants.row import (
    EQUIVALENT,
    SURVIVOR,
    UNSOUND,
    MutantResult,
    cross_examined,
    doubtful,
    explained,
    tally,
    verdict,
    write_result,
)
from corollary.proofs.verify import sources_of

SURVIVORS = Path(__file__).with_name("survivors.toml")
RESULT = Path("build/mutants.json")
PARTIAL = Path("build/mutants-only.json")  # of a run with only some of them
C_MUTANTS = 96
CHUNK = 3  # mutants of one job
KINDS = ("ir", "c", "machine", machine.WAY_OUT, "handler", "prover", "rule", "break", source.KIND)
ENDS = ("front-end", "proof", "differential", "oracle", "must-hold", "must-fail", "test", EQUIVALENT, SURVIVOR, UNSOUND)
MACHINE_CHUNK = 10
WAYS_OUT = 0.1  # the share of way-out mutants in a run with other kinds; alone, all are tried


def ir_row(mutant):
    """Return the undecided row of a mutant of the model."""
    return MutantResult(mutant.id, "ir", mutant.function.symbol, mutant.operation, mutant.change, mutant.what)


def c_row(mutant):
    """Return the undecided row of a mutant of the C."""
    operations = {symbol: name for name, symbol in sample.main_functions().items()}
    return MutantResult(
        mutant.id, "c", mutant.function, operations.get(mutant.function, f"{mutant.file}.c"), mutant.change, mutant.what
    )


# ---- jobs: what runs in a process of the pool


def ir_job(ids, seed, share, traces, folder):
    """Decide the mutants that are looked for in one step."""
    chosen = {mutant.id: mutant for mutant in sample.sample(seed, share)}
    shop, rows = Workshop(folder), []
    for id_ in ids:
        start, mutant = time.perf_counter(), chosen[id_]
        row = ir_row(mutant)
        row.killed_by = (
            judge_of(mutant.operation).verdict(mutant)
            or found_by_differential(shop, mutated_text(mutant), mutant.id, traces)
            or judge_of(mutant.operation).verdict(mutant, patient=True)
            or found_by_other_steps(row, mutant)
        )
        row.seconds = round(time.perf_counter() - start, 2)
        rows.append(row)
    return rows


def found_by_other_steps(row, mutant):
    """Return what the proofs of other steps say of a mistake in the gate; together they take its every path."""
    for name in sample.other_steps(mutant):
        verdict = judge_of(name).verdict(mutant)
        if verdict:
            row.operation = name
            return verdict
    return ""


def c_job(mutant, traces, folder):
    """Decide one mutant of the C."""
    start, row = time.perf_counter(), c_row(mutant)
    try:
        row.killed_by = found_by_differential(
            Workshop(folder), {mutant.file: mutant.text()}, mutant.id, traces
        ) or compiled.verdict(mutant)
    except CompilationFailed:
        row.killed_by = source.BROKEN
    row.seconds = round(time.perf_counter() - start, 2)
    return [row]


def machine_job(mutants):
    """Decide mutants of the machine code."""
    rows = []
    for mutant in mutants:
        start = time.perf_counter()
        module = f"{named()[mutant.function].module}.c" if mutant.function in named() else "platform"
        where = "handlers.c" if mutant.kind == machine.HANDLER_KIND else module
        row = MutantResult(
            mutant.id, mutant.kind, mutant.function, where, mutant.change, mutant.what, machine.verdict(mutant)
        )
        if row.end == EQUIVALENT:
            examine(row, mutant)
        row.seconds = round(time.perf_counter() - start, 2)
        rows.append(row)
    return rows


def examine(row, mutant):
    """Run a mutant that is proved equivalent beside the original: the prover does not judge itself."""
    said = crossexamine(mutant)
    row.states = said.states
    if said.difference:
        row.killed_by = f"{UNSOUND}: {said.difference}"
    else:
        row.killed_by += f", and does on {said.states} states"


def found_by_differential(shop, changes, name, traces):
    """Return what the differential test says of changed C, or nothing."""
    library = shop.library(changes, name)
    said = differs(library, traces)
    library.unlink()
    return f"differential: {said}" if said else ""


def other_job(module, name):
    """Decide a mutant of a prover or a break of the model, in a process of its own."""
    start, module = time.perf_counter(), importlib.import_module(module)
    item = module.NAMED[name]
    killed_by = module.found(name)
    return [
        MutantResult(
            f"{module.KIND}-{name}",
            module.KIND,
            item.place,
            item.operation,
            item.change,
            item.what,
            killed_by,
            round(time.perf_counter() - start, 2),
        )
    ]


def source_job(mutant):
    """Decide a change of the source of a prover; the seconds are processor time."""
    killed_by, seconds = source.found(mutant)
    about = mutant.function, mutant.file, mutant.change, mutant.what
    return [MutantResult(mutant.id, source.KIND, *about, killed_by, seconds)]


# ---- the run


def jobs(kinds, seed, share, only, traces, folder, wanted) -> Iterator[tuple[str, list, Any, tuple]]:
    """Yield `(kind, ids of mutants, function, arguments)` for everything to decide whose id is `wanted`."""
    if "ir" in kinds:
        steps = {}
        for mutant in sample.sample(seed, share):
            if (only in mutant.id or only == mutant.operation) and wanted(mutant.id):
                steps.setdefault(mutant.operation, []).append(mutant.id)
        for ids in steps.values():
            for first in range(0, len(ids), CHUNK):
                chunk = ids[first : first + CHUNK]
                yield "ir", chunk, ir_job, (chunk, seed, share, traces, folder)
    if "c" in kinds:
        for mutant in c.sample(seed, round(C_MUTANTS * share)):
            if only in mutant.id and wanted(mutant.id):
                yield "c", [mutant.id], c_job, (mutant, traces, folder)
    for chosen in of_machine_code(kinds, seed, share):
        chosen = [mutant for mutant in chosen if only in mutant.id and wanted(mutant.id)]
        for first in range(0, len(chosen), MACHINE_CHUNK):
            chunk = chosen[first : first + MACHINE_CHUNK]
            yield chunk[0].kind, [mutant.id for mutant in chunk], machine_job, (chunk,)
    for module in (prover, rules, breaks):
        if module.KIND in kinds:
            for name in [name for name in module.NAMED if only in name][: max(1, round(len(module.NAMED) * share))]:
                id_ = f"{module.KIND}-{name}"
                if wanted(id_):
                    yield module.KIND, [id_], other_job, (module.__name__, name)
    if source.KIND in kinds:
        for mutant in source.sample(seed, share):
            if only in mutant.id and wanted(mutant.id):
                yield source.KIND, [mutant.id], source_job, (mutant,)


def of_machine_code(kinds, seed, share):
    """Yield the mutants of each kind of machine code."""
    counts = {machine.KIND: machine.COUNT, machine.HANDLER_KIND: machine.HANDLER_COUNT}
    for kind, count in counts.items():
        if kind in kinds:
            yield machine.sample(seed, round(count * share), kind)
    if machine.WAY_OUT in kinds:
        yield ways.sample(seed, share if kinds == (machine.WAY_OUT,) else share * WAYS_OUT)


def run(kinds=KINDS, seed=0, share=1.0, only="", workers=2, traces=SEEDS, console=None):
    """Decide the mutants that were not decided before; return the rows of all."""
    known, chosen, rows, pace = decided.recalled(traces), set(), [], pace_of(RESULT, PARTIAL)

    def wanted(id_):
        chosen.add(id_)
        return id_ not in known

    with workshop() as shop, bar(console or Console()) as progress:
        todo = list(jobs(kinds, seed, share, only, traces, shop.folder, wanted))
        rows += [known[id_] for id_ in chosen & set(known)]
        if {"ir", "c"} & {kind for kind, *_ in todo}:
            made()  # once, for every process of the pool
            for number in traces:
                recorded(number)
        left = {id_: kind for kind, ids, *_ in todo for id_ in ids}
        more = rest(pace.left(left.items(), workers))
        task = progress.add_task("mutants", total=len(chosen), completed=len(rows), **more)
        with processes(workers) as pool:
            waiting = {pool.submit(function, *arguments): (kind, ids) for kind, ids, function, arguments in todo}
            for job in as_completed(waiting):
                kind, ids = waiting[job]
                new = finished(job, kind, ids)
                decided.remember(traces, new)
                rows += new
                left = {id_: kind for id_, kind in left.items() if id_ not in ids}
                for row in new:
                    pace.took((row.id, row.kind), row.seconds)
                text = f"{len(rows)} mutants, {sum(not row.killed_by for row in rows)} alive"
                more = rest(pace.left(left.items(), workers))
                progress.update(task, completed=len(rows), description=text, **more)
    rows = [row for row in rows if row.end != source.BROKEN]
    return explained(sorted(rows, key=lambda row: (KINDS.index(row.kind), row.id)), SURVIVORS)


def pace_of(*results):
    """Return how long mutants, given as `(id, kind)`, may take: as in earlier results, or as their kind took there."""
    rows = [row for path in results for row in earlier(path)]
    seconds = {row["id"]: row["seconds"] for row in rows}
    pace = Pace(lambda mutant: seconds.get(mutant[0]), lambda mutant: mutant[1])
    for row in rows:
        pace.took((row["id"], row["kind"]), row["seconds"])
    return pace


def earlier(path):
    """Return the rows of an earlier result; none if there is no such result, or one of another version."""
    try:
        return [
            {name: row[name] for name in ("id", "kind", "seconds")} for row in json.loads(path.read_text())["mutants"]
        ]
    except (OSError, ValueError, LookupError, TypeError):
        return []


def finished(job, kind, ids):
    """Return the rows of a job; one that dies gives a row for each of its mutants that says so, which is not a kill."""
    try:
        return job.result()
    except Exception as problem:  # above all, a dead process
        return [
            MutantResult(f"{decided.DIED}{id_}", kind, "", "", f"{type(problem).__name__}: {problem}", "")
            for id_ in ids
        ]


def summarize(rows, console):
    """Print how many mutants each check killed, how many are equivalent, and which survive."""
    counts = Counter((row.kind, row.end) for row in rows)
    ends = [name for name in ENDS if any(end == name for _, end in counts)]
    table = Table(title="Mutants", title_justify="left")
    for heading in ("kind", "mutants", *ends):
        table.add_column(heading, justify="left" if heading == "kind" else "right")
    for kind in KINDS:
        total = sum(count for (other, _), count in counts.items() if other == kind)
        if total:
            table.add_row(kind, str(total), *(str(counts[kind, end]) for end in ends))
    console.print(table)
    unexplained, stale = verdict(rows, SURVIVORS)
    for row in [row for row in rows if not row.killed_by]:
        head = "[yellow]survives, explained[/]" if row.reason else "[red]survives[/]"
        console.print(f"{head} {row.id}  {row.operation}", highlight=False)
        console.print(f"    {row.change}\n    {row.reason}", highlight=False, markup=False)
    for row in doubtful(rows):
        console.print(
            f"[red]{UNSOUND if row.end == UNSOUND else 'never run'}[/] {row.id}  {row.function}", highlight=False
        )
        console.print(f"    {row.change}\n    {row.killed_by}", highlight=False, markup=False)
    for row in stale:
        console.print(f"[red]stale reason[/] {row.id}: {row.killed_by}", highlight=False)
    noticed = [row for row in rows if row.kind == source.KIND and row.killed_by]
    if noticed:
        slowest = max(noticed, key=lambda row: row.seconds)
        console.print(
            f"{len(noticed)} changes of the provers' own source are noticed, each within "
            f"{source.SECONDS} s of processor time; the slowest takes {slowest.seconds:.0f} s: "
            f"{slowest.id}",
            soft_wrap=True,
        )
    killed, equivalent, survivors = tally(rows)
    console.print(
        f"{len(rows)} mutants: {killed} killed, {equivalent} proved equivalent, {survivors} survive, "
        f"{len(unexplained)} of them without a reason; {len(stale)} reasons are stale",
        soft_wrap=True,
    )
    if cross_examined(rows):
        console.print(cross_examined(rows), soft_wrap=True)
    matrix.show([row for row in rows if row.kind == breaks.KIND], console)


def from_0_to_1(text):
    """Parse a share of all."""
    if not 0 <= float(text) <= 1:
        raise argparse.ArgumentTypeError(f"a share is a number from 0 to 1, not {text}")
    return float(text)


def at_least_1(text):
    """Parse a number of processes."""
    if int(text) < 1:
        raise argparse.ArgumentTypeError(f"there must be a process, not {text}")
    return int(text)


def parser():
    """Return the parser of the options."""
    made = argparse.ArgumentParser(prog="python -m corollary.proofs.mutants.run", description=purpose(__doc__))
    made.add_argument(
        "--sample", type=from_0_to_1, default=1.0, metavar="SHARE", help="the share of the mutants to try (1.0: all)"
    )
    made.add_argument("--seed", type=int, default=0, help="which mutants: the same for the same seed")
    made.add_argument("--kind", choices=KINDS, action="append", help="only mutants of this kind; may be repeated")
    made.add_argument(
        "--only", default="", metavar="TEXT", help="only mutants whose id contains this, or of this operation"
    )
    made.add_argument("--workers", type=at_least_1, default=2)
    return made


def result_of(arguments):
    """Return the file that a run with these options writes."""
    chosen, _ = parser().parse_known_args(arguments)
    return PARTIAL if chosen.only or chosen.kind else RESULT


def main(arguments=None):
    """Decide the mutants and write `build/mutants.json`.

    Return 0 if all survivors are explained, no reason is stale and no mutant shows a mistake of the prover.
    """
    chosen, console = parser().parse_args(arguments), Console()
    make_room(result_of(arguments))
    sources = sources_of(KERNEL)
    try:
        rows = run(
            tuple(chosen.kind or KINDS), chosen.seed, chosen.sample, chosen.only, chosen.workers, console=console
        )
    except KeyboardInterrupt:
        console.print("what is decided is kept: the next run goes on from there")
        raise
    write_result(result_of(arguments), rows, sources)
    summarize(rows, console)
    unexplained, stale = verdict(rows, SURVIVORS)
    return 1 if unexplained or stale or doubtful(rows) or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
