"""Does the witness chain cover the content of the records, and is evidence kept?

Each check fails with a peer's behaviour and passes with ours.
"""

import hashlib

from corollary.language.layout import word
from corollary.model.kernel.witness import chain
from corollary.record.running import absorbed
from corollary.spec.kernel.state import WitnessRecord
from tests.model.peer.checks import both, fails
from tests.model.world import World, numbers


class PeerLog:
    """A chain that is a function of the sequence number.

    Verification starts from zero, and the oldest record is overwritten.
    """

    def __init__(self, room=64):
        self.room, self.records, self.head, self.next = room, [], 0, 0

    def append(self, content):
        link = self.head
        self.head = self.folded(link, self.next)
        self.records = [*self.records, (self.next, content, link, self.head)][-self.room :]
        self.next += 1

    @staticmethod
    def folded(link, sequence):
        digest = hashlib.sha256(link.to_bytes(8, "little") + sequence.to_bytes(8, "little")).digest()
        return int.from_bytes(bytes(a ^ b for a, b in zip(digest[:8], digest[8:16], strict=True)), "little")

    def verifies(self):
        head = 0
        for sequence, _, link, own in self.records:
            if link != head or own != self.folded(link, sequence):
                return False
            head = own
        return True

    def columns(self):
        return [(link, own) for _, _, link, own in self.records]

    def rewrite(self, position, content):
        sequence, _, link, own = self.records[position]
        self.records[position] = sequence, content, link, own

    def checkpoint(self):
        """Do nothing: there is no checkpoint."""


class OurLog:
    """Records of the model, chained by the model and verified by an independent reader."""

    def __init__(self):
        self.records, self.head, self.base = [], World().s.head, None
        self.base = self.bytes_of(self.head)

    @staticmethod
    def bytes_of(digest):
        return b"".join(digest[position].to_bytes(4, "big") for position in range(8))

    def append(self, content):
        record = WitnessRecord(sequence=len(self.records), payload=content)
        chain(self.head, record)
        for part, value in enumerate(numbers(self.bytes_of(self.head))[:2]):
            record.link[part] = value
        self.records.append(record)

    def verifies(self):
        head = self.base
        for record in self.records:
            data = b"".join(word(record, position).to_bytes(8, "little") for position in range(8))
            head = absorbed(head, data[:48].ljust(64, b"\0"))
            if data[48:] != head[:16]:
                return False
        return True

    def columns(self):
        return [tuple(record.link[part] for part in range(2)) for record in self.records]

    def rewrite(self, position, content):
        self.records[position].payload = content

    def checkpoint(self):
        """Drain the log: the records leave, and the head that they lead to is sealed."""
        self.base, self.records = self.bytes_of(self.head), []


def written(log, contents):
    for content in contents:
        log.append(content)
    return log


def contents_are_covered(make):
    log = written(make(), range(10))
    assert log.verifies()
    log.rewrite(4, 666)
    assert not log.verifies()


def different_logs_differ(make):
    assert written(make(), (1, 2, 3)).columns() != written(make(), (1, 2, 4)).columns()


def a_long_log_still_verifies(make):
    log = make()
    for _ in range(5):
        written(log, range(50))
        log.checkpoint()
    assert written(log, range(50)).verifies()


@both("check", (contents_are_covered, different_logs_differ, a_long_log_still_verifies), ids=("W1", "W2", "W3"))
def test_item_3_witness_chain(check):
    check(OurLog)
    fails(check, PeerLog)


class PeerFlood:
    """Records are written after the effect and overwrite the oldest."""

    def __init__(self):
        self.log = PeerLog(room=64)
        self.evidence = written(self.log, ["the crime"]).records[0]

    def flood(self):
        written(self.log, range(200))
        return self.evidence in self.log.records


class OurFlood:
    def __init__(self):
        self.w = World()
        self.w.spawn(1, quota=40)
        self.w.run(1).call("partition_destroy", 63)
        self.evidence = self.w.s.sequence - 1

    def flood(self):
        for _ in range(200):
            self.w.call("proof_inspect")
        return self.w.s.log[self.evidence].sequence == self.evidence and self.w.own(1).refused > 0


def evidence_outlives_a_flood(make):
    assert make().flood()


def test_item_3_no_evidence_is_flooded_away():
    evidence_outlives_a_flood(OurFlood)
    fails(evidence_outlives_a_flood, PeerFlood)
