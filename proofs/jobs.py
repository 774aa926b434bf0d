"""Which obligations does a worker decide next? A few of a step that it knows, beginning with the longest.

The expected time of an obligation is the time that it took last, or else the average of its kind in this run.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

from corollary.codegen.progress import Pace

TURN = 3.0  # seconds of work that a worker takes at once, unless one obligation takes longer


@dataclass(frozen=True)
class Job:
    """Some obligations of one step, or the task to list them, when `ids` is None."""

    step: str
    ids: tuple | None = None


class Jobs:
    """The work that is left. `last` returns the seconds that an obligation took the last time, or None."""

    def __init__(self, last):
        self.pace = Pace(cache(last), kind)
        self.expected, self.took = self.pace.expected, self.pace.took
        self.unlisted, self.left, self.begun = {}, {}, set()

    def __bool__(self):
        return bool(self.unlisted or self.left)

    def add_step(self, step, ids=()):
        """Add a step that is not listed yet; `ids` are the obligations that it had the last time."""
        self.unlisted[step] = sum(map(self.expected, ids)) if ids else math.inf

    def add(self, step, ids):
        """Add some obligations of a step."""
        ids = [*self.left.pop(step, ()), *ids]
        if ids:
            self.left[step] = sorted(ids, key=self.expected, reverse=True)

    def next(self, step: Any = None):
        """Return the next job for a worker that was busy with `step`; None if nothing is left.

        The worker goes on with that step. If nothing of it is left, the worker begins the longest step that nobody has
        begun. Otherwise it helps with the longest step that is left.
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

    def all_left(self):
        """The seconds that everything which nobody has begun may take; infinite when not all of it is listed."""
        return sum(map(self.seconds_left, {*self.unlisted, *self.left}))

    def turn(self, step):
        """Take the first remaining obligations of a step, for one turn."""
        self.begun.add(step)
        ids, taken, seconds = self.left.pop(step), 0, 0.0
        while taken < len(ids) and (not taken or seconds + self.expected(ids[taken]) <= TURN):
            seconds += self.expected(ids[taken])
            taken += 1
        if ids[taken:]:
            self.left[step] = ids[taken:]
        return tuple(ids[:taken])


def kind(id_):
    """Return the kind of an obligation: its id without the step and without a number at the end."""
    return id_.split("/", 1)[-1].rstrip("0123456789")
