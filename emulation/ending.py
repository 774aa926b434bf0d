"""Did the agents end as they had to? What their guests say, against what was expected and what the log says."""

from dataclasses import replace

from corollary.emulation.agents import ROUTINE
from corollary.emulation.verdict import AUDITOR, NAMES, Attempt, boot_rows, end_row, holds, log_rows, root_row
from corollary.language.layout import decode
from corollary.record.audit import is_fault
from corollary.snapshot import Reason
from corollary.spec.host import FUNCTIONS
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import SECOND
from corollary.spec.kernel.schedule import RUNNER_BITS
from corollary.spec.kernel.state import WitnessRecord
from corollary.spec.kernel.vocabulary import Action, Status
from corollary.spec.kernel.witness import KERNEL_ACTOR
from corollary.spec.wasm.refusals import Refusal
from corollary.spec.wasm.traps import Trap

FIRST = AUDITOR + 1  # partition of the first agent
RUNNER = (1 << RUNNER_BITS) - 1  # mask in the payload of an epoch record
REASONS = {"trapped": Trap, "refused": Refusal, "foreign": Reason}  # of outcomes: code, a module, or a snapshot
CALLS = {function.name: function.hypercalls for function in FUNCTIONS}  # of each function of the host


def names(agents):
    """Return the names of the partitions; those before the agents keep the names that they have without agents."""
    return (*NAMES[:FIRST], *(agent.name for agent in agents))


def verdict(run, system, agents):
    """Return all rows: those of the agents, then what must hold of the whole."""
    return [
        *rows_of_agents(run, Log(run.records), agents),
        *boot_rows(run, system),
        root_row(run, "make, connect and stop agents"),
        *log_rows(run, system),
        end_row(run),
    ]


def rows_of_agents(run, log, agents):
    """Yield the rows of each agent by itself, then of those that speak to each other."""
    numbers = {agent.name: p for p, agent in enumerate(agents, FIRST)}
    for agent in agents:
        yield from agent_rows(run, log, numbers[agent.name], agent)
    for agent in agents:
        if agent.peer is not None:
            yield message_row(log, agent, numbers)


class Log:
    """The records of a run, by the partition that made the call."""

    def __init__(self, records):
        self.calls, self.preempted = {}, {}
        for data in records:
            record = decode(data, WitnessRecord)
            if record.kind == Action.SCHEDULER_EPOCH and record.actor == KERNEL_ACTOR:
                self.preempted.setdefault(record.payload & RUNNER, []).append(record.sequence)
            elif record.actor != KERNEL_ACTOR and not is_fault(record):
                self.calls.setdefault(record.actor, []).append(record)

    def refused(self, p):
        """Count the refused calls of a partition.

        Those that came too soon and were made again do not count, nor does the search of a child for its badge.
        """
        return sum(
            record.status not in ROUTINE and name_of(record) != "agent_speak" for record in self.calls.get(p, [])
        )

    def meanwhile(self, p):
        """Count how often a partition's quantum ended, and the calls of others between its first and last end."""
        ends = self.preempted.get(p, [])
        others = (record for actor, records in self.calls.items() if actor != p for record in records)
        return len(ends), sum(ends[0] < record.sequence < ends[-1] for record in others) if ends else 0

    def allowed(self, p, operation):
        """Count the calls of an operation by a partition that were allowed."""
        return sum(name_of(record) == operation and record.status == Status.OK for record in self.calls.get(p, []))

    def tells(self, p, number, operations, status):
        """Was call `number` of a partition, counted from 1, one of these operations with this status?"""
        made = self.calls.get(p, [])[number - 1 : number] if number else []
        return any(name_of(record) in operations and record.status == status for record in made)


def name_of(record):
    """Return the name of the operation that a record is about, or None."""
    return OPERATIONS[record.operation].name if record.operation < len(OPERATIONS) else None


