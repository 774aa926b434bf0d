/* Generated from spec/kernel/memory.py, model/kernel/memory.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 c2a382c9ca90d869 */

#include "memory.h"
#include "builtins.h"
#include "capability.h"
#include "hardware.h"
#include "partition.h"

#define LEAF_FIXED 0x4400073f
#define LEAF_PAGE_SHIFT 12
#define LEAF_ORDINAL_SHIFT 55           /* of the mapping, in four bits that the hardware ignores */

/* The code of what the header has copied to its callers. */
extern inline mapping_id_t memory_mapping_id(page_id_t page, ordinal_t ordinal);
extern inline page_id_t memory_mapped_page(mapping_id_t m);
extern inline ordinal_t memory_ordinal_of(mapping_id_t m);
extern inline owned_id_t memory_owned_id(partition_id_t p, uint16_t position);
extern inline bool memory_is_table(page_kind_t kind);
extern inline bool memory_is_mappable(page_kind_t kind);
extern inline bool memory_in_use(const struct kernel *s, page_id_t page);
extern inline uint64_t memory_table_descriptor(page_id_t child);
extern inline bool memory_valid(uint64_t descriptor);
extern inline bool memory_write_xor_execute(access_t access);
extern inline bool memory_back_reference(const struct kernel *s, mapping_id_t m, page_id_t table, entry_id_t entry);

/* What may stage-2 tables contain, and who owns each page? */

/* May a table of one kind lead to one of the other? */
bool memory_is_below(page_kind_t upper, page_kind_t lower)
{
    bool of_units = lower == PAGE_KIND_TABLE_2 || lower == PAGE_KIND_TABLE_UNITS;
    return (upper == PAGE_KIND_TABLE_1 && of_units) || (upper == PAGE_KIND_TABLE_2 && lower == PAGE_KIND_TABLE_3);
}

/* Is the page the stage-2 root of its owner? */
bool memory_is_root(const struct kernel *s, page_id_t page)
{
    const struct partition *owner = &s->partition[s->page[page].owner];
    return owner->rooted && owner->root == page;
}

/* The level-3 descriptor of a mapping with the given access. */
uint64_t memory_leaf_descriptor(mapping_id_t m, access_t access)
{
    return LEAF_FIXED | ((access & ACCESS_READ) != 0 ? LEAF_READABLE : 0) |
           ((access & ACCESS_WRITE) != 0 ? LEAF_WRITABLE : 0) | ((uint64_t)memory_mapped_page(m) << LEAF_PAGE_SHIFT) |
           ((access & ACCESS_EXECUTE) == 0 ? LEAF_NEVER_EXECUTED : 0) |
           ((uint64_t)memory_ordinal_of(m) << LEAF_ORDINAL_SHIFT);
}

/* The mapping that a valid descriptor belongs to. */
mapping_id_t memory_refers_to(uint64_t descriptor)
{
    return memory_mapping_id((descriptor >> LEAF_PAGE_SHIFT) & (PAGE_ID_BOUND - 1),
                             (descriptor >> LEAF_ORDINAL_SHIFT) & (ORDINAL_BOUND - 1));
}

/* Is the page data of the partition? */
bool memory_owns_data(const struct kernel *s, partition_id_t p, page_id_t page)
{
    return memory_is_mappable(s->page[page].kind) && s->page[page].owner == p;
}

/* Is this descriptor, apart from ignored bits, at the place where the mapping was last linked? */
bool memory_stands(const struct kernel *s, mapping_id_t m, uint64_t descriptor, uint64_t ignored)
{
    const struct mapping *place = &s->mapping[m];
    uint64_t word = s->memory[place->table].word[place->entry];
    return (word | ignored) == (descriptor | ignored);
}

/* The bits of a leaf descriptor that concern access other than this. */
uint64_t memory_unasked(access_t access)
{
    uint64_t read = (access & ACCESS_READ) == 0 ? LEAF_READABLE : 0;
    uint64_t write = (access & ACCESS_WRITE) == 0 ? LEAF_WRITABLE : 0;
    return LEAF_NEVER_EXECUTED | read | write;
}

