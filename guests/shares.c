/* How much work does a victim do beside a partition that computes, and how much beside one that makes long calls? */
#include "creator.h"

enum { ORDINARY = 700000, MANY = 1000, SETTLED = 300, WINDOW = 1500, HONEST = 2000 };
enum { MORE = 300 - SHARE };   /* of the processor, for each of the two: their turns are long beside a call */

static uint64_t done_in_a_window(void)
{
    uint64_t before = status_of(WORKER_A)->done;

    wait(WINDOW);
    return status_of(WORKER_A)->done - before;
}

void main(void)
{
    take_console();
    create(WORKER_A, 0, ORDINARY, QUOTA);
    create(WORKER_B, 1, ORDINARY, MANY);
    MUST(partition_endow(partition(WORKER_A), ALLOWANCE_SHARES, MORE));
    MUST(partition_endow(partition(WORKER_B), ALLOWANCE_SHARES, MORE));
    run(WORKER_A);
    run(WORKER_B);
    wait(SETTLED);
    tell_number("beside one that computes", done_in_a_window());
    wait(HONEST);
    tell_number("beside one that makes long calls", done_in_a_window());
    tell_number("calls", status_of(WORKER_B)->calls);
    send();
    TRY(hypercall(OPERATION_PARTITION_SUSPEND, partition(WORKER_A), 0, 0, 0, 0, 0));
    TRY(hypercall(OPERATION_PARTITION_SUSPEND, partition(WORKER_B), 0, 0, 0, 0, 0));
    MUST(partition_suspend(SLOT_OWN));
}
