"""Defects that were reproduced in a published hypervisor, each as a check that its behaviour fails and ours passes.

The peer's behaviour is rebuilt here in a few lines from its description (items 2 to 6, 9, 11 and 12 of its
ranked weaknesses); the same check runs on both, so that a check which could not fail would be noticed.
"""

import hashlib
from pathlib import Path

import pytest

from spec.platform import Context, saved_registers
from model.witness import chain
from spec.capability import live
from spec.hardware import POOL_BASE, VTCR, VTCR_T0SZ, Walk, stage2_walk, vttbr
from spec.language.layout import word
from spec.language.values import local
from spec.partition import runnable
from spec.state import WitnessRecord
from spec.vocabulary import PartitionState, Tier
from tests.model.context_switch import Core, numbers_in, routine
from tests.model.world import (
    ALL_RIGHTS, BY_NAME, FIRST_DATA, FIRST_FREE, OPERATIONS, SELF, SLOT_LOG, SLOT_OWN, SLOT_PROOF_ROOTS,
    SLOT_SCHEDULER, Access, ObjectKind, Right, Status, World, numbers)

GENERATED = Path(__file__).parents[2] / "generated"
both = pytest.mark.parametrize


def fails(check, *arguments):
    """The check notices the peer's behaviour."""
    with pytest.raises(AssertionError):
        check(*arguments)


# ---- 2: a stage-2 walk leaves what the kernel accounts for


PEER_VTCR = VTCR - VTCR_T0SZ + 24       # 40-bit addresses, but a root of 512 entries
BEYOND = 1 << 39                        # the first address that entry 512 of the root would translate


def forger(secret):
    """Partition 1 owns the page behind its stage-2 root and writes descriptors of its own into it."""
    w = World()
    handle = w.create(1)
    first = FIRST_FREE
    for offset, kind in enumerate((1, 4, 2, 3)):        # root, data, and two tables
        w.page(1, first + offset, kind)
    w.must("table_root", handle, first)
    w.must("table_link", handle, first, 2, first + 2)
    w.must("table_link", handle, first + 2, 0, first + 3)
    w.must("page_map", handle, first + 1, first + 3, 0, Access.READ | Access.WRITE)
    w.must("partition_start", handle, 0)
    forged = POOL_BASE + ((first + 1) << 12) | 3        # the page as a table that leads to itself
    w.store(1, 0x8000_0000, forged)
    w.store(1, 0x8000_0008, secret | 0xC3)
    return w


def stays_inside(w, vtcr):
    """Nothing that partition 1 can name leads to what is neither its own nor shared with it."""
    for address in (BEYOND, BEYOND | (1 << 12), BEYOND | (2 << 12), 0x8000_0000, 0, BEYOND >> 1):
        walk = local(Walk)
        stage2_walk(w.s, vtcr, vttbr(w.s, 1), address, walk)
        assert walk.fault or not walk.outside and w.s.page[walk.page].owner == 1


@both("secret", (POOL_BASE + (FIRST_DATA << 12), 0x4020_0000), ids=("another partition", "the hypervisor"))
def test_item_2_stage_2_escape(secret):
    w = forger(secret)
    stays_inside(w, VTCR)
    fails(stays_inside, w, PEER_VTCR)


def test_item_2_the_shipped_register_is_the_one_that_is_proved():
    from spec.platform import BOOT_REGISTERS
    assert next(register for register in BOOT_REGISTERS if register.name == "VTCR_EL2").value == VTCR
    assert VTCR & 0x3F == 25


# ---- 3: the witness chain does not cover what the records say


