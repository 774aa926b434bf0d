"""Does the log alone explain the state of a kernel? The model runs again, record by record, and is compared with it.

Every call goes through the gate again with the arguments of its record, and each step must write exactly the record
that the log shows, bit by bit.

Two decisions are taken from the record, because the log does not hold their grounds. One is whether a P2 or P3 proof
convinced the kernel: the proof lies in a page. The other is why an operation refused after the gate had let it through:
the record of a refused call holds no registers beyond x3. A refused call changes nothing but the books.

Some events leave no record: a partition that waits, a slice that is not the last of an epoch, an epoch without a
switch, and one that ends while many sums of epochs wait to be drained. The next record shows who runs. A fault beyond a
partition's share of the log is only counted in the partition's next record. It shows when somebody resumes the
partition, or at the end.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from corollary.language import ir
from corollary.language.builtins import byte_swap
from corollary.language.frontend import translate
from corollary.language.layout import decode, encode, leaf_at, offset_of, size_of
from corollary.language.types import OutOfRange
from corollary.language.values import spell
from corollary.model.kernel import agent, gate
from corollary.model.kernel.action import contain, preempt, worse
from corollary.model.kernel.boot import boot
from corollary.model.kernel.device import find
from corollary.model.kernel.gate import OPERATIONS
from corollary.model.kernel.ring import expire
from corollary.model.kernel.schedule import proceed
from corollary.model.variant import Variant
from corollary.record.audit import audit, is_fault
from corollary.spec.kernel.arguments import unpack
from corollary.spec.kernel.capability import capability_id, handle_slot
from corollary.spec.kernel.interface import INTERFACE, READABLE
from corollary.spec.kernel.limits import DEVICES, PARTITIONS
from corollary.spec.kernel.packed import Halves
from corollary.spec.kernel.partition import eligible, has_come, runnable
from corollary.spec.kernel.schedule import RUNNER_BITS
from corollary.spec.kernel.state import Call, Claim, DeviceId, Kernel, PartitionId, WitnessRecord
from corollary.spec.kernel.vocabulary import Action, Awaited, DeviceKind, PageKind, PartitionState, Status
from corollary.spec.kernel.witness import KERNEL_ACTOR, KERNEL_OPERATION, record_id

CHUNK = 4096
EXCLUDED = (
    ("memory of DATA pages", "guests write to them without asking the kernel"),
    ("message[*].word", "what guests send comes from pages of theirs"),
    (
        "partition[*].refused",
        "refusals and faults since the last record of the partition; its next record will tell them",
    ),
    (
        "partition[*].failure",
        (
            "more than the log tells is accepted of a partition that was refused: its faults may be among what was, "
            "before what was reported of it or after"
        ),
    ),
    (
        "answer",
        "devices write there without asking the kernel; the log tells when the kernel took in that they were done",
    ),
    ("agent[*].module", "the kernel measures pages that guests write to without asking it"),
    ("time", "a later one than the log tells is accepted: what leaves no record uses time, too"),
    ("key", "the boot key never leaves the kernel"),
    ("partition[*].fresh", "who was started, ran and waited left no record, and is accepted as run"),
    ("partition[*].awaited", "who rested, was woken and waited left no record, and is accepted as woken"),
    ("turn, urges, claim, current", "partitions that wait leave no record: whose turn it was is known of who acted"),
    ("switches", "partitions that wait leave no record, nor do those that a fault beyond their share stopped"),
    (
        "epoch, epoch_began, and elevations that were over",
        "slices, and epochs without a switch, or while many sums of epochs waited to be drained, left no record",
    ),
)
"""What the log cannot tell, so it is not compared."""


class Unexplained(Exception):
    """The log and the model disagree."""


@dataclass
class Outcome:
    """How far the log could be replayed, and what is wrong: why it stopped, or the first field that differs."""

    records: int = 0
    state: Any = None
    fault: str = ""

    @property
    def same(self):
        """Is the state what the log says?"""
        return not self.fault


class Replayer:
    """A model kernel that takes the steps that the records describe."""

    def __init__(self, state=None):
        self.state: Any = state
        self.boot_records, self.records = [], 0
        self.owing = set()  # partitions with an event that found no room in the log, perhaps a fault
        self.reported = set()  # partitions whose failure was reported, before or after faults that found no room
        self.resting = set()  # partitions that rest for something that has not come
        self.called: Any = None  # the record whose call is repeated
        decided = Variant(
            {gate.convinces: self.convinces, gate.perform: self.perform, agent.close_module: self.close_module}
        )
        self.dispatch, self.carry_out = decided.of(gate.dispatch), decided.copy(gate.perform)

    def start(self, verdict):
        """Boot as the header of the log says, unless there is a saved state to continue from."""
        check_interface(verdict.interface)
        if self.state is not None:
            return
        if verdict.information is None:
            raise Unexplained("the log starts at a checkpoint: the state saved there is needed")
        self.state = Kernel()
        boot(self.state, verdict.information)
        self.boot_records = [encode(self.state.log[record_id(i)], WitnessRecord) for i in range(self.state.sequence)]

    def take(self, record):
        """Take the step that the record describes, unless it lies before the saved state.

        Raises `Unexplained` when the step does not write this very record.
        """
        self.records += 1
        if record.kind == Action.BOOT_COMPLETE:
            check_interface(record.payload)
        if self.boot_records:
            self.expect(record, self.boot_records.pop(0))
        elif record.sequence >= self.state.sequence:
            sequence = self.state.sequence
            self.step(record)
            proceed(self.state)
            if self.state.sequence != sequence + 1:
                raise Unexplained("the step that it tells of writes no record")
            self.expect(record, encode(self.state.log[record_id(sequence)], WitnessRecord))
            self.see_who_rests(record)

    def see_who_rests(self, record):
        """Keep in mind whom nothing can have woken: what it rests for has never been there."""
        if record.actor < PARTITIONS and self.state.partition[record.actor].awaited != Awaited.NOTHING:
            self.resting.add(record.actor)
        self.resting = {p for p in self.resting if not has_come(self.state, PartitionId(p))}

    def step(self, record):
        """Let the record's partition run, then call or act as the record says."""
        if record.actor == KERNEL_ACTOR:
            self.act(record)
            return
        self.wait_for(record.actor, record.time)
        self.state.partition[record.actor].refused = record.refused
        self.owing |= {record.actor} if record.refused else set()
        if is_fault(record):
            contain(self.state, record.time, record.object, record.payload)
        else:
            self.call(record)

    def act(self, record):
        """Repeat an action of the kernel itself."""
        if record.kind == Action.SCHEDULER_EPOCH:
            epoch, runner = record.payload >> RUNNER_BITS, record.payload & ((1 << RUNNER_BITS) - 1)
            self.count_quiet_epochs(epoch - 1)
            if runner < PARTITIONS and not self.may_run(PartitionId(runner), record.time):
                self.stop_all(PartitionId(runner))
            else:
                self.wait_for(runner, record.time)
            self.state.switches = record.object
            preempt(self.state, record.time)
        elif record.kind == Action.DEVICE_FIND and record.object < DEVICES and record.payload < DeviceKind.bound:
            find(self.state, record.time, DeviceId(record.object), DeviceKind(record.payload))
        else:
            raise Unexplained(f"the kernel writes {record.kind.name} only during boot")

    def may_run(self, p, now):
        """May a partition have come to run by this time, without a record?"""
        waits = p in self.resting and self.state.partition[p].rest.until > now
        return p < PARTITIONS and eligible(self.state, PartitionId(p)) and not waits

    def wait_for(self, p, now):
        """Let others give way, without a record, until `p` runs; raises `Unexplained` if it cannot by this time."""
        if p == self.state.current and not self.state.idle:
            return
        if not self.may_run(p, now):
            raise Unexplained(f"it speaks of partition {p}, which cannot be the one that runs")
        self.state.current, self.state.idle = PartitionId(p), False

    def stop_unseen(self, p):
        """Repeat a fault that found no room in the log: it left a count, a failure, and a stopped partition.

        Its time is unknown, so no other partition is assumed to have run in its place.
        """
        row = self.state.partition[p]
        row.state, row.fresh = PartitionState.SUSPENDED, False
        if p not in self.reported:
            row.failure = worse(row.failure)
        if self.state.current == p:
            self.state.idle = True
            proceed(self.state)

    def stop_all(self, last):
        """Stop all runnable partitions, and leave `last` as the current one of an idle kernel.

        The slice of a stopped partition ends only when nothing runs. So a fault that found no room must have stopped
        every partition that still seems runnable.
        """
        for p in [p for p in self.state.partition.rows if runnable(self.state, p)]:
            self.stop_unseen(p)
        self.state.current, self.state.idle = last, True

    def done_to(self, record, name):
        """Return the partition that the operation `name` acted on if the record shows that it succeeded, else None."""
        declared = OPERATIONS[record.operation] if record.operation < len(OPERATIONS) else None
        if declared is None or declared.name != name or record.status != Status.OK:
            return None
        return self.state.capability[capability_id(record.actor, handle_slot(record.capability))].object

    def stop_what_is_resumed(self, record):
        """If the record resumes a partition that seems to run, repeat the unseen fault that must have stopped it."""
        named = self.done_to(record, "partition_resume")
        if named is not None and self.state.partition[named].state == PartitionState.RUNNING and named != record.actor:
            self.stop_unseen(named)
            self.wait_for(record.actor, record.time)

    def count_quiet_epochs(self, epoch):
        """Count the epochs that left no record: their number is known from the next record. Were there any?

        These are epochs without a switch, and those that ended while many sums waited to be drained.
        """
        any_quiet = epoch > self.state.epoch
        self.state.epoch = max(self.state.epoch, epoch)
        return any_quiet

    def finish(self, data):
        """Catch up with what happened after the last record.

        Slices and epochs may have ended, partitions may have waited, and elevations may have run out.
        """
        if self.count_quiet_epochs(scalar(data, ("epoch",))):
            self.state.epoch_began = max(self.state.epoch_began, scalar(data, ("epoch_began",)))
        self.state.time = max(self.state.time, scalar(data, ("time",)))
        self.find_unseen(data)
        self.find_who_runs(data)
        self.state.switches = scalar(data, ("switches",))
        self.let_run(data)
        self.clear_what_is_over(data)

    def clear_what_is_over(self, data):
        """Clear elevations that a slice's end has cleared without a record, if they were over."""
        for p in list(self.state.partition.rows):
            if scalar(data, ("partition", p, "elevation", "active")) == 0:
                expire(self.state, p, self.state.time)

    def find_who_runs(self, data):
        """Let those wait who do not run in the end, if who runs then may have come to run."""
        p, idle = scalar(data, ("current",)), bool(scalar(data, ("idle",)))
        lanes = scalar(data, ("turn",)), bool(scalar(data, ("urges",)))
        if idle and not any(runnable(self.state, q) for q in self.state.partition.rows):
            self.state.current, self.state.idle = PartitionId(p), True
        elif not idle and self.may_run(p, self.state.time):
            self.state.current, self.state.idle = PartitionId(p), False
        self.state.turn, self.state.urges = PartitionId(lanes[0]), lanes[1]
        for q in range(PARTITIONS):
            self.state.claim[PartitionId(q)] = Claim(scalar(data, ("claim", q)))

    def let_run(self, data):
        """Accept that partitions ran and waited without a record: they are not fresh, and rest no more."""
        for p, row in self.state.partition.rows.items():
            row.fresh = row.fresh and bool(scalar(data, ("partition", p, "fresh")))
            if p not in self.resting:
                row.awaited = Awaited(scalar(data, ("partition", p, "awaited")))

    def find_unseen(self, data):
        """Repeat the faults that found no room and show only at the end.

        A fault stopped every partition that owes a count and is stopped at the end. Others may have been resumed.
        """
        for p, row in list(self.state.partition.rows.items()):
            if p in self.owing or scalar(data, ("partition", p, "refused")):
                if (
                    row.state == PartitionState.RUNNING
                    and scalar(data, ("partition", p, "state")) == PartitionState.SUSPENDED
                ):
                    self.stop_unseen(p)
                    self.stopped_last(scalar(data, ("current",)))
                row.failure = max(row.failure, scalar(data, ("partition", p, "failure")), key=int)

    def stopped_last(self, p):
        """If nothing runs any more, take `p` as the last that ran: no record tells which of the stopped ones it was."""
        if self.state.idle and not runnable(self.state, p):
            self.state.current = p

    def call(self, record):
        """Repeat a call, through the whole gate."""
        self.stop_what_is_resumed(record)
        self.reported |= {self.done_to(record, "partition_fail")}
        self.end_request(record)
        call = Call(now=record.time)
        if record.operation == KERNEL_OPERATION:
            call.operation = record.object
            registers = [record.capability, record.payload]
        else:
            call.operation = record.operation
            registers = unpack(OPERATIONS[record.operation], record)
        for position, value in enumerate(registers):
            call.argument[position] = value
        self.called = record
        self.dispatch(self.state, call)

    def convinces(self, s, call, tier):
        """Let a proof convince the kernel as the record says."""
        return self.called.status != Status.POLICY_VIOLATION

    def perform(self, s, call):
        """Carry an operation out, or let it refuse as the record says."""
        status = self.called.status
        if status == Status.OK:
            return self.carry_out(s, call)
        if status not in refusals(call.operation):
            raise Unexplained(f"it says {status.name}, but the gate lets the call through")
        return status

    def close_module(self, s, a, digest):
        """Let a module that was measured begin with what the record of its spawn says."""
        told = Halves(self.called.payload)
        digest[0], digest[1] = byte_swap(told.low), byte_swap(told.high)

    def end_request(self, record):
        """If the record says that a request to a device is over, let the device have said so."""
        named = self.done_to(record, "device_complete")
        if named is not None:
            d = DeviceId.truncate(named)
            self.state.answer[d].used = self.state.queue[d].available

    def expect(self, record, written):
        """Raise `Unexplained` unless the log's record and the model's record have the same bytes."""
        found = encode(record, WitnessRecord)
        if found != written:
            offset = next(i for i in range(len(found)) if found[i] != written[i])
            field = leaf_at(WitnessRecord, offset)[0]
            told, made = (getattr(decode(data, WitnessRecord), field) for data in (found, written))
            raise Unexplained(f"it says {field} = {named(told)}, the model {field} = {named(made)}")


