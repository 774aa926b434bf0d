"""Did placement bring agents together that talk much, and leave the others where they were?

What its guest asked of the component is asked of the model again, with the traffic that the log tells; each cut is
compared with all ways to cut. When that guest is dead, agents and their manager go on.
"""

from dataclasses import dataclass, field
from itertools import combinations, takewhile

from corollary.emulation.agents import MOST, houses_of, is_tried
from corollary.emulation.ending import FIRST, Log, agent_rows, name_of
from corollary.emulation.layout import CUT_STEPS, DECAY, FEW_STEPS, HUNGRY, WEIGHT_BITS
from corollary.emulation.mending import MANAGER, partitions, rest_row
from corollary.emulation.mending import names as names_with_manager
from corollary.emulation.moving import beginning_row, message_rows, where
from corollary.emulation.verdict import NAMES, boot_rows, end_row, holds, log_rows, root_row
from corollary.language.layout import decode
from corollary.language.types import u64
from corollary.model.placement import advice, cut, graph
from corollary.spec.agent import Life
from corollary.spec.kernel.arguments import named_arguments
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import GRAPH_ROWS
from corollary.spec.kernel.state import Kernel
from corollary.spec.kernel.traffic import units
from corollary.spec.kernel.vocabulary import Status as KernelStatus
from corollary.spec.placement.graph import kept
from corollary.spec.placement.limits import DWELL, REST
from corollary.spec.placement.state import HomeId, NodeId, Placement
from corollary.spec.placement.vocabulary import Stage, Status

PLACER = NAMES.index("worker A")  # its partition
PREPARES = {"capability_inspect", "page_create", "page_map"}
LOOKS = {"graph_read", "edge_send", "edge_receive", "console_write"}  # of these, two are about its edges
SETTLED = (Status.TOO_LITTLE, Status.WORSE)
STEP = {
    Stage.LOADING: cut.load_row,
    Stage.TAKING: cut.take_vertex,
    Stage.JOINING: cut.join_entry,
    Stage.CLOSING: cut.close_phase,
}
NOW = 0  # the clock of a cut stands still
ERRED = "erred"  # how a line begins about advice that makes no sense


def names(agents):
    """Return the names of the partitions; an agent that moves has a second one, after those of all agents."""
    before, after = names_with_manager(agents)[:PLACER], names_with_manager(agents)[PLACER + 1 :]
    return (*before, "placement", *after, *(agent.name for agent in agents if is_tried(agent)))


def verdict(run, system, agents, state):
    """Return all rows; `state` is what the kernel's state was in the end, as bytes."""
    return [
        *rows_of_agents(run, Log(run.records), agents, decode(state, Kernel)),
        *boot_rows(run, system),
        root_row(run, "make agents and who looks after them, and kill who places them"),
        *log_rows(run, system),
        end_row(run),
    ]


def rows_of_agents(run, log, agents, kernel):
    """Yield the rows of agents, of their manager, and of who places them."""
    epochs = epochs_of(run)
    decided = replayed(agents, epochs)
    yield from talk_rows(run, log, agents)
    yield from move_rows(run, log, agents, kernel)
    yield traffic_row(log, agents, epochs)
    yield model_row(epochs, decided)
    yield from cut_rows(epochs, [weight for _, weight in decided])
    yield from advice_rows(agents, epochs)
    yield error_row(run, agents)
    yield calls_row(log)
    yield from death_rows(run, log, agents, epochs, kernel)


# ---- what the guest says


@dataclass
class Epoch:
    """What the guest said in an epoch: lines as words and numbers, in their order."""

    lines: list = field(default_factory=list)

    def all(self, word):
        """Return the numbers of the lines with a word."""
        return [numbers for each, *numbers in self.lines if each == word]

    def one(self, word):
        """Return the numbers of the line with a word, or nothing."""
        return next(iter(self.all(word)), None)

    @property
    def reasons(self):
        """What became of each change that was considered."""
        return [Status(status) for _, _, status in self.all("considered")]


def epochs_of(run):
    """Return the epochs that the guest told of, but for one in which it was killed.

    The last thing that it may say in one is what it told the manager.
    """
    found = [Epoch()]
    for word, *numbers in run.told.get(PLACER, []):
        if word == ERRED:
            continue
        if found[-1].one("epoch") and word not in ("advises", "told"):
            found.append(Epoch())
        found[-1].lines.append((word, *(int(number, 16) for number in numbers)))
    return found if found[-1].one("epoch") else found[:-1]


# ---- what the model says


