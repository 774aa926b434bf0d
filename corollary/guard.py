"""Which thread may use an instance? One at a time; it may enter again from within its own call."""

import threading

from corollary.lasting import Lock, is_over
from corollary.outcome import Busy


class Guard:
    """A guard that lets one thread in; others get `Busy`."""

    def __init__(self):
        self.lock, self.closed = Lock(), False
        self.holder = None  # the thread that is in, and the frame of its outermost call

    def enter(self, frame):
        """Return a visit that lasts at most as long as the call of `frame`; raises `Busy`.

        A `with` statement ends it earlier.
        """
        return Visit(self, frame)

    def close(self):
        """Let no thread in any more. A thread that is inside may finish."""
        self.closed = True


class Visit:
    """A thread's stay in an instance. It ends with the call of its frame, at the latest.

    `outermost` says whether the thread was not inside already.
    """

    __slots__ = ("guard", "outermost")

    def __init__(self, guard, frame):
        thread, self.guard = threading.get_ident(), guard
        with guard.lock.here:
            holder, known = guard.holder or (None, None)
            self.outermost = holder is None or is_over(known)
            if self.outermost and guard.closed:
                raise Busy("the instance was given back to its pool: take another one")
            if not self.outermost and holder != thread:
                raise Busy("another thread is in the middle of a call of the instance: let each have its own, or wait")
            if self.outermost:
                guard.holder = thread, frame

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.outermost:
            self.guard.holder = None
