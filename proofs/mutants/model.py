"""Would the proofs of a component notice a mistake in its model? Each change of one node must be refuted somewhere.

A mutant is looked for in the first step that runs its function: by the front end, by the proofs about one run of the
step, and by those about two. One that ends the same from every valid state is equivalent: there is nothing to notice.
Every other survivor is a hole in what is promised, or has its reason in the component's `survivors.toml`.
"""

import os
import time
from concurrent.futures import as_completed
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from corollary.codegen.folders import make_room
from corollary.codegen.workers import processes
from corollary.language import ir
from corollary.language.component import declared
from corollary.language.frontend import translate
from corollary.proofs.mutants.ir import mutants_of
from corollary.proofs.mutants.proof import Judge
from corollary.proofs.mutants.row import EQUIVALENT, MutantResult, explained, reasons_in, tally, verdict, write_result
from corollary.proofs.transition import step_named, transitions
from corollary.proofs.verify import sources_of, verify

KIND = "model"
RESULT, PARTIAL = Path("build/mutants.json"), Path("build/mutants-only.json")
SURVIVORS = Path("survivors.toml")
CHUNK = 6  # mutants of one job


def mutants(component):
    """Return every mutant of the functions that the steps of a component run, each for the first such step."""
    found = {}
    for transition in transitions(component):
        whole = translate(transition.function)
        for function in (whole, *ir.below(whole)):
            for mutant in mutants_of(function) if function.symbol not in found else ():
                if mutant.visible():
                    found.setdefault(function.symbol, {})[mutant.id] = replace(mutant, operation=transition.name)
    return {id_: mutant for known in found.values() for id_, mutant in known.items()}


@lru_cache(maxsize=1)
def known(name):
    """Return the mutants of a component by its name, made once for each process."""
    return mutants(declared(name))


@lru_cache(maxsize=2)
def judge_of(name, step):
    """Return the judge of a step of a component, made once for each process."""
    return Judge(step_named(step, declared(name)))


def decide(name, ids):
    """Return the rows of some mutants of a component."""
    return [decided(name, known(name)[id_]) for id_ in ids]


def decided(name, mutant):
    """Return the row of one mutant: what noticed it, or that there is nothing to notice."""
    start, judge = time.perf_counter(), judge_of(name, mutant.operation)
    row = MutantResult(mutant.id, KIND, mutant.function.symbol, mutant.operation, mutant.change, mutant.what)
    row.killed_by = noticed(judge, mutant) or ""
    row.seconds = round(time.perf_counter() - start, 2)
    return row


def noticed(judge, mutant):
    """Return what notices a mutant, or that it is equivalent; None if it survives."""
    try:
        found = judge.verdict(mutant)
        if found:
            return found
        if judge.is_equivalent(mutant):
            return f"{EQUIVALENT}: it ends the same from every state"
        return judge.verdict(mutant, patient=True) or judge.of_two_runs(mutant)
    except Exception as problem:  # the changed function is no program: the prover cannot run it
        return f"front-end: {type(problem).__name__}: {problem}"


def run(component, only="", console=None):
    """Decide the mutants whose id, function or step contains a text; return their rows."""
    chosen = {
        id_: mutant
        for id_, mutant in known(component.name).items()
        if only in id_ or only in mutant.operation or only in mutant.function.symbol
    }
    chunks = list(by_step(chosen))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    rows = []
    with Progress(*columns, console=console) as progress, processes(os.cpu_count()) as pool:
        task = progress.add_task("mutants", total=len(chosen))
        for job in as_completed([pool.submit(decide, component.name, ids) for ids in chunks]):
            rows += job.result()
            alive = sum(not row.killed_by for row in rows)
            progress.update(task, completed=len(rows), description=f"{len(rows)} mutants, {alive} alive")
    return explained(sorted(rows, key=lambda row: (row.operation, row.id)), SURVIVORS)


def by_step(chosen):
    """Yield ids of a few mutants of one step each."""
    steps = {}
    for id_, mutant in chosen.items():
        steps.setdefault(mutant.operation, []).append(id_)
    for ids in steps.values():
        yield from (ids[at : at + CHUNK] for at in range(0, len(ids), CHUNK))


def main(component, only=""):
    """Decide the mutants, write `build/mutants.json`, print survivors; return 0 if each has a reason.

    What is not proved as it is would notice every mutant.
    """
    console = Console()
    make_room(RESULT)
    reasons_in(SURVIVORS)  # before the proofs, as they may be wrong
    sources = sources_of(component)
    red = [str(row["id"]) for row in verify(component, console=console) if row["result"] != "proved"]
    if red:
        console.print(f"not proved as it is: {', '.join(red)}; `corollary verify` says why", markup=False)
        return 1
    rows = run(component, only, console)
    write_result(PARTIAL if only else RESULT, rows, sources)
    for row in rows:
        if not row.killed_by:
            console.print(
                f"survives  {row.id}  {row.operation}  {row.change}  {row.reason}", markup=False, soft_wrap=True
            )
    unexplained, stale = verdict(rows, SURVIVORS)
    for row in stale:
        console.print(f"stale reason  {row.id}: {row.killed_by}", markup=False, soft_wrap=True)
    killed, equivalent, survivors = tally(rows)
    console.print(f"{len(rows)} mutants: {killed} killed, {equivalent} proved equivalent, {survivors} survive")
    return 1 if unexplained or stale or not rows else 0