class Asked:
    """The model, asked as the guest asks the component."""

    def __init__(self, agents):
        self.state, self.houses = Placement(), houses_of(agents)
        self.agents, self.nodes = agents, [NodeId(n) for n in range(len(agents))]
        self.weight = dict.fromkeys(combinations(range(len(agents)), 2), 0)
        self.counted = {}
        graph.begin(self.state)
        for n, agent in zip(self.nodes, agents):
            graph.add_node(self.state, n, HomeId(agent.house))

    def weigh(self, seen):
        """Let all weights decay, and add what was seen."""
        self.weight = {pair: weight - weight // DECAY for pair, weight in self.weight.items()}
        for _, carried, ends in seen:
            pair = tuple(sorted(divmod(ends, MOST)))
            more = (carried - self.counted.get(ends, 0)) << WEIGHT_BITS
            self.weight[pair] = u64.truncate(self.weight[pair] + more)
            self.counted[ends] = carried
        for (n, m), weight in self.weight.items():
            graph.set_weight(self.state, NodeId(n), NodeId(m), weight)
        for n in self.nodes:
            graph.survey_node(self.state, n)
        for house in sorted(set(self.houses)):
            graph.score_home(self.state, HomeId(house))

    def cut(self):
        """Cut the graph; return the line that tells of it."""
        s = self.state
        hungry = s.epoch % HUNGRY == HUNGRY - 1
        status = cut.begin_cut(s, True, HomeId(0), FEW_STEPS if hungry else CUT_STEPS, NOW)
        while status == Status.OK and s.cut.stage != Stage.IDLE:
            status = STEP[Stage(s.cut.stage)](s, NOW)
        if status == Status.OVER_BUDGET:
            cut.give_up_cut(s)
        return "cut", int(status), int(s.result.value), int(s.result.side)

    def candidates(self):
        """Return the moves that can be made: of an agent that can move, to a house with a row for it."""
        homes = [int(self.state.node[n].home) for n in self.nodes]
        roomy = [h for h in sorted(set(self.houses)) if self.houses.count(h) > homes.count(h)]
        return [(n, h) for n in self.nodes for h in roomy if is_tried(self.agents[n]) and homes[n] != h]

    def epoch(self, seen, answered):
        """Return the lines that the guest must say in an epoch, but for the one about what it told the manager."""
        s, lines = self.state, []
        if answered:
            n, is_there, _ = answered
            if is_there:
                graph.rehome_node(s, NodeId(n), HomeId(s.advice.target))
            lines.append(("answered", n, is_there, int(advice.conclude(s))))
        self.weigh(seen)
        lines += [("seen", *each) for each in seen]
        lines.append(self.cut())
        for n, h in self.candidates():
            lines.append(("considered", int(n), h, int(advice.consider_move(s, n, HomeId(h)))))
        advice.begin_epoch(s)
        status = advice.recommend(s)
        lines.append(("epoch", int(s.epoch), int(status), int(s.held)))
        if status == Status.OK:
            lines.append(("advises", int(s.advice.node), int(s.advice.target), int(s.advice.gain)))
        return lines


def replayed(agents, epochs):
    """Return for each epoch the lines that the guest must have said in it, and the weights of pairs of agents."""
    asked, found = Asked(agents), []
    for epoch in epochs:
        lines, result = asked.epoch(epoch.all("seen"), epoch.one("answered")), asked.state.result
        if epoch.one("told"):
            lines.append(("told", int(asked.state.epoch), int(result.side), int(result.value)))
        found.append((lines, {pair: int(kept(weight)) for pair, weight in asked.weight.items()}))
    return found


def model_row(epochs, decided):
    """Return a row: the guest said in each epoch what the model says, and told the manager the cut that stands."""
    right = sum(epoch.lines == lines for epoch, (lines, _) in zip(epochs, decided, strict=True))
    return holds(
        "epochs in which the model decides the same",
        str(len(epochs)),
        str(right),
        right == len(epochs) > DWELL + REST,
        "placement",
    )


# ---- traffic and cuts


def traffic_row(log, agents, epochs):
    """Return a row: what the guest saw an edge had carried is what was sent until then, by the log."""
    reads, sends, checked, wrong = reads_of(log), sends_of(log, agents), 0, 0
    for number, epoch in enumerate(epochs):
        for edge, carried, ends in epoch.all("seen"):
            until = reads[edge // GRAPH_ROWS][number]
            sent = sum(amount for at, amount in sends[divmod(ends, MOST)] if at < until)
            checked, wrong = checked + 1, wrong + (sent != carried)
    return holds(
        "traffic that it sees, by the log",
        "what was sent",
        f"{checked} accounts, {wrong} wrong",
        checked > 0 and wrong == 0,
        "placement",
    )


def reads_of(log):
    """Return where in the log each group of edges was read, epoch after epoch."""
    found = {}
    for record in log.calls.get(PLACER, []):
        if name_of(record) == "graph_read" and record.status == KernelStatus.OK:
            found.setdefault(arguments(record)["group"], []).append(record.sequence)
    return found


def sends_of(log, agents):
    """Return by sender and receiver where in the log each message is, and what it counts for.

    An agent sends to its peer first; if it uses another handle later, that is for the second one that it sends to.
    """
    found, numbers = {}, {agent.name: n for n, agent in enumerate(agents)}
    for n, agent in enumerate(agents):
        handles = {}
        for record in log.calls.get(FIRST + n, []):
            if name_of(record) == "edge_send" and record.status == KernelStatus.OK:
                amount = int(units(u64(arguments(record)["length"])))
                handles.setdefault(record.capability, []).append((record.sequence, amount))
        for other, sent in zip((agent.peer, agent.also), handles.values()):
            found[n, numbers[other]] = sent
    return found


def arguments(record):
    """Return the arguments of a call by name."""
    return named_arguments(OPERATIONS[record.operation], record)


def least(weight):
    """Return the least traffic across any way to cut all nodes, by the weights of pairs."""
    first, *others = sorted({n for pair in weight for n in pair})
    sides = ({first, *some} for size in range(len(others)) for some in combinations(others, size))
    return min(across(weight, side) for side in sides)


def across(weight, side):
    """Return the traffic between a side and the rest."""
    return sum(amount for (n, m), amount in weight.items() if (n in side) != (m in side))


def cut_rows(epochs, weights):
    """Yield rows: a complete cut is the least; over its budget it is given up, and the one before stands."""
    complete, least_ones, heaviest, given_up, good, before = 0, 0, 0, 0, 0, None
    for epoch, weight in zip(epochs, weights, strict=True):
        status, value, side = epoch.one("cut")
        if status == Status.OK:
            nodes = {n for pair in weight for n in pair if side >> n & 1}
            complete, heaviest = complete + 1, max(heaviest, value)
            least_ones += value == least(weight) == across(weight, nodes)
        else:
            stands = before == (value, side) and set(epoch.reasons) == {Status.DEGRADED}
            given_up, good = given_up + 1, good + (stands and status == Status.OVER_BUDGET)
        before = value, side
    yield holds(
        "complete cuts that are the least of all",
        str(complete),
        str(least_ones),
        least_ones == complete and heaviest > 0,
        "placement",
    )
    yield holds(
        "cuts over their budget: the last one stands",
        f"{given_up}, nothing is recommended",
        str(good),
        good == given_up > 0,
        "placement",
    )


# ---- what is recommended


def wanted(agents):
    """Return what must be recommended: that who listens to an agent of another house comes there."""
    house = {agent.name: agent.house for agent in agents}
    return [
        (n, house[sender.name])
        for n, agent in enumerate(agents)
        for sender in agents
        if is_tried(agent) and sender.peer == agent.name and house[sender.name] != agent.house
    ]


def advice_rows(agents, epochs):
    """Yield rows about what is recommended: that alone, after some epochs; then nothing is worth a change."""
    made = [(at, n, house) for at, epoch in enumerate(epochs) for n, house, _ in epoch.all("advises")]
    found, right = [(n, house) for _, n, house in made], wanted(agents)
    spoken = ["; ".join(f"{agents[n].name} to house {house}" for n, house in some) for some in (right, found)]
    yield holds("what it recommends", spoken[0], spoken[1] or "nothing", found == right, "placement")
    first = made[0][0] if made else 0
    held = len(list(takewhile(lambda epoch: Status.OK in epoch.reasons, epochs[first::-1]))) if made else 0
    yield holds("epochs for which that was the best", str(DWELL), str(held), held == DWELL, "placement")
    answer = next((at for at, epoch in enumerate(epochs) if epoch.one("answered")), len(epochs))
    after = epochs[answer:]
    rests = len(list(takewhile(lambda e: set(e.reasons) <= {Status.RESTING, Status.DEGRADED}, after)))
    yield holds(
        "epochs in which houses rest after the move", str(REST), str(rests), rests in (REST, REST + 1), "placement"
    )
    calm = [reason for epoch in after[rests:] for reason in epoch.reasons if reason != Status.DEGRADED]
    told = ", ".join(sorted({reason.name for reason in calm})) or "nothing"
    good = bool(calm) and all(reason in SETTLED for reason in calm)
    yield holds("changes that it considers then", "are worth too little", told, good, "placement")


def errors(agents):
    """Return what is recommended although it makes no sense: (number of an agent, house)."""
    houses, nowhere = sorted(set(houses_of(agents))), (len(set(houses_of(agents))), (1 << 64) - 1)
    nobody = [(n, house) for house in houses for n in (len(agents), (1 << 64) - 1)]
    return nobody + [
        (n, house)
        for n, agent in enumerate(agents)
        for house in (*nowhere, *(h for h in houses if not is_tried(agent) or h == agent.house))
    ]


def error_row(run, agents):
    """Return a row: the manager answers advice that makes no sense with where the agent is, and moves nobody."""
    found = [tuple(int(number, 16) for number in line) for line in run.lines(PLACER, ERRED)]
    right = [(n, h, int(n < len(agents) and agents[n].house == h)) for n, h in errors(agents)]
    wrong = sum(each not in right for each in found)
    told = f"{len(found)} answered, {wrong} wrong"
    return holds("advice that makes no sense", f"{len(right)} answered", told, found == right, "placement")


def calls_row(log):
    """Return a row: the guest called nothing that acts on anybody else; it looks, and tells."""
    made = {name_of(record) for record in log.calls.get(PLACER, [])}
    beyond = sorted(str(name) for name in made - PREPARES - LOOKS)
    good, told = not beyond and "graph_read" in made, ", ".join(beyond) or "nothing else"
    return holds("what it calls, by the log", "what looks or tells", told, good, "placement")


# ---- agents, and what becomes of them


def talk_rows(run, log, agents):
    """Yield rows about how agents end, and about their messages."""
    sends = sends_of(log, agents)
    for n, agent in enumerate(agents):
        yield from agent_rows(run, log, list(partitions(run, n))[-1], agent)
    for (n, m), messages in sends.items():
        agent, came = agents[n], log.allowed(FIRST + m, "edge_receive")
        if agent.peer != agents[m].name or m in dict(wanted(agents)):
            continue
        sent = len(messages)
        yield holds(
            f"messages to {agent.peer}, by the log",
            "received as often as sent",
            f"{sent} sent, {came} received",
            sent == came > 0,
            agent.name,
        )


def move_rows(run, log, agents, kernel):
    """Yield rows about the move: the agent goes on in a partition of the house, and gets its messages there."""
    settled = where(run)
    for n, _ in wanted(agents):
        places, sender = list(partitions(run, n)), next(a for a in agents if a.peer == agents[n].name)
        (source,) = partitions(run, agents.index(sender))
        good = len(settled) == 1 and places[1:] == [settled[0][0]]
        told = "; ".join(f"to partition {p}, in {ms} ms" for p, ms in settled) or "nobody moved"
        yield holds("its move", "to another partition, once", told, good, agents[n].name)
        if good:
            yield from message_rows(run, log, agents[n], places, source)
            yield beginning_row(run, agents[n], places)
            yield rest_row(kernel, agents[n], places[0])
    for n, agent in enumerate(agents):
        if n not in dict(wanted(agents)):
            stays = len(partitions(run, n))
            yield holds("partitions that it had", "1", str(stays), stays == 1, agent.name)


def death_rows(run, log, agents, epochs, kernel):
    """Yield rows about the death of who places agents: all others go on, and the last cut stands."""
    ends = [
        r.sequence for r in log.calls.get(0, []) if name_of(r) == "partition_destroy" and r.status == KernelStatus.OK
    ]
    death = ends[0] if len(ends) == 1 else 0
    late = sum(record.sequence > death for record in log.calls.get(PLACER, []))
    told = f"{len(ends)} by root, {late} calls of its own after it"
    yield holds("its end, by the log", "1 by root, and it calls no more", told, death > 0 and late == 0, "placement")
    yield rest_row(kernel, Named("placement"), PLACER)
    for n, agent in enumerate(agents):
        if is_tried(agent):
            came = sum(is_received(record) and record.sequence > death for record in calls_of(run, log, n))
            yield holds("messages after that, by the log", "some", str(came), death > 0 and came > 1, agent.name)
    ended = [r for r in log.calls.get(MANAGER, []) if is_termination(r) and r.sequence > death]
    found = len(ended)
    yield holds("agents that it ends after that", str(len(agents)), str(found), found == len(agents), "manager")
    last = [epoch.one("told") for epoch in epochs if epoch.one("told")][-1:]
    stands = [[int(number, 16) for number in line] for line in run.lines(MANAGER, "stands")]
    good = last == stands != []
    yield holds("the cut that stands in the end", spoken_cuts(last), spoken_cuts(stands), good, "manager")


@dataclass(frozen=True)
class Named:
    """Whoever has a row in a table, and is no agent."""

    name: str


def calls_of(run, log, number):
    """Return the calls of an agent, wherever it was."""
    return [record for p in partitions(run, number) for record in log.calls.get(p, [])]


def is_received(record):
    """Is this a message that came?"""
    return name_of(record) == "edge_receive" and record.status == KernelStatus.OK


def is_termination(record):
    """Does this record tell that an agent ended?"""
    ended = name_of(record) == "agent_change" and record.status == KernelStatus.OK
    return ended and arguments(record)["life"] == Life.TERMINATED.name


def spoken_cuts(cuts):
    """Return cuts in words."""
    return "; ".join(f"{value} around {side:b}, of epoch {number}" for number, side, value in cuts) or "none"
