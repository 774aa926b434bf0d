/* What goes wrong while an agent moves or hibernates? Root says so: in each trial one thing, or nothing. */
#include "trials.h"

static uint64_t over;       /* trials that were made */
static bool is_under_way, has_struck;

uint64_t fault_at(verb_t verb)
{
    const volatile struct roll *roll = the_roll();
    bool strikes = is_under_way && !has_struck && roll->trial[over % roll->faults].verb == verb;

    has_struck |= strikes;
    return strikes ? roll->trial[over % roll->faults].fault : MISHAP_NONE;
}

uint64_t fault_of_trial(void)
{
    return the_roll()->trial[over % the_roll()->faults].fault;
}

void begin_trial(uint64_t number)
{
    over = number;
    is_under_way = true;
    has_struck = false;
}

void end_trial(void)
{
    is_under_way = false;
    over++;
}

bool is_trial_under_way(void)
{
    return is_under_way;
}

bool are_trials_over(void)
{
    return over >= the_roll()->trials;
}

uint64_t trial(void)
{
    return over;
}
