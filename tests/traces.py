"""What may happen to a kernel? Random traces: mostly sensible calls, some hostile ones, and what guests do in between.

A trace is boot information and a list of steps, each a small record of numbers, so that it can be kept, replayed
on any reading of the specification and shrunk. Nothing here knows of C or of an emulator.
"""

import hashlib
from collections import Counter
from dataclasses import dataclass

from model.action import contain, preempt
from model.boot import (
    PHASES, ROOT_TABLES, SLOT_LOG, SLOT_OWN, SLOT_PROOF_ROOTS, SLOT_REGIONS, SLOT_SCHEDULER, boot)
from model.gate import OPERATIONS, dispatch
from model.proof import (
    PROOF_FROM, PROOF_LEVELS, PROOF_NONCE, PROOF_OBJECT, PROOF_PATH, PROOF_POSITION, PROOF_TIER, PROOF_UNTIL)
from model.witness import REFUSED_LIMIT
from spec.language.layout import offset_of, size_of
from spec.limits import (
    COUNTER_LIMIT, DRAIN_LIMIT, MERKLE_LEVELS, PAGES, PAGES_PER_PARTITION, PAGE_WORDS, PARTITIONS, PROOF_WINDOW, RECORDS,
    REGION_BITS, ROOT, SELF, SLOT_BITS, SLOTS)
from spec.state import BootInformation, Call, Kernel
from spec.vocabulary import ALL_RIGHTS, Access, ObjectKind, PageKind, PartitionState, Right, Ring, Status, Tier
from spec.witness import SEQUENCE_LIMIT

BY_NAME = {declared.name: declared for declared in OPERATIONS}
MILLISECOND = 1_000_000
SECOND = 1000 * MILLISECOND
PACKAGE, TEXT, DATA = 12, 3, 4
PROOF_PAGES = (ROOT_TABLES + TEXT, ROOT_TABLES + TEXT + 1)    # data of the root partition, kept for proofs
DRAIN_PAGE = ROOT_TABLES + TEXT + 2
PROTECTED = {*PROOF_PAGES, DRAIN_PAGE}
COMMITS = (0, 1, 1, 3)      # proof roots put in force before one is bound
NASTY = (0, 1, 2, 3, 7, 63, 64, 255, 256, 511, 512, 1023, 1024, 4095, 0xFFFF, 0x10000, 0xFFFFFFFF, 1 << 32, SELF - 1, SELF,
         SELF + 1, 1 << 63, (1 << 64) - 1)

# what would leave nobody to go on, when done to the root partition
DANGEROUS = ("partition_suspend", "partition_hibernate", "partition_destroy", "ring_demote")
# the partitions for which an operation succeeds
WANTED = {
    "partition_start": lambda row: row.state == PartitionState.CREATED and row.rooted,
    "table_root": lambda row: row.state == PartitionState.CREATED,
    "partition_suspend": lambda row: row.state == PartitionState.RUNNING,
    "partition_resume": lambda row: row.state == PartitionState.SUSPENDED,
    "partition_hibernate": lambda row: row.state in (PartitionState.RUNNING, PartitionState.SUSPENDED),
    "partition_reconstruct": lambda row: row.state == PartitionState.HIBERNATED,
    "partition_release": lambda row: row.state == PartitionState.DESTROYED,
    "partition_reclaim": lambda row: row.state == PartitionState.DESTROYED and row.pages == 0,
    "ring_restore": lambda row: row.elevation.active,
    "ring_demote": lambda row: row.score > 0,
}


# ---- steps


@dataclass(frozen=True)
class Hypercall:
    """The current partition calls."""

    now: int
    operation: int
    arguments: tuple


@dataclass(frozen=True)
class Preempt:
    """The quantum is over."""

    now: int


@dataclass(frozen=True)
class Fault:
    """The current partition causes an exception that it has no right to."""

    now: int
    syndrome: int
    address: int


class Environment:
    """A step that the kernel does not take: something is written to its memory, if that is possible."""

    def patches(self):
        """`(offset, bytes)` of what is written to the encoded state."""
        for path, value in self.changes:
            yield offset_of(Kernel, path), value.to_bytes(size_of(leaf_type(path)), "little")


@dataclass(frozen=True)
class Store(Environment):
    """The owner of a data page writes a word of it."""

    page: int
    position: int
    value: int

    @property
    def changes(self):
        """What it writes, and where."""
        return ((("memory", self.page, "word", self.position), self.value),)

    def possible(self, s):
        """Is the page still one that a guest can write?"""
        return s.page[self.page].kind == PageKind.DATA


