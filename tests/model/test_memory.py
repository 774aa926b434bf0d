"""Whose is a page, which pages does a stage-2 walk reach, and what must be gone before a page is reused?"""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corollary.language.values import local
from corollary.spec.kernel.hardware import POOL_BASE, VTCR, VTCR_T0SZ, Walk, permitted, stage2_walk, vttbr
from corollary.spec.kernel.limits import PAGE_WORDS, PAGES, PAGES_PER_PARTITION
from corollary.spec.kernel.memory import isolation, leaf_descriptor, mapping_id, ordinal_of, refers_to, single_writer
from corollary.spec.kernel.state import Kernel
from tests.model.walker import FAULT, OUTSIDE, reader, walk
from tests.model.world import (
    FIRST_DATA,
    FIRST_FREE,
    GUEST_BASE,
    ROOT,
    SELF,
    SLOT_OWN,
    SLOT_REGIONS,
    Access,
    PageKind,
    Right,
    Status,
    World,
    region_of,
)

R, W, X = Access.READ, Access.WRITE, Access.EXECUTE
FREE, TABLE_1, TABLE_2, TABLE_3 = PageKind.FREE, PageKind.TABLE_1, PageKind.TABLE_2, PageKind.TABLE_3
DATA, APPEND, KERNEL = PageKind.DATA, PageKind.APPEND, PageKind.KERNEL
TABLE_ROOT = 2  # the root partition's level-3 table
PAGE, OTHER, GROWING = FIRST_FREE, FIRST_FREE + 1, FIRST_FREE + 2
EMPTY = 100  # an entry that boot left empty


def stocked():
    """Return a root partition with two data pages and an append-only one, none of them mapped."""
    w = World()
    w.page(ROOT, PAGE)
    w.page(ROOT, OTHER)
    w.page(ROOT, GROWING, APPEND)
    return w


def at(entry, offset=0):
    return GUEST_BASE + (entry << 12) + offset


def reach(w, p, address, vtcr=VTCR):
    """Return the page that the hardware reaches, by the specification's walker."""
    found = local(Walk)
    stage2_walk(w.s, vtcr, vttbr(w.s, p), address, found)
    return FAULT if found.fault else OUTSIDE if found.outside else (found.page, found.access)


def other_reach(w, p, address):
    """Return the page by the independent walker."""
    return walk(reader(w.s), VTCR_T0SZ, 1, vttbr(w.s, p), address)


# ---- pages and owners


def test_a_page_is_taken_from_a_region_by_its_capability():
    w = World()
    w.must("page_create", region_of(PAGE), PAGE, DATA, SELF)
    assert (w.s.page[PAGE].kind, w.s.page[PAGE].owner) == (DATA, ROOT)
    assert w.call("page_create", region_of(PAGE), PAGE, DATA, SELF) == Status.PAGE_IN_USE
    assert w.call("page_create", SLOT_REGIONS, OTHER, DATA, SELF) == Status.WRONG_OBJECT
    assert w.call("page_create", SLOT_OWN, OTHER, DATA, SELF) == Status.WRONG_OBJECT


@pytest.mark.parametrize(
    "kind, expected",
    [
        (FREE, Status.BAD_ARGUMENT),
        (KERNEL, Status.BAD_ARGUMENT),
        (8, Status.BAD_ARGUMENT),
        (TABLE_1, Status.OK),
        (TABLE_2, Status.OK),
        (TABLE_3, Status.OK),
        (PageKind.TABLE_UNITS, Status.OK),
        (DATA, Status.OK),
        (APPEND, Status.OK),
    ],
)
def test_only_tables_and_data_are_handed_out(kind, expected):
    assert World().call("page_create", region_of(PAGE), PAGE, kind, SELF) == expected


def test_a_partition_owns_at_most_128_pages():
    w = World()
    taken = w.own().pages
    for number in range(PAGES_PER_PARTITION - taken):
        w.page(ROOT, FIRST_FREE + number)
    assert w.call("page_create", region_of(FIRST_FREE + 200), FIRST_FREE + 200, DATA, SELF) == Status.LIMIT_REACHED


def test_only_the_owner_gives_a_page_back_and_only_unreferred():
    w = stocked()
    handle = w.spawn(1)
    assert w.call("page_release", handle, PAGE) == Status.NOT_OWNER
    assert w.call("page_release", SLOT_OWN, FIRST_DATA) == Status.STILL_SHARED  # mapped
    assert w.call("page_release", SLOT_OWN, 0) == Status.STILL_HOLDING  # the stage-2 root
    assert w.call("page_release", SLOT_OWN, 900) == Status.NOT_OWNER  # nobody's page
    assert w.call("page_release", SLOT_OWN, PAGE) == Status.OK


