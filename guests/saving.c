/* How is an instance saved to bytes and restored? In the host's format: the same bytes on every machine. */
#include "large.h"
#include "letter.h"
#include "service.h"
#include "seal.h"
#include "saved.h"
#include "vm/content.h"
#include "vm/save.h"

/* How a snapshot begins. The content and the seal follow. */
struct opening {
    uint8_t magic[MAGIC_SIZE];
    uint16_t format;
    uint8_t machine[DIGEST_SIZE], key[KEY_MARK_SIZE], module[DIGEST_SIZE];
};

_Static_assert(sizeof(struct opening) == OPENING_SIZE, "the opening has another size on the host");

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

/* ---- saving: the bytes go to the console, page by page, or to a place that has room for all */

static struct digest seal;
static uint8_t *place;
static uint64_t room, sent, filled;
static bool is_shown;       /* do the bytes go to the console? */

static void send_page(void)
{
    while (filled % sizeof(uint64_t) != 0)
        place[filled++] = 0;
    if (filled != 0)
        write_out(LETTER->message_page, filled / sizeof(uint64_t), FORMAT_HEX);
    filled = 0;
}

static void put_unsealed(const void *bytes, uint64_t count)
{
    const uint8_t *next = bytes, *end = next + count;

    while (next < end && filled < room) {
        uint64_t most = room - filled, some = (uint64_t)(end - next) < most ? (uint64_t)(end - next) : most;

        __builtin_memmove(place + filled, next, some);
        filled += some;
        next += some;
        if (is_shown && filled == room)
            send_page();
    }
    sent += count;
}

/* Large memory goes with the agent, and is in no snapshot. */
static void put(void *context, const void *bytes, uint64_t count)
{
    if (LETTER->large && bytes == LARGE)
        return;
    digest_add(context, bytes, count);
    put_unsealed(bytes, count);
}

static void save(const struct instance *i)
{
    struct opening opening = {.format = FORMAT_VERSION};
    uint8_t tag[DIGEST_SIZE];

    copy(opening.magic, MAGIC, MAGIC_SIZE);
    copy(opening.machine, MACHINE_IDENTITY, DIGEST_SIZE);
    copy(opening.key, KEY_MARK, KEY_MARK_SIZE);
    digest_of(&i->loaded->module, opening.module);
    sent = filled = 0;
    seal_begin(&seal, KEY);
    put(&seal, &opening, sizeof(opening));
    corollary_save(&i->machine, put, &seal);
    seal_end(&seal, KEY, tag);
    put_unsealed(tag, sizeof(tag));
}

/* Send the state of a waiting instance to the host; return how many bytes. */
uint64_t keep(const struct instance *i)
{
    place = (uint8_t *)AT(ENTRY_OF(MESSAGE_OF));
    room = PAGE_SIZE;
    is_shown = true;
    save(i);
    send_page();
    return sent;
}

/* Write the state of a waiting instance to memory; return how many bytes, or 0 if there is no room for them. */
uint64_t store(const struct instance *i, uint8_t *memory, uint64_t size)
{
    place = memory;
    room = size;
    is_shown = false;
    save(i);
    return sent <= size ? sent : 0;
}

/* ---- loading: nothing is trusted before the seal is checked, and the state is checked before it runs */

static uint8_t opened(const struct instance *i, const struct opening *given, const uint8_t *bytes, uint64_t size)
{
    uint8_t found[DIGEST_SIZE];

    if (size < HEADER_SIZE + DIGEST_SIZE || !same(given->magic, MAGIC, MAGIC_SIZE))
        return REASON_KIND;
    if (given->format != FORMAT_VERSION)
        return REASON_FORMAT;
    if (!same(given->machine, MACHINE_IDENTITY, DIGEST_SIZE))
        return REASON_MACHINE;
    if (!same(given->key, KEY_MARK, KEY_MARK_SIZE))
        return REASON_KEY;
    seal_begin(&seal, KEY);
    digest_add(&seal, bytes, size - DIGEST_SIZE);
    seal_end(&seal, KEY, found);
    if (!same(found, bytes + size - DIGEST_SIZE, DIGEST_SIZE))
        return REASON_DAMAGED;
    digest_of(&i->loaded->module, found);
    return same(given->module, found, DIGEST_SIZE) ? TAKEN : REASON_MODULE;
}

/* Restore a snapshot into an instance that has taken no step yet; return TAKEN, or why it was refused. */
uint8_t restore(struct instance *i, const uint8_t *bytes, uint64_t size)
{
    struct content content = {
        .bytes = {(uint8_t *)bytes, size - DIGEST_SIZE}, .at = OPENING_SIZE, .apart = LETTER->large,
    };
    uint8_t reason = opened(i, (const struct opening *)bytes, bytes, size);

    if (reason == TAKEN && content_restore(&i->machine, &i->loaded->translation, &content) != FAULT_NONE)
        reason = REASON_CONTENT;
    return reason;
}
