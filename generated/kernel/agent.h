/* Generated from spec/kernel/agent.py, spec/agent.py, model/kernel/agent.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 4490895212c165fa */

#ifndef KERNEL_AGENT_H
#define KERNEL_AGENT_H

#include "types.h"

/* The badge of the agent that has the row, or had it last. */
inline agent_badge_t agent_badge_of(const struct kernel *s, agent_id_t a)
{
    return (agent_badge_t)a | (agent_badge_t)((agent_badge_t)s->agent[a].generation << BADGE_PARTS_GENERATION_SHIFT);
}

/* The row of the agent with this badge. */
inline agent_id_t agent_row_of(agent_badge_t badge)
{
    return (agent_id_t)badge;
}

bool agent_lives(const struct kernel *s, agent_id_t a);
bool agent_names_living(const struct kernel *s, agent_badge_t badge);
bool agent_hosts(const struct kernel *s, partition_id_t p, agent_badge_t badge);
bool agent_speaks(const struct kernel *s, partition_id_t p, agent_badge_t badge);
agent_badge_t agent_speaker_of(const struct kernel *s);
bool agent_is_past(const struct kernel *s, agent_badge_t badge);
bool agent_may_follow(life_t old, life_t new);
status_t agent_create(struct kernel *s, struct call *call, agent_id_t agent, child_id_t place);
void agent_absorb_line(uint32_t *digest, const struct kernel *s, page_id_t page, entry_id_t first);
void agent_absorb(uint32_t *digest, const struct kernel *s, page_id_t page, part_id_t part);
status_t agent_measure(struct kernel *s, struct call *call, agent_badge_t badge, page_id_t page, part_id_t part);
void agent_close_module(const struct kernel *s, agent_id_t a, uint32_t *digest);
bool agent_shows_module(const struct kernel *s, const struct call *call, uint32_t *digest);
status_t agent_spawn(struct kernel *s, const struct call *call, agent_badge_t badge, uint64_t module);
status_t agent_change(struct kernel *s, const struct call *call, agent_badge_t badge, life_t life, life_t old);
status_t agent_speak(struct kernel *s, const struct call *call, agent_badge_t badge);

#endif
