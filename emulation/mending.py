"""Did the manager mend its agents as it had to? What it says it did, what agents say, the log, and the kernel's state.

An agent that is spawned again has another partition. What it says between two of its ends is a life.
"""

from corollary.emulation.ending import FIRST, Log, agent_rows, name_of
from corollary.emulation.verdict import NAMES, boot_rows, end_row, holds, root_row
from corollary.emulation.verdict import log_rows as log_rows_of_all
from corollary.language.layout import decode
from corollary.spec.agent import Life
from corollary.spec.kernel.agent import lives
from corollary.spec.kernel.arguments import named_arguments
from corollary.spec.kernel.block import SIZE
from corollary.spec.kernel.capability import capability_id
from corollary.spec.kernel.edge import edge_exists
from corollary.spec.kernel.hypercalls import OPERATIONS
from corollary.spec.kernel.limits import AGENTS, CAPABILITIES, DEVICES, EDGES, PAGES, SLOTS, UNITS
from corollary.spec.kernel.state import AgentId, CapabilityId, EdgeId, Kernel, PartitionId, SlotId
from corollary.spec.kernel.vocabulary import ObjectKind, PageKind, PartitionState, Status
from corollary.spec.manager.vocabulary import Remedy

MANAGER = NAMES.index("worker B")  # its partition
MENDED = (Remedy.RESTART, Remedy.RELOAD)  # in the same partition


def names(agents):
    """Return the names of the partitions, with those of agents that are spawned again at the end."""
    before = (*NAMES[:MANAGER], "manager", *NAMES[MANAGER + 1 : FIRST])
    again = ("spawned again" for agent in agents if agent.respawns)
    moved = (agent.name for agent in agents for _ in agent.moves)
    return (*before, *(agent.name for agent in agents), *again, *moved)


def partitions(run, number):
    """Return the partitions that an agent had, one after the other, and the manager's handle on each."""
    lines = ([int(word, 16) for word in line] for line in run.lines(0, "spawned"))
    return {p: handle for row, p, handle in lines if row == number}


def lives_of(run, number):
    """Return the lines that an agent said in each of its lives."""
    found = [[]]
    for p in partitions(run, number):
        for word, *rest in run.told.get(p, []):
            if word == "said":
                found[-1].append("|".join(rest))
            elif word == "agent":
                found.append([])
    return found[:-1]


def remedies_of(run, number):
    """Return what the manager did about the failures of an agent."""
    return tuple(Remedy(int(remedy, 16)) for row, remedy, _ in run.lines(MANAGER, "failed") if int(row, 16) == number)


def verdict(run, system, agents, state):
    """Return all rows; `state` is what the kernel's state was in the end, as bytes."""
    return [
        *rows_of_agents(run, Log(run.records), agents, decode(state, Kernel)),
        *boot_rows(run, system),
        root_row(run, "make agents, and spawn them again"),
        *log_rows_of_all(run, system),
        end_row(run),
    ]


def rows_of_agents(run, log, agents, kernel):
    """Yield the rows of each agent."""
    for number, agent in enumerate(agents):
        found = partitions(run, number)
        yield from agent_rows(run, log, list(found)[-1], agent)
        yield remedy_row(run, agent, number)
        yield from life_rows(run, agent, number)
        yield from log_rows(log, agent, found)
        for p in list(found)[: agent.remedies.count(Remedy.REPLACE)]:
            yield rest_row(kernel, agent, p)


def spoken(remedies):
    """Return remedies in words."""
    return ", ".join(remedy.name for remedy in remedies) or "none"


def remedy_row(run, agent, number):
    """Return a row: each failure led to the remedy that was next."""
    found = remedies_of(run, number)
    return holds("its remedies", spoken(agent.remedies), spoken(found), found == agent.remedies, agent.name)


