"""Did an agent move between two machines as it had to, while messages came, and whatever went wrong on the way?

What each machine says is compared with its log, and what the agent says on both with a run that nothing disturbs.
"""

import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from statistics import median

from corollary import HostCall, Instance
from corollary.codegen.build import BUILD
from corollary.emulation.agents import ENTRY, ROAMING, STEPS, Agent, Plan, stranger
from corollary.emulation.ending import FIRST, Log, name_of, outcome
from corollary.emulation.layout import Fault, Unsound
from corollary.emulation.mending import MANAGER
from corollary.emulation.package import travelling
from corollary.emulation.verdict import HEADED, NAMES, boot_rows, end_row, holds, log_rows, root_row
from corollary.spec.agent import Life
from corollary.spec.kernel.arguments import named_arguments
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.vocabulary import Heat, Status
from corollary.spec.manager.vocabulary import Verb

TRAVELLER, ROAMER = Agent("traveller"), ROAMING[0]
KNOWN = {agent.name: agent for agent in (TRAVELLER, ROAMER)}
MOVER, SENDER = 0, 1  # rows of the agents
HOME = 0  # the machine where both begin
VERBS = (*STEPS, Verb.SEND_COMMIT, Verb.ASK_CHUNK, Verb.SEND_FILLED)
"""At a task for each of these, of the source or of the target, something goes wrong."""
UNDECIDED = (Verb.SUSPEND, Verb.SNAPSHOT, Verb.SEND_RESERVE, Verb.SEND_CHUNK, Verb.DECIDE, Verb.ASK_CHUNK)
"""If a task for one of these is refused, the agent stays."""
KINDS = (Fault.LOST, Fault.CUT, Fault.REFUSED)
FAULTS = (
    (Verb.NOTHING, Fault.NONE),
    *((verb, kind) for verb in VERBS for kind in KINDS),
    *((verb, Fault.FORGED) for verb in (Verb.SEND_CHUNK, Verb.ASK_CHUNK)),
)
SHORT = (
    (Verb.NOTHING, Fault.NONE),
    (Verb.SEND_CHUNK, Fault.LOST),
    (Verb.SEND_CHUNK, Fault.FORGED),
    (Verb.SEND_COMMIT, Fault.CUT),
    (Verb.SEND_FILLED, Fault.LOST),
    (Verb.DECIDE, Fault.REFUSED),
    (Verb.RESTORE, Fault.LOST),
)
"""What goes wrong in a short run."""
CUT = 3.0  # s for which a wire is cut: longer than a manager waits
MOVES, MESSAGES = len(SHORT), 300
SECONDS = 40  # of the host's time, in which a move is made on any host, or a machine makes its agents
MEMORY_SECONDS = 300  # besides, for each move with large memory
BUDGETS = (10_000_000, 100_000_000)  # ns, that others promise


def chosen(name, folder):
    """Return the agent that is to move: one that is known, or a module in a file. Raises `UnknownAgent`."""
    return KNOWN[name] if name in KNOWN else stranger(folder / name)


def pair(mover):
    """Return the agent that moves and the one that sends to it."""
    return (
        replace(mover, managed=True, moves=((Verb.NOTHING, Fault.NONE),)),
        Agent("sender", ("returned", 0), program="counting", peer=mover.name, managed=True),
    )


def plans(moves, messages, faults):
    """Return what the managers of both machines do."""
    struck = tuple((int(verb), int(kind)) for verb, kind in faults)
    here = Plan(2, True, moves, struck, messages, is_far=True, epoch=5, look=1)
    return here, replace(here, ends=1, is_away=True)


def systems(mover, known, moves, messages, faults, out=BUILD):
    """Return what both machines boot; `known` is what both ends of the session know."""
    agents = pair(mover), pair(mover)[:1]
    return [travelling(*each, out) for each in zip(agents, plans(moves, messages, faults), known, strict=True)]


def limit(moves, messages, is_large=False):
    """Return how many seconds of the host's time both machines have."""
    return (SECONDS + is_large * MEMORY_SECONDS) * (moves + 3) + messages


