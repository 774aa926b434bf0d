"""What always holds of a store of vectors?"""

from corollary.language.builtins import implies, saturating_sub
from corollary.language.property import conserved, invariant
from corollary.language.types import u32, u64
from corollary.spec.vectors.limits import LAST, MOST, MOST_DIMENSION, RANKS
from corollary.spec.vectors.order import is_listed, is_nearer, is_row, is_vector, is_worse
from corollary.spec.vectors.state import Rank, RowId, Vectors

# ---- vectors


@invariant("VEC-1", "an open store has a dimension and a capacity within the limits, and another one has nothing")
def has_shape(s: Vectors) -> bool:
    opened = 0 < s.dimension and s.dimension <= MOST_DIMENSION and 0 < s.capacity and s.capacity <= MOST
    closed = s.capacity == 0 and s.latest == 0 and not s.search.running
    return s.latest <= LAST and (opened if s.is_open else closed)


@invariant("VEC-2", "a vector is in a row of the store, and has a version that the store has come to")
def is_versioned(s: Vectors, i: RowId) -> bool:
    return implies(is_vector(s, i), is_row(s, i) and s.row[i].version <= s.latest)


@invariant("VEC-3", "what follows a vector is a vector with a greater key")
def keys_ascend(s: Vectors, i: RowId) -> bool:
    n = s.row[i].next
    return implies(is_vector(s, i) and n != 0, is_vector(s, n) and s.row[n].key > s.row[i].key)


@invariant("VEC-4", "no key is between those of a vector and of the next one")
def none_between(s: Vectors, i: RowId, j: RowId) -> bool:
    n = s.row[i].next
    beyond = s.row[j].key <= s.row[i].key or (n != 0 and s.row[n].key <= s.row[j].key)
    return implies(is_vector(s, i) and is_vector(s, j), beyond)


@invariant("VEC-5", "the first vector has the least key")
def first_is_least(s: Vectors, j: RowId) -> bool:
    return implies(is_vector(s, j), s.first != 0 and s.row[s.first].key <= s.row[j].key)


@invariant("VEC-6", "the first vector is one")
def first_is_vector(s: Vectors) -> bool:
    return s.first == 0 or is_vector(s, s.first)


@invariant("VEC-7", "no two vectors have the same key")
def keys_differ(s: Vectors, i: RowId, j: RowId) -> bool:
    return implies(is_vector(s, i) and is_vector(s, j) and i != j, s.row[i].key != s.row[j].key)


@invariant("VEC-8", "no more vectors are stored than there is room for")
def is_within_capacity(s: Vectors) -> bool:
    return s.row[RowId(0)].key <= MOST and s.row[RowId(0)].key >= saturating_sub(MOST, s.capacity)


@conserved("VEC-9", "row 0 counts how many vectors there are", total=MOST)
def counted(s: Vectors, i: RowId) -> u32:
    if i == 0:
        return u32.truncate(s.row[i].key)
    return 1 if is_vector(s, i) else 0


# ---- searches


@invariant("NEAR-1", "a search finds no more than there are ranks, and looks at rows of the store")
def search_is_bounded(s: Vectors) -> bool:
    rows = 0 < s.search.at and s.search.at <= u64(s.capacity) + 2
    return implies(s.search.running, s.search.found <= RANKS and rows and s.search.latest <= s.latest)


@invariant("NEAR-2", "what was found are vectors that were seen")
def found_were_seen(s: Vectors, r: Rank) -> bool:
    found = s.best[r]
    seen = s.seen[found.row]
    same = seen.here and seen.key == found.key and seen.far == found.far
    return implies(s.search.running and r < s.search.found, same and found.row < s.search.at)


@invariant("NEAR-3", "they are in order, nearest first, and of those as near that with the lower key first")
def found_are_in_order(s: Vectors) -> bool:
    if s.search.running:  # see `is_listed`
        for r in range(RANKS - 1):
            after = s.best[Rank(r + 1)]
            if r + 1 < s.search.found and is_nearer(s, after.far, after.key, Rank(r)):
                return False
    return True


@invariant("NEAR-7", "of those as near and with one key, that in the lower row comes first: so none is found twice")
def found_are_different(s: Vectors) -> bool:
    if s.search.running:  # see `is_listed`
        for r in range(RANKS - 1):
            if r + 1 < s.search.found and is_doubled(s, Rank(r), Rank(r + 1)):
                return False
    return True


def is_doubled(s: Vectors, r: Rank, q: Rank) -> bool:
    """Are two that were found as near and of one key, but their rows not in order?"""
    one = s.best[r]
    other = s.best[q]
    return one.far == other.far and one.key == other.key and one.row >= other.row


@invariant("NEAR-4", "of the vectors that were seen, all nearest ones were found")
def none_is_missing(s: Vectors, j: RowId) -> bool:
    seen = s.search.running and s.seen[j].here and 0 < j and j < s.search.at
    return implies(seen, is_listed(s, j) or is_worse(s, s.seen[j].far, s.seen[j].key))