def life_rows(run, agent, number):
    """Yield rows about the lives of an agent: where each began, and that the last one ends as if nothing had failed."""
    found, wanted = lives_of(run, number), [True, *begun_by(agent)]
    begun = [life[:1] == [agent.whole[0]] for life in found]
    yield holds("its lives begin anew, or go on", places(wanted), places(begun), begun == wanted, agent.name)
    whole = all(is_part(life, agent.whole) for life in found)
    told = "is" if whole else "is not"
    yield holds("what it says in each life", "part of an undisturbed run", told, whole, agent.name)
    last, mended = tuple(found[-1]) if found else (), agent.outcome[0] == "returned"
    complete = last != () and last == agent.whole[-len(last) :]
    expected = "the end of an undisturbed run" if mended else "no end"
    yield holds("what it says last", expected, "; ".join(last[-1:]) or "nothing", complete == mended, agent.name)


def begun_by(agent):
    """Return for each remedy that lets an agent run whether it begins anew."""
    runs = {Remedy.RESTART: [True], Remedy.RELOAD: [False], Remedy.REPLACE: [True] * agent.respawns}
    return [anew for remedy in agent.remedies for anew in runs.get(remedy, [])]


def places(anew):
    """Return where lives begin, in words."""
    return ", ".join("anew" if each else "goes on" for each in anew) or "none"


def is_part(lines, whole):
    """Are these lines, of which there are some, in order and without a gap among others?"""
    return lines != [] and any(tuple(lines) == whole[at : at + len(lines)] for at in range(len(whole)))


def log_rows(log, agent, found):
    """Yield rows about what the log tells of the manager's calls on the partitions of an agent."""
    made = [
        record
        for record in log.calls.get(MANAGER, [])
        if record.capability in found.values() and record.status == Status.OK
    ]
    mended, replaced = sum(remedy in MENDED for remedy in agent.remedies), agent.remedies.count(Remedy.REPLACE)
    wanted = {
        "partition_start": len(found) + mended,
        "partition_reconstruct": mended,
        "partition_destroy": replaced,
        "partition_reclaim": replaced,
    }
    for name, number in wanted.items():
        told = sum(name_of(record) == name for record in made)
        yield holds(f"{name}, by the log", f"{number} allowed", f"{told} allowed", told == number, agent.name)
    changes = [named_arguments(OPERATIONS[r.operation], r) for r in made if name_of(r) == "agent_change"]
    stopped = sum(change["life"] == Life.SUSPENDED.name for change in changes)
    failures = len(agent.remedies)
    yield holds("SUSPENDED, by the log", f"{failures} times", f"{stopped} times", stopped == failures, agent.name)


def left_of(kernel, p):
    """Return how much a kernel has of a partition: pages, capabilities, edges, leases, units and agents."""
    own = [capability_id(PartitionId(p), SlotId(slot)) for slot in range(SLOTS)]
    held = [c for c in own if kernel.capability[c].kind != ObjectKind.NONE]
    on_it = [c for c in range(CAPABILITIES) if is_on(kernel, kernel.capability[CapabilityId(c)], p)]
    edges = [kernel.edge[EdgeId(e)] for e in range(EDGES) if edge_exists(kernel, EdgeId(e))]
    pages = [kernel.page[page] for page in range(PAGES)]
    blocks = [kernel.block[unit] for unit in range(UNITS)]
    return {
        "pages": sum(page.kind not in (PageKind.FREE, PageKind.KERNEL) and page.owner == p for page in pages),
        "capabilities": len(held) + len(on_it),
        "edges": sum(edge.origin in own or edge.sender in own for edge in edges),
        "leases": sum(kernel.device[d].leased and kernel.device[d].holder == p for d in range(DEVICES)),
        "units": sum(SIZE[block.order] for block in blocks if block.used and block.holder == p),
        "agents": sum(lives(kernel, AgentId(a)) and kernel.agent[AgentId(a)].partition == p for a in range(AGENTS)),
    }


def is_on(kernel, capability, p):
    """Does a capability name this incarnation of a partition?"""
    return (
        capability.kind == ObjectKind.PARTITION
        and capability.object == p
        and capability.incarnation == kernel.partition[PartitionId(p)].generation
    )


def rest_row(kernel, agent, p):
    """Return a row: nothing is left of a partition that was destroyed."""
    left, vacant = left_of(kernel, p), kernel.partition[PartitionId(p)].state == PartitionState.VACANT
    told = ", ".join(f"{count} {what}" for what, count in left.items())
    return holds(f"left of partition {p} in the end", "nothing", told, vacant and not any(left.values()), agent.name)
