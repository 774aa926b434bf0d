"""How is traffic told? Eight edges at a time, to who holds the capability to see all of it."""

from corollary.language.types import u32
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.limits import GRAPH_ROWS
from corollary.spec.kernel.memory import lets, owns_data
from corollary.spec.kernel.packed import TrafficEnds
from corollary.spec.kernel.state import Call, EdgeGroup, EdgeId, EntryId, Kernel, PageId
from corollary.spec.kernel.vocabulary import Access, Status


def put_row(s: Kernel, page: PageId, position: u32, e: EdgeId) -> None:
    """Write what an edge has carried, and between whom, to two words of a page."""
    edge = s.traffic[e]
    target = s.memory[page]
    target.word[EntryId(position)] = edge.carried
    target.word[EntryId(position + 1)] = TrafficEnds(edge=e, source=edge.source, target=edge.target)


@operation
def graph_read(s: Kernel, call: Call, page: PageId, group: EdgeGroup) -> Status:
    """Write what eight edges have carried to the start of the caller's page, two words for each."""
    if not owns_data(s, s.current, page):
        return Status.NOT_OWNER
    if not lets(s, s.current, page, Access.WRITE):
        return Status.NOT_MAPPED
    for i in range(GRAPH_ROWS):
        put_row(s, page, 2 * i, EdgeId(GRAPH_ROWS * u32(group) + i))
    return Status.OK
