"""How do many users share few instances? Each gets a fresh one for a while, and nobody uses it afterwards."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from corollary.instance import Instance
from corollary.lasting import Lock
from corollary.limits import Limits, check_whole
from corollary.linker import Imports
from corollary.meter import end_of
from corollary.module import Binary, Module
from corollary.outcome import Busy
from corollary.uncopied import Uncopied

MOST = 1 << 16  # instances of a pool
LISTEN = 0.01  # seconds after which a waiting thread looks again


class Place:
    """The place of one user in a pool, taken until it is `left`."""

    __slots__ = ("left",)

    def __init__(self):
        self.left = False


class Places:
    """The places of a pool, `size` of them."""

    def __init__(self, size):
        self.size, self.users, self.lock, self.bell = size, [], Lock(), threading.Lock()

    def take(self, place):
        """Take a place if one is free; return whether it was."""
        with self.lock.here:
            if len(self.users) >= self.size:
                self.users[:] = [user for user in self.users if not user.left]
            if len(self.users) < self.size:
                self.users.append(place)
                return True
        return False

    def wait(self, place, end):
        """Wait for a free place and take it; return whether that succeeded.

        `end` is when to give up, in nanoseconds of the monotonic clock; None waits without limit.
        """
        while not self.take(place):
            if end is not None and time.monotonic_ns() >= end:
                return False
            self.bell.acquire(timeout=LISTEN)
        return True

    def ring(self):
        """Wake a waiting thread: a place is free."""
        try:
            self.bell.release()
        except RuntimeError:
            pass  # it has been rung already


class Pool(Uncopied):
    """A pool of at most `size` instances of a module at once, for any number of threads.

    `module` is a `Module`, or the bytes of one, and is translated only once. Each user gets a new instance, so nothing
    that one user leaves can be found by another. `imports` is called for each instance, and returns its imports, so
    that users share nothing there either.

    Raises what `Module` raises, and `TypeError` or `ValueError` when `size` is not an int from 0 to 65536.
    """

    def __init__(
        self, module: Module | Binary, size: int, imports: Callable[[], Imports] = dict, limits: Limits = Limits()
    ):
        check_whole("the size of a pool", size, MOST)
        self.module = module if isinstance(module, Module) else Module(module, limits)
        self.imports, self.limits, self.places = imports, limits, Places(size)

    @contextmanager
    def instance(self, wait: float | None = None) -> Iterator[Instance]:
        """Provide a new instance for the length of a `with` statement; afterwards every call of it raises `Busy`.

        Raises `Busy` when none is free within `wait` seconds (None: wait without limit), and what `Instance` raises.
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
            place.left = True  # first, and not by a call: an interrupt comes either before or after it
            self.places.ring()
