/* What does integer arithmetic in registers cost? SHA-256 (FIPS 180-4) of a buffer, hashed `scale` times over as
   one message: rotations, additions and Boolean functions of 32-bit words, eight of which live at a time.

   The checksum is the first word of the digest. */

#include <stdint.h>

enum { BLOCK = 64, BUFFER = 16 * BLOCK, WORDS = BLOCK / 4, ROUNDS = 64, STATE = 8 };

static const uint32_t CONSTANT[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static const uint32_t INITIAL[STATE] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint8_t buffer[BUFFER];

static uint32_t rotated(uint32_t word, int by)
{
    return word >> by | word << (32 - by);
}

static void compress(uint32_t *state, const uint8_t *block)
{
    uint32_t w[ROUNDS];
    for (int t = 0; t < WORDS; t++) {
        const uint8_t *at = &block[4 * t];
        w[t] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
    }
    for (int t = WORDS; t < ROUNDS; t++) {
        uint32_t old = w[t - 15], late = w[t - 2];
        uint32_t sigma0 = rotated(old, 7) ^ rotated(old, 18) ^ old >> 3;
        uint32_t sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10;
        w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
        uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + CONSTANT[t] + w[t];
        uint32_t sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
        uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

/* The end of the message, which is full blocks before it: a one, zeros, and the length in bits. */
static void finish(uint32_t *state, uint64_t bytes)
{
    uint8_t block[BLOCK] = { 0x80 };
    for (int i = 0; i < 8; i++) {
        block[BLOCK - 1 - i] = (uint8_t)(8 * bytes >> 8 * i);
    }
    compress(state, block);
}

uint32_t run(uint32_t scale)
{
    uint32_t state[STATE];
    for (int i = 0; i < BUFFER; i++) {
        buffer[i] = (uint8_t)i;
    }
    for (int i = 0; i < STATE; i++) {
        state[i] = INITIAL[i];
    }
    for (uint32_t i = 0; i < scale; i++) {
        for (int at = 0; at < BUFFER; at += BLOCK) {
            compress(state, buffer + at);
        }
    }
    finish(state, (uint64_t)scale * BUFFER);
    return state[0];
}
