"""Can authority be forged, outlive its revocation, or be used in another's name?

Each check fails with a peer's behaviour and passes with ours.
"""

from corollary.spec.kernel.capability import live
from tests.model.peer.checks import both, fails
from tests.model.world import (
    ALL_RIGHTS,
    BY_NAME,
    FIRST_DATA,
    FIRST_FREE,
    OPERATIONS,
    SELF,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_SCHEDULER,
    Right,
    Status,
    World,
)

# ---- can authority be forged?


class PeerGate:
    """A token passed by value, with a public constructor; nobody looks it up."""

    def attempts(self):
        for rights in (1, 0x7F, 0xFF):
            for kind in range(9):
                yield {"id": 0xBAD, "kind": kind, "rights": rights, "epoch": 0}

    def admits(self, token):
        return token["rights"] & 2 != 0  # type, id, epoch and owner are not compared with anything


class OurGate:
    """Partition 1 holds nothing and tries every value that it can put into a register."""

    def __init__(self):
        self.w = World()
        self.w.spawn(1)
        self.w.run(1)

    def attempts(self):
        yield from range(64)
        yield from (SELF, (1 << 38), (1 << 64) - 1, SLOT_OWN | (1 << 6), ALL_RIGHTS, 0x0BAD_0000_0002)

    def admits(self, handle):
        return (
            self.w.call("capability_inspect", handle) == Status.OK
            or self.w.call("partition_release", handle) == Status.OK
        )


def nothing_forged_is_admitted(gate):
    assert not any(gate.admits(attempt) for attempt in gate.attempts())


def test_item_4_forged_authority():
    nothing_forged_is_admitted(OurGate())
    fails(nothing_forged_is_admitted, PeerGate())


# ---- the derivation tree


class PeerTree:
    """First-child and next-sibling links in an array of slots.

    A revoked node stays linked until its slot is used again.
    """

    def __init__(self):
        self.node = {}

    def put(self, slot, rights, parent=None, epoch=0):
        self.node[slot] = {"rights": rights, "child": None, "next": None, "alive": True, "epoch": epoch}
        if parent is not None:
            self.node[slot]["next"] = self.node[parent]["child"]
            self.node[parent]["child"] = slot

    def root(self, slot):
        self.put(slot, 0x7F)

    def derive(self, source, slot, rights=0x7F):
        if not rights & ~self.node[source]["rights"] and self.node[source]["rights"] & 0x44:
            self.put(slot, rights, source)
            if not self.node[source]["rights"] & 4:
                self.node[source]["rights"] &= ~0x40
            return True
        return False

    def revoke(self, slot, _rights=None):
        stack = [slot]
        while stack:
            node = self.node[stack.pop()]
            child = node["child"]
            while child is not None:
                stack.append(child)
                self.node[child]["alive"] = False
                child = self.node[child]["next"]
        return True

    def drop(self, slot):
        self.node[slot]["alive"] = False  # but its parent's list still leads to it

    def alive(self, slot):
        return self.node[slot]["alive"]

    def weaken(self, source, slot, rights):
        return self.derive(source, slot, rights)


class OurTree:
    """The capabilities of the root partition."""

    READ, GRANT_ONCE = Right.READ, Right.GRANT_ONCE

    def __init__(self):
        self.w = World()

    def root(self, slot):
        origin = {40: SLOT_LOG}.get(slot, SLOT_SCHEDULER)
        assert self.derive(origin, slot)

    def handle(self, slot):
        return self.w.handle(slot)

    def derive(self, source, slot, rights=ALL_RIGHTS):
        return self.w.call("capability_grant", self.handle(source), slot, rights, SELF, 0) == Status.OK

    weaken = derive

    def revoke(self, slot):
        return self.w.call("capability_revoke", self.handle(slot)) == Status.OK

    def drop(self, slot):
        self.w.must("capability_delete", self.handle(slot))

    def alive(self, slot):
        return live(self.w.s, slot)


