"""How can a call end?"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NoReturn

from corollary.problem import Problem
from corollary.spec.wasm.traps import Trap


@dataclass(frozen=True)
class Returned:
    """The call has returned: `values` are its results, a tuple of Python values."""

    values: tuple[Any, ...]

    @property
    def value(self) -> Any:
        """The only result, or None if there is none. Raises `ValueError` if there are several."""
        if len(self.values) > 1:
            raise ValueError(f"there are {len(self.values)} results: take `values`")
        return self.values[0] if self.values else None


class Unfinished:
    """A call that has no results yet."""

    @property
    def values(self) -> NoReturn:
        """Raises `AttributeError`: a call has results once it has returned."""
        raise AttributeError(f"the call has no results yet: {self}: `resume` continues it")

    value = values


@dataclass(frozen=True)
class Suspended(Unfinished):
    """The call is suspended, and `resume` continues it.

    `interrupt` was called (`interrupted`), its time is up (`late`), or else its fuel is spent. As a string it says so.
    """

    late: bool = False
    interrupted: bool = False

    def __str__(self):
        return "it was interrupted" if self.interrupted else "its time is up" if self.late else "its fuel is spent"


@dataclass(frozen=True)
class HostCall(Unfinished):
    """The call waits for an imported function that was not given; `resume` takes the results.

    `module` and `name` are those of the import, and `arguments` a tuple of Python values.
    """

    module: str
    name: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Frame:
    """A call in a backtrace: the index of a function, and its module.

    The name is read only when it is needed, because reading the names of a large module may take too long for a call.
    """

    function: int
    module: Any = field(default=None, repr=False, compare=False)

    @property
    def name(self) -> str | None:
        """The name of the function, if it has one."""
        return None if self.module is None else self.module.names.get(self.function)

    def __reduce__(self):
        return Frame, (self.function, SimpleNamespace(names={self.function: self.name}))

    def __str__(self):
        return f"#{self.function}" + (f" {self.name}" if self.name is not None else "")


class Trapped(Problem):
    """WebAssembly code trapped, or a function of the host failed.

    `trap` is the `Trap`, or None if a function of the host failed; `message` says why. `backtrace` is a tuple of
    `Frame`, innermost first.
    """

    def __init__(self, trap: Trap | None = None, backtrace: Iterable[Frame] = (), message: str | None = None):
        self.trap, self.backtrace = trap, tuple(backtrace)
        self.message = message or ("" if trap is None else Trap.notes[trap.name])
        super().__init__(self.message)

    def __str__(self):
        return "\n".join([self.message, *(f"  in {frame}" for frame in self.backtrace)])


class Stopped(Problem):
    """Something had to stop that cannot be suspended, such as loading, or a call within a host call. All of it ends.

    `outcome` is what such a call would have waited for, or None.
    """

    def __init__(self, message: str, outcome: Suspended | HostCall | None = None):
        self.outcome = outcome
        super().__init__(message)


class Exited(Problem):
    """The program asked to end; `status` is its exit status."""

    def __init__(self, status: int):
        self.status = status
        super().__init__(f"the program ended with status {status}")


class Busy(Problem):
    """The instance is in the middle of a call: of another thread, one that waits, or the very call that asks.

    A pool raises it, too, when no instance is free, as does an instance that was given back to its pool.
    """


class Unlinkable(Problem):
    """An import is missing, or is not what the module needs."""

    def __init__(self, message: str):
        self.message = message
        super().__init__(message)
