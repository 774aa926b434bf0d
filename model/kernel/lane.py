"""Who stands first in a lane of the scheduler? Row by row, so that each is proved by itself."""

from corollary.language.builtins import maximum
from corollary.language.types import u32
from corollary.spec.kernel.claim import standing
from corollary.spec.kernel.limits import LANE_ROW
from corollary.spec.kernel.state import Kernel, LaneRow, PartitionId


def foremost_in_row(s: Kernel, row: LaneRow, fair: bool) -> u32:
    """Return the best standing of any partition in a row of a lane."""
    best: u32 = 0
    for i in range(LANE_ROW):
        best = maximum(best, standing(s, PartitionId(u32(row) * LANE_ROW + i), fair))
    return best
