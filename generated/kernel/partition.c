/* Generated from spec/kernel/partition.py, model/kernel/partition.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 7582b02ca68ea4bd */

#include "partition.h"
#include "builtins.h"
#include "block.h"
#include "capability.h"
#include "device.h"
#include "halves.h"
#include "hardware.h"
#include "memory.h"
#include "ring.h"
#include "witness.h"

/* The code of what the header has copied to its callers. */
extern inline bool partition_alive(const struct kernel *s, partition_id_t p);
extern inline uint16_t partition_together(uint16_t one, uint16_t other, uint16_t most);

/* What life can a partition lead, and what does it leave behind? */

/* Does the partition live and run, and does the mode let it? */
bool partition_eligible(const struct kernel *s, partition_id_t p)
{
    const struct partition *partition = &s->partition[p];
    return partition->state == PARTITION_STATE_RUNNING && s->mode != MODE_HALTED &&
           (s->mode != MODE_RECOVERY || partition->warden);
}

/* Is what a partition waits for there, or has it waited long enough? */
bool partition_has_come(const struct kernel *s, partition_id_t p)
{
    awaited_t awaited = s->partition[p].awaited;
    const struct rest *rest = &s->partition[p].rest;
    if (awaited == AWAITED_MESSAGE && s->edge[rest->edge].waiting != 0) {
        return true;
    }
    if (awaited == AWAITED_BITS && s->notification[rest->notification].bits != 0) {
        return true;
    }
    return awaited == AWAITED_NOTHING || rest->until <= s->time;
}

/* Does the partition use no tool at all? */
bool partition_toolless(const struct kernel *s, partition_id_t p)
{
    bool none = true;
    for (uint32_t i = 0; i < RESOURCES; i++) {
        none = none && s->partition[p].tools[i] == 0;
    }
    return none;
}

/* How does a partition live and die? */

/* Make the partition start at `entry` with clean registers. */
void partition_reset_context(struct kernel *s, partition_id_t p, uint64_t entry)
{
    s->partition[p].fresh = true;
    s->partition[p].entry = entry;
    hardware_partition_reset_context(p, entry);
}

/* Make the hardware forget all that was walked for a partition; for one that may run, it walks again at once. */
void partition_flush_partition(struct kernel *s, partition_id_t p)
{
    if (s->partition[p].state != PARTITION_STATE_RUNNING) {
        s->partition[p].walked = false;
    }
    hardware_partition_flush_partition(p);
}

/* Bring a vacant partition to life, sandboxed, with all rights over it in the caller's free `slot`. */
status_t partition_create(struct kernel *s, struct call *call, partition_id_t p, slot_id_t slot, uint16_t quota)
{
    struct partition *created = &s->partition[p];
    struct partition *creator = &s->partition[s->current];
    capability_id_t target = capability_id(s->current, slot);
    if (created->state != PARTITION_STATE_VACANT) {
        return STATUS_PARTITION_IN_USE;
    }
    if (!capability_free(s, target)) {
        return STATUS_SLOT_IN_USE;
    }
    if (capability_retired(s, target) || created->generation == COUNTER_LIMIT) {
        return STATUS_SLOT_RETIRED;
    }
    if (creator->ancestry >= ANCESTRY_LIMIT) {
        return STATUS_DEPTH_EXCEEDED;
    }
    if ((uint32_t)creator->records + (uint32_t)quota >= creator->quota || creator->numbers <= 1) {
        return STATUS_LIMIT_REACHED;
    }
    created->state = PARTITION_STATE_CREATED;
    created->ring = RING_SANDBOX;
    created->score = 0;
    created->consensus = false;
    created->ancestry = (uint32_t)creator->ancestry + 1;
    created->parent = s->current;
    created->proof_root = creator->proof_root;
    created->quota = quota;
    creator->quota -= quota;
    created->share = LEAST_SHARE;
    creator->share -= LEAST_SHARE;
    created->pressure = 0;
    created->deadline = 0;
    created->warden = false;
    created->numbers = 1;
    creator->numbers--;
    created->bucket.credit = BURST;
    created->bucket.refilled = call->now;
    created->messages.used = 0;
    created->messages.began = call->now;
    created->carried = 0;
    capability_mint(s, target, OBJECT_KIND_PARTITION, p, created->generation, ALL_RIGHTS);
    call->result[0] = (handle_t)slot |
                      (handle_t)((handle_t)s->capability[target].generation << HANDLE_PARTS_GENERATION_SHIFT);
    return STATUS_OK;
}

/* Take charge of a partition that the caller created, or that fell to the caller.

   All rights over it go into the caller's free `slot`. */