def check_interface(interface):
    """Raise `Unexplained` when the kernel that wrote a log has another model than this one."""
    if interface in READABLE.keys() - {INTERFACE}:
        raise Unexplained(
            f"the kernel that wrote it is that of release {READABLE[interface]}: "
            "replay it with the tools that came with that"
        )


def named(value):
    """Return an enumerator's name, or a number as text."""
    return getattr(value, "name", None) or str(value)


@cache
def refusals(number):
    """Return the statuses that an operation may end with after the gate let it through, as far as a record shows."""
    declared = OPERATIONS[number]
    nodes = ir.walk(translate(declared.function).body)
    own = {Status(node.value) for node in nodes if isinstance(node, ir.Literal) and node.type is Status}
    return own | {Status.BAD_ARGUMENT} | ({Status.RESOURCE_DENIED} if declared.resource else set())


def state_in(path):
    """Return the bytes of a state; of a file that is too large, one byte more than a state has."""
    with path.open("rb") as file:
        return file.read(size_of(Kernel) + 1)


def replay(stream, data, saved=None, key=None):
    """Replay a log from boot, or from the saved kernel state `saved`, and compare the result with the state `data`.

    Both states are bytes. Returns an `Outcome`.
    """
    for what, given in (("state", data), ("saved state", saved)):
        if given is not None and len(given) != size_of(Kernel):
            return Outcome(
                fault=(
                    f"the {what} has {len(given) if len(given) < size_of(Kernel) else 'more'} bytes, "
                    f"a kernel {size_of(Kernel)}"
                )
            )
    try:
        replayer = Replayer(decode(saved, Kernel) if saved is not None else None)
    except OutOfRange as problem:
        return Outcome(fault=f"the saved state is none of a kernel: {problem}")
    try:
        verdict = audit(stream, key, tail=None, on_start=replayer.start, on_record=replayer.take)
    except Unexplained as problem:
        return Outcome(replayer.records - 1, replayer.state, f"record {replayer.records - 1}: {problem}")
    except OutOfRange as problem:
        return Outcome(
            replayer.records - 1,
            replayer.state,
            f"record {replayer.records - 1}: the model cannot take this step: {problem}",
        )
    if not verdict.good:
        return Outcome(verdict.records, replayer.state, verdict.fault)
    replayer.finish(data)
    return Outcome(
        verdict.records, replayer.state, apart(verdict, replayer.state) or first_difference(replayer.state, data)
    )


