"""Does the log alone explain the state of a kernel? The model is run again, record by record, and compared.

Every call is run through the gate again with the arguments of its record. Two things are taken from the
record, because the log does not hold what they were decided from: whether a P2 or P3 proof convinced the
kernel (the proof lies in a page), and why an operation refused after the gate had let it through (of a refused
call the record holds no registers beyond x3). A refused call changes nothing but the books. A partition that
waits leaves no record, nor does a quantum without a switch or while many sums of quanta wait to be drained;
who runs is known from the next record. A fault beyond a share of the log is a count in the next record of its
partition, and shows when somebody resumes the partition, or in the end. Each step must write exactly the record that the log shows, bit by bit.
"""

from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import model.kernel.gate
from corollary.record.audit import audit, is_fault
from language import ir
from language.frontend import translate
from language.layout import decode, encode, leaf_at, offset_of, size_of
from language.types import OutOfRange
from language.values import spell
from model.kernel.action import contain, preempt, worse
from model.kernel.boot import boot
from model.kernel.gate import OPERATIONS, dispatch
from model.kernel.ring import end_elevation
from model.kernel.schedule import rotate
from spec.kernel.arguments import unpack
from spec.kernel.capability import capability_id, handle_slot
from spec.kernel.interface import INTERFACE, READABLE
from spec.kernel.limits import PARTITIONS
from spec.kernel.partition import runnable
from spec.kernel.schedule import RUNNER_BITS
from spec.kernel.state import Call, Kernel, PartitionId, WitnessRecord
from spec.kernel.vocabulary import Action, PageKind, PartitionState, Status
from spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION, record_id

CHUNK = 4096
EXCLUDED = (
    ("memory of DATA pages", "guests write to them without asking the kernel"),
    ("message[*].word", "what guests send comes from pages of theirs"),
    ("partition[*].refused", "refusals and faults since the last record of the partition; its next record will tell them"),
    ("partition[*].failure", "more than the log tells is accepted of a partition that was refused: its faults may be among what was, before what was reported of it or after"),
    ("time", "a later one than the log tells is accepted: what leaves no record uses time, too"),
    ("key", "the boot key never leaves the kernel"),
    ("partition[*].fresh", "who was started, ran and waited left no record, and is accepted as run"),
    ("switches", "partitions that wait leave no record, nor do those that a fault beyond their share stopped"),
    ("epoch and elevations cleared", "quanta without a switch, or while many sums of quanta waited to be drained, left no record"),
)
"""What the log cannot tell, and so is not compared."""


class Unexplained(Exception):
    """The log and the model part ways."""


@dataclass
class Outcome:
    """How far the log could be replayed, and the first field in which the states differ."""

    records: int = 0
    state: object = None
    fault: str = ""

    @property
    def same(self):
        """Is the state what the log says?"""
        return not self.fault


