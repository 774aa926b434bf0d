"""What do records tell, one after the other, of partitions, agents, edges, notifications, blocks, and what was refused?

Nothing is guessed: None stands for what the log does not tell. In a log that begins at a boot everything here is told,
except what leaves no record (a fault beyond a partition's share of the log stops it unseen, until it is resumed, and
its failure is worse than told). A log that begins at a checkpoint does not tell which handles were there. When a call
goes through one of these, what it may have changed is forgotten.

What each record means to a table is a function below, registered for the operations or the kinds that it is about. One
more table is one more field of `Facts`, and functions that fill it.
"""

from collections import Counter, deque
from dataclasses import dataclass, field
from typing import NamedTuple

from corollary.model.kernel.action import worse
from corollary.model.kernel.boot import boot
from corollary.record.audit import is_fault
from corollary.record.fading import Weight
from corollary.spec.agent import Life
from corollary.spec.kernel.arguments import recorded
from corollary.spec.kernel.capability import handle_slot, holder
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import LINE_WORDS, PART_LINES, SELF
from corollary.spec.kernel.operation import named
from corollary.spec.kernel.packed import BadgeParts, CapabilityPlace
from corollary.spec.kernel.ring import ring_for
from corollary.spec.kernel.schedule import Turn
from corollary.spec.kernel.state import Handle, Kernel
from corollary.spec.kernel.traffic import units
from corollary.spec.kernel.vocabulary import Action, FailureClass, Heat, ObjectKind, PartitionState, Ring, Status, Tier
from corollary.spec.kernel.witness import KERNEL_ACTOR

PART_BYTES = 8 * LINE_WORDS * PART_LINES  # of a module, measured at a time
LATEST = 32  # refused calls that are kept one by one
HALVES = (PartitionState.SPLITTING, PartitionState.MERGING)
LASTING = (PartitionState.RUNNING, PartitionState.SUSPENDED, *HALVES)  # who loses its root rests
METERED = {"edge_send": "messages", "agent_create": "agents", "page_create": "pages"}
"""What an agent sends or makes with an operation that succeeds."""


class Held(NamedTuple):
    """What a slot of a partition names; was it made there, with the object itself?"""

    kind: ObjectKind
    object: int
    origin: bool


@dataclass
class Partition:
    """What is told of a partition; its counts are of all incarnations."""

    state: PartitionState | None = None
    creator: int | None = None
    ring: Ring | None = None  # by its score; what it holds for a while is left out
    consensus: bool | None = None
    failure: FailureClass | None = None
    root: int | None = None  # page of its stage-2 root, while it has one
    records: int = 0
    faults: int = 0
    unrecorded: int = 0  # calls and faults that found no room, as far as its records tell
    last: int | None = None  # ns; when it left its last record
    refused: Counter = field(default_factory=Counter)  # by status


@dataclass
class Edge:
    """What is told of an edge since it was made."""

    exists: bool | None = None
    maker: int | None = None
    source: int | None = None  # who sent last
    target: int | None = None  # who received last
    sent: int = 0
    received: int = 0
    carried: int = 0  # units of traffic, as the kernel counts them
    weight: Weight = Weight()
    last: int | None = None  # ns; when something was sent or received


@dataclass
class Notification:
    """What is told of a notification since it was made."""

    exists: bool | None = None
    maker: int | None = None
    bits: int | None = None  # that are set
    signals: int = 0
    source: int | None = None  # who signalled last
    target: int | None = None  # who took bits last
    last: int | None = None  # ns; when bits were set or taken


@dataclass
class Meter:
    """How often something was done: in all, most in an epoch, and in the latest epoch in which it was.

    Epochs are told apart by the records of their ends. One that leaves no record counts with the next.
    """

    total: int = 0
    most: int = 0
    latest: int = 0
    epoch: int | None = None  # the last that had ended then

    def count(self, epoch):
        """Count one more, in an epoch."""
        self.total, self.latest = self.total + 1, self.latest + 1 if epoch == self.epoch else 1
        self.most, self.epoch = max(self.most, self.latest), epoch


def meters():
    """Return a meter for calls that are recorded, and for all that they send or make."""
    return {name: Meter() for name in ("calls", *METERED.values())}


