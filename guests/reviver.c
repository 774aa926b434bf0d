/* How does the root partition let agents go on when the kernel has started again? It has their guests write snapshots,
 * keeps those on a disk, and begins with what it finds there.
 *
 * A disk has two places for each agent. The older snapshot is replaced, and counts when the sector that tells of it is
 * written, last. The guest of an agent checks the seal of a snapshot, so nothing of the disk is trusted.
 */
#include "disk.h"
#include "housing.h"

enum { PATIENCE = 500, ROUND = 100, POLL = 1 };     /* ms: as in agent.c, between two rounds, and two looks */
enum { ORDERS_ENTRY = 132, TRANSFER_ENTRY = 138, ARRIVALS_ENTRY = 140, CHECKPOINTS_ENTRY = 384 };
enum { ORDERS_OF = 0, TRANSFER_OF = 8, ARRIVALS_OF = 16 };  /* pages of its own, where a manager would have its own */
enum { PLACES = 2, PLACE_PAGES = 1 + CHECKPOINT_PAGES, PAGE_SECTORS = PAGE_SIZE / SECTOR };
enum { FRESH, KEPT_ON_DISK, OVER };     /* what the disk tells of an agent */
enum { LIFE = 1 };                      /* each guest is started once in a boot */

_Static_assert(AGENTS * CHECKPOINT_PAGES <= STATUS_ENTRY - ARRIVALS_ENTRY, "root maps the snapshots of all agents");

#define MARK 0x534e415053484f54ull

/* The first words of a place on the disk. */
struct heading {
    uint64_t mark, number, is, size;    /* how often there was a snapshot, and the bytes of this one */
};

#define TRANSFER ((struct heading *)AT(TRANSFER_ENTRY))
#define TRANSFER_PAGE PAGE_OF(MANAGER, TRANSFER_OF)

static const struct lodging *home[AGENTS];
static struct heading last[AGENTS];     /* the newest on the disk */
static bool over[AGENTS];

static uint64_t partition_of(uint64_t number)
{
    return FIRST_AGENT + number;
}

/* ---- the disk */

static bool move(uint64_t page, bool incoming, uint64_t sector)
{
    struct answer answer = TRY(device_submit(SLOT_TRANSPORTS, page, 0, WHOLE, incoming, sector));

    if (answer.status != STATUS_OK)
        return false;
    while ((answer = TRY(device_complete(SLOT_TRANSPORTS))).status == STATUS_WOULD_BLOCK)
        wait(POLL);
    return answer.status == STATUS_OK && answer.result[0] == 0;
}

static uint64_t sector_of(uint64_t number, uint64_t snapshot, uint64_t page)
{
    return ((PLACES * number + snapshot % PLACES) * PLACE_PAGES + page) * PAGE_SECTORS;
}

/* Write what is told of an agent; only then the pages that were written before count. */
static void write_heading(uint64_t number, struct heading heading)
{
    *TRANSFER = heading;
    if (move(TRANSFER_PAGE, false, sector_of(number, heading.number, 0)))
        last[number] = heading;
}

static void read_headings(uint64_t number)
{
    for (uint64_t place = 0; place < PLACES; place++)
        if (move(TRANSFER_PAGE, true, sector_of(number, place, 0)) && TRANSFER->mark == MARK &&
            TRANSFER->number > last[number].number)
            last[number] = *TRANSFER;
}

/* ---- orders to the guest of an agent */

static struct order *order_of(uint64_t number)
{
    return (struct order *)AT(ORDERS_ENTRY + number);
}

static void give_order(uint64_t number, uint64_t verb)
{
    order_of(number)->verb = verb;
    order_of(number)->number++;
}

static void wait_for_order(uint64_t number)
{
    const struct letter *letter = letter_of(partition_of(number));

    while (letter->report.obeyed != order_of(number)->number && !letter->done)
        wait(POLL);
}

static void share(uint64_t number, uint64_t page, uint64_t entry)
{
    MUST(page_share(SLOT_OWN, page, 1, partition(partition_of(number))));
    MUST(share_map(partition(partition_of(number)), page, 1, home[number]->table, entry));
}

/* Let the guest read orders, and root the snapshots of the guest. */
static void meet(uint64_t number)
{
    uint64_t p = partition_of(number);

    take_own(PAGE_OF(MANAGER, ORDERS_OF + number), ORDERS_ENTRY + number);
    share(number, PAGE_OF(MANAGER, ORDERS_OF + number), ORDER_ENTRY);
    for (uint64_t i = 0; i < CHECKPOINT_PAGES; i++) {
        MUST(page_share(partition(p), home[number]->checkpoint + i, 1, SELF));
        MUST(share_map(SLOT_OWN, home[number]->checkpoint + i, 1, OWN_TABLE,
                       CHECKPOINTS_ENTRY + CHECKPOINT_PAGES * number + i));
    }
}

