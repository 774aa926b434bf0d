/* Does a disk keep what a guest has it write? The guest leases it, writes sectors, and reads them into another page. */
#include "disk.h"

#define WRITTEN AT(ENTRY_OF(EXCHANGE_OF))
#define READ AT(ENTRY_OF(APPEND_OF))

static void tell_canary(const char *when)
{
    say("canary|");
    say(when);
    say("|");
    say_hash(AT(ENTRY_OF(CANARY_OF)));
    say("\n");
}

static uint64_t lease(void)
{
    return TRY(device_lease(DISK, MINUTE, LARGE)).status;
}

static uint64_t give_back(void)
{
    return TRY(device_return(DISK)).status;
}

/* Make a request, and tell what the device answers. */
static uint64_t move(const char *what, uint64_t page, bool incoming, uint64_t sector)
{
    struct answer answer = TRY(device_submit(DISK, PAGE_OF(WORKER_A, page), 0, WHOLE, incoming, sector));

    if (answer.status == STATUS_OK)
        answer = finish_request();
    say("disk|");
    say(what);
    say("|");
    say_number(answer.result[0]);
    say("\n");
    return answer.status;
}

static uint64_t write(void) { return move("write", EXCHANGE_OF, false, DRIVERS_SECTOR); }
static uint64_t read(void) { return move("read", APPEND_OF, true, DRIVERS_SECTOR); }
static uint64_t read_beyond(void) { return move("beyond", SPARE_OF, true, BEYOND_THE_DISK); }

static const struct attempt ATTEMPT[] = {
    {"lease the disk", STATUS_OK, lease},
    {"have eight sectors written", STATUS_OK, write},
    {"have the same sectors read", STATUS_OK, read},
    {"have a sector read that does not exist", STATUS_OK, read_beyond},
    {"return the disk", STATUS_OK, give_back},
};

static void take_pages(void)
{
    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(CANARY_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(EXCHANGE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(APPEND_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(SPARE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (uint64_t i = 0; i < PAGE_WORDS; i++) {
        AT(ENTRY_OF(CANARY_OF))[i] = 3 * i + 1;
        WRITTEN[i] = (i + 1) * 0x9e3779b97f4a7c15ull;
    }
}

static bool is_same(void)
{
    for (uint64_t i = 0; i < PAGE_WORDS; i++)
        if (READ[i] != WRITTEN[i])
            return false;
    return true;
}

/* The hostile guest gets the disk next; this one's pages are looked at again when that has ended. */
void main(void)
{
    take_pages();
    tell_canary("before");
    try_all(ATTEMPT, sizeof(ATTEMPT) / sizeof(ATTEMPT[0]));
    say(is_same() ? "kept|all\n" : "kept|not all\n");
    tell_canary("after");
    send();
    status.done = 1;
}
