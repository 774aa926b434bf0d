/* How does the manager's guest reach the agents? By hypercalls on their partitions, and by orders to their guests. */
#include "cold.h"
#include "heat.h"
#include "letter.h"
#include "roll.h"
#include "ward.h"

/* Pages of its own region, where it maps them, and where it maps the pages that others share with it. */
enum { STATE_OF = 16, ORDER_OF = 32, CHUNKS_OF = 40, LETTERS_ENTRY = 144, VIEWED_ENTRY = 160 };
enum { MOMENT = 100000000 };           /* ns in which an agent that stands still is to go on */
enum { ROUND = 1, PATIENCE = 60000 };  /* ms: between two looks at a guest, and until it must have obeyed */
enum { MYSELF = MOST_AGENTS };         /* in place of a row: this guest, where it has the block of an agent */

#define ROLL ((const volatile struct roll *)AT(ROLL_ENTRY))

/* What is known of each agent, besides what root tells. It is there after a restart of this guest, too. */
static struct {
    uint64_t life;      /* how often its guest was started */
    life_t is;          /* its state in the kernel */
    bool is_met, is_taken, is_gone, is_left, is_open, rests, has_block;
    uint64_t reader, lent;  /* the badge of who may read its checkpoint, and how many pages of that */
} known[MYSELF + 1];
static uint64_t wishes;
static struct warmth warmth = WARMTH_BEGUN;     /* of the block; is it seen by this guest? */
static bool used_block;                         /* has this guest looked at it in this epoch? */

const volatile struct roll *the_roll(void)
{
    return ROLL;
}

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

/* ---- wishes */

static void wish(uint64_t what, uint64_t row)
{
    uint64_t wished = WISH(++wishes, what, row);

    status.wish = wished;
    while (ROLL->answered != wished)
        wait(ROUND);
}

/* ---- the kernel */

static bool has_proof(uint64_t a, uint64_t operation)
{
    const struct prover prover = {AT(ENTRY_OF(SPARE_OF)), PAGE_OF(MANAGER, SPARE_OF), MANAGER};

    return is_ok(prove(&prover, ward(a)->handle, operation));
}

/* Let an agent be in a state. */
static bool become(uint64_t a, life_t life)
{
    bool is_there = known[a].is == life ||
        is_ok(TRY(agent_change(ward(a)->handle, ward(a)->badge, life, known[a].is)));

    known[a].is = is_there ? life : known[a].is;
    return is_there;
}

static bool suspend(uint64_t a)
{
    return is_ok(TRY(hypercall(OPERATION_PARTITION_SUSPEND, ward(a)->handle, 0, 0, 0, 0, 0)));
}

/* Let the guest begin, with registers that are zero. */
static bool begin(uint64_t a, uint64_t from)
{
    struct order *order = order_of(a);

    order->from = from;
    order->badge = ward(a)->badge;
    order->life = ++known[a].life;
    return is_ok(TRY(partition_start(ward(a)->handle, GUEST_BASE)));
}

static bool begin_again(uint64_t a, uint64_t from)
{
    return has_proof(a, OPERATION_PARTITION_HIBERNATE) && has_proof(a, OPERATION_PARTITION_RECONSTRUCT) &&
        become(a, LIFE_RUNNING) && begin(a, from);
}

/* ---- the guest of an agent */

/* Let the manager and the guest read a page of each other. Root has made the agent, and let it run. */
static bool meet(uint64_t a)
{
    const volatile struct entry *is = ward(a);
    uint64_t order_page = PAGE_OF(MANAGER, ORDER_OF + a);

    known[a].is = LIFE_RUNNING;
    known[a].is_gone = false;
    known[a].reader = 0;
    order_of(a)->inbox = 0;
    known[a].is_met = is_ok(TRY(page_share(OWN, order_page, 1, is->handle))) &&
        is_ok(TRY(share_map(is->handle, order_page, 1, is->table, ORDER_ENTRY))) &&
        is_ok(TRY(page_share(is->handle, is->letter, 2, SELF))) &&
        is_ok(TRY(share_map(OWN, is->letter, 2, OWN_TABLE, LETTERS_ENTRY + a)));
    return known[a].is_met;
}

