"""What does each step leave alone in a store of vectors, and what can nobody take for something else?"""

from corollary.language.builtins import implies
from corollary.language.property import theorem
from corollary.language.types import u64
from corollary.spec.vectors.order import is_current, is_vector
from corollary.spec.vectors.state import RowId, Vectors
from corollary.spec.vectors.vocabulary import Status


def is_of(s: Vectors, i: RowId, key: u64) -> bool:
    """Does a row hold the vector of a key?"""
    return is_vector(s, i) and s.row[i].key == key


@theorem("VEC-10", "after a put, the key has the vector that lies in the row, and no other", about=("put",))
def is_exact(before: Vectors, after: Vectors, status: Status, row: RowId, key: u64, i: RowId) -> bool:
    return implies(status == Status.OK, is_of(after, i, key) == (i == row))


@theorem("VEC-11", "a put gives a version that no vector ever had", about=("put",))
def is_new(before: Vectors, after: Vectors, status: Status, row: RowId, i: RowId) -> bool:
    new = after.row[row].version > before.latest and after.row[row].version == after.latest
    return implies(status == Status.OK, new and before.row[i].version < after.row[row].version)


@theorem(
    "VEC-12", "after a delete, the key has no vector, and the version that it had is not given again", about=("delete",)
)
def is_gone(before: Vectors, after: Vectors, status: Status, key: u64, i: RowId) -> bool:
    return implies(status == Status.OK, not is_of(after, i, key) and after.latest > before.latest)


@theorem("VEC-13", "vectors of other keys stay in their rows and versions", about=("put", "delete"))
def others_stay(before: Vectors, after: Vectors, key: u64, i: RowId, k: u64) -> bool:
    stays = is_of(after, i, k) == is_of(before, i, k) and before.row[i].version == after.row[i].version
    return implies(k != key and (is_of(before, i, k) or is_of(after, i, k)), stays)


@theorem("VEC-14", "versions are not given back, and what lies in a row is not changed under its version")
def versions_grow(before: Vectors, after: Vectors, i: RowId) -> bool:
    kept = after.row[i].version == before.row[i].version and after.row[i].key == before.row[i].key
    return after.latest >= before.latest and implies(is_vector(before, i) and is_vector(after, i), kept)


@theorem("VEC-15", "a store does not change its shape once it is open")
def shape_stays(before: Vectors, after: Vectors) -> bool:
    same = before.dimension == after.dimension and before.kind == after.kind
    return implies(before.is_open, after.is_open and same and before.capacity == after.capacity)


@theorem("NEAR-5", "as long as a search goes on, all vectors stay as they are, and so does what was seen of them")
def vectors_wait(before: Vectors, after: Vectors, i: RowId) -> bool:
    same = before.row[i].version == after.row[i].version and before.row[i].key == after.row[i].key
    goes_on = is_current(before) and is_current(after) and after.search.at >= before.search.at
    kept = before.seen[i].here == after.seen[i].here and before.seen[i].far == after.seen[i].far
    return implies(goes_on and 0 < i, same and (kept or i == before.search.at))


@theorem("NEAR-6", "no search goes on after a put or a delete", about=("put", "delete"))
def search_ends(before: Vectors, after: Vectors, status: Status) -> bool:
    return implies(status == Status.OK, not is_current(after))
