/* How do both ends of a move reach each other if they are on two machines? In messages of the link: a note, then bytes.
 *
 * The link gives out each message once and in order, so a note may come late, and is lost only with the session.
 */
#include "manager/migration.h"
#include "carrier.h"
#include "constants.h"
#include "mail.h"
#include "stream.h"

/* Notes besides those of a move: part of a chunk, that there is room, a message, what was put where the agent is, that
 * it will not move again, and that it has ended.
 */
enum { PART_NOTE = NOTES, ROOM_NOTE, MAIL_NOTE, PUT_NOTE, ENOUGH_NOTE, ENDED_NOTE };

enum { PART = 1024, PARTS = PAGE_SIZE / PART };
enum { LATER = 1000 };          /* ms for the other end to learn all */

static uint64_t posted;         /* the last message that was passed on */
static uint64_t told_put;       /* the last number that the other end was told */
static uint64_t told_room;      /* the badge of the room that it was told of */
static uint64_t ended;          /* agents there */
static bool has_room, is_enough, is_finished;
static uint64_t unsound[UNSOUND_REASONS];       /* notes that made no sense */

/* ---- messages of the link */

static void copy(volatile uint8_t *target, const volatile uint8_t *source, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        target[i] = source[i];
}

/* If too many messages are on the way, wait until one has arrived. */
static bool submit(uint64_t size)
{
    while (!stream_submit(size)) {
        if (stream_is_over())
            return false;
        stream_step();
    }
    return true;
}

/* Pass a note on with bytes after it. */
static bool pass(const struct note *note, const volatile void *bytes, uint64_t count)
{
    copy(message, (const volatile uint8_t *)note, sizeof(*note));
    copy(message + sizeof(*note), bytes, count);
    return submit(sizeof(*note) + count);
}

bool carry(struct manager *s, const struct note *note)
{
    (void)s;
    has_room &= note->kind != RESERVE_NOTE;
    return pass(note, 0, 0);
}

static void tell(uint64_t kind, uint64_t number)
{
    pass(&(struct note){.kind = kind, .chunk = number}, 0, 0);
}

bool has_room_there(agent_id_t a)
{
    (void)a;
    return has_room;
}

/* ---- chunks: in parts, without the zeros at their ends; a part in the middle without anything is left out */

static uint64_t size_of(const volatile uint8_t *part)
{
    uint64_t size = PART;

    while (size > 0 && part[size - 1] == 0)
        size--;
    return size;
}

static struct note part_of(const struct note *note, uint64_t kind)
{
    return (struct note){.kind = kind, .to = note->to, .from = note->from, .ticket = note->ticket,
                         .chunk = note->chunk};
}

/* Nobody else comes, so it finds its own partition when it is back. */
bool leave(agent_id_t a)
{
    return ward_leave(a);
}

uint64_t memory_to_carry(void)
{
    return ward_memory_pages();
}

bool carry_chunk(struct manager *s, agent_id_t a, const struct note *note)
{
    const volatile uint8_t *bytes = ward_view_chunk(a, note->chunk);
    struct note part = part_of(note, PART_NOTE);

    (void)s;
    for (part.size = 0; bytes != 0 && part.size < PARTS; part.size++) {
        uint64_t size = size_of(bytes + PART * part.size);

        if ((size != 0 || part.size == 0 || part.size + 1 == PARTS) && !pass(&part, bytes + PART * part.size, size))
            return false;
    }
    return bytes != 0;
}

/* Where a chunk is written: in a page that the guest of the agent may read, or in the memory that it will have. */
static volatile uint8_t *place_of(const struct agent *g, const struct note *note)
{
    uint64_t snapshot = g->chunks - memory_to_carry();

    if (note->chunk >= snapshot)
        return ward_memory(note->chunk - snapshot);
    return note->size != 0 || ward_lend_chunk(note->to, note->chunk) ? ward_chunk(note->chunk) : 0;
}

/* A part came. The first one finds zeros; with the last one the chunk is here. */
static void hear_part(struct manager *s, const struct note *note, uint64_t count)
{
    const struct agent *g = &s->agent[note->to];
    struct note whole = part_of(note, CHUNK_NOTE);
    volatile uint8_t *chunk;

    if (g->step != STEP_PROMISED || g->ticket != note->ticket || g->chunk != note->chunk)
        return;
    chunk = place_of(g, note);
    if (chunk == 0)
        return;
    for (uint64_t i = 0; note->size == 0 && i < PAGE_SIZE; i++)
        chunk[i] = 0;
    copy(chunk + PART * note->size, message + sizeof(*note), count);
    if (note->size + 1 == PARTS)
        hear(s, &whole);
}

/* ---- messages of the agent */

uint64_t hand_over_mail(void)
{
    if (mail_is_here())
        posted = mail_leave();
    return mail_put();
}

void take_over_mail(uint64_t read)
{
    mail_come(read);
    told_put = read;
}

bool has_enough_mail(void)
{
    return mail_taken() >= the_roll()->messages;
}

/* Let messages go where the agent is. */
static bool pass_mail(void)
{
    bool busy = mail_take();

    while (mail_deliver())
        busy = true;
    if (mail_is_here() && !the_roll()->is_home && told_put != mail_put()) {
        told_put = mail_put();
        tell(PUT_NOTE, told_put);
    }
    for (; !mail_is_here() && the_roll()->is_home && posted < mail_taken(); posted++)
        pass(&(struct note){.kind = MAIL_NOTE}, mail_kept(posted + 1), sizeof(struct mail));
    return busy;
}