def names(mover, end):
    """Return the names of the partitions of a machine."""
    before = (*NAMES[:MANAGER], "manager", *NAMES[MANAGER + 1 : FIRST])
    first = (mover.name, "sender") if end == HOME else (mover.name,)
    return tuple(f"{name} {end + 1}" for name in (*before, *first))


# ---- what is taken in


@dataclass
class Journey:
    """What both machines say, as it comes; the partitions of the agent, and whom a cut wire is to be told."""

    runs: list
    cut: Callable | None = None  # cuts the wire for so many seconds
    said: list = field(default_factory=list)  # lines of the agent, on whatever machine
    places: tuple = field(default_factory=lambda: ({}, {}))  # of each machine: the row of what is in a partition
    settled: dict = field(default_factory=dict)  # number of a move: (machine, is the agent there?)
    given_up: set = field(default_factory=set)  # numbers of the moves that a source gave up, as nobody answered
    took: dict = field(default_factory=dict)  # number of a move that was made: ms, as its source says

    def take(self, end, line):
        """Take in a line of a machine; return what people may want to know of it."""
        run = self.runs[end]
        run.take(line)
        said = HEADED.fullmatch(line)
        if said is None or said[2] != ">":
            return []
        return [told for told in [self.note(end, int(said[1], 16), *said[3].split("|"))] if told]

    def note(self, end, p, word, *rest):
        """Note what a partition of a machine said; return the words for people, if there are any."""
        if p == 0 and word == "spawned":
            self.places[end][int(rest[1], 16)] = int(rest[0], 16)
        elif p == MANAGER and word == "settled":
            number, place, took = (int(each, 16) for each in rest)
            self.settled.setdefault(number, []).append((end, place != 0))
            if took:
                self.took[number] = took
            return f"move {number}: the agent is on machine {end + 1}" if place else ""
        elif p == MANAGER and word == "gave up":
            self.given_up.add(int(rest[0], 16))
        elif p == MANAGER and word == "cut" and self.cut:
            self.cut(CUT)
        elif word == "said" and self.places[end].get(p) == MOVER:
            self.said.append("|".join(rest))
            return f"{self.runs[end].names[p]}: {self.said[-1]}"
        return ""

    def partitions(self, end):
        """Return the partitions of a machine that the agent had."""
        return [p for p, row in self.places[end].items() if row == MOVER]


def undisturbed(module, numbers):
    """Return what an agent says that gets the numbers from 1 on, and 0 at the end, on this host."""
    said, left = [], iter([*range(1, numbers + 1), 0])
    instance = Instance(module, host_calls=True)
    result, memory = instance.call(ENTRY), instance.export("memory")
    while isinstance(result, HostCall):
        if result.name == "print":
            said.append(memory.read(*result.arguments).decode())
        elif result.name == "recv":
            memory.write(result.arguments[1], struct.pack("<Q", next(left)))
        result = instance.resume(int(Status.OK))
    return said


# ---- what is judged


def logs_of(journey):
    """Return the logs of both machines."""
    return [Log(run.records) for run in journey.runs]


def rows(journey, logs, systems_, mover, moves, faults):
    """Yield all rows; `logs` are those of both machines."""
    yield from rows_of_moves(journey, logs, moves, faults)
    yield from rows_of_agent(journey, logs, mover)
    if mover.large:
        yield tier_row(journey, logs, mover)
    for run, system in zip(journey.runs, systems_, strict=True):
        yield from boot_rows(run, system)
        yield root_row(run, "make agents and room, and kill the manager")
        yield from log_rows(run, system)
        yield end_row(run)


def rows_of_moves(journey, logs, moves, faults):
    """Yield rows about what became of each move: the agent is in one place, and where it must be."""
    made, became = sorted(journey.settled), ends_of_moves(journey)
    yield holds("moves", f"at least {moves}", str(len(made)), made == list(range(len(made))) and len(made) >= moves)
    for number, (verb, kind) in enumerate(faults):
        found = [became[n] for n in made if n % len(faults) == number]
        if found:
            yield move_row(found, verb, kind)
    yield from fault_rows(journey, logs, [faults[n % len(faults)] for n in made])