def apart(verdict, state):
    """Say in words why the log does not end where the state stands; return "" if it does.

    A saved state may be later than the whole log, or belong to another boot.
    """
    if state.sequence != verdict.sequence:
        return (
            f"the log ends before record {verdict.sequence}, the saved state stands before record {state.sequence}: "
            "what lies between is missing"
        )
    if b"".join(state.head[i].to_bytes(4, "big") for i in range(8)) != verdict.chain:
        return f"the saved state stands before record {state.sequence} of another log: their chain values differ there"
    return ""


def comparable(data, state):
    """Return the bytes of a kernel with the excluded parts set to zero."""
    out = bytearray(data)
    for page, row in state.page.rows.items():
        if row.kind == PageKind.DATA:
            blank(out, ("memory", page))
    for m in state.message.rows:
        blank(out, ("message", m, "word"))
    blank(out, ("answer",))
    for a in state.agent.rows:
        blank(out, ("agent", a, "module"))
    for p in range(PARTITIONS):
        blank(out, ("partition", p, "refused"))
    blank(out, ("key",))
    return bytes(out)


def without_key(data):
    """Return the bytes of a kernel without the boot key, so that they may leave this machine.

    A holder of the boot key can seal records that no kernel wrote.
    """
    out = bytearray(data)
    blank(out, ("key",))
    return bytes(out)