/* ---- the beginning */

/* Bring the newest snapshot to where the guest finds it. */
static bool bring(uint64_t number)
{
    bool is_there = true;

    for (uint64_t i = 0; i < PAGES(last[number].size); i++) {
        uint64_t place = CHECKPOINT_PAGES * number + i, page = PAGE_OF(MANAGER, ARRIVALS_OF + place);

        take_own(page, ARRIVALS_ENTRY + place);
        is_there &= move(page, true, sector_of(number, last[number].number, 1 + i));
        share(number, page, ARRIVAL_ENTRY + i);
    }
    return is_there;
}

static void tell(const char *what, uint64_t p, uint64_t value)
{
    say(what);
    say("|");
    say_number(p);
    say("|");
    say_number(value);
    say("\n");
    send();
}

/* An agent that had ended stays as it is. */
static void prepare(uint64_t number)
{
    uint64_t p = partition_of(number);

    read_headings(number);
    over[number] = last[number].is == OVER;
    tell("found", p, last[number].number);
    if (over[number])
        return;
    home[number] = create_agent(number, number, p);
    meet(number);
    if (last[number].is == KEPT_ON_DISK && last[number].size <= CHECKPOINT_PAGES * PAGE_SIZE && bring(number)) {
        order_of(number)->from = FROM_ARRIVAL;
        order_of(number)->size = last[number].size;
    }
}

/* An order that is there before the guest starts is none, and one that the next order replaces may be overlooked. */
static void begin(uint64_t number)
{
    order_of(number)->life = LIFE;
    run(partition_of(number));
    while (letter_of(partition_of(number))->report.started != LIFE)
        wait(POLL);
    if (order_of(number)->from == FROM_ARRIVAL)
        give_order(number, ORDER_ARRIVE);
    wait_for_order(number);
}

/* ---- the life of the agents */

static bool is_saved(uint64_t number)
{
    const struct letter *letter = letter_of(partition_of(number));

    give_order(number, ORDER_SAVE);
    wait_for_order(number);
    return !letter->done && letter->report.saved != 0;
}

/* Write the snapshot that the guest made to the disk, in place of the older one. */
static void save(uint64_t number)
{
    uint64_t size = letter_of(partition_of(number))->report.saved, next = last[number].number + 1;

    MUST(device_lease(SLOT_TRANSPORTS, MINUTE, LARGE));
    for (uint64_t i = 0; i < PAGES(size); i++) {
        const volatile uint64_t *from = AT(CHECKPOINTS_ENTRY + CHECKPOINT_PAGES * number + i);

        for (uint64_t word = 0; word < PAGE_WORDS; word++)
            AT(TRANSFER_ENTRY)[word] = from[word];
        if (!move(TRANSFER_PAGE, false, sector_of(number, next, 1 + i)))
            return;
    }
    write_heading(number, (struct heading){MARK, next, KEPT_ON_DISK, size});
    tell("kept", partition_of(number), size);
}

static void end(uint64_t number)
{
    uint64_t p = partition_of(number);

    over[number] = true;
    write_heading(number, (struct heading){MARK, last[number].number + 1, OVER, 0});
    end_agent(partition(p), home[number]->badge, LIFE_RUNNING);
    MUST(partition_suspend(partition(p)));
}

static bool look_after(uint64_t number)
{
    if (over[number])
        return false;
    if (is_saved(number))
        save(number);
    else if (letter_of(partition_of(number))->done)
        end(number);
    return true;
}

void main(void)
{
    bool somebody = true;

    patience = PATIENCE;
    take_console();
    take_own(COMMIT_PAGE, PROOF_ENTRY);
    create_auditor(AUDITOR_IMAGE);
    prepare_housing();
    take_own(TRANSFER_PAGE, TRANSFER_ENTRY);
    MUST(device_lease(SLOT_TRANSPORTS, MINUTE, LARGE));
    for (uint64_t i = 0; i < AGENTS; i++)
        prepare(i);
    for (uint64_t i = 0; i < AGENTS; i++)
        if (!over[i])
            begin(i);
    while (somebody) {
        somebody = false;
        for (uint64_t i = 0; i < AGENTS; i++)
            somebody |= look_after(i);
        wait(ROUND);
    }
    MUST(device_return(SLOT_TRANSPORTS));
    say("root|done\n");
    send();
    MUST(partition_suspend(SLOT_OWN));
}
