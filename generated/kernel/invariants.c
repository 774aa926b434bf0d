/* Generated from spec/kernel/agent.py, spec/kernel/block.py, spec/kernel/capability.py, spec/kernel/clock.py,
   spec/kernel/device.py, spec/kernel/edge.py, spec/kernel/heat.py, spec/kernel/memory.py, spec/kernel/partition.py,
   spec/kernel/ring.py, spec/kernel/schedule.py, spec/kernel/unit.py, spec/kernel/witness.py
   with codegen/templates/invariants.c.j2: edit those, not this.
   Content: sha256 e8ac4b9bc6ee1fc0 */

/* What must hold in every reachable state? One function for each invariant, and a check of them all. */

#include "invariants.h"
#include "agent.h"
#include "block.h"
#include "capability.h"
#include "device.h"
#include "edge.h"
#include "hardware.h"
#include "heat.h"
#include "memory.h"
#include "partition.h"
#include "ring.h"
#include "schedule.h"
#include "unit.h"
#include "witness.h"

#define READ_ONLY 1

const char *const INVARIANT_ID[INVARIANTS + 1] = {
    "",
    "AGENT-1",
    "AGENT-2",
    "AGENT-3",
    "AGENT-4",
    "AGENT-5",
    "BLOCK-1",
    "BLOCK-2",
    "BLOCK-3",
    "BLOCK-4",
    "BLOCK-5",
    "BLOCK-6",
    "BLOCK-7",
    "BLOCK-8",
    "CAP-1",
    "CAP-2",
    "CAP-3",
    "CAP-4",
    "CAP-5",
    "CAP-6",
    "CAP-8",
    "CAP-9",
    "CAP-21",
    "CAP-22",
    "DEV-1",
    "DEV-2",
    "DEV-3",
    "DEV-4",
    "DEV-5",
    "DEV-6",
    "DEV-7",
    "DEV-8",
    "DEV-12",
    "DEV-13",
    "DEV-14",
    "EDGE-1",
    "EDGE-2",
    "EDGE-3",
    "HEAT-1",
    "MEM-1",
    "MEM-2",
    "MEM-3",
    "MEM-4",
    "MEM-5",
    "MEM-6",
    "MEM-7",
    "MEM-8",
    "MEM-9",
    "MEM-10",
    "MEM-11",
    "MEM-12",
    "MEM-13",
    "MEM-14",
    "MEM-15",
    "MEM-16",
    "MEM-17",
    "MEM-18",
    "MEM-19",
    "MEM-36",
    "PART-1",
    "PART-2",
    "PART-3",
    "PART-5",
    "PART-6",
    "PART-7",
    "PART-8",
    "RING-1",
    "RING-2",
    "RING-3",
    "RING-4",
    "RING-6",
    "RING-7",
    "RING-9",
    "TIME-1",
    "TURN-1",
    "TURN-2",
    "UNIT-1",
    "UNIT-2",
    "UNIT-3",
    "UNIT-4",
    "UNIT-5",
    "WIT-1",
    "WIT-2",
    "WIT-3",
    "WIT-4",
};

/* WIT-1: the log never holds more records than it has room for, and is never empty: a discard leaves its own. */
bool witness_log_is_bounded(const struct kernel *s)
{
    return s->sequence <= SEQUENCE_LIMIT && s->drained < s->sequence && s->sequence - s->drained <= RECORDS;
}

/* WIT-2: every record in the log stands at the place of its sequence number. */
bool witness_records_in_place(const struct kernel *s, record_id_t r)
{
    return r >= s->sequence || (witness_record_id(s->log[r].sequence) == r && s->log[r].sequence < s->sequence);
}

/* WIT-3: the kernel itself leaves no more records than its reserve holds. */
bool witness_reserve_is_kept(const struct kernel *s)
{
    return s->kernel_records <= KERNEL_RESERVE;
}

/* WIT-4: what has left the log was copied before, and what was copied was written. */
bool witness_copied_before_drained(const struct kernel *s)
{
    return s->drained <= s->copied && s->copied <= s->sequence;
}

/* UNIT-1: a block that is not there has no linked units. */
bool unit_no_block_links_nothing(const struct kernel *s, unit_id_t head)
{
    return s->block[head].used || s->block[head].linked == 0;
}

/* UNIT-2: what a block has linked are units of its own, which know it. */
bool unit_linked_units_are_own(const struct kernel *s, unit_id_t head, unit_id_t unit)
{
    return !unit_has_linked(s, head, unit) || (s->unit[unit].head == head && memory_lies_in(s, unit, head));
}

/* UNIT-3: a TLB may hold a unit only while it is linked, and then it is reckoned to. */
bool unit_unlinked_units_are_flushed(const struct kernel *s, unit_id_t unit)
{
    return s->unit[unit].cached == unit_is_linked(s, unit);
}

/* UNIT-4: a descriptor in a table of units is one that the kernel made: fixed attributes, a unit that is never
   executed. */
bool unit_is_well_formed(const struct kernel *s, page_id_t table, entry_id_t entry)
{
    uint64_t descriptor = s->memory[table].word[entry];
    access_t access = hardware_permitted(descriptor);
    return !(s->page[table].kind == PAGE_KIND_TABLE_UNITS && memory_valid(descriptor)) ||
           (unit_as_data(access) && descriptor == unit_descriptor(unit_of(descriptor), access));
}

/* UNIT-5: the unit of a descriptor knows its place, and belongs to a block of the table's owner. */
bool unit_is_known(const struct kernel *s, page_id_t table, entry_id_t entry)
{
    uint64_t descriptor = s->memory[table].word[entry];
    unit_id_t unit = unit_of(descriptor);
    const struct unit *place = &s->unit[unit];
    return !(s->page[table].kind == PAGE_KIND_TABLE_UNITS && memory_valid(descriptor)) ||
           (unit_is_linked(s, unit) && place->table == table && place->entry == entry &&
            s->block[place->head].holder == s->page[table].owner);
}

/* TURN-1: epochs are counted no further than a record can tell. */
bool schedule_epochs_are_bounded(const struct kernel *s)
{
    return s->epoch <= EPOCH_LIMIT;
}

/* TURN-2: the epoch has begun. */
bool schedule_epoch_has_begun(const struct kernel *s)
{
    return s->epoch_began <= s->time;
}

/* RING-1: no partition is in ring 0, by its score or by elevation. */
bool ring_0_is_empty(const struct kernel *s, partition_id_t p)
{
    const struct partition *partition = &s->partition[p];
    return (partition->state == PARTITION_STATE_VACANT || partition->ring != RING_ROOT) &&
           (!partition->elevation.active || partition->elevation.ring != RING_ROOT);
}

