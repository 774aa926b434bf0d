"""What do the pure helpers promise? Contracts (PEP 316) for CrossHair, which looks for arguments that break them.

Each function here calls the helper that the kernel is generated from; `pre` says which arguments a caller may pass.
"""

from corollary.language.builtins import minimum, saturating_sub, subset, without, wrapping_add, wrapping_sub
from corollary.language.types import u32, u64
from corollary.model.kernel.action import worse
from corollary.model.kernel.capability import advance
from corollary.spec.kernel.capability import capability_id, handle_generation, handle_slot, holder
from corollary.spec.kernel.hardware import in_pool, page_address, page_at
from corollary.spec.kernel.limits import COUNTER_LIMIT, PAGES, PARTITIONS, RECORDS
from corollary.spec.kernel.memory import (
    leaf_descriptor,
    mapped_page,
    mapping_id,
    ordinal_of,
    owned_id,
    refers_to,
    write_xor_execute,
)
from corollary.spec.kernel.partition import legal_edge
from corollary.spec.kernel.ring import more_privileged, ring_for
from corollary.spec.kernel.vocabulary import FailureClass, PartitionState, Ring
from corollary.spec.kernel.witness import record_id

LIMITS = (COUNTER_LIMIT, PAGES, PARTITIONS, RECORDS)  # of which the contracts speak, in their docstrings


def ring_of_score(score: int, consensus: bool) -> int:
    """
    pre: 0 <= score < 1 << 32
    post: __return__ == (1 if consensus and score > 950_000 else 2 if score > 600_000 else 3)
    """
    return ring_for(score, consensus)


def rings_of_two_scores(low: int, high: int, consensus: bool) -> bool:
    """
    pre: 0 <= low <= high < 1 << 32
    post: not __return__
    """
    return more_privileged(ring_for(low, consensus), ring_for(high, consensus))


def privilege_is_an_order(a: Ring, b: Ring) -> bool:
    """
    post: __return__ == (a.value < b.value)
    """
    return more_privileged(a, b)


def smaller(a: int, b: int) -> int:
    """
    pre: 0 <= a < 1 << 64 and 0 <= b < 1 << 64
    post: __return__ <= a and __return__ <= b and __return__ in (a, b)
    """
    return minimum(a, b)


def difference_or_nothing(a: int, b: int) -> int:
    """
    pre: 0 <= a < 1 << 64 and 0 <= b < 1 << 64
    post: __return__ == max(a - b, 0)
    """
    return saturating_sub(a, b)


def going_round(a: int, b: int) -> int:
    """
    pre: 0 <= a < 1 << 32 and 0 <= b < 1 << 32
    post: __return__ == a
    """
    return wrapping_sub(u32, wrapping_add(u32, a, b), b)


def times_apart(start: int, end: int) -> int:
    """
    pre: 0 <= start <= end < 1 << 64
    post: __return__ == end - start
    """
    return wrapping_sub(u64, end, start)


def weaker_rights(held: int, dropped: int) -> bool:
    """
    pre: 0 <= held < 4096 and 0 <= dropped < 4096
    post: __return__
    """
    left = without(held, dropped)
    return subset(left, held) and left & dropped == 0


def slot_of_a_partition(p: int, slot: int) -> bool:
    """
    pre: 0 <= p < 64 and 0 <= slot < 64
    post: __return__
    """
    c = capability_id(p, slot)
    return holder(c) == p and c & 63 == slot and 0 <= c < 4096


def handle_names_slot_and_generation(generation: int, slot: int) -> tuple:
    """
    pre: 0 <= generation < 1 << 32 and 0 <= slot < 64
    post: __return__ == (slot, generation)
    """
    handle = generation * 64 + slot
    return handle_slot(handle), handle_generation(handle)


def mapping_names_page_and_ordinal(page: int, ordinal: int) -> tuple:
    """
    pre: 0 <= page < 1024 and 0 <= ordinal < 4
    post: __return__ == (page, ordinal)
    """
    m = mapping_id(page, ordinal)
    return mapped_page(m), ordinal_of(m)


def place_among_the_pages_of_an_owner(p: int, position: int) -> int:
    """
    pre: 0 <= p < 64 and 0 <= position < 128
    post: __return__ == 128 * p + position
    """
    return owned_id(p, position)


def leaf_says_whose_mapping_it_is(m: int, access: int) -> int:
    """
    pre: 0 <= m < 4096 and 0 <= access < 8
    post: __return__ == m
    """
    return refers_to(leaf_descriptor(m, access))


def leaf_permits_what_was_asked(m: int, access: int) -> tuple:
    """
    pre: 0 <= m < 4096 and 0 <= access < 8
    post: __return__ == (access & 1, access >> 1 & 1, 1 - (access >> 2))
    """
    descriptor = leaf_descriptor(m, access)
    return descriptor >> 6 & 1, descriptor >> 7 & 1, descriptor >> 54 & 1


def leaf_leads_into_the_pool(m: int, access: int) -> bool:
    """
    pre: 0 <= m < 4096 and 0 <= access < 8
    post: __return__
    """
    address = leaf_descriptor(m, access) & 0x0000_FFFF_FFFF_F000
    return in_pool(address) and page_at(address) == m >> 2


def page_has_an_address(page: int) -> bool:
    """
    pre: 0 <= page < 1024
    post: __return__
    """
    address = page_address(page)
    return in_pool(address) and page_at(address) == page and address % 4096 == 0 and PAGES == 1024


def addresses_outside_are_no_pages(address: int) -> bool:
    """
    pre: 0 <= address < 1 << 64
    post: __return__ == (0x4400_0000 <= address < 0x4440_0000)
    """
    return in_pool(address)


def never_writable_and_executable(access: int) -> bool:
    """
    pre: 0 <= access < 256
    post: __return__ == (access in (1, 2, 3, 4, 5))
    """
    return write_xor_execute(access)


def destruction_is_final(new: PartitionState) -> bool:
    """
    post: __return__ == (new == PartitionState.VACANT)
    """
    return legal_edge(PartitionState.DESTROYED, new)


NEVER_YET_TO_START = (
    PartitionState.CREATED,
    PartitionState.RUNNING,
    PartitionState.SUSPENDED,
    PartitionState.DESTROYED,
)


def nothing_begins_but_by_creation(old: PartitionState, new: PartitionState) -> bool:
    """
    pre: old == PartitionState.VACANT or new == PartitionState.CREATED
    post: __return__ == (new == PartitionState.CREATED and old not in NEVER_YET_TO_START)
    """
    return legal_edge(old, new)


def counters_rest_at_their_end(counter: int) -> int:
    """
    pre: 0 <= counter <= COUNTER_LIMIT
    post: __return__ == min(counter + 1, COUNTER_LIMIT)
    """
    return int(advance(counter))


def failures_get_worse(failure: FailureClass) -> int:
    """
    post: __return__ == min(failure.value + 1, 4)
    """
    return worse(failure)


def records_go_round(sequence: int) -> int:
    """
    pre: 0 <= sequence < 1 << 64
    post: __return__ == sequence % RECORDS
    """
    return record_id(sequence)
