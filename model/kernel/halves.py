"""How is a partition split in two, and how are two merged into one?

`page_transfer` moves pages between halves, and `partition_destroy` ends the one that was merged into the other.
"""

from corollary.language.builtins import subset
from corollary.model.kernel.operation import operation
from corollary.spec.kernel.capability import first_partition, handle_holds, named_partition, second_partition
from corollary.spec.kernel.halves import are_coherent, connects, fits, has_started, is_half, leases, right_to_part
from corollary.spec.kernel.state import Call, EdgeId, Handle, Kernel, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import Mode, ObjectKind, PartitionState, Right, Status


def part(s: Kernel, p: PartitionId, q: PartitionId, state: PartitionState) -> None:
    """Let two partitions stand still as halves of each other."""
    s.partition[p].state = state
    s.partition[p].other = q
    s.partition[q].state = state
    s.partition[q].other = p


@operation
def partition_split(s: Kernel, call: Call, into: Handle) -> Status:
    """Begin to split a partition.

    The other half is the partition `into`, which the caller created and which has no stage-2 root yet.
    """
    p = first_partition(s, call)
    q = second_partition(s, call)
    if not handle_holds(s, s.current, into, ObjectKind.PARTITION, Right.WRITE | Right.SPLIT):
        return Status.INSUFFICIENT_RIGHTS
    if s.mode == Mode.REFLEX:
        return Status.WRONG_MODE
    if s.partition[p].ancestry == 0 or s.partition[q].ancestry == 0 or s.partition[q].parent != s.current:
        return Status.INVALID_TARGET
    if not has_started(s, p) or s.partition[q].state != PartitionState.CREATED or s.partition[q].rooted:
        return Status.WRONG_STATE
    part(s, p, q, PartitionState.SPLITTING)
    return Status.OK


@operation
def partition_merge(s: Kernel, call: Call, into: Handle, edge: EdgeId, slot: SlotId, back: EdgeId) -> Status:
    """Begin to merge a partition into the partition `into`.

    The `edge` leads from one of them to the other, which receives by what is in its `slot`. What the edge `back`
    carried between them counts, too.
    """
    p = first_partition(s, call)
    q = second_partition(s, call)
    if not handle_holds(s, s.current, into, ObjectKind.PARTITION, Right.WRITE | Right.MERGE):
        return Status.INSUFFICIENT_RIGHTS
    if p == q or s.partition[p].ancestry == 0 or s.partition[q].ancestry == 0:
        return Status.INVALID_TARGET
    if not has_started(s, p) or not has_started(s, q):
        return Status.WRONG_STATE
    if not connects(s, edge, slot, p, q):
        return Status.NOT_CONNECTED
    if not are_coherent(s, edge, back, p, q):
        return Status.NOT_COHERENT
    if leases(s, p):
        return Status.STILL_LEASED
    if not fits(s, p, q):
        return Status.LIMIT_REACHED
    part(s, p, q, PartitionState.MERGING)
    return Status.OK


@operation
def partition_settle(s: Kernel, call: Call) -> Status:
    """Let a half be a whole: one that has a stage-2 root is suspended, any other one can be given one and start.

    Who settles it needs the right that made halves of it.
    """
    p = named_partition(s, call)
    if not is_half(s, p):
        return Status.WRONG_STATE
    if not subset(right_to_part(s.partition[p].state), s.capability[call.capability].rights):
        return Status.INSUFFICIENT_RIGHTS
    s.partition[p].state = PartitionState.SUSPENDED if s.partition[p].rooted else PartitionState.CREATED
    return Status.OK
