"""Which calls would a caller make? Mostly calls that should succeed in the state, chosen at random."""

import hashlib
from dataclasses import dataclass
from typing import Any

from corollary.emulation.traces import Hypercall, Store
from corollary.model.kernel.boot import ROOT_TABLES, SLOT_PROOF_ROOTS, SLOT_REGIONS
from corollary.model.kernel.gate import OPERATIONS
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
from corollary.spec.agent import Life, may_follow
from corollary.spec.kernel.agent import badge_of, row_of
from corollary.spec.kernel.block import holds
from corollary.spec.kernel.limits import (
    ALL_USE,
    CHILDREN,
    CONSOLE_WORDS,
    DEADLINE_LIMIT,
    DRAIN_LIMIT,
    EDGES,
    LINE_WORDS,
    MERKLE_LEVELS,
    ORDERS,
    PAGE_WORDS,
    PAGES,
    PART_LINES,
    PARTITIONS,
    PARTS,
    PATIENCE_LIMIT,
    PAYLOAD_WORDS,
    PPM,
    PRESSURE_BITS,
    PROOF_ROOTS,
    PROOF_WINDOW,
    QUANTUM,
    REGION_BITS,
    ROOT,
    SELF,
    SLOT_BITS,
    SLOTS,
    UNITS,
)
from corollary.spec.kernel.memory import lets
from corollary.spec.kernel.vocabulary import (
    ALL_RIGHTS,
    Access,
    Heat,
    Mode,
    ObjectKind,
    PageKind,
    PartitionState,
    Right,
    Ring,
    Tier,
)

BY_NAME = {declared.name: declared for declared in OPERATIONS}
MILLISECOND = 1_000_000
SECOND = 1000 * MILLISECOND
PACKAGE, TEXT, DATA = 12, 3, 4
PROOF_PAGES = (ROOT_TABLES + TEXT, ROOT_TABLES + TEXT + 1)  # data of the root partition, kept for proofs
DRAIN_PAGE = ROOT_TABLES + TEXT + 2
PROTECTED = {*PROOF_PAGES, DRAIN_PAGE}
STARTED = (PartitionState.RUNNING, PartitionState.SUSPENDED)
HALVES = (PartitionState.SPLITTING, PartitionState.MERGING)
LIVING = (PartitionState.CREATED, PartitionState.RUNNING, PartitionState.SUSPENDED)
COMMITS = (0, 0, 1, 3)  # proof roots put in force before one is bound
NONCES = 1 << 20  # between the proofs that were foreseen at boot: a trace makes fewer others
FEW = 6  # edges and notifications, so that some are named again
SCHEMAS = (0, 1, 0x5C4E_3A00_0000_0001, (1 << 64) - 1)
NASTY = (
    0,
    1,
    2,
    3,
    7,
    63,
    64,
    255,
    256,
    511,
    512,
    1023,
    1024,
    4095,
    0xFFFF,
    0x10000,
    0xFFFFFFFF,
    1 << 32,
    SELF - 1,
    SELF,
    SELF + 1,
    1 << 63,
    (1 << 64) - 1,
)

# operations that would leave nobody to go on, if done to the root partition
DANGEROUS = (
    "partition_suspend",
    "partition_hibernate",
    "partition_destroy",
    "ring_demote",
    "partition_split",
    "partition_merge",
)
# the partitions for which an operation succeeds
WANTED = {
    "partition_start": lambda row: row.state == PartitionState.CREATED and row.rooted,
    "table_root": lambda row: row.state == PartitionState.CREATED,
    "partition_suspend": lambda row: row.state == PartitionState.RUNNING,
    "partition_resume": lambda row: row.state == PartitionState.SUSPENDED,
    "partition_hibernate": lambda row: row.state in STARTED,
    "partition_reconstruct": lambda row: row.state == PartitionState.HIBERNATED,
    "partition_release": lambda row: row.state == PartitionState.DESTROYED,
    "partition_reclaim": lambda row: row.state == PartitionState.DESTROYED and row.pages == 0,
    "partition_split": lambda row: row.state in STARTED,
    "partition_merge": lambda row: row.state in STARTED,
    "partition_settle": lambda row: row.state in HALVES,
    "ring_restore": lambda row: row.elevation.active,
    "ring_demote": lambda row: row.score > 0,
}


