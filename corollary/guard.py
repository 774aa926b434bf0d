"""Who is in an instance? One thread at a time, which may come in again from within."""

import threading

from corollary.lasting import Lock, is_over
from corollary.outcome import Busy


class Guard:
    """Lets one thread in; others get `Busy`."""

    def __init__(self):
        self.lock, self.closed = Lock(), False
        self.holder = None      # the thread that is in, and the frame of its outermost call

    def enter(self, frame):
        """A visit for as long as the call of a frame lasts, to be left with `with` before; raises `Busy`."""
        return Visit(self, frame)

    def close(self):
        """Let nobody in any more; who is in goes on to the end."""
        self.closed = True


class Visit:
    """A thread in an instance; `outermost` where it was not there yet. It is over when the call of its frame is."""

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
