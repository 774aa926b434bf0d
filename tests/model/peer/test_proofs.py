"""Do proofs bind the call that they are about? Each check fails with a peer's behaviour and passes with ours."""

import hashlib

from corollary.spec.kernel.vocabulary import PartitionState, Tier
from tests.model.peer.checks import fails
from tests.model.world import ALL_RIGHTS, OPERATIONS, SELF, SLOT_OWN, SLOT_PROOF_ROOTS, Right, Status, World


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
    """Proofs of the root partition, with its counter where the earlier proofs would have left it."""

    def __init__(self):
        self.w = World()
        self.handle = self.w.spawn(1)
        self.w.own().nonce = 4

    def accepts(self, nonce):
        if nonce > 4096 and self.w.own().nonce < nonce - 1:
            self.w.own().nonce = nonce - 1  # 4095 further proofs later
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
    """All bounds come from the caller, and no capability is checked."""

    def offers(self):
        return [{"partition": 1, "base": 0, "limit": 1, "now": 0, "lease": 1, "max_depth": 8, "capability": 0xDEAD}]

    def accepts(self, offer):
        return (
            offer["partition"] <= 4096
            and offer["base"] < offer["limit"]
            and offer["now"] <= offer["lease"]
            and offer["max_depth"] <= 8
        )


class OurPolicy:
    """Proofs that claim anything a caller might like.

    They are for a capability that does not exist or cannot prove.
    """

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
        return self.w.proved("proof_root_commit", SLOT_PROOF_ROOTS, path=(0, path)) == Status.OK


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
