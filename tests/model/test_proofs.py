"""Which proofs does the kernel accept, which does it refuse, and what does a failed proof cost?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.language.values import local
from corollary.model.kernel.promises import THEOREMS
from corollary.model.kernel.proof import mutation_digest as model_mutation_digest
from corollary.model.kernel.proof import policy_holds
from corollary.spec.kernel.limits import PROOF_WINDOW
from corollary.spec.kernel.proof import (
    PROOF_FROM,
    PROOF_LEVELS,
    PROOF_NONCE,
    PROOF_OBJECT,
    PROOF_PATH,
    PROOF_POSITION,
    PROOF_TIER,
    PROOF_UNTIL,
)
from corollary.spec.kernel.sha256 import Digest
from corollary.spec.kernel.state import Call
from corollary.spec.kernel.vocabulary import PartitionState, Tier
from tests.model.properties import meddled
from tests.model.world import (
    ALL_RIGHTS,
    BY_NAME,
    FIRST_FREE,
    OPERATIONS,
    PROOF_PAGE,
    ROOT,
    SELF,
    SLOT_PROOF_ROOTS,
    SPARE_PAGE,
    ObjectKind,
    PageKind,
    Right,
    Status,
    World,
    leaf_of,
    mutation_digest,
    numbers,
    root_of,
    six,
)

DESTROY, COMMIT = "partition_destroy", "proof_root_commit"


def test_tiers_are_as_required():
    p2 = tuple(f"partition_{done}" for done in ("destroy", "hibernate", "reconstruct", "split", "merge"))
    p3 = tuple(declared.name for declared in OPERATIONS if declared.tier == Tier.P3)
    assert [declared.name for declared in OPERATIONS if declared.tier == Tier.P2] == sorted(
        p2, key=lambda name: BY_NAME[name].number
    )
    assert set(p3) == {COMMIT, "proof_root_bind", "agent_spawn"}
    assert all(declared.tier >= Tier.P1 for declared in OPERATIONS)


# ---- P2: each of the eight checks decides on its own


def with_victim():
    w = World()
    return w, w.spawn(1)


def test_a_good_proof_is_accepted_and_spends_one_nonce():
    w, handle = with_victim()
    assert w.proved(DESTROY, handle) == Status.OK
    assert (w.own(1).state, w.own().nonce) == (PartitionState.DESTROYED, 1)


def refused_without_a_trace(w, registers):
    from copy import deepcopy

    before = deepcopy(w.s)
    assert w.call(DESTROY, *registers) == Status.POLICY_VIOLATION
    assert meddled(before, w.s, Status.POLICY_VIOLATION) == []
    assert w.own(1).state == PartitionState.RUNNING and w.own().nonce == 0
    assert w.newest.status == Status.POLICY_VIOLATION


@pytest.mark.parametrize(
    "word, value",
    [
        ("digest 0", None),
        ("digest 1", None),
        ("digest 2", None),
        ("digest 3", None),
        (PROOF_TIER, lambda w: 1),
        (PROOF_TIER, lambda w: 0),
        (PROOF_UNTIL, lambda w: w.now + 10**9 - 1),  # expired a nanosecond ago
        (PROOF_UNTIL, lambda w: w.now + 10**9 + PROOF_WINDOW + 1),  # valid too long
        (PROOF_FROM, lambda w: w.now + 10**9 + 1),  # not valid yet
        (PROOF_NONCE, lambda w: 0),
        (PROOF_NONCE, lambda w: 2),
        (PROOF_NONCE, lambda w: (1 << 64) - 1),
        (PROOF_OBJECT, lambda w: 0),
        (PROOF_OBJECT, lambda w: 2),
        (PROOF_OBJECT, lambda w: 1 + (1 << 32)),
    ],
)
def test_each_wrong_word_is_refused_and_costs_nothing(word, value):
    w, handle = with_victim()
    registers = w.prove(DESTROY, handle)
    words = w.s.memory[PROOF_PAGE].word
    position = word if value else int(word[-1])
    words[position] = value(w) if value else words[position] ^ 1
    refused_without_a_trace(w, registers)


def test_without_the_right_to_prove_no_proof_helps():
    w, handle = with_victim()
    weaker = w.must("capability_grant", handle, 50, ALL_RIGHTS ^ Right.PROVE, SELF, 0)
    refused_without_a_trace(w, w.prove(DESTROY, weaker))


def test_the_depth_is_checked_as_well():
    w, handle = with_victim()
    registers = w.prove(DESTROY, handle)
    call, digest = Call(now=w.now + 10**9, operation=BY_NAME[DESTROY].number, capability=31), local(Digest)
    for position, value in enumerate(registers):
        call.argument[position] = value
    model_mutation_digest(w.s, call, BY_NAME[DESTROY].handles, False, digest)
    assert policy_holds(w.s, call, Tier.P2, digest)
    w.slot(31).depth = 9  # no reachable state has one: CAP-4
    assert not policy_holds(w.s, call, Tier.P2, digest)


@pytest.mark.parametrize("page", (0, FIRST_FREE + 16, FIRST_FREE + 60, FIRST_FREE + 61, 1023))
def test_a_proof_lies_in_data_of_the_callers_own(page):
    w, handle = with_victim()
    w.page(1, FIRST_FREE + 60)
    w.page(ROOT, FIRST_FREE + 61, PageKind.APPEND)
    refused_without_a_trace(w, w.prove(DESTROY, handle, page=page))


def test_a_proof_page_number_out_of_range_is_not_wrapped():
    w, handle = with_victim()
    registers = w.prove(DESTROY, handle)
    registers[5] += 1024
    refused_without_a_trace(w, registers)


@pytest.mark.parametrize("register", range(1, 6))
def test_a_proof_is_for_these_very_registers(register):
    w, handle = with_victim()
    registers = w.prove(DESTROY, handle, page=SPARE_PAGE)
    registers[register] ^= 1 << 60 if register < 5 else 1 << 20
    refused_without_a_trace(w, registers)


def test_a_proof_is_for_an_object_by_whatever_handle():
    w, handle = with_victim()
    other = w.must("capability_grant", handle, 50, ALL_RIGHTS, SELF, 0)
    registers = w.prove(DESTROY, handle)
    registers[0] = other
    assert w.call(DESTROY, *registers) == Status.OK


def test_a_proof_is_for_this_very_incarnation_of_its_object():
    w, handle = with_victim()
    registers = w.prove(DESTROY, handle)
    w.own(1).generation = w.slot(31).incarnation = 1
    refused_without_a_trace(w, registers)


def test_a_proof_is_of_this_very_actor_and_its_incarnation():
    w, handle = with_victim()
    w.spawn(2)
    w.page(2, FIRST_FREE + 60)
    held = w.give(handle, 2, 3)
    w.prove("partition_hibernate", handle)
    words = [w.s.memory[PROOF_PAGE].word[position] for position in range(16)]
    for incarnation in (0, 1):
        w.run(2).own().generation = incarnation
        registers = w.prove("partition_hibernate", held, page=FIRST_FREE + 60)
        for position in range(4):  # of root, with the same nonce, for the same object
            w.s.memory[FIRST_FREE + 60].word[position] = words[position]
        assert w.call("partition_hibernate", *registers) == Status.POLICY_VIOLATION
        w.own().generation = 0


def test_a_proof_is_for_this_very_operation():
    w, handle = with_victim()
    w.prove("partition_hibernate", handle)
    refused_without_a_trace(w, six((handle, 0, 0, 0, 0, PROOF_PAGE)))


def test_the_whole_window_is_usable():
    w, handle = with_victim()
    registers = w.prove(
        "partition_hibernate", handle, now=w.now, words={PROOF_FROM: w.now, PROOF_UNTIL: w.now + PROOF_WINDOW}
    )
    assert w.call("partition_hibernate", *registers, now=w.now + PROOF_WINDOW) == Status.OK


def test_all_wrong_looks_like_one_wrong():
    w, handle = with_victim()
    registers = w.prove(DESTROY, handle)
    w.s.memory[PROOF_PAGE].word.rows.clear()
    refused_without_a_trace(w, registers)


def test_a_proof_of_a_higher_tier_is_good_enough():
    w, handle = with_victim()
    assert w.proved(DESTROY, handle, tier=Tier.P3) == Status.OK


def test_a_proof_is_accepted_once():
    w, handle = with_victim()
    registers = w.prove("partition_hibernate", handle)
    assert w.call("partition_hibernate", *registers) == Status.OK
    w.own(1).state = PartitionState.RUNNING
    assert w.call("partition_hibernate", *registers, now=w.now) == Status.POLICY_VIOLATION


def test_a_call_that_fails_after_its_proof_spends_no_nonce():
    w, handle = with_victim()
    assert w.proved("partition_reconstruct", handle) == Status.WRONG_STATE
    assert w.own().nonce == 0


def test_nonces_are_counted_for_each_actor_alone():
    w, handle = with_victim()
    w.spawn(2)
    w.must("capability_grant", handle, 3, ALL_RIGHTS, w.handle(32), 0)
    w.data(2, FIRST_FREE + 60)
    assert w.proved("partition_hibernate", handle) == Status.OK
    w.run(2)
    assert w.proved("partition_reconstruct", 3, page=FIRST_FREE + 60) == Status.OK
    assert (w.own(0).nonce, w.own(2).nonce) == (1, 1)


def test_the_last_nonce_is_the_last():
    w, handle = with_victim()
    w.own().nonce = (1 << 64) - 1
    registers = w.prove(DESTROY, handle, words={PROOF_NONCE: 0})
    assert w.call(DESTROY, *registers) == Status.POLICY_VIOLATION


def test_a_caller_is_told_its_next_nonce():
    w, handle = with_victim()
    assert w.must("proof_inspect") == 1
    assert w.proved(DESTROY, handle) == Status.OK
    assert w.must("proof_inspect") == 2 and w.last.result[1] == 0


# ---- P3: a path to the root in force


NEW_ROOT = (0xABC0, 0xABC1, 0xABC2, 0xABC3)


def commitment(root=NEW_ROOT, number=0, nonce=1, actor=0, incarnation=0):
    """Return the meaning of a commit by the root partition, with defaults."""
    return [BY_NAME[COMMIT].number, actor, incarnation, ObjectKind.PROOF_ROOT, number, nonce, 0, 0, 0, 0, *root]


def tree(levels, position=0, seed=7, **meant):
    """Return the siblings of a commit, and the root that vouches for it."""
    siblings = [bytes([seed, level] * 16) for level in range(levels)]
    return siblings, root_of(leaf_of(mutation_digest(commitment(**meant))), position, siblings)


def proposing(levels, position=0, **meant):
    siblings, root = tree(levels, position, **meant)
    w = World(attested=root)
    for part in range(4):
        w.must("proof_root_propose", SLOT_PROOF_ROOTS, part, NEW_ROOT[part])
    return w, siblings


@pytest.mark.parametrize("part", range(4))
def test_each_word_of_the_new_root_is_proved(part):
    w, siblings = proposing(3)
    registers = w.prove(COMMIT, SLOT_PROOF_ROOTS, path=(0, siblings))
    w.must("proof_root_propose", SLOT_PROOF_ROOTS, part, 666)  # by a second proposer
    refused(w, registers)
    refused(w, w.prove(COMMIT, SLOT_PROOF_ROOTS, path=(0, siblings)))


@pytest.mark.parametrize(
    "meant", (dict(actor=1), dict(incarnation=1), dict(nonce=2), dict(number=1), dict(root=(1, 2, 3, 4)))
)
def test_a_leaf_foresees_who_commits_what_where_and_when(meant):
    w, siblings = proposing(3, **meant)
    refused(w, w.prove(COMMIT, SLOT_PROOF_ROOTS, path=(0, siblings)))


def test_another_partition_that_is_bound_to_the_same_root_cannot_use_the_leaf():
    w, siblings = proposing(3)
    w.spawn(1)
    w.page(1, FIRST_FREE + 60)
    held = w.give(SLOT_PROOF_ROOTS, 1, SLOT_PROOF_ROOTS)
    w.run(1)
    assert w.own().proof_root == 0
    refused(w, w.prove(COMMIT, held, page=FIRST_FREE + 60, path=(0, siblings)))


def test_a_root_is_replaced_only_by_a_path_to_itself():
    siblings, root = tree(3)
    w = World()
    for part, value in enumerate(numbers(root)):
        w.s.proof_root[1].root[part] = (
            value  # the caller's own root foresees the commit, the root that is replaced does not
        )
    w.own().proof_root = 1
    for part in range(4):
        w.must("proof_root_propose", SLOT_PROOF_ROOTS, part, NEW_ROOT[part])
    refused(w, w.prove(COMMIT, SLOT_PROOF_ROOTS, path=(0, siblings)))


@pytest.mark.parametrize("number", range(4))
def test_each_root_is_replaced_by_a_path_to_itself_whatever_binds_the_caller(number):
    w, siblings = proposing(3, number=number)
    handle = SLOT_PROOF_ROOTS + number
    w.own().proof_root = 3 - number
    w.s.proof_root[3 - number].root[0] ^= 1
    for part in range(4):
        w.must("proof_root_propose", handle, part, NEW_ROOT[part])
    assert w.proved(COMMIT, handle, path=(0, siblings)) == Status.OK
    assert [w.s.proof_root[number].root[part] for part in range(4)] == list(NEW_ROOT)


def binding(into, p, incarnation=0):
    """Return a world that foresees that its first proof binds a partition to root 2."""
    words = [BY_NAME["proof_root_bind"].number, 0, 0, ObjectKind.PROOF_ROOT, 2, 1, p | incarnation << 32, *[0] * 7]
    siblings = [bytes([3, level] * 16) for level in range(3)]
    w = World(attested=root_of(leaf_of(mutation_digest(words)), 5, siblings))
    w.spawn(1)
    w.spawn(2)
    return w, w.prove("proof_root_bind", SLOT_PROOF_ROOTS + 2, w.handle(30 + into), path=(5, siblings))


def test_a_partition_is_bound_that_the_proof_names_by_its_number_and_incarnation():
    w, registers = binding(1, 1)
    assert w.call("proof_root_bind", *registers) == Status.OK
    assert (w.own(1).proof_root, w.own(2).proof_root) == (2, 0)
    for into, p, incarnation in ((2, 1, 0), (1, 1, 1)):
        w, registers = binding(into, p, incarnation)
        assert w.call("proof_root_bind", *registers) == Status.POLICY_VIOLATION
        assert (w.own(1).proof_root, w.own(2).proof_root) == (0, 0)


def test_the_promises_speak_of_every_proof():
    def spoken(*ids):
        return {name for name, declared in BY_NAME.items() if any(THEOREMS[id_].concerns(declared) for id_ in ids)}

    assert spoken("PROOF-4", "PROOF-9", "PROOF-10", "PROOF-13", "PROOF-15") == {
        name for name, declared in BY_NAME.items() if declared.tier >= Tier.P2
    }
    assert spoken("PROOF-5", "PROOF-11", "PROOF-14") == {
        name for name, declared in BY_NAME.items() if declared.tier == Tier.P3
    }
    assert (
        spoken("PROOF-9")
        == spoken("PROOF-11")
        == {name for name, declared in BY_NAME.items() if declared.replaces_root}
        == {COMMIT}
    )
    assert (
        spoken("PROOF-13")
        == spoken("PROOF-14")
        == {name for name, declared in BY_NAME.items() if declared.shows_module}
        == {"agent_spawn"}
    )
    names_another = {name: declared.tier for name, declared in BY_NAME.items() if declared.handles > 1}
    assert spoken("PROOF-5") == spoken("PROOF-10") == {name for name, tier in names_another.items() if tier == Tier.P3}
    assert spoken("PROOF-15") == {name for name, tier in names_another.items() if tier == Tier.P2}


def roots(w):
    return [w.s.proof_root[0].root[part] for part in range(4)]


@pytest.mark.parametrize(
    "levels, position", [(0, 0), (1, 0), (1, 1), (2, 1), (5, 0b10110), (15, 0x7FFF), (16, 0xA5A5), (16, 0xFFFF)]
)
def test_a_path_of_any_depth_up_to_sixteen(levels, position):
    w, siblings = proposing(levels, position)
    assert w.proved(COMMIT, SLOT_PROOF_ROOTS, path=(position, siblings)) == Status.OK
    assert roots(w) == list(NEW_ROOT)
    assert w.own().nonce == 1


def refused(w, registers):
    held = roots(w)
    assert w.call(COMMIT, *registers) == Status.POLICY_VIOLATION
    assert roots(w) == held and w.own().nonce == 0


@given(st.integers(0, 4), st.integers(0, 3), st.integers(0, 63))
def test_a_wrong_sibling_is_refused(level, part, bit):
    w, siblings = proposing(5, 9)
    registers = w.prove(COMMIT, SLOT_PROOF_ROOTS, path=(9, siblings))
    w.s.memory[PROOF_PAGE].word[PROOF_PATH + 4 * level + part] ^= 1 << bit
    refused(w, registers)


@pytest.mark.parametrize("position", [position for position in range(32) if position != 9])
def test_a_wrong_position_is_refused(position):
    w, siblings = proposing(5, 9)
    refused(w, w.prove(COMMIT, SLOT_PROOF_ROOTS, path=(position, siblings)))


@pytest.mark.parametrize("levels", (0, 1, 4, 6, 16, 17, 1 << 32, (1 << 64) - 1))
def test_a_wrong_number_of_levels_is_refused(levels):
    w, siblings = proposing(5, 9)
    refused(w, w.prove(COMMIT, SLOT_PROOF_ROOTS, path=(9, siblings), words={PROOF_LEVELS: levels}))


@pytest.mark.parametrize("levels", (17, 255, 1 << 32, (1 << 64) - 1))
def test_more_than_sixteen_levels_are_refused_though_sixteen_lead_to_the_root(levels):
    w, siblings = proposing(16, 0xA5A5)
    refused(w, w.prove(COMMIT, SLOT_PROOF_ROOTS, path=(0xA5A5, siblings), words={PROOF_LEVELS: levels}))


def test_an_inner_node_is_not_a_leaf():
    w = World(attested=mutation_digest(commitment()))  # no tag: the root is the digest itself
    for part in range(4):
        w.must("proof_root_propose", SLOT_PROOF_ROOTS, part, NEW_ROOT[part])
    refused(w, w.prove(COMMIT, SLOT_PROOF_ROOTS, path=(0, [])))


def test_p3_asks_for_p2_as_well():
    for word, value in ((PROOF_NONCE, 9), (PROOF_TIER, 2), (PROOF_OBJECT, 1), (PROOF_UNTIL, 0), (0, 0)):
        w, siblings = proposing(3)
        refused(w, w.prove(COMMIT, SLOT_PROOF_ROOTS, path=(0, siblings), words={word: value}))


def test_p2_asks_for_no_path():
    w, handle = with_victim()
    assert w.proved(DESTROY, handle, words={PROOF_LEVELS: 99, PROOF_POSITION: 5}) == Status.OK


def test_the_root_that_counts_is_the_one_in_force_not_the_proposed_one():
    siblings, root = tree(3, seed=9)
    w, _ = proposing(3)
    for part, value in enumerate(numbers(root)):
        w.must("proof_root_propose", SLOT_PROOF_ROOTS, part, value)
    refused(w, w.prove(COMMIT, SLOT_PROOF_ROOTS, path=(0, siblings)))


def test_a_root_in_force_stays_until_committed():
    w, _ = proposing(0)
    _, root = tree(0)
    assert roots(w) == numbers(root)
    assert w.call(COMMIT, SLOT_PROOF_ROOTS) == Status.POLICY_VIOLATION
    assert roots(w) == numbers(root)


def test_a_root_has_four_words():
    assert World().call("proof_root_propose", SLOT_PROOF_ROOTS, 4, 0) == Status.BAD_ARGUMENT


def test_committing_needs_write_and_prove():
    w, siblings = proposing(0)
    for slot, rights in ((50, Right.READ | Right.WRITE), (51, Right.READ | Right.PROVE)):
        w.must("capability_grant", SLOT_PROOF_ROOTS, slot, rights, SELF, 0)
        assert w.proved(COMMIT, slot, path=(0, siblings)) == Status.INSUFFICIENT_RIGHTS


def test_a_heir_is_bound_by_the_root_of_its_creator():
    w = World()
    w.own().proof_root = 2
    w.create(1)
    assert w.own(1).proof_root == 2
