"""Does the kernel start again after a failure of its own, or of root, and do its logs go on from each other?

A debugger lets the failure happen. What QEMU's console says is taken apart into the boots of one run.
"""

import io
import struct
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from corollary.codegen import image
from corollary.emulation.agents import LASTING
from corollary.emulation.debugger import Debugger, stub
from corollary.emulation.ending import FIRST as FIRST_AGENT
from corollary.emulation.ending import names
from corollary.emulation.machine import REGION, SHIFT
from corollary.emulation.mending import is_part
from corollary.emulation.verdict import Transcript, boot_rows, holds, log_of, log_rows, words_of
from corollary.language.layout import decode, size_of
from corollary.record.audit import BOOTED, CHECKPOINT, audit
from corollary.record.continued import COLD, gap
from corollary.spec.kernel import kept, platform
from corollary.spec.kernel.limits import RESTARTS, ROOT
from corollary.spec.kernel.message import SPOKEN, TEXTS, Message
from corollary.spec.kernel.packed import Halves
from corollary.spec.kernel.state import WitnessRecord

KERNEL_FAILS, ROOT_FAILS = "kernel", "root"
PACE = {"again": True, "limit": 300}  # s of the host's time; a run has up to five boots
NOWHERE = 0x1000  # neither the kernel nor a guest has anything there
GOAL = 250_000_000  # instructions of a warm boot at most: ns, at a nanosecond each
FIRST = f"{SPOKEN}{TEXTS[Message.MEASUREMENT]}0 "  # how the console of a boot begins
RECORD, SEAL = (f"{SPOKEN}{TEXTS[message]}" for message in (Message.KEPT_RECORD, Message.KEPT_SEAL))


@dataclass(frozen=True)
class Failure:
    """What goes wrong: who fails, how often, at which call of which function, and what of the kept log is damaged."""

    who: str
    times: int = 1
    function: str = "device_submit"
    calls: int = 49  # in the middle of a snapshot that goes to the disk, when there are whole ones
    damage: str = ""  # a field of what is kept

    @property
    def ends(self):
        """Is the machine off in the end, as it failed too often?"""
        return self.times > RESTARTS

    @property
    def restarts(self):
        """Return the number of restarts that each boot tells of."""
        return [0, *([kept.DAMAGED] if self.damage else range(1, min(self.times, RESTARTS) + 1))]


FAILURES = {
    "kernel": Failure(KERNEL_FAILS),
    "root": Failure(ROOT_FAILS),
    "often": Failure(KERNEL_FAILS, RESTARTS + 1),
    "damaged": Failure(KERNEL_FAILS, damage="log"),
    "forged": Failure(KERNEL_FAILS, damage="restarts"),
}


# ---- making it fail


@contextmanager
def failing(system, failure):
    """Yield arguments for QEMU, with which the failure happens while the machine runs."""
    with TemporaryDirectory(prefix="corollary.") as folder:
        door = Path(folder) / "door"
        thread = threading.Thread(target=inject, args=(system, failure, door), daemon=True)
        thread.start()
        yield stub(door)
        thread.join()


def inject(system, failure, door):
    """Let the failure happen; a machine that ends meanwhile is judged by what it said."""
    places = dict(image.symbols(system.kernel))
    with suppress(RuntimeError, OSError), Debugger(door) as debugger:
        for _ in range(failure.times):
            for _ in range(failure.calls):
                pass_through(debugger, places[failure.function])
            FAIL[failure.who](debugger, places)
            if failure.damage:
                damage(debugger, places, failure.damage)
        debugger.leave()


def pass_through(debugger, place):
    """Let the machine run until it has taken the instruction at a place."""
    debugger.run_to(place)
    debugger.step()


def fail_in_kernel(debugger, places):
    """Let the kernel go on where nothing is."""
    debugger.set("pc", NOWHERE)


def fail_in_root(debugger, places):
    """Let root go on where nothing is, as soon as it is its turn."""
    own = places["contexts"] + ROOT * size_of(platform.Context)
    pass_through(debugger, places["restore_context"])
    while debugger.register("x0") != own:
        pass_through(debugger, places["restore_context"])
    debugger.store(own + platform.Context.layout["elr_el2"].offset, struct.pack("<Q", NOWHERE))


def damage(debugger, places, field):
    """Change a byte of what is kept, before the next kernel looks at it."""
    debugger.run_to(places["kept_take"])
    debugger.store(REGION["kept"].start + kept.Kept.layout[field].offset, b"\x05")


FAIL = {KERNEL_FAILS: fail_in_kernel, ROOT_FAILS: fail_in_root}


# ---- what it says


class Boots:
    """The console of a machine that starts again, taken apart into a transcript for each boot."""

    def __init__(self, key, agents=LASTING):
        self.key, self.names, self.runs, self.overlaps = key, names(agents), [], []

    def take(self, line):
        """Take in one line; return the records that it brought."""
        if line.startswith(FIRST):
            self.begin()
        if line.startswith(RECORD):
            return self.keep(bytes_of(line))
        if line.startswith(SEAL):
            self.runs[-1].checkpoints.append(bytes_of(line))
            return []
        if not self.runs:
            return []
        return self.runs[-1].take(line)

    def begin(self):
        """Begin the transcript of the next boot, after the log of the one before."""
        run = Transcript(self.key, self.names)
        if self.runs:
            last = self.runs[-1]
            run.restarts = kept.DAMAGED if said(last, Message.DAMAGED) else last.restarts + 1
            run.before = COLD if said(last, Message.DAMAGED) else CHECKPOINT.unpack(last.checkpoints[-1])[5]
        self.runs.append(run)

    def keep(self, data):
        """Take in a record that was kept. The console may have brought it before: then both are the same."""
        records, number = self.runs[-1].records, decode(data, WitnessRecord).sequence
        if number < len(records):
            self.overlaps.append(records[number] == data)
            return []
        records.append(data)
        return [data]


