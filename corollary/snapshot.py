"""How is an instance saved to bytes and restored? As a snapshot, the same on every machine, sealed with a key.

All numbers are little-endian. The parts are, in this order:

    a header
    the control stack, a u32 for each entry
    the operand stack, up to the end of the running frame, a u64 for each slot
    the globals, a u64 each
    the tables: the size of each and its references, a u32 each
    a byte for each element segment, then for each data segment: is it dropped?
    the memory
    HMAC-SHA-256 of all of this

References count the functions of the instance from 1.
"""

import ctypes
import hashlib
import hmac
import struct
from itertools import count

from corollary.codegen.released import machine_identity, named
from corollary.language.types import Enum
from corollary.library import CONTENT, Room, library
from corollary.outcome import HostCall, Suspended
from corollary.problem import Problem
from corollary.run import PLACE
from corollary.spec.wasm.machine import NULL_REFERENCE, Outcome
from corollary.spec.wasm.module import External
from corollary.spec.wasm.snapshot import Fault
from corollary.spec.wasm.values import ValueType
from corollary.values import all_values

MAGIC = b"corollary\0"
FORMAT = 1
OPENING = struct.Struct("<10sH32s16s32s")
HEADER = struct.Struct(OPENING.format + "9I")  # the opening, and the numbers with which the content begins
SEAL = hashlib.sha256().digest_size
KEY = 32  # bytes of a key, at least


class Reason(Enum):
    """Why is there no snapshot, or why is it not taken?"""

    KIND = 0  # it is no snapshot
    FORMAT = 1  # it is of another version of the format
    MACHINE = 2  # it was made by another version of the machine
    KEY = 3  # it was sealed with another key
    DAMAGED = 4  # it is not as it was sealed
    MODULE = 5  # it is of another module
    CONTENT = 6  # its content is no state of the module
    SHARED = 7  # the instance shares its state with others
    RUNNING = 8  # the instance is in the middle of a function of the host


class SnapshotRefused(Problem):
    """A snapshot could not be made or was not accepted: `reason` is a `Reason`, and the message says what to do."""

    def __init__(self, reason: Reason, advice: str):
        self.reason = reason
        super().__init__(f"{Reason.notes[reason.name]}: {advice}")


def key_mark(key):
    """Return 16 bytes that identify a key but do not reveal it."""
    return hmac.digest(key, b"the key of a snapshot", "sha256")[:16]


def check_key(key):
    """Raise `ValueError` for a key of less than 32 bytes."""
    if len(key) < KEY:
        raise ValueError(f"the key has {len(key)} bytes: take {KEY} random ones, from `secrets.token_bytes({KEY})`")


# ---- saving


def save(instance, key, alone):
    """Return a sealed snapshot of an instance; raises `SnapshotRefused`, and `ValueError` for a short key.

    `alone` says whether the instance is in the middle of nothing else, not even for a handler of a signal.
    """
    return sealed(unsealed(instance, key, alone), key)


def sealed(data, key):
    """Return what was saved with its seal, which only a holder of the key can make."""
    return b"".join((data, hmac.digest(key, data, "sha256")))


def unsealed(instance, key, alone):
    """Return a snapshot that has no seal yet, for whoever keeps it in a form of his own; raises as `save` does."""
    check_key(key)
    if not alone or instance.machine.depth and instance.waiting is None:
        raise SnapshotRefused(Reason.RUNNING, "let that function return first")
    check_alone(instance)
    size = library().saved_size(instance.room.address)
    made = bytearray(OPENING.size + size)
    OPENING.pack_into(made, 0, MAGIC, FORMAT, machine_identity(), key_mark(key), instance.module.digest)
    content = ctypes.addressof(ctypes.c_char.from_buffer(made, OPENING.size))
    if not library().save_to(instance.room.address, content, size):
        raise SnapshotRefused(Reason.SHARED, "it grew while it was saved: let nobody use it meanwhile")
    return made


def check_unshared(instance):
    """Raise `SnapshotRefused` when others could change the state of the instance."""
    for kind, externals in (
        (External.MEMORY, instance.memories),
        (External.TABLE, instance.tables),
        (External.GLOBAL, instance.globals),
    ):
        imported = instance.imported(kind)
        for index, external in enumerate(externals):
            fixed = kind is External.GLOBAL and not external.mutable
            if not fixed and (index < imported or external.importers):
                raise SnapshotRefused(
                    Reason.SHARED, f"others have {kind.name.lower()} {index}, too: let each instance have its own"
                )


