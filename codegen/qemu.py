"""What happens when the image runs? `python -m codegen.qemu` boots it, shows who did what, and judges the outcome."""

import argparse
import hashlib
import hmac
import mmap
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.elffile import ELFFile
from rich.console import Console
from rich.table import Table

from codegen import build, declarations, image
from codegen.attest import attested
from model.boot import PHASES, seed_chain
from spec import platform
from spec.language.layout import decode, encode
from spec.limits import QUANTUM
from spec.operation import OPERATIONS, named_arguments
from spec.state import BootInformation, Call, Kernel, WitnessRecord
from spec.vocabulary import Action, Status
from spec.witness import KERNEL_ACTOR

MACHINE = ("-M", "virt,virtualization=on,gic-version=3", "-cpu", "cortex-a72", "-m", "512M", "-nographic", "-no-reboot", "-nic", "none")
SHIFT = 6                   # an instruction takes 1 << SHIFT ns of the machine's time, whatever the host: every run is the same
LIMIT = 90                  # s of the host's time; a run takes a third of it
NAMES = ("root", "worker A", "worker B", "auditor", "hostile", "fleeting")
AUDITOR = NAMES.index("auditor")
RECORD = WitnessRecord.layout.size
CLASSES = {value: why for _, value, why in platform.EXCEPTION_CLASSES}
WHY = declarations.member_notes(Status)
ROUTINE = {"witness_drain", "console_write"}


class QemuMissing(RuntimeError):
    """The emulator is not installed."""


def emulator():
    """The path of QEMU."""
    found = shutil.which("qemu-system-aarch64")
    if found is None:
        raise QemuMissing("no QEMU: run `apt-get install -y qemu-system-arm`")
    return found


def words_of(data):
    """The 64-bit words of some bytes."""
    return struct.unpack(f"<{len(data) // 8}Q", data)


# ---- what a run leaves behind


@dataclass
class Run:
    """All that the console told."""

    key: bytes
    said: list = field(default_factory=list)        # lines of the kernel
    told: dict = field(default_factory=dict)        # partition: its lines, split at |
    records: list = field(default_factory=list)     # bytes of each
    checkpoints: list = field(default_factory=list)

    def take(self, line):
        """Sort one line of the console in; the records that it brought."""
        if line.startswith("kernel: "):
            self.said.append(line[8:].split())
        elif line[2:4] == "> ":
            self.told.setdefault(int(line[:2], 16), []).append(line[4:].split("|"))
        elif line[2:4] == "# " and int(line[:2], 16) == AUDITOR:
            return self.take_bytes(bytes.fromhex(line[4:]))
        return []

    def take_bytes(self, data):
        """Records come in whole, a checkpoint is shorter than two of them."""
        if len(data) % RECORD != 0:
            self.checkpoints.append(data)
            return []
        fresh = [data[at:at + RECORD] for at in range(0, len(data), RECORD)]
        self.records += fresh
        return fresh

    def value(self, *head):
        """The words that follow `head` on a line of the kernel."""
        return next((line[len(head):] for line in self.said if tuple(line[:len(head)]) == head), [])

    @property
    def measurements(self):
        """What the kernel says it measured, by phase."""
        return [bytes.fromhex(line[2]) for line in self.said if line[0] == "measurement"]

    def lines(self, partition, word):
        """The lines of a partition that begin with a word."""
        return [line[1:] for line in self.told.get(partition, []) if line[0] == word]


