"""When do the steps to the disk and back succeed, and what do they do then?"""

from corollary.language.property import ensures, succeeds
from corollary.language.types import u64
from corollary.spec.agent import Life
from corollary.spec.manager.outcome.words import ENTERS, goes, is_counted, is_given, is_hashed, is_idle, is_told
from corollary.spec.manager.recent import is_full
from corollary.spec.manager.state import AgentId, Manager
from corollary.spec.manager.step import is_hash
from corollary.spec.manager.vocabulary import Step


@succeeds("hibernate")
def may_hibernate(before: Manager, a: AgentId) -> bool:
    return is_idle(before, a, Life.SUSPENDED)


@ensures("hibernate", "a snapshot is next", changes=ENTERS)
def is_hibernating(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.SUSPENDED, Step.FREEZING)


@succeeds("frozen")
def may_freeze(before: Manager, a: AgentId, number: u64) -> bool:
    return is_told(before, a, number, Step.FREEZING)


@ensures("frozen", "hash and size are kept", changes=(*ENTERS, "agent.hash", "agent.receipt.plain"))
def is_frozen(
    before: Manager,
    after: Manager,
    a: AgentId,
    plain: u64,
    first: u64,
    second: u64,
    third: u64,
    fourth: u64,
    i: AgentId,
) -> bool:
    size = is_given(before.agent[i].receipt.plain, after.agent[i].receipt.plain, i == a, plain)
    hash = is_hashed(before, after, a, i, first, second, third, fourth)
    return size and hash and goes(before, after, a, i, Life.SUSPENDED, Step.PACKING)


@succeeds("packed")
def may_pack(before: Manager, a: AgentId, number: u64) -> bool:
    return is_told(before, a, number, Step.PACKING)


@ensures("packed", "the size is kept", changes=(*ENTERS, "agent.receipt.packed"))
def is_packed(before: Manager, after: Manager, a: AgentId, size: u64, i: AgentId) -> bool:
    kept = is_given(before.agent[i].receipt.packed, after.agent[i].receipt.packed, i == a, size)
    return kept and goes(before, after, a, i, Life.SUSPENDED, Step.WRITING)


@succeeds("written")
def may_write(before: Manager, a: AgentId, number: u64) -> bool:
    return is_told(before, a, number, Step.WRITING)


@ensures("written", "the place is kept", changes=(*ENTERS, "agent.receipt.at"))
def is_written(before: Manager, after: Manager, a: AgentId, at: u64, i: AgentId) -> bool:
    kept = is_given(before.agent[i].receipt.at, after.agent[i].receipt.at, i == a, at)
    return kept and goes(before, after, a, i, Life.SUSPENDED, Step.RECORDING)


@succeeds("recorded")
def may_record(before: Manager, a: AgentId, number: u64) -> bool:
    return is_told(before, a, number, Step.RECORDING)


@ensures("recorded", "the agent is hibernated, and its pages are to be freed", changes=ENTERS)
def is_recorded(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.HIBERNATED, Step.FREEING)


@succeeds("freed")
def may_free(before: Manager, a: AgentId, number: u64) -> bool:
    return is_told(before, a, number, Step.FREEING)


@ensures("freed", "nothing is to be done until the agent is wanted", changes=ENTERS)
def is_freed(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.HIBERNATED, Step.NONE)


@succeeds("reconstruct")
def may_reconstruct(before: Manager, a: AgentId) -> bool:
    return is_idle(before, a, Life.HIBERNATED) and not is_full(before.agent[a].readings, before.epoch)


@ensures("reconstruct", "the snapshot is to be read, and this is counted", changes=(*ENTERS, "agent.readings"))
def is_reconstructing(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    counted = is_counted(before.agent[i].readings, after.agent[i].readings, i == a, before.epoch)
    return counted and goes(before, after, a, i, Life.HIBERNATED, Step.READING)


@succeeds("read")
def may_read(before: Manager, a: AgentId, number: u64, at: u64, size: u64) -> bool:
    receipt = before.agent[a].receipt
    return is_told(before, a, number, Step.READING) and at == receipt.at and size == receipt.packed


@ensures("read", "it is to be decompressed", changes=ENTERS)
def is_read(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.HIBERNATED, Step.UNPACKING)


@succeeds("unpacked")
def may_unpack(
    before: Manager, a: AgentId, number: u64, plain: u64, first: u64, second: u64, third: u64, fourth: u64
) -> bool:
    g = before.agent[a]
    right = plain == g.receipt.plain and is_hash(g.hash, first, second, third, fourth)
    return is_told(before, a, number, Step.UNPACKING) and right


@ensures("unpacked", "it is to run", changes=ENTERS)
def is_unpacked(before: Manager, after: Manager, a: AgentId, i: AgentId) -> bool:
    return goes(before, after, a, i, Life.RECONSTRUCTING, Step.RESTORING)
