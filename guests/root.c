/* How does the root partition run a system? It creates guests, watches over them, and takes all back in the end. */
#include "runtime.h"
#include "package.h"

enum { PARTITION_SLOT = 32, EDGE_SLOT = 48, NOTIFICATION_SLOT = 52, SPARE_ROOT_SLOT = SLOT_PROOF_ROOTS + 3, FLEETING_QUOTA = 8, QUOTA = 64, AUDITOR_QUOTA = 256 };
enum { TRUSTED = 990000, ORDINARY = 700000, PATIENCE = 60, ROUND = 10, END = 40000 };
enum { OWN_TABLE = 2, PROOF_ENTRY = 128, BUFFER_ENTRY = ENTRY_OF(BUFFER_OF), CANARY_ENTRY = 130, STATUS_ENTRY = 192, VICTIM_ENTRY = 224, MEASURED = 8 };

#define BUFFER_PAGE (COMMIT_PAGE + 1)
#define CANARY_PAGE (COMMIT_PAGE + 2)
#define PROOF AT(PROOF_ENTRY)
#define EVERYTHING 0xfff
#define READ_WRITE (ACCESS_READ | ACCESS_WRITE)

extern uint8_t image_end[];

static uint64_t nonce = 1;
static struct { uint64_t attempt, since, wish; } seen[FLEETING];

static void must(const char *what, struct answer answer)
{
    if (answer.status == STATUS_OK)
        return;
    say("failed|");
    say(what);
    say("|");
    say_number(answer.status);
    say("\n");
    send();
}

#define MUST(call) must(#call, TRY(call))

static uint64_t partition(uint64_t p)
{
    return PARTITION_SLOT + p;
}

static struct status *status_of(uint64_t p)
{
    return (struct status *)AT(STATUS_ENTRY + p);
}

/* ---- its own memory */

static void take_own(uint64_t page, uint64_t entry)
{
    TRY(page_create(SLOT_REGIONS + page / PAGES_IN_REGION, page, PAGE_KIND_DATA, SELF));
    TRY(page_map(SLOT_OWN, page, OWN_TABLE, entry, READ_WRITE));
}

static void tell_canary(const char *when)
{
    say("canary|");
    say(when);
    say("|");
    say_hash(AT(CANARY_ENTRY));
    say("\n");
}

static void begin(void)
{
    take_own(BUFFER_PAGE, BUFFER_ENTRY);
    buffer_page = BUFFER_PAGE;
    console = SLOT_CONSOLE;
    take_own(COMMIT_PAGE, PROOF_ENTRY);
    take_own(CANARY_PAGE, CANARY_ENTRY);
    for (uint64_t i = 0; i < PAGE_SIZE / 8; i++)
        AT(CANARY_ENTRY)[i] = i * i;
    tell_canary("before");
}

/* What the kernel takes for one call, there and back: a tick of the counter is an instruction under QEMU. */
static void measure_call(void)
{
    uint64_t least = ~0ull;

    for (int i = 0; i < MEASURED; i++) {
        uint64_t start = nanoseconds();
        note(proof_inspect());
        uint64_t ticks = (nanoseconds() - start) / TICK_NS;
        least = ticks < least ? ticks : least;
    }
    say("hypercall|");
    say_number(least);
    say("\n");
}

/* ---- guests */

static void make_tables(uint64_t p)
{
    MUST(page_create(SLOT_REGIONS + REGION_OF(p), PAGE_OF(p, TABLE_1_OF), PAGE_KIND_TABLE_1, partition(p)));
    MUST(page_create(SLOT_REGIONS + REGION_OF(p), PAGE_OF(p, TABLE_2_OF), PAGE_KIND_TABLE_2, partition(p)));
    MUST(page_create(SLOT_REGIONS + REGION_OF(p), PAGE_OF(p, TABLE_3_OF), PAGE_KIND_TABLE_3, partition(p)));
    MUST(table_root(partition(p), PAGE_OF(p, TABLE_1_OF)));
    MUST(table_link(partition(p), PAGE_OF(p, TABLE_1_OF), GUEST_ENTRY, PAGE_OF(p, TABLE_2_OF)));
    MUST(table_link(partition(p), PAGE_OF(p, TABLE_2_OF), 0, PAGE_OF(p, TABLE_3_OF)));
}

/* Where an image begins: the boot package holds root's own pages first. */
static uint64_t first_page(uint64_t image)
{
    uint64_t page = PACKAGE_PAGE + ((uint64_t)image_end - GUEST_BASE) / PAGE_SIZE;

    for (uint64_t i = 0; i < image; i++)
        page += GUEST_IMAGE[i].text + GUEST_IMAGE[i].data;
    return page;
}

