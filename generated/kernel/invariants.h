/* Generated from spec/kernel/agent.py, spec/kernel/block.py, spec/kernel/capability.py, spec/kernel/clock.py,
   spec/kernel/device.py, spec/kernel/edge.py, spec/kernel/heat.py, spec/kernel/memory.py, spec/kernel/partition.py,
   spec/kernel/ring.py, spec/kernel/schedule.py, spec/kernel/unit.py, spec/kernel/witness.py
   with codegen/templates/invariants.h.j2: edit those, not this.
   Content: sha256 3baae4245313bd3a */

#ifndef KERNEL_INVARIANTS_H
#define KERNEL_INVARIANTS_H

#include "types.h"

#define INVARIANTS 84

/* The first invariant that was found not to hold: its number, from 1, and the indices for which it fails. */
struct violation {
    uint32_t number;
    uint32_t index[2];
};

/* The id of an invariant by its number, from 1. */
extern const char *const INVARIANT_ID[INVARIANTS + 1];

bool check_invariants(const struct kernel *s, struct violation *found);
bool witness_log_is_bounded(const struct kernel *s);
bool witness_records_in_place(const struct kernel *s, record_id_t r);
bool witness_reserve_is_kept(const struct kernel *s);
bool witness_copied_before_drained(const struct kernel *s);
bool unit_no_block_links_nothing(const struct kernel *s, unit_id_t head);
bool unit_linked_units_are_own(const struct kernel *s, unit_id_t head, unit_id_t unit);
bool unit_unlinked_units_are_flushed(const struct kernel *s, unit_id_t unit);
bool unit_is_well_formed(const struct kernel *s, page_id_t table, entry_id_t entry);
bool unit_is_known(const struct kernel *s, page_id_t table, entry_id_t entry);
bool schedule_epochs_are_bounded(const struct kernel *s);
bool schedule_epoch_has_begun(const struct kernel *s);
bool ring_0_is_empty(const struct kernel *s, partition_id_t p);
bool ring_follows_score(const struct kernel *s, partition_id_t p);
bool ring_bucket_is_bounded(const struct kernel *s, partition_id_t p);
bool ring_ancestry_counts(const struct kernel *s, partition_id_t p);
bool ring_attestation_in_the_past(const struct kernel *s, partition_id_t p);
bool ring_tools_are_bounded(const struct kernel *s, partition_id_t p);
bool ring_messages_are_bounded(const struct kernel *s, partition_id_t p);
bool partition_current_runs(const struct kernel *s);
bool partition_vacant_is_blank(const struct kernel *s, partition_id_t p);
bool partition_destroyed_is_stripped(const struct kernel *s, partition_id_t p);
bool partition_root_endures(const struct kernel *s);
bool partition_quota_is_bounded(const struct kernel *s, partition_id_t p);
bool partition_others_have_creators(const struct kernel *s, partition_id_t p);
bool partition_allowances_are_bounded(const struct kernel *s, partition_id_t p);
bool memory_leaf_is_well_formed(const struct kernel *s, page_id_t table, entry_id_t entry);
bool memory_leaf_is_known(const struct kernel *s, page_id_t table, entry_id_t entry);
bool memory_leaf_is_granted(const struct kernel *s, page_id_t table, entry_id_t entry);
bool memory_table_is_known(const struct kernel *s, page_id_t table, entry_id_t entry);
bool memory_owner_lists_page(const struct kernel *s, page_id_t page);
bool memory_list_holds_own_pages(const struct kernel *s, owned_id_t o);
bool memory_pages_are_limited(const struct kernel *s, partition_id_t p);
bool memory_root_is_own(const struct kernel *s, partition_id_t p);
bool memory_free_is_unlinked(const struct kernel *s, mapping_id_t m);
bool memory_unlinked_is_flushed(const struct kernel *s, mapping_id_t m);
bool memory_shares_are_data(const struct kernel *s, mapping_id_t m);
bool memory_linked_shares_are_used(const struct kernel *s, mapping_id_t m);
bool memory_running_is_rooted(const struct kernel *s, partition_id_t p);
bool memory_share_is_of_the_past(const struct kernel *s, mapping_id_t m);
bool memory_cached_is_granted(const struct kernel *s, mapping_id_t m);
bool memory_unstarted_is_not_walked(const struct kernel *s, partition_id_t p);
bool memory_walked_is_rooted(const struct kernel *s, partition_id_t p);
bool memory_executable_is_fetched(const struct kernel *s, page_id_t table, entry_id_t entry);
bool memory_fetched_is_data(const struct kernel *s, page_id_t page);
bool heat_linked_is_at_hand(const struct kernel *s, unit_id_t head);
bool edge_origin_is_known(const struct kernel *s, capability_id_t c);
bool edge_is_bounded(const struct kernel *s, edge_id_t e);
bool edge_message_in_place(const struct kernel *s, message_id_t m);
bool device_idle_is_blank(const struct kernel *s, device_id_t d);
bool device_request_is_pinned(const struct kernel *s, device_id_t d);
bool device_pinned_is_requested(const struct kernel *s, page_id_t page);
bool device_descriptors_are_exact(const struct kernel *s, device_id_t d);
bool device_stream_shows_page_alone(const struct kernel *s, device_id_t d);
bool device_written_is_not_executed(const struct kernel *s, device_id_t d);
bool device_spare_is_blank(const struct kernel *s, device_id_t d);
bool device_budget_is_bounded(const struct kernel *s, device_id_t d);
bool device_lease_is_of_the_past(const struct kernel *s, device_id_t d);
bool device_leased_is_there(const struct kernel *s, device_id_t d);
bool device_active_is_busy(const struct kernel *s, device_id_t d);
bool clock_records_are_past(const struct kernel *s, record_id_t r);
bool capability_free_is_powerless(const struct kernel *s, capability_id_t c);
bool capability_attenuated(const struct kernel *s, capability_id_t c);
bool capability_same_object(const struct kernel *s, capability_id_t c);
bool capability_depth_counts(const struct kernel *s, capability_id_t c);
bool capability_lineage_in_the_past(const struct kernel *s, capability_id_t c);
bool capability_only_the_living_hold(const struct kernel *s, capability_id_t c);
bool capability_counters_have_room(const struct kernel *s, capability_id_t c);
bool capability_grant_once_ends(const struct kernel *s, capability_id_t c);
bool capability_incarnation_in_the_past(const struct kernel *s, capability_id_t c);
bool capability_badge_is_kept(const struct kernel *s, capability_id_t c);
bool block_is_aligned(const struct kernel *s, unit_id_t unit);
bool block_is_taken(const struct kernel *s, unit_id_t unit);
bool blocks_lie_apart(const struct kernel *s, unit_id_t unit, unit_id_t other);
bool block_heads_are_listed(const struct kernel *s, partition_id_t p, unit_id_t unit);
bool block_clean_is_free(const struct kernel *s);
bool block_units_are_kept(const struct kernel *s, unit_id_t unit);
bool block_cleaning_is_dirty(const struct kernel *s);
bool block_vacant_holds_nothing(const struct kernel *s, partition_id_t p);
bool agent_is_bounded(const struct kernel *s, agent_id_t a);
bool agent_host_is_past(const struct kernel *s, agent_id_t a);
bool agent_family_is_past(const struct kernel *s, agent_id_t a);
bool agent_children_know_their_parent(const struct kernel *s, agent_id_t a);
bool agent_parents_know_their_children(const struct kernel *s, agent_id_t a);

#endif
