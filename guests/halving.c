/* How does a partition become two, and the two become one? Root moves what the halves have, and cools a block down.
 *
 * The second half is a partition that root makes for it. It gets a page and a block of the first one. Both talk with
 * each other then, so they may be merged: the first one gets everything back, and the second one ends.
 */
#include "creator.h"
#include "large.h"
#include "origin.h"
#include "half.h"

enum { ORDINARY = 700000, MANY = 512 };

static const struct prover prover = {AT(PROOF_ENTRY), COMMIT_PAGE, ROOT_PARTITION};
static uint64_t head;   /* the first unit of the block */

#define UNITS PAGE_OF(WORKER_B, UNITS_OF)   /* the second half's table of units */

static void wait_for(uint64_t p, uint64_t stage)
{
    while (status_of(p)->done != stage)
        give_way();
}

/* ---- what halves have */

static void link_to(uint64_t p)
{
    if (!link_block(partition(p), head, PAGE_OF(p, UNITS_OF)))
        tell_number("failed", p);
}

/* Move the page and the block from one half to the other, which gets to see them later. */
static void move(uint64_t from, uint64_t to)
{
    if (!unlink_block(partition(from), head))
        tell_number("failed", from);
    MUST(block_transfer(partition(from), head, partition(to)));
    MUST(page_unmap(partition(from), MOVED_PAGE));
    MUST(page_transfer(partition(from), MOVED_PAGE, partition(to)));
}

static void show(uint64_t p)
{
    MUST(page_map(partition(p), MOVED_PAGE, PAGE_OF(p, TABLE_3_OF), ENTRY_OF(EXCHANGE_OF), READ_WRITE));
    link_to(p);
}

static void free_page(uint64_t p, uint64_t page)
{
    MUST(page_unmap(partition(p), page));
    MUST(page_release(partition(p), page));
}

/* Free all that a half has of its own, but its root table. */
static void empty(uint64_t p, uint64_t image)
{
    uint64_t first = first_page(image);

    MUST(page_unshare(partition(p), first + GUEST_IMAGE[image].text, 1));
    for (uint64_t i = 0; i < GUEST_IMAGE[image].text + GUEST_IMAGE[image].data; i++)
        free_page(p, first + i);
    free_page(p, PAGE_OF(p, SPARE_OF));
    free_page(p, PAGE_OF(p, UNITS_OF));
    free_page(p, PAGE_OF(p, TABLE_3_OF));
    free_page(p, PAGE_OF(p, TABLE_2_OF));
}

/* ---- tiers */

static uint64_t retier(uint64_t p, uint64_t old, uint64_t new, uint64_t use)
{
    return TRY(block_retier(partition(p), head, old, new, use)).status;
}

/* A block that is of no use becomes cold, step by step; it is not to be linked then. One of much use becomes hot. */
static void cool_and_warm(uint64_t p)
{
    uint64_t failed = 0;

    tell_number("cooled while of use", retier(p, HEAT_HOT, HEAT_WARM, ALL_USE));
    tell_number("cooled by two tiers", retier(p, HEAT_HOT, HEAT_DORMANT, 0));
    for (uint64_t heat = HEAT_HOT; heat < HEAT_COLD; heat++)
        failed += retier(p, heat, heat + 1, 0) != STATUS_OK;
    tell_number("linked while cold",
                TRY(block_map(partition(p), head, head, PAGE_OF(p, UNITS_OF), 0, READ_WRITE)).status);
    for (uint64_t heat = HEAT_COLD; heat > HEAT_HOT; heat--)
        failed += retier(p, heat, heat - 1, ALL_USE) != STATUS_OK;
    tell_number("steps between tiers that failed", failed);
}

/* ---- halves */

static uint64_t end(uint64_t p)
{
    return prove(&prover, partition(p), OPERATION_PARTITION_DESTROY).status;
}

static void begin(void)
{
    take_console();
    take_own(COMMIT_PAGE, PROOF_ENTRY);
    create(WORKER_A, 0, ORDINARY, MANY);
    lend_units(WORKER_A, PAGE_OF(WORKER_A, TABLE_1_OF));
    head = give_block(WORKER_A);
    link_to(WORKER_A);
    enrol(WORKER_B, ORDINARY, MANY);
    connect(WORKER_B, WORKER_A);
    run(WORKER_A);
    wait_for(WORKER_A, FILLED);
}

static void split(void)
{
    must("split", prove_pair(&prover, partition(WORKER_A), OPERATION_PARTITION_SPLIT, partition(WORKER_B),
                             (const uint64_t[3]){0}));
    tell_number("resumed as a half", TRY(partition_resume(partition(WORKER_A))).status);
    MUST(partition_endow(partition(WORKER_B), ALLOWANCE_UNITS, LARGE_UNITS));
    move(WORKER_A, WORKER_B);
    MUST(partition_settle(partition(WORKER_A)));
    MUST(partition_settle(partition(WORKER_B)));
    MUST(partition_resume(partition(WORKER_A)));
}

static void bring_up_second(void)
{
    furnish(WORKER_B, 1);
    MUST(page_create(region_with(UNITS), UNITS, PAGE_KIND_TABLE_UNITS, partition(WORKER_B)));
    MUST(table_link(partition(WORKER_B), PAGE_OF(WORKER_B, TABLE_1_OF), LARGE_ENTRY, UNITS));
    cool_and_warm(WORKER_B);
    show(WORKER_B);
    run(WORKER_B);
    wait_for(WORKER_A, HEARD);
    tell_number("words that the split changed", status_of(WORKER_B)->wish);
}

static void merge(void)
{
    const uint64_t edges[3] = {WORKER_B, RECEIVING, WORKER_B};

    must("merge", prove_pair(&prover, partition(WORKER_B), OPERATION_PARTITION_MERGE, partition(WORKER_A), edges));
    tell_number("ended with pages", end(WORKER_B));
    move(WORKER_B, WORKER_A);
    empty(WORKER_B, 1);
    tell_number("ended empty", end(WORKER_B));
    MUST(edge_destroy(EDGE_SLOT + WORKER_B));
    show(WORKER_A);
    MUST(partition_settle(partition(WORKER_A)));
    MUST(partition_resume(partition(WORKER_A)));
    wait_for(WORKER_A, CHECKED);
    tell_number("words that the merge changed", status_of(WORKER_A)->wish);
}

void main(void)
{
    begin();
    split();
    bring_up_second();
    merge();
    send();
    MUST(partition_suspend(partition(WORKER_A)));
    MUST(partition_suspend(SLOT_OWN));
}
