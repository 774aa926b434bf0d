/* How does the root partition give a guest both ends of the wire to another machine? As leases of two streams. */
#include "streams.h"

enum { RECORDS_OF_PEER = 1024, ROUND = 50, END = 200000 };

static bool in_time(void)
{
    return nanoseconds() < END * 1000000ull;
}

void main(void)
{
    take_console();
    take_own(COMMIT_PAGE, PROOF_ENTRY);
    create_auditor(1);
    create(WORKER_A, 0, TRUSTED, RECORDS_OF_PEER);
    give_streams(WORKER_A);
    run(WORKER_A);
    while (!status_of(WORKER_A)->done && in_time())
        wait(ROUND);
    say(in_time() ? "root|done\n" : "root|out of time\n");
    send();
    MUST(partition_suspend(partition(WORKER_A)));
    MUST(partition_suspend(SLOT_OWN));
}