def test_a_released_page_is_zero_and_free():
    w = stocked()
    w.must("page_map", SLOT_OWN, PAGE, TABLE_ROOT, EMPTY, R | W)
    for word in range(0, 512, 64):
        w.store(ROOT, at(EMPTY, 8 * word), 0x5EC2E7)
    w.must("page_unmap", SLOT_OWN, PAGE)
    w.must("page_release", SLOT_OWN, PAGE)
    assert not any(w.s.memory[PAGE].word[word] for word in range(512)) and w.s.page[PAGE].kind == FREE
    assert w.call("page_release", SLOT_OWN, PAGE) == Status.NOT_OWNER  # a double free


def test_a_transferred_page_keeps_its_contents_and_changes_its_owner():
    w = stocked()
    handle = w.spawn(1)
    w.must("page_append", SLOT_OWN, GROWING, 77)
    w.must("page_transfer", SLOT_OWN, GROWING, handle)
    row = w.s.page[GROWING]
    assert (row.owner, row.kind, row.filled, w.s.memory[GROWING].word[0]) == (1, APPEND, 1, 77)
    assert w.call("page_append", SLOT_OWN, GROWING, 78) == Status.NOT_OWNER


def test_what_is_mapped_or_shared_or_a_table_is_not_transferred():
    w = stocked()
    handle = w.spawn(1)
    w.must("page_map", SLOT_OWN, PAGE, TABLE_ROOT, EMPTY, R)
    w.must("page_share", SLOT_OWN, OTHER, 1, handle)
    assert w.call("page_transfer", SLOT_OWN, PAGE, handle) == Status.STILL_SHARED
    assert w.call("page_transfer", SLOT_OWN, OTHER, handle) == Status.STILL_SHARED
    assert w.call("page_transfer", SLOT_OWN, 1, handle) == Status.WRONG_PAGE_KIND


# ---- mappings


@pytest.mark.parametrize(
    "access, expected",
    [
        (0, Status.WRITE_XOR_EXECUTE),
        (R, Status.OK),
        (W, Status.OK),
        (X, Status.OK),
        (R | W, Status.OK),
        (R | X, Status.OK),
        (W | X, Status.WRITE_XOR_EXECUTE),
        (R | W | X, Status.WRITE_XOR_EXECUTE),
        (8, Status.WRITE_XOR_EXECUTE),
        (255, Status.WRITE_XOR_EXECUTE),
        (256, Status.BAD_ARGUMENT),
        (1 << 63, Status.BAD_ARGUMENT),
    ],
)
def test_no_mapping_is_writable_and_executable(access, expected):
    w = stocked()
    assert w.call("page_map", SLOT_OWN, PAGE, TABLE_ROOT, EMPTY, access) == expected
    assert reach(w, ROOT, at(EMPTY)) == ((PAGE, access) if expected == Status.OK else FAULT)


def test_a_page_has_one_place_of_its_owner_so_no_second_mapping_evades_write_xor_execute():
    w = stocked()
    w.must("page_map", SLOT_OWN, PAGE, TABLE_ROOT, EMPTY, R | W)
    assert w.call("page_map", SLOT_OWN, PAGE, TABLE_ROOT, EMPTY + 1, R | X) == Status.ALREADY_LINKED
    assert w.call("page_map", SLOT_OWN, OTHER, TABLE_ROOT, EMPTY, R) == Status.ENTRY_IN_USE


def test_only_own_data_in_own_tables():
    w = stocked()
    handle = w.spawn(1)
    foreign = FIRST_FREE + 16 + 2
    assert w.call("page_map", SLOT_OWN, PAGE, foreign, 0, R) == Status.NOT_OWNER
    assert w.call("page_map", handle, PAGE, foreign, 0, R) == Status.NOT_OWNER
    assert w.call("page_map", SLOT_OWN, PAGE, 1, EMPTY, R) == Status.WRONG_PAGE_KIND  # a level-2 table
    assert w.call("page_map", SLOT_OWN, TABLE_ROOT, TABLE_ROOT, EMPTY, R) == Status.WRONG_PAGE_KIND


