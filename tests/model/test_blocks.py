"""Does large memory have one holder, is it zero when it gets one, and does it come back as a whole?"""

import itertools
import random

import pytest

from corollary.spec.kernel.block import (
    BEGINS,
    NOWHERE,
    SIZE,
    SPAN,
    any_dirty,
    covered,
    first_fit,
    heads_id,
    holds_blocks,
    runs,
)
from corollary.spec.kernel.limits import BANK_UNITS, BANKS, ORDERS, UNIT_PARTS, UNITS
from corollary.spec.kernel.vocabulary import Action, Ring
from tests.model.world import ROOT, SELF, SLOT_OWN, Allowance, Right, Status, World

ONE, OTHER = 1, 2


def clear(w, units):
    """Clear so many units, part by part."""
    for number in range(units * UNIT_PARTS):
        assert w.must("block_clean") == (UNIT_PARTS - 1 - number) % UNIT_PARTS
    return w


def cleared(units=8, lent=64):
    """Return a world with clean units, and two partitions that may have large memory."""
    w = World()
    for p in (ONE, OTHER):
        w.spawn(p)
        w.endow(p, units=lent)
    return clear(w, units)


def create(w, order, p=ONE):
    """Ask for a block."""
    return w.call("block_create", w.handle(30 + p) if p else SLOT_OWN, order)


def release(w, unit, p=ONE):
    """Give a block back."""
    return w.call("block_release", w.handle(30 + p) if p else SLOT_OWN, unit)


def blocks(s):
    """Return the blocks that there are: first unit, order and holder."""
    return sorted((unit, row.order, row.holder) for unit, row in s.block.rows.items() if row.used)


def clean(s):
    """Return the clean units."""
    return {64 * b + i for b in range(BANKS) for i in range(BANK_UNITS) if s.bank[b].clean >> i & 1}


def dirty(s):
    """Return the dirty units."""
    known = [s.bank[b].clean | s.bank[b].taken for b in range(BANKS)]
    return {64 * b + i for b in range(BANKS) for i in range(BANK_UNITS) if not known[b] >> i & 1}


def counted(s):
    """Is each unit in one place, and is what each partition counts what it has?"""
    held = [unit for first, order, _ in blocks(s) for unit in range(first, first + SIZE[order])]
    assert sorted([*held, *clean(s), *dirty(s)]) == list(range(UNITS))
    for p in range(3):
        assert s.partition[p].units_made == sum(SIZE[order] for _, order, holder in blocks(s) if holder == p)
        listed = {64 * b + i for b in range(BANKS) for i in range(BANK_UNITS) if s.heads[heads_id(p, b)] >> i & 1}
        assert listed == {unit for unit, _, holder in blocks(s) if holder == p}
    return True


def test_all_is_dirty_at_first_and_nobody_gets_it():
    w = World()
    assert dirty(w.s) == set(range(UNITS)) and not clean(w.s) and blocks(w.s) == []
    assert [create(w, order, ROOT) for order in range(ORDERS)] == [Status.NO_BLOCK] * ORDERS
    assert w.own(ROOT).units == UNITS and counted(w.s)


def test_a_unit_is_clean_when_all_of_its_parts_were_cleared():
    w = World()
    for part in range(UNIT_PARTS - 1):
        assert w.must("block_clean") == UNIT_PARTS - 1 - part
        assert create(w, 0, ROOT) == Status.NO_BLOCK
    assert w.must("block_clean") == 0 and clean(w.s) == {0}
    assert w.newest.kind == Action.REGION_CLEAN
    assert create(w, 0, ROOT) == Status.OK and blocks(w.s) == [(0, 0, ROOT)]
    assert create(w, 0, ROOT) == Status.NO_BLOCK and counted(w.s)


def test_whoever_may_call_may_clean():
    w = cleared(0)
    w.s.partition[ONE].ring = Ring.SANDBOX
    w.run(ONE)
    clear(w, 1)
    assert clean(w.s) == {0}


def test_blocks_begin_at_multiples_of_their_size():
    w = cleared(8)
    assert [create(w, order) for order in (0, 1, 2)] == [Status.OK] * 3
    assert blocks(w.s) == [(0, 0, ONE), (2, 1, ONE), (4, 2, ONE)]
    assert create(w, 1) == Status.NO_BLOCK and clean(w.s) == {1}
    assert create(w, 0, OTHER) == Status.OK and w.last.result[0] == 1
    assert counted(w.s) and w.own(ONE).units_made == 7 and w.own(OTHER).units_made == 1


def test_buddies_come_together():
    w = cleared(4)
    for _ in range(4):
        assert create(w, 0) == Status.OK
    for unit in (0, 2, 3, 1):
        assert release(w, unit) == Status.OK
    assert create(w, 2) == Status.NO_BLOCK
    clear(w, 4)
    assert create(w, 2) == Status.OK and blocks(w.s) == [(0, 2, ONE)] and counted(w.s)


def test_a_block_that_is_released_is_dirty_and_is_not_released_again():
    w = cleared(2)
    assert create(w, 1) == Status.OK
    assert release(w, 0) == Status.OK and w.newest.kind == Action.REGION_DESTROY
    assert {0, 1} <= dirty(w.s) and not clean(w.s) and w.own(ONE).units_made == 0
    assert release(w, 0) == Status.NOT_HELD and counted(w.s)
    assert create(w, 0) == Status.NO_BLOCK


