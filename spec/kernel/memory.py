"""What may stage-2 tables contain, and who owns each page?"""

from corollary.language.builtins import implies, subset, wrapping_sub
from corollary.language.property import corollary, invariant, theorem
from corollary.language.types import u16, u32, u64
from corollary.language.values import local
from corollary.spec.kernel.capability import names_partition
from corollary.spec.kernel.hardware import VTCR, GuestAddress, Leaf, Link, Walk, permitted, stage2_walk, vttbr
from corollary.spec.kernel.limits import PAGES_PER_PARTITION
from corollary.spec.kernel.packed import MappingPlace, OwnedPlace
from corollary.spec.kernel.state import (
    Call,
    EntryId,
    Kernel,
    MappingId,
    Ordinal,
    OwnedId,
    PageId,
    PagePosition,
    PartitionId,
    UnitId,
)
from corollary.spec.kernel.vocabulary import Access, ObjectKind, PageKind, PartitionState, Status

READ_ONLY = Access.READ
ALL_ACCESS = Access.mask


def mapping_id(page: PageId, ordinal: Ordinal) -> MappingId:
    """The place of one reference to a page in the table of all mappings."""
    return MappingPlace(page=page, ordinal=ordinal)


def mapped_page(m: MappingId) -> PageId:
    """The page that a mapping refers to."""
    return MappingPlace(m).page


def ordinal_of(m: MappingId) -> Ordinal:
    """Return which of the references to its page a mapping is; 0 is the owner's."""
    return MappingPlace(m).ordinal


def owned_id(p: PartitionId, position: u16) -> OwnedId:
    """The place of a partition's n-th page in the table of all owned pages."""
    return OwnedPlace(partition=p, position=PagePosition.truncate(position))


def last_of(s: Kernel, p: PartitionId) -> OwnedId:
    """The place of a partition's last page, if it has any."""
    return owned_id(p, wrapping_sub(u16, s.partition[p].pages, 1))


def is_table(kind: PageKind) -> bool:
    """Does the hardware walk through pages of this kind?"""
    return kind == PageKind.TABLE_1 or kind == PageKind.TABLE_2 or kind == PageKind.TABLE_3


def is_below(upper: PageKind, lower: PageKind) -> bool:
    """May a table of one kind lead to one of the other?"""
    of_units = lower == PageKind.TABLE_2 or lower == PageKind.TABLE_UNITS
    return (upper == PageKind.TABLE_1 and of_units) or (upper == PageKind.TABLE_2 and lower == PageKind.TABLE_3)


def is_mappable(kind: PageKind) -> bool:
    """May pages of this kind be given to a guest?"""
    return kind == PageKind.DATA or kind == PageKind.APPEND


def in_use(s: Kernel, page: PageId) -> bool:
    """Does the page belong to a partition?"""
    return s.page[page].kind != PageKind.FREE and s.page[page].kind != PageKind.KERNEL


def is_root(s: Kernel, page: PageId) -> bool:
    """Is the page the stage-2 root of its owner?"""
    owner = s.partition[s.page[page].owner]
    return owner.rooted and owner.root == page


def leaf_descriptor(m: MappingId, access: Access) -> u64:
    """The level-3 descriptor of a mapping with the given access."""
    return Leaf(
        page=mapped_page(m),
        readable=access & Access.READ != 0,
        writable=access & Access.WRITE != 0,
        never_executed=access & Access.EXECUTE == 0,
        ordinal=ordinal_of(m),
    )


def table_descriptor(child: PageId) -> u64:
    """The level-1 or level-2 descriptor that points to a table."""
    return Link(page=child)


def refers_to(descriptor: u64) -> MappingId:
    """The mapping that a valid descriptor belongs to."""
    return mapping_id(Leaf(descriptor).page, Leaf(descriptor).ordinal)


def valid(descriptor: u64) -> bool:
    """Does the hardware follow the descriptor?"""
    return Leaf(descriptor).valid


def write_xor_execute(access: Access) -> bool:
    """Does the access give some right, and never both to write and to execute?"""
    return access != 0 and subset(access, ALL_ACCESS) and not subset(Access.WRITE | Access.EXECUTE, access)


