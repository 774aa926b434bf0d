/* What does each import of an agent ask of the kernel? The status of its last hypercall is returned unchanged.
 *
 * Addresses are checked here, and everything else by the kernel.
 */
#include "calls.h"

enum { LINE = 96 };

/* ---- calls that are one hypercall */

/* Make a call that comes too soon again, unless the agent is to see that. */
#define ASK(call) \
    ({ struct answer asked_; \
       do asked_ = note(call); \
       while (!(LETTER->hasty && asked_.status == STATUS_RATE_LIMITED) && too_soon(asked_.status)); \
       asked_; })

/* send(handle, words, count, schema) */
trap_t perform_send(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    uint32_t count = (uint32_t)slot[2];
    const uint8_t *words = within(i, slot[1], WORD * (uint64_t)count);
    volatile uint64_t *page = AT(ENTRY_OF(MESSAGE_OF));

    if (words == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    if (count <= PAGE_SIZE / WORD - MESSAGE_PAYLOAD)
        copy_out(page + MESSAGE_PAYLOAD, words, WORD * (uint64_t)count);
    allowed(ended, ASK(edge_send(slot[0], LETTER->message_page, count, slot[3])));
    return TRAP_NONE;
}

/* An agent knows the end that it receives from by its first handle, and in a partition with a number that was used
 * before this has another one.
 */
static uint64_t end_of(uint64_t handle)
{
    return handle == RECEIVING && LETTER->managed && ORDER->inbox != 0 ? ORDER->inbox : handle;
}

/* recv(handle, words, room, about): as many words as there is room for */
trap_t perform_recv(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    uint32_t room = (uint32_t)slot[2];
    uint8_t *words = within(i, slot[1], WORD * (uint64_t)room), *about = within(i, slot[3], WORD * ABOUT_WORDS);
    volatile uint64_t *page = AT(ENTRY_OF(MESSAGE_OF));
    struct answer answer;

    if (words == 0 || about == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    answer = ASK(edge_receive(end_of(slot[0]), LETTER->message_page));
    if (allowed(ended, answer)) {
        copy_in(words, page + MESSAGE_PAYLOAD,
                WORD * (answer.result[ABOUT_LENGTH] < room ? answer.result[ABOUT_LENGTH] : room));
        copy_in(about, answer.result, WORD * ABOUT_WORDS);
    }
    return TRAP_NONE;
}

/* notify(handle, bits) */
trap_t perform_notify(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    (void)i;
    allowed(ended, ASK(notification_signal(slot[0], slot[1])));
    return TRAP_NONE;
}

/* wait(handle, bits): the bits that were set */
trap_t perform_wait(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    uint8_t *bits = within(i, slot[1], WORD);
    struct answer answer;

    if (bits == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    answer = ASK(notification_wait(slot[0]));
    if (allowed(ended, answer))
        copy_in(bits, answer.result, WORD);
    return TRAP_NONE;
}

/* yield_now() */
trap_t perform_yield_now(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    (void)i;
    (void)slot;
    allowed(ended, ASK(yield_now()));
    return TRAP_NONE;
}

/* print(text, size): a line on the console for each line of the text; longer ones are split */
trap_t perform_print(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    const uint8_t *text = within(i, slot[0], (uint32_t)slot[1]);
    uint32_t size = (uint32_t)slot[1], used = 0;
    char line[LINE + 1];

    if (text == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    for (uint32_t n = 0; n < size; n++) {
        if (text[n] != '\n' && text[n] != 0)
            line[used++] = (char)text[n];
        if (used == 0 || (used < LINE && text[n] != '\n' && n + 1 < size))
            continue;
        line[used] = 0;
        say("said|");
        say(line);
        say("\n");
        used = 0;
    }
    ended->status = send();
    ended->record = status.calls;
    return TRAP_NONE;
}

/* ---- regions: a page that several partitions map, which is copied from and to the memory of agents */

enum { WINDOWS = 5, NTH_BITS = 2, NTH_MASK = 3 };     /* the last window stays free for a region that is known */

static uint64_t window[WINDOWS];            /* the region that is mapped in each; 0 for none */

/* The first window with this region; if there is none, the last one. */
static uint32_t window_with(uint64_t region)
{
    uint32_t n = 0;

    while (n + 1 < WINDOWS && window[n] != region)
        n++;
    return n;
}

/* request_shared_region(partition, reader, nth, bytes, size, region): the bytes come into a page of the guest */
trap_t perform_request_shared_region(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    uint32_t nth = (uint32_t)slot[2], size = (uint32_t)slot[4];
    const uint8_t *bytes = within(i, slot[3], size);
    uint8_t *region = within(i, slot[5], WORD);
    uint64_t page = LETTER->window_page, name = page << NTH_BITS | nth;

    if (bytes == 0 || region == 0 || size > PAGE_SIZE)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    if (allowed(ended, TRY(hypercall(OPERATION_PAGE_SHARE, slot[0], page, nth, slot[1], 0, 0)))) {
        copy_out(AT(ENTRY_OF(WINDOW_OF)), bytes, size);
        copy_in(region, &name, WORD);
    }
    return TRAP_NONE;
}

/* map_shared(partition, region, bytes, size): the kernel is asked each time, and then the bytes are copied */
trap_t perform_map_shared(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    uint64_t region = slot[1];
    uint32_t size = (uint32_t)slot[3], n = window_with(region), empty = window_with(0);
    uint8_t *bytes = within(i, slot[2], size);
    bool is_known = region != 0 && window[n] == region, fits = is_known || empty + 1 < WINDOWS;

    if (bytes == 0 || size > PAGE_SIZE)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    if (allowed(ended, TRY(hypercall(OPERATION_SHARE_MAP, slot[0], region >> NTH_BITS, region & NTH_MASK,
                                     LETTER->table, ENTRY_OF_PEER(fits ? empty : 0), 0)))) {
        window[n] = is_known ? 0 : window[n];
        window[empty] = region;
        n = empty;
    }
    if (ended->status == STATUS_OK || (ended->status == STATUS_ALREADY_LINKED && is_known))
        copy_in(bytes, AT(ENTRY_OF_PEER(n)), size);
    return TRAP_NONE;
}

/* ---- agents */

/* Pass capabilities on to the partition of a child, until one is refused. */
static bool give(struct ended *ended, uint64_t child, const uint8_t *grants, uint32_t count)
{
    bool given = true;

    for (uint32_t n = 0; given && n < count; n++) {
        uint64_t grant[GRANT_WORDS];
        struct answer about;

        copy_in((uint8_t *)grant, (const uint64_t *)(grants + n * sizeof(grant)), sizeof(grant));
        about = TRY(capability_inspect(grant[GRANT_HANDLE]));
        given = allowed(ended, about) &&
            allowed(ended, TRY(hypercall(OPERATION_CAPABILITY_GRANT, grant[GRANT_HANDLE], grant[GRANT_SLOT],
                                         grant[GRANT_RIGHTS], child, about.result[1], 0)));
    }
    return given;
}

/* spawn_agent(partition, place, grants, count, badge): the child begins, is given what is listed, and starts */
trap_t perform_spawn_agent(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    static bool taken[CHILDREN];
    uint32_t place = (uint32_t)slot[1], count = (uint32_t)slot[3];
    const uint8_t *grants = within(i, slot[2], WORD * GRANT_WORDS * (uint64_t)count);
    uint8_t *badge = within(i, slot[4], WORD);
    struct prover prover = {AT(ENTRY_OF(MESSAGE_OF)), LETTER->message_page, LETTER->self};
    uint32_t known = place < CHILDREN ? place : 0, row = known == place && !taken[place] ? place : CHILDREN;
    struct answer begun;

    if (grants == 0 || badge == 0)
        return TRAP_MEMORY_OUT_OF_BOUNDS;
    begun = begin_agent(&prover, slot[0], LETTER->row + row, place, LETTER->first_page[known], &LETTER->child[known]);
    if (!allowed(ended, begun)) {
        ended->record = begun.result[0];
        return TRAP_NONE;
    }
    if (give(ended, slot[0], grants, count) && allowed(ended, TRY(partition_start(slot[0], GUEST_BASE)))) {
        taken[place] = true;
        copy_in(badge, begun.result, WORD);
    } else {
        end_agent(slot[0], begun.result[0], LIFE_RUNNING);
    }
    return TRAP_NONE;
}

/* hibernate(partition): when the agent is resumed, the answer is OK */
trap_t perform_hibernate(struct instance *i, const uint64_t *slot, struct ended *ended)
{
    uint64_t badge = LETTER->badge;

    (void)i;
    if (!allowed(ended, TRY(agent_change(slot[0], badge, LIFE_SUSPENDED, LIFE_RUNNING))))
        return TRAP_NONE;
    ended->sleeps = allowed(ended, TRY(agent_change(slot[0], badge, LIFE_HIBERNATED, LIFE_SUSPENDED)));
    if (!ended->sleeps)
        TRY(agent_change(slot[0], badge, LIFE_RUNNING, LIFE_SUSPENDED));
    return TRAP_NONE;
}
