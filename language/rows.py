"""What does each number of a constant table stand for? Rows have names, which generated text says, and so may their values."""


class Rows(tuple):
    """Numbers of a constant table, the name of each row, and the enumeration or flags that the numbers are of, if any."""

    def __new__(cls, values, names=(), type_=None):
        self = super().__new__(cls, map(int, values))
        self.names, self.type = tuple(names), type_
        return self
