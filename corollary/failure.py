"""How does a guest fail? With one exception, whatever went wrong: what it was, in which module, and in which calls."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from corollary.language.types import Enum
from corollary.limits import LimitExceeded
from corollary.meter import Meter
from corollary.module import Refused
from corollary.outcome import Busy, Exited, Frame, HostCall, Stopped, Trapped, Unlinkable
from corollary.problem import Problem

PROBLEMS = (Refused, Unlinkable, Trapped, Stopped, Exited, Busy, LimitExceeded)
"""What can be raised because of a guest."""
OUTPUT = 10 << 20  # bytes that a guest may give away at once, at most


class Fault(Enum):
    """What went wrong?"""

    REFUSED = 0  # the bytes are no module, or none that may run
    UNLINKABLE = 1  # it imports what it does not get, or does not export what it has to
    TRAPPED = 2  # it trapped, or a function of the host that it called failed
    SPENT = 3  # its fuel is spent
    LATE = 4  # its time is up
    INTERRUPTED = 5  # somebody interrupted it
    EXITED = 6  # it asked to end
    WAITING = 7  # it called a function that nobody gave
    BUSY = 8  # it is in the middle of a call, or no instance is free
    NO_ROOM = 9  # it is beyond the limits
    OUTPUT = 10  # what it gives away is longer than it may be, and was not read
    BROKEN = 11  # it did not do what its interface demands


class OutputExceeded(Problem):
    """A guest wants to give away more than it may. Nothing of it was read."""


class GuestFailure(Problem):
    """A guest failed, by a `Fault`.

    `digest` is the SHA-256 of its module in hexadecimal, `message` says what happened, and `backtrace` is a tuple of
    `Frame`, innermost first. As a string it tells all of this.
    """

    def __init__(self, message: str, fault: Fault = Fault.BROKEN, digest: str = "", backtrace: Iterable[Frame] = ()):
        self.message, self.fault, self.digest, self.backtrace = message, fault, digest, tuple(backtrace)
        super().__init__(message)

    @classmethod
    def of(cls, problem: Problem, digest: str, meter: Meter) -> "GuestFailure":
        """Return the failure that one of `PROBLEMS` is; `meter` is what limited the guest."""
        message = problem.message if isinstance(problem, Trapped) else str(problem)
        return cls(message, fault_of(problem, meter), digest, getattr(problem, "backtrace", ()))

    def __str__(self):
        calls = [f"  in {frame}" for frame in self.backtrace]
        return "\n".join([f"{self.fault.name}: {self.message}", *calls, *([f"  of {self.digest}"] * bool(self.digest))])


@contextmanager
def failures_of(digest: str, meter: Meter) -> Iterator[None]:
    """Raise `GuestFailure`, and nothing else, for what a guest does within the context."""
    try:
        yield
    except GuestFailure as failure:
        failure.digest = digest
        raise
    except PROBLEMS as problem:
        raise GuestFailure.of(problem, digest, meter) from problem


def fault_of(problem: Problem, meter: Meter) -> Fault:
    """Return what one of `PROBLEMS` means; `meter` is what limited the guest."""
    if isinstance(problem, Stopped):
        return stopped(problem, meter)
    if isinstance(problem.__cause__, OutputExceeded):
        return Fault.OUTPUT
    return next(fault for kind, fault in FAULTS.items() if isinstance(problem, kind))


FAULTS = {
    Refused: Fault.REFUSED,
    Unlinkable: Fault.UNLINKABLE,
    Trapped: Fault.TRAPPED,
    Exited: Fault.EXITED,
    Busy: Fault.BUSY,
    LimitExceeded: Fault.NO_ROOM,
}


def stopped(problem: Stopped, meter: Meter) -> Fault:
    """Return why a call was stopped."""
    if isinstance(problem.outcome, HostCall):
        return Fault.WAITING
    if meter.stopped:
        return Fault.INTERRUPTED
    return Fault.SPENT if meter.fuel == 0 else Fault.LATE if meter.late else Fault.TRAPPED


def check_output(size: int, most: int = OUTPUT) -> None:
    """Raise `OutputExceeded` before more is read of a guest than it may give away."""
    if size > most:
        raise OutputExceeded(f"{size} bytes of output, at most {most} are allowed")
