"""How do numbers lie in the bytes of an envelope? With the low byte first, at any position."""

from corollary.language.contracts import requires
from corollary.language.types import u8, u32, u64
from corollary.spec.link.envelope import WORD, Envelope, has


@requires(lambda e, at: has(e, at, WORD))
def word(e: Envelope, at: u64) -> u32:
    """Return four bytes as a word. Compilers make one load of it."""
    return u32(e.bytes[at]) | u32(e.bytes[at + 1]) << 8 | u32(e.bytes[at + 2]) << 16 | u32(e.bytes[at + 3]) << 24


@requires(lambda e, at: has(e, at, WORD))
def put(e: Envelope, at: u64, value: u32) -> None:
    """Write a word."""
    e.bytes[at] = u8.truncate(value)
    e.bytes[at + 1] = u8.truncate(value >> 8)
    e.bytes[at + 2] = u8.truncate(value >> 16)
    e.bytes[at + 3] = u8.truncate(value >> 24)


@requires(lambda e, at: has(e, at, 2 * WORD))
def number_at(e: Envelope, at: u64) -> u64:
    """Return eight bytes as a number."""
    return u64(word(e, at)) | u64(word(e, at + WORD)) << 32


@requires(lambda e, at: has(e, at, 2 * WORD))
def put_number(e: Envelope, at: u64, value: u64) -> None:
    """Write a number in eight bytes."""
    put(e, at, u32.truncate(value))
    put(e, at + WORD, u32.truncate(value >> 32))
