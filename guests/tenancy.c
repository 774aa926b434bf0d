/* How do 16 MiB go from one partition to another? Root clears them, gives them to one, and hands them on. */
#include "creator.h"
#include "tenant.h"

enum { ORDINARY = 700000, PARTS_OF_UNIT = 1 << (UNIT_SHIFT - UNIT_PART_SHIFT), A_WHILE = 50 };

static void tell(const char *what, uint64_t value)
{
    say(what);
    say("|");
    say_number(value);
    say("\n");
}

static void make_tenant(uint64_t p)
{
    create(p, p - 1, ORDINARY, QUOTA);
    MUST(page_create(region_with(PAGE_OF(p, UNITS_OF)), PAGE_OF(p, UNITS_OF), PAGE_KIND_TABLE_UNITS, partition(p)));
    MUST(table_link(partition(p), PAGE_OF(p, TABLE_1_OF), GUEST_ENTRY + 1, PAGE_OF(p, UNITS_OF)));
    MUST(partition_endow(partition(p), ALLOWANCE_UNITS, UNITS_LENT));
}

static void map_all(uint64_t p, uint64_t head)
{
    for (uint64_t i = 0; i < UNITS_LENT; i++)
        MUST(block_map(partition(p), head, head + i, PAGE_OF(p, UNITS_OF), i, READ_WRITE));
}

static void unmap_all(uint64_t p, uint64_t head)
{
    for (uint64_t i = 0; i < UNITS_LENT; i++)
        MUST(block_unmap(partition(p), head, head + i));
}

static void let_use(uint64_t p)
{
    run(p);
    while (!status_of(p)->done)
        give_way();
}

static void move(uint64_t head)
{
    uint64_t calls = status.calls;

    unmap_all(WORKER_A, head);
    MUST(block_transfer(partition(WORKER_A), head, partition(WORKER_B)));
    map_all(WORKER_B, head);
    tell("calls", status.calls - calls);
}

void main(void)
{
    uint64_t head, rounds;

    take_console();
    make_tenant(WORKER_A);
    make_tenant(WORKER_B);
    for (uint64_t i = 0; i < UNITS_LENT * PARTS_OF_UNIT; i++)
        MUST(block_clean());
    head = TRY(block_create(partition(WORKER_A), ORDER_LENT)).result[0];
    map_all(WORKER_A, head);
    let_use(WORKER_A);
    tell("words not zero", status_of(WORKER_A)->wish);
    tell("handed on while mapped", TRY(block_transfer(partition(WORKER_A), head, partition(WORKER_B))).status);
    move(head);
    let_use(WORKER_B);
    tell("words changed", status_of(WORKER_B)->wish);
    rounds = status_of(WORKER_A)->done;
    wait(A_WHILE);
    tell("rounds without it", status_of(WORKER_A)->done - rounds);
    send();
    MUST(partition_suspend(partition(WORKER_B)));
    MUST(partition_suspend(SLOT_OWN));
}
