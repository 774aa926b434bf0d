/* How does root house agents? Each gets a partition with the VM, its module and room for an instance. */
#include "housing.h"
#include "large.h"

enum { SCRATCH_ENTRY = 255, VIEW_ENTRY, MODULE_VIEW_ENTRY = 320 };
/* Records, and shares of the processor. With one more guest and room for one more agent they must do for all. */
enum { LOG_OF_AGENT = PLACED ? 128 : 192, SHARE_OF_AGENT = PLACED ? 70 : SHARE };
enum { MOURNING = 1000, ROUND = 50 };       /* ms */
enum { HOSTED = 2, ROWS = CHILDREN + 1 };  /* agents of a partition, with one that is tried */

static struct lodging lodging[LODGINGS];    /* those of the agents, in their order, come first */
static uint64_t fresh;      /* the first page that was never given out */
static const struct prover prover = {AT(PROOF_ENTRY), COMMIT_PAGE, ROOT_PARTITION};

const struct letter *letter_of(uint64_t p)
{
    return (const struct letter *)AT(STATUS_ENTRY + p);
}

/* ---- pages for the guest of an agent, mapped where the guest expects them */

/* Take `count` consecutive pages, none of them in the region of the auditor or of who looks after agents. */
static uint64_t next_pages(uint64_t count)
{
    uint64_t first = fresh, others = PAGE_OF(PLACED + STORED ? WORKER_A : MANAGED ? MANAGER : AUDITOR, 0);

    if (first < PAGE_OF(FIRST_AGENT, 0) && first + count > others)
        first = PAGE_OF(FIRST_AGENT, 0);
    fresh = first + count;
    return first;
}

static void map(uint64_t p, uint64_t page, uint64_t table, uint64_t entry, uint64_t access)
{
    MUST(page_map(partition(p), page, table, entry, access));
}

/* Let the guest have these pages, all zero. */
static void fill(uint64_t p, uint64_t table, uint64_t entry, uint64_t first, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        MUST(page_create(region_with(first + i), first + i, PAGE_KIND_DATA, partition(p)));
        map(p, first + i, table, entry + i, READ_WRITE);
    }
}

/* Give the guest consecutive pages of zeros. Return the first. */
static uint64_t give(uint64_t p, uint64_t table, uint64_t entry, uint64_t count)
{
    uint64_t first = next_pages(count);

    fill(p, table, entry, first, count);
    return first;
}

/* Take a page that root writes before it hands the page over. */
static uint64_t open_page(void)
{
    uint64_t page = next_pages(1);

    MUST(page_create(region_with(page), page, PAGE_KIND_DATA, SELF));
    MUST(page_map(SLOT_OWN, page, OWN_TABLE, SCRATCH_ENTRY, READ_WRITE));
    return page;
}

static void hand_over(uint64_t p, uint64_t page, uint64_t table, uint64_t entry, uint64_t access)
{
    MUST(page_unmap(SLOT_OWN, page));
    MUST(page_transfer(SLOT_OWN, page, partition(p)));
    map(p, page, table, entry, access);
}

/* Copy a page that root maps into a fresh one, and hand that over. Return its number. */
static uint64_t hand_over_copy(uint64_t p, uint64_t table, uint64_t entry, uint64_t viewed, uint64_t access)
{
    uint64_t page = open_page();

    for (uint64_t word = 0; word < PAGE_SIZE / 8; word++)
        AT(SCRATCH_ENTRY)[word] = AT(viewed)[word];
    hand_over(p, page, table, entry, access);
    return page;
}

static void view(uint64_t first, uint64_t count, uint64_t entry)
{
    for (uint64_t i = 0; i < count; i++)
        MUST(page_map(SLOT_OWN, first + i, OWN_TABLE, entry + i, ACCESS_READ));
}

/* Every agent has the same image, which root maps where the boot package left it. */
static void copy_image(uint64_t p, uint64_t table)
{
    uint64_t text = GUEST_IMAGE[VM_IMAGE].text, pages = text + GUEST_IMAGE[VM_IMAGE].data;

    for (uint64_t i = 0; i < pages; i++)
        hand_over_copy(p, table, i, VIEW_ENTRY + i, i < text ? ACCESS_READ | ACCESS_EXECUTE : READ_WRITE);
}