@dataclass(frozen=True)
class Age(Environment):
    """Counters stand where they would after billions of operations."""

    changes: tuple

    def possible(self, s):
        """Would the kernel itself get there?"""
        return all(grows(s, path, value) for path, value in self.changes)


def aged(*path, at):
    """One counter at another value."""
    return Age(((path, at),))


def grows(s, path, value):
    """Counters only grow, those of the log by whole rounds of it, and one of a capability in use is not at its end."""
    old = reach(s, path)
    if path[0] in ("sequence", "drained"):
        return RECORDS <= old <= value and (value - old) % RECORDS == 0
    if path[0] == "page":
        return s.page[path[1]].kind == PageKind.APPEND and old <= value
    if path[0] == "capability" and s.capability[path[1]].kind != ObjectKind.NONE:
        return path[2] == "lineage" and old <= value < COUNTER_LIMIT
    return old <= value


def apply(s, step):
    """Take a step in the model: the finished call of a hypercall and its status, else nothing."""
    if isinstance(step, Hypercall):
        call = Call(now=step.now, operation=step.operation)
        for position, value in enumerate(step.arguments):
            call.argument[position] = value
        return call, dispatch(s, call)
    if isinstance(step, Preempt):
        preempt(s, step.now)
    elif isinstance(step, Fault):
        contain(s, step.now, step.syndrome, step.address)
    elif step.possible(s):
        for path, value in step.changes:
            place(s, path, value)
    return None, None


def reach(s, path):
    """What a path leads to."""
    for part in path:
        s = s[part] if isinstance(part, int) else getattr(s, part)
    return s


def leaf_type(path):
    """The scalar type at a path of the state."""
    type_ = Kernel
    for part in path:
        type_ = type_.element if isinstance(part, int) else type_.fields[part]
    return type_


def place(s, path, value):
    """Put a value where a path leads."""
    s = reach(s, path[:-1])
    if isinstance(path[-1], int):
        s[path[-1]] = value
    else:
        setattr(s, path[-1], value)


def booted(information):
    """The state after boot."""
    s = Kernel()
    boot(s, information)
    return s


# ---- proofs


def numbers(digest):
    """A digest as four u64, in memory order."""
    return tuple(int.from_bytes(digest[8 * part:8 * part + 8], "little") for part in range(4))


def mutation_digest(operation, arguments):
    """SHA-256 of an operation and its six arguments, independent of the model's."""
    return hashlib.sha256(b"".join(value.to_bytes(8, "little") for value in (operation, *arguments))).digest()


@dataclass(frozen=True)
class Path:
    """A call that a Merkle root vouches for: where its leaf stands and the siblings on the way up."""

    name: str
    arguments: tuple
    position: int
    siblings: tuple

    def root(self):
        """The root that it leads to."""
        node = hashlib.sha256(bytes(4) + mutation_digest(BY_NAME[self.name].number, self.arguments)).digest()
        for level, sibling in enumerate(self.siblings):
            pair = sibling + node if (self.position >> level) & 1 else node + sibling
            node = hashlib.sha256(b"\0\0\0\1" + pair).digest()
        return numbers(node)


# ---- what a state offers to a caller


def capabilities(s, p):
    """The slots of a partition that hold something: `(handle, row)`."""
    rows = ((slot, dict.get(s.capability.rows, (p << SLOT_BITS) | slot)) for slot in range(SLOTS))
    return [((row.generation << SLOT_BITS) | slot, row) for slot, row in rows if row and row.kind != ObjectKind.NONE]


def pages(s, p, *kinds):
    """The pages of a partition that are of one of these kinds."""
    return [number for number, row in s.page.rows.items() if row.owner == p and row.kind in kinds]


def named(row):
    """The partition that a capability names."""
    return row.object & (PARTITIONS - 1)


