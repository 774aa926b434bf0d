/* Generated from spec/kernel/memory.py, model/kernel/memory.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 de57bb904de7d3eb */

#ifndef KERNEL_MEMORY_H
#define KERNEL_MEMORY_H

#include "types.h"

mapping_id_t memory_mapping_id(page_id_t page, ordinal_t ordinal);
page_id_t memory_mapped_page(mapping_id_t m);
ordinal_t memory_ordinal_of(mapping_id_t m);
owned_id_t memory_owned_id(partition_id_t p, uint16_t position);
bool memory_is_table(page_kind_t kind);
bool memory_is_mappable(page_kind_t kind);
bool memory_in_use(const struct kernel *s, page_id_t page);
bool memory_is_root(const struct kernel *s, page_id_t page);
uint64_t memory_leaf_descriptor(mapping_id_t m, access_t access);
uint64_t memory_table_descriptor(page_id_t child);
mapping_id_t memory_refers_to(uint64_t descriptor);
bool memory_valid(uint64_t descriptor);
bool memory_write_xor_execute(access_t access);
bool memory_owns_data(const struct kernel *s, partition_id_t p, page_id_t page);
bool memory_stands(const struct kernel *s, mapping_id_t m, uint64_t descriptor, uint64_t ignored);
uint64_t memory_unasked(access_t access);
bool memory_lets(const struct kernel *s, partition_id_t p, page_id_t page, access_t access);
bool memory_in_table(const struct kernel *s, mapping_id_t m);
bool memory_back_reference(const struct kernel *s, mapping_id_t m, page_id_t table, entry_id_t entry);
void memory_flush_translation(struct kernel *s, mapping_id_t m, uint64_t base);
void memory_synchronize_instructions(struct kernel *s, page_id_t page);
bool memory_belongs(const struct kernel *s, page_id_t page, partition_id_t p);
void memory_take(struct kernel *s, page_id_t page, page_kind_t kind, partition_id_t p);
void memory_give_up(struct kernel *s, page_id_t page);
void memory_link(struct kernel *s, mapping_id_t m, page_id_t table, entry_id_t entry, uint64_t descriptor);
void memory_link_own(struct kernel *s, page_id_t page, page_id_t table, entry_id_t entry, access_t access);
void memory_unlink(struct kernel *s, mapping_id_t m);
void memory_free_page(struct kernel *s, page_id_t page);
void memory_drop_references(struct kernel *s, page_id_t page);
bool memory_referred_to(const struct kernel *s, page_id_t page);
bool memory_fits_level(const struct kernel *s, page_id_t table, page_id_t child);
status_t memory_page_create(struct kernel *s, const struct call *call, page_id_t page, page_kind_t kind, handle_t into);
status_t memory_page_release(struct kernel *s, const struct call *call, page_id_t page);
status_t memory_page_transfer(struct kernel *s, const struct call *call, page_id_t page, handle_t into);
status_t memory_table_root(struct kernel *s, const struct call *call, page_id_t page);
status_t memory_table_link(struct kernel *s, const struct call *call, page_id_t table, entry_id_t entry,
                           page_id_t child);
status_t memory_page_map(struct kernel *s, const struct call *call, page_id_t page, page_id_t table, entry_id_t entry,
                         access_t access);
status_t memory_page_unmap(struct kernel *s, const struct call *call, page_id_t page);
status_t memory_page_share(struct kernel *s, const struct call *call, page_id_t page, ordinal_t ordinal,
                           handle_t reader);
status_t memory_share_map(struct kernel *s, const struct call *call, page_id_t page, ordinal_t ordinal,
                          page_id_t table, entry_id_t entry);
status_t memory_page_unshare(struct kernel *s, const struct call *call, page_id_t page, ordinal_t ordinal);
status_t memory_page_append(struct kernel *s, struct call *call, page_id_t page, uint64_t value);

#endif