/* RING-2: the ring of a partition is the one that its score and consensus give. */
bool ring_follows_score(const struct kernel *s, partition_id_t p)
{
    return s->partition[p].state == PARTITION_STATE_VACANT || (s->partition[p].score <= PPM && ring_earned(s, p));
}

/* RING-3: a bucket never holds more than its burst. */
bool ring_bucket_is_bounded(const struct kernel *s, partition_id_t p)
{
    return s->partition[p].bucket.credit <= BURST;
}

/* RING-4: whoever was created has a creator that is there, nearer to the root partition, which is few steps away. */
bool ring_ancestry_counts(const struct kernel *s, partition_id_t p)
{
    const struct partition *parent = &s->partition[s->partition[p].parent];
    bool created = s->partition[p].state != PARTITION_STATE_VACANT && s->partition[p].ancestry != 0;
    bool there = parent->state != PARTITION_STATE_VACANT && parent->state != PARTITION_STATE_DESTROYED;
    return s->partition[p].ancestry <= ANCESTRY_LIMIT &&
           (!created || (there && s->partition[p].ancestry > parent->ancestry));
}

/* RING-9: an elevation rests on no capability that is still to come: what fills its slot next is another one. */
bool ring_attestation_in_the_past(const struct kernel *s, partition_id_t p)
{
    const struct elevation *held = &s->partition[p].elevation;
    capability_id_t c = capability_id(p, capability_handle_slot(held->attestation));
    return !(held->active && held->ring == RING_PRIVILEGED) ||
           (capability_handle_generation(held->attestation) <= s->capability[c].generation &&
            (!capability_free(s, c) || capability_handle_generation(held->attestation) < s->capability[c].generation));
}

/* RING-7: nobody holds more tools than the better of its own ring and its elevation allows, and none of a resource
   that both deny. */
bool ring_tools_are_bounded(const struct kernel *s, partition_id_t p)
{
    return ring_within_ring(s, p, ring_lasting_ring(s, p));
}

/* RING-6: no partition sends and receives more messages in an epoch than there are in one. */
bool ring_messages_are_bounded(const struct kernel *s, partition_id_t p)
{
    return s->partition[p].messages.used <= MESSAGES_PER_EPOCH;
}

/* PART-1: whoever runs may run. */
bool partition_current_runs(const struct kernel *s)
{
    return s->idle || partition_eligible(s, s->current);
}

/* PART-2: a vacant partition has no elevation, no failure, no tools, no stage-2 root, no share of the log and no
   allowance. */
bool partition_vacant_is_blank(const struct kernel *s, partition_id_t p)
{
    const struct partition *partition = &s->partition[p];
    return partition->state != PARTITION_STATE_VACANT ||
           (!partition->elevation.active && partition->failure == FAILURE_CLASS_NONE && partition_toolless(s, p) &&
            !partition->rooted && partition->quota == 0 && partition->records == 0 && partition->share == 0 &&
            partition->numbers == 0 && partition->edges == 0 && partition->notifications == 0 &&
            partition->agents == 0 && partition->units == 0);
}

/* PART-3: a destroyed partition has no tokens, no tools and no elevation. */
bool partition_destroyed_is_stripped(const struct kernel *s, partition_id_t p)
{
    const struct partition *partition = &s->partition[p];
    return partition->state != PARTITION_STATE_DESTROYED ||
           (partition->bucket.credit == 0 && partition_toolless(s, p) && !partition->elevation.active);
}

/* PART-5: the root partition is never destroyed, and has no creator. */
bool partition_root_endures(const struct kernel *s)
{
    const struct partition *root = &s->partition[ROOT];
    return root->ancestry == 0 && root->state != PARTITION_STATE_DESTROYED && root->state != PARTITION_STATE_VACANT;
}

/* PART-6: no partition may keep more records than the log shares out, nor owe more than the log holds. */
bool partition_quota_is_bounded(const struct kernel *s, partition_id_t p)
{
    return s->partition[p].quota <= ROOT_QUOTA && s->partition[p].records <= RECORDS;
}

/* PART-7: only the root partition has no creator. */
bool partition_others_have_creators(const struct kernel *s, partition_id_t p)
{
    return !(s->partition[p].state != PARTITION_STATE_VACANT && s->partition[p].ancestry == 0) || p == ROOT;
}

/* PART-8: nobody may make more than there is; whoever is there has its own number, and the least share of the
   processor for each of its numbers. */
bool partition_allowances_are_bounded(const struct kernel *s, partition_id_t p)
{
    const struct partition *own = &s->partition[p];
    return own->numbers <= PARTITIONS &&
           (LEAST_SHARE * (uint32_t)own->numbers <= own->share && own->share <= SHARES) &&
           (own->edges_made <= own->edges && own->edges <= EDGES) &&
           (own->notifications_made <= own->notifications && own->notifications <= NOTIFICATIONS) &&
           (own->agents_made <= own->agents && own->agents <= AGENTS) &&
           (own->units_made <= own->units && own->units <= UNITS) &&
           (own->state == PARTITION_STATE_VACANT || own->numbers != 0);
}

/* MEM-1: a leaf descriptor is one that the kernel made: fixed attributes, an address in the pool, its mapping's
   ordinal. */
bool memory_leaf_is_well_formed(const struct kernel *s, page_id_t table, entry_id_t entry)
{
    uint64_t descriptor = s->memory[table].word[entry];
    return !(s->page[table].kind == PAGE_KIND_TABLE_3 && memory_valid(descriptor)) ||
           descriptor == memory_leaf_descriptor(memory_refers_to(descriptor), hardware_permitted(descriptor));
}

/* MEM-2: the mapping of a leaf descriptor knows its place and belongs to the table's owner. */
bool memory_leaf_is_known(const struct kernel *s, page_id_t table, entry_id_t entry)
{
    uint64_t descriptor = s->memory[table].word[entry];
    return !(s->page[table].kind == PAGE_KIND_TABLE_3 && memory_valid(descriptor)) ||
           memory_back_reference(s, memory_refers_to(descriptor), table, entry);
}

/* MEM-3: a leaf leads to data of the table's owner, or read-only to a page shared with it; never writable and
   executable. */
