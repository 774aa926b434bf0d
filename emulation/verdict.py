"""Did the run go as it had to? What guests say they tried, against the log, the files that were loaded and the key."""

import hashlib
import io
import re
from dataclasses import dataclass, field

from elftools.elf.elffile import ELFFile

from corollary.codegen import image
from corollary.emulation.machine import packed, words_of
from corollary.emulation.package import header_of
from corollary.language.layout import decode, encode
from corollary.language.types import annotation_type
from corollary.model.kernel.package import accept
from corollary.record import witness_log
from corollary.record.audit import audit, is_fault
from corollary.record.continued import COLD
from corollary.spec.kernel import platform
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import SHARE_NS
from corollary.spec.kernel.memory_map import LINE_WORDS, PHASES, Words
from corollary.spec.kernel.state import BootInformation, Kernel, WitnessRecord
from corollary.spec.kernel.vocabulary import Status
from corollary.spec.kernel.witness import KERNEL_ACTOR, record_id

NAMES = ("root", "worker A", "worker B", "auditor", "hostile", "fleeting")
AUDITOR = NAMES.index("auditor")
WORD = 8
RECORD = WitnessRecord.layout.size
CLASSES = {value: why for _, value, why in platform.EXCEPTION_CLASSES}
KERNEL = "kernel: "
HEADED = re.compile(r"([0-9a-f]{2})([>#]) (.*)")


@dataclass
class Transcript:
    """Everything that the console reported."""

    key: bytes
    names: tuple = NAMES  # of the partitions
    said: list = field(default_factory=list)  # lines of the kernel
    told: dict = field(default_factory=dict)  # partition: its lines, split at |
    records: list = field(default_factory=list)  # bytes of each
    checkpoints: list = field(default_factory=list)  # bytes of each
    restarts: int = 0  # of the kernel before this boot
    before: bytes = COLD  # SHA-256 of the log of the boot before, if the kernel started again
    shown: dict = field(default_factory=dict)  # partition: the bytes that it sent, if it is not the auditor

    def take(self, line):
        """Take in one line of the console; return the records that it brought."""
        if line.startswith(KERNEL):
            self.said.append(line[len(KERNEL) :].split())
        said = HEADED.fullmatch(line)
        if said is None:
            return []
        partition, mark, text = int(said[1], 16), said[2], said[3]
        if mark == ">":
            self.told.setdefault(partition, []).append(text.split("|"))
        elif partition == AUDITOR:
            return self.take_bytes(bytes.fromhex(text))
        else:
            self.shown[partition] = self.shown.get(partition, b"") + bytes.fromhex(text)
        return []

    def take_bytes(self, data):
        """Take in bytes of the auditor: records, which arrive whole, or a checkpoint. Return the new records."""
        if is_checkpoint(data):
            self.checkpoints.append(data)
            return []
        fresh = [data[at : at + RECORD] for at in range(0, len(data), RECORD)]
        self.records += fresh
        return fresh

    def value(self, *head):
        """Return the words that follow `head` on a line of the kernel."""
        return next((line[len(head) :] for line in self.said if tuple(line[: len(head)]) == head), [])

    @property
    def measurements(self):
        """What the kernel says that it measured, by phase."""
        return [bytes.fromhex(line[2]) for line in self.said if line[0] == "measurement"]

    def lines(self, partition, word):
        """Return the lines of a partition that begin with a word."""
        return [line[1:] for line in self.told.get(partition, []) if line[0] == word]


def is_checkpoint(data):
    """Are these bytes no records?

    A checkpoint is as long as two of them, and has a hash where the second one would have the next number.
    """
    return len(data) == witness_log.SEAL and words_of(data[RECORD : RECORD + WORD])[0] != words_of(data[:WORD])[0] + 1


# ---- what can be checked without trusting the run