# ---- proofs


def numbers(digest):
    """Return a digest as four u64, in memory order."""
    return tuple(int.from_bytes(digest[8 * part : 8 * part + 8], "little") for part in range(4))


def mutation_digest(words):
    """Return the SHA-256 of a call's meaning in 14 words, computed independently of the model."""
    return hashlib.sha256(b"".join(value.to_bytes(8, "little") for value in words)).digest()


def receiver(s, handle):
    """Return what the caller's handle for a partition means: the number in the low half, the incarnation above."""
    if handle % (SELF + 1) == SELF:
        return s.current | s.partition[s.current].generation << 32
    row = s.capability[(s.current << SLOT_BITS) | (handle & (SLOTS - 1))]
    return row.object | row.incarnation << 32 if row.kind != ObjectKind.NONE else 0


def meant(s, declared, registers):
    """Return the words that a proof of a call is about."""
    row = s.capability[(s.current << SLOT_BITS) | (registers[0] & (SLOTS - 1))]
    arguments = [
        receiver(s, value) if declared.handles >> position & 1 else value for position, value in enumerate(registers)
    ][1:5]
    pending = s.proof_root[row.object & (PROOF_ROOTS - 1)].pending
    root = [pending[part] if declared.replaces_root else 0 for part in range(4)]
    nonce = (s.partition[s.current].nonce + 1) % (1 << 64)
    return (
        declared.number,
        s.current,
        s.partition[s.current].generation,
        int(row.kind),
        row.object | row.incarnation << 32,
        nonce,
        *arguments,
        *root,
    )


@dataclass(frozen=True)
class Path:
    """A call that a Merkle root vouches for: its meaning, the position of its leaf, and the siblings on the way up."""

    name: str
    arguments: tuple
    meant: tuple
    position: int
    siblings: tuple

    @property
    def nonce(self):
        """The number of the proof for which it is valid."""
        return self.meant[5]

    def root(self):
        """Return the root that it leads to."""
        return numbers(climbed(leaf_of(mutation_digest(self.meant)), self.position, self.siblings))


@dataclass(frozen=True)
class Module:
    """A module that a Merkle root vouches for: so many parts of a page that is zero, and the way up from its hash."""

    parts: int
    position: int
    siblings: tuple

    @property
    def hash(self):
        """Its SHA-256."""
        return hashlib.sha256(bytes(self.parts * PART_LINES * 8 * LINE_WORDS)).digest()

    def root(self):
        """Return the root that the path from its leaf leads to."""
        return numbers(climbed(leaf_of(self.hash), self.position, self.siblings))


def leaf_of(digest):
    """Return the leaf of a digest."""
    return hashlib.sha256(bytes(4) + digest).digest()


def climbed(node, position, siblings):
    """Return the root above a node."""
    for level, sibling in enumerate(siblings):
        pair = sibling + node if (position >> level) & 1 else node + sibling
        node = hashlib.sha256(b"\0\0\0\1" + pair).digest()
    return node


# ---- what a state offers to a caller


def capabilities(s, p):
    """Return `(handle, row)` for the slots of a partition that hold something."""
    rows = ((slot, dict.get(s.capability.rows, (p << SLOT_BITS) | slot)) for slot in range(SLOTS))
    return [((row.generation << SLOT_BITS) | slot, row) for slot, row in rows if row and row.kind != ObjectKind.NONE]


def pages(s, p, *kinds):
    """Return the pages of a partition that are of one of these kinds."""
    return [number for number, row in s.page.rows.items() if row.owner == p and row.kind in kinds]


def usable(s, p):
    """Return the data pages that a partition can read and write; if there are none, all, so that it is refused."""
    data = pages(s, p, PageKind.DATA)
    return [page for page in data if lets(s, p, page, Access(Access.READ | Access.WRITE))] or data