status_t partition_adopt(struct kernel *s, struct call *call, partition_id_t p, slot_id_t slot)
{
    capability_id_t target = capability_id(s->current, slot);
    if (s->partition[p].state == PARTITION_STATE_VACANT || s->partition[p].ancestry == 0) {
        return STATUS_WRONG_STATE;
    }
    if (s->partition[p].parent != s->current) {
        return STATUS_INVALID_TARGET;
    }
    if (!capability_free(s, target)) {
        return STATUS_SLOT_IN_USE;
    }
    if (capability_retired(s, target)) {
        return STATUS_SLOT_RETIRED;
    }
    capability_mint(s, target, OBJECT_KIND_PARTITION, p, s->partition[p].generation, ALL_RIGHTS);
    call->result[0] = (handle_t)slot |
                      (handle_t)((handle_t)s->capability[target].generation << HANDLE_PARTS_GENERATION_SHIFT);
    return STATUS_OK;
}

/* Let a partition run, whatever it rested for. */
void partition_run(struct kernel *s, partition_id_t p)
{
    s->partition[p].awaited = AWAITED_NOTHING;
    s->partition[p].state = PARTITION_STATE_RUNNING;
}

/* Let a created partition run from `entry`. */
status_t partition_start(struct kernel *s, const struct call *call, uint64_t entry)
{
    partition_id_t p = capability_named_partition(s, call);
    if (s->partition[p].state != PARTITION_STATE_CREATED || !s->partition[p].rooted) {
        return STATUS_WRONG_STATE;
    }
    partition_reset_context(s, p, entry);
    s->partition[p].walked = true;
    partition_run(s, p);
    return STATUS_OK;
}

/* Stop a running partition where it is. */
status_t partition_suspend(struct kernel *s, const struct call *call)
{
    partition_id_t p = capability_named_partition(s, call);
    if (s->partition[p].state != PARTITION_STATE_RUNNING) {
        return STATUS_WRONG_STATE;
    }
    s->partition[p].state = PARTITION_STATE_SUSPENDED;
    return STATUS_OK;
}

/* Let a suspended partition go on. */
status_t partition_resume(struct kernel *s, const struct call *call)
{
    partition_id_t p = capability_named_partition(s, call);
    if (s->partition[p].state != PARTITION_STATE_SUSPENDED) {
        return STATUS_WRONG_STATE;
    }
    partition_run(s, p);
    return STATUS_OK;
}

/* Put a running or suspended partition into a long rest. */
status_t partition_hibernate(struct kernel *s, const struct call *call)
{
    partition_id_t p = capability_named_partition(s, call);
    if (s->partition[p].state != PARTITION_STATE_RUNNING && s->partition[p].state != PARTITION_STATE_SUSPENDED) {
        return STATUS_WRONG_STATE;
    }
    s->partition[p].state = PARTITION_STATE_HIBERNATED;
    return STATUS_OK;
}

/* Bring a hibernated partition back, ready to get another root and to start. */
status_t partition_reconstruct(struct kernel *s, const struct call *call)
{
    partition_id_t p = capability_named_partition(s, call);
    if (s->partition[p].state != PARTITION_STATE_HIBERNATED) {
        return STATUS_WRONG_STATE;
    }
    partition_flush_partition(s, p);
    s->partition[p].state = PARTITION_STATE_CREATED;
    return STATUS_OK;
}

/* Hand a partition on to `heir` if its creator is `creator`. */
void partition_fall_to(struct kernel *s, partition_id_t p, partition_id_t creator, partition_id_t heir)
{
    if (s->partition[p].parent == creator) {
        s->partition[p].parent = heir;
    }
}

/* Hand all partitions whose creator is `creator` on to `heir`. */
void partition_hand_on(struct kernel *s, partition_id_t creator, partition_id_t heir)
{
    for (uint32_t i = 0; i < PARTITIONS; i++) {
        partition_fall_to(s, i, creator, heir);
    }
}

/* Empty all slots of a partition. */
void partition_empty_slots(struct kernel *s, partition_id_t p)
{
    for (uint32_t i = 0; i < SLOTS; i++) {
        capability_empty(s, capability_id(p, i));
    }
}

/* End a partition for good; one that is merged, only when it holds nothing more.

   Its slots become empty, what hangs on them dies, and the partitions that it created fall to its own creator.
   `partition_release` then frees its pages, one by one, and `block_release` its blocks. */
status_t partition_destroy(struct kernel *s, const struct call *call)
{
    partition_id_t p = capability_named_partition(s, call);
    if (!partition_alive(s, p) || s->partition[p].ancestry == 0) {
        return STATUS_WRONG_STATE;
    }
    if (s->partition[p].state == PARTITION_STATE_MERGING && !halves_holds_nothing(s, p)) {
        return STATUS_STILL_HOLDING;
    }
    struct partition *destroyed = &s->partition[p];
    destroyed->state = PARTITION_STATE_DESTROYED;
    for (uint32_t i = 0; i < RESOURCES; i++) {
        destroyed->tools[i] = 0;
    }
    destroyed->bucket.credit = 0;
    destroyed->elevation.active = false;
    partition_empty_slots(s, p);
    partition_hand_on(s, p, destroyed->parent);
    return STATUS_OK;
}

