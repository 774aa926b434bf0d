"""How can a call end?"""

from dataclasses import dataclass, field
from types import SimpleNamespace

from corollary.problem import Problem
from spec.wasm.traps import Trap


@dataclass(frozen=True)
class Returned:
    """It is done: the results, as Python values."""

    values: tuple

    @property
    def value(self):
        """The only result; None where there is none. Raises `ValueError` where there are several."""
        if len(self.values) > 1:
            raise ValueError(f"there are {len(self.values)} results: take `values`")
        return self.values[0] if self.values else None


@dataclass(frozen=True)
class Suspended:
    """Its fuel is spent, its time is up (`late`), or `interrupt` was called (`interrupted`); it goes on where it is."""

    late: bool = False
    interrupted: bool = False


@dataclass(frozen=True)
class HostCall:
    """It wants an imported function that nobody gave; it goes on with the results."""

    module: str
    name: str
    arguments: tuple


@dataclass(frozen=True)
class Frame:
    """A call in a backtrace: the index of a function, and of what module.

    Its name is read when somebody wants it: a module may have more names than a call may take time.
    """

    function: int
    module: object = field(default=None, repr=False, compare=False)

    @property
    def name(self):
        """The name of the function, if it has one."""
        return None if self.module is None else self.module.names.get(self.function)

    def __reduce__(self):
        return Frame, (self.function, SimpleNamespace(names={self.function: self.name}))

    def __str__(self):
        return f"#{self.function}" + (f" {self.name}" if self.name is not None else "")


class Trapped(Problem):
    """WebAssembly code trapped, or a function of the host failed (`trap` is None): why, and where, innermost first."""

    def __init__(self, trap=None, backtrace=(), message=None):
        self.trap, self.backtrace = trap, tuple(backtrace)
        self.message = message or Trap.notes[trap.name]
        super().__init__(self.message)

    def __str__(self):
        return "\n".join([self.message, *(f"  in {frame}" for frame in self.backtrace)])


class Stopped(Problem):
    """What cannot go on, and cannot be suspended, as loading, or a call within a call of the host: all of it ends.

    `outcome` is what such a call would wait for.
    """

    def __init__(self, message, outcome=None):
        self.outcome = outcome
        super().__init__(message)


class Exited(Problem):
    """The program asked to end, with a status."""

    def __init__(self, status):
        self.status = status
        super().__init__(f"the program ended with status {status}")


class Busy(Problem):
    """The instance is in the middle of a call: one of another thread, one that waits, or the one that asks itself."""


class Unlinkable(Problem):
    """An import is missing, or is not what the module needs."""

    def __init__(self, message):
        self.message = message
        super().__init__(message)
