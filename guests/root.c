/* How does the root partition run a system? It creates guests, watches them, and takes everything back at the end. */
#include "creator.h"

enum { SPARE_ROOT_SLOT = SLOT_PROOF_ROOTS + 3, FLEETING_QUOTA = 8, HOSTILE_QUOTA = 16 };      /* spent in a quantum */
enum { ORDINARY = 700000, PATIENCE = 60, ROUND = 10, END = 40000, MEASURED = 8 };

#define CANARY_PAGE (COMMIT_PAGE + 2)
#define PROOF AT(PROOF_ENTRY)

static uint64_t nonce = 1;
static struct { uint64_t attempt, since, wish; } seen[FLEETING];

/* ---- its own memory */

static void begin(void)
{
    take_console();
    take_own(COMMIT_PAGE, PROOF_ENTRY);
    take_own(CANARY_PAGE, CANARY_ENTRY);
    for (uint64_t i = 0; i < PAGE_SIZE / 8; i++)
        AT(CANARY_ENTRY)[i] = i * i;
    tell_canary("before");
}

/* Measure one call into the kernel and back: under QEMU, a tick of the counter is one instruction. */
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

/* Its root table is empty, so its first instruction stops it. */
static void create_fleeting(void)
{
    MUST(partition_create(SLOT_SCHEDULER, FLEETING, partition(FLEETING), FLEETING_QUOTA));
    MUST(page_create(SLOT_REGIONS + REGION_OF(FLEETING), PAGE_OF(FLEETING, TABLE_1_OF), PAGE_KIND_TABLE_1,
                     partition(FLEETING)));
    MUST(table_root(partition(FLEETING), PAGE_OF(FLEETING, TABLE_1_OF)));
    run(FLEETING);
    MUST(capability_grant(partition(FLEETING), FLEETING_ONE, RIGHT_READ | RIGHT_HIBERNATE | RIGHT_PROVE,
                          partition(HOSTILE), 0));
}

static void create_all(void)
{
    create_auditor(AUDITOR - WORKER_A);
    create(WORKER_A, 0, ORDINARY, QUOTA);
    create(WORKER_B, WORKER_B - WORKER_A, ORDINARY, QUOTA);
    MUST(capability_grant(partition(WORKER_B), PEER, RIGHT_READ, partition(WORKER_A), 0));
    MUST(capability_grant(partition(WORKER_A), PEER, RIGHT_READ, partition(WORKER_B), 0));
    connect(WORKER_A, WORKER_B);
    connect(WORKER_B, WORKER_A);
    run(WORKER_A);
    run(WORKER_B);
    create(HOSTILE, HOSTILE - WORKER_A, ORDINARY, HOSTILE_QUOTA);
    MUST(capability_grant(SPARE_ROOT_SLOT, REVOKED_SOON, RIGHT_READ, partition(HOSTILE), 0));
    MUST(capability_grant(SLOT_LOG, DELETED_SOON, 0, partition(HOSTILE), 0));
    create_fleeting();
    run(HOSTILE);
}

/* ---- proofs */

/* Each proof is valid for one call; the kernel counts the calls that succeed. */
static void prove(uint64_t p, uint64_t operation)
{
    struct answer answer;

    write_proof(PROOF, PROOF_OF_P2,
                (struct mutation){.operation = operation, .kind = OBJECT_KIND_PARTITION, .object = p, .nonce = nonce});
    answer = TRY(hypercall(operation, partition(p), 0, 0, 0, 0, COMMIT_PAGE));
    nonce += answer.status == STATUS_OK;
    must("a proven call", answer);
}

/* Before boot, the host attested four commits, as the leaves of a tree: this is one of them. */
static void commit(void)
{
    struct mutation meant = {.operation = OPERATION_PROOF_ROOT_COMMIT, .kind = OBJECT_KIND_PROOF_ROOT, .nonce = nonce};
    struct answer answer;

    for (uint64_t i = 0; i < 4; i++)
        MUST(proof_root_propose(SLOT_PROOF_ROOTS, i, COMMIT_ROOT[i]));
    for (uint64_t i = 0; i < 4; i++)
        meant.root[i] = COMMIT_ROOT[i];
    write_proof(PROOF, PROOF_OF_P3, meant);
    PROOF[PROOF_POSITION] = COMMIT_POSITION;
    PROOF[PROOF_LEVELS] = COMMIT_LEVELS;
    for (uint64_t level = 0; level < COMMIT_LEVELS; level++)
        for (uint64_t i = 0; i < 4; i++)
            PROOF[PROOF_PATH + 4 * level + i] = COMMIT_PATH[level][i];
    answer = TRY(proof_root_commit(SLOT_PROOF_ROOTS, COMMIT_PAGE));
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

/* Destroy a partition. Its records must be drained before its slot can be used again. */
static void destroy(uint64_t p)
{
    struct answer left;

    prove(p, OPERATION_PARTITION_DESTROY);
    do
        left = TRY(partition_release(partition(p)));
    while (left.status == STATUS_OK && left.result[0] != 0);
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

/* Watch a guest: one that stays at a dangerous attempt was stopped, or will not end by itself. */
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
