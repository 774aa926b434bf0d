"""What is the state of a store of vectors? An index of its rows, and a search.

The elements lie elsewhere, as many for each row. Row 0 holds no vector but the query of a search.
"""

from corollary.language.types import Index, Table, u8, u32, u64
from corollary.language.values import Record
from corollary.spec.vectors.limits import RANKS, ROWS
from corollary.spec.vectors.vocabulary import Element, Metric

RowId = Index("RowId", ROWS)
Rank = Index("Rank", RANKS)


class Row(Record):
    """A vector, or none. Row 0 counts: its key is the number of vectors that could still be added to `MOST`."""

    key: u64
    version: u64  # of the vector; 0 if there is none
    next: RowId  # the vector with the next greater key; 0 if there is none


class Search(Record):
    """The search under way, or the last one."""

    running: bool
    metric: Metric
    found: u8  # vectors that were found
    at: u32  # row that is looked at next
    latest: u64  # version of the store whose vectors are searched


class Seen(Record):
    """What a search has seen in a row."""

    key: u64
    far: u32  # how far the vector is from the query: less is nearer
    here: bool  # was there a vector?


class Found(Record):
    """One of the nearest vectors."""

    row: RowId
    key: u64
    far: u32


class Vectors(Record):
    """The whole state."""

    is_open: bool
    kind: Element
    dimension: u32  # elements of a vector
    capacity: u32  # vectors
    latest: u64  # version that the last change has made
    first: RowId  # the vector with the least key; 0 if there is none
    row: Table[RowId, Row]
    search: Search
    seen: Table[RowId, Seen]
    best: Table[Rank, Found]  # nearest first
