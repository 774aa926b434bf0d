/* Generated from model/link/numbers.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 47ebde6bb4d20b1f */

#include "numbers.h"
#include "builtins.h"

/* Which number comes next, and which came before? The steps of a link, without any bytes.

   Each step can be taken in any state, even one that no step leads to. */

/* Is a link as another one? */
bool numbers_is_same(const struct link *s, const struct link *old)
{
    bool frames = s->next == old->next && s->after == old->after && s->seen == old->seen;
    bool messages = s->taken == old->taken && s->settled == old->settled && s->given == old->given &&
                    s->held == old->held;
    return frames && messages;
}

/* Is a count one more, if the answer is OK, and otherwise the same? */
bool numbers_has_grown(uint64_t count, uint64_t old, answer_t answer)
{
    return answer == ANSWER_OK ? count > old && count - old == 1 : count == old;
}

/* Use up the number of the next frame, which is `next` before.

   Ensures: has_grown(s.next, old_s.next, result). */
answer_t numbers_take_number(struct link *s)
{
    if (s->next == LIMIT) {
        return ANSWER_EXHAUSTED;
    }
    s->next++;
    return ANSWER_OK;
}

/* Return whether a frame of this number may be accepted. */
answer_t numbers_look(const struct link *s, uint64_t number)
{
    if (number == LIMIT) {
        return ANSWER_BEYOND;
    }
    if (number >= s->after) {
        return ANSWER_OK;
    }
    uint64_t age = s->after - 1 - number;
    if (age >= WINDOW) {
        return ANSWER_TOO_OLD;
    }
    return ((s->seen >> age) & 1) == 1 ? ANSWER_REPLAYED : ANSWER_OK;
}

/* Mark a frame as accepted, whose tag was found right.

   Ensures: implies(result != Answer.OK, is_same(s, old_s)).

   Ensures: s.after >= old_s.after.

   Ensures: implies(result == Answer.OK, look(s, number) != Answer.OK).

   Ensures: implies(look(old_s, number) == Answer.OK, result == Answer.OK). */
answer_t numbers_accept(struct link *s, uint64_t number)
{
    answer_t answer = numbers_look(s, number);
    if (answer != ANSWER_OK) {
        return answer;
    }
    if (number >= s->after) {
        uint64_t moves = number - s->after + 1;
        s->seen = (moves < WINDOW ? shift_left_64(s->seen, moves) : 0) | 1;
        s->after = number + 1;
    } else {
        s->seen |= (uint64_t)1 << (s->after - 1 - number);
    }
    return ANSWER_OK;
}

/* Give a number to a message that is to be sent, which is `taken` before.

   Ensures: has_grown(s.taken, old_s.taken, result). */
answer_t numbers_take(struct link *s)
{
    if (saturating_sub(s->taken, s->settled) >= WINDOW) {
        return ANSWER_FULL;
    }
    if (s->taken == LIMIT) {
        return ANSWER_EXHAUSTED;
    }
    s->taken++;
    return ANSWER_OK;
}

/* Learn that the other end has given out so many messages. */
answer_t numbers_settle(struct link *s, uint64_t count)
{
    if (count > s->taken) {
        return ANSWER_BEYOND;
    }
    s->settled = maximum(s->settled, count);
    return ANSWER_OK;
}

/* Note that a message came.

   Ensures: result == Answer.OK or result == Answer.DOUBLED or result == Answer.BEYOND. */
answer_t numbers_hold(struct link *s, uint64_t number)
{
    if (number < s->given) {
        return ANSWER_DOUBLED;
    }
    uint64_t place = number - s->given;
    if (place >= WINDOW) {
        return ANSWER_BEYOND;
    }
    if (((s->held >> place) & 1) == 1) {
        return ANSWER_DOUBLED;
    }
    s->held |= (uint64_t)1 << place;
    return ANSWER_OK;
}

/* Give out the next message, which is `given` before.

   Ensures: has_grown(s.given, old_s.given, result). */
answer_t numbers_give(struct link *s)
{
    if ((s->held & 1) == 0) {
        return ANSWER_WAITS;
    }
    if (s->given == LIMIT) {
        return ANSWER_EXHAUSTED;
    }
    s->held = s->held >> 1;
    s->given++;
    return ANSWER_OK;
}
