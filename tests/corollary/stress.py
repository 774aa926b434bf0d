"""Do many threads get what one thread alone gets?

Threads load modules, good and ill-typed ones, call, meter, interrupt, keep and restore, all at once. They share
modules, and meet at one instance. Each job has a verdict, which one thread alone found before. Usage:

    python -m tests.corollary.stress [--seconds N] [--threads N] [--seed N] [--ordered] [--tsan] [--seeded DEFECT]

Programs that write to a memory which they share race by themselves; `--ordered` leaves this job out. With `--tsan`,
which implies it, ThreadSanitizer watches the VM. The exit status is 0 if no verdict is wrong and no race is reported.
`--seeded` brings a defect in, which must be noticed.
"""

import argparse
import hashlib
import random
import sys
import threading
import time
from collections import Counter

from wasmtime import wat2wasm

from corollary import Busy, HostCall, Instance, Limits, Module, Pool, Returned, Stopped, Suspended
from corollary import module as loading
from corollary.library import VALIDATION, Room, library
from tests.wasm import sanitized

KEY = bytes(32)
NUMBERS = 24  # of jobs of a kind
USERS = 3  # of the pool at once
SWITCH = 1e-5  # seconds until Python switches threads
MOST_PAGES, MOST_ELEMENTS = 100, 50  # of memory and table that instances share


def summing(padding):
    """Return a module that sums squares, with a loop, calls, memory, a table and a global; functions make it larger."""
    pad = " ".join(
        f"(func (param i32) (result i32) (i32.add (local.get 0) (i32.const {number})))" for number in range(padding)
    )
    return wat2wasm(
        f"""(module (memory (export "memory") 1) (global $calls (mut i32) (i32.const 0)) (table 2 funcref)
      (elem (i32.const 0) $square) {pad}
      (func $square (export "square") (param i32) (result i32)
        (global.set $calls (i32.add (global.get $calls) (i32.const 1))) (i32.mul (local.get 0) (local.get 0)))
      (func (export "sum") (param i32) (result i32) (local i32)
        (loop (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8))
            (call_indirect (param i32) (result i32) (local.get 0) (i32.const 0))))
          (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
        (i32.add (i32.load (i32.const 8)) (global.get $calls))))"""
    )


WRONG = {
    "type": wat2wasm("(module (func (result i32) (i32.const 0)))").replace(b"\x41\x00\x0b", b"\x42\x00\x0b"),
    "local": wat2wasm(f"(module (func {'(local i32) ' * 1024} (drop (local.get 1000))))").replace(
        b"\x20\xe8\x07", b"\x20\xcc\x08"
    ),
    "opcode": wat2wasm("(module (func (nop)))").replace(b"\x01\x0b", b"\xff\x0b"),
}
BINARIES = {size: summing(size) for size in (1, 40, 400)}
LARGE = summing(6000)  # so large that loading it is watched
COUNTING = """(module (memory (export "memory") 1)
  (func (export "run") (loop (i64.store (i32.const 0) (i64.add (i64.load (i32.const 0)) (i64.const 1))) (br 0)))
  (func (export "until") (param i64) (result i64)
    (loop (i64.store (i32.const 0) (i64.add (i64.load (i32.const 0)) (i64.const 1)))
      (br_if 0 (i64.lt_u (i64.load (i32.const 0)) (local.get 0))))
    (i64.load (i32.const 0))))"""
TRAPPING = """(module (memory 1) (table 1 funcref) (type $t (func (param i64))) (elem (i32.const 0) $divide)
  (func $divide (export "divide") (param i32) (result i32) (i32.div_s (i32.const 100) (local.get 0)))
  (func (export "reach") (param i32) (result i32) (i32.load (local.get 0)))
  (func (export "recurse") (param i32) (result i32) (call 2 (local.get 0)))
  (func (export "mistake") (param i32) (result i32)
    (call_indirect (type $t) (i64.const 0) (i32.const 0)) (i32.const 0)))"""
ASKING = """(module (import "m" "f" (func $f (param i32) (result i32)))
  (func (export "g") (param i32) (result i32) (call $f (local.get 0))))"""
OWNER = f"""(module (memory (export "m") 1 {MOST_PAGES}) (table (export "t") 1 {MOST_ELEMENTS} funcref)
  (global (export "g") (mut i64) (i64.const 0)))"""
