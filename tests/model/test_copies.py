"""Does the kernel copy for a guest only where the guest's own tables let it read or write at that moment?"""

import pytest

from corollary.model.kernel.proof import PROOF_OBJECT
from corollary.spec.kernel.memory import mapping_id
from tests.model.world import (
    FIRST_FREE,
    ROOT,
    SELF,
    SLOT_CONSOLE,
    SLOT_LOG,
    SLOT_OWN,
    SLOT_SCHEDULER,
    SPARE_PAGE,
    Access,
    PageKind,
    Status,
    World,
)

R, W, X = Access.READ, Access.WRITE, Access.EXECUTE
PAGE, EDGE_SLOT, SCHEMA = FIRST_FREE + 200, 50, 7
LOWER, MIDDLE = 2, 1  # the root partition's level-3 and level-2 tables
READS = ("edge_send", "console_write")
WRITES = ("edge_receive", "witness_read", "witness_seal")
ACCESSES = (R, W, R | W, X, R | X)


def speaking():
    """Return the root partition with an edge in which a message waits."""
    w = World()
    w.must("edge_create", SLOT_SCHEDULER, 1, EDGE_SLOT, SCHEMA)
    w.must("edge_send", w.handle(EDGE_SLOT), SPARE_PAGE, 1, SCHEMA)
    return w


def copy(w, name, page=PAGE):
    """Return the status of a call that copies out of a page, or into it."""
    arguments = {
        "edge_send": (w.handle(EDGE_SLOT), page, 1, SCHEMA),
        "edge_receive": (w.handle(EDGE_SLOT), page),
        "console_write": (SLOT_CONSOLE, page, 0, 1, 0),
        "witness_read": (SLOT_LOG, page, 0),
        "witness_seal": (SLOT_LOG, page),
    }
    return w.call(name, *arguments[name])


@pytest.mark.parametrize("name", READS + WRITES)
def test_a_page_that_no_table_leads_to_is_not_touched(name):
    w = speaking()
    w.page(ROOT, PAGE)
    assert copy(w, name) == Status.NOT_MAPPED
    assert not any(w.s.memory[PAGE].word.rows.values())


@pytest.mark.parametrize("access", ACCESSES, ids=str)
@pytest.mark.parametrize("name", READS + WRITES)
def test_the_kernel_has_no_more_access_than_the_guest(name, access):
    w = speaking()
    w.data(ROOT, PAGE, access)
    wanted = R if name in READS else W
    assert copy(w, name) == (Status.OK if access & wanted else Status.NOT_MAPPED)


@pytest.mark.parametrize("name", READS + WRITES)
@pytest.mark.parametrize("table", (LOWER, MIDDLE))
def test_a_table_that_is_taken_out_takes_the_page_along(name, table):
    w = speaking()
    w.data(ROOT, PAGE)
    assert copy(w, name) == Status.OK
    w.must("page_unmap", SLOT_OWN, table)
    assert copy(w, name) == Status.NOT_MAPPED


@pytest.mark.parametrize("name", READS + WRITES)
def test_tables_below_another_root_do_not_count(name):
    w = speaking()
    w.data(ROOT, PAGE)
    w.must("page_unmap", SLOT_OWN, MIDDLE)
    w.page(ROOT, FIRST_FREE + 201, PageKind.TABLE_1)
    w.must("table_link", SLOT_OWN, FIRST_FREE + 201, 2, MIDDLE)
    assert copy(w, name) == Status.NOT_MAPPED


def test_a_back_reference_into_a_table_that_is_gone_is_not_believed():
    w = speaking()
    w.page(ROOT, FIRST_FREE + 201, PageKind.TABLE_3)
    w.must("page_map", SLOT_OWN, w.page(ROOT, PAGE), FIRST_FREE + 201, 7, R | W)
    w.must("page_release", SLOT_OWN, FIRST_FREE + 201)
    w.must("page_create", 8 + ((FIRST_FREE + 201) >> 6), FIRST_FREE + 201, PageKind.TABLE_3, SELF)
    assert w.s.mapping[mapping_id(PAGE, 0)].linked
    assert copy(w, "edge_send") == Status.NOT_MAPPED


@pytest.mark.parametrize("name", READS + WRITES)
def test_pages_of_others_and_tables_are_refused_as_before(name):
    w = speaking()
    w.spawn(1)
    w.data(1, PAGE)
    for page in (0, PAGE, 900):  # a table, another partition's page, a free page
        assert copy(w, name, page) == Status.NOT_OWNER


@pytest.mark.parametrize("name", READS + WRITES)
def test_an_append_only_page_is_read_where_it_is_mapped_and_never_written(name):
    w = speaking()
    w.page(ROOT, PAGE, PageKind.APPEND)
    assert copy(w, name) == Status.NOT_MAPPED
    w.must("page_map", SLOT_OWN, PAGE, LOWER, 100, R)
    assert copy(w, name) == (Status.OK if name in READS else Status.NOT_MAPPED)


@pytest.mark.parametrize("access", ACCESSES, ids=str)
def test_a_proof_counts_only_where_the_caller_can_read_it(access):
    w = World()
    handle = w.spawn(1)
    w.data(ROOT, PAGE, access)
    expected = Status.OK if access & R else Status.POLICY_VIOLATION
    assert w.proved("partition_hibernate", handle, page=PAGE) == expected
    assert w.s.memory[PAGE].word[PROOF_OBJECT] == 1


def test_a_reader_of_its_own_share_is_told_to_map_the_page_itself():
    w = speaking()
    w.page(ROOT, PAGE)
    w.must("page_share", SLOT_OWN, PAGE, 1, SLOT_OWN)
    w.must("share_map", SLOT_OWN, PAGE, 1, LOWER, 100)
    assert copy(w, "edge_send") == Status.NOT_MAPPED
