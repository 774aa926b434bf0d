"""Who is in an instance? One thread at a time, which may come in again from within."""

import threading
import weakref

from host.outcome import Busy


class Guard:
    """Lets one thread in; others get `Busy`."""

    def __init__(self):
        self.lock, self.holder, self.closed = threading.Lock(), None, False

    def enter(self):
        """A visit, to be left with `with`; raises `Busy`."""
        return Visit(self)

    def close(self):
        """Let nobody in any more; who is in goes on to the end."""
        self.closed = True


class Visit:
    """A thread in an instance; `outermost` where it was not there yet.

    Only its call holds it: one that an exception tore down, at whatever moment, is over.
    """

    __slots__ = ("guard", "thread", "outermost", "__weakref__")

    def __init__(self, guard):
        self.guard, self.thread = guard, threading.get_ident()
        with guard.lock:
            held = guard.holder() if guard.holder is not None else None
            if held is None and guard.closed:
                raise Busy("the instance was given back to its pool: take another one")
            if held is not None and held.thread != self.thread:
                raise Busy("another thread is in the middle of a call of the instance: let each have its own, or wait")
            self.outermost = held is None
            if self.outermost:
                guard.holder = weakref.ref(self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.outermost:
            self.guard.holder = None
