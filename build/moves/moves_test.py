

# ---- capabilities of halves


def change_sides(w, name, slot=5, target=20, p=ONE, q=OTHER):
    """Ask for a capability of one half to go to the other one, or to both."""
    return w.call(name, to(w, p), slot, to(w, q), target)


def holding(rights=ALL_RIGHTS):
    """Return a world with halves; the first one has a capability on the third partition, and passed it on to that."""
    w = whole()
    w.spawn(THIRD)
    w.give(to(w, THIRD), ONE, 5, rights)
    w.run(ONE).must("capability_grant", w.handle(5, ONE), 6, Right.READ, w.handle(5, ONE), 0)
    w.run(ROOT)
    assert split(w) == Status.OK
    return w


def held(w, p, slot):
    """Return what a slot of a partition holds, but for its rights."""
    row = w.slot(slot, p)
    return (row.kind, row.object, row.incarnation, row.depth, row.parent, row.parent_lineage, row.badge)


def living(w, p, slot):
    """Is what a slot holds live?"""
    return live(w.s, p << 6 | slot)


def test_a_capability_goes_to_the_other_half_and_is_gone_where_it_was():
    w = holding()
    before, old = held(w, ONE, 5), w.handle(5, ONE)
    assert living(w, ONE, 5) and living(w, THIRD, 6)
    assert change_sides(w, "capability_move") == Status.OK and w.newest.kind == Action.CAPABILITY_DELEGATE
    assert held(w, OTHER, 20) == before and w.slot(20, OTHER).rights == ALL_RIGHTS
    assert w.slot(5, ONE).kind == ObjectKind.NONE and w.handle(5, ONE) != old
    assert living(w, OTHER, 20) and not living(w, THIRD, 6)
    w.must("capability_revoke", to(w, THIRD))
    assert not living(w, OTHER, 20), "it hangs where it hung before"


def test_what_both_halves_have_is_to_read():
    w = holding()
    before = held(w, ONE, 5)
    assert change_sides(w, "capability_halve") == Status.OK and w.newest.kind == Action.CAPABILITY_ATTENUATED
    for p, slot in ((ONE, 5), (OTHER, 20)):
        assert held(w, p, slot) == before and w.slot(slot, p).rights == Right.READ and living(w, p, slot)
    assert not living(w, THIRD, 6)


def test_nothing_that_was_not_there_to_read_is_there_to_read_afterwards():
    w = holding(Right.WRITE | Right.READ | Right.GRANT)
    w.slot(5, ONE).rights = Right.WRITE
    assert change_sides(w, "capability_halve") == Status.OK
    assert w.slot(5, ONE).rights == w.slot(20, OTHER).rights == 0


def test_a_capability_of_the_kernels_making_stays_one():
    w = whole()
    w.endow(ONE, partitions=1)
    w.give(SLOT_SCHEDULER, ONE, 1)
    w.run(ONE).must("partition_create", w.handle(1, ONE), 5, 9, 10)
    w.run(ROOT)
    assert split(w) == Status.OK and change_sides(w, "capability_move", 9) == Status.OK
    assert (w.slot(20, OTHER).depth, w.slot(20, OTHER).parent) == (0, OTHER << 6 | 20) and living(w, OTHER, 20)


@pytest.mark.parametrize("name", ["capability_move", "capability_halve"])
def test_only_halves_take_sides(name):
    w = holding()
    assert change_sides(w, name, q=THIRD) == change_sides(w, name, p=THIRD) == Status.WRONG_STATE
    assert change_sides(w, name, slot=7) == Status.INVALID_HANDLE
    w.s.capability[OTHER << 6 | 20].kind = ObjectKind.REGION
    assert change_sides(w, name) == Status.SLOT_IN_USE
    w.s.capability[30 + OTHER].rights = Right.READ
    assert change_sides(w, name) == Status.INSUFFICIENT_RIGHTS
    w.s.capability[30 + OTHER].rights = ALL_RIGHTS
    w.must("partition_settle", to(w, OTHER))
    assert change_sides(w, name, target=21) == Status.WRONG_STATE


@pytest.mark.parametrize("name", ["capability_move", "capability_halve"])
def test_an_edge_stays_with_who_made_it(name):
    w = whole()
    w.endow(ONE, edges=1)
    w.give(SLOT_SCHEDULER, ONE, 1)
    w.run(ONE).must("edge_create", w.handle(1, ONE), EDGE, 9, 0)
    w.run(ROOT)
    assert split(w) == Status.OK and change_sides(w, name, 9) == Status.WRONG_OBJECT


def test_who_is_merged_ends_when_its_capabilities_have_changed_sides():
    w = pair()
    assert merge(w) == Status.OK
    first = FIRST_FREE + 16 * ONE
    for child in (first + 2, first + 1):
        w.must("page_unmap", to(w, ONE), child)
        w.must("page_release", to(w, ONE), child)
    assert w.proved("partition_destroy", to(w, ONE)) == Status.STILL_HOLDING
    assert change_sides(w, "capability_move", SENDS) == Status.OK and living(w, OTHER, 20)
    assert w.proved("partition_destroy", to(w, ONE)) == Status.OK
    assert living(w, OTHER, 20), "what has changed sides outlives where it was"
