"""Did an agent move between partitions as it had to? In each move something goes wrong, or nothing.

Whatever that is, the agent runs in one place afterwards, and its messages come there: none is lost or doubled.
"""

from corollary.emulation.ending import Log, agent_rows, name_of
from corollary.emulation.layout import Fault
from corollary.emulation.mending import MANAGER, partitions, rest_row
from corollary.emulation.travelling import handed_over
from corollary.emulation.verdict import boot_rows, end_row, holds, log_rows, root_row
from corollary.language.layout import decode
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.vocabulary import Status
from corollary.spec.manager.vocabulary import Verb

UNDECIDED = (Verb.SUSPEND, Verb.SNAPSHOT, Verb.SEND_RESERVE, Verb.SEND_CHUNK, Verb.DECIDE)
"""If a task for one of these is refused, the agent stays."""
KILLED = (Fault.DROPPED, Fault.LOST)
LIMIT = {False: 400_000_000, True: 100_000_000}
"""Is its memory large? -> ns of the machine's time for which an agent stands still in a move without a fault."""


def verdict(run, system, agents, state):
    """Return all rows; `state` is what the kernel's state was in the end, as bytes."""
    return [
        *rows_of_agents(run, Log(run.records), agents, decode(state, Kernel)),
        *boot_rows(run, system),
        root_row(run, "make agents and room, and kill the manager"),
        *log_rows(run, system),
        end_row(run),
    ]


def rows_of_agents(run, log, agents, kernel):
    """Yield the rows of the agent that moves, and of the one that sends to it."""
    number, mover = next((n, agent) for n, agent in enumerate(agents) if agent.moves)
    sender = next(n for n, agent in enumerate(agents) if agent.peer == mover.name)
    places, settled = list(partitions(run, number)), where(run)
    (source,) = partitions(run, sender)
    yield from agent_rows(run, log, source, agents[sender])
    if len(settled) != len(mover.moves):
        yield holds("its moves", str(len(mover.moves)), str(len(settled)), False, mover.name)
        return
    yield from agent_rows(run, log, settled[-1][0], mover)
    yield from move_rows(run, mover, places[0])
    yield time_row(mover, log)
    if mover.large:
        yield block_row(run, log, mover, places)
    yield from message_rows(run, log, mover, places, source)
    yield beginning_row(run, mover, places)
    yield killed_row(log, mover, mover.moves)
    for p in places[:-1]:
        if p != settled[-1][0]:
            yield rest_row(kernel, mover, p)


def where(run):
    """Return where the agent was after each move, and how many ms that took."""
    return [(int(p, 16), int(ms, 16)) for _, p, ms in run.lines(MANAGER, "settled")]


def refusals(run, end="settled"):
    """Return the verbs of the tasks that failed in each move, or until another word ends a trial."""
    found = [[]]
    for word, *numbers in run.told.get(MANAGER, []):
        if word == end:
            found.append([])
        elif word == "task" and numbers[2] == "0":
            found[-1].append(Verb(int(numbers[1], 16)))
    return found[:-1]


def move_rows(run, mover, place):
    """Yield a row for each move: the agent stays, or is in a place where it never was."""
    seen = {place}
    for (verb, fault), (p, _), refused in zip(mover.moves, where(run), refusals(run), strict=True):
        stays = fault == Fault.REFUSED and verb in UNDECIDED
        wanted = [verb] if fault == Fault.REFUSED else []
        good = (p == place if stays else p not in seen) and refused == wanted
        told = "stays" if p == place else "moves" if p not in seen else "goes back"
        what = f"{verb.name}: {fault.name}" if fault != Fault.NONE else "nothing goes wrong"
        yield holds(f"a move in which {what}", "stays" if stays else "moves", told, good, mover.name)
        place = p
        seen.add(p)


def time_row(mover, log):
    """Return a row about how long the agent stands still in the first move, in which nothing goes wrong."""
    (took, _), *_ = handed_over(log)
    most = LIMIT[mover.large]
    return holds("time of a move", f"at most {most / 1e6:.0f} ms", f"{took / 1e6:.0f} ms", took <= most, mover.name)


def stations(run, places):
    """Return the partitions where the agent was, one after the other."""
    return list(dict.fromkeys([places[0], *(p for p, _ in where(run))]))


def block_row(run, log, mover, places):
    """Return a row about the large memory of an agent: it went along in each move, and at no other time."""
    moves, found = len(stations(run, places)) - 1, log.allowed(MANAGER, "block_transfer")
    what, expected = "blocks that change hands, by the log", f"{moves}, one in a move"
    return holds(what, expected, str(found), found == moves, mover.name)


def message_rows(run, log, mover, places, source):
    """Yield rows about messages: all that were sent came, and each place got those of its time."""
    calls = [record for p in places for record in log.calls.get(p, []) if name_of(record) == "edge_receive"]
    came = sorted((r.sequence, r.actor) for r in calls if r.status == Status.OK)
    sent = log.allowed(source, "edge_send")
    told = f"{sent} sent, {len(came)} received"
    yield holds("messages, by the log", "received as often as sent", told, sent == len(came) > 0, mover.name)
    receivers = [actor for _, actor in came]
    changes = [p for n, p in enumerate(receivers) if n == 0 or receivers[n - 1] != p]
    wanted = [p for p in stations(run, places) if p in changes]
    good = changes == wanted and len(changes) > 1
    yield holds("who receives, by the log", listed(wanted), listed(changes), good, mover.name)
    numbers = [said(run, p, "numbers ") for p in (source, where(run)[-1][0])]
    good = numbers[0] == numbers[1] == str(sent - 1)
    yield holds("numbers sent and received", str(sent - 1), " and ".join(numbers), good, mover.name)


def listed(places):
    """Return partitions in words."""
    return ", ".join(map(str, places))


def said(run, p, beginning):
    """Return what a partition said last after some words and a colon."""
    found = [line for (line, *_) in run.lines(p, "said") if line.startswith(beginning)]
    return found[-1].rpartition(": ")[2] if found else "nothing"


def beginning_row(run, mover, places):
    """Return a row: the agent began once, and after that only went on."""
    found = sum(line == ["begins with 0"] for p in places for line in run.lines(p, "said"))
    return holds("how often it begins", "1", str(found), found == 1, mover.name)


def killed_row(log, agent, trials):
    """Return a row: the manager was killed, and began again."""
    wanted, found = sum(fault in KILLED for _, fault in trials), log.allowed(0, "partition_reconstruct")
    return holds("kills of its manager, by the log", str(wanted), str(found), found == wanted, agent.name)
