/* How does the root partition run agents that a manager looks after? It makes them and what makes them fail, and grants
 * what the manager wishes, if that is its policy.
 */
#include "housing.h"
#include "large.h"
#include "roll.h"
#include "streams.h"

enum { PATIENCE = 500, ROUND = 50, MANAGER_QUOTA = IS_FAR ? 512 : 256 };
enum { OWN_ROLL_ENTRY = 131 };
enum { FATE_SLOT = 54, LINK_SLOT = 60, POST_SLOT = 62 };    /* of edges, by the number of the agent */
enum { FATES = 32, LINKS = 40, POST = 48 };     /* edges: from root, from an agent to its peer, from the manager */
enum { MORE_LINKS = 64, MORE_SLOT = 48 };       /* from an agent to a second one; behind the slots of partitions */
enum { COUNSELS = 56, COUNSEL_SLOT = 58 };      /* of edges between who places agents and the manager, by the sender */
enum { ROOMS = PLACED ? 8 : 16 };  /* partitions that agents that come get in turn */
enum { PLACER_SCORE = 700000, PLACER_QUOTA = 96, AFTERWARDS = 3000 };   /* ms that agents go on when it is dead */
enum { MANAGES = RIGHT_READ | RIGHT_WRITE | RIGHT_EXECUTE | RIGHT_HIBERNATE | RIGHT_PROVE };

_Static_assert(LODGINGS <= MOST_AGENTS, "there are more rows than the roll has");

#define ROLL_PAGE (COMMIT_PAGE + 2)
#define ROLL ((struct roll *)AT(OWN_ROLL_ENTRY))

static const struct prover prover = {AT(PROOF_ENTRY), COMMIT_PAGE, ROOT_PARTITION};
static uint64_t spawned;                /* partitions that were made */

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

/* Give an agent the block that it has its memory in, and takes along when it moves. */
static void give_large(uint64_t p, uint64_t table)
{
    ROLL->block = give_block(p);
    if (!link_block(partition(p), ROLL->block, table))
        must("give_large", (struct answer){.status = STATUS_NOT_LINKED});
}

