"""What do the operations on pages and tables do?"""

from corollary.language.builtins import subset
from corollary.language.property import ensures, succeeds
from corollary.language.types import u16, u32, u64
from corollary.spec.kernel.hardware import Leaf, Link
from corollary.spec.kernel.limits import PAGE_WORDS, PAGES_PER_PARTITION
from corollary.spec.kernel.outcome.admission import holds_on, leads, led_to, may_call, subject, subject_partition
from corollary.spec.kernel.outcome.device import LEASE_ENDS, is_used_by, lease_left, pin_left
from corollary.spec.kernel.outcome.words import is_data, is_there, leads_to, mapping_left, page_left, tells
from corollary.spec.kernel.packed import MappingPlace, OwnedPlace, PagePlace
from corollary.spec.kernel.state import (
    Call,
    DeviceId,
    EntryId,
    Handle,
    Kernel,
    MappingId,
    Ordinal,
    OwnedId,
    PageId,
    PagePosition,
    PartitionId,
)
from corollary.spec.kernel.vocabulary import Access, ObjectKind, PageKind, PartitionState, Right, Ring

# ---- words


def commands(s: Kernel, call: Call) -> bool:
    """May the caller make a call on pages of a partition that a handle with WRITE names?"""
    return may_call(s, call, Ring.STANDARD) and holds_on(s, call, ObjectKind.PARTITION, Right.WRITE)


def owns(s: Kernel, p: PartitionId, page: PageId) -> bool:
    """Does the page belong to this partition, and is the partition there?"""
    kind = s.page[page].kind
    return kind != PageKind.FREE and kind != PageKind.KERNEL and s.page[page].owner == p and is_there(s, p)


def own_mapping(page: PageId) -> MappingId:
    """The place for the owner's own mapping of a page."""
    return MappingPlace(page=page, ordinal=0)


def share(page: PageId, ordinal: Ordinal) -> MappingId:
    """The place for one of the shares of a page."""
    return MappingPlace(page=page, ordinal=ordinal)


def is_of(m: MappingId, page: PageId) -> bool:
    """Is it a mapping of this page, the owner's or a reader's?"""
    return MappingPlace(m).page == page


def stands_for(s: Kernel, table: PageId, entry: EntryId, m: MappingId) -> bool:
    """Is this word of a table the descriptor of the mapping?"""
    place = MappingPlace(m)
    return leads_to(s, table, entry, place.page) and Leaf(s.memory[table].word[entry]).ordinal == place.ordinal


def is_loose(s: Kernel, page: PageId) -> bool:
    """Is the page mapped nowhere, and shared with nobody?"""
    return (
        not s.mapping[own_mapping(page)].linked
        and not s.mapping[share(page, Ordinal(1))].used
        and not s.mapping[share(page, Ordinal(2))].used
        and not s.mapping[share(page, Ordinal(3))].used
    )


def has_room_for_page(s: Kernel, p: PartitionId) -> bool:
    """May the partition own one more page?"""
    return s.partition[p].pages < PAGES_PER_PARTITION


def place_of(p: PartitionId, position: u16) -> OwnedId:
    """A place in the list of a partition's pages."""
    return OwnedPlace(partition=p, position=PagePosition.truncate(position))


def last_of(s: Kernel, p: PartitionId) -> OwnedId:
    """The place of the last page of a partition that has one."""
    return place_of(p, u16.truncate(u32(s.partition[p].pages) + 0xFFFF))


def counted(s: Kernel, p: PartitionId, gains: bool, loses: bool) -> u32:
    """Return how many pages a partition has once it gains or loses one."""
    return u32(s.partition[p].pages) + u32(gains) - u32(loses and s.partition[p].pages != 0)


def same_list(before: Kernel, after: Kernel, o: OwnedId) -> bool:
    """Is a place in a list of pages unchanged?"""
    return after.owned[o] == before.owned[o]


def same_word(before: Kernel, after: Kernel, page: PageId, entry: EntryId) -> bool:
    """Is a word of a page unchanged?"""
    return after.memory[page].word[entry] == before.memory[page].word[entry]


def same_link(before: Kernel, after: Kernel, m: MappingId) -> bool:
    """Is a mapping linked where it was linked?"""
    old = before.mapping[m]
    new = after.mapping[m]
    return (
        new.linked == old.linked
        and new.cached == old.cached
        and new.partition == old.partition
        and new.table == old.table
        and new.entry == old.entry
    )