bool memory_leaf_is_granted(const struct kernel *s, page_id_t table, entry_id_t entry)
{
    uint64_t descriptor = s->memory[table].word[entry];
    mapping_id_t m = memory_refers_to(descriptor);
    const struct page *page = &s->page[memory_mapped_page(m)];
    access_t access = hardware_permitted(descriptor);
    return !(s->page[table].kind == PAGE_KIND_TABLE_3 && memory_valid(descriptor)) ||
           (memory_is_mappable(page->kind) && memory_write_xor_execute(access) &&
            (page->kind != PAGE_KIND_APPEND || access == READ_ONLY) &&
            (memory_ordinal_of(m) == 0 ? page->owner == s->page[table].owner
             : s->mapping[m].used && access == READ_ONLY));
}

/* MEM-4: a table descriptor leads to a table of the next level and the same owner, which knows its place. */
bool memory_table_is_known(const struct kernel *s, page_id_t table, entry_id_t entry)
{
    uint64_t descriptor = s->memory[table].word[entry];
    page_id_t child = memory_mapped_page(memory_refers_to(descriptor));
    bool upper = s->page[table].kind == PAGE_KIND_TABLE_1 || s->page[table].kind == PAGE_KIND_TABLE_2;
    return !(upper && memory_valid(descriptor)) ||
           (descriptor == memory_table_descriptor(child) &&
            memory_is_below(s->page[table].kind, s->page[child].kind) &&
            s->page[child].owner == s->page[table].owner &&
            memory_back_reference(s, memory_mapping_id(child, 0), table, entry));
}

/* MEM-6: a page in use stands in its owner's list. */
bool memory_owner_lists_page(const struct kernel *s, page_id_t page)
{
    partition_id_t owner = s->page[page].owner;
    return !memory_in_use(s, page) ||
           (s->page[page].ordinal < s->partition[owner].pages &&
            s->owned[memory_owned_id(owner, s->page[page].ordinal)] == page);
}

/* MEM-7: an owner's list holds only pages of its own, each in its place. */
bool memory_list_holds_own_pages(const struct kernel *s, owned_id_t o)
{
    partition_id_t p = (partition_id_t)(o >> OWNED_PLACE_PARTITION_SHIFT);
    page_position_t position = o & (PAGE_POSITION_BOUND - 1);
    page_id_t page = s->owned[o];
    return position >= s->partition[p].pages ||
           (memory_in_use(s, page) && s->page[page].owner == p && s->page[page].ordinal == position);
}

/* MEM-8: no partition owns more pages than its limit, and a vacant one owns none. */
bool memory_pages_are_limited(const struct kernel *s, partition_id_t p)
{
    return s->partition[p].pages <= PAGES_PER_PARTITION &&
           (s->partition[p].state != PARTITION_STATE_VACANT || s->partition[p].pages == 0);
}

/* MEM-9: the stage-2 root of a partition is a level-1 table of its own. */
bool memory_root_is_own(const struct kernel *s, partition_id_t p)
{
    const struct page *root = &s->page[s->partition[p].root];
    return !s->partition[p].rooted || (root->kind == PAGE_KIND_TABLE_1 && root->owner == p);
}

/* MEM-10: a free page is referred to by nothing. */
bool memory_free_is_unlinked(const struct kernel *s, mapping_id_t m)
{
    return s->page[memory_mapped_page(m)].kind != PAGE_KIND_FREE || (!s->mapping[m].linked && !s->mapping[m].used);
}

/* MEM-11: a TLB may hold a translation only while its mapping is linked, and then it is reckoned to. */
bool memory_unlinked_is_flushed(const struct kernel *s, mapping_id_t m)
{
    return s->mapping[m].linked == s->mapping[m].cached;
}

/* MEM-12: only data is shared, and the owner's mapping is not a share. */
bool memory_shares_are_data(const struct kernel *s, mapping_id_t m)
{
    return !s->mapping[m].used ||
           (memory_ordinal_of(m) != 0 && memory_is_mappable(s->page[memory_mapped_page(m)].kind));
}

/* MEM-13: a reader's mapping is linked only while its share exists, into the reader's own table. */
bool memory_linked_shares_are_used(const struct kernel *s, mapping_id_t m)
{
    return !(s->mapping[m].linked && memory_ordinal_of(m) != 0) || s->mapping[m].used;
}

/* MEM-14: every partition that has run has a stage-2 root. */
bool memory_running_is_rooted(const struct kernel *s, partition_id_t p)
{
    return !(s->partition[p].state == PARTITION_STATE_RUNNING || s->partition[p].state == PARTITION_STATE_SUSPENDED) ||
           s->partition[p].rooted;
}

/* MEM-15: a share names no incarnation of its reader that is still to come, so it ends with the reader. */
bool memory_share_is_of_the_past(const struct kernel *s, mapping_id_t m)
{
    const struct mapping *share = &s->mapping[m];
    return !share->used || share->incarnation <= s->partition[share->partition].generation;
}

/* MEM-16: what a TLB may hold leads only to a page of the partition that it was walked for, or shared with it. */
bool memory_cached_is_granted(const struct kernel *s, mapping_id_t m)
{
    const struct mapping *mapping = &s->mapping[m];
    const struct page *page = &s->page[memory_mapped_page(m)];
    bool own = memory_in_use(s, memory_mapped_page(m)) && page->owner == mapping->partition;
    return !mapping->cached || (memory_ordinal_of(m) == 0 ? own : mapping->used);
}

/* MEM-17: a TLB may hold what was walked for a partition that has started, and nothing of one yet to start. */
bool memory_unstarted_is_not_walked(const struct kernel *s, partition_id_t p)
{
    partition_state_t state = s->partition[p].state;
    bool half = state == PARTITION_STATE_SPLITTING || state == PARTITION_STATE_MERGING;
    bool started = state == PARTITION_STATE_RUNNING || state == PARTITION_STATE_SUSPENDED ||
                   (half && s->partition[p].rooted);
    bool unstarted = state == PARTITION_STATE_CREATED || state == PARTITION_STATE_VACANT;
    return (!started || s->partition[p].walked) && (!unstarted || !s->partition[p].walked);
}

/* MEM-18: as long as a partition lives, a TLB may hold only what was walked from the root that it has. */
bool memory_walked_is_rooted(const struct kernel *s, partition_id_t p)
{
    return !(s->partition[p].walked && s->partition[p].state != PARTITION_STATE_DESTROYED) || s->partition[p].rooted;
}

/* MEM-19: instruction fetches see what a page holds while it can be executed, and nobody can write it then. */
bool memory_executable_is_fetched(const struct kernel *s, page_id_t table, entry_id_t entry)
{
    uint64_t descriptor = s->memory[table].word[entry];
    access_t access = hardware_permitted(descriptor);
    bool fetched = s->page[memory_mapped_page(memory_refers_to(descriptor))].fetched;
    return !(s->page[table].kind == PAGE_KIND_TABLE_3 && memory_valid(descriptor)) ||
           (((access & ACCESS_EXECUTE) == 0 || fetched) && ((access & ACCESS_WRITE) == 0 || !fetched));
}

