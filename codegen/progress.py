"""How far is a run, and how long does the rest take? A bar says so, from what earlier runs took where that is known."""

import math
from collections import defaultdict
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

LEFT = "left"  # the field of a task with the seconds that the rest may take
UNKNOWN = 1.0  # seconds expected of work about which nothing is known


class Remaining(ProgressColumn):
    """The time that the rest may take: as its task says, or else at the speed so far."""

    max_refresh = 0.5  # s

    def render(self, task):
        """Return the time as text; nothing if it is not known, or nothing is left."""
        seconds = task.fields.get(LEFT)
        if seconds is None:
            seconds = task.time_remaining
        over = task.total is not None and task.completed >= task.total
        known = seconds is not None and math.isfinite(seconds)
        return Text(f"{spoken(seconds)} left" if known and not over else "", style="progress.remaining")


def spoken(seconds):
    """Return a time as text for people."""
    return f"{round(seconds)} s" if seconds < 120 else f"{round(seconds / 60)} min"


def bar(console, **options):
    """Return the bar of progress that all commands show."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), Remaining()
    return Progress(*columns, console=console, **options)


def left(seconds) -> dict[str, Any]:
    """Return the fields of a task of which the rest may take these seconds; None if nobody knows."""
    return {LEFT: seconds}


class Pace:
    """How long may each piece of work take? As long as the last time, or else as its kind takes in this run.

    `last` returns the seconds that a piece took the last time, or None; `kind` returns the kind of a piece.
    """

    def __init__(self, last, kind):
        self.last, self.kind = last, kind
        self.spent = defaultdict(lambda: [0.0, 0])  # by kind: seconds and how many

    def took(self, id_, seconds):
        """Record the time that a piece took: others of its kind may take as long."""
        spent = self.spent[self.kind(id_)]
        spent[0], spent[1] = spent[0] + seconds, spent[1] + 1

    def expected(self, id_):
        """Return the seconds that a piece may take."""
        seconds, count = self.spent[self.kind(id_)]
        known = self.last(id_)
        return known if known is not None else seconds / count if count else UNKNOWN

    def left(self, ids, workers=1):
        """Return the seconds that some pieces may take on some workers."""
        return sum(map(self.expected, ids)) / workers
