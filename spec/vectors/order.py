"""What do the words for rows, for the order of keys and for the order of a search mean?"""

from corollary.language.builtins import saturating_sub
from corollary.language.types import u32, u64
from corollary.spec.vectors.limits import ANY, MOST, RANKS
from corollary.spec.vectors.state import Rank, RowId, Vectors

# ---- keys


def is_vector(s: Vectors, i: RowId) -> bool:
    """Does a row hold a vector?"""
    return s.row[i].version != 0


def is_row(s: Vectors, i: RowId) -> bool:
    """Is a row one of the store, for a vector?"""
    return i != 0 and i <= u64(s.capacity) + 1


def following(s: Vectors, p: RowId) -> RowId:
    """Return the vector behind row p in the order of keys, the first one for row 0; 0 if there is none."""
    return s.first if p == 0 else s.row[p].next


def is_before(s: Vectors, p: RowId, key: u64) -> bool:
    """Is row p the vector with the greatest key below this one, or 0 if there is none?"""
    n = following(s, p)
    after_one = p == 0 or (is_vector(s, p) and s.row[p].key < key)
    return after_one and (n == 0 or s.row[n].key >= key)


def known(s: Vectors, p: RowId, key: u64) -> RowId:
    """Return the vector behind row p if it is that of the key, or 0."""
    n = following(s, p)
    return n if n != 0 and s.row[n].key == key else RowId(0)


def version_of(s: Vectors, n: RowId) -> u64:
    """Return the version of a vector; 0 for row 0."""
    return s.row[n].version if n != 0 else 0


def is_expected(version: u64, expected: u64) -> bool:
    """Is a version the expected one?"""
    return expected == ANY or version == expected


def is_full(s: Vectors) -> bool:
    """Does the store hold as many vectors as it may?"""
    return s.row[RowId(0)].key <= saturating_sub(MOST, s.capacity)


# ---- searches


def is_nearer(s: Vectors, far: u32, key: u64, r: Rank) -> bool:
    """Does a vector at a distance come before one that was found? Of two as far, the one with the lower key does."""
    other = s.best[r]
    return far < other.far or (far == other.far and key < other.key)


def is_listed(s: Vectors, j: RowId) -> bool:
    """Is the vector in a row among those that were found?"""
    if s.search.found > 0:  # the result matters as such: a loop right here would be given a name, and looked at last
        for r in range(RANKS):
            if r < s.search.found and s.best[Rank(r)].row == j:
                return True
    return False


def is_worse(s: Vectors, far: u32, key: u64) -> bool:
    """Has every rank a vector, and does none of them come after one at a distance?"""
    return s.search.found >= RANKS and not is_nearer(s, far, key, Rank(RANKS - 1))


def is_current(s: Vectors) -> bool:
    """Is a search under way that is about the vectors as they are?"""
    return s.search.running and s.search.latest == s.latest


def is_complete(s: Vectors) -> bool:
    """Were all rows looked at?"""
    return s.search.at > u64(s.capacity) + 1