def owns_data(s: Kernel, p: PartitionId, page: PageId) -> bool:
    """Is the page data of the partition?"""
    return is_mappable(s.page[page].kind) and s.page[page].owner == p


def stands(s: Kernel, m: MappingId, descriptor: u64, ignored: u64) -> bool:
    """Is this descriptor, apart from ignored bits, at the place where the mapping was last linked?"""
    place = s.mapping[m]
    word = s.memory[place.table].word[place.entry]
    return (word | ignored) == (descriptor | ignored)


def unasked(access: Access) -> u64:
    """The bits of a leaf descriptor that concern access other than this."""
    read = Leaf.readable.mask if access & Access.READ == 0 else u64(0)
    write = Leaf.writable.mask if access & Access.WRITE == 0 else u64(0)
    return Leaf.never_executed.mask | read | write


def lets(s: Kernel, p: PartitionId, page: PageId, access: Access) -> bool:
    """Do the tables of a partition, from its root down, let it read or write a page of its own at this moment?

    The check goes backwards, from the page to the root. A table on the way may be gone, and its place may be another's
    by now. But if the last step leads from the root, each step before it leads from a table of the partition (MEM-4).
    The check does not reveal what is elsewhere, not even by the time that it takes.
    """
    leaf = mapping_id(page, Ordinal(0))
    lower = mapping_id(s.mapping[leaf].table, Ordinal(0))
    middle = mapping_id(s.mapping[lower].table, Ordinal(0))
    from_root = s.partition[p].rooted & (s.mapping[middle].table == s.partition[p].root)
    to_middle = stands(s, middle, table_descriptor(mapped_page(middle)), 0)
    to_lower = stands(s, lower, table_descriptor(mapped_page(lower)), 0)
    to_page = stands(s, leaf, leaf_descriptor(leaf, access), unasked(access))
    return from_root & to_middle & to_lower & to_page


def in_table(s: Kernel, m: MappingId) -> bool:
    """Is the descriptor of a mapping where it was linked? A table that is gone took its descriptors with it."""
    place = s.mapping[m]
    descriptor = s.memory[place.table].word[place.entry]
    return is_table(s.page[place.table].kind) and valid(descriptor) and refers_to(descriptor) == m


def back_reference(s: Kernel, m: MappingId, table: PageId, entry: EntryId) -> bool:
    """Does the mapping know the descriptor at this table entry as its own?"""
    return (
        s.mapping[m].linked
        and s.mapping[m].table == table
        and s.mapping[m].entry == entry
        and s.mapping[m].partition == s.page[table].owner
    )


@invariant(
    "MEM-1",
    "a leaf descriptor is one that the kernel made: fixed attributes, an address in the pool, its mapping's ordinal",
)
def leaf_is_well_formed(s: Kernel, table: PageId, entry: EntryId) -> bool:
    descriptor = s.memory[table].word[entry]
    return implies(
        s.page[table].kind == PageKind.TABLE_3 and valid(descriptor),
        descriptor == leaf_descriptor(refers_to(descriptor), permitted(descriptor)),
    )


@invariant("MEM-2", "the mapping of a leaf descriptor knows its place and belongs to the table's owner")
def leaf_is_known(s: Kernel, table: PageId, entry: EntryId) -> bool:
    descriptor = s.memory[table].word[entry]
    return implies(
        s.page[table].kind == PageKind.TABLE_3 and valid(descriptor),
        back_reference(s, refers_to(descriptor), table, entry),
    )


@invariant(
    "MEM-3",
    "a leaf leads to data of the table's owner, or read-only to a page shared with it; never writable and executable",
)
def leaf_is_granted(s: Kernel, table: PageId, entry: EntryId) -> bool:
    descriptor = s.memory[table].word[entry]
    m = refers_to(descriptor)
    page = s.page[mapped_page(m)]
    access = permitted(descriptor)
    return implies(
        s.page[table].kind == PageKind.TABLE_3 and valid(descriptor),
        is_mappable(page.kind)
        and write_xor_execute(access)
        and implies(page.kind == PageKind.APPEND, access == READ_ONLY)
        and (page.owner == s.page[table].owner if ordinal_of(m) == 0 else s.mapping[m].used and access == READ_ONLY),
    )


