/* How does an agent come to the disk, and back? Its snapshot is compressed and written, and its pages are freed. */
#include "cold.h"
#include "disk.h"
#include "letter.h"
#include "seal.h"
#include "store/compression.h"
#include "store/decompression.h"
#include "ward.h"

/* Pages of its own region: a snapshot, and a block. The snapshot is here only when it comes back, so what the
 * compressor remembers may lie there on the way to the disk.
 */
enum { PLAIN_OF = 38, BLOCK_OF = PLAIN_OF + CHECKPOINT_PAGES, BLOCK_PAGES = 8, RECEIPTS_OF = APPEND_OF };
enum { VIEW_ENTRY = 160 };      /* where this guest reads the snapshot of an agent */

#define COMPRESSION ((struct compression *)AT(ENTRY_OF(PLAIN_OF)))
#define PLAIN ((uint8_t *)AT(ENTRY_OF(PLAIN_OF)))
#define BLOCK ((uint8_t *)AT(ENTRY_OF(BLOCK_OF)))
#define BLOCK_BYTES (BLOCK_PAGES * PAGE_SIZE)

_Static_assert(BLOCK_OF + BLOCK_PAGES <= PAGES_IN_REGION, "the blocks do not fit into the region");
_Static_assert(sizeof(struct compression) <= CHECKPOINT_PAGES * PAGE_SIZE, "the compressor needs more room");

static uint64_t packed;         /* bytes of the block that was made last */
static uint64_t freed;          /* pages of the agent that is being hibernated */

void prepare_cold(void)
{
    for (uint64_t page = PLAIN_OF; page < BLOCK_OF + BLOCK_PAGES; page++)
        take_page(page, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(RECEIPTS_OF, PAGE_KIND_APPEND, ACCESS_READ);
}

/* ---- to the disk */

/* Stop reading the first pages of a snapshot. */
static void close_view(uint64_t a, uint64_t pages)
{
    for (uint64_t i = 0; i < pages; i++)
        TRY(page_unshare(the_roll()->entry[a].handle, the_roll()->entry[a].checkpoint + i, 1));
}

/* Read the snapshot of an agent where its guest has left it. */
static bool open_view(uint64_t a, uint64_t pages)
{
    const volatile struct entry *is = &the_roll()->entry[a];

    for (uint64_t i = 0; i < pages; i++)
        if (TRY(page_share(is->handle, is->checkpoint + i, 1, SELF)).status != STATUS_OK ||
            TRY(share_map(OWN, is->checkpoint + i, 1, OWN_TABLE, VIEW_ENTRY + i)).status != STATUS_OK)
            return false;
    return true;
}

/* A snapshot that is too large when it is compressed stays where it is. */
bool cold_pack(uint64_t a)
{
    struct compression *c = COMPRESSION;
    uint64_t size = ward_size(a);
    bool is_packed = false;

    if (open_view(a, PAGES(size))) {
        c->content = (struct u8_slice){(uint8_t *)AT(VIEW_ENTRY), size};
        c->block = (struct u8_slice){BLOCK, BLOCK_BYTES};
        is_packed = compression_compress(c) == BLOCK_FAULT_NONE;
        packed = c->made;
    }
    close_view(a, PAGES(size));
    return is_packed;
}

uint64_t cold_packed(void)
{
    return packed;
}

/* Each agent has a place of its own, in sectors. */
uint64_t cold_place(uint64_t a)
{
    return a * BLOCK_PAGES * (PAGE_SIZE / SECTOR);
}

/* Let the disk read or write the pages of a block. */
static bool move_pages(uint64_t a, uint64_t size, bool incoming)
{
    struct answer answer = TRY(device_lease(DISK, MINUTE, LARGE));

    for (uint64_t i = 0; i < PAGES(size) && answer.status == STATUS_OK && answer.result[0] == 0; i++) {
        answer = TRY(device_submit(DISK, PAGE_OF(MANAGER, BLOCK_OF + i), 0, PAGE_SIZE, incoming,
                                   cold_place(a) + i * (PAGE_SIZE / SECTOR)));
        answer = answer.status == STATUS_OK ? finish_request() : answer;
    }
    TRY(device_return(DISK));
    return answer.status == STATUS_OK && answer.result[0] == 0;
}

bool cold_write(uint64_t a)
{
    return move_pages(a, packed, false);
}

static bool append(uint64_t word)
{
    return TRY(page_append(OWN, PAGE_OF(MANAGER, RECEIPTS_OF), word)).status == STATUS_OK;
}

/* Put the receipt into the log, word by word. The last call is the one that hibernates the agent in the kernel. */
bool cold_record(uint64_t a, const struct cold_receipt *receipt)
{
    bool is_told = append(receipt->at) && append(receipt->packed) && append(receipt->plain);

    for (uint32_t word = 0; word < 4; word++)
        is_told = is_told && append(receipt->hash[word]);
    freed = 0;
    return is_told && ward_hibernate(a);
}

/* Free the room of the agent and of its checkpoints, all that are not free yet. */
bool cold_free(uint64_t a)
{
    const volatile struct entry *is = &the_roll()->entry[a];

    if (!ward_rest(a))
        return false;
    for (; freed < ROOM_PAGES + CHECKPOINT_PAGES; freed++) {
        uint64_t page = freed < ROOM_PAGES ? is->room + freed : is->checkpoint + freed - ROOM_PAGES;

        TRY(page_unmap(is->handle, page));
        if (TRY(page_release(is->handle, page)).status != STATUS_OK)
            return false;
    }
    return true;
}

/* ---- and back */

bool cold_read(uint64_t a, uint64_t packed)
{
    return packed <= BLOCK_BYTES && move_pages(a, packed, true);
}

bool cold_unpack(uint64_t packed, uint64_t plain)
{
    struct decompression d = {.block = {BLOCK, packed}, .content = {PLAIN, plain}};

    return plain <= CHECKPOINT_PAGES * PAGE_SIZE && decompression_decompress(&d) == BLOCK_FAULT_NONE;
}

void cold_hash(uint64_t hash[4], uint64_t plain)
{
    digest_words(hash, PLAIN, plain);
}

/* Let the guest of the agent read the snapshot that it is to begin with. */
static bool show(uint64_t a, uint64_t pages)
{
    const volatile struct entry *is = &the_roll()->entry[a];

    for (uint64_t i = 0; i < pages; i++) {
        uint64_t page = PAGE_OF(MANAGER, PLAIN_OF + i);

        TRY(page_unshare(OWN, page, 1));
        if (TRY(page_share(OWN, page, 1, is->handle)).status != STATUS_OK ||
            TRY(share_map(is->handle, page, 1, is->table, ARRIVAL_ENTRY + i)).status != STATUS_OK)
            return false;
    }
    return true;
}

/* Once the agent runs, it has its snapshot in its own pages. */
static void hide(uint64_t pages)
{
    for (uint64_t i = 0; i < pages; i++)
        TRY(page_unshare(OWN, PAGE_OF(MANAGER, PLAIN_OF + i), 1));
}

bool cold_restore(uint64_t a, uint64_t plain)
{
    bool is_back = ward_wake(a) && show(a, PAGES(plain)) && ward_begin_with(a, plain);

    if (is_back)
        hide(PAGES(plain));
    return is_back;
}

void alter_block(void)
{
    BLOCK[0] ^= 1;
}
