"""How does one notice that a call is over? However it ended, at any moment, and in any process."""

import os
import threading


def is_over(frame):
    """Has the call of a frame ended?

    If so, its variables are dropped, because a traceback may still hold the frame. An exception may come at any
    moment, even before a `with` statement could record the end; the frame itself always knows.
    """
    try:
        frame.clear()
    except RuntimeError:  # "cannot clear an executing frame"
        return False
    return True


class Lock:
    """A lock that causes no deadlock in a signal handler, in a `__del__`, or after a fork.

    The thread that holds it may take it again. A lock that a thread of the parent held is free in a child process.
    """

    def __init__(self):
        self.locks = {}

    @property
    def here(self):
        """The lock of the current process."""
        process = os.getpid()
        return self.locks.get(process) or self.locks.setdefault(process, threading.RLock())
