"""What is the state of the placement component? Every record, and the one `Placement` that holds them all.

A set of nodes is a number: bit n stands for node n.
"""

from corollary.language.types import Index, Table, u8, u32, u64
from corollary.language.values import Record
from corollary.spec.placement.limits import HOMES, NODES, TRAFFIC
from corollary.spec.placement.vocabulary import Change, Stage

NodeId = Index("NodeId", NODES)
HomeId = Index("HomeId", HOMES)
OtherId = Index("OtherId", NODES)  # the other node of a pair
Place = Index("Place", NODES)  # of a vertex in the list of a cut
Traffic = Index("Traffic", TRAFFIC)  # a sum of weights


class Row(Record):
    """The traffic of a node with each node."""

    to: Table[OtherId, u32]


class MergedRow(Record):
    """The traffic of a vertex of a cut with each vertex."""

    to: Table[OtherId, Traffic]


class Node(Record):
    """What communicates: an agent, or a partition without agents."""

    home: HomeId
    inside: Traffic  # traffic with itself and with later nodes of its home, so that each pair counts once
    outside: Traffic  # traffic with nodes of other homes


class Home(Record):
    """A partition: its nodes, and how much of their traffic stays in it."""

    members: u64  # nodes
    internal: Traffic  # traffic between them
    external: Traffic  # traffic with nodes elsewhere
    score: u32  # ppm
    pressure: u32  # ppm
    rests_until: u64  # epoch


class Vertex(Record):
    """One vertex in the list of a cut. It stands for all nodes that were made one with it."""

    node: NodeId
    key: Traffic  # its traffic with the vertices taken in this phase


class Cut(Record):
    """The cut under way."""

    stage: Stage
    asked: u64  # nodes
    loading: u64  # those whose traffic is still to be loaded
    count: u8  # vertices in the list
    left: u8  # of these, not taken in this phase: they come first
    turn: u8  # place of the next vertex whose traffic is added up
    steps: u32  # that it may still take
    deadline: u64  # ns
    value: u64  # least traffic across a phase so far
    side: u64  # nodes on one side of it; none before the first phase has ended


class Result(Record):
    """The last complete cut; without nodes, there was none."""

    asked: u64
    value: Traffic
    side: u64
    current: bool  # is the graph still the same?


class Couple(Record):
    """Two partitions whose traffic with each other is added up, node by node."""

    first: HomeId
    second: HomeId
    left: u64  # nodes of the first, still to be added
    between: Traffic
    current: bool  # is the graph still the same?


class Advice(Record):
    """A change of placement."""

    kind: Change
    node: NodeId
    source: HomeId
    target: HomeId
    gain: Traffic  # traffic that it brings into a partition, less what it takes out
    side: u64  # nodes that a split takes away
    rank: u32  # a number for kind, node and partitions: among equal gains, the least is preferred


class Placement(Record):
    """The whole state."""

    weight: Table[NodeId, Row]  # traffic of each pair, both ways round
    merged: Table[NodeId, MergedRow]  # the same between vertices of the cut under way
    node: Table[NodeId, Node]
    home: Table[HomeId, Home]
    vertex: Table[Place, Vertex]
    place: Table[NodeId, Place]  # where a vertex is in the list
    group: Table[NodeId, u64]  # nodes that a vertex stands for
    leader: Table[NodeId, NodeId]  # the vertex that stands for a node
    cut: Cut
    result: Result
    couple: Couple
    best: Advice  # the best candidate of this epoch
    advice: Advice  # the best candidate of the epochs before
    held: u8  # for how many of them, at most `DWELL`
    outstanding: bool  # is the advice being carried out?
    degraded: bool
    recovering: bool
    epoch: u64
    nodes: u64  # those in the graph
    surveyed: u64  # nodes whose sums are of the graph as it is
    scored: u64  # partitions whose score is of the graph as it is