class Generator:
    """Chooses the next step for a state, from a source of random numbers."""

    def __init__(self, random, careful=False):
        self.careful = careful      # the root partition makes no mistake, so that the trace may last
        self.random, self.now, self.taken, self.rushed = random, random.randrange(1, 1000) * SECOND, 0, 0
        self.queue, self.plan, self.paths, self.following = [], [], {}, {}
        self.patience = random.choice((40, 100, 300, 2000))     # records that the root partition lets pile up
        first = self.new_paths()
        self.information = BootInformation(now=self.now, package=PACKAGE, text=TEXT, data=DATA)
        for position in range(8):
            self.information.key[position] = random.getrandbits(32)
        for position in range(8 * PHASES):
            self.information.measurement[position] = random.getrandbits(32)
        for position, value in enumerate(first):
            self.information.attested[position] = value

    def maybe(self, probability):
        """True that often."""
        return self.random.random() < probability

    def slip(self, s, probability):
        """True that often, but never for a careful root partition."""
        return self.maybe(probability) and not (self.careful and s.current == ROOT)

    def pick(self, choices, otherwise=None):
        """One of the choices, if there is any."""
        choices = list(choices)
        return self.random.choice(choices) if choices else otherwise

    def tick(self):
        """The next time: forward, sometimes not at all, rarely back; now and then so many calls at once that tokens run out."""
        if self.rushed or self.maybe(0.003):
            self.rushed = (self.rushed or 140) - 1
            return self.now
        span = self.pick((0, 30, 100, 250, 600)) * MILLISECOND
        self.now += span
        return max(0, self.now - self.random.randrange(SECOND)) if self.maybe(0.01) else self.now

    def next(self, s):
        """The next step, or None when nobody will ever run again."""
        self.taken += 1
        if self.queue:
            return self.queue.pop(0)
        if s.idle:
            return Preempt(self.tick()) if self.maybe(0.7) else None
        if self.maybe(0.04):
            return self.event(s)
        if self.slip(s, 0.03):
            return self.garbage()
        if s.current == ROOT and s.partition[ROOT].records > self.patience and self.maybe(0.6):
            return self.call(s, "witness_drain")
        if self.plan and s.current == ROOT and self.maybe(0.85):
            return self.planned(s)
        if not self.plan and s.current == ROOT and self.maybe(0.3):
            plans = (self.birth, self.birth, self.death, self.death if self.to_creator(s) else self.birth, self.life, self.chain, self.commit, self.sharing, self.crowd, self.wear)
            self.plan = self.pick(plans)(s)
        return self.call(s, self.choose(s))

    def planned(self, s):
        """The next step of the plan; a part that no longer makes sense is left out."""
        part = self.plan.pop(0)
        step = part(s)
        return step if step is not None else self.call(s, self.choose(s))

    def event(self, s):
        """A tick, a fault, a store of a guest, or a leap of the clock."""
        kind = self.random.random()
        if kind < 0.5 or (kind < 0.75 and s.current == ROOT and not self.slip(s, 0.02)):
            return Preempt(self.tick())
        if kind < 0.75:
            return Fault(self.tick(), self.random.getrandbits(64), self.random.getrandbits(48))
        if kind < 0.97:
            page = self.pick(pages(s, s.current, PageKind.DATA), DRAIN_PAGE)
            return Store(page, self.random.randrange(512), self.random.getrandbits(64))
        leaps = (SECOND, 400 * SECOND, 4000 * SECOND, 10 ** 6 * SECOND)
        far = self.taken > 1000 and self.now < 1 << 62 and self.maybe(0.5)
        self.now += 1 << 63 if far else self.pick(leaps)
        return Preempt(self.tick())

    def garbage(self):
        """Any operation with any arguments."""
        arguments = [self.pick(NASTY) if self.maybe(0.6) else self.random.getrandbits(self.pick((6, 10, 32, 38, 64)))
                     for _ in range(6)]
        number = self.pick((self.random.randrange(len(OPERATIONS)), len(OPERATIONS), 255, self.pick(NASTY)))
        return Hypercall(self.tick(), number, tuple(arguments))

    def choose(self, s):
        """The name of an operation that the caller's ring is likely to allow."""
        own = s.partition[s.current]
        if own.score >= 500_000 and s.current != ROOT and self.maybe(0.2):
            return "ring_elevate"
        if s.current == ROOT and any(row.elevation.active for row in s.partition.rows.values()) and self.maybe(0.2):
            return "ring_restore"
        if s.current == ROOT and self.maybe(0.3) and self.orphans(s):
            return "partition_adopt"
        names = [declared.name for declared in OPERATIONS
                 if declared.required_ring >= own.ring or self.maybe(0.05)]
        return self.pick(names)

    # ---- calls

    def call(self, s, name, **wanted):
        """A call of this operation, mostly one that should succeed."""
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
        """A handle of the caller that the operation accepts, if it has one."""
        held = capabilities(s, s.current)
        if declared.name in DANGEROUS and not self.slip(s, 0.01):
            held = [(handle, row) for handle, row in held if row.kind != ObjectKind.PARTITION or named(row) != ROOT]
        fitting = [(handle, row) for handle, row in held if (declared.any_object or row.kind == declared.on)
                   and declared.needs & ~row.rights == 0]
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
        """The capability that a handle of the caller names."""
        return s.capability[(s.current << SLOT_BITS) | ((handle or 0) & (SLOTS - 1))]

    def to_partition(self, s, rights, states=None, foreign=False):
        """A handle of the caller for a partition over which it has these rights, if any."""
        found = [handle for handle, row in capabilities(s, s.current)
                 if row.kind == ObjectKind.PARTITION and rights & ~row.rights == 0
                 and (states is None or s.partition[named(row)].state in states)
                 and not (foreign and named(row) == s.current)]
        return self.pick(found)

    def to_creator(self, s):
        """A handle of the caller for a partition that has created others."""
        creators = {row.parent for row in s.partition.rows.values() if row.state != PartitionState.VACANT and row.ancestry > 1}
        return self.pick([handle for handle, row in capabilities(s, s.current) if row.kind == ObjectKind.PARTITION
                          and named(row) in creators and named(row) != s.current and row.rights & Right.PROVE])

    def free_slot(self, s, p):
        """A slot of a partition that holds nothing."""
        used = {handle & (SLOTS - 1) for handle, _ in capabilities(s, p)}
        if used and self.maybe(0.03):
            return self.pick(sorted(used))
        return self.pick([slot for slot in range(SLOTS) if slot not in used], 63)

    def free_page(self, s, region):
        """A page of a region that nobody has."""
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
        rights = row.rights & self.pick((ALL_RIGHTS, self.random.getrandbits(12), Right.READ | Right.WRITE,
                                         ALL_RIGHTS ^ Right.GRANT, ALL_RIGHTS ^ Right.GRANT_ONCE))
        if row.rights & Right.GRANT == 0 and not self.maybe(0.1):
            rights &= ~(Right.GRANT | Right.GRANT_ONCE)
        if self.maybe(0.03):
            rights = self.random.getrandbits(12)
        return {"slot": self.free_slot(s, p), "rights": rights, "into": into}

    def for_page_create(self, s, handle):
        into = SELF if self.maybe(0.4) else self.to_partition(s, Right.WRITE) or SELF
        kind = self.pick((PageKind.TABLE_1, PageKind.TABLE_2, PageKind.TABLE_3, PageKind.DATA, PageKind.DATA, PageKind.APPEND))
        return {"page": self.free_page(s, self.row(s, handle).object), "kind": kind, "into": into}

    def own_page(self, s, handle, *kinds, unused=False):
        """A page of the partition that a handle names."""
        found = [number for number in pages(s, named(self.row(s, handle)), *kinds) if number not in PROTECTED]
        if unused:
            found = [number for number in found if not any(s.mapping[4 * number + i].linked or s.mapping[4 * number + i].used
                                                           for i in range(4))] or found
        return self.pick(found, self.random.randrange(PAGES))

    def for_page_release(self, s, handle):
        return {"page": self.own_page(s, handle, *PageKind, unused=True)}

    def for_page_transfer(self, s, handle):
        return {"page": self.own_page(s, handle, PageKind.DATA, PageKind.APPEND, unused=True),
                "into": self.to_partition(s, Right.WRITE) or SELF}

    def for_table_root(self, s, handle):
        kinds = PageKind if self.maybe(0.15) else (PageKind.TABLE_1,)
        return {"page": self.own_page(s, handle, *kinds)}

    def for_table_link(self, s, handle):
        upper, lower = self.pick(((PageKind.TABLE_1, PageKind.TABLE_2), (PageKind.TABLE_2, PageKind.TABLE_3)))
        return {"table": self.own_page(s, handle, upper), "entry": self.random.randrange(6),
                "child": self.own_page(s, handle, lower, unused=True)}

    def for_page_map(self, s, handle):
        access = self.pick((Access.READ, Access.READ | Access.WRITE, Access.READ | Access.EXECUTE, Access.WRITE, Access.mask, 0))
        return {"page": self.own_page(s, handle, PageKind.DATA, PageKind.APPEND, unused=True), "access": access,
                "table": self.own_page(s, handle, PageKind.TABLE_3), "entry": self.random.randrange(12)}

    def for_page_unmap(self, s, handle):
        p = named(self.row(s, handle))
        linked = [number for number in pages(s, p, *PageKind) if s.mapping[4 * number].linked and (p != ROOT or number > 20)]
        return {"page": self.pick(linked, self.own_page(s, handle, *PageKind))}

    def for_page_share(self, s, handle):
        return {"page": self.own_page(s, handle, PageKind.DATA, PageKind.APPEND), "ordinal": self.random.randrange(1, 4),
                "reader": self.to_partition(s, Right.READ) or SELF}

    def for_share_map(self, s, handle):
        p = named(self.row(s, handle))
        shares = [m for m, row in s.mapping.rows.items() if row.used and row.partition == p]
        m = self.pick(shares, self.random.randrange(4 * PAGES))
        return {"page": m >> 2, "ordinal": m & 3, "table": self.own_page(s, handle, PageKind.TABLE_3),
                "entry": self.random.randrange(12)}

    def for_page_unshare(self, s, handle):
        p = named(self.row(s, handle))
        m = self.pick([m for m, row in s.mapping.rows.items() if row.used and s.page[m >> 2].owner == p], 5)
        return {"page": m >> 2, "ordinal": m & 3}

    def for_page_append(self, s, handle):
        return {"page": self.own_page(s, handle, PageKind.APPEND)}

    def for_partition_create(self, s, handle):
        vacant = [p for p in range(8) if s.partition[p].state == PartitionState.VACANT or self.maybe(0.02)]
        return {"p": self.pick(vacant, self.random.randrange(PARTITIONS)), "slot": self.free_slot(s, s.current),
                "quota": self.pick((2, 32, 60, 200, 1024))}

    def orphans(self, s):
        """Partitions whose creator is gone."""
        return [p for p, row in s.partition.rows.items() if row.state != PartitionState.VACANT and row.ancestry
                and (row.parent_generation != s.partition[row.parent].generation
                     or s.partition[row.parent].state == PartitionState.DESTROYED)]

    def for_partition_adopt(self, s, handle):
        return {"p": self.pick(self.orphans(s), self.random.randrange(8)), "slot": self.free_slot(s, s.current)}

    def for_ring_assign(self, s, handle):
        score = self.pick((0, 500_000, 550_000, 600_001, 700_000, 860_000, 900_000, 950_001, 1_000_000, 1_000_001))
        return {"score": score, "consensus": self.maybe(0.5)}

    def for_ring_demote(self, s, handle):
        return {"score": self.random.randrange(s.partition[named(self.row(s, handle))].score + 1)}

    def for_ring_elevate(self, s, handle):
        attestation = [handle for handle, row in capabilities(s, s.current) if row.kind == ObjectKind.PROOF_ROOT]
        return {"target": self.pick((Ring.PRIVILEGED, Ring.PRIVILEGED, Ring.STANDARD, Ring.ROOT)),
                "seconds": self.pick((0, 1, 300, 5000)), "attestation": self.pick(attestation, self.random.randrange(SLOTS))}

    def for_witness_drain(self, s, handle):
        page = DRAIN_PAGE if s.current == ROOT else self.pick(pages(s, s.current, PageKind.DATA), 0)
        return {"page": page, "count": self.pick((16, 16, 16, 16, 100, 3, 0))}

    def for_witness_seal(self, s, handle):
        own = self.maybe(0.85) and (DRAIN_PAGE if s.current == ROOT else self.pick(pages(s, s.current, PageKind.DATA), 0))
        return {"page": own or self.random.randrange(PAGES)}

    def for_console_write(self, s, handle):
        return {"page": self.pick(pages(s, s.current, PageKind.DATA), 0), "words": self.pick((0, 1, 512, 513))}

    def for_tool_acquire(self, s, handle):
        return {"resource": self.random.randrange(4)}

    def for_partition_fail(self, s, handle):
        return {"failure": self.random.randrange(5)}

    def for_proof_root_propose(self, s, handle):
        return {"position": self.random.randrange(5)}

    # ---- proofs

    def new_paths(self):
        """Remember trees that vouch for P3 calls, each commit for the root of the next; the root of the first."""
        root = self.new_path("proof_root_bind", (self.pick((SELF, SELF, SLOTS - 1)), 0), 1)
        for _ in range(self.pick(COMMITS)):
            after, root = root, self.new_path("proof_root_commit", root[:2])
            self.following[root] = after
        return root

    def new_path(self, name, named, slot=0):
        """Remember a tree that vouches for one P3 call of the root partition; its root."""
        arguments = (SLOT_PROOF_ROOTS + slot, *named, 0, 0, PROOF_PAGES[1])
        levels = self.pick((0, 1, 3, MERKLE_LEVELS))
        path = Path(name, arguments, self.random.getrandbits(levels) if levels else 0,
                    tuple(self.random.getrandbits(256).to_bytes(32, "little") for _ in range(levels)))
        self.paths[path.root()] = path
        return path.root()

    def proven(self, s, declared, registers, path=None):
        """A call with its proof: the words of the proof are stored first."""
        if path is None:
            data = PROOF_PAGES if s.current == ROOT else pages(s, s.current, PageKind.DATA)
            registers[5] = self.pick(data, self.random.randrange(PAGES))
        now, source = self.tick(), self.row(s, registers[0])
        since = min(now, self.pick((0, self.random.randrange(PROOF_WINDOW), PROOF_WINDOW)))
        until = now - since + PROOF_WINDOW if self.maybe(0.5) else now + self.random.randrange(PROOF_WINDOW - since + 2)
        words = dict(enumerate(numbers(mutation_digest(declared.number, registers))))
        words |= {PROOF_NONCE: s.partition[s.current].nonce + 1, PROOF_TIER: int(declared.tier), PROOF_OBJECT: source.object,
                  PROOF_FROM: now - since, PROOF_UNTIL: until}
        if path is not None:
            words |= {PROOF_POSITION: path.position, PROOF_LEVELS: len(path.siblings)}
            words |= {PROOF_PATH + 4 * level + part: value for level, sibling in enumerate(path.siblings)
                      for part, value in enumerate(numbers(sibling))}
        if self.maybe(0.12):
            spoiled = self.pick(words)
            words[spoiled] = self.pick((0, words[spoiled] ^ 1, words[spoiled] + 1, (1 << 64) - 1))
        page = registers[5] & (PAGES - 1)
        steps = [Store(page, position, value & ((1 << 64) - 1)) for position, value in words.items()]
        self.queue += [*steps[1:], Hypercall(now, declared.number, tuple(registers))]
        return steps[0]

    # ---- plans of the root partition

    def birth(self, s):
        """A partition with memory, rights and a ring, started."""
        p = self.pick([p for p in range(1, 8) if s.partition[p].state == PartitionState.VACANT])
        if p is None:
            return self.death(s)
        slot = self.free_slot(s, ROOT)
        region = SLOT_REGIONS + self.random.randrange(16)

        def handle(s):
            return (s.capability[slot].generation << SLOT_BITS) | slot

        def own(s, *kinds):
            return self.pick([page for page in pages(s, p, *kinds) if page not in PROTECTED], 0)

        def make(kind):
            return lambda s: self.call(s, "page_create", handle=region, kind=kind, into=handle(s),
                                       page=self.free_page(s, region - SLOT_REGIONS))

        def give(name, rights):
            return lambda s: self.call(s, "capability_grant", handle=name, rights=rights, into=handle(s),
                                       slot=self.free_slot(s, p))

        def act(name, **wanted):
            return lambda s: self.call(s, name, handle=handle(s), **wanted)

        kinds = [PageKind.TABLE_1, PageKind.TABLE_2, PageKind.TABLE_3, PageKind.DATA, PageKind.DATA, PageKind.APPEND]
        gifts = [SLOT_OWN, SLOT_SCHEDULER, SLOT_LOG, SLOT_PROOF_ROOTS, region, SLOT_REGIONS + 16, slot, slot]
        plan = [lambda s: self.call(s, "partition_create", handle=SLOT_SCHEDULER, p=p, slot=slot, quota=self.pick((4, 60, 300, 300)))]
        plan += [make(kind) for kind in kinds]
        plan += [lambda s: act("table_root", page=own(s, PageKind.TABLE_1))(s),
                 lambda s: act("table_link", table=own(s, PageKind.TABLE_1), entry=2, child=own(s, PageKind.TABLE_2))(s),
                 lambda s: act("table_link", table=own(s, PageKind.TABLE_2), entry=0, child=own(s, PageKind.TABLE_3))(s),
                 act("page_map"), act("page_map")]
        plan += [give(name, self.pick((ALL_RIGHTS, ALL_RIGHTS ^ Right.GRANT, Right.WRITE | Right.PROVE))) for name in gifts
                 if self.maybe(0.6)]
        plan += [act("ring_assign"), act("partition_start")]
        return plan

    def death(self, s):
        """The end of a partition, step by step until its slot is vacant."""
        handle = self.to_creator(s) or self.to_partition(s, Right.WRITE | Right.PROVE, foreign=True)
        if handle is None:
            return []
        p = named(self.row(s, handle))
        steps = [lambda s: self.call(s, "partition_destroy", handle=handle)]
        steps += [lambda s: self.call(s, "partition_release", handle=handle)] * (SLOTS // 8 + s.partition[p].pages + 1)
        steps += [lambda s: self.call(s, "witness_drain", count=DRAIN_LIMIT) if s.partition[p].records else None] * 24
        return [*steps, lambda s: self.call(s, "partition_reclaim", handle=handle)]

    def life(self, s):
        """A partition stopped, put to rest, brought back and started again."""
        handle = self.to_partition(s, Right.EXECUTE | Right.HIBERNATE | Right.PROVE, (PartitionState.RUNNING,), foreign=True)
        if handle is None:
            return []
        names = ("partition_suspend", "partition_resume", "partition_suspend", "partition_hibernate", "partition_reconstruct",
                 "partition_start", "yield_now", "ring_restore", "yield_now")
        return [lambda s, name=name: self.call(s, name, handle=handle if BY_NAME[name].takes_handle else None) for name in names]

    def chain(self, s):
        """Derivations up to and past the limit of depth, then a revocation in the middle."""
        found = []

        def derive(s):
            if len(found) < 2:
                found.append(SLOT_REGIONS + self.random.randrange(16))
            slot = self.free_slot(s, ROOT)
            made = self.call(s, "capability_grant", handle=found[-1], slot=slot, rights=ALL_RIGHTS, into=SELF)
            found.append((s.capability[slot].generation << SLOT_BITS) | slot)
            return made

        def weaken(s):
            weaker = self.free_slot(s, ROOT)
            found.append((s.capability[weaker].generation << SLOT_BITS) | weaker)
            return self.call(s, "capability_grant", handle=SLOT_REGIONS, slot=weaker, rights=Right.GRANT, into=SELF)

        def escalate(s):
            return self.call(s, "capability_grant", handle=found[-1], slot=self.free_slot(s, ROOT), rights=ALL_RIGHTS, into=SELF)

        plan = [weaken, escalate] + [derive] * 9 + [lambda s: self.call(s, "capability_revoke", handle=self.pick(found[:4], SLOT_REGIONS))]
        plan += [lambda s: self.call(s, "capability_inspect", handle=self.pick(found, 0))] * 3
        return plan + [lambda s: self.call(s, "capability_delete", handle=found.pop() if len(found) > 1 else 63)] * 9

    def commit(self, s):
        """A new proof root, proposed and put in force by a P3 proof."""
        path = self.paths.get(tuple(s.proof_root[0].root[part] for part in range(4)))
        if path is None:
            return []
        if path.name == "proof_root_bind":
            return [lambda s: self.proven(s, BY_NAME[path.name], list(path.arguments), path)]
        root = self.following[path.root()]
        handle = path.arguments[0]
        plan = [lambda s, part=part: self.call(s, "proof_root_propose", handle=handle, position=part, value=root[part])
                for part in range(4)]
        plan.append(lambda s: self.proven(s, BY_NAME[path.name], list(path.arguments), path))
        return [plan[-1], *plan] if self.maybe(0.5) else plan      # at first without what it commits

    def sharing(self, s):
        """A page shared with another partition, mapped there, and taken back."""
        handle = self.to_partition(s, Right.WRITE | Right.READ, (PartitionState.RUNNING, PartitionState.CREATED), foreign=True)
        if handle is None:
            return []
        page = self.own_page(s, SLOT_OWN, PageKind.DATA)
        ordinal = self.random.randrange(1, 4)
        return [lambda s: self.call(s, "page_share", handle=SLOT_OWN, page=page, ordinal=ordinal, reader=handle),
                lambda s: self.call(s, "share_map", handle=handle, page=page, ordinal=ordinal),
                lambda s: self.call(s, "share_map", handle=handle, page=page, ordinal=ordinal),
                lambda s: self.call(s, "page_release", handle=SLOT_OWN, page=page),
                lambda s: self.call(s, "page_unshare", handle=SLOT_OWN, page=page, ordinal=ordinal)]

    def crowd(self, s):
        """Many pages, tools or appended words, to reach a limit."""
        kind = self.random.random()
        if kind < 0.3:
            return [lambda s: self.call(s, "tool_acquire", resource=0)] * 17 + [lambda s: self.call(s, "tool_release")] * 10
        if kind < 0.6:
            return [lambda s: self.call(s, "page_append", handle=SLOT_OWN)] * 12
        region = SLOT_REGIONS + self.random.randrange(12, 16)
        wanted = max(0, PAGES_PER_PARTITION + 1 - s.partition[ROOT].pages)
        few = [lambda s: self.call(s, "page_create", handle=region, kind=PageKind.DATA, into=SELF)] * min(12, wanted)
        full = [*few * 10, *[lambda s: self.call(s, "page_transfer", handle=SLOT_OWN, into=SELF)] * 3]
        return full if self.maybe(0.1) else few

    def wear(self, s):
        """Counters close to their end, and calls that meet them."""
        if s.drained > RECORDS and RECORDS - 600 < s.sequence % RECORDS < RECORDS - 50:
            rounds = (SEQUENCE_LIMIT - s.sequence) // RECORDS * RECORDS
            self.queue = [Age(((("sequence",), s.sequence + rounds), (("drained",), s.drained + rounds)))]
            return []
        return self.pick((self.worn_handles, self.worn_books))(s)

    def worn_books(self, s):
        """Pages about to be full, refusals about to be too many to count."""
        page = self.free_page(s, 12)
        return [lambda s: self.call(s, "page_create", handle=SLOT_REGIONS + 12, page=page, kind=PageKind.APPEND, into=SELF),
                lambda s: aged("page", page, "filled", at=PAGE_WORDS - 2),
                *[lambda s: self.call(s, "page_append", handle=SLOT_OWN, page=page)] * 4,
                *[lambda s, p=p: aged("partition", p, "refused", at=REFUSED_LIMIT - self.random.randrange(2)) for p in range(8)],
                lambda s: aged("dropped", at=REFUSED_LIMIT - self.random.randrange(2))]

    def worn_handles(self, s):
        """Generations and lineages at their end."""
        slot = self.free_slot(s, ROOT)
        worn = self.pick(("generation", "lineage"))
        used = self.pick([handle & (SLOTS - 1) for handle, row in capabilities(s, ROOT) if row.kind == ObjectKind.REGION], 8)
        vacant = self.pick([p for p in range(40, PARTITIONS) if s.partition[p].state == PartitionState.VACANT], 63)
        end = COUNTER_LIMIT - self.random.randrange(2)
        return [lambda s: aged("capability", slot, worn, at=end),
                lambda s: self.call(s, "capability_grant", slot=slot, into=SELF, rights=Right.READ, handle=SLOT_REGIONS),
                lambda s: aged("capability", used, "lineage", at=COUNTER_LIMIT - 1),
                *[lambda s: self.call(s, "capability_revoke", handle=used)] * 2,
                lambda s: aged("partition", vacant, "generation", at=end),
                lambda s: self.call(s, "partition_create", handle=SLOT_SCHEDULER, p=vacant)]


def generate(random, length):
    """A whole trace: boot information and at most `length` steps."""
    generator = Generator(random)
    s, steps = booted(generator.information), []
    while len(steps) < length:
        step = generator.next(s)
        if step is None:
            break
        apply(s, step)
        steps.append(step)
    return generator.information, steps


def shrink(steps, fails):
    """A shorter list of steps for which `fails` still holds."""
    size = len(steps) // 2
    while size:
        position = 0
        while position < len(steps):
            fewer = steps[:position] + steps[position + size:]
            if fails(fewer):
                steps = fewer
            else:
                position += size
        size //= 2
    return steps


class Coverage:
    """Which operations ended how?"""

    def __init__(self):
        self.seen = Counter()

    def note(self, step, status):
        """Count a step; `status` as `apply` gave it."""
        if isinstance(step, Hypercall):
            name = OPERATIONS[step.operation].name if step.operation < len(OPERATIONS) else "unknown"
            self.seen[name, Status(status)] += 1
        else:
            self.seen[type(step).__name__, Status.OK] += 1

    @property
    def operations(self):
        """How many steps the kernel took."""
        return sum(count for (name, _), count in self.seen.items() if name not in (Store.__name__, Age.__name__))

    def never_succeeded(self):
        """The operations that never returned OK, though some ring may call them."""
        return [declared.name for declared in OPERATIONS
                if declared.required_ring != Ring.ROOT and not self.seen[declared.name, Status.OK]]

    def never_returned(self):
        """The statuses that no call returned."""
        returned = {status for _, status in self.seen}
        return [status.name for status in Status if status not in returned]

    def table(self):
        """One line for each operation, for people."""
        names = sorted({name for name, _ in self.seen})
        return "\n".join(f"{name:24} " + " ".join(f"{status.name}:{count}" for (other, status), count in
                                                  sorted(self.seen.items(), key=lambda item: item[0][1]) if other == name)
                         for name in names)