@dataclass
class Agent:
    """What is told of the agent that has a row, or had it last."""

    life: Life | None = None
    partition: int | None = None  # that it lives in
    badge: int | None = None
    parent: int | None = None  # badge of the agent that made it; 0 if none did
    measured: int = 0  # bytes of its module
    module: int | None = None  # the first eight bytes of its module's SHA-256, in memory order
    last: int | None = None  # ns; when it last began, changed or spoke
    meters: dict[str, Meter] | None = None  # of what it did while it spoke for its partition


@dataclass
class Block:
    """What is told of a block of large memory, from its first step to another tier or holder on.

    Where a block begins that is made is in no record.
    """

    holder: int | None = None
    heat: Heat | None = None
    use: int | None = None  # of 10000, by the word of who moved it to its tier
    last: int | None = None  # ns; when it got its tier or its holder


class Facts:
    """All that the records so far tell. What is told of edges and notifications without their number is at None."""

    def __init__(self, verdict):
        self.verdict = verdict  # of the audit that the records come from: it has what the header tells of the boot
        self.records, self.time, self.epoch = 0, None, None  # how many; ns; the last that ended
        self.partitions, self.edges, self.notifications = {}, {}, {}
        self.agents, self.speakers = {}, {}  # by row; who said last that it speaks for a partition, as a badge
        self.blocks = {}  # by the first unit
        self.tiers = {tier: Counter() for tier in Tier}  # calls of each by status
        self.latest = deque(maxlen=LATEST)  # refused calls, but for those that are to be asked again
        self.held = {}  # (partition, slot) -> Held

    def take(self, record):
        """Fold in the next record."""
        self.records, self.time = self.records + 1, record.time
        if record.actor == KERNEL_ACTOR:
            OF_KERNEL.get(record.kind, ignore)(self, record)
            return
        actor = self.partition(record.actor)
        actor.records += 1
        actor.unrecorded += record.refused
        actor.last = record.time
        if is_fault(record):
            actor.state, actor.faults = PartitionState.SUSPENDED, actor.faults + 1
            actor.failure = None if actor.failure is None else worse(actor.failure)
            return
        self.tiers[record.tier][record.status] += 1
        self.meter(record)
        if record.status != Status.OK:
            self.refuse(actor, record)
        elif record.operation in OF_CALLS:
            declared = OPERATIONS[record.operation]
            values = recorded(declared, record)
            arguments = {name: value for (name, _), value in zip(declared.parameters, values)}
            OF_CALLS[record.operation](self, record.actor, record.capability, **arguments)

    def meter(self, record):
        """Count a call, and what it sends or makes, for the agent that speaks for the caller.

        Of an agent that may have spoken the meters are forgotten.
        """
        badge, said = self.speaker(record.actor), self.speakers.get(record.actor)
        row = self.agents.get(int(BadgeParts(said).agent)) if said else None
        if row is None or row.meters is None or row.badge != said:
            return
        if badge is None:
            row.meters = None
        elif badge:
            row.meters["calls"].count(self.epoch)
            what = METERED.get(OPERATIONS[record.operation].name) if record.status == Status.OK else None
            if what:
                row.meters[what].count(self.epoch)

    def refuse(self, actor, record):
        """Count a refused call, and keep it for a while unless it is only to be asked again."""
        actor.refused[record.status] += 1
        if record.status != Status.WOULD_BLOCK:
            self.latest.append(record)

    def partition(self, number):
        """Return what is told of a partition."""
        return self.partitions.setdefault(number, Partition())

    def names(self, actor, handle):
        """Return what a handle of a partition names, or None if the log does not tell. Only for calls that succeeded.

        Then the slot holds what was last put there.
        """
        if handle == SELF:
            return Held(ObjectKind.PARTITION, actor, False)
        return self.held.get((actor, handle_slot(Handle.truncate(handle))))

    def object(self, actor, handle):
        """Return the number of the object that a handle names, or None."""
        found = self.names(actor, handle)
        return None if found is None else found.object

    def change(self, number, **values):
        """Set fields of a partition; if the log does not tell which, forget them of all."""
        for row in [self.partition(number)] if number is not None else self.partitions.values():
            for name, value in values.items():
                setattr(row, name, value if number is not None else None)

    def row(self, table, number, make, *unsure):
        """Return the row of an edge or a notification; if the log does not tell which, forget these fields of all."""
        if number is None:
            for row in table.values():
                for name in unsure:
                    setattr(row, name, None)
        return table.setdefault(number, make())

    def agent(self, badge):
        """Return what is told of the agent with a badge."""
        row = self.agents.setdefault(int(BadgeParts(badge).agent), Agent())
        row.badge, row.last = badge, self.time
        return row

    def block(self, unit):
        """Return what is told of the block that begins with a unit: hot, if nothing else was told since the boot."""
        heat = Heat.HOT if self.verdict.information is not None else None
        row = self.blocks.setdefault(unit, Block(heat=heat))
        row.last = self.time
        return row

    def speaker(self, actor):
        """Return the badge of the agent that speaks for a partition; 0 for nobody, None if the log does not tell."""
        said = self.speakers.get(actor, 0)
        row = self.agents.get(int(BadgeParts(said).agent)) if said else None
        if row is None:
            return 0 if self.verdict.information is not None else None
        return None if row.life is None else said if (row.badge, row.life) == (said, Life.RUNNING) else 0

    def put(self, number, slot, held):
        """Put what is named into a slot; if it is not told in whose, any of these slots may hold it."""
        self.empty(number, slot)
        if number is not None and held is not None:
            self.held[number, slot] = held

    def empty(self, number, slot):
        """Empty a slot; what was made there ends. If it is not told whose, all of them may be empty."""
        for p in {p for p, s in self.held if s == slot} if number is None else {number}:
            gone = self.held.pop((p, slot), None)
            if gone is not None and gone.origin and gone.kind in MADE:
                getattr(self, MADE[gone.kind])[gone.object].exists = False if number is not None else None


