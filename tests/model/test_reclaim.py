"""Can the holder of a region's revocation right take its pages back from anyone?

The pages are zeroed, and nothing refers to them any more.
"""

import pytest

from corollary.spec.kernel.memory import mapping_id
from corollary.spec.kernel.vocabulary import PartitionState
from tests.model.properties import broken
from tests.model.test_memory import FAULT, reach
from tests.model.world import (
    ALL_RIGHTS,
    FIRST_FREE,
    GUEST_BASE,
    ROOT,
    SELF,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_REGIONS,
    Access,
    PageKind,
    Right,
    Status,
    World,
    region_of,
)

PAGE, OTHER = FIRST_FREE + 100, FIRST_FREE + 101
ROOT_OF_1, TABLE_OF_1 = FIRST_FREE + 16, FIRST_FREE + 18
READERS_ENTRY = 9
RUNNING, SUSPENDED, HIBERNATED = PartitionState.RUNNING, PartitionState.SUSPENDED, PartitionState.HIBERNATED


def address_of(entry):
    return GUEST_BASE + (entry << 12)


def tenant():
    """Return a running partition with two pages of a region that the root partition lent it."""
    w = World()
    handle = w.spawn(1)
    w.data(1, PAGE)
    w.data(1, OTHER)
    w.store(1, address_of(PAGE & 511), 0x5EC2E7)
    return w, handle


def test_a_revoked_region_gives_its_pages_back_though_the_tenant_does_not():
    w, _ = tenant()
    w.must("capability_revoke", region_of(PAGE))
    assert w.call("page_create", region_of(PAGE), PAGE, PageKind.DATA, SELF) == Status.PAGE_IN_USE
    w.must("region_reclaim", region_of(PAGE), PAGE)
    assert w.s.page[PAGE].kind == PageKind.FREE and not any(w.s.memory[PAGE].word.rows.values())
    assert reach(w, 1, address_of(PAGE & 511)) == FAULT
    w.must("page_create", region_of(PAGE), PAGE, PageKind.DATA, SELF)
    assert broken(w.s) is None


def test_the_tenant_keeps_its_other_pages():
    w, _ = tenant()
    w.store(1, address_of(OTHER & 511), 7)
    w.must("region_reclaim", region_of(PAGE), PAGE)
    assert (
        reach(w, 1, address_of(OTHER & 511)) == (OTHER, Access.READ | Access.WRITE) and w.s.memory[OTHER].word[0] == 7
    )
    assert w.own(1).state == RUNNING and w.own(1).pages == 4


def test_readers_lose_a_page_that_is_taken_back():
    w, handle = tenant()
    reader = w.spawn(2)
    w.must("page_share", handle, PAGE, 1, reader)
    w.must("share_map", reader, PAGE, 1, FIRST_FREE + 34, READERS_ENTRY)
    w.must("region_reclaim", region_of(PAGE), PAGE)
    share = w.s.mapping[mapping_id(PAGE, 1)]
    assert reach(w, 2, address_of(READERS_ENTRY)) == FAULT and not share.used and not share.linked and not share.cached


def test_a_table_that_is_taken_back_takes_what_it_led_to_out_of_reach():
    w, handle = tenant()
    w.must("region_reclaim", region_of(TABLE_OF_1), TABLE_OF_1)
    assert reach(w, 1, address_of(PAGE & 511)) == FAULT and w.s.page[PAGE].owner == 1
    w.must("page_unmap", handle, PAGE)  # the former link is still known, though gone
    assert broken(w.s) is None


@pytest.mark.parametrize("before, after", [(RUNNING, HIBERNATED), (SUSPENDED, HIBERNATED), (HIBERNATED, HIBERNATED)])
def test_without_its_stage_2_root_a_partition_rests(before, after):
    w, handle = tenant()
    if before != RUNNING:
        w.must("partition_suspend", handle)
    if before == HIBERNATED:
        assert w.proved("partition_hibernate", handle) == Status.OK
    w.must("region_reclaim", region_of(ROOT_OF_1), ROOT_OF_1)
    row = w.own(1)
    assert (row.state, row.rooted, row.walked) == (after, False, False) and broken(w.s) is None


def test_it_runs_again_from_another_root():
    w, handle = tenant()
    w.must("region_reclaim", region_of(ROOT_OF_1), ROOT_OF_1)
    assert w.proved("partition_reconstruct", handle) == Status.OK
    assert w.call("partition_start", handle, GUEST_BASE) == Status.WRONG_STATE
    w.page(1, ROOT_OF_1, PageKind.TABLE_1)
    w.must("table_root", handle, ROOT_OF_1)
    w.must("partition_start", handle, GUEST_BASE)
    assert w.own(1).state == RUNNING and broken(w.s) is None


def test_who_takes_its_own_root_stops():
    w, handle = tenant()
    w.give(region_of(ROOT_OF_1), 1, 5)
    w.run(1).must("region_reclaim", 5, ROOT_OF_1)
    assert w.s.current != 1 and w.own(1).state == HIBERNATED and broken(w.s) is None


def test_what_a_destroyed_partition_holds_is_taken_back_too():
    w, handle = tenant()
    assert w.proved("partition_destroy", handle) == Status.OK
    for page in (ROOT_OF_1, PAGE):
        w.must("region_reclaim", region_of(page), page)
    assert broken(w.s) is None
    for _ in range(8 + w.own(1).pages):
        w.must("partition_release", handle)
    assert w.own(1).pages == 0


def test_refusals_are_exact():
    w, _ = tenant()
    inside = FIRST_FREE + 102
    weak = w.must("capability_grant", region_of(PAGE), 50, ALL_RIGHTS & ~Right.REVOKE & ~Right.GRANT_ONCE, SELF, 0)
    assert w.call("region_reclaim", SLOT_REGIONS, PAGE) == Status.WRONG_OBJECT  # another region
    assert w.call("region_reclaim", SLOT_LOG, PAGE) == Status.WRONG_OBJECT  # no region
    assert w.call("region_reclaim", SLOT_OWN, PAGE) == Status.WRONG_OBJECT
    assert w.call("region_reclaim", region_of(inside), inside) == Status.WRONG_STATE  # free
    assert w.call("region_reclaim", weak, PAGE) == Status.INSUFFICIENT_RIGHTS
    assert w.call("region_reclaim", region_of(PAGE), 1024) == Status.BAD_ARGUMENT
    w.s.page[inside].kind = PageKind.KERNEL
    assert w.call("region_reclaim", region_of(inside), inside) == Status.WRONG_STATE  # the kernel's
    assert w.s.page[PAGE].owner == 1 and w.own(ROOT).state == RUNNING
