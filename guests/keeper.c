/* How does the root partition lend a disk? First to a guest that uses it, then to a hostile one.
 *
 * In the end it takes a page back that the disk was to write, destroys the hostile guest in the middle of a request,
 * and looks at pages that the disk must not have written.
 */
#include "creator.h"
#include "disk.h"
#include "origin.h"

enum { ORDINARY = 700000, ROUND = 10, END = 120000, LATER = 400 };

#define CANARY_PAGE (COMMIT_PAGE + 2)
#define IN_FLIGHT PAGE_OF(HOSTILE, EXCHANGE_OF)
#define LEFT PAGE_OF(HOSTILE, CANARY_OF)

static const struct prover prover = {AT(PROOF_ENTRY), COMMIT_PAGE, ROOT_PARTITION};

static void begin(void)
{
    take_console();
    take_own(COMMIT_PAGE, PROOF_ENTRY);
    take_own(CANARY_PAGE, CANARY_ENTRY);
    for (uint64_t i = 0; i < PAGE_WORDS; i++)
        AT(CANARY_ENTRY)[i] = i * i;
    tell_canary("before");
    send();
}

static void lend_to(uint64_t p, uint64_t image)
{
    create(p, image, ORDINARY, QUOTA);
    MUST(capability_grant(SLOT_TRANSPORTS, DISK, RIGHT_READ | RIGHT_WRITE | RIGHT_LEASE, partition(p), 0));
    run(p);
}

static bool in_time(void)
{
    return nanoseconds() < END * 1000000ull;
}

static void wait_for(uint64_t p)
{
    while (!status_of(p)->done && in_time())
        wait(ROUND);
}

/* When the hostile guest's lease is over, root takes the disk over, and returns it. */
static void take_over(void)
{
    while (status_of(HOSTILE)->wish != TAKE_OVER && in_time())
        wait(ROUND);
    MUST(device_lease(SLOT_TRANSPORTS, MINUTE, LARGE));
    MUST(device_return(SLOT_TRANSPORTS));
}

static bool is_zero(const volatile uint64_t *page)
{
    for (uint64_t i = 0; i < PAGE_WORDS; i++)
        if (page[i] != 0)
            return false;
    return true;
}

/* The page that the disk is to write becomes root's own, and stays what it was made: zero. */
static void take_page_back(void)
{
    MUST(region_reclaim(region_with(IN_FLIGHT), IN_FLIGHT));
    take_own(IN_FLIGHT, VICTIM_ENTRY);
    wait(LATER);
    say(is_zero(AT(VICTIM_ENTRY)) ? "reclaimed|zero\n" : "reclaimed|written\n");
}

/* ---- the end of who has the lease */

static void tell_lease(const char *when)
{
    say("lease|");
    say(when);
    say("|");
    say_number(TRY(device_lease(SLOT_TRANSPORTS, MINUTE, LARGE)).status);
    say("\n");
}

/* The lease of a destroyed partition runs on, as its request does; with the page both end, and the page stays zero. */
static void destroy_holder(void)
{
    while (status_of(HOSTILE)->wish != DESTROY && in_time())
        wait(ROUND);
    tell_lease("alive");
    must("destroy", prove(&prover, partition(HOSTILE), OPERATION_PARTITION_DESTROY));
    tell_lease("destroyed");
    MUST(region_reclaim(region_with(LEFT), LEFT));
    tell_lease("page taken");
    take_own(LEFT, VICTIM_ENTRY + HOSTILE);
    wait(LATER);
    say(is_zero(AT(VICTIM_ENTRY + HOSTILE)) ? "left|zero\n" : "left|written\n");
    MUST(device_return(SLOT_TRANSPORTS));
}

void main(void)
{
    begin();
    create_auditor(1);
    lend_to(WORKER_A, 0);
    wait_for(WORKER_A);
    lend_to(HOSTILE, 2);
    take_over();
    wait_for(HOSTILE);
    take_page_back();
    destroy_holder();
    tell_victim(WORKER_A);
    tell_canary("after");
    say(in_time() ? "root|done\n" : "root|out of time\n");
    send();
    MUST(partition_suspend(partition(WORKER_A)));
    MUST(partition_suspend(SLOT_OWN));
}
