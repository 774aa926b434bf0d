"""Do the records alone tell what the model's state holds, after every step, and nothing that they do not tell?"""

import copy
import random
from collections import Counter
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corollary.emulation.calls import usable
from corollary.emulation.generator import Generator
from corollary.emulation.traces import Age, Hypercall, apply
from corollary.record.audit import FIELDS, Verdict
from corollary.record.facts import LATEST, METERED, OF_CALLS, Facts, Held, meters
from corollary.record.follow import Seen
from corollary.spec.agent import Life
from corollary.spec.kernel.agent import badge_of, life_of, lives, speaker_of
from corollary.spec.kernel.capability import capability_id
from corollary.spec.kernel.edge import edge_exists, notification_exists
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import AGENTS, PAYLOAD_WORDS, SLOTS
from corollary.spec.kernel.operation import named
from corollary.spec.kernel.packed import HandleParts
from corollary.spec.kernel.state import PartitionId
from corollary.spec.kernel.vocabulary import (
    Action,
    FailureClass,
    Heat,
    ObjectKind,
    PartitionState,
    Right,
    Ring,
    Status,
    Tier,
)
from corollary.spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION
from tests.model.test_agents import HOST, NAME, OWN, ROW, hosting, running
from tests.model.test_blocks import OTHER, release
from tests.model.test_halves import ONE, merge, pair, to
from tests.model.test_units import hand, retier, with_block
from tests.model.world import ALL_RIGHTS, DRAIN_PAGE, FIRST_FREE, ROOT, SLOT_SCHEDULER, World, region_of
from tests.record.logs import Recorded, booted

SCHEMA = 7
SPENDS = {named(name).number: what for name, what in METERED.items()}
STOPPED = (PartitionState.SUSPENDED, PartitionState.HIBERNATED, PartitionState.DESTROYED)


class Talkative(Generator):
    """A generator of traces in which partitions mostly talk, through what they hold and pass on."""

    def next(self, s):
        """Return a call about an edge or a notification that the caller holds, or any other step."""
        other = super().next(s)
        if not isinstance(other, Hypercall) or self.maybe(0.5):
            return other
        return self.talk(s, s.current) or other

    def slot_with(self, s, p, *kinds):
        """Return a slot of a partition that holds a live capability of a kind, or None."""
        return self.pick([slot for slot in range(SLOTS) if s.capability[capability_id(p, slot)].kind in kinds], None)

    def talk(self, s, p):
        """Return a call that talks, or lets somebody else talk, or None."""
        slot = self.slot_with(s, p, ObjectKind.EDGE, ObjectKind.NOTIFICATION)
        if slot is None or self.maybe(0.2):
            made = (self.random.randrange(8), self.free_slot(s, p), 7)
            return self.said(s, "edge_create" if self.maybe(0.7) else "notification_create", SLOT_SCHEDULER, *made)
        other = self.slot_with(s, p, ObjectKind.PARTITION)
        if other is not None and self.maybe(0.3):
            into = s.capability[capability_id(p, other)]
            rights = self.pick((ALL_RIGHTS, ALL_RIGHTS ^ Right.WRITE))
            free = self.free_slot(s, PartitionId.truncate(into.object))
            return self.said(s, "capability_grant", slot, free, rights, self.to_slot(s, other), 0)
        page = self.pick(usable(s, p), 0)
        if s.capability[capability_id(p, slot)].kind == ObjectKind.NOTIFICATION:
            return self.said(
                s, self.pick(("notification_signal", "notification_wait")), slot, self.random.getrandbits(9)
            )
        length = self.random.randrange(PAYLOAD_WORDS + 2)
        return self.said(s, self.pick(("edge_send", "edge_send", "edge_receive")), slot, page, length, 7)

    def to_slot(self, s, slot):
        """Return the handle of a slot of the caller."""
        return HandleParts(slot=slot, generation=s.capability[capability_id(s.current, slot)].generation)

    def said(self, s, name, slot, *arguments):
        """Return a call through the handle of a slot."""
        words = (self.to_slot(s, slot), *arguments)
        return Hypercall(self.tick(), named(name).number, (*words, *[0] * (6 - len(words))))


