"""Do threads that load, call, keep and resume get the same as a single thread?

COROLLARY_SECONDS=60 for a longer run.
"""

import ctypes
import os
import random
import signal
import subprocess
import sys
import threading
import time

import pytest
from wasmtime import wat2wasm

from corollary import Busy, Instance, Limits, Module, Refused, Returned, Suspended
from corollary.codegen import build
from corollary.library import library
from tests.corollary import stress

SECONDS = os.environ.get("COROLLARY_SECONDS", "3")
PLAIN_LOADS = "-D__atomic_load_n(place, order)=(*(place))"  # as if no field could be set by others
ENDLESS = Module(wat2wasm('(module (func (export "run") (loop (br 0))))'))


def run(*arguments):
    """Run a module of Python in a process of its own, because it may die. Return the process."""
    return subprocess.run([sys.executable, "-m", *arguments], check=False, capture_output=True, text=True)


def run_alone(function):
    """Run a function of this module in a process of its own, because it may die. Return the process."""
    program = f"from {__name__} import {function.__name__}; {function.__name__}()"
    return subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)


def begun(*works):
    """Start a thread for each piece of work and return the threads."""
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    return threads


def done(*works):
    """Do all pieces of work at the same time, to their ends."""
    for thread in begun(*works):
        thread.join()


# ---- the stress, and whether it would notice


@pytest.mark.parametrize("watched", [(), ("--tsan",)], ids=["plain", "ThreadSanitizer"])
def test_threads_get_what_one_thread_gets(watched):
    ended = run("tests.corollary.stress", "--seconds", SECONDS, *watched)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    *jobs, summary = ended.stdout.splitlines()
    assert " 0 wrong verdicts" in summary and "busy 0 times" not in summary
    assert {line.split()[0] for line in jobs} == {
        job.__name__ for job in stress.JOBS if not watched or job not in stress.RACING
    }


def test_a_workspace_for_all_threads_is_noticed():
    ended = run("tests.corollary.stress", "--seconds", "2", "--seeded", "workspace")
    assert "wrong:" in ended.stdout or ended.returncode == -signal.SIGSEGV, ended.stdout + ended.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("tests.corollary.stress", "--seconds", "0", "--tsan", "--seeded", "guard"),
        ("tests.wasm.sanitized", "--races", PLAIN_LOADS, "tests.corollary.stress", "--seconds", "1", "--ordered"),
    ],
    ids=["two threads run one instance", "a plain load of what others store"],
)
def test_a_race_is_reported(arguments):
    ended = run(*arguments)
    assert ended.returncode != 0 and "ThreadSanitizer: data race" in ended.stderr, ended.stdout + ended.stderr
    assert "in take_" in ended.stderr  # a handler of the VM


# ---- what must not happen


def load_both_kinds():
    """Load valid modules and ill-typed ones at the same time, and run what is accepted."""

    def load_right(size):
        for _ in range(150):
            assert Instance(stress.BINARIES[size]).call("sum", 9) == Returned((294,))

    def load_wrong():
        for binary in [*stress.WRONG.values()] * 150:
            with pytest.raises(Refused):
                Instance(binary).call_bits(0, ())

    problems = []
    threading.excepthook = problems.append
    done(lambda: load_right(400), load_wrong, lambda: load_right(1), load_wrong)
    assert not problems, problems


def test_no_ill_typed_module_is_accepted_and_no_valid_one_refused_while_others_load():
    ended = run_alone(load_both_kinds)
    assert ended.returncode == 0, ended.stderr


def test_a_call_keeps_its_fuel_limit_while_others_call_without():
    fuel, counting, summing = 40_000_000, Module(wat2wasm(stress.COUNTING)), Module(stress.BINARIES[1])
    instance, over = Instance(counting), threading.Event()

    def spend():
        assert instance.call("run", fuel=fuel) == Suspended()
        over.set()

    def go_without():
        while not over.is_set():
            assert Instance(summing, limits=Limits(fuel=10_000)).call("sum", 100) == Returned((338_450,))

    done(spend, go_without, go_without)
    assert over.is_set() and stress.rounds(instance) == fuel + 1  # the first round is free


def load_first():
    """Use the package for the first time, in several threads at once."""
    gate, ended = threading.Barrier(8), []

    def work():
        gate.wait()
        ended.append(stress.load_right(None, random.Random(1)))

    done(*[work] * 8)
    assert len(ended) == 8 and {*map(repr, ended)} == {repr(stress.load_right(None, random.Random(1)))}


def test_the_first_use_may_be_by_several_threads_at_once():
    ended = run_alone(load_first)
    assert ended.returncode == 0, ended.stderr


def test_a_fork_in_the_middle_of_calls_goes_on():
    """The child has one thread, and its instances work; an instance that another thread was in stays busy."""
    expected, running = stress.verdicts(numbers=3), [Instance(ENDLESS) for _ in range(3)]
    threads = begun(*(lambda instance=instance: instance.call("run") for instance in running))
    while not all(instance.running for instance in running):
        time.sleep(0.01)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            assert stress.verdicts(numbers=3) == expected
            try:
                running[0].call("run", fuel=1)
            except Busy:
                os._exit(0)
        finally:
            os._exit(1)
    status = os.waitpid(child, 0)[1]
    for instance in running:
        assert instance.interrupt()
    for thread in threads:
        thread.join()
    assert os.waitstatus_to_exitcode(status) == 0


def test_instances_of_two_threads_may_share_what_they_import():
    """A read may give an old or a new value, but nothing else breaks.

    A count that all threads advance reaches at least the share of one.
    """
    owner, rounds, ended = Instance(wat2wasm(stress.OWNER)), 20_000, []
    module, imports = Module(wat2wasm(stress.SHARING)), {("o", name): owner.export(name) for name in "mtg"}
    instances = [Instance(module, imports) for _ in range(4)]
    done(*(lambda instance=instance: ended.append(instance.call("run", rounds)) for instance in instances))
    assert ended == [Returned((stress.MOST_PAGES,))] * 4
    assert rounds <= owner.export("g").bits <= 4 * rounds and owner.export("m").pages == stress.MOST_PAGES
    assert owner.export("t").size <= stress.MOST_ELEMENTS


# ---- the lock of the interpreter


def longest_silence(work):
    """Do work in a thread; return for how long this thread could not run in the meantime, at most, in seconds."""
    before, longest = time.monotonic(), 0.0
    (thread,) = begun(work)
    alive = True
    while alive:
        time.sleep(0.001)
        alive, now = thread.is_alive(), time.monotonic()
        before, longest = now, max(longest, now - before)
    return longest


@pytest.mark.parametrize("loader, holds", [(ctypes.CDLL, False), (ctypes.PyDLL, True)])
def test_a_call_releases_the_lock_of_the_interpreter(loader, holds):
    """One that does not would be noticed: `PyDLL` is the loader that keeps the lock."""
    instance, second = Instance(ENDLESS), 10**9
    instance.run.begin(0, ())
    instance.machine.budget = (1 << 64) - 1
    turn = loader(str(build.vm_library())).corollary_turn
    turn.argtypes = library().turn.argtypes
    assert (longest_silence(lambda: turn(instance.room.address, ENDLESS.stride, second)) > 0.5) == holds
