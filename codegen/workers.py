"""How is work spread over processes that end with their parent?

A pool leaves no process behind, however it is left.
"""

import ctypes
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)
INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Here:
    """A worker in a process of this machine. It does one job at a time."""

    def __init__(self, name):
        self.name, self.stack = name, ExitStack()
        self.restart()

    def restart(self):
        """Start over with a new process, which has done nothing yet."""
        self.stack.close()
        self.pool = self.stack.enter_context(processes(1))

    def submit(self, function, *arguments):
        """Return a future for what a function returns in the process."""
        return self.pool.submit(function, *arguments)

    def taken(self, answer):
        """The result of a job."""
        return answer

    def is_gone(self):
        """Is the worker gone? Always False: if the process has died, its future says so."""
        return False

    def __enter__(self):
        return self

    def __exit__(self, *why):
        return self.stack.__exit__(*why)


@contextmanager
def processes(count):
    """Yield a pool of `count` processes.

    When an exception such as Ctrl-C leaves the pool, they are killed, and so is everything that they have started.
    """
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, initializer=begin, initargs=(os.getpid(),))
    try:
        with undisturbed():  # a worker that is begun and not yet noted would not be found below
            pool.submit(os.getpid)
        yield pool
    except BaseException:
        for worker in set(multiprocessing.active_children()) - others:
            kill(worker)
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


@contextmanager
def undisturbed():
    """Let signals that ask to end wait until the block is left."""
    if threading.current_thread() is not threading.main_thread():  # they never disturb another thread
        yield
        return
    came = []
    before = {number: signal.getsignal(number) for number in INTERRUPTS}
    try:
        for number in INTERRUPTS:
            signal.signal(number, lambda number, frame: came.append(number))
        yield
    finally:
        for number, handler in reversed(before.items()):  # Ctrl-C last: it may be heard at once, and leave this block
            signal.signal(number, signal.SIG_DFL if handler is None else handler)  # None: not Python has set it
        for number in came:
            signal.raise_signal(number)


def begin(parent):
    """Make a worker lead a process group of its own and die with its parent.

    Ctrl-C at the terminal does not reach that group.
    """
    os.setpgid(0, 0)
    signal.set_wakeup_fd(-1)
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_DFL)  # the pool sends SIGTERM to end the others when one has died
    ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # the parent died before the call above
        os._exit(1)


def kill(worker):
    """End a worker at once, and then its group: until it is dead, a worker that just began may still make one."""
    worker.kill()
    with suppress(ChildProcessError):  # somebody else has waited for it
        os.waitid(os.P_PID, worker.pid, os.WEXITED | os.WNOWAIT)
    with suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)


def end_family(pid):
    """End a process, which has not been waited for, and all its descendants.

    Each is stopped before its children are looked for, so that none can be started unseen.
    """
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
    for child in children().get(pid, ()):
        end_family(child)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def family(pid):
    """Return the ids of a process and of all its descendants."""
    below, found, pending = children(), [], [pid]
    while pending:
        found.append(pending.pop())
        pending += below.get(found[-1], ())
    return found


def children():
    """Return the ids of the children of each process of this machine that has some."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, IndexError):  # it has ended since
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            found.setdefault(parent, []).append(int(stat.parent.name))
    return found