def named(row):
    """Return the partition that a capability names."""
    return row.object & (PARTITIONS - 1)


class Caller:
    """A caller: makes calls of the current partition, and the stores that come before them."""

    def __init__(self, random, careful):
        self.careful = careful  # the root partition makes no mistake, so that the trace may last
        self.random, self.now, self.rushed = random, random.randrange(1, 1000) * SECOND, 0
        self.queue, self.paths, self.following = [], {}, {}

    def maybe(self, probability):
        """Return True with this probability."""
        return self.random.random() < probability

    def slip(self, s, probability):
        """Return True with this probability, but never for a careful root partition."""
        return self.maybe(probability) and not (self.careful and s.current == ROOT)

    def pick(self, choices, otherwise=None) -> Any:
        """Return one of the choices, or `otherwise` if there is none."""
        choices = list(choices)
        return self.random.choice(choices) if choices else otherwise

    def tick(self):
        """Return the next time.

        Time goes forward, sometimes stands still, and rarely goes back. Now and then it stands still for so many
        calls that tokens run out.
        """
        if self.rushed or self.maybe(0.003):
            self.rushed = (self.rushed or 140) - 1
            return self.now
        span = self.pick((0, 30, 100, 250, 600)) * MILLISECOND
        self.now += span
        return max(0, self.now - self.random.randrange(SECOND)) if self.maybe(0.01) else self.now

    # ---- calls

    def call(self, s, name, **wanted):
        """Return a call of this operation, mostly one that should succeed."""
        declared = BY_NAME[name]
        arguments = [self.random.randrange(min(1 << 16, type_.bound)) for _, type_ in declared.parameters]
        handle = wanted.pop("handle", None)
        if handle is None and declared.takes_handle:
            handle = self.handle(s, declared)
        made = getattr(self, f"for_{name}", lambda s, handle: {})(s, handle) | wanted
        for position, (parameter, _) in enumerate(declared.parameters):
            arguments[position] = int(made.get(parameter, arguments[position]))
        registers = [handle or 0, *arguments] + [0] * (5 - len(arguments))
        if self.slip(s, 0.06):
            registers[self.random.randrange(6)] = self.pick(NASTY)
        if self.slip(s, 0.02):
            registers[0] ^= self.pick((1, 64, 128))
        if declared.tier >= Tier.P2:
            return self.proven(s, declared, registers)
        return Hypercall(self.tick(), declared.number, tuple(registers))

    def handle(self, s, declared):
        """Return a handle of the caller that the operation accepts, if it has one."""
        held = capabilities(s, s.current)
        if declared.name in DANGEROUS and not self.slip(s, 0.01):
            held = [(handle, row) for handle, row in held if row.kind != ObjectKind.PARTITION or named(row) != ROOT]
        fitting = [
            (handle, row)
            for handle, row in held
            if (declared.any_object or row.kind == declared.on) and declared.needs & ~row.rights == 0
        ]
        if declared.name == "capability_delete" and s.current == ROOT and not self.slip(s, 0.02):
            fitting = [(handle, row) for handle, row in fitting if (handle & (SLOTS - 1)) > SLOT_REGIONS + 16]
        wanted = WANTED.get(declared.name)
        ready = [(handle, row) for handle, row in fitting if wanted and wanted(s.partition[named(row)])]
        if ready and self.maybe(0.85):
            fitting = ready
        if not fitting or self.slip(s, 0.03):
            fitting = held
        return self.pick([handle for handle, _ in fitting], self.random.randrange(SLOTS))

    def row(self, s, handle):
        """Return the capability that a handle of the caller names."""
        return s.capability[(s.current << SLOT_BITS) | ((handle or 0) & (SLOTS - 1))]

    def to_partition(self, s, rights, states=None, foreign=False):
        """Return a handle of the caller for a partition over which it has these rights, if any."""
        found = [
            handle
            for handle, row in capabilities(s, s.current)
            if row.kind == ObjectKind.PARTITION
            and rights & ~row.rights == 0
            and (states is None or s.partition[named(row)].state in states)
            and not (foreign and named(row) == s.current)
        ]
        return self.pick(found)

    def to_creator(self, s):
        """Return a handle of the caller for a partition that has created others."""
        creators = {
            row.parent for row in s.partition.rows.values() if row.state != PartitionState.VACANT and row.ancestry > 1
        }
        return self.pick(
            [
                handle
                for handle, row in capabilities(s, s.current)
                if row.kind == ObjectKind.PARTITION
                and named(row) in creators
                and named(row) != s.current
                and row.rights & Right.PROVE
            ]
        )

    def free_slot(self, s, p):
        """Return a slot of a partition that holds nothing."""
        used = {handle & (SLOTS - 1) for handle, _ in capabilities(s, p)}
        if used and self.maybe(0.03):
            return self.pick(sorted(used))
        return self.pick([slot for slot in range(SLOTS) if slot not in used], 63)

    def free_page(self, s, region):
        """Return a page of a region that nobody has."""
        first = region << REGION_BITS & (PAGES - 1)
        taken = {number for number, row in s.page.rows.items() if row.kind != PageKind.FREE}
        if taken and self.maybe(0.04):
            return self.pick(sorted(taken))
        return self.pick([number for number in range(first, first + (1 << REGION_BITS)) if number not in taken], first)

    def for_capability_grant(self, s, handle):
        row, into = self.row(s, handle), SELF
        if self.maybe(0.5):
            into = self.to_partition(s, Right.WRITE, foreign=True) or SELF
        p = s.current if into == SELF else named(self.row(s, into))
        rights = row.rights & self.pick(
            (
                ALL_RIGHTS,
                self.random.getrandbits(12),
                Right.READ | Right.WRITE,
                ALL_RIGHTS ^ Right.GRANT,
                ALL_RIGHTS ^ Right.GRANT_ONCE,
            )
        )
        if row.rights & Right.GRANT == 0 and not self.maybe(0.1):
            rights &= ~(Right.GRANT | Right.GRANT_ONCE)
        if self.maybe(0.03):
            rights = self.random.getrandbits(12)
        made = {"slot": self.free_slot(s, p), "rights": rights, "into": into}
        return made | ({"badge": row.badge} if row.depth and self.maybe(0.9) else {})

    def for_page_create(self, s, handle):
        into = SELF if self.maybe(0.4) else self.to_partition(s, Right.WRITE) or SELF
        kind = self.pick(
            (
                PageKind.TABLE_1,
                PageKind.TABLE_2,
                PageKind.TABLE_3,
                PageKind.DATA,
                PageKind.DATA,
                PageKind.APPEND,
                PageKind.TABLE_UNITS,
            )
        )
        return {"page": self.free_page(s, self.row(s, handle).object), "kind": kind, "into": into}

    def own_page(self, s, handle, *kinds, unused=False):
        """Return a page of the partition that a handle names."""
        found = [number for number in pages(s, named(self.row(s, handle)), *kinds) if number not in PROTECTED]
        if unused:
            found = [
                number
                for number in found
                if not any(s.mapping[4 * number + i].linked or s.mapping[4 * number + i].used for i in range(4))
            ] or found
        return self.pick(found, self.random.randrange(PAGES))

    def for_page_release(self, s, handle):
        return {"page": self.own_page(s, handle, *PageKind, unused=True)}

    def for_page_transfer(self, s, handle):
        return {
            "page": self.own_page(s, handle, PageKind.DATA, PageKind.APPEND, unused=True),
            "into": self.to_partition(s, Right.WRITE) or SELF,
        }

    def for_table_root(self, s, handle):
        kinds = PageKind if self.maybe(0.15) else (PageKind.TABLE_1,)
        return {"page": self.own_page(s, handle, *kinds)}

    def for_table_link(self, s, handle):
        upper, lower = self.pick(((PageKind.TABLE_1, PageKind.TABLE_2), (PageKind.TABLE_2, PageKind.TABLE_3)))
        return {
            "table": self.own_page(s, handle, upper),
            "entry": self.random.randrange(6),
            "child": self.own_page(s, handle, lower, unused=True),
        }

    def for_page_map(self, s, handle):
        access = self.pick(
            (Access.READ, Access.READ | Access.WRITE, Access.READ | Access.EXECUTE, Access.WRITE, Access.mask, 0)
        )
        return {
            "page": self.own_page(s, handle, PageKind.DATA, PageKind.APPEND, unused=True),
            "access": access,
            "table": self.own_page(s, handle, PageKind.TABLE_3),
            "entry": self.random.randrange(12),
        }

    def for_page_unmap(self, s, handle):
        p = named(self.row(s, handle))
        linked = [
            number for number in pages(s, p, *PageKind) if s.mapping[4 * number].linked and (p != ROOT or number > 20)
        ]
        return {"page": self.pick(linked, self.own_page(s, handle, *PageKind))}

    def for_page_share(self, s, handle):
        return {
            "page": self.own_page(s, handle, PageKind.DATA, PageKind.APPEND),
            "ordinal": self.random.randrange(1, 4),
            "reader": self.to_partition(s, Right.READ) or SELF,
        }

    def for_share_map(self, s, handle):
        p = named(self.row(s, handle))
        shares = [m for m, row in s.mapping.rows.items() if row.used and row.partition == p]
        m = self.pick(shares, self.random.randrange(4 * PAGES))
        return {
            "page": m >> 2,
            "ordinal": m & 3,
            "table": self.own_page(s, handle, PageKind.TABLE_3),
            "entry": self.random.randrange(12),
        }

    def for_page_unshare(self, s, handle):
        p = named(self.row(s, handle))
        m = self.pick([m for m, row in s.mapping.rows.items() if row.used and s.page[m >> 2].owner == p], 5)
        return {"page": m >> 2, "ordinal": m & 3}

    def for_page_append(self, s, handle):
        return {"page": self.own_page(s, handle, PageKind.APPEND)}

    def for_region_reclaim(self, s, handle):
        region = self.row(s, handle).object
        lent = [
            number
            for number, row in s.page.rows.items()
            if number >> REGION_BITS == region and row.kind != PageKind.FREE and row.owner != ROOT
        ]
        return {"page": self.pick(lent, self.random.randrange(ROOT_TABLES + PACKAGE, PAGES))}

    def for_partition_create(self, s, handle):
        vacant = [p for p in range(8) if s.partition[p].state == PartitionState.VACANT or self.maybe(0.02)]
        return {
            "p": self.pick(vacant, self.random.randrange(PARTITIONS)),
            "slot": self.free_slot(s, s.current),
            "quota": self.pick((2, 32, 60, 200, 1024)),
        }

    def own_partitions(self, s):
        """Return the partitions that the caller created, or that fell to it."""
        return [
            p
            for p, row in s.partition.rows.items()
            if row.state != PartitionState.VACANT and row.ancestry and row.parent == s.current
        ]

    def for_partition_adopt(self, s, handle):
        return {"p": self.pick(self.own_partitions(s), self.random.randrange(8)), "slot": self.free_slot(s, s.current)}

    def for_partition_endow(self, s, handle):
        return {"amount": self.pick((0, 1, 1, 2, 5, 300))}

    def for_capability_withdraw(self, s, handle):
        held = [handle & (SLOTS - 1) for handle, _ in capabilities(s, named(self.row(s, handle)))]
        return {"slot": self.pick(held, self.random.randrange(SLOTS))}

    def for_ring_assign(self, s, handle):
        score = self.pick((0, 500_000, 550_000, 600_001, 700_000, 860_000, 900_000, 950_001, 1_000_000, 1_000_001))
        of = self.to_partition(s, Right.WRITE, LIVING, foreign=not self.maybe(0.05))
        return {"of": of or SELF, "score": score, "consensus": self.maybe(0.5)}

    def for_ring_demote(self, s, handle):
        return {"score": self.random.randrange(s.partition[named(self.row(s, handle))].score + 1)}

    def for_ring_elevate(self, s, handle):
        attestation = [handle for handle, row in capabilities(s, s.current) if row.kind == ObjectKind.PROOF_ROOT]
        return {
            "target": self.pick((Ring.PRIVILEGED, Ring.PRIVILEGED, Ring.STANDARD, Ring.ROOT)),
            "seconds": self.pick((0, 1, 300, 5000)),
            "attestation": self.pick(attestation, self.random.randrange(SLOTS)),
        }

    def for_witness_read(self, s, handle):
        page = self.own_message(s)
        return {
            "page": page,
            "first": s.copied
            if s.copied < s.sequence and self.maybe(0.8)
            else self.pick((s.drained, s.sequence - 1, s.sequence)),
        }

    def for_witness_discard(self, s, handle):
        last = min(s.copied, s.drained + DRAIN_LIMIT) - 1
        return {
            "last": max(last, 0)
            if self.maybe(0.8)
            else self.pick((s.drained, s.drained + DRAIN_LIMIT, max(s.drained, 1) - 1, s.copied))
        }

    def for_witness_seal(self, s, handle):
        own = self.maybe(0.85) and self.own_message(s)
        return {"page": own or self.random.randrange(PAGES)}

    def for_console_write(self, s, handle):
        page = self.pick(usable(s, s.current), 0)
        first, words = self.pick(((0, 0), (PAGE_WORDS - 1, 1), (1, CONSOLE_WORDS), (0, CONSOLE_WORDS + 1)))
        return {"page": page, "first": first, "words": words}

    def own_message(self, s):
        """Return a page of the caller that a message may be read from or written to."""
        return DRAIN_PAGE if s.current == ROOT else self.pick(usable(s, s.current), 0)

    def for_edge_create(self, s, handle):
        return {"e": self.random.randrange(FEW), "slot": self.free_slot(s, s.current), "schema": self.pick(SCHEMAS)}

    def for_edge_send(self, s, handle):
        schema = s.edge[self.row(s, handle).object & (EDGES - 1)].schema
        return {
            "page": self.own_message(s),
            "length": self.pick((0, 1, PAYLOAD_WORDS, self.random.randrange(PAYLOAD_WORDS + 2))),
            "schema": schema if self.maybe(0.75) else self.pick(SCHEMAS),
        }

    def for_edge_receive(self, s, handle):
        return {"page": self.own_message(s)}

    def for_graph_read(self, s, handle):
        return {"page": self.own_message(s), "group": self.random.randrange(2)}

    def for_edge_await(self, s, handle):
        return {"patience": self.patience_for_rest()}

    def for_notification_await(self, s, handle):
        return {"patience": self.patience_for_rest()}

    def patience_for_rest(self):
        """Return for how long a caller rests: mostly for less than a quantum."""
        return self.pick((0, 1, QUANTUM // 2, QUANTUM, 20 * QUANTUM, PATIENCE_LIMIT, PATIENCE_LIMIT + 1))

    def for_schedule_prioritize(self, s, handle):
        of = self.to_partition(s, Right.WRITE, LIVING, foreign=not self.maybe(0.05))
        return {
            "of": of or SELF,
            "pressure": self.pick((0, 1, 1 << 17, PPM, (1 << PRESSURE_BITS) - 1)),
            "warden": self.maybe(0.5),
            "within": self.pick((0, 1, SECOND // 2, SECOND, DEADLINE_LIMIT, DEADLINE_LIMIT + 1)),
        }

    def for_schedule_mode(self, s, handle):
        return {"mode": self.pick((Mode.FLOW, Mode.FLOW, Mode.REFLEX, Mode.RECOVERY, Mode.HALTED))}

    def for_notification_create(self, s, handle):
        return {"n": self.random.randrange(FEW), "slot": self.free_slot(s, s.current)}

    def for_notification_signal(self, s, handle):
        row = self.row(s, handle)
        return {
            "bits": self.random.getrandbits(64) & row.badge
            if row.depth and self.maybe(0.8)
            else 1 << self.random.randrange(64)
        }

    def rows(self, s, p, *lives):
        """Return the badges of agents of a partition that are in one of these states."""
        return [
            badge_of(s, a)
            for a, row in s.agent.rows.items()
            if row.partition == p and row.life in lives and (row.incarnation == s.partition[p].generation)
        ]

    def badge(self, s, p, *lives):
        """Return the badge of an agent of a partition in one of these states, or one that no agent has."""
        return self.pick(self.rows(s, p, *lives), self.random.randrange(FEW << 9))

    def for_agent_create(self, s, handle):
        return {"agent": self.random.randrange(FEW), "place": self.random.randrange(CHILDREN)}

    def for_agent_measure(self, s, handle):
        p = named(self.row(s, handle))
        return {
            "badge": self.badge(s, p, *(Life if self.maybe(0.1) else (Life.INITIALIZING,))),
            "page": self.own_page(s, handle, PageKind.DATA, PageKind.APPEND),
            "part": self.random.randrange(PARTS),
        }

    def for_agent_spawn(self, s, handle):
        return {"badge": self.badge(s, named(self.row(s, handle)), Life.INITIALIZING)}

    def for_agent_change(self, s, handle):
        badge = self.badge(s, named(self.row(s, handle)), *Life)
        old = s.agent[row_of(badge)].life if self.maybe(0.9) else self.pick(Life)
        following = [life for life in Life if may_follow(old, life)]
        return {"badge": badge, "life": self.pick(following if self.maybe(0.9) else Life, Life.RUNNING), "old": old}

    def for_agent_speak(self, s, handle):
        return {"badge": self.badge(s, s.current, *(Life if self.maybe(0.2) else (Life.RUNNING,)))}

    def for_block_create(self, s, handle):
        return {"order": self.pick((0, 0, 1, ORDERS - 1))}

    def for_block_release(self, s, handle):
        return {"unit": self.pick(self.held(s, handle), self.random.randrange(UNITS))}

    def held(self, s, handle):
        """Return the blocks of the partition that a handle names."""
        p = named(self.row(s, handle))
        return [unit for unit in s.block.rows if holds(s, p, unit)]

    def for_block_map(self, s, handle):
        head = self.pick(self.held(s, handle), self.random.randrange(UNITS))
        return {
            "head": head,
            "unit": head + self.random.randrange(1 << s.block[head].order),
            "table": self.own_page(s, handle, *(PageKind if self.maybe(0.1) else (PageKind.TABLE_UNITS,))),
            "entry": self.random.randrange(3),
            "access": self.pick((Access.READ, Access.READ | Access.WRITE, Access.READ | Access.EXECUTE, 0)),
        }

    def for_block_unmap(self, s, handle):
        head = self.pick(self.held(s, handle), self.random.randrange(UNITS))
        return {"head": head, "unit": head + self.random.randrange(1 << s.block[head].order)}

    def for_block_retier(self, s, handle):
        unit = self.pick(self.held(s, handle), self.random.randrange(UNITS))
        old = s.block[unit].heat
        new = self.pick([heat for heat in Heat if abs(heat - old) == 1 or self.maybe(0.1)], old)
        return {"unit": unit, "old": old, "new": new, "use": self.pick((0, 999, 1000, 4500, 7000, 8000, ALL_USE))}

    def for_block_transfer(self, s, handle):
        unit = self.pick(self.held(s, handle), self.random.randrange(UNITS))
        return {"unit": unit, "into": self.to_partition(s, Right.WRITE) or SELF}

    def for_partition_split(self, s, handle):
        states = (PartitionState.CREATED,) if self.maybe(0.8) else None
        return {"into": self.to_partition(s, Right.WRITE | Right.SPLIT, states) or self.random.randrange(SLOTS)}

    def for_partition_merge(self, s, handle):
        """Mostly name an edge on which one of the two receives; so one edge in two leads from the other one."""
        into = self.to_partition(s, Right.WRITE | Right.MERGE, STARTED, foreign=True) or self.random.randrange(SLOTS)
        heard = [
            (row.object, to & (SLOTS - 1))
            for half in (handle, into)
            for to, row in capabilities(s, named(self.row(s, half)))
            if row.kind == ObjectKind.EDGE and row.rights & Right.READ
        ]
        edge, slot = self.pick(heard, (self.random.randrange(FEW), self.random.randrange(SLOTS)))
        return {"into": into, "edge": edge, "slot": slot, "back": self.random.randrange(FEW)}

    def for_tool_acquire(self, s, handle):
        return {"resource": self.random.randrange(4)}

    def for_tool_release(self, s, handle):
        return {"resource": self.random.randrange(4)}

    def for_partition_fail(self, s, handle):
        return {"failure": self.random.randrange(5)}

    def for_proof_root_propose(self, s, handle):
        return {"position": self.random.randrange(5)}

    # ---- proofs

    def new_module(self):
        """Return a module, as what a root may vouch for."""
        siblings = tuple(self.random.getrandbits(256).to_bytes(32, "little") for _ in range(self.pick((0, 2))))
        return Module(self.pick((0, 1, 3)), self.random.getrandbits(2), siblings)

    def new_paths(self):
        """Remember trees that vouch for P3 calls; return the root of the first.

        Each commit puts the root of the next tree in force.
        """
        commits = self.pick(COMMITS)
        root = self.new_path("proof_root_bind", (commits + 1) * NONCES, 1, into=self.pick((SELF, SELF, SLOTS - 1)))
        for number in range(commits, 0, -1):
            after, root = root, self.new_path("proof_root_commit", number * NONCES, root=root)
            self.following[root] = after
        return root

    def new_path(self, name, nonce, number=0, into=0, root=(0, 0, 0, 0)):
        """Remember a tree that vouches for one P3 call of the root partition; return its root.

        The call is the partition's proof with the number `nonce`.
        """
        arguments = (SLOT_PROOF_ROOTS + number, into, 0, 0, 0, PROOF_PAGES[1])
        meant = (BY_NAME[name].number, ROOT, 0, int(ObjectKind.PROOF_ROOT), number, nonce, 0, 0, 0, 0, *root)
        levels = self.pick((0, 1, 3, MERKLE_LEVELS))
        path = Path(
            name,
            arguments,
            meant,
            self.random.getrandbits(levels) if levels else 0,
            tuple(self.random.getrandbits(256).to_bytes(32, "little") for _ in range(levels)),
        )
        self.paths[path.root()] = path
        return path.root()

    def proven(self, s, declared, registers, path=None):
        """Return the first step of a call with its proof: the words of the proof are stored before the call."""
        if path is None:
            data = PROOF_PAGES if s.current == ROOT else usable(s, s.current)
            registers[5] = self.pick(data, self.random.randrange(PAGES))
        now, source = self.tick(), self.row(s, registers[0])
        since = min(now, self.pick((0, self.random.randrange(PROOF_WINDOW), PROOF_WINDOW)))
        until = now - since + PROOF_WINDOW if self.maybe(0.5) else now + self.random.randrange(PROOF_WINDOW - since + 2)
        words = dict(enumerate(numbers(mutation_digest(meant(s, declared, registers)))))
        words |= {
            PROOF_NONCE: s.partition[s.current].nonce + 1,
            PROOF_TIER: int(declared.tier),
            PROOF_OBJECT: source.object,
            PROOF_FROM: now - since,
            PROOF_UNTIL: until,
        }
        if path is not None:
            words |= {PROOF_POSITION: path.position, PROOF_LEVELS: len(path.siblings)}
            words |= {
                PROOF_PATH + 4 * level + part: value
                for level, sibling in enumerate(path.siblings)
                for part, value in enumerate(numbers(sibling))
            }
        if self.maybe(0.12):
            spoiled = self.pick(words)
            words[spoiled] = self.pick((0, words[spoiled] ^ 1, words[spoiled] + 1, (1 << 64) - 1))
        page = registers[5] & (PAGES - 1)
        steps = [Store(page, position, value & ((1 << 64) - 1)) for position, value in words.items()]
        self.queue += [*steps[1:], Hypercall(now, declared.number, tuple(registers))]
        return steps[0]