/* The pages of the boot package become the guest's; its first data page stays in root's sight. */
static void load(uint64_t p, uint64_t image)
{
    uint64_t first = first_page(image), text = GUEST_IMAGE[image].text, pages = text + GUEST_IMAGE[image].data;

    for (uint64_t i = 0; i < pages; i++) {
        MUST(page_transfer(SLOT_OWN, first + i, partition(p)));
        MUST(page_map(partition(p), first + i, PAGE_OF(p, TABLE_3_OF), i, i < text ? ACCESS_READ | ACCESS_EXECUTE : READ_WRITE));
    }
    MUST(page_share(partition(p), first + text, 1, SELF));
    MUST(share_map(SLOT_OWN, first + text, 1, OWN_TABLE, STATUS_ENTRY + p));
}

static void create(uint64_t p, uint64_t score, uint64_t quota)
{
    MUST(partition_create(SLOT_SCHEDULER, p, partition(p), quota));
    MUST(ring_assign(partition(p), score, true));
    make_tables(p);
    load(p, p - WORKER_A);
    MUST(capability_grant(partition(p), OWN, RIGHT_READ | RIGHT_WRITE | RIGHT_GRANT | (p == AUDITOR ? RIGHT_EXECUTE : 0), partition(p), 0));
    MUST(capability_grant(SLOT_REGIONS + REGION_OF(p), REGION, RIGHT_WRITE, partition(p), 0));
    MUST(capability_grant(SLOT_CONSOLE, CONSOLE, RIGHT_WRITE, partition(p), p));
}

static void run(uint64_t p)
{
    MUST(partition_start(partition(p), GUEST_BASE));
}

/* It has a root table and nothing in it: its first instruction stops it. */
static void create_fleeting(void)
{
    MUST(partition_create(SLOT_SCHEDULER, FLEETING, partition(FLEETING), FLEETING_QUOTA));
    MUST(page_create(SLOT_REGIONS + REGION_OF(FLEETING), PAGE_OF(FLEETING, TABLE_1_OF), PAGE_KIND_TABLE_1, partition(FLEETING)));
    MUST(table_root(partition(FLEETING), PAGE_OF(FLEETING, TABLE_1_OF)));
    run(FLEETING);
    MUST(capability_grant(partition(FLEETING), FLEETING_ONE, RIGHT_READ | RIGHT_HIBERNATE | RIGHT_PROVE, partition(HOSTILE), 0));
}

/* A way to speak from one worker to the other, and to poke the other; each is told by its badge. */
static void connect(uint64_t from, uint64_t to)
{
    MUST(edge_create(SLOT_SCHEDULER, from, EDGE_SLOT + from, SCHEMA));
    MUST(capability_grant(EDGE_SLOT + from, SENDING, RIGHT_WRITE, partition(from), from));
    MUST(capability_grant(EDGE_SLOT + from, RECEIVING, RIGHT_READ, partition(to), to));
    MUST(notification_create(SLOT_SCHEDULER, from, NOTIFICATION_SLOT + from));
    MUST(capability_grant(NOTIFICATION_SLOT + from, POKE, RIGHT_WRITE, partition(from), from));
    MUST(capability_grant(NOTIFICATION_SLOT + from, POKED, RIGHT_READ, partition(to), to));
}

static void create_all(void)
{
    create(AUDITOR, TRUSTED, AUDITOR_QUOTA);
    MUST(capability_grant(SLOT_LOG, LOG, RIGHT_READ, partition(AUDITOR), 0));
    run(AUDITOR);
    create(WORKER_A, ORDINARY, QUOTA);
    create(WORKER_B, ORDINARY, QUOTA);
    MUST(capability_grant(partition(WORKER_B), PEER, RIGHT_READ, partition(WORKER_A), 0));
    MUST(capability_grant(partition(WORKER_A), PEER, RIGHT_READ, partition(WORKER_B), 0));
    connect(WORKER_A, WORKER_B);
    connect(WORKER_B, WORKER_A);
    run(WORKER_A);
    run(WORKER_B);
    create(HOSTILE, ORDINARY, QUOTA);
    MUST(capability_grant(SPARE_ROOT_SLOT, REVOKED_SOON, RIGHT_READ, partition(HOSTILE), 0));
    MUST(capability_grant(SLOT_LOG, DELETED_SOON, 0, partition(HOSTILE), 0));
    create_fleeting();
    run(HOSTILE);
}

/* ---- proofs */

