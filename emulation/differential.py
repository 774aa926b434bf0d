"""Does the shipped kernel do what the model does, over whole exceptions?

Random traces and states run in an emulator; the model in Python judges.

    python -m corollary.emulation.differential [--steps N] [--seed S] [--workers N]
"""

import argparse
import json
import os
import random
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass, field
from functools import lru_cache

from rich.console import Console

from corollary.codegen.build import BUILD
from corollary.codegen.folders import purpose, write_whole
from corollary.codegen.progress import bar
from corollary.codegen.workers import processes
from corollary.emulation.ears import ears
from corollary.emulation.generator import Generator
from corollary.emulation.lockstep import Differs, Lockstep, shipped
from corollary.emulation.processor import Processor
from corollary.emulation.states import altered
from corollary.emulation.traces import Coverage, Environment, Hypercall
from corollary.model.kernel.gate import OPERATIONS
from corollary.spec.kernel.vocabulary import Ring, Status

RESULT = BUILD / "differential.json"
STEPS = 10_000
LENGTH = 2000  # of one trace
ALTERED_EVERY = 100  # steps between searches for a state that no trace leads to
CAREFUL = 4  # in one of so many traces the root partition makes mistakes


@dataclass
class Trace:
    """The outcome of a trace."""

    seed: int
    taken: int = 0  # steps of the kernel
    altered: int = 0  # states that no trace leads to
    seen: Counter = field(default_factory=Counter)
    difference: str = ""
    instructions: defaultdict = field(default_factory=lambda: defaultdict(list))  # of calls that succeeded, by name

    def count(self, step, status, instructions):
        """Keep the instructions of a call that succeeded, with the exception return, if they were counted at all."""
        if instructions and isinstance(step, Hypercall) and status == Status.OK:
            self.instructions[OPERATIONS[step.operation].name].append(instructions + 1)


@lru_cache(maxsize=1)
def processor():
    """Return the processor, one for all traces of a process."""
    return Processor(shipped())


@lru_cache(maxsize=1)
def counting():
    """Return one that counts its instructions, which takes three times as long."""
    return Processor(shipped()).count()


def counted_trace(seed, length=LENGTH):
    """Run one trace with its instructions counted."""
    return trace(seed, length, counting())


def trace(seed, length=LENGTH, machine=None):
    """Run one trace on both sides, until it is over or they differ."""
    source, found, covered, told = random.Random(seed), Trace(seed), Coverage(), []
    generator = Generator(source, careful=seed % CAREFUL != 0)
    with ears(told):
        try:
            both = Lockstep(generator.information, source, machine or processor(), told)
            while found.taken < length and not both.over and (step := next_step(generator, both, found)) is not None:
                before = both.processor.counted
                step, status = both.step(step)
                covered.note(step, status or Status.OK)
                found.count(step, status, both.processor.counted - before)
                found.taken += not isinstance(step, Environment)
        except Differs as difference:
            found.difference = f"trace {seed}: {difference}"
    found.seen = covered.seen
    return found


def next_step(generator, both, found):
    """Return the next step of a trace; now and then one that alters the state but keeps all invariants."""
    if both.random.random() < 1 / ALTERED_EVERY:
        for step in altered(both.image, both.random):
            found.altered += 1
            return step
    return generator.next(both.model)


def run(steps=STEPS, seed=0, workers=2, console=None, one=trace, enough=lambda done: False):
    """Run traces with one seed after the other, until enough steps are taken or something differs; return them all.

    `one` runs a trace, given its seed and its length. It is enough, too, if `enough` says so of the traces so far.
    """
    done, number = [], seed
    with bar(console or Console()) as progress, processes(workers) as pool:
        task, pending = progress.add_task("steps", total=steps), set()
        while (
            sum(each.taken for each in done) < steps and not any(each.difference for each in done) and not enough(done)
        ):
            while len(pending) < 2 * workers:
                pending.add(pool.submit(one, number, min(LENGTH, steps)))
                number += 1
            ended, pending = wait(pending, return_when=FIRST_COMPLETED)
            done += [job.result() for job in ended]
            progress.update(task, completed=min(steps, sum(each.taken for each in done)))
        for job in pending:
            job.cancel()
    return done


def figures(traces, seconds):
    """Return what came of all traces, as data."""
    covered, steps = Coverage(), sum(each.taken for each in traces)
    for each in traces:
        covered.seen += each.seen
    callable_ = [declared.name for declared in OPERATIONS if declared.required_ring != Ring.ROOT]
    return {
        "steps": steps,
        "traces": len(traces),
        "altered": sum(each.altered for each in traces),
        "differences": [each.difference for each in traces if each.difference],
        "operations": {"succeeded": len(callable_) - len(covered.never_succeeded()), "all": len(callable_)},
        "statuses": {"returned": len(Status) - len(covered.never_returned()), "all": len(Status)},
        "seconds": round(seconds, 1),
        "steps_a_second": round(steps / seconds),
    }


def summary(found):
    """Yield the figures in lines of text."""
    operations, statuses, differences = found["operations"], found["statuses"], found["differences"]
    yield from differences
    yield (
        f"{found['steps']} steps in {found['traces']} traces, with {found['altered']} states that no trace leads to: "
        f"{len(differences)} differences"
    )
    yield (
        f"{operations['succeeded']} of {operations['all']} operations succeeded, "
        f"{statuses['returned']} of {statuses['all']} statuses were returned; {found['seconds']:.0f} s, "
        f"{found['steps_a_second']} steps a second"
    )


def main(arguments=None):
    """Run from the command line, and write `build/differential.json`; return 1 if something differs."""
    parser = argparse.ArgumentParser(prog="python -m corollary.emulation.differential", description=purpose(__doc__))
    parser.add_argument("--steps", type=int, default=STEPS, help="exceptions to take, at least")
    parser.add_argument("--seed", type=int, default=0, help="of the first trace")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options, console, start = parser.parse_args(arguments), Console(), time.perf_counter()
    shipped()  # built once, for every process
    traces = run(options.steps, options.seed, options.workers, console)
    found = figures(traces, time.perf_counter() - start)
    write_whole(RESULT, json.dumps(found, indent=1))
    for line in summary(found):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    return 1 if found["differences"] or not traces else 0


if __name__ == "__main__":
    sys.exit(main())
