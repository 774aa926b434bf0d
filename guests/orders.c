/* How does the guest of a managed agent obey? It runs the agent in slices, and looks for an order after each. */
#include "letter.h"
#include "service.h"

enum { SLICE = 5000 };      /* safe points */

/* How many safe points the agent may pass until it is suspended. */
uint64_t fuel(void)
{
    if (LETTER->managed)
        return SLICE;
    return LETTER->fuel ? LETTER->fuel : ~0ull;
}

/* The snapshot that the agent begins with; none for a new life. */
struct start start_of_life(void)
{
    if (!LETTER->managed)
        return (struct start){MODULE + PAGES(LETTER->size) * PAGE_SIZE, LETTER->snapshot};
    LETTER->report.ended = NOT_ENDED;
    LETTER->report.obeyed = ORDER->number;
    LETTER->report.started = ORDER->life;
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

/* While a checkpoint is written there is none. */
static void save_checkpoint(const struct instance *i)
{
    LETTER->report.saved = 0;
    LETTER->report.saved = store(i, CHECKPOINT, CHECKPOINT_PAGES * PAGE_SIZE);
}

static void obey(const struct instance *i)
{
    uint64_t number = ORDER->number;

    if (number == LETTER->report.obeyed)
        return;
    if (ORDER->verb == ORDER_SAVE)
        save_checkpoint(i);
    LETTER->report.obeyed = number;
}

/* Let an agent that has spent its slice have the next one, until it ends. */
outcome_t go_on_by_order(struct instance *i, outcome_t outcome)
{
    while (LETTER->managed && outcome == OUTCOME_SUSPENDED) {
        obey(i);
        i->machine.budget = fuel();
        outcome = corollary_go_on(i);
    }
    return outcome;
}
