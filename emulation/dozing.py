"""Did an agent come to the disk and back as it had to? In each nap something goes wrong, or nothing.

Whatever that is, the agent goes on where it was, and its messages wait for it: none is lost or doubled. What is on the
disk is checked against the receipt that the log tells, with Python's LZ4 and SHA-256.
"""

import hashlib
from dataclasses import astuple, dataclass

import lz4.block

from corollary.emulation.agents import Fault
from corollary.emulation.ending import Log, agent_rows, name_of
from corollary.emulation.layout import VIOLATIONS
from corollary.emulation.mending import MANAGER, partitions
from corollary.emulation.moving import beginning_row, killed_row, refusals, said
from corollary.emulation.verdict import boot_rows, end_row, holds, log_rows, root_row
from corollary.snapshot import MAGIC
from corollary.spec.agent import Life
from corollary.spec.kernel.arguments import named_arguments
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import SECTOR
from corollary.spec.kernel.vocabulary import Status as KernelStatus
from corollary.spec.manager.vocabulary import Status, Step, Verb

STAYS = (Verb.SNAPSHOT, Verb.COMPRESS, Verb.WRITE, Verb.RECORD)
"""If a task for one of these is refused, the agent goes on without having slept."""


@dataclass(frozen=True)
class Receipt:
    """What the log tells of a snapshot on the disk: its sector, its sizes in bytes, and its hash in four words."""

    at: int
    packed: int
    plain: int
    first: int
    second: int
    third: int
    fourth: int

    @property
    def hash(self):
        """The SHA-256 of the snapshot."""
        return b"".join(word.to_bytes(8, "big") for word in astuple(self)[3:])


def verdict(run, system, agents, contents):
    """Return all rows; `contents` are the bytes that are on the disk in the end."""
    return [
        *rows_of_agents(run, Log(run.records), agents, contents),
        *boot_rows(run, system),
        root_row(run, "make agents and a manager, lend that a disk, and kill it"),
        *log_rows(run, system),
        end_row(run),
    ]


def rows_of_agents(run, log, agents, contents):
    """Yield the rows of the agent that hibernates, and of the one that sends to it."""
    number, dozer = next((n, agent) for n, agent in enumerate(agents) if agent.naps)
    sender = next(n for n, agent in enumerate(agents) if agent.peer == dozer.name)
    (place,), (source,) = (list(partitions(run, each)) for each in (number, sender))
    yield from agent_rows(run, log, source, agents[sender])
    yield from agent_rows(run, log, place, dozer)
    yield from nap_rows(run, dozer)
    yield from message_rows(run, log, dozer, place, source)
    yield beginning_row(run, dozer, [place])
    yield killed_row(log, dozer, dozer.naps)
    yield from life_rows(run, log, dozer)
    yield from greed_rows(log, dozer, place)
    yield from receipt_rows(log, dozer, contents)


def rested(run):
    """Return after each nap for how many ms the agent was hibernated."""
    return [int(ms, 16) for _, _, ms in run.lines(MANAGER, "rested")]


def unfit(run):
    """Return how what came from the disk was not what the receipt says, in order: while what was done, and how."""
    return [(Step(int(step, 16)), Status(int(status, 16))) for _, step, status in run.lines(MANAGER, "unfit")]


def wanted_refusals(verb, fault):
    """Return the verbs of the tasks that fail in a nap."""
    return {Fault.REFUSED: [verb], Fault.ALTERED: [Verb.DECOMPRESS]}.get(fault, [])


def stays(verb, fault):
    """Does a fault keep the agent from the disk?"""
    return fault == Fault.REFUSED and verb in STAYS


def nap_rows(run, dozer):
    """Yield a row for each nap: the agent was hibernated, or went on without."""
    naps, failed = rested(run), refusals(run, "rested")
    if len(naps) != len(dozer.naps):
        yield holds("its naps", str(len(dozer.naps)), str(len(naps)), False, dozer.name)
        return
    for (verb, fault), ms, refused in zip(dozer.naps, naps, failed, strict=True):
        awake = stays(verb, fault)
        what = f"{verb.name}: {fault.name}" if fault != Fault.NONE else "nothing goes wrong"
        good = (ms == 0) == awake and refused == wanted_refusals(verb, fault)
        told = f"hibernated for {ms} ms" if ms else "goes on"
        wanted = "goes on" if awake else "hibernated, and back"
        yield holds(f"a nap in which {what}", wanted, told, good, dozer.name)