def expected_measurements(system, restarts=0, before=COLD):
    """Return what each phase must measure, from nothing but the files that are loaded and what the host gave.

    A kernel that started again also measures how often, and the SHA-256 of the log before.
    """
    places = dict(image.symbols(system.kernel))
    bounds = [(places[f"{name}_start"], places[f"{name}_end"]) for name in ("text", "translation", "rodata")]
    with system.kernel.open("rb") as file:
        parsed = ELFFile(file)
        text, tables, constants = (loaded(parsed, start, end - start) for start, end in bounds)
    registers = (*platform.BOOT_REGISTERS, platform.SCTLR_EL2)
    parts = (
        text,
        packed(*(register.held for register in registers)).ljust(annotation_type(Words).length * WORD, b"\0"),
        tables,
        constants,
        packed(1, restarts) + before,
        packed(platform.COUNTER_HZ, SHARE_NS // platform.TICK_NS),
        system.package.read_bytes() + packed(*system.attested.root),
    )
    assert len(parts) == PHASES
    return [hashlib.sha256(in_lines(part)).digest() for part in parts]


def in_lines(data):
    """Pad data with zeros to whole lines, as it is measured in whole lines."""
    return data + bytes(-len(data) % (WORD * LINE_WORDS))


def loaded(parsed, address, size):
    """Return the bytes of an image at an address."""
    segment = next(
        part
        for part in parsed.iter_segments("PT_LOAD")
        if part["p_vaddr"] <= address < part["p_vaddr"] + part["p_filesz"]
    )
    at = address - segment["p_vaddr"]
    return segment.data()[at : at + size]


def log_of(run, system):
    """Return the drained log as a file for `corollary audit`: records in order, each checkpoint where it was sealed."""
    last = seals_of(run).get(len(run.records), b"")
    return log_so_far(run, system) + last + witness_log.end(len(run.records), witness_log.hash_of(run.records))


def log_so_far(run, system, first=0):
    """Return the part of such a file that the records from a number on fill; the header comes before the first."""
    seals, parts = seals_of(run), [b"" if first else witness_log.header(information(run, system))]
    for number in range(first, len(run.records)):
        parts += [seals.get(number, b""), run.records[number]]
    return b"".join(parts)


def seals_of(run):
    """Return the checkpoints of a run as units of a log, by the number of the record that each stands before."""
    return {words_of(checkpoint[:8])[0]: witness_log.seal(checkpoint) for checkpoint in run.checkpoints}


def whole_log_of(run, system, state):
    """Return the log as a file without checkpoints, including the records that were still in the kernel.

    `state` is the state of the kernel as bytes.
    """
    kernel, known = decode(state, Kernel), information(run, system)
    left = [encode(kernel.log[record_id(number)], WitnessRecord) for number in range(len(run.records), kernel.sequence)]
    records = [*run.records, *left]
    return b"".join([witness_log.header(known), *records, witness_log.end(len(records), witness_log.hash_of(records))])


def information(run, system):
    """Return the boot information: measured by the kernel, given by the host, or in the header of the package."""
    return booted_with(system, run.measurements, decode(run.records[0], WitnessRecord).time, run.restarts)


def booted_with(system, measurements, now, restarts=0):
    """Return the boot information that goes with a package, seven measurements, a time and so many restarts; no key."""
    known = BootInformation(now=now, restarts=restarts)
    accept(header_of(system.package), known)
    for i, word in enumerate(system.attested.root):
        known.attested[i] = word
    for phase, digest in enumerate(measurements):
        for i in range(8):
            known.measurement[8 * phase + i] = int.from_bytes(digest[4 * i : 4 * i + 4], "big")
    return known


# ---- the verdict


@dataclass(frozen=True)
class Attempt:
    """One attempt: what had to come of it, what did, and whether the log confirms it."""

    who: str
    attempt: str
    expected: str
    observed: str
    witnessed: str
    good: bool


def spoken(outcome):
    """Return the outcome of an attempt in words."""
    kind, low = outcome & ~0xFF, outcome & 0xFF
    words = {platform.STOPPED: "stopped: ", platform.CAUGHT: "its own exception: "}
    if kind in words:
        return words[kind] + CLASSES.get(low, f"class {low:#x}")
    names = {platform.HARMLESS: "no effect on others", platform.ENDLESS: "preempted, restarted"}
    if outcome in names:
        return names[outcome]
    return Status(outcome).name if Status.contains(outcome) else f"{outcome:#x}"


def counted(records):
    """Return how many records an attempt left, in words."""
    return f"{len(records)} records" if len(records) > 1 else "record" if records else ""


class Judge:
    """A judge that compares what guests say of their attempts with what the log says."""

    def __init__(self, records, names=NAMES):
        self.names = names
        self.records = [decode(data, WitnessRecord) for data in records]
        self.calls, self.stops = {}, {}
        for record in self.records:
            if is_fault(record):
                self.stops.setdefault(record.actor, []).append(record)
            elif record.actor != KERNEL_ACTOR:
                self.calls.setdefault(record.actor, []).append(record)

    def rows(self, p, lines):
        """Yield the rows of a partition's attempts, in order."""
        stops = iter(self.stops.get(p, []))
        for name, *numbers in lines:
            expected, observed, before, after = (int(number, 16) for number in numbers)
            records = self.calls.get(p, [])[before:after]
            if expected < platform.STOPPED:
                seen, witnessed, good = self.called(expected, observed, records, self.calls.get(p, [])[after:])
            else:
                seen, witnessed, good = self.acted(expected, observed, records, stops)
            yield Attempt(self.names[p], name, spoken(expected), seen, witnessed, good)

    def called(self, expected, observed, records, later):
        """Judge a hypercall.

        Its record must have the status that the guest saw. If the log was full, a later record must count refusals.
        """
        if observed == Status.WITNESS_FULL:
            witnessed = any(record.refused for record in later)
        else:
            witnessed = bool(records) and records[-1].status == observed
        return spoken(observed), counted(records) if witnessed else "NO", witnessed and observed == expected

    def acted(self, expected, observed, records, stops):
        """Judge something done to the processor or to memory, or calls by the hundred: none may have had an effect."""
        if expected == platform.ENDLESS:
            return (
                (spoken(expected), "root's restart", True)
                if observed == platform.STOPPED
                else (spoken(observed), "NO", False)
            )
        if observed == platform.STOPPED:
            stop = next(stops, None)
            seen = None if stop is None else platform.STOPPED | (stop.object >> 26) & 0x3F
            return (
                ("hung", "NO", False) if stop is None else (spoken(seen), f"record {stop.sequence}", seen == expected)
            )
        unearned = [
            record for record in records if record.status == Status.OK and OPERATIONS[record.operation].takes_handle
        ]
        seen = f"{len(unearned)} calls allowed" if unearned else spoken(observed)
        return seen, counted(records), observed == expected and not unearned


def verdict(run, system):
    """Return all rows: what guests tried, then what must hold of the whole."""
    judge = Judge(run.records)
    rows = [row for p in range(len(NAMES)) for row in judge.rows(p, run.lines(p, "attempt"))]
    return rows + [*canary_rows(run), *system_rows(run, system)]


def canary_rows(run, victims=tuple(range(AUDITOR))):
    """Yield rows about pages of these partitions that nobody else may touch.

    Their hash is the same before, after, and when root looks at them in the end.
    """
    seen_by_root = {int(line[0], 16): line[1] for line in run.lines(0, "victim")}
    for p in victims:
        seen = [line[1] for line in run.lines(p, "canary")] + ([seen_by_root.get(p, "not seen")] if p else [])
        good = len(seen) == 2 + bool(p) and len(set(seen)) == 1
        yield Attempt(
            run.names[p],
            "memory of a victim, SHA-256",
            "unchanged",
            " -> ".join(hash_[:16] for hash_ in dict.fromkeys(seen)),
            "",
            good,
        )


def holds(attempt, expected, observed, good, who="kernel"):
    """Return a row about the whole."""
    return Attempt(who, attempt, expected, observed, "", bool(good))


def told_row(run, p, word, wanted, attempt, expected):
    """Return a row about what a partition says of itself, in one line that begins with a word."""
    lines = run.lines(p, word)
    return holds(attempt, expected, " ".join(lines[0]) if lines else "nothing", lines == [[wanted]], run.names[p])


def system_rows(run, system):
    """Yield rows about boot, the workers' exchange, proofs, the log, and the end."""
    yield from boot_rows(run, system)
    for p in (1, 2):
        yield told_row(run, p, "exchange", "worked", "messages and appended words", "arrive")
        yield told_row(
            run, p, "conversation", "worked", "messages through edges, and pokes", "arrive once and in order"
        )
    yield root_row(run, "create, delegate, restart, destroy")
    yield told_row(run, 0, "commit", "done", "proof root committed, by a P3 proof", "allowed")
    yield from log_rows(run, system)
    yield end_row(run)


def boot_rows(run, system):
    """Yield rows about what was booted, after which log if the kernel started again, and its state."""
    wanted = expected_measurements(system, run.restarts, run.before)
    wrong = [str(phase) for phase in range(PHASES) if run.measurements[phase : phase + 1] != wanted[phase : phase + 1]]
    yield holds(
        "seven boot measurements",
        "as computed from the files",
        f"phases {', '.join(wrong)} differ" if wrong else "equal",
        not wrong,
    )
    checked = run.value("invariants")
    yield holds("invariants of the booted state", "hold", "hold" if checked else "not checked", checked)


def root_row(run, calls):
    """Return a row: root came to its end, and none of the calls that it needed was refused."""
    failed = [f"{line[0]}: {Status(int(line[1], 16)).name}" for line in run.lines(0, "failed")]
    return holds(
        calls,
        "every call allowed",
        "; ".join(failed[:3]) or "every call allowed",
        not failed and run.lines(0, "root") == [["done"]],
        NAMES[0],
    )


def end_row(run):
    """Return a row: the machine goes off by itself."""
    return holds(
        "the machine",
        "off when nobody can run",
        " ".join(run.said[-1]) if run.said else "silent",
        run.value("no", "partition") == ["can", "run"],
    )


def log_rows(run, system):
    """Yield rows about the drained log, audited without the kernel."""
    found = audit(io.BytesIO(log_of(run, system)), run.key) if run.records and len(run.measurements) == PHASES else None
    yield holds(
        "hash chain of the drained log",
        "unbroken",
        "nothing drained" if found is None else found.fault or f"{found.records} records follow from each other",
        found and found.good,
    )
    sealed = 0 if found is None else found.sealed
    yield holds(
        "checkpoints sealed with the boot key",
        "verify",
        f"{sealed} of {len(run.checkpoints)}",
        sealed and sealed == len(run.checkpoints),
    )
    told = run.value("records")
    left = int(told[0], 16) - len(run.records) if told else None
    last = words_of(run.checkpoints[-1][:8])[0] if run.checkpoints else None
    yield holds(
        "records that stayed behind", "those from the last seal on", str(left), left and len(run.records) == last
    )
