/* Generated from model/link/poly1305.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 2486831e2e153627 */

#include "poly1305.h"
#include "builtins.h"
#include "envelope.h"
#include "words.h"

#define BITS 26                         /* of a limb */
#define LIMB 0x3ffffff                  /* mask of a limb */
#define FOLD 5                          /* 2 ** 130 modulo the prime */
#define WIDE 0x10000000                 /* above any limb of a sum to which a piece was added */
#define NARROW 0x20000000               /* above any limb of a factor, times FOLD */

/* Which tag do bytes have? Poly1305 (RFC 8439, 2.5): a polynomial modulo 2 ** 130 - 5, with limbs of 26 bits.

   Nothing wraps around: every sum and every product of limbs is shown to fit. */

/* Does each limb of the sum have its bits, and not many more? */
bool poly1305_is_carried(const struct authenticator *a)
{
    return a->sum[0] <= LIMB && a->sum[1] <= 0x40007ff && a->sum[2] <= LIMB && a->sum[3] <= LIMB && a->sum[4] <= LIMB;
}

/* Is each limb of the factor as narrow as the clamp makes it? */
bool poly1305_is_clamped(const struct authenticator *a)
{
    return a->factor[0] <= LIMB && a->factor[1] <= LIMB && a->factor[2] <= LIMB && a->factor[3] <= LIMB &&
           a->factor[4] <= LIMB;
}

/* Does each limb of the sum leave room for products? */
bool poly1305_is_wide(const struct authenticator *a)
{
    return a->sum[0] < WIDE && a->sum[1] < WIDE && a->sum[2] < WIDE && a->sum[3] < WIDE && a->sum[4] < WIDE;
}

/* Return the 26 bits of two words from a bit of the low one on.

   Ensures: result <= LIMB. */
uint32_t poly1305_limb(uint32_t low, uint32_t high, uint32_t shift)
{
    REQUIRES(shift < 32);
    return (uint32_t)(((uint64_t)low | ((uint64_t)high << 32)) >> (uint64_t)shift) & LIMB;
}

/* Begin a tag with a one-time key: four words of the factor, and four of the pad (2.5).

   Ensures: is_carried(a) and is_clamped(a). */
void poly1305_begin(struct authenticator *a, const uint32_t *key)
{
    a->factor[0] = poly1305_limb(key[0], key[1], 0) & 0x3ffffff;
    a->factor[1] = poly1305_limb(key[0], key[1], 26) & 0x3ffff03;
    a->factor[2] = poly1305_limb(key[1], key[2], 20) & 0x3ffc0ff;
    a->factor[3] = poly1305_limb(key[2], key[3], 14) & 0x3f03fff;
    a->factor[4] = poly1305_limb(key[3], 0, 8) & 0xfffff;
    for (uint32_t i = 0; i < 5; i++) {
        a->sum[i] = 0;
    }
    for (uint32_t i = 0; i < 4; i++) {
        a->pad[i] = key[i + 4];
    }
}

/* Return the product of two limbs.

   Ensures: result < PRODUCT. */
uint64_t poly1305_product(uint32_t x, uint32_t y)
{
    REQUIRES(x < WIDE && y < NARROW);
    return (uint64_t)x * (uint64_t)y;
}

/* Multiply the sum by the factor, modulo the prime. A product beyond 2 ** 130 counts FOLD times at the bottom.

   Ensures: is_carried(a) and is_clamped(a). */
void poly1305_multiply(struct authenticator *a)
{
    REQUIRES(poly1305_is_wide(a) && poly1305_is_clamped(a));
    uint32_t *h = a->sum;
    const uint32_t *r = a->factor;
    uint32_t s[5] = {0};
    for (uint32_t i = 0; i < 5; i++) {
        s[i] = FOLD * r[i];
    }
    uint64_t low = poly1305_product(h[0], r[0]) + poly1305_product(h[1], s[4]) + poly1305_product(h[2], s[3]) +
                   poly1305_product(h[3], s[2]) + poly1305_product(h[4], s[1]);
    uint64_t d1 = poly1305_product(h[0], r[1]) + poly1305_product(h[1], r[0]) + poly1305_product(h[2], s[4]) +
                  poly1305_product(h[3], s[3]) + poly1305_product(h[4], s[2]);
    uint64_t d2 = poly1305_product(h[0], r[2]) + poly1305_product(h[1], r[1]) + poly1305_product(h[2], r[0]) +
                  poly1305_product(h[3], s[4]) + poly1305_product(h[4], s[3]);
    uint64_t d3 = poly1305_product(h[0], r[3]) + poly1305_product(h[1], r[2]) + poly1305_product(h[2], r[1]) +
                  poly1305_product(h[3], r[0]) + poly1305_product(h[4], s[4]);
    uint64_t d4 = poly1305_product(h[0], r[4]) + poly1305_product(h[1], r[3]) + poly1305_product(h[2], r[2]) +
                  poly1305_product(h[3], r[1]) + poly1305_product(h[4], r[0]);
    d1 += low >> BITS;
    d2 += d1 >> BITS;
    d3 += d2 >> BITS;
    d4 += d3 >> BITS;
    low = (low & LIMB) + FOLD * (d4 >> BITS);
    h[0] = low & LIMB;
    h[1] = (d1 & LIMB) + (low >> BITS);
    h[2] = d2 & LIMB;
    h[3] = d3 & LIMB;
    h[4] = d4 & LIMB;
}

