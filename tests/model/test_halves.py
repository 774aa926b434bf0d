"""Does a partition become two, and do two become one, with nothing lost, and nobody running meanwhile?"""

from copy import deepcopy

import pytest

from corollary.spec.kernel.agent import lives
from corollary.spec.kernel.halves import are_coherent, are_halves, holds_nothing
from corollary.spec.kernel.limits import PAGES_PER_PARTITION, WEIGHT_LIMIT
from corollary.spec.kernel.vocabulary import Action, Mode, PartitionState, Right, Tier
from tests.model.world import ALL_RIGHTS, FIRST_FREE, ROOT, SLOT_OWN, SLOT_SCHEDULER, Status, World, region_of

ONE, OTHER, THIRD = 1, 2, 3
EDGE, BACK, SENDS, HEARS = 7, 8, 10, 11
CREATED, RUNNING, SUSPENDED = PartitionState.CREATED, PartitionState.RUNNING, PartitionState.SUSPENDED
HIBERNATED, DESTROYED = PartitionState.HIBERNATED, PartitionState.DESTROYED
SPLITTING, MERGING = PartitionState.SPLITTING, PartitionState.MERGING


def to(w, p):
    """Return root's handle for a partition."""
    return w.handle(30 + p)


def whole(state=RUNNING):
    """Return a world with a partition in this state, and another one that was only created."""
    w = World()
    w.spawn(ONE)
    w.create(OTHER)
    w.own(ONE).state = state
    return w


def split(w, p=ONE, q=OTHER):
    """Ask for a split."""
    return w.proved("partition_split", to(w, p), to(w, q))


def pair(carried=100, away=0, back=0):
    """Return a world with two partitions that an edge connects, and what they carried to each other and elsewhere."""
    w = World()
    for p in (ONE, OTHER, THIRD):
        w.spawn(p)
        w.endow(p, agents=4)
    w.must("edge_create", SLOT_SCHEDULER, EDGE, 50, 0)
    origin = w.handle(50)
    w.give(origin, OTHER, HEARS, Right.READ)
    w.give(origin, ONE, SENDS, Right.WRITE)
    carry(w, EDGE, ONE, OTHER, carried)
    carry(w, BACK, OTHER, ONE, back)
    w.own(ONE).carried, w.own(OTHER).carried = carried + back, carried + back + away
    return w


def carry(w, e, source, target, carried):
    """Let an edge have carried so much between two partitions."""
    w.s.traffic[e].source, w.s.traffic[e].target, w.s.traffic[e].carried = source, target, carried


def merge(w, p=ONE, q=OTHER, edge=EDGE, slot=HEARS, back=BACK):
    """Ask for a merge of the first into the second."""
    return w.proved("partition_merge", to(w, p), to(w, q), edge, slot, back)


def refused(w, ask, status):
    """Is a call refused with this status, and does it leave nothing but its record?"""
    before = deepcopy(w.s)
    assert ask(w) == status
    assert (w.newest.status, w.newest.tier) == (status, Tier.P2)
    for p in (ROOT, ONE, OTHER, THIRD):
        old, new = before.partition[p], w.s.partition[p]
        assert (old.state, old.other, old.nonce) == (new.state, new.other, new.nonce)
    for name in ("capability", "page", "owned", "agent", "edge", "traffic", "device"):
        assert getattr(before, name) == getattr(w.s, name)
    return True


# ---- split


@pytest.mark.parametrize("state", [RUNNING, SUSPENDED])
def test_a_split_makes_two_halves_that_stand_still(state):
    w = whole(state)
    assert split(w) == Status.OK and are_halves(w.s, ONE, OTHER) and are_halves(w.s, OTHER, ONE)
    assert w.newest.kind == Action.PARTITION_SPLIT
    for p in (ONE, OTHER):
        for name, arguments in (("partition_resume", ()), ("partition_suspend", ()), ("partition_start", (0,))):
            assert w.call(name, to(w, p), *arguments) == Status.WRONG_STATE
        for name in ("partition_hibernate", "partition_reconstruct"):
            assert w.proved(name, to(w, p)) == Status.WRONG_STATE
    w.preempt()
    assert w.s.current == ROOT


