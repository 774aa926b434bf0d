"""Which objects must not be copied? Those that hold addresses: a copy would be a second name for the same memory."""


class Uncopied:
    """An object that `copy` and `pickle` refuse with `TypeError`."""

    __slots__ = ()
    advice = "make another one"

    def __reduce_ex__(self, _):
        what = type(self).__name__
        raise TypeError(f"{what} holds memory of this process, it cannot be copied or pickled: {self.advice}")
