"""Can the records always leave the kernel, even when partitions flood the log with any share of it?

Draining must go on, and no other partition may be refused.
"""

import itertools
import random
import re
from pathlib import Path

import pytest

from corollary.model.kernel.action import preempt
from corollary.model.kernel.schedule import proceed
from corollary.spec.kernel.limits import (
    CONSOLE_WORDS,
    DRAIN_LIMIT,
    DRAIN_RESERVE,
    KERNEL_RESERVE,
    PAGE_WORDS,
    QUANTUM,
    RECORDS,
    ROOT_QUOTA,
    SECOND,
)
from corollary.spec.kernel.state import Call, WitnessRecord
from corollary.spec.kernel.vocabulary import Format
from tests.model.properties import miscounted
from tests.model.world import BY_NAME, ROOT, SLOT_CONSOLE, SLOT_LOG, Right, Status, World, dispatch

GUESTS = Path(__file__).resolve().parents[2] / "guests"
UNKNOWN = 1 << 20
AUDITOR, VICTIM, HOSTILE = 1, 2, 3  # and those after
LOG, CONSOLE, PAGE = 2, 3, 600  # slots and a page of the auditor
VICTIM_QUOTA, VICTIM_CALLS = (
    64,
    3,
)  # the victim's share, and the calls that it makes within that share while the auditor empties a page
STEP = 384  # shares of hostile partitions are multiples of this
BATCH = PAGE_WORDS * 8 // WitnessRecord.layout.size  # records that fill the page that is sent
WRITES = PAGE_WORDS // CONSOLE_WORDS  # calls that send it
ROUNDS = 2 * RECORDS // BATCH  # enough to send the log's full capacity twice


def constant(file, name):
    """Return a number that the guests are compiled with."""
    return int(re.search(rf"\b{name} = (\d+)", (GUESTS / file).read_text())[1])


AUDITOR_QUOTA, BATCHES_PER_SEAL = constant("creator.h", "AUDITOR_QUOTA"), constant("auditor.c", "BATCHES_PER_SEAL")
SPARE = ROOT_QUOTA - AUDITOR_QUOTA - VICTIM_QUOTA - STEP  # root keeps some; hostile partitions can have the rest


def splits(parts):
    """Return every way to split `SPARE` among this many partitions, in steps.

    Larger shares come first, because the partitions are interchangeable.
    """
    shares = range(STEP, SPARE + 1, STEP)
    return [
        chosen
        for chosen in itertools.product(shares, repeat=parts)
        if sum(chosen) <= SPARE and list(chosen) == sorted(chosen, reverse=True)
    ]


SPLITS = [(768,), (256, 256, 256), (SPARE,), *splits(1), *splits(2), *splits(3), *splits(4)]


def sum_up(w):
    """End an epoch that leaves something to record."""
    w.s.switches += 1
    w.now += QUANTUM
    preempt(w.s, w.now)
    proceed(w.s)