/* Do the tables of a partition, from its root down, let it read or write a page of its own at this moment?

   The check goes backwards, from the page to the root. A table on the way may be gone, and its place may be
   another's by now. But if the last step leads from the root, each step before it leads from a table of the
   partition (MEM-4). The check does not reveal what is elsewhere, not even by the time that it takes. */
bool memory_lets(const struct kernel *s, partition_id_t p, page_id_t page, access_t access)
{
    mapping_id_t leaf = memory_mapping_id(page, 0);
    mapping_id_t lower = memory_mapping_id(s->mapping[leaf].table, 0);
    mapping_id_t middle = memory_mapping_id(s->mapping[lower].table, 0);
    bool from_root = s->partition[p].rooted & (s->mapping[middle].table == s->partition[p].root);
    bool to_middle = memory_stands(s, middle, memory_table_descriptor(memory_mapped_page(middle)), 0);
    bool to_lower = memory_stands(s, lower, memory_table_descriptor(memory_mapped_page(lower)), 0);
    bool to_page = memory_stands(s, leaf, memory_leaf_descriptor(leaf, access), memory_unasked(access));
    return from_root & to_middle & to_lower & to_page;
}

/* Is the descriptor of a mapping where it was linked? A table that is gone took its descriptors with it. */
bool memory_in_table(const struct kernel *s, mapping_id_t m)
{
    const struct mapping *place = &s->mapping[m];
    uint64_t descriptor = s->memory[place->table].word[place->entry];
    return memory_is_table(s->page[place->table].kind) && memory_valid(descriptor) && memory_refers_to(descriptor) == m;
}

/* Is it a unit of the block that begins with `head`? */
bool memory_lies_in(const struct kernel *s, unit_id_t unit, unit_id_t head)
{
    order_t order = s->block[head].order;
    return s->block[head].used && ((uint32_t)unit >> (uint32_t)order) == ((uint32_t)head >> (uint32_t)order);
}

/* How do pages get an owner, a use, a place in a stage-2 table and readers, and how do they come back? */

/* Make the hardware forget a translation of this VMID.

   It may fetch the translation again at once if the descriptor is still there. */
void memory_flush_translation(struct kernel *s, mapping_id_t m, uint64_t base)
{
    if (hardware_vmid(base) == s->mapping[m].partition && !memory_in_table(s, m)) {
        s->mapping[m].cached = false;
    }
    hardware_memory_flush_translation(m, base);
}

/* Let instruction fetches see what the page holds.

   If the page is mapped already, they may have seen other words. */
void memory_synchronize_instructions(struct kernel *s, page_id_t page)
{
    s->page[page].fetched = !s->mapping[memory_mapping_id(page, 0)].linked;
    hardware_memory_synchronize_instructions(page);
}

/* Is the partition alive, and does it own the page? */
bool memory_belongs(const struct kernel *s, page_id_t page, partition_id_t p)
{
    return memory_in_use(s, page) && s->page[page].owner == p && partition_alive(s, p);
}

/* Give a free page to a partition. */
void memory_take(struct kernel *s, page_id_t page, page_kind_t kind, partition_id_t p)
{
    uint16_t position = s->partition[p].pages;
    s->page[page].kind = kind;
    s->page[page].owner = p;
    s->page[page].ordinal = position;
    s->page[page].filled = 0;
    s->page[page].fetched = false;
    s->owned[memory_owned_id(p, position)] = page;
    s->partition[p].pages = position + 1;
}

/* Take a page off its owner's list; the last of the list moves into its place. */
void memory_give_up(struct kernel *s, page_id_t page)
{
    partition_id_t p = s->page[page].owner;
    uint16_t last = s->partition[p].pages - 1;
    page_id_t moved = s->owned[memory_owned_id(p, last)];
    s->owned[memory_owned_id(p, s->page[page].ordinal)] = moved;
    s->page[moved].ordinal = s->page[page].ordinal;
    s->partition[p].pages = last;
}

