/* How is placement driven? Each epoch it is told the traffic, and what it recommends goes to the manager, who does it.
 *
 * What it decides is proved. This file only asks, and tells the host all that it asked and what the answers were.
 */
#include "census.h"
#include "counsel.h"
#include "placement/advice.h"
#include "placement/cut.h"
#include "placement/graph.h"

enum { EPOCH = 500, ROUND = 50 };           /* ms between two epochs, and between two looks for an answer */
enum { CALM = 6 };                          /* epochs in which nothing was worth a change until all was seen */

/* An epoch takes much longer here than on a real machine, so the time that a cut may take is not measured: its clock
 * stands still. Steps are what it has.
 */
enum { NOW = 0 };

static uint64_t weight[MOST_AGENTS][MOST_AGENTS];   /* of two agents, the lower number first */
static uint64_t counted[MOST_AGENTS][MOST_AGENTS];  /* of what went from one to another */
static struct counsel counsel;
static uint64_t answers, calm;                      /* of the manager; epochs after the first one */

/* ---- traffic */

/* Before anybody has received, an edge leads to nobody: what it carried is counted later. */
static void count(const struct account *account)
{
    uint64_t low = account->from < account->to ? account->from : account->to;
    uint64_t high = account->from + account->to - low;

    if (high >= the_roll()->agents)
        return;
    weight[low][high] += (account->carried - counted[account->from][account->to]) << WEIGHT_BITS;
    counted[account->from][account->to] = account->carried;
    report("seen", account->edge, account->carried, account->from * MOST_AGENTS + account->to);
}

static void read_traffic(void)
{
    struct account account[GRAPH_ROWS];

    for (uint64_t group = 0; census_read(group, account); group++)
        for (uint64_t i = 0; i < GRAPH_ROWS; i++)
            count(&account[i]);
}

static void weigh(struct placement *s)
{
    for (uint64_t n = 0; n < the_roll()->agents; n++)
        for (uint64_t m = n + 1; m < the_roll()->agents; m++)
            weight[n][m] -= weight[n][m] / DECAY;
    read_traffic();
    for (uint64_t n = 0; n < the_roll()->agents; n++)
        for (uint64_t m = n + 1; m < the_roll()->agents; m++)
            graph_set_weight(s, n, m, weight[n][m]);
}

/* ---- one epoch */

static void survey(struct placement *s)
{
    for (uint64_t n = 0; n < the_roll()->agents; n++)
        graph_survey_node(s, n);
    for (uint64_t house = 0; house < the_roll()->houses; house++)
        graph_score_home(s, house);
}

/* Take the step of a cut that is next. */
static status_t step(struct placement *s)
{
    if (s->cut.stage == STAGE_LOADING)
        return cut_load_row(s, NOW);
    if (s->cut.stage == STAGE_TAKING)
        return cut_take_vertex(s, NOW);
    return s->cut.stage == STAGE_JOINING ? cut_join_entry(s, NOW) : cut_close_phase(s, NOW);
}

/* Cut the whole graph. Over its budget a cut is given up, and the last complete one stands. */
static void cut(struct placement *s)
{
    status_t status = cut_begin_cut(s, true, 0, s->epoch % HUNGRY == HUNGRY - 1 ? FEW_STEPS : CUT_STEPS, NOW);

    while (status == STATUS_OK && s->cut.stage != STAGE_IDLE)
        status = step(s);
    if (status == STATUS_OVER_BUDGET)
        cut_give_up_cut(s);
    report("cut", status, s->result.value, s->result.side);
}

/* Has a house a row without an agent? */
static bool has_row(const struct placement *s, uint64_t house)
{
    uint64_t rows = 0, agents = 0;

    for (uint64_t row = 0; row < the_roll()->entries; row++)
        rows += the_roll()->entry[row].house == house;
    for (uint64_t n = 0; n < the_roll()->agents; n++)
        agents += s->node[n].home == house;
    return rows > agents;
}

/* Consider each move that the manager can make. Return whether none was refused only because its time has not come. */
static bool consider(struct placement *s)
{
    bool was_weighed = true;

    for (uint64_t n = 0; n < the_roll()->agents; n++)
        for (uint64_t house = 0; house < the_roll()->houses; house++) {
            status_t status;

            if (!the_roll()->entry[n].can_move || house == s->node[n].home || !has_row(s, house))
                continue;
            status = advice_consider_move(s, n, house);
            was_weighed &= status == STATUS_TOO_LITTLE || status == STATUS_WORSE;
            report("considered", n, house, status);
        }
    return was_weighed;
}

static void recommend(struct placement *s)
{
    status_t status;

    advice_begin_epoch(s);
    status = advice_recommend(s);
    report("epoch", s->epoch, status, s->held);
    if (status != STATUS_OK)
        return;
    counsel.moves = true;
    counsel.number = s->advice.node;
    counsel.house = s->advice.target;
    report("advises", s->advice.node, s->advice.target, s->advice.gain);
}

/* Tell the manager of the cut that stands, and of a move that it was not told of. It may be too busy to hear that. */
static void tell_manager(const struct placement *s)
{
    counsel.epoch = s->epoch;
    counsel.side = s->result.side;
    counsel.value = s->result.value;
    if (!counsel_send(&counsel, sizeof(counsel)))
        return;
    report("told", counsel.epoch, counsel.side, counsel.value);
    counsel.moves = false;
}

/* ---- what the manager answers */

static void hear_manager(struct placement *s)
{
    struct outcome outcome;

    if (!counsel_receive(&outcome, sizeof(outcome)))
        return;
    if (outcome.is_there)
        graph_rehome_node(s, outcome.number, outcome.house);
    answers++;
    report("answered", outcome.number, outcome.is_there, advice_conclude(s));
}

/* ---- advice that makes no sense */

/* Recommend what cannot be, and wait until the manager has answered. */
static void err(uint64_t number, uint64_t house)
{
    const struct counsel wrong = {.moves = true, .number = number, .house = house};
    struct outcome outcome;

    while (!counsel_send(&wrong, sizeof(wrong)))
        rest(ROUND);
    while (!counsel_receive(&outcome, sizeof(outcome)))
        rest(ROUND);
    if (outcome.number == number && outcome.house == house)
        report("erred", number, house, outcome.is_there);
    send_reports();
}

/* An agent that is not there, a house that is not there, the house where an agent is, and one that cannot move. */
static void err_in_every_way(void)
{
    uint64_t agents = the_roll()->agents, houses = the_roll()->houses;

    for (uint64_t house = 0; house < houses; house++) {
        err(agents, house);
        err(~0ull, house);
    }
    for (uint64_t n = 0; n < agents; n++) {
        err(n, houses);
        err(n, ~0ull);
        for (uint64_t house = 0; house < houses; house++)
            if (!the_roll()->entry[n].can_move || house == the_roll()->entry[n].house)
                err(n, house);
    }
}

static void begin(struct placement *s)
{
    graph_begin(s);
    for (uint64_t n = 0; n < the_roll()->agents; n++)
        graph_add_node(s, n, the_roll()->entry[n].house);
}

void main(void)
{
    struct placement *s = prepare_census(sizeof(struct placement));

    begin(s);
    err_in_every_way();
    while (true) {
        hear_manager(s);
        weigh(s);
        survey(s);
        cut(s);
        calm += consider(s) && answers != 0;
        recommend(s);
        tell_manager(s);
        send_reports();
        if (calm == CALM)
            has_seen_enough();
        rest(EPOCH);
    }
}
