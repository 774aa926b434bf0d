"""What does the gate know about a hypercall? Its row, one column at a time."""

from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.operation import column, named
from corollary.spec.kernel.state import Call
from corollary.spec.kernel.vocabulary import Action, Meter, ObjectKind, Right, Ring, Tier

WITNESS_READ = named("witness_read").number
WITNESS_DISCARD = named("witness_discard").number
BLOCK_CLEAN = named("block_clean").number
BLOCK_CREATE = named("block_create").number
BLOCK_RELEASE = named("block_release").number
BLOCK_RETIER = named("block_retier").number
BLOCK_TRANSFER = named("block_transfer").number
EDGE_AWAIT = named("edge_await").number
NOTIFICATION_AWAIT = named("notification_await").number
OPERATION_COUNT = len(OPERATIONS)
KIND_OF = column("kind", Action)
TIER_OF = column("tier", Tier)
REQUIRED_RING = column("required_ring", Ring)
OBJECT_OF = column("on", ObjectKind)
RIGHTS_OF = column("needs", Right)
TAKES_HANDLE = column("takes_handle")
HANDLES = column("handles")
ANY_OBJECT = column("any_object")
USES_RESOURCE = column("resource")
ACCEPTS_DEAD = column("accepts_dead")
METER_OF = column("meter", Meter)
FOR_CREATORS = column("creators")
ELEVATION_ADMITS = column("elevation")
REPLACES_ROOT = column("replaces_root")
SHOWS_MODULE = column("shows_module")


def known(call: Call) -> bool:
    """Does the call name an operation?"""
    return call.operation < OPERATION_COUNT