/* Write a descriptor into an empty table entry and remember where it is. */
void memory_link(struct kernel *s, mapping_id_t m, page_id_t table, entry_id_t entry, uint64_t descriptor)
{
    s->memory[table].word[entry] = descriptor;
    struct mapping *mapping = &s->mapping[m];
    mapping->linked = true;
    mapping->cached = true;
    mapping->partition = s->page[table].owner;
    mapping->table = table;
    mapping->entry = entry;
}

/* Map a page for its owner, to execute what it holds or to write it; what is written must be fetched anew. */
void memory_link_own(struct kernel *s, page_id_t page, page_id_t table, entry_id_t entry, access_t access)
{
    mapping_id_t m = memory_mapping_id(page, 0);
    if ((access & ACCESS_EXECUTE) != 0) {
        memory_synchronize_instructions(s, page);
    }
    if ((access & ACCESS_WRITE) != 0) {
        s->page[page].fetched = false;
    }
    memory_link(s, m, table, entry, memory_leaf_descriptor(m, access));
}

/* Break before make: take the descriptor out, then flush the translation, then forget the place. */
void memory_unlink(struct kernel *s, mapping_id_t m)
{
    struct mapping *mapping = &s->mapping[m];
    if (mapping->linked) {
        if (memory_in_table(s, m)) {
            s->memory[mapping->table].word[mapping->entry] = 0;
        }
        memory_flush_translation(s, m, hardware_vttbr(s, mapping->partition));
        mapping->linked = false;
    }
}

/* Zero a page that nothing refers to and return it to the pool. */
void memory_free_page(struct kernel *s, page_id_t page)
{
    clear_words(s->memory[page].word, 512);
    memory_give_up(s, page);
    s->page[page].kind = PAGE_KIND_FREE;
    s->page[page].filled = 0;
    s->page[page].fetched = false;
}

/* Take out the owner's mapping and every reader's, and end the shares. */
void memory_drop_references(struct kernel *s, page_id_t page)
{
    for (uint32_t ordinal = 0; ordinal < MAPPINGS_PER_PAGE; ordinal++) {
        mapping_id_t m = memory_mapping_id(page, ordinal);
        memory_unlink(s, m);
        s->mapping[m].used = false;
    }
}

/* Is the page linked, or shared with anyone? */
bool memory_referred_to(const struct kernel *s, page_id_t page)
{
    return s->mapping[memory_mapping_id(page, 0)].linked || s->mapping[memory_mapping_id(page, 1)].used ||
           s->mapping[memory_mapping_id(page, 2)].used || s->mapping[memory_mapping_id(page, 3)].used;
}

/* Take a free page of the region for the partition `into`, as data or as a table. */
status_t memory_page_create(struct kernel *s, const struct call *call, page_id_t page, page_kind_t kind, handle_t into)
{
    if (kind == PAGE_KIND_FREE || kind == PAGE_KIND_KERNEL) {
        return STATUS_BAD_ARGUMENT;
    }
    if ((region_id_t)(page >> PAGE_PLACE_REGION_SHIFT) != s->capability[call->capability].object) {
        return STATUS_WRONG_OBJECT;
    }
    if (s->page[page].kind != PAGE_KIND_FREE) {
        return STATUS_PAGE_IN_USE;
    }
    if (!capability_may_act_on(s, s->current, into, RIGHT_WRITE)) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    partition_id_t p = capability_partition_of_handle(s, s->current, into);
    if (s->partition[p].pages >= PAGES_PER_PARTITION) {
        return STATUS_LIMIT_REACHED;
    }
    memory_take(s, page, kind, p);
    return STATUS_OK;
}

/* Zero a page of the partition and return it to the pool; nothing may refer to it any more. */
status_t memory_page_release(struct kernel *s, const struct call *call, page_id_t page)
{
    if (!memory_belongs(s, page, capability_named_partition(s, call))) {
        return STATUS_NOT_OWNER;
    }
    if (s->pin[page].held) {
        return STATUS_PAGE_PINNED;
    }
    if (memory_referred_to(s, page)) {
        return STATUS_STILL_SHARED;
    }
    if (memory_is_root(s, page)) {
        return STATUS_STILL_HOLDING;
    }
    memory_free_page(s, page);
    return STATUS_OK;
}

