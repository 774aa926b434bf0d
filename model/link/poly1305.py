"""Which tag do bytes have? Poly1305 (RFC 8439, 2.5): a polynomial modulo 2 ** 130 - 5, with limbs of 26 bits.

Nothing wraps around: every sum and every product of limbs is shown to fit.
"""

from corollary.language.builtins import wrapping_sub
from corollary.language.contracts import ensures, preserves, requires
from corollary.language.loops import decreases, maintains
from corollary.language.types import u32, u64
from corollary.language.values import local
from corollary.model.link.words import word
from corollary.spec.link.envelope import PIECE, WORD, Authenticator, Envelope, KeyStream, Limbs, Tag, has

BITS = 26  # of a limb
LIMB = (1 << BITS) - 1  # mask of a limb
FOLD = 5  # 2 ** 130 modulo the prime
SLACK = 1 << 11  # by how much the second limb may exceed the others after a product
CLAMP = (0x3FFFFFF, 0x3FFFF03, 0x3FFC0FF, 0x3F03FFF, 0x00FFFFF)  # bits of each limb of a factor that may be set
TOP = 1 << 24  # in the highest limb, the bit 2 ** 128
WIDE = 1 << 28  # above any limb of a sum to which a piece was added
NARROW = 1 << 29  # above any limb of a factor, times FOLD
PRODUCT = 1 << 57  # above any product of such limbs


def is_carried(a: Authenticator) -> bool:
    """Does each limb of the sum have its bits, and not many more?"""
    return a.sum[0] <= LIMB and a.sum[1] <= LIMB + SLACK and a.sum[2] <= LIMB and a.sum[3] <= LIMB and a.sum[4] <= LIMB


def is_clamped(a: Authenticator) -> bool:
    """Is each limb of the factor as narrow as the clamp makes it?"""
    return (
        a.factor[0] <= LIMB
        and a.factor[1] <= LIMB
        and a.factor[2] <= LIMB
        and a.factor[3] <= LIMB
        and a.factor[4] <= LIMB
    )


def is_wide(a: Authenticator) -> bool:
    """Does each limb of the sum leave room for products?"""
    return a.sum[0] < WIDE and a.sum[1] < WIDE and a.sum[2] < WIDE and a.sum[3] < WIDE and a.sum[4] < WIDE


@requires(lambda shift: shift < 32)
@ensures(lambda result: result <= LIMB)
def limb(low: u32, high: u32, shift: u32) -> u32:
    """Return the 26 bits of two words from a bit of the low one on."""
    return u32.truncate((u64(low) | u64(high) << 32) >> shift) & LIMB


@ensures(lambda a: is_carried(a) and is_clamped(a))
def begin(a: Authenticator, key: KeyStream) -> None:
    """Begin a tag with a one-time key: four words of the factor, and four of the pad (2.5)."""
    a.factor[0] = limb(key[0], key[1], 0) & CLAMP[0]
    a.factor[1] = limb(key[0], key[1], 26) & CLAMP[1]
    a.factor[2] = limb(key[1], key[2], 20) & CLAMP[2]
    a.factor[3] = limb(key[2], key[3], 14) & CLAMP[3]
    a.factor[4] = limb(key[3], 0, 8) & CLAMP[4]
    for i in range(5):
        a.sum[i] = 0
    for i in range(4):
        a.pad[i] = key[i + 4]


@requires(lambda x, y: x < WIDE and y < NARROW)
@ensures(lambda result: result < PRODUCT)
def product(x: u32, y: u32) -> u64:
    """Return the product of two limbs."""
    return u64(x) * y


@requires(lambda a: is_wide(a) and is_clamped(a))
@ensures(lambda a: is_carried(a) and is_clamped(a))
def multiply(a: Authenticator) -> None:
    """Multiply the sum by the factor, modulo the prime. A product beyond 2 ** 130 counts FOLD times at the bottom."""
    h = a.sum
    r = a.factor
    s = local(Limbs)
    for i in range(5):
        s[i] = FOLD * r[i]
    low = product(h[0], r[0]) + product(h[1], s[4]) + product(h[2], s[3]) + product(h[3], s[2]) + product(h[4], s[1])
    d1 = product(h[0], r[1]) + product(h[1], r[0]) + product(h[2], s[4]) + product(h[3], s[3]) + product(h[4], s[2])
    d2 = product(h[0], r[2]) + product(h[1], r[1]) + product(h[2], r[0]) + product(h[3], s[4]) + product(h[4], s[3])
    d3 = product(h[0], r[3]) + product(h[1], r[2]) + product(h[2], r[1]) + product(h[3], r[0]) + product(h[4], s[4])
    d4 = product(h[0], r[4]) + product(h[1], r[3]) + product(h[2], r[2]) + product(h[3], r[1]) + product(h[4], r[0])
    d1 += low >> BITS
    d2 += d1 >> BITS
    d3 += d2 >> BITS
    d4 += d3 >> BITS
    low = (low & LIMB) + FOLD * (d4 >> BITS)
    h[0] = u32(low & LIMB)
    h[1] = u32((d1 & LIMB) + (low >> BITS))
    h[2] = u32(d2 & LIMB)
    h[3] = u32(d3 & LIMB)
    h[4] = u32(d4 & LIMB)