/* ---- what comes */

/* Why does a note make no sense? Whoever is at the other end of the link must not reach what lies beside rows, chunks
 * and messages.
 */
static uint64_t flaw_of(const struct note *note, uint64_t count)
{
    const struct mail *mail = (const struct mail *)(message + sizeof(*note));

    if (note->kind > ENDED_NOTE)
        return UNSOUND_KIND;
    if (note->kind == CHUNK_NOTE)
        return UNSOUND_WHOLE;
    if (note->to >= the_roll()->entries)
        return UNSOUND_ROW;
    if (note->kind == RESERVE_NOTE && !ward_can_hold(note->size, note->chunks))
        return UNSOUND_SIZE;
    if (note->kind == PART_NOTE && (!ward_is_chunk(note->chunk) || note->size >= PARTS))
        return UNSOUND_PART;
    if ((note->kind == PART_NOTE && count > PART) || (note->kind == MAIL_NOTE && count != sizeof(*mail)))
        return UNSOUND_BYTES;
    if (note->kind == MAIL_NOTE && mail->length > PAYLOAD_WORDS)
        return UNSOUND_LENGTH;
    return note->kind == COMMIT_NOTE && !mail_can_come(note->read) ? UNSOUND_READ : UNSOUND_NOTHING;
}

enum { TOO_MANY = 1 << 16 };    /* chunks: nobody has room for them */

/* Each of these has another flaw; besides, one is too short. */
static const struct { struct note note; uint64_t bytes; } FORGERY[] = {
    {.note = {.kind = ENDED_NOTE + 1}},
    {.note = {.kind = CHUNK_NOTE}},
    {.note = {.kind = WANT_NOTE, .to = MOST_AGENTS}},
    {.note = {.kind = RESERVE_NOTE, .size = (uint64_t)TOO_MANY * PAGE_SIZE, .chunks = TOO_MANY}},
    {.note = {.kind = PART_NOTE, .size = 1, .chunk = TOO_MANY}},
    {.note = {.kind = PART_NOTE}, .bytes = PART + 1},
    {.note = {.kind = MAIL_NOTE}, .bytes = sizeof(struct mail)},
    {.note = {.kind = COMMIT_NOTE, .read = ~0ull}},
};

void forge(void)
{
    static union { struct mail mail; uint8_t bytes[PART + 1]; } forged = {.mail = {.length = PAYLOAD_WORDS + 1}};

    for (uint64_t i = 0; i < sizeof(FORGERY) / sizeof(FORGERY[0]); i++)
        pass(&FORGERY[i].note, &forged, FORGERY[i].bytes);
    submit(sizeof(struct note) - 1);
}

static void take_note(struct manager *s, uint64_t size)
{
    struct note note;
    uint64_t flaw = UNSOUND_SHORT;

    if (size >= sizeof(note)) {
        copy((volatile uint8_t *)&note, message, sizeof(note));
        flaw = flaw_of(&note, size - sizeof(note));
    }
    unsound[flaw]++;
    if (flaw != UNSOUND_NOTHING)
        return;
    if (note.kind < NOTES)
        hear(s, &note);
    else if (note.kind == PART_NOTE)
        hear_part(s, &note, size - sizeof(note));
    else if (note.kind == ROOM_NOTE)
        has_room = true;
    else if (note.kind == MAIL_NOTE)
        mail_accept((const struct mail *)(message + sizeof(note)));
    else if (note.kind == PUT_NOTE)
        mail_was_put(note.chunk);
    else if (note.kind == ENOUGH_NOTE)
        is_enough = true;
    else if (note.kind == ENDED_NOTE)
        ended++;
}

static bool listen(struct manager *s)
{
    bool busy = stream_step();
    uint64_t size;

    while (stream_take(&size)) {
        take_note(s, size);
        busy = true;
    }
    return busy;
}

static void tell_of_room(void)
{
    agent_id_t a = row_with_room();
    uint64_t badge = a < the_roll()->entries ? the_roll()->entry[a].badge : told_room;

    if (badge == told_room)
        return;
    told_room = badge;
    tell(ROOM_NOTE, 0);
}

bool carry_on(struct manager *s)
{
    bool busy = listen(s);

    busy |= pass_mail();
    tell_of_room();
    if (is_enough && !is_finished) {
        is_finished = true;
        end_agents();
    }
    return busy;
}

/* ---- beginning and end */

void prepare_carrier(void)
{
    prepare_chunks();
    mail_prepare(the_roll()->is_home);
    stream_prepare();
    stream_begin();
}

/* The agent that sends to it ends where both were first. */
void end_moves(struct manager *s)
{
    (void)s;
    is_enough = true;
    if (!the_roll()->is_home)
        tell(ENOUGH_NOTE, 0);
    is_finished = !the_roll()->is_home;
}

void tell_ended(struct manager *s, agent_id_t a)
{
    (void)s;
    if (a == the_roll()->tried)
        tell(ENDED_NOTE, 0);
}

uint64_t ended_there(void)
{
    return ended;
}

void take_leave(struct manager *s)
{
    for (uint64_t end = milliseconds() + LATER; milliseconds() < end;)
        carry_on(s);
    report("link", mail_taken(), stream_kept_out(), stream_why_over());
    for (uint64_t flaw = UNSOUND_NOTHING + 1; flaw < UNSOUND_REASONS; flaw++)
        report("unsound", flaw, unsound[flaw], 0);
}
