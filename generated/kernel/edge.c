/* Generated from spec/kernel/edge.py, model/kernel/edge.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 53ca573e5f6b0536 */

#include "edge.h"
#include "agent.h"
#include "capability.h"
#include "memory.h"
#include "traffic.h"

#define MESSAGE_LENGTH 0
#define MESSAGE_BADGE 1
#define MESSAGE_SCHEMA 2
#define MESSAGE_SEQUENCE 3
#define MESSAGE_AGENT 4
#define MESSAGE_SOURCE 5
#define MESSAGE_PAYLOAD 8

/* The code of what the header has copied to its callers. */
extern inline edge_id_t edge_named_edge(const struct kernel *s, const struct call *call);
extern inline notification_id_t edge_named_notification(const struct kernel *s, const struct call *call);
extern inline message_id_t edge_message_id(edge_id_t e, uint64_t sequence);
extern inline edge_id_t edge_of(message_id_t m);
extern inline uint64_t edge_oldest(const struct kernel *s, edge_id_t e);
extern inline bool edge_is_full(const struct kernel *s, edge_id_t e);

/* How may partitions talk to each other?

   What edges and notifications hold, who put it there, and how long it stays. */

/* Does the slot hold the capability that was made with this object? */
bool edge_is_origin(const struct kernel *s, capability_id_t c, object_kind_t kind, uint32_t object)
{
    return s->capability[c].kind == kind && s->capability[c].object == object && capability_rooted(s, c);
}

/* Does the edge exist? It ends with the capability that was made with it. */
bool edge_exists(const struct kernel *s, edge_id_t e)
{
    return edge_is_origin(s, s->edge[e].origin, OBJECT_KIND_EDGE, e);
}

/* Does the notification exist? */
bool edge_notification_exists(const struct kernel *s, notification_id_t n)
{
    return edge_is_origin(s, s->notification[n].origin, OBJECT_KIND_NOTIFICATION, n);
}

/* Return the only capability that sends through an edge.

   That is the one that sending was passed on to, or the origin once that one is dead. */
capability_id_t edge_sender_of(const struct kernel *s, edge_id_t e)
{
    capability_id_t last = s->edge[e].sender;
    if (s->capability[last].generation == s->edge[e].sender_generation && capability_live(s, last)) {
        return last;
    }
    return s->edge[e].origin;
}

/* Return how many places a message is behind the oldest one of its edge. */
uint64_t edge_behind(const struct kernel *s, message_id_t m)
{
    return ((uint64_t)m - edge_oldest(s, edge_of(m))) & 7;
}

/* Was the message sent, and not received yet? */
bool edge_waits(const struct kernel *s, message_id_t m)
{
    return edge_behind(s, m) < s->edge[edge_of(m)].waiting;
}

/* How do partitions talk to each other?

   Messages go through edges, bits through notifications; nobody waits in the kernel.

   Words of a page that holds a message: 0 length in words, 1 badge, 2 schema, 3 sequence, 4 agent, 5 source, 8..
   payload. */

/* Make an edge for messages of one schema, with all rights on it in the caller's free `slot`.

   It ends when that slot is emptied. */
status_t edge_create(struct kernel *s, struct call *call, edge_id_t e, slot_id_t slot, uint64_t schema)
{
    capability_id_t target = capability_id(s->current, slot);
    if (edge_exists(s, e)) {
        return STATUS_OBJECT_IN_USE;
    }
    if (!capability_free(s, target)) {
        return STATUS_SLOT_IN_USE;
    }
    if (capability_retired(s, target)) {
        return STATUS_SLOT_RETIRED;
    }
    struct partition *maker = &s->partition[s->current];
    if (maker->edges_made >= maker->edges) {
        return STATUS_LIMIT_REACHED;
    }
    maker->edges_made++;
    struct edge *edge = &s->edge[e];
    edge->origin = target;
    edge->sender = target;
    edge->sender_generation = s->capability[target].generation;
    edge->schema = schema;
    edge->sent = 0;
    edge->waiting = 0;
    s->traffic[e].carried = 0;
    s->traffic[e].source = s->current;
    s->traffic[e].target = s->current;
    capability_mint(s, target, OBJECT_KIND_EDGE, e, 0, ALL_RIGHTS);
    call->result[0] = (handle_t)slot |
                      (handle_t)((handle_t)s->capability[target].generation << HANDLE_PARTS_GENERATION_SHIFT);
    return STATUS_OK;
}

/* End an edge, through the capability that was made with it.

   All other capabilities on it die, and what was not received is lost. */
status_t edge_destroy(struct kernel *s, const struct call *call)
{
    if (!capability_rooted(s, call->capability)) {
        return STATUS_NOT_OWNER;
    }
    capability_release(s, s->current, call->capability & (SLOT_ID_BOUND - 1));
    return STATUS_OK;
}

/* Copy the payload of a message out of a page; words beyond its length become zero. */
void edge_put_payload(struct kernel *s, message_id_t m, page_id_t page, uint64_t length)
{
    const struct frame *source = &s->memory[page];
    struct message *message = &s->message[m];
    for (uint32_t i = 0; i < PAYLOAD_WORDS; i++) {
        uint64_t word = source->word[MESSAGE_PAYLOAD + i];
        message->word[i] = i < length ? word : 0;
    }
}

/* Copy the payload of a message into a page. */
void edge_take_payload(struct kernel *s, message_id_t m, page_id_t page)
{
    const struct message *message = &s->message[m];
    struct frame *target = &s->memory[page];
    for (uint32_t i = 0; i < PAYLOAD_WORDS; i++) {
        target->word[MESSAGE_PAYLOAD + i] = message->word[i];
    }
}