def place(path):
    """Return the slice of the kernel's bytes that holds a field."""
    type_: Any = Kernel
    for part in path:
        type_ = type_.element if isinstance(part, int) else type_.fields[part]
    start = offset_of(Kernel, path)
    return slice(start, start + size_of(type_))


def scalar(data, path):
    """Return the number that a field holds in the bytes of a kernel."""
    return int.from_bytes(data[place(path)], "little")


def blank(data, path):
    """Set the bytes of a field to zero."""
    where = place(path)
    data[where] = bytes(where.stop - where.start)


def first_difference(state, data):
    """Say in words which field is the first that differs between a state and the bytes of a kernel; "" if none does."""
    expected, found = comparable(encode(state, Kernel), state), comparable(data, state)
    if expected == found:
        return ""
    offset = next(at for at in range(0, len(found), CHUNK) if found[at : at + CHUNK] != expected[at : at + CHUNK])
    offset = next(at for at in range(offset, len(found)) if found[at] != expected[at])
    return difference_at(offset, expected, found)


def difference_at(offset, expected, found):
    """Say in words which field covers a byte, and its two values."""
    path = leaf_at(Kernel, offset)
    if path[-1] == "padding":
        return f"the byte {offset} of the state, which is padding, is not zero"
    return f"{spell(path)} is {scalar(found, path):#x} in the state, {scalar(expected, path):#x} according to the log"
