"""What does a store of vectors answer, what are its elements, and what is near?"""

from corollary.language.types import Enum


class Status(Enum):
    """What an operation answers."""

    OK = 0
    OPEN = 1  # the store is open already
    NOT_OPEN = 2
    BAD_DIMENSION = 3  # a vector has 1 to `MOST_DIMENSION` elements
    BAD_ELEMENT = 4  # no type of elements has this number
    BAD_CAPACITY = 5  # a store has room for 1 to `MOST` vectors
    BAD_VERSION = 6  # a vector that was stored has no version, or one that the store has not come to
    NO_ROOM = 7  # the memory is smaller than the store needs
    NO_STORE = 8  # the memory does not begin as a store does
    DAMAGED = 9  # what is stored contradicts itself
    ROW_TAKEN = 10  # the row is not one of the store, or holds a vector
    WRONG_PLACE = 11  # the row is not that of the greatest key below this one
    KEY_KNOWN = 12  # the store has a vector of this key already
    ABSENT = 13  # the store has no vector of this key
    STALE_VERSION = 14  # the vector has another version than the expected one
    FULL = 15
    EXHAUSTED = 16  # the store has come to its last version
    NOT_FINITE = 17  # an element is a NaN or an infinity
    NO_SEARCH = 18
    STALE_SEARCH = 19  # the store has changed since the search began
    SEARCHED = 20  # all rows were looked at
    UNFINISHED = 21  # not all rows were looked at


class Element(Enum):
    """The type of the elements of a store."""

    I8 = 0  # in two's complement
    F32 = 1  # binary32 of IEEE 754, finite


class Metric(Enum):
    """What makes two vectors near."""

    SQUARED = 0  # a small sum of squared differences
    DOT = 1  # a large dot product
