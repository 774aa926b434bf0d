"""Does every promise hold, and every account add up, after every step of random and exhaustive use of the gate?"""

import random
from collections import Counter
from copy import deepcopy

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from corollary.emulation.generator import Generator
from corollary.emulation.traces import Coverage, Fault, Hypercall, Preempt, booted, taken
from corollary.language.values import leaves
from corollary.model.kernel.promises import INVARIANTS
from corollary.model.kernel.schedule import proceed
from corollary.spec.kernel.limits import PARTITIONS
from corollary.spec.kernel.ring import effective_ring
from corollary.spec.kernel.state import Call
from corollary.spec.kernel.vocabulary import PageKind, PartitionState, Reversibility, Ring, Tier
from tests.codegen.test_same_as_model import LENGTH, TRACES, kind_of
from tests.model.properties import broken, broken_step, changed, meddled, miscounted
from tests.model.world import (
    FIRST_FREE,
    OPERATIONS,
    ROOT,
    SELF,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_SCHEDULER,
    Access,
    Right,
    Status,
    World,
    region_of,
)

SECOND = 10**9
SEEDS = st.integers(0, (1 << 32) - 1)
NAMES = st.sampled_from([declared.name for declared in OPERATIONS])
PLANS = st.sampled_from(("birth", "death", "life", "chain", "commit", "sharing", "speech", "crowd", "wear"))
LEAPS = st.sampled_from((0, 1, SECOND, 400 * SECOND, 4000 * SECOND, 10**6 * SECOND, 1 << 62))
NUMBERS = st.one_of(st.integers(0, len(OPERATIONS) + 2), st.integers(0, 255), st.integers(0, (1 << 64) - 1))
REGISTERS = st.lists(
    st.one_of(st.integers(0, 70), st.integers(0, 1 << 38), st.integers(0, (1 << 64) - 1)), min_size=6, max_size=6
)


ENDING = ("partition_destroy", "partition_release", "partition_reclaim")


def required_ring(declared, creator):
    """Return the ring that the requirements' table demands: a second reading of that table.

    `creator` says whether the caller is the creator of the partition that it names.
    """
    if declared.admin:
        return Ring.ROOT
    if declared.read_only:
        return Ring.SANDBOX
    if declared.name in ENDING and creator:
        return Ring.STANDARD
    return Ring.PRIVILEGED if declared.reversibility == Reversibility.NONE else Ring.STANDARD


def check_call(before, call, after, status, asked=None):
    """Check everything that must be true of one call."""
    assert broken_step(before, call, after, status, asked) is None
    if status != Status.OK:
        assert meddled(before, after, status) == []
        return
    declared = OPERATIONS[call.operation]
    creator = before.partition[before.capability[call.capability].object % PARTITIONS].parent == before.current
    assert effective_ring(before, before.current, call.now) <= required_ring(declared, creator)
    record = after.log[before.sequence & 4095]
    assert (record.kind, record.tier, record.operation) == (declared.kind, declared.tier, declared.number)
    assert after.partition[before.current].nonce - before.partition[before.current].nonce == (declared.tier >= Tier.P2)


class Checked(World):
    """A world that checks every call."""

    def dispatched(self, name, *arguments, now=None):
        before = deepcopy(self.s)
        status = super().dispatched(name, *arguments, now=now)
        check_call(before, self.last, self.s, status, Call(now=self.now, operation=self.last.operation))
        return status


