"""Which obligations does a worker decide next? Those of a step that it knows, a few at a time, those that take longest first.

How long one takes is expected from the last time that it was decided, else from others of its kind in this run.
"""

import math
from collections import defaultdict
from dataclasses import dataclass

TURN = 3.0      # seconds of what a worker takes at once, unless a single obligation takes longer
UNKNOWN = 1.0   # seconds of an obligation of which nothing is known


@dataclass(frozen=True)
class Job:
    """Some obligations of one step, or the task to list them, when `ids` is None."""

    step: str
    ids: tuple = None


class Jobs:
    """What is left to do. `last` tells how many seconds an obligation took the last time, or None."""

    def __init__(self, last):
        self.last = last
        self.unlisted, self.left, self.begun = {}, {}, set()
        self.spent = defaultdict(lambda: [0.0, 0])      # by kind: seconds and how many

    def __bool__(self):
        return bool(self.unlisted or self.left)

    def add_step(self, step, ids=()):
        """A step whose obligations nobody knows yet, but for those that it had the last time."""
        self.unlisted[step] = sum(map(self.expected, ids)) if ids else math.inf

    def add(self, step, ids):
        """Some obligations of a step."""
        ids = [*self.left.pop(step, ()), *ids]
        if ids:
            self.left[step] = sorted(ids, key=self.expected, reverse=True)

    def took(self, id_, seconds):
        """An obligation was decided: others of its kind may take as long."""
        spent = self.spent[kind(id_)]
        spent[0], spent[1] = spent[0] + seconds, spent[1] + 1

    def expected(self, id_):
        """The seconds that an obligation may take."""
        seconds, count = self.spent[kind(id_)]
        known = self.last(id_)
        return known if known is not None else seconds / count if count else UNKNOWN

    def next(self, step=None):
        """The job for a worker that was busy with a step before; None if nothing is left.

        It goes on there. Else it begins the longest step that nobody has begun; else it helps with the longest that is left.
        """
        if step not in self.left:
            fresh = [*self.unlisted, *(name for name in self.left if name not in self.begun)]
            step = max(fresh or self.left, key=self.seconds_left, default=None)
        if step in self.unlisted:
            del self.unlisted[step]
            return Job(step)
        return None if step is None else Job(step, self.turn(step))

    def seconds_left(self, step):
        """The seconds that the rest of a step may take."""
        return self.unlisted[step] if step in self.unlisted else sum(map(self.expected, self.left[step]))

    def turn(self, step):
        """Take the first obligations that are left of a step, for one turn."""
        self.begun.add(step)
        ids, taken, seconds = self.left.pop(step), 0, 0.0
        while taken < len(ids) and (not taken or seconds + self.expected(ids[taken]) <= TURN):
            seconds += self.expected(ids[taken])
            taken += 1
        if ids[taken:]:
            self.left[step] = ids[taken:]
        return tuple(ids[:taken])


def kind(id_):
    """What obligations that differ in their step, or in a number, have in common."""
    return id_.split("/", 1)[-1].rstrip("0123456789")