def linked_at(after: Kernel, m: MappingId, p: PartitionId, table: PageId, entry: EntryId) -> bool:
    """Is the mapping linked at this entry for this partition now, and may a TLB hold it?"""
    new = after.mapping[m]
    return new.linked and new.cached and new.partition == p and new.table == table and new.entry == entry


# ---- pages come and go


@succeeds("page_create")
def create_is_allowed(before: Kernel, call: Call, page: PageId, kind: PageKind, into: Handle) -> bool:
    region = before.capability[subject(before, call)].object
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.REGION, Right.WRITE)
        and kind != PageKind.FREE
        and kind != PageKind.KERNEL
        and PagePlace(page).region == region
        and before.page[page].kind == PageKind.FREE
        and leads(before, into, Right.WRITE)
        and has_room_for_page(before, led_to(before, into))
    )


@ensures(
    "page_create",
    "the free page belongs to the partition named, for the use named, at the end of its list",
    changes=("page", "owned", "partition.pages"),
)
def create_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    page: PageId,
    kind: PageKind,
    into: Handle,
    any_page: PageId,
    o: OwnedId,
    q: PartitionId,
) -> bool:
    p = led_to(before, into)
    old = before.page[any_page]
    new = after.page[any_page]
    position = before.partition[p].pages
    taken = new.kind == kind and new.owner == p and new.ordinal == position and new.filled == 0 and not new.fetched
    kept = (
        new.kind == old.kind
        and new.owner == old.owner
        and new.ordinal == old.ordinal
        and new.filled == old.filled
        and new.fetched == old.fetched
    )
    return (
        (taken if any_page == page else kept)
        and (after.owned[o] == page if o == place_of(p, position) else same_list(before, after, o))
        and u32(after.partition[q].pages) == counted(before, q, q == p, False)
    )


@succeeds("page_release")
def release_is_allowed(before: Kernel, call: Call, page: PageId) -> bool:
    p = subject_partition(before, call)
    root = before.partition[p].rooted and before.partition[p].root == page
    return (
        commands(before, call)
        and owns(before, p, page)
        and is_loose(before, page)
        and not root
        and not before.pin[page].held
    )


@ensures(
    "page_release",
    "the page is free and zero; the last page of its owner's list takes its place there",
    changes=("page.kind", "page.ordinal", "page.filled", "page.fetched", "owned", "partition.pages", "memory"),
)
def release_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    page: PageId,
    any_page: PageId,
    o: OwnedId,
    q: PartitionId,
    entry: EntryId,
) -> bool:
    p = subject_partition(before, call)
    old = before.page[any_page]
    new = after.page[any_page]
    place = place_of(p, before.page[page].ordinal)
    last = before.owned[last_of(before, p)]
    gone = new.kind == PageKind.FREE and new.filled == 0 and not new.fetched and after.memory[any_page].word[entry] == 0
    kept = (
        new.kind == old.kind
        and new.filled == old.filled
        and new.fetched == old.fetched
        and same_word(before, after, any_page, entry)
    )
    return (
        (gone if any_page == page else kept)
        and new.ordinal == (before.page[page].ordinal if any_page == last else old.ordinal)
        and (after.owned[o] == last if o == place else same_list(before, after, o))
        and u32(after.partition[q].pages) == counted(before, q, False, q == p)
    )


@succeeds("page_transfer")
def transfer_is_allowed(before: Kernel, call: Call, page: PageId, into: Handle) -> bool:
    p = subject_partition(before, call)
    return (
        commands(before, call)
        and owns(before, p, page)
        and is_data(before, page)
        and not before.pin[page].held
        and is_loose(before, page)
        and leads(before, into, Right.WRITE)
        and has_room_for_page(before, led_to(before, into))
    )


@ensures(
    "page_transfer",
    "the page and what it holds belong to the partition named, at the end of its list; "
    "the last of its old owner's list takes its place there",
    changes=("page.owner", "page.ordinal", "page.fetched", "owned", "partition.pages"),
)
def transfer_is_exact(
    before: Kernel, call: Call, after: Kernel, page: PageId, into: Handle, any_page: PageId, o: OwnedId, q: PartitionId
) -> bool:
    p = subject_partition(before, call)
    r = led_to(before, into)
    new = after.page[any_page]
    place = place_of(p, before.page[page].ordinal)
    last = before.owned[last_of(before, p)]
    end = u16.truncate(counted(before, r, False, r == p))
    handed = new.owner == r and new.ordinal == end and not new.fetched
    kept = (
        new.fetched == before.page[any_page].fetched
        and new.owner == before.page[any_page].owner
        and new.ordinal == (before.page[page].ordinal if any_page == last else before.page[any_page].ordinal)
    )
    filled = last if o == place else before.owned[o]
    return (
        (handed if any_page == page else kept)
        and after.owned[o] == (page if o == place_of(r, end) else filled)
        and u32(after.partition[q].pages) == counted(before, q, q == r and r != p, q == p and r != p)
    )