class PeerLog:
    """The chain is a function of the sequence number; verification starts from zero; the oldest is overwritten."""

    def __init__(self, room=64):
        self.room, self.records, self.head, self.next = room, [], 0, 0

    def append(self, content):
        link = self.head
        self.head = self.folded(link, self.next)
        self.records = [*self.records, (self.next, content, link, self.head)][-self.room:]
        self.next += 1

    @staticmethod
    def folded(link, sequence):
        digest = hashlib.sha256(link.to_bytes(8, "little") + sequence.to_bytes(8, "little")).digest()
        return int.from_bytes(bytes(a ^ b for a, b in zip(digest[:8], digest[8:16], strict=True)), "little")

    def verifies(self):
        head = 0
        for sequence, _, link, own in self.records:
            if link != head or own != self.folded(link, sequence):
                return False
            head = own
        return True

    def columns(self):
        return [(link, own) for _, _, link, own in self.records]

    def rewrite(self, position, content):
        sequence, _, link, own = self.records[position]
        self.records[position] = sequence, content, link, own

    def checkpoint(self):
        """It has none."""


class OurLog:
    """Records of the model, chained by the model and verified by an independent reader."""

    def __init__(self):
        self.records, self.head, self.base = [], World().s.head, None
        self.base = self.bytes_of(self.head)

    @staticmethod
    def bytes_of(digest):
        return b"".join(digest[position].to_bytes(4, "big") for position in range(8))

    def append(self, content):
        record = WitnessRecord(sequence=len(self.records), payload=content)
        chain(self.head, record)
        for part, value in enumerate(numbers(self.bytes_of(self.head))[:2]):
            record.link[part] = value
        self.records.append(record)

    def verifies(self):
        head = self.base
        for record in self.records:
            data = b"".join(word(record, position).to_bytes(8, "little") for position in range(8))
            head = hashlib.sha256(head + data[:48]).digest()
            if data[48:] != head[:16]:
                return False
        return True

    def columns(self):
        return [tuple(record.link[part] for part in range(2)) for record in self.records]

    def rewrite(self, position, content):
        self.records[position].payload = content

    def checkpoint(self):
        """Drain: the records go, the head they lead to is sealed."""
        self.base, self.records = self.bytes_of(self.head), []


def written(log, contents):
    for content in contents:
        log.append(content)
    return log


def contents_are_covered(make):
    log = written(make(), range(10))
    assert log.verifies()
    log.rewrite(4, 666)
    assert not log.verifies()


def different_logs_differ(make):
    assert written(make(), (1, 2, 3)).columns() != written(make(), (1, 2, 4)).columns()


def a_long_log_still_verifies(make):
    log = make()
    for _ in range(5):
        written(log, range(50))
        log.checkpoint()
    assert written(log, range(50)).verifies()


@both("check", (contents_are_covered, different_logs_differ, a_long_log_still_verifies), ids=("W1", "W2", "W3"))
def test_item_3_witness_chain(check):
    check(OurLog)
    fails(check, PeerLog)


class PeerFlood:
    """Records are written after the effect and overwrite the oldest."""

    def __init__(self):
        self.log = PeerLog(room=64)
        self.evidence = written(self.log, ["the crime"]).records[0]

    def flood(self):
        written(self.log, range(200))
        return self.evidence in self.log.records


class OurFlood:
    def __init__(self):
        self.w = World()
        self.w.spawn(1, quota=40)
        self.w.run(1).call("partition_destroy", 63)
        self.evidence = self.w.s.sequence - 1

    def flood(self):
        for _ in range(200):
            self.w.call("proof_inspect")
        return self.w.s.log[self.evidence].sequence == self.evidence and self.w.own(1).refused > 0


def evidence_outlives_a_flood(make):
    assert make().flood()


def test_item_3_no_evidence_is_flooded_away():
    evidence_outlives_a_flood(OurFlood)
    fails(evidence_outlives_a_flood, PeerFlood)


# ---- 4: authority is forgeable


class PeerGate:
    """A token by value, with a public constructor; nobody looks it up."""

    def attempts(self):
        for rights in (1, 0x7F, 0xFF):
            for kind in range(9):
                yield {"id": 0xBAD, "kind": kind, "rights": rights, "epoch": 0}

    def admits(self, token):
        return token["rights"] & 2 != 0         # type, id, epoch and owner are not compared with anything


