/* Generated from spec/kernel/halves.py, model/kernel/halves.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 d2ecb01eb9abe4dd */

#include "halves.h"
#include "builtins.h"
#include "block.h"
#include "capability.h"
#include "device.h"
#include "edge.h"

/* The code of what the header has copied to its callers. */
extern inline bool halves_is_half(const struct kernel *s, partition_id_t p);
extern inline right_t halves_right_to_part(partition_state_t state);
extern inline bool halves_has_started(const struct kernel *s, partition_id_t p);
extern inline uint64_t halves_weight(const struct kernel *s, edge_id_t e);
extern inline bool halves_mostly(const struct kernel *s, partition_id_t p, uint64_t shared);

/* Which partitions may be split or merged, and what stands still meanwhile?

   A split makes two halves of a partition, a merge makes one partition of two. Both begin with one call and end with
   one for each of the two. Between these, neither runs. */

/* May the partition receive through the edge, by what is in this slot? */
bool halves_receives(const struct kernel *s, edge_id_t e, partition_id_t p, slot_id_t slot)
{
    capability_id_t c = capability_id(p, slot);
    const struct capability *held = &s->capability[c];
    return held->kind == OBJECT_KIND_EDGE && held->object == e && (held->rights & RIGHT_READ) != 0 &&
           capability_live(s, c);
}

/* Does the edge lead from one of the two to the other, which receives by what is in this slot? */
bool halves_connects(const struct kernel *s, edge_id_t e, slot_id_t slot, partition_id_t p, partition_id_t q)
{
    partition_id_t sender = capability_holder(edge_sender_of(s, e));
    return edge_exists(s, e) &&
           ((sender == p && halves_receives(s, e, q, slot)) || (sender == q && halves_receives(s, e, p, slot)));
}

/* Are the two the ends of the edge: who sent and who received last? */
bool halves_is_between(const struct kernel *s, edge_id_t e, partition_id_t p, partition_id_t q)
{
    partition_id_t source = s->traffic[e].source;
    partition_id_t target = s->traffic[e].target;
    return ((source == p) & (target == q)) | ((source == q) & (target == p));
}

/* What two edges have carried between the two; an edge that is named twice counts once.

   An edge that is gone counts until its number is used again, as for whoever reads the graph. */
uint64_t halves_between(const struct kernel *s, edge_id_t e, edge_id_t back, partition_id_t p, partition_id_t q)
{
    uint64_t there = halves_is_between(s, e, p, q) ? halves_weight(s, e) : 0;
    uint64_t again = back != e && halves_is_between(s, back, p, q) ? halves_weight(s, back) : 0;
    return there + again;
}

/* Have the two carried something between each other, and is it enough of what each of them has carried? */
bool halves_are_coherent(const struct kernel *s, edge_id_t e, edge_id_t back, partition_id_t p, partition_id_t q)
{
    uint64_t shared = halves_between(s, e, back, p, q);
    return shared != 0 && halves_mostly(s, p, shared) && halves_mostly(s, q, shared);
}

/* Is a device leased to the partition, even if its time is over? */
bool halves_leases(const struct kernel *s, partition_id_t p)
{
    bool found = false;
    for (uint32_t i = 0; i < DEVICES; i++) {
        found |= device_holds_lease(s, p, i);
    }
    return found;
}

/* Has `q` room for the pages, the agents and the large memory of both? */
bool halves_fits(const struct kernel *s, partition_id_t p, partition_id_t q)
{
    const struct partition *one = &s->partition[p];
    const struct partition *other = &s->partition[q];
    return (uint32_t)one->pages + (uint32_t)other->pages <= PAGES_PER_PARTITION &&
           (uint32_t)one->agents_made + (uint32_t)other->agents_made <= other->agents &&
           (uint32_t)one->units_made + (uint32_t)other->units_made <= other->units;
}

/* Has the partition no page, or just its stage-2 root? */
bool halves_only_root_table(const struct kernel *s, partition_id_t p)
{
    const struct partition *own = &s->partition[p];
    return own->pages == 0 || (own->pages == 1 && own->rooted);
}

