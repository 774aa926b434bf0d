/* How is an instance saved to bytes and restored? In the host's format: the same bytes on every machine. */
#include "instance.h"
#include "letter.h"
#include "seal.h"
#include "kept.h"
#include "vm/snapshot.h"

/* The header of a snapshot. The two stacks, globals, tables, a byte for each segment, memory and seal follow. */
struct header {
    uint8_t magic[MAGIC_SIZE];
    uint16_t format;
    uint8_t machine[DIGEST_SIZE], key[KEY_MARK_SIZE], module[DIGEST_SIZE];
    uint32_t outcome, at, frame, depth, live, callee, globals, tables, pages;
};

_Static_assert(sizeof(struct header) == HEADER_SIZE, "the header has another size on the host");

static void digest_of(const struct module *m, uint8_t result[DIGEST_SIZE])
{
    struct digest d;

    digest_begin(&d);
    digest_add(&d, m->bytes.at, m->bytes.length);
    digest_end(&d, result);
}

static bool same(const uint8_t *a, const uint8_t *b, uint64_t count)
{
    uint8_t different = 0;

    for (uint64_t i = 0; i < count; i++)
        different |= a[i] ^ b[i];
    return different == 0;
}

static void copy(uint8_t *target, const uint8_t *source, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        target[i] = source[i];
}

/* ---- saving: the bytes go out on the console, page by page */

static struct digest seal;
static uint64_t sent, filled;

static void send_page(void)
{
    volatile uint8_t *page = (volatile uint8_t *)AT(ENTRY_OF(MESSAGE_OF));

    while (filled % sizeof(uint64_t) != 0)
        page[filled++] = 0;
    if (filled != 0)
        write_out(LETTER->message_page, filled / sizeof(uint64_t), FORMAT_HEX);
    filled = 0;
}

static void put_unsealed(const void *bytes, uint64_t count)
{
    volatile uint8_t *page = (volatile uint8_t *)AT(ENTRY_OF(MESSAGE_OF));

    for (uint64_t i = 0; i < count; i++) {
        page[filled++] = ((const uint8_t *)bytes)[i];
        if (filled == PAGE_SIZE)
            send_page();
    }
    sent += count;
}

static void put(const void *bytes, uint64_t count)
{
    digest_add(&seal, bytes, count);
    put_unsealed(bytes, count);
}

static uint32_t live_slots(const struct machine *vm)
{
    return vm->depth == 0 ? 0 : vm->frame + snapshot_slots_at(vm, vm->at);
}

static void put_header(const struct instance *i)
{
    const struct machine *vm = &i->machine;
    struct header h = {.format = FORMAT_VERSION, .outcome = vm->outcome, .at = vm->at,
                       .frame = vm->frame, .depth = vm->depth, .live = live_slots(vm),
                       .callee = vm->outcome == OUTCOME_HOST_CALL ? (uint32_t)vm->callee : 0,
                       .globals = (uint32_t)vm->globals.length, .tables = (uint32_t)vm->tables.length,
                       .pages = (uint32_t)(i->memory.size / PAGE)};

    copy(h.magic, MAGIC, MAGIC_SIZE);
    copy(h.machine, MACHINE_DIGEST, DIGEST_SIZE);
    copy(h.key, KEY_MARK, KEY_MARK_SIZE);
    digest_of(&i->module, h.module);
    put(&h, sizeof(h));
}

static void put_table(const struct table *table)
{
    put(&table->size, sizeof(table->size));
    for (uint32_t n = 0; n < table->size; n++) {
        uint32_t reference = (uint32_t)table->elements.at[n];

        put(&reference, sizeof(reference));
    }
}

/* Only the return addresses: they determine the rest of the control stack. */
static void put_calls(const struct machine *vm)
{
    for (uint32_t n = 0; n < vm->depth; n++) {
        uint32_t word = (uint32_t)vm->control.at[n];

        put(&word, sizeof(word));
    }
}

/* Save the state of a waiting instance; return how many bytes were sent. */
uint64_t keep(const struct instance *i)
{
    const struct machine *vm = &i->machine;
    uint8_t tag[DIGEST_SIZE];

    sent = 0;
    seal_begin(&seal, KEY);
    put_header(i);
    put_calls(vm);
    put(vm->stack.at, sizeof(*vm->stack.at) * live_slots(vm));
    for (uint64_t n = 0; n < vm->globals.length; n++)
        put(vm->globals.at[n].cell.at, sizeof(*vm->globals.at[n].cell.at));
    for (uint64_t n = 0; n < vm->tables.length; n++)
        put_table(vm->tables.at[n].table.at);
    put(vm->dropped_elements.at, vm->dropped_elements.length);
    put(vm->dropped_data.at, vm->dropped_data.length);
    put(i->memory.bytes.at, i->memory.size);
    seal_end(&seal, KEY, tag);
    put_unsealed(tag, sizeof(tag));
    send_page();
    return sent;
}

/* ---- loading: nothing is trusted before the seal is checked, and the state is checked before it runs */