/* Count a message of so many words for the caller, who sends or receives it. */
void edge_count(struct kernel *s, uint64_t length)
{
    struct partition *own = &s->partition[s->current];
    own->carried = traffic_with_message(own->carried, length);
}

/* Append a message to an edge, as the one that sends.

   The message is `length` words of the caller's page, under the badges of the caller's slot and of the agent that
   speaks. */
status_t edge_send(struct kernel *s, const struct call *call, page_id_t page, uint16_t length, uint64_t schema)
{
    edge_id_t e = edge_named_edge(s, call);
    struct edge *edge = &s->edge[e];
    if (call->capability != edge_sender_of(s, e)) {
        return STATUS_NOT_SENDER;
    }
    if (length > PAYLOAD_WORDS) {
        return STATUS_BAD_ARGUMENT;
    }
    if (!memory_owns_data(s, s->current, page)) {
        return STATUS_NOT_OWNER;
    }
    if (!memory_lets(s, s->current, page, ACCESS_READ)) {
        return STATUS_NOT_MAPPED;
    }
    if (schema != edge->schema) {
        return STATUS_SCHEMA_MISMATCH;
    }
    if (edge_is_full(s, e)) {
        return STATUS_WOULD_BLOCK;
    }
    message_id_t m = edge_message_id(e, edge->sent);
    struct message *message = &s->message[m];
    message->length = length;
    message->badge = s->capability[call->capability].badge;
    message->schema = schema;
    message->sequence = edge->sent;
    message->agent = agent_speaker_of(s);
    message->source = s->current;
    for (uint32_t i = 0; i < HEADER_RESERVED; i++) {
        message->reserved[i] = 0;
    }
    edge_put_payload(s, m, page, length);
    edge->sent++;
    edge->waiting++;
    s->traffic[e].carried = traffic_with_message(s->traffic[e].carried, length);
    s->traffic[e].source = s->current;
    edge_count(s, length);
    return STATUS_OK;
}

/* Move the oldest message of an edge to the start of the caller's page; return its length, badge and number. */
status_t edge_receive(struct kernel *s, struct call *call, page_id_t page)
{
    edge_id_t e = edge_named_edge(s, call);
    struct edge *edge = &s->edge[e];
    if (!memory_owns_data(s, s->current, page)) {
        return STATUS_NOT_OWNER;
    }
    if (!memory_lets(s, s->current, page, ACCESS_WRITE)) {
        return STATUS_NOT_MAPPED;
    }
    if (edge->waiting == 0) {
        return STATUS_WOULD_BLOCK;
    }
    message_id_t m = edge_message_id(e, edge_oldest(s, e));
    const struct message *message = &s->message[m];
    struct frame *target = &s->memory[page];
    target->word[MESSAGE_LENGTH] = message->length;
    target->word[MESSAGE_BADGE] = message->badge;
    target->word[MESSAGE_SCHEMA] = message->schema;
    target->word[MESSAGE_SEQUENCE] = message->sequence;
    target->word[MESSAGE_AGENT] = message->agent;
    target->word[MESSAGE_SOURCE] = message->source;
    edge_take_payload(s, m, page);
    edge->waiting--;
    s->traffic[e].target = s->current;
    edge_count(s, message->length);
    call->result[0] = message->length;
    call->result[1] = message->badge;
    call->result[2] = message->sequence;
    return STATUS_OK;
}

/* Make a notification, with all rights on it in the caller's free `slot`; it ends when that slot is emptied. */
status_t edge_notification_create(struct kernel *s, struct call *call, notification_id_t n, slot_id_t slot)
{
    capability_id_t target = capability_id(s->current, slot);
    if (edge_notification_exists(s, n)) {
        return STATUS_OBJECT_IN_USE;
    }
    if (!capability_free(s, target)) {
        return STATUS_SLOT_IN_USE;
    }
    if (capability_retired(s, target)) {
        return STATUS_SLOT_RETIRED;
    }
    struct partition *maker = &s->partition[s->current];
    if (maker->notifications_made >= maker->notifications) {
        return STATUS_LIMIT_REACHED;
    }
    maker->notifications_made++;
    s->notification[n].origin = target;
    s->notification[n].bits = 0;
    capability_mint(s, target, OBJECT_KIND_NOTIFICATION, n, 0, ALL_RIGHTS);
    call->result[0] = (handle_t)slot |
                      (handle_t)((handle_t)s->capability[target].generation << HANDLE_PARTS_GENERATION_SHIFT);
    return STATUS_OK;
}

/* Set bits of a notification: those of the caller's badge, or any through the capability that was made with it. */
status_t edge_notification_signal(struct kernel *s, const struct call *call, uint64_t bits)
{
    if (!capability_rooted(s, call->capability) && (bits & ~s->capability[call->capability].badge) != 0) {
        return STATUS_RIGHTS_ESCALATION;
    }
    s->notification[edge_named_notification(s, call)].bits |= bits;
    return STATUS_OK;
}

/* Take all bits that are set; if none is set, the caller may give way and ask again. */
status_t edge_notification_wait(struct kernel *s, struct call *call)
{
    struct notification *notification = &s->notification[edge_named_notification(s, call)];
    if (notification->bits == 0) {
        return STATUS_WOULD_BLOCK;
    }
    call->result[0] = notification->bits;
    notification->bits = 0;
    return STATUS_OK;
}
