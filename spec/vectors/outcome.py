"""When does each operation on a store of vectors succeed, and what does it do then?"""

from corollary.language.builtins import minimum
from corollary.language.property import ensures, succeeds
from corollary.language.types import u8, u32, u64
from corollary.spec.vectors.limits import LAST, MOST, MOST_DIMENSION, RANKS, ROWS
from corollary.spec.vectors.order import (
    following,
    is_before,
    is_complete,
    is_current,
    is_expected,
    is_full,
    is_listed,
    is_nearer,
    is_row,
    is_vector,
    is_worse,
    known,
    version_of,
)
from corollary.spec.vectors.state import Rank, RowId, Vectors
from corollary.spec.vectors.vocabulary import Element, Metric

# ---- rows


def holds(after: Vectors, i: RowId, key: u64, version: u64, next: RowId) -> bool:
    """Does a row say this?"""
    return after.row[i].key == key and after.row[i].version == version and after.row[i].next == next


def may_fill(before: Vectors, p: RowId, row: RowId, key: u64) -> bool:
    """May a row get the vector of a key, behind row p?"""
    free = is_row(before, row) and not is_vector(before, row)
    return before.is_open and free and is_before(before, p, key)


def is_linked(before: Vectors, after: Vectors, p: RowId, n: RowId, i: RowId) -> bool:
    """Does n follow row p, and is everything else about row i as before?"""
    next = n if i == p and p != 0 else before.row[i].next
    return holds(after, i, before.row[i].key, before.row[i].version, next)


def is_first(before: Vectors, after: Vectors, p: RowId, n: RowId) -> bool:
    """Is n the first vector if it is to follow row 0, and the first one as before otherwise?"""
    return after.first == (n if p == 0 else before.first)


def is_inserted(before: Vectors, after: Vectors, p: RowId, row: RowId, key: u64, version: u64, i: RowId) -> bool:
    """Is there one more vector, behind row p, and is row i as before unless that is about it?"""
    if i == row:
        return holds(after, i, key, version, following(before, p))
    if i == 0:
        return holds(after, i, before.row[i].key - 1, 0, before.row[i].next) if before.row[i].key > 0 else False
    return is_linked(before, after, p, row, i)


@succeeds("open_as")
def may_open(before: Vectors, dimension: u32, capacity: u32, latest: u64) -> bool:
    fits = 0 < dimension and dimension <= MOST_DIMENSION and 0 < capacity and capacity <= MOST
    return not before.is_open and fits and latest <= LAST


@ensures(
    "open_as",
    "the store is open, with what was asked for",
    changes=("is_open", "dimension", "kind", "capacity", "latest"),
)
def is_opened(before: Vectors, after: Vectors, dimension: u32, kind: Element, capacity: u32, latest: u64) -> bool:
    shape = after.dimension == dimension and after.kind == kind and after.capacity == capacity
    return after.is_open and shape and after.latest == latest


@succeeds("adopt")
def may_adopt(before: Vectors, p: RowId, row: RowId, key: u64, version: u64) -> bool:
    new = known(before, p, key) == 0 and not is_full(before)
    return may_fill(before, p, row, key) and new and 0 < version and version <= before.latest


@ensures("adopt", "there is a vector more, and no search", changes=("row", "first", "search.running"))
def is_adopted(before: Vectors, after: Vectors, p: RowId, row: RowId, key: u64, version: u64, i: RowId) -> bool:
    inserted = is_inserted(before, after, p, row, key, version, i)
    return inserted and is_first(before, after, p, row) and not after.search.running


@succeeds("put")
def may_put(before: Vectors, p: RowId, row: RowId, key: u64, expected: u64) -> bool:
    old = known(before, p, key)
    room = old != 0 or not is_full(before)
    return (
        may_fill(before, p, row, key) and is_expected(version_of(before, old), expected) and room and has_next(before)
    )


def has_next(before: Vectors) -> bool:
    """Is there a next version?"""
    return before.latest < LAST


@ensures(
    "put",
    "the row holds the vector of the key, in the next version; the row that held it is free",
    changes=("row", "first", "latest"),
)
def is_put(before: Vectors, after: Vectors, p: RowId, row: RowId, key: u64, i: RowId) -> bool:
    if not has_next(before):
        return False
    version = before.latest + 1
    old = known(before, p, key)
    if after.latest != version or not is_first(before, after, p, row):
        return False
    if old == 0:
        return is_inserted(before, after, p, row, key, version, i)
    if i == row:
        return holds(after, i, key, version, before.row[old].next)
    if i == old:
        return holds(after, i, 0, 0, RowId(0))
    return is_linked(before, after, p, row, i)


