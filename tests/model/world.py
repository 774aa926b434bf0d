"""How do tests talk to a booted kernel? As a guest would: calls by name, proofs, and partitions ready to run.

Time moves one second a call by default, so that no test meets the rate limit by accident.
"""

import hashlib

from corollary.model.kernel.action import contain, guest_store, preempt
from corollary.model.kernel.boot import (
    GUEST_BASE,
    ROOT_TABLES,
    SLOT_COHERENCE,
    SLOT_CONSOLE,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_PROOF_ROOTS,
    SLOT_REGIONS,
    SLOT_SCHEDULER,
    SLOT_TRUST,
    boot,
)
from corollary.model.kernel.gate import OPERATIONS, dispatch
from corollary.model.kernel.proof import (
    PROOF_FROM,
    PROOF_LEVELS,
    PROOF_NONCE,
    PROOF_OBJECT,
    PROOF_PATH,
    PROOF_POSITION,
    PROOF_TIER,
    PROOF_UNTIL,
)
from corollary.model.kernel.schedule import proceed
from corollary.spec.kernel.limits import PAGE_WORDS, QUANTUM, REGION_BITS, ROOT, SECOND, SELF, SLOT_BITS, SLOTS
from corollary.spec.kernel.state import BootInformation, Call, Kernel
from corollary.spec.kernel.vocabulary import ALL_RIGHTS, Access, Allowance, ObjectKind, PageKind, Right, Status

BY_NAME = {declared.name: declared for declared in OPERATIONS}
PACKAGE, TEXT, DATA = 12, 3, 5
FIRST_DATA = ROOT_TABLES + TEXT  # a page that the root partition can write
PROOF_PAGE = FIRST_DATA + 2  # like those that follow
SPARE_PAGE = PROOF_PAGE + 1
DRAIN_PAGE = PROOF_PAGE + 2
FIRST_REGION = 4  # pages from here on are free after boot
FIRST_FREE = FIRST_REGION << REGION_BITS

__all__ = [
    "ALL_RIGHTS",
    "Access",
    "Allowance",
    "BY_NAME",
    "Call",
    "DRAIN_PAGE",
    "FIRST_DATA",
    "FIRST_FREE",
    "GUEST_BASE",
    "OPERATIONS",
    "ObjectKind",
    "PROOF_PAGE",
    "PageKind",
    "ROOT",
    "Right",
    "SELF",
    "SLOT_CONSOLE",
    "SLOT_LOG",
    "SLOT_OWN",
    "SLOT_PROOF_ROOTS",
    "SLOT_REGIONS",
    "SLOT_SCHEDULER",
    "SLOT_COHERENCE",
    "SLOT_TRUST",
    "SPARE_PAGE",
    "Status",
    "World",
    "dispatch",
    "leaf_of",
    "mutation_digest",
    "numbers",
    "parent_of",
    "region_of",
    "root_of",
]


def numbers(digest):
    """Return a digest as four u64, in memory order."""
    return [int.from_bytes(digest[8 * part : 8 * part + 8], "little") for part in range(4)]


def mutation_digest(words):
    """Return the SHA-256 of a call's meaning, in 14 words."""
    assert len(words) == 14
    return hashlib.sha256(b"".join(value.to_bytes(8, "little") for value in words)).digest()


def leaf_of(digest):
    """Return the leaf of a tree of mutations."""
    return hashlib.sha256(b"\0\0\0\0" + digest).digest()


def parent_of(left, right):
    """Return an inner node."""
    return hashlib.sha256(b"\0\0\0\1" + left + right).digest()


def root_of(node, position, siblings):
    """Return the root that a path leads to."""
    for level, sibling in enumerate(siblings):
        node = parent_of(sibling, node) if (position >> level) & 1 else parent_of(node, sibling)
    return node


def region_of(page):
    """Return the slot of the root partition's capability for the region of a page."""
    return SLOT_REGIONS + (page >> REGION_BITS)


def six(arguments):
    """Return arguments as six registers."""
    return [*arguments, *[0] * (6 - len(arguments))]


