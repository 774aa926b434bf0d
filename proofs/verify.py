"""How are all obligations decided, in parallel, each at most once until something changes?

A job is a few obligations of one step. A worker keeps the steps that it was last busy with, so that it executes each
once. Rows are cached one by one under the fingerprint of everything that they depend on. A worker that dies makes one
obligation red; the rest goes on. Nothing here has a part in the result of an obligation, or in which obligations there
are. So an edit of this module leaves everything in the cache.
"""

import contextlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Set
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, wait
from contextlib import ExitStack
from dataclasses import asdict
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from corollary.codegen import progress
from corollary.codegen.folders import make_room, write_whole
from corollary.codegen.workers import Here
from corollary.language.component import declared
from corollary.language.contracts import ContractError
from corollary.language.frontend import translate
from corollary.language.property import KINDS, component_of
from corollary.language.reads import recording
from corollary.language.types import LanguageError, OutOfRange
from corollary.proofs import cache, cluster, fingerprint, replay, second, steps, witnesses
from corollary.proofs.jobs import Jobs
from corollary.proofs.pair import OTHER
from corollary.proofs.prove import ALWAYS, ANY_STATE, ObligationResult, corollary_step
from corollary.proofs.transition import step_named

RESULT = Path("build/verify.json")
PARTIAL = Path("build/verify-only.json")  # of a run with `only`; if newer than the other, it overrides what it names
STEPS = 4  # steps that a worker keeps: it may help with one, and come back
ALL = "all obligations"
WHOLE = ("all", "sources")
PROJECT = "corollary."  # how the names of modules of this project begin
LOOK = 2.0  # seconds between questions to a cluster whether its workers are still there


# ---- what a worker does


def listed(name):
    """Return the id under which the list of a step's obligations is kept."""
    return f"the obligations of {name}"


def room(component):
    """Return how the names begin under which something is kept of a component, beside what is kept of the kernel."""
    return f"{component.name}." if component.state.__module__.startswith(PROJECT) and not component.machine else ""


def kept_as(id_, component):
    """Return the name under which something is kept of a component, which is given by its name."""
    return room(declared(component)) + id_


def results_of(component):
    """Return where the result for a component goes, and the result for some of its obligations."""
    beside = RESULT.parent / component.name
    return (beside / RESULT.name, beside / PARTIAL.name) if room(component) else (RESULT, PARTIAL)


@lru_cache(maxsize=STEPS)
def questions_of(name, component):
    """Return the obligations of a step, `id -> (level, decide)`, and what was read to list them."""
    with recording() as read:
        found = list(steps.questions(name, declared(component)))
    questions = {id_: (level, decide) for id_, level, decide in found}
    if len(questions) < len(found):
        refuse_twice([id_ for id_, _, _ in found], declared(component))
    return questions, frozenset(read)


def refuse_twice(ids, component):
    """Raise `LanguageError`: two obligations have one id, and only one of them would be decided."""
    id_ = next(id_ for id_, count in Counter(ids).items() if count > 1)
    named = id_.split("/", 1)[1]
    functions = [
        promise.function
        for kind in KINDS
        for promise in dict.values(component.promises(kind))
        if named == promise.id or named.startswith(f"{promise.id}-")
    ]
    place = (functions[0].__code__.co_filename, functions[0].__code__.co_firstlineno) if functions else ("?", 0)
    raise LanguageError(f"two obligations have the id {id_}", *place, "another id for the promise")


def list_step(name, component):
    """Return the ids of the obligations of a step, and keep them for the next run."""
    questions, read = questions_of(name, component)
    deciding = {each for _, decide in questions.values() for each in code_behind(decide, component)}
    texts = {("text", module) for module in steps.modules(declared(component))}
    cache.remember(kept_as(listed(name), component), {*read, *deciding, *texts}, list(questions))
    return list(questions)


def decide_rows(name, ids, run, worker, crashed, component):
    """Decide some obligations of one step.

    Return the rows as dictionaries, and, if nothing can be kept, why.
    """
    questions, read = questions_of(name, component)
    common = cache.of_answers(read)
    rows = [
        cached_row(id_, component) or decide_one(name, id_, *questions[id_], run, crashed, component, common, worker)
        for id_ in ids
    ]
    return rows, cache.STOPPED


