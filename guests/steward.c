/* How does the root partition run agents that a manager looks after? It makes them and what makes them fail, and grants
 * what the manager wishes, if that is its policy.
 */
#include "housing.h"
#include "roll.h"
#include "streams.h"

enum { PATIENCE = 500, ROUND = 50, MANAGER_QUOTA = IS_FAR ? 512 : 256 };
enum { OWN_ROLL_ENTRY = 131 };
enum { FATE_SLOT = 54, LINK_SLOT = 60, POST_SLOT = 62 };    /* of edges, by the number of the agent */
enum { FATES = 32, LINKS = 40, POST = 48 };     /* edges: from root, from an agent to its peer, from the manager */
enum { ROOMS = 16 };                            /* partitions that agents that come get in turn */
enum { MANAGES = RIGHT_READ | RIGHT_WRITE | RIGHT_EXECUTE | RIGHT_HIBERNATE | RIGHT_PROVE };

#define ROLL_PAGE (COMMIT_PAGE + 2)
#define ROLL ((struct roll *)AT(OWN_ROLL_ENTRY))

static const struct prover prover = {AT(PROOF_ENTRY), COMMIT_PAGE, ROOT_PARTITION};
static uint64_t spawned;                /* partitions that were made */
static uint8_t number_of[LODGINGS];     /* of the agent in each row of the roll */

static const struct status *manager(void)
{
    return (const struct status *)AT(STATUS_ENTRY + MANAGER);
}

/* Tell the host of which agent there is a partition, and by which handle the manager names that. */
static void tell_spawned(uint64_t number, uint64_t p, uint64_t handle)
{
    say("spawned|");
    say_number(number);
    say("|");
    say_number(p);
    say("|");
    say_number(handle);
    say("\n");
    send();
}

/* The number of a new partition, after the first ones of all agents. It comes back when the ones after it were used. */
static uint64_t next_number(void)
{
    uint64_t n = spawned++;

    return n < AGENTS ? n : AGENTS + (n - AGENTS) % ROOMS;
}

/* Make an agent in a row, or room for one that moves, and tell the manager of it. */
static void spawn(uint64_t number, uint64_t row, bool is_room)
{
    uint64_t n = next_number(), p = FIRST_AGENT + n;
    const struct lodging *home = create_agent(number, row, p);
    struct answer granted = TRY(capability_grant(partition(p), WARD + n, MANAGES, partition(MANAGER), 0));

    must("the manager's handle", granted);
    number_of[row] = number;
    if (!AGENT[number].tried)
        MUST(capability_grant(FATE_SLOT + number, RECEIVING, RIGHT_READ, partition(p), p));
    ROLL->entry[row].badge = home->badge;
    ROLL->entry[row].handle = granted.result[0];
    ROLL->entry[row].partition = p;
    ROLL->entry[row].table = home->table;
    ROLL->entry[row].letter = home->letter;
    ROLL->entry[row].room = home->room;
    ROLL->entry[row].checkpoint = home->checkpoint;
    ROLL->entry[row].is_room = is_room;
    tell_spawned(number, p, granted.result[0]);
}

static void send_fate(uint64_t number)
{
    MUST(edge_send(FATE_SLOT + number, COMMIT_PAGE, 1, SCHEMA));
}

/* Each message makes the agent fail once, or come to its end if it is to send until then. */
static void prepare_fate(uint64_t number)
{
    MUST(edge_create(SLOT_SCHEDULER, FATES + number, FATE_SLOT + number, SCHEMA));
    for (uint64_t i = 0; i < AGENT[number].faults; i++)
        send_fate(number);
}

/* Make an edge to an agent. What the manager may pass on is the end that receives. */
static void connect_to(uint64_t row, uint64_t edge, uint64_t slot, uint64_t sender)
{
    MUST(edge_create(SLOT_SCHEDULER, edge, slot, SCHEMA));
    MUST(capability_grant(slot, SENDING, RIGHT_WRITE, partition(sender), sender));
    MUST(capability_grant(slot, INBOX, RIGHT_READ | RIGHT_GRANT, partition(MANAGER), 0));
    if (!ROLL->entry[row].is_room)
        MUST(capability_grant(slot, RECEIVING, RIGHT_READ, partition(ROLL->entry[row].partition), 0));
}

/* Let an agent send to another one; if that moves to another machine, by way of the manager. */
static void connect_to_peer(uint64_t number)
{
    uint64_t p = ROLL->entry[number].partition, slot = LINK_SLOT + number;

    if (AGENT[number].peer == number)
        return;
    if (!IS_FAR) {
        connect_to(AGENT[number].peer, LINKS + number, slot, p);
        return;
    }
    MUST(edge_create(SLOT_SCHEDULER, LINKS + number, slot, SCHEMA));
    MUST(capability_grant(slot, SENDING, RIGHT_WRITE, partition(p), p));
    MUST(capability_grant(slot, RECEIVING, RIGHT_READ, partition(MANAGER), 0));
}

