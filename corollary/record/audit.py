"""Is a witness log whole and genuine, and what does it say? Checked offline, and without the SHA-256 of the model.

The chain shows that no record was changed, removed or moved. Only a sealed checkpoint and its key show that the kernel
itself wrote the records, and only those before the checkpoint. With a key, a log is good when this holds for every
record.
"""

import hashlib
import hmac
import struct
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from corollary.language import ir
from corollary.language.frontend import translate
from corollary.language.layout import CODES, decode, encode
from corollary.language.types import is_scalar
from corollary.model.kernel.action import contain, preempt
from corollary.model.kernel.boot import boot
from corollary.model.kernel.device import find
from corollary.model.kernel.gate import OPERATIONS
from corollary.model.kernel.witness import append_for_kernel
from corollary.record import running
from corollary.record.witness_log import (
    END_FIXED,
    END_MARK,
    HEADER_MARK,
    LINKED,
    SEAL,
    SEAL_FIXED,
    SEAL_MARK,
    SEAL_SIZE,
    UNIT,
    BadLog,
    hashed,
    read_header,
    units,
)
from corollary.spec.kernel.arguments import named_arguments
from corollary.spec.kernel.interface import INTERFACE, READABLE
from corollary.spec.kernel.limits import PARTITIONS
from corollary.spec.kernel.memory_map import PHASES
from corollary.spec.kernel.state import Kernel, WitnessRecord
from corollary.spec.kernel.vocabulary import Action, Status, Tier
from corollary.spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION, record_id

STARTED, RECORDED, MARKED = range(3)
BOOTED = 2 * PHASES  # number of the last record of a boot
FIELDS = struct.Struct(
    "<"
    + "".join(
        CODES[slot.type.storage] if is_scalar(slot.type) else f"{slot.size}s" for slot in WitnessRecord.layout.slots
    )
)
NAMES = tuple(slot.name for slot in WitnessRecord.layout.slots)
PAYLOAD = WitnessRecord.layout["payload"]
CHECKPOINT = struct.Struct("<QQ32sQQ32s32s")  # sequence, time, chain value, drained, epoch, SHA-256 of the log, tag
TAG = 32  # bytes of it that the seal does not cover
ARGUMENTS = sorted(
    {"object", "payload", "handle", *(name for declared in OPERATIONS for name, _ in declared.parameters)}
)
"""The names of arguments in records."""
KINDS, STATUSES, TIERS = ({int(member) for member in names} for names in (Action, Status, Tier))
DECLARED = [(int(declared.kind), int(declared.tier)) for declared in OPERATIONS]


@dataclass
class Verdict:
    """The result of an audit: how far the log is good, and what is wrong with the first bad record."""

    records: int = 0
    seals: int = 0
    sealed: int = 0  # of these seals, how many were checked with the key
    begins: int = 0  # number of the first record: 0 is the first of the boot
    vouched: int = 0  # the last checked seal covers the records before this number
    sequence: int = 0  # of the next record
    chain: bytes = b""  # the chain value after the last record
    head: bytes = b""  # SHA-256 of the log
    information: Any = None
    interface: int = 0  # which the records follow; 0 as long as nothing said it
    fault: str = ""

    @property
    def unsealed(self):
        """The number of records that no sealed checkpoint vouches for."""
        return self.sequence - self.vouched

    @property
    def good(self):
        """Was nothing found wrong with any record?"""
        return not self.fault


@dataclass
class Query:
    """The records that a reader wants to see; a field that is None matches everything."""

    partition: Any = None
    kind: Any = None
    status: Any = None
    object: Any = None  # (argument name or "", value)
    since: int = 0  # ns
    until: Any = None

    def wants(self, record):
        """Does the record match?"""
        same = all(
            wanted in (None, value)
            for wanted, value in (
                (self.partition, record.actor),
                (self.kind, record.kind),
                (self.status, record.status),
            )
        )
        in_time = self.since <= record.time and (self.until is None or record.time <= self.until)
        return same and in_time and self.names(record)

    def names(self, record):
        """Does the record name the wanted object among its arguments?"""
        if self.object is None:
            return True
        name, value = self.object
        return any(value == int(number) for argument, number in raw_arguments(record).items() if name in ("", argument))