def test_unmapping_takes_the_descriptor_out_and_flushes():
    w = stocked()
    w.must("page_map", SLOT_OWN, PAGE, TABLE_ROOT, EMPTY, R | W)
    assert w.s.mapping[mapping_id(PAGE, 0)].cached
    w.must("page_unmap", SLOT_OWN, PAGE)
    m = w.s.mapping[mapping_id(PAGE, 0)]
    assert not m.linked and not m.cached and reach(w, ROOT, at(EMPTY)) == FAULT
    assert w.call("page_unmap", SLOT_OWN, PAGE) == Status.NOT_LINKED


def test_unmapping_a_table_takes_everything_below_out_of_reach():
    w = stocked()
    w.must("page_map", SLOT_OWN, PAGE, TABLE_ROOT, EMPTY, R)
    w.must("page_unmap", SLOT_OWN, 1)
    assert reach(w, ROOT, at(EMPTY)) == FAULT
    w.must("table_link", SLOT_OWN, 0, 7, 1)
    assert reach(w, ROOT, (7 << 30) | (EMPTY << 12)) == (PAGE, R)


def test_tables_hang_one_level_below_another_and_only_once():
    w = World()
    for offset, kind in enumerate((TABLE_1, TABLE_2, TABLE_3, TABLE_2)):
        w.page(ROOT, PAGE + offset, kind)
    one, two, three, more = (PAGE + offset for offset in range(4))
    assert w.call("table_link", SLOT_OWN, one, 0, three) == Status.WRONG_PAGE_KIND
    assert w.call("table_link", SLOT_OWN, two, 0, one) == Status.WRONG_PAGE_KIND
    assert w.call("table_link", SLOT_OWN, two, 0, two) == Status.WRONG_PAGE_KIND
    assert w.call("table_link", SLOT_OWN, one, 512, two) == Status.BAD_ARGUMENT
    w.must("table_link", SLOT_OWN, one, 0, two)
    assert w.call("table_link", SLOT_OWN, one, 1, two) == Status.ALREADY_LINKED
    assert w.call("table_link", SLOT_OWN, one, 0, more) == Status.ENTRY_IN_USE


def test_a_stage_2_root_is_a_level_1_table_of_ones_own_before_the_start():
    w = World()
    handle = w.create(1)
    w.page(1, PAGE, TABLE_2)
    w.page(ROOT, OTHER, TABLE_1)
    assert w.call("table_root", handle, PAGE) == Status.WRONG_PAGE_KIND
    assert w.call("table_root", handle, OTHER) == Status.NOT_OWNER
    assert w.call("table_root", SLOT_OWN, OTHER) == Status.WRONG_STATE


# ---- append-only pages


def test_append_only_pages_grow_word_by_word_and_nothing_else_writes_them():
    w = stocked()
    assert [w.must("page_append", SLOT_OWN, GROWING, 10 + word) for word in range(3)] == [1, 2, 3]
    assert w.call("page_map", SLOT_OWN, GROWING, TABLE_ROOT, EMPTY, R | W) == Status.WRONG_PAGE_KIND
    assert w.call("page_map", SLOT_OWN, GROWING, TABLE_ROOT, EMPTY, W) == Status.WRONG_PAGE_KIND
    w.must("page_map", SLOT_OWN, GROWING, TABLE_ROOT, EMPTY, R)
    w.store(ROOT, at(EMPTY), 99)
    assert [w.s.memory[GROWING].word[word] for word in range(4)] == [10, 11, 12, 0]
    assert w.call("page_append", SLOT_OWN, PAGE, 1) == Status.WRONG_PAGE_KIND


def test_an_append_only_page_is_full_after_512_words():
    w = stocked()
    w.s.page[GROWING].filled = PAGE_WORDS - 1
    w.must("page_append", SLOT_OWN, GROWING, 1)
    assert w.call("page_append", SLOT_OWN, GROWING, 1) == Status.LIMIT_REACHED


# ---- shares


def shared(*ordinals):
    """Return a page of the root partition shared with partition 1, which has tables of its own."""
    w = stocked()
    handle = w.spawn(1)
    for ordinal in ordinals:
        w.must("page_share", SLOT_OWN, PAGE, ordinal, handle)
    return w, handle, FIRST_FREE + 16 + 2


