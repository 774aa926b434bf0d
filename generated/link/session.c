/* Generated from model/link/session.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 1ddc734951273750 */

#include "session.h"
#include "builtins.h"
#include "aead.h"
#include "keys.h"
#include "numbers.h"
#include "words.h"

#define SHORT 256                       /* a byte holds less */

/* What does an end of a session do with messages, with frames and as time passes?

   Whatever bytes come, and whatever the state is, each function has a value and ends. Times are nanoseconds of one
   clock. */

/* Are all buffers large enough? */
bool session_is_roomy(const struct session *s)
{
    bool handed = s->frame.bytes.length >= MOST_FRAME && s->message.length >= MOST_MESSAGE;
    return handed && s->outgoing.length >= 0x15e00 && s->incoming.length >= 0x15e00;
}

/* Does the answer say that a frame is not genuine, is not for this session, or came before? */
bool session_is_refusal(answer_t answer)
{
    bool of_form = answer == ANSWER_NO_ROOM || answer == ANSWER_TOO_LARGE || answer == ANSWER_TRUNCATED;
    bool of_number = answer == ANSWER_WRONG_SESSION || answer == ANSWER_TOO_OLD || answer == ANSWER_REPLAYED;
    return of_form || of_number || answer == ANSWER_FORGED;
}

/* Return the place of a message among those on the way.

   Ensures: result < WINDOW. */
uint32_t session_place_of(uint64_t number)
{
    return number % WINDOW;
}

/* Return why a session is over. */
answer_t session_why_over(const struct session *s)
{
    return s->ended == ANSWER_EXHAUSTED ? ANSWER_EXHAUSTED : ANSWER_DEAD;
}

/* Begin a session: both ends call this with the same secret, measurements and nonces. The secret is zeroed. */
answer_t session_begin(struct session *s, struct beginning *b, uint64_t now)
{
    if (!session_is_roomy(s)) {
        return ANSWER_NO_ROOM;
    }
    s->link = (struct link){0};
    keys_derive(s, b);
    s->direction = b->direction == 0 ? 0 : 1;
    s->ended = ANSWER_OK;
    s->owes = false;
    s->heard = now;
    s->forged = 0;
    s->replayed = 0;
    s->refused = 0;
    return ANSWER_OK;
}

/* Take a message of `size` bytes for sending. It is kept until the other end has given it out. */
answer_t session_submit(struct session *s, uint64_t now)
{
    if (!session_is_roomy(s)) {
        return ANSWER_NO_ROOM;
    }
    if (s->ended != ANSWER_OK) {
        return session_why_over(s);
    }
    if (s->size > MOST_MESSAGE) {
        return ANSWER_TOO_LARGE;
    }
    uint64_t number = s->link.taken;
    if (number == s->link.settled) {
        s->heard = maximum(s->heard, now);
    }
    answer_t answer = numbers_take(&s->link);
    if (answer != ANSWER_OK) {
        return answer;
    }
    uint32_t place = session_place_of(number);
    __builtin_memmove(s->outgoing.at + MOST_MESSAGE * (uint64_t)place, s->message.at + 0, s->size);
    s->outgoing_size[place] = s->size;
    s->due[place] = now;
    s->tries[place] = 0;
    return ANSWER_OK;
}

/* Hand over the next message, and its `size`; WAITS if it has not come yet. */
answer_t session_give_out(struct session *s)
{
    if (!session_is_roomy(s)) {
        return ANSWER_NO_ROOM;
    }
    uint64_t number = s->link.given;
    answer_t answer = numbers_give(&s->link);
    if (answer != ANSWER_OK) {
        return answer;
    }
    uint32_t place = session_place_of(number);
    uint64_t size = minimum(s->incoming_size[place], MOST_MESSAGE);
    __builtin_memmove(s->message.at + 0, s->incoming.at + MOST_MESSAGE * (uint64_t)place, size);
    s->size = size;
    s->owes = true;
    return ANSWER_OK;
}

/* Make the next frame that must be sent now, of `size` bytes; NOTHING if there is none.

   DEAD if something waits for the other end, and nothing came from it for too long. */