def check_alone(instance):
    """Raise `SnapshotRefused` when others could change the instance, or when it refers to foreign things."""
    check_unshared(instance)
    check_own(
        instance,
        "global",
        ((index, external.type, instance.references.of(external)) for index, external in enumerate(instance.globals)),
    )
    if isinstance(instance.waiting, HostCall):
        wanted = instance.run.wanted()
        check_own(instance, "argument", zip(count(1), wanted.type.parameters, instance.run.arguments(wanted)))
    for index, table in enumerate(instance.tables):
        check_own(
            instance,
            "table",
            ((index, table.element, instance.references.own(held)) for held in table.room["elements"][: table.size]),
        )


def check_own(instance, kind, references):
    """Raise `SnapshotRefused` for a reference to an object or to a foreign function."""
    for index, type_, held in references:
        if held != NULL_REFERENCE and (
            type_ is ValueType.EXTERNREF or type_ is ValueType.FUNCREF and held > len(instance.functions)
        ):
            raise SnapshotRefused(
                Reason.SHARED,
                f"{kind} {index} refers to something outside the instance: such references mean nothing elsewhere",
            )


# ---- loading


def load(instance, data, key):
    """Load the state of a snapshot into an instance that has taken no step yet; raises `SnapshotRefused`."""
    check_key(key)
    check_unshared(instance)
    data = bytes(data)  # a copy: the bytes that were checked are the bytes that are read
    opened(instance, memoryview(data), key)
    take(instance, data, len(data) - SEAL)


def load_unsealed(instance, data, key):
    """Do the same with bytes that have no seal, for whoever has one of his own; raises as `load` does."""
    check_key(key)
    check_unshared(instance)
    check_module(instance, module_of(data, key))
    take(instance, data, len(data))


def take(instance, data, size):
    """Take the state from the first bytes of a snapshot; raises `SnapshotRefused` unless it is one of the module."""
    content = Room(CONTENT)
    content.lend("bytes", data)
    content.value.bytes.length = size
    content.value.at = OPENING.size
    instance.before = dict.fromkeys(PLACE, 0)
    fault = Fault(
        library().content_restore(instance.room.address, instance.module.translation.address, content.address)
    )
    if fault is not Fault.NONE:
        raise broken(fault)
    close(instance)
    instance.references.forget()
    wait(instance, Outcome(instance.machine.outcome))


def opened(instance, data, key):
    """Raise `SnapshotRefused` unless a holder of the key made this, for this module and this machine."""
    module = module_of(data[:-SEAL], key)
    if not hmac.compare_digest(data[-SEAL:], hmac.digest(key, data[:-SEAL], "sha256")):
        raise SnapshotRefused(Reason.DAMAGED, "take another copy")
    check_module(instance, module)


def module_of(data, key):
    """Return the module that a snapshot says it is of; raises `SnapshotRefused` unless its opening is one for here."""
    if len(data) < HEADER.size or data[: len(MAGIC)] != MAGIC:
        raise SnapshotRefused(Reason.KIND, "its first bytes are not those of one")
    _, version, machine, mark, module = OPENING.unpack(data[: OPENING.size])
    if version != FORMAT:
        raise SnapshotRefused(Reason.FORMAT, f"it is {version}, this is {FORMAT}")
    if machine != machine_identity():
        raise SnapshotRefused(
            Reason.MACHINE,
            f"by {named(machine)}, this is {named(machine_identity())}; "
            "it stays as it is: go on with it on the one that made it, or begin anew",
        )
    if not hmac.compare_digest(mark, key_mark(key)):
        raise SnapshotRefused(Reason.KEY, "give the key that it was made with")
    return module


def check_module(instance, module):
    """Raise `SnapshotRefused` unless an instance is of a module."""
    if module != instance.module.digest:
        raise SnapshotRefused(Reason.MODULE, f"it needs the one with SHA-256 {module.hex()}")


def broken(fault):
    """Return the refusal for a fault in the content."""
    return SnapshotRefused(Reason.CONTENT, Fault.notes[fault.name])


def close(instance):
    """From now on, let no other instance import what may hold forged references."""
    for external in (*instance.tables, *(held for held in instance.globals if held.mutable)):
        external.closed = external.holds


def wait(instance, outcome):
    """Let the instance wait as it did when the snapshot was made."""
    if outcome is not Outcome.RETURNED:
        instance.called = instance.type_of(instance.run.outermost())
    if outcome is Outcome.SUSPENDED:
        instance.waiting = Suspended()
    if outcome is Outcome.HOST_CALL:
        function = instance.functions[instance.machine.callee]
        if function.asked is None:
            raise SnapshotRefused(
                Reason.CONTENT,
                "it waits for a host call that is given as an import now: leave that out, and give `host_calls`",
            )
        module, name = function.asked
        instance.waiting = HostCall(module, name, told(instance, function))


def told(instance, function):
    """Return the arguments of a host call as Python values; raises `SnapshotRefused` for a bad reference."""
    try:
        return all_values(function.type.parameters, instance.run.arguments(function), instance.references)
    except LookupError:
        raise broken(Fault.REFERENCE) from None
