"""Does everything survive a signal, a fork or the end of the process at any moment?

Errors must also be reported in another thread or process.
"""

import os
import pickle
import subprocess
import sys
import threading
import time

import pytest
from wasmtime import wat2wasm

from corollary import (
    Busy,
    Exited,
    HostCall,
    Instance,
    Limits,
    Module,
    Pool,
    Returned,
    Stopped,
    Suspended,
    Trapped,
    Unlinkable,
    Wasi,
)

KEY = bytes(32)
SECONDS = float(os.environ.get("COROLLARY_SECONDS", "2"))
SUMMING = wat2wasm("""(module (import "m" "f" (func $f (param i32) (result i32)))
  (func (export "run") (param i32) (result i32) (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
    (call $f (i32.const 7))))""")
IMPORTS = {("m", "f"): lambda value: value + 1}
ENDLESS = wat2wasm('(module (memory 1) (func (export "run") (loop (i32.store (i32.const 0) (i32.const 1)) (br 0))))')


def apart(function, *arguments, seconds=60):
    """Return the output of a function of this file in a process of its own, which must end well."""
    program = f"from tests.corollary.test_moments import *\n{function}(*{arguments!r})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.split()


# ---- signals


def storm(handler, step, check, keeping=True):
    """Send signals at any moment of a step, and check the state after each. Return how many exceptions they caused."""
    import random
    import signal

    chosen, heard, end = random.Random(5), 0, time.monotonic() + SECONDS
    signal.signal(signal.SIGALRM, handler)
    while time.monotonic() < end:
        kept = None
        try:
            signal.setitimer(signal.ITIMER_REAL, chosen.uniform(1e-5, 3e-4))
            for _ in range(50):
                step()
        except KeyboardInterrupt as problem:
            kept, heard = problem, heard + 1  # somebody looks at it later: it holds the frames of all calls
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        kept = kept if keeping else None
        check()
    print(heard)


def interrupted(*_):
    """Do what Ctrl-C does."""
    raise KeyboardInterrupt


def storm_of_calls():
    """Make calls with a deadline. No later call may run inside one that was torn down, or find the instance taken."""
    instance = Instance(SUMMING, IMPORTS)

    def check():
        time.sleep(0.006)  # past the deadline of the call that was torn down
        assert instance.call("run", 3) == Returned((8,)) and Module(SUMMING).stride

    storm(interrupted, lambda: instance.call("run", 5, seconds=0.005), check)


def storm_of_snapshots():
    """Make calls that wait and resume. The remains of a call that was torn down are in no snapshot and hinder none."""
    instance = Instance(SUMMING, IMPORTS)

    def step():
        instance.call("run", 50, fuel=2)
        instance.resume(fuel=3)
        instance.resume()

    def check():
        Instance.restore(instance.module, instance.snapshot(KEY), KEY, IMPORTS)
        instance.abandon()

    storm(interrupted, step, check)


def storm_of_users():
    """Run users of a pool. The place of a user that was torn down is free again once nobody holds the exception."""
    pool = Pool(Module(SUMMING), 1, lambda: IMPORTS)

    def step(wait=0.1):
        with pool.instance(wait) as instance:
            instance.call("run", 5)

    storm(interrupted, step, lambda: step(5), keeping=False)


def storm_of_handlers():
    """Run handlers that call the instance themselves. Each is served or told that it is busy."""
    instance, ended = Instance(SUMMING, IMPORTS), []

    def handle(*_):
        try:
            ended.append(instance.call("run", 5).value)
        except Busy:
            ended.append(None)

    storm(handle, lambda: instance.call("run", 5), lambda: None)
    assert {*ended} == {8, None}


@pytest.mark.parametrize("name", ["calls", "snapshots", "users"])
def test_an_exception_at_any_moment_hinders_nobody(name):
    assert int(apart(f"storm_of_{name}")[0]) > 20


def test_a_handler_of_a_signal_may_use_the_instance_that_it_interrupts():
    apart("storm_of_handlers")


# ---- processes


def forks():
    """Fork a process whose threads enter an instance all the time. Each child is served or told that it is busy."""
    import signal

    instance, over = Instance(SUMMING, IMPORTS), []

    def step():
        try:
            assert instance.call("run", 5).value == 8
        except Busy:
            pass

    def work():
        while not over:
            step()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(100):
        child = os.fork()
        if child == 0:
            signal.alarm(20)
            step()
            os._exit(0)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if ended != 0:
            break
    over.append(True)
    for thread in threads:
        thread.join()
    print(ended)