/* Add a piece of four words, and TOP if it is whole; then multiply.

   Ensures: is_carried(a) and is_clamped(a). */
void poly1305_absorb(struct authenticator *a, uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3, uint32_t top)
{
    REQUIRES(top <= TOP);
    REQUIRES(poly1305_is_carried(a) && poly1305_is_clamped(a));
    a->sum[0] += poly1305_limb(w0, w1, 0);
    a->sum[1] += poly1305_limb(w0, w1, 26);
    a->sum[2] += poly1305_limb(w1, w2, 20);
    a->sum[3] += poly1305_limb(w2, w3, 14);
    a->sum[4] += poly1305_limb(w3, 0, 8) | top;
    poly1305_multiply(a);
}

/* Absorb bytes from a position on. If the last piece is not whole, it is `filled` with zeros and counts as whole
   (2.8); otherwise a byte 1 ends it (2.5).

   Ensures: is_carried(a) and is_clamped(a). */
void poly1305_absorb_bytes(struct authenticator *a, const struct envelope *e, uint64_t at, uint64_t count, bool filled)
{
    REQUIRES(envelope_has(e, at, count));
    REQUIRES(poly1305_is_carried(a) && poly1305_is_clamped(a));
    uint64_t here = at;
    uint64_t end = at + count;
    while (end - here >= PIECE) {
        poly1305_absorb_piece(a, e, here);
        here += PIECE;
    }
    if (here < end) {
        poly1305_absorb_rest(a, e, here, end - here, filled);
    }
}

/* Absorb a whole piece.

   Ensures: is_carried(a) and is_clamped(a). */
void poly1305_absorb_piece(struct authenticator *a, const struct envelope *e, uint64_t at)
{
    REQUIRES(envelope_has(e, at, PIECE));
    REQUIRES(poly1305_is_carried(a) && poly1305_is_clamped(a));
    poly1305_absorb(a, words_word(e, at), words_word(e, at + 4), words_word(e, at + 8), words_word(e, at + 12), TOP);
}

/* Absorb a piece that is not whole.

   Ensures: is_carried(a) and is_clamped(a). */
void poly1305_absorb_rest(struct authenticator *a, const struct envelope *e, uint64_t at, uint64_t count, bool filled)
{
    REQUIRES(0 < count && count < PIECE);
    REQUIRES(envelope_has(e, at, count));
    REQUIRES(poly1305_is_carried(a) && poly1305_is_clamped(a));
    uint32_t piece[4] = {0};
    uint64_t done = 0;
    while (done < count) {
        uint32_t here = done / WORD;
        piece[here] |= (uint32_t)e->bytes.at[at + done] << (uint32_t)(8 * (done % WORD));
        done++;
    }
    if (!filled) {
        uint32_t last = count / WORD;
        piece[last] |= (uint32_t)((uint32_t)1 << (uint32_t)(8 * (count % WORD)));
    }
    poly1305_absorb(a, piece[0], piece[1], piece[2], piece[3], filled ? TOP : 0);
}

/* Reduce the sum, and add the pad modulo 2 ** 128 (2.5.1). No branch depends on either.

   The sum is less than twice the prime: it is reduced if, with FOLD added, it reaches 2 ** 130. */
void poly1305_finish(const struct authenticator *a, uint32_t *tag)
{
    REQUIRES(poly1305_is_carried(a));
    const uint32_t *h = a->sum;
    uint32_t g[5] = {0};
    uint32_t carry = FOLD;
    for (uint32_t i = 0; i < 5; i++) {
        carry += h[i];
        g[i] = carry & LIMB;
        carry = carry >> BITS;
    }
    uint32_t reduced = 0 - carry;
    for (uint32_t i = 0; i < 5; i++) {
        g[i] = h[i] ^ ((h[i] ^ g[i]) & reduced);
    }
    uint64_t total = (uint64_t)a->pad[0] + (uint64_t)g[0] + ((uint64_t)g[1] << 26);
    tag[0] = (uint32_t)total;
    total = (total >> 32) + (uint64_t)a->pad[1] + ((uint64_t)g[2] << 20);
    tag[1] = (uint32_t)total;
    total = (total >> 32) + (uint64_t)a->pad[2] + ((uint64_t)g[3] << 14);
    tag[2] = (uint32_t)total;
    total = (total >> 32) + (uint64_t)a->pad[3] + ((uint64_t)g[4] << 8);
    tag[3] = (uint32_t)total;
}