/* Wait until a guest has done something, which a word of its report tells, or the agent has ended. */
static bool is_done(uint64_t a, const volatile uint64_t *told, uint64_t wanted)
{
    for (uint64_t waited = 0; waited < PATIENCE && *told != wanted && ward_end(a) == NO_END; waited += ROUND)
        wait(ROUND);
    return *told == wanted;
}

static bool has_begun(uint64_t a)
{
    return is_done(a, &report_of(a)->begun, known[a].life);
}

enum end ward_end(uint64_t a)
{
    const struct report *report = report_of(a);

    if (report->started != known[a].life || report->ended == NOT_ENDED)
        return NO_END;
    return report->ended == ENDED_WELL ? GOOD_END : BAD_END;
}

uint64_t ward_violations(uint64_t a)
{
    return report_of(a)->violations;
}

static uint64_t give_order(uint64_t a, uint64_t verb)
{
    struct order *order = order_of(a);

    order->verb = verb;
    return ++order->number;
}

static bool is_obeyed(uint64_t a, uint64_t verb)
{
    return is_done(a, &report_of(a)->obeyed, give_order(a, verb));
}

/* Order a checkpoint, and do not wait for it. */
void ward_save(uint64_t a)
{
    give_order(a, ORDER_SAVE);
}

/* ---- large memory */

static bool is_large(uint64_t a)
{
    return ward(a)->units != 0;
}

/* Where the block is of the one agent that has large memory. */
static uint64_t row_with_block(void)
{
    uint64_t row = 0;

    while (row < MYSELF && !known[row].has_block)
        row++;
    return row;
}

static bool take_block(uint64_t from, uint64_t to)
{
    uint64_t handle = from == MYSELF ? OWN : ward(from)->handle, into = to == MYSELF ? SELF : ward(to)->handle;
    bool is_taken = heat_up(&warmth, handle, ROLL->block) && unlink_block(handle, ROLL->block) &&
        is_ok(TRY(block_transfer(handle, ROLL->block, into)));

    known[from].has_block = !is_taken;
    known[to].has_block = is_taken;
    return is_taken;
}

/* Let the agent have its block in this row. The kernel clears nothing of it, and nobody else sees it. */
static bool bring_block(uint64_t a)
{
    uint64_t from = row_with_block();

    warmth.is_seen = false;
    return (from == a || take_block(from, a)) && link_block(ward(a)->handle, ROLL->block, ward(a)->units);
}

/* A page of the memory of an agent that stands still, or is yet to come: then nobody has the block but this guest. */
volatile uint8_t *ward_memory(uint64_t page)
{
    uint64_t from = row_with_block();

    used_block = true;
    if (!warmth.is_seen || warmth.heat != HEAT_HOT)
        warmth.is_seen = (from == MYSELF || take_block(from, MYSELF)) && heat_up(&warmth, OWN, ROLL->block) &&
            link_block(OWN, ROLL->block, PAGE_OF(MANAGER, UNITS_OF));
    return warmth.is_seen ? LARGE + page * PAGE_SIZE : 0;
}

/* An epoch is over. The block that this guest has gets colder while it does not look at it. */
void ward_let_fade(void)
{
    if (known[MYSELF].has_block)
        let_fade(&warmth, OWN, ROLL->block, used_block);
    used_block = false;
}

/* How many pages of memory go with the agent that moves to another machine? */
uint64_t ward_memory_pages(void)
{
    return is_large(ROLL->tried) ? LARGE_SIZE / PAGE_SIZE : 0;
}

static void release_block(uint64_t a)
{
    unlink_block(ward(a)->handle, ROLL->block);
    known[a].has_block = !is_ok(TRY(block_release(ward(a)->handle, ROLL->block)));
}

/* ---- failures */

