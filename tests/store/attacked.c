/* What do compressor and decompressor make of forged blocks? Every buffer is exactly as large as is said of it, so a
   build that checks itself notices any access outside.

       attacked COUNT SEED      prints how the blocks ended, a line for each fault and one for blocks that are right */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compression.h"
#include "decompression.h"

enum { LARGEST_CONTENT = 3000, FAULTS = BLOCK_FAULT_UNFILLED + 1 };

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % bound;
}

static uint8_t telling(void)        /* a byte that means something to a reader of blocks */
{
    static const uint8_t values[] = {0, 1, 0x0f, 0x1f, 0xf0, 0xff};

    return below(2) ? (uint8_t)below(256) : values[below(sizeof values)];
}

static uint8_t *room(uint64_t size)
{
    uint8_t *made = malloc(size);

    if (made == NULL && size != 0) {
        abort();
    }
    return made;
}

static uint8_t *copy(const uint8_t *bytes, uint64_t size)
{
    uint8_t *made = room(size);

    memcpy(made, bytes, size);
    return made;
}

/* Fill a content with runs: of one byte, of noise, or of what came before. */
static uint32_t write_content(uint8_t *bytes)
{
    uint32_t size = below(8) ? below(300) : below(LARGEST_CONTENT), at = 0;

    while (at < size) {
        uint32_t run = 1 + below(below(4) ? 20 : 600), kind = below(3), back = 1 + below(at + 1);
        uint8_t value = (uint8_t)below(256);

        for (; run > 0 && at < size; run--, at++) {
            bytes[at] = kind == 0 ? value : kind == 1 || back > at ? (uint8_t)below(256) : bytes[at - back];
        }
    }
    return size;
}

static uint64_t compress(const uint8_t *bytes, uint64_t size, uint64_t limit, block_fault_t *fault, uint8_t *out)
{
    static struct compression c;        /* the table is cleared by each use */
    uint8_t *content = copy(bytes, size), *block = room(limit);

    c.content = (struct u8_slice){content, size};
    c.block = (struct u8_slice){block, limit};
    *fault = compression_compress(&c);
    if (*fault == BLOCK_FAULT_NONE) {
        memcpy(out, block, c.made);
    }
    free(content);
    free(block);
    return c.made;
}

static block_fault_t decompress(const uint8_t *bytes, uint64_t size, uint64_t limit, uint8_t *out)
{
    uint8_t *block = copy(bytes, size), *content = room(limit);
    struct decompression d = {{block, size}, {content, limit}, 0, 0};
    block_fault_t fault = decompression_decompress(&d);

    if (d.at > size || d.made > limit || (fault == BLOCK_FAULT_NONE && (d.at != size || d.made != limit))) {
        abort();
    }
    memcpy(out, content, d.made);
    free(block);
    free(content);
    return fault;
}

static uint64_t forge(uint8_t *block, uint64_t size)
{
    for (uint32_t changes = 1 + below(4); changes > 0; changes--) {
        uint32_t at = below((uint32_t)size + 1), kind = below(4);

        if (kind == 0) {
            size = at;
        } else if (kind == 1) {
            memmove(block + at + 1, block + at, size - at);
            block[at] = telling();
            size++;
        } else if (at < size) {
            block[at] = telling();
        }
    }
    return size;
}

int main(int count, char **arguments)
{
    static uint8_t content[LARGEST_CONTENT], block[2 * LARGEST_CONTENT], back[4 * LARGEST_CONTENT];
    uint64_t ended[FAULTS] = {0}, right = 0;

    if (count != 3) {
        return 2;
    }
    state = 0x9e3779b97f4a7c15 ^ strtoull(arguments[2], NULL, 10);
    for (uint64_t round = strtoull(arguments[1], NULL, 10); round > 0; round--) {
        block_fault_t fault;
        uint64_t size = write_content(content), most = size + size / 255 + 16, limit = size, made;

        made = compress(content, size, most, &fault, block);
        if (fault != BLOCK_FAULT_NONE || decompress(block, made, size, back) != fault || memcmp(back, content, size)) {
            abort();
        }
        right++;
        compress(content, size, below((uint32_t)made + 1), &fault, block);      /* which may be left too short */
        ended[fault]++;
        if (below(4) == 0) {
            for (made = 0; made < 1 + below(100); made++) {
                block[made] = telling();
            }
        } else {
            made = forge(block, made);
        }
        if (below(2)) {
            limit = below(2) ? below(2 * (uint32_t)size + 2) : size + below(40);
        }
        ended[decompress(block, made, limit, back)]++;
    }
    for (uint32_t fault = 0; fault < FAULTS; fault++) {
        printf("%" PRIu32 ": %" PRIu64 "\n", fault, ended[fault]);
    }
    printf("right: %" PRIu64 "\n", right);
    return 0;
}
