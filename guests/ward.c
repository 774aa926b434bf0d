/* How does the manager's guest reach the agents? By hypercalls on their partitions, and by orders to their guests. */
#include "letter.h"
#include "roll.h"
#include "ward.h"

/* Pages of its own region, where it maps them, and where it maps the pages that others share with it. */
enum { STATE_OF = 16, ORDER_OF = 32, LETTERS_ENTRY = 144 };
enum { ROUND = 20, PATIENCE = 60000 };  /* ms: between two looks at a guest, and until it must have obeyed */

#define ROLL ((const volatile struct roll *)AT(ROLL_ENTRY))
#define PROOF_PAGE PAGE_OF(MANAGER, SPARE_OF)
#define OWN_TABLE PAGE_OF(MANAGER, TABLE_3_OF)

static uint64_t life[MOST_AGENTS];      /* how often the guest of each was started */
static uint64_t wishes;

static const volatile struct entry *ward(uint64_t a)
{
    return &ROLL->entry[a];
}

static struct order *order_of(uint64_t a)
{
    return (struct order *)AT(ENTRY_OF(ORDER_OF + a));
}

static const struct report *report_of(uint64_t a)
{
    return &((const struct letter *)AT(LETTERS_ENTRY + a))->report;
}

static bool is_ok(struct answer answer)
{
    return answer.status == STATUS_OK;
}

/* ---- the kernel */

/* Make a call that needs a proof of P2. */
static struct answer prove(uint64_t handle, uint64_t operation)
{
    struct answer object = named(handle);

    if (!is_ok(object))
        return object;
    write_proof(AT(ENTRY_OF(SPARE_OF)), PROOF_OF_P2, (struct mutation){
        .operation = operation, .actor = MANAGER, .kind = OBJECT_KIND_PARTITION, .object = object.result[0],
        .nonce = TRY(proof_inspect()).result[0]});
    return TRY(hypercall(operation, handle, 0, 0, 0, 0, PROOF_PAGE));
}

static bool change(uint64_t a, life_t new, life_t old)
{
    return is_ok(TRY(agent_change(ward(a)->handle, ward(a)->badge, new, old)));
}

/* Let the guest begin anew: from its module or a snapshot, with registers that are zero. */
static bool begin(uint64_t a, uint64_t from)
{
    uint64_t handle = ward(a)->handle;
    struct order *order = order_of(a);

    order->from = from;
    order->life = ++life[a];
    return is_ok(TRY(partition_start(handle, GUEST_BASE)));
}

static bool begin_again(uint64_t a, uint64_t from)
{
    uint64_t handle = ward(a)->handle;

    return is_ok(prove(handle, OPERATION_PARTITION_HIBERNATE)) &&
        is_ok(prove(handle, OPERATION_PARTITION_RECONSTRUCT)) &&
        change(a, LIFE_RUNNING, LIFE_SUSPENDED) && begin(a, from);
}

/* ---- the guest of an agent */

/* Let the manager and the guest read a page of each other. */
static bool meet(uint64_t a)
{
    const volatile struct entry *is = ward(a);
    uint64_t order_page = PAGE_OF(MANAGER, ORDER_OF + a);

    return is_ok(TRY(page_share(OWN, order_page, 1, is->handle))) &&
        is_ok(TRY(share_map(is->handle, order_page, 1, is->table, ORDER_ENTRY))) &&
        is_ok(TRY(page_share(is->handle, is->letter, 2, SELF))) &&
        is_ok(TRY(share_map(OWN, is->letter, 2, OWN_TABLE, LETTERS_ENTRY + a)));
}

/* Wait until the agent runs in its present life, or has ended. */
static bool has_begun(uint64_t a)
{
    const struct report *report = report_of(a);

    for (uint64_t waited = 0; waited < PATIENCE; waited += ROUND, wait(ROUND))
        if (report->begun == life[a] || ward_end(a) != NO_END)
            break;
    return report->begun == life[a];
}

