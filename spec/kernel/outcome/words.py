"""Which words describe what the operations do?"""

from corollary.language.builtins import saturating_sub
from corollary.language.types import u16, u32, u64
from corollary.spec.kernel.capability import holder
from corollary.spec.kernel.hardware import Leaf
from corollary.spec.kernel.limits import COUNTER_LIMIT
from corollary.spec.kernel.packed import CapabilityPlace, HandleParts, MappingPlace
from corollary.spec.kernel.state import Call, CapabilityId, EntryId, Kernel, MappingId, PageId, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import ALL_RIGHTS, ObjectKind, PageKind, PartitionState


def is_there(s: Kernel, p: PartitionId) -> bool:
    """Was the partition created, and not destroyed?"""
    state = s.partition[p].state
    return state != PartitionState.VACANT and state != PartitionState.DESTROYED


def handle_on(s: Kernel, c: CapabilityId) -> u64:
    """The handle with which the holder of a slot names what the slot holds."""
    return HandleParts(slot=CapabilityPlace(c).slot, generation=s.capability[c].generation)


def tells(call: Call, first: u64, second: u64, third: u64) -> bool:
    """Are these the words that the caller gets back?"""
    return call.result[0] == first and call.result[1] == second and call.result[2] == third


def own_slot(s: Kernel, slot: SlotId) -> CapabilityId:
    """The place of one of the caller's own slots."""
    return CapabilityPlace(partition=s.current, slot=slot)


def made_here(
    before: Kernel,
    after: Kernel,
    c: CapabilityId,
    target: CapabilityId,
    kind: ObjectKind,
    number: u32,
    incarnation: u32,
) -> bool:
    """Does the target hold all rights on something new, derived from nothing, and is every other slot unchanged?"""
    old = before.capability[c]
    new = after.capability[c]
    same = (
        new.kind == old.kind
        and new.object == old.object
        and new.incarnation == old.incarnation
        and new.rights == old.rights
        and new.depth == old.depth
        and new.parent == old.parent
        and new.parent_lineage == old.parent_lineage
        and new.badge == old.badge
    )
    made = (
        new.kind == kind
        and new.object == number
        and new.incarnation == incarnation
        and new.rights == ALL_RIGHTS
        and new.depth == 0
        and new.parent == target
        and new.parent_lineage == 0
        and new.badge == 0
    )
    return new.generation == old.generation and new.lineage == old.lineage and (made if c == target else same)


def takes_words(s: Kernel, page: PageId) -> bool:
    """May the kernel write words for the caller into this page? The caller's own tables must let it write there."""
    return reaches_own(s, page, Leaf.writable.mask)


def gives_words(s: Kernel, page: PageId) -> bool:
    """May the kernel read words for the caller from this page? The caller's own tables must let it read there."""
    return reaches_own(s, page, Leaf.readable.mask)


def own_place(page: PageId) -> MappingId:
    """The place for the owner's own mapping of a page."""
    return MappingPlace(page=page, ordinal=0)


def reaches_own(s: Kernel, page: PageId, permission: u64) -> bool:
    """Is the page the caller's data, and do the caller's tables lead to it with this permission?

    The caller's root must lead to the table. The entry there must be the owner's and permit this.
    """
    leaf = s.mapping[own_place(page)]
    lower = s.mapping[own_place(leaf.table)]
    middle = s.mapping[own_place(lower.table)]
    own = s.partition[s.current]
    descriptor = s.memory[leaf.table].word[leaf.entry]
    tables = (
        own.rooted
        and middle.table == own.root
        and leads_to(s, own.root, middle.entry, lower.table)
        and leads_to(s, lower.table, lower.entry, leaf.table)
    )
    entry = leads_to(s, leaf.table, leaf.entry, page) and Leaf(descriptor).ordinal == 0 and descriptor & permission != 0
    return is_data(s, page) and s.page[page].owner == s.current and tables and entry


def is_data(s: Kernel, page: PageId) -> bool:
    """Does the page hold data that a guest may be allowed to see?"""
    return s.page[page].kind == PageKind.DATA or s.page[page].kind == PageKind.APPEND


def leads_to(s: Kernel, table: PageId, entry: EntryId, page: PageId) -> bool:
    """Is this word of a table a descriptor that leads to the page?"""
    kind = s.page[table].kind
    word = s.memory[table].word[entry]
    in_table = kind == PageKind.TABLE_1 or kind == PageKind.TABLE_2 or kind == PageKind.TABLE_3
    return in_table and Leaf(word).valid and Leaf(word).page == page


def slot_left(before: Kernel, after: Kernel, c: CapabilityId, emptied: bool) -> bool:
    """Is a filled slot that was emptied free, under another generation and lineage, and any other slot unchanged?"""
    old = before.capability[c]
    new = after.capability[c]
    if emptied and old.kind != ObjectKind.NONE:
        return (
            new.kind == ObjectKind.NONE
            and new.rights == 0
            and new.generation == old.generation + 1
            and new.lineage == (old.lineage if old.lineage == COUNTER_LIMIT else old.lineage + 1)
        )
    return (
        new.kind == old.kind
        and new.rights == old.rights
        and new.generation == old.generation
        and new.lineage == old.lineage
    )


def ends(s: Kernel, q: PartitionId, c: CapabilityId, kind: ObjectKind) -> bool:
    """Does emptying this slot end an object of this kind that the partition made?"""
    return s.capability[c].kind == kind and s.capability[c].depth == 0 and holder(c) == q


def counted_off(before: Kernel, after: Kernel, q: PartitionId, c: CapabilityId) -> bool:
    """Does a count of what a partition made drop by one if emptying this slot ends one, and otherwise stay?"""
    old = before.partition[q]
    new = after.partition[q]
    return new.edges_made == saturating_sub(
        old.edges_made, u16(1) if ends(before, q, c, ObjectKind.EDGE) else u16(0)
    ) and new.notifications_made == saturating_sub(
        old.notifications_made, u16(1) if ends(before, q, c, ObjectKind.NOTIFICATION) else u16(0)
    )


def page_left(before: Kernel, after: Kernel, any_page: PageId, entry: EntryId, page: PageId, frees: bool) -> bool:
    """Is the page free and zero, does no table lead to it any more, and is everything else unchanged?"""
    old = before.page[any_page]
    new = after.page[any_page]
    word = after.memory[any_page].word[entry]
    led = leads_to(before, any_page, entry, page)
    if frees and any_page == page:
        return new.kind == PageKind.FREE and new.filled == 0 and not new.fetched and word == 0
    return (
        new.kind == old.kind
        and new.filled == old.filled
        and new.fetched == old.fetched
        and word == (0 if frees and led else before.memory[any_page].word[entry])
    )


def mapping_left(before: Kernel, after: Kernel, m: MappingId, page: PageId, frees: bool) -> bool:
    """Is a mapping of the page neither linked nor in a TLB nor a share, and every other one unchanged?"""
    old = before.mapping[m]
    new = after.mapping[m]
    stays = not (frees and MappingPlace(m).page == page)
    return (
        new.linked == (old.linked and stays)
        and new.cached == (old.cached and stays)
        and new.used == (old.used and stays)
    )