def revocation_survives_slot_reuse(make):
    tree = make()
    tree.root(40)
    tree.derive(40, 41)
    tree.derive(40, 42)
    tree.drop(42)
    tree.root(42)  # unrelated, in the slot of the dropped one
    tree.revoke(40)
    assert not tree.alive(41), "a child survives"
    assert tree.alive(42), "an unrelated capability dies"


def revoking_needs_the_right(make):
    tree = make()
    tree.root(40)
    tree.weaken(40, 41, Right.READ | Right.GRANT)
    tree.derive(41, 42, Right.READ)
    assert not tree.revoke(41) and tree.alive(42)


def a_single_grant_is_single(make):
    tree = make()
    tree.root(40)
    tree.weaken(40, 41, Right.READ | Right.GRANT_ONCE)
    passed_on = tree.derive(41, 42, Right.READ | Right.GRANT_ONCE) or tree.derive(41, 42, Right.READ)
    assert passed_on and not tree.derive(42, 43, Right.READ)


class PeerEpochs:
    """A capability of an old epoch still makes children in the present one."""

    def __init__(self):
        self.epoch, self.node = 1, {40: 1}

    def outdate(self):
        self.epoch += 1

    def derive(self):
        self.node[41] = self.epoch
        return self.node[41] == self.epoch


class OurEpochs:
    def __init__(self):
        self.tree = OurTree()
        self.tree.derive(SLOT_LOG, 40)

    def outdate(self):
        self.tree.revoke(SLOT_LOG)

    def derive(self):
        return self.tree.derive(40, 41)


def the_stale_grant_nothing(make):
    state = make()
    state.outdate()
    assert not state.derive()


@both(
    "check",
    (revocation_survives_slot_reuse, revoking_needs_the_right, a_single_grant_is_single),
    ids=("C1", "C2", "C3"),
)
def test_item_5_derivation_tree(check):
    check(OurTree)
    fails(check, PeerTree)


def test_item_5_stale_capabilities_c4():
    the_stale_grant_nothing(OurEpochs)
    fails(the_stale_grant_nothing, PeerEpochs)


# ---- who says so?


class PeerMessages:
    """The message names the caller, and the receiver is not compared with the channel."""

    def actor_recorded(self, claimed):
        return claimed


class OurMessages:
    """Partition 1 calls with any register values."""

    def __init__(self):
        self.w = World()
        self.w.spawn(1, quota=400)
        self.w.run(1)

    def actor_recorded(self, claimed):
        for declared in OPERATIONS:
            if declared.name not in ("yield_now", "partition_suspend"):
                self.w.call(declared.name, *[claimed] * 6)
        self.w.call(255, *[claimed] * 6)
        return self.w.newest.actor


def nobody_speaks_for_another(make):
    assert all(make().actor_recorded(claimed) == 1 for claimed in (0, 2, 63, 0xFFFF))


def test_item_12_self_asserted_callers():
    nobody_speaks_for_another(OurMessages)
    fails(nobody_speaks_for_another, PeerMessages)


def test_item_12_no_argument_of_an_operation_names_its_caller():
    names = {name for declared in OPERATIONS for name, _ in declared.parameters}
    assert not names & {"caller", "sender", "actor", "owner", "source"}


def test_item_12_every_slot_is_looked_up_for_the_partition_that_calls():
    w = World()
    w.spawn(1)
    assert w.call("capability_inspect", SLOT_OWN) == Status.OK
    assert w.run(1).call("capability_inspect", SLOT_OWN) == Status.INVALID_HANDLE
    assert w.newest.actor == 1 and BY_NAME["capability_inspect"].takes_handle


def test_item_12_a_share_reaches_the_reader_it_names():
    w = World()
    one, two = w.spawn(1), w.spawn(2)
    w.must("page_share", SLOT_OWN, FIRST_DATA, 1, one)
    assert w.call("share_map", two, FIRST_DATA, 1, FIRST_FREE + 32 + 2, 0) == Status.NOT_SHARED
    assert w.call("share_map", one, FIRST_DATA, 1, FIRST_FREE + 16 + 2, 0) == Status.OK
