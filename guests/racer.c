/* How does a partition use its turns? It computes, gives way, sends, waits for messages or faults, by its number. */
#include "race.h"

extern uint8_t start[], data_start[], image_end[];

enum { TURNS = DISK + 1, CHILD_REGION, CHILD_SLOT };    /* slots of who makes another partition */
enum { IMAGE_OF = 16, SCRATCH_OF = 48, CHILD_SHARE = 85, CHILD_RECORDS = 24 };
enum { PAUSE = 10, PATIENCE = 50000000 };               /* ms between two messages; ns of rest */

#define READ_WRITE (ACCESS_READ | ACCESS_WRITE)

/* ---- a child */

static void give_page(uint64_t what, uint64_t kind)
{
    TRY(page_create(CHILD_REGION, PAGE_OF(CHILD_RACER, what), kind, CHILD_SLOT));
}

static void make_tables(void)
{
    give_page(TABLE_1_OF, PAGE_KIND_TABLE_1);
    give_page(TABLE_2_OF, PAGE_KIND_TABLE_2);
    give_page(TABLE_3_OF, PAGE_KIND_TABLE_3);
    TRY(table_root(CHILD_SLOT, PAGE_OF(CHILD_RACER, TABLE_1_OF)));
    TRY(table_link(CHILD_SLOT, PAGE_OF(CHILD_RACER, TABLE_1_OF), GUEST_ENTRY, PAGE_OF(CHILD_RACER, TABLE_2_OF)));
    TRY(table_link(CHILD_SLOT, PAGE_OF(CHILD_RACER, TABLE_2_OF), 0, PAGE_OF(CHILD_RACER, TABLE_3_OF)));
}

/* The child gets a copy of this partition's own page: nothing has changed the data yet. */
static void copy_page(uint64_t number, uint64_t access)
{
    uint64_t page = PAGE_OF(CHILD_RACER, IMAGE_OF + number);

    TRY(page_create(CHILD_REGION, page, PAGE_KIND_DATA, SELF));
    TRY(page_map(OWN, page, PAGE_OF(MAKER, TABLE_3_OF), ENTRY_OF(SCRATCH_OF), READ_WRITE));
    for (uint64_t i = 0; i < PAGE_SIZE / 8; i++)
        AT(ENTRY_OF(SCRATCH_OF))[i] = AT(number)[i];
    TRY(page_unmap(OWN, page));
    TRY(page_transfer(OWN, page, CHILD_SLOT));
    TRY(page_map(CHILD_SLOT, page, PAGE_OF(CHILD_RACER, TABLE_3_OF), number, access));
}

static void make_child(void)
{
    uint64_t text = (uint64_t)(data_start - start) / PAGE_SIZE, pages = (uint64_t)(image_end - start) / PAGE_SIZE;

    TRY(partition_create(TURNS, CHILD_RACER, CHILD_SLOT, CHILD_RECORDS));
    TRY(partition_endow(CHILD_SLOT, ALLOWANCE_SHARES, CHILD_SHARE));
    make_tables();
    for (uint64_t i = 0; i < pages; i++)
        copy_page(i, i < text ? ACCESS_READ | ACCESS_EXECUTE : READ_WRITE);
    for (uint64_t i = STINTS_OF; i < STINTS_OF + STINT_PAGES; i++) {
        give_page(i, PAGE_KIND_DATA);
        TRY(page_map(CHILD_SLOT, PAGE_OF(CHILD_RACER, i), PAGE_OF(CHILD_RACER, TABLE_3_OF), ENTRY_OF(i), READ_WRITE));
    }
    TRY(capability_grant(CHILD_SLOT, OWN, RIGHT_READ | RIGHT_WRITE, CHILD_SLOT, 0));
    TRY(partition_start(CHILD_SLOT, GUEST_BASE));
}

/* ---- what each does in its turns */

static void talk(void)
{
    static uint64_t last;

    if (nanoseconds() - last < PAUSE * 1000000ull)
        return;
    last = nanoseconds();
    note(edge_send(SENDING, buffer_page, 1, SCHEMA));
}

static void listen(void)
{
    if (note(edge_receive(RECEIVING, buffer_page)).status != STATUS_OK)
        note(edge_await(RECEIVING, PATIENCE));
}

/* Touch a page that root maps whenever it lets the partition go on. */
static void touch(void)
{
    note(page_unmap(OWN, PAGE_OF(FAULTY, SPARE_OF)));
    racing();
    (void)*AT(ENTRY_OF(SPARE_OF));
}

static void compute(void)
{
}

static void (*const USE[])(void) = {
    [STEADY] = compute,  [MAKER] = compute, [RESTLESS] = give_way,   [TALKER] = talk,
    [LISTENER] = listen, [FAULTY] = touch,  [CHILD_RACER] = compute,
};

/* A partition in the sandbox may not take pages: the child has got its own. */
static void take_pages(void)
{
    if (myself() == CHILD_RACER)
        return;
    for (uint64_t i = 0; i < STINT_PAGES; i++)
        take_page(STINTS_OF + i, PAGE_KIND_DATA, READ_WRITE);
    if (myself() == TALKER || myself() == LISTENER)
        take_page(BUFFER_OF, PAGE_KIND_DATA, READ_WRITE);
    if (myself() == FAULTY)
        take_page(SPARE_OF, PAGE_KIND_DATA, READ_WRITE);
}

void main(void)
{
    if (TRY(capability_inspect(OWN)).result[0] >> 32 == MAKER)
        make_child();
    take_pages();
    while (racing())
        USE[myself()]();
    if (myself() == MAKER)
        TRY(partition_suspend(CHILD_SLOT));
}
