"""Which values does the kernel pack into one word, and at which bits?

The layout of descriptors and registers of the hardware is in `hardware.py`.
"""

from corollary.language.types import u32, u64
from corollary.language.word import Word, at
from corollary.spec.kernel.limits import (
    AGENT_BITS,
    BANK_BITS,
    BANK_UNIT_BITS,
    MAPPING_BITS,
    MESSAGE_BITS,
    PAGES_PER_PARTITION_BITS,
    REGION_BITS,
    SLOT_BITS,
)
from corollary.spec.kernel.state import (
    AgentBadge,
    AgentId,
    BankId,
    CapabilityId,
    Depth,
    EdgeId,
    Handle,
    HeadsId,
    MappingId,
    MessageId,
    MessageTurn,
    Ordinal,
    OwnedId,
    PageId,
    PagePosition,
    PartitionId,
    RegionId,
    SlotId,
    UnitId,
    UnitPosition,
)
from corollary.spec.kernel.vocabulary import ObjectKind, Right


class HandleParts(Word[Handle]):
    """A handle: a slot of the caller, in the generation that the caller means."""

    slot: SlotId = at(0)
    generation: u32 = at(SLOT_BITS)


class CapabilityPlace(Word[CapabilityId]):
    """The place of a partition's slot in the table of all capabilities."""

    slot: SlotId = at(0)
    partition: PartitionId = at(SLOT_BITS)


class MappingPlace(Word[MappingId]):
    """The place of one reference to a page in the table of all mappings."""

    ordinal: Ordinal = at(0)
    page: PageId = at(MAPPING_BITS)


class OwnedPlace(Word[OwnedId]):
    """The place of a page of a partition in the table of all owned pages."""

    position: PagePosition = at(0)
    partition: PartitionId = at(PAGES_PER_PARTITION_BITS)


class MessagePlace(Word[MessageId]):
    """The place of a message in the table of all messages; an edge uses its places in turn."""

    turn: MessageTurn = at(0)
    edge: EdgeId = at(MESSAGE_BITS)


class BadgeParts(Word[AgentBadge]):
    """The badge of an agent: its row, and how many agents had that row. None is given twice."""

    agent: AgentId = at(0)
    generation: u32 = at(AGENT_BITS)


class TrafficEnds(Word[u64]):
    """The second word that `graph_read` writes for an edge: which one it is, and between whom it carries."""

    edge: EdgeId = at(0)
    source: PartitionId = at(16)
    target: PartitionId = at(32)


class UnitPlace(Word[UnitId]):
    """A unit of large memory in its bank."""

    position: UnitPosition = at(0)
    bank: BankId = at(BANK_UNIT_BITS)


class HeadsPlace(Word[HeadsId]):
    """The place of a partition's blocks in a bank, in the table of all such masks."""

    bank: BankId = at(0)
    partition: PartitionId = at(BANK_BITS)


class PagePlace(Word[PageId]):
    """A page in its region."""

    region: RegionId = at(REGION_BITS)


class ObjectName(Word[u64]):
    """An object as anybody may call it: its number and, for a partition, its incarnation."""

    object: u32 = at(0)
    incarnation: u32 = at(32)


class Inspected(Word[u64]):
    """The first word that `capability_inspect` gives back."""

    depth: Depth = at(0)
    kind: ObjectKind = at(8, 8)
    rights: Right = at(16)
    object: u32 = at(32)


class Descent(Word[u64]):
    """The third word that `capability_inspect` gives back."""

    incarnation: u32 = at(0)
    lineage: u32 = at(32)


class Halves(Word[u64]):
    """Two words of 32 bits, as they lie in memory."""

    low: u32 = at(0)
    high: u32 = at(32)