@requires(lambda top: top <= TOP)
@preserves(lambda a: is_carried(a) and is_clamped(a))
def absorb(a: Authenticator, w0: u32, w1: u32, w2: u32, w3: u32, top: u32) -> None:
    """Add a piece of four words, and TOP if it is whole; then multiply."""
    a.sum[0] = a.sum[0] + limb(w0, w1, 0)
    a.sum[1] = a.sum[1] + limb(w0, w1, 26)
    a.sum[2] = a.sum[2] + limb(w1, w2, 20)
    a.sum[3] = a.sum[3] + limb(w2, w3, 14)
    a.sum[4] = a.sum[4] + (limb(w3, 0, 8) | top)
    multiply(a)


@requires(has)
@preserves(lambda a: is_carried(a) and is_clamped(a))
def absorb_bytes(a: Authenticator, e: Envelope, at: u64, count: u64, filled: bool) -> None:
    """Absorb bytes from a position on. If the last piece is not whole, it is `filled` with zeros and counts as whole
    (2.8); otherwise a byte 1 ends it (2.5).
    """
    here: u64 = at
    end = at + count
    while end - here >= PIECE:
        maintains(here <= end and is_carried(a) and is_clamped(a))
        decreases(end - here)
        absorb_piece(a, e, here)
        here += PIECE
    if here < end:
        absorb_rest(a, e, here, end - here, filled)


@requires(lambda e, at: has(e, at, PIECE))
@preserves(lambda a: is_carried(a) and is_clamped(a))
def absorb_piece(a: Authenticator, e: Envelope, at: u64) -> None:
    """Absorb a whole piece."""
    absorb(a, word(e, at), word(e, at + 4), word(e, at + 8), word(e, at + 12), TOP)


@requires(lambda count: 0 < count and count < PIECE)
@requires(has)
@preserves(lambda a: is_carried(a) and is_clamped(a))
def absorb_rest(a: Authenticator, e: Envelope, at: u64, count: u64, filled: bool) -> None:
    """Absorb a piece that is not whole."""
    piece = local(Tag)
    done: u64 = 0
    while done < count:
        maintains(done <= count)
        decreases(count - done)
        here = u32(done // WORD)
        piece[here] = piece[here] | u32(e.bytes[at + done]) << u32(8 * (done % WORD))
        done += 1
    if not filled:
        last = u32(count // WORD)
        piece[last] = piece[last] | u32(1) << u32(8 * (count % WORD))
    absorb(a, piece[0], piece[1], piece[2], piece[3], TOP if filled else 0)


@requires(is_carried)
def finish(a: Authenticator, tag: Tag) -> None:
    """Reduce the sum, and add the pad modulo 2 ** 128 (2.5.1). No branch depends on either.

    The sum is less than twice the prime: it is reduced if, with FOLD added, it reaches 2 ** 130.
    """
    h = a.sum
    g = local(Limbs)
    carry: u32 = FOLD
    for i in range(5):
        carry = carry + h[i]
        g[i] = carry & LIMB
        carry = carry >> BITS
    reduced = wrapping_sub(u32, 0, carry)  # all bits, or none
    for i in range(5):
        g[i] = h[i] ^ ((h[i] ^ g[i]) & reduced)
    total = u64(a.pad[0]) + g[0] + (u64(g[1]) << 26)
    tag[0] = u32.truncate(total)
    total = (total >> 32) + a.pad[1] + (u64(g[2]) << 20)
    tag[1] = u32.truncate(total)
    total = (total >> 32) + a.pad[2] + (u64(g[3]) << 14)
    tag[2] = u32.truncate(total)
    total = (total >> 32) + a.pad[3] + (u64(g[4]) << 8)
    tag[3] = u32.truncate(total)