class Gate(RuleBasedStateMachine):
    """Partitions come, work, misbehave and go."""

    @initialize(seed=SEEDS, born=st.integers(0, 3))
    def boot(self, seed, born):
        self.begin(Generator(random.Random(seed)))
        for _ in range(born):
            self.plan_of_root("birth", seed)

    def begin(self, maker):
        """Return a kernel fresh from boot."""
        self.maker, self.s, self.stale, self.steps = maker, booted(maker.information), [0], 0

    def take(self, step):
        """Take one step, checked."""
        before = deepcopy(self.s)
        call, status = taken(self.s, step)
        if isinstance(step, Hypercall):
            self.stale = [*self.stale[-30:], step.arguments[0]]
        self.judge(before, call, status)
        proceed(self.s)
        self.check()

    def judge(self, before, call, status):
        """Check everything that must be true of a step and of the state that it leads to."""
        if call is not None:
            check_call(before, call, self.s, status)
        self.check()

    def finish(self, step):
        """Take a step and its necessary follow-up."""
        self.take(step)
        while self.maker.queue:
            self.take(self.maker.queue.pop(0))

    def check(self):
        """Check everything that must be true of every state."""
        assert broken(self.s) is None
        assert miscounted(self.s) is None

    def as_random(self, seed):
        """Return the maker with its own source of randomness for this place in the run.

        Hypothesis tends to draw the same numbers again.
        """
        self.steps += 1
        self.maker.random = random.Random(f"{seed} {self.steps} {self.s.sequence}")
        return self.maker

    busy = precondition(lambda self: not self.s.idle)

    @busy
    @rule(name=NAMES, seed=SEEDS)
    def sensible_call(self, name, seed):
        self.finish(self.as_random(seed).call(self.s, name))

    @busy
    @rule(seeds=st.lists(SEEDS, min_size=5, max_size=15))
    def calls_that_fit_the_ring(self, seeds):
        for seed in seeds:
            if not self.s.idle:
                maker = self.as_random(seed)
                self.finish(maker.call(self.s, maker.choose(self.s)))

    @precondition(lambda self: not self.s.idle and self.s.current == ROOT)
    @rule(kind=PLANS, seed=SEEDS)
    def plan_of_root(self, kind, seed):
        maker = self.as_random(seed)
        for part in getattr(maker, kind)(self.s)[:60]:
            step = part(self.s) if not self.s.idle else None
            if step is not None:
                self.finish(step)

    @busy
    @rule(number=NUMBERS, registers=REGISTERS)
    def hostile_call(self, number, registers):
        self.take(Hypercall(self.maker.tick(), number, tuple(registers)))

    @busy
    @rule(
        number=st.integers(0, len(OPERATIONS) - 1),
        which=st.integers(0, 30),
        twist=st.sampled_from((0, 1, 64, 1 << 37, 1 << 38)),
    )
    def stale_or_forged_handle(self, number, which, twist):
        handle = self.stale[which % len(self.stale)] ^ twist
        self.take(Hypercall(self.maker.tick(), number, (handle, 1, 2, SELF, 0, 0)))

    @busy
    @rule(seed=SEEDS)
    def drain(self, seed):
        self.finish(self.as_random(seed).drain(self.s))

    @rule(turns=st.integers(1, 3))
    def quantum_is_over(self, turns):
        for _ in range(turns):
            before = deepcopy(self.s)
            self.take(Preempt(self.maker.tick()))
            self.only_the_scheduler_moved(before)

    def only_the_scheduler_moved(self, before):
        """Check that a tick grants nothing: it closes an epoch, ends expired things and advances the scheduler."""
        moved = {path[:3:2] if path[0] == "partition" else path[:1] for path in changed(before, self.s)}
        assert moved <= {
            ("log",),
            ("head",),
            ("sequence",),
            ("epoch",),
            ("epoch_began",),
            ("claim",),
            ("switches",),
            ("turn",),
            ("urges",),
            ("current",),
            ("kernel_records",),
            ("time",),
            ("idle",),
            ("partition", "elevation"),
            ("partition", "fresh"),
        }

    @precondition(lambda self: not self.s.idle and self.s.current != ROOT)
    @rule(syndrome=st.integers(0, (1 << 64) - 1))
    def fault(self, syndrome):
        culprit = self.s.current
        self.take(Fault(self.maker.tick(), syndrome, syndrome >> 20))
        assert self.s.partition[culprit].state == PartitionState.SUSPENDED and self.s.current != culprit

    @busy
    @rule(seed=SEEDS)
    def guest_stores(self, seed):
        maker = self.as_random(seed)
        step = maker.event(self.s)
        if not isinstance(step, (Preempt, Fault)):
            self.take(step)

    @rule(leap=LEAPS, back=st.booleans())
    def the_clock_leaps(self, leap, back):
        self.maker.now = max(0, self.maker.now - leap) if back else min(self.maker.now + leap, (1 << 63) - SECOND)

    @invariant()
    def promises_hold(self):
        if hasattr(self, "s"):
            self.check()


@pytest.mark.parametrize(
    ("examples", "steps"), [pytest.param(1, 8, marks=pytest.mark.long), pytest.param(25, 25, marks=pytest.mark.full)]
)
def test_random_use_of_the_whole_gate(examples, steps):
    run_state_machine_as_test(
        Gate,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=True,
            database=None,
            phases=[
                Phase.generate
            ],  # a rule makes up to sixty calls, so shrinking takes minutes: the first failure is reported as it is
            # every step checks all promises of a kernel of thousands of rows: the long time and much data are intended
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )


