"""How does a store of vectors change? Each step names the rows that it is about, and is refused if they are not those.

Each step can be taken in any state, even one that no step leads to.
"""

from corollary.language.builtins import minimum
from corollary.language.types import u32, u64
from corollary.language.values import clear
from corollary.spec.vectors.limits import ANY, LAST, MOST, MOST_DIMENSION
from corollary.spec.vectors.order import (
    following,
    is_before,
    is_expected,
    is_full,
    is_row,
    is_vector,
    known,
    version_of,
)
from corollary.spec.vectors.state import RowId, Vectors
from corollary.spec.vectors.vocabulary import Element, Status


def begin(s: Vectors) -> None:
    """Note that there is no vector yet."""
    s.row[RowId(0)].key = MOST


def open_as(s: Vectors, dimension: u32, kind: Element, capacity: u32, latest: u64) -> Status:
    """Open an empty store that has come to a version."""
    if s.is_open:
        return Status.OPEN
    if dimension == 0 or dimension > MOST_DIMENSION:
        return Status.BAD_DIMENSION
    if capacity == 0 or capacity > MOST:
        return Status.BAD_CAPACITY
    if latest > LAST:
        return Status.EXHAUSTED
    s.is_open = True
    s.dimension = dimension
    s.kind = kind
    s.capacity = capacity
    s.latest = latest
    return Status.OK


def barred(s: Vectors, p: RowId, row: RowId, key: u64) -> Status:
    """Return why a row cannot get the vector of a key, if so."""
    if not s.is_open:
        return Status.NOT_OPEN
    if is_vector(s, row) or not is_row(s, row):
        return Status.ROW_TAKEN
    if not is_before(s, p, key):
        return Status.WRONG_PLACE
    return Status.OK


def link(s: Vectors, p: RowId, n: RowId) -> None:
    """Let a vector follow row p."""
    if p == 0:
        s.first = n
    else:
        s.row[p].next = n


def insert(s: Vectors, p: RowId, row: RowId, key: u64, version: u64) -> None:
    """Let a row hold a new vector, behind row p."""
    s.row[row].key = key
    s.row[row].version = version
    s.row[row].next = following(s, p)
    link(s, p, row)
    if s.row[RowId(0)].key > 0:
        s.row[RowId(0)].key -= 1


def adopt(s: Vectors, p: RowId, row: RowId, key: u64, version: u64) -> Status:
    """Take a vector that was stored before."""
    refused = barred(s, p, row, key)
    if refused != Status.OK:
        return refused
    if known(s, p, key) != 0:
        return Status.KEY_KNOWN
    if version == 0 or version > s.latest:
        return Status.BAD_VERSION
    if is_full(s):
        return Status.FULL
    s.search.running = False
    insert(s, p, row, key, version)
    return Status.OK


def put(s: Vectors, p: RowId, row: RowId, key: u64, expected: u64) -> Status:
    """Let a free row hold the vector of a key, whose version must be the expected one; 0 if there must be none."""
    refused = barred(s, p, row, key)
    if refused != Status.OK:
        return refused
    old = known(s, p, key)
    if not is_expected(version_of(s, old), expected):
        return Status.STALE_VERSION
    if old == 0 and is_full(s):
        return Status.FULL
    if s.latest >= LAST:
        return Status.EXHAUSTED
    s.latest += 1
    if old == 0:
        insert(s, p, row, key, s.latest)
    else:
        s.row[row].key = key
        s.row[row].version = s.latest
        s.row[row].next = s.row[old].next
        link(s, p, row)
        clear(s.row[old])
    return Status.OK


def delete(s: Vectors, p: RowId, key: u64, expected: u64) -> Status:
    """Take the vector of a key, whose version must be the expected one, out of the store."""
    if not s.is_open:
        return Status.NOT_OPEN
    if not is_before(s, p, key):
        return Status.WRONG_PLACE
    old = known(s, p, key)
    if old == 0:
        return Status.ABSENT
    if expected != ANY and s.row[old].version != expected:
        return Status.STALE_VERSION
    if s.latest >= LAST:
        return Status.EXHAUSTED
    s.latest += 1
    link(s, p, s.row[old].next)
    clear(s.row[old])
    s.row[RowId(0)].key = minimum(s.row[RowId(0)].key, MOST - 1) + 1
    return Status.OK