/* Zero and free the last page of a destroyed partition, with every reference to it. */
void partition_release_page(struct kernel *s, partition_id_t p)
{
    page_id_t page = s->owned[memory_owned_id(p, s->partition[p].pages - 1)];
    if (s->partition[p].rooted && s->partition[p].root == page) {
        s->partition[p].rooted = false;
    }
    device_unpin(s, page);
    memory_drop_references(s, page);
    memory_free_page(s, page);
}

/* Free a page of a destroyed partition, if there is one.

   Return how many are left, and the first block that is to be released, or the number of units if there is none. */
status_t partition_release(struct kernel *s, struct call *call)
{
    partition_id_t p = capability_named_partition(s, call);
    if (s->partition[p].state != PARTITION_STATE_DESTROYED) {
        return STATUS_WRONG_STATE;
    }
    if (s->partition[p].pages > 0) {
        partition_release_page(s, p);
    }
    call->result[0] = s->partition[p].pages;
    call->result[1] = block_first_head(s, p);
    return STATUS_OK;
}

/* Give what a partition might still use up, and its number, back to its creator. */
void partition_give_back(struct kernel *s, partition_id_t p)
{
    struct partition *giver = &s->partition[s->partition[p].parent];
    struct partition *left = &s->partition[p];
    giver->quota = partition_together(giver->quota, left->quota, ROOT_QUOTA);
    giver->share = partition_together(giver->share, left->share, SHARES);
    giver->numbers = partition_together(giver->numbers, left->numbers, PARTITIONS);
    giver->edges = partition_together(giver->edges, left->edges, EDGES);
    giver->notifications = partition_together(giver->notifications, left->notifications, NOTIFICATIONS);
    giver->agents = partition_together(giver->agents, left->agents, AGENTS);
    giver->units = partition_together(giver->units, left->units, UNITS);
    left->quota = 0;
    left->share = 0;
    left->numbers = 0;
    left->edges = 0;
    left->edges_made = 0;
    left->notifications = 0;
    left->notifications_made = 0;
    left->agents = 0;
    left->agents_made = 0;
    left->units = 0;
    left->units_made = 0;
}

/* Make the number of an emptied partition free for another incarnation; capabilities on the old one die. */
status_t partition_reclaim(struct kernel *s, const struct call *call)
{
    partition_id_t p = capability_named_partition(s, call);
    struct partition *reclaimed = &s->partition[p];
    if (reclaimed->state != PARTITION_STATE_DESTROYED) {
        return STATUS_WRONG_STATE;
    }
    if (reclaimed->pages != 0 || reclaimed->records != 0 || block_holds_blocks(s, p)) {
        return STATUS_STILL_HOLDING;
    }
    if (reclaimed->generation == COUNTER_LIMIT) {
        return STATUS_SLOT_RETIRED;
    }
    s->partition[s->current].refused = witness_counted_on(s->partition[s->current].refused, reclaimed->refused);
    reclaimed->refused = 0;
    partition_give_back(s, p);
    reclaimed->state = PARTITION_STATE_VACANT;
    partition_flush_partition(s, p);
    reclaimed->generation++;
    reclaimed->failure = FAILURE_CLASS_NONE;
    reclaimed->rooted = false;
    reclaimed->score = 0;
    reclaimed->ring = RING_SANDBOX;
    return STATUS_OK;
}

/* Record that a partition failed worse than before. */
status_t partition_fail(struct kernel *s, const struct call *call, failure_class_t failure)
{
    partition_id_t p = capability_named_partition(s, call);
    if (!partition_alive(s, p)) {
        return STATUS_WRONG_STATE;
    }
    if (failure <= s->partition[p].failure) {
        return STATUS_NOT_ESCALATING;
    }
    s->partition[p].failure = failure;
    return STATUS_OK;
}

/* Take the stage-2 root of a partition away; if it has started, it rests until it is reconstructed with another.

   A half that has a root has started. */
void partition_lose_root(struct kernel *s, partition_id_t p)
{
    struct partition *owner = &s->partition[p];
    if (halves_has_started(s, p) || halves_is_half(s, p)) {
        owner->state = PARTITION_STATE_HIBERNATED;
    }
    partition_flush_partition(s, p);
    owner->rooted = false;
}

/* Stop every partition at once; ring 0, so out of reach without a witness from outside. */
status_t partition_system_halt(struct kernel *s, const struct call *call)
{
    (void)call;
    s->mode = MODE_HALTED;
    return STATUS_OK;
}