@invariant("MEM-4", "a table descriptor leads to a table of the next level and the same owner, which knows its place")
def table_is_known(s: Kernel, table: PageId, entry: EntryId) -> bool:
    descriptor = s.memory[table].word[entry]
    child = mapped_page(refers_to(descriptor))
    upper = s.page[table].kind == PageKind.TABLE_1 or s.page[table].kind == PageKind.TABLE_2
    return implies(
        upper and valid(descriptor),
        descriptor == table_descriptor(child)
        and is_below(s.page[table].kind, s.page[child].kind)
        and s.page[child].owner == s.page[table].owner
        and back_reference(s, mapping_id(child, Ordinal(0)), table, entry),
    )


@invariant("MEM-5", "a free page is all zero")
def free_is_zero(s: Kernel, page: PageId, entry: EntryId) -> bool:
    return implies(s.page[page].kind == PageKind.FREE, s.memory[page].word[entry] == 0)


@invariant("MEM-6", "a page in use stands in its owner's list")
def owner_lists_page(s: Kernel, page: PageId) -> bool:
    owner = s.page[page].owner
    return implies(
        in_use(s, page),
        s.page[page].ordinal < s.partition[owner].pages and s.owned[owned_id(owner, s.page[page].ordinal)] == page,
    )


@invariant("MEM-7", "an owner's list holds only pages of its own, each in its place")
def list_holds_own_pages(s: Kernel, o: OwnedId) -> bool:
    p = OwnedPlace(o).partition
    position = OwnedPlace(o).position
    page = s.owned[o]
    return implies(
        position < s.partition[p].pages,
        in_use(s, page) and s.page[page].owner == p and s.page[page].ordinal == position,
    )


@invariant("MEM-8", "no partition owns more pages than its limit, and a vacant one owns none")
def pages_are_limited(s: Kernel, p: PartitionId) -> bool:
    return s.partition[p].pages <= PAGES_PER_PARTITION and implies(
        s.partition[p].state == PartitionState.VACANT, s.partition[p].pages == 0
    )


@invariant("MEM-9", "the stage-2 root of a partition is a level-1 table of its own")
def root_is_own(s: Kernel, p: PartitionId) -> bool:
    root = s.page[s.partition[p].root]
    return implies(s.partition[p].rooted, root.kind == PageKind.TABLE_1 and root.owner == p)


@invariant("MEM-10", "a free page is referred to by nothing")
def free_is_unlinked(s: Kernel, m: MappingId) -> bool:
    return implies(s.page[mapped_page(m)].kind == PageKind.FREE, not s.mapping[m].linked and not s.mapping[m].used)


@invariant("MEM-11", "a TLB may hold a translation only while its mapping is linked, and then it is reckoned to")
def unlinked_is_flushed(s: Kernel, m: MappingId) -> bool:
    return s.mapping[m].linked == s.mapping[m].cached


@invariant("MEM-12", "only data is shared, and the owner's mapping is not a share")
def shares_are_data(s: Kernel, m: MappingId) -> bool:
    return implies(s.mapping[m].used, ordinal_of(m) != 0 and is_mappable(s.page[mapped_page(m)].kind))


@invariant("MEM-13", "a reader's mapping is linked only while its share exists, into the reader's own table")
def linked_shares_are_used(s: Kernel, m: MappingId) -> bool:
    return implies(s.mapping[m].linked and ordinal_of(m) != 0, s.mapping[m].used)


@invariant("MEM-14", "every partition that has run has a stage-2 root")
def running_is_rooted(s: Kernel, p: PartitionId) -> bool:
    return implies(
        s.partition[p].state == PartitionState.RUNNING or s.partition[p].state == PartitionState.SUSPENDED,
        s.partition[p].rooted,
    )


