/* What goes wrong while an agent moves or hibernates? */
#ifndef TRIALS_H
#define TRIALS_H

#include "manager/types.h"
#include "ward.h"

/* What goes wrong at a task for this verb; each trial has one fault at most. */
uint64_t fault_at(verb_t verb);

/* Begin one by its number; an agent that comes from another machine brings that along. */
void begin_trial(uint64_t number);
void end_trial(void);
bool is_trial_under_way(void);
bool are_trials_over(void);

/* The trial that is under way, or the next one, and what goes wrong in it. */
uint64_t trial(void);
uint64_t fault_of_trial(void);

#endif