answer_t session_poll(struct session *s, uint64_t now)
{
    if (!session_is_roomy(s)) {
        return ANSWER_NO_ROOM;
    }
    if (s->ended != ANSWER_OK) {
        return session_why_over(s);
    }
    if (s->link.settled < s->link.taken && saturating_sub(now, s->heard) >= GIVE_UP) {
        s->ended = ANSWER_DEAD;
        return ANSWER_DEAD;
    }
    uint64_t count = minimum(saturating_sub(s->link.taken, s->link.settled), WINDOW);
    uint64_t first = s->link.settled;
    uint64_t passed = 0;
    while (passed < count) {
        if (s->due[session_place_of(first + passed)] <= now) {
            return session_send_message(s, first + passed, now);
        }
        passed++;
    }
    if (s->owes) {
        return session_send(s, RECEIPT, 0, 0);
    }
    return ANSWER_NOTHING;
}

/* Make a frame of a message, and say when it is to be sent again. */
answer_t session_send_message(struct session *s, uint64_t number, uint64_t now)
{
    REQUIRES(session_is_roomy(s));
    uint32_t place = session_place_of(number);
    uint64_t size = minimum(s->outgoing_size[place], MOST_MESSAGE);
    __builtin_memmove(s->frame.bytes.at + 36, s->outgoing.at + MOST_MESSAGE * (uint64_t)place, size);
    uint8_t doublings = minimum(s->tries[place], MOST_DOUBLINGS);
    s->due[place] = minimum(now, 0x7fffffffffffffffull) + ((uint64_t)PATIENCE << (uint64_t)doublings);
    s->tries[place] = minimum((uint32_t)doublings + 1, MOST_DOUBLINGS);
    return session_send(s, MESSAGE, number, size);
}

/* Seal a frame with the next number; the message is in its place.

   Ensures: has_grown(s.link.next, old_s.link.next, result).

   Ensures: implies(result == Answer.OK, has_nonce(s.frame, s.direction, old_s.link.next)).

   Ensures: implies(result == Answer.OK, s.size <= MOST_FRAME). */
answer_t session_send(struct session *s, uint8_t kind, uint64_t number, uint64_t size)
{
    REQUIRES(session_is_roomy(s) && size <= MOST_MESSAGE);
    uint64_t frame_number = s->link.next;
    answer_t answer = numbers_take_number(&s->link);
    if (answer != ANSWER_OK) {
        s->ended = answer;
        return answer;
    }
    struct envelope *e = &s->frame;
    words_put_number(e, 0, s->id);
    words_put_number(e, AT_NUMBER, frame_number);
    e->bytes.at[AT_KIND] = kind;
    e->bytes.at[AT_VERSION] = VERSION;
    e->bytes.at[AT_SIZE] = (uint8_t)(PREFIX + size);
    e->bytes.at[19] = (uint8_t)((PREFIX + size) >> 8);
    words_put_number(e, HEADER, s->link.given);
    words_put_number(e, 28, number);
    for (uint32_t i = 0; i < 8; i++) {
        e->key[i] = s->sending[i];
    }
    session_prepare(e, s->direction, frame_number, size);
    fault_t fault = aead_seal(e);
    if (fault != FAULT_NONE) {
        return ANSWER_NO_ROOM;
    }
    s->size = LEAST_FRAME + size;
    s->owes = false;
    return ANSWER_OK;
}

/* Is the nonce that of a frame? */
bool session_has_nonce(const struct envelope *e, uint32_t direction, uint64_t number)
{
    return e->nonce[0] == direction && ((uint64_t)e->nonce[1] | ((uint64_t)e->nonce[2] << 32)) == number;
}

/* Set the parts and the nonce of a frame.

   Ensures: has_nonce.

   Ensures: e.additional == HEADER and e.content == PREFIX + size. */
void session_prepare(struct envelope *e, uint32_t direction, uint64_t number, uint64_t size)
{
    REQUIRES(size <= MOST_MESSAGE);
    e->additional = HEADER;
    e->content = PREFIX + size;
    e->nonce[0] = direction;
    e->nonce[1] = (uint32_t)number;
    e->nonce[2] = (uint32_t)(number >> 32);
}

/* Could the number of a frame be accepted before, and not any more, if the frame was? */
bool session_is_used_once(const struct session *s, const struct session *old, answer_t answer)
{
    if (answer != ANSWER_OK && answer != ANSWER_DOUBLED) {
        return true;
    }
    if (!session_is_roomy(old)) {
        return false;
    }
    uint64_t number = words_number_at(&old->frame, AT_NUMBER);
    return numbers_look(&old->link, number) == ANSWER_OK && numbers_look(&s->link, number) != ANSWER_OK;
}

