"""How are all obligations decided, in parallel, each at most once until it changes?

Jobs are whole steps, so that a step is executed symbolically once; rows are cached one by one under the
fingerprint of all that they depend on. A worker that dies makes one obligation red; the rest goes on. Nothing here has a
part in what comes of an obligation or in which there are, so an edit of it leaves all that is kept.
"""

import json
import os
import time
from concurrent.futures import BrokenExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from proofs import cache, steps
from proofs.machine import handlers
from proofs.machine import obligations as code
from proofs.prove import Row
from proofs.workers import processes
from spec.language.reads import recording

RESULT = Path("build/verify.json")
PARTIAL = Path("build/verify-only.json")    # of a run with `only`; newer than the other, it overrides what it names


def kept_rows(name, only):
    """The rows of a step, if every obligation of it that is asked for was proved before and nothing has changed; else None."""
    listing = cache.recall(listed(name))
    rows = [cached_row(id_) for id_ in listing if only in id_] if listing is not None else [None]
    return rows if all(rows) else None


def listed(name):
    """The id under which the list of a step's obligations is kept."""
    return f"the obligations of {name}"


def decide_step(name, only, run, crashed=()):
    """Decide the obligations of one step that are not in the cache: rows as dictionaries, and why nothing is kept, if so."""
    with recording() as read:
        questions = steps.questions(name)
    code = {("code", cache.code_of(decide)) for _, _, decide in questions}
    cache.remember(listed(name), {*read, *code, ("text", steps.__name__)}, [id_ for id_, _, _ in questions])
    common = {(kind, what) for kind, what in read if kind not in ("registry", "names")}   # which there are makes the list, and no answer
    rows = [cached_row(id_) or decide_one(name, id_, level, decide, run, crashed, common) for id_, level, decide in questions if only in id_]
    return rows, cache.STOPPED


def cached_row(id_):
    """A row proved before, marked as cached; None if there is none."""
    row = cache.recall(id_)
    return row and cache.with_sentence(row) | {"cached": True}


def decide_one(name, id_, level, decide, run, crashed, common=frozenset()):
    """Decide one obligation; whatever goes wrong in the solver is that obligation's own failure."""
    start = time.perf_counter()
    cache.begin(run, name, id_)
    with recording() as read:
        try:
            row = failed(name, id_, level, "the solver crashed") if id_ in crashed else decide()
        except Exception as problem:  # the other obligations must not suffer
            row = failed(name, id_, level, f"{type(problem).__name__}: {problem}", time.perf_counter() - start)
    data = asdict(row) | {"counterexample": row.counterexample.as_json() if row.counterexample else None}
    if row.result == "proved":
        cache.remember(id_, {*common, *read, ("code", cache.code_of(decide))}, cache.without_sentence(data))
    return data


def failed(name, id_, level, reason, seconds=0.0):
    """The row of an obligation that was not decided."""
    return Row(id_, level, id_.split("/", 1)[-1], name, "unknown", seconds, reason=reason)


# ---- the whole run


def verify(only="", workers=None, console=None):
    """Decide every obligation whose id contains `only`; the rows."""
    rows, run = [], f"{os.getpid()}-{time.monotonic_ns()}"
    for build in code.BUILDS:
        code.built(build)       # once, for every worker
    handlers.built()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console or Console()) as progress:
        task = progress.add_task("steps", total=len(steps.names()))
        for new in in_parallel(only, run, workers or os.cpu_count()):
            rows += new
            red = sum(row["result"] != "proved" for row in rows)
            progress.update(task, advance=1, description=f"{len(rows)} obligations, {red} red")
    cache.forget_run(run)
    if not only:
        rows += [asdict(row) for row in code.over_all(rows)]
    return sorted(rows, key=lambda row: row["id"])


def in_parallel(only, run, workers):
    """The rows of each step as it is finished; steps whose worker died are taken up again, one by one."""
    left = []
    for name in steps.names():
        rows = kept_rows(name, only)
        left += [name] if rows is None else []
        yield from [rows] if rows is not None else ()
    try:
        with processes(workers) as pool:
            jobs = {pool.submit(decide_step, name, only, run): name for name in left}
            for job in as_completed(jobs):
                rows, cache.STOPPED[:] = job.result()
                left.remove(jobs[job])
                yield rows
    except BrokenExecutor:
        for name in left:
            yield alone(name, only, run)


def alone(name, only, run):
    """The rows of one step in a process of its own, leaving out each obligation that kills it."""
    crashed = set()
    while True:
        try:
            with processes(1) as pool:
                return pool.submit(decide_step, name, only, run, tuple(crashed)).result()[0]
        except BrokenExecutor:
            culprit = cache.last_begun(run, name)
            if culprit is None or culprit in crashed:
                return [asdict(failed(name, f"{name}/worker", 1, "the worker died"))]
            crashed.add(culprit)


def write_result(rows, seconds, path=RESULT):
    """Write the machine-readable result."""
    result = {"seconds": round(seconds, 1), "kernel_sha256": code.built().sha256, "obligations": rows}
    cache.write(path, json.dumps(result, indent=1))


def summarize(rows, seconds, console):
    """Print the totals, whatever is red, and the ten slowest."""
    for row in rows:
        if row["result"] != "proved":
            console.print(f"[red]{row['result']:8}[/] {row['id']}  {row['sentence']}  {row['reason']}")
    table = Table(title="Obligations", title_justify="left")
    for heading in ("level", "proved", "failed", "unknown", "cached", "solver seconds"):
        table.add_column(heading, justify="right")
    for level in sorted({row["level"] for row in rows}):
        mine = [row for row in rows if row["level"] == level]
        table.add_row(str(level), *(str(sum(row["result"] == result for row in mine)) for result in ("proved", "refuted", "unknown")),
                      str(sum(row["cached"] for row in mine)), f"{sum(row['seconds'] for row in mine):.1f}")
    console.print(table)
    slow = Table(title="Slowest ten", title_justify="left")
    slow.add_column("obligation")
    slow.add_column("seconds", justify="right")
    for row in sorted(rows, key=lambda row: -row["seconds"])[:10]:
        slow.add_row(row["id"], f"{row['seconds']:.2f}")
    console.print(slow)
    console.print(f"{len(rows)} obligations, {sum(r['result'] == 'proved' for r in rows)} proved, "
                  f"{sum(r['result'] == 'refuted' for r in rows)} failed, {sum(r['result'] == 'unknown' for r in rows)} unknown, {seconds:.1f} s")


def main(only=""):
    """Verify everything, write `build/verify.json`, print the summary; 0 when all is proved."""
    console, start = Console(), time.perf_counter()
    RESULT.parent.mkdir(parents=True, exist_ok=True)     # what cannot be written should not be proved first
    try:
        rows = verify(only, console=console)
    except KeyboardInterrupt:
        console.print("what is proved is kept: the next run goes on from there")
        raise
    seconds = time.perf_counter() - start
    summarize(rows, seconds, console)
    for warning in cache.STOPPED:
        console.print(f"[yellow]warning[/] {warning}")
    path = PARTIAL if only else RESULT
    try:
        write_result(rows, seconds, path)
    except OSError as problem:
        console.print(f"[red]error[/] {path} cannot be written: {problem.strerror}; make room or give access, and verify again")
        return 1
    return 0 if rows and all(row["result"] == "proved" for row in rows) else 1