MADE = {ObjectKind.EDGE: "edges", ObjectKind.NOTIFICATION: "notifications"}
"""The tables of what ends with the slot that it was made in."""
OF_CALLS, OF_KERNEL = {}, {}
"""What a call that succeeded tells, by the number of its operation; what the kernel's own records tell, by kind."""


def ignore(facts, record):
    """Fold in a record that tells nothing of what is shown."""


def by_call(*names):
    """Register what successful calls of these operations tell: a function of facts, actor, handle and arguments."""

    def register(function):
        OF_CALLS.update({named(name).number: function for name in names})
        return function

    return register


def by_kernel(kind):
    """Register what records of the kernel itself of this kind tell: a function of facts and the record."""

    def register(function):
        OF_KERNEL[kind] = function
        return function

    return register


@by_kernel(Action.BOOT_COMPLETE)
def booted(facts, record):
    """Note what a boot leaves, as the header says how it was done."""
    if facts.verdict.information is None:
        return
    first = Kernel()
    boot(first, facts.verdict.information)
    for p, row in first.partition.rows.items():
        root = int(row.root) if row.rooted else None
        facts.partitions[p] = Partition(row.state, row.parent, row.ring, row.consensus, row.failure, root)
    for c, row in first.capability.rows.items():
        if row.kind != ObjectKind.NONE:
            facts.held[holder(c), CapabilityPlace(c).slot] = Held(row.kind, row.object, True)


@by_kernel(Action.SCHEDULER_EPOCH)
def epoch_ended(facts, record):
    """Note the number of the epoch."""
    facts.epoch = max(facts.epoch or 0, int(Turn(record.payload).epoch))


# ---- partitions


def leads_to(state):
    """Return a function that notes that the partition of the handle is in this state now."""

    def noted(facts, actor, handle, **arguments):
        facts.change(facts.object(actor, handle), state=state)

    return noted


for name, state in (
    ("partition_start", PartitionState.RUNNING),
    ("partition_suspend", PartitionState.SUSPENDED),
    ("partition_resume", PartitionState.RUNNING),
    ("partition_hibernate", PartitionState.HIBERNATED),
    ("partition_reconstruct", PartitionState.CREATED),
):
    by_call(name)(leads_to(state))