def test_halves_are_settled_one_by_one():
    w = whole()
    assert split(w) == Status.OK
    w.must("partition_settle", to(w, ONE))
    assert (w.own(ONE).state, w.own(OTHER).state) == (SUSPENDED, SPLITTING)
    assert not are_halves(w.s, ONE, OTHER)
    w.must("partition_settle", to(w, OTHER))
    assert w.own(OTHER).state == CREATED
    assert w.call("partition_settle", to(w, ONE)) == Status.WRONG_STATE
    w.must("partition_resume", to(w, ONE))
    w.tables(OTHER)
    w.must("partition_start", to(w, OTHER), 0)
    assert (w.own(ONE).state, w.own(OTHER).state) == (RUNNING, RUNNING)


def test_pages_go_to_the_other_half_with_what_they_hold():
    w = whole()
    pages = [w.data(ONE, FIRST_FREE + 200 + n) for n in range(3)]
    for n, page in enumerate(pages):
        w.s.memory[page].word[5] = 77 + n
    assert split(w) == Status.OK
    for page in pages[:2]:
        w.must("page_unmap", to(w, ONE), page)
        w.must("page_transfer", to(w, ONE), page, to(w, OTHER))
    assert [w.s.page[page].owner for page in pages] == [OTHER, OTHER, ONE]
    assert [w.s.memory[page].word[5] for page in pages] == [77, 78, 79]
    assert (w.own(ONE).pages, w.own(OTHER).pages) == (3 + 1, 2)


@pytest.mark.parametrize("begin, part, left", [(whole, split, CREATED), (pair, merge, SUSPENDED)])
def test_who_loses_its_root_meanwhile_rests_until_it_is_reconstructed(begin, part, left):
    """Else a split would be a way around HIBERNATE."""
    w = begin()
    assert part(w) == Status.OK
    root = w.own(ONE).root
    w.must("region_reclaim", region_of(root), root)
    assert w.own(ONE).state == HIBERNATED and not w.own(ONE).rooted and not w.own(ONE).walked
    assert w.call("partition_settle", to(w, ONE)) == Status.WRONG_STATE
    w.must("partition_settle", to(w, OTHER))
    assert w.own(OTHER).state == left


def test_either_half_may_be_destroyed_and_the_other_one_is_settled():
    w = whole()
    assert split(w) == Status.OK
    assert w.proved("partition_destroy", to(w, OTHER)) == Status.OK and w.own(OTHER).state == DESTROYED
    assert not are_halves(w.s, ONE, OTHER)
    w.must("partition_settle", to(w, ONE))
    assert w.own(ONE).state == SUSPENDED


def test_in_reflex_mode_nothing_is_split():
    w = whole()
    w.must("schedule_mode", SLOT_SCHEDULER, Mode.REFLEX)
    assert refused(w, split, Status.WRONG_MODE)
    w.must("schedule_mode", SLOT_SCHEDULER, Mode.FLOW)
    assert split(w) == Status.OK


@pytest.mark.parametrize("state", [CREATED, HIBERNATED, SPLITTING, MERGING])
def test_only_who_has_started_is_split(state):
    assert refused(whole(state), split, Status.WRONG_STATE)


@pytest.mark.parametrize(
    "spoil", [lambda row: setattr(row, "state", SUSPENDED), lambda row: setattr(row, "rooted", True)]
)
def test_the_other_half_is_new(spoil):
    w = whole()
    spoil(w.own(OTHER))
    assert refused(w, split, Status.WRONG_STATE)


def test_nothing_is_split_with_itself():
    w = whole()
    assert refused(w, lambda w: split(w, ONE, ONE), Status.WRONG_STATE)


def test_the_other_half_is_the_callers_own_creation():
    w = whole()
    w.own(OTHER).parent = ONE
    assert refused(w, split, Status.INVALID_TARGET)


