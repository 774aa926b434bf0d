/* Generated from model/link/chacha20.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 600bfdf368ce1466 */

#include "chacha20.h"
#include "builtins.h"
#include "envelope.h"

#define DOUBLE_ROUNDS 10
/* "expand 32-byte k" */
static const uint32_t EXPAND[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

/* Which key stream does a key make, and how is content encrypted with it? ChaCha20 (RFC 8439, 2.1 to 2.4). */

/* Mix four words of a state (2.1). */
void chacha20_quarter_round(uint32_t *s, state_word_t a, state_word_t b, state_word_t c, state_word_t d)
{
    s[a] += s[b];
    s[d] = rotated_left_32(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = rotated_left_32(s[b] ^ s[c], 12);
    s[a] += s[b];
    s[d] = rotated_left_32(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = rotated_left_32(s[b] ^ s[c], 7);
}

/* Set the state before the rounds (2.3). */
void chacha20_begin(uint32_t *s, const uint32_t *key, const uint32_t *nonce, uint32_t counter)
{
    for (uint32_t i = 0; i < 4; i++) {
        s[i] = EXPAND[i];
    }
    for (uint32_t i = 0; i < 8; i++) {
        s[i + 4] = key[i];
    }
    s[12] = counter;
    for (uint32_t i = 0; i < 3; i++) {
        s[i + 13] = nonce[i];
    }
}

/* Set `s` to one block of the key stream, as words of four bytes (2.3). */
void chacha20_block(uint32_t *s, const uint32_t *key, const uint32_t *nonce, uint32_t counter)
{
    uint32_t first[16];
    clear_halves(first, 16);
    chacha20_begin(first, key, nonce, counter);
    chacha20_begin(s, key, nonce, counter);
    for (uint32_t i = 0; i < DOUBLE_ROUNDS; i++) {
        chacha20_quarter_round(s, 0, 4, 8, 12);
        chacha20_quarter_round(s, 1, 5, 9, 13);
        chacha20_quarter_round(s, 2, 6, 10, 14);
        chacha20_quarter_round(s, 3, 7, 11, 15);
        chacha20_quarter_round(s, 0, 5, 10, 15);
        chacha20_quarter_round(s, 1, 6, 11, 12);
        chacha20_quarter_round(s, 2, 7, 8, 13);
        chacha20_quarter_round(s, 3, 4, 9, 14);
    }
    for (uint32_t i = 0; i < 16; i++) {
        s[i] += first[i];
    }
}

/* Add the key stream from block 1 on to the content (2.4). Doing it twice restores the content. */
void chacha20_encrypt(struct envelope *e)
{
    REQUIRES(envelope_is_whole(e));
    uint32_t stream[16];
    clear_halves(stream, 16);
    uint64_t done = 0;
    while (done + BLOCK <= e->content) {
        chacha20_block(stream, e->key, e->nonce, 1 + done / BLOCK);
        chacha20_add_block(e, e->additional + done, stream);
        done += BLOCK;
    }
    if (done < e->content) {
        chacha20_block(stream, e->key, e->nonce, 1 + done / BLOCK);
        chacha20_add_rest(e, e->additional + done, e->content - done, stream);
    }
}

/* Add a whole block of the key stream to bytes from a position on. */
void chacha20_add_block(struct envelope *e, uint64_t at, const uint32_t *stream)
{
    REQUIRES(envelope_has(e, at, BLOCK));
    for (uint32_t i = 0; i < 16; i++) {
        uint64_t here = at + (uint64_t)(WORD * i);
        e->bytes.at[here] ^= (uint8_t)stream[i];
        e->bytes.at[here + 1] ^= (uint8_t)(stream[i] >> 8);
        e->bytes.at[here + 2] ^= (uint8_t)(stream[i] >> 16);
        e->bytes.at[here + 3] ^= (uint8_t)(stream[i] >> 24);
    }
}

/* Add the first bytes of a block to as many bytes from a position on. */
void chacha20_add_rest(struct envelope *e, uint64_t at, uint64_t count, const uint32_t *stream)
{
    REQUIRES(count < BLOCK && envelope_has(e, at, count));
    uint64_t done = 0;
    while (done < count) {
        uint32_t word = stream[done / WORD];
        e->bytes.at[at + done] ^= (uint8_t)(word >> (uint32_t)(8 * (done % WORD)));
        done++;
    }
}