# ---- tables


@succeeds("table_root")
def root_is_allowed(before: Kernel, call: Call, page: PageId) -> bool:
    p = subject_partition(before, call)
    return (
        commands(before, call)
        and before.partition[p].state == PartitionState.CREATED
        and owns(before, p, page)
        and before.page[page].kind == PageKind.TABLE_1
    )


@ensures(
    "table_root",
    "the page is the root of the partition's stage-2 tables",
    changes=("partition.root", "partition.rooted"),
)
def root_is_exact(before: Kernel, call: Call, after: Kernel, page: PageId, q: PartitionId) -> bool:
    old = before.partition[q]
    new = after.partition[q]
    named = q == subject_partition(before, call)
    return new.rooted == (True if named else old.rooted) and new.root == (page if named else old.root)


@succeeds("table_link")
def link_is_allowed(before: Kernel, call: Call, table: PageId, entry: EntryId, child: PageId) -> bool:
    p = subject_partition(before, call)
    upper = before.page[table].kind
    lower = before.page[child].kind
    next_level = (
        upper == PageKind.TABLE_1
        and (lower == PageKind.TABLE_2 or lower == PageKind.TABLE_UNITS)
        or upper == PageKind.TABLE_2
        and lower == PageKind.TABLE_3
    )
    return (
        commands(before, call)
        and owns(before, p, table)
        and owns(before, p, child)
        and next_level
        and before.memory[table].word[entry] == 0
        and not before.mapping[own_mapping(child)].linked
    )


@ensures(
    "table_link",
    "the entry leads to the child, and the child knows where it stands",
    changes=("memory", "mapping.linked", "mapping.cached", "mapping.partition", "mapping.table", "mapping.entry"),
)
def link_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    table: PageId,
    entry: EntryId,
    child: PageId,
    any_page: PageId,
    any_entry: EntryId,
    m: MappingId,
) -> bool:
    p = subject_partition(before, call)
    written = any_page == table and any_entry == entry
    return (
        after.memory[any_page].word[any_entry] == Link(page=child)
        if written
        else same_word(before, after, any_page, any_entry)
    ) and (linked_at(after, m, p, table, entry) if m == own_mapping(child) else same_link(before, after, m))


def leaf(m: MappingId, access: Access) -> u64:
    """Return the descriptor of a page with this access.

    The bits that hardware ignores (D8.3.2) hold the number of its mapping.
    """
    return Leaf(
        page=MappingPlace(m).page,
        readable=access & Access.READ != 0,
        writable=access & Access.WRITE != 0,
        never_executed=access & Access.EXECUTE == 0,
        ordinal=MappingPlace(m).ordinal,
    )


@succeeds("page_map")
def map_is_allowed(before: Kernel, call: Call, page: PageId, table: PageId, entry: EntryId, access: Access) -> bool:
    p = subject_partition(before, call)
    writes = access & Access.WRITE != 0
    executes = access & Access.EXECUTE != 0
    return (
        commands(before, call)
        and owns(before, p, table)
        and owns(before, p, page)
        and is_data(before, page)
        and before.page[table].kind == PageKind.TABLE_3
        and access != 0
        and subset(access, Access.READ | Access.WRITE | Access.EXECUTE)
        and not (writes and executes)
        and (before.page[page].kind == PageKind.DATA or access == Access.READ)
        and before.memory[table].word[entry] == 0
        and not before.mapping[own_mapping(page)].linked
    )


