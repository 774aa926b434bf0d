"""How is a suspended agent written to a disk, and how does it come back? By the receipt that says what was written."""

from corollary.language.types import u64
from corollary.model.manager.recent import note
from corollary.model.manager.source import enter, put_hash, settle
from corollary.spec.agent import Life
from corollary.spec.manager.recent import is_full
from corollary.spec.manager.state import AgentId, Manager
from corollary.spec.manager.step import is_hash
from corollary.spec.manager.task import is_out
from corollary.spec.manager.vocabulary import Status, Step


def hibernate(s: Manager, a: AgentId) -> Status:
    """Begin to hibernate an agent that is suspended."""
    g = s.agent[a]
    if g.state != Life.SUSPENDED:
        return Status.WRONG_STATE
    if g.step != Step.NONE:
        return Status.BUSY
    enter(g, Step.FREEZING)
    return Status.OK


def unexpected(s: Manager, a: AgentId, number: u64, step: Step) -> Status:
    """Return why an outcome is not one of a step, or OK."""
    if not is_out(s, a, number):
        return Status.OUTDATED
    return Status.OK if s.agent[a].step == step else Status.WRONG_STEP


def frozen(s: Manager, a: AgentId, number: u64, plain: u64, first: u64, second: u64, third: u64, fourth: u64) -> Status:
    """The kernel has taken the snapshot of an agent that is hibernated: so many bytes, with this hash."""
    status = unexpected(s, a, number, Step.FREEZING)
    if status != Status.OK:
        return status
    g = s.agent[a]
    put_hash(g.hash, first, second, third, fourth)
    g.receipt.plain = plain
    enter(g, Step.PACKING)
    return Status.OK


def packed(s: Manager, a: AgentId, number: u64, size: u64) -> Status:
    """The snapshot is compressed, to so many bytes."""
    status = unexpected(s, a, number, Step.PACKING)
    if status != Status.OK:
        return status
    s.agent[a].receipt.packed = size
    enter(s.agent[a], Step.WRITING)
    return Status.OK


def written(s: Manager, a: AgentId, number: u64, at: u64) -> Status:
    """The snapshot is on the disk, at a place."""
    status = unexpected(s, a, number, Step.WRITING)
    if status != Status.OK:
        return status
    s.agent[a].receipt.at = at
    enter(s.agent[a], Step.RECORDING)
    return Status.OK


def recorded(s: Manager, a: AgentId, number: u64) -> Status:
    """The receipt is in the log: only now may the pages be freed."""
    status = unexpected(s, a, number, Step.RECORDING)
    if status != Status.OK:
        return status
    s.agent[a].state = Life.HIBERNATED
    enter(s.agent[a], Step.FREEING)
    return Status.OK


def freed(s: Manager, a: AgentId, number: u64) -> Status:
    """The pages are free."""
    status = unexpected(s, a, number, Step.FREEING)
    if status != Status.OK:
        return status
    settle(s.agent[a], Life.HIBERNATED)
    return Status.OK


def reconstruct(s: Manager, a: AgentId) -> Status:
    """Begin to bring a hibernated agent back; three times in the last epochs, no more."""
    g = s.agent[a]
    if g.state != Life.HIBERNATED:
        return Status.WRONG_STATE
    if g.step != Step.NONE:
        return Status.BUSY
    if is_full(g.readings, s.epoch):
        return Status.TOO_OFTEN
    note(g.readings, s.epoch)
    enter(g, Step.READING)
    return Status.OK


def read(s: Manager, a: AgentId, number: u64, at: u64, size: u64) -> Status:
    """So many bytes were read from a place. If they are not those of the receipt, the task has `failed`."""
    status = unexpected(s, a, number, Step.READING)
    if status != Status.OK:
        return status
    g = s.agent[a]
    if at != g.receipt.at:
        return Status.WRONG_PLACE
    if size != g.receipt.packed:
        return Status.WRONG_SIZE
    enter(g, Step.UNPACKING)
    return Status.OK


def unpacked(
    s: Manager, a: AgentId, number: u64, plain: u64, first: u64, second: u64, third: u64, fourth: u64
) -> Status:
    """They are decompressed, to so many bytes with this hash. If the receipt has others, the task has `failed`."""
    status = unexpected(s, a, number, Step.UNPACKING)
    if status != Status.OK:
        return status
    g = s.agent[a]
    if plain != g.receipt.plain:
        return Status.WRONG_SIZE
    if not is_hash(g.hash, first, second, third, fourth):
        return Status.WRONG_HASH
    g.state = Life.RECONSTRUCTING
    enter(g, Step.RESTORING)
    return Status.OK
