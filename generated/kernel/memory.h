/* Generated from spec/kernel/memory.py, model/kernel/memory.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 ce1f6e6c2c8488dc */

#ifndef KERNEL_MEMORY_H
#define KERNEL_MEMORY_H

#include "types.h"
#include "hardware.h"

#define ALL_ACCESS 0x7

/* The place of one reference to a page in the table of all mappings. */
inline mapping_id_t memory_mapping_id(page_id_t page, ordinal_t ordinal)
{
    return (mapping_id_t)ordinal | (mapping_id_t)((mapping_id_t)page << MAPPING_PLACE_PAGE_SHIFT);
}

/* The page that a mapping refers to. */
inline page_id_t memory_mapped_page(mapping_id_t m)
{
    return (page_id_t)(m >> MAPPING_PLACE_PAGE_SHIFT);
}

/* Return which of the references to its page a mapping is; 0 is the owner's. */
inline ordinal_t memory_ordinal_of(mapping_id_t m)
{
    return m & (ORDINAL_BOUND - 1);
}

/* The place of a partition's n-th page in the table of all owned pages. */
inline owned_id_t memory_owned_id(partition_id_t p, uint16_t position)
{
    return (owned_id_t)(position & (PAGE_POSITION_BOUND - 1)) |
           (owned_id_t)((owned_id_t)p << OWNED_PLACE_PARTITION_SHIFT);
}

/* Does the hardware walk through pages of this kind? */
inline bool memory_is_table(page_kind_t kind)
{
    return kind == PAGE_KIND_TABLE_1 || kind == PAGE_KIND_TABLE_2 || kind == PAGE_KIND_TABLE_3;
}

/* May pages of this kind be given to a guest? */
inline bool memory_is_mappable(page_kind_t kind)
{
    return kind == PAGE_KIND_DATA || kind == PAGE_KIND_APPEND;
}

/* Does the page belong to a partition? */
inline bool memory_in_use(const struct kernel *s, page_id_t page)
{
    return s->page[page].kind != PAGE_KIND_FREE && s->page[page].kind != PAGE_KIND_KERNEL;
}

/* The level-1 or level-2 descriptor that points to a table. */
inline uint64_t memory_table_descriptor(page_id_t child)
{
    return LINK_FIXED | ((uint64_t)child << LINK_PAGE_SHIFT);
}

/* Does the hardware follow the descriptor? */
inline bool memory_valid(uint64_t descriptor)
{
    return (descriptor & LEAF_VALID) != 0;
}

/* Does the access give some right, and never both to write and to execute? */
inline bool memory_write_xor_execute(access_t access)
{
    return access != 0 && (access & ~ALL_ACCESS) == 0 && ((ACCESS_WRITE | ACCESS_EXECUTE) & ~access) != 0;
}

/* Does the mapping know the descriptor at this table entry as its own? */
inline bool memory_back_reference(const struct kernel *s, mapping_id_t m, page_id_t table, entry_id_t entry)
{
    return s->mapping[m].linked && s->mapping[m].table == table && s->mapping[m].entry == entry &&
           s->mapping[m].partition == s->page[table].owner;
}

bool memory_is_below(page_kind_t upper, page_kind_t lower);
bool memory_is_root(const struct kernel *s, page_id_t page);
uint64_t memory_leaf_descriptor(mapping_id_t m, access_t access);
mapping_id_t memory_refers_to(uint64_t descriptor);
bool memory_owns_data(const struct kernel *s, partition_id_t p, page_id_t page);
bool memory_stands(const struct kernel *s, mapping_id_t m, uint64_t descriptor, uint64_t ignored);
uint64_t memory_unasked(access_t access);
bool memory_lets(const struct kernel *s, partition_id_t p, page_id_t page, access_t access);
bool memory_in_table(const struct kernel *s, mapping_id_t m);
bool memory_lies_in(const struct kernel *s, unit_id_t unit, unit_id_t head);
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