def code_behind(decide, component):
    """Return what an answer rests on besides what it read: the declaration, and what decides and all that this imports.

    A component without an image may be proved in less time than it takes to find out: its proofs rest on all of this
    project.
    """
    code = ("code", cache.code_of(decide)) if declared(component).machine else WHOLE
    return {code, ("component", component)}


def cached_row(id_, component):
    """Return a row that was proved before, marked as cached; None if there is none."""
    row = cache.recall(kept_as(id_, component))
    return row and cache.with_sentence(row, component) | {"cached": True}


def decide_one(name, id_, level, decide, run, crashed, component, common: Set = frozenset(), worker="here"):
    """Decide one obligation; whatever goes wrong in the solver fails this obligation only."""
    start = time.perf_counter()
    cache.begin(run, worker, id_)
    with recording() as read:
        try:
            row = failed(name, id_, level, "the solver crashed") if id_ in crashed else decide()
        except Exception as problem:  # the other obligations must not suffer
            row = failed(name, id_, level, f"{type(problem).__name__}: {problem}", time.perf_counter() - start)
    data = as_data(row)
    if row.result == "proved":
        if row.state is not None and row.solver != witnesses.SOLVER:
            witnesses.save(kept_as(id_, component), row.state)
        listing = () if getattr(decide, "apart", False) else common
        rests_on = {*listing, *read, *code_behind(decide, component)}
        cache.remember(kept_as(id_, component), rests_on, cache.without_sentence(data, component))
    return data


def as_data(row):
    """Return a row as it is stored in files: without the state that shows something, which is kept separately."""
    data = asdict(row) | {"counterexample": row.counterexample.as_json() if row.counterexample else None}
    del data["state"]
    return data


def failed(name, id_, level, reason, seconds=0.0):
    """Return the row of an obligation that was not decided."""
    return ObligationResult(id_, level, id_.split("/", 1)[-1], name, "unknown", seconds, reason=reason)


# ---- the whole run


def verify(component, only="", workers=None, console=None, there=()):
    """Decide every obligation whose id contains `only`, here or by the workers of a cluster; return the rows."""
    machine = steps.machine_of(component)
    if machine is None:
        steps.compile_all(component)
        return decided(component, only, workers, console, there)
    machine.build()
    kept = None if only else cache.recall(ALL)
    if kept is not None:
        return [row | {"cached": True} for row in kept]
    rows = decided(component, only, workers, console, there)
    if only:
        return rows
    rows = sorted([*rows, *map(as_data, machine.over_all(rows))], key=lambda row: row["id"])
    same = fingerprint.of_all("sources") == fingerprint.now(*WHOLE) and not fingerprint.rewritten()
    if same and all(row["result"] == "proved" for row in rows):
        cache.remember(ALL, everything(machine), rows)
    return rows


def everything(machine):
    """Return what all rows together rest on, whatever each has read: while it says the same, so does every row."""
    return {WHOLE, ("option", second.SWITCH), *machine.IMAGES}


def decided(component, only="", workers=None, console=None, there=()):
    """Decide the obligations of a component one by one, with a bar of progress; return the rows in order."""
    rows, red, run, console = [], 0, f"{os.getpid()}-{time.monotonic_ns()}", console or Console()
    fingerprint.now(*WHOLE)  # as it is before anything is decided, and once for every worker
    said = partial(console.print, markup=False)
    running = Verification(component, run, workers or os.cpu_count(), there, said)
    with progress.bar(console) as shown:
        task = shown.add_task("steps", total=len(steps.names(component)))
        for new, finished in in_parallel(only, running):
            rows += new
            red += sum(row["result"] != "proved" for row in new)
            text = f"{len(rows)} obligations, {red} red"
            shown.update(task, advance=finished, description=text, **progress.left(running.seconds_left()))
    cache.forget_run(run)
    return sorted(rows, key=lambda row: row["id"])


