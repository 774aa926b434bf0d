"""How much may a module and its instance use?"""

from dataclasses import dataclass, fields

from corollary.problem import Problem
from corollary.spec.wasm.module import MEMORY_PAGES

MOST = {
    "pages": MEMORY_PAGES,
    "elements": (1 << 32) - 1,
    "slots": 1 << 28,
    "fuel": (1 << 64) - 1,
    "tables": 10_000,
    "globals": 1 << 24,
    "functions": 1 << 24,
    "objects": 1 << 25,
    "definitions": 1 << 24,
    "instances": 1 << 16,
    "memories": 1 << 16,
    "size": (1 << 32) - 1,
}
"""The largest value of each limit: more cannot be addressed, or cannot be provided."""


@dataclass(frozen=True)
class Limits:
    """What a module may ask for at its start, and what its instance may grow to.

    More raises `LimitExceeded`. Each limit is an int from 0 to its value in `MOST`; only `fuel` may be None, which
    means no limit. Raises `TypeError` for anything else, and `ValueError` for an int outside that range.
    """

    pages: int = MEMORY_PAGES  # of the memory; a page has 64 KiB
    elements: int = 10_000_000  # of all tables together
    slots: int = 1 << 18  # of the stack; a slot has 8 bytes
    fuel: int | None = None  # safe points of one call; None: no limit
    tables: int = 100
    globals: int = 100_000
    functions: int = 1_000_000
    objects: int = 1 << 20  # Python objects that its references stand for at once
    definitions: int = 100_000  # of a component with their parts: those it is decoded to, and those of its instances
    instances: int = 1000  # of modules and components, that a component consists of
    memories: int = 1000  # of all these together
    size: int = 1 << 28  # of the module, in bytes

    def __post_init__(self):
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None or field.default is not None:
                check_whole(f"Limits({field.name}=...)", value, MOST[field.name])


class LimitExceeded(Problem):
    """A request goes beyond the limits, or beyond what this machine has. Nothing was made for it.

    `limit` names the one of `Limits` that it exceeds, or is None.
    """

    def __init__(self, message: str, limit: str | None = None):
        self.message, self.limit = message, limit
        super().__init__(message if limit is None else f"{message}: give `Limits({limit}=...)`")


def check_whole(what: str, value: object, most: int) -> None:
    """Raise `TypeError` unless a value is an int, and `ValueError` unless it is from 0 to `most`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} is a whole number from 0 to {most}, not {value!r}")
    if not 0 <= value <= most:
        raise ValueError(f"{what} is a whole number from 0 to {most}, not {value}")


def check_asked(what: str, asked: int, limit: int) -> None:
    """Raise `LimitExceeded` when more is asked for than the limit allows."""
    if asked > limit:
        raise LimitExceeded(f"{asked} {what} are asked for, the limit is {limit}", what)
