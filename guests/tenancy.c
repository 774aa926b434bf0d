/* How do 16 MiB go from one partition to another? Root clears them, gives them to one, and hands them on. */
#include "creator.h"
#include "large.h"

enum { ORDINARY = 700000, A_WHILE = 50 };

static void make_tenant(uint64_t p)
{
    create(p, p - 1, ORDINARY, QUOTA);
    lend_units(p, PAGE_OF(p, TABLE_1_OF));
}

static void link_to(uint64_t p, uint64_t head)
{
    if (!link_block(partition(p), head, PAGE_OF(p, UNITS_OF)))
        tell_number("failed", p);
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

    if (!unlink_block(partition(WORKER_A), head))
        tell_number("failed", WORKER_A);
    MUST(block_transfer(partition(WORKER_A), head, partition(WORKER_B)));
    link_to(WORKER_B, head);
    tell_number("calls", status.calls - calls);
}

void main(void)
{
    uint64_t head, rounds;

    take_console();
    make_tenant(WORKER_A);
    make_tenant(WORKER_B);
    head = give_block(WORKER_A);
    link_to(WORKER_A, head);
    let_use(WORKER_A);
    tell_number("words not zero", status_of(WORKER_A)->wish);
    tell_number("handed on while mapped", TRY(block_transfer(partition(WORKER_A), head, partition(WORKER_B))).status);
    move(head);
    let_use(WORKER_B);
    tell_number("words changed", status_of(WORKER_B)->wish);
    rounds = status_of(WORKER_A)->done;
    wait(A_WHILE);
    tell_number("rounds without it", status_of(WORKER_A)->done - rounds);
    send();
    MUST(partition_suspend(partition(WORKER_B)));
    MUST(partition_suspend(SLOT_OWN));
}
