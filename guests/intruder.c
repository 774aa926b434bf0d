/* What can a hostile guest do with a disk that it may lease? Each attempt has an expected status. */
#include "disk.h"

enum { HARM = HARMLESS + 1, PAST = 400, MOMENT = 100, SOON = 50000000, FILL = 0x5a };

#define MINE(what) PAGE_OF(HOSTILE, what)
#define TARGET MINE(EXCHANGE_OF)
#define BYTES ((volatile uint8_t *)AT(ENTRY_OF(EXCHANGE_OF)))
#define CALL(name, call) static uint64_t name(void) { return TRY(call).status; }
#define SUBMIT(name, page, offset, length, incoming) \
    CALL(name, hypercall(OPERATION_DEVICE_SUBMIT, DISK, page, offset, length, incoming, INTRUDERS_SECTOR))

CALL(lease, device_lease(DISK, MINUTE, LARGE))
CALL(lease_for_a_moment, device_lease(DISK, SOON, LARGE))
CALL(lease_for_little, device_lease(DISK, MINUTE, SECTOR))
CALL(give_back, device_return(DISK))
CALL(complete, device_complete(DISK))
CALL(submit_to_the_console, device_submit(CONSOLE, TARGET, 0, SECTOR, true, 0))

/* ---- requests for what it may not have moved */

SUBMIT(read_sector, TARGET, SECTOR, SECTOR, true)
SUBMIT(read_into_victim, PAGE_OF(WORKER_A, CANARY_OF), 0, WHOLE, true)
SUBMIT(write_from_victim, PAGE_OF(WORKER_A, CANARY_OF), 0, WHOLE, false)
SUBMIT(read_into_roots_table, 0, 0, WHOLE, true)
SUBMIT(read_into_own_table, MINE(TABLE_3_OF), 0, SECTOR, true)
SUBMIT(read_into_free_page, MINE(40), 0, SECTOR, true)
SUBMIT(read_into_no_page, 1024, 0, SECTOR, true)
SUBMIT(read_into_unmapped, MINE(SPARE_OF), 0, SECTOR, true)
SUBMIT(read_into_read_only, MINE(APPEND_OF), 0, SECTOR, true)
SUBMIT(begin_beyond_page, TARGET, WHOLE, SECTOR, true)
SUBMIT(end_beyond_page, TARGET, SECTOR, WHOLE, true)
SUBMIT(wrap_around, TARGET, 0xfe00, 0xfe00, true)
SUBMIT(length_beyond, TARGET, 0, 0x10000 + SECTOR, true)
SUBMIT(no_bytes, TARGET, 0, 0, true)
SUBMIT(part_of_sector, TARGET, 0, SECTOR - 1, true)
SUBMIT(between_sectors, TARGET, 8, SECTOR, true)
SUBMIT(other_direction, TARGET, 0, SECTOR, 2)
SUBMIT(read_too_much, TARGET, 0, 2 * SECTOR, true)
SUBMIT(read_and_die, MINE(CANARY_OF), 0, WHOLE, true)

/* ---- a page in flight */

CALL(release_pinned, page_release(OWN, TARGET))
CALL(unmap_pinned, page_unmap(OWN, TARGET))
CALL(share_pinned, page_share(OWN, TARGET, 1, SELF))
CALL(transfer_pinned, page_transfer(OWN, TARGET, SELF))
CALL(lease_again, device_lease(DISK, MINUTE, LARGE))

static uint64_t wait_for_device(void)
{
    return finish_request().status;
}

/* The neighbours of the sector that was read are as they were. */
static uint64_t look_beside_sector(void)
{
    for (uint64_t i = 0; i < WHOLE; i++)
        if ((i < SECTOR || i >= 2 * SECTOR) && BYTES[i] != FILL)
            return HARM;
    return HARMLESS;
}

static uint64_t have_sector_beyond(uint64_t sector)
{
    struct answer answer = TRY(device_submit(DISK, TARGET, 0, SECTOR, true, sector));

    if (answer.status == STATUS_OK)
        answer = finish_request();
    return answer.status == STATUS_OK && answer.result[0] == 0 ? HARM : answer.status;
}

static uint64_t sector_beyond_disk(void) { return have_sector_beyond(BEYOND_THE_DISK); }
static uint64_t last_sector_of_all(void) { return have_sector_beyond(~0ull); }

/* ---- after the end of a lease */

static uint64_t refill(void)
{
    for (uint64_t i = 0; i < WHOLE; i++)
        BYTES[i] = FILL;
    wait(PAST);
    for (uint64_t i = 0; i < WHOLE; i++)
        if (BYTES[i] != FILL)
            return HARM;
    return HARMLESS;
}

static uint64_t submit_when_over(void)
{
    wait(MOMENT);
    return read_sector();
}

/* Root takes the disk over when asked, while the request of this guest is in flight. */
static uint64_t complete_when_taken(void)
{
    status.wish = TAKE_OVER;
    wait(PAST);
    return complete();
}

/* Root takes the page of a request back: its lease is over then. */
static uint64_t complete_when_page_is_taken(void)
{
    uint64_t seen;

    while ((seen = complete()) == STATUS_WOULD_BLOCK)
        wait(MOMENT);
    return seen;
}