@invariant("MEM-15", "a share names no incarnation of its reader that is still to come, so it ends with the reader")
def share_is_of_the_past(s: Kernel, m: MappingId) -> bool:
    share = s.mapping[m]
    return implies(share.used, share.incarnation <= s.partition[share.partition].generation)


@invariant(
    "MEM-16", "what a TLB may hold leads only to a page of the partition that it was walked for, or shared with it"
)
def cached_is_granted(s: Kernel, m: MappingId) -> bool:
    mapping = s.mapping[m]
    page = s.page[mapped_page(m)]
    own = in_use(s, mapped_page(m)) and page.owner == mapping.partition
    return implies(mapping.cached, own if ordinal_of(m) == 0 else mapping.used)


@invariant("MEM-17", "a TLB may hold what was walked for a partition that has started, and nothing of one yet to start")
def unstarted_is_not_walked(s: Kernel, p: PartitionId) -> bool:
    state = s.partition[p].state
    half = state == PartitionState.SPLITTING or state == PartitionState.MERGING
    started = state == PartitionState.RUNNING or state == PartitionState.SUSPENDED or half and s.partition[p].rooted
    unstarted = state == PartitionState.CREATED or state == PartitionState.VACANT
    return implies(started, s.partition[p].walked) and implies(unstarted, not s.partition[p].walked)


@invariant("MEM-18", "as long as a partition lives, a TLB may hold only what was walked from the root that it has")
def walked_is_rooted(s: Kernel, p: PartitionId) -> bool:
    return implies(s.partition[p].walked and s.partition[p].state != PartitionState.DESTROYED, s.partition[p].rooted)


@invariant("MEM-19", "instruction fetches see what a page holds while it can be executed, and nobody can write it then")
def executable_is_fetched(s: Kernel, table: PageId, entry: EntryId) -> bool:
    descriptor = s.memory[table].word[entry]
    access = permitted(descriptor)
    fetched = s.page[mapped_page(refers_to(descriptor))].fetched
    return implies(
        s.page[table].kind == PageKind.TABLE_3 and valid(descriptor),
        implies(access & Access.EXECUTE != 0, fetched) and implies(access & Access.WRITE != 0, not fetched),
    )


@invariant("MEM-36", "only data is made ready for instruction fetches")
def fetched_is_data(s: Kernel, page: PageId) -> bool:
    return implies(s.page[page].fetched, s.page[page].kind == PageKind.DATA)


def lies_in(s: Kernel, unit: UnitId, head: UnitId) -> bool:
    """Is it a unit of the block that begins with `head`?"""
    order = s.block[head].order
    return s.block[head].used and u32(unit) >> order == u32(head) >> order


def has_unit(s: Kernel, p: PartitionId, unit: UnitId) -> bool:
    """Is the block that a unit was last linked for the partition's, and is the unit one of that?"""
    head = s.unit[unit].head
    return lies_in(s, unit, head) and s.block[head].holder == p


def reachable(s: Kernel, p: PartitionId, ipa: u64) -> bool:
    """Does the hardware, walking for `p`, fault or reach data that `p` owns or that is shared with it?

    Of large memory it reaches units of its blocks, and never executes them.
    """
    walk = local(Walk)
    stage2_walk(s, VTCR, vttbr(s, p), ipa, walk)
    page = s.page[walk.page]
    if walk.large and not walk.fault:
        return not walk.outside and has_unit(s, p, walk.unit) and walk.access & Access.EXECUTE == 0
    return walk.fault or (
        not walk.outside
        and is_mappable(page.kind)
        and write_xor_execute(walk.access)
        and (page.owner == p or walk.access == READ_ONLY)
    )


@corollary(
    "ISO-1",
    "whatever a partition reads, writes or executes is its own data, or data shared with it that it may only read, "
    "or a unit of a block of its own, which it never executes",
)
def isolation(s: Kernel, p: PartitionId, ipa: u64) -> bool:
    result = reachable(s, p, ipa) if s.partition[p].rooted else True
    return result