@pytest.mark.parametrize("unit", [1, 2, 3, UNITS - 1])
def test_only_the_first_unit_names_a_block(unit):
    w = cleared(2)
    assert create(w, 1) == Status.OK
    assert release(w, unit) == Status.NOT_HELD and blocks(w.s) == [(0, 1, ONE)]


def test_nobody_releases_the_block_of_another():
    w = cleared(1)
    assert create(w, 0) == Status.OK
    assert release(w, 0, OTHER) == release(w, 0, ROOT) == Status.NOT_HELD
    w.must("capability_grant", w.handle(30 + ONE), 50, Right.READ | Right.EXECUTE, SELF, 0)
    assert w.call("block_release", w.handle(50), 0) == Status.INSUFFICIENT_RIGHTS
    assert w.call("block_create", w.handle(50), 0) == Status.INSUFFICIENT_RIGHTS
    assert blocks(w.s) == [(0, 0, ONE)]


@pytest.mark.parametrize("arguments", [("block_create", SLOT_OWN, ORDERS), ("block_release", SLOT_OWN, UNITS)])
def test_what_is_out_of_range_is_refused(arguments):
    assert World().call(*arguments) == Status.BAD_ARGUMENT


def test_units_are_lent():
    w = cleared(8, lent=4)
    assert w.own(ROOT).units == UNITS - 8
    assert create(w, 3) == Status.LIMIT_REACHED
    assert create(w, 2) == Status.OK and create(w, 0) == Status.LIMIT_REACHED
    assert release(w, 0) == Status.OK
    assert w.call("partition_endow", w.handle(30 + ONE), Allowance.UNITS, UNITS) == Status.LIMIT_REACHED
    w.endow(ONE, units=60)
    assert w.own(ONE).units == 64 and w.own(ROOT).units == UNITS - 68


def test_who_made_blocks_keeps_the_units_for_them():
    w = cleared(2, lent=32)
    assert create(w, 1, ROOT) == Status.OK
    w.endow(ONE, units=UNITS - 2 * 32 - 2)
    assert w.call("partition_endow", w.handle(30 + ONE), Allowance.UNITS, 1) == Status.LIMIT_REACHED


def test_with_a_partition_its_blocks_go_one_by_one():
    w = cleared(8)
    for order in (0, 1, 2):
        assert create(w, order) == Status.OK
    handle = w.handle(30 + ONE)
    assert w.proved("partition_destroy", handle) == Status.OK
    assert create(w, 0) == Status.WRONG_STATE
    left = []
    while w.must("partition_release", handle) or w.last.result[1] != NOWHERE:
        left.append(w.last.result[1])
        assert w.call("partition_reclaim", handle) == Status.STILL_HOLDING
        assert release(w, left[-1]) == Status.OK and counted(w.s)
    assert left == [0, 2, 4] and not holds_blocks(w.s, ONE)
    while w.own(ONE).records:
        w.drain()
    w.must("partition_reclaim", handle)
    assert (w.own(ONE).units, w.own(ONE).units_made, w.own(ROOT).units) == (0, 0, UNITS - 64)
    assert clean(w.s) == {1} and dirty(w.s) == set(range(UNITS)) - {1} and blocks(w.s) == []


def test_nothing_is_cleaned_when_nothing_is_dirty():
    w = World()
    for b in range(BANKS):
        w.s.bank[b].clean = (1 << 64) - 1
    assert not any_dirty(w.s) and w.call("block_clean") == Status.WRONG_STATE
    assert [create(w, ORDERS - 1, ROOT) for _ in range(5)] == [Status.OK] * 4 + [Status.LIMIT_REACHED]
    assert blocks(w.s) == [(unit, ORDERS - 1, ROOT) for unit in range(0, UNITS, 32)] and counted(w.s)
    assert all(covered(w.s, unit) for unit in range(UNITS))


def test_a_release_does_not_disturb_what_is_being_cleared():
    w = cleared(1)
    assert create(w, 0) == Status.OK
    w.must("block_clean")
    assert w.s.cleaning == 1 and release(w, 0) == Status.OK
    assert w.must("block_clean") == UNIT_PARTS - 2 and w.s.cleaning == 1
    clear_rest = [w.must("block_clean") for _ in range(UNIT_PARTS - 2)]
    assert clear_rest[-1] == 0 and clean(w.s) == {1}
    w.must("block_clean")
    assert w.s.cleaning == 0


def by_hand(units, order):
    """Return where a block of an order can begin, by trying every place."""
    size = SIZE[order]
    return {at for at in range(0, BANK_UNITS, size) if all(units >> unit & 1 for unit in range(at, at + size))}


@pytest.mark.parametrize("order", range(ORDERS))
def test_runs_are_what_trying_every_place_finds(order):
    chosen = random.Random(order)
    masks = [0, (1 << 64) - 1, SPAN[order], BEGINS[order], *(chosen.getrandbits(64) for _ in range(50))]
    masks += [one | other for one, other in itertools.combinations(masks[-8:], 2)]
    for units in masks:
        found = runs(units, order)
        assert {at for at in range(BANK_UNITS) if found >> at & 1} == by_hand(units, order)
        w = World()
        w.s.bank[1].clean = units
        assert first_fit(w.s, order) == (64 + min(by_hand(units, order)) if by_hand(units, order) else NOWHERE)
