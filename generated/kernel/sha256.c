/* Generated from spec/kernel/sha256.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 a6ca7478f6742562 */

#include "sha256.h"
#include "builtins.h"

#define PADDING 0x80000000u             /* the bit that ends a message */
#define INNER_PAD 0x36363636
#define OUTER_PAD 0x5c5c5c5c
static const uint32_t FRACTION_OF_CUBE_ROOTS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t FRACTION_OF_SQUARE_ROOTS[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

/* How is SHA-256 computed (FIPS 180-4), and HMAC-SHA256 (RFC 2104) over it?

   Digests are eight u32 words; memory holds them as bytes, so words are swapped on the way in and out. */

/* Fold one 64-byte block into the state (FIPS 180-4, 6.2.2). */
PORTABLE void sha256_compress(uint32_t *state, const uint32_t *block)
{
    uint32_t w[64];
    clear_halves(w, 64);
    #pragma clang loop unroll_count(8)
    for (uint32_t t = 0; t < 16; t++) {
        w[t] = block[t];
    }
    #pragma clang loop unroll_count(8)
    for (uint32_t t = 0; t < 48; t++) {
        uint32_t near = w[t + 14];
        uint32_t far = w[t + 1];
        uint32_t small_1 = rotate_right(near, 17) ^ rotate_right(near, 19) ^ (near >> 10);
        uint32_t small_0 = rotate_right(far, 7) ^ rotate_right(far, 18) ^ (far >> 3);
        w[t + 16] = small_1 + w[t + 9] + (small_0 + w[t]);
    }
    uint32_t a = state[0];
    uint32_t b = state[1];
    uint32_t c = state[2];
    uint32_t d = state[3];
    uint32_t e = state[4];
    uint32_t f = state[5];
    uint32_t g = state[6];
    uint32_t h = state[7];
    #pragma clang loop unroll_count(8)
    for (uint32_t t = 0; t < 64; t++) {
        uint32_t big_1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        uint32_t choice = (e & f) ^ ((e ^ 0xffffffffu) & g);
        uint32_t first = h + big_1 + (choice + (FRACTION_OF_CUBE_ROOTS[t] + w[t]));
        uint32_t big_0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + (big_0 + majority);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

/* Set the state before the first block. */
void sha256_begin(uint32_t *state)
{
    for (uint32_t i = 0; i < 8; i++) {
        state[i] = FRACTION_OF_SQUARE_ROOTS[i];
    }
}

/* Write the eight bytes of `value`, as they lie in memory, at bytes 8 * number .. of a block. */
void sha256_put(uint32_t *block, pair_id_t number, uint64_t value)
{
    block[2 * (uint32_t)number] = byte_swap((uint32_t)value);
    block[2 * (uint32_t)number + 1] = byte_swap((uint32_t)(value >> 32));
}

/* Write a digest at word `position` of a block. */
void sha256_put_digest(uint32_t *block, digest_place_t position, const uint32_t *digest)
{
    for (uint32_t i = 0; i < 8; i++) {
        block[(uint32_t)position + i] = digest[i];
    }
}

/* Bytes 8 * number .. of a digest, as a u64 that holds them in memory order. */
uint64_t sha256_word_of(const uint32_t *digest, digest_pair_t number)
{
    uint32_t low = byte_swap(digest[2 * (uint32_t)number]);
    uint32_t high = byte_swap(digest[2 * (uint32_t)number + 1]);
    return (uint64_t)low | ((uint64_t)high << 32);
}

/* Close a message of so many bits whose last block is filled up to word `position`. */
void sha256_end(uint32_t *block, word_id_t position, uint32_t bits)
{
    block[position] = PADDING;
    block[15] = bits;
}

/* Set the state after the key block of HMAC, xored with a pad. */
void sha256_keyed(uint32_t *state, const uint32_t *key, uint32_t pad)
{
    uint32_t block[16];
    clear_halves(block, 16);
    for (uint32_t i = 0; i < 8; i++) {
        block[i] = key[i] ^ pad;
        block[i + 8] = pad;
    }
    sha256_begin(state);
    sha256_compress(state, block);
}

/* Compute HMAC-SHA256 of a message of exactly 96 bytes: a block, and the half of one. */
void sha256_authenticate(uint32_t *tag, const uint32_t *key, const uint32_t *message, const uint32_t *rest)
{
    uint32_t inner[8] = {0};
    sha256_keyed(inner, key, INNER_PAD);
    sha256_compress(inner, message);
    uint32_t block[16];
    clear_halves(block, 16);
    sha256_put_digest(block, 0, rest);
    sha256_end(block, 8, 0x500);
    sha256_compress(inner, block);
    sha256_keyed(tag, key, OUTER_PAD);
    clear_halves(block, 16);
    sha256_put_digest(block, 0, inner);
    sha256_end(block, 8, 768);
    sha256_compress(tag, block);
}