bool ward_start(uint64_t a)
{
    known[a].has_block = is_large(a);
    return meet(a) && begin(a, FROM_MODULE);
}

/* An agent that failed takes no steps; say so in the kernel, too. */
bool ward_stop(uint64_t a)
{
    return become(a, LIFE_SUSPENDED);
}

bool ward_restart(uint64_t a)
{
    return begin_again(a, FROM_MODULE);
}

/* Without a checkpoint nothing is done; large memory is in none. From one that is not what it should be the agent does
 * not begin.
 */
bool ward_reload(uint64_t a)
{
    if (is_large(a) || report_of(a)->saved == 0 || !begin_again(a, FROM_CHECKPOINT))
        return false;
    if (has_begun(a))
        return true;
    suspend(a);
    become(a, LIFE_SUSPENDED);
    return false;
}

/* End the partition, and with it all that it has; its number is free when the last of its records was drained. */
bool ward_destroy(uint64_t a)
{
    uint64_t handle = ward(a)->handle;
    struct answer left;

    if (known[a].is_gone)
        return true;
    if (!has_proof(a, OPERATION_PARTITION_DESTROY))
        return false;
    if (known[a].has_block)
        release_block(a);
    do
        left = TRY(partition_release(handle));
    while (is_ok(left) && left.result[0] != 0);
    while ((left = TRY(partition_reclaim(handle))).status == STATUS_STILL_HOLDING)
        wait(ROUND);
    TRY(capability_delete(handle));
    TRY(page_unshare(OWN, PAGE_OF(MANAGER, ORDER_OF + a), 1));
    known[a].is_met = known[a].is_taken = known[a].is_open = false;
    known[a].is_gone = is_ok(left);
    return known[a].is_gone;
}

/* End an agent that goes on elsewhere, and let its partition wait for the day when it comes back. */
bool ward_leave(uint64_t a)
{
    if (known[a].is_left)
        return true;
    if (!become(a, LIFE_TERMINATED) || !ward_rest(a) || !has_proof(a, OPERATION_PARTITION_RECONSTRUCT))
        return false;
    known[a].rests = false;
    known[a].is_left = true;
    return true;
}

/* An agent that has returned, or could not be mended, is over. */
void ward_dismiss(uint64_t a)
{
    become(a, LIFE_TERMINATED);
    suspend(a);
}

/* ---- hibernation */

bool ward_hibernate(uint64_t a)
{
    return become(a, LIFE_HIBERNATED);
}

bool ward_halt(uint64_t a)
{
    return is_obeyed(a, ORDER_PAUSE) && become(a, LIFE_SUSPENDED);
}

/* Let the partition of an agent rest, if it does not rest already. */
bool ward_rest(uint64_t a)
{
    known[a].rests = known[a].rests || has_proof(a, OPERATION_PARTITION_HIBERNATE);
    return known[a].rests;
}

/* Let the agent have its pages again, and its partition wait for a beginning. */
bool ward_wake(uint64_t a)
{
    if (!known[a].rests)
        return true;
    wish(WISH_PAGES, a);
    known[a].rests = !has_proof(a, OPERATION_PARTITION_RECONSTRUCT);
    return !known[a].rests;
}

/* Let the agent begin with a snapshot that was shown to it. A guest takes orders only once it has started. */
bool ward_begin_with(uint64_t a, uint64_t size)
{
    bool has_life = known[a].is == LIFE_RUNNING;

    if (has_life && report_of(a)->begun == known[a].life)
        return true;
    order_of(a)->size = size;
    return (has_life || (become(a, LIFE_RECONSTRUCTING) && become(a, LIFE_RUNNING))) && begin(a, FROM_ARRIVAL) &&
        is_done(a, &report_of(a)->started, known[a].life) && is_obeyed(a, ORDER_ARRIVE) && has_begun(a);
}

/* ---- moves */

/* Has a row no partition? */
bool ward_is_empty(uint64_t a)
{
    return ward(a)->partition == 0 || known[a].is_gone;
}

