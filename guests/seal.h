/* How are bytes hashed and sealed piece by piece? */
#ifndef SEAL_H
#define SEAL_H

#include <stdint.h>

enum { DIGEST_SIZE = 32, DIGEST_WORDS = DIGEST_SIZE / 8, BLOCK_SIZE = 64 };

struct digest {
    uint32_t state[8];
    uint8_t block[BLOCK_SIZE];
    uint64_t length;
};

/* SHA-256 of the bytes that are added in between. */
void digest_begin(struct digest *d);
void digest_add(struct digest *d, const void *bytes, uint64_t count);
void digest_end(struct digest *d, uint8_t result[DIGEST_SIZE]);

/* SHA-256 of some bytes, as words whose first byte is the highest. */
void digest_words(uint64_t word[DIGEST_WORDS], const void *bytes, uint64_t count);

/* HMAC-SHA-256 of the bytes that are added in between, under a key as long as a digest. */
void seal_begin(struct digest *d, const uint8_t key[DIGEST_SIZE]);
void seal_end(struct digest *d, const uint8_t key[DIGEST_SIZE], uint8_t tag[DIGEST_SIZE]);

#endif
