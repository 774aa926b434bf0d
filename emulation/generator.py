"""Which step comes next? Random traces: mostly sensible calls, some hostile ones, and what guests do in between."""

from collections.abc import Callable

from corollary.emulation.calls import (
    BY_NAME,
    DATA,
    DRAIN_PAGE,
    FEW,
    LIVING,
    NASTY,
    PACKAGE,
    PROOF_PAGES,
    PROTECTED,
    SECOND,
    STARTED,
    TEXT,
    Caller,
    capabilities,
    named,
    numbers,
    pages,
    usable,
)
from corollary.emulation.traces import Age, Answer, Fault, Hypercall, Plug, Preempt, Store, aged, apply, booted
from corollary.model.kernel.boot import (
    PHASES,
    SLOT_COHERENCE,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_PROOF_ROOTS,
    SLOT_REGIONS,
    SLOT_SCHEDULER,
    SLOT_TRUST,
)
from corollary.model.kernel.gate import OPERATIONS
from corollary.spec.agent import Life
from corollary.spec.kernel.agent import badge_of
from corollary.spec.kernel.block import holds
from corollary.spec.kernel.edge import edge_exists
from corollary.spec.kernel.limits import (
    CHILDREN,
    COUNTER_LIMIT,
    MESSAGES_PER_EDGE,
    PAGE_WORDS,
    PAGES_PER_PARTITION,
    PARTITIONS,
    RECORDS,
    ROOT,
    SECTOR,
    SELF,
    SLOT_BITS,
    SLOTS,
    UNIT_PARTS,
)
from corollary.spec.kernel.schedule import dozes
from corollary.spec.kernel.state import BootInformation
from corollary.spec.kernel.vocabulary import (
    ALL_RIGHTS,
    Access,
    Allowance,
    DeviceKind,
    Heat,
    Mode,
    ObjectKind,
    PageKind,
    PartitionState,
    Right,
)
from corollary.spec.kernel.witness import REFUSED_LIMIT, SEQUENCE_LIMIT, own_room