class Crowded(Generator):
    """A generator of traces in which agents are many, and blocks of large memory are used."""

    crowded = True


def seen(data):
    """Return a record of bytes as it comes from a log."""
    return Seen(*FIELDS.unpack(data))


@contextmanager
def without(number):
    """Let the records of an operation tell nothing."""
    rule = OF_CALLS.pop(number)
    try:
        yield
    finally:
        OF_CALLS[number] = rule


def take_without(number, facts, record):
    """Fold in a record, as if nothing were told by those of an operation."""
    with without(number) if record.operation == number else nullcontext():
        facts.take(record)


class Beside:
    """A kernel model that takes random steps, and beside it what its records tell.

    It keeps what no record tells: how many calls and faults found no room, who was stopped by one of these, and whose
    failure is worse since then.
    """

    def __init__(self, seed, kind):
        self.generator = kind(random.Random(seed))
        self.run = booted(self.generator.information)
        self.facts = Facts(Verdict(information=self.run.information))
        self.lost, self.unseen, self.worse = 0, set(), set()
        self.told, self.refused = 0, {}
        self.deaf = {}  # by the number of an operation: what is told by all but its records
        self.epoch = 0  # the last that left a record
        self.spent: dict | None = {}  # by the badge of an agent, and what is spent: how often in each epoch

    def fold(self):
        """Fold in what was written since the last time."""
        self.run.collect()
        for record in map(seen, self.run.records[self.told :]):
            self.facts.take(record)
            for number, facts in self.deaf.items():
                take_without(number, facts, record)
            if (record.actor, record.kind) == (KERNEL_ACTOR, Action.SCHEDULER_EPOCH):
                self.epoch = self.run.state.epoch
        self.told = len(self.run.records)

    def step(self):
        """Take a step; return whether there was one."""
        s = self.run.state
        step = self.generator.next(s)
        if step is None:
            return False
        if isinstance(step, Age):
            return True
        actor, sequence, running, badge = s.current, s.sequence, self.running(), speaker_of(s)
        done = apply(s, step)
        if isinstance(step, Hypercall):
            status = done[1]
            self.lost += status == Status.WITNESS_FULL
            if status not in (Status.OK, Status.WITNESS_FULL):
                self.refused.setdefault(actor, Counter())[status] += 1
        elif s.sequence == sequence and running - self.running():
            self.lost, self.unseen, self.worse = self.lost + 1, self.unseen | {actor}, self.worse | {actor}
        self.unseen &= {p for p in self.unseen if s.partition[p].state in STOPPED}
        self.worse &= {p for p in self.worse if s.partition[p].state != PartitionState.VACANT}
        if badge and isinstance(step, Hypercall) and status != Status.WITNESS_FULL:
            self.spend(badge, step.operation, status)
        self.fold()
        return True

    def spend(self, badge, operation, status):
        """Count what an agent spends with a call, by what the kernel says. Epochs without a switch leave no record."""
        counted = self.spent.setdefault(badge, {name: Counter() for name in meters()})
        counted["calls"][self.epoch] += 1
        if status == Status.OK and operation in SPENDS:
            counted[SPENDS[operation]][self.epoch] += 1

    def running(self):
        """Return the partitions that run."""
        return {p for p, row in self.run.state.partition.rows.items() if row.state == PartitionState.RUNNING}


def check_partitions(beside):
    """Compare every partition that the model knows with what is told."""
    s = beside.run.state
    for p, row in s.partition.rows.items():
        told = beside.facts.partitions.get(p)
        if told is None:
            assert row.state == PartitionState.VACANT and row.records == 0, p
            continue
        if p not in beside.unseen:
            assert told.state in (row.state, None), p
        if p not in beside.worse:
            assert told.failure == row.failure or told.state is None, p
        if row.state != PartitionState.VACANT:
            assert (told.creator, told.ring, told.consensus) == (row.parent, row.ring, row.consensus), p
        if row.state in (PartitionState.CREATED, PartitionState.RUNNING, PartitionState.SUSPENDED):
            assert told.root == (row.root if row.rooted else None), p
        assert told.refused == beside.refused.get(p, Counter()), p
    told = sum(row.unrecorded for row in beside.facts.partitions.values())
    owed = sum(row.refused for row in s.partition.rows.values())
    assert told + owed == beside.lost