class Replayer:
    """A model kernel that takes the steps that records tell of."""

    def __init__(self, state=None):
        self.state, self.boot_records, self.records = state, [], 0
        self.quiet = False      # did a quantum ever end without a record?
        self.owing = set()      # partitions of which something found no room, perhaps a fault
        self.reported = set()   # partitions whose failure somebody reported, before or after faults that found no room

    def start(self, information):
        """Boot as the header of the log says, unless there is a saved state to go on from."""
        if self.state is not None:
            return
        if information is None:
            raise Unexplained("the log starts at a checkpoint: the state saved there is needed")
        self.state = Kernel()
        boot(self.state, information)
        self.boot_records = [encode(self.state.log[record_id(i)], WitnessRecord) for i in range(self.state.sequence)]

    def take(self, record):
        """Take the step that the record tells of, unless it lies before the saved state; it must write this very record."""
        self.records += 1
        if record.kind == Action.BOOT_COMPLETE and record.payload in READABLE.keys() - {INTERFACE}:
            raise Unexplained(f"the kernel that wrote it is that of release {READABLE[record.payload]}: replay it with the tools that came with that")
        if self.boot_records:
            self.expect(record, self.boot_records.pop(0))
        elif record.sequence >= self.state.sequence:
            sequence = self.state.sequence
            self.step(record)
            if self.state.sequence != sequence + 1:
                raise Unexplained("the step that it tells of writes no record")
            self.expect(record, encode(self.state.log[record_id(sequence)], WitnessRecord))

    def step(self, record):
        """Call or act as the record says, once the partition runs that it speaks of."""
        if record.actor == KERNEL_ACTOR:
            self.act(record)
            return
        self.wait_for(record.actor)
        self.state.partition[record.actor].refused = record.refused
        self.owing |= {record.actor} if record.refused else set()
        if is_fault(record):
            contain(self.state, record.time, record.object, record.payload)
        else:
            self.call(record)

    def act(self, record):
        """An action of the kernel itself."""
        if record.kind == Action.SCHEDULER_EPOCH:
            epoch, runner = record.payload >> RUNNER_BITS, record.payload & ((1 << RUNNER_BITS) - 1)
            self.count_quiet_quanta(epoch - 1)
            if runner < PARTITIONS and not runnable(self.state, PartitionId(runner)):
                self.stop_all(PartitionId(runner))
            else:
                self.wait_for(runner)
            self.state.switches = record.object
            preempt(self.state, record.time)
        else:
            raise Unexplained(f"the kernel writes {record.kind.name} only during boot")

    def wait_for(self, p):
        """Partitions that wait give way to the next without a record, until it is the turn of `p`."""
        if not self.can_wait_until(p):
            raise Unexplained(f"it speaks of partition {p}, which cannot be the one that runs")

    def can_wait_until(self, p):
        """Give way until `p` runs, if it ever does."""
        for _ in range(PARTITIONS):
            if self.state.current == p or self.state.idle:
                break
            rotate(self.state)
        return self.state.current == p

    def stop_unseen(self, p):
        """A fault that found no room: it left nothing but a count, a failure, and a partition that stands still.

        When that was is not known, so nobody else is taken to have run for it.
        """
        row = self.state.partition[p]
        row.state, row.fresh = PartitionState.SUSPENDED, False
        if p not in self.reported:
            row.failure = worse(row.failure)
        if self.state.current == p:
            rotate(self.state)

    def stop_all(self, last):
        """The quantum of one that stands still ends only where nobody runs: whoever seems to was stopped by a fault that found no room."""
        for p in [p for p in self.state.partition.rows if runnable(self.state, p)]:
            self.stop_unseen(p)
        self.state.current, self.state.idle = last, True

    def done_to(self, record, name):
        """The partition to which this operation was done, if the record tells that it was."""
        declared = OPERATIONS[record.operation] if record.operation < len(OPERATIONS) else None
        if declared is None or declared.name != name or record.status != Status.OK:
            return None
        return self.state.capability[capability_id(record.actor, handle_slot(record.capability))].object

    def stop_what_is_resumed(self, record):
        """Who is resumed stood still: if no record tells why, a fault did it."""
        named = self.done_to(record, "partition_resume")
        if named is not None and self.state.partition[named].state == PartitionState.RUNNING and named != record.actor:
            self.stop_unseen(named)
            self.wait_for(record.actor)

    def count_quiet_quanta(self, epoch):
        """Quanta without a switch, or while many sums wait to be drained, leave no record; the next one tells their number."""
        if epoch > self.state.epoch:
            self.state.epoch, self.quiet = epoch, True

    def finish(self, data):
        """What happened since the last record: quanta may have ended, partitions waited, elevations run out."""
        self.count_quiet_quanta(scalar(data, ("epoch",)))
        self.state.time = max(self.state.time, scalar(data, ("time",)))
        self.find_unseen(data)
        if not self.state.idle:
            self.can_wait_until(scalar(data, ("current",)))
        self.state.switches = scalar(data, ("switches",))
        self.let_run(data)
        if self.quiet:
            for p, row in self.state.partition.rows.items():
                if row.elevation.active and scalar(data, ("partition", p, "elevation", "active")) == 0:
                    end_elevation(self.state, p)

    def let_run(self, data):
        """Who was started may have run and waited; who ran is never fresh again."""
        for p, row in self.state.partition.rows.items():
            row.fresh = row.fresh and bool(scalar(data, ("partition", p, "fresh")))

    def find_unseen(self, data):
        """Who owes a count, and stands still in the end, was stopped by a fault; others may have been resumed again."""
        for p, row in list(self.state.partition.rows.items()):
            if p in self.owing or scalar(data, ("partition", p, "refused")):
                if row.state == PartitionState.RUNNING and scalar(data, ("partition", p, "state")) == PartitionState.SUSPENDED:
                    self.stop_unseen(p)
                    self.stopped_last(scalar(data, ("current",)))
                row.failure = max(row.failure, scalar(data, ("partition", p, "failure")), key=int)

    def stopped_last(self, p):
        """When nobody runs any more, nothing tells who of those that stand still was the last."""
        if self.state.idle and not runnable(self.state, p):
            self.state.current = p

    def call(self, record):
        """A call, through the whole gate."""
        self.stop_what_is_resumed(record)
        self.reported |= {self.done_to(record, "partition_fail")}
        call = Call(now=record.time)
        if record.operation == KERNEL_OPERATION:
            call.operation = record.object
            registers = [record.capability, record.payload]
        else:
            call.operation = record.operation
            registers = unpack(OPERATIONS[record.operation], record)
        for position, value in enumerate(registers):
            call.argument[position] = value
        with decided_as(record.status):
            dispatch(self.state, call)

    def expect(self, record, written):
        """The record of the log and the record of the model must be the same bytes."""
        found = encode(record, WitnessRecord)
        if found != written:
            offset = next(i for i in range(len(found)) if found[i] != written[i])
            field = leaf_at(WitnessRecord, offset)[0]
            told, made = (getattr(decode(data, WitnessRecord), field) for data in (found, written))
            raise Unexplained(f"it says {field} = {named(told)}, the model {field} = {named(made)}")


def named(value):
    """An enumerator by name, a number as it is."""
    return getattr(value, "name", None) or str(value)


