"""How do pages get an owner, a use, a place in a stage-2 table and readers, and how do they come back?"""

from corollary.language.frontend import hardware
from corollary.language.types import u64
from corollary.language.values import clear
from corollary.model.kernel.capability import may_act_on, partition_of_handle
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.capability import named_partition
from corollary.spec.kernel.hardware import vmid, vttbr
from corollary.spec.kernel.limits import MAPPINGS_PER_PAGE, PAGE_WORDS, PAGES_PER_PARTITION
from corollary.spec.kernel.memory import (
    in_table,
    in_use,
    is_below,
    is_mappable,
    is_root,
    leaf_descriptor,
    mapping_id,
    owned_id,
    table_descriptor,
    write_xor_execute,
)
from corollary.spec.kernel.packed import PagePlace
from corollary.spec.kernel.partition import alive
from corollary.spec.kernel.state import Call, EntryId, Handle, Kernel, MappingId, Ordinal, PageId, PartitionId
from corollary.spec.kernel.vocabulary import Access, PageKind, PartitionState, Right, Status


@hardware("TLBI VMALLS12E1IS for the VMID in `base`, with the barriers of break-before-make (D8.14)")
def flush_translation(s: Kernel, m: MappingId, base: u64) -> None:
    """Make the hardware forget a translation of this VMID.

    It may fetch the translation again at once if the descriptor is still there.
    """
    if vmid(base) == s.mapping[m].partition and not in_table(s, m):
        s.mapping[m].cached = False


@hardware("IC IALLU after DSB and before ISB, so that code written as data is fetched anew (D7.5.9)")
def synchronize_instructions(s: Kernel, page: PageId) -> None:
    """Let instruction fetches see what the page holds.

    If the page is mapped already, they may have seen other words.
    """
    s.page[page].fetched = not s.mapping[mapping_id(page, Ordinal(0))].linked


def belongs(s: Kernel, page: PageId, p: PartitionId) -> bool:
    """Is the partition alive, and does it own the page?"""
    return in_use(s, page) and s.page[page].owner == p and alive(s, p)


def take(s: Kernel, page: PageId, kind: PageKind, p: PartitionId) -> None:
    """Give a free page to a partition."""
    position = s.partition[p].pages
    s.page[page].kind = kind
    s.page[page].owner = p
    s.page[page].ordinal = position
    s.page[page].filled = 0
    s.page[page].fetched = False
    s.owned[owned_id(p, position)] = page
    s.partition[p].pages = position + 1


def give_up(s: Kernel, page: PageId) -> None:
    """Take a page off its owner's list; the last of the list moves into its place."""
    p = s.page[page].owner
    last = s.partition[p].pages - 1
    moved = s.owned[owned_id(p, last)]
    s.owned[owned_id(p, s.page[page].ordinal)] = moved
    s.page[moved].ordinal = s.page[page].ordinal
    s.partition[p].pages = last


def link(s: Kernel, m: MappingId, table: PageId, entry: EntryId, descriptor: u64) -> None:
    """Write a descriptor into an empty table entry and remember where it is."""
    s.memory[table].word[entry] = descriptor
    mapping = s.mapping[m]
    mapping.linked = True
    mapping.cached = True
    mapping.partition = s.page[table].owner
    mapping.table = table
    mapping.entry = entry


def link_own(s: Kernel, page: PageId, table: PageId, entry: EntryId, access: Access) -> None:
    """Map a page for its owner, to execute what it holds or to write it; what is written must be fetched anew."""
    m = mapping_id(page, Ordinal(0))
    if access & Access.EXECUTE != 0:
        synchronize_instructions(s, page)
    if access & Access.WRITE != 0:
        s.page[page].fetched = False
    link(s, m, table, entry, leaf_descriptor(m, access))


def unlink(s: Kernel, m: MappingId) -> None:
    """Break before make: take the descriptor out, then flush the translation, then forget the place."""
    mapping = s.mapping[m]
    if mapping.linked:
        if in_table(s, m):
            s.memory[mapping.table].word[mapping.entry] = 0
        flush_translation(s, m, vttbr(s, mapping.partition))
        mapping.linked = False


def free_page(s: Kernel, page: PageId) -> None:
    """Zero a page that nothing refers to and return it to the pool."""
    clear(s.memory[page].word)
    give_up(s, page)
    s.page[page].kind = PageKind.FREE
    s.page[page].filled = 0
    s.page[page].fetched = False