@pytest.mark.full
def test_long_traces_reach_every_operation_and_every_status():
    """Check one step in fifteen, and all steps that end as none before, of the traces of tests/codegen."""
    seen = Coverage()
    for seed in range(TRACES):
        gate = Gate()
        gate.begin(kind_of(seed)(random.Random(seed)))
        for number in range(LENGTH):
            step = gate.maker.next(gate.s)
            if step is None:
                break
            before, kinds = deepcopy(gate.s), len(seen.seen)
            call, status = taken(gate.s, step)
            seen.note(step, status or 0)
            if number % 15 == 0 or len(seen.seen) > kinds:
                gate.judge(before, call, status)
            proceed(gate.s)
    assert seen.never_succeeded() == []
    assert seen.never_returned() == []
    assert all(seen.seen[name, Status.OK] for name in ("Preempt", "Fault", "Store"))


# ---- exhaustive search


def fingerprint(s):
    """Return a state without its clockwork: states that differ only in time, tokens and records count as the same."""
    ignored = {"bucket", "records", "refused", "nonce", "quota"}
    rows = []
    for name in ("capability", "partition", "page", "mapping", "owned", "edge", "message", "notification"):
        rows += [(name, path, value) for path, value in leaves(getattr(s, name)) if value and not ignored & set(path)]
    words = [
        (page, entry, value)
        for page, frame in s.memory.rows.items()
        if page >= FIRST_FREE or page < 3
        for entry, value in frame.word.rows.items()
        if value
    ]
    return hash((tuple(rows), tuple(sorted(words)), s.current, s.idle))


def explore(moves, depth, start=None):
    """Search breadth first over all sequences of moves; check each state, and return how many states were seen."""
    first = start or Checked()
    seen, frontier, statuses = {fingerprint(first.s)}, [first], Counter()
    for _ in range(depth):
        found = []
        for world in frontier:
            for move in moves:
                after = deepcopy(world)
                status = move(after)
                statuses[status] += 1
                mark = fingerprint(after.s)
                if mark not in seen:
                    seen.add(mark)
                    assert broken(after.s) is None and miscounted(after.s) is None
                    found.append(after)
        frontier = found
    return len(seen), statuses


def call(name, *arguments):
    """Return a move; arguments that are functions are evaluated on the world."""
    return lambda w: w.call(name, *[argument(w) if callable(argument) else argument for argument in arguments])


def proved(name, *arguments):
    return lambda w: w.proved(name, *[argument(w) if callable(argument) else argument for argument in arguments])


def held(slot):
    """Return the handle for the present content of a slot."""
    return lambda w: w.handle(slot)


@pytest.mark.full
def test_every_short_life_of_capabilities():
    ones = Right.READ | Right.GRANT_ONCE | Right.REVOKE
    moves = [
        call("capability_grant", held(a), b, rights, SELF, 0)
        for a, b, rights in (
            (SLOT_LOG, 40, 0xFFF),
            (40, 41, 0xFFF),
            (41, 40, ones),
            (40, 42, ones),
            (42, 41, Right.READ),
            (42, 43, 0xFFF),
        )
    ]
    moves += [call("capability_revoke", held(slot)) for slot in (SLOT_LOG, 40, 41)]
    moves += [call("capability_delete", held(slot)) for slot in (40, 41, 42)]
    states, statuses = explore(moves, 5)
    assert states > 300
    assert {Status.OK, Status.SLOT_IN_USE, Status.REVOKED, Status.INVALID_HANDLE, Status.RIGHTS_ESCALATION} <= set(
        statuses
    )


@pytest.mark.full
def test_every_short_life_of_a_page():
    page, table = FIRST_FREE, 2
    start = Checked()
    start.spawn(1)
    start.page(ROOT, page)
    reader = FIRST_FREE + 16 + 2
    moves = [
        call("page_create", region_of(page), page, PageKind.DATA, SELF),
        call("page_release", SLOT_OWN, page),
        call("page_map", SLOT_OWN, page, table, 100, Access.READ | Access.WRITE),
        call("page_map", SLOT_OWN, page, table, 101, Access.READ | Access.EXECUTE),
        call("page_unmap", SLOT_OWN, page),
        call("page_share", SLOT_OWN, page, 1, held(31)),
        call("share_map", held(31), page, 1, reader, 7),
        call("page_unshare", SLOT_OWN, page, 1),
        call("page_transfer", SLOT_OWN, page, held(31)),
        call("page_transfer", held(31), page, SELF),
    ]
    states, statuses = explore(moves, 6, start)
    assert 20 <= states
    assert {Status.OK, Status.STILL_SHARED, Status.NOT_OWNER, Status.ALREADY_LINKED, Status.NOT_SHARED} <= set(statuses)


