"""Which vectors are the nearest? All rows are looked at, one by one; how far each is comes from outside."""

from corollary.language.types import u8, u32
from corollary.spec.vectors.limits import RANKS, ROWS
from corollary.spec.vectors.order import comes_before, is_complete, is_vector
from corollary.spec.vectors.state import Rank, RowId, Vectors
from corollary.spec.vectors.vocabulary import Metric, Status


def begin_search(s: Vectors, most: u8, metric: Metric) -> Status:
    """Begin to search for some vectors. A search under way ends."""
    if not s.is_open:
        return Status.NOT_OPEN
    if most == 0 or most > RANKS:
        return Status.BAD_COUNT
    s.search.running = True
    s.search.metric = metric
    s.search.most = most
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
    if is_vector(s, here):
        s.far[here] = far
        rank(s, here)
    s.search.at += 1
    return Status.OK


def rank(s: Vectors, here: RowId) -> None:
    """Put a vector among those that were found, if it is near enough."""
    if s.search.found < s.search.most and s.search.found < RANKS:
        s.best[Rank(s.search.found)] = here
        s.search.found += 1
    elif s.search.found == 0 or s.search.found > RANKS or not comes_before(s, here, s.best[Rank(s.search.found - 1)]):
        return
    place: u8 = s.search.found - 1
    for i in range(RANKS - 1):
        r = RANKS - 1 - i
        if r < s.search.found and comes_before(s, here, s.best[Rank(r - 1)]):
            s.best[Rank(r)] = s.best[Rank(r - 1)]
            place = u8(r - 1)
    s.best[Rank(place)] = here


def conclude(s: Vectors) -> Status:
    """Say whether what was found is the answer."""
    refused = halted(s)
    if refused != Status.OK:
        return refused
    return Status.OK if is_complete(s) else Status.UNFINISHED