def parts(state):
    """Return a function that notes that both partitions that are named are in this state now."""

    def noted(facts, actor, handle, into, **others):
        facts.change(facts.object(actor, handle), state=state)
        facts.change(facts.object(actor, into), state=state)

    return noted


by_call("partition_split")(parts(PartitionState.SPLITTING))
by_call("partition_merge")(parts(PartitionState.MERGING))


@by_call("partition_settle")
def settled(facts, actor, handle):
    """Note that a half is a whole; of whom it is not known whether it has a root, it is not known how it goes on."""
    number = facts.object(actor, handle)
    root = None if number is None else facts.partition(number).root
    facts.change(number, state=None if root is None else PartitionState.SUSPENDED)


@by_call("partition_create")
def partition_created(facts, actor, handle, p, slot, quota):
    """Note who lives now, and who has it in hand."""
    born = Partition(PartitionState.CREATED, actor, Ring.SANDBOX, False, FailureClass.NONE)
    facts.change(
        p, **{name: getattr(born, name) for name in ("state", "creator", "ring", "consensus", "failure", "root")}
    )
    facts.put(actor, slot, Held(ObjectKind.PARTITION, p, True))


@by_call("partition_adopt")
def partition_adopted(facts, actor, handle, p, slot):
    """Note whose partition it is: only its creator may adopt it."""
    facts.change(p, creator=actor)
    facts.put(actor, slot, Held(ObjectKind.PARTITION, p, True))


@by_call("partition_destroy")
def partition_destroyed(facts, actor, handle):
    """Note its end: its slots are empty, and those that it created fall to its creator."""
    number = facts.object(actor, handle)
    facts.change(number, state=PartitionState.DESTROYED)
    for p, slot in list(facts.held):
        if number in (None, p):
            facts.empty(None if number is None else p, slot)
    heir = None if number is None else facts.partition(number).creator
    for row in facts.partitions.values():
        row.creator = heir if number in (None, row.creator) else row.creator
    for agent in facts.agents.values():
        if number is not None and agent.partition == number:
            agent.life = Life.TERMINATED
        elif None in (number, agent.partition) and agent.life != Life.TERMINATED:
            agent.life = None


@by_call("partition_reclaim")
def partition_reclaimed(facts, actor, handle):
    """Note that its number is free for another."""
    facts.change(
        facts.object(actor, handle),
        state=PartitionState.VACANT,
        ring=Ring.SANDBOX,
        failure=FailureClass.NONE,
        root=None,
    )


@by_call("partition_fail")
def partition_failed(facts, actor, handle, failure):
    """Note how bad it was."""
    known = FailureClass(failure) if FailureClass.contains(failure) else None
    facts.change(facts.object(actor, handle), failure=known)


@by_call("table_root")
def rooted(facts, actor, handle, page):
    """Note the root of its memory: whoever loses it, rests."""
    facts.change(facts.object(actor, handle), root=page)


@by_call("region_reclaim")
def page_taken_back(facts, actor, handle, page):
    """Note who loses its root; of whom it is not known which page is the root, it is not known what became of it."""
    is_whole = facts.verdict.information is not None  # then a half of which no root is told has none
    for row in facts.partitions.values():
        if row.root == page:
            row.state = PartitionState.HIBERNATED if row.state in LASTING else row.state
            row.root = None
        elif row.root is None and row.state in LASTING and not (is_whole and row.state in HALVES):
            row.state = None


@by_call("ring_assign")
def trusted(facts, actor, handle, of, score, consensus):
    """Note the ring that follows."""
    facts.change(facts.object(actor, of), ring=ring_for(score, bool(consensus)), consensus=bool(consensus))


@by_call("ring_demote")
def demoted(facts, actor, handle, score):
    """Note the ring that follows, with the consensus that there was."""
    number = facts.object(actor, handle)
    consensus = None if number is None else facts.partition(number).consensus
    facts.change(number, ring=None if consensus is None else ring_for(score, consensus))


# ---- agents


@by_call("agent_create")
def agent_begun(facts, actor, handle, agent, place):
    """Note who begins where, and whose child it is."""
    facts.agents[agent] = Agent(
        Life.INITIALIZING, facts.object(actor, handle), parent=facts.speaker(actor), last=facts.time, meters=meters()
    )


