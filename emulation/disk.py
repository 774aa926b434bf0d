"""Did the guests of a disk end as they had to? One stores and reads back, one is hostile; disks differ in what they do.

A disk answers slowly, so that requests are in flight while others ask for what they must not get.
"""

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from corollary.emulation.machine import packed
from corollary.emulation.verdict import (
    NAMES,
    Judge,
    boot_rows,
    canary_rows,
    end_row,
    holds,
    log_rows,
    root_row,
    told_row,
)
from corollary.spec.kernel.limits import PAGE_WORDS, SECTOR
from corollary.spec.kernel.vocabulary import Status

ROOT, DRIVER, HOSTILE = NAMES.index("root"), NAMES.index("worker A"), NAMES.index("hostile")
PARTITIONS = ("root", "driver", "none", "auditor", "intruder")
SIZE = 1 << 20  # bytes of the disk
PLACE = 0  # transport that the disk is behind
SLOW = "throttling.iops-total=1"  # requests a second of the machine's time: the next one is in flight until then
LEASES = {"alive": Status.OBJECT_IN_USE, "destroyed": Status.OBJECT_IN_USE, "page taken": Status.OK}
"""What root is answered that wants the disk of another partition, by what has become of that."""
DONE, FAILED = 0, 1  # how a block device ends a request (virtio 1.2, 5.2.6)


@dataclass(frozen=True)
class Disk:
    """What a disk is: the options of its drive, and how it ends the driver's requests."""

    drive: str  # with the name of a file
    write: int
    read: int

    @property
    def keeps(self):
        """Does it keep what it was given?"""
        return self.write == self.read == DONE


AT = 8 * SECTOR  # where the driver has its page written
PATTERN = packed(*((i + 1) * 0x9E3779B97F4A7C15 % (1 << 64) for i in range(PAGE_WORDS)))  # what is in this page
RAW = "file={file},format=raw"
ERROR = "file.inject-error.0"
FAILING = "driver=raw,file.driver=blkdebug,file.image.driver=file,file.image.filename={file}"
DISKS = {
    "good": Disk(RAW, DONE, DONE),
    "read-only": Disk(f"{RAW},readonly=on", FAILED, DONE),
    "failing": Disk(f"{FAILING},{ERROR}.event=none,{ERROR}.iotype=read,{ERROR}.errno=5", DONE, FAILED),
}


@contextmanager
def attached(disk, *pace):
    """Yield `(arguments for QEMU, contents)`: a disk of zeros; `contents()` returns the bytes that are on it."""
    with NamedTemporaryFile(suffix=".disk") as file:
        file.truncate(SIZE)
        yield options(disk.drive.format(file=file.name), *pace), Path(file.name).read_bytes


def options(drive, *pace):
    """Return the arguments for QEMU that attach a drive."""
    return (
        *("-global", "virtio-mmio.force-legacy=false"),
        *("-drive", ",".join((drive, "if=none", "id=disk", *pace))),
        *("-device", f"virtio-blk-device,drive=disk,bus=virtio-mmio-bus.{PLACE}"),
    )


def verdict(run, system, disk, contents):
    """Return all rows: what guests tried, what the disk answered and has on it, then what must hold of the whole."""
    judge = Judge(run.records, run.names)
    return [
        *(row for p in (DRIVER, HOSTILE) for row in judge.rows(p, run.lines(p, "attempt"))),
        *answer_rows(run, disk),
        contents_row(run, disk, contents),
        *canary_rows(run, (ROOT, DRIVER)),
        told_row(run, ROOT, "reclaimed", "zero", "a page taken back while the disk was to write it", "stays zero"),
        told_row(run, ROOT, "left", "zero", "a page of a destroyed partition that the disk was to write", "stays zero"),
        *lease_rows(run),
        *boot_rows(run, system),
        root_row(run, "lend a disk, take it over, take pages back, and destroy who has it"),
        *log_rows(run, system),
        end_row(run),
    ]


def answer_rows(run, disk):
    """Yield rows about how the disk ended the driver's requests, and whether it kept what it was given."""
    told = {what: int(status, 16) for what, status in run.lines(DRIVER, "disk")}
    for what, wanted in (("write", disk.write), ("read", disk.read), ("beyond", FAILED)):
        yield holds(
            f"how the disk ends: {what}",
            str(wanted),
            str(told.get(what, "nothing")),
            told.get(what) == wanted,
            run.names[DRIVER],
        )
    kept = "all" if disk.keeps else "not all"
    yield told_row(run, DRIVER, "kept", kept, "what was written is what is read", kept)


def lease_rows(run):
    """Yield rows: root gets the disk when the last page of a destroyed partition is taken from it, and not before."""
    told = {when: int(status, 16) for when, status in run.lines(ROOT, "lease")}
    for when, wanted in LEASES.items():
        found = told.get(when)
        seen = "nothing" if found is None else Status(found).name
        yield holds(f"lease the disk of another one: {when}", wanted.name, seen, found == wanted, run.names[ROOT])


def contents_row(run, disk, contents):
    """Return a row about what is on the disk: what the driver had written, if the disk took it, and zeros."""
    written = PATTERN if disk.write == DONE else bytes(len(PATTERN))
    wanted = bytes(AT) + written + bytes(SIZE - AT - len(written))
    wrong = sum(a != b for a, b in zip(contents, wanted)) + abs(len(contents) - len(wanted))
    return holds(
        "what is on the disk in the end",
        "what the driver had written, and zeros",
        f"{wrong} bytes differ" if wrong else "just that",
        not wrong,
        run.names[DRIVER],
    )
