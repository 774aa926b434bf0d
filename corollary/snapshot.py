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

import hashlib
import hmac
import struct
from functools import cache
from itertools import count

from corollary.codegen.build import VM
from corollary.language.types import Enum
from corollary.library import library
from corollary.outcome import HostCall, Suspended
from corollary.problem import Problem
from corollary.run import PLACE
from corollary.spec.wasm.machine import NULL_REFERENCE, PAGE, Outcome
from corollary.spec.wasm.module import External
from corollary.spec.wasm.snapshot import Fault
from corollary.spec.wasm.values import ValueType
from corollary.values import REFERENCES, all_values

MAGIC = b"corollary\0"
FORMAT = 1
HEADER = struct.Struct("<10sH32s16s32s9I")
SEAL = hashlib.sha256().digest_size
KEY = 32  # bytes of a key, at least
IDLE, CONTROL, STACK = Outcome.RETURNED, 4, 8


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

    def __init__(self, reason, advice):
        self.reason = reason
        super().__init__(f"{Reason.notes[reason.name]}: {advice}")


@cache
def machine_digest():
    """Return the SHA-256 of the machine's generated C, which stands for the meaning of code and state."""
    digest = hashlib.sha256()
    for path in sorted(VM.glob("*.[ch]")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


def key_mark(key):
    """Return 16 bytes that identify a key but do not reveal it."""
    return hmac.digest(key, b"the key of a snapshot", "sha256")[:16]


def check_key(key):
    """Raise `ValueError` for a key of less than 32 bytes."""
    if len(key) < KEY:
        raise ValueError(f"the key has {len(key)} bytes: take {KEY} random ones, from `secrets.token_bytes({KEY})`")


# ---- saving


def save(instance, key):
    """Return a sealed snapshot of an instance; raises `SnapshotRefused`, and `ValueError` for a short key."""
    check_key(key)
    if instance.machine.depth and instance.waiting is None:
        raise SnapshotRefused(Reason.RUNNING, "let that function return first")
    check_alone(instance)
    parts = [header(instance, key), *stacks(instance), *cells(instance), *memory(instance)]
    seal = hmac.new(key, digestmod="sha256")
    for part in parts:
        seal.update(part)
    return b"".join([*parts, seal.digest()])


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


def header(instance, key):
    """Return the header: it tells whether the rest is meant for this machine and module, and how long its parts are."""
    machine = instance.machine
    return HEADER.pack(
        MAGIC,
        FORMAT,
        machine_digest(),
        key_mark(key),
        instance.module.digest,
        outcome_of(instance),
        machine.at,
        machine.frame,
        machine.depth,
        live(instance),
        machine.callee if outcome_of(instance) is Outcome.HOST_CALL else 0,
        len(instance.globals),
        len(instance.tables),
        instance.memories[0].pages if instance.memories else 0,
    )


def outcome_of(instance):
    """Return the machine's outcome that the instance waits in."""
    return (
        IDLE
        if instance.waiting is None
        else Outcome.HOST_CALL
        if isinstance(instance.waiting, HostCall)
        else Outcome.SUSPENDED
    )


def live(instance):
    """Return how many slots of the stack are in use, up to the end of the running frame."""
    if instance.waiting is None:
        return 0
    entry = instance.module.entries[instance.module.function_at(instance.machine.at)]
    return instance.machine.frame + (instance.room["code"][entry - 1] & 0xFFFF_FFFF)


def stacks(instance):
    """Yield the control stack, return addresses only, since they determine the rest, and the operand stack."""
    yield raw(instance.room["control"])[: STACK * instance.machine.depth].cast("I")[:: STACK // CONTROL].tobytes()
    yield raw(instance.room["stack"])[: STACK * live(instance)]


def cells(instance):
    """Yield the globals, the tables, and which segments are dropped."""
    yield struct.pack(f"<{len(instance.globals)}Q", *map(instance.references.of, instance.globals))
    for table in instance.tables:
        held = (instance.references.own(reference) for reference in table.room["elements"][: table.size])
        yield struct.pack(f"<{table.size + 1}I", table.size, *held)
    yield bytes(dropped(instance, "elements")) + bytes(dropped(instance, "data"))


def dropped(instance, kind):
    """Return a byte for each segment of a kind: is it dropped?"""
    return instance.room[f"dropped_{kind}"][: getattr(instance.module.value.counts, kind)]


def memory(instance):
    """Return the memory, if there is one, as a list."""
    return [external.view() for external in instance.memories]


def raw(array):
    """Return a view of the bytes of an array."""
    return memoryview(array).cast("B")


# ---- loading


def load(instance, data, key):
    """Load the state of a snapshot into an instance that has taken no step yet; raises `SnapshotRefused`."""
    check_key(key)
    check_unshared(instance)
    data = memoryview(bytes(data))  # a copy: the bytes that were checked are the bytes that are read
    fields = opened(instance, data, key)
    reader = Reader(data[HEADER.size : -SEAL])
    outcome, machine = fields[0], instance.machine
    if outcome not in (IDLE, Outcome.SUSPENDED, Outcome.HOST_CALL) or fields[6:8] != (
        len(instance.globals),
        len(instance.tables),
    ):
        raise broken(Fault.LAYOUT)
    machine.outcome, machine.at, machine.frame, machine.depth, live_slots, machine.callee = fields[:6]
    instance.before = dict.fromkeys(PLACE, 0)
    reader.spread(instance.room["control"], machine.depth, Fault.STACK)
    reader.fill(raw(instance.room["stack"]), STACK * live_slots, Fault.STACK)
    load_cells(instance, reader)
    load_memory(instance, reader, fields[8])
    fault = Fault(library().snapshot_check(instance.room.address, instance.module.translation.address))
    if fault is not Fault.NONE:
        raise broken(fault)
    instance.references.forget()
    wait(instance, Outcome(outcome))


def opened(instance, data, key):
    """Return the fields of the header, once the seal, the machine and the module are checked.

    Raises `SnapshotRefused` unless a holder of the key made this, for this module and this machine.
    """
    if len(data) < HEADER.size + SEAL or data[: len(MAGIC)] != MAGIC:
        raise SnapshotRefused(Reason.KIND, "its first bytes are not those of one")
    _, version, machine, mark, module, *fields = HEADER.unpack(data[: HEADER.size])
    if version != FORMAT:
        raise SnapshotRefused(Reason.FORMAT, f"it is {version}, this is {FORMAT}")
    if machine != machine_digest():
        raise SnapshotRefused(Reason.MACHINE, "go on with it where it was made, or begin anew")
    if not hmac.compare_digest(mark, key_mark(key)):
        raise SnapshotRefused(Reason.KEY, "give the key that it was made with")
    if not hmac.compare_digest(data[-SEAL:], hmac.digest(key, data[:-SEAL], "sha256")):
        raise SnapshotRefused(Reason.DAMAGED, "take another copy")
    if module != instance.module.digest:
        raise SnapshotRefused(Reason.MODULE, f"it needs the one with SHA-256 {module.hex()}")
    return tuple(fields)


def broken(fault):
    """Return the refusal for a fault in the content."""
    return SnapshotRefused(Reason.CONTENT, Fault.notes[fault.name])


class Reader:
    """A reader of the parts of a snapshot, one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        """Return the next bytes; raises `SnapshotRefused` when the content ends too early."""
        if size > len(self.data) - self.at:
            raise broken(Fault.LAYOUT)
        self.at += size
        return self.data[self.at - size : self.at]

    def fill(self, room, size, fault):
        """Copy the next bytes into `room`; raises `SnapshotRefused` with a fault when they do not fit."""
        if size > len(room):
            raise broken(fault)
        room[:size] = self.take(size)

    def spread(self, room, count, fault):
        """Copy the next 32-bit numbers into the lower halves of words.

        Raises `SnapshotRefused` with a fault when they do not fit.
        """
        if count > len(room):
            raise broken(fault)
        room[:count] = self.numbers("I", count)

    def numbers(self, letter, count):
        """Return the next numbers."""
        form = struct.Struct(f"<{count}{letter}")
        return form.unpack(self.take(form.size))


def load_cells(instance, reader):
    """Load the globals, the tables, and which segments are dropped."""
    for external, bits in zip(instance.globals, reader.numbers("Q", len(instance.globals))):
        if not external.mutable and instance.references.of(external) != bits:
            raise SnapshotRefused(
                Reason.CONTENT, "a global that never changes has another value: give the imports that it was made with"
            )
        if external.mutable:
            external.cell[0] = instance.references.held(external.type, bits)
            external.closed = external.type in REFERENCES
    for table in instance.tables:
        load_table(instance, table, reader)
    for kind in ("elements", "data"):
        for number, flag in enumerate(reader.take(getattr(instance.module.value.counts, kind))):
            instance.room[f"dropped_{kind}"][number] = int(flag != 0)


def load_table(instance, table, reader):
    """Load a table. It is closed to imports from now on, since its references may be forged."""
    (size,) = reader.numbers("I", 1)
    if size > len(table.room["elements"]):
        raise broken(Fault.TABLE)
    table.closed = True
    table.room.value.size = size
    table.room["elements"][:size] = [instance.references.shared(held) for held in reader.numbers("I", size)]


def load_memory(instance, reader, pages):
    """Load the memory, if there is one; nothing may follow it."""
    for external in instance.memories:
        reader.fill(raw(external.room["bytes"]), pages * PAGE, Fault.MEMORY)
        external.room.value.size = pages * PAGE
    if reader.at != len(reader.data):
        raise broken(Fault.LAYOUT)


def wait(instance, outcome):
    """Let the instance wait as it did when the snapshot was made."""
    if outcome is not IDLE:
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
        instance.waiting = HostCall(*function.asked, told(instance, function))


def told(instance, function):
    """Return the arguments of a host call as Python values; raises `SnapshotRefused` for a bad reference."""
    try:
        return all_values(function.type.parameters, instance.run.arguments(function), instance.references)
    except LookupError:
        raise broken(Fault.REFERENCE) from None