SHARING = """(module
  (import "o" "m" (memory 1)) (import "o" "t" (table 1 funcref)) (import "o" "g" (global $g (mut i64)))
  (func $one (export "one") (result i32) (i32.const 1)) (elem declare func $one)
  (func (export "run") (param i32) (result i32)
    (loop (global.set $g (i64.add (global.get $g) (i64.const 1)))
      (i64.store (i32.const 0) (i64.add (i64.load (i32.const 0)) (i64.const 1)))
      (table.set 0 (i32.const 0) (ref.func $one)) (drop (memory.grow (i32.const 1)))
      (drop (table.grow (ref.null func) (i32.const 1)))
      (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
    (memory.size)))"""


class World:
    """What the threads have in common."""

    def __init__(self):
        self.summing, self.counting, self.trapping, self.asking, self.sharing = map(
            Module, (BINARIES[40], *map(wat2wasm, (COUNTING, TRAPPING, ASKING, SHARING)))
        )
        self.common, self.pool = Instance(self.summing), Pool(self.summing, USERS)
        self.owner = Instance(wat2wasm(OWNER))
        self.running = []  # instances that their owners are running, each with what its call must return
        self.refused = 0  # how often an entry was refused because another thread was inside, about

    def served(self, enter):
        """Return what `enter` returns, once no other thread is inside."""
        while True:
            try:
                return enter()
            except Busy as busy:
                assert "another thread" in str(busy), busy
                self.refused += 1
                time.sleep(0)


def rounds(instance):
    """Return how often the counting program has counted."""
    return int.from_bytes(instance.export("memory").read(0, 8), "little")


# ---- the jobs: each returns its verdict


def load_right(world, chosen):
    """Load a valid module and call it."""
    return Instance(BINARIES[chosen.choice([*BINARIES])]).call("sum", chosen.randrange(1, 60))


def load_wrong(world, chosen):
    """Load an invalid module."""
    Module(WRONG[chosen.choice([*WRONG])])
    return "accepted"


def load_changed(world, chosen):
    """Load a module of which some bytes are changed, and call it for a while if it is valid."""
    binary = bytearray(BINARIES[chosen.choice((1, 40))])
    for _ in range(chosen.randint(1, 2)):
        binary[chosen.randrange(8, len(binary))] = chosen.randrange(256)
    return Instance(binary, limits=Limits(pages=4, elements=100, fuel=200)).call("sum", 50)


def load_late(world, chosen):
    """Load a large module in no time, which fails; then in some time, which may; then at leisure."""
    refused = []
    for seconds in (0, chosen.random() / 100, None):
        try:
            return refused[:1], Instance(Module(LARGE, seconds=seconds)).call("sum", 10)
        except Stopped as stopped:
            refused.append(str(stopped))


def spend(world, chosen):
    """Spend fuel in several calls of an endless loop: it counts as many rounds as there was fuel."""
    instance, fuels = Instance(world.counting), [chosen.randrange(1, 3000) for _ in range(3)]
    ended = [instance.call("run", fuel=fuels[0]), *(instance.resume(fuel=fuel) for fuel in fuels[1:])]
    return ended, rounds(instance) - sum(fuels)


def go_without(world, chosen):
    """Call without limits."""
    return Instance(world.counting).call("until", chosen.randrange(1, 20_000))


def hurry(world, chosen):
    """Continue a call for very short times until it ends."""
    instance, outcome = Instance(world.counting), Suspended()
    outcome = instance.call("until", chosen.randrange(1, 100_000), seconds=chosen.random() / 200)
    while outcome == Suspended(late=True):
        outcome = instance.resume(seconds=chosen.random() / 200)
    return outcome


def move(world, chosen):
    """Suspend a call again and again, and go on with a snapshot in a new instance of the same module."""
    instance, digest = Instance(world.summing), hashlib.sha256()
    outcome = instance.call("sum", chosen.randrange(1, 60), fuel=chosen.randrange(1, 30))
    while outcome == Suspended():
        kept = instance.snapshot(KEY)
        digest.update(kept)
        instance = Instance.restore(world.summing, kept, KEY)
        outcome = instance.resume(fuel=chosen.randrange(1, 30))
    return outcome, digest.hexdigest()


def ask(world, chosen):
    """Call functions of the host: one that is given, and one that a suspended call waits for."""
    number = chosen.randrange(1000)
    given = Instance(world.asking, {("m", "f"): lambda value: value + number}).call("g", 1)
    waiting = Instance(world.asking, host_calls=True)
    asked = waiting.call("g", number)
    return given, isinstance(asked, HostCall) and asked.arguments, waiting.resume(5)


def trap(world, chosen):
    """Trap in one of several ways, or not."""
    name, value = chosen.choice([("divide", 0), ("divide", 5), ("reach", -1), ("recurse", 1), ("mistake", 1)])
    return Instance(world.trapping).call(name, value)