/* MEM-36: only data is made ready for instruction fetches. */
bool memory_fetched_is_data(const struct kernel *s, page_id_t page)
{
    return !s->page[page].fetched || s->page[page].kind == PAGE_KIND_DATA;
}

/* HEAT-1: no unit of a dormant or cold block is linked. */
bool heat_linked_is_at_hand(const struct kernel *s, unit_id_t head)
{
    return s->block[head].linked == 0 || heat_at_hand(s->block[head].heat);
}

/* EDGE-1: an edge or notification has one capability that derives from no other, and knows it. */
bool edge_origin_is_known(const struct kernel *s, capability_id_t c)
{
    const struct capability *made = &s->capability[c];
    const struct edge *edge = &s->edge[(edge_id_t)made->object];
    const struct notification *notification = &s->notification[(notification_id_t)made->object];
    return (!(made->kind == OBJECT_KIND_EDGE && capability_rooted(s, c)) ||
            (made->object < EDGES && edge->origin == c)) &&
           (!(made->kind == OBJECT_KIND_NOTIFICATION && capability_rooted(s, c)) ||
            (made->object < NOTIFICATIONS && notification->origin == c));
}

/* EDGE-2: an edge never holds more messages than it has room for. */
bool edge_is_bounded(const struct kernel *s, edge_id_t e)
{
    return s->edge[e].waiting <= MESSAGES_PER_EDGE;
}

/* EDGE-3: a message that waits stands at the place of its number, has the schema of its edge, and fits. */
bool edge_message_in_place(const struct kernel *s, message_id_t m)
{
    const struct edge *edge = &s->edge[edge_of(m)];
    const struct message *message = &s->message[m];
    return !edge_waits(s, m) ||
           (message->sequence == edge_oldest(s, edge_of(m)) + edge_behind(s, m) && message->schema == edge->schema &&
            message->length <= PAYLOAD_WORDS);
}

/* DEV-1: a device without a request in flight sees no memory, and one with a request is leased. */
bool device_idle_is_blank(const struct kernel *s, device_id_t d)
{
    return s->device[d].busy ? s->device[d].leased : device_blank(s, d);
}

/* DEV-2: the page of a request is data of the holder of the lease, in this incarnation, and pinned. */
bool device_request_is_pinned(const struct kernel *s, device_id_t d)
{
    const struct device *device = &s->device[d];
    const struct page *page = &s->page[device->page];
    const struct pin *pin = &s->pin[device->page];
    return !device->busy ||
           (pin->held && pin->device == d && page->kind == PAGE_KIND_DATA && page->owner == device->holder &&
            s->partition[device->holder].generation == device->incarnation);
}

/* DEV-3: a page is pinned only for a request in flight. */
bool device_pinned_is_requested(const struct kernel *s, page_id_t page)
{
    const struct device *device = &s->device[s->pin[page].device];
    return !s->pin[page].held || (device->busy && device->page == page);
}

/* DEV-4: a block device with a request sees its header to read, its status to write, and bytes of its page. */
bool device_descriptors_are_exact(const struct kernel *s, device_id_t d)
{
    const struct device *device = &s->device[d];
    const struct queue *queue = &s->queue[d];
    bool header = queue->header.address == device_header_address(d) && queue->header.length == HEADER_BYTES &&
                  queue->header.flags == DESCRIPTOR_FLAGS_NEXT && queue->header.next == 1;
    descriptor_flags_t direction = device->incoming ? DESCRIPTOR_FLAGS_WRITE : 0;
    bool data = device_shows_page(s, d) && queue->data.flags == (DESCRIPTOR_FLAGS_NEXT | direction) &&
                queue->data.next == 2;
    bool status = queue->status.address == device_status_address(d) && queue->status.length == 1 &&
                  queue->status.flags == DESCRIPTOR_FLAGS_WRITE && queue->status.next == 0;
    return !(device->busy && device->kind == DEVICE_KIND_BLOCK) || (header && data && status);
}

/* DEV-14: a stream with a request sees bytes of its page, the way it goes, and nothing else. */
bool device_stream_shows_page_alone(const struct kernel *s, device_id_t d)
{
    const struct device *device = &s->device[d];
    const struct queue *queue = &s->queue[d];
    descriptor_flags_t direction = device->incoming ? DESCRIPTOR_FLAGS_WRITE : 0;
    bool alone = queue->header.length == 0 && queue->status.length == 0;
    bool data = device_shows_page(s, d) && queue->data.flags == direction && queue->data.next == 0;
    bool way = device->incoming == (device->kind == DEVICE_KIND_RECEIVER);
    return !(device->busy && device->kind != DEVICE_KIND_BLOCK) || (alone && data && way);
}

/* DEV-5: the page of a request stays mapped for its owner, and is not executed if the device writes it. */
bool device_written_is_not_executed(const struct kernel *s, device_id_t d)
{
    const struct device *device = &s->device[d];
    bool mapped = s->mapping[memory_mapping_id(device->page, 0)].linked;
    return !device->busy || (mapped && (!device->incoming || !s->page[device->page].fetched));
}

/* DEV-6: the fourth descriptor names nothing, and each request begins where its device begins to read. */
bool device_spare_is_blank(const struct kernel *s, device_id_t d)
{
    const struct queue *queue = &s->queue[d];
    uint16_t first = device_first_descriptor(s->device[d].kind);
    return queue->spare.length == 0 && queue->ring[0] == first && queue->ring[1] == first && queue->ring[2] == first &&
           queue->ring[3] == first;
}

/* DEV-7: no lease has more bytes left than may be moved on one. */
bool device_budget_is_bounded(const struct kernel *s, device_id_t d)
{
    return s->device[d].budget <= BUDGET_LIMIT;
}

/* DEV-8: a lease names no incarnation of its holder that is still to come, so it ends with its holder. */
bool device_lease_is_of_the_past(const struct kernel *s, device_id_t d)
{
    const struct device *device = &s->device[d];
    return !device->leased || device->incarnation <= s->partition[device->holder].generation;
}

/* DEV-12: only a device that is there is leased. */
bool device_leased_is_there(const struct kernel *s, device_id_t d)
{
    return !s->device[d].leased || s->device[d].kind != DEVICE_KIND_ABSENT;
}

/* DEV-13: a device that may still use memory has a request in flight: it is done or reset before that is over. */
bool device_active_is_busy(const struct kernel *s, device_id_t d)
{
    return !s->device[d].active || s->device[d].busy;
}

