"""How much may a module, and an instance of it, use?"""

from dataclasses import dataclass, fields

from corollary.problem import Problem
from spec.wasm.module import MEMORY_PAGES

MOST = {
    "pages": MEMORY_PAGES, "elements": (1 << 32) - 1, "slots": 1 << 28, "fuel": (1 << 64) - 1, "tables": 10_000,
    "globals": 1 << 24, "functions": 1 << 24, "objects": 1 << 25, "size": (1 << 32) - 1}
"""What no limit may be above: more cannot be named, or cannot be had."""


@dataclass(frozen=True)
class Limits:
    """What a module asks for at its start, and what its instance grows to: more is refused with `LimitExceeded`.

    A limit is a whole number. Raises `TypeError` or `ValueError` for what is none, or above `MOST`.
    """

    pages: int = MEMORY_PAGES           # of the memory, 64 KiB each
    elements: int = 10_000_000          # of all tables together
    slots: int = 1 << 18                # of the stack, 8 bytes each
    fuel: int | None = None             # safe points of one call; None: any number
    tables: int = 100
    globals: int = 100_000
    functions: int = 1_000_000
    objects: int = 1 << 20              # objects of Python that its references mean at once
    size: int = 1 << 28                 # of the module, in bytes

    def __post_init__(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None or field.default is not None:
                check_whole(f"Limits({field.name}=...)", value, MOST[field.name])


class LimitExceeded(Problem):
    """Something asks for more than its limits allow, or than this machine has. Nothing of it was made."""


def check_whole(what, value, most):
    """Raise `TypeError` or `ValueError` unless a value is an int from 0 to `most`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} is a whole number from 0 to {most}, not {value!r}")
    if not 0 <= value <= most:
        raise ValueError(f"{what} is a whole number from 0 to {most}, not {value}")


def check_asked(what, asked, limit):
    """Raise `LimitExceeded` where more is asked for than a limit allows."""
    if asked > limit:
        raise LimitExceeded(f"{asked} {what} are asked for, the limit is {limit}: give `Limits({what}=...)`")
