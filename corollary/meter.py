"""How long may a call run? So many safe points, so much time, until somebody interrupts it, with all calls within."""

import sys
import threading
import time

from corollary.lasting import is_over
from corollary.limits import MOST, check_whole
from corollary.outcome import Stopped

TURN = 10_000_000       # nanoseconds after which Python is asked whether to go on: somebody may have interrupted
POLLED = 256            # items between two looks at the clock
LONGEST = 1 << 30       # seconds; a longer time is any time


class Chain(threading.local):
    """The meters of the calls that this thread is in, each with the frame that goes by it, and is over with it."""

    def __init__(self):
        self.meters = []

    def innermost(self):
        """The meter of the call that is running, if any."""
        while self.meters and is_over(self.meters[-1][1]):
            self.meters.pop()
        return self.meters[-1][0] if self.meters else None


RUNNING = Chain()


class Meter:
    """What a call may still use: safe points (None: any number), and time in seconds (None: any).

    Within another call, its `parent`, it is no more than what that one may.
    Raises `TypeError` or `ValueError` for what is no number of safe points, or no time.
    """

    def __init__(self, fuel=None, seconds=None, parent=None):
        if fuel is not None:
            check_whole("fuel", fuel, MOST["fuel"])
        self.own, self.end, self.parent, self.interrupted = fuel, end_of(seconds), parent, False
        if parent is not None and parent.end is not None:
            self.end = parent.end if self.end is None else min(self.end, parent.end)

    @property
    def fuel(self):
        """The safe points that are left; None for any number."""
        least, meter = self.own, self.parent
        while meter is not None:
            if meter.own is not None and (least is None or meter.own < least):
                least = meter.own
            meter = meter.parent
        return least

    @property
    def late(self):
        """Is the time up?"""
        return self.end is not None and time.monotonic_ns() >= self.end

    @property
    def stopped(self):
        """Did somebody interrupt it, or a call that it is within?"""
        meter = self
        while meter is not None:
            if meter.interrupted:
                return True
            meter = meter.parent
        return False

    @property
    def over(self):
        """Is there any reason not to go on?"""
        return self.fuel == 0 or self.late or self.stopped

    def budget(self):
        """The safe points that may pass before it is asked again, and the nanoseconds."""
        left = TURN if self.end is None else min(TURN, self.end - time.monotonic_ns())
        if left <= 0 or self.stopped:
            return 0, 0
        fuel = self.fuel
        return MOST["fuel"] if fuel is None else fuel, left

    def spend(self, count):
        """Safe points were passed."""
        meter = self
        while meter is not None:
            if meter.own is not None:
                meter.own = max(0, meter.own - count)
            meter = meter.parent

    def charge(self, count, what):
        """Raise `Stopped` where there are fewer units than are needed at once."""
        if self.own is not None and self.own < count:
            raise Stopped(f"{what} needs {count} units of fuel, there are {self.own}")

    def check(self, what):
        """Raise `Stopped` when it cannot go on."""
        if self.late or self.stopped:
            raise Stopped(f"{what} is not over, but {'somebody interrupted it' if self.stopped else 'its time is up'}")

    def watched(self, items, what, often=POLLED):
        """The items, as long as it can go on; raises `Stopped`."""
        for number, item in enumerate(items):
            if number % often == 0:
                self.check(what)
            yield item

    def interrupt(self):
        """From any thread: the call shall not go on. It looks once a turn."""
        self.interrupted = True

    def __enter__(self):
        RUNNING.meters.append((self, sys._getframe(1)))
        return self

    def __exit__(self, *_):
        frame, meters = sys._getframe(1), RUNNING.meters
        while meters and meters.pop()[1] is not frame:
            pass        # an exception tore down what was within


def end_of(seconds):
    """When a time from now ends, on the monotonic clock in nanoseconds; None for any time, as a very long one is.

    Raises `TypeError` or `ValueError` for what is no time.
    """
    if seconds is None:
        return None
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
        raise TypeError(f"seconds is an int or a float of at least 0, or None, not {seconds!r}")
    if not seconds >= 0:
        raise ValueError(f"seconds is a time of at least 0: {seconds} is none")
    return None if seconds > LONGEST else time.monotonic_ns() + int(seconds * 1e9)


def meter_within(fuel, seconds):
    """The meter of what is no call, and has fuel of its own; the time is that of the call that it is within, too."""
    return Meter(fuel, seconds, RUNNING.innermost())


def meter_of(fuel, seconds, usual):
    """The meter of a call that begins here: it may use what is said, or what the call around it may, or the usual."""
    parent = RUNNING.innermost()
    if parent is not None and fuel is None and seconds is None:
        return parent
    return Meter(usual if fuel is None else fuel, seconds, parent)