class OurGate:
    """Partition 1 holds nothing and tries whatever it can put into a register."""

    def __init__(self):
        self.w = World()
        self.w.spawn(1)
        self.w.run(1)

    def attempts(self):
        yield from range(64)
        for handle in (SELF, (1 << 38), (1 << 64) - 1, SLOT_OWN | (1 << 6), ALL_RIGHTS, 0x0BAD_0000_0002):
            yield handle

    def admits(self, handle):
        return self.w.call("capability_inspect", handle) == Status.OK or self.w.call("partition_release", handle) == Status.OK


def nothing_forged_is_admitted(gate):
    assert not any(gate.admits(attempt) for attempt in gate.attempts())


def test_item_4_forged_authority():
    nothing_forged_is_admitted(OurGate())
    fails(nothing_forged_is_admitted, PeerGate())


# ---- 5: the derivation tree


class PeerTree:
    """First-child and next-sibling links in an array of slots; a revoked node stays linked until its slot is used again."""

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
        self.node[slot]["alive"] = False        # but its parent's list still leads to it

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
    tree.root(42)               # unrelated, in the slot of the dropped one
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
    """A capability of an old epoch still makes children of the present one."""

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


@both("check", (revocation_survives_slot_reuse, revoking_needs_the_right, a_single_grant_is_single), ids=("C1", "C2", "C3"))
def test_item_5_derivation_tree(check):
    check(OurTree)
    fails(check, PeerTree)


def test_item_5_stale_capabilities_c4():
    the_stale_grant_nothing(OurEpochs)
    fails(the_stale_grant_nothing, PeerEpochs)


# ---- 6: hollow proofs


class PeerNonces:
    """A table indexed by the nonce modulo 4096."""

    def __init__(self):
        self.table = {}

    def accepts(self, nonce):
        if self.table.get(nonce % 4096) == nonce:
            return False
        self.table[nonce % 4096] = nonce
        return True


class OurNonces:
    """Proofs of the root partition, whose counter stands where the proofs before would have left it."""

    def __init__(self):
        self.w = World()
        self.handle = self.w.spawn(1)
        self.w.own().nonce = 4

    def accepts(self, nonce):
        if nonce > 4096 and self.w.own().nonce < nonce - 1:
            self.w.own().nonce = nonce - 1      # 4095 further proofs later
        self.w.own(1).state = PartitionState.RUNNING
        return self.w.proved("partition_hibernate", self.handle, words={4: nonce}) == Status.OK


def no_nonce_twice(make):
    state = make()
    assert state.accepts(5) and not state.accepts(5)
    assert state.accepts(4101)
    assert not state.accepts(5), "the first nonce is accepted again"


def test_item_6_nonce_replay_n1():
    no_nonce_twice(OurNonces)
    fails(no_nonce_twice, PeerNonces)


class PeerPolicy:
    """All bounds come from the caller; no capability is looked at."""

    def offers(self):
        return [{"partition": 1, "base": 0, "limit": 1, "now": 0, "lease": 1, "max_depth": 8, "capability": 0xDEAD}]

    def accepts(self, offer):
        return (offer["partition"] <= 4096 and offer["base"] < offer["limit"] and offer["now"] <= offer["lease"]
                and offer["max_depth"] <= 8)


class OurPolicy:
    """Proofs that say of themselves whatever a caller might like, for a capability that does not exist or cannot prove."""

    def __init__(self):
        self.w = World()
        self.handle = self.w.spawn(1)
        self.w.must("capability_grant", self.handle, 50, ALL_RIGHTS ^ Right.PROVE, SELF, 0)

    def offers(self):
        generous = {5: (1 << 64) - 1, 6: 0, 7: (1 << 64) - 1, 8: 1, 4: 1}
        return [(63, {}), (self.handle + 64, {}), (50, {}), (self.handle, generous), (self.handle, {0: 0})]

    def accepts(self, offer):
        handle, words = offer
        return self.w.proved("partition_destroy", handle, words=words) == Status.OK