/* Hand a data page and its contents to the partition `into`. */
status_t memory_page_transfer(struct kernel *s, const struct call *call, page_id_t page, handle_t into)
{
    if (!memory_belongs(s, page, capability_named_partition(s, call))) {
        return STATUS_NOT_OWNER;
    }
    if (!memory_is_mappable(s->page[page].kind)) {
        return STATUS_WRONG_PAGE_KIND;
    }
    if (s->pin[page].held) {
        return STATUS_PAGE_PINNED;
    }
    if (memory_referred_to(s, page)) {
        return STATUS_STILL_SHARED;
    }
    if (!capability_may_act_on(s, s->current, into, RIGHT_WRITE)) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    partition_id_t p = capability_partition_of_handle(s, s->current, into);
    if (s->partition[p].pages >= PAGES_PER_PARTITION) {
        return STATUS_LIMIT_REACHED;
    }
    page_kind_t kind = s->page[page].kind;
    uint16_t filled = s->page[page].filled;
    memory_give_up(s, page);
    memory_take(s, page, kind, p);
    s->page[page].filled = filled;
    return STATUS_OK;
}

/* Make a level-1 table the stage-2 root of a partition that has not started. */
status_t memory_table_root(struct kernel *s, const struct call *call, page_id_t page)
{
    partition_id_t p = capability_named_partition(s, call);
    if (s->partition[p].state != PARTITION_STATE_CREATED) {
        return STATUS_WRONG_STATE;
    }
    if (!memory_belongs(s, page, p)) {
        return STATUS_NOT_OWNER;
    }
    if (s->page[page].kind != PAGE_KIND_TABLE_1) {
        return STATUS_WRONG_PAGE_KIND;
    }
    s->partition[p].root = page;
    s->partition[p].rooted = true;
    return STATUS_OK;
}

/* Enter a table into an empty entry of a table one level above. */
status_t memory_table_link(struct kernel *s, const struct call *call, page_id_t table, entry_id_t entry,
                           page_id_t child)
{
    partition_id_t p = capability_named_partition(s, call);
    if (!memory_belongs(s, table, p) || !memory_belongs(s, child, p)) {
        return STATUS_NOT_OWNER;
    }
    if (!memory_is_below(s->page[table].kind, s->page[child].kind)) {
        return STATUS_WRONG_PAGE_KIND;
    }
    if (s->memory[table].word[entry] != 0) {
        return STATUS_ENTRY_IN_USE;
    }
    if (s->mapping[memory_mapping_id(child, 0)].linked) {
        return STATUS_ALREADY_LINKED;
    }
    memory_link(s, memory_mapping_id(child, 0), table, entry, memory_table_descriptor(child));
    return STATUS_OK;
}

/* Map a partition's data page at an empty entry of its own level-3 table; never both writable and executable. */
status_t memory_page_map(struct kernel *s, const struct call *call, page_id_t page, page_id_t table, entry_id_t entry,
                         access_t access)
{
    partition_id_t p = capability_named_partition(s, call);
    if (!memory_belongs(s, table, p) || !memory_belongs(s, page, p)) {
        return STATUS_NOT_OWNER;
    }
    if (s->page[table].kind != PAGE_KIND_TABLE_3 || !memory_is_mappable(s->page[page].kind)) {
        return STATUS_WRONG_PAGE_KIND;
    }
    if (!memory_write_xor_execute(access)) {
        return STATUS_WRITE_XOR_EXECUTE;
    }
    if (s->page[page].kind == PAGE_KIND_APPEND && access != ACCESS_READ) {
        return STATUS_WRONG_PAGE_KIND;
    }
    if (s->memory[table].word[entry] != 0) {
        return STATUS_ENTRY_IN_USE;
    }
    if (s->mapping[memory_mapping_id(page, 0)].linked) {
        return STATUS_ALREADY_LINKED;
    }
    memory_link_own(s, page, table, entry, access);
    return STATUS_OK;
}