def be_disturbed(world, chosen):
    """Run a call to its end while others interrupt it and try to enter."""
    instance, count = Instance(world.counting), chosen.randrange(2, 200_000)
    outcome, entry = instance.call("until", count, fuel=1), (instance, count)
    world.running.append(entry)
    while isinstance(outcome, Suspended):
        outcome = world.served(instance.resume)
    world.running.remove(entry)
    return outcome


def disturb(world, chosen):
    """Interrupt a call of another thread, and enter its instance: that is refused until the call has returned.

    Between two of its steps, a snapshot may be taken. It ends as the call does.
    """
    for instance, count in [*world.running]:
        instance.interrupt()
        try:
            instance.call("until", 0)
            assert rounds(instance) > count
        except Busy:
            world.refused += 1
        try:
            twin = Instance.restore(world.counting, instance.snapshot(KEY), KEY)
            assert twin.waiting is None or twin.resume() == Returned((count,))
        except Busy:
            world.refused += 1


def meet(world, chosen):
    """Call the one instance that all threads have; it serves one at a time."""
    number = chosen.randrange(1000)
    return world.served(lambda: world.common.call("square", number))


def take_turns(world, chosen):
    """Call an instance of the pool."""
    with world.pool.instance() as instance:
        return instance.call("sum", chosen.randrange(1, 60))


def share(world, chosen):
    """Write to memory, table and global of another instance, as other threads do, and grow them to their ends."""
    instance = Instance(world.sharing, {("o", name): world.owner.export(name) for name in "mtg"})
    return instance.call("run", 2 * MOST_PAGES)


JOBS = (
    load_right,
    load_wrong,
    load_changed,
    load_late,
    spend,
    go_without,
    hurry,
    move,
    ask,
    trap,
    be_disturbed,
    disturb,
    meet,
    take_turns,
    share,
)
RACING = (share,)


# ---- the strain


def verdict(job, world, number):
    """Return how a job ends: what it returns, or what it raises."""
    try:
        return job(world, random.Random(f"{job.__name__} {number}"))
    except Exception as problem:
        return type(problem).__name__, str(problem)


def verdicts(jobs=JOBS, numbers=NUMBERS):
    """Return the verdicts of one thread alone, by job and number."""
    world = World()
    return {(job, number): verdict(job, world, number) for job in jobs for number in range(numbers)}


def strain(jobs, seconds, threads, seed):
    """Let threads do jobs for some time.

    Returns the world, how often each job was done, and the wrong verdicts: job, number, what it was and what it should
    have been.
    """
    expected = verdicts(jobs)
    world, end, done, wrong = World(), time.monotonic() + seconds, [], []

    def work(chosen):
        while time.monotonic() < end:
            job, number = chosen.choice(jobs), chosen.randrange(NUMBERS)
            found = verdict(job, world, number)
            if found != expected[job, number]:
                wrong.append((job.__name__, number, found, expected[job, number]))
            done.append(job.__name__)

    workers = [threading.Thread(target=work, args=(random.Random(f"{seed} {number}"),)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return world, Counter(done), wrong


def share_a_workspace():
    """Bring in a defect: all threads validate in one workspace."""
    one = Room(VALIDATION)
    loading.Room = lambda record: one if record is VALIDATION else Room(record)


def forget_the_guard():
    """Bring in a defect: two threads run one instance."""
    instance = Instance(wat2wasm(COUNTING))
    instance.run.begin(0, ())
    instance.machine.budget = 1 << 24
    run, at = library().run, instance.room.address
    threads = [threading.Thread(target=run, args=(at,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


DEFECTS = {"workspace": share_a_workspace, "guard": forget_the_guard}


def main(*arguments):
    """Strain the VM and print what came of it. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.corollary.stress")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeded", choices=DEFECTS)
    parser.add_argument("--ordered", action="store_true")
    parser.add_argument("--tsan", action="store_true")
    asked = parser.parse_args(arguments)
    if asked.tsan:
        sanitized.main(sanitized.RACES, __spec__.name, "--ordered", *(each for each in arguments if each != "--tsan"))
    if asked.seeded:
        DEFECTS[asked.seeded]()
    jobs = [job for job in JOBS if not asked.ordered or job not in RACING]
    sys.setswitchinterval(SWITCH)
    world, done, wrong = strain(jobs, asked.seconds, asked.threads, asked.seed)
    for name in sorted(done):
        print(f"{name:<14} {done[name]:>8}")
    for line in wrong[:10]:
        print("wrong:", *line)
    print(
        f"{asked.threads} threads, {asked.seconds:g} s: {done.total()} jobs, {len(wrong)} wrong verdicts, "
        f"busy {world.refused} times"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