def test_a_share_is_read_only():
    w, handle, table = shared(1)
    w.must("page_map", SLOT_OWN, PAGE, TABLE_ROOT, EMPTY, R | W)
    w.must("share_map", handle, PAGE, 1, table, 9)
    assert reach(w, 1, at(9)) == (PAGE, R)
    w.store(ROOT, at(EMPTY), 41)
    w.store(1, at(9), 666)
    assert w.s.memory[PAGE].word[0] == 41


def test_a_page_has_at_most_three_readers():
    w, handle, _ = shared(1, 2, 3)
    assert w.call("page_share", SLOT_OWN, PAGE, 0, handle) == Status.BAD_ARGUMENT
    assert w.call("page_share", SLOT_OWN, PAGE, 4, handle) == Status.BAD_ARGUMENT
    assert w.call("page_share", SLOT_OWN, PAGE, 2, handle) == Status.ENTRY_IN_USE


def test_only_the_reader_maps_a_share_and_only_into_its_own_table():
    w, handle, table = shared(1)
    other = w.spawn(2)
    assert w.call("share_map", other, PAGE, 1, FIRST_FREE + 32 + 2, 9) == Status.NOT_SHARED
    assert w.call("share_map", handle, PAGE, 2, table, 9) == Status.NOT_SHARED
    assert w.call("share_map", handle, OTHER, 1, table, 9) == Status.NOT_SHARED
    assert w.call("share_map", handle, PAGE, 1, TABLE_ROOT, 9) == Status.NOT_OWNER
    assert w.call("share_map", handle, PAGE, 1, table - 1, 9) == Status.WRONG_PAGE_KIND
    w.must("share_map", handle, PAGE, 1, table, 9)
    assert w.call("share_map", handle, PAGE, 1, table, 10) == Status.ALREADY_LINKED


def test_ending_a_share_takes_the_readers_mapping_at_once():
    w, handle, table = shared(1)
    w.must("share_map", handle, PAGE, 1, table, 9)
    assert w.call("page_release", SLOT_OWN, PAGE) == Status.STILL_SHARED
    w.must("page_unshare", SLOT_OWN, PAGE, 1)
    m = w.s.mapping[mapping_id(PAGE, 1)]
    assert reach(w, 1, at(9)) == FAULT and not m.linked and not m.cached
    assert w.call("share_map", handle, PAGE, 1, table, 9) == Status.NOT_SHARED
    assert w.call("page_unshare", SLOT_OWN, PAGE, 1) == Status.NOT_SHARED
    w.must("page_release", SLOT_OWN, PAGE)


def test_tables_and_free_pages_are_not_shared():
    w, handle, _ = shared()
    assert w.call("page_share", SLOT_OWN, 1, 1, handle) == Status.WRONG_PAGE_KIND
    assert w.call("page_share", SLOT_OWN, 900, 1, handle) == Status.NOT_OWNER
    w.must("capability_grant", handle, 50, Right.WRITE, SELF, 0)
    assert w.call("page_share", SLOT_OWN, PAGE, 1, 50) == Status.INSUFFICIENT_RIGHTS


# ---- the walk


def test_boot_maps_code_to_execute_and_data_to_write():
    w = World()
    assert [reach(w, ROOT, at(entry)) for entry in range(9)] == [
        *((page, R | X) for page in (3, 4, 5)),
        *((page, R | W) for page in range(6, 11)),
        FAULT,
    ]


@given(st.integers(0, (1 << 64) - 1))
def test_a_fresh_system_leads_every_address_to_roots_own_image_or_nowhere(address):
    w = World()
    found = reach(w, ROOT, address)
    assert found == other_reach(w, ROOT, address)
    assert found == FAULT or found[0] in range(3, 11)


@pytest.mark.parametrize("address", ((1 << 39), (1 << 39) | GUEST_BASE, (1 << 63) | GUEST_BASE, (1 << 64) - 1))
def test_addresses_beyond_39_bits_fault(address):
    assert reach(World(), ROOT, address) == FAULT


WORDS = st.one_of(
    st.integers(0, (1 << 64) - 1),
    st.builds(
        lambda page, low, high: POOL_BASE + (page << 12) | low | (high << 52),
        st.integers(0, 12),
        st.integers(0, 0xFFF),
        st.integers(0, 0xFFF),
    ),
)