/* TIME-1: no record is later than the last time that was used. */
bool clock_records_are_past(const struct kernel *s, record_id_t r)
{
    return s->log[r].time <= s->time;
}

/* CAP-1: a free slot has no rights. */
bool capability_free_is_powerless(const struct kernel *s, capability_id_t c)
{
    return !capability_free(s, c) || s->capability[c].rights == 0;
}

/* CAP-2: rights never widen along a derivation. */
bool capability_attenuated(const struct kernel *s, capability_id_t c)
{
    return !(!capability_free(s, c) && capability_linked(s, c)) ||
           (s->capability[c].rights & ~s->capability[s->capability[c].parent].rights) == 0;
}

/* CAP-3: a derived capability names the object of its parent. */
bool capability_same_object(const struct kernel *s, capability_id_t c)
{
    const struct capability *parent = &s->capability[s->capability[c].parent];
    return !(!capability_free(s, c) && capability_linked(s, c)) ||
           (s->capability[c].kind == parent->kind && s->capability[c].object == parent->object &&
            s->capability[c].incarnation == parent->incarnation);
}

/* CAP-4: depth counts the derivations and never exceeds the limit. */
bool capability_depth_counts(const struct kernel *s, capability_id_t c)
{
    return capability_free(s, c) ||
           (s->capability[c].depth <= DEPTH_LIMIT &&
            (!capability_linked(s, c) ||
             s->capability[c].depth == (uint32_t)s->capability[s->capability[c].parent].depth + 1));
}

/* CAP-5: a capability knows no lineage of its parent that is still to come, so the next holder of a slot has no
   children. */
bool capability_lineage_in_the_past(const struct kernel *s, capability_id_t c)
{
    capability_id_t parent = s->capability[c].parent;
    return !(!capability_free(s, c) && !capability_rooted(s, c)) ||
           (s->capability[c].parent_lineage <= s->capability[parent].lineage &&
            (!capability_free(s, parent) || s->capability[c].parent_lineage < s->capability[parent].lineage));
}

/* CAP-6: only partitions that are created, and not destroyed, have capabilities. */
bool capability_only_the_living_hold(const struct kernel *s, capability_id_t c)
{
    partition_state_t state = s->partition[capability_holder(c)].state;
    return !(state == PARTITION_STATE_VACANT || state == PARTITION_STATE_DESTROYED) || capability_free(s, c);
}

/* CAP-8: no counter in use is at its end: every capability can still be revoked and deleted. */
bool capability_counters_have_room(const struct kernel *s, capability_id_t c)
{
    return capability_free(s, c) ||
           (s->capability[c].generation < COUNTER_LIMIT &&
            (capability_rooted(s, c) || s->capability[c].parent_lineage < COUNTER_LIMIT));
}

/* CAP-9: what comes from a capability without GRANT can be passed on by nobody. */
bool capability_grant_once_ends(const struct kernel *s, capability_id_t c)
{
    const struct capability *parent = &s->capability[s->capability[c].parent];
    return !(!capability_free(s, c) && capability_linked(s, c) && (RIGHT_GRANT & ~parent->rights) != 0) ||
           (s->capability[c].rights & (RIGHT_GRANT | RIGHT_GRANT_ONCE)) == 0;
}

/* CAP-21: a capability names no incarnation of a partition that is still to come, so it ends with the partition. */
bool capability_incarnation_in_the_past(const struct kernel *s, capability_id_t c)
{
    const struct capability *named = &s->capability[c];
    return !(!capability_free(s, c) && named->kind == OBJECT_KIND_PARTITION && named->object < PARTITIONS) ||
           named->incarnation <= s->partition[named->object & (PARTITION_ID_BOUND - 1)].generation;
}

/* CAP-22: what comes from a derived capability has its badge, or none if it has none, so nobody speaks under a badge
   of its own choice. */
bool capability_badge_is_kept(const struct kernel *s, capability_id_t c)
{
    const struct capability *parent = &s->capability[s->capability[c].parent];
    return !(!capability_free(s, c) && capability_linked(s, c) && parent->depth != 0) ||
           s->capability[c].badge == parent->badge;
}

/* BLOCK-1: a block begins at a multiple of its size, so it lies in its bank. */
bool block_is_aligned(const struct kernel *s, unit_id_t unit)
{
    const struct block *block = &s->block[unit];
    return !block->used || block_begins(unit, block->order);
}

/* BLOCK-2: the units of a block are taken. */
bool block_is_taken(const struct kernel *s, unit_id_t unit)
{
    const struct block *block = &s->block[unit];
    return !block->used ||
           block_taken_from(block_span(unit, block->order),
                            s->bank[(bank_id_t)(unit >> UNIT_PLACE_BANK_SHIFT)].taken) == 0;
}

/* BLOCK-3: no two blocks overlap. */
bool blocks_lie_apart(const struct kernel *s, unit_id_t unit, unit_id_t other)
{
    const struct block *one = &s->block[unit];
    const struct block *two = &s->block[other];
    bool apart = (block_span(unit, one->order) & block_span(other, two->order)) == 0;
    return !one->used ||
           (!two->used || unit == other ||
            (bank_id_t)(unit >> UNIT_PLACE_BANK_SHIFT) != (bank_id_t)(other >> UNIT_PLACE_BANK_SHIFT) || apart);
}

/* BLOCK-4: the list of a partition has the first unit of each of its blocks, and no other. */
bool block_heads_are_listed(const struct kernel *s, partition_id_t p, unit_id_t unit)
{
    bool listed = (s->heads[block_heads_id(p, (bank_id_t)(unit >> UNIT_PLACE_BANK_SHIFT))] & block_bit(unit)) != 0;
    return listed == block_holds(s, p, unit);
}

/* BLOCK-5: no unit is both clean and taken: nobody can write to what will be handed out as zero. */
bool block_clean_is_free(const struct kernel *s)
{
    const struct bank *low = &s->bank[0];
    const struct bank *high = &s->bank[1];
    return (low->clean & low->taken) == 0 && (high->clean & high->taken) == 0;
}

/* BLOCK-6: no unit is lost: what is taken is in a block, and what is not is clean or can be cleaned. */
bool block_units_are_kept(const struct kernel *s, unit_id_t unit)
{
    return (s->bank[(bank_id_t)(unit >> UNIT_PLACE_BANK_SHIFT)].taken & block_bit(unit)) == 0 || block_covered(s, unit);
}

