"""What does each number of a constant table stand for?

Rows have names, and their values may have names, too. Generated text uses them.
"""

from collections.abc import Iterable
from typing import Any

from corollary.language.types import EnumMeta


class Rows(tuple):
    """The numbers of a constant table, with what its rows are called.

    `index` is the enumeration that the table is indexed by, or the name of each row. `type` is the enumeration or flags
    type of the numbers, if they have one. Most rows may hold the same number, which says that there is nothing for
    them: `nothing`. It is called `absent`, unless it is 0.
    """

    index: Any
    type: Any
    nothing: int
    absent: str

    def __new__(cls, values: Iterable, index: Any = (), type_: Any = None, nothing: int = 0, absent: str = ""):
        self = super().__new__(cls, map(int, values))
        self.index = index if isinstance(index, EnumMeta) else tuple(index)
        self.type, self.nothing, self.absent = type_, nothing, absent
        return self


class Characters(tuple):
    """The characters of a text in ASCII, as a constant table."""