/* Is there room for an agent, that nobody has used? */
bool ward_has_room(uint64_t a)
{
    return a < ROLL->entries && ward(a)->is_room && !known[a].is_taken && !known[a].is_gone;
}

/* Let the guest in a room prepare everything, before an agent stops that is to go there. */
void ward_open(uint64_t a)
{
    if (ward_has_room(a) && !known[a].is_open && (known[a].is_met || meet(a)))
        known[a].is_open = begin(a, FROM_ARRIVAL);
}

bool ward_is_open(uint64_t a)
{
    return ward_has_room(a) && known[a].is_open && report_of(a)->ready == known[a].life;
}

/* Let the guest of an agent have every second slice for a moment, while the agent stands still; or no longer. */
static void hurry(uint64_t a, uint64_t within)
{
    TRY(schedule_prioritize(PRIORITIES, ward(a)->handle, 0, false, within));
}

bool ward_pause(uint64_t a)
{
    hurry(a, MOMENT);
    return is_obeyed(a, ORDER_PAUSE) && become(a, LIFE_MIGRATING);
}

bool ward_resume(uint64_t a)
{
    hurry(a, 0);
    return (!is_large(a) || bring_block(a)) && become(a, LIFE_RUNNING) && is_obeyed(a, ORDER_GO);
}

bool ward_snapshot(uint64_t a)
{
    bool is_there = is_obeyed(a, ORDER_SNAPSHOT) && report_of(a)->saved != 0;

    hurry(a, 0);
    return is_there;
}

uint64_t ward_size(uint64_t a)
{
    return report_of(a)->saved;
}

uint64_t ward_chunks(uint64_t a)
{
    return PAGES(ward_size(a));
}

const volatile uint64_t *ward_hash(uint64_t a)
{
    return report_of(a)->hash;
}

/* No agent comes any more: a guest that waits for one is to take no more turns. */
void ward_close(uint64_t a)
{
    if (ward(a)->is_room && known[a].is_met && report_of(a)->begun != known[a].life)
        suspend(a);
}

/* Let the guest of an agent that comes wait for a snapshot of this size. */
void ward_expect(uint64_t a, uint64_t size)
{
    known[a].is_taken = true;
    order_of(a)->size = size;
}

/* Let somebody read a page of somebody else, which another one may have read before. */
static bool lend(uint64_t owner, uint64_t page, uint64_t reader, uint64_t table, uint64_t entry)
{
    struct answer shared = TRY(page_share(owner, page, 1, reader));

    if (!is_ok(shared) && is_ok(TRY(page_unshare(owner, page, 1))))
        shared = TRY(page_share(owner, page, 1, reader));
    return is_ok(shared) && is_ok(TRY(share_map(reader, page, 1, table, entry)));
}

/* Let the target read the pages of a snapshot up to this one. */
bool ward_pass_chunk(uint64_t a, uint64_t there, uint64_t chunk)
{
    if (known[a].reader != ward(there)->badge)
        known[a].lent = 0;
    known[a].reader = ward(there)->badge;
    while (known[a].lent <= chunk && lend(ward(a)->handle, ward(a)->checkpoint + known[a].lent, ward(there)->handle,
                                          ward(there)->table, ARRIVAL_ENTRY + known[a].lent))
        known[a].lent++;
    return known[a].lent > chunk;
}

/* It may read all those that there can be before the agent stops: they are always the same. */
bool ward_pass_checkpoint(uint64_t a, uint64_t there)
{
    return ward_pass_chunk(a, there, CHECKPOINT_PAGES - 1);
}

const volatile uint8_t *ward_view_chunk(uint64_t a, uint64_t chunk)
{
    uint64_t snapshot = ward_chunks(a);
    bool is_there;

    if (chunk >= snapshot)
        return ward_memory(chunk - snapshot);
    is_there = lend(ward(a)->handle, ward(a)->checkpoint + chunk, OWN, OWN_TABLE, VIEWED_ENTRY + chunk);
    return is_there ? (const volatile uint8_t *)AT(VIEWED_ENTRY + chunk) : 0;
}