/* BLOCK-7: what is being cleared is dirty, and not all of it is zero. */
bool block_cleaning_is_dirty(const struct kernel *s)
{
    unit_id_t unit = s->cleaning;
    return s->cleaned < UNIT_PARTS &&
           (s->cleaned == 0 || (block_dirty(s, (bank_id_t)(unit >> UNIT_PLACE_BANK_SHIFT)) & block_bit(unit)) != 0);
}

/* BLOCK-8: a vacant partition has no blocks. */
bool block_vacant_holds_nothing(const struct kernel *s, partition_id_t p)
{
    return s->partition[p].state != PARTITION_STATE_VACANT || !block_holds_blocks(s, p);
}

/* AGENT-1: whoever lives has a badge, is not deeper than agents may be, and no module is too long. */
bool agent_is_bounded(const struct kernel *s, agent_id_t a)
{
    const struct agent *agent = &s->agent[a];
    return (agent->life == LIFE_TERMINATED || agent->generation != 0) && agent->depth <= ANCESTRY_LIMIT &&
           agent->lines <= MODULE_LINES;
}

/* AGENT-2: no agent names an incarnation of its partition that is still to come, so it ends with that. */
bool agent_host_is_past(const struct kernel *s, agent_id_t a)
{
    const struct agent *agent = &s->agent[a];
    const struct partition *host = &s->partition[agent->partition];
    return agent->life == LIFE_TERMINATED ||
           (agent->incarnation <= host->generation &&
            (host->state != PARTITION_STATE_VACANT || agent->incarnation < host->generation));
}

/* AGENT-3: no agent names a parent, or a child, that is still to come. */
bool agent_family_is_past(const struct kernel *s, agent_id_t a)
{
    bool past = agent_is_past(s, s->agent[a].parent);
    for (uint32_t i = 0; i < CHILDREN; i++) {
        past = past && agent_is_past(s, s->agent[a].child[i]);
    }
    return past;
}

/* AGENT-4: a living child that a living agent names has that agent as its parent, in that place. */
bool agent_children_know_their_parent(const struct kernel *s, agent_id_t a)
{
    bool known = true;
    for (uint32_t i = 0; i < CHILDREN; i++) {
        agent_badge_t named = s->agent[a].child[i];
        const struct agent *child = &s->agent[agent_row_of(named)];
        known = known &&
                (!agent_names_living(s, named) || (child->parent == agent_badge_of(s, a) && child->place == i));
    }
    return !agent_lives(s, a) || known;
}

/* AGENT-5: a living parent names each of its living children, in a place of its own, and is less deep. */
bool agent_parents_know_their_children(const struct kernel *s, agent_id_t a)
{
    const struct agent *agent = &s->agent[a];
    const struct agent *parent = &s->agent[agent_row_of(agent->parent)];
    return !(agent_lives(s, a) && agent_names_living(s, agent->parent)) ||
           (parent->child[agent->place] == agent_badge_of(s, a) && agent->depth == (uint32_t)parent->depth + 1);
}

/* Note a violation. */
static bool violated(struct violation *found, uint32_t number, uint32_t first, uint32_t second)
{
    found->number = number;
    found->index[0] = first;
    found->index[1] = second;
    return false;
}

/* AGENT-1, AGENT-2, AGENT-3, AGENT-4, AGENT-5, for every agent. */
static bool check_agents(const struct kernel *s, struct violation *found)
{
    for (uint32_t a = 0; a < 256; a++) {
        if (!agent_is_bounded(s, a)) {
            return violated(found, 1, a, 0);
        }
        if (!agent_host_is_past(s, a)) {
            return violated(found, 2, a, 0);
        }
        if (!agent_family_is_past(s, a)) {
            return violated(found, 3, a, 0);
        }
        if (!agent_children_know_their_parent(s, a)) {
            return violated(found, 4, a, 0);
        }
        if (!agent_parents_know_their_children(s, a)) {
            return violated(found, 5, a, 0);
        }
    }
    return true;
}

/* BLOCK-1, BLOCK-2, BLOCK-6, HEAT-1, UNIT-1, UNIT-3, for every unit. */
static bool check_units(const struct kernel *s, struct violation *found)
{
    for (uint32_t unit = 0; unit < 128; unit++) {
        if (!block_is_aligned(s, unit)) {
            return violated(found, 6, unit, 0);
        }
        if (!block_is_taken(s, unit)) {
            return violated(found, 7, unit, 0);
        }
        if (!block_units_are_kept(s, unit)) {
            return violated(found, 11, unit, 0);
        }
        if (!heat_linked_is_at_hand(s, unit)) {
            return violated(found, 38, unit, 0);
        }
        if (!unit_no_block_links_nothing(s, unit)) {
            return violated(found, 76, unit, 0);
        }
        if (!unit_unlinked_units_are_flushed(s, unit)) {
            return violated(found, 78, unit, 0);
        }
    }
    return true;
}

/* BLOCK-4, for every partition and every unit. */
static bool check_partitions_and_units(const struct kernel *s, struct violation *found)
{
    for (uint32_t p = 0; p < 64; p++) {
        for (uint32_t unit = 0; unit < 128; unit++) {
            if (!block_heads_are_listed(s, p, unit)) {
                return violated(found, 9, p, unit);
            }
        }
    }
    return true;
}

/* BLOCK-5, BLOCK-7, PART-1, PART-5, TURN-1, TURN-2, WIT-1, WIT-3, WIT-4, for the state as a whole. */
static bool check_whole(const struct kernel *s, struct violation *found)
{
    if (!block_clean_is_free(s)) {
        return violated(found, 10, 0, 0);
    }
    if (!block_cleaning_is_dirty(s)) {
        return violated(found, 12, 0, 0);
    }
    if (!partition_current_runs(s)) {
        return violated(found, 59, 0, 0);
    }
    if (!partition_root_endures(s)) {
        return violated(found, 62, 0, 0);
    }
    if (!schedule_epochs_are_bounded(s)) {
        return violated(found, 74, 0, 0);
    }
    if (!schedule_epoch_has_begun(s)) {
        return violated(found, 75, 0, 0);
    }
    if (!witness_log_is_bounded(s)) {
        return violated(found, 81, 0, 0);
    }
    if (!witness_reserve_is_kept(s)) {
        return violated(found, 83, 0, 0);
    }
    if (!witness_copied_before_drained(s)) {
        return violated(found, 84, 0, 0);
    }
    return true;
}

/* BLOCK-8, MEM-8, MEM-9, MEM-14, MEM-17, MEM-18, PART-2, PART-3, PART-6, PART-7, PART-8, RING-1, RING-2, RING-3,
   RING-4, RING-6, RING-7, RING-9, for every partition. */