/* Take a partition's own page, data or table, out of the table it is linked in. */
status_t memory_page_unmap(struct kernel *s, const struct call *call, page_id_t page)
{
    if (!memory_belongs(s, page, capability_named_partition(s, call))) {
        return STATUS_NOT_OWNER;
    }
    if (!s->mapping[memory_mapping_id(page, 0)].linked) {
        return STATUS_NOT_LINKED;
    }
    if (s->pin[page].held) {
        return STATUS_PAGE_PINNED;
    }
    memory_unlink(s, memory_mapping_id(page, 0));
    return STATUS_OK;
}

/* Let the partition `reader` map a data page of the named partition, to read; `ordinal` 1 to 3 names the share. */
status_t memory_page_share(struct kernel *s, const struct call *call, page_id_t page, ordinal_t ordinal,
                           handle_t reader)
{
    if (!memory_belongs(s, page, capability_named_partition(s, call))) {
        return STATUS_NOT_OWNER;
    }
    if (!memory_is_mappable(s->page[page].kind)) {
        return STATUS_WRONG_PAGE_KIND;
    }
    if (ordinal == 0) {
        return STATUS_BAD_ARGUMENT;
    }
    if (s->pin[page].held) {
        return STATUS_PAGE_PINNED;
    }
    if (s->mapping[memory_mapping_id(page, ordinal)].used) {
        return STATUS_ENTRY_IN_USE;
    }
    if (!capability_may_act_on(s, s->current, reader, RIGHT_READ)) {
        return STATUS_INSUFFICIENT_RIGHTS;
    }
    struct mapping *share = &s->mapping[memory_mapping_id(page, ordinal)];
    share->used = true;
    share->partition = capability_partition_of_handle(s, s->current, reader);
    share->incarnation = s->partition[share->partition].generation;
    return STATUS_OK;
}

/* Map a page that a living partition shares with this one, read-only.

   The place is an empty entry of a level-3 table of this one's own. */
status_t memory_share_map(struct kernel *s, const struct call *call, page_id_t page, ordinal_t ordinal,
                          page_id_t table, entry_id_t entry)
{
    partition_id_t p = capability_named_partition(s, call);
    const struct mapping *share = &s->mapping[memory_mapping_id(page, ordinal)];
    if (!share->used || share->partition != p || share->incarnation != s->partition[p].generation ||
        !partition_alive(s, s->page[page].owner)) {
        return STATUS_NOT_SHARED;
    }
    if (!memory_belongs(s, table, p)) {
        return STATUS_NOT_OWNER;
    }
    if (s->page[table].kind != PAGE_KIND_TABLE_3) {
        return STATUS_WRONG_PAGE_KIND;
    }
    if (s->memory[table].word[entry] != 0) {
        return STATUS_ENTRY_IN_USE;
    }
    if (share->linked) {
        return STATUS_ALREADY_LINKED;
    }
    memory_link(s, memory_mapping_id(page, ordinal), table, entry,
                memory_leaf_descriptor(memory_mapping_id(page, ordinal), ACCESS_READ));
    return STATUS_OK;
}

/* End a share of a partition's own page; the reader's mapping goes at once. */
status_t memory_page_unshare(struct kernel *s, const struct call *call, page_id_t page, ordinal_t ordinal)
{
    if (!memory_belongs(s, page, capability_named_partition(s, call))) {
        return STATUS_NOT_OWNER;
    }
    mapping_id_t m = memory_mapping_id(page, ordinal);
    if (!s->mapping[m].used) {
        return STATUS_NOT_SHARED;
    }
    memory_unlink(s, m);
    s->mapping[m].used = false;
    return STATUS_OK;
}

/* Write the next word of an append-only page, which nobody can write in any other way. */
status_t memory_page_append(struct kernel *s, struct call *call, page_id_t page, uint64_t value)
{
    if (!memory_belongs(s, page, capability_named_partition(s, call))) {
        return STATUS_NOT_OWNER;
    }
    if (s->page[page].kind != PAGE_KIND_APPEND) {
        return STATUS_WRONG_PAGE_KIND;
    }
    if (s->page[page].filled >= PAGE_WORDS) {
        return STATUS_LIMIT_REACHED;
    }
    s->memory[page].word[s->page[page].filled] = value;
    s->page[page].filled++;
    call->result[0] = s->page[page].filled;
    return STATUS_OK;
}
