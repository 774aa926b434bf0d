/* Generated from spec/kernel/agent.py, spec/agent.py, model/kernel/agent.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 120879802e87ba5e */

#include "agent.h"
#include "builtins.h"
#include "capability.h"
#include "memory.h"
#include "partition.h"
#include "sha256.h"

#define LINE_BITS 512
#define NOBODY 0                        /* in place of a badge */

/* The code of what the header has copied to its callers. */
extern inline agent_badge_t agent_badge_of(const struct kernel *s, agent_id_t a);
extern inline agent_id_t agent_row_of(agent_badge_t badge);

/* Which agents are there, who made them of what, and who may speak as one?

   An agent lives in a partition and ends with it. Its badge is its row and how many agents had that row, so no badge
   comes back. While it is INITIALIZING the kernel measures its module. Only a path from what was measured to the
   root in force lets it run. */

/* Is there an agent in the row? It ends at the latest with its partition. */
bool agent_lives(const struct kernel *s, agent_id_t a)
{
    const struct agent *agent = &s->agent[a];
    return agent->life != LIFE_TERMINATED && partition_alive(s, agent->partition) &&
           s->partition[agent->partition].generation == agent->incarnation;
}

/* Does the agent with this badge live? */
bool agent_names_living(const struct kernel *s, agent_badge_t badge)
{
    return agent_lives(s, agent_row_of(badge)) &&
           s->agent[agent_row_of(badge)].generation == (uint32_t)(badge >> BADGE_PARTS_GENERATION_SHIFT);
}

/* Does the agent with this badge live in the partition? */
bool agent_hosts(const struct kernel *s, partition_id_t p, agent_badge_t badge)
{
    return agent_names_living(s, badge) && s->agent[agent_row_of(badge)].partition == p;
}

/* May the agent with this badge speak for the partition? */
bool agent_speaks(const struct kernel *s, partition_id_t p, agent_badge_t badge)
{
    return agent_hosts(s, p, badge) && s->agent[agent_row_of(badge)].life == LIFE_RUNNING;
}

/* The badge of the agent that speaks for the caller, or NOBODY. */
agent_badge_t agent_speaker_of(const struct kernel *s)
{
    agent_badge_t said = s->partition[s->current].speaker;
    return agent_speaks(s, s->current, said) ? said : NOBODY;
}

/* Was the badge given already, or is it nobody's? */
bool agent_is_past(const struct kernel *s, agent_badge_t badge)
{
    return (uint32_t)(badge >> BADGE_PARTS_GENERATION_SHIFT) <= s->agent[agent_row_of(badge)].generation;
}

/* Which states does an agent have, and which may follow which? Everything that keeps agents asks this module. */

/* May an agent go from one state to another in a step? This is the table of edges. */
bool agent_may_follow(life_t old, life_t new)
{
    if (new == LIFE_TERMINATED) {
        return old != LIFE_TERMINATED;
    }
    switch (old) {
    case LIFE_INITIALIZING:
        return new == LIFE_RUNNING;
    case LIFE_RUNNING:
        return new == LIFE_SUSPENDED || new == LIFE_MIGRATING;
    case LIFE_SUSPENDED:
        return new == LIFE_RUNNING || new == LIFE_MIGRATING || new == LIFE_HIBERNATED;
    case LIFE_MIGRATING:
        return new == LIFE_RUNNING || new == LIFE_SUSPENDED;
    case LIFE_HIBERNATED:
        return new == LIFE_RECONSTRUCTING;
    }
    return old == LIFE_RECONSTRUCTING && new == LIFE_RUNNING;
}

/* How does an agent begin, of what module is it, how does it live, and who speaks as one? */

/* Begin an agent in a partition, in a row where none lives; return its badge.

   If an agent speaks for the caller, it is the parent, and the child has the `place` that is named among its
   children. */
status_t agent_create(struct kernel *s, struct call *call, agent_id_t agent, child_id_t place)
{
    partition_id_t p = capability_named_partition(s, call);
    struct partition *host = &s->partition[p];
    agent_badge_t parent = agent_speaker_of(s);
    struct agent *maker = &s->agent[agent_row_of(parent)];
    if (!partition_alive(s, p)) {
        return STATUS_WRONG_STATE;
    }
    if (agent_lives(s, agent)) {
        return STATUS_OBJECT_IN_USE;
    }
    if (s->agent[agent].generation == COUNTER_LIMIT) {
        return STATUS_SLOT_RETIRED;
    }
    if (host->agents_made >= host->agents) {
        return STATUS_LIMIT_REACHED;
    }
    if (parent == NOBODY && s->partition[s->current].agents_made != 0) {
        return STATUS_NO_SPEAKER;
    }
    if (parent != NOBODY && maker->depth >= ANCESTRY_LIMIT) {
        return STATUS_DEPTH_EXCEEDED;
    }
    if (parent != NOBODY && agent_names_living(s, maker->child[place])) {
        return STATUS_SPAWN_LIMIT;
    }
    host->agents_made++;
    struct agent *begun = &s->agent[agent];
    begun->life = LIFE_INITIALIZING;
    begun->partition = p;
    begun->incarnation = host->generation;
    begun->generation++;
    begun->depth = parent != NOBODY ? (depth_t)((uint32_t)maker->depth + 1) : 0;
    begun->parent = parent;
    begun->place = place;
    for (uint32_t i = 0; i < CHILDREN; i++) {
        begun->child[i] = NOBODY;
    }
    begun->spawned = 0;
    begun->lines = 0;
    sha256_begin(begun->module);
    if (parent != NOBODY) {
        maker->child[place] = agent_badge_of(s, agent);
    }
    call->result[0] = agent_badge_of(s, agent);
    return STATUS_OK;
}

