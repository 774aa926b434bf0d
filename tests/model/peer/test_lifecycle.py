"""Does anything outlive its owner? Each check fails with a peer's behaviour and passes with ours."""

from corollary.spec.kernel.hardware import vttbr
from corollary.spec.kernel.partition import runnable
from tests.model.peer.checks import both, fails
from tests.model.world import FIRST_DATA, SLOT_LOG, SLOT_PROOF_ROOTS, SLOT_SCHEDULER, ObjectKind, Status, World


class PeerLife:
    """Destroying removes the partition from a table; ids grow forever; the VMID is their low byte."""

    def __init__(self):
        self.next, self.queue, self.capabilities, self.states = 1, [], [], {}

    def create(self):
        p, self.next = self.next, self.next + 1
        self.queue.append(p)
        self.capabilities.append((p, "log"))
        self.states[p] = "Created"
        return p

    def destroy(self, p):
        del self.states[p]

    def left(self, p):
        return [what for what in (*self.queue, *(owner for owner, _ in self.capabilities)) if what == p]

    def state_when_scheduled(self, p):
        return self.states[p]

    def vmids(self, count):
        return [(lambda p: p & 0xFF)(self.create()) for _ in range(count)]


class OurLife:
    def __init__(self):
        self.w = World()

    def create(self):
        self.w.spawn(1)
        self.w.give(SLOT_LOG, 1, 5)
        return 1

    def destroy(self, p):
        self.w.end(self.w.handle(30 + p), p)

    def left(self, p):
        held = [c for c, row in self.w.s.capability.rows.items() if c >> 6 == p and row.kind != ObjectKind.NONE]
        pages = [number for number, row in self.w.s.page.rows.items() if row.kind and row.owner == p]
        row = self.w.own(p)
        return [
            *held,
            *pages,
            *[p]
            * (
                runnable(self.w.s, p)
                or any(row.tools[resource] for resource in range(4))
                or row.bucket.credit != 0
                or row.elevation.active
            ),
        ]

    def state_when_scheduled(self, p):
        self.w.run(p)
        return self.w.own().state.name.capitalize()

    def vmids(self, count):
        """Live many lives in one slot and in all slots at once; return the VMID of each live partition."""
        return [vttbr(self.w.s, p) >> 48 for p in range(64)]


def nothing_outlives_destruction(make):
    life = make()
    p = life.create()
    life.destroy(p)
    assert life.left(p) == []


def who_runs_is_running(make):
    life = make()
    assert life.state_when_scheduled(life.create()) == "Running"


def no_two_share_a_vmid(make):
    vmids = make().vmids(300)
    assert len(set(vmids)) == len(vmids)


@both("check", (nothing_outlives_destruction, who_runs_is_running, no_two_share_a_vmid), ids=("H9", "H7", "V1"))
def test_item_11_lifecycle(check):
    check(OurLife)
    fails(check, PeerLife)


class PeerLease:
    """A lease for one epoch; nothing ever calls the function that expires it."""

    def __init__(self):
        self.expires, self.active = 1, True

    def held_after(self, _seconds):
        return self.active


class OurLease:
    """The kernel lends only a ring for a limited time."""

    def __init__(self):
        self.w = World()
        self.w.spawn(1, 0)
        self.w.give(SLOT_PROOF_ROOTS, 1, 5)
        self.w.own(1).score = 900_000
        self.w.run(1).must("ring_elevate", 0, 1, 10, 5)

    def held_after(self, seconds):
        from corollary.spec.kernel.ring import effective_ring

        return effective_ring(self.w.s, 1, self.w.now + seconds * 10**9) == 1


def what_is_lent_comes_back(make):
    assert not make().held_after(50)


def test_item_11_leases_expire_h10():
    assert OurLease().held_after(9)
    what_is_lent_comes_back(OurLease)
    fails(what_is_lent_comes_back, PeerLease)


def test_item_11_a_slot_used_again_is_another_identity():
    w = World()
    handle = w.spawn(1)
    w.give(SLOT_LOG, 1, 5)
    w.end(handle, 1)
    while w.own(1).records:
        w.drain(FIRST_DATA)
    w.must("partition_reclaim", handle)
    w.must("partition_create", SLOT_SCHEDULER, 1, 50, 50)
    assert w.call("partition_suspend", handle) == Status.WRONG_OBJECT
    assert w.own(1).generation == 1 and not w.slot(5, 1).kind
