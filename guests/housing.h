/* What does the root partition need to house agents? */
#ifndef HOUSING_H
#define HOUSING_H

#include "creator.h"
#include "letter.h"
#include "agents.h"

enum { AUDITOR_IMAGE, VM_IMAGE, MANAGER_IMAGE, PLACER_IMAGE, FIRST_MODULE = MANAGER_IMAGE + MANAGERS };
enum { LIBRARIAN_IMAGE = MANAGER_IMAGE };   /* there is no manager then */

/* With one that waits for an agent that moves within the machine, or all rows of the houses. */
enum { LODGINGS = PLACED ? PLACED : AGENTS + (MOVES && !IS_FAR) };

/* Where an agent is: its badge, its partition, and pages of that. */
struct lodging {
    uint64_t badge;
    uint32_t partition, first, table, module, letter, room, checkpoint, elements, units;
};

const struct letter *letter_of(uint64_t p);
bool is_child(uint64_t number);
void prepare_housing(void);
const struct lodging *create_agent(uint64_t number, uint64_t place, uint64_t p);
const struct lodging *renew_agent(uint64_t number, uint64_t place);
void refill(uint64_t place);
void endow(uint64_t number);
void end_guest(uint64_t p);

#endif
