"""How does a store of vectors lie in memory? A table of words, and the elements of each row.

The table has a header of `HEADER` words: `MAGIC`, dimension, type of the elements, capacity, version of the store, and
zeros. Then it has a key and a version for each row from row 0 on; a version of 0 says that the row holds no vector. The
elements of a row lie side by side, those of row 0 first. They are bytes or words, as their type is.
"""

from corollary.language.types import Slice, u8, u32, u64
from corollary.language.values import Record
from corollary.spec.vectors.state import Vectors

MAGIC = 0x31305354_43455643  # "CVECTS01", the first character in the lowest byte
HEADER = 8  # words
AT_DIMENSION = 1
AT_ELEMENT = 2
AT_CAPACITY = 3
AT_LATEST = 4
AT_ZEROS = 5
ENTRY = 2  # words of a row: its key and its version


class Store(Record):
    """A store in memory that somebody lends. Its index is kept beside it."""

    index: Vectors
    table: Slice[u64]
    bytes: Slice[u8]  # elements, if they are bytes
    words: Slice[u32]  # elements, if they are words