static const uint8_t *next, *end;

/* The next `count` bytes; null if there are fewer. */
static const uint8_t *take(uint64_t count)
{
    const uint8_t *found = next;

    if (count > (uint64_t)(end - next))
        return 0;
    next += count;
    return found;
}

/* Copy the next bytes to their place; false if they do not fit or are missing. */
static bool fill(void *target, uint64_t room, uint64_t count)
{
    const uint8_t *found = count <= room ? take(count) : 0;

    if (found == 0)
        return false;
    copy(target, found, count);
    return true;
}

static uint8_t opened(const struct instance *i, const struct header *h, const uint8_t *bytes, uint64_t size)
{
    uint8_t found[DIGEST_SIZE];

    if (size < sizeof(*h) + DIGEST_SIZE || !same(h->magic, MAGIC, MAGIC_SIZE))
        return REASON_KIND;
    if (h->format != FORMAT_VERSION)
        return REASON_FORMAT;
    if (!same(h->machine, MACHINE_DIGEST, DIGEST_SIZE))
        return REASON_MACHINE;
    if (!same(h->key, KEY_MARK, KEY_MARK_SIZE))
        return REASON_KEY;
    seal_begin(&seal, KEY);
    digest_add(&seal, bytes, size - DIGEST_SIZE);
    seal_end(&seal, KEY, found);
    if (!same(found, bytes + size - DIGEST_SIZE, DIGEST_SIZE))
        return REASON_DAMAGED;
    digest_of(&i->module, found);
    return same(h->module, found, DIGEST_SIZE) ? TAKEN : REASON_MODULE;
}

/* Restore the return addresses; the check that follows completes the control stack. */
static bool fill_calls(struct machine *vm, uint32_t depth)
{
    if (depth > vm->control.length)
        return false;
    for (uint32_t n = 0; n < depth; n++) {
        uint32_t word;

        if (!fill(&word, sizeof(word), sizeof(word)))
            return false;
        vm->control.at[n] = word;
    }
    return true;
}

static bool fill_globals(struct instance *i)
{
    for (uint64_t n = 0; n < i->machine.globals.length; n++) {
        uint64_t *cell = i->machine.globals.at[n].cell.at, value;

        if (!fill(&value, sizeof(value), sizeof(value)) || (!i->module.globals.at[n].mutable && value != *cell))
            return false;
        *cell = value;
    }
    return true;
}

static bool fill_table(struct table *table)
{
    if (!fill(&table->size, sizeof(table->size), sizeof(table->size)) || table->size > table->elements.length)
        return false;
    for (uint32_t n = 0; n < table->size; n++) {
        uint32_t reference;

        if (!fill(&reference, sizeof(reference), sizeof(reference)))
            return false;
        table->elements.at[n] = reference;
    }
    return true;
}

/* A byte that is not zero means that a segment is dropped. */
static bool fill_dropped(struct u8_slice *dropped)
{
    if (!fill(dropped->at, dropped->length, dropped->length))
        return false;
    for (uint64_t n = 0; n < dropped->length; n++)
        dropped->at[n] = dropped->at[n] != 0;
    return true;
}

static bool fill_all(struct instance *i, const struct header *h)
{
    struct machine *vm = &i->machine;
    bool good = h->globals == vm->globals.length && h->tables == vm->tables.length;

    good = good && fill_calls(vm, h->depth);
    good = good && fill(vm->stack.at, sizeof(*vm->stack.at) * vm->stack.length,
                        sizeof(*vm->stack.at) * (uint64_t)h->live);
    good = good && fill_globals(i);
    for (uint64_t n = 0; good && n < vm->tables.length; n++)
        good = fill_table(vm->tables.at[n].table.at);
    good = good && fill_dropped(&vm->dropped_elements) && fill_dropped(&vm->dropped_data);
    good = good && (vm->memory.length != 0 || h->pages == 0)
           && fill(i->memory.bytes.at, i->memory.bytes.length, (uint64_t)h->pages * PAGE);
    i->memory.size = (uint64_t)h->pages * PAGE;
    return good && next == end;
}

/* Restore a snapshot into an instance that has taken no step yet; return TAKEN, or why it was refused. */
uint8_t restore(struct instance *i, const uint8_t *bytes, uint64_t size)
{
    const struct header *h = (const struct header *)bytes;
    struct machine *vm = &i->machine;
    uint8_t reason = opened(i, h, bytes, size);

    if (reason != TAKEN)
        return reason;
    next = bytes + sizeof(*h);
    end = bytes + size - DIGEST_SIZE;
    vm->outcome = (outcome_t)h->outcome;
    vm->at = h->at;
    vm->frame = h->frame;
    vm->depth = h->depth;
    vm->callee = h->callee;
    if (h->outcome > OUTCOME_HOST_CALL || !fill_all(i, h) || snapshot_check(vm, &i->translation) != FAULT_NONE)
        return REASON_CONTENT;
    return TAKEN;
}
