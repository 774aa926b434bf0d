"""Which interface does a log speak of? One number over all that gives its records meaning, and over no prose and no code."""

import hashlib

from language.types import is_enum, is_flags
from spec.kernel.hypercalls import OPERATIONS
from spec.kernel.schedule import RUNNER_BITS
from spec.kernel.state import BootInformation, WitnessRecord
from spec.kernel.vocabulary import Action, Status, Tier
from spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION

NAMES = {type_.name: type_ for declared in OPERATIONS for _, type_ in declared.parameters if is_enum(type_) or is_flags(type_)}


def spelled(type_):
    """The names and numbers of a vocabulary."""
    members = type_.members if is_flags(type_) else type_.__members__
    return " ".join([type_.__name__, *(f"{name}={int(value)}" for name, value in members.items())])


def operation(declared):
    """An operation: its number, what its records say of it, and where they hold which argument."""
    arguments = [f"{name}:{type_.name}:{type_.bits}:{field}:{low}" for name, type_, field, low in declared.places]
    return " ".join([str(declared.number), declared.name, declared.kind.name, declared.tier.name, str(int(declared.takes_handle)), *arguments])


def meaning():
    """Line by line, all that a reader of a log must agree on with the kernel that wrote it."""
    yield from map(operation, OPERATIONS)
    yield from map(spelled, (Action, Status, Tier, *(NAMES[name] for name in sorted(NAMES))))
    for record in (WitnessRecord, BootInformation):
        yield " ".join([record.__name__, *(f"{slot.name}@{slot.offset}+{slot.size}" for slot in record.layout.slots)])
    yield f"{KERNEL_ACTOR} {KERNEL_OPERATION} {RUNNER_BITS}"


INTERFACE = int.from_bytes(hashlib.sha256("\n".join(meaning()).encode()).digest()[:8], "little")
"""What the last record of the boot tells."""
