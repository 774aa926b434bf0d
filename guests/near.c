/* How do both ends of a move reach each other if they are rows of one manager? At once: no note is lost on the way.
 *
 * Messages wait in the edge, whose end goes with the agent.
 */
#include "manager/migration.h"
#include "advised.h"
#include "carrier.h"

void prepare_carrier(void)
{
    if (the_roll()->houses != 0)
        counsel_prepare();
}

bool carry_on(struct manager *s)
{
    (void)s;
    return false;
}

/* There is nobody else. */
void forge(void)
{
}

bool carry(struct manager *s, const struct note *note)
{
    hear(s, note);
    return true;
}

bool leave(agent_id_t a)
{
    return ward_destroy(a);
}

/* Memory changes hands. */
uint64_t memory_to_carry(void)
{
    return 0;
}

/* The target gets what it asked for; it may have it already. */
bool carry_chunk(struct manager *s, agent_id_t a, const struct note *note)
{
    return ward_pass_chunk(a, note->to, note->chunk) && carry(s, note);
}

/* Nothing that can be done before the agent stops is left for later. */
bool has_room_there(agent_id_t a)
{
    agent_id_t there = row_with_room();

    return there != the_roll()->entries && ward_pass_checkpoint(a, there);
}

uint64_t hand_over_mail(void)
{
    return 0;
}

void take_over_mail(uint64_t read)
{
    (void)read;
}

bool has_enough_mail(void)
{
    return true;
}

void end_moves(struct manager *s)
{
    (void)s;
    end_agents();
}

void tell_ended(struct manager *s, agent_id_t a)
{
    (void)s;
    (void)a;
}

uint64_t ended_there(void)
{
    return 0;
}

void take_leave(struct manager *s)
{
    (void)s;
    if (the_roll()->houses != 0)
        advised_leave();
}