def test_a_child_never_waits_for_a_thread_that_it_has_not():
    assert apart("forks") == ["0"]


def test_both_sides_of_a_fork_in_the_middle_of_a_call_go_on_with_it():
    instance = Instance(SUMMING, {("m", "f"): lambda value: value + (os.fork() == 0)})
    value, parent = instance.call("run", 5).value, os.getpid()
    if value == 8:
        os._exit(0 if instance.call("run", 5, fuel=0) == Suspended() else 1)
    assert value == 7 and parent == os.getpid() and os.waitstatus_to_exitcode(os.wait()[1]) == 0


@pytest.mark.parametrize("name", ["daemons_that_run", "daemons_that_load"])
def test_a_process_ends_while_threads_are_in_the_middle(name):
    apart(name)


def daemons_that_run():
    """Run threads in endless calls."""
    for _ in range(3):
        threading.Thread(target=Instance(ENDLESS).call, args=("run",), daemon=True).start()
    time.sleep(0.1)


def daemons_that_load():
    """Run threads that load a large module."""
    binary = b"\0asm\1\0\0\0" + b"\0\x80\x80\x80\x10\1x" + bytes((1 << 25) - 2)
    for _ in range(3):
        threading.Thread(target=lambda: [Module(binary) for _ in range(100)], daemon=True).start()
    time.sleep(0.1)


# ---- errors


NAMED = wat2wasm('(module (func $inner unreachable) (func $outer (export "run") (call $inner)))')
PROBLEMS = {
    "a trap": lambda: Instance(NAMED).call("run"),
    "a failure of the host": lambda: Instance(SUMMING, {("m", "f"): lambda value: 1 / 0}).call("run", 1),
    "no module": lambda: Module(b"nothing"),
    "an invalid module": lambda: Module(wat2wasm("(module (func (drop (i32.const 0))))").replace(b"\x1a", b"\x45")),
    "a missing extension": lambda: Module(b"\0asm\x0d\0\1\0"),
    "a limit": lambda: Module(NAMED, Limits(size=1)),
    "no time": lambda: Module(NAMED, seconds=0),
    "no import": lambda: Instance(SUMMING),
    "no snapshot": lambda: Instance.restore(Module(NAMED), bytes(1000), KEY),
    "nothing waits": lambda: Instance(NAMED).resume(),
    "a pool without places": lambda: Pool(NAMED, 0).instance(0).__enter__(),
    "the end": lambda: Wasi().function("proc_exit")(Caller(), 3),
}


def problem_of(attempt):
    """Return the exception that an attempt raises."""
    try:
        attempt()
    except Exception as problem:
        return problem


class Caller:
    """The stand-in for an instance that a WASI call is given."""

    def export(self, _):
        """Return its memory."""


@pytest.mark.parametrize("what", PROBLEMS)
def test_a_problem_is_the_same_in_another_process(what):
    problem = problem_of(PROBLEMS[what])
    came = pickle.loads(pickle.dumps(problem))
    assert type(came) is type(problem) and str(came) == str(problem) and vars(came) == vars(problem)
    assert vars(problem) or isinstance(problem, Busy) or "limit" in what


def test_every_problem_was_tried():
    tried = {type(problem_of(attempt)) for attempt in PROBLEMS.values()}
    assert tried >= {Trapped, Stopped, Exited, Busy, Unlinkable}
    assert pickle.loads(pickle.dumps(Stopped("it waits", HostCall("m", "f", (1,))))).outcome == HostCall("m", "f", (1,))


def test_a_backtrace_has_its_names_elsewhere():
    came = pickle.loads(pickle.dumps(problem_of(PROBLEMS["a trap"])))
    assert [frame.name for frame in came.backtrace] == ["inner", "outer"]


def test_who_waits_for_a_worker_gets_what_it_met():
    assert apart("worker") == ["unreachable", "inner", "outer"]


def worker():
    """Trap in a process of a pool."""
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(1) as pool:
        try:
            pool.apply_async(failing).get(20)
        except Trapped as trapped:
            print(trapped.message, *(frame.name for frame in trapped.backtrace))


def failing():
    """Trap."""
    Instance(NAMED).call("run")