def drop_references(s: Kernel, page: PageId) -> None:
    """Take out the owner's mapping and every reader's, and end the shares."""
    for ordinal in range(MAPPINGS_PER_PAGE):
        m = mapping_id(page, Ordinal(ordinal))
        unlink(s, m)
        s.mapping[m].used = False


def referred_to(s: Kernel, page: PageId) -> bool:
    """Is the page linked, or shared with anyone?"""
    return (
        s.mapping[mapping_id(page, Ordinal(0))].linked
        or s.mapping[mapping_id(page, Ordinal(1))].used
        or s.mapping[mapping_id(page, Ordinal(2))].used
        or s.mapping[mapping_id(page, Ordinal(3))].used
    )


@operation
def page_create(s: Kernel, call: Call, page: PageId, kind: PageKind, into: Handle) -> Status:
    """Take a free page of the region for the partition `into`, as data or as a table."""
    if kind == PageKind.FREE or kind == PageKind.KERNEL:
        return Status.BAD_ARGUMENT
    if PagePlace(page).region != s.capability[call.capability].object:
        return Status.WRONG_OBJECT
    if s.page[page].kind != PageKind.FREE:
        return Status.PAGE_IN_USE
    if not may_act_on(s, s.current, into, Right.WRITE):
        return Status.INSUFFICIENT_RIGHTS
    p = partition_of_handle(s, s.current, into)
    if s.partition[p].pages >= PAGES_PER_PARTITION:
        return Status.LIMIT_REACHED
    take(s, page, kind, p)
    return Status.OK


@operation
def page_release(s: Kernel, call: Call, page: PageId) -> Status:
    """Zero a page of the partition and return it to the pool; nothing may refer to it any more."""
    if not belongs(s, page, named_partition(s, call)):
        return Status.NOT_OWNER
    if s.pin[page].held:
        return Status.PAGE_PINNED
    if referred_to(s, page):
        return Status.STILL_SHARED
    if is_root(s, page):
        return Status.STILL_HOLDING
    free_page(s, page)
    return Status.OK


@operation
def page_transfer(s: Kernel, call: Call, page: PageId, into: Handle) -> Status:
    """Hand a data page and its contents to the partition `into`."""
    if not belongs(s, page, named_partition(s, call)):
        return Status.NOT_OWNER
    if not is_mappable(s.page[page].kind):
        return Status.WRONG_PAGE_KIND
    if s.pin[page].held:
        return Status.PAGE_PINNED
    if referred_to(s, page):
        return Status.STILL_SHARED
    if not may_act_on(s, s.current, into, Right.WRITE):
        return Status.INSUFFICIENT_RIGHTS
    p = partition_of_handle(s, s.current, into)
    if s.partition[p].pages >= PAGES_PER_PARTITION:
        return Status.LIMIT_REACHED
    kind = s.page[page].kind
    filled = s.page[page].filled
    give_up(s, page)
    take(s, page, kind, p)
    s.page[page].filled = filled
    return Status.OK


@operation
def table_root(s: Kernel, call: Call, page: PageId) -> Status:
    """Make a level-1 table the stage-2 root of a partition that has not started."""
    p = named_partition(s, call)
    if s.partition[p].state != PartitionState.CREATED:
        return Status.WRONG_STATE
    if not belongs(s, page, p):
        return Status.NOT_OWNER
    if s.page[page].kind != PageKind.TABLE_1:
        return Status.WRONG_PAGE_KIND
    s.partition[p].root = page
    s.partition[p].rooted = True
    return Status.OK


@operation
def table_link(s: Kernel, call: Call, table: PageId, entry: EntryId, child: PageId) -> Status:
    """Enter a table into an empty entry of a table one level above."""
    p = named_partition(s, call)
    if not belongs(s, table, p) or not belongs(s, child, p):
        return Status.NOT_OWNER
    if not is_below(s.page[table].kind, s.page[child].kind):
        return Status.WRONG_PAGE_KIND
    if s.memory[table].word[entry] != 0:
        return Status.ENTRY_IN_USE
    if s.mapping[mapping_id(child, Ordinal(0))].linked:
        return Status.ALREADY_LINKED
    link(s, mapping_id(child, Ordinal(0)), table, entry, table_descriptor(child))
    return Status.OK