@pytest.mark.parametrize("half", [ONE, OTHER])
@pytest.mark.parametrize("right", [Right.SPLIT, Right.WRITE, Right.PROVE])
def test_a_split_needs_its_rights_on_both(half, right):
    w = whole()
    w.slot(30 + half).rights = ALL_RIGHTS & ~right
    status = Status.POLICY_VIOLATION if right == Right.PROVE else Status.INSUFFICIENT_RIGHTS
    assert refused(w, split, status) if half == ONE or right != Right.PROVE else split(w) == Status.OK


def test_a_proof_names_the_other_half():
    w = whole()
    w.create(THIRD)
    registers = w.prove("partition_split", to(w, ONE), to(w, OTHER))
    registers[1] = to(w, THIRD)
    assert w.call("partition_split", *registers) == Status.POLICY_VIOLATION
    assert (w.own(ONE).state, w.own(THIRD).state) == (RUNNING, CREATED)


# ---- merge


def test_a_merge_makes_two_halves_that_stand_still():
    w = pair()
    assert merge(w) == Status.OK and are_halves(w.s, ONE, OTHER)
    assert w.newest.kind == Action.PARTITION_MERGE
    assert w.own(ONE).state == w.own(OTHER).state == MERGING and w.own(THIRD).state == RUNNING


def test_who_is_merged_ends_with_nothing():
    w = pair()
    page = w.data(ONE, FIRST_FREE + 200)
    w.s.memory[page].word[9] = 4711
    assert merge(w) == Status.OK
    assert w.proved("partition_destroy", to(w, ONE)) == Status.STILL_HOLDING
    w.must("page_unmap", to(w, ONE), page)
    w.must("page_transfer", to(w, ONE), page, to(w, OTHER))
    first = FIRST_FREE + 16 * ONE
    for child in (first + 2, first + 1):
        w.must("page_unmap", to(w, ONE), child)
        w.must("page_release", to(w, ONE), child)
    assert holds_nothing(w.s, ONE)
    assert w.proved("partition_destroy", to(w, ONE)) == Status.OK
    assert w.must("partition_release", to(w, ONE)) == 0
    assert (w.own(ONE).state, w.own(ONE).pages, w.own(ONE).rooted) == (DESTROYED, 0, False)
    assert w.s.page[page].owner == OTHER and w.s.memory[page].word[9] == 4711
    assert not any(w.s.capability[ONE << 6 | slot].kind for slot in range(64))
    assert not any(lives(w.s, a) and w.s.agent[a].partition == ONE for a in range(256))
    w.must("partition_settle", to(w, OTHER))
    assert w.own(OTHER).state == SUSPENDED
    w.must("partition_resume", to(w, OTHER))


def test_a_merge_is_given_up_by_settling():
    w = pair()
    assert merge(w) == Status.OK
    for p in (ONE, OTHER):
        w.must("partition_settle", to(w, p))
        assert w.own(p).state == SUSPENDED
    assert merge(w) == Status.OK


@pytest.mark.parametrize("left", ["agents_made", "pages", "heads"])
def test_whatever_is_left_keeps_who_is_merged(left):
    w = pair()
    w.s.partition[ONE].pages = 1
    w.own(ONE).state, w.own(OTHER).state = MERGING, MERGING
    assert holds_nothing(w.s, ONE)
    if left == "heads":
        w.s.heads[2 * ONE + 1] = 4
    else:
        setattr(w.own(ONE), left, 2)
    assert not holds_nothing(w.s, ONE)
    assert w.proved("partition_destroy", to(w, ONE)) == Status.STILL_HOLDING


def test_the_last_page_is_the_root_table_or_keeps_who_is_merged():
    w = pair()
    w.own(ONE).pages, w.own(ONE).rooted = 1, False
    assert not holds_nothing(w.s, ONE)