def ends_of_moves(journey):
    """Return by the number of each move: on how many machines is the agent then, did it stay, was it given up?"""
    found, before = {}, HOME
    for number in sorted(journey.settled):
        there = [end for end, is_there in journey.settled[number] if is_there]
        found[number] = len(there), there == [before], number in journey.given_up
        before = there[0] if there else before
    return found


def move_row(found, verb, kind):
    """Return a row about moves in which the same went wrong. After a cut the agent stays if its source gave up."""
    single, stays, given_up = (sum(each) for each in zip(*((here == 1, *rest) for here, *rest in found)))
    wanted = {Fault.REFUSED: len(found) if verb in UNDECIDED else 0, Fault.CUT: given_up}.get(kind, 0)
    what = f"{verb.name}: {kind.name}" if kind != Fault.NONE else "nothing goes wrong"
    told = f"{single} of {len(found)} in one place, {stays} stay, {given_up} given up"
    is_why = kind == Fault.REFUSED or all(stayed == gave_up for _, stayed, gave_up in found)
    is_good = single == len(found) and stays == wanted and is_why
    return holds(f"moves in which {what}", f"in one place, {wanted} stay", told, is_good)


def table(journey, faults):
    """Yield a row of figures for each thing that goes wrong: how often it did, and what became of those moves.

    Its times are those of moves that were made: from when the agent set out until its source heard that it runs.
    """
    became, sources, before = ends_of_moves(journey), {}, HOME
    for number in sorted(journey.settled):
        sources[number] = before
        before = next((end for end, is_there in journey.settled[number] if is_there), before)
    for place, (verb, kind) in enumerate(faults):
        found = [number for number in became if number % len(faults) == place]
        took = [journey.took[number] for number in found if number in journey.took]
        yield {
            "step": verb.name,
            "fault": kind.name,
            "moves": len(found),
            "from machine 1": sum(sources[number] == HOME for number in found),
            "in one place": sum(became[number][0] == 1 for number in found),
            "stayed": sum(became[number][1] for number in found),
            "given up": sum(became[number][2] for number in found),
            "median ms": median(took) if took else None,
            "worst ms": max(took, default=None),
        }


def fault_rows(journey, logs, planned):
    """Yield rows: what was to go wrong did, and nothing else."""
    wanted = Counter(verb for verb, kind in planned if kind == Fault.REFUSED)
    found = Counter(
        Verb(int(verb, 16)) for run in journey.runs for _, verb, done in run.lines(MANAGER, "task") if done == "0"
    )
    yield holds("tasks that were refused", spoken(wanted), spoken(found), wanted == found)
    kills = sum(kind in (Fault.DROPPED, Fault.LOST) for _, kind in planned)
    logged = sum(log.allowed(0, "partition_reconstruct") for log in logs)
    yield holds("kills of a manager, by both logs", str(kills), str(logged), kills == logged)
    cuts = sum(kind == Fault.CUT for _, kind in planned)
    cut = sum(len(run.lines(MANAGER, "cut")) for run in journey.runs)
    yield holds("cuts of the wire", str(cuts), str(cut), cuts == cut)
    forged = sum(kind == Fault.FORGED for _, kind in planned)
    wanted = Counter({flaw: forged for flaw in Unsound if forged and flaw != Unsound.NOTHING})
    found = Counter()
    for run in journey.runs:
        found.update({Unsound(int(flaw, 16)): int(number, 16) for flaw, number, _ in run.lines(MANAGER, "unsound")})
    yield holds("notes that make no sense, kept out", spoken(wanted), spoken(+found), wanted == +found)


def spoken(counted):
    """Return how often there was what, in words."""
    return ", ".join(f"{what.name} {number}" for what, number in sorted(counted.items())) or "none"