/* Make an agent in a row, or room for one that moves, and tell the manager of it. */
static void spawn(uint64_t number, uint64_t row, bool is_room)
{
    uint64_t n = next_number(), p = FIRST_AGENT + n;
    const struct lodging *home = create_agent(number, row, p);
    struct answer granted = TRY(capability_grant(partition(p), WARD + n, MANAGES, partition(MANAGER), 0));

    must("the manager's handle", granted);
    if (!AGENT[number].tried)
        MUST(capability_grant(FATE_SLOT + number, RECEIVING, RIGHT_READ, partition(p), p));
    if (home->units != 0 && !is_room)
        give_large(p, home->units);
    ROLL->entry[row].badge = home->badge;
    ROLL->entry[row].handle = granted.result[0];
    ROLL->entry[row].partition = p;
    ROLL->entry[row].table = home->table;
    ROLL->entry[row].units = home->units;
    ROLL->entry[row].letter = home->letter;
    ROLL->entry[row].room = home->room;
    ROLL->entry[row].checkpoint = home->checkpoint;
    ROLL->entry[row].is_room = is_room;
    ROLL->entry[row].number = number;
    ROLL->entry[row].can_move = AGENT[number].tried;
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
    MUST(capability_grant(slot, INBOX_OF(ROLL->entry[row].number), RIGHT_READ | RIGHT_GRANT, partition(MANAGER), 0));
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

/* Let an agent send to a second one, which cannot move. */
static void connect_to_another(uint64_t number)
{
    uint64_t from = ROLL->entry[number].partition, to = ROLL->entry[AGENT[number].also].partition;

    if (AGENT[number].also == number)
        return;
    MUST(edge_create(SLOT_SCHEDULER, MORE_LINKS + number, MORE_SLOT + number, SCHEMA));
    MUST(capability_grant(MORE_SLOT + number, ALSO_SENDING, RIGHT_WRITE, partition(from), from));
    MUST(capability_grant(MORE_SLOT + number, ALSO_RECEIVING, RIGHT_READ, partition(to), to));
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
    ROLL->houses = HOUSES;
    for (uint64_t row = 0; row < PLACED; row++)
        ROLL->entry[row].house = HOUSE[row];
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
    MUST(capability_grant(SLOT_SCHEDULER, PRIORITIES, RIGHT_EXECUTE, partition(MANAGER), 0));
    MUST(capability_grant(SLOT_TRANSPORTS, DISK, RIGHT_READ | RIGHT_WRITE | RIGHT_LEASE, partition(MANAGER), 0));
}

/* The manager has the memory of an agent that goes to the other machine, or that is to come from there. */
static void let_carry(void)
{
    lend_units(MANAGER, PAGE_OF(MANAGER, TABLE_1_OF));
    if (IS_AWAY)
        ROLL->block = give_block(MANAGER);
}

static void create_agents(void)
{
    for (uint64_t i = 0; i < AGENTS; i++) {
        prepare_fate(i);
        spawn(i, i, IS_AWAY);
        ROLL->tried = AGENT[i].tried ? i : ROLL->tried;
    }
    for (uint64_t i = 0; i < AGENTS; i++) {
        connect_to_peer(i);
        connect_to_another(i);
    }
    if (LODGINGS > AGENTS && !PLACED)
        spawn(ROLL->tried, AGENTS, true);
    if (IS_FAR)
        connect_to(ROLL->tried, POST, POST_SLOT, MANAGER);
    if (IS_FAR && AGENT[ROLL->tried].large)
        let_carry();
}

/* ---- who places agents */

/* Let one of the two who know about placement send to the other. */
static void connect_counsel(uint64_t from, uint64_t to)
{
    uint64_t slot = COUNSEL_SLOT + from - PLACER;

    MUST(edge_create(SLOT_SCHEDULER, COUNSELS + from - PLACER, slot, SCHEMA));
    MUST(capability_grant(slot, SENDING, RIGHT_WRITE, partition(from), from));
    MUST(capability_grant(slot, RECEIVING, RIGHT_READ, partition(to), to));
}

/* It sees the roll and all traffic, and can send to the manager, and nothing else. */
static void create_placer(void)
{
    create(PLACER, PLACER_IMAGE, PLACER_SCORE, PLACER_QUOTA);
    MUST(page_share(SLOT_OWN, ROLL_PAGE, 2, partition(PLACER)));
    MUST(share_map(partition(PLACER), ROLL_PAGE, 2, PAGE_OF(PLACER, TABLE_3_OF), ROLL_ENTRY));
    MUST(capability_grant(SLOT_COHERENCE, TRAFFIC, RIGHT_READ, partition(PLACER), 0));
    connect_counsel(PLACER, MANAGER);
    connect_counsel(MANAGER, PLACER);
}

/* ---- wishes */

/* Spawn an agent again, if that is the policy. */
static bool spawn_again(uint64_t row)
{
    uint64_t number = ROLL->entry[row].number;

    forget(ROLL->entry[row].partition);
    if (AGENT[number].respawns)
        spawn(number, row, false);
    else
        MUST(edge_destroy(FATE_SLOT + number));
    return AGENT[number].respawns;
}

/* Whoever moves to the other machine comes back to the partition that it has left. */
static bool make_room(uint64_t row)
{
    struct entry *entry = &ROLL->entry[row];

    if (IS_FAR) {
        entry->badge = renew_agent(entry->number, row)->badge;
        entry->is_room = true;
        return true;
    }
    forget(entry->partition);
    spawn(entry->number, row, true);
    return true;
}

/* Make room in a row for an agent of another one. */
static bool make_place(uint64_t row_and_number)
{
    uint64_t row = row_and_number % MOST_AGENTS;

    if (row >= LODGINGS || row_and_number / MOST_AGENTS >= AGENTS)
        return false;
    if (ROLL->entry[row].partition != 0)
        forget(ROLL->entry[row].partition);
    spawn(row_and_number / MOST_AGENTS, row, true);
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
    [WISH_SPAWN] = spawn_again, [WISH_ROOM] = make_room, [WISH_PLACE] = make_place, [WISH_PAGES] = give_pages,
    [WISH_KILL] = kill, [WISH_END] = end_agents,
};

static void grant(uint64_t wish)
{
    ROLL->granted = GRANT[(wish >> WISH_BITS) % WISHES](wish & ((1 << WISH_BITS) - 1));
    ROLL->answered = wish;
}

/* When who places agents has seen enough it is killed; the agents go on for a while, and then come to their end. */
static void look_after_placer(void)
{
    static bool is_dead;

    if (is_dead || !status_of(PLACER)->wish)
        return;
    end_guest(PLACER);
    is_dead = true;
    wait(AFTERWARDS);
    MUST(edge_destroy(COUNSEL_SLOT));
    MUST(edge_destroy(COUNSEL_SLOT + MANAGER - PLACER));
    end_agents(0);
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
    if (PLACED)
        create_placer();
    run(MANAGER);
    if (PLACED)
        run(PLACER);
    while (!manager()->done) {
        uint64_t wish = manager()->wish;

        if (wish != ROLL->answered)
            grant(wish);
        if (PLACED)
            look_after_placer();
        wait(ROUND);
    }
    say("root|done\n");
    send();
    MUST(partition_suspend(partition(MANAGER)));
    MUST(partition_suspend(SLOT_OWN));
}
