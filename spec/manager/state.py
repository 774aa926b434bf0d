"""What is the state of the manager? Every record, and the one `Manager` that holds them all.

Rows are persistent: who drives the manager writes what an operation changed before it does anything else. Volatile are
the task in `task` and the number in `asked`, which a restart makes worthless.
"""

from corollary.language.types import Index, Table, u32, u64
from corollary.language.values import Record
from corollary.spec.agent import Life
from corollary.spec.manager.limits import AGENTS, LANES, PARTITIONS, PEERS
from corollary.spec.manager.vocabulary import Remedy, Step, Verb

AgentId = Index("AgentId", AGENTS)  # of a row
PartitionId = Index("PartitionId", PARTITIONS)
LaneId = Index("LaneId", LANES)
PeerId = Index("PeerId", PEERS)


class Recent(Record):
    """The epochs of the last three events of a kind."""

    last: u64
    second: u64
    third: u64


class Hash(Record):
    """SHA-256 of a snapshot."""

    first: u64
    second: u64
    third: u64
    fourth: u64


class Receipt(Record):
    """Where the snapshot of a hibernated agent is, and its sizes in bytes. Its hash is that of the agent."""

    at: u64
    packed: u64
    plain: u64


class Agent(Record):
    """An agent, as far as its life is concerned."""

    badge: u64  # 0 if there never was one
    parent: u64  # badge
    place: PartitionId
    state: Life
    step: Step
    woken: bool  # did it run when its move began?
    awaited: bool  # is its parent's policy to spawn it again?
    lane: LaneId
    peer: PeerId  # the manager at the other end of its move
    there: AgentId  # its row there
    ticket: u64  # the number of its move; the source gives it
    asked: u64  # the number of the task that is out; 0 if none is
    chunk: u32  # source: what the target asked for; target: how many are here
    chunks: u32
    hash: Hash  # of its last snapshot
    receipt: Receipt
    moved_at: u64  # epoch
    failed_at: u64  # epoch
    remedy: Remedy  # what was done about its last failure
    restarts: Recent
    violations: Recent
    readings: Recent  # reconstructions that began


class Lane(Record):
    """A place for one migration."""

    taken: bool
    agent: AgentId


class Peer(Record):
    """What is known of another manager."""

    heard: u64  # the greatest ticket of it for which there was a promise


class Task(Record):
    """What is to be done now. Whatever it needs besides is in the agent's row."""

    verb: Verb
    agent: AgentId
    number: u64


class Manager(Record):
    """The whole state."""

    agent: Table[AgentId, Agent]
    lane: Table[LaneId, Lane]
    peer: Table[PeerId, Peer]
    task: Task
    epoch: u64
    badge: u64  # the greatest so far
    ticket: u64  # of the next move from here
    number: u64  # of the next task
    since: u64  # the first number after the last restart