/* Each proof is good for one call; the kernel counts those that succeed. */
static void prove(uint64_t p, uint64_t operation)
{
    struct answer answer;

    write_proof(PROOF, PROOF_OF_P2, nonce, p, operation, partition(p), 0, 0, COMMIT_PAGE);
    answer = TRY(hypercall(operation, partition(p), 0, 0, 0, 0, COMMIT_PAGE));
    nonce += answer.status == STATUS_OK;
    must("a proven call", answer);
}

/* The host attested four commits before boot, as the leaves of a tree: this is one of them. */
static void commit(void)
{
    struct answer answer;

    for (uint64_t i = 0; i < 4; i++)
        MUST(proof_root_propose(SLOT_PROOF_ROOTS, i, COMMIT_ROOT[i]));
    write_proof(PROOF, PROOF_OF_P3, nonce, 0, OPERATION_PROOF_ROOT_COMMIT,
                SLOT_PROOF_ROOTS, COMMIT_ROOT[0], COMMIT_ROOT[1], COMMIT_PAGE);
    PROOF[PROOF_POSITION] = COMMIT_POSITION;
    PROOF[PROOF_LEVELS] = COMMIT_LEVELS;
    for (uint64_t level = 0; level < COMMIT_LEVELS; level++)
        for (uint64_t i = 0; i < 4; i++)
            PROOF[PROOF_PATH + 4 * level + i] = COMMIT_PATH[level][i];
    answer = TRY(proof_root_commit(SLOT_PROOF_ROOTS, COMMIT_ROOT[0], COMMIT_ROOT[1], COMMIT_PAGE));
    nonce += answer.status == STATUS_OK;
    say(answer.status == STATUS_OK ? "commit|done\n" : "commit|refused\n");
}

/* ---- watching */

static void restart(uint64_t p)
{
    prove(p, OPERATION_PARTITION_HIBERNATE);
    prove(p, OPERATION_PARTITION_RECONSTRUCT);
    run(p);
}

/* Its records must have been drained before its slot can be used again. */
static void destroy(uint64_t p)
{
    struct answer left;

    prove(p, OPERATION_PARTITION_DESTROY);
    do
        left = TRY(partition_release(partition(p)));
    while (left.status == STATUS_OK && (left.result[0] != 0 || left.result[1] != 0));
    while ((left = TRY(partition_reclaim(partition(p)))).status == STATUS_STILL_HOLDING)
        wait(100);
    must("partition_reclaim", left);
}

static void grant_wish(uint64_t wish)
{
    if (wish == REVOKED_SOON)
        MUST(capability_revoke(SPARE_ROOT_SLOT));
    if (wish == DELETED_SOON)
        MUST(capability_grant(SLOT_LOG, DELETED_SOON, 0, partition(HOSTILE), 0));
    if (wish == FLEETING_ONE)
        destroy(FLEETING);
}

/* A guest that stays at a dangerous attempt was stopped, or will not end by itself. */
static void watch(uint64_t p)
{
    struct status *guest = status_of(p);
    uint64_t now = nanoseconds();

    if (guest->wish != seen[p].wish) {
        seen[p].wish = guest->wish;
        grant_wish(seen[p].wish);
    }
    if (!guest->dangerous || guest->attempt != seen[p].attempt || seen[p].since == 0) {
        seen[p].attempt = guest->attempt;
        seen[p].since = now;
    } else if (now - seen[p].since > PATIENCE * 1000000ull) {
        seen[p].since = now;
        restart(p);
    }
}

static bool all_done(void)
{
    return status_of(WORKER_A)->done && status_of(WORKER_B)->done && status_of(HOSTILE)->done;
}

static void watch_all(void)
{
    while (!all_done() && nanoseconds() < END * 1000000ull) {
        watch(WORKER_A);
        watch(WORKER_B);
        watch(HOSTILE);
        wait(ROUND);
    }
}

/* What a worker's page holds when all attacks are over, in root's own eyes. */
static void tell_victim(uint64_t p)
{
    MUST(page_share(partition(p), PAGE_OF(p, CANARY_OF), 1, SELF));
    MUST(share_map(SLOT_OWN, PAGE_OF(p, CANARY_OF), 1, OWN_TABLE, VICTIM_ENTRY + p));
    say("victim|");
    say_number(p);
    say("|");
    say_hash(AT(VICTIM_ENTRY + p));
    say("\n");
}

static void end(void)
{
    tell_victim(WORKER_A);
    tell_victim(WORKER_B);
    destroy(WORKER_A);
    destroy(WORKER_B);
    destroy(HOSTILE);
    tell_canary("after");
    say("root|");
    say(nanoseconds() < END * 1000000ull ? "done\n" : "out of time\n");
    send();
    MUST(partition_suspend(SLOT_OWN));
}

void main(void)
{
    begin();
    measure_call();
    create_all();
    commit();
    send();
    watch_all();
    end();
}