/* Fold eight words of a page, from the first on, into a digest. */
void agent_absorb_line(uint32_t *digest, const struct kernel *s, page_id_t page, entry_id_t first)
{
    const struct frame *source = &s->memory[page];
    uint32_t block[16];
    clear_halves(block, 16);
    for (uint32_t i = 0; i < LINE_WORDS; i++) {
        sha256_put(block, i, source->word[((uint32_t)first + i) & (ENTRY_ID_BOUND - 1)]);
    }
    sha256_compress(digest, block);
}

/* Fold a part of a page into a digest. */
void agent_absorb(uint32_t *digest, const struct kernel *s, page_id_t page, part_id_t part)
{
    for (uint32_t i = 0; i < PART_LINES; i++) {
        agent_absorb_line(digest, s, page, LINE_WORDS * (PART_LINES * (uint32_t)part + i));
    }
}

/* Measure the next 256 bytes of the module of an agent that begins: a part of a page of its partition. */
status_t agent_measure(struct kernel *s, struct call *call, agent_badge_t badge, page_id_t page, part_id_t part)
{
    partition_id_t p = capability_named_partition(s, call);
    agent_id_t a = agent_row_of(badge);
    if (!agent_hosts(s, p, badge)) {
        return STATUS_STALE_HANDLE;
    }
    if (s->agent[a].life != LIFE_INITIALIZING) {
        return STATUS_WRONG_STATE;
    }
    if (!memory_owns_data(s, p, page)) {
        return STATUS_NOT_OWNER;
    }
    if (s->agent[a].lines + PART_LINES > MODULE_LINES) {
        return STATUS_LIMIT_REACHED;
    }
    uint32_t digest[8] = {0};
    for (uint32_t i = 0; i < 8; i++) {
        digest[i] = s->agent[a].module[i];
    }
    agent_absorb(digest, s, page, part);
    for (uint32_t i = 0; i < 8; i++) {
        s->agent[a].module[i] = digest[i];
    }
    s->agent[a].lines += PART_LINES;
    call->result[0] = s->agent[a].lines;
    return STATUS_OK;
}

/* Compute SHA-256 of all that was measured of an agent's module. */
void agent_close_module(const struct kernel *s, agent_id_t a, uint32_t *digest)
{
    uint32_t block[16];
    clear_halves(block, 16);
    for (uint32_t i = 0; i < 8; i++) {
        digest[i] = s->agent[a].module[i];
    }
    sha256_end(block, 0, LINE_BITS * s->agent[a].lines);
    sha256_compress(digest, block);
}

/* Compute the hash of the module of the agent that x2 names. Does it live in the partition that is named?

   The hash of another partition's module is never used. */
bool agent_shows_module(const struct kernel *s, const struct call *call, uint32_t *digest)
{
    agent_badge_t badge = call->argument[1] & (AGENT_BADGE_BOUND - 1);
    agent_close_module(s, agent_row_of(badge), digest);
    return agent_hosts(s, capability_named_partition(s, call), badge);
}

/* Let an agent run whose module was measured, on a path from the hash of that to the root in force.

   The hash begins with the eight bytes `module`, so the record tells what the agent is. */
status_t agent_spawn(struct kernel *s, const struct call *call, agent_badge_t badge, uint64_t module)
{
    agent_id_t a = agent_row_of(badge);
    uint32_t digest[8] = {0};
    if (s->agent[a].life != LIFE_INITIALIZING) {
        return STATUS_WRONG_STATE;
    }
    agent_close_module(s, a, digest);
    if (sha256_word_of(digest, 0) != module) {
        return STATUS_MODULE_MISMATCH;
    }
    for (uint32_t i = 0; i < 8; i++) {
        s->agent[a].module[i] = digest[i];
    }
    s->agent[a].spawned = call->now;
    s->agent[a].life = LIFE_RUNNING;
    return STATUS_OK;
}

/* Move an agent from its `old` state along an edge of its life; out of its beginning, only to its end. */
status_t agent_change(struct kernel *s, const struct call *call, agent_badge_t badge, life_t life, life_t old)
{
    agent_id_t a = agent_row_of(badge);
    partition_id_t p = capability_named_partition(s, call);
    if (!agent_hosts(s, p, badge)) {
        return STATUS_STALE_HANDLE;
    }
    if (s->agent[a].life != old || !agent_may_follow(old, life) ||
        (old == LIFE_INITIALIZING && life != LIFE_TERMINATED)) {
        return STATUS_WRONG_STATE;
    }
    s->agent[a].life = life;
    if (life == LIFE_TERMINATED) {
        s->partition[p].agents_made = saturating_sub(s->partition[p].agents_made, 1);
    }
    return STATUS_OK;
}

/* Say which of the caller's agents speaks: it signs what the caller sends, and is the parent of whom it makes. */
status_t agent_speak(struct kernel *s, const struct call *call, agent_badge_t badge)
{
    (void)call;
    if (!agent_hosts(s, s->current, badge)) {
        return STATUS_STALE_HANDLE;
    }
    if (!agent_speaks(s, s->current, badge)) {
        return STATUS_WRONG_STATE;
    }
    s->partition[s->current].speaker = badge;
    return STATUS_OK;
}