def in_parallel(only, run):
    """Yield `(rows, steps)` as they are finished: kept rows at once, and then what is decided anew."""
    before = room(run.component)
    jobs = Jobs(lambda id_: cache.seconds_of(before + id_))
    for name in steps.names(run.component):
        ids = cache.recall(before + listed(name)) if steps.may_hold(name, only, run.component) else []
        if ids is None:
            jobs.add_step(name, cache.last(before + listed(name)) or ())
        else:
            yield recalled(jobs, name, ids, only, run.component.name), name not in jobs.left
    if jobs:
        yield from run.rows(jobs, only)


def recalled(jobs, name, ids, only, component):
    """Return the rows of a step that are kept, and add whatever else is asked for to the jobs."""
    rows = {id_: cached_row(id_, component) for id_ in ids if only in id_}
    jobs.add(name, [id_ for id_, row in rows.items() if row is None])
    return [row for row in rows.values() if row is not None]


class Verification:
    """One run: its workers, who is busy with what, and what came of it."""

    def __init__(self, component, name, count, there=(), say=print):
        self.name, self.count, self.say, self.component = name, count, say, component
        self.there, self.here = list(there), []
        self.busy, self.last, self.crashed, self.undecided, self.lost = {}, {}, set(), [], []
        self.jobs: Any = None

    def rows(self, jobs, only):
        """Yield `(rows, steps that are finished)`; ask again what is unknown when no worker is busy any more."""
        self.jobs, self.only = jobs, only
        with ExitStack() as self.stack:
            while self.assign():
                finished, _ = wait(self.busy, LOOK if self.there else None, FIRST_COMPLETED)
                for future in finished:
                    worker, job = self.busy.pop(future)
                    yield self.decided(job.step, self.outcome(future, worker, job)), self.is_finished(job.step)
                self.look_after()
        for step, row in self.undecided:
            yield [once_more(step, row, self.name, self.component.name)], 0

    def seconds_left(self):
        """Return the seconds that the rest may take on all workers; None before it is known."""
        return None if self.jobs is None else self.jobs.all_left() / max(len(self.there) + len(self.here), 1)

    def assign(self):
        """Give each idle worker a job, if any is left. Is any worker busy?"""
        self.enlist()
        for worker in (*self.there, *self.here):
            if all(worker is not other for other, _ in self.busy.values()):
                job = (
                    self.lost.pop() if self.lost and worker in self.here else self.jobs.next(self.last.get(worker.name))
                )
                if job is not None:
                    self.give(worker, job)
        return bool(self.busy)

    def enlist(self):
        """Start workers here: one for what a cluster has lost, or all when the cluster has no worker."""
        wanted = 0 if self.there and not self.lost else 1 if self.there else self.count
        while len(self.here) < wanted:
            self.here.append(self.stack.enter_context(Here(f"worker-{len(self.here)}")))

    def give(self, worker, job):
        """Let a worker do a job."""
        self.last[worker.name] = job.step
        what = (
            (list_step, job.step)
            if job.ids is None
            else (decide_rows, job.step, job.ids, self.name, worker.name, tuple(self.crashed))
        )
        self.busy[worker.submit(*what, self.component.name)] = worker, job

    def look_after(self):
        """Take back the jobs of cluster workers that are gone."""
        for future, (worker, job) in list(self.busy.items()):
            if worker.is_gone():
                del self.busy[future]
                self.lose(worker, job)

    def lose(self, worker, job):
        """Do without a worker of a cluster.

        Its job is done here: if an obligation kills its worker, that shows here.
        """
        self.say(f"{worker.name} is gone: what it was busy with is decided here")
        self.there.remove(worker)
        self.lost.append(job)

    def outcome(self, future, worker, job):
        """Return the rows that came of a job."""
        try:
            answer = worker.taken(future.result())
        except BrokenExecutor:
            worker.restart()
            return self.died(worker, job)
        except (Exception, CancelledError):
            if worker not in self.there:
                raise
            self.lose(worker, job)
            return []
        if job.ids is None:
            return recalled(self.jobs, job.step, answer, self.only, self.component.name)
        rows, stopped = answer
        cache.STOPPED[:] = stopped if worker in self.here else cache.STOPPED
        for row in rows:
            self.jobs.took(row["id"], row["seconds"])
        return rows

    def died(self, worker, job):
        """Put back the job of a dead worker, and mark the obligation that killed it."""
        culprit = cache.last_begun(self.name, worker.name)
        if job.ids is None or culprit not in job.ids or culprit in self.crashed:
            return [as_data(failed(job.step, f"{job.step}/worker", 1, "the worker died"))]
        self.crashed.add(culprit)
        self.jobs.add(job.step, job.ids)
        return []

    def decided(self, step, rows):
        """Return rows without unknown ones, which are asked again in the end, unless one killed its worker."""
        again = [
            row for row in rows if row["result"] == "unknown" and row["id"] not in {*self.crashed, f"{step}/worker"}
        ]
        self.undecided += [(step, row) for row in again]
        return [row for row in rows if row not in again]

    def is_finished(self, step):
        """Is nothing left of a step, and is no worker busy with it?"""
        left = [*self.lost, *(job for _, job in self.busy.values())]
        return step not in self.jobs.left and all(job.step != step for job in left)


