/* How does the root partition give a guest both ends of the wire to another machine? As leases of two streams. */
#include "creator.h"
#include "peer.h"

enum { RECORDS_OF_PEER = 1024, ROUND = 50, END = 200000 };

static bool in_time(void)
{
    return nanoseconds() < END * 1000000ull;
}

static void give_stream(uint64_t transport, uint64_t slot)
{
    MUST(capability_grant(SLOT_TRANSPORTS + transport, slot, RIGHT_READ | RIGHT_WRITE | RIGHT_LEASE,
                          partition(WORKER_A), 0));
}

void main(void)
{
    take_console();
    create_auditor(1);
    create(WORKER_A, 0, TRUSTED, RECORDS_OF_PEER);
    give_stream(SENDS_AT, OUTGOING);
    give_stream(RECEIVES_AT, INCOMING);
    run(WORKER_A);
    while (!status_of(WORKER_A)->done && in_time())
        wait(ROUND);
    say(in_time() ? "root|done\n" : "root|out of time\n");
    send();
    MUST(partition_suspend(partition(WORKER_A)));
    MUST(partition_suspend(SLOT_OWN));
}