@pytest.mark.parametrize("state, right", [(SPLITTING, Right.SPLIT), (MERGING, Right.MERGE)])
def test_who_settles_needs_the_right_that_made_halves(state, right):
    w = pair()
    w.own(ONE).state = w.own(OTHER).state = state
    for slot, rights in ((20, ALL_RIGHTS & ~right), (21, Right.WRITE | right)):
        w.give(to(w, ONE), THIRD, slot, rights)
    w.run(THIRD)
    assert w.call("partition_settle", w.handle(20, THIRD)) == Status.INSUFFICIENT_RIGHTS
    assert w.own(ONE).state == state
    assert w.call("partition_settle", w.handle(21, THIRD)) == Status.OK


def test_root_is_no_half():
    w = whole()
    assert w.proved("partition_split", w.handle(SLOT_OWN), to(w, OTHER)) == Status.INVALID_TARGET
    w = pair()
    for one, other in ((w.handle(SLOT_OWN), to(w, OTHER)), (to(w, ONE), w.handle(SLOT_OWN))):
        assert w.proved("partition_merge", one, other, EDGE, HEARS, BACK) == Status.INVALID_TARGET


# each of the seven conditions


def test_only_the_connected_are_merged():
    """The first condition: an edge that one of them sends through, and the other one receives from."""
    assert merge(pair()) == Status.OK
    assert refused(pair(), lambda w: merge(w, edge=BACK), Status.NOT_CONNECTED)
    assert refused(pair(), lambda w: merge(w, slot=HEARS + 1), Status.NOT_CONNECTED)
    w = pair()
    w.must("capability_withdraw", to(w, OTHER), HEARS)
    assert refused(w, merge, Status.NOT_CONNECTED)
    w = pair()
    w.must("capability_withdraw", to(w, ONE), SENDS)
    assert refused(w, merge, Status.NOT_CONNECTED), "root sends then"
    w = pair()
    w.must("edge_destroy", w.handle(50))
    assert refused(w, merge, Status.NOT_CONNECTED)
    w = pair()
    w.s.capability[OTHER << 6 | HEARS].parent_lineage += 1
    assert refused(w, merge, Status.NOT_CONNECTED), "revoked"


def test_the_edge_may_lead_either_way():
    w = pair()
    assert merge(w, OTHER, ONE) == Status.OK


@pytest.mark.parametrize(
    "carried, away, enough",
    [(7, 3, True), (6, 3, False), (7000, 3000, True), (6999, 3000, False), (0, 1, False), (0, 0, False), (1, 0, True)],
)
def test_only_the_coherent_are_merged(carried, away, enough):
    """The second condition: seven tenths of what each of them has carried went between them."""
    w = pair(carried, away)
    assert merge(w) == Status.OK if enough else refused(w, merge, Status.NOT_COHERENT)
    w.own(ONE).carried, w.own(OTHER).carried = w.own(OTHER).carried, w.own(ONE).carried
    w.own(ONE).state = w.own(OTHER).state = RUNNING
    assert merge(w) == Status.OK if enough else refused(w, merge, Status.NOT_COHERENT)


def test_both_ways_count_and_each_once():
    assert merge(pair(4, 3, 3)) == Status.OK
    assert refused(pair(3, 4, 3), merge, Status.NOT_COHERENT)
    assert refused(pair(4, 3, 3), lambda w: merge(w, back=EDGE), Status.NOT_COHERENT)
    assert merge(pair(7, 3), back=EDGE) == Status.OK


@pytest.mark.parametrize("source, target", [(THIRD, OTHER), (ONE, THIRD), (ONE, ONE), (OTHER, OTHER)])
def test_what_others_carried_connects_nobody(source, target):
    w = pair(7, 3)
    carry(w, EDGE, source, target, 7)
    assert refused(w, merge, Status.NOT_COHERENT)
    w = pair(4, 3, 3)
    carry(w, BACK, source, target, 3)
    assert refused(w, merge, Status.NOT_COHERENT)


def test_no_weight_is_too_large():
    w = pair()
    for e, ends in ((EDGE, (ONE, OTHER)), (BACK, (OTHER, ONE))):
        carry(w, e, *ends, (1 << 64) - 1)
    for carried, enough in ((2 * WEIGHT_LIMIT, True), (4 * WEIGHT_LIMIT, False), ((1 << 64) - 1, False)):
        w.own(ONE).carried = w.own(OTHER).carried = carried
        assert are_coherent(w.s, EDGE, BACK, ONE, OTHER) == enough