def bounds_are_the_kernels(state):
    assert not any(state.accepts(offer) for offer in state.offers())


def test_item_6_hollow_p2_n2():
    bounds_are_the_kernels(OurPolicy())
    fails(bounds_are_the_kernels, PeerPolicy())


class PeerDeepProof:
    """P2 once more on a fresh evaluator (N3), or any link of the caller's (G2)."""

    def accepts(self, path):
        return len(path) >= 1


class OurDeepProof:
    def __init__(self):
        self.w = World(attested=hashlib.sha256(b"the root of another tree").digest())

    def accepts(self, path):
        return self.w.proved("proof_root_commit", SLOT_PROOF_ROOTS, 0, 0, path=(0, path)) == Status.OK


def arbitrary_paths_lead_nowhere(state):
    for path in ([b"\x2a" * 32], [bytes(32)] * 3, [hashlib.sha256(b"the root of another tree").digest()]):
        assert not any(state.accepts(path) for _ in range(3))


def test_item_6_hollow_p3_n3_g2():
    arbitrary_paths_lead_nowhere(OurDeepProof())
    fails(arbitrary_paths_lead_nowhere, PeerDeepProof())


def test_item_6_every_proof_is_bound_to_its_call():
    proving = [declared for declared in OPERATIONS if declared.tier >= Tier.P2]
    assert proving
    for declared in proving:
        w = World()
        registers = w.prove(declared.name, SLOT_OWN, words={0: 1})
        assert w.call(declared.name, *registers) != Status.OK


# ---- 9: the context switch


SYSTEM = ("SP_EL0", "SP_EL1", "ELR_EL2", "CPACR_EL1", "VBAR_EL1", "ESR_EL1", "FAR_EL1", "ELR_EL1", "SPSR_EL1", "TPIDR_EL0",
          "TPIDR_EL1", "TPIDRRO_EL0", "PAR_EL1", "CSSELR_EL1", "CNTKCTL_EL1", "CNTV_CTL_EL0", "CNTV_CVAL_EL0", "FPCR", "FPSR")
SEEN_BY_A_GUEST = [f"x{i}" for i in range(31)] + [f"q{i}" for i in range(32)] + list(SYSTEM) + ["SPSR_EL2"]
FLAGS = 0x6000_03C5             # EL1h, masked, Z and C: what a return may carry

PEER_SAVE = """
    stp x0, x1, [x0, #0]
    stp x2, x3, [x0, #16]
    mrs x9, ELR_EL2
    stp x9, x30, [x0, #32]
""".splitlines()
PEER_RESTORE = """
    ldp x0, x1, [x0, #0]
    ldp x2, x3, [x0, #16]
    ldp x9, x30, [x0, #32]
""".splitlines()


def our_switch():
    vectors = (GENERATED / "platform/vectors.S").read_text()
    constants = numbers_in((GENERATED / "platform/constants.h").read_text())
    save = ["stp x0, x1, [sp, #CONTEXT_X0]", *routine(vectors, "save_context")]
    return save, routine(vectors, "restore_context"), "sp", constants


def peer_switch():
    return PEER_SAVE, PEER_RESTORE, "x0", {}


def guest(seed, at):
    """A core that runs a guest: every register holds something of its own."""
    registers = {name: seed + number for number, name in enumerate(SEEN_BY_A_GUEST)}
    return registers | {"SPSR_EL2": FLAGS, "sp": at, "VTTBR_EL2": seed}


