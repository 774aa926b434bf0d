"""Which inputs cost most? Modules and witness logs whose parts can grow without limit."""

import hmac

from corollary.bench.costs import (
    CODE,
    CUSTOM,
    DATA,
    ELEMENT,
    EXPORT,
    FUNCTIONS,
    GLOBAL,
    TABLE,
    TYPE,
    module,
    number,
    text,
    vector,
)
from corollary.language.layout import encode
from corollary.model.kernel.gate import OPERATIONS
from corollary.record.audit import CHECKPOINT, TAG
from corollary.record.running import BEGINNING, absorbed, finished
from corollary.record.witness_log import LINKED, UNIT, end, hashed, seal
from corollary.spec.kernel.state import WitnessRecord
from corollary.spec.kernel.vocabulary import Action, Status, Tier
from corollary.spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION

MEMORY = 5
KEY = bytes(32)  # of snapshots and seals


def named(position):
    """Return a name that differs for each position."""
    return text(f"n{position}".encode())


# ---- modules


class Parts:
    """The growing sections of a module."""

    def __init__(self):
        self.types, self.functions, self.code = [b"\x60\0\0"], [b"\0"], [b"\2\0\x0b"]
        self.tables = [b"\x70\0" + number(64)]
        self.globals, self.exports, self.elements, self.data, self.names, self.custom = ([] for _ in range(6))

    def binary(self):
        """Return the bytes of the module."""
        entries = (
            (TYPE, self.types),
            (FUNCTIONS, self.functions),
            (TABLE, self.tables),
            (MEMORY, [b"\0\1"]),
            (GLOBAL, self.globals),
            (EXPORT, self.exports),
            (ELEMENT, self.elements),
            (CODE, self.code),
            (DATA, self.data),
        )
        names = text(b"name") + b"\1" + text(vector(self.names))
        custom = ((CUSTOM, content) for content in (names, *self.custom))
        return module(*((kind, vector(of)) for kind, of in entries if of), *custom)


def functions(parts, count):
    """Many functions."""
    parts.functions += [b"\0"] * count
    parts.code += [b"\2\0\x0b"] * count


def types(parts, count):
    """Many types, all different."""
    for position in range(count):
        kinds = 2 + position % 7
        parameters = vector(bytes([0x7F - (position >> 2 * place & 3)]) for place in range(kinds))
        parts.types.append(b"\x60" + parameters + b"\0")


def long_function(parts, count):
    """One function with many operations."""
    parts.functions.append(b"\0")
    parts.code.append(text(b"\0" + b"\x41\1\x1a" * count + b"\x0b"))


def branches(parts, count):
    """One function with a large branch table."""
    parts.functions.append(b"\0")
    parts.code.append(text(b"\0\x02\x40\x41\0\x0e" + number(count) + bytes(count + 1) + b"\x0b\x0b"))


def globals_(parts, count):
    """Many globals."""
    parts.globals += [b"\x7f\1\x41" + number(position) + b"\x0b" for position in range(count)]


def reference_globals(parts, count):
    """Many globals that refer to functions."""
    parts.globals += [b"\x70\1\xd2\0\x0b"] * count


def exports(parts, count):
    """Many exports."""
    parts.exports += [named(position) + b"\0\0" for position in range(len(parts.exports), len(parts.exports) + count)]


def data(parts, count):
    """Many data segments for the same place."""
    parts.data += [b"\0\x41\0\x0b\4abcd"] * count


def passive_data(parts, count):
    """Many passive data segments."""
    parts.data += [b"\1\0"] * count


def large_data(parts, count):
    """One large data segment."""
    parts.data.append(b"\0\x41\0\x0b" + text(bytes(min(3 * count, 65_000))))


def elements(parts, count):
    """Many element segments for the same place."""
    parts.elements += [b"\0\x41\0\x0b\1\0"] * count


def large_elements(parts, count):
    """One large passive element segment."""
    parts.elements.append(b"\1\0" + number(count) + bytes(count))


def expressions(parts, count):
    """One element segment of expressions."""
    parts.elements.append(b"\5\x70" + number(count) + b"\xd2\0\x0b" * count)


def table(parts, count):
    """A table of as many elements as the module has bytes."""
    parts.tables.append(b"\x70\0" + number(count))
    parts.custom.append(text(b"") + bytes(count))


def function_names(parts, count):
    """Names of functions."""
    parts.names += [number(position) + named(position) for position in range(count)]


def endless_number(parts, count):
    """A custom section of names in which a number does not end."""
    parts.custom.append(text(b"name") + b"\1" + number(count) + b"\x80" * 20 * count)


def custom_sections(parts, count):
    """Many sections that say nothing."""
    parts.custom += [text(b"name")] * count


MODULES = (
    functions,
    types,
    long_function,
    branches,
    globals_,
    reference_globals,
    exports,
    data,
    passive_data,
    large_data,
    elements,
    large_elements,
    expressions,
    table,
    function_names,
    endless_number,
    custom_sections,
)


# ---- logs


class Log:
    """A witness log that begins at a sealed checkpoint, as the kernel would write it."""

    def __init__(self):
        self.chain, self.sequence, self.written = BEGINNING, 1, []
        self.seal()

    def append(self, **fields):
        """Append a record, linked to the one before."""
        record = WitnessRecord(sequence=self.sequence, time=self.sequence, **fields)
        data = encode(record, WitnessRecord)
        self.chain, self.sequence = absorbed(self.chain, hashed(data)), self.sequence + 1
        self.written.append(data[:LINKED] + self.chain[: UNIT - LINKED])

    def seal(self):
        """Append a checkpoint, sealed with the key."""
        head = finished(self.chain, self.sequence)
        said = CHECKPOINT.pack(self.sequence, self.sequence, self.chain, 0, self.sequence, head, bytes(TAG))[:-TAG]
        self.written.append(seal(said + hmac.digest(KEY, said, "sha256")))

    def binary(self):
        """Return the bytes of the log file."""
        self.append(**calling(self.sequence))
        self.seal()
        return b"".join(self.written) + end(self.sequence, finished(self.chain, self.sequence))


def calling(position):
    """Return the fields of a successful call; the operations take turns."""
    declared = OPERATIONS[position % len(OPERATIONS)]
    return dict(kind=declared.kind, tier=declared.tier, operation=declared.number, actor=position % 4)


def calls(log, count):
    """Calls of every operation."""
    for position in range(count):
        log.append(**calling(position))


def refusals(log, count):
    """Calls that name no operation, with arguments of any size."""
    for _ in range(count):
        log.append(
            kind=Action.PROOF_REJECTED,
            tier=Tier.NONE,
            status=Status.UNKNOWN_OPERATION,
            operation=KERNEL_OPERATION,
            refused=0xFFFF,
            object=(1 << 64) - 1,
            payload=(1 << 64) - 1,
        )


def epochs(log, count):
    """Records that the kernel writes for itself."""
    for _ in range(count):
        log.append(kind=Action.SCHEDULER_EPOCH, tier=Tier.NONE, operation=KERNEL_OPERATION, actor=KERNEL_ACTOR)


def checkpoints(log, count):
    """Records, each followed by a checkpoint."""
    for position in range(count):
        log.append(**calling(position))
        log.seal()


LOGS = (calls, refusals, epochs, checkpoints)


def made(whole, mixture, count):
    """Return an input, made as `Parts` or `Log`, from a mixture of families, with about `count` entries in all."""
    found = whole()
    for family in mixture:
        family(found, count // len(mixture))
    return found.binary()