@lru_cache(maxsize=None)
def refusals(number):
    """The statuses by which an operation may end although the gate let it through, as far as a record can show."""
    declared = OPERATIONS[number]
    nodes = ir.walk(translate(declared.function).body)
    own = {Status(node.value) for node in nodes if isinstance(node, ir.Literal) and node.type is Status}
    return own | {Status.BAD_ARGUMENT} | ({Status.RESOURCE_DENIED} if declared.resource else set())


@contextmanager
def decided_as(status):
    """Let proofs convince the kernel, and operations refuse, as the record says they did."""
    def refuse(s, call):
        if status not in refusals(call.operation):
            raise Unexplained(f"it says {status.name}, but the gate lets the call through")
        return status

    proven = status != Status.POLICY_VIOLATION
    oracles = {"convinces": lambda s, call, tier: proven}
    oracles |= {"perform": refuse} if status != Status.OK else {}
    kept = {name: getattr(model.kernel.gate, name) for name in oracles}
    vars(model.kernel.gate).update(oracles)
    try:
        yield
    finally:
        vars(model.kernel.gate).update(kept)


def state_in(path):
    """The bytes of a state; of a file that is too large for one, as many as show it."""
    with path.open("rb") as file:
        return file.read(size_of(Kernel) + 1)


def replay(stream, data, saved=None, key=None):
    """Replay a log from boot, or from the bytes of a saved kernel, and compare with the kernel whose bytes are `data`."""
    for what, given in (("state", data), ("saved state", saved)):
        if given is not None and len(given) != size_of(Kernel):
            return Outcome(fault=f"the {what} has {len(given) if len(given) < size_of(Kernel) else 'more'} bytes, a kernel {size_of(Kernel)}")
    try:
        replayer = Replayer(decode(saved, Kernel) if saved is not None else None)
    except OutOfRange as problem:
        return Outcome(fault=f"the saved state is none of a kernel: {problem}")
    try:
        verdict = audit(stream, key, tail=None, on_start=replayer.start, on_record=replayer.take)
    except Unexplained as problem:
        return Outcome(replayer.records - 1, replayer.state, f"record {replayer.records - 1}: {problem}")
    except OutOfRange as problem:
        return Outcome(replayer.records - 1, replayer.state, f"record {replayer.records - 1}: the model cannot take this step: {problem}")
    if not verdict.good:
        return Outcome(verdict.records, replayer.state, verdict.fault)
    replayer.finish(data)
    return Outcome(verdict.records, replayer.state, apart(verdict, replayer.state) or first_difference(replayer.state, data))


def apart(verdict, state):
    """In words: why the log does not end where the state does; a saved state may be later than all of it, or of another boot."""
    if state.sequence != verdict.sequence:
        return f"the log ends before record {verdict.sequence}, the saved state stands before record {state.sequence}: what lies between is missing"
    if b"".join(state.head[i].to_bytes(4, "big") for i in range(8)) != verdict.head:
        return f"the saved state stands before record {state.sequence} of another log: their chain values differ there"
    return ""


def comparable(data, state):
    """The bytes of a kernel with what is excluded set to zero."""
    out = bytearray(data)
    for page, row in state.page.rows.items():
        if row.kind == PageKind.DATA:
            blank(out, ("memory", page))
    for m in state.message.rows:
        blank(out, ("message", m, "word"))
    for p in range(PARTITIONS):
        blank(out, ("partition", p, "refused"))
    blank(out, ("key",))
    return bytes(out)


def without_key(data):
    """The bytes of a kernel as they may leave this machine: whoever has the boot key can seal what no kernel wrote."""
    out = bytearray(data)
    blank(out, ("key",))
    return bytes(out)


def place(path):
    """Where a field of the kernel lies: its first byte and the one after its last."""
    type_ = Kernel
    for part in path:
        type_ = type_.element if isinstance(part, int) else type_.fields[part]
    start = offset_of(Kernel, path)
    return slice(start, start + size_of(type_))


def scalar(data, path):
    """The number that a field has in the bytes of a kernel."""
    return int.from_bytes(data[place(path)], "little")


def blank(data, path):
    """Set to zero what lies at a path of the kernel."""
    where = place(path)
    data[where] = bytes(where.stop - where.start)


def first_difference(state, data):
    """In words: the first field in which the bytes of a kernel are not those of the state; empty when there is none."""
    expected, found = comparable(encode(state, Kernel), state), comparable(data, state)
    if expected == found:
        return ""
    offset = next(at for at in range(0, len(found), CHUNK) if found[at:at + CHUNK] != expected[at:at + CHUNK])
    offset = next(at for at in range(offset, len(found)) if found[at] != expected[at])
    return difference_at(offset, expected, found)


def difference_at(offset, expected, found):
    """The field that covers a byte, and its two values."""
    path = leaf_at(Kernel, offset)
    if path[-1] == "padding":
        return f"the byte {offset} of the state, which is padding, is not zero"
    return f"{spell(path)} is {scalar(found, path):#x} in the state, {scalar(expected, path):#x} according to the log"
