"""Which vectors are the nearest? All rows are looked at, one by one; how far each is comes from outside."""

from corollary.language.types import u8, u32, u64
from corollary.spec.vectors.limits import RANKS, ROWS
from corollary.spec.vectors.order import is_complete, is_nearer, is_vector, is_worse
from corollary.spec.vectors.state import Rank, RowId, Vectors
from corollary.spec.vectors.vocabulary import Metric, Status


def begin_search(s: Vectors, metric: Metric) -> Status:
    """Begin a search. A search under way ends."""
    if not s.is_open:
        return Status.NOT_OPEN
    s.search.running = True
    s.search.metric = metric
    s.search.found = 0
    s.search.at = 1
    s.search.latest = s.latest
    return Status.OK


def halted(s: Vectors) -> Status:
    """Return why a search cannot go on, if so."""
    if not s.search.running:
        return Status.NO_SEARCH
    return Status.STALE_SEARCH if s.search.latest != s.latest else Status.OK


def look(s: Vectors, far: u32) -> Status:
    """Look at the next row, which is so far from the query; one without a vector is passed over."""
    refused = halted(s)
    if refused != Status.OK:
        return refused
    if is_complete(s) or s.search.at >= ROWS:
        return Status.SEARCHED
    here = RowId(s.search.at)
    s.seen[here].here = is_vector(s, here)
    if is_vector(s, here):
        s.seen[here].key = s.row[here].key
        s.seen[here].far = far
        rank(s, here, s.row[here].key, far)
    s.search.at += 1
    return Status.OK


def rank(s: Vectors, row: RowId, key: u64, far: u32) -> None:
    """Put a vector among those that were found, if it is near enough."""
    if is_worse(s, far, key):
        return
    place: u8 = s.search.found
    for i in range(RANKS):
        place = place_from(s, far, key, Rank(RANKS - 1 - i), place)
    if s.search.found < RANKS:
        s.search.found += 1
    for i in range(RANKS - 1):
        make_room(s, place, Rank(RANKS - 1 - i))
    if place < RANKS:
        set_found(s, Rank(place), row, key, far)


def place_from(s: Vectors, far: u32, key: u64, r: Rank, place: u8) -> u8:
    """Return a rank as the place of a vector, if that one's is further, and else the place found before."""
    if r < s.search.found and is_nearer(s, far, key, r):
        return u8(r)
    return place


def make_room(s: Vectors, place: u8, r: Rank) -> None:
    """Give a rank what the one before has, if it is behind a place."""
    if r < s.search.found and r > place:
        copy(s, Rank(r - 1), r)


def copy(s: Vectors, q: Rank, r: Rank) -> None:
    """Give one rank what another one has."""
    set_found(s, r, s.best[q].row, s.best[q].key, s.best[q].far)


def set_found(s: Vectors, r: Rank, row: RowId, key: u64, far: u32) -> None:
    """Give a vector a rank."""
    s.best[r].row = row
    s.best[r].key = key
    s.best[r].far = far


def conclude(s: Vectors) -> Status:
    """Say whether what was found is the answer."""
    refused = halted(s)
    if refused != Status.OK:
        return refused
    return Status.OK if is_complete(s) else Status.UNFINISHED
