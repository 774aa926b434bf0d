"""How much do edges carry, and between whom? The kernel counts; who places agents reads the counts, and weighs them."""

from corollary.language.builtins import implies, wrapping_add
from corollary.language.property import by_itself, theorem
from corollary.language.types import u32, u64
from corollary.spec.kernel.edge import edge_exists
from corollary.spec.kernel.integrity import makes, presents
from corollary.spec.kernel.limits import EDGES
from corollary.spec.kernel.state import Call, EdgeId, Kernel
from corollary.spec.kernel.vocabulary import ObjectKind, Right, Status

WORDS_OF_UNIT_BITS = 3  # a unit of traffic is a message, or 64 bytes of one


def units(length: u64) -> u64:
    """What a message of so many words counts for."""
    return (length >> WORDS_OF_UNIT_BITS) + 1


def with_message(carried: u64, length: u64) -> u64:
    """What has been carried, with one more message of so many words."""
    return wrapping_add(u64, carried, units(length))


def same_traffic(before: Kernel, after: Kernel, e: EdgeId) -> bool:
    """Is the account of an edge unchanged?"""
    old = before.traffic[e]
    new = after.traffic[e]
    return old.carried == new.carried and old.source == new.source and old.target == new.target


@theorem(
    "INT-26",
    "what an edge carried counts on only when somebody sends through it, and begins at zero when it is made; "
    "who received last changes only when somebody receives",
)
def traffic_obeys_its_edge(before: Kernel, call: Call, after: Kernel, e: EdgeId) -> bool:
    old = before.traffic[e]
    new = after.traffic[e]
    made = makes(before, call, edge_exists(before, e))
    return implies(
        old.carried != new.carried or old.source != new.source,
        made or presents(before, call, ObjectKind.EDGE, u32(e), EDGES - 1, Right.WRITE),
    ) and implies(
        old.target != new.target, made or presents(before, call, ObjectKind.EDGE, u32(e), EDGES - 1, Right.READ)
    )


@theorem("INT-27", "what happens without a call is no traffic", about=by_itself)
def traffic_is_left_alone(before: Kernel, after: Kernel, e: EdgeId) -> bool:
    return same_traffic(before, after, e)


@theorem(
    "EDGE-25",
    "a message counts as one, and as one more for each whole 64 bytes, on the edge that it is sent through",
    about=("edge_send",),
)
def sending_is_counted(before: Kernel, call: Call, after: Kernel, status: Status) -> bool:
    e = EdgeId.truncate(before.capability[call.capability].object)
    more = 1 + (call.argument[2] * 8) // 64 if call.argument[2] < 1 << 32 else u64(0)
    return implies(
        status == Status.OK,
        after.traffic[e].carried == wrapping_add(u64, before.traffic[e].carried, more)
        and after.traffic[e].source == before.current,
    )