static bool check_partitions(const struct kernel *s, struct violation *found)
{
    for (uint32_t p = 0; p < 64; p++) {
        if (!block_vacant_holds_nothing(s, p)) {
            return violated(found, 13, p, 0);
        }
        if (!memory_pages_are_limited(s, p)) {
            return violated(found, 46, p, 0);
        }
        if (!memory_root_is_own(s, p)) {
            return violated(found, 47, p, 0);
        }
        if (!memory_running_is_rooted(s, p)) {
            return violated(found, 52, p, 0);
        }
        if (!memory_unstarted_is_not_walked(s, p)) {
            return violated(found, 55, p, 0);
        }
        if (!memory_walked_is_rooted(s, p)) {
            return violated(found, 56, p, 0);
        }
        if (!partition_vacant_is_blank(s, p)) {
            return violated(found, 60, p, 0);
        }
        if (!partition_destroyed_is_stripped(s, p)) {
            return violated(found, 61, p, 0);
        }
        if (!partition_quota_is_bounded(s, p)) {
            return violated(found, 63, p, 0);
        }
        if (!partition_others_have_creators(s, p)) {
            return violated(found, 64, p, 0);
        }
        if (!partition_allowances_are_bounded(s, p)) {
            return violated(found, 65, p, 0);
        }
        if (!ring_0_is_empty(s, p)) {
            return violated(found, 66, p, 0);
        }
        if (!ring_follows_score(s, p)) {
            return violated(found, 67, p, 0);
        }
        if (!ring_bucket_is_bounded(s, p)) {
            return violated(found, 68, p, 0);
        }
        if (!ring_ancestry_counts(s, p)) {
            return violated(found, 69, p, 0);
        }
        if (!ring_messages_are_bounded(s, p)) {
            return violated(found, 70, p, 0);
        }
        if (!ring_tools_are_bounded(s, p)) {
            return violated(found, 71, p, 0);
        }
        if (!ring_attestation_in_the_past(s, p)) {
            return violated(found, 72, p, 0);
        }
    }
    return true;
}

/* CAP-1, CAP-2, CAP-3, CAP-4, CAP-5, CAP-6, CAP-8, CAP-9, CAP-21, CAP-22, EDGE-1, for every capability. */
static bool check_capabilities(const struct kernel *s, struct violation *found)
{
    for (uint32_t c = 0; c < 4096; c++) {
        if (!capability_free_is_powerless(s, c)) {
            return violated(found, 14, c, 0);
        }
        if (!capability_attenuated(s, c)) {
            return violated(found, 15, c, 0);
        }
        if (!capability_same_object(s, c)) {
            return violated(found, 16, c, 0);
        }
        if (!capability_depth_counts(s, c)) {
            return violated(found, 17, c, 0);
        }
        if (!capability_lineage_in_the_past(s, c)) {
            return violated(found, 18, c, 0);
        }
        if (!capability_only_the_living_hold(s, c)) {
            return violated(found, 19, c, 0);
        }
        if (!capability_counters_have_room(s, c)) {
            return violated(found, 20, c, 0);
        }
        if (!capability_grant_once_ends(s, c)) {
            return violated(found, 21, c, 0);
        }
        if (!capability_incarnation_in_the_past(s, c)) {
            return violated(found, 22, c, 0);
        }
        if (!capability_badge_is_kept(s, c)) {
            return violated(found, 23, c, 0);
        }
        if (!edge_origin_is_known(s, c)) {
            return violated(found, 35, c, 0);
        }
    }
    return true;
}

/* DEV-1, DEV-2, DEV-4, DEV-5, DEV-6, DEV-7, DEV-8, DEV-12, DEV-13, DEV-14, for every device. */
static bool check_devices(const struct kernel *s, struct violation *found)
{
    for (uint32_t d = 0; d < 32; d++) {
        if (!device_idle_is_blank(s, d)) {
            return violated(found, 24, d, 0);
        }
        if (!device_request_is_pinned(s, d)) {
            return violated(found, 25, d, 0);
        }
        if (!device_descriptors_are_exact(s, d)) {
            return violated(found, 27, d, 0);
        }
        if (!device_written_is_not_executed(s, d)) {
            return violated(found, 28, d, 0);
        }
        if (!device_spare_is_blank(s, d)) {
            return violated(found, 29, d, 0);
        }
        if (!device_budget_is_bounded(s, d)) {
            return violated(found, 30, d, 0);
        }
        if (!device_lease_is_of_the_past(s, d)) {
            return violated(found, 31, d, 0);
        }
        if (!device_leased_is_there(s, d)) {
            return violated(found, 32, d, 0);
        }
        if (!device_active_is_busy(s, d)) {
            return violated(found, 33, d, 0);
        }
        if (!device_stream_shows_page_alone(s, d)) {
            return violated(found, 34, d, 0);
        }
    }
    return true;
}

/* DEV-3, MEM-6, MEM-36, for every page. */
static bool check_pages(const struct kernel *s, struct violation *found)
{
    for (uint32_t page = 0; page < 1024; page++) {
        if (!device_pinned_is_requested(s, page)) {
            return violated(found, 26, page, 0);
        }
        if (!memory_owner_lists_page(s, page)) {
            return violated(found, 44, page, 0);
        }
        if (!memory_fetched_is_data(s, page)) {
            return violated(found, 58, page, 0);
        }
    }
    return true;
}

/* EDGE-2, for every edge. */
static bool check_edges(const struct kernel *s, struct violation *found)
{
    for (uint32_t e = 0; e < 256; e++) {
        if (!edge_is_bounded(s, e)) {
            return violated(found, 36, e, 0);
        }
    }
    return true;
}

/* EDGE-3, for every message. */
static bool check_messages(const struct kernel *s, struct violation *found)
{
    for (uint32_t m = 0; m < 2048; m++) {
        if (!edge_message_in_place(s, m)) {
            return violated(found, 37, m, 0);
        }
    }
    return true;
}

/* MEM-7, for every owned. */
static bool check_owned(const struct kernel *s, struct violation *found)
{
    for (uint32_t o = 0; o < 8192; o++) {
        if (!memory_list_holds_own_pages(s, o)) {
            return violated(found, 45, o, 0);
        }
    }
    return true;
}