@succeeds("delete")
def may_delete(before: Vectors, p: RowId, key: u64, expected: u64) -> bool:
    old = known(before, p, key) if is_before(before, p, key) else RowId(0)
    return before.is_open and old != 0 and is_expected(before.row[old].version, expected) and has_next(before)


@ensures(
    "delete", "the row that held the vector is free, and the version is used up", changes=("row", "first", "latest")
)
def is_deleted(before: Vectors, after: Vectors, p: RowId, key: u64, i: RowId) -> bool:
    old = known(before, p, key)
    n = before.row[old].next
    if after.latest != before.latest + 1 or not is_first(before, after, p, n):
        return False
    if i == old:
        return holds(after, i, 0, 0, RowId(0))
    if i == 0:
        return holds(after, i, minimum(before.row[i].key, MOST - 1) + 1, 0, before.row[i].next)
    return is_linked(before, after, p, n, i)


# ---- searches


@succeeds("begin_search")
def may_search(before: Vectors) -> bool:
    return before.is_open


@ensures("begin_search", "nothing was looked at, and nothing found", changes=("search",))
def is_begun(before: Vectors, after: Vectors, metric: Metric) -> bool:
    wanted = after.search.metric == metric and after.search.latest == before.latest
    return wanted and after.search.running and after.search.found == 0 and after.search.at == 1


@succeeds("look")
def may_look(before: Vectors) -> bool:
    return is_current(before) and not is_complete(before)


def rank_of(before: Vectors, far: u32, key: u64) -> u8:
    """Return the first rank whose vector a vector at a distance comes before; if there is none, the rank behind all."""
    if before.search.found > 0:  # see `is_listed`
        for r in range(RANKS):
            if r < before.search.found and is_nearer(before, far, key, Rank(r)):
                return u8(r)
    return before.search.found


def is_found(after: Vectors, r: Rank, row: RowId, key: u64, far: u32) -> bool:
    """Is this what has a rank?"""
    return after.best[r].row == row and after.best[r].key == key and after.best[r].far == far


def is_moved(before: Vectors, after: Vectors, r: Rank, q: Rank) -> bool:
    """Has a rank what another one had before?"""
    return is_found(after, r, before.best[q].row, before.best[q].key, before.best[q].far)


@ensures(
    "look",
    "the vector is seen, and has its rank if it is one of the nearest; those behind it move on",
    changes=("seen", "best", "search.found", "search.at"),
)
def is_looked_at(before: Vectors, after: Vectors, far: u32, i: RowId, r: Rank) -> bool:
    if before.search.at >= ROWS or after.search.at != before.search.at + 1:
        return False
    here = RowId(before.search.at)
    key = before.row[here].key
    return is_seen(before, after, far, here, i) and is_ranked(before, after, far, key, is_vector(before, here), r)


def is_seen(before: Vectors, after: Vectors, far: u32, here: RowId, i: RowId) -> bool:
    """Was what is in a row seen, and is everything as before about the others?"""
    new = after.seen[i]
    old = before.seen[i]
    if i != here:
        return new.here == old.here and new.key == old.key and new.far == old.far
    if not is_vector(before, i):
        return not new.here and new.key == old.key and new.far == old.far
    return new.here and new.key == before.row[i].key and new.far == far


def is_ranked(before: Vectors, after: Vectors, far: u32, key: u64, here: bool, r: Rank) -> bool:
    """Has a vector its rank, if it is here, and is near enough?"""
    rank = rank_of(before, far, key)
    if not here or is_worse(before, far, key):
        return after.search.found == before.search.found and is_moved(before, after, r, r)
    more: u8 = 1 if before.search.found < RANKS else 0
    if u32(after.search.found) != u32(before.search.found) + more:
        return False
    if r < rank or r >= after.search.found:
        return is_moved(before, after, r, r)
    if r == rank:
        return is_found(after, r, RowId(before.search.at), key, far) if before.search.at < ROWS else False
    return is_moved(before, after, r, Rank(r - 1))


@succeeds("conclude")
def may_conclude(before: Vectors) -> bool:
    return is_current(before) and is_complete(before)


@ensures("conclude", "each vector that was seen was found, or every rank has one that comes before it", changes=())
def is_answered(before: Vectors, after: Vectors, i: RowId) -> bool:
    seen = before.seen[i]
    passed = not seen.here or i == 0 or i > u64(before.capacity) + 1
    return passed or is_listed(before, i) or is_worse(before, seen.far, seen.key)
