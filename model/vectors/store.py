"""How is a store of vectors kept in memory that somebody lends, and what may a host ask of it?

The host writes the elements of a vector, or of a query, into the row that it is given for them, and reads them from the
row that it is told. Whatever bytes the memory holds, and whatever the arguments are, each function has a value and
ends.
"""

from corollary.language.builtins import minimum
from corollary.language.contracts import requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u32, u64
from corollary.language.values import clear, length
from corollary.model.vectors.distance import far, is_finite
from corollary.model.vectors.index import adopt, begin, delete, open_as, put
from corollary.model.vectors.search import begin_search, conclude, look
from corollary.spec.vectors.limits import LAST, MOST, MOST_DIMENSION, ROWS
from corollary.spec.vectors.order import is_vector, known
from corollary.spec.vectors.state import RowId, Vectors
from corollary.spec.vectors.store import (
    AT_CAPACITY,
    AT_DIMENSION,
    AT_ELEMENT,
    AT_LATEST,
    AT_ZEROS,
    ENTRY,
    HEADER,
    MAGIC,
    Store,
)
from corollary.spec.vectors.vocabulary import Element, Metric, Status


def is_roomy(s: Store, dimension: u32, kind: Element, capacity: u32) -> bool:
    """Is there room for all rows of such a store, and is it within the limits?"""
    if dimension > MOST_DIMENSION or capacity > MOST:
        return False
    rows = u64(capacity) + 2
    elements = length(s.bytes) if kind == Element.I8 else length(s.words)
    return HEADER + ENTRY * rows <= length(s.table) and rows * dimension <= elements


def has_room(s: Store) -> bool:
    """Is there room for all rows of this store?"""
    return is_roomy(s, s.index.dimension, s.index.kind, s.index.capacity)


# ---- the whole store


def format(s: Store, dimension: u32, kind: Element, capacity: u32) -> Status:
    """Make an empty store of the memory. What was there is lost."""
    if dimension <= MOST_DIMENSION and capacity <= MOST and not is_roomy(s, dimension, kind, capacity):
        return Status.NO_ROOM
    opened = opened_empty(s.index, dimension, kind, capacity, 0)
    if opened != Status.OK or length(s.table) < HEADER:
        return opened
    s.table[0] = MAGIC
    s.table[AT_DIMENSION] = dimension
    s.table[AT_ELEMENT] = 0 if kind == Element.I8 else 1
    s.table[AT_CAPACITY] = capacity
    s.table[AT_LATEST] = 0
    at: u64 = AT_ZEROS
    while at < HEADER + ENTRY * (u64(capacity) + 2) and at < length(s.table):
        decreases(length(s.table) - at)
        s.table[at] = 0
        at += 1
    return Status.OK


def opened_empty(s: Vectors, dimension: u32, kind: Element, capacity: u32, latest: u64) -> Status:
    """Open the index as one without vectors, if it is not open."""
    if not s.is_open:
        clear(s)
        begin(s)
    return open_as(s, dimension, kind, capacity, latest)


def open_stored(s: Store) -> Status:
    """Open a store that somebody has left in the memory, whoever it was. Nothing of the memory changes."""
    if s.index.is_open:
        return Status.OPEN
    if length(s.table) < HEADER:
        return Status.NO_ROOM
    fault = header_fault(s)
    if fault != Status.OK:
        return fault
    kind = Element.I8 if s.table[AT_ELEMENT] == 0 else Element.F32
    dimension = u32.truncate(s.table[AT_DIMENSION])
    capacity = u32.truncate(s.table[AT_CAPACITY])
    if not is_roomy(s, dimension, kind, capacity):
        return Status.NO_ROOM
    opened = opened_empty(s.index, dimension, kind, capacity, s.table[AT_LATEST])
    if opened != Status.OK:
        return opened
    answer = taken_in(s)
    if answer != Status.OK:
        clear(s.index)
    return answer


@requires(lambda s: length(s.table) >= HEADER)
def header_fault(s: Store) -> Status:
    """Return what is wrong with the header."""
    if s.table[0] != MAGIC:
        return Status.NO_STORE
    if s.table[AT_DIMENSION] == 0 or s.table[AT_DIMENSION] > MOST_DIMENSION:
        return Status.BAD_DIMENSION
    if s.table[AT_ELEMENT] > 1:
        return Status.BAD_ELEMENT
    if s.table[AT_CAPACITY] == 0 or s.table[AT_CAPACITY] > MOST:
        return Status.BAD_CAPACITY
    if s.table[AT_LATEST] > LAST:
        return Status.DAMAGED
    zeros = s.table[AT_ZEROS] | s.table[AT_ZEROS + 1] | s.table[AT_ZEROS + 2]
    return Status.OK if zeros == 0 else Status.DAMAGED