class Generator(Caller):
    """A generator of traces: chooses the next step for a state at random."""

    crowded = False  # does an agent make two children in one place, and is its module misnamed at first?

    def __init__(self, random, careful=False):
        super().__init__(random, careful)
        self.taken, self.plan = 0, []
        self.patience = random.choice((40, 100, 300, 2000))  # records that the root partition lets pile up
        first, self.module = self.new_paths(), self.new_module()
        if self.maybe(0.3) or self.crowded:
            first = self.module.root()  # in place of calls
        self.information = BootInformation(now=self.now, package=PACKAGE, text=TEXT, data=DATA)
        for position in range(8):
            self.information.key[position] = random.getrandbits(32)
        for position in range(8 * PHASES):
            self.information.measurement[position] = random.getrandbits(32)
        for position, value in enumerate(first):
            self.information.attested[position] = value

    def next(self, s):
        """Return the next step, or None when nobody will ever run again."""
        self.taken += 1
        if self.queue:
            return self.queue.pop(0)
        if s.idle:
            return Preempt(self.tick()) if dozes(s) or self.maybe(0.7) else None
        if self.maybe(0.04):
            return self.event(s)
        if self.slip(s, 0.03):
            return self.garbage()
        if s.current == ROOT and s.partition[ROOT].records > self.patience and self.maybe(0.6):
            return self.drain(s)
        if self.plan and s.current == ROOT and self.maybe(0.85):
            return self.planned(s)
        if not self.plan and s.current == ROOT and self.maybe(0.3):
            plans = (
                self.birth,
                self.birth,
                self.death,
                self.death if self.to_creator(s) else self.birth,
                self.life,
                self.chain,
                self.commit,
                self.commit,
                self.sharing,
                self.speech,
                self.agency,
                self.crowd,
                self.wear,
                self.splitting,
                *((self.merging,) * 30 if self.couples(s) else ()),
                *((*(self.agency,) * 4, *(self.large,) * 2) if self.crowded else ()),
            )
            self.plan = self.pick(plans)(s)
        return self.call(s, self.choose(s))

    def planned(self, s):
        """Return the next step of the plan; a part that no longer makes sense is left out."""
        part = self.plan.pop(0)
        step = part(s)
        return step if step is not None else self.call(s, self.choose(s))

    def event(self, s):
        """Return a tick, a fault, a store of a guest, or a leap of the clock."""
        kind = self.random.random()
        if kind < 0.5 or (kind < 0.75 and s.current == ROOT and not self.slip(s, 0.02)):
            return Preempt(self.tick())
        if kind < 0.75:
            return Fault(self.tick(), self.random.getrandbits(64), self.random.getrandbits(48))
        if kind < 0.97:
            page = self.pick(usable(s, s.current), DRAIN_PAGE)
            return Store(page, self.random.randrange(512), self.random.getrandbits(64))
        leaps = (SECOND, 400 * SECOND, 4000 * SECOND, 10**6 * SECOND)
        far = self.taken > 1000 and self.now < 1 << 62 and self.maybe(0.5)
        self.now += 1 << 63 if far else self.pick(leaps)
        return Preempt(self.tick())

    def garbage(self):
        """Return a call of any operation with any arguments."""
        arguments = [
            self.pick(NASTY) if self.maybe(0.6) else self.random.getrandbits(self.pick((6, 10, 32, 38, 64)))
            for _ in range(6)
        ]
        number = self.pick((self.random.randrange(len(OPERATIONS)), len(OPERATIONS), 255, self.pick(NASTY)))
        return Hypercall(self.tick(), number, tuple(arguments))

    def choose(self, s):
        """Return the name of an operation that the caller's ring is likely to allow."""
        own = s.partition[s.current]
        if own.score >= 500_000 and s.current != ROOT and self.maybe(0.2):
            return "ring_elevate"
        if s.current == ROOT and any(row.elevation.active for row in s.partition.rows.values()) and self.maybe(0.2):
            return "ring_restore"
        names = [declared.name for declared in OPERATIONS if declared.required_ring >= own.ring or self.maybe(0.05)]
        return self.pick(names)

    # ---- plans of the root partition

    def birth(self, s):
        """Plan a partition with memory, rights and a ring, and start it."""
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
            return lambda s: self.call(
                s,
                "page_create",
                handle=region,
                kind=kind,
                into=handle(s),
                page=self.free_page(s, region - SLOT_REGIONS),
            )

        def give(name, rights):
            return lambda s: self.call(
                s, "capability_grant", handle=name, rights=rights, into=handle(s), slot=self.free_slot(s, p)
            )

        def act(name, **wanted):
            return lambda s: self.call(s, name, handle=handle(s), **wanted)

        kinds = [PageKind.TABLE_1, PageKind.TABLE_2, PageKind.TABLE_3, PageKind.DATA, PageKind.DATA, PageKind.APPEND]
        gifts = [
            SLOT_OWN,
            SLOT_SCHEDULER,
            SLOT_LOG,
            SLOT_COHERENCE,
            SLOT_PROOF_ROOTS,
            region,
            SLOT_REGIONS + 16,
            slot,
            slot,
        ]
        plan = [
            lambda s: self.call(
                s, "partition_create", handle=SLOT_SCHEDULER, p=p, slot=slot, quota=self.pick((4, 60, 300, 300))
            )
        ]
        plan += [make(kind) for kind in kinds]
        plan += [
            lambda s: act("table_root", page=own(s, PageKind.TABLE_1))(s),
            lambda s: act("table_link", table=own(s, PageKind.TABLE_1), entry=2, child=own(s, PageKind.TABLE_2))(s),
            lambda s: act("table_link", table=own(s, PageKind.TABLE_2), entry=0, child=own(s, PageKind.TABLE_3))(s),
            act("page_map", access=Access.READ | Access.WRITE),
            act("page_map"),
        ]
        plan += [
            give(name, self.pick((ALL_RIGHTS, ALL_RIGHTS ^ Right.GRANT, Right.WRITE | Right.PROVE)))
            for name in gifts
            if self.maybe(0.6)
        ]
        plan += [
            act("partition_endow", what=what, amount=self.pick((1, 2, 8))) for what in Allowance if self.maybe(0.6)
        ]
        plan += [lambda s: self.call(s, "ring_assign", handle=SLOT_TRUST, of=handle(s)), act("partition_start")]
        return plan

    def death(self, s):
        """Plan the end of a partition, step by step until its slot is vacant."""
        handle = self.to_creator(s) or self.to_partition(s, Right.WRITE | Right.PROVE, foreign=True)
        if handle is None:
            return []
        p = named(self.row(s, handle))
        steps = [lambda s: self.call(s, "partition_destroy", handle=handle)]
        steps += [lambda s: self.call(s, "partition_release", handle=handle)] * (s.partition[p].pages + 1)
        steps += [
            lambda s, unit=unit: self.call(s, "block_release", handle=handle, unit=unit)
            for unit in s.block.rows
            if holds(s, p, unit)
        ]
        steps += [lambda s: self.drain(s) if s.partition[p].records else None] * 48
        return [*steps, lambda s: self.call(s, "partition_reclaim", handle=handle)]

    def drain(self, s):
        """Return one step of draining the log: copy what nobody has copied, or discard what was copied."""
        return self.call(s, "witness_discard" if s.copied > s.drained else "witness_read")

    def life(self, s):
        """Plan to suspend, hibernate, reconstruct and restart a partition."""
        handle = self.to_partition(
            s, Right.EXECUTE | Right.HIBERNATE | Right.PROVE, (PartitionState.RUNNING,), foreign=True
        )
        if handle is None:
            return []
        names = (
            "partition_suspend",
            "partition_resume",
            "partition_suspend",
            "partition_hibernate",
            "partition_reconstruct",
            "partition_start",
            "yield_now",
            "ring_restore",
            "yield_now",
        )
        return [
            lambda s, name=name: self.call(s, name, handle=handle if BY_NAME[name].takes_handle else None)
            for name in names
        ]

    def chain(self, s):
        """Plan derivations up to and past the limit of depth, then a revocation in the middle."""
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
            return self.call(
                s, "capability_grant", handle=found[-1], slot=self.free_slot(s, ROOT), rights=ALL_RIGHTS, into=SELF
            )

        plan = (
            [weaken, escalate]
            + [derive] * 9
            + [lambda s: self.call(s, "capability_revoke", handle=self.pick(found[:4], SLOT_REGIONS))]
        )
        plan += [lambda s: self.call(s, "capability_inspect", handle=self.pick(found, 0))] * 3
        return plan + [lambda s: self.call(s, "capability_delete", handle=found.pop() if len(found) > 1 else 63)] * 9

    def commit(self, s):
        """Plan a new proof root, proposed and put in force by a P3 proof."""
        path = self.paths.get(tuple(s.proof_root[0].root[part] for part in range(4)))
        if path is None:
            return []

        def aging(s):
            return aged("partition", ROOT, "nonce", at=path.nonce - 1)

        if path.name == "proof_root_bind":
            return [aging, lambda s: self.proven(s, BY_NAME[path.name], list(path.arguments), path)]
        root = self.following[path.root()]
        handle = path.arguments[0]
        plan: list[Callable] = [
            lambda s, part=part: self.call(s, "proof_root_propose", handle=handle, position=part, value=root[part])
            for part in range(4)
        ]
        plan.append(lambda s: self.proven(s, BY_NAME[path.name], list(path.arguments), path))
        return [plan[-1], aging, *plan] if self.maybe(0.5) else [aging, *plan]  # first without the proposal

    def sharing(self, s):
        """Plan a page that is shared with another partition, mapped there, and taken back."""
        handle = self.to_partition(
            s, Right.WRITE | Right.READ, (PartitionState.RUNNING, PartitionState.CREATED), foreign=True
        )
        if handle is None:
            return []
        page = self.own_page(s, SLOT_OWN, PageKind.DATA)
        ordinal = self.random.randrange(1, 4)
        return [
            lambda s: self.call(s, "page_share", handle=SLOT_OWN, page=page, ordinal=ordinal, reader=handle),
            lambda s: self.call(s, "share_map", handle=handle, page=page, ordinal=ordinal),
            lambda s: self.call(s, "share_map", handle=handle, page=page, ordinal=ordinal),
            lambda s: self.call(s, "page_release", handle=SLOT_OWN, page=page),
            lambda s: self.call(s, "page_unshare", handle=SLOT_OWN, page=page, ordinal=ordinal),
        ]

    def agency(self, s):
        """Plan an agent: it begins, is measured, runs, speaks if it is root's own, and ends."""
        handle = self.to_partition(s, Right.WRITE | Right.EXECUTE | Right.PROVE, LIVING)
        if self.crowded and self.maybe(0.5):
            handle = SLOT_OWN
        if handle is None:
            return []
        p, a = named(self.row(s, handle)), self.random.randrange(FEW)

        def act(name, **wanted):
            return lambda s: self.call(s, name, handle=handle, badge=badge_of(s, a), **wanted)

        def measure(part):
            def step(s):
                blank = [page for page in pages(s, p, PageKind.DATA) if page not in s.memory.rows]
                return act("agent_measure", page=self.pick(blank, 0), part=part)(s)

            return step

        def spawn(s, name=numbers(self.module.hash)[0]):
            registers = [handle, badge_of(s, a), name, 0, 0, PROOF_PAGES[0]]
            return self.proven(s, BY_NAME["agent_spawn"], registers, self.module)

        def child(s, row):
            return self.call(s, "agent_create", handle=handle, agent=row, place=0)

        return [
            lambda s: self.call(s, "partition_endow", handle=handle, what=Allowance.AGENTS, amount=2),
            lambda s: self.call(s, "agent_create", handle=handle, agent=a, place=self.random.randrange(CHILDREN)),
            *(measure(part) for part in range(self.module.parts)),
            *([lambda s: spawn(s, 0)] if self.crowded else []),
            spawn,
            lambda s: self.call(s, "agent_speak", badge=badge_of(s, a)),
            *([lambda s: child(s, FEW), lambda s: child(s, FEW + 1)] if self.crowded else []),
            *[act("agent_change")] * self.pick((1, 3)),
            act("agent_change", life=Life.TERMINATED),
        ]

    def large(self, s):
        """Plan a block of one unit: it is cleared, given to a partition, linked, handed on, and taken back twice."""
        handle = self.to_partition(s, Right.WRITE, LIVING, foreign=self.maybe(0.8)) or SLOT_OWN
        region = SLOT_REGIONS + self.random.randrange(16)

        def act(name, **wanted):
            return lambda s: self.call(s, name, handle=handle, **wanted)

        def release_twice(s):
            step = self.call(s, "block_release", handle=handle)
            self.queue.append(step)
            return step

        def table(s):
            page = self.free_page(s, region - SLOT_REGIONS)
            into = SELF if handle == SLOT_OWN else handle
            return self.call(s, "page_create", handle=region, page=page, kind=PageKind.TABLE_UNITS, into=into)

        def upper(s):
            return self.call(
                s,
                "table_link",
                handle=handle,
                table=self.own_page(s, handle, PageKind.TABLE_1),
                entry=3,
                child=self.own_page(s, handle, PageKind.TABLE_UNITS),
            )

        linked = [
            table,
            upper,
            act("block_map", entry=0, access=Access.READ | Access.EXECUTE),
            *[act("block_map", entry=entry, access=Access.READ | Access.WRITE) for entry in (0, 0, 1)],
            lambda s: act("block_map", access=Access.READ, table=self.own_page(s, handle, PageKind.TABLE_1))(s),
            act("block_retier", old=Heat.HOT, new=Heat.WARM, use=0),
            act("block_retier", old=Heat.WARM, new=Heat.DORMANT, use=0),
            act("block_release"),
            act("block_transfer"),
            act("block_unmap"),
            act("block_unmap"),
            *[act("block_retier")] * 4,
            act("block_map", access=Access.READ),
            act("block_transfer", into=handle),
            act("block_transfer", into=SLOT_SCHEDULER),
            act("block_transfer"),
            act("block_transfer", into=SELF),
        ]

        def create(s):
            return self.call(s, "block_create", handle=handle, order=0)

        def drain(s):
            return self.drain(s) if s.partition[s.current].records else None

        return [
            lambda s: self.call(s, "partition_endow", handle=handle, what=Allowance.UNITS, amount=2),
            create,
            *[drain, *[lambda s: self.call(s, "block_clean")] * 4] * (UNIT_PARTS // 4),
            create,
            *(linked if self.maybe(0.7) else []),
            self.pick((release_twice, create)),
        ]

    def speech(self, s):
        """Plan an edge that is made, passed on, filled, emptied and ended; or a notification."""
        slot = self.free_slot(s, ROOT)

        def act(name, times=1, **wanted):
            return [
                lambda s: self.call(s, name, handle=(s.capability[slot].generation << SLOT_BITS) | slot, **wanted)
            ] * times

        if self.maybe(0.3):
            return [
                lambda s: self.call(s, "notification_create", handle=SLOT_SCHEDULER, slot=slot),
                *act("capability_grant"),
                *act("notification_signal", 2),
                *act("notification_wait", 2),
                *act("notification_await", 2),
                *act("notification_signal"),
                *act("notification_await"),
                *act("capability_delete"),
            ]
        return [
            lambda s: self.call(s, "edge_create", handle=SLOT_SCHEDULER, slot=slot),
            *act("capability_grant", 2),
            *act("edge_send", self.pick((1, 4, MESSAGES_PER_EDGE + 1))),
            *act("edge_receive", self.pick((2, MESSAGES_PER_EDGE + 1))),
            *act("edge_await"),
            lambda s: self.call(s, "schedule_prioritize", handle=SLOT_SCHEDULER),
            lambda s: self.call(s, "schedule_mode", handle=SLOT_SCHEDULER),
            lambda s: self.call(s, "graph_read", handle=SLOT_COHERENCE),
            *act(self.pick(("edge_destroy", "capability_delete", "edge_send"))),
        ]

    def splitting(self, s):
        """Plan a split: the halves stand still, one gives the other a page, and each of them is settled."""
        one = self.to_partition(s, Right.WRITE | Right.SPLIT | Right.PROVE, STARTED, foreign=True)
        slot = self.free_slot(s, ROOT)
        if one is None:
            return []
        p = self.pick([p for p in range(1, 8) if s.partition[p].state == PartitionState.VACANT], 7)
        other = (s.capability[slot].generation << SLOT_BITS) | slot
        mode = self.pick((Mode.FLOW, Mode.FLOW, Mode.REFLEX))
        return [
            lambda s: self.call(s, "partition_create", handle=SLOT_SCHEDULER, p=p, slot=slot, quota=4),
            lambda s: self.call(s, "schedule_mode", handle=SLOT_SCHEDULER, mode=mode),
            lambda s: self.call(s, "partition_split", handle=one, into=other),
            lambda s: self.call(s, "schedule_mode", handle=SLOT_SCHEDULER, mode=Mode.FLOW),
            *self.moves(one, other),
        ]

    def couples(self, s):
        """Return the handles of the root partition for each two that it may merge."""
        needed = Right.WRITE | Right.MERGE | Right.PROVE
        found = {
            named(row): handle
            for handle, row in capabilities(s, ROOT)
            if row.kind == ObjectKind.PARTITION and needed & ~row.rights == 0 and named(row) != ROOT
        }
        started = [handle for p, handle in found.items() if s.partition[p].state in STARTED]
        return [(one, other) for one in started for other in started if one != other]

    def merging(self, s):
        """Plan a merge: the two are connected and have carried something, one gives the other a page, and it ends."""
        one, other = self.pick(self.couples(s))
        return [*self.connection(s, one, other, self.free_slot(s, ROOT)), *self.moves(one, other)]

    def connection(self, s, one, other, slot):
        """Return the steps that connect two partitions, let them carry something, and begin to merge them."""
        p, q = named(self.row(s, one)), named(self.row(s, other))
        e = self.pick([e for e in range(2 * FEW) if not edge_exists(s, e)], 0)
        origin = (s.capability[slot].generation << SLOT_BITS) | slot
        hears, most = self.free_slot(s, q), max(s.partition[half].carried for half in (p, q))
        between, in_all = self.pick(((0, most + 1), *((most + 7, most + 10),) * 18, (1 << 50, max(most, 1 << 50))))
        sends = self.pick((*(Right.WRITE,) * 7, Right.READ))
        idle = [d for d, row in s.device.rows.items() if row.kind != DeviceKind.ABSENT and not row.leased]
        steps: list = [lambda s: self.call(s, "edge_create", handle=SLOT_SCHEDULER, e=e, slot=slot)]
        for to, rights, into in ((hears, Right.READ, other), (self.free_slot(s, p), sends, one)):
            grant = dict(handle=origin, slot=to, rights=rights, into=into, badge=0)
            steps.append(lambda s, grant=grant: self.call(s, "capability_grant", **grant))
        ends = (("source", p), ("target", q), ("carried", between))
        carried = (
            *((("traffic", e, name), value) for name, value in ends),
            *((("partition", half, "carried"), in_all) for half in (p, q)),
        )
        steps.append(lambda s: Age(carried))
        if idle:
            lease = (("holder", p), ("incarnation", s.partition[p].generation), ("leased", True))
            steps.append(lambda s: Age(tuple((("device", idle[0], name), value) for name, value in lease)))
        merge = dict(handle=one, into=other, edge=e, slot=hears, back=e)
        return [*steps, lambda s: self.call(s, "partition_merge", **merge)]

    def moves(self, one, other):
        """Return the steps that follow when two halves stand still, or were refused to."""
        names = ["partition_resume", "page_transfer", *["partition_destroy"] * self.maybe(0.7), "partition_settle"]
        steps = [lambda s, name=name: self.call(s, name, handle=one) for name in (*names, "partition_resume")]
        return [*steps, lambda s: self.call(s, "partition_settle", handle=other)]

    def crowd(self, s):
        """Plan many pages, tools or appended words, to reach a limit."""
        kind = self.random.random()
        if kind < 0.3:
            return [lambda s: self.call(s, "tool_acquire", resource=0)] * 17 + [
                lambda s: self.call(s, "tool_release", resource=0)
            ] * 10
        if kind < 0.6:
            return [lambda s: self.call(s, "page_append", handle=SLOT_OWN)] * 12
        region = SLOT_REGIONS + self.random.randrange(12, 16)
        wanted = max(0, PAGES_PER_PARTITION + 1 - s.partition[ROOT].pages)
        few = [lambda s: self.call(s, "page_create", handle=region, kind=PageKind.DATA, into=SELF)] * min(12, wanted)
        full = [*few * 10, *[lambda s: self.call(s, "page_transfer", handle=SLOT_OWN, into=SELF)] * 3]
        return full if self.maybe(0.1) else few

    def wear(self, s):
        """Plan counters close to their end, and calls that meet them."""
        if s.drained > RECORDS and RECORDS - 600 < s.sequence % RECORDS < RECORDS - 50 and own_room(s, ROOT):
            return [last_round]
        return self.pick((self.worn_handles, self.worn_books))(s)

    def worn_books(self, s):
        """Plan pages that are about to be full, and refusals that are about to be too many to count."""
        page = self.free_page(s, 12)
        return [
            lambda s: self.call(s, "page_create", handle=SLOT_REGIONS + 12, page=page, kind=PageKind.APPEND, into=SELF),
            lambda s: aged("page", page, "filled", at=PAGE_WORDS - 2),
            *[lambda s: self.call(s, "page_append", handle=SLOT_OWN, page=page)] * 4,
            *[
                lambda s, p=p: aged("partition", p, "refused", at=REFUSED_LIMIT - self.random.randrange(2))
                for p in range(8)
            ],
        ]

    def worn_handles(self, s):
        """Plan generations and lineages at their end."""
        slot = self.free_slot(s, ROOT)
        worn = self.pick(("generation", "lineage"))
        used = self.pick(
            [handle & (SLOTS - 1) for handle, row in capabilities(s, ROOT) if row.kind == ObjectKind.REGION], 8
        )
        vacant = self.pick([p for p in range(40, PARTITIONS) if s.partition[p].state == PartitionState.VACANT], 63)
        end = COUNTER_LIMIT - self.random.randrange(2)
        return [
            lambda s: aged("capability", slot, worn, at=end),
            lambda s: self.call(s, "capability_grant", slot=slot, into=SELF, rights=Right.READ, handle=SLOT_REGIONS),
            lambda s: aged("capability", used, "lineage", at=COUNTER_LIMIT - 1),
            *[lambda s: self.call(s, "capability_revoke", handle=used)] * 2,
            lambda s: aged("partition", vacant, "generation", at=end),
            lambda s: self.call(s, "partition_create", handle=SLOT_SCHEDULER, p=vacant),
        ]


PLUGGED = ((0, DeviceKind.BLOCK), (1, DeviceKind.RECEIVER), (2, DeviceKind.TRANSMITTER))


class WithDevices(Generator):
    """A generator of traces in which there are devices: a log does not tell of them, so it cannot be replayed."""

    crowded = True

    def next(self, s):
        """Return the next step, or None when nobody will ever run again."""
        if not self.plan and not self.queue and not s.idle and s.current == ROOT and self.maybe(0.1):
            self.plan = self.pick((self.requests, self.merging if self.couples(s) else self.birth))(s)
        return super().next(s)

    def requests(self, s):
        """Plan a lease, a request that ends or is ended, and what may not be done to its page meanwhile."""
        slot, page = self.free_slot(s, ROOT), self.pick(usable(s, ROOT), DRAIN_PAGE)
        device, kind = self.pick(PLUGGED)
        incoming = kind == DeviceKind.RECEIVER if kind != DeviceKind.BLOCK and self.maybe(0.9) else self.maybe(0.5)

        def act(name, **wanted):
            return lambda s: self.call(s, name, handle=(s.capability[slot].generation << SLOT_BITS) | slot, **wanted)

        def answer(s):
            done = s.queue[device].available - self.maybe(0.2)
            return Answer(device, done & 0xFFFF, self.random.randrange(3), self.pick((0, 7, SECTOR, 0xFFFFFFFF)))

        submit = act("device_submit", page=page, offset=0, length=SECTOR, incoming=incoming, sector=0)
        disturb = self.pick(("page_unmap", "page_release", "page_transfer"))
        lease = act("device_lease", duration=self.pick((0, SECOND, 1 << 40)), budget=self.pick((SECTOR, 1 << 20)))
        plan = [lambda s: Plug(device, slot, kind), submit, lease, submit, submit]
        plan += [lambda s: self.call(s, disturb, handle=SLOT_OWN, page=page), act("device_complete"), answer]
        plan += [act("device_complete"), submit, answer, act(self.pick(("device_complete", "device_return")))]

        def again(s):
            return self.call(s, "partition_create", handle=SLOT_SCHEDULER, p=ROOT)

        return [*plan, act("device_return"), act("capability_delete"), again]


def last_round(s):
    """Return the step that brings the log to the last round of its numbers."""
    rounds = (SEQUENCE_LIMIT - s.sequence) // RECORDS * RECORDS
    return Age(
        ((("sequence",), s.sequence + rounds), (("drained",), s.drained + rounds), (("copied",), s.copied + rounds))
    )


def generate(random, length):
    """Return a whole trace: boot information and at most `length` steps."""
    generator = Generator(random)
    s, steps = booted(generator.information), []
    while len(steps) < length:
        step = generator.next(s)
        if step is None:
            break
        apply(s, step)
        steps.append(step)
    return generator.information, steps
