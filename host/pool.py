"""How do many users share few instances? Each has one for a while, in its initial state, and nobody has it then."""

import threading
from contextlib import contextmanager

from host.instance import Instance
from host.limits import Limits, check_whole
from host.meter import end_of
from host.module import Module
from host.outcome import Busy
from host.uncopied import Uncopied

MOST = 1 << 16      # instances of a pool


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
        self.imports, self.limits, self.free = imports, limits, threading.BoundedSemaphore(size)

    @contextmanager
    def instance(self, wait=None):
        """One of the instances, for as long as the `with` lasts; afterwards every call of it is `Busy`.

        Raises `Busy` when none is free for so many seconds (None: as long as it takes), and what an instance raises.
        """
        end_of(wait)
        if not self.free.acquire(timeout=None if wait is None else min(wait, threading.TIMEOUT_MAX)):
            raise Busy("no instance of the pool is free")
        try:
            made = Instance(self.module, self.imports(), self.limits)
            try:
                yield made
            finally:
                made.interrupt()
                made.guard.close()
        finally:
            self.free.release()