def bytes_of(line):
    """Return what a line of the kernel tells in numbers, as it lies in memory."""
    digits = line.split()[-1]
    return struct.pack(f"<{len(digits) // 16}Q", *(int(digits[at : at + 16], 16) for at in range(0, len(digits), 16)))


def said(run, message):
    """Did the kernel say this sentence?"""
    return TEXTS[message].split() in run.said


# ---- the verdict


def verdict(boots, system, failure, agents=LASTING):
    """Return rows about agents, and about restarts: logs, what each boot measured, how long it took, and the end."""
    return [
        *(row for p, agent in enumerate(agents, FIRST_AGENT) for row in agent_rows(boots, failure, p, agent)),
        *number_rows(boots, failure),
        *(row for number, run in enumerate(boots.runs) for row in rows_of_boot(boots, system, failure, number, run)),
        end_row(boots, failure),
    ]


def agent_rows(boots, failure, p, agent):
    """Yield rows about an agent: each boot goes on where a snapshot was taken, and all say what one run would."""
    lives = [tuple("|".join(line) for line in run.lines(p, "said")) for run in boots.runs]
    began = [life[:1] == agent.whole[:1] for life in lives if life]
    yield holds(
        "it begins once, and goes on in each boot after that",
        "anew" + ", goes on" * (len(failure.restarts) - 1),
        ", ".join("anew" if each else "goes on" for each in began),
        len(began) == len(failure.restarts) and began[0] and not any(began[1:]),
        agent.name,
    )
    gaps = [boot for boot, (life, then) in enumerate(zip(lives, lives[1:])) if not overlaps(agent.whole, life, then)]
    yield holds(
        "what it says from boot to boot",
        "an undisturbed run, of which the last part before a failure may come twice",
        f"not after boots {gaps}" if gaps else "is that",
        not gaps and all(is_part(life, agent.whole) for life in lives),
        agent.name,
    )
    ends = lives[-1][-1:] == agent.whole[-1:] if lives else False
    wanted = "not its end" if failure.ends else agent.whole[-1]
    yield holds("what it says last", wanted, "; ".join(lives[-1][-1:]), ends != failure.ends, agent.name)


def overlaps(whole, life, then):
    """Does what is said after a failure begin no earlier than what was said before, and leave nothing out?"""
    return bool(life and then) and whole.index(life[0]) <= whole.index(then[0]) <= whole.index(life[-1]) + 1


def number_rows(boots, failure):
    """Yield rows about how often the kernel started, by what it says and by its records."""
    wanted = failure.restarts
    last = [decode(run.records[BOOTED], WitnessRecord) for run in boots.runs if len(run.records) > BOOTED]
    told = [Halves(record.object).high for record in last]
    yield holds("restarts that the boots' records tell of", str(wanted), str(told), told == wanted)
    whole = all(boots.overlaps)
    yield holds("records that were both drained and kept", "the same", "the same" if whole else "differ", whole)


def rows_of_boot(boots, system, failure, number, run):
    """Yield rows about one boot, and how its log goes on from the one before."""
    yield from named(boot_rows(run, system), number)
    last = number == len(boots.runs) - 1 and not failure.ends
    if not failure.damage or number:
        yield from named(list(log_rows(run, system))[: None if last else 2], number)
    if number and not failure.damage:
        before, found = (audit(io.BytesIO(log_of(each, system)), run.key) for each in (boots.runs[number - 1], run))
        why = gap(before, found)
        yield holds(f"boot {number}: its log", "goes on from the one before", why or "goes on", not why)
        yield time_row(boots.runs[number - 1], number, run)


def named(rows, number):
    """Yield rows with the number of a boot."""
    for row in rows:
        yield holds(f"boot {number}: {row.attempt}", row.expected, row.observed, row.good, row.who)


def time_row(before, number, run):
    """Return a row: the boot took as long as it may, from the seal of the kept log to the first guest instruction."""
    sealed = words_of(before.checkpoints[-1])[1]
    ticks = run.value("ticks", "to", "the", "first", "guest", "instruction")
    took = int(ticks[0], 16) * platform.TICK_NS - sealed if ticks else 0
    instructions = took >> SHIFT
    return holds(
        f"boot {number}: from the failure to the first instruction of root",
        f"at most {GOAL / 1e6:.0f} ms, if an instruction took a nanosecond",
        f"{instructions} instructions, {took / 1e6:.0f} ms of the machine's time",
        0 < instructions <= GOAL,
    )


def end_row(boots, failure):
    """Return a row: the machine is off in the end, for the right reason."""
    wanted = Message.EXHAUSTED if failure.ends else Message.NOBODY
    last = boots.runs[-1].said[-1] if boots.runs and boots.runs[-1].said else ["silent"]
    return holds("the machine in the end", TEXTS[wanted].strip(), " ".join(last), last == TEXTS[wanted].split())