@pytest.mark.parametrize("length, more", [(0, 1), (7, 1), (8, 2), (16, 3)])
def test_a_message_counts_for_who_sends_it_and_for_who_receives_it(length, more):
    w = pair(0)
    pages = {p: w.data(p, FIRST_FREE + 200 + p) for p in (ONE, OTHER)}
    w.run(ONE)
    w.must("edge_send", w.handle(SENDS, ONE), pages[ONE], length, 0)
    assert [w.own(p).carried for p in (ONE, OTHER, ROOT)] == [more, 0, 0]
    w.run(OTHER)
    w.must("edge_receive", w.handle(HEARS, OTHER), pages[OTHER])
    assert [w.own(p).carried for p in (ONE, OTHER, ROOT)] == [more, more, 0]
    w.run(ROOT)
    assert merge(w) == Status.OK


def test_no_device_is_merged():
    """The third condition."""
    w = pair()
    w.s.device[31].leased, w.s.device[31].holder = True, ONE
    assert refused(w, merge, Status.STILL_LEASED)
    w.s.device[31].incarnation = 9
    assert merge(w) == Status.OK, "that was another incarnation"


def test_no_page_that_is_shared_is_joined():
    """The fourth condition: no page is writable for both at any time, and one that both see does not change sides."""
    w = pair()
    page = w.data(ONE, FIRST_FREE + 200)
    w.must("page_share", to(w, ONE), page, 1, to(w, OTHER))
    assert merge(w) == Status.OK
    w.must("page_unmap", to(w, ONE), page)
    assert w.call("page_transfer", to(w, ONE), page, to(w, OTHER)) == Status.STILL_SHARED
    w.must("page_unshare", to(w, ONE), page, 1)
    w.must("page_transfer", to(w, ONE), page, to(w, OTHER))


@pytest.mark.parametrize(
    "name, most", [("pages", PAGES_PER_PARTITION), ("agents_made", "agents"), ("units_made", "units")]
)
def test_there_is_room_for_both(name, most):
    """The fifth condition: the pages, agents and units of both fit the other one; also the rights on both, below."""
    for more, status in ((0, Status.OK), (1, Status.LIMIT_REACHED)):
        w = pair()
        w.own(OTHER).agents = w.own(OTHER).units = 8
        here = getattr(w.own(OTHER), name)
        room = (most if name == "pages" else getattr(w.own(OTHER), most)) - here
        setattr(w.own(ONE), name, room + more)
        assert merge(w) == Status.OK if status == Status.OK else refused(w, merge, status)


@pytest.mark.parametrize("half", [ONE, OTHER])
@pytest.mark.parametrize("state", [CREATED, HIBERNATED, SPLITTING, MERGING])
def test_only_who_has_started_is_merged(half, state):
    """The sixth condition: both run, or are suspended."""
    w = pair()
    w.own(half).state = state
    assert refused(w, merge, Status.WRONG_STATE)


def test_nothing_is_merged_without_a_proof():
    """The seventh condition."""
    w = pair()
    assert refused(
        w, lambda w: w.call("partition_merge", to(w, ONE), to(w, OTHER), EDGE, HEARS, BACK), Status.POLICY_VIOLATION
    )


@pytest.mark.parametrize("half", [ONE, OTHER])
@pytest.mark.parametrize("right", [Right.MERGE, Right.WRITE])
def test_a_merge_needs_its_rights_on_both(half, right):
    w = pair()
    w.slot(30 + half).rights = ALL_RIGHTS & ~right
    assert refused(w, merge, Status.INSUFFICIENT_RIGHTS)


def test_nothing_is_merged_with_itself_and_root_into_nobody():
    w = pair()
    assert refused(w, lambda w: merge(w, ONE, ONE), Status.INVALID_TARGET)
    assert refused(
        w, lambda w: w.proved("partition_merge", SLOT_OWN, to(w, OTHER), EDGE, HEARS, BACK), Status.INVALID_TARGET
    )
