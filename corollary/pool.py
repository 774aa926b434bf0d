"""How do many users share few instances? Each has one for a while, in its initial state, and nobody has it then."""

import threading
import time
from contextlib import contextmanager

from corollary.instance import Instance
from corollary.lasting import Lock
from corollary.limits import Limits, check_whole
from corollary.meter import end_of
from corollary.module import Module
from corollary.outcome import Busy
from corollary.uncopied import Uncopied

MOST = 1 << 16      # instances of a pool
LISTEN = 0.01       # seconds after which who waits looks again


class Place:
    """What one user has for a while: until it is `left`."""

    __slots__ = ("left",)

    def __init__(self):
        self.left = False


class Places:
    """So many places."""

    def __init__(self, size):
        self.size, self.users, self.lock, self.bell = size, [], Lock(), threading.Lock()

    def take(self, place):
        """Let a place be one of them, if that is not one too many; is it?"""
        with self.lock.here:
            if len(self.users) >= self.size:
                self.users[:] = [user for user in self.users if not user.left]
            if len(self.users) < self.size:
                self.users.append(place)
                return True
        return False

    def wait(self, place, end):
        """Let it be one of them, by some time of the monotonic clock (None: whenever that may be); is it?"""
        while not self.take(place):
            if end is not None and time.monotonic_ns() >= end:
                return False
            self.bell.acquire(timeout=LISTEN)
        return True

    def ring(self):
        """Somebody has left: who waits may look at once."""
        try:
            self.bell.release()
        except RuntimeError:
            pass        # it has been rung already


class Pool(Uncopied):
    """At most `size` instances of a module at once, for any number of threads.

    `imports` is called for each instance and makes what it imports, so that users share nothing there either.
    An instance is made anew for each user, from the module that was translated once: nothing that one user leaves can
    be found by another.
    Raises what a module raises, and `TypeError` or `ValueError` for a size that is none.
    """

    def __init__(self, module, size, imports=dict, limits=Limits()):
        check_whole("the size of a pool", size, MOST)
        self.module = module if isinstance(module, Module) else Module(module, limits)
        self.imports, self.limits, self.places = imports, limits, Places(size)

    @contextmanager
    def instance(self, wait=None):
        """One of the instances, for as long as the `with` lasts; afterwards every call of it is `Busy`.

        Raises `Busy` when none is free for so many seconds (None: as long as it takes), and what an instance raises.
        """
        place, end = Place(), end_of(wait)
        try:
            if not self.places.wait(place, end):
                raise Busy("no instance of the pool is free")
            made = Instance(self.module, self.imports(), self.limits)
            try:
                yield made
            finally:
                made.interrupt()
                made.guard.close()
        finally:
            place.left = True       # first, and no call: what may come in between comes before or after
            self.places.ring()