@given(
    st.randoms(use_true_random=False),
    st.lists(WORDS, min_size=1, max_size=40),
    st.sampled_from((25, 24, 28, 33)),
    st.integers(0, 2),
)
def test_the_walker_agrees_with_another_on_random_tables(source, words, t0sz, sl0):
    s = Kernel()
    for word in words:
        s.memory[source.randrange(12)].word[source.choice((0, 1, 2, 3, 511))] = word
    base = POOL_BASE + (source.randrange(12) << 12) | (source.randrange(256) << 48)
    for _ in range(20):
        address = sum(source.choice((0, 1, 2, 3, 511)) << shift for shift in (12, 21, 30)) | (
            source.choice((0, 1, 2)) << 39
        )
        found = local(Walk)
        stage2_walk(s, t0sz | (sl0 << 6), base, address, found)
        expected = walk(reader(s), t0sz, 2 - sl0, base, address)
        assert (FAULT if found.fault else OUTSIDE if found.outside else (found.page, found.access)) == expected


def test_the_walker_agrees_on_everything_that_many_random_operations_built():
    from corollary.emulation.generator import Generator
    from corollary.emulation.traces import apply, booted

    generator = Generator(random.Random(11))
    s = booted(generator.information)
    w = World()
    w.s = s
    for step in range(1500):
        taken = generator.next(s)
        if taken is None:
            break
        apply(s, taken)
        if step % 100 == 0:
            for p in [p for p, row in s.partition.rows.items() if row.rooted]:
                for entry in range(16):
                    assert reach(w, p, at(entry)) == other_reach(w, p, at(entry))


@pytest.mark.parametrize(
    "descriptor, expected",
    [
        (0, FAULT),
        (2, FAULT),
        (POOL_BASE | 1, OUTSIDE),
        (POOL_BASE | 3, FAULT),
        (POOL_BASE | 0x403, (0, X)),
        (POOL_BASE | 0x403 | (1 << 54), (0, 0)),
        (POOL_BASE | 0x443 | (1 << 54), (0, R)),
        (POOL_BASE | 0x483 | (1 << 54), (0, W)),
        (POOL_BASE | 0x4C3, (0, R | W | X)),
        (0x4000_0003, OUTSIDE),
        (POOL_BASE + (PAGES << 12) | 3, OUTSIDE),
        (POOL_BASE | 0x4C3 | (1 << 50), (0, R | W | X)),
    ],
)
def test_hand_made_leaves(descriptor, expected):
    w = World()
    w.s.memory[TABLE_ROOT].word[EMPTY] = descriptor
    assert reach(w, ROOT, at(EMPTY)) == other_reach(w, ROOT, at(EMPTY)) == expected


def test_a_block_descriptor_would_leave_the_accounts():
    w = World()
    w.s.memory[0].word[9] = POOL_BASE | 1
    assert reach(w, ROOT, 9 << 30) == OUTSIDE
    assert not isolation(w.s, ROOT, 9 << 30)


@given(st.integers(0, 4095), st.integers(0, 7))
def test_a_descriptor_says_whose_mapping_it_is_and_what_it_permits(m, access):
    descriptor = leaf_descriptor(m, access)
    assert refers_to(descriptor) == m and permitted(descriptor) == access
    assert mapping_id(m >> 2, ordinal_of(m)) == m


def test_a_guest_writes_only_where_its_tables_let_it():
    w = stocked()
    w.spawn(1)
    before = {page: dict(frame.word.rows) for page, frame in w.s.memory.rows.items()}
    for address in (0, at(0), at(5), at(511), 1 << 38, 1 << 40, (1 << 64) - 8, POOL_BASE):
        w.store(1, address, 666)
    assert {
        page: dict(frame.word.rows) for page, frame in w.s.memory.rows.items() if frame.word.rows or page in before
    } == before
    w.store(ROOT, at(0), 666)  # its code
    w.store(ROOT, at(3), 666)  # its data
    assert (w.s.memory[3].word[0], w.s.memory[6].word[0]) == (0, 666)


def test_two_partitions_never_write_one_page():
    w, handle, table = shared(1)
    w.must("page_map", SLOT_OWN, PAGE, TABLE_ROOT, EMPTY, R | W)
    w.must("share_map", handle, PAGE, 1, table, EMPTY)
    assert single_writer(w.s, 0, 1, at(EMPTY), at(EMPTY)) and isolation(w.s, 1, at(EMPTY))
    w.s.memory[table].word[EMPTY] |= 1 << 7  # a writable share, forged behind the kernel's back
    assert not single_writer(w.s, 0, 1, at(EMPTY), at(EMPTY)) and not isolation(w.s, 1, at(EMPTY))
