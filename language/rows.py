"""What does each number of a constant table stand for?

Rows have names, and their values may have names, too. Generated text uses them.
"""

from typing import Any


class Rows(tuple):
    """The numbers of a constant table, with the name of each row.

    `type` is the enumeration or flags type of the numbers, if they have one.
    """

    names: tuple[str, ...]
    type: Any

    def __new__(cls, values, names=(), type_=None):
        self = super().__new__(cls, map(int, values))
        self.names, self.type = tuple(names), type_
        return self
