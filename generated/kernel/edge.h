/* Generated from spec/kernel/edge.py, model/kernel/edge.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 d8b14092ba456a05 */

#ifndef KERNEL_EDGE_H
#define KERNEL_EDGE_H

#include "types.h"

/* The edge that the handle of the call names. */
inline edge_id_t edge_named_edge(const struct kernel *s, const struct call *call)
{
    return (edge_id_t)s->capability[call->capability].object;
}

/* The notification that the handle of the call names. */
inline notification_id_t edge_named_notification(const struct kernel *s, const struct call *call)
{
    return (notification_id_t)s->capability[call->capability].object;
}

/* The place of an edge's message with this number. */
inline message_id_t edge_message_id(edge_id_t e, uint64_t sequence)
{
    return (message_id_t)(sequence & (MESSAGE_TURN_BOUND - 1)) |
           (message_id_t)((message_id_t)e << MESSAGE_PLACE_EDGE_SHIFT);
}

/* The edge that a message place belongs to. */
inline edge_id_t edge_of(message_id_t m)
{
    return (edge_id_t)(m >> MESSAGE_PLACE_EDGE_SHIFT);
}

/* The number of the message that is received next. */
inline uint64_t edge_oldest(const struct kernel *s, edge_id_t e)
{
    return s->edge[e].sent - (uint64_t)s->edge[e].waiting;
}

/* Has the edge no room for another message? */
inline bool edge_is_full(const struct kernel *s, edge_id_t e)
{
    return s->edge[e].waiting >= MESSAGES_PER_EDGE;
}

bool edge_is_origin(const struct kernel *s, capability_id_t c, object_kind_t kind, uint32_t object);
bool edge_exists(const struct kernel *s, edge_id_t e);
bool edge_notification_exists(const struct kernel *s, notification_id_t n);
capability_id_t edge_sender_of(const struct kernel *s, edge_id_t e);
uint64_t edge_behind(const struct kernel *s, message_id_t m);
bool edge_waits(const struct kernel *s, message_id_t m);
status_t edge_create(struct kernel *s, struct call *call, edge_id_t e, slot_id_t slot, uint64_t schema);
status_t edge_destroy(struct kernel *s, const struct call *call);
void edge_put_payload(struct kernel *s, message_id_t m, page_id_t page, uint64_t length);
void edge_take_payload(struct kernel *s, message_id_t m, page_id_t page);
void edge_count(struct kernel *s, uint64_t length);
status_t edge_send(struct kernel *s, const struct call *call, page_id_t page, uint16_t length, uint64_t schema);
status_t edge_receive(struct kernel *s, struct call *call, page_id_t page);
status_t edge_notification_create(struct kernel *s, struct call *call, notification_id_t n, slot_id_t slot);
status_t edge_notification_signal(struct kernel *s, const struct call *call, uint64_t bits);
status_t edge_notification_wait(struct kernel *s, struct call *call);

#endif
