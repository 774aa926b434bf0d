/* Generated from model/governance/kills.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 393a074c43d88e83 */

#include "kills.h"

/* How is an agent killed? It and its substitute never act again, whatever else is found out about how it ended. */

/* Kill an agent and its substitute; who has none names the agent itself. Nothing is told of its end so far. */
status_t kills_kill(struct governance *s, agent_id_t agent, agent_id_t substitute)
{
    if (s->agent[agent].asked) {
        return STATUS_KILLED;
    }
    s->agent[agent].asked = true;
    s->agent[agent].killed = true;
    s->agent[substitute].killed = true;
    return STATUS_OK;
}

/* Note, for good, whether an agent that was killed has ended. */
status_t kills_report(struct governance *s, agent_id_t agent, bool terminated)
{
    if (!s->agent[agent].asked) {
        return STATUS_NOT_KILLED;
    }
    if (s->agent[agent].reported) {
        return STATUS_REPORTED;
    }
    s->agent[agent].reported = true;
    s->agent[agent].terminated = terminated;
    return STATUS_OK;
}