def raw_arguments(record):
    """Return the arguments by name, as numbers; the handle is called `handle`."""
    if record.operation == KERNEL_OPERATION:
        return {"object": record.object, "payload": record.payload}
    declared = OPERATIONS[record.operation]
    named = named_arguments(declared, record)
    types = dict(declared.parameters)
    numbers = {name: int(types[name][value]) if isinstance(value, str) else int(value) for name, value in named.items()}
    return {"handle": record.capability, **numbers}


@cache
def kernel_kinds():
    """Return the kinds of record that the kernel writes for itself, found in the model."""
    found, waiting = {}, [translate(function) for function in (boot, preempt, contain, find)]
    while waiting:
        function = waiting.pop()
        found[function.symbol] = function
        waiting += [callee for callee in map(translate, function.callees) if callee.symbol not in found]
    calls = [node for function in found.values() for node in ir.walk(function.body) if isinstance(node, ir.Call)]
    own = [call for call in calls if call.function.symbol == translate(append_for_kernel).symbol]
    return {
        argument.value
        for call in own
        for argument in call.arguments
        if isinstance(argument, ir.Literal) and argument.type is Action
    }


class Auditor:
    """An auditor that follows the chain of a log, unit by unit.

    With a key, at most `tail` records may follow the last seal; None allows any number.
    """

    def __init__(self, key=None, seal=None, tail: int | None = 0):
        self.key, self.tail, self.verdict, self.ended = key, tail, Verdict(), False
        self.last = None  # the checkpoint before
        self.boot = []  # the first records, as expected when the log starts at boot
        self.whole = None  # all records of a log that does, for `hashlib`
        self.pinned = CHECKPOINT.unpack(seal) if seal else None
        if seal:
            self.check_tag(seal)

    def take(self, mark, data):
        """Check the next unit, and return what it was: STARTED, RECORDED or MARKED. Raises `BadLog`."""
        if self.ended:
            raise BadLog("there is more after the end mark")
        if not self.verdict.chain:
            self.start(mark, data)
            return STARTED
        if mark == SEAL_MARK:
            self.take_seal(data)
        elif mark == END_MARK:
            self.take_end(data)
        elif mark == HEADER_MARK:
            raise BadLog("a second header: two logs were spliced")
        else:
            self.take_record(data)
            return RECORDED
        return MARKED

    def start(self, mark, data):
        """Check the first unit: a log starts at boot or at a checkpoint that the kernel sealed."""
        if mark == HEADER_MARK:
            self.verdict.information = read_header(data)
            self.verdict.chain = running.BEGINNING
            self.whole = hashlib.sha256()
            self.boot = boot_records(data)
        elif mark == SEAL_MARK:
            if self.key is None:
                raise BadLog("the log starts at a sealed checkpoint, which only the boot key can vouch for")
            checkpoint = self.checkpoint(data)
            self.verdict.begins = self.verdict.sequence = checkpoint[0]
            self.verdict.chain = checkpoint[2]
            self.check_head(checkpoint[5])
            self.vouch()
        else:
            raise BadLog("this is no witness log: it starts with neither a header nor a checkpoint")
        self.pass_pin()

    def take_record(self, data):
        """Check one record and its link, and advance the chain."""
        if len(data) != UNIT:
            raise BadLog(f"truncated: {len(data)} of {UNIT} bytes")
        *values, link = FIELDS.unpack(data)
        problem = defect(values, self.verdict.sequence)
        if problem:
            raise BadLog(problem)
        block = hashed(data)
        chain = self.chained(block, link)
        self.check_interface(values)
        if self.whole is not None:
            self.whole.update(block)
        if self.verdict.sequence < len(self.boot) and data[:LINKED] != self.as_booted(data):
            raise BadLog("it is not what a kernel writes that boots as the header says: one of them was changed")
        self.verdict.chain = chain
        self.verdict.sequence += 1
        self.verdict.records += 1
        self.pass_pin()

    def chained(self, block, link):
        """Return the chain value after a record, of which this is hashed, once its link is found right."""
        chain = running.absorbed(self.verdict.chain, block)
        if chain[: len(link)] != link:
            raise BadLog(
                "the link is wrong: this record was changed, or what stood before it was changed, removed or put there"
            )
        return chain

    def as_booted(self, data):
        """Return the record that a kernel booted as the header says writes here, up to its link.

        The interface version is taken from `data`, because `check_interface` checks it.
        """
        expected = self.boot[self.verdict.sequence]
        if self.verdict.sequence != BOOTED:
            return expected
        end = PAYLOAD.offset + PAYLOAD.size
        return expected[: PAYLOAD.offset] + data[PAYLOAD.offset : end] + expected[end:]

    def check_interface(self, values):
        """Check the interface version in the last record of a boot.

        With another interface, all records would be misread.
        """
        if self.verdict.sequence != BOOTED:
            return
        record = dict(zip(NAMES, values))
        if record["kind"] == Action.BOOT_COMPLETE:
            self.follow(record["payload"])

    def follow(self, interface):
        """Note which interface the records follow; raises `BadLog` for one that cannot be read, or for a second one."""
        if interface not in READABLE:
            raise BadLog(
                f"this log was written by a kernel with another interface ({interface:#x}, "
                f"this one has {INTERFACE:#x}), "
                "which is none that was released: use the tools that came with it"
            )
        if self.verdict.interface not in (0, interface):
            raise BadLog(
                f"a checkpoint of a kernel with interface {interface:#x} "
                f"in a log that follows {self.verdict.interface:#x}"
            )
        self.verdict.interface = interface

    def take_seal(self, data):
        """Check that a checkpoint stands where it was made, and agrees with the chain."""
        sequence, _, chain, _, _, head, _ = self.checkpoint(data)
        if sequence != self.verdict.sequence or not self.is_here(chain):
            raise BadLog(f"the checkpoint of record {sequence} does not agree with the chain")
        self.check_head(head)
        self.vouch()

    def is_here(self, chain):
        """Is this the chain value after the last record?"""
        return chain == self.verdict.chain

    def hash_so_far(self):
        """Return SHA-256 of the log up to here; `hashlib` agrees where the log begins with a boot."""
        found = running.finished(self.verdict.chain, self.verdict.sequence)
        if self.whole is not None and self.whole.digest() != found:
            raise BadLog("the links of the records belong to another log")
        return found

    def check_head(self, head):
        """Check what a mark says of the SHA-256 of the log."""
        found = self.hash_so_far()
        if head != found:
            raise BadLog("the SHA-256 of the log that is told here is not that of its records")
        self.verdict.head = found

    def vouch(self):
        """Note that the checkpoint, checked with the key, covers all records so far."""
        if self.key is not None:
            self.verdict.vouched = self.verdict.sequence

    def checkpoint(self, data):
        """Return the fields of a checkpoint; its tag is checked when the key is known."""
        if len(data) != SEAL_SIZE:
            raise BadLog("truncated inside a checkpoint")
        _, interface, blank = SEAL_FIXED.unpack_from(data)
        if any(blank):
            raise BadLog("a checkpoint was changed: its blank bytes are not zero")
        self.follow(interface)
        self.verdict.seals += 1
        fields = self.check_tag(data[-SEAL:])
        self.check_order(fields)
        self.last = fields
        return fields

    def check_order(self, fields):
        """Check that a checkpoint follows the one before.

        It stands at a later record, and neither its time, nor its epoch, nor its count of drained records is smaller.
        """
        sequence, time, _, drained, epoch, *_ = fields
        if drained > sequence:
            raise BadLog(f"the checkpoint of record {sequence} tells of records drained that were not written yet")
        if self.last and (
            sequence <= self.last[0] or time < self.last[1] or drained < self.last[3] or epoch < self.last[4]
        ):
            raise BadLog(
                f"the checkpoint of record {sequence} does not follow that of record {self.last[0]}: "
                "it was put there again, or moved"
            )

    def check_tag(self, checkpoint):
        """Return the fields of a checkpoint that the kernel sealed; its tag is checked when the key is known."""
        fields = CHECKPOINT.unpack(checkpoint)
        if self.key is not None:
            tag = hmac.new(self.key, checkpoint[:-TAG], hashlib.sha256).digest()
            if not hmac.compare_digest(tag, fields[-1]):
                raise BadLog("a checkpoint was not sealed with this key, or was changed")
            self.verdict.sealed += 1
        return fields

    def pass_pin(self):
        """Check that the chain runs through the checkpoint that the reader holds."""
        if self.pinned and self.verdict.sequence == self.pinned[0]:
            if self.verdict.chain != self.pinned[2]:
                raise BadLog("the log is not the one that the given checkpoint was sealed over")
            self.pinned = None
            self.vouch()

    def take_end(self, data):
        """Check that the end mark agrees with the chain."""
        _, sequence, head, blank = END_FIXED.unpack(data.ljust(UNIT, b"\xff"))
        if sequence != self.verdict.sequence or any(blank):
            raise BadLog("the end mark does not agree with the chain: records are missing or the mark was changed")
        self.check_head(head)
        self.ended = True

    def finish(self):
        """Check that nothing is missing at the end."""
        if not self.verdict.chain:
            raise BadLog("the log is empty")
        if not self.ended:
            raise BadLog("truncated: the log stops without its end mark")
        if self.verdict.sequence < len(self.boot):
            raise BadLog(f"truncated: a boot leaves {len(self.boot)} records")
        if self.pinned:
            raise BadLog(self.unreached(self.pinned[0]))
        if self.key is not None and self.tail is not None and self.verdict.unsealed > self.tail:
            raise BadLog(self.unsealed_tail())

    def blame(self, problem):
        """Note in the verdict that the log is good up to here, and what is wrong with what comes next."""
        records, sequence = self.verdict.records, self.verdict.sequence
        if isinstance(problem, OSError):
            self.verdict.fault = f"record {records}: cannot read on: {problem.strerror}"
        else:
            self.verdict.fault = f"record {records} (sequence {sequence}): {problem}"

    def unreached(self, number):
        """Say in words why the chain did not pass the given checkpoint, of a record with this number."""
        if number < self.verdict.begins:
            return (
                f"the log begins at record {self.verdict.begins}, behind the given checkpoint of record "
                f"{number}: what lies between is missing"
            )
        return f"truncated: the given checkpoint of record {number} is not reached"

    def unsealed_tail(self):
        """Say in words which records no seal vouches for."""
        if not self.verdict.sealed:
            return (
                "no checkpoint was sealed with this key: nothing shows that the kernel wrote these "
                f"{self.verdict.unsealed} records"
            )
        return (
            f"the last checkpoint sealed with this key was made at record {self.verdict.vouched}: "
            f"nothing shows that the kernel wrote the {self.verdict.unsealed} records from there on"
        )


