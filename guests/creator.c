/* How does the root partition make another one? With tables, an image from the boot package, capabilities and edges. */
#include "creator.h"
#include "large.h"

extern uint8_t image_end[];

void must(const char *where, struct answer answer)
{
    if (answer.status == STATUS_OK)
        return;
    say("failed|");
    say(where);
    say("|");
    say_number(answer.status);
    say("\n");
    send();
}

static uint64_t forgotten[MOST_PARTITIONS];     /* how often a slot was emptied: its next handle says so */

uint64_t partition(uint64_t p)
{
    return PARTITION_SLOT + p + (forgotten[p] << SLOT_BITS);
}

/* Let the slot of a partition that was destroyed be used again. */
void forget(uint64_t p)
{
    MUST(capability_delete(partition(p)));
    forgotten[p]++;
}

/* ---- its own memory */

/* Root's capability on the region of a page. */
uint64_t region_with(uint64_t page)
{
    return SLOT_REGIONS + page / PAGES_IN_REGION;
}

void take_own(uint64_t page, uint64_t entry)
{
    TRY(page_create(region_with(page), page, PAGE_KIND_DATA, SELF));
    TRY(page_map(SLOT_OWN, page, OWN_TABLE, entry, READ_WRITE));
}

void take_console(void)
{
    take_own(BUFFER_PAGE, BUFFER_ENTRY);
    buffer_page = BUFFER_PAGE;
    console = SLOT_CONSOLE;
}

/* ---- partitions */

/* Make three tables in consecutive pages. */
void make_tables(uint64_t p, uint64_t first)
{
    MUST(page_create(region_with(first + TABLE_1_OF), first + TABLE_1_OF, PAGE_KIND_TABLE_1, partition(p)));
    MUST(page_create(region_with(first + TABLE_2_OF), first + TABLE_2_OF, PAGE_KIND_TABLE_2, partition(p)));
    MUST(page_create(region_with(first + TABLE_3_OF), first + TABLE_3_OF, PAGE_KIND_TABLE_3, partition(p)));
    MUST(table_root(partition(p), first + TABLE_1_OF));
    MUST(table_link(partition(p), first + TABLE_1_OF, GUEST_ENTRY, first + TABLE_2_OF));
    MUST(table_link(partition(p), first + TABLE_2_OF, 0, first + TABLE_3_OF));
}

/* Let a partition have large memory, and a table of units behind its other tables. */
void lend_units(uint64_t p, uint64_t first)
{
    uint64_t table = first + UNITS_OF;

    MUST(page_create(region_with(table), table, PAGE_KIND_TABLE_UNITS, partition(p)));
    MUST(table_link(partition(p), first + TABLE_1_OF, LARGE_ENTRY, table));
    MUST(partition_endow(partition(p), ALLOWANCE_UNITS, LARGE_UNITS));
}

/* Clear units, and give a partition a block of them. Return the first. */
uint64_t give_block(uint64_t p)
{
    struct answer made;

    for (uint64_t i = 0; i < LARGE_UNITS * PARTS_OF_UNIT; i++)
        MUST(block_clean());
    made = TRY(block_create(partition(p), LARGE_ORDER));
    must("give_block", made);
    return made.result[0];
}

/* The first page of an image: the boot package starts with root's own pages. */
uint64_t first_page(uint64_t image)
{
    uint64_t page = PACKAGE_PAGE + ((uint64_t)image_end - GUEST_BASE) / PAGE_SIZE;

    for (uint64_t i = 0; i < image; i++)
        page += GUEST_IMAGE[i].text + GUEST_IMAGE[i].data;
    return page;
}

/* Give the guest its pages of the boot package; root can still see its first data page. */
static void load(uint64_t p, uint64_t image)
{
    uint64_t first = first_page(image), text = GUEST_IMAGE[image].text, pages = text + GUEST_IMAGE[image].data;

    for (uint64_t i = 0; i < pages; i++) {
        MUST(page_transfer(SLOT_OWN, first + i, partition(p)));
        MUST(page_map(partition(p), first + i, PAGE_OF(p, TABLE_3_OF), i,
                      i < text ? ACCESS_READ | ACCESS_EXECUTE : READ_WRITE));
    }
    MUST(page_share(partition(p), first + text, 1, SELF));
    MUST(share_map(SLOT_OWN, first + text, 1, OWN_TABLE, STATUS_ENTRY + p));
}

void enrol(uint64_t p, uint64_t score, uint64_t quota)
{
    MUST(partition_create(SLOT_SCHEDULER, p, PARTITION_SLOT + p, quota));
    MUST(partition_endow(partition(p), ALLOWANCE_SHARES, SHARE));
    MUST(ring_assign(SLOT_TRUST, partition(p), score, true));
}

void furnish(uint64_t p, uint64_t image)
{
    make_tables(p, PAGE_OF(p, TABLE_1_OF));
    load(p, image);
    MUST(capability_grant(partition(p), OWN,
                          RIGHT_READ | RIGHT_WRITE | RIGHT_GRANT | (p == AUDITOR ? RIGHT_EXECUTE : 0),
                          partition(p), 0));
    MUST(capability_grant(SLOT_REGIONS + REGION_OF(p), REGION, RIGHT_WRITE, partition(p), 0));
    MUST(capability_grant(SLOT_CONSOLE, CONSOLE, RIGHT_WRITE, partition(p), p));
}

void create(uint64_t p, uint64_t image, uint64_t score, uint64_t quota)
{
    enrol(p, score, quota);
    furnish(p, image);
}

void create_auditor(uint64_t image)
{
    create(AUDITOR, image, TRUSTED, AUDITOR_QUOTA);
    MUST(capability_grant(SLOT_LOG, LOG, RIGHT_READ | RIGHT_WRITE, partition(AUDITOR), 0));
    run(AUDITOR);
}

void run(uint64_t p)
{
    MUST(partition_start(partition(p), GUEST_BASE));
}

/* What a guest tells root in its first page of data. */
struct status *status_of(uint64_t p)
{
    return (struct status *)AT(STATUS_ENTRY + p);
}

/* Tell the host what is in root's page that nobody else may write. */
void tell_canary(const char *when)
{
    say("canary|");
    say(when);
    say("|");
    say_hash(AT(CANARY_ENTRY));
    say("\n");
}

/* Tell the host what the canary of a partition holds after all attacks, as root itself sees it. */
void tell_victim(uint64_t p)
{
    MUST(page_share(partition(p), PAGE_OF(p, CANARY_OF), 1, SELF));
    MUST(share_map(SLOT_OWN, PAGE_OF(p, CANARY_OF), 1, OWN_TABLE, VICTIM_ENTRY + p));
    say("victim|");
    say_number(p);
    say("|");
    say_hash(AT(VICTIM_ENTRY + p));
    say("\n");
}

/* Let one partition send messages to the other, which knows it by its badge, and poke the other. */
void connect(uint64_t from, uint64_t to)
{
    MUST(edge_create(SLOT_SCHEDULER, from, EDGE_SLOT + from, SCHEMA));
    MUST(capability_grant(EDGE_SLOT + from, SENDING, RIGHT_WRITE, partition(from), from));
    MUST(capability_grant(EDGE_SLOT + from, RECEIVING, RIGHT_READ, partition(to), to));
    MUST(notification_create(SLOT_SCHEDULER, from, NOTIFICATION_SLOT + from));
    MUST(capability_grant(NOTIFICATION_SLOT + from, POKE, RIGHT_WRITE, partition(from), POKE_BIT));
    MUST(capability_grant(NOTIFICATION_SLOT + from, POKED, RIGHT_READ, partition(to), to));
}
