"""How is SHA-256 computed (FIPS 180-4), and HMAC-SHA256 (RFC 2104) over it?

Digests are eight u32 words; memory holds them as bytes, so words are swapped on the way in and out.
"""

from corollary.language.builtins import byte_swap, rotate_right, wrapping_add
from corollary.language.frontend import opaque
from corollary.language.types import Array, Index, u32, u64
from corollary.language.values import clear, local

FRACTION_OF_CUBE_ROOTS = (
    0x428A2F98,
    0x71374491,
    0xB5C0FBCF,
    0xE9B5DBA5,
    0x3956C25B,
    0x59F111F1,
    0x923F82A4,
    0xAB1C5ED5,
    0xD807AA98,
    0x12835B01,
    0x243185BE,
    0x550C7DC3,
    0x72BE5D74,
    0x80DEB1FE,
    0x9BDC06A7,
    0xC19BF174,
    0xE49B69C1,
    0xEFBE4786,
    0x0FC19DC6,
    0x240CA1CC,
    0x2DE92C6F,
    0x4A7484AA,
    0x5CB0A9DC,
    0x76F988DA,
    0x983E5152,
    0xA831C66D,
    0xB00327C8,
    0xBF597FC7,
    0xC6E00BF3,
    0xD5A79147,
    0x06CA6351,
    0x14292967,
    0x27B70A85,
    0x2E1B2138,
    0x4D2C6DFC,
    0x53380D13,
    0x650A7354,
    0x766A0ABB,
    0x81C2C92E,
    0x92722C85,
    0xA2BFE8A1,
    0xA81A664B,
    0xC24B8B70,
    0xC76C51A3,
    0xD192E819,
    0xD6990624,
    0xF40E3585,
    0x106AA070,
    0x19A4C116,
    0x1E376C08,
    0x2748774C,
    0x34B0BCB5,
    0x391C0CB3,
    0x4ED8AA4A,
    0x5B9CCA4F,
    0x682E6FF3,
    0x748F82EE,
    0x78A5636F,
    0x84C87814,
    0x8CC70208,
    0x90BEFFFA,
    0xA4506CEB,
    0xBEF9A3F7,
    0xC67178F2,
)
FRACTION_OF_SQUARE_ROOTS = (
    0x6A09E667,
    0xBB67AE85,
    0x3C6EF372,
    0xA54FF53A,
    0x510E527F,
    0x9B05688C,
    0x1F83D9AB,
    0x5BE0CD19,
)
PADDING = 0x80000000  # the bit that ends a message
INNER_PAD = 0x36363636
OUTER_PAD = 0x5C5C5C5C

Digest = Array[u32, 8]
Block = Array[u32, 16]
WordId = Index("WordId", 16)  # of a block
PairId = Index("PairId", 8)  # of two words of a block
DigestPlace = Index("DigestPlace", 9)  # of a word of a block where a digest may begin
DigestPair = Index("DigestPair", 4)  # of two words of a digest


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
        first = wrapping_add(
            u32,
            wrapping_add(u32, h, big_1),
            wrapping_add(u32, choice, wrapping_add(u32, FRACTION_OF_CUBE_ROOTS[t], w[t])),
        )
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


def put_digest(block: Block, position: DigestPlace, digest: Digest) -> None:
    """Write a digest at word `position` of a block."""
    for i in range(8):
        block[u32(position) + i] = digest[i]


def word_of(digest: Digest, number: DigestPair) -> u64:
    """Bytes 8 * number .. of a digest, as a u64 that holds them in memory order."""
    low = byte_swap(digest[2 * u32(number)])
    high = byte_swap(digest[2 * u32(number) + 1])
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


def authenticate(tag: Digest, key: Digest, message: Block, rest: Digest) -> None:
    """Compute HMAC-SHA256 of a message of exactly 96 bytes: a block, and the half of one."""
    inner = local(Digest)
    keyed(inner, key, INNER_PAD)
    compress(inner, message)
    block = local(Block)
    put_digest(block, 0, rest)
    end(block, 8, 8 * 160)
    compress(inner, block)
    keyed(tag, key, OUTER_PAD)
    clear(block)
    put_digest(block, 0, inner)
    end(block, 8, 8 * 96)
    compress(tag, block)
