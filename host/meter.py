"""How long may a call run? So many safe points, until some time; calls within it draw on the same."""

import time

SLICE = 1 << 20         # safe points until Python is asked again: for the time, and whether somebody wants to interrupt
TIMED = 1 << 14         # the same where there is a deadline

_running = []


class Meter:
    """What a call may still use: safe points (None: any number), and time in seconds (None: any)."""

    def __init__(self, fuel=None, seconds=None):
        if fuel is not None and fuel < 0:
            raise ValueError(f"fuel is a number of safe points, 0 or more; {fuel} is none")
        self.fuel = fuel
        self.end = None if seconds is None else time.monotonic() + seconds
        self.slice = SLICE if seconds is None else TIMED

    @property
    def late(self):
        """Is the time up?"""
        return self.end is not None and time.monotonic() >= self.end

    def budget(self):
        """How many safe points the machine may pass before it asks again."""
        return 0 if self.late else self.slice if self.fuel is None else min(self.slice, self.fuel)

    def spend(self, count):
        """Safe points were passed."""
        if self.fuel is not None:
            self.fuel -= count

    def __enter__(self):
        _running.append(self)
        return self

    def __exit__(self, *_):
        _running.pop()


def current():
    """The meter of the call that is running, if any."""
    return _running[-1] if _running else None
