"""Which interface does a log follow?

One number identifies it. The number covers all that gives the records meaning, and no prose and no code.

Interfaces that were released are in `released/`, each as the lines that its number is computed from. What they say
holds for ever: a later kernel may add operations, names at the end of a vocabulary, and fields of the boot information
where there were zeros, and changes nothing else.
"""

import hashlib
from pathlib import Path

from corollary.language.types import is_enum, is_flags
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.schedule import RUNNER_BITS
from corollary.spec.kernel.state import BootInformation, WitnessRecord
from corollary.spec.kernel.vocabulary import Action, ObjectKind, Status, Tier
from corollary.spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION

SOURCES = ("spec/kernel/hypercalls.py", "spec/kernel/vocabulary.py", "spec/kernel/state.py")
RELEASED = Path(__file__).with_name("released")
NAMES = {
    type_.name: type_
    for declared in OPERATIONS
    for _, type_ in declared.parameters
    if is_enum(type_) or is_flags(type_)
}
CHAIN = f"SHA-256 {WitnessRecord.layout['link'].offset}"
"""How records are linked: by SHA-256 of the log, in which so many bytes of each record count, and zeros follow."""
VOCABULARIES = (Action, Status, Tier, ObjectKind, *(NAMES[name] for name in sorted(NAMES)))


def spelled(type_):
    """The names and numbers of a vocabulary, or the place and size of each field of a record, in bytes."""
    if not is_enum(type_) and not is_flags(type_):
        return " ".join([type_.__name__, *(f"{slot.name}@{slot.offset}+{slot.size}" for slot in type_.layout.slots)])
    members = type_.members if is_flags(type_) else type_.__members__
    return " ".join([type_.__name__, *(f"{name}={int(value)}" for name, value in members.items())])


def operation(declared):
    """Describe an operation: its number, what its records say about it, and where they hold each argument."""
    arguments = [f"{name}:{type_.name}:{type_.bits}:{field}:{low}" for name, type_, field, low in declared.places]
    return " ".join(
        [
            str(declared.number),
            declared.name,
            declared.kind.name,
            declared.tier.name,
            str(int(declared.takes_handle)),
            *arguments,
        ]
    )


def meaning():
    """Yield, line by line, everything that a log's reader and the kernel that wrote it must agree on."""
    yield from map(operation, OPERATIONS)
    yield from map(spelled, VOCABULARIES)
    yield from map(spelled, (WitnessRecord, BootInformation))
    yield f"{KERNEL_ACTOR} {KERNEL_OPERATION} {RUNNER_BITS}"
    yield CHAIN


def number_of(lines):
    """Return the number that the last record of the boot holds, for an interface of these lines."""
    return int.from_bytes(hashlib.sha256("\n".join(lines).encode()).digest()[:8], "little")


def released():
    """Return the lines of each released interface, by the name of its release."""
    return {
        path.stem: [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
        for path in sorted(RELEASED.glob("*.txt"))
    }


def changed(lines):
    """Return the lines that no longer hold; a vocabulary may have gained names."""
    return lost(lines, list(meaning()), {type_.__name__ for type_ in (*VOCABULARIES, BootInformation)})


def lost(lines, now, grown):
    """Return the lines that are not among those of `now`. Those that begin with a word of `grown` may go on there."""
    return [
        line
        for line in lines
        if line not in now and not (line.split()[0] in grown and any(each.startswith(f"{line} ") for each in now))
    ]


INTERFACE = number_of(meaning())
READABLE = {INTERFACE: "this one"} | {
    number_of(lines): name for name, lines in released().items() if CHAIN in lines and not changed(lines)
}
"""The interfaces whose logs still mean what they meant then."""