@operation
def page_map(s: Kernel, call: Call, page: PageId, table: PageId, entry: EntryId, access: Access) -> Status:
    """Map a partition's data page at an empty entry of its own level-3 table; never both writable and executable."""
    p = named_partition(s, call)
    if not belongs(s, table, p) or not belongs(s, page, p):
        return Status.NOT_OWNER
    if s.page[table].kind != PageKind.TABLE_3 or not is_mappable(s.page[page].kind):
        return Status.WRONG_PAGE_KIND
    if not write_xor_execute(access):
        return Status.WRITE_XOR_EXECUTE
    if s.page[page].kind == PageKind.APPEND and access != Access.READ:
        return Status.WRONG_PAGE_KIND
    if s.memory[table].word[entry] != 0:
        return Status.ENTRY_IN_USE
    if s.mapping[mapping_id(page, Ordinal(0))].linked:
        return Status.ALREADY_LINKED
    link_own(s, page, table, entry, access)
    return Status.OK


@operation
def page_unmap(s: Kernel, call: Call, page: PageId) -> Status:
    """Take a partition's own page, data or table, out of the table it is linked in."""
    if not belongs(s, page, named_partition(s, call)):
        return Status.NOT_OWNER
    if not s.mapping[mapping_id(page, Ordinal(0))].linked:
        return Status.NOT_LINKED
    if s.pin[page].held:
        return Status.PAGE_PINNED
    unlink(s, mapping_id(page, Ordinal(0)))
    return Status.OK


@operation
def page_share(s: Kernel, call: Call, page: PageId, ordinal: Ordinal, reader: Handle) -> Status:
    """Let the partition `reader` map a data page of the named partition, to read; `ordinal` 1 to 3 names the share."""
    if not belongs(s, page, named_partition(s, call)):
        return Status.NOT_OWNER
    if not is_mappable(s.page[page].kind):
        return Status.WRONG_PAGE_KIND
    if ordinal == 0:
        return Status.BAD_ARGUMENT
    if s.pin[page].held:
        return Status.PAGE_PINNED
    if s.mapping[mapping_id(page, ordinal)].used:
        return Status.ENTRY_IN_USE
    if not may_act_on(s, s.current, reader, Right.READ):
        return Status.INSUFFICIENT_RIGHTS
    share = s.mapping[mapping_id(page, ordinal)]
    share.used = True
    share.partition = partition_of_handle(s, s.current, reader)
    share.incarnation = s.partition[share.partition].generation
    return Status.OK


@operation
def share_map(s: Kernel, call: Call, page: PageId, ordinal: Ordinal, table: PageId, entry: EntryId) -> Status:
    """Map a page that a living partition shares with this one, read-only.

    The place is an empty entry of a level-3 table of this one's own.
    """
    p = named_partition(s, call)
    share = s.mapping[mapping_id(page, ordinal)]
    if (
        not share.used
        or share.partition != p
        or share.incarnation != s.partition[p].generation
        or not alive(s, s.page[page].owner)
    ):
        return Status.NOT_SHARED
    if not belongs(s, table, p):
        return Status.NOT_OWNER
    if s.page[table].kind != PageKind.TABLE_3:
        return Status.WRONG_PAGE_KIND
    if s.memory[table].word[entry] != 0:
        return Status.ENTRY_IN_USE
    if share.linked:
        return Status.ALREADY_LINKED
    link(s, mapping_id(page, ordinal), table, entry, leaf_descriptor(mapping_id(page, ordinal), Access.READ))
    return Status.OK


@operation
def page_unshare(s: Kernel, call: Call, page: PageId, ordinal: Ordinal) -> Status:
    """End a share of a partition's own page; the reader's mapping goes at once."""
    if not belongs(s, page, named_partition(s, call)):
        return Status.NOT_OWNER
    m = mapping_id(page, ordinal)
    if not s.mapping[m].used:
        return Status.NOT_SHARED
    unlink(s, m)
    s.mapping[m].used = False
    return Status.OK


@operation
def page_append(s: Kernel, call: Call, page: PageId, value: u64) -> Status:
    """Write the next word of an append-only page, which nobody can write in any other way."""
    if not belongs(s, page, named_partition(s, call)):
        return Status.NOT_OWNER
    if s.page[page].kind != PageKind.APPEND:
        return Status.WRONG_PAGE_KIND
    if s.page[page].filled >= PAGE_WORDS:
        return Status.LIMIT_REACHED
    s.memory[page].word[EntryId(s.page[page].filled)] = value
    s.page[page].filled += 1
    call.result[0] = s.page[page].filled
    return Status.OK