def once_more(step, row, run, component):
    """Decide an obligation again in a fresh process: how a solver searches depends on what it did before."""
    try:
        with Here("once more") as worker:
            rows, _ = worker.submit(decide_rows, step, (row["id"],), run, worker.name, (), component).result()
            return rows[0]
    except BrokenExecutor:
        return row


def write_result(rows, seconds, component, path=RESULT):
    """Write the machine-readable result."""
    machine = steps.machine_of(component)
    image = {f"{component.name}_sha256": machine.shipped()} if machine else {}
    result = {"seconds": round(seconds, 1), **image, "sources": sources_of(component), "obligations": rows}
    write_whole(path, json.dumps(result, indent=1))


def outdated(result, component):
    """Was a result made from other sources than the present ones?"""
    return result.get("sources") != sources_of(component)


def sources_of(component):
    """Return the fingerprint of all sources of a component, wherever they are."""
    if component.machine:
        return fingerprint.of_sources()
    texts = (Path(str(sys.modules[name].__file__)).read_text() for name in modules_of(component))
    said = (fingerprint.of_function(translate(function)) for function in said_by(component))
    return fingerprint.digest(fingerprint.of_sources(), *texts, fingerprint.of_value(component), *said)


def said_by(component):
    """Return the functions of a component. What they say depends on constants, too, which may come from anywhere."""
    promised = (promise.function for kind in KINDS for promise in dict.values(component.promises(kind)))
    return [*component.functions, *promised]


def modules_of(component):
    """Return the names of the modules of a component, and of those whose functions it may call, if they have a file."""
    rooms = {component.name, *component.calls}
    known = {name for name in list(sys.modules) if component_of(name) in rooms}
    return sorted(name for name in known if getattr(sys.modules[name], "__file__", None))


def rewritten(component):
    """Return the modules that were written while in use, of this project and of a component."""
    files = {name: Path(str(sys.modules[name].__file__)) for name in modules_of(component)}
    mine = {name for name, path in files.items() if not path.exists() or fingerprint.written_since(path)}
    return sorted(mine.union(fingerprint.rewritten()))


def summarize(rows, seconds, console, name=""):
    """Print the totals, everything that is red, and the ten slowest; `name` is of the component."""
    for row in rows:
        if row["result"] != "proved":
            console.print(f"[red]{row['result']:8}[/] {escape(plain_line(row))}")
    table = Table(title=f"Obligations of {name}" if name else "Obligations", title_justify="left")
    for heading in ("level", "proved", "failed", "unknown", "cached", "solver seconds"):
        table.add_column(heading, justify="right")
    for level in sorted({row["level"] for row in rows}):
        mine = [row for row in rows if row["level"] == level]
        table.add_row(
            str(level),
            *(str(sum(row["result"] == result for row in mine)) for result in ("proved", "refuted", "unknown")),
            str(sum(row["cached"] for row in mine)),
            f"{sum(row['seconds'] for row in mine):.1f}",
        )
    console.print(table)
    slow = Table(title="Slowest ten", title_justify="left")
    slow.add_column("obligation")
    slow.add_column("seconds", justify="right")
    for row in sorted(rows, key=lambda row: -row["seconds"])[:10]:
        slow.add_row(row["id"], f"{row['seconds']:.2f}")
    console.print(slow)
    console.print(
        f"{len(rows)} obligations, {sum(r['result'] == 'proved' for r in rows)} proved, "
        f"{sum(r['result'] == 'refuted' for r in rows)} failed, {sum(r['result'] == 'unknown' for r in rows)} unknown, "
        f"{seconds:.1f} s"
    )


