"""How is SHA-256 computed (FIPS 180-4), and HMAC-SHA256 (RFC 2104) over it?

Digests are eight u32 words; memory holds them as bytes, so words are swapped on the way in and out.
"""

from corollary.language.builtins import byte_swap, rotate_right, wrapping_add
from corollary.language.frontend import opaque
from corollary.language.types import Array, Index, u32, u64
from corollary.language.values import clear, local

FRACTION_OF_CUBE_ROOTS = (
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2)
FRACTION_OF_SQUARE_ROOTS = (
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19)
PADDING = 0x80000000        # the bit that ends a message
INNER_PAD = 0x36363636
OUTER_PAD = 0x5c5c5c5c

Digest = Array[u32, 8]
Block = Array[u32, 16]
WordId = Index("WordId", 16)      # of a block
PairId = Index("PairId", 8)       # of two words of a block


@opaque
def compress(state: Digest, block: Block) -> None:
    """Fold one 64-byte block into the state (FIPS 180-4, 6.2.2)."""
    w = local(Array[u32, 64])
    for t in range(16):
        w[t] = block[t]
    for t in range(48):
        near = w[t + 14]
        far = w[t + 1]
        small_1 = rotate_right(near, 17) ^ rotate_right(near, 19) ^ (near >> 10)
        small_0 = rotate_right(far, 7) ^ rotate_right(far, 18) ^ (far >> 3)
        w[t + 16] = wrapping_add(u32, wrapping_add(u32, small_1, w[t + 9]), wrapping_add(u32, small_0, w[t]))
    a = state[0]
    b = state[1]
    c = state[2]
    d = state[3]
    e = state[4]
    f = state[5]
    g = state[6]
    h = state[7]
    for t in range(64):
        big_1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)
        choice = (e & f) ^ ((e ^ 0xFFFFFFFF) & g)
        first = wrapping_add(u32, wrapping_add(u32, h, big_1), wrapping_add(u32, choice, wrapping_add(u32, FRACTION_OF_CUBE_ROOTS[t], w[t])))
        big_0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)
        majority = (a & b) ^ (a & c) ^ (b & c)
        h = g
        g = f
        f = e
        e = wrapping_add(u32, d, first)
        d = c
        c = b
        b = a
        a = wrapping_add(u32, first, wrapping_add(u32, big_0, majority))
    state[0] = wrapping_add(u32, state[0], a)
    state[1] = wrapping_add(u32, state[1], b)
    state[2] = wrapping_add(u32, state[2], c)
    state[3] = wrapping_add(u32, state[3], d)
    state[4] = wrapping_add(u32, state[4], e)
    state[5] = wrapping_add(u32, state[5], f)
    state[6] = wrapping_add(u32, state[6], g)
    state[7] = wrapping_add(u32, state[7], h)


def begin(state: Digest) -> None:
    """Set the state before the first block."""
    for i in range(8):
        state[i] = FRACTION_OF_SQUARE_ROOTS[i]


def put(block: Block, number: PairId, value: u64) -> None:
    """Write the eight bytes of `value`, as they lie in memory, at bytes 8 * number .. of a block."""
    block[2 * u32(number)] = byte_swap(u32.truncate(value))
    block[2 * u32(number) + 1] = byte_swap(u32.truncate(value >> 32))


def put_digest(block: Block, position: u32, digest: Digest) -> None:
    """Write a digest at word `position` of a block."""
    for i in range(8):
        block[position + i] = digest[i]


def word_of(digest: Digest, number: u32) -> u64:
    """Bytes 8 * number .. of a digest, as a u64 that holds them in memory order."""
    low = byte_swap(digest[2 * number])
    high = byte_swap(digest[2 * number + 1])
    return u64(low) | (u64(high) << 32)


def end(block: Block, position: WordId, bits: u32) -> None:
    """Close a message of so many bits whose last block is filled up to word `position`."""
    block[position] = PADDING
    block[15] = bits


def keyed(state: Digest, key: Digest, pad: u32) -> None:
    """Set the state after the key block of HMAC, xored with a pad."""
    block = local(Block)
    for i in range(8):
        block[i] = key[i] ^ pad
        block[i + 8] = pad
    begin(state)
    compress(state, block)


def authenticate(tag: Digest, key: Digest, message: Block) -> None:
    """Compute HMAC-SHA256 of a message of exactly 64 bytes."""
    inner = local(Digest)
    keyed(inner, key, INNER_PAD)
    compress(inner, message)
    block = local(Block)
    end(block, 0, 8 * 128)
    compress(inner, block)
    keyed(tag, key, OUTER_PAD)
    clear(block)
    put_digest(block, 0, inner)
    end(block, 8, 8 * 96)
    compress(tag, block)