/* Can the partition give so much away? It keeps a record, its own number, and the least share for each. */
bool partition_has_left(const struct kernel *s, partition_id_t p, allowance_t what, uint16_t amount)
{
    const struct partition *own = &s->partition[p];
    switch (what) {
    case ALLOWANCE_RECORDS:
        return (uint32_t)own->records + (uint32_t)amount < own->quota;
    case ALLOWANCE_PARTITIONS:
        return own->numbers > amount;
    case ALLOWANCE_SHARES:
        return own->share >= LEAST_SHARE * (uint32_t)own->numbers + (uint32_t)amount;
    case ALLOWANCE_EDGES:
        return (uint32_t)own->edges_made + (uint32_t)amount <= own->edges;
    case ALLOWANCE_AGENTS:
        return (uint32_t)own->agents_made + (uint32_t)amount <= own->agents;
    case ALLOWANCE_UNITS:
        return (uint32_t)own->units_made + (uint32_t)amount <= own->units;
    }
    return (uint32_t)own->notifications_made + (uint32_t)amount <= own->notifications;
}

/* Can the partition take so much more, within what there is in all? */
bool partition_can_take(const struct kernel *s, partition_id_t p, allowance_t what, uint16_t amount)
{
    const struct partition *own = &s->partition[p];
    switch (what) {
    case ALLOWANCE_RECORDS:
        return (uint32_t)own->quota + (uint32_t)amount <= ROOT_QUOTA;
    case ALLOWANCE_PARTITIONS:
        return (uint32_t)own->numbers + (uint32_t)amount <= PARTITIONS &&
               (uint32_t)own->share + LEAST_SHARE * (uint32_t)amount <= SHARES;
    case ALLOWANCE_SHARES:
        return (uint32_t)own->share + (uint32_t)amount <= SHARES;
    case ALLOWANCE_AGENTS:
        return (uint32_t)own->agents + (uint32_t)amount <= AGENTS;
    case ALLOWANCE_UNITS:
        return (uint32_t)own->units + (uint32_t)amount <= UNITS;
    }
    return (uint32_t)(what == ALLOWANCE_EDGES ? own->edges : own->notifications) +
           (uint32_t)amount <= (what == ALLOWANCE_EDGES ? EDGES : NOTIFICATIONS);
}

/* Let a partition that the caller created use up more, out of the caller's own.

   It gets more records, partitions with the least share of the processor for each, edges, notifications, agents or
   units of large memory, or more of the processor. */
status_t partition_endow(struct kernel *s, const struct call *call, allowance_t what, uint16_t amount)
{
    partition_id_t p = capability_named_partition(s, call);
    struct partition *own = &s->partition[s->current];
    struct partition *endowed = &s->partition[p];
    if (endowed->parent != s->current || p == s->current) {
        return STATUS_INVALID_TARGET;
    }
    if (!partition_alive(s, p)) {
        return STATUS_WRONG_STATE;
    }
    if (!partition_has_left(s, s->current, what, amount) || !partition_can_take(s, p, what, amount)) {
        return STATUS_LIMIT_REACHED;
    }
    if (what == ALLOWANCE_RECORDS) {
        own->quota -= amount;
        endowed->quota += amount;
    } else if (what == ALLOWANCE_PARTITIONS) {
        own->numbers -= amount;
        own->share -= LEAST_SHARE * amount;
        endowed->numbers += amount;
        endowed->share += LEAST_SHARE * amount;
    } else if (what == ALLOWANCE_EDGES) {
        own->edges -= amount;
        endowed->edges += amount;
    } else if (what == ALLOWANCE_SHARES) {
        own->share -= amount;
        endowed->share += amount;
    } else if (what == ALLOWANCE_AGENTS) {
        own->agents -= amount;
        endowed->agents += amount;
    } else if (what == ALLOWANCE_UNITS) {
        own->units -= amount;
        endowed->units += amount;
    } else {
        own->notifications -= amount;
        endowed->notifications += amount;
    }
    return STATUS_OK;
}

/* Take a page of the region back from its owner, zeroed, with every reference to it. */
status_t partition_region_reclaim(struct kernel *s, const struct call *call, page_id_t page)
{
    if ((region_id_t)(page >> PAGE_PLACE_REGION_SHIFT) != s->capability[call->capability].object) {
        return STATUS_WRONG_OBJECT;
    }
    if (!memory_in_use(s, page)) {
        return STATUS_WRONG_STATE;
    }
    if (memory_is_root(s, page)) {
        partition_lose_root(s, s->page[page].owner);
    }
    device_unpin(s, page);
    memory_drop_references(s, page);
    memory_free_page(s, page);
    return STATUS_OK;
}