static void write_roll(void)
{
    ROLL->agents = IS_AWAY ? 0 : AGENTS;
    ROLL->entries = LODGINGS;
    ROLL->ends = ENDS;
    ROLL->epoch = EPOCH;
    ROLL->round = LOOK;
    ROLL->moves = MOVES;
    ROLL->messages = MESSAGES_TO_SEND;
    ROLL->is_home = !IS_AWAY;
    ROLL->faults = FAULTS;
    ROLL->trials = TRIALS;
    for (uint64_t i = 0; i < FAULTS; i++) {
        ROLL->trial[i].verb = TRIAL[i].verb;
        ROLL->trial[i].fault = TRIAL[i].fault;
    }
}

static void create_manager(void)
{
    create(MANAGER, MANAGER_IMAGE, TRUSTED, MANAGER_QUOTA);
    take_own(ROLL_PAGE, OWN_ROLL_ENTRY);
    write_roll();
    if (IS_FAR)
        give_streams(MANAGER);
    MUST(page_share(SLOT_OWN, ROLL_PAGE, 1, partition(MANAGER)));
    MUST(share_map(partition(MANAGER), ROLL_PAGE, 1, PAGE_OF(MANAGER, TABLE_3_OF), ROLL_ENTRY));
    MUST(capability_grant(SLOT_TRANSPORTS, DISK, RIGHT_READ | RIGHT_WRITE | RIGHT_LEASE, partition(MANAGER), 0));
}

static void create_agents(void)
{
    for (uint64_t i = 0; i < AGENTS; i++) {
        prepare_fate(i);
        spawn(i, i, IS_AWAY);
        ROLL->tried = AGENT[i].tried ? i : ROLL->tried;
    }
    for (uint64_t i = 0; i < AGENTS; i++)
        connect_to_peer(i);
    if (LODGINGS > AGENTS)
        spawn(ROLL->tried, AGENTS, true);
    if (IS_FAR)
        connect_to(ROLL->tried, POST, POST_SLOT, MANAGER);
}

/* ---- wishes */

/* Spawn an agent again, if that is the policy. */
static bool spawn_again(uint64_t row)
{
    uint64_t number = number_of[row];

    forget(ROLL->entry[row].partition);
    if (AGENT[number].respawns)
        spawn(number, row, false);
    else
        MUST(edge_destroy(FATE_SLOT + number));
    return AGENT[number].respawns;
}

static bool make_room(uint64_t row)
{
    forget(ROLL->entry[row].partition);
    spawn(number_of[row], row, true);
    return true;
}

static bool give_pages(uint64_t row)
{
    refill(row);
    return true;
}

/* Kill the manager and start it again: it finds its pages as they are, and nothing else. */
static bool kill(uint64_t row)
{
    (void)row;
    must("kill", prove(&prover, partition(MANAGER), OPERATION_PARTITION_HIBERNATE));
    must("kill", prove(&prover, partition(MANAGER), OPERATION_PARTITION_RECONSTRUCT));
    run(MANAGER);
    return true;
}

static bool end_agents(uint64_t row)
{
    (void)row;
    for (uint64_t i = 0; i < AGENTS; i++)
        if (!AGENT[i].tried)
            send_fate(i);
    return true;
}

static bool (*const GRANT[WISHES])(uint64_t row) = {
    [WISH_SPAWN] = spawn_again, [WISH_ROOM] = make_room, [WISH_PAGES] = give_pages,
    [WISH_KILL] = kill, [WISH_END] = end_agents,
};

static void grant(uint64_t wish)
{
    ROLL->granted = GRANT[(wish >> WISH_BITS) % WISHES](wish & ((1 << WISH_BITS) - 1));
    ROLL->answered = wish;
}

void main(void)
{
    patience = PATIENCE;
    take_console();
    take_own(COMMIT_PAGE, PROOF_ENTRY);
    create_auditor(AUDITOR_IMAGE);
    create_manager();
    prepare_housing();
    create_agents();
    run(MANAGER);
    while (!manager()->done) {
        uint64_t wish = manager()->wish;

        if (wish != ROLL->answered)
            grant(wish);
        wait(ROUND);
    }
    say("root|done\n");
    send();
    MUST(partition_suspend(partition(MANAGER)));
    MUST(partition_suspend(SLOT_OWN));
}