class Siege(World):
    """An auditor, a victim, and partitions that fill the log as fast as they can."""

    def __init__(self, quotas):
        super().__init__()
        self.batches, self.hostile = 0, range(HOSTILE, HOSTILE + len(quotas))
        for p, quota in zip((AUDITOR, VICTIM, *self.hostile), (AUDITOR_QUOTA, VICTIM_QUOTA, *quotas)):
            self.spawn(p, quota=quota)
        self.data(AUDITOR, PAGE)
        self.give(SLOT_LOG, AUDITOR, LOG, Right.READ | Right.WRITE)
        self.give(SLOT_CONSOLE, AUDITOR, CONSOLE, Right.WRITE)

    def ask(self, p, operation, *arguments):
        """Make a call of a partition, which has the processor at that moment."""
        self.s.current, self.now = p, self.now + 1000
        call = Call(now=self.now, operation=operation)
        for position, value in enumerate(arguments):
            call.argument[position] = int(value)
        self.s.idle = False
        status = dispatch(self.s, call)
        return status, call.result[0]

    def flood(self):
        """Let all hostile partitions spend everything.

        The kernel has records of its own to write, too, more than it may.
        """
        for p in self.hostile:
            while self.ask(p, UNKNOWN)[0] != Status.WITNESS_FULL:
                pass
        for _ in range(DRAIN_LIMIT):
            sum_up(self)

    def read(self, first):
        """Let the auditor copy records, from this number on."""
        return self.ask(AUDITOR, BY_NAME["witness_read"].number, LOG, PAGE, first)

    def discard(self, count):
        """Let the auditor drop this many of the oldest records."""
        return self.ask(AUDITOR, BY_NAME["witness_discard"].number, LOG, self.s.drained + count - 1)

    def audit(self):
        """Run one round of guests/auditor.c: return the statuses of its calls, and how many records it took out."""
        answers, taken = [], 0
        while not answers or (answers[-1] == (Status.OK, DRAIN_LIMIT) and taken < BATCH):
            answers.append(self.read(self.s.copied))
            taken += answers[-1][1]
        answers += [
            self.ask(AUDITOR, BY_NAME["console_write"].number, CONSOLE, PAGE, 0, 1, Format.HEX) for _ in range(WRITES)
        ]
        while self.s.drained < self.s.copied:
            answers.append(self.discard(min(DRAIN_LIMIT, self.s.copied - self.s.drained)))
        self.batches += 1
        if self.batches % BATCHES_PER_SEAL == 0:
            answers.append(self.ask(AUDITOR, BY_NAME["witness_seal"].number, LOG, PAGE))
            answers.append(self.ask(AUDITOR, BY_NAME["console_write"].number, CONSOLE, PAGE, 0, 1, Format.HEX))
        return {status for status, _ in answers}, taken


@pytest.mark.parametrize("quotas", SPLITS, ids=lambda quotas: "+".join(map(str, quotas)))
def test_no_flood_stops_the_auditor_or_takes_the_room_of_a_victim(unchained, quotas):
    siege = Siege(quotas)
    for _ in range(ROUNDS):
        siege.flood()
        drained = siege.s.drained
        assert siege.audit() == ({Status.OK}, siege.s.drained - drained) and siege.s.drained > drained
        for _ in range(min(VICTIM_CALLS, VICTIM_QUOTA - siege.own(VICTIM).records)):
            assert siege.ask(VICTIM, BY_NAME["proof_inspect"].number)[0] == Status.OK
        siege.now += SECOND // 10
    assert miscounted(siege.s) is None