@lru_cache(maxsize=4)
def boot_records(header):
    """Return the records that a kernel booted as a header says writes, according to the model.

    Each record ends before its link, because the auditor computes the links itself.
    """
    booted = Kernel()
    boot(booted, read_header(header))
    return [encode(booted.log[record_id(number)], WitnessRecord)[:LINKED] for number in range(booted.sequence)]


def defect(values, sequence):
    """Return what is wrong with the fields of a record that should have this number, or None."""
    found, _, kind, tier, status, operation, actor = values[:7]
    if found != sequence:
        return f"its sequence number is {found}: a record is missing, repeated, moved or changed"
    if kind not in KINDS:
        return f"unknown kind {kind:#04x}"
    if tier not in TIERS:
        return f"unknown tier {tier}"
    if status not in STATUSES or status == Status.WITNESS_FULL:
        return f"status {status} is none that a record can have"
    if actor >= PARTITIONS and actor != KERNEL_ACTOR:
        return f"unknown actor {actor}"
    if operation == KERNEL_OPERATION:
        return defect_without_operation(kind, tier, status, actor)
    if operation >= len(DECLARED):
        return f"unknown operation {operation}"
    if (kind, tier) != DECLARED[operation] or actor == KERNEL_ACTOR:
        return f"kind, tier and actor are not those of {OPERATIONS[operation].name}"
    return None


