/* How is a snapshot sealed? This file extends the kernel's SHA-256 to any bytes, and adds HMAC (RFC 2104). */
#include "seal.h"
#include "sha256.h"

enum { INNER = 0x36, OUTER = 0x5c, LAST_BIT = 0x80, LENGTH_AT = BLOCK_SIZE - 8 };

static uint64_t word_of(const uint8_t *byte)
{
    uint64_t word = 0;

    for (int i = 7; i >= 0; i--)
        word = word << 8 | byte[i];
    return word;
}

static void fold(struct digest *d)
{
    uint32_t block[BLOCK_SIZE / 4];

    for (uint32_t i = 0; i < BLOCK_SIZE / 8; i++)
        sha256_put(block, i, word_of(d->block + 8 * i));
    sha256_compress(d->state, block);
}

static void add_byte(struct digest *d, uint8_t byte)
{
    d->block[d->length++ % BLOCK_SIZE] = byte;
    if (d->length % BLOCK_SIZE == 0)
        fold(d);
}

void digest_begin(struct digest *d)
{
    sha256_begin(d->state);
    d->length = 0;
}

void digest_add(struct digest *d, const void *bytes, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        add_byte(d, ((const uint8_t *)bytes)[i]);
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
