"""How much may an instance use?"""

from dataclasses import dataclass

from spec.wasm.module import MEMORY_PAGES


@dataclass(frozen=True)
class Limits:
    """Pages of memory, elements of a table, slots of the stack, and safe points of one run (None: any number)."""

    pages: int = MEMORY_PAGES
    elements: int = 10_000_000
    slots: int = 1 << 18
    fuel: int | None = None
