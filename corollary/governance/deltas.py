"""How does a session remember what was done in it? In a chain of deltas, each with the hash of the one before.

The component counts the deltas and keeps the hash of the last one, so a delta that was cut off, doubled or put into
another chain is noticed. The hash is that of AUDIT-COMPLIANCE-1.0: SHA-256 of JSON with sorted keys.
"""

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from json.encoder import encode_basestring_ascii as quoted  # as `json.dumps` writes a text
from typing import NamedTuple

from corollary.governance.checks import LONGEST_NAME, LONGEST_PATH, Refused, identifier, number, text
from corollary.governance.events import EventType
from corollary.governance.governor import Governor
from corollary.spec.governance.vocabulary import Status

DELTA_RETENTION_DAYS = 180
LONGEST_RETENTION = 365_000  # days
WORDS = struct.Struct(">4Q")  # of a hash, as the component keeps it


@dataclass(frozen=True, slots=True)
class VFSChange:
    """A change of a file."""

    path: str
    operation: str
    content_hash: str | None = None
    previous_hash: str | None = None
    agent_did: str | None = None

    def __post_init__(self):
        text("path", self.path, LONGEST_PATH)
        text("operation", self.operation, LONGEST_NAME)
        for name in ("content_hash", "previous_hash", "agent_did"):
            if getattr(self, name) is not None:
                text(name, getattr(self, name), LONGEST_PATH)

    @property
    def canonical(self) -> str:
        """The change as JSON with sorted keys."""
        return (
            f'{{"agent_did": {spelled(self.agent_did)}, "content_hash": {spelled(self.content_hash)}, '
            f'"operation": {quoted(self.operation)}, "path": {quoted(self.path)}, '
            f'"previous_hash": {spelled(self.previous_hash)}}}'
        )