def own_address(s: Kernel, page: PageId) -> u64:
    """Build the intermediate physical address from the three entries that lead to a partition's own page."""
    leaf = s.mapping[mapping_id(page, Ordinal(0))]
    lower = s.mapping[mapping_id(leaf.table, Ordinal(0))]
    middle = s.mapping[mapping_id(lower.table, Ordinal(0))]
    return GuestAddress(middle=middle.entry, lower=lower.entry, leaf=leaf.entry, word=0)


def walk_permits(s: Kernel, p: PartitionId, ipa: u64, page: PageId, access: Access) -> bool:
    """Does the hardware, walking for `p`, reach the page with this access?"""
    walk = local(Walk)
    stage2_walk(s, VTCR, vttbr(s, p), ipa, walk)
    reached = not walk.fault and not walk.outside and not walk.large and walk.page == page
    return s.partition[p].rooted and reached and subset(access, walk.access)


@corollary("ISO-2", "no two partitions can write the same page")
def single_writer(s: Kernel, p: PartitionId, q: PartitionId, one: u64, other: u64) -> bool:
    first = local(Walk)
    second = local(Walk)
    stage2_walk(s, VTCR, vttbr(s, p), one, first)
    stage2_walk(s, VTCR, vttbr(s, q), other, second)
    both = (
        s.partition[p].rooted
        and s.partition[q].rooted
        and not first.fault
        and not second.fault
        and not first.large
        and not second.large
        and first.page == second.page
    )
    return implies(both and p != q, not subset(Access.WRITE, first.access) or not subset(Access.WRITE, second.access))


@corollary("ISO-4", "no two partitions reach the same unit of large memory")
def units_are_apart(s: Kernel, p: PartitionId, q: PartitionId, one: u64, other: u64) -> bool:
    first = local(Walk)
    second = local(Walk)
    stage2_walk(s, VTCR, vttbr(s, p), one, first)
    stage2_walk(s, VTCR, vttbr(s, q), other, second)
    both = s.partition[p].rooted and s.partition[q].rooted and first.large and second.large
    return implies(both and not first.fault and not second.fault and first.unit == second.unit, p == q)


@corollary("ISO-3", "a partition is let to read or write no page but its own")
def own_only(s: Kernel, p: PartitionId, page: PageId, access: Access) -> bool:
    return implies(lets(s, p, page, access), in_use(s, page) and s.page[page].owner == p)


@theorem(
    "MEM-21", "a share is mapped only by the very partition it was given to, not by its successor", about=("share_map",)
)
def share_is_personal(before: Kernel, after: Kernel, m: MappingId) -> bool:
    made = not before.mapping[m].linked and after.mapping[m].linked
    return implies(
        made,
        before.mapping[m].used
        and before.mapping[m].incarnation == before.partition[after.mapping[m].partition].generation,
    )


@theorem(
    "MEM-20",
    "a page changes hands only when it is free of references, and becomes free only as zeros",
    about=lambda operation: (
        operation.name.startswith("page_") or operation.name in ("partition_release", "region_reclaim")
    ),
)
def zeroed_before_reuse(before: Kernel, after: Kernel, page: PageId, entry: EntryId) -> bool:
    return implies(in_use(before, page) and not in_use(after, page), after.memory[page].word[entry] == 0)


@theorem("MEM-37", "once a word of a page was changed, instruction fetches are not taken to see what it holds")
def written_is_not_fetched(before: Kernel, after: Kernel, page: PageId, entry: EntryId) -> bool:
    return implies(before.memory[page].word[entry] != after.memory[page].word[entry], not after.page[page].fetched)