static const struct attempt ATTEMPT[] = {
    {"a request without a lease", STATUS_NOT_LEASED, read_sector},
    {"the end of a request without a lease", STATUS_NOT_LEASED, complete},
    {"return a disk that is not leased", STATUS_NOT_LEASED, give_back},
    {"the console as a disk", STATUS_WRONG_OBJECT, submit_to_the_console},
    {"lease the disk for one sector", STATUS_OK, lease_for_little},
    {"a request for more than is left", STATUS_LIMIT_REACHED, read_too_much},
    {"lease the disk for more", STATUS_OK, lease},
    {"the end of a request that was not made", STATUS_WRONG_STATE, complete},
    {"read into a victim's page", STATUS_NOT_OWNER, read_into_victim},
    {"write a victim's page to the disk", STATUS_NOT_OWNER, write_from_victim},
    {"read into root's table", STATUS_NOT_OWNER, read_into_roots_table},
    {"read into its own table", STATUS_NOT_OWNER, read_into_own_table},
    {"read into a free page", STATUS_NOT_OWNER, read_into_free_page},
    {"read into a page that does not exist", STATUS_BAD_ARGUMENT, read_into_no_page},
    {"read into a page that it has not mapped", STATUS_NOT_MAPPED, read_into_unmapped},
    {"read into a page that it may only read", STATUS_NOT_MAPPED, read_into_read_only},
    {"begin beyond the page", STATUS_BAD_ARGUMENT, begin_beyond_page},
    {"end beyond the page", STATUS_BAD_ARGUMENT, end_beyond_page},
    {"an offset and a length that wrap around", STATUS_BAD_ARGUMENT, wrap_around},
    {"a length with a bit too many", STATUS_BAD_ARGUMENT, length_beyond},
    {"no bytes at all", STATUS_BAD_ARGUMENT, no_bytes},
    {"a part of a sector", STATUS_BAD_ARGUMENT, part_of_sector},
    {"between two sectors", STATUS_BAD_ARGUMENT, between_sectors},
    {"a direction that does not exist", STATUS_BAD_ARGUMENT, other_direction},
    {"read a sector", STATUS_OK, read_sector},
    {"a second request meanwhile", STATUS_WOULD_BLOCK, read_sector},
    {"free the page in flight", STATUS_PAGE_PINNED, release_pinned},
    {"unmap it", STATUS_PAGE_PINNED, unmap_pinned},
    {"share it", STATUS_PAGE_PINNED, share_pinned},
    {"hand it on", STATUS_PAGE_PINNED, transfer_pinned},
    {"renew the lease meanwhile", STATUS_OK, lease_again},
    {"wait for the disk", STATUS_OK, wait_for_device},
    {"the disk writes beside the sector", HARMLESS, look_beside_sector},
    {"the end of a request again", STATUS_WRONG_STATE, complete},
    {"a sector beyond the disk", STATUS_OK, sector_beyond_disk},
    {"the last sector that a number can name", STATUS_OK, last_sector_of_all},
    {"read a sector", STATUS_OK, read_sector},
    {"the end of a request that is in flight", STATUS_WOULD_BLOCK, complete},
    {"return the disk meanwhile", STATUS_OK, give_back},
    {"the disk writes after it was returned", HARMLESS, refill},
    {"a request after the return", STATUS_NOT_LEASED, read_sector},
    {"the end of a request after the return", STATUS_NOT_LEASED, complete},
    {"lease the disk for a moment", STATUS_OK, lease_for_a_moment},
    {"read a sector", STATUS_OK, read_sector},
    {"the end of this request, in flight, too", STATUS_WOULD_BLOCK, complete},
    {"a request after the end of the lease", STATUS_NOT_LEASED, submit_when_over},
    {"the end of a request when root has the disk", STATUS_NOT_LEASED, complete_when_taken},
    {"the disk writes after root has taken it", HARMLESS, refill},
    {"lease the disk again", STATUS_OK, lease},
    {"read a sector, for root to take the page", STATUS_OK, read_sector},
    {"the end of this request, in flight, too", STATUS_WOULD_BLOCK, complete},
};

/* After these root destroys the guest. */
static const struct attempt LAST_ATTEMPT[] = {
    {"the end of a request when root has the page", STATUS_NOT_LEASED, complete_when_page_is_taken},
    {"lease the disk for the last time", STATUS_OK, lease},
    {"read a page, and be destroyed", STATUS_OK, read_and_die},
    {"the end of this request, in flight, too", STATUS_WOULD_BLOCK, complete},
};

_Static_assert(sizeof(ATTEMPT) / sizeof(ATTEMPT[0]) <= ATTEMPTS, "more attempts than there is room to remember");

void main(void)
{
    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(EXCHANGE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(APPEND_OF, PAGE_KIND_DATA, ACCESS_READ);
    take_page(CANARY_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    TRY(page_create(REGION, MINE(SPARE_OF), PAGE_KIND_DATA, SELF));
    for (uint64_t i = 0; i < WHOLE; i++)
        BYTES[i] = FILL;
    try_all(ATTEMPT, sizeof(ATTEMPT) / sizeof(ATTEMPT[0]));
    send();
    status.done = 1;
    status.attempt = 0;
    try_all(LAST_ATTEMPT, sizeof(LAST_ATTEMPT) / sizeof(LAST_ATTEMPT[0]));
    send();
    status.wish = DESTROY;
}