@by_call("agent_measure")
def agent_measured(facts, actor, handle, badge, page, part):
    """Count how much of its module is measured."""
    facts.agent(badge).measured += PART_BYTES


@by_call("agent_spawn")
def agent_spawned(facts, actor, handle, badge, module):
    """Note of what module it is."""
    row = facts.agent(badge)
    row.life, row.module, row.partition = Life.RUNNING, module, facts.object(actor, handle)


@by_call("agent_change")
def agent_changed(facts, actor, handle, badge, life, old):
    """Note the state that it has now."""
    row = facts.agent(badge)
    row.life, row.partition = Life(life) if Life.contains(life) else None, facts.object(actor, handle)


@by_call("agent_speak")
def agent_speaks(facts, actor, handle, badge):
    """Note who speaks for the partition: it lives there, and runs."""
    row = facts.agent(badge)
    row.life, row.partition, facts.speakers[actor] = Life.RUNNING, actor, badge


# ---- who holds what


@by_call("capability_grant")
def granted(facts, actor, handle, slot, rights, into, badge):
    """Note that one more slot names the same."""
    source = facts.names(actor, handle)
    facts.put(facts.object(actor, into), slot, source and source._replace(origin=False))


@by_call("capability_delete", "edge_destroy")
def emptied(facts, actor, handle):
    """Note that the slot of the handle is empty."""
    facts.empty(actor, handle_slot(Handle.truncate(handle)))


@by_call("capability_withdraw")
def withdrawn(facts, actor, handle, slot):
    """Note that a slot of another partition is empty."""
    facts.empty(facts.object(actor, handle), slot)


# ---- blocks


@by_call("block_retier")
def block_moved(facts, actor, handle, unit, old, new, use):
    """Note the tier that the block is of now."""
    row = facts.block(unit)
    row.holder, row.heat, row.use = facts.object(actor, handle), Heat(new) if Heat.contains(new) else None, use


@by_call("block_transfer")
def block_handed_on(facts, actor, handle, unit, into):
    """Note who holds the block now."""
    facts.block(unit).holder = facts.object(actor, into)


@by_call("block_release")
def block_released(facts, actor, handle, unit):
    """Forget the block."""
    facts.blocks.pop(unit, None)


# ---- edges and notifications


@by_call("edge_create")
def edge_made(facts, actor, handle, e, slot, schema):
    """Note a new edge, which has carried nothing."""
    facts.put(actor, slot, Held(ObjectKind.EDGE, e, True))
    facts.edges[e] = Edge(exists=True, maker=actor)


@by_call("edge_send")
def message_sent(facts, actor, handle, page, length, schema):
    """Count what the edge carries."""
    edge = facts.row(facts.edges, facts.object(actor, handle), Edge, "source")
    edge.source, edge.last, edge.sent = actor, facts.time, edge.sent + 1
    edge.carried += units(length)
    edge.weight = edge.weight.plus(units(length), facts.epoch or 0)


@by_call("edge_receive")
def message_received(facts, actor, handle, page):
    """Note who received."""
    edge = facts.row(facts.edges, facts.object(actor, handle), Edge, "target")
    edge.target, edge.last, edge.received = actor, facts.time, edge.received + 1


@by_call("notification_create")
def notification_made(facts, actor, handle, n, slot):
    """Note a new notification, without a bit."""
    facts.put(actor, slot, Held(ObjectKind.NOTIFICATION, n, True))
    facts.notifications[n] = Notification(exists=True, maker=actor, bits=0)


@by_call("notification_signal")
def signalled(facts, actor, handle, bits):
    """Note the bits that are set."""
    found = facts.row(facts.notifications, facts.object(actor, handle), Notification, "source", "bits")
    found.bits = None if found.bits is None else found.bits | bits
    found.source, found.last, found.signals = actor, facts.time, found.signals + 1


@by_call("notification_wait")
def bits_taken(facts, actor, handle):
    """Note that all bits are clear."""
    number = facts.object(actor, handle)
    found = facts.row(facts.notifications, number, Notification, "target", "bits")
    found.bits = None if number is None else 0
    found.target, found.last = actor, facts.time
