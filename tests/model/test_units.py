"""Who reaches a unit of large memory, at which address, and from when until when?"""

import random

import pytest

from corollary.language.values import local
from corollary.model.kernel.unit import flush_unit
from corollary.spec.kernel.block import heads_id
from corollary.spec.kernel.hardware import VTCR, VTCR_T0SZ, Walk, stage2_walk, vttbr
from corollary.spec.kernel.limits import ALL_USE, UNITS
from corollary.spec.kernel.unit import unit_descriptor
from corollary.spec.kernel.vocabulary import Access, Action, Heat
from tests.model.properties import broken
from tests.model.test_blocks import ONE, OTHER, blocks, cleared, create, dirty, release
from tests.model.walker import FAULT, reader, walk
from tests.model.world import FIRST_FREE, ROOT, SELF, PageKind, Right, Status, region_of

R, W, X = Access.READ, Access.WRITE, Access.EXECUTE
GiB, MiB = 1 << 30, 1 << 20
TABLE = {p: FIRST_FREE + 16 * p + 3 for p in (ONE, OTHER)}
LARGE = 3 * GiB  # where the table of units begins, as a partition sees it


def with_tables(units=8):
    """Return a world with clean units, and two partitions with a table of units each."""
    w = cleared(units)
    for p in (ONE, OTHER):
        w.page(p, TABLE[p], PageKind.TABLE_UNITS)
        w.must("table_link", w.handle(30 + p), TABLE[p] - 3, LARGE // GiB, TABLE[p])
    return w


def with_block(order=1):
    """Return such a world, in which partition 1 has the block of an order that begins with unit 0."""
    w = with_tables()
    assert create(w, order) == Status.OK and w.last.result[0] == 0
    return w


def map_unit(w, unit, entry, access=R | W, p=ONE, head=0, table=None):
    """Ask to map a unit."""
    table = TABLE[p] if table is None else table
    return w.call("block_map", w.handle(30 + p), head, unit, table, entry, access)


def unmap(w, unit, p=ONE, head=0):
    """Ask to take a unit out of its table."""
    return w.call("block_unmap", w.handle(30 + p), head, unit)


def hand(w, unit, p=ONE, into=OTHER):
    """Ask to hand a block on."""
    return w.call("block_transfer", w.handle(30 + p), unit, SELF if into == ROOT else w.handle(30 + into))


def reach(w, p, address):
    """Return the unit that the hardware reaches, and how, by both readings of the manual."""
    found = local(Walk)
    stage2_walk(w.s, VTCR, vttbr(w.s, p), address, found)
    assert not found.outside and (found.fault or found.large)
    told = FAULT if found.fault else (found.unit, found.access)
    assert told == walk(reader(w.s), VTCR_T0SZ, 1, vttbr(w.s, p), address)
    return told


def at(entry, offset=0):
    """Return the address of an entry of the table of units, as its partition sees it."""
    return LARGE + entry * 2 * MiB + offset


def test_a_unit_is_reached_where_it_was_mapped_and_nowhere_else():
    w = with_block()
    assert reach(w, ONE, at(5)) == FAULT
    assert map_unit(w, 1, 5) == Status.OK and w.newest.kind == Action.REGION_MAP
    assert reach(w, ONE, at(5)) == reach(w, ONE, at(5, 2 * MiB - 8)) == (1, R | W)
    assert reach(w, ONE, at(4, 2 * MiB - 8)) == reach(w, ONE, at(6)) == reach(w, OTHER, at(5)) == FAULT
    assert (w.s.block[0].linked, w.s.unit[1].cached, w.s.unit[1].head) == (2, True, 0)
    assert not broken(w.s)


@pytest.mark.parametrize("access", [R, W, R | W])
def test_a_unit_is_mapped_with_the_access_that_is_named(access):
    w = with_block()
    assert map_unit(w, 0, 511, access) == Status.OK and reach(w, ONE, at(511)) == (0, access)


@pytest.mark.parametrize("access", [0, X, R | X, R | W | X])
def test_a_unit_is_never_executed(access):
    w = with_block()
    assert map_unit(w, 0, 0, access) == Status.WRITE_XOR_EXECUTE and reach(w, ONE, at(0)) == FAULT


def test_a_unit_is_in_one_place_and_an_entry_leads_to_one():
    w = with_block()
    assert map_unit(w, 0, 3) == Status.OK
    assert map_unit(w, 0, 4) == Status.ALREADY_LINKED and map_unit(w, 1, 3) == Status.ENTRY_IN_USE
    assert map_unit(w, 1, 4) == Status.OK
    assert (reach(w, ONE, at(3)), reach(w, ONE, at(4))) == ((0, R | W), (1, R | W))


def test_a_unit_that_is_taken_out_is_reached_no_more_and_can_come_back():
    w = with_block()
    assert unmap(w, 0) == Status.NOT_LINKED
    assert map_unit(w, 0, 3) == map_unit(w, 1, 4) == Status.OK
    assert unmap(w, 0) == Status.OK and w.newest.kind == Action.REGION_UNMAP
    assert (reach(w, ONE, at(3)), reach(w, ONE, at(4))) == (FAULT, (1, R | W))
    assert not w.s.unit[0].cached and w.s.block[0].linked == 2
    assert unmap(w, 0) == Status.NOT_LINKED and map_unit(w, 0, 9, R) == Status.OK
    assert reach(w, ONE, at(9)) == (0, R) and not broken(w.s)


def test_a_flush_forgets_nothing_that_still_stands_in_a_table():
    w = with_block()
    assert map_unit(w, 0, 3) == Status.OK
    flush_unit(w.s, 0, vttbr(w.s, ONE))
    assert w.s.unit[0].cached
    w.s.memory[TABLE[ONE]].word[3] = 0
    flush_unit(w.s, 0, vttbr(w.s, OTHER))
    assert w.s.unit[0].cached
    flush_unit(w.s, 0, vttbr(w.s, ONE))
    assert not w.s.unit[0].cached


@pytest.mark.parametrize("unit, head", [(2, 0), (UNITS - 1, 0), (64, 0), (1, 1), (2, 2)])
def test_only_units_of_a_block_are_mapped(unit, head):
    w = with_block()
    assert map_unit(w, unit, 0, head=head) == Status.NOT_HELD and reach(w, ONE, at(0)) == FAULT


def test_nobody_maps_the_unit_of_another_or_into_the_table_of_another():
    w = with_block()
    assert map_unit(w, 0, 0, p=OTHER) == Status.NOT_HELD
    assert map_unit(w, 0, 0, table=TABLE[OTHER]) == Status.NOT_OWNER
    assert map_unit(w, 0, 0) == Status.OK
    assert unmap(w, 0, p=OTHER) == Status.NOT_HELD and reach(w, ONE, at(0)) == (0, R | W)
    w.must("capability_grant", w.handle(30 + ONE), 50, Right.READ | Right.EXECUTE, SELF, 0)
    for name, rest in (("block_map", (0, 1, TABLE[ONE], 1, R)), ("block_unmap", (0, 0)), ("block_transfer", (0, SELF))):
        assert w.call(name, w.handle(50), *rest) == Status.INSUFFICIENT_RIGHTS


@pytest.mark.parametrize("offset", [0, 1, 2])
def test_units_are_linked_in_no_other_table(offset):
    w = with_block()
    assert map_unit(w, 0, 100, table=TABLE[ONE] - 3 + offset) == Status.WRONG_PAGE_KIND


def test_a_table_of_units_takes_no_page_and_no_table():
    w = with_block()
    page = w.page(ONE, FIRST_FREE + 16 * ONE + 5)
    lower = w.page(ONE, page + 1, PageKind.TABLE_3)
    for kind in (PageKind.TABLE_2, PageKind.TABLE_UNITS):
        other = w.page(ONE, page + 2 + (kind == PageKind.TABLE_2), kind)
        assert w.call("table_link", w.handle(31), TABLE[ONE], 0, other) == Status.WRONG_PAGE_KIND
    assert w.call("table_link", w.handle(31), TABLE[ONE], 0, lower) == Status.WRONG_PAGE_KIND
    assert w.call("page_map", w.handle(31), page, TABLE[ONE], 0, R) == Status.WRONG_PAGE_KIND
    assert w.call("table_link", w.handle(31), TABLE[ONE] - 2, 1, TABLE[ONE]) == Status.WRONG_PAGE_KIND


def test_a_block_stays_while_a_unit_of_it_is_linked():
    w = with_block()
    assert map_unit(w, 1, 0) == Status.OK
    assert release(w, 0) == hand(w, 0) == Status.STILL_SHARED and blocks(w.s) == [(0, 1, ONE)]
    assert unmap(w, 1) == release(w, 0) == Status.OK
    assert {0, 1} <= dirty(w.s) and reach(w, ONE, at(0)) == FAULT


def test_a_table_that_is_gone_leaves_its_units_to_be_taken_out():
    w = with_block()
    assert map_unit(w, 1, 0) == Status.OK
    w.must("page_unmap", w.handle(31), TABLE[ONE])
    w.must("page_release", w.handle(31), TABLE[ONE])
    assert reach(w, ONE, at(0)) == FAULT and w.s.unit[1].cached and not broken(w.s)
    assert release(w, 0) == Status.STILL_SHARED
    w.must("page_create", region_of(TABLE[ONE]), TABLE[ONE], PageKind.TABLE_UNITS, w.handle(30 + OTHER))
    assert create(w, 0, OTHER) == Status.OK and w.last.result[0] == 2
    assert map_unit(w, 2, 0, p=OTHER, head=2, table=TABLE[ONE]) == Status.OK
    assert unmap(w, 1) == Status.OK and w.s.memory[TABLE[ONE]].word[0] == unit_descriptor(2, R | W)
    assert release(w, 0) == Status.OK and not broken(w.s)


def test_a_block_is_handed_on_whole_and_belongs_to_one():
    w = with_block()
    assert map_unit(w, 0, 0) == map_unit(w, 1, 1) == unmap(w, 0) == unmap(w, 1) == Status.OK
    assert hand(w, 0) == Status.OK and w.newest.kind == Action.REGION_TRANSFER
    assert blocks(w.s) == [(0, 1, OTHER)] and not dirty(w.s) & {0, 1}
    assert (w.own(ONE).units_made, w.own(OTHER).units_made) == (0, 2)
    assert (w.s.heads[heads_id(ONE, 0)], w.s.heads[heads_id(OTHER, 0)]) == (0, 1)
    assert map_unit(w, 0, 0) == release(w, 0) == hand(w, 0) == Status.NOT_HELD
    assert map_unit(w, 0, 7, p=OTHER) == Status.OK
    assert (reach(w, OTHER, at(7)), reach(w, ONE, at(0)), reach(w, ONE, at(7))) == ((0, R | W), FAULT, FAULT)
    assert not broken(w.s)


def test_a_block_is_not_handed_to_whom_it_cannot_go():
    w = with_block(2)
    assert hand(w, 1) == hand(w, 0, p=OTHER, into=ONE) == Status.NOT_HELD
    assert hand(w, 0, into=ONE) == Status.INVALID_TARGET
    w.must("capability_grant", w.handle(30 + OTHER), 50, Right.READ, SELF, 0)
    assert w.call("block_transfer", w.handle(31), 0, w.handle(50)) == Status.INSUFFICIENT_RIGHTS
    w.s.partition[OTHER].units = 3
    assert hand(w, 0) == Status.LIMIT_REACHED and blocks(w.s) == [(0, 2, ONE)]
    w.s.partition[OTHER].units = 4
    assert hand(w, 0) == Status.OK
    assert w.call("block_transfer", w.handle(30 + OTHER), 0, SELF) == Status.LIMIT_REACHED


def test_sixteen_mebibytes_move_in_seventeen_calls():
    w = with_block(3)
    for unit in range(8):
        assert map_unit(w, unit, unit) == Status.OK
    began = w.s.sequence
    assert [unmap(w, unit) for unit in range(8)] == [Status.OK] * 8 and hand(w, 0) == Status.OK
    assert [map_unit(w, unit, unit, p=OTHER) for unit in range(8)] == [Status.OK] * 8
    assert w.s.sequence - began == 17
    assert [reach(w, OTHER, at(unit)) for unit in range(8)] == [(unit, R | W) for unit in range(8)]
    assert [reach(w, ONE, at(unit)) for unit in range(8)] == [FAULT] * 8 and not broken(w.s)


def test_units_of_a_destroyed_partition_are_taken_out_by_who_clears_up():
    w = with_block()
    assert map_unit(w, 0, 0) == Status.OK
    assert w.proved("partition_destroy", w.handle(31)) == Status.OK
    assert map_unit(w, 1, 1) == Status.NOT_OWNER and release(w, 0) == Status.STILL_SHARED
    while w.must("partition_release", w.handle(31)):
        assert not broken(w.s)
    assert unmap(w, 0) == hand(w, 0) == Status.OK and blocks(w.s) == [(0, 1, OTHER)]


def test_a_store_into_a_unit_changes_nothing_that_the_kernel_keeps():
    w = with_block()
    assert map_unit(w, 0, 0) == Status.OK
    kept = {page: dict(row.word.rows) for page, row in w.s.memory.rows.items()}
    w.store(ONE, at(0, 8), 0x1234)
    assert {page: dict(row.word.rows) for page, row in w.s.memory.rows.items()} == kept


def test_both_readings_of_the_manual_agree_about_any_descriptor():
    w, source = with_block(), random.Random(7)
    assert map_unit(w, 0, 0) == Status.OK
    word, told = w.s.memory[TABLE[ONE]].word[0], set()
    for changed in [1 << bit for bit in range(64)] + [source.getrandbits(64) & ~3 for _ in range(200)]:
        w.s.memory[TABLE[ONE]].word[0] = word ^ changed
        found = local(Walk)
        stage2_walk(w.s, VTCR, vttbr(w.s, ONE), at(0), found)
        one = FAULT if found.fault else "outside" if found.outside else (found.unit or found.page, found.access)
        assert one == walk(reader(w.s), VTCR_T0SZ, 1, vttbr(w.s, ONE), at(0)), hex(changed)
        told.add(one if isinstance(one, str) else one[0])
    assert {FAULT, "outside", 0, 1, 64} <= told


# ---- tiers

HOT, WARM, DORMANT, COLD = Heat
LIMITS = {(HOT, WARM): 7000, (WARM, DORMANT): 4000, (DORMANT, COLD): 1000}  # below
BACK = {(WARM, HOT): 8000, (DORMANT, WARM): 5000, (COLD, DORMANT): 1000}  # from


def retier(w, old, new, use, unit=0, p=ONE):
    """Ask to move a block to another tier."""
    return w.call("block_retier", w.handle(30 + p), unit, old, new, use)


def test_a_block_cools_down_tier_by_tier_and_comes_back():
    w = with_block()
    assert w.s.block[0].heat == HOT
    for (old, new), limit in [*LIMITS.items(), *reversed(BACK.items())]:
        cools = new > old
        assert retier(w, old, new, limit if cools else limit - 1) == Status.NOT_DUE and w.s.block[0].heat == old
        assert retier(w, old, new, limit - 1 if cools else limit) == Status.OK and w.s.block[0].heat == new
        assert w.newest.kind == Action.REGION_RETIER and not broken(w.s)


@pytest.mark.parametrize("old", Heat)
@pytest.mark.parametrize("new", Heat)
def test_no_tier_is_left_out(old, new):
    w = with_block()
    w.s.block[0].heat = old
    assert retier(w, Heat((old + 1) % 4), new, 0) == Status.WRONG_STATE
    told = {retier(w, old, new, use) for use in (0, ALL_USE)}
    assert (Status.OK in told) == (abs(new - old) == 1)


def test_what_is_linked_is_neither_dormant_nor_cold():
    w = with_block()
    assert map_unit(w, 0, 0) == retier(w, HOT, WARM, 0) == Status.OK
    assert retier(w, WARM, DORMANT, 0) == Status.STILL_SHARED
    assert unmap(w, 0) == retier(w, WARM, DORMANT, 0) == Status.OK
    assert map_unit(w, 0, 0) == Status.WRONG_STATE and retier(w, DORMANT, COLD, 0) == Status.OK
    assert map_unit(w, 0, 0) == Status.WRONG_STATE and retier(w, COLD, DORMANT, 1000) == Status.OK
    assert retier(w, DORMANT, WARM, 5000) == map_unit(w, 0, 0) == Status.OK and not broken(w.s)


def test_a_block_keeps_its_tier_when_it_is_handed_on_and_begins_hot_again():
    w = with_block()
    assert retier(w, HOT, WARM, 0) == retier(w, WARM, DORMANT, 0) == hand(w, 0) == Status.OK
    assert w.s.block[0].heat == DORMANT and retier(w, DORMANT, WARM, 5000) == Status.NOT_HELD
    assert retier(w, DORMANT, WARM, 5000, p=OTHER) == release(w, 0, OTHER) == Status.OK
    for _ in range(2, 8):
        assert create(w, 0) == Status.OK
    while dirty(w.s) & {0, 1}:
        w.must("block_clean")
    assert create(w, 1) == Status.OK and (w.last.result[0], w.s.block[0].heat) == (0, HOT)