@ensures(
    "page_map",
    "the entry leads to the page, with the access named, and the page knows where it stands; instruction fetches "
    "see what it holds if it is to be executed, and are not believed to if it is to be written",
    changes=(
        "memory",
        "page.fetched",
        "mapping.linked",
        "mapping.cached",
        "mapping.partition",
        "mapping.table",
        "mapping.entry",
    ),
)
def map_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    page: PageId,
    table: PageId,
    entry: EntryId,
    access: Access,
    any_page: PageId,
    any_entry: EntryId,
    m: MappingId,
) -> bool:
    written = any_page == table and any_entry == entry
    old = before.page[any_page].fetched
    fetched = (old or access & Access.EXECUTE != 0) and access & Access.WRITE == 0 if any_page == page else old
    return (
        (
            after.memory[any_page].word[any_entry] == leaf(own_mapping(page), access)
            if written
            else same_word(before, after, any_page, any_entry)
        )
        and after.page[any_page].fetched == fetched
        and (
            linked_at(after, m, subject_partition(before, call), table, entry)
            if m == own_mapping(page)
            else same_link(before, after, m)
        )
    )


def unlinked(before: Kernel, after: Kernel, m: MappingId, gone: MappingId) -> bool:
    """Is one mapping in no table and no TLB, and every other one unchanged?"""
    stays = m != gone
    return after.mapping[m].linked == (before.mapping[m].linked and stays) and after.mapping[m].cached == (
        before.mapping[m].cached and stays
    )


def without_descriptor(before: Kernel, after: Kernel, page: PageId, entry: EntryId, gone: MappingId) -> bool:
    """Is the word zero if it was the mapping's descriptor, and otherwise unchanged?"""
    return after.memory[page].word[entry] == (
        0 if stands_for(before, page, entry, gone) else before.memory[page].word[entry]
    )


@succeeds("page_unmap")
def unmap_is_allowed(before: Kernel, call: Call, page: PageId) -> bool:
    return (
        commands(before, call)
        and owns(before, subject_partition(before, call), page)
        and before.mapping[own_mapping(page)].linked
        and not before.pin[page].held
    )


@ensures(
    "page_unmap",
    "no table leads to the page for its owner, and no TLB has that translation",
    changes=("memory", "mapping.linked", "mapping.cached"),
)
def unmap_is_exact(
    before: Kernel, call: Call, after: Kernel, page: PageId, any_page: PageId, entry: EntryId, m: MappingId
) -> bool:
    gone = own_mapping(page)
    return unlinked(before, after, m, gone) and without_descriptor(before, after, any_page, entry, gone)


# ---- shares


@succeeds("page_share")
def share_is_allowed(before: Kernel, call: Call, page: PageId, ordinal: Ordinal, reader: Handle) -> bool:
    return (
        commands(before, call)
        and owns(before, subject_partition(before, call), page)
        and is_data(before, page)
        and ordinal != 0
        and not before.pin[page].held
        and not before.mapping[share(page, ordinal)].used
        and leads(before, reader, Right.READ)
    )


@ensures(
    "page_share",
    "the share is there, for the present incarnation of its reader",
    changes=("mapping.used", "mapping.partition", "mapping.incarnation"),
)
def share_is_exact(
    before: Kernel, call: Call, after: Kernel, page: PageId, ordinal: Ordinal, reader: Handle, m: MappingId
) -> bool:
    q = led_to(before, reader)
    old = before.mapping[m]
    new = after.mapping[m]
    made = new.used and new.partition == q and new.incarnation == before.partition[q].generation
    kept = new.used == old.used and new.partition == old.partition and new.incarnation == old.incarnation
    return made if m == share(page, ordinal) else kept


@succeeds("share_map")
def share_map_is_allowed(
    before: Kernel, call: Call, page: PageId, ordinal: Ordinal, table: PageId, entry: EntryId
) -> bool:
    p = subject_partition(before, call)
    given = before.mapping[share(page, ordinal)]
    return (
        commands(before, call)
        and given.used
        and given.partition == p
        and given.incarnation == before.partition[p].generation
        and is_there(before, before.page[page].owner)
        and owns(before, p, table)
        and before.page[table].kind == PageKind.TABLE_3
        and before.memory[table].word[entry] == 0
        and not given.linked
    )


@ensures(
    "share_map",
    "the entry leads to the shared page, to read, and the share knows where it stands",
    changes=("memory", "mapping.linked", "mapping.cached", "mapping.partition", "mapping.table", "mapping.entry"),
)
def share_map_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    page: PageId,
    ordinal: Ordinal,
    table: PageId,
    entry: EntryId,
    any_page: PageId,
    any_entry: EntryId,
    m: MappingId,
) -> bool:
    written = any_page == table and any_entry == entry
    return (
        after.memory[any_page].word[any_entry] == leaf(share(page, ordinal), Access.READ)
        if written
        else same_word(before, after, any_page, any_entry)
    ) and (
        linked_at(after, m, subject_partition(before, call), table, entry)
        if m == share(page, ordinal)
        else same_link(before, after, m)
    )


