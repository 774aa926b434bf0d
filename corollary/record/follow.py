"""How is a witness log read while a machine still writes it?

Only what is new is read, and checked as an audit checks it. The last unit may be half written: it is waited for. A
witness log never shrinks, and nobody else takes its place, so a file that does either is watched no more.
"""

import os
import stat
from collections import namedtuple

from corollary.record.audit import FIELDS, NAMES, RECORDED, Auditor
from corollary.record.witness_log import MARK, BadLog, mark_of, size_of_unit

CHUNK = 1 << 20  # bytes that are read at once, and at most kept
Seen = namedtuple("Seen", NAMES)
"""A good record, as `corollary.spec.kernel.state.WitnessRecord` in plain numbers: a log may have a million of them."""


class LinksTrusted(Auditor):
    """An auditor that does not compute the links between records, which takes most of the time of an audit.

    In a log that begins at a boot, the SHA-256 that checkpoints and the end tell is still that of the records, or the
    log is bad. A log that begins at a checkpoint can only be checked link by link, and is.
    """

    def chained(self, block, link):
        """Return the chain value, which stays unknown."""
        return super().chained(block, link) if self.whole is None else self.verdict.chain

    def is_here(self, chain):
        """Take the chain value of a checkpoint on trust: its SHA-256 is compared."""
        return self.whole is not None or super().is_here(chain)

    def hash_so_far(self):
        """Return SHA-256 of the log up to here."""
        return super().hash_so_far() if self.whole is None else self.whole.digest()


class Log:
    """A witness log that may still grow. A context manager, which closes the file.

    Raises `OSError` when there is no such file, and `BadLog` when it is none that can be watched.
    """

    def __init__(self, path, key=None, trust_links=False):
        self.path, self.file = path, path.open("rb")
        self.opened = os.fstat(self.file.fileno())
        if not stat.S_ISREG(self.opened.st_mode):
            self.file.close()
            raise BadLog(f"{path} is no regular file, and what went through cannot be read again: write it to a file")
        self.auditor = (LinksTrusted if trust_links else Auditor)(key, tail=None)
        self.read = 0  # bytes so far
        self.left, self.at = b"", 0  # the last of them, and where in these the next unit begins

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.file.close()

    @property
    def verdict(self):
        """What an audit says of all that was read; the fault, too."""
        return self.auditor.verdict

    @property
    def trusts_links(self):
        """Are the links of records not checked?"""
        return isinstance(self.auditor, LinksTrusted) and not self.verdict.begins

    @property
    def over(self):
        """Will there be no more records: has the log ended, or is it bad?"""
        return self.auditor.ended or not self.verdict.good

    def records(self):
        """Yield each new good record as a `Seen`, until all that is in the file was read.

        What is wrong is in the verdict, and nothing comes after it. May be left in the middle, and called again.
        """
        try:
            while self.verdict.good and self.fill():
                yield from self.whole_units()
            if self.verdict.good and self.auditor.ended:
                self.auditor.finish()
        except (BadLog, OSError) as problem:
            self.auditor.blame(problem)

    @property
    def waiting(self):
        """How many bytes there are of a unit that is not whole yet."""
        return len(self.left) - self.at

    def fill(self):
        """Read on if no whole unit is left; return whether one is there. Raises `BadLog` for another file."""
        while self.size_of_next() is None:
            data = self.file.read(CHUNK)
            if not data:
                self.check_file()
                return False
            self.read += len(data)
            self.left, self.at = self.left[self.at :] + data, 0
        return True

    def check_file(self):
        """Check that the file has all that was read from it, and still has its name."""
        size = os.fstat(self.file.fileno()).st_size
        if size < self.read:
            raise BadLog(
                f"the file was cut to {size} bytes while it was watched, after {self.read} had been read: "
                "a witness log only grows; watch it anew to see what it is now"
            )
        try:
            now = os.stat(self.path)
        except FileNotFoundError:
            raise BadLog("the file was removed while it was watched: nothing more will come") from None
        if not os.path.samestat(now, self.opened):
            raise BadLog("another file took the place of this one while it was watched: watch it anew to see that one")

    def size_of_next(self):
        """Return the size of the next unit, or None as long as it is not whole.

        What cannot be there, before the first mark and after the last, is taken as it is, for the auditor to refuse.
        """
        if self.auditor.ended:
            return self.waiting or None
        if self.waiting < MARK:
            return None
        mark = self.next_mark()
        if mark is None and not self.verdict.chain:
            return self.waiting  # what is no log will never be one
        size = size_of_unit(mark)
        return size if self.waiting >= size else None

    def next_mark(self):
        """Return the mark of the next unit, or None."""
        return mark_of(self.left[self.at : self.at + MARK])

    def whole_units(self):
        """Take the units that are whole, and yield those that are records."""
        while (size := self.size_of_next()) is not None:
            mark, data = self.next_mark(), self.left[self.at : self.at + size]
            self.at += size
            if self.auditor.take(mark, data) == RECORDED:
                yield Seen(*FIELDS.unpack(data))
