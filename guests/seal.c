/* How is a snapshot sealed? This file extends the kernel's SHA-256 to any bytes, and adds HMAC (RFC 2104). */
#include "seal.h"
#include "sha256.h"

enum { INNER = 0x36, OUTER = 0x5c, LAST_BIT = 0x80, LENGTH_AT = BLOCK_SIZE - 8 };

enum { BLOCK_WORDS = BLOCK_SIZE / sizeof(uint32_t) };

/* blocks.S */
void take_block(uint32_t word[BLOCK_WORDS], const uint8_t bytes[BLOCK_SIZE]);

static void fold(struct digest *d, const uint8_t bytes[BLOCK_SIZE])
{
    uint32_t block[BLOCK_WORDS];

    take_block(block, bytes);
    sha256_compress(d->state, block);
}

static void add_byte(struct digest *d, uint8_t byte)
{
    d->block[d->length++ % BLOCK_SIZE] = byte;
    if (d->length % BLOCK_SIZE == 0)
        fold(d, d->block);
}

void digest_begin(struct digest *d)
{
    sha256_begin(d->state);
    d->length = 0;
}

/* Whole blocks are folded where they lie. */
void digest_add(struct digest *d, const void *bytes, uint64_t count)
{
    const uint8_t *next = bytes, *end = next + count;

    while (next < end && d->length % BLOCK_SIZE != 0)
        add_byte(d, *next++);
    for (; end - next >= BLOCK_SIZE; next += BLOCK_SIZE) {
        fold(d, next);
        d->length += BLOCK_SIZE;
    }
    while (next < end)
        add_byte(d, *next++);
}

void digest_end(struct digest *d, uint8_t result[DIGEST_SIZE])
{
    uint64_t bits = 8 * d->length;

    add_byte(d, LAST_BIT);
    while (d->length % BLOCK_SIZE != LENGTH_AT)
        add_byte(d, 0);
    for (int shift = 56; shift >= 0; shift -= 8)
        add_byte(d, (uint8_t)(bits >> shift));
    for (uint32_t i = 0; i < DIGEST_SIZE; i++)
        result[i] = (uint8_t)(sha256_word_of(d->state, i / 8) >> 8 * (i % 8));
}

void digest_words(uint64_t word[DIGEST_WORDS], const void *bytes, uint64_t count)
{
    static struct digest digest;
    uint8_t found[DIGEST_SIZE];

    digest_begin(&digest);
    digest_add(&digest, bytes, count);
    digest_end(&digest, found);
    for (uint32_t i = 0; i < DIGEST_WORDS; i++) {
        word[i] = 0;
        for (uint32_t n = 0; n < sizeof(uint64_t); n++)
            word[i] = word[i] << 8 | found[i * sizeof(uint64_t) + n];
    }
}

static void begin_with(struct digest *d, const uint8_t key[DIGEST_SIZE], uint8_t pad)
{
    digest_begin(d);
    for (uint32_t i = 0; i < BLOCK_SIZE; i++)
        add_byte(d, (i < DIGEST_SIZE ? key[i] : 0) ^ pad);
}

void seal_begin(struct digest *d, const uint8_t key[DIGEST_SIZE])
{
    begin_with(d, key, INNER);
}

void seal_end(struct digest *d, const uint8_t key[DIGEST_SIZE], uint8_t tag[DIGEST_SIZE])
{
    uint8_t inner[DIGEST_SIZE];

    digest_end(d, inner);
    begin_with(d, key, OUTER);
    digest_add(d, inner, DIGEST_SIZE);
    digest_end(d, tag);
}
