"""What lasts as long as a call, and no longer? Whatever ends the call, at whatever moment, and in whichever process."""

import os
import threading


def is_over(frame):
    """Has the call of a frame ended? Then its variables are dropped; somebody may still have the frame, in a traceback.

    An exception may come at any moment, so also before a `with` could say that it ends; the frame knows.
    """
    try:
        frame.clear()
    except RuntimeError:        # "cannot clear an executing frame"
        return False
    return True


class Lock:
    """A lock that what comes in between cannot block: a handler of a signal, a `__del__`, or a fork.

    The thread that has it may take it again. What a thread of the parent had is nobody's in a child.
    """

    def __init__(self):
        self.locks = {}

    @property
    def here(self):
        """The lock of this process."""
        process = os.getpid()
        return self.locks.get(process) or self.locks.setdefault(process, threading.RLock())
