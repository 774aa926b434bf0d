"""How are all obligations decided, in parallel, each at most once until it changes?

Jobs are whole steps, so that a step is executed symbolically once; rows are cached one by one under the
fingerprint of all that they depend on. A worker that dies makes its obligations red and nothing else.
"""

import json
import os
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from proofs import cover, fingerprint
from proofs.prove import Row, Step, corollary_questions, corollary_step
from proofs.transition import transitions
from spec.language.frontend import translate
from spec.property import COROLLARIES, INVARIANTS, THEOREMS

CACHE = Path("build/cache/proofs")
RESULT = Path("build/verify.json")
PARTIAL = Path("build/verify-only.json")    # of a run with `only`; newer than the other, it overrides what it names


class Plan:
    """Every obligation, grouped by step, with the key under which its result is kept."""

    def __init__(self, only=""):
        self.steps = {transition.name: transition for transition in transitions()}
        self.common = fingerprint.digest(fingerprint.prover(), *(
            fingerprint.of_function(translate(p.function)) for p in INVARIANTS.values()))
        self.only = only

    def key(self, name, id_):
        """The content hash of one obligation."""
        transition = self.steps.get(name)
        parts = [self.common, id_, fingerprint.of_function(translate(transition.function)) if transition else "any state"]
        if transition and transition.operation:
            parts.append(fingerprint.of_operation(transition.operation))
        property_ = id_.split("/", 1)[1]
        for registry in (INVARIANTS, THEOREMS, COROLLARIES):
            if property_ in registry:
                parts.append(fingerprint.of_function(translate(registry[property_].function)))
        return fingerprint.digest(*parts)

    def names(self):
        """The names of all steps, the corollaries last."""
        return [*self.steps, "any state"]


def build_step(name):
    """The questions of one step."""
    if name == "any state":
        step = corollary_step()
        return [*corollary_questions(step), *cover.questions(step)]
    transition = next(t for t in transitions() if t.name == name)
    return list(Step(transition).questions())


def decide_step(name, only):
    """Decide the obligations of one step that are not in the cache; rows as dictionaries."""
    plan, rows = Plan(only), []
    listing = cached_listing(plan, name)
    if listing is not None:
        found = {id_: recall(plan.key(name, id_)) for id_ in listing if only in id_}
        if all(found.values()):
            return list(found.values())
    questions = build_step(name)
    remember(listing_key(plan, name), [id_ for id_, _, _ in questions])
    for id_, level, decide in questions:
        if only not in id_:
            continue
        row = recall(plan.key(name, id_)) or settle(plan, name, id_, level, decide)
        rows.append(row)
    return rows


def settle(plan, name, id_, level, decide):
    """Decide one obligation; whatever goes wrong in the solver is that obligation's own failure."""
    start = time.perf_counter()
    try:
        row = decide()
    except Exception as problem:  # a crash of the solver must not hide the other rows
        row = Row(id_, level, id_.split("/", 1)[1], name, "unknown", time.perf_counter() - start, reason=f"{type(problem).__name__}: {problem}")
    data = asdict(row) | {"counterexample": row.counterexample.as_json() if row.counterexample else None}
    if row.result == "proved":
        remember(plan.key(name, id_), data)
    return data


# ---- the cache: one file per key, written whole or not at all

def listing_key(plan, name):
    """The key of the list of a step's obligations."""
    return plan.key(name, f"{name}/*") + "-" + fingerprint.digest(*sorted(THEOREMS), *sorted(COROLLARIES))[:16]


def cached_listing(plan, name):
    """The ids of a step's obligations, if the step is known."""
    path = CACHE / f"{listing_key(plan, name)}.json"
    return json.loads(path.read_text()) if path.exists() else None


def recall(key):
    """A row proved before, marked as cached."""
    path = CACHE / f"{key}.json"
    try:
        return json.loads(path.read_text()) | {"cached": True}
    except (OSError, ValueError):
        return None


def remember(key, data):
    """Keep a result; a reader sees it whole or not at all."""
    CACHE.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=CACHE)
    with os.fdopen(handle, "w") as file:
        json.dump(data, file)
    os.replace(name, CACHE / f"{key}.json")


# ---- the whole run

def verify(only="", workers=None, console=None):
    """Decide every obligation whose id contains `only`; the rows."""
    console = console or Console()
    plan, rows = Plan(only), []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress, ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        task = progress.add_task("steps", total=len(plan.names()))
        jobs = {pool.submit(decide_step, name, only): name for name in plan.names()}
        for job in as_completed(jobs):
            rows += finished(job, jobs[job])
            red = sum(row["result"] != "proved" for row in rows)
            progress.update(task, advance=1, description=f"{len(rows)} obligations, {red} red")
    return sorted(rows, key=lambda row: row["id"])


def finished(job, name):
    """The rows of a finished job; a dead worker is one red row."""
    try:
        return job.result()
    except Exception as problem:
        return [asdict(Row(f"{name}/worker", 1, "worker", name, "unknown", 0.0, reason=f"{type(problem).__name__}: {problem}"))]


def write_result(rows, seconds, path=RESULT):
    """Write the machine-readable result."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"seconds": round(seconds, 1), "obligations": rows}, indent=1))


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
    rows = verify(only, console=console)
    seconds = time.perf_counter() - start
    write_result(rows, seconds, PARTIAL if only else RESULT)
    summarize(rows, seconds, console)
    return 0 if rows and all(row["result"] == "proved" for row in rows) else 1