/* Have pages, agents and blocks of the partition gone to another, but for its stage-2 root? */
bool halves_holds_nothing(const struct kernel *s, partition_id_t p)
{
    return halves_only_root_table(s, p) && s->partition[p].agents_made == 0 && !block_holds_blocks(s, p);
}

/* How is a partition split in two, and how are two merged into one?

   `page_transfer` moves pages between halves, and `partition_destroy` ends the one that was merged into the other. */

/* Let two partitions stand still as halves of each other. */
void halves_part(struct kernel *s, partition_id_t p, partition_id_t q, partition_state_t state)
{
    s->partition[p].state = state;
    s->partition[p].other = q;
    s->partition[q].state = state;
    s->partition[q].other = p;
}

/* Begin to split a partition.

   The other half is the partition `into`, which the caller created and which has no stage-2 root yet. */
status_t halves_partition_split(struct kernel *s, const struct call *call, handle_t into)
{
    partition_id_t p = capability_first_partition(s, call);
    partition_id_t q = capability_second_partition(s, call);
    if (!capability_handle_holds(s, s->current, into, OBJECT_KIND_PARTITION, RIGHT_WRITE | RIGHT_SPLIT)) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    if (s->mode == MODE_REFLEX) {
        return STATUS_WRONG_MODE;
    }
    if (s->partition[p].ancestry == 0 || s->partition[q].ancestry == 0 || s->partition[q].parent != s->current) {
        return STATUS_INVALID_TARGET;
    }
    if (!halves_has_started(s, p) || s->partition[q].state != PARTITION_STATE_CREATED || s->partition[q].rooted) {
        return STATUS_WRONG_STATE;
    }
    halves_part(s, p, q, PARTITION_STATE_SPLITTING);
    return STATUS_OK;
}

/* Begin to merge a partition into the partition `into`.

   The `edge` leads from one of them to the other, which receives by what is in its `slot`. What the edge `back`
   carried between them counts, too. */
status_t halves_partition_merge(struct kernel *s, const struct call *call, handle_t into, edge_id_t edge,
                                slot_id_t slot, edge_id_t back)
{
    partition_id_t p = capability_first_partition(s, call);
    partition_id_t q = capability_second_partition(s, call);
    if (!capability_handle_holds(s, s->current, into, OBJECT_KIND_PARTITION, RIGHT_WRITE | RIGHT_MERGE)) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    if (p == q || s->partition[p].ancestry == 0 || s->partition[q].ancestry == 0) {
        return STATUS_INVALID_TARGET;
    }
    if (!halves_has_started(s, p) || !halves_has_started(s, q)) {
        return STATUS_WRONG_STATE;
    }
    if (!halves_connects(s, edge, slot, p, q)) {
        return STATUS_NOT_CONNECTED;
    }
    if (!halves_are_coherent(s, edge, back, p, q)) {
        return STATUS_NOT_COHERENT;
    }
    if (halves_leases(s, p)) {
        return STATUS_STILL_LEASED;
    }
    if (!halves_fits(s, p, q)) {
        return STATUS_LIMIT_REACHED;
    }
    halves_part(s, p, q, PARTITION_STATE_MERGING);
    return STATUS_OK;
}

/* Let a half be a whole: one that has a stage-2 root is suspended, any other one can be given one and start.

   Who settles it needs the right that made halves of it. */
status_t halves_partition_settle(struct kernel *s, const struct call *call)
{
    partition_id_t p = capability_named_partition(s, call);
    if (!halves_is_half(s, p)) {
        return STATUS_WRONG_STATE;
    }
    if ((halves_right_to_part(s->partition[p].state) & ~s->capability[call->capability].rights) != 0) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    s->partition[p].state = s->partition[p].rooted ? PARTITION_STATE_SUSPENDED : PARTITION_STATE_CREATED;
    return STATUS_OK;
}