/* Is there room for a snapshot of this size, which comes in so many chunks with the memory; and can there be this one?
 */
bool ward_can_hold(uint64_t size, uint64_t chunks)
{
    return size != 0 && size <= CHECKPOINT_PAGES * PAGE_SIZE && chunks == PAGES(size) + ward_memory_pages();
}

bool ward_is_chunk(uint64_t chunk)
{
    return chunk < CHECKPOINT_PAGES + ward_memory_pages();
}

void prepare_chunks(void)
{
    for (uint64_t chunk = 0; chunk < CHECKPOINT_PAGES; chunk++)
        take_page(CHUNKS_OF + chunk, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
}

volatile uint8_t *ward_chunk(uint64_t chunk)
{
    return (volatile uint8_t *)AT(ENTRY_OF(CHUNKS_OF + chunk));
}

bool ward_lend_chunk(uint64_t a, uint64_t chunk)
{
    return chunk < CHECKPOINT_PAGES &&
        lend(OWN, PAGE_OF(MANAGER, CHUNKS_OF + chunk), ward(a)->handle, ward(a)->table, ARRIVAL_ENTRY + chunk);
}

/* Let the target compute the hash of what it can read. */
bool ward_check(uint64_t a)
{
    hurry(a, MOMENT);
    return is_obeyed(a, ORDER_CHECK);
}

/* Let the agent go on here, where its messages come from now on. */
bool ward_arrive(uint64_t a)
{
    uint64_t from = INBOX_OF(ward(a)->number);
    struct answer inbox = TRY(capability_inspect(from));
    struct answer granted;

    if (report_of(a)->begun == known[a].life)
        return true;
    if (is_large(a) && !bring_block(a))
        return false;
    granted = TRY(hypercall(OPERATION_CAPABILITY_GRANT, from, RECEIVING, RIGHT_READ, ward(a)->handle, inbox.result[1],
                            0));
    if (is_ok(granted))
        order_of(a)->inbox = granted.result[0];
    if ((!is_ok(granted) && granted.status != STATUS_SLOT_IN_USE) || !is_obeyed(a, ORDER_ARRIVE) || !has_begun(a))
        return false;
    hurry(a, 0);
    return true;
}

/* ---- root */

/* Root is the parent: it spawns an agent again, or does not. */
bool ward_spawn(uint64_t a)
{
    wish(WISH_SPAWN, a);
    return ROLL->granted && ward_start(a);
}

/* After a move one partition is of no use as it is: have another one made, or the same one made ready. */
void ward_make_room(uint64_t a)
{
    wish(WISH_ROOM, a);
    known[a].is_gone = known[a].is_left = known[a].is_taken = known[a].is_open = false;
    known[a].is = LIFE_RUNNING;
}

/* Have room made in a row without a partition, for an agent of another row. */
bool ward_prepare_room(uint64_t a, uint64_t number)
{
    wish(WISH_PLACE, ROW_FOR(a, number));
    known[a].is_gone = !ROLL->granted;
    return ROLL->granted;
}

/* Root kills this guest, and starts it again. */
void die(void)
{
    wish(WISH_KILL, 0);
}

void end_agents(void)
{
    wish(WISH_END, 0);
}

/* ---- itself */

void *prepare_wards(uint64_t size, bool *was_there)
{
    *was_there = status.stage != 0;
    if (*was_there)
        return (void *)AT(ENTRY_OF(STATE_OF));
    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(SPARE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (uint64_t at = 0; at < size; at += PAGE_SIZE)
        take_page(STATE_OF + at / PAGE_SIZE, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (uint64_t a = 0; a < ROLL->entries; a++)
        take_page(ORDER_OF + a, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    known[MYSELF].has_block = !ROLL->is_home && is_large(ROLL->tried);
    if (!ROLL->moves && ROLL->trials != 0)
        prepare_cold();
    status.stage = 1;
    return (void *)AT(ENTRY_OF(STATE_OF));
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