class SemanticDelta(NamedTuple):
    """What an agent did in a turn. `changes` is None once it was kept long enough; the hash stays."""

    delta_id: str
    turn_id: int
    session_id: str
    agent_did: str
    timestamp: datetime
    changes: tuple[VFSChange, ...] | None
    parent_hash: str  # empty for the first
    delta_hash: str = ""

    @property
    def canonical(self) -> str:
        """What is hashed: JSON with sorted keys of everything but the hash."""
        return canonical(*self[:-1])

    @property
    def previous_hash(self) -> str:
        """The hash of the delta before it, under the name of the other specification."""
        return self.parent_hash

    @property
    def action(self) -> str:
        """What was done: the operations of its changes."""
        return ", ".join(each.operation for each in self.changes or ())

    def compute_hash(self) -> str:
        """Return the hash of what it says, in lower case hexadecimal."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()


def canonical(delta_id, turn_id, session_id, agent_did, timestamp, changes, parent_hash):
    """Return JSON with sorted keys of the fields of a delta but its hash."""
    told = ", ".join([each.canonical for each in changes or ()])
    return (
        f'{{"agent_did": {quoted(agent_did)}, "changes": [{told}], "delta_id": {quoted(delta_id)}, '
        f'"parent_hash": {quoted(parent_hash)}, "session_id": {quoted(session_id)}, '
        f'"timestamp": "{timestamp.isoformat()}", "turn_id": {turn_id}}}'
    )


def spelled(value: str | None) -> str:
    """Return a text as JSON writes it, or null."""
    return "null" if value is None else quoted(value)


class DeltaEngine:
    """The chain of deltas of a session that a governor knows. `clock` returns the time in UTC."""

    def __init__(self, governor: Governor, session_id: str, clock=lambda: datetime.now(UTC)):
        self.governor, self.session_id, self.clock = governor, session_id, clock
        self.row = governor.session(session_id)
        self.deltas: list[SemanticDelta] = []
        self.expired: dict[int, SemanticDelta] = {}  # by turn, as they stay
        self.names: set[str] = set()
        self.pending: SemanticDelta | None = None  # the one that is being added

    def capture(self, agent_did: str, changes: Sequence[VFSChange] = (), delta_id: str | None = None) -> SemanticDelta:
        """Add what an agent did; raises `Refused` if the session takes no deltas, and nothing has changed then.

        A session that was forgotten takes none, even if there is another one of its name.
        """
        identifier("agent_did", agent_did)
        made = tuple(changes)
        for each in made:
            if type(each) is not VFSChange:
                raise TypeError(f"a change is a VFSChange, not {each!r}")
        with self.governor.lock.here:
            if self.is_forgotten:
                raise Refused(Status.WRONG_STAGE, f"the session {self.session_id} of this engine was forgotten")
            self.settle()
            turn = len(self.deltas) + 1
            name = f"delta:{turn}" if delta_id is None else identifier("delta_id", delta_id)
            if name in self.names:
                raise Refused(Status.OUT_OF_ORDER, f"{name} is in the chain already")
            parent = self.deltas[-1].delta_hash if self.deltas else ""
            told = (name, turn, self.session_id, agent_did, self.clock(), made, parent)
            hashed = hashlib.sha256(canonical(*told).encode())
            self.pending = delta = SemanticDelta(*told, hashed.hexdigest())
            self.governor.do("append", self.row, turn, *WORDS.unpack(hashed.digest()))
            self.settle()
        self.governor.tell(EventType.DELTA_CAPTURED, self.session_id, agent_did, delta_hash=delta.delta_hash)
        return delta

    @property
    def is_forgotten(self) -> bool:
        """Was the session forgotten? Another one may have its row."""
        return self.governor.sessions.get(self.session_id) is not self.row

    def settle(self):
        """Keep the delta that the component has and this does not: an interrupt came between the two."""
        pending = self.pending
        if pending is not None and len(self.deltas) < pending.turn_id == self.governor.state.session[self.row].deltas:
            self.names.add(pending.delta_id)
            self.deltas.append(pending)
        self.pending = None

    @property
    def root(self) -> str | None:
        """The hash of the last delta; None if there is none."""
        return self.deltas[-1].delta_hash if self.deltas else None

    def verify_chain(self) -> "Verdict":
        """Is every delta as it was, in its place, and is none missing? The reason is that of the first that is not."""
        with self.governor.lock.here:
            if self.is_forgotten:
                return Verdict(False, f"the session {self.session_id} of this engine was forgotten")
            self.settle()
            deltas, kept = list(self.deltas), self.governor.state.session[self.row]
            counted = kept.deltas, words_hash(kept)
        parent = ""
        for turn, delta in enumerate(deltas, 1):
            why = fault(delta, turn, self.session_id, parent, self.expired.get(turn))
            if why:
                return Verdict(False, f"delta {turn}: {why}")
            parent = delta.delta_hash
        whole = (len(deltas), parent or "0" * 64) == counted
        return Verdict(whole, "" if whole else f"{counted[0]} deltas were added, and these are not they")

    def expire(self, days: float = DELTA_RETENTION_DAYS) -> int:
        """Drop the changes of deltas older than some days, and return of how many; their hashes stay for ever.

        A delta that is not what was hashed stays as it is.
        """
        before = self.clock() - timedelta(days=number("days", days, 0, LONGEST_RETENTION))
        with self.governor.lock.here:
            old = [at for at, each in enumerate(self.deltas) if each.timestamp < before and is_as_hashed(each)]
            for at in old:
                self.deltas[at] = self.expired[at + 1] = self.deltas[at]._replace(changes=None)
        return len(old)


@dataclass(frozen=True)
class Verdict:
    """Is a chain whole? It is true or false as itself; `reason` says what is wrong."""

    whole: bool
    reason: str = ""

    def __bool__(self):
        return self.whole


def fault(delta, turn, session_id, parent, expired):
    """Return what is wrong with a delta in its place, which may have expired; an empty text if nothing is."""
    if (delta.turn_id, delta.session_id) != (turn, session_id):
        return f"it is turn {delta.turn_id} of {delta.session_id}"
    if delta.parent_hash != parent:
        return "it does not follow the one before"
    if delta.changes is None:
        return "" if delta == expired else "it is without its changes, and is not what has expired"
    return "" if is_as_hashed(delta) else "it is not what was hashed"


def is_as_hashed(delta):
    """Does a delta say what was hashed?"""
    return delta.changes is not None and delta.compute_hash() == delta.delta_hash


def words_hash(kept):
    """Return the hash of the last delta, as the component has it."""
    return WORDS.pack(kept.first, kept.second, kept.third, kept.fourth).hex()