/* Take a frame of `size` bytes, whoever made it. One that is not genuine, or came before, changes a count only.

   Ensures: implies(is_refusal(result), is_same(s.link, old_s.link)).

   Ensures: is_used_once(s, old_s, result).

   Ensures: s.link.after >= old_s.link.after and s.link.next == old_s.link.next. */
answer_t session_arrive(struct session *s, uint64_t now)
{
    if (!session_is_roomy(s)) {
        return ANSWER_NO_ROOM;
    }
    if (s->ended != ANSWER_OK) {
        return session_why_over(s);
    }
    answer_t answer = session_opened(s, now);
    if (answer == ANSWER_FORGED) {
        s->forged = minimum(s->forged, 0xfffffffffffffffeull) + 1;
    } else if (answer == ANSWER_REPLAYED || answer == ANSWER_TOO_OLD) {
        s->replayed = minimum(s->replayed, 0xfffffffffffffffeull) + 1;
    } else if (session_is_refusal(answer)) {
        s->refused = minimum(s->refused, 0xfffffffffffffffeull) + 1;
    }
    return answer;
}

/* Do the same, without the counts.

   Ensures: implies(is_refusal(result), is_same(s.link, old_s.link)).

   Ensures: is_used_once(s, old_s, result).

   Ensures: s.link.after >= old_s.link.after. */
answer_t session_opened(struct session *s, uint64_t now)
{
    REQUIRES(session_is_roomy(s));
    answer_t answer = session_judged(s);
    if (answer != ANSWER_OK) {
        return answer;
    }
    uint64_t number = words_number_at(&s->frame, AT_NUMBER);
    for (uint32_t i = 0; i < 8; i++) {
        s->frame.key[i] = s->receiving[i];
    }
    session_prepare(&s->frame, 1 - minimum(s->direction, 1), number, saturating_sub(s->size, LEAST_FRAME));
    fault_t fault = aead_open_(&s->frame);
    if (fault != FAULT_NONE) {
        return ANSWER_FORGED;
    }
    answer = numbers_accept(&s->link, number);
    if (answer != ANSWER_OK) {
        return answer;
    }
    s->heard = maximum(s->heard, now);
    return session_used(s, s->frame.bytes.at[AT_KIND], saturating_sub(s->size, LEAST_FRAME));
}

/* Return what the header of a frame says against it; nothing of that is certain yet.

   Ensures: implies(result == Answer.OK, s.size >= LEAST_FRAME and s.size <= MOST_FRAME).

   Ensures: result != Answer.DOUBLED.

   Ensures: result != Answer.OK or look(s.link, number_at(s.frame, AT_NUMBER)) == Answer.OK. */
answer_t session_judged(const struct session *s)
{
    REQUIRES(session_is_roomy(s));
    if (s->size < LEAST_FRAME) {
        return ANSWER_TRUNCATED;
    }
    if (s->size > MOST_FRAME) {
        return ANSWER_TOO_LARGE;
    }
    const struct envelope *e = &s->frame;
    if (words_number_at(e, 0) != s->id || e->bytes.at[AT_VERSION] != VERSION) {
        return ANSWER_WRONG_SESSION;
    }
    if ((uint64_t)e->bytes.at[AT_SIZE] + SHORT * (uint64_t)e->bytes.at[19] != s->size - HEADER - TAG) {
        return ANSWER_TRUNCATED;
    }
    return numbers_look(&s->link, words_number_at(e, AT_NUMBER));
}

/* Use the content of a genuine frame: what the other end has given out, and its message of so many bytes.

   Ensures: not is_refusal(result). */
answer_t session_used(struct session *s, uint8_t kind, uint64_t size)
{
    REQUIRES(session_is_roomy(s) && size <= MOST_MESSAGE);
    answer_t answer = numbers_settle(&s->link, words_number_at(&s->frame, HEADER));
    if (answer != ANSWER_OK || kind == RECEIPT) {
        return answer;
    }
    if (kind != MESSAGE) {
        return ANSWER_BEYOND;
    }
    uint64_t number = words_number_at(&s->frame, 28);
    answer_t held = numbers_hold(&s->link, number);
    if (held == ANSWER_OK) {
        uint32_t place = session_place_of(number);
        __builtin_memmove(s->incoming.at + MOST_MESSAGE * (uint64_t)place, s->frame.bytes.at + 36, size);
        s->incoming_size[place] = size;
    }
    if (held != ANSWER_BEYOND) {
        s->owes = true;
    }
    return held;
}
