/* Can two partitions work together without reaching beyond what each was given? Both workers run this. */
#include "registers.h"
#include "runtime.h"

enum { ROUNDS = 8, VALUES = 4, MESSAGES = 12, READY = 1 };

static uint64_t peer(void)
{
    return WORKER_A + WORKER_B - myself();
}

static volatile uint64_t *own(uint64_t what)
{
    return AT(ENTRY_OF(what));
}

static volatile uint64_t *theirs(uint64_t what)
{
    return AT(ENTRY_OF_PEER(what));
}

static uint64_t value(uint64_t partition, uint64_t i)
{
    return 0x636f726f6c6c6172ull * partition + i;
}

static void tell_canary(const char *when)
{
    say("canary|");
    say(when);
    say("|");
    say_hash(own(CANARY_OF));
    say("\n");
}

static void take_pages(void)
{
    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(CANARY_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(EXCHANGE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(APPEND_OF, PAGE_KIND_APPEND, ACCESS_READ);
    take_page(SPARE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (uint64_t i = 0; i < PAGE_SIZE / 8; i++)
        own(CANARY_OF)[i] = value(myself(), i);
    tell_canary("before");
    send();
}

static void map_shared(uint64_t what)
{
    while (TRY(share_map(OWN, PAGE_OF(peer(), what), 1, PAGE_OF(myself(), TABLE_3_OF), ENTRY_OF_PEER(what))).status
           != STATUS_OK)
        wait(100);
}

static void share(void)
{
    TRY(page_share(OWN, PAGE_OF(myself(), EXCHANGE_OF), 1, PEER));
    TRY(page_share(OWN, PAGE_OF(myself(), APPEND_OF), 1, PEER));
    map_shared(EXCHANGE_OF);
    map_shared(APPEND_OF);
}

/* Each writes its own page and reads the other's: a message each way, every round. */
static void exchange(void)
{
    uint64_t wrong = 0;

    for (uint64_t round = 1; round <= ROUNDS; round++) {
        own(EXCHANGE_OF)[1] = value(myself(), round);
        own(EXCHANGE_OF)[0] = round;
        while (theirs(EXCHANGE_OF)[0] < round)
            wait(1);
        wrong += theirs(EXCHANGE_OF)[0] == round && theirs(EXCHANGE_OF)[1] != value(peer(), round);
    }
    for (uint64_t i = 0; i < VALUES; i++)
        TRY(page_append(OWN, PAGE_OF(myself(), APPEND_OF), value(myself(), i)));
    for (uint64_t i = 0; i < VALUES; i++) {
        while (theirs(APPEND_OF)[i] == 0)
            wait(1);
        wrong += theirs(APPEND_OF)[i] != value(peer(), i);
    }
    say(wrong ? "exchange|failed\n" : "exchange|worked\n");
}

static struct answer message(uint64_t number)
{
    AT(ENTRY_OF(SPARE_OF))[MESSAGE_PAYLOAD] = value(myself(), number);
    return TRY(edge_send(SENDING, PAGE_OF(myself(), SPARE_OF), 1, SCHEMA));
}

/* Send more messages each way than an edge holds; a poke says that all were sent. */
static void converse(void)
{
    uint64_t sent = 0, received = 0, wrong = 0;
    volatile uint64_t *page = AT(ENTRY_OF(SPARE_OF));

    while (sent < MESSAGES || received < MESSAGES) {
        if (sent < MESSAGES)
            sent += message(sent).status == STATUS_OK;
        if (received < MESSAGES && TRY(edge_receive(RECEIVING, PAGE_OF(myself(), SPARE_OF))).status == STATUS_OK) {
            wrong += page[MESSAGE_PAYLOAD] != value(peer(), received) || page[MESSAGE_BADGE] != peer()
                     || page[MESSAGE_SEQUENCE] != received;
            received++;
        }
    }
    TRY(notification_signal(POKE, POKE_BIT));
    while (TRY(notification_wait(POKED)).status != STATUS_OK)
        wait(100);
    say(wrong ? "conversation|failed\n" : "conversation|worked\n");
}

/* After both have made the attempts that need the other's page, each takes its own page back. */
static void part(void)
{
    own(EXCHANGE_OF)[2] = READY;
    while (theirs(EXCHANGE_OF)[2] != READY)
        wait(1);
    wait(50);
    TRY(page_unshare(OWN, PAGE_OF(myself(), EXCHANGE_OF), 1));
    wait(400);
}

static uint64_t keep_registers(void) { return HARMLESS | registers_lost(myself()); }
static uint64_t write_shared(void) { theirs(EXCHANGE_OF)[3] = 1; return HARMLESS; }
static uint64_t execute_shared(void) { ((void (*)(void))theirs(EXCHANGE_OF))(); return HARMLESS; }
static uint64_t write_append(void) { own(APPEND_OF)[0] = 1; return HARMLESS; }
static uint64_t read_unmapped(void) { (void)*theirs(CANARY_OF); return HARMLESS; }
static uint64_t map_unshared(void)
{
    return TRY(share_map(OWN, PAGE_OF(peer(), CANARY_OF), 1, PAGE_OF(myself(), TABLE_3_OF), 200)).status;
}
static uint64_t append_theirs(void) { return TRY(page_append(OWN, PAGE_OF(peer(), APPEND_OF), 1)).status; }
static uint64_t map_append(void)
{
    return TRY(page_map(OWN, PAGE_OF(myself(), APPEND_OF), PAGE_OF(myself(), TABLE_3_OF), 200, ACCESS_WRITE)).status;
}
static uint64_t map_both(void)
{
    return TRY(page_map(OWN, PAGE_OF(myself(), CANARY_OF), PAGE_OF(myself(), TABLE_3_OF), 200,
                        ACCESS_WRITE | ACCESS_EXECUTE)).status;
}
static uint64_t unshare_theirs(void) { return TRY(page_unshare(OWN, PAGE_OF(peer(), EXCHANGE_OF), 1)).status; }
static uint64_t suspend_peer(void) { return TRY(partition_suspend(PEER)).status; }
static uint64_t read_ended(void) { (void)theirs(EXCHANGE_OF)[0]; return HARMLESS; }
static uint64_t send_backwards(void)
{
    return TRY(edge_send(RECEIVING, PAGE_OF(myself(), SPARE_OF), 1, SCHEMA)).status;
}
static uint64_t receive_backwards(void) { return TRY(edge_receive(SENDING, PAGE_OF(myself(), SPARE_OF))).status; }
static uint64_t send_another_schema(void)
{
    return TRY(edge_send(SENDING, PAGE_OF(myself(), SPARE_OF), 1, SCHEMA + 1)).status;
}
static uint64_t send_theirs(void) { return TRY(edge_send(SENDING, PAGE_OF(peer(), SPARE_OF), 1, SCHEMA)).status; }
static uint64_t end_edge(void) { return TRY(edge_destroy(SENDING)).status; }
static uint64_t poke_another_bit(void) { return TRY(notification_signal(POKE, POKE_BIT << 1)).status; }
static uint64_t poke_itself(void) { return TRY(notification_signal(POKED, READY)).status; }
static uint64_t finish_sharing(void) { part(); return STATUS_OK; }

static const struct attempt ATTEMPT[] = {
    {"every register survives the other partitions", HARMLESS, keep_registers},
    {"a reader writes the page shared with it", STOPPED | EC_DATA_ABORT, write_shared},
    {"a reader executes the page shared with it", STOPPED | EC_INSTRUCTION_ABORT, execute_shared},
    {"the owner writes its append-only page directly", STOPPED | EC_DATA_ABORT, write_append},
    {"a worker reads where nothing is mapped", STOPPED | EC_DATA_ABORT, read_unmapped},
    {"a worker maps a page that was not shared", STATUS_NOT_SHARED, map_unshared},
    {"a reader appends to the other's page", STATUS_NOT_OWNER, append_theirs},
    {"the owner maps its append-only page to write", STATUS_WRONG_PAGE_KIND, map_append},
    {"a worker maps a page to write and execute", STATUS_WRITE_XOR_EXECUTE, map_both},
    {"a reader ends the other's share", STATUS_NOT_OWNER, unshare_theirs},
    {"a worker suspends its peer with READ alone", STATUS_INSUFFICIENT_RIGHTS, suspend_peer},
    {"a receiver sends", STATUS_INSUFFICIENT_RIGHTS, send_backwards},
    {"a sender receives", STATUS_INSUFFICIENT_RIGHTS, receive_backwards},
    {"a sender sends what the edge is not for", STATUS_SCHEMA_MISMATCH, send_another_schema},
    {"a sender sends the other's page", STATUS_NOT_OWNER, send_theirs},
    {"a sender ends the edge", STATUS_INSUFFICIENT_RIGHTS, end_edge},
    {"a signaller sets another's bit", STATUS_RIGHTS_ESCALATION, poke_another_bit},
    {"a receiver signals", STATUS_INSUFFICIENT_RIGHTS, poke_itself},
    {"both take their pages back", STATUS_OK, finish_sharing},
    {"a reader reads after the share has ended", STOPPED | EC_DATA_ABORT, read_ended},
};

void main(void)
{
    if (status.stage == 0) {
        take_pages();
        share();
        exchange();
        converse();
        status.stage = 1;
    }
    try_all(ATTEMPT, sizeof(ATTEMPT) / sizeof(ATTEMPT[0]));
    tell_canary("after");
    send();
    status.done = 1;
}