enum end ward_end(uint64_t a)
{
    const struct report *report = report_of(a);

    if (report->started != life[a] || report->ended == NOT_ENDED)
        return NO_END;
    return report->ended == ENDED_WELL ? GOOD_END : BAD_END;
}

/* Order a checkpoint, and do not wait for it. */
void ward_save(uint64_t a)
{
    struct order *order = order_of(a);

    order->verb = ORDER_SAVE;
    order->number++;
}

/* ---- what the manager wants done */

bool ward_start(uint64_t a)
{
    return meet(a) && begin(a, FROM_MODULE);
}

/* An agent that failed takes no steps; say so in the kernel, too. */
bool ward_stop(uint64_t a)
{
    return change(a, LIFE_SUSPENDED, LIFE_RUNNING);
}

bool ward_restart(uint64_t a)
{
    return begin_again(a, FROM_MODULE);
}

static bool suspend(uint64_t a)
{
    return is_ok(TRY(hypercall(OPERATION_PARTITION_SUSPEND, ward(a)->handle, 0, 0, 0, 0, 0)));
}

/* Without a checkpoint nothing is done. From one that is not what it should be the agent does not begin. */
bool ward_reload(uint64_t a)
{
    if (report_of(a)->saved == 0 || !begin_again(a, FROM_CHECKPOINT))
        return false;
    if (has_begun(a))
        return true;
    suspend(a);
    change(a, LIFE_SUSPENDED, LIFE_RUNNING);
    return false;
}

/* End the partition, and with it all that it has; its number is free when the last of its records was drained. */
bool ward_destroy(uint64_t a)
{
    uint64_t handle = ward(a)->handle;
    struct answer left;

    if (!is_ok(prove(handle, OPERATION_PARTITION_DESTROY)))
        return false;
    do
        left = TRY(partition_release(handle));
    while (is_ok(left) && left.result[0] != 0);
    while ((left = TRY(partition_reclaim(handle))).status == STATUS_STILL_HOLDING)
        wait(ROUND);
    TRY(capability_delete(handle));
    TRY(page_unshare(OWN, PAGE_OF(MANAGER, ORDER_OF + a), 1));
    return is_ok(left);
}

/* Root is the parent: it spawns an agent again, or does not. */
bool ward_spawn(uint64_t a)
{
    uint64_t wish = WISH(++wishes, a);

    status.wish = wish;
    while (ROLL->answered != wish)
        wait(ROUND);
    return ROLL->granted && ward_start(a);
}

/* An agent that has returned is over. */
void ward_dismiss(uint64_t a)
{
    change(a, LIFE_TERMINATED, LIFE_RUNNING);
    suspend(a);
}

/* One that could not be mended takes no more steps. */
void ward_give_up(uint64_t a)
{
    change(a, LIFE_TERMINATED, LIFE_SUSPENDED);
    suspend(a);
}

/* ---- itself */

void *prepare_wards(uint64_t size)
{
    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(SPARE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (uint64_t at = 0; at < size; at += PAGE_SIZE)
        take_page(STATE_OF + at / PAGE_SIZE, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (uint64_t a = 0; a < ROLL->count; a++)
        take_page(ORDER_OF + a, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    return (void *)AT(ENTRY_OF(STATE_OF));
}

uint64_t ward_count(void)
{
    return ROLL->count;
}

uint64_t ward_badge(uint64_t a)
{
    return ward(a)->badge;
}

uint64_t ward_partition(uint64_t a)
{
    return ward(a)->partition;
}

void report(const char *what, uint64_t a, uint64_t first, uint64_t second)
{
    say(what);
    say("|");
    say_number(a);
    say("|");
    say_number(first);
    say("|");
    say_number(second);
    say("\n");
    send();
}

uint64_t milliseconds(void)
{
    return nanoseconds() / 1000000;
}

void rest(uint64_t milliseconds)
{
    wait(milliseconds);
}

void finish(void)
{
    status.done = 1;
}
