"""Which key stream does a key make, and how is content encrypted with it? ChaCha20 (RFC 8439, 2.1 to 2.4)."""

from corollary.language.builtins import rotated_left, wrapping_add
from corollary.language.contracts import requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u8, u32, u64
from corollary.language.values import local
from corollary.spec.link.envelope import BLOCK, WORD, Envelope, Key, KeyStream, Nonce, StateWord, has, is_whole

EXPAND = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)  # "expand 32-byte k"
DOUBLE_ROUNDS = 10


def quarter_round(s: KeyStream, a: StateWord, b: StateWord, c: StateWord, d: StateWord) -> None:
    """Mix four words of a state (2.1)."""
    s[a] = wrapping_add(u32, s[a], s[b])
    s[d] = rotated_left(u32, s[d] ^ s[a], 16)
    s[c] = wrapping_add(u32, s[c], s[d])
    s[b] = rotated_left(u32, s[b] ^ s[c], 12)
    s[a] = wrapping_add(u32, s[a], s[b])
    s[d] = rotated_left(u32, s[d] ^ s[a], 8)
    s[c] = wrapping_add(u32, s[c], s[d])
    s[b] = rotated_left(u32, s[b] ^ s[c], 7)


def begin(s: KeyStream, key: Key, nonce: Nonce, counter: u32) -> None:
    """Set the state before the rounds (2.3)."""
    for i in range(4):
        s[i] = EXPAND[i]
    for i in range(8):
        s[i + 4] = key[i]
    s[12] = counter
    for i in range(3):
        s[i + 13] = nonce[i]


def block(s: KeyStream, key: Key, nonce: Nonce, counter: u32) -> None:
    """Set `s` to one block of the key stream, as words of four bytes (2.3)."""
    first = local(KeyStream)
    begin(first, key, nonce, counter)
    begin(s, key, nonce, counter)
    for i in range(DOUBLE_ROUNDS):
        quarter_round(s, 0, 4, 8, 12)
        quarter_round(s, 1, 5, 9, 13)
        quarter_round(s, 2, 6, 10, 14)
        quarter_round(s, 3, 7, 11, 15)
        quarter_round(s, 0, 5, 10, 15)
        quarter_round(s, 1, 6, 11, 12)
        quarter_round(s, 2, 7, 8, 13)
        quarter_round(s, 3, 4, 9, 14)
    for i in range(16):
        s[i] = wrapping_add(u32, s[i], first[i])


@requires(is_whole)
def encrypt(e: Envelope) -> None:
    """Add the key stream from block 1 on to the content (2.4). Doing it twice restores the content."""
    stream = local(KeyStream)
    done: u64 = 0
    while done + BLOCK <= e.content:
        maintains(done <= e.content and done % BLOCK == 0)
        decreases(e.content - done)
        block(stream, e.key, e.nonce, u32(1 + done // BLOCK))
        add_block(e, e.additional + done, stream)
        done += BLOCK
    if done < e.content:
        block(stream, e.key, e.nonce, u32(1 + done // BLOCK))
        add_rest(e, e.additional + done, e.content - done, stream)


@requires(lambda e, at: has(e, at, BLOCK))
def add_block(e: Envelope, at: u64, stream: KeyStream) -> None:
    """Add a whole block of the key stream to bytes from a position on."""
    for i in range(16):
        here = at + WORD * i
        e.bytes[here] = e.bytes[here] ^ u8.truncate(stream[i])
        e.bytes[here + 1] = e.bytes[here + 1] ^ u8.truncate(stream[i] >> 8)
        e.bytes[here + 2] = e.bytes[here + 2] ^ u8.truncate(stream[i] >> 16)
        e.bytes[here + 3] = e.bytes[here + 3] ^ u8.truncate(stream[i] >> 24)


@requires(lambda e, at, count: count < BLOCK and has(e, at, count))
def add_rest(e: Envelope, at: u64, count: u64, stream: KeyStream) -> None:
    """Add the first bytes of a block to as many bytes from a position on."""
    done: u64 = 0
    while done < count:
        maintains(done <= count)
        decreases(count - done)
        word = stream[u32(done // WORD)]
        e.bytes[at + done] = e.bytes[at + done] ^ u8.truncate(word >> u32(8 * (done % WORD)))
        done += 1