def message_rows(run, log, dozer, place, source):
    """Yield rows about messages: all that were sent came, also those that waited while the agent was on the disk."""
    sent, came = log.allowed(source, "edge_send"), log.allowed(place, "edge_receive")
    yield holds(
        "messages, by the log",
        "received as often as sent",
        f"{sent} sent, {came} received",
        sent == came > 0,
        dozer.name,
    )
    numbers = [said(run, p, "numbers ") for p in (source, place)]
    good = numbers == [str(sent - 1)] * 2
    yield holds("numbers sent and received", str(sent - 1), " and ".join(numbers), good, dozer.name)


def made_by_manager(log, name):
    """Return the arguments of the calls of an operation that the manager made, and that were allowed."""
    calls = [record for record in log.calls.get(MANAGER, []) if name_of(record) == name]
    allowed = [record for record in calls if record.status == KernelStatus.OK]
    return [named_arguments(OPERATIONS[record.operation], record) for record in allowed]


def life_rows(run, log, dozer):
    """Yield rows about the life of the agent in the kernel: each nap takes it to HIBERNATED, and back."""
    slept = sum(not stays(*nap) for nap in dozer.naps)
    lives = [change["life"] for change in made_by_manager(log, "agent_change")]
    for life in (Life.HIBERNATED, Life.RECONSTRUCTING):
        found = lives.count(life.name)
        yield holds(f"{life.name}, by the log", f"{slept} times", f"{found} times", found == slept, dozer.name)
    freed = len(made_by_manager(log, "page_release"))
    good = freed > 0 and freed % slept == 0
    yield holds("pages freed, by the log", f"as many in each of {slept} naps", str(freed), good, dozer.name)


def greed_rows(log, dozer, place):
    """Yield a row, if the agent hibernates since it took too much, about how often it did so before."""
    if not any(fault == Fault.GREED for _, fault in dozer.naps):
        return
    stopped = first_of(log.calls.get(MANAGER, []), "agent_change", KernelStatus.OK)
    refused = [record for record in log.calls.get(place, []) if is_greedy(record)]
    before = sum(record.sequence < stopped for record in refused)
    expected, told = f"{VIOLATIONS} of {VIOLATIONS}", f"{before} of {len(refused)}"
    what = "calls of more than its quota before it is stopped, by the log"
    yield holds(what, expected, told, told == expected, dozer.name)


def is_greedy(record):
    """Was this call refused since the caller takes too much?"""
    return name_of(record) == "yield_now" and record.status == KernelStatus.RATE_LIMITED


def first_of(records, name, status):
    """Return the number of the first record of an operation with a status, or 0."""
    return next((each.sequence for each in records if name_of(each) == name and each.status == status), 0)


def receipts(log):
    """Return the receipts that the log tells, in their order; the last one may be cut short."""
    words = [record.payload for record in log.calls.get(MANAGER, []) if is_word(record)]
    size = len(Receipt.__dataclass_fields__)
    return [Receipt(*words[at : at + size]) for at in range(0, len(words) - size + 1, size)]


def is_word(record):
    """Is this a word of a receipt?"""
    return name_of(record) == "page_append" and record.status == KernelStatus.OK


def receipt_rows(log, dozer, contents):
    """Yield rows about receipts: there is one for each nap, and the last one tells what is on the disk."""
    found = receipts(log)
    slept = sum(not stays(*nap) for nap in dozer.naps)
    again = (Verb.RECORD, Fault.LOST) in dozer.naps
    yield holds("receipts in the log", str(slept + again), str(len(found)), len(found) == slept + again, dozer.name)
    last = found[-1] if found else Receipt(*[0] * 7)
    snapshot = unpacked(last, contents)
    good = hashlib.sha256(snapshot).digest() == last.hash and snapshot.startswith(MAGIC)
    told = f"{last.plain} bytes in {last.packed}"
    yield holds("what is on the disk", "a snapshot with the hash of its receipt", told, good, dozer.name)


def unpacked(receipt, contents):
    """Return the snapshot that is on the disk, as the reference implementation reads it; nothing if it cannot."""
    return unpacked_from(receipt, contents[receipt.at * SECTOR :])


def unpacked_from(receipt, data):
    """Return the snapshot in some bytes from the disk, in the same way."""
    try:
        return lz4.block.decompress(data[: receipt.packed], uncompressed_size=receipt.plain)
    except lz4.block.LZ4BlockError:
        return b""