def defect_without_operation(kind, tier, status, actor):
    """Return what is wrong with a record without an operation, or None.

    The kernel's own records are of this kind, and a partition's records of faults and of calls that name no operation.
    """
    if actor == KERNEL_ACTOR:
        expected = kind in kernel_kinds() and status == Status.OK
    elif kind == Action.TASK_TERMINATE:
        expected = status == Status.OK
    else:
        expected = kind == Action.PROOF_REJECTED and status in (Status.UNKNOWN_OPERATION, Status.RATE_LIMITED)
    return None if expected and tier == Tier.NONE else "a record without operation that the kernel never writes"


def is_fault(record):
    """Does the record say that the kernel stopped a partition for a fault?"""
    return (
        record.operation == KERNEL_OPERATION and record.kind == Action.TASK_TERMINATE and record.actor != KERNEL_ACTOR
    )


def audit(stream, key=None, seal=None, tail: int | None = 0, on_start=None, on_record=None):
    """Check a whole log, and return the `Verdict`.

    `on_start(verdict)` is told when the log begins: with the boot information of a header, or with the interface of a
    checkpoint. `on_record(record)` gets each good record.
    With a key, at most `tail` records may follow the last checkpoint that was sealed with it; None allows any number.
    """
    try:
        auditor = Auditor(key, seal, tail)
    except BadLog as problem:
        return Verdict(fault=f"the given checkpoint: {problem}")
    try:
        for mark, data in units(stream):
            kind = auditor.take(mark, data)
            if kind == STARTED and on_start:
                on_start(auditor.verdict)
            elif kind == RECORDED and on_record:
                on_record(decode(data, WitnessRecord))
        auditor.finish()
    except (BadLog, OSError) as problem:
        auditor.blame(problem)
    return auditor.verdict


def describe(record):
    """Return a line for people: when, who, how it ended, what, and with which arguments."""
    actor = "kernel" if record.actor == KERNEL_ACTOR else f"partition {record.actor}"
    earlier = f"  [{record.refused} earlier calls or faults found no room]" if record.refused else ""
    return (
        f"{record.sequence:>8}  {record.time / 1e9:14.6f} s  {actor:<13} {record.status.name:<20} "
        f"{what_of(record)}{earlier}"
    )


def what_of(record):
    """Return what a record tells of, with its arguments, for people; its fields may be plain numbers."""
    if is_fault(record):
        return f"{Action(record.kind).name} syndrome={record.object:#x} address={record.payload:#x}"
    if record.operation == KERNEL_OPERATION:
        return f"{Action(record.kind).name} object={record.object:#x} payload={record.payload:#x}"
    declared = OPERATIONS[record.operation]
    values = [f"handle={record.capability:#x}"] if declared.takes_handle else []
    values += [f"{name}={value}" for name, value in named_arguments(declared, record).items()]
    return f"{declared.name}({', '.join(values)})"