def start(elf, key):
    """Boot an image with a key; yields the lines of its console."""
    with tempfile.NamedTemporaryFile(suffix=".secret") as file:
        file.write(encode(secret(key), platform.Secret))
        file.flush()
        region = next(region for region in platform.REGIONS if region.name == "secret")
        process = subprocess.Popen(
            [emulator(), *MACHINE, "-icount", f"shift={SHIFT},sleep=off", "-kernel", str(elf),
             "-device", f"loader,file={file.name},addr={region.start:#x},force-raw=on"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        try:
            watchdog = threading.Timer(LIMIT, process.kill)
            watchdog.start()
            for line in process.stdout:
                yield line.rstrip("\r\n")
        finally:
            watchdog.cancel()
            process.kill()
            process.wait()


def secret(key):
    """What the host leaves for the kernel: the key, and the root of the proofs that it allows."""
    value = platform.Secret()
    for i, word in enumerate(words_of(key)):
        value.key[i] = word
    for i, word in enumerate(attested().root):
        value.attested[i] = word
    return value


# ---- what can be checked without trusting the run


def verify_chain(records, measurements):
    """The chain value before record 0, 1, ...; raises ValueError at the first record that does not follow."""
    heads = [first_head(measurements)]
    for number, record in enumerate(records):
        head = hashlib.sha256(heads[-1] + record[:48]).digest()
        if record[48:] != head[:16] or words_of(record[:8])[0] != number:
            raise ValueError(f"record {number} does not follow from those before")
        heads.append(head)
    return heads


def first_head(measurements):
    """H(-1), as the model's boot computes it from the measurements."""
    state, information = Kernel(), BootInformation()
    for i, word in enumerate(word for digest in measurements for word in struct.unpack(">8I", digest)):
        information.measurement[i] = word
    seed_chain(state, information)
    return struct.pack(">8I", *(state.head[i] for i in range(8)))


def verify_checkpoint(checkpoint, heads, key):
    """Is it sealed with the key, and does it name the chain value that the records lead to?"""
    message, tag = checkpoint[:64], checkpoint[64:]
    sequence = words_of(message[:8])[0]
    return (hmac.compare_digest(hmac.new(key, message, hashlib.sha256).digest(), tag)
            and sequence < len(heads) and heads[sequence] == message[16:48])


def expected_measurements(elf):
    """What each phase must measure, from the image alone and what the host gave."""
    with Path(elf).open("rb") as file:
        parsed = ELFFile(file)
        text, tables, constants = (between(parsed, f"{name}_start", f"{name}_end") for name in ("text", "translation", "rodata"))
        package, pages = contents(parsed, "package"), contents(parsed, "package_pages")
    registers = (*platform.BOOT_REGISTERS, platform.SCTLR_EL2)
    parts = (text, packed(*(register.held for register in registers)), tables, constants, packed(1),
             packed(platform.COUNTER_HZ, QUANTUM // platform.TICK_NS), package + pages + packed(*attested().root))
    assert len(parts) == PHASES
    return [hashlib.sha256(part).digest() for part in parts]


def packed(*words):
    """Words as they lie in memory."""
    return struct.pack(f"<{len(words)}Q", *words)


def between(parsed, first, last):
    """The bytes of an image from one symbol to another."""
    start = image.symbol(parsed, first)
    return loaded(parsed, start, image.symbol(parsed, last) - start)


def contents(parsed, name):
    """The bytes of the object that a symbol names."""
    entry = parsed.get_section_by_name(".symtab").get_symbol_by_name(name)[0]
    return loaded(parsed, entry["st_value"], entry["st_size"])


def loaded(parsed, address, size):
    """The bytes of an image at an address."""
    segment = next(part for part in parsed.iter_segments("PT_LOAD") if part["p_vaddr"] <= address < part["p_vaddr"] + part["p_filesz"])
    at = address - segment["p_vaddr"]
    return segment.data()[at:at + size]


# ---- the verdict


@dataclass(frozen=True)
class Row:
    """One thing that was tried: what had to come of it, what did, and whether the log tells of it."""

    who: str
    attempt: str
    expected: str
    observed: str
    witnessed: str
    good: bool


def spoken(outcome):
    """An outcome of an attempt, for people."""
    kind, low = outcome & ~0xFF, outcome & 0xFF
    words = {platform.STOPPED: "stopped: ", platform.CAUGHT: "its own exception: "}
    if kind in words:
        return words[kind] + CLASSES.get(low, f"class {low:#x}")
    names = {platform.HARMLESS: "no effect on others", platform.ENDLESS: "preempted, restarted"}
    if outcome in names:
        return names[outcome]
    return Status(outcome).name if Status.contains(outcome) else f"{outcome:#x}"


class Judge:
    """Compares what guests say of their attempts with what the log says."""

    def __init__(self, records):
        self.records = [decode(data, WitnessRecord) for data in records]
        self.calls, self.stops = {}, {}
        for record in self.records:
            if record.actor != KERNEL_ACTOR:
                self.calls.setdefault(record.actor, []).append(record)
            elif record.kind == Action.TASK_TERMINATE:
                self.stops.setdefault(record.object >> 32, []).append(record)

    def rows(self, p, lines):
        """The attempts of a partition, in their order."""
        stops = iter(self.stops.get(p, []))
        for name, *numbers in lines:
            expected, observed, before, after = (int(number, 16) for number in numbers)
            records = self.calls.get(p, [])[before:after]
            if expected < platform.STOPPED:
                seen, witnessed, good = self.called(expected, observed, records, self.calls.get(p, [])[after:])
            else:
                seen, witnessed, good = self.acted(expected, observed, records, stops)
            yield Row(NAMES[p], name, spoken(expected), seen, witnessed, good)

    def called(self, expected, observed, records, later):
        """A hypercall: the record that it left must bear the status that the guest saw; a refused one was counted."""
        if observed == Status.WITNESS_FULL:
            witnessed = any(record.refused for record in later)
        else:
            witnessed = bool(records) and records[-1].status == observed
        return spoken(observed), f"{len(records)} records" if witnessed else "NO", witnessed and observed == expected

    def acted(self, expected, observed, records, stops):
        """Something done to the processor or to memory, or calls by the hundred: none may have had an effect."""
        if expected == platform.ENDLESS:
            return (spoken(expected), "root's restart", True) if observed == platform.STOPPED else (spoken(observed), "NO", False)
        if observed == platform.STOPPED:
            stop = next(stops, None)
            seen = None if stop is None else platform.STOPPED | (stop.object >> 26) & 0x3F
            return ("hung", "NO", False) if stop is None else (spoken(seen), f"record {stop.sequence}", seen == expected)
        unearned = [record for record in records if record.status == Status.OK and OPERATIONS[record.operation].takes_handle]
        seen = f"{len(unearned)} calls allowed" if unearned else spoken(observed)
        return seen, f"{len(records)} records" if records else "", observed == expected and not unearned


def verdict(run, elf):
    """All rows: what guests tried, then what must hold of the whole."""
    judge = Judge(run.records)
    rows = [row for p in range(len(NAMES)) for row in judge.rows(p, run.lines(p, "attempt"))]
    return rows + [*canary_rows(run), *system_rows(run, elf)]


def canary_rows(run):
    """Pages that nobody else may touch have the same hash before, after, and in root's eyes when all is over."""
    seen_by_root = {int(line[0], 16): line[1] for line in run.lines(0, "victim")}
    for p in range(AUDITOR):
        seen = [line[1] for line in run.lines(p, "canary")] + ([seen_by_root.get(p, "not seen")] if p else [])
        good = len(seen) == 2 + bool(p) and len(set(seen)) == 1
        yield Row(NAMES[p], "memory of a victim, SHA-256", "unchanged", " -> ".join(hash_[:16] for hash_ in dict.fromkeys(seen)), "", good)


def holds(attempt, expected, observed, good, who="kernel"):
    """A row about the whole."""
    return Row(who, attempt, expected, observed, "", bool(good))


def system_rows(run, elf):
    """Boot, the workers' exchange, proofs, the log, and the end."""
    wanted = expected_measurements(elf)
    wrong = [str(phase) for phase in range(PHASES) if run.measurements[phase:phase + 1] != wanted[phase:phase + 1]]
    yield holds("seven boot measurements", "as computed from the image", f"phases {', '.join(wrong)} differ" if wrong else "equal", not wrong)
    checked = run.value("invariants")
    yield holds("invariants of the booted state", "hold", f"{checked[0]} hold" if checked else "not checked", checked)
    for p in (1, 2):
        told = run.lines(p, "exchange")
        yield holds("messages and appended words", "arrive", " ".join(told[0]) if told else "nothing", told == [["worked"]], NAMES[p])
    failed = [f"{line[0]}: {Status(int(line[1], 16)).name}" for line in run.lines(0, "failed")]
    yield holds("create, delegate, restart, destroy", "every call allowed", "; ".join(failed[:3]) or "every call allowed",
                not failed and run.lines(0, "root") == [["done"]], NAMES[0])
    yield holds("proof root committed, by a P3 proof", "allowed", "".join(*run.lines(0, "commit")[:1]), run.lines(0, "commit") == [["done"]], NAMES[0])
    yield from log_rows(run)
    yield holds("the machine", "off when nobody can run", " ".join(run.said[-1]) if run.said else "silent",
                run.value("no", "partition") == ["can", "run"])


def log_rows(run):
    """The drained log, verified without the kernel."""
    try:
        heads = verify_chain(run.records, run.measurements)
    except ValueError as wrong:
        yield holds("hash chain of the drained log", "unbroken", str(wrong), False)
        return
    yield holds("hash chain of the drained log", "unbroken", f"{len(run.records)} records follow from each other", run.records)
    good = [verify_checkpoint(checkpoint, heads, run.key) for checkpoint in run.checkpoints]
    yield holds("checkpoints sealed with the boot key", "verify", f"{sum(good)} of {len(good)}", good and all(good))
    told = run.value("records")
    left = int(told[0]) - len(run.records) if told else None
    yield holds("records that stayed behind", "3: the last drain, its output, the end", str(left), left == 3)
    lost = sum(decode(data, WitnessRecord).refused for data in run.records if decode(data, WitnessRecord).actor == KERNEL_ACTOR)
    yield holds("records of the kernel lost for want of room", "0", str(lost), lost == 0)


# ---- the kernel as a function, for differential tests


class Server:
    """Runs traces on the shipped functions inside QEMU: the machine's memory is a file that both sides map.

    An entry of a trace is `(kind, call)`: a name of `platform.KINDS` and a `Call`; STORE takes page, position
    and value as the first arguments, CONTAIN syndrome and address. A result is `(status, call)`.
    """

    def __init__(self, elf=None):
        self.elf = elf or image.server_image()

    def __enter__(self):
        memory = f"/dev/shm/corollary.{os.getpid()}.{id(self)}"
        kind, machine, *rest = MACHINE
        self.process = subprocess.Popen(
            [emulator(), kind, f"{machine},memory-backend=ram", *rest, "-kernel", str(self.elf),
             "-object", f"memory-backend-file,id=ram,size=512M,mem-path={memory},share=on"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        greeting = self.process.stdout.readline()
        try:
            if greeting != "kernel: serving\n":
                raise RuntimeError(f"the server said {greeting!r}")
            with open(memory, "r+b") as file:
                self.memory = mmap.mmap(file.fileno(), platform.MAILBOX.end - platform.RAM)
        finally:
            Path(memory).unlink(missing_ok=True)
        return self

    def __exit__(self, *exception):
        self.process.kill()
        self.process.wait()
        self.memory.close()

    def reset(self, information=None):
        """Boot the model again, from zeros, with this information."""
        self.write("information", encode(information or BootInformation(), BootInformation))
        self.command("RESET")

    def run(self, trace):
        """Run the entries in order; their results."""
        size, at = platform.Entry.layout.size, platform.MAILBOX.start - platform.RAM + platform.ENTRIES_OFFSET
        if at + size * len(trace) > len(self.memory):
            raise ValueError(f"{len(trace)} entries do not fit the mailbox")
        head = platform.Entry.layout["call"].offset
        for number, (kind, call) in enumerate(trace):
            place = at + number * size
            self.memory[place:place + head] = packed(platform.KINDS.index(kind), 0)
            self.memory[place + head:place + size] = encode(call, Call)
        self.write("count", packed(len(trace)))
        self.command("RUN")
        return [self.result(at + number * size) for number in range(len(trace))]

    def result(self, place):
        """The status and the call of an entry that was run."""
        data = self.memory[place:place + platform.Entry.layout.size]
        head = platform.Entry.layout["call"].offset
        return words_of(data[:head])[1], decode(data[head:], Call)

    def state(self):
        """The bytes of the kernel's state; `spec.language.layout` says which is which."""
        start = platform.POOL_BASE - platform.RAM
        return self.memory[start:start + Kernel.layout.size]

    def ticks(self):
        """How long the last trace took, in ticks of the machine's counter."""
        return words_of(self.field("ticks"))[0]

    def field(self, name):
        """The bytes of a field of the mailbox."""
        slot = platform.Mailbox.layout[name]
        start = platform.MAILBOX.start - platform.RAM + slot.offset
        return self.memory[start:start + slot.size]

    def write(self, name, data):
        """Set a field of the mailbox."""
        start = platform.MAILBOX.start - platform.RAM + platform.Mailbox.layout[name].offset
        self.memory[start:start + len(data)] = data

    def command(self, name):
        """Give a command and wait until the kernel has cleared it."""
        self.write("command", packed(platform.COMMANDS.index(name)))
        while words_of(self.field("command"))[0] != 0:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server stopped: {self.process.stdout.read()}")
            time.sleep(0)


# ---- for people


def describe(record):
    """One record as a line with its colour; None for what happens all the time."""
    seconds = f"{record.time / 1e9:10.6f}  "
    if record.actor == KERNEL_ACTOR:
        return kernel_line(record, seconds)
    who = f"{NAMES[record.actor] if record.actor < len(NAMES) else record.actor:9} "
    known = record.operation < len(OPERATIONS)
    declared = OPERATIONS[record.operation] if known else None
    if known and record.status == Status.OK and declared.name in ROUTINE:
        return None
    call = spoken_call(declared, record) if known else f"operation {record.object:#x}, which does not exist"
    if record.status == Status.OK:
        return seconds + who + call, "green"
    return f"{seconds}{who}{call}  denied: {record.status.name} {WHY.get(record.status.name, '')}", "yellow"


def spoken_call(declared, record):
    """A call with the handle that it was made with and its arguments by name."""
    handle = [f"#{record.capability:x}"] if declared.takes_handle else []
    return f"{declared.name}({', '.join([*handle, *(f'{name}={value}' for name, value in named_arguments(declared, record).items())])})"


def kernel_line(record, seconds):
    """What the kernel recorded of itself."""
    if record.kind == Action.TASK_TERMINATE:
        syndrome = record.object & 0xFFFFFFFF
        who = NAMES[record.object >> 32]
        return f"{seconds}{who:9} STOPPED: {CLASSES.get(syndrome >> 26, hex(syndrome))} at {record.payload:#x}", "red"
    if record.kind == Action.SCHEDULER_EPOCH:
        return None
    return f"{seconds}{'kernel':9} {record.kind.name} {record.object:#x} {record.payload:#x}", "cyan"


def show(run, console, everything=False):
    """Print lines as they come in, from the console of a machine that runs."""
    def take(line):
        for data in run.take(line):
            described = describe(decode(data, WitnessRecord))
            if described is not None:
                console.print(described[0], style=described[1], highlight=False, markup=False, soft_wrap=True)
        if line.startswith("kernel: ") or everything:
            console.print(line, style="cyan", highlight=False, markup=False, soft_wrap=True)
    return take


def print_verdict(rows, console):
    """The table, and the count."""
    table = Table(title="Verdict", title_justify="left")
    for heading in ("", "who", "attempt", "expected", "observed", "witnessed"):
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row("[green]ok[/]" if row.good else "[red]BAD[/]", row.who, row.attempt, row.expected, row.observed, row.witnessed)
    console.print(table)
    bad = sum(not row.good for row in rows)
    console.print(f"{len(rows)} rows, {bad} not as expected")


def figures(run, elf):
    """What a run tells about size and speed, in instructions."""
    ticks = run.value("ticks", "to", "the", "first", "guest", "instruction")
    call = run.lines(0, "hypercall")
    in_instructions = platform.TICK_NS / (1 << SHIFT)
    return {"image_sha256": image.image_hash(elf),
            "boot_instructions": int(int(ticks[0]) * in_instructions) if ticks else None,
            "hypercall_instructions": int(int(call[0][0], 16) * in_instructions) if call else None,
            "records": len(run.records)}


def main(arguments=None):
    """Boot, show, judge; 0 only if all is as expected."""
    parser = argparse.ArgumentParser(prog="codegen.qemu", description=__doc__)
    parser.add_argument("--all", action="store_true", help="show every line of the console as well")
    options = parser.parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 160)
    try:
        elf = image.kernel_image()
        emulator()
    except (build.CompilerMissing, build.CompilationFailed, QemuMissing) as missing:
        console.print(str(missing), style="red", markup=False)
        return 1
    run = Run(os.urandom(32))
    take = show(run, console, options.all)
    for line in start(elf, run.key):
        take(line)
    rows = verdict(run, elf)
    print_verdict(rows, console)
    for name, value in figures(run, elf).items():
        console.print(f"{name:24} {value}", highlight=False)
    return 0 if all(row.good for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