def taken_in(s: Store) -> Status:
    """Take all stored vectors into the index."""
    row: u64 = 1
    while row < ROWS and row <= u64(s.index.capacity) + 1 and HEADER + ENTRY * row + 1 < length(s.table):
        maintains(row <= ROWS)
        decreases(ROWS - row)
        version = s.table[HEADER + ENTRY * row + 1]
        if version != 0:
            if not is_finite(s, row):
                return Status.NOT_FINITE
            key = s.table[HEADER + ENTRY * row]
            place = place_of(s.index, key)
            answer = adopt(s.index, place, RowId(row), key, version)
            if answer != Status.OK:
                return Status.DAMAGED
        row += 1
    return Status.OK


# ---- vectors


def place_of(s: Vectors, key: u64) -> RowId:
    """Return the row of the vector with the greatest key below this one; 0 if there is none."""
    found = RowId(0)
    greatest: u64 = 0
    row: u64 = 1
    while row < ROWS and row <= u64(s.capacity) + 1:
        maintains(row <= ROWS)
        decreases(ROWS - row)
        here = RowId(row)
        if s.row[here].key < key and s.row[here].key >= greatest and is_vector(s, here):
            found = here
            greatest = s.row[here].key
        row += 1
    return found


def row_of(s: Store, key: u64) -> u32:
    """Return the row of the vector of a key; 0 if there is none."""
    place = place_of(s.index, key)
    return known(s.index, place, key)


def free_row(s: Store) -> u32:
    """Return a row for the elements of the next vector; 0 if there is none."""
    row: u64 = 1
    while row < ROWS and row <= u64(s.index.capacity) + 1:
        maintains(row <= ROWS)
        decreases(ROWS - row)
        if not is_vector(s.index, RowId(row)):
            return u32(row)
        row += 1
    return 0


def note_row(s: Store, row: RowId) -> None:
    """Write what the index says of a row, and the version of the store, into the table."""
    at = HEADER + ENTRY * u64(row)
    if at + 1 < length(s.table):
        s.table[at] = s.index.row[row].key
        s.table[at + 1] = s.index.row[row].version
        s.table[AT_LATEST] = s.index.latest


def put_row(s: Store, row: u32, key: u64, expected: u64) -> Status:
    """Let a free row, which has the elements, hold the vector of a key; 0 is expected if there must be none."""
    if not has_room(s):
        return Status.NO_ROOM
    if row >= ROWS:
        return Status.ROW_TAKEN
    if s.index.is_open and not is_finite(s, row):
        return Status.NOT_FINITE
    place = place_of(s.index, key)
    old = known(s.index, place, key)
    answer = put(s.index, place, RowId(row), key, expected)
    if answer == Status.OK:
        if old != 0:
            note_row(s, old)
        note_row(s, RowId(row))
    return answer


def delete_key(s: Store, key: u64, expected: u64) -> Status:
    """Take the vector of a key out of the store."""
    if not has_room(s):
        return Status.NO_ROOM
    place = place_of(s.index, key)
    old = known(s.index, place, key)
    answer = delete(s.index, place, key, expected)
    if answer == Status.OK:
        note_row(s, old)
    return answer


# ---- searches


def begin_nearest(s: Store, metric: Metric) -> Status:
    """Begin to search for the vectors that are nearest to the query in row 0."""
    if not has_room(s):
        return Status.NO_ROOM
    if s.index.is_open and not is_finite(s, 0):
        return Status.NOT_FINITE
    return begin_search(s.index, metric)


def go_on(s: Store, rows: u32) -> Status:
    """Look at some rows more. Return OK if all were looked at: then `best` has the answer."""
    if not has_room(s):
        return Status.NO_ROOM
    left: u32 = minimum(rows, ROWS)
    answer = conclude(s.index)
    while answer == Status.UNFINISHED and left > 0:
        decreases(left)
        here = s.index.search.at
        apart = far(s, here) if here < ROWS and is_vector(s.index, RowId(minimum(here, ROWS - 1))) else 0
        looked = look(s.index, apart)
        answer = conclude(s.index) if looked == Status.OK else looked
        left -= 1
    return answer
