"""Does a log go on from another one? A kernel that starts again measures how often, and the log of the one before it.

It measures that with whether it has a key, in one phase of its boot. So whoever has both logs can tell.
"""

import hashlib
import struct

from corollary.record.witness_log import measurements
from corollary.spec.kernel.limits import RESTARTS
from corollary.spec.kernel.memory_map import START_PHASE

LINE = struct.Struct("<QQ32s16s")  # as `measure_start` of the model has it: keyed, restarts, SHA-256, zeros
DIGEST = 32
COLD = bytes(DIGEST)  # in place of the SHA-256, where no log comes before


def measured_start(keyed, restarts, head):
    """Return what a boot measures that comes after so many restarts and a log with this SHA-256."""
    return hashlib.sha256(LINE.pack(keyed, restarts, head, bytes(16))).digest()


def gap(before, after):
    """Say in words why a log does not go on from another one; return "" if it does. Both are verdicts of good logs."""
    if after.information is None:
        return "the log begins at a checkpoint: only a boot tells which log came before it"
    restarts = after.information.restarts
    if restarts == 0:
        return "the log is that of a cold start: it goes on from no other"
    if restarts > RESTARTS:
        return "what was kept was damaged before this start, so it goes on from no other log"
    if before.information is not None and before.information.restarts + 1 != restarts:
        return (
            f"the log is that of restart {restarts}, and the one before that of restart {before.information.restarts}"
        )
    measured = measurements(after.information)[DIGEST * START_PHASE :][:DIGEST]
    if measured not in {measured_start(keyed, restarts, before.head) for keyed in (True, False)}:
        return "the log goes on from another one: the boot measured another SHA-256 of the log before it"
    return ""