class World:
    """A kernel and the clock it is called with."""

    def __init__(self, attested=bytes(32), now=SECOND, quota=None):
        information = BootInformation(now=now, package=PACKAGE, text=TEXT, data=DATA)
        for position, value in enumerate(numbers(attested)):
            information.attested[position] = value
        for position in range(8):
            information.key[position] = 0x01020304 * (position + 1)
        for position in range(56):
            information.measurement[position] = position + 1
        self.s, self.now, self.information = Kernel(), now, information
        boot(self.s, information)
        if quota is not None:
            self.s.partition[ROOT].quota = quota

    def call(self, name, *arguments, now=None):
        """Make a hypercall of the current partition, give the processor on if it is free, and return the status.

        The finished call stays in `self.last`.
        """
        status = self.dispatched(name, *arguments, now=now)
        proceed(self.s)
        return status

    def dispatched(self, name, *arguments, now=None):
        """Make a hypercall, and no more."""
        number = name if isinstance(name, int) else BY_NAME[name].number
        self.now = self.now + SECOND if now is None else now
        self.last = Call(now=self.now, operation=number)
        for position, value in enumerate(arguments):
            self.last.argument[position] = int(value)
        return dispatch(self.s, self.last)

    def must(self, name, *arguments, now=None):
        """Make a hypercall that has to succeed, and return its first result."""
        status = self.call(name, *arguments, now=now)
        assert status == Status.OK, f"{name}: {status.name}"
        return self.last.result[0]

    def prove(self, name, *arguments, page=PROOF_PAGE, tier=None, path=None, now=None, **spoil):
        """Write the proof of a later call into a page, and return the six registers of that call."""
        declared = BY_NAME[name]
        registers = six(arguments)
        registers[5] = page
        now = self.now + SECOND if now is None else now
        slot = self.s.capability[(self.s.current << SLOT_BITS) | (registers[0] & (SLOTS - 1))]
        words = dict(
            enumerate(numbers(mutation_digest([word & ((1 << 64) - 1) for word in self.meant(name, *registers)])))
        )
        words |= {
            PROOF_NONCE: self.s.partition[self.s.current].nonce + 1,
            PROOF_TIER: int(tier or declared.tier),
            PROOF_FROM: now,
            PROOF_UNTIL: now + SECOND,
            PROOF_OBJECT: slot.object,
        }
        if path is not None:
            position, siblings = path
            words |= {PROOF_POSITION: position, PROOF_LEVELS: len(siblings)}
            words |= {
                PROOF_PATH + 4 * level + part: value
                for level, sibling in enumerate(siblings)
                for part, value in enumerate(numbers(sibling))
            }
        for position, value in (words | spoil.get("words", {})).items():
            self.s.memory[page].word[position] = value
        return registers

    def proved(self, name, *arguments, **details):
        """Make a hypercall with its proof, and return the status."""
        registers = self.prove(name, *arguments, **details)
        return self.call(name, *registers)

    def endow(self, p, handle=None, **amounts):
        """Raise the caller's child's: `records=`, `partitions=`, `edges=`, `notifications=`, `shares=`."""
        for what, amount in amounts.items():
            self.must(
                "partition_endow", self.handle(30 + p) if handle is None else handle, Allowance[what.upper()], amount
            )

    def meant(self, name, *arguments):
        """Return the 14 words that the proof of a call of the current partition is about."""
        declared, registers = BY_NAME[name], six(arguments)
        held, actor = self.slot(registers[0] & (SLOTS - 1), self.s.current), self.own()
        arguments = registers[1:5]
        for position in range(1, 5):
            if declared.handles >> position & 1:
                named, own = self.slot(registers[position] & (SLOTS - 1), self.s.current), registers[position] == SELF
                arguments[position - 1] = (
                    self.s.current | actor.generation << 32
                    if own
                    else (named.object | named.incarnation << 32) * (named.kind != ObjectKind.NONE)
                )
        pending = self.s.proof_root[held.object & 3].pending
        root = [pending[part] for part in range(4)] if name == "proof_root_commit" else [0] * 4
        return [
            declared.number,
            self.s.current,
            actor.generation,
            int(held.kind),
            held.object | held.incarnation << 32,
            actor.nonce + 1,
            *arguments,
            *root,
        ]

    # ---- partitions

    def create(self, p, slot=None, quota=200):
        """Create a partition without memory, and return the caller's handle for it."""
        return self.must("partition_create", SLOT_SCHEDULER, p, 30 + p if slot is None else slot, quota)

    def tables(self, p, first=None):
        """Return three tables for a partition, linked and rooted; the last takes the guest's pages."""
        first = FIRST_FREE + 16 * p if first is None else first
        handle = self.handle(30 + p)
        for offset, kind in enumerate((PageKind.TABLE_1, PageKind.TABLE_2, PageKind.TABLE_3)):
            self.must("page_create", region_of(first), first + offset, kind, handle)
        self.must("table_root", handle, first)
        self.must("table_link", handle, first, 2, first + 1)
        self.must("table_link", handle, first + 1, 0, first + 2)
        return first + 2

    def spawn(self, p, score=1_000_000, consensus=True, quota=200):
        """Return a running partition with its tables: the handle of the root partition for it."""
        handle = self.create(p, quota=quota)
        self.tables(p)
        self.must("partition_start", handle, GUEST_BASE)
        if score:
            self.must("ring_assign", SLOT_TRUST, handle, score, consensus)
        return handle

    def page(self, p, number, kind=PageKind.DATA):
        """Give a partition, or the root partition, a page of the free regions."""
        into = SELF if p == ROOT else self.handle(30 + p)
        self.must("page_create", region_of(number), number, kind, into)
        return number

    def data(self, p, number, access=Access.READ | Access.WRITE):
        """Give a partition a data page of the free regions, mapped in its level-3 table."""
        table = ROOT_TABLES - 1 if p == ROOT else FIRST_FREE + 16 * p + 2
        into = SLOT_OWN if p == ROOT else self.handle(30 + p)
        self.must("page_map", into, self.page(p, number), table, number & (PAGE_WORDS - 1), access)
        return number

    def give(self, handle, p, slot, rights=ALL_RIGHTS):
        """Grant a capability of the root partition to a partition it created, and return the receiver's handle."""
        return self.must("capability_grant", handle, slot, rights, self.handle(30 + p), 0)

    def handle(self, slot, p=ROOT):
        """Return a partition's handle for one of its slots."""
        return (self.s.capability[(p << SLOT_BITS) | slot].generation << SLOT_BITS) | slot

    def drain(self, page=DRAIN_PAGE):
        """Copy the oldest records, up to eight, and drop them. Return how many there were."""
        count = self.must("witness_read", SLOT_LOG, page, self.s.drained)
        return self.must("witness_discard", SLOT_LOG, self.s.drained + count - 1)

    def run(self, p):
        """Give the processor to another running partition, as the timer would."""
        for _ in range(64):
            if self.s.current == p and not self.s.idle:
                return self
            preempt(self.s, self.now)
            proceed(self.s)
        raise AssertionError(f"partition {p} never runs")

    def preempt(self, now=None):
        """Preempt, as the timer does, by default at the end of an epoch."""
        self.now = self.now + QUANTUM if now is None else now
        preempt(self.s, self.now)
        proceed(self.s)

    def fault(self):
        """Let the current partition do something forbidden."""
        contain(self.s, self.now, 0x9200_0000, 0xDEAD)
        proceed(self.s)

    def store(self, p, address, value):
        """Let a guest write to memory."""
        guest_store(self.s, p, address, value)

    # ---- the parts that tests look at

    @property
    def records(self):
        """Return the undrained records, oldest first."""
        return [self.s.log[number & 4095] for number in range(self.s.drained, self.s.sequence)]

    @property
    def used(self):
        """Return the number of records that have not been drained."""
        return self.s.sequence - self.s.drained

    @property
    def newest(self):
        """Return the record of the last call."""
        return self.s.log[(self.s.sequence - 1) & 4095]

    def own(self, p=None):
        """Return the row of a partition, by default the current one."""
        return self.s.partition[self.s.current if p is None else p]

    def slot(self, slot, p=ROOT):
        """Return the row of a capability slot."""
        return self.s.capability[(p << SLOT_BITS) | slot]

    def end(self, handle, p):
        """Destroy a partition and release everything it holds."""
        assert self.proved("partition_destroy", handle) == Status.OK
        while self.s.partition[p].pages:
            self.must("partition_release", handle)
