"""What does each step of the placement component leave alone, and what does it choose?"""

from corollary.language.builtins import implies
from corollary.language.property import theorem
from corollary.spec.placement.graph import traffic
from corollary.spec.placement.integrity import is_rested
from corollary.spec.placement.limits import DWELL
from corollary.spec.placement.state import NodeId, Placement
from corollary.spec.placement.vocabulary import Change, Stage, Status


@theorem("CUT-12", "only a complete cut becomes the result")
def result_is_complete(before: Placement, after: Placement) -> bool:
    kept = after.result.asked == before.result.asked and after.result.value == before.result.value
    complete = before.cut.stage == Stage.CLOSING and before.cut.count == 2 and after.cut.stage == Stage.IDLE
    return complete or (kept and after.result.side == before.result.side)


@theorem("CUT-14", "while a cut is under way, the graph stays as it is")
def graph_waits(before: Placement, after: Placement, n: NodeId, m: NodeId) -> bool:
    same = before.nodes == after.nodes and before.node[n].home == after.node[n].home
    waits = same and traffic(before, n, m) == traffic(after, n, m)
    return implies(before.cut.stage != Stage.IDLE, waits)


@theorem("MOVE-4", "a recommendation begins while nothing is wrong, after its time, for partitions that have rested")
def recommends_with_care(before: Placement, after: Placement) -> bool:
    well = not before.degraded and not before.recovering and before.held == DWELL
    rested = is_rested(before, before.advice.source) and is_rested(before, before.advice.target)
    begins = after.outstanding and not before.outstanding
    return implies(begins, well and rested and before.advice.kind != Change.NOTHING)


@theorem("MOVE-5", "after a recommendation its partitions rest for `REST` epochs", about=("conclude",))
def rests_after_a_change(before: Placement, after: Placement, status: Status) -> bool:
    return implies(status == Status.OK, not is_rested(after, before.advice.source) and not after.outstanding)
