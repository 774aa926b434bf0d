"""What does a hostile link do to frames? It drops, doubles, delays, damages, forges and replays, by seeded chance."""

import heapq
import random
from dataclasses import dataclass, field

from corollary.link import End
from corollary.spec.link.session import Answer

MILLISECOND = 1_000_000
STEP = 5 * MILLISECOND
MOST_DELAY = 40 * MILLISECOND
MEASUREMENTS = (b"\x11" * 32, b"\x22" * 32)


def ends(chosen, secret=b"\x5a" * 32, now=0):
    """Return both ends of a new session."""
    nonces = (chosen.randbytes(32), chosen.randbytes(32))
    return tuple(End(secret, MEASUREMENTS, nonces, second, now) for second in (False, True))


@dataclass
class Chances:
    """How often a frame is dropped, doubled, damaged; how often a forged or an old one comes beside it."""

    drop: float = 0.3
    double: float = 0.1
    damage: float = 0.1
    forge: float = 0.1
    replay: float = 0.1
    cuts: tuple = ()  # from when to when nothing passes, in nanoseconds


@dataclass
class Wire:
    """One direction of the link."""

    chosen: random.Random
    chances: Chances
    others: list = field(default_factory=list)  # frames of other sessions, and of the other direction
    flying: list = field(default_factory=list)
    passed: list = field(default_factory=list)  # all frames that were sent
    count: int = 0

    def send(self, frame, now):
        """Do with a frame what the link does."""
        self.passed.append(frame)
        if any(first <= now < end for first, end in self.chances.cuts):
            return
        if self.chosen.random() >= self.chances.drop:
            self.fly(frame, now)
        for chance, make in (
            (self.chances.double, lambda: frame),
            (self.chances.damage, lambda: damaged(frame, self.chosen)),
            (self.chances.forge, lambda: forged(frame, self.chosen)),
            (self.chances.replay, lambda: self.chosen.choice(self.others or self.passed)),
            (self.chances.replay, lambda: self.chosen.choice(self.passed)),
        ):
            if self.chosen.random() < chance:
                self.fly(make(), now)

    def fly(self, frame, now):
        """Let a frame come after some time; so frames overtake each other."""
        self.count += 1
        heapq.heappush(self.flying, (now + self.chosen.randrange(MOST_DELAY), self.count, frame))

    def landed(self, now):
        """Yield the frames that come by now."""
        while self.flying and self.flying[0][0] <= now:
            yield heapq.heappop(self.flying)[2]


def damaged(frame, chosen):
    """Return a frame with some bits changed, or with another length."""
    changed = bytearray(frame)
    for _ in range(chosen.randint(1, 3)):
        changed[chosen.randrange(len(changed))] ^= 1 << chosen.randrange(8)
    return bytes(changed) if chosen.random() < 0.7 else frame[: chosen.randrange(len(frame))]


def forged(frame, chosen):
    """Return a frame with the header of another, a number of its own, and random bytes behind."""
    number = int.from_bytes(frame[8:16], "little") + chosen.choice((1, 2, 63, 64, 65, 1 << 40))
    return frame[:8] + number.to_bytes(8, "little") + frame[16:20] + chosen.randbytes(len(frame) - 20)


def carried(messages, chosen, chances, pair=None, others=(), most=1 << 62):
    """Carry messages in both directions; return what came, the wires, the counted answers, and the time at the end.

    Raises `LinkOver` when an end says so, and `TimeoutError` at a time `most`.
    """
    pair = pair or ends(chosen)
    wires = [Wire(chosen, chances, list(others)) for _ in pair]
    left, came, answers, now = [list(reversed(each)) for each in messages], ([], []), dict.fromkeys(Answer, 0), 0
    while any(left) or any(len(came[1 - side]) < len(messages[side]) for side in (0, 1)):
        now += STEP
        if now >= most:
            raise TimeoutError(now)
        for side, end in enumerate(pair):
            while left[side] and end.submit(left[side][-1], now):
                left[side].pop()
            for frame in end.frames(now):
                wires[side].send(frame, now)
        for side, end in enumerate(pair):
            for frame in wires[1 - side].landed(now):
                answers[end.arrive(frame, now)] += 1
            came[side].extend(end.messages())
    return (came[1], came[0]), wires, answers, now