def slots_of(s):
    """Return what each slot holds, as the model says."""
    return {
        (c // SLOTS, c % SLOTS): Held(row.kind, row.object, row.depth == 0)
        for c, row in s.capability.rows.items()
        if row.kind != ObjectKind.NONE
    }


class There(NamedTuple):
    """What there is in a state of the model: what its slots hold, and the numbers of the rest."""

    slots: dict
    edges: set
    notifications: set
    agents: set


def there_is(s):
    """Return what there is in a state. Of edges and notifications, only a row that the model touched can be one."""
    return There(
        slots_of(s),
        {e for e in [*s.edge.rows] if edge_exists(s, e)},
        {n for n in [*s.notification.rows] if notification_exists(s, n)},
        {a for a in range(AGENTS) if lives(s, a)},
    )


def check_edges(beside, there):
    """Compare every edge with the kernel's own account of it."""
    s, told = beside.run.state, beside.facts.edges
    assert there.edges == {e for e, row in told.items() if row.exists}
    for e, row in told.items():
        traffic = s.traffic[e]
        assert (row.carried, row.sent, row.sent - row.received) == (traffic.carried, s.edge[e].sent, s.edge[e].waiting)
        assert row.source == (traffic.source if row.sent else None)
        assert row.target == (traffic.target if row.received else None)


def check_agents(beside, there):
    """Compare every agent."""
    s, told = beside.run.state, beside.facts.agents
    assert there.agents == {a for a in told if told[a].life != Life.TERMINATED}
    for a, row in told.items():
        agent = s.agent[a]
        assert row.life == life_of(s, a) and row.partition == agent.partition and row.badge in (None, badge_of(s, a))
        assert row.parent == agent.parent and row.measured == 64 * agent.lines
        if row.module is not None:
            assert row.module == int.from_bytes(
                b"".join(word.to_bytes(4, "big") for word in agent.module)[:8], "little"
            )
        if beside.spent is not None:
            check_meters(beside, row)


def check_meters(beside, row):
    """Compare all that an agent spent with what the kernel says."""
    spent = beside.spent.get(row.badge, {})
    for name, meter in row.meters.items():
        counted = spent.get(name, {})
        latest, count = next(reversed(counted.items()), (0, 0))
        assert (meter.total, meter.most) == (sum(counted.values()), max(counted.values(), default=0)), name
        assert (meter.latest, meter.epoch or 0) == (count, latest), name


def check_notifications(beside, there):
    """Compare every notification."""
    s, told = beside.run.state, beside.facts.notifications
    assert there.notifications == {n for n in told if told[n].exists}
    assert all(row.bits == s.notification[n].bits for n, row in told.items())


def check_blocks(beside):
    """Compare every block that is told of."""
    s = beside.run.state
    for unit, row in beside.facts.blocks.items():
        block = s.block[unit]
        assert block.used and (row.holder, row.heat) == (block.holder, block.heat), unit


def compare(seed, kind, steps, rules=()):
    """Compare after every step of a random trace; return what ran.

    Of some rules it is asked, too, whether a comparison fails without them. Then it is enough to ask once.
    """
    beside = Beside(seed, kind)
    beside.deaf = {number: Facts(beside.facts.verdict) for number in rules}
    beside.fold()
    for _ in range(steps):
        there = there_is(beside.run.state)
        check_all(beside, there)
        for number in [*beside.deaf]:
            if fails(check_all, deaf(beside, number), there):
                del beside.deaf[number]
        if not beside.step():
            break
    return beside


def deaf(beside, number):
    """Return the same model beside what is told by all but the records of an operation."""
    other = copy.copy(beside)
    other.facts = beside.deaf[number]
    return other


def fails(perform, *arguments):
    """Does a comparison fail?"""
    try:
        perform(*arguments)
    except (AssertionError, KeyError):
        return True
    return False


def eventful(seed, rules=()):
    """Compare after every step of a trace in which much happens; return what ran."""
    kind, steps = ((Crowded, 1500), (Talkative, 700), (Generator, 1500))[seed % 3]
    return compare(seed, kind, steps, rules)


def check_all(beside, there=None):
    """Compare everything."""
    there = there or there_is(beside.run.state)
    check_partitions(beside)
    assert beside.facts.held == there.slots
    check_edges(beside, there)
    check_notifications(beside, there)
    check_agents(beside, there)
    check_blocks(beside)
    assert beside.facts.records == beside.run.state.sequence


@pytest.mark.parametrize("kind", [Generator, Talkative, Crowded])
@pytest.mark.parametrize("seed", range(4))
def test_records_tell_what_the_model_holds_after_every_step(seed, kind):
    compare(seed, kind, 500)


@given(st.integers(0, 1 << 32), st.sampled_from((Generator, Talkative)))
@settings(max_examples=15)
def test_they_do_in_any_trace(seed, kind):
    compare(seed, kind, 120)


class Talk(Beside):
    """Four partitions that have memory, and talk through edges and notifications that the root partition made."""

    def __init__(self, seed):
        self.random, self.world = random.Random(seed), World()
        w = self.world
        self.run = Recorded(w.s, w.information, [])
        self.facts = Facts(Verdict(information=w.information))
        self.lost, self.unseen, self.worse, self.told, self.refused = 0, set(), set(), 0, {}
        self.deaf, self.epoch, self.spent = {}, 0, {}
        self.pages = {p: w.data(p, FIRST_FREE + 200 + p) for p in [ROOT, *map(self.born, range(1, 4))]}
        self.slots = range(50, 56)
        self.ends = {"notification_signal": {}, "notification_wait": {}}  # who did it last, which no state holds
        for slot in self.slots:
            what = "edge_create" if slot % 3 else "notification_create"
            w.must(what, SLOT_SCHEDULER, slot, slot, *([SCHEMA] if slot % 3 else []))
            for p in range(1, 4):
                rights = ALL_RIGHTS if p == slot % 4 else ALL_RIGHTS ^ Right.WRITE
                w.must("capability_grant", w.handle(slot), slot, rights, w.handle(30 + p), 7)
        self.fold()

    def born(self, p):
        """Return a partition that runs."""
        self.world.spawn(p, score=self.random.choice((700_000, 1_000_000)))
        return p

    def step(self):
        """Let somebody talk, or an epoch end."""
        w, p, slot = self.world, self.random.randrange(4), self.random.choice(self.slots)
        if self.random.random() < 0.1:
            w.preempt()
        else:
            w.run(p)
            arguments = {
                "edge_send": (self.pages[p], self.random.randrange(PAYLOAD_WORDS + 2), SCHEMA),
                "edge_receive": (self.pages[p],),
                "notification_signal": (self.random.getrandbits(3),),
                "notification_wait": (),
            }
            name = self.random.choice(("edge_send", "edge_receive") if slot % 3 else [*arguments][2:])
            status = w.call(name, w.handle(slot, p), *arguments[name])
            if status != Status.OK:
                self.refused.setdefault(p, Counter())[status] += 1
            elif name in self.ends:
                self.ends[name][slot] = p
        self.fold()
        return True


@pytest.mark.parametrize("seed", range(3))
def test_who_sends_to_whom_is_told_as_the_kernel_counts_it(seed):
    talk = Talk(seed)
    for _ in range(250):
        talk.step()
        check_all(talk)
    assert len({(row.source, row.target) for row in talk.facts.edges.values()}) > 2
    told = talk.facts.notifications
    assert {n: row.source for n, row in told.items() if row.source is not None} == talk.ends["notification_signal"]
    assert {n: row.target for n, row in told.items() if row.target is not None} == talk.ends["notification_wait"]
    assert set(talk.ends["notification_signal"]) == {51, 54}


def test_who_loses_its_root_rests():
    w = World()
    w.spawn(1)
    beside = alone(w)
    w.must("region_reclaim", region_of(FIRST_FREE + 16), FIRST_FREE + 16)
    beside.fold()
    assert beside.facts.partitions[1].state == PartitionState.HIBERNATED
    check_all(beside)


def test_children_fall_to_the_creator_of_their_creator():
    w = World()
    w.spawn(1)
    w.endow(1, partitions=2)
    w.give(SLOT_SCHEDULER, 1, 2)
    w.run(1).must("partition_create", w.handle(2, 1), 2, 40, 10)
    beside = alone(w)
    assert beside.facts.partitions[2].creator == 1
    w.run(ROOT).end(w.handle(31), 1)
    beside.fold()
    assert beside.facts.partitions[2].creator == ROOT
    check_all(beside)


def alone(w):
    """Return a world with what its records tell beside it, and nothing refused."""
    beside = Beside(0, Generator)
    beside.run, beside.told, beside.spent = Recorded(w.s, w.information, []), 0, None  # by steps that it has not seen
    beside.facts = Facts(Verdict(information=w.information))
    beside.fold()
    return beside


def test_agents_are_told_from_their_beginning_to_the_end_of_their_partition():
    w = hosting()
    badge = running(w)
    w.must("capability_grant", w.handle(30 + HOST), OWN, ALL_RIGHTS, w.handle(30 + HOST), 0)
    w.run(HOST).must("agent_speak", 0, badge)
    child = w.must("agent_create", w.handle(OWN, HOST), ROW + 1, 2)
    beside = alone(w)
    check_agents(beside, there_is(w.s))
    told = beside.facts.agents
    assert told[ROW].module == NAME and told[ROW].badge == badge == told[ROW + 1].parent != child
    assert {name: meter.total for name, meter in told[ROW].meters.items() if meter.total} == {"calls": 1, "agents": 1}
    assert w.run(ROOT).proved("partition_destroy", w.handle(30 + HOST)) == Status.OK
    beside = alone(w)
    check_agents(beside, there_is(w.s))
    assert {row.life for row in beside.facts.agents.values()} == {Life.TERMINATED}


def test_blocks_are_told_from_their_first_move_to_their_release():
    w = with_block()
    beside = alone(w)
    assert beside.facts.blocks == {}
    assert hand(w, 0) == Status.OK
    beside.fold()
    assert beside.facts.blocks[0].use is None
    check_blocks(beside)
    assert retier(w, Heat.HOT, Heat.WARM, 0, p=OTHER) == retier(w, Heat.WARM, Heat.DORMANT, 9, p=OTHER) == Status.OK
    beside.fold()
    assert (beside.facts.blocks[0].heat, beside.facts.blocks[0].use) == (Heat.DORMANT, 9)
    check_blocks(beside)
    assert release(w, 0, OTHER) == Status.OK
    beside.fold()
    assert beside.facts.blocks == {}


def parted():
    """Let two partitions be merged, and part again; return what ran, with what its records tell beside it."""
    w = pair()
    beside = alone(w)
    assert merge(w) == Status.OK
    beside.fold()
    assert [beside.facts.partitions[p].state for p in (ONE, OTHER)] == [PartitionState.MERGING] * 2
    check_partitions(beside)
    for p in (ONE, OTHER):
        w.must("partition_settle", to(w, p))
    beside.fold()
    check_partitions(beside)
    return beside


def test_a_half_that_loses_its_root_is_told_to_rest():
    w = pair()
    assert merge(w) == Status.OK
    beside, root = alone(w), w.own(ONE).root
    w.must("region_reclaim", region_of(root), root)
    beside.fold()
    check_partitions(beside)
    states = [beside.facts.partitions[p].state for p in (ONE, OTHER)]
    assert states == [PartitionState.HIBERNATED, PartitionState.MERGING]


def test_halves_are_told_until_they_are_settled():
    assert parted().facts.partitions[ONE].state in (PartitionState.SUSPENDED, None)


def test_a_fault_stops_whoever_caused_it():
    w = World()
    w.spawn(1)
    w.run(1).fault()
    told = alone(w).facts.partitions[1]
    assert (told.state, told.failure, told.faults) == (PartitionState.SUSPENDED, FailureClass.TRANSIENT, 1)


def test_a_refused_call_is_kept_with_its_reason_unless_it_is_to_be_asked_again():
    w = World()
    w.must("edge_create", SLOT_SCHEDULER, 1, 50, SCHEMA)
    assert w.call("edge_receive", w.handle(50), DRAIN_PAGE) == Status.WOULD_BLOCK
    assert w.call("edge_receive", 51, DRAIN_PAGE) == Status.INVALID_HANDLE
    facts = alone(w).facts
    assert [record.status for record in facts.latest] == [Status.INVALID_HANDLE]
    assert facts.partitions[ROOT].refused == {Status.WOULD_BLOCK: 1, Status.INVALID_HANDLE: 1}
    assert facts.tiers[Tier.P1] == {Status.OK: 1, Status.WOULD_BLOCK: 1, Status.INVALID_HANDLE: 1}


def test_the_latest_refused_calls_are_kept_and_no_more():
    w = World()
    for number in range(LATEST + 5):
        w.call("edge_receive", 51, number)
    assert [record.object for record in alone(w).facts.latest] == list(range(5, LATEST + 5))


def test_an_edge_fades_with_the_epochs_that_the_log_tells():
    w = World()
    w.spawn(1)
    w.must("edge_create", SLOT_SCHEDULER, 1, 50, SCHEMA)
    w.must("edge_send", w.handle(50), DRAIN_PAGE, 20, SCHEMA)
    beside = alone(w)
    before = beside.facts.epoch or 0
    for _ in range(6):
        w.preempt()
    beside.fold()
    ended = beside.facts.epoch - before
    assert ended == 6 and beside.facts.edges[1].carried == 3
    assert beside.facts.edges[1].weight.at(beside.facts.epoch) == (3 << 16) * 19**ended // 20**ended


# ---- what is not told


def unknown(w, since):
    """Return what the records from a number on tell, in a log that begins there, at a checkpoint."""
    facts, run = Facts(Verdict()), Recorded(w.s, w.information, [])
    run.collect()
    for data in run.records[since:]:
        facts.take(seen(data))
    return facts


def test_nothing_is_told_of_what_was_before_a_checkpoint():
    w = World()
    w.spawn(1)
    w.must("edge_create", SLOT_SCHEDULER, 1, 50, SCHEMA)
    since = w.s.sequence
    w.must("edge_send", w.handle(50), DRAIN_PAGE, 20, SCHEMA)
    w.must("yield_now")
    facts = unknown(w, since)
    assert facts.partitions[ROOT].state is None and facts.partitions[ROOT].ring is None
    assert (facts.edges.keys(), facts.edges[None].carried, facts.edges[None].exists) == ({None}, 3, None)


def test_what_an_unknown_handle_may_have_changed_is_forgotten():
    w = World()
    w.spawn(1)
    since = w.s.sequence
    w.create(2)
    facts = unknown(w, since)
    assert facts.partitions[2].state == PartitionState.CREATED
    w.must("partition_suspend", w.handle(31))
    facts = unknown(w, since)
    assert facts.partitions[2].state is None and facts.partitions[2].ring == Ring.SANDBOX
    w.must("partition_resume", w.handle(31))
    w.must("capability_grant", w.handle(32), 9, ALL_RIGHTS, w.handle(31), 0)
    assert (ROOT, 32) in unknown(w, since).held and not any(slot == 9 for _, slot in unknown(w, since).held)


def spent_by(beside, badge):
    """Return how many calls an agent made, by what the kernel says."""
    return sum(beside.spent.get(badge, {}).get("calls", {}).values())


def check_nothing_is_guessed(beside, late):
    """Check that whatever is told by records from some later one on is so in the model."""
    s = beside.run.state
    for p, row in late.partitions.items():
        real = s.partition[p]
        assert p in beside.unseen or row.state in (None, real.state), p
        assert p in beside.worse or row.failure in (None, real.failure), p
        if real.state != PartitionState.VACANT:
            told = (row.creator, row.ring, row.consensus)
            assert all(each in (None, wanted) for each, wanted in zip(told, (real.parent, real.ring, real.consensus)))
    assert late.held.items() <= slots_of(s).items()
    for e, row in late.edges.items():
        if e is not None:
            assert row.exists in (None, edge_exists(s, e))
            assert row.sent <= s.edge[e].sent and row.carried <= s.traffic[e].carried
            assert row.source in (None, s.traffic[e].source) and row.target in (None, s.traffic[e].target)
    for n, row in late.notifications.items():
        if n is not None:
            assert row.exists in (None, notification_exists(s, n)) and row.bits in (None, s.notification[n].bits)
    for a, row in late.agents.items():
        assert row.life in (None, life_of(s, a)) and row.partition in (None, s.agent[a].partition)
        assert row.badge in (None, badge_of(s, a)) and row.parent in (None, s.agent[a].parent)
        assert row.meters is None or row.meters["calls"].total == spent_by(beside, row.badge)
    for unit, row in late.blocks.items():
        assert row.holder in (None, s.block[unit].holder) and row.heat in (None, s.block[unit].heat)
    known, named_ = beside.facts.tiers, late.tiers
    assert all(named_[tier][status] <= known[tier][status] for tier in Tier for status in named_[tier])


@pytest.mark.parametrize("kind", [Generator, Talkative, Crowded])
@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_guessed_in_a_log_that_begins_later(seed, kind):
    beside, late, told = Beside(seed, kind), Facts(Verdict()), 0
    since = random.Random(seed).randrange(20, 60)
    for _ in range(600):
        if not beside.step():
            break
        for data in beside.run.records[max(since, told) :]:
            late.take(seen(data))
        told = len(beside.run.records)
        check_nothing_is_guessed(beside, late)
    assert late.records == max(0, told - since) and late.partitions


def test_what_may_have_ended_is_neither_there_nor_gone():
    w = World()
    w.spawn(1)
    since = w.s.sequence
    w.must("edge_create", SLOT_SCHEDULER, 1, 50, SCHEMA)
    assert unknown(w, since).edges[1].exists is True
    w.must("capability_grant", SLOT_SCHEDULER, 50, ALL_RIGHTS, w.handle(31), 0)  # nobody knows into whose
    facts = unknown(w, since)
    assert facts.edges[1].exists is None and facts.held == {}
    w.must("edge_send", w.handle(50), DRAIN_PAGE, 0, SCHEMA)
    facts = unknown(w, since)
    assert (facts.edges[1].sent, facts.edges[None].sent) == (0, 1)


def test_what_an_unknown_handle_did_may_have_been_done_to_any():
    w = World()
    w.spawn(1)
    since = w.s.sequence
    w.must("edge_create", SLOT_SCHEDULER, 1, 50, SCHEMA)
    w.must("notification_create", SLOT_SCHEDULER, 1, 51)
    w.must("edge_send", w.handle(50), DRAIN_PAGE, 0, SCHEMA)
    w.must("notification_signal", w.handle(51), 1)
    w.must("capability_grant", w.handle(50), 40, ALL_RIGHTS, w.handle(31), 0)  # nobody knows into whose
    w.must("capability_grant", w.handle(51), 41, ALL_RIGHTS, w.handle(31), 7)
    assert (unknown(w, since).edges[1].source, unknown(w, since).notifications[1].bits) == (ROOT, 1)
    page = w.data(1, FIRST_FREE + 201)
    w.run(1).must("edge_send", w.handle(40, 1), page, 0, SCHEMA)
    w.must("notification_signal", w.handle(41, 1), 2)
    facts = unknown(w, since)
    assert facts.edges[1].source is facts.notifications[1].bits is facts.notifications[1].source is None
    assert facts.edges[1].sent == facts.edges[None].sent == 1 and facts.edges[None].source == 1


def test_after_an_unknown_end_nothing_is_known_of_anybody():
    w = World()
    w.spawn(1)
    since = w.s.sequence
    w.create(2)
    w.must("edge_create", SLOT_SCHEDULER, 1, 50, SCHEMA)
    w.end(w.handle(31), 1)
    facts = unknown(w, since)
    assert facts.partitions[2].state is facts.partitions[2].creator is facts.edges[1].exists is None


@given(st.lists(st.binary(min_size=64, max_size=64), max_size=30), st.integers(0, 3))
@settings(max_examples=200)
def test_whatever_a_forger_writes_is_folded_in(records, seed):
    """A forger may compute links, so any fields that an audit lets pass may come."""
    facts = Facts(Verdict(information=booted_once().information if seed else None))
    for data in [*booted_once().records, *records]:
        record = plausible(seen(data))
        facts.take(record)
    assert facts.records == len(booted_once().records) + len(records)


def plausible(record):
    """Return a record whose kind, tier, status and operation are such that an audit lets them pass."""
    declared = OPERATIONS[record.operation % len(OPERATIONS)]
    status = Status.OK if record.status % 2 else [*Status][record.status % len(Status)]
    if record.actor == KERNEL_ACTOR or record.actor % 5 == 0:
        kind = (Action.SCHEDULER_EPOCH, Action.BOOT_COMPLETE, Action.BOOT_ATTESTATION)[record.kind % 3]
        return record._replace(actor=KERNEL_ACTOR, operation=KERNEL_OPERATION, kind=kind, status=0, tier=0)
    return record._replace(
        actor=record.actor % 64, operation=declared.number, kind=declared.kind, tier=declared.tier, status=status
    )


@lru_cache(maxsize=1)
def booted_once():
    """Return a run that has only booted."""
    return booted(Generator(random.Random(1)).information)


# ---- the traces


def short_stories():
    """Compare where little happens, of what random traces may leave out."""
    test_who_loses_its_root_rests()
    test_agents_are_told_from_their_beginning_to_the_end_of_their_partition()
    test_blocks_are_told_from_their_first_move_to_their_release()
    parted()


def is_missed_soon(number):
    """Does one of these comparisons fail without what an operation tells?"""
    with without(number):
        return fails(short_stories)


@lru_cache(maxsize=1)
def traces():
    """Return what ran in eventful traces, and the rules without which the first dozen of them and all else agree."""
    ran, unmissed = [], {number for number in [*OF_CALLS] if not is_missed_soon(number)}
    for seed in range(12):
        ran.append(eventful(seed, unmissed))
        unmissed = {*ran[-1].deaf}
    return [*ran, *map(eventful, range(12, 18))], unmissed


def test_traces_have_in_them_what_is_told():
    """A comparison of tables in which nothing ever happens would say nothing."""
    told = [*traces()[0], parted()]  # traces in which two can be merged have devices, which are not told
    records = map(seen, chain.from_iterable(beside.run.records for beside in told))
    folds, lost = {record.operation for record in records if record.status == Status.OK}, sum(b.lost for b in told)
    assert {OPERATIONS[number].name for number in OF_CALLS.keys() - folds} == set()
    assert lost > 0
    spent = [meter for beside in told[:-1] for counted in beside.spent.values() for meter in counted.items()]
    assert {name for name, epochs in spent if epochs} == meters().keys()
    assert any(len(epochs) > 1 for name, epochs in spent if name == "calls")


@pytest.mark.parametrize("number", sorted(OF_CALLS), ids=lambda number: OPERATIONS[number].name)
def test_every_rule_is_needed(number):
    """Without what one operation tells, a comparison fails: a rule that does nothing would be noticed."""
    assert number not in traces()[1]