def plain_line(row):
    """Return what a row says besides its result: which promise, and why it is not proved."""
    return f"{row['id']}  {row['sentence']}  {row['reason']}"


def narrated(rows, component, console):
    """Print every counterexample: its step is taken again in the model."""
    for row in rows:
        if row["counterexample"]:
            console.print(f"\n{row['id']}\n{told(row, component)}", markup=False, highlight=False)


def told(row, component):
    """Return in words how the counterexample of a row goes: its step is taken again in the model."""
    example = replay.load(row["counterexample"], component)
    take = replay.replay_both if OTHER in example.roots else partial(replay.replay, property_=ALWAYS)
    with contextlib.suppress(OutOfRange, IndexError, ContractError):  # the model stops where nothing fits any more
        take(example, step_of(example.transition, component))
    return replay.narrate(example)


def step_of(name, component):
    """Return a step of a component by its name, or the step that does nothing."""
    return corollary_step(component).transition if name == ANY_STATE else step_named(name, component)


def verify_there(where, component, only, console):
    """Decide everything by the workers of a cluster, or here if there is none.

    Raises `Unusable` when `where` can be no cluster.
    """
    try:
        with cluster.opened(where) as client:
            there = list(cluster.usable(client, partial(console.print, markup=False)))
            if not there:
                raise cluster.Away(f"no worker of {where} can be used")
            return verify(component, only, console=console, there=there)
    except cluster.Away as problem:
        console.print(f"{problem}: all is decided here", markup=False)
        return verify(component, only, console=console)


def main(component, only="", dask="", narrating=False):
    """Verify everything, write the result, print the summary; return 0 when all is proved, and there is something.

    Print the counterexamples, too, if `narrating`. Raises `Unusable` when `dask` can be no cluster.
    """
    code, count = run(component, only, dask, narrating)
    return code if count else 1


def every(components, only="", dask=""):
    """Verify several components one after the other; return 0 when all is proved, and there is something."""
    ends = [run(component, only, dask) for component in components]
    return 0 if any(count for _, count in ends) and not any(code for code, _ in ends) else 1


def run(component, only="", dask="", narrating=False):
    """Do the same as `main`; return 0 when all that there is is proved, and the number of obligations."""
    console, start = Console(), time.perf_counter()
    whole, partial_ = results_of(component)
    make_room(whole)
    try:
        if dask:
            rows = verify_there(dask, component, only, console)
        else:
            rows = verify(component, only, console=console)
    except KeyboardInterrupt:
        console.print("what is proved is kept: the next run goes on from there")
        raise
    seconds = time.perf_counter() - start
    if rows or not room(component):  # nothing of another component may have been asked for
        summarize(rows, seconds, console, room(component) and component.name)
    for left in steps.left_out(component):
        console.print(f"[yellow]not proved[/] {escape(left)}", highlight=False, soft_wrap=True)
    if narrating:
        narrated(rows, component, console)
    for warning in cache.STOPPED:
        console.print(f"[yellow]warning[/] {warning}")
    path, changed = partial_ if only else whole, rewritten(component)
    if changed:
        console.print(
            f"[red]error[/] {', '.join(changed)} was written while this run went on: "
            "what it says is of neither text; verify again"
        )
        return 1, len(rows)
    try:
        write_result(rows, seconds, component, path)
    except OSError as problem:
        console.print(
            f"[red]error[/] {path} cannot be written: {problem.strerror}; make room or give access, and verify again"
        )
        return 1, len(rows)
    return int(any(row["result"] != "proved" for row in rows)), len(rows)