@theorem(
    "MEM-29",
    "the kernel copies for a guest only out of a page that the guest's own tables would have let it read",
    about=("edge_send", "console_write"),
)
def copies_what_is_readable(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    page = PageId.truncate(call.argument[1])
    return implies(
        status == Status.OK, walk_permits(before, before.current, own_address(before, page), page, Access.READ)
    )


@theorem(
    "MEM-30",
    "the kernel copies for a guest only into a page that the guest's own tables would have let it write",
    about=("edge_receive", "witness_read", "witness_seal", "graph_read"),
)
def copies_where_writable(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    page = PageId.truncate(call.argument[1])
    return implies(
        status == Status.OK, walk_permits(before, before.current, own_address(before, page), page, Access.WRITE)
    )


def out_of_reach(s: Kernel, p: PartitionId, ipa: u64, page: PageId, access: Access) -> bool:
    """Is the page the partition's data, though the hardware does not reach it at this address with this access?"""
    return owns_data(s, p, page) and not walk_permits(s, p, ipa, page, access)


def linked_as_share(s: Kernel, p: PartitionId, m: MappingId) -> bool:
    """Is the mapping a reader's, linked in a table of the partition?"""
    return ordinal_of(m) != 0 and s.mapping[m].linked and s.mapping[m].partition == p


def shares_with_itself(s: Kernel, p: PartitionId, page: PageId) -> bool:
    """Does the partition map the page as a reader?"""
    return (
        linked_as_share(s, p, mapping_id(page, Ordinal(1)))
        or linked_as_share(s, p, mapping_id(page, Ordinal(2)))
        or linked_as_share(s, p, mapping_id(page, Ordinal(3)))
    )


@theorem(
    "MEM-33",
    "a page that is taken back is free, zero and referred to by nothing, whoever had it",
    about=("region_reclaim",),
)
def taken_back_is_free(before: Kernel, call: Call, after: Kernel, status: Status, m: MappingId, entry: EntryId) -> bool:
    page = PageId.truncate(call.argument[1])
    gone = after.page[page].kind == PageKind.FREE and after.memory[page].word[entry] == 0
    left = mapped_page(m) == page and (after.mapping[m].linked or after.mapping[m].used or after.mapping[m].cached)
    owner = before.page[page].owner
    return implies(
        status == Status.OK,
        in_use(before, page)
        and gone
        and not left
        and not (after.partition[owner].rooted and after.partition[owner].root == page),
    ) and implies(status == Status.WRONG_STATE, not in_use(before, page))


@theorem(
    "MEM-34",
    "when a page is taken back, all others stay as they are, but for table entries that led to it",
    about=("region_reclaim",),
)
def others_are_kept(before: Kernel, call: Call, after: Kernel, status: Status, page: PageId, entry: EntryId) -> bool:
    taken = PageId.truncate(call.argument[1])
    old = before.page[page]
    new = after.page[page]
    word = before.memory[page].word[entry]
    led = is_table(old.kind) and valid(word) and mapped_page(refers_to(word)) == taken
    kept = after.memory[page].word[entry] == (0 if led else word)
    return implies(
        status == Status.OK and page != taken,
        new.kind == old.kind and new.owner == old.owner and new.filled == old.filled and kept,
    )


@theorem(
    "MEM-35",
    "whoever loses its stage-2 root rests, if it had started, and nothing walked from it is left",
    about=("region_reclaim",),
)
def rootless_rests(before: Kernel, call: Call, after: Kernel, status: Status, p: PartitionId) -> bool:
    page = PageId.truncate(call.argument[1])
    old = before.partition[p]
    new = after.partition[p]
    half = old.state == PartitionState.SPLITTING or old.state == PartitionState.MERGING
    started = old.state == PartitionState.RUNNING or old.state == PartitionState.SUSPENDED or half
    lost = status == Status.OK and old.rooted and old.root == page
    return implies(
        lost, not new.rooted and not new.walked and new.state == (PartitionState.HIBERNATED if started else old.state)
    ) and implies(not lost, new.state == old.state and new.rooted == old.rooted and new.walked == old.walked)


@theorem(
    "MEM-31",
    "a page that is said not to be mapped is the caller's, and nowhere can it read it, but as a reader of a share",
    about=("edge_send", "console_write"),
)
def unmapped_is_unreadable(before: Kernel, call: Call, after: Kernel, status: Status, ipa: u64) -> bool:
    page = PageId.truncate(call.argument[1])
    return implies(
        status == Status.NOT_MAPPED,
        out_of_reach(before, before.current, ipa, page, Access.READ)
        or shares_with_itself(before, before.current, page),
    )


@theorem(
    "MEM-32",
    "a page that is said not to be mapped is the caller's, and nowhere can it write it",
    about=("edge_receive", "witness_read", "witness_seal", "graph_read"),
)
def unmapped_is_unwritable(before: Kernel, call: Call, after: Kernel, status: Status, ipa: u64) -> bool:
    page = PageId.truncate(call.argument[1])
    return implies(status == Status.NOT_MAPPED, out_of_reach(before, before.current, ipa, page, Access.WRITE))


@theorem("MEM-38", "nothing that a destroyed partition had is mapped anew, for whomever")
def the_dead_share_nothing(before: Kernel, after: Kernel, m: MappingId) -> bool:
    owner = before.partition[before.page[mapped_page(m)].owner]
    made = not before.mapping[m].linked and after.mapping[m].linked
    return implies(made, owner.state != PartitionState.DESTROYED)


@theorem("MEM-28", "a partition has another root only after all that was walked from the one before has left the TLB")
def roots_change_unwalked(before: Kernel, after: Kernel, p: PartitionId) -> bool:
    return implies(
        before.partition[p].walked and after.partition[p].walked, before.partition[p].root == after.partition[p].root
    )


@theorem(
    "MEM-22",
    "a page changes its owner, its use, its place or its readers only through a handle on its owner",
    about=lambda operation: operation.takes_handle and operation.on != ObjectKind.REGION,
)
def pages_obey_their_owner(before: Kernel, call: Call, after: Kernel, status: Status, m: MappingId) -> bool:
    old = before.page[mapped_page(m)]
    new = after.page[mapped_page(m)]
    placed = ordinal_of(m) == 0 and before.mapping[m].linked != after.mapping[m].linked
    changed = (
        old.kind != new.kind or old.owner != new.owner or placed or before.mapping[m].used != after.mapping[m].used
    )
    return implies(changed and in_use(before, mapped_page(m)), names_partition(before, call, old.owner))


@theorem(
    "MEM-23",
    "what is unmapped was linked and is not any more; then no descriptor leads to it (MEM-2, MEM-4)",
    about=("page_unmap",),
)
def unmapped_is_gone(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    own = mapping_id(PageId.truncate(call.argument[1]), Ordinal(0))
    return implies(status == Status.OK, before.mapping[own].linked and not after.mapping[own].linked)


@theorem("MEM-24", "a share that is ended is gone, and its reader's mapping with it (MEM-2)", about=("page_unshare",))
def ended_share_is_gone(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    ended = mapping_id(PageId.truncate(call.argument[1]), Ordinal.truncate(call.argument[2]))
    return implies(
        status == Status.OK,
        before.mapping[ended].used and not after.mapping[ended].used and not after.mapping[ended].linked,
    )


@theorem("MEM-25", "what is mapped is at the entry that was named, with the access that was named", about=("page_map",))
def mapped_as_named(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    m = mapping_id(PageId.truncate(call.argument[1]), Ordinal(0))
    descriptor = after.memory[PageId.truncate(call.argument[2])].word[EntryId.truncate(call.argument[3])]
    return implies(
        status == Status.OK,
        descriptor == leaf_descriptor(m, Access.truncate(call.argument[4])) and after.mapping[m].linked,
    )


@theorem("MEM-26", "a page that is transferred keeps its kind and its contents", about=("page_transfer",))
def transfer_keeps_contents(before: Kernel, call: Call, after: Kernel, status: Status, entry: EntryId) -> bool:
    page = PageId.truncate(call.argument[1])
    return implies(
        status == Status.OK,
        after.page[page].kind == before.page[page].kind
        and after.page[page].filled == before.page[page].filled
        and after.memory[page].word[entry] == before.memory[page].word[entry],
    )


@theorem(
    "MEM-27", "what is appended stands behind what stood there, and nothing before it changes", about=("page_append",)
)
def append_only(before: Kernel, call: Call, after: Kernel, status: Status, entry: EntryId) -> bool:
    page = PageId.truncate(call.argument[1])
    end = before.page[page].filled
    old = before.memory[page].word[entry]
    return implies(
        status == Status.OK,
        u32(after.page[page].filled) == u32(end) + 1
        and after.memory[page].word[entry] == (call.argument[2] if entry == end else old),
    )
