"""Does the shipped kernel, inside QEMU, do what the model does? Random traces run on both, down to the last byte.

`python -m tests.differential --operations 100000` runs it from the command line and prints the figures.
"""

import argparse
import os
import random
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from corollary.emulation.generator import Generator
from corollary.emulation.machine import Server
from corollary.emulation.traces import Age, Fault, Hypercall, Preempt, Store, apply, booted, shrink
from corollary.language.layout import encode, leaf_at, size_of
from corollary.language.values import spell
from corollary.spec.kernel.hardware import POOL_BASE
from corollary.spec.kernel.memory_map import RAM
from corollary.spec.kernel.state import Call, Kernel

LENGTH = 500  # steps of one trace


@dataclass(frozen=True)
class Difference:
    """The first difference between the kernel and the model, and a short trace that shows it."""

    seed: int
    what: str
    steps: tuple


def recorded(seed, length):
    """Return a trace with the model's answers: boot information, steps, outcomes, final state."""
    generator = Generator(random.Random(seed))
    state, taken = booted(generator.information), []
    while len(taken) < length and (step := generator.next(state)) is not None:
        take(state, step, taken)
    return generator.information, taken, state


def modelled(information, steps):
    """Return the same for given steps."""
    state, taken = booted(information), []
    for step in steps:
        take(state, step, taken)
    return taken, state


def take(state, step, taken):
    """Take a step in the model, unless the environment cannot; record it with its outcome."""
    if not isinstance(step, (Store, Age)) or step.possible(state):
        taken.append((step, *apply(state, step)))


def entry(step):
    """Return a step as the server in QEMU takes it."""
    if isinstance(step, Hypercall):
        call = Call(now=step.now, operation=step.operation)
        arguments = step.arguments
    else:
        call = Call(now=getattr(step, "now", 0))
        arguments = (
            (step.syndrome, step.address)
            if isinstance(step, Fault)
            else (step.page, step.position, step.value)
            if isinstance(step, Store)
            else ()
        )
    for position, value in enumerate(arguments):
        call.argument[position] = value
    return {Hypercall: "CALL", Preempt: "PREEMPT", Fault: "CONTAIN", Store: "STORE"}[type(step)], call


def played(server, information, steps):
    """Return the answers of the kernel in QEMU. Its memory is aged from outside, between runs."""
    server.reset(information)
    results, pending = [], []
    for step in [*steps, None]:
        if step is not None and not isinstance(step, Age):
            pending.append(entry(step))
            continue
        results += server.run(pending) if pending else []
        pending = []
        if isinstance(step, Age):
            age(server, step)
            results.append((0, None))
    return results, server.state()


def age(server, step):
    """Set counters in the memory of the machine."""
    for offset, data in step.patches():
        start = POOL_BASE - RAM + offset
        server.memory[start : start + len(data)] = data


def first_difference(server, information, taken, state):
    """Return the first difference between the model and the kernel, in words, or None."""
    results, memory = played(server, information, [step for step, *_ in taken])
    for number, ((step, call, status), (got_status, got_call)) in enumerate(zip(taken, results)):
        if call is not None and (int(status) != got_status or call != got_call):
            return f"step {number} {step}: the model says {status.name} {call}, the kernel {got_status} {got_call}"
    return first_byte(state, memory)


def first_byte(state, memory):
    """Return the first byte at which memory is not a state of the model, in words, or None."""
    expected = encode(state, Kernel)
    if expected == memory:
        return None
    offset = next(i for i in range(0, size_of(Kernel), 4096) if expected[i : i + 4096] != memory[i : i + 4096])
    while expected[offset] == memory[offset]:
        offset += 1
    return (
        f"the state differs first in {spell(leaf_at(Kernel, offset))}: the model has {expected[offset]:#x}, "
        f"the kernel {memory[offset]:#x}"
    )


def compare(server, seed, length=LENGTH):
    """Run one trace on both: `(kernel operations, Difference or None)`."""
    information, taken, state = recorded(seed, length)
    what = first_difference(server, information, taken, state)
    steps = [step for step, *_ in taken]
    operations = sum(not isinstance(step, (Store, Age)) for step in steps)
    if what is None:
        return operations, None
    fewer = shrink(steps, lambda part: differs(server, information, part) is not None)
    return operations, Difference(seed, differs(server, information, fewer) or what, tuple(fewer))


def differs(server, information, steps):
    """Return the difference when just these steps are taken."""
    return first_difference(server, information, *modelled(information, steps))


def work(first, step, operations, kernel=None):
    """Run one worker: traces of every `step`-th seed until enough operations are done or something differs."""
    done, differences, seed = 0, [], first
    with Server(kernel) as server:
        while done < operations and not differences:
            count, difference = compare(server, seed)
            done, seed = done + count, seed + step
            differences += [difference] if difference else []
    return done, differences


def run(operations, seed=0, workers=None, kernel=None):
    """Compare at least this many operations: `(operations, differences, seconds)`."""
    workers, start = workers or os.cpu_count(), time.perf_counter()
    with ProcessPoolExecutor(workers) as pool:
        jobs = [pool.submit(work, seed + n, workers, -(-operations // workers), kernel) for n in range(workers)]
        parts = [job.result() for job in jobs]
    return sum(done for done, _ in parts), [d for _, found in parts for d in found], time.perf_counter() - start


def main():
    """Run from the command line. Returns 1 when something differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    done, differences, seconds = run(options.operations, options.seed)
    for difference in differences:
        print(difference.what, *difference.steps, sep="\n  ")
    print(
        f"{done} operations, {len(differences)} differences, {seconds:.1f} s, {done / seconds:.0f} operations a second"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
