"""Who ran when? Each partition of the race keeps its stints; together they are the turns of the scheduler."""

from dataclasses import dataclass
from itertools import groupby, pairwise

from corollary.emulation.layout import FIRST_REGION, STINT_PAGES, STINTS_OF
from corollary.emulation.machine import remembering, start, words_of
from corollary.emulation.package import racers
from corollary.emulation.verdict import Transcript
from corollary.language.layout import decode
from corollary.spec.kernel.limits import PAGE_BITS, REGION_BITS, ROOT
from corollary.spec.kernel.memory_map import PAGE
from corollary.spec.kernel.state import Kernel

NAMES = ("root", "steady", "maker", "restless", "talker", "listener", "faulty", "child")
BUSY = ("steady", "maker", "child")  # compute all the time
ALWAYS = ("root", "restless", "talker", *BUSY)  # can run all the time


@dataclass(frozen=True)
class Race:
    """What came of a race: turns of the scheduler in order, as `(name, begin, end)` in ns, and shares by name."""

    turns: list
    shares: dict

    @property
    def bound(self):
        """How many turns anybody waits at most while all can run, by theorem TURN-15."""
        return 2 * (len(NAMES) - 1) + 1

    def longest_wait(self, name):
        """Return how many turns others had at most between two of the named partition."""
        order = [who for who, _ in groupby(name for name, _, _ in self.turns)]
        at = [place for place, who in enumerate(order) if who == name]
        return max(after - before - 1 for before, after in pairwise(at))

    def error(self, name):
        """Return how far beside its share a partition ran that is always busy, relative to this share."""
        ran = {busy: sum(end - begin for who, begin, end in self.turns if who == busy) for busy in BUSY}
        share = self.shares[name] / sum(self.shares[busy] for busy in BUSY)
        return ran[name] / sum(ran.values()) / share - 1


def race():
    """Run the race under QEMU, to its end. Raises `RuntimeError` if root does not end it."""
    run = Transcript(bytes(32), names=NAMES)
    system = racers()
    with remembering() as (shared, state):
        for line in start(system, run.key, *shared):
            run.take(line)
        data = state()
    if run.told.get(ROOT) != [["root", "done"]]:
        raise RuntimeError(f"root told of something else than the end: {run.told.get(ROOT)}")
    partitions = decode(data, Kernel).partition
    return Race(
        in_order({name: stints_of(data, p) for p, name in enumerate(NAMES)}),
        {name: int(partitions[p].share) for p, name in enumerate(NAMES)},
    )


def stints_of(data, p):
    """Return the stints of partition `p` from the bytes of a state: `(begin, end)` in ns, one after the other."""
    page = (p + FIRST_REGION << REGION_BITS) + STINTS_OF
    at = Kernel.layout["memory"].offset + (page << PAGE_BITS)
    words = words_of(data[at : at + STINT_PAGES * PAGE])
    return [pair for pair in zip(words[::2], words[1::2]) if any(pair)]


def in_order(stints):
    """Return the stints of all, `(name, begin, end)`, in the time in which everybody raced."""
    begin, end = max(own[0][0] for own in stints.values()), min(own[-1][1] for own in stints.values())
    return sorted(
        ((name, *stint) for name, own in stints.items() for stint in own if begin <= stint[0] and stint[1] <= end),
        key=lambda turn: turn[1],
    )
