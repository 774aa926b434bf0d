"""How do two runs at once not write the same files? The second one is refused, and told which one runs."""

import fcntl
import os
import shlex
import sys
from contextlib import ExitStack, contextmanager

from corollary.codegen.build import Unable
from corollary.codegen.folders import make_room

LOCK = ".lock"  # end of the name of a file beside one that is being written


class Busy(Unable):
    """Another run writes this file; the message names its process and its command."""


@contextmanager
def alone(*paths):
    """Let no other run write these files meanwhile. Raises `Busy` at once if one does.

    The system releases a lock when its process ends, however it ends. What is then left of it keeps nobody out.
    """
    with ExitStack() as held:
        for path in sorted(set(paths)):
            held.enter_context(locked(path))
        yield


@contextmanager
def locked(path):
    """Hold the lock of one file, which says who holds it."""
    lock = path.with_name(f"{path.name}{LOCK}")
    make_room(lock)
    with taken(lock, path) as file:
        try:
            file.truncate(0)
            file.write(f"process {os.getpid()}: {shlex.join(sys.argv)}")
            file.flush()
            yield
        finally:
            lock.unlink(missing_ok=True)


def taken(lock, path):
    """Return the open file of a lock that is ours now. Raises `Busy`."""
    while True:
        file = lock.open("a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            with file:
                raise Busy(f"{path} is being written by {file.read() or 'a run that just began'}") from None
        if is_still(lock, file):
            return file
        file.close()  # who held it removed it after we opened it


def is_still(lock, file):
    """Is an open file the one of this name?"""
    try:
        return os.path.samestat(os.fstat(file.fileno()), lock.stat())
    except FileNotFoundError:
        return False