@succeeds("page_unshare")
def unshare_is_allowed(before: Kernel, call: Call, page: PageId, ordinal: Ordinal) -> bool:
    return (
        commands(before, call)
        and owns(before, subject_partition(before, call), page)
        and before.mapping[share(page, ordinal)].used
    )


@ensures(
    "page_unshare",
    "the share is gone, with its reader's mapping",
    changes=("memory", "mapping.linked", "mapping.cached", "mapping.used"),
)
def unshare_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    page: PageId,
    ordinal: Ordinal,
    any_page: PageId,
    entry: EntryId,
    m: MappingId,
) -> bool:
    gone = share(page, ordinal)
    return (
        after.mapping[m].used == (before.mapping[m].used and m != gone)
        and unlinked(before, after, m, gone)
        and without_descriptor(before, after, any_page, entry, gone)
    )


@succeeds("page_append")
def append_is_allowed(before: Kernel, call: Call, page: PageId, value: u64) -> bool:
    return (
        commands(before, call)
        and owns(before, subject_partition(before, call), page)
        and before.page[page].kind == PageKind.APPEND
        and before.page[page].filled < PAGE_WORDS
    )


@ensures(
    "page_append",
    "the word stands behind those that stood there; the caller is told how many there are",
    changes=("memory", "page.filled", "result"),
)
def append_is_exact(
    before: Kernel, call: Call, after: Kernel, page: PageId, value: u64, any_page: PageId, entry: EntryId
) -> bool:
    end = before.page[page].filled
    more = u32(1) if any_page == page else u32(0)
    return (
        (
            after.memory[any_page].word[entry] == value
            if any_page == page and entry == end
            else same_word(before, after, any_page, entry)
        )
        and u32(after.page[any_page].filled) == u32(before.page[any_page].filled) + more
        and tells(call, u64(end) + 1, 0, 0)
    )


# ---- taking back


@succeeds("region_reclaim")
def reclaim_is_allowed(before: Kernel, call: Call, page: PageId) -> bool:
    kind = before.page[page].kind
    return (
        may_call(before, call, Ring.STANDARD)
        and holds_on(before, call, ObjectKind.REGION, Right.REVOKE)
        and PagePlace(page).region == before.capability[subject(before, call)].object
        and kind != PageKind.FREE
        and kind != PageKind.KERNEL
    )


@ensures(
    "region_reclaim",
    "the page is free and zero, mapped nowhere and shared with nobody, whoever it belonged to; the last page of its "
    "owner's list takes its place there; whose stage-2 root it was rests without one",
    changes=(
        "page.kind",
        "page.ordinal",
        "page.filled",
        "page.fetched",
        "owned",
        "partition.pages",
        "partition.rooted",
        "partition.state",
        "partition.walked",
        "memory",
        "mapping.used",
        "mapping.linked",
        "mapping.cached",
        *LEASE_ENDS,
    ),
)
def reclaim_is_exact(
    before: Kernel,
    call: Call,
    after: Kernel,
    page: PageId,
    any_page: PageId,
    o: OwnedId,
    q: PartitionId,
    entry: EntryId,
    m: MappingId,
    d: DeviceId,
) -> bool:
    p = before.page[page].owner
    place = place_of(p, before.page[page].ordinal)
    last = before.owned[last_of(before, p)]
    footing = q == p and before.partition[p].rooted and before.partition[p].root == page
    old = before.partition[q]
    new = after.partition[q]
    half = old.state == PartitionState.SPLITTING or old.state == PartitionState.MERGING
    stopped = footing and (old.state == PartitionState.RUNNING or old.state == PartitionState.SUSPENDED or half)
    return (
        page_left(before, after, any_page, entry, page, True)
        and lease_left(before, after, d, is_used_by(before, page, d))
        and pin_left(before, after, any_page, any_page == page)
        and mapping_left(before, after, m, page, True)
        and after.page[any_page].ordinal
        == (before.page[page].ordinal if any_page == last else before.page[any_page].ordinal)
        and (after.owned[o] == last if o == place else same_list(before, after, o))
        and u32(new.pages) == counted(before, q, False, q == p)
        and new.rooted == (old.rooted and not footing)
        and new.walked == (old.walked and not footing)
        and new.state == (PartitionState.HIBERNATED if stopped else old.state)
    )