def test_the_auditor_s_share_holds_what_it_leaves_when_the_log_is_full():
    """Its reads, discards, output and seals fit, for as many batches as a full log holds."""
    batches = RECORDS // BATCH
    assert DRAIN_RESERVE + WRITES * batches + 2 * (batches // BATCHES_PER_SEAL + 1) <= AUDITOR_QUOTA


# ---- promised shares fit the log


def test_shares_and_reserves_fill_the_log_and_no_more():
    assert ROOT_QUOTA + KERNEL_RESERVE + DRAIN_RESERVE == RECORDS


@pytest.fixture
def poor():
    """Return a reader of the log whose share is soon used up, in a log that others fill."""
    siege = Siege((SPARE,))
    siege.own(ROOT).quota += AUDITOR_QUOTA - 8
    siege.own(AUDITOR).quota = 8
    return siege


def test_reads_and_discards_alone_never_fill_more_than_their_reserve(unchained, poor):
    most = 0
    for _ in range(2 * RECORDS // DRAIN_LIMIT):
        poor.flood()
        poor.now += SECOND // 100
        assert poor.read(poor.s.copied) == poor.discard(DRAIN_LIMIT) == (Status.OK, DRAIN_LIMIT)
        most = max(most, poor.own(AUDITOR).records - poor.own(AUDITOR).quota)
    assert 0 < most <= DRAIN_RESERVE


def test_beyond_its_share_a_reader_cannot_take_room_by_reading_ahead_or_dropping_by_ones(unchained, poor):
    """Whatever it calls, in any order, others keep their promised room."""
    chance, beyond = random.Random(3), 0
    for _ in range(6000):
        poor.flood() if chance.random() < 0.2 else None
        poor.now += SECOND // 100
        s = poor.s
        if chance.random() < 0.5:
            poor.read(chance.choice((s.copied, s.drained, s.sequence - 1)))
        else:
            poor.discard(chance.choice((1, 2, DRAIN_LIMIT)))
        beyond = max(beyond, poor.own(AUDITOR).records - poor.own(AUDITOR).quota)
    assert 0 < beyond <= DRAIN_RESERVE and miscounted(poor.s) is None


def test_who_has_no_share_left_reads_once_and_drops_before_it_reads_again(unchained, poor):
    while poor.own(AUDITOR).records < poor.own(AUDITOR).quota:
        poor.flood()
        poor.ask(AUDITOR, BY_NAME["proof_inspect"].number)
    assert poor.read(poor.s.copied) == (Status.OK, DRAIN_LIMIT)
    assert poor.read(poor.s.copied)[0] == poor.discard(1)[0] == Status.WITNESS_FULL
    assert poor.discard(DRAIN_LIMIT) == (Status.OK, DRAIN_LIMIT)


@pytest.mark.parametrize("ahead", range(1, DRAIN_LIMIT))
def test_whoever_reads_ahead_or_drops_a_part_leaves_the_way_out_open(unchained, poor, ahead):
    """Another reader copies a few records more than eight.

    The reader whose share is used up still empties the whole log.
    """
    poor.data(VICTIM, PAGE + 1)
    poor.give(SLOT_LOG, VICTIM, LOG, Right.READ)
    poor.own(AUDITOR).quota = poor.own(AUDITOR).records
    poor.flood()
    assert poor.read(poor.s.copied)[0] == Status.OK
    assert poor.ask(VICTIM, BY_NAME["witness_read"].number, LOG, PAGE + 1, poor.s.drained + ahead) == (
        Status.OK,
        DRAIN_LIMIT,
    )
    while poor.s.sequence - poor.s.copied >= DRAIN_LIMIT:
        poor.now += SECOND // 100
        assert poor.discard(DRAIN_LIMIT) == poor.read(poor.s.copied) == (Status.OK, DRAIN_LIMIT)
    assert poor.own(AUDITOR).records - poor.own(AUDITOR).quota <= DRAIN_RESERVE


@pytest.mark.parametrize("seed", range(2))
def test_many_that_read_and_drop_in_any_order_never_use_more_than_the_reserve(unchained, poor, seed):
    """Two hold the log, one of them with no share left, while others fill it.

    Partitions with a share keep their room, and the way out stays open.
    """
    chance, most = random.Random(seed), 0
    for _ in range(3000):
        s, waiting = poor.s, poor.s.copied - poor.s.drained
        poor.now += SECOND // 1000
        poor.own(AUDITOR).quota = chance.choice(
            (0, 0, 0, 8)
        )  # with a share it goes one by one, without a share by eights
        if chance.random() < 0.1:
            poor.flood()
        if poor.own(AUDITOR).records < poor.own(AUDITOR).quota:
            poor.discard(1) if waiting else poor.read(s.drained)
        elif waiting >= DRAIN_LIMIT:
            assert poor.discard(DRAIN_LIMIT)[0] == Status.OK
        elif s.sequence - s.copied >= DRAIN_LIMIT:
            assert poor.read(s.copied)[0] == Status.OK
        most = max(most, poor.own(AUDITOR).records - 8)
    assert 0 < most <= DRAIN_RESERVE


def test_the_kernel_uses_its_reserve_and_no_share(unchained):
    w = World()
    for _ in range(2 * KERNEL_RESERVE):
        sum_up(w)
    assert (w.s.kernel_records, w.used) == (KERNEL_RESERVE, KERNEL_RESERVE)
    assert [w.call("yield_now") for _ in range(ROOT_QUOTA)] == [Status.OK] * ROOT_QUOTA
    assert w.call("yield_now") == Status.WITNESS_FULL


def test_every_call_costs_a_token_also_one_that_names_no_operation():
    w = World()
    statuses = [w.call(UNKNOWN, now=w.now) for _ in range(101)]
    assert statuses == [Status.UNKNOWN_OPERATION] * 100 + [Status.RATE_LIMITED]


def test_the_rate_of_a_ring_does_not_hold_the_way_out_up():
    w = World()
    while w.call("yield_now", now=w.now) != Status.RATE_LIMITED:
        pass
    assert (
        w.call("witness_read", SLOT_LOG, 10, 0, now=w.now)
        == w.call("witness_discard", SLOT_LOG, 7, now=w.now)
        == Status.OK
    )
    assert w.call("console_write", SLOT_CONSOLE, 10, 1, Format.HEX, now=w.now) == Status.OK