/* Copy a module, which root keeps for when the agent is spawned again. Return its first page. */
static uint64_t copy_module(uint64_t p, uint64_t table, uint64_t number)
{
    uint64_t viewed = MODULE_VIEW_ENTRY + AGENT[number].module;
    uint64_t first = hand_over_copy(p, table, MODULE_ENTRY, viewed, ACCESS_READ);

    for (uint64_t i = 1; i < AGENT[number].pages; i++)
        hand_over_copy(p, table, MODULE_ENTRY + i, viewed + i, ACCESS_READ);
    return first;
}

/* Hand over a module; pages that are not in the boot package are zero. Return its first page. */
static uint64_t hand_over_module(uint64_t p, uint64_t table, uint64_t number)
{
    uint64_t first = first_page(FIRST_MODULE) + AGENT[number].module, page = first;

    for (uint64_t i = 0; i < AGENT[number].pages; i++) {
        if ((AGENT[number].present >> i & 1) == 0) {
            give(p, table, MODULE_ENTRY + i, 1);
            continue;
        }
        MUST(page_transfer(SLOT_OWN, page, partition(p)));
        map(p, page++, table, MODULE_ENTRY + i, ACCESS_READ);
    }
    return first;
}

void prepare_housing(void)
{
    fresh = first_page(FIRST_MODULE) + MODULE_PAGES;
    view(first_page(VM_IMAGE), GUEST_IMAGE[VM_IMAGE].text + GUEST_IMAGE[VM_IMAGE].data, VIEW_ENTRY);
    if (MANAGED)
        view(first_page(FIRST_MODULE), MODULE_PAGES, MODULE_VIEW_ENTRY);
}

/* ---- agents */

bool is_child(uint64_t number)
{
    return AGENT[number].parent != number;
}

/* Make the partition of an agent, with everything but its letter. */
static void create_partition(uint64_t number, struct lodging *home)
{
    uint64_t p = home->partition, large = AGENT[number].large;
    uint64_t tables = next_pages((large ? UNITS_OF : TABLE_3_OF) + 1), table = tables + TABLE_3_OF;

    MUST(partition_create(SLOT_SCHEDULER, p, PARTITION_SLOT + p, LOG_OF_AGENT));
    MUST(partition_endow(partition(p), ALLOWANCE_SHARES, SHARE_OF_AGENT));
    MUST(partition_endow(partition(p), ALLOWANCE_AGENTS, HOSTED));
    MUST(ring_assign(SLOT_TRUST, partition(p), AGENT[number].score, true));
    make_tables(p, tables);
    if (large)
        lend_units(p, tables);
    home->units = large ? tables + UNITS_OF : 0;
    copy_image(p, table);
    home->room = give(p, table, ROOM_ENTRY, ROOM_PAGES);
    home->table = table;
    home->module = MANAGED ? copy_module(p, table, number) : hand_over_module(p, table, number);
    home->checkpoint = MANAGED ? give(p, table, CHECKPOINT_ENTRY, CHECKPOINT_PAGES) : 0;
}

/* The badge of the agent: root makes those that have no parent, if a manager wants badges that grow in a row for each
 * partition. Of a child, it is that of the first in its row.
 */
static uint64_t badge_of(uint64_t number, const struct lodging *home)
{
    struct answer begun;

    if (is_child(number))
        return 1ull << BADGE_ROW_BITS | (ROWS * (AGENT[number].parent + 1) + AGENT[number].place);
    begun = begin_agent(&prover, partition(home->partition), MANAGED ? home->partition : number, 0, home->module,
                        &AGENT[number].origin);
    must("begin_agent", begun);
    return begun.result[0];
}

/* Tell a parent what its children are made of. */
static void describe_children(struct letter *letter, uint64_t parent)
{
    for (uint64_t i = 0; i < parent; i++) {
        uint64_t place = AGENT[i].place;

        if (AGENT[i].parent != parent)
            continue;
        letter->first_page[place] = lodging[i].module;
        for (uint64_t word = 0; word < sizeof(struct origin) / sizeof(uint64_t); word++)
            ((volatile uint64_t *)&letter->child[place])[word] = ((const uint64_t *)&AGENT[i].origin)[word];
    }
}

static uint64_t give_console(uint64_t p)
{
    struct answer given = TRY(capability_grant(SLOT_CONSOLE, CONSOLE, RIGHT_WRITE, partition(p), p));

    must("give_console", given);
    return given.result[0];
}

