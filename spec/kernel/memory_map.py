"""Where does everything lie in physical memory, and how does the kernel see it at EL2?

The regions, the translation tables that follow from them, and the layout of what the host puts into memory or
reads from it. Descriptors: Arm ARM (DDI 0487) D8, "VMSAv8-64 translation table format descriptors".
"""

from dataclasses import dataclass

from corollary.language.layout import align
from corollary.language.types import Array, Index, u64
from corollary.language.values import Record
from corollary.spec.kernel.hardware import POOL_BASE, UNITS_BASE
from corollary.spec.kernel.kept import Kept
from corollary.spec.kernel.limits import DEVICES, PACKAGE_LIMIT, PAGE_BITS, PAGE_WORDS, UNIT_SHIFT, UNITS
from corollary.spec.kernel.regime import Descriptor
from corollary.spec.kernel.state import BootInformation, Call, Frame, Kernel

KiB, MiB, GiB = 1 << 10, 1 << 20, 1 << 30
PAGE = 1 << PAGE_BITS
GUEST_SIZE = 512 * PAGE  # one level-3 table
GUEST_STACK = 2 * KiB
TRANSPORT = 512  # bytes from one virtio transport to the next


@dataclass(frozen=True)
class Region:
    """A part of the address space that the kernel maps at EL2, at its physical address."""

    name: str
    start: int
    size: int
    kind: str
    why: str

    @property
    def end(self):
        """The first byte after the region."""
        return self.start + self.size


RAM = 0x4000_0000
REGIONS = (
    Region("gicd", 0x0800_0000, 64 * KiB, "device", "GICv3 distributor"),
    Region("gicr", 0x080A_0000, 128 * KiB, "device", "GICv3 redistributor of processor 0"),
    Region("uart", 0x0900_0000, PAGE, "device", "PL011"),
    Region("transports", 0x0A00_0000, DEVICES * TRANSPORT, "device", "virtio transports in memory"),
    Region("text", 0x4010_0000, 512 * KiB, "code", "kernel instructions and vectors"),
    Region("rodata", 0x4018_0000, 512 * KiB, "constant", "EL2 translation tables and constants"),
    Region("data", 0x4020_0000, 2 * MiB, "data", "contexts and what else the platform keeps"),
    Region("package", 0x43E0_0000, (1 + PACKAGE_LIMIT) * PAGE, "constant", "boot package, put there by the host"),
    Region("stack", 0x43F0_1000, 16 * KiB, "data", "EL2 stack; the page below is not mapped"),
    Region("last_stack", 0x43F0_6000, 4 * KiB, "data", "stack of the fault that stops the kernel"),
    Region("secret", 0x43F0_8000, PAGE, "data", "boot key and first proof root, put there by the host, wiped at boot"),
    Region(
        "kept",
        0x43F1_0000,
        align(Kept.layout.size, PAGE),
        "data",
        "the log of a kernel that could not go on, for the one that starts after it",
    ),
    Region(
        "kernel",
        POOL_BASE,
        align(Kernel.layout.size, 2 * MiB),
        "data",
        "the state of the model; the page pool comes first",
    ),
    Region("units", UNITS_BASE, UNITS << UNIT_SHIFT, "data", "large memory, of which the state says whose it is"),
)
MAILBOX = Region("mailbox", 0x5000_0000, 32 * MiB, "data", "differential tests: shared with the host")
HARNESS = (  # of differential tests: loaded beside the kernel, calls its functions
    Region("harness_text", 0x4040_0000, 64 * KiB, "code", "instructions of the harness"),
    Region("harness_rodata", 0x4041_0000, 64 * KiB, "constant", "EL2 translation tables and constants of the harness"),
    MAILBOX,
)


@dataclass(frozen=True)
class Use:
    """How the kernel uses a kind of memory: a byte of MAIR_EL2, its place there, and what it may do besides read."""

    place: int
    attributes: int
    shareability: int
    write: bool
    execute: bool


MAIR_DEVICE, MAIR_NORMAL = 0, 1  # places in MAIR_EL2
WRITE_BACK, DEVICE = 0xFF, 0x00
INNER = 3
USES = {
    "code": Use(MAIR_NORMAL, WRITE_BACK, INNER, write=False, execute=True),
    "constant": Use(MAIR_NORMAL, WRITE_BACK, INNER, write=False, execute=False),
    "data": Use(MAIR_NORMAL, WRITE_BACK, INNER, write=True, execute=False),
    "device": Use(MAIR_DEVICE, DEVICE, 0, write=True, execute=False),
}
"""Kind of a region -> its use; memory outside all regions is not mapped."""

