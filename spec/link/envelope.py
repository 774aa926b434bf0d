"""What is an envelope? Bytes that ChaCha20-Poly1305 seals and opens in place (RFC 8439).

Numbers of several bytes have the low byte first, as everywhere in that document.
"""

from corollary.language.types import Array, Enum, Index, Slice, u8, u32, u64
from corollary.language.values import Record, length

BLOCK = 64  # bytes of the key stream that are made at once
PIECE = 16  # bytes that the authenticator takes at once
TAG = 16  # bytes of a tag
WORD = 4  # bytes of a word
LARGEST = 0xFFFFFFFF * BLOCK  # bytes of content: the counter of blocks has 32 bits and begins at 1 (2.8)

StateWord = Index("StateWord", 16)  # of the state of ChaCha20

Key = Array[u32, 8]
Nonce = Array[u32, 3]
Tag = Array[u32, 4]
KeyStream = Array[u32, 16]
Limbs = Array[u32, 5]


class Fault(Enum):
    """Why an envelope is not sealed, or not opened."""

    NONE = 0
    NO_ROOM = 1  # the bytes are too few for what they are said to hold, or the content is too large
    FORGED = 2  # the tag is not that of these bytes


class Envelope(Record):
    """Bytes, and what they are sealed with: additional data, then the content, then the tag."""

    bytes: Slice[u8]
    additional: u64  # bytes that are authenticated only
    content: u64  # bytes that are encrypted, too
    key: Key
    nonce: Nonce


class Authenticator(Record):
    """A tag in the making (2.5.1): numbers below 2 ** 130 in limbs of 26 bits, the low one first."""

    sum: Limbs
    factor: Limbs
    pad: Tag  # is added in the end


def is_whole(e: Envelope) -> bool:
    """Do the bytes have room for additional data, content and tag?"""
    return e.content <= LARGEST and e.additional <= LARGEST and e.additional + e.content + TAG <= length(e.bytes)


def has(e: Envelope, at: u64, count: u64) -> bool:
    """Are there so many bytes from a position on?"""
    return at <= length(e.bytes) and count <= length(e.bytes) - at