/* Write a letter for the guest of an agent; root keeps it mapped. */
static void write_letter(uint64_t number, struct lodging *home)
{
    uint64_t p = home->partition, table = home->table;
    uint64_t buffer = give(p, table, ENTRY_OF(BUFFER_OF), 1), message = give(p, table, ENTRY_OF(MESSAGE_OF), 1);
    uint64_t window = give(p, table, ENTRY_OF(WINDOW_OF), 1), page = open_page();
    struct letter *letter = (struct letter *)AT(SCRATCH_ENTRY);

    home->elements = AGENT[number].may != 0 ? give(p, table, ENTRY_OF(ELEMENTS_OF), 1) : 0;
    letter->buffer_page = buffer;
    letter->message_page = message;
    letter->window_page = window;
    letter->table = table;
    letter->console = give_console(p);
    letter->self = p;
    letter->badge = home->badge;
    letter->row = ROWS * (number + 1);
    letter->size = AGENT[number].size;
    letter->snapshot = AGENT[number].snapshot;
    letter->hasty = AGENT[number].hasty;
    letter->fuel = AGENT[number].fuel;
    letter->managed = MANAGED;
    letter->reads = AGENT[number].may != 0;
    letter->large = AGENT[number].large;
    describe_children(letter, number);
    hand_over(p, page, table, LETTER_ENTRY, READ_WRITE);
    MUST(page_share(partition(p), page, 1, SELF));
    MUST(share_map(SLOT_OWN, page, 1, OWN_TABLE, STATUS_ENTRY + p));
    home->letter = page;
}

/* Make an agent in a new partition. One in a place where another one was gets the same pages. Return where it is. */
const struct lodging *create_agent(uint64_t number, uint64_t place, uint64_t p)
{
    uint64_t next = fresh;
    struct lodging *home = &lodging[place];

    fresh = home->first != 0 ? home->first : next;
    home->first = fresh;
    home->partition = p;
    create_partition(number, home);
    home->badge = badge_of(number, home);
    write_letter(number, home);
    fresh = fresh > next ? fresh : next;
    return home;
}

/* Let an agent be in a partition where one was that has ended, and has left everything. */
const struct lodging *renew_agent(uint64_t number, uint64_t place)
{
    struct lodging *home = &lodging[place];

    home->badge = badge_of(number, home);
    return home;
}

/* Let an agent that hibernated have room again for itself and for its checkpoints. */
void refill(uint64_t place)
{
    const struct lodging *home = &lodging[place];

    fill(home->partition, home->table, ROOM_ENTRY, home->room, ROOM_PAGES);
    fill(home->partition, home->table, CHECKPOINT_ENTRY, home->checkpoint, CHECKPOINT_PAGES);
}

/* Give an agent what it has on its own partition, on that of whom it sends to, and on its children. */
void endow(uint64_t number)
{
    uint64_t p = FIRST_AGENT + number, parent = FIRST_AGENT + AGENT[number].parent, place = AGENT[number].place;

    if (AGENT[number].own != 0)
        MUST(capability_grant(partition(p), OWN, AGENT[number].own, partition(p), 0));
    if (AGENT[number].peer != number) {
        connect(p, FIRST_AGENT + AGENT[number].peer);
        if ((AGENT[number].own & RIGHT_WRITE) != 0)
            MUST(capability_grant(partition(FIRST_AGENT + AGENT[number].peer), PEER, RIGHT_READ, partition(p), 0));
    }
    if (is_child(number)) {
        MUST(capability_grant(partition(p), CHILD + place, RIGHT_WRITE | RIGHT_EXECUTE | RIGHT_PROVE,
                              partition(parent), 0));
        MUST(edge_create(SLOT_SCHEDULER, p, EDGE_SLOT + p, SCHEMA));
        MUST(capability_grant(EDGE_SLOT + p, FAMILY + place, RIGHT_READ | RIGHT_WRITE | RIGHT_GRANT,
                              partition(parent), p));
    }
}

/* End a guest in the middle of what it does, with all that it has. What it shares stays for a while, so that whoever
 * was told to read it can do so first.
 */
void end_guest(uint64_t p)
{
    struct answer left;

    must("end", prove(&prover, partition(p), OPERATION_PARTITION_DESTROY));
    wait(MOURNING);
    do
        left = TRY(partition_release(partition(p)));
    while (left.status == STATUS_OK && left.result[0] != 0);
    must("end", left);
    while ((left = TRY(partition_reclaim(partition(p)))).status == STATUS_STILL_HOLDING)
        wait(ROUND);
    must("end", left);
}
