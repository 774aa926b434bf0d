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
    BAD_COUNT = 6  # a search finds 1 to `RANKS` vectors
    BAD_VERSION = 7  # a vector that was stored has no version, or one that the store has not come to
    NO_ROOM = 8  # the memory is smaller than the store needs
    NO_STORE = 9  # the memory does not begin as a store does
    DAMAGED = 10  # what is stored contradicts itself
    ROW_TAKEN = 11  # the row is not one of the store, or holds a vector
    WRONG_PLACE = 12  # the row is not that of the greatest key below this one
    KEY_KNOWN = 13  # the store has a vector of this key already
    ABSENT = 14  # the store has no vector of this key
    STALE_VERSION = 15  # the vector has another version than the expected one
    FULL = 16
    EXHAUSTED = 17  # the store has come to its last version
    NOT_FINITE = 18  # an element is a NaN or an infinity
    NO_SEARCH = 19
    STALE_SEARCH = 20  # the store has changed since the search began
    SEARCHED = 21  # all rows were looked at
    UNFINISHED = 22  # not all rows were looked at


class Element(Enum):
    """The type of the elements of a store."""

    I8 = 0  # in two's complement
    F32 = 1  # binary32 of IEEE 754, finite


class Metric(Enum):
    """What makes two vectors near."""

    SQUARED = 0  # a small sum of squared differences
    DOT = 1  # a large dot product