def rows_of_agent(journey, logs, mover):
    """Yield rows about messages, and about what the agent says."""
    sender = next(p for p, row in journey.places[HOME].items() if row == SENDER)
    sent = logs[HOME].allowed(sender, "edge_send")
    came = sum(logs[end].allowed(p, "edge_receive") for end in range(len(logs)) for p in journey.partitions(end))
    told = f"{sent} sent, {came} received"
    yield holds("messages, by both logs", "received as often as sent", told, sent == came > 0, mover.name)
    wanted = undisturbed(mover.module, sent - 1)
    told = "the same" if journey.said == wanted else difference(journey.said, wanted)
    yield holds("what it says", f"the {len(wanted)} lines of an undisturbed run", told, told == "the same", mover.name)
    ends = [outcome(journey.runs[end], p) for end in range(len(logs)) for p in journey.partitions(end)]
    returned = sum(how == "returned" for how, *_ in ends)
    yield holds("how often it returns", "1", str(returned), returned == 1, mover.name)
    for run in journey.runs:
        _, refused, why = (run.lines(MANAGER, "link") or [("0", "0", "ff")])[-1]
        told = f"{int(refused, 16)} frames kept out"
        yield holds("the session, 0 while it lives", "0", f"{int(why, 16)}; {told}", why == "0", run.names[MANAGER])


def tier_row(journey, logs, mover):
    """Return a row about the block that each machine has for the agent: hot where it is, and else colder."""
    last = max(journey.settled, default=None)
    there = [is_there for _, is_there in sorted(journey.settled.get(last, []))]
    tiers = [tier_of_block(log) for log in logs]
    is_good = there == [tier == Heat.HOT.name for tier in tiers]
    wanted = ", ".join("hot" if is_there else "colder" for is_there in there)
    return holds("tier of its block on each machine", wanted, ", ".join(tiers), is_good, mover.name)


def tier_of_block(log):
    """Return the tier to which a manager moved a block last. A block begins hot."""
    moved = [
        each for each in log.calls.get(MANAGER, []) if name_of(each) == "block_retier" and each.status == Status.OK
    ]
    return named_arguments(OPERATIONS[moved[-1].operation], moved[-1])["new"] if moved else Heat.HOT.name


def difference(said, wanted):
    """Return the first line that differs, in words."""
    at = next((n for n, (one, other) in enumerate(zip(said, wanted)) if one != other), min(len(said), len(wanted)))
    return f"{len(said)} lines, other from {at} on: {(said[at:] or ['no more'])[0]}"


# ---- times


def is_left(name, arguments):
    """Does a call end what an agent leaves: its partition, or itself in a partition that stays?"""
    return name == "partition_destroy" or (name == "agent_change" and arguments["life"] == Life.TERMINATED.name)


def handed_over(log):
    """Return for each move from a machine how long it took there, from freezing the agent to hearing that it runs.

    That is when the manager ends it there; and how many bytes it sent meanwhile.
    """
    found, frozen, sent = [], None, 0
    for record in log.calls.get(MANAGER, []):
        if record.status != Status.OK:
            continue
        name, arguments = name_of(record), named_arguments(OPERATIONS[record.operation], record)
        if name == "agent_change" and arguments["life"] == Life.MIGRATING.name:
            frozen, sent = record.time, 0
        elif name == "agent_change" and arguments["life"] == Life.RUNNING.name:
            frozen = None
        elif name == "device_submit" and frozen is not None and not int(arguments.get("incoming", 0)):
            sent += int(arguments["length"])
        elif frozen is not None and is_left(name, arguments):
            found.append((record.time - frozen, sent))
            frozen = None
    return found


def figures(logs):
    """Return what was measured: moves of all kinds, as faults lengthen some, so the least and the median are told."""
    spans = [each for log in logs for each in handed_over(log)]
    if not spans:
        return {}
    shortest, middle = min(span for span, _ in spans), median(span for span, _ in spans)
    size = int(median(size for _, size in spans))
    told: dict[str, int | str] = {"moves that were made": len(spans), "bytes to the wire in a move": size}
    for name, value in (("shortest", shortest), ("median", middle)):
        ratios = ", ".join(f"{value / budget:.1f} times {budget / 1e6:.0f} ms" for budget in BUDGETS)
        told[f"{name} move, ms"] = f"{value / 1e6:.1f}: {ratios}"
    return told
