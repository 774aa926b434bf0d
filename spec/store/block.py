"""What is a block of compressed bytes? The LZ4 block format.

A block is a row of sequences: a token, literals, and a match, which repeats bytes that came before. The high half of
a token is the number of literals, the low half the length of the match beyond the shortest. A half that is full is
continued: each further byte is added, up to the first that is not 255. After the literals stands the offset of the
match, in two bytes, the low one first. The last sequence ends behind its literals.
"""

from corollary.language.types import Enum, Index, Slice, Table, u8, u32, u64
from corollary.language.values import Record

FULL = 15  # half of a token that is continued
CONTINUED = 255  # a byte of a length after which another one follows
SHORTEST = 4  # bytes of a match
OFFSET = 2  # bytes of an offset
FARTHEST = 65535  # bytes from a match back to what it repeats
LAST_LITERALS = 5  # bytes at the end of the content that no match may make
LAST_MATCH = 12  # bytes before the end of the content at which the last match may begin
LARGEST = 0x7E000000  # bytes of content, as in the reference implementation
LARGEST_BLOCK = LARGEST + LARGEST // 255 + 16  # bytes of a block: content that has no matches

Bucket = Index("Bucket", 4096)


class BlockFault(Enum):
    """Why bytes are not compressed, or a block is refused."""

    NONE = 0
    TOO_LARGE = 1  # the block or its content is larger than the format allows
    NO_ROOM = 2  # the output is too small
    TRUNCATED = 3  # the block ends within a sequence, or behind a match
    ZERO_OFFSET = 4  # a match has the offset 0
    BEFORE_START = 5  # a match repeats what lies before the beginning
    LATE_MATCH = 6  # a match begins or ends too close to the end of the content
    UNFILLED = 7  # the content is smaller than the room for it


class Compression(Record):
    """Bytes that become a block."""

    content: Slice[u8]
    block: Slice[u8]
    made: u64  # bytes of the block
    latest: Table[Bucket, u32]  # where a word with this hash began last in the content


class Decompression(Record):
    """A block that becomes bytes again."""

    block: Slice[u8]
    content: Slice[u8]  # as many bytes as there must be
    at: u64  # how far the block was read, or where something is wrong
    made: u64  # bytes of the content that are there
