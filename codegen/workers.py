"""How is work spread over processes that end with whoever began it? A pool that leaves nobody behind, however it is left."""

import ctypes
import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager

PARENT_DEATH_SIGNAL = 1     # PR_SET_PDEATHSIG of prctl(2)


class Here:
    """A worker in a process of this machine, which does one job at a time."""

    def __init__(self, name):
        self.name, self.stack = name, ExitStack()
        self.restart()

    def restart(self):
        """Begin with a new process, which has done nothing yet."""
        self.stack.close()
        self.pool = self.stack.enter_context(processes(1))

    def submit(self, function, *arguments):
        """A future of what a function returns in the process."""
        return self.pool.submit(function, *arguments)

    def taken(self, answer):
        """What came of a job."""
        return answer

    def is_gone(self):
        """A process that has died is told by its future."""
        return False

    def __enter__(self):
        return self

    def __exit__(self, *why):
        return self.stack.__exit__(*why)


@contextmanager
def processes(count):
    """A pool of `count` processes. When it is left by an exception, such as Ctrl-C, they are killed, and all that they have started."""
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, initializer=begin, initargs=(os.getpid(),))
    try:
        yield pool
    except BaseException:
        for worker in set(multiprocessing.active_children()) - others:
            kill(worker)
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def begin(parent):
    """A worker leads a group of its own, which Ctrl-C at the terminal does not reach, and dies with its parent."""
    os.setpgid(0, 0)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)   # by which the pool ends the others when one has died
    ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:      # it died before it could be told
        os._exit(1)


def kill(worker):
    """End a worker at once, and its group if it has one by now."""
    try:
        os.killpg(worker.pid, signal.SIGKILL)
    except ProcessLookupError:
        worker.kill()