@pytest.mark.full
def test_every_short_life_of_an_edge():
    start = Checked()
    page = start.data(ROOT, FIRST_FREE)
    moves = [
        call("edge_create", SLOT_SCHEDULER, 1, 40, 5),
        call("edge_create", SLOT_SCHEDULER, 1, 41, 6),
        call("capability_grant", held(40), 42, Right.READ | Right.WRITE | Right.REVOKE, SELF, 9),
        call("edge_send", held(42), page, 1, 5),
        call("edge_send", held(41), page, 0, 6),
        call("edge_receive", held(42), page),
        call("edge_receive", held(41), page),
        call("capability_revoke", held(40)),
        call("capability_delete", held(42)),
        call("edge_destroy", held(40)),
        call("edge_destroy", held(42)),
    ]
    states, statuses = explore(moves, 5, start)
    assert states > 100
    assert {Status.OK, Status.OBJECT_IN_USE, Status.WOULD_BLOCK, Status.REVOKED, Status.NOT_OWNER} <= set(statuses)


@pytest.mark.full
def test_every_short_life_of_a_partition():
    first = FIRST_FREE

    def emptied(w):
        """Take one step of release after another."""
        status = w.call("partition_release", w.handle(31))
        while status == Status.OK and w.own(1).pages:
            status = w.call("partition_release", w.handle(31))
        return status

    start = Checked()
    start.create(1)
    start.page(1, first, PageKind.TABLE_1)
    moves = [
        call("table_root", held(31), first),
        call("partition_start", held(31), 0),
        call("partition_suspend", held(31)),
        call("partition_resume", held(31)),
        proved("partition_hibernate", held(31)),
        proved("partition_reconstruct", held(31)),
        proved("partition_destroy", held(31)),
        emptied,
        call("partition_reclaim", held(31)),
        call("yield_now"),
        call("page_release", held(31), first),
        call("partition_create", SLOT_SCHEDULER, 1, 32, 10),
        call("capability_delete", held(31)),
    ]
    states, statuses = explore(moves, 7, start)
    assert states > 20
    assert {Status.OK, Status.WRONG_STATE, Status.PARTITION_IN_USE, Status.STILL_HOLDING, Status.WRONG_OBJECT} <= set(
        statuses
    )


# ---- the checks themselves can fail


def test_a_broken_promise_is_noticed():
    w = World()
    w.must("capability_grant", SLOT_LOG, 40, Right.READ, SELF, 0)
    assert broken(w.s) is None
    for spoil, expected in (
        (lambda s: setattr(s.capability[40], "rights", 0xFFF), None),
        (lambda s: setattr(s.capability[40], "depth", 5), "CAP-4"),
        (lambda s: setattr(s.capability[40], "object", 9), "CAP-3"),
        (lambda s: setattr(s.capability[41], "rights", 1), "CAP-1"),
        (lambda s: s.memory[900].word.__setitem__(3, 1), "MEM-5"),
        (lambda s: s.memory[2].word.__setitem__(3, s.memory[2].word[3] | (1 << 7)), None),
        (lambda s: s.memory[2].word.__setitem__(0, s.memory[2].word[0] | (1 << 7)), "MEM-3"),
        (lambda s: setattr(s.partition[0], "ring", 0), "RING-1"),
        (lambda s: setattr(s.partition[0], "pages", 1), "MEM-6"),
    ):
        spoiled = deepcopy(w.s)
        spoil(spoiled)
        found = broken(spoiled, INVARIANTS.values())
        assert (found and found[0]) == expected


def test_a_broken_theorem_and_a_wrong_account_are_noticed():
    w = World()
    w.must("yield_now")
    before = deepcopy(w.s)
    status = w.dispatched("capability_inspect", SLOT_LOG, now=w.now)
    assert broken_step(before, w.last, w.s, status) is None
    cheated = deepcopy(w.s)
    cheated.partition[0].bucket.credit = 2 * SECOND
    assert broken_step(before, w.last, cheated, status)[0] == "RING-12"
    cheated = deepcopy(w.s)
    cheated.partition[5].nonce = 1
    assert broken_step(before, w.last, cheated, status)[0] == "INT-5"
    w.s.partition[0].records += 1
    assert "undrained" in miscounted(w.s)


def test_meddling_by_a_refused_call_is_noticed():
    w = World()
    before = deepcopy(w.s)
    status = w.call("capability_inspect", 63)
    assert meddled(before, w.s, status) == []
    w.s.partition[5].score = 1
    assert meddled(before, w.s, status) == [("partition", 5, "score")]
