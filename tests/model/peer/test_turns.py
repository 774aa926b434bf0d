"""Do deadlines and cut edges matter, does a mode change anything, and does everybody get its turn?"""

from corollary.model.kernel.schedule import proceed, wait
from corollary.spec.kernel.limits import QUANTUM, SECOND
from corollary.spec.kernel.vocabulary import Mode, PartitionState
from tests.model.peer.checks import both, fails
from tests.model.world import World

EVER = 300  # turns


class PeerTurns:
    """The most urgent of a heap runs; the boost is a pressure of at most 10,000, shifted by 16; a mode is a label."""

    def __init__(self, *ready):
        self.urgency, self.boost, self.mode = dict.fromkeys(ready, 0), dict.fromkeys(ready, 0), "Flow"

    def press(self, p, share):
        self.boost[p] = min(int(10_000 * share) >> 16, 65_535)

    def set_deadline(self, p, share):
        self.urgency[p] = int(65_535 * share)

    def recover(self):
        self.mode = "Recovery"

    def turns(self, count=EVER):
        return [max(self.urgency, key=lambda p: self.urgency[p] + self.boost[p])] * count


class OurTurns:
    def __init__(self, *ready):
        self.w = World()
        self.w.s.partition[0].state = PartitionState.SUSPENDED
        for p in ready:
            self.w.s.partition[p].state = PartitionState.RUNNING

    def press(self, p, share):
        self.w.s.partition[p].pressure = int(1_000_000 * share)

    def set_deadline(self, p, share):
        self.w.s.partition[p].deadline = self.w.now + int(SECOND * (1 - share)) + QUANTUM

    def recover(self):
        self.w.s.mode = Mode.RECOVERY

    def turns(self, count=EVER):
        return [self.turn() for _ in range(count)]

    def turn(self):
        wait(self.w.s)
        proceed(self.w.s)
        return None if self.w.s.idle else int(self.w.s.current)


def a_cut_edge_counts(make):
    lanes = make(1, 2, 3)
    lanes.press(2, 0.9)
    assert lanes.turns().count(2) > EVER // 2


def everybody_gets_its_turn(make):
    lanes = make(1, 2, 3)
    lanes.set_deadline(2, 1)
    assert {*lanes.turns(7)} == {1, 2, 3}


def recovery_stops_who_is_no_warden(make):
    lanes = make(1, 2, 3)
    lanes.recover()
    assert {*lanes.turns()} == {None}


@both(
    "check",
    (a_cut_edge_counts, everybody_gets_its_turn, recovery_stops_who_is_no_warden),
    ids=("H4", "starvation", "modes"),
)
def test_item_8_the_signal_of_the_scheduler(check):
    check(OurTurns)
    fails(check, PeerTurns)
