"""How long may a call run, with all calls within it? Until its fuel or its time is used up, or it is interrupted."""

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from corollary.lasting import is_over
from corollary.limits import MOST, check_whole
from corollary.outcome import Stopped

Item = TypeVar("Item")
TURN = 10_000_000  # nanoseconds between two checks in Python whether the call was interrupted
POLLED = 256  # items between two checks of the clock
LONGEST = 1 << 30  # seconds; a longer time counts as no limit


class Chain(threading.local):
    """The meters of this thread's calls, each with the frame that uses it. A meter ends with its frame."""

    def __init__(self):
        self.meters = []

    def innermost(self):
        """Return the meter of the innermost running call, or None."""
        while self.meters and is_over(self.meters[-1][1]):
            self.meters.pop()
        return self.meters[-1][0] if self.meters else None

    def depth(self):
        """Return how many calls with a meter run within one another."""
        self.innermost()
        return len(self.meters)


RUNNING = Chain()


class Meter:
    """What a call may still use: `fuel` in safe points and time in `seconds`, each None for no limit.

    A call within another may use no more than the outer one; `parent` is the outer call's meter.
    Raises `TypeError` or `ValueError` when fuel or time is not a number in range.
    """

    def __init__(self, fuel: int | None = None, seconds: float | None = None, parent: "Meter | None" = None):
        if fuel is not None:
            check_whole("fuel", fuel, MOST["fuel"])
        self.own, self.end, self.parent, self.interrupted = fuel, end_of(seconds), parent, False
        if parent is not None and parent.end is not None:
            self.end = parent.end if self.end is None else min(self.end, parent.end)

    @property
    def fuel(self) -> int | None:
        """The safe points that are left, or None for no limit."""
        least, meter = self.own, self.parent
        while meter is not None:
            if meter.own is not None and (least is None or meter.own < least):
                least = meter.own
            meter = meter.parent
        return least

    @property
    def late(self) -> bool:
        """Is the time up?"""
        return self.end is not None and time.monotonic_ns() >= self.end

    @property
    def stopped(self) -> bool:
        """Was it interrupted, or a call around it?"""
        meter = self
        while meter is not None:
            if meter.interrupted:
                return True
            meter = meter.parent
        return False

    @property
    def over(self):
        """Is there any reason to stop?"""
        return self.fuel == 0 or self.late or self.stopped

    def budget(self):
        """Return the safe points and the nanoseconds that may pass before the next check."""
        left = TURN if self.end is None else min(TURN, self.end - time.monotonic_ns())
        if left <= 0 or self.stopped:
            return 0, 0
        fuel = self.fuel
        return MOST["fuel"] if fuel is None else fuel, left

    def spend(self, count):
        """Count `count` passed safe points."""
        meter = self
        while meter is not None:
            if meter.own is not None:
                meter.own = max(0, meter.own - count)
            meter = meter.parent

    def charge(self, count, what):
        """Raise `Stopped` when fewer than `count` units of fuel are left; spend none."""
        if self.own is not None and self.own < count:
            raise Stopped(f"{what} needs {count} units of fuel, there are {self.own}")

    def check(self, what):
        """Raise `Stopped` when the time is up or it was interrupted."""
        if self.late or self.stopped:
            raise Stopped(f"{what} is not over, but {'somebody interrupted it' if self.stopped else 'its time is up'}")

    def watched(self, items: Iterable[Item], what: str, often: int = POLLED) -> Iterator[Item]:
        """Yield the items, with a `check` before each `often`-th one; raises `Stopped`."""
        for number, item in enumerate(items):
            if number % often == 0:
                self.check(what)
            yield item

    def interrupt(self):
        """Ask the call to stop. Any thread may call this; the call checks once a turn."""
        self.interrupted = True

    def __enter__(self):
        RUNNING.meters.append((self, sys._getframe(1)))
        return self

    def __exit__(self, *_):
        frame, meters = sys._getframe(1), RUNNING.meters
        while meters and meters.pop()[1] is not frame:
            pass  # an exception tore down the calls within


def end_of(seconds: float | None) -> int | None:
    """Return the time of the monotonic clock, in nanoseconds, that lies `seconds` from now.

    Returns None for no limit: if `seconds` is None, or very long. Raises `TypeError` unless it is an int or a float,
    and `ValueError` unless it is 0 or more.
    """
    if seconds is None:
        return None
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
        raise TypeError(f"seconds is an int or a float of at least 0, or None, not {seconds!r}")
    if not seconds >= 0:
        raise ValueError(f"seconds is a time of at least 0: {seconds} is none")
    return None if seconds > LONGEST else time.monotonic_ns() + int(seconds * 1e9)


def meter_within(fuel: int | None, seconds: float | None) -> Meter:
    """Return a new meter, within that of the running call, if there is one.

    Work that is not a call uses this, and has fuel of its own.
    """
    return Meter(fuel, seconds, RUNNING.innermost())


def meter_of(fuel: int | None, seconds: float | None, usual: int | None) -> Meter:
    """Return the meter of a call that begins here.

    If neither `fuel` nor `seconds` is given, it is the meter of the call around it. Without such a call, `usual` stands
    for fuel that is not given.
    """
    parent = RUNNING.innermost()
    if parent is not None and fuel is None and seconds is None:
        return parent
    return Meter(usual if fuel is None else fuel, seconds, parent)
