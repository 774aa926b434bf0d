/* How does the guest of a managed agent obey? It runs the agent in slices, and looks for an order after each. */
#include "letter.h"
#include "seal.h"
#include "service.h"

enum { SLICE = 5000, PAUSE = 1 };  /* safe points; ms between two looks for an order while the agent takes no steps */

static bool is_paused;

/* How many safe points the agent may pass until it is suspended. */
uint64_t fuel(void)
{
    if (LETTER->managed)
        return SLICE;
    return LETTER->fuel ? LETTER->fuel : ~0ull;
}

/* An agent that has to wait leaves time for an order. */
void end_slice(struct instance *i)
{
    if (LETTER->managed)
        i->machine.budget = 0;
}

/* ---- orders */

/* While a checkpoint is written there is none. */
static void save_checkpoint(const struct instance *i)
{
    LETTER->report.saved = 0;
    LETTER->report.saved = store(i, CHECKPOINT, CHECKPOINT_PAGES * PAGE_SIZE);
}

static void report_hash(const uint8_t *bytes, uint64_t size)
{
    uint64_t hash[DIGEST_WORDS];

    digest_words(hash, bytes, size);
    for (uint32_t word = 0; word < DIGEST_WORDS; word++)
        LETTER->report.hash[word] = hash[word];
}

/* Obey the last order, if that was not done yet. Before the agent has begun there is no instance. */
static void obey(const struct instance *i)
{
    uint64_t number = ORDER->number, verb = ORDER->verb;

    if (number == LETTER->report.obeyed)
        return;
    if (i != 0 && (verb == ORDER_SAVE || verb == ORDER_SNAPSHOT))
        save_checkpoint(i);
    if (i != 0 && verb == ORDER_SNAPSHOT)
        report_hash(CHECKPOINT, LETTER->report.saved);
    if (verb == ORDER_CHECK)
        report_hash(ARRIVAL, ORDER->size);
    is_paused = (is_paused || verb == ORDER_PAUSE) && verb != ORDER_GO && verb != ORDER_ARRIVE;
    LETTER->report.obeyed = number;
}

static void obey_while_paused(const struct instance *i)
{
    for (obey(i); is_paused; obey(i))
        wait(PAUSE);
}

/* ---- the life of the agent */

/* A new life. What was ordered before is not for it. */
void begin_to_obey(void)
{
    if (!LETTER->managed)
        return;
    LETTER->report.ended = NOT_ENDED;
    LETTER->report.obeyed = ORDER->number;
    LETTER->report.started = ORDER->life;
    is_paused = ORDER->from == FROM_ARRIVAL;
}

/* The snapshot that the agent begins with; none for a new life. One that moves to here arrives first, in an instance
 * that is ready for it. Other orders wait until there is something to pause and to save.
 */
struct start start_of_life(void)
{
    if (!LETTER->managed)
        return (struct start){MODULE + PAGES(LETTER->size) * PAGE_SIZE, LETTER->snapshot};
    LETTER->report.ready = ORDER->life;
    if (is_paused)
        obey_while_paused(0);
    if (ORDER->from == FROM_ARRIVAL)
        return (struct start){ARRIVAL, ORDER->size};
    return (struct start){CHECKPOINT, ORDER->from == FROM_CHECKPOINT ? LETTER->report.saved : 0};
}

/* The agent is about to take a step. */
void begin_life(void)
{
    if (LETTER->managed)
        LETTER->report.begun = ORDER->life;
}

/* The agent takes no more steps. */
void end_life(outcome_t outcome)
{
    LETTER->report.ended = outcome == OUTCOME_RETURNED ? ENDED_WELL : ENDED_BADLY;
    LETTER->done = 1;
}

/* Let an agent that has spent its slice have the next one, until it ends. */
outcome_t go_on_by_order(struct instance *i, outcome_t outcome)
{
    while (LETTER->managed && outcome == OUTCOME_SUSPENDED) {
        obey_while_paused(i);
        i->machine.budget = fuel();
        outcome = corollary_go_on(i);
    }
    return outcome;
}