def a_switch_brings_everything_back(switch):
    """A guest is saved, another runs, the first comes back: it sees what it left, under its own tables."""
    save, restore, base, constants = switch()
    at, vttbr_at = 0x1000, constants.get("CONTEXT_X30", 240) + 8
    before = guest(1_000_000, at)
    if base != "sp":
        before[base] = at
    saved = Core(constants, before).run(save)
    saved.memory[at + vttbr_at] = 777                       # as `trap` has it from the model
    dirty = {name: 0xD1217 for name in before} | {base: at, "x0": at}
    back = Core(constants, dirty, saved.memory).run(restore)
    assert back.returned, "no exception return"
    assert back.registers["VTTBR_EL2"] == 777, "the tables of another"
    wrong = [name for name in SEEN_BY_A_GUEST if back.registers[name] != before[name]]
    assert wrong == []



def test_item_9_context_switch():
    a_switch_brings_everything_back(our_switch)
    with pytest.raises((AssertionError, KeyError)):         # its base register is gone after the first load
        a_switch_brings_everything_back(peer_switch)


def test_item_9_a_forgotten_register_would_be_noticed():
    save, restore, base, constants = our_switch()
    for position, line in enumerate(restore):
        if line.strip().startswith(("ldp", "msr", "eret")):
            broken = (save, restore[:position] + restore[position + 1:], base, constants)
            with pytest.raises((AssertionError, KeyError)):
                a_switch_brings_everything_back(lambda broken=broken: broken)


def test_item_9_no_guest_returns_to_el2():
    _, restore, base, constants = our_switch()
    for flags in (0x9, 0xD, 0x3C9, 0x1F, 0xFFFF_FFFF_FFFF_FFFF):
        registers = guest(1, 0x1000) | {"SPSR_EL2": flags}
        saved = Core(constants, registers).run(our_switch()[0])
        saved.memory[0x1000 + constants["CONTEXT_X30"] + 8] = 0
        back = Core(constants, {"x0": 0x1000}, saved.memory).run(restore)
        assert back.registers["SPSR_EL2"] & 0x1F in (0, 4, 5)


def test_item_9_each_register_has_a_place_of_its_own():
    general, system, vector = saved_registers()
    places = [saved.offset for pairs in (general, system, vector) for pair in pairs for saved in pair]
    assert len(set(places)) == len(places)
    assert max(places) < Context.layout.size


# ---- 11: what outlives its owner


class PeerLife:
    """Destroying removes the partition from a table; ids grow for ever; the VMID is their low byte."""

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
        return [*held, *pages, *[p] * (runnable(self.w.s, p) or row.tools != 0 or row.bucket.credit != 0 or row.elevation.active)]

    def state_when_scheduled(self, p):
        self.w.run(p)
        return self.w.own().state.name.capitalize()

    def vmids(self, count):
        """Many lives in one slot and all slots at once: the VMID of each that lives."""
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
    """A lease of one epoch; nothing ever calls the function that expires it."""

    def __init__(self):
        self.expires, self.active = 1, True

    def held_after(self, _seconds):
        return self.active


class OurLease:
    """What the kernel lends for a time is a ring."""

    def __init__(self):
        self.w = World()
        self.w.spawn(1, 0)
        self.w.give(SLOT_PROOF_ROOTS, 1, 5)
        self.w.own(1).score = 900_000
        self.w.run(1).must("ring_elevate", 0, 1, 10, 5)

    def held_after(self, seconds):
        from spec.ring import effective_ring
        return effective_ring(self.w.s, 1, self.w.now + seconds * 10 ** 9) == 1


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
        w.must("witness_drain", SLOT_LOG, FIRST_DATA, 16)
    w.must("partition_reclaim", handle)
    w.must("partition_create", SLOT_SCHEDULER, 1, 50, 50)
    assert w.call("partition_suspend", handle) == Status.WRONG_OBJECT
    assert w.own(1).generation == 1 and not w.slot(5, 1).kind


# ---- 12: who says so?


class PeerMessages:
    """The caller is what the message says; the receiver is not compared with the channel."""

    def actor_recorded(self, claimed):
        return claimed


class OurMessages:
    """Partition 1 calls with whatever registers it likes."""

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