# ---- translation at EL2

LEVEL_SIZE = {1: GiB, 2: 2 * MiB, 3: PAGE}
LINK = Descriptor(0).replace(valid=True, table_or_page=True)


def leaf(use, level):
    """Return the descriptor of memory with a use, at physical address 0."""
    return Descriptor(
        valid=True,
        table_or_page=level == 3,
        place=use.place,
        privileged=True,
        read_only=not use.write,
        shareability=use.shareability,
        accessed=True,
        never_executed=not use.execute,
    )


def translation(regions):
    """Return the EL2 stage 1 tables as runs of descriptors; they are constants of the image and never written."""
    tables = {}
    for region in regions:
        assert region.start % PAGE == region.size % PAGE == 0, region.name
        address = region.start
        while address < region.end:
            level = 2 if address % (2 * MiB) == 0 and address + 2 * MiB <= region.end else 3
            enter(tables, address, level, USES[region.kind])
            address += LEVEL_SIZE[level]
    return [dict(name=name, runs=runs(entries)) for name, entries in sorted(tables.items(), reverse=True)]


def enter(tables, address, level, use):
    """Put a leaf for `address` into the table of its level, and the links that lead there."""
    for upper in range(1, level):
        link = (table_name(upper + 1, address), 0, LINK)
        assert entries_of(tables, upper, address).setdefault(place(upper, address), link) == link, "regions overlap"
    entries = entries_of(tables, level, address)
    assert place(level, address) not in entries, "regions overlap"
    entries[place(level, address)] = (None, address, leaf(use, level))


def table_name(level, address):
    """The symbol of the table that covers an address at a level."""
    return (
        "translation_root"
        if level == 1
        else f"translation_{level}_{address // (512 * LEVEL_SIZE[level]) * 512 * LEVEL_SIZE[level]:x}"
    )


def entries_of(tables, level, address):
    """The entries of the table that covers an address at a level."""
    return tables.setdefault(table_name(level, address), {})


def place(level, address):
    """The position of an address in its table."""
    return address // LEVEL_SIZE[level] % 512


def runs(entries):
    """Merge neighbouring descriptors with the same attributes and consecutive outputs."""
    merged = []
    for index, (target, address, attributes) in sorted(entries.items()):
        last = merged[-1] if merged else None
        if (
            last
            and not target
            and not last["target"]
            and index == last["index"] + last["count"]
            and attributes == last["attributes"]
            and address == last["address"] + last["count"] * last["step"]
        ):
            last["count"] += 1
            continue
        step = PAGE if attributes.table_or_page else 2 * MiB
        merged.append(dict(index=index, count=1, target=target, address=address, step=step, attributes=attributes))
    return merged


# ---- what the host puts there


class Secret(Record):
    """What the host puts into the region `secret` before the processor starts."""

    key: Array[u64, 4]  # as it lies in memory
    attested: Array[u64, 4]  # first proof root
    rest: Array[u64, PAGE_WORDS - 8]


# ---- what boot measures

LINE_WORDS = 8  # of 64 bytes
PHASES = 7
START_PHASE = 4  # of these, the one that measures how the kernel starts
PhaseId = Index("PhaseId", PHASES)
LineId = Index("LineId", PAGE_WORDS // LINE_WORDS)  # of a page
PackagePageId = Index("PackagePageId", PACKAGE_LIMIT)  # after the header
PageCount = Index("PageCount", PACKAGE_LIMIT + 2)  # of parts: none, or as many as there can be
LineCount = Index("LineCount", PAGE_WORDS // LINE_WORDS * (PACKAGE_LIMIT + 1) + 2)
Parts = Array[Frame, PACKAGE_LIMIT + 1]  # consecutive pages; their number is given separately
Words = Array[u64, 32]  # registers, then zeros


# ---- the harness: how the host's mailbox is laid out, and what an entry of a trace may do

ENTRIES_OFFSET = PAGE
KINDS = ("CALL", "PREEMPT", "CONTAIN", "STORE", "WAIT")  # ways into the kernel, and a store by a guest
COMMANDS = ("NONE", "RUN", "RESET", "OFF")


class Entry(Record):
    """One step of a trace and its outcome."""

    kind: u64
    status: u64
    call: Call


class Mailbox(Record):
    """What the host and the harness say to each other, at the start of the shared region."""

    command: u64
    count: u64  # entries to run
    runs: u64  # commands completed
    ticks: u64  # counter ticks of the last run
    information: BootInformation