/* MEM-10, MEM-11, MEM-12, MEM-13, MEM-15, MEM-16, for every mapping. */
static bool check_mappings(const struct kernel *s, struct violation *found)
{
    for (uint32_t m = 0; m < 4096; m++) {
        if (!memory_free_is_unlinked(s, m)) {
            return violated(found, 48, m, 0);
        }
        if (!memory_unlinked_is_flushed(s, m)) {
            return violated(found, 49, m, 0);
        }
        if (!memory_shares_are_data(s, m)) {
            return violated(found, 50, m, 0);
        }
        if (!memory_linked_shares_are_used(s, m)) {
            return violated(found, 51, m, 0);
        }
        if (!memory_share_is_of_the_past(s, m)) {
            return violated(found, 53, m, 0);
        }
        if (!memory_cached_is_granted(s, m)) {
            return violated(found, 54, m, 0);
        }
    }
    return true;
}

/* TIME-1, WIT-2, for every record. */
static bool check_records(const struct kernel *s, struct violation *found)
{
    for (uint32_t r = 0; r < 4096; r++) {
        if (!clock_records_are_past(s, r)) {
            return violated(found, 73, r, 0);
        }
        if (!witness_records_in_place(s, r)) {
            return violated(found, 82, r, 0);
        }
    }
    return true;
}

/* UNIT-2, for every unit and every unit. */
static bool check_units_and_units_2(const struct kernel *s, struct violation *found)
{
    for (uint32_t head = 0; head < 128; head++) {
        for (uint32_t unit = 0; unit < 128; unit++) {
            if (!unit_linked_units_are_own(s, head, unit)) {
                return violated(found, 77, head, unit);
            }
        }
    }
    return true;
}

/* BLOCK-3, for every unit of one unit, if it is one that they are about. */
static bool check_units_of_unit_1(const struct kernel *s, struct violation *found, unit_id_t unit)
{
    if (!s->block[unit].used) {
        return true;
    }
    for (uint32_t other = 0; other < 128; other++) {
        if (!blocks_lie_apart(s, unit, other)) {
            return violated(found, 8, unit, other);
        }
    }
    return true;
}

/* BLOCK-3, for every unit. */
static bool check_units_and_units_1(const struct kernel *s, struct violation *found)
{
    for (uint32_t unit = 0; unit < 128; unit++) {
        if (!check_units_of_unit_1(s, found, unit)) {
            return false;
        }
    }
    return true;
}

/* MEM-1, MEM-2, MEM-3, MEM-19, for every entry of one page, if it is one that they are about. */
static bool check_entries_of_page_1(const struct kernel *s, struct violation *found, page_id_t table)
{
    if (s->page[table].kind != PAGE_KIND_TABLE_3) {
        return true;
    }
    for (uint32_t entry = 0; entry < 512; entry++) {
        if (!memory_leaf_is_well_formed(s, table, entry)) {
            return violated(found, 39, table, entry);
        }
        if (!memory_leaf_is_known(s, table, entry)) {
            return violated(found, 40, table, entry);
        }
        if (!memory_leaf_is_granted(s, table, entry)) {
            return violated(found, 41, table, entry);
        }
        if (!memory_executable_is_fetched(s, table, entry)) {
            return violated(found, 57, table, entry);
        }
    }
    return true;
}

/* MEM-1, MEM-2, MEM-3, MEM-19, for every page. */
static bool check_pages_and_entries_1(const struct kernel *s, struct violation *found)
{
    for (uint32_t table = 0; table < 1024; table++) {
        if (!check_entries_of_page_1(s, found, table)) {
            return false;
        }
    }
    return true;
}

/* MEM-4, for every entry of one page, if it is one that they are about. */
static bool check_entries_of_page_2(const struct kernel *s, struct violation *found, page_id_t table)
{
    if (!(s->page[table].kind == PAGE_KIND_TABLE_1 || s->page[table].kind == PAGE_KIND_TABLE_2)) {
        return true;
    }
    for (uint32_t entry = 0; entry < 512; entry++) {
        if (!memory_table_is_known(s, table, entry)) {
            return violated(found, 42, table, entry);
        }
    }
    return true;
}

/* MEM-4, for every page. */
static bool check_pages_and_entries_2(const struct kernel *s, struct violation *found)
{
    for (uint32_t table = 0; table < 1024; table++) {
        if (!check_entries_of_page_2(s, found, table)) {
            return false;
        }
    }
    return true;
}

/* MEM-5, for every entry of one page, if it is one that they are about. */
static bool check_entries_of_page_3(const struct kernel *s, struct violation *found, page_id_t page)
{
    if (s->page[page].kind != PAGE_KIND_FREE) {
        return true;
    }
    for (uint32_t entry = 0; entry < 512; entry++) {
        if (s->memory[page].word[entry] != 0) {
            return violated(found, 43, page, entry);
        }
    }
    return true;
}

/* MEM-5, for every page. */
static bool check_pages_and_entries_3(const struct kernel *s, struct violation *found)
{
    for (uint32_t page = 0; page < 1024; page++) {
        if (!check_entries_of_page_3(s, found, page)) {
            return false;
        }
    }
    return true;
}

/* UNIT-4, UNIT-5, for every entry of one page, if it is one that they are about. */
static bool check_entries_of_page_4(const struct kernel *s, struct violation *found, page_id_t table)
{
    if (s->page[table].kind != PAGE_KIND_TABLE_UNITS) {
        return true;
    }
    for (uint32_t entry = 0; entry < 512; entry++) {
        if (!unit_is_well_formed(s, table, entry)) {
            return violated(found, 79, table, entry);
        }
        if (!unit_is_known(s, table, entry)) {
            return violated(found, 80, table, entry);
        }
    }
    return true;
}

/* UNIT-4, UNIT-5, for every page. */
static bool check_pages_and_entries_4(const struct kernel *s, struct violation *found)
{
    for (uint32_t table = 0; table < 1024; table++) {
        if (!check_entries_of_page_4(s, found, table)) {
            return false;
        }
    }
    return true;
}

/* Do all invariants hold? If not, the first that was found to fail is noted. */
bool check_invariants(const struct kernel *s, struct violation *found)
{
    return check_agents(s, found) &&
           check_units(s, found) &&
           check_partitions_and_units(s, found) &&
           check_whole(s, found) &&
           check_partitions(s, found) &&
           check_capabilities(s, found) &&
           check_devices(s, found) &&
           check_pages(s, found) &&
           check_edges(s, found) &&
           check_messages(s, found) &&
           check_owned(s, found) &&
           check_mappings(s, found) &&
           check_records(s, found) &&
           check_units_and_units_2(s, found) &&
           check_units_and_units_1(s, found) &&
           check_pages_and_entries_1(s, found) &&
           check_pages_and_entries_2(s, found) &&
           check_pages_and_entries_3(s, found) &&
           check_pages_and_entries_4(s, found);
}
