"""What does a run take besides time? The memory of this process with all that it started, and the disk of a folder."""

import os
import threading
from contextlib import suppress
from pathlib import Path

from corollary.codegen.workers import family

GIB = 1 << 30
KIB = 1 << 10
BLOCK = 512  # bytes of a block, as file systems count
EVERY = 2.0  # s between two looks at the memory


class Memory:
    """While it is open, the memory of this process and its descendants is looked at; `most` is the most, in bytes."""

    def __init__(self, every=EVERY):
        self.every, self.most, self.over = every, 0, threading.Event()

    def __enter__(self):
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *why):
        self.over.set()
        self.thread.join()

    def watch(self):
        """Look at the memory until all is over."""
        while True:
            self.most = max(self.most, sum(map(memory_of, family(os.getpid()))))
            if self.over.wait(self.every):
                return


def memory_of(pid):
    """Return the memory of a process in bytes; what it shares with others counts in parts. 0 if it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * KIB
    return 0


def size_of(folder):
    """Return what a folder takes on the disk, in bytes; a file with several names in it counts once."""
    sizes = {}
    for where, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                status = os.lstat(os.path.join(where, name))
                sizes[status.st_dev, status.st_ino] = status.st_blocks * BLOCK
    return sum(sizes.values())