def agent_rows(run, log, p, agent):
    """Yield rows about how an agent ended, what it said last, and its calls that were denied."""
    ended = outcome(run, p)
    endless, (preempted, calls) = agent.outcome == ("overdue",), log.meanwhile(p)
    good = ended[: len(agent.outcome)] == agent.outcome and (calls > 0 or not endless)
    yield Attempt(
        agent.name,
        "its outcome",
        spoken(agent.outcome),
        spoken(ended),
        f"preempted {preempted} times, {calls} calls of others" if endless else "",
        good,
    )
    if agent.said:
        said = tuple("|".join(line) for line in run.lines(p, "said"))[-len(agent.said) :]
        yield holds(
            "its last words", "; ".join(agent.said), "; ".join(said) or "nothing", said == agent.said, agent.name
        )
    for operation, number in agent.allowed:
        found = log.allowed(p, operation)
        yield holds(f"{operation}, by the log", f"{number} allowed", f"{found} allowed", found == number, agent.name)
    yield from denied_rows(run, log, p, agent)


IN_WORDS = {
    ("overdue",): "runs without end, stopped by root",
    ("contained",): "its guest was stopped by the kernel",
    ("unsuitable", 0): "unsuitable: it exports no function `run` of its own",
    ("unsuitable", 1): "unsuitable: it needs more room than a guest has",
}


def outcome(run, p):
    """Return how an agent ended, as its guest says, or as root says if it did not end."""
    for how in ("overdue", "contained"):
        if [f"{p:x}"] in run.lines(0, how):
            return (how,)
    for how, *numbers in run.lines(p, "agent")[-1:]:
        value, kind = int(numbers[0], 16), REASONS.get(how)
        return how, kind(value) if kind is not None and kind.contains(value) else value
    return ("silent",)


def resumed(run, agents):
    """Return the agents of a run that hibernated, with the snapshots that they left, as they are expected to go on."""
    found = []
    for p, agent in enumerate(agents, FIRST):
        how, *size = outcome(run, p)
        if how == "hibernated":
            left = run.shown.get(p, b"")[: size[0]]
            found.append(replace(agent, outcome=("returned",), said=agent.then, allowed=(), snapshot=left, then=()))
    return tuple(found)


def spoken(ended):
    """Return an outcome in words."""
    how, *value = ended
    return IN_WORDS.get(ended) or " ".join(
        [how, *(item.name if isinstance(item, tuple(REASONS.values())) else str(item) for item in value)]
    )


def messages_a_second(records):
    """Return how many messages all partitions sent per second of the machine's time, from the first to the last."""
    sent = [
        record.time
        for record in (decode(data, WitnessRecord) for data in records)
        if record.status == Status.OK and name_of(record) == "edge_send"
    ]
    return round(len(sent) / ((sent[-1] - sent[0]) / SECOND)) if sent and sent[0] != sent[-1] else 0


def denied_rows(run, log, p, agent):
    """Yield a row for each call that the kernel refused, and one for their number.

    The status that came back must be in a record, and no other call may have been refused.
    """
    told = [(name, int(status, 16), int(number, 16)) for name, status, number in run.lines(p, "denied")]
    wanted = [(name, Status(status)) for name, status, _ in told] if agent.binary else agent.denied
    lasting = [status for _, status in wanted if status not in ROUTINE]
    for position, (name, expected) in enumerate(wanted):
        came, status, number = told[position] if position < len(told) else (None, None, 0)
        witnessed = log.tells(p, number, CALLS[name], status)
        yield Attempt(
            agent.name,
            f"{name} that it may not",
            expected.name,
            "no such call" if came != name else Status(status).name,
            "record" if witnessed else "NO",
            witnessed and (came, status) == (name, expected),
        )
    refused = log.refused(p)
    yield holds(
        "its calls that the log tells were refused",
        str(len(lasting)),
        str(refused),
        refused == len(lasting) and len(wanted) == len(told),
        agent.name,
    )


def message_row(log, agent, numbers):
    """Return a row: the peer received as many messages as the agent sent."""
    sent, received = log.allowed(numbers[agent.name], "edge_send"), log.allowed(numbers[agent.peer], "edge_receive")
    return Attempt(
        agent.name,
        f"messages to {agent.peer}, by the log",
        "received as often as sent",
        f"{sent} sent, {received} received",
        "",
        sent == received > 0,
    )
