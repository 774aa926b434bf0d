/* How does root let agents ask for vectors? It makes the librarian, and gives each of them edges, pages and a bell. */
#include "library.h"
#include "slip.h"

enum { BOOKS_QUOTA = 128, ROUND = 50 };     /* records; ms */
enum { BELL_OF_ALL = 0, BELL_SLOT = 63 };   /* the notification, and root's slot for it */

/* An edge of each agent to the librarian, and one back. With agents, root does not use the first slots of its edges and
 * notifications, as these are of partitions.
 */
enum { ASKING_SLOT = EDGE_SLOT, ANSWERING_SLOT = NOTIFICATION_SLOT, ASKING_EDGES = 0, ANSWERING_EDGES = 32 };

static uint64_t readers;

_Static_assert(READERS <= FIRST_AGENT && STORED <= READERS, "each agent that may ask has slots of root");

void open_library(void)
{
    create(LIBRARIAN, LIBRARIAN_IMAGE, TRUSTED, BOOKS_QUOTA);
    MUST(capability_grant(SLOT_REGIONS + REGION_OF(WORKER_B), MORE_REGION, RIGHT_WRITE, partition(LIBRARIAN), 0));
    MUST(notification_create(SLOT_SCHEDULER, BELL_OF_ALL, BELL_SLOT));
    MUST(capability_grant(BELL_SLOT, RUNG, RIGHT_READ, partition(LIBRARIAN), 0));
    run(LIBRARIAN);
    while (!status_of(LIBRARIAN)->wish)
        wait(ROUND);
}

/* Let one of the two send to the other. */
static void connect_desk(uint64_t edge, uint64_t slot, uint64_t from, uint64_t sending, uint64_t badge, uint64_t to,
                         uint64_t receiving)
{
    MUST(edge_create(SLOT_SCHEDULER, edge, slot, SCHEMA));
    MUST(capability_grant(slot, sending, RIGHT_WRITE, partition(from), badge));
    MUST(capability_grant(slot, receiving, RIGHT_READ, partition(to), 0));
}

/* Each has a page that the other one reads. Neither can take it back: that takes WRITE on the partition it is of. */
static void share_elements(uint64_t number, uint64_t reader, const struct lodging *home)
{
    uint64_t answers = PAGE_OF(LIBRARIAN, SPARE_OF + reader);

    if (AGENT[number].lends)
        MUST(page_share(partition(home->partition), home->elements, LOAN, partition(LIBRARIAN)));
    MUST(page_share(partition(LIBRARIAN), answers, LOAN, partition(home->partition)));
    MUST(share_map(partition(home->partition), answers, LOAN, home->table, ENTRY_OF(LENT_OF)));
}

void admit(uint64_t number, const struct lodging *home)
{
    uint64_t reader = readers++, p = home->partition, badge = SLIP_BADGE(home->elements, reader, AGENT[number].may);

    connect_desk(ASKING_EDGES + reader, ASKING_SLOT + reader, p, STORE, badge, LIBRARIAN, ASKED + reader);
    connect_desk(ANSWERING_EDGES + reader, ANSWERING_SLOT + reader, LIBRARIAN, ANSWERING + reader, 0, p, ANSWERS);
    MUST(capability_grant(BELL_SLOT, BELL, RIGHT_WRITE, partition(p), 1ull << reader));
    share_elements(number, reader, home);
}

void close_library(void)
{
    while (readers > 0)
        MUST(edge_destroy(ANSWERING_SLOT + --readers));
}
