/* Generated from model/link/exchange.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 9dac5789347b41ac */

#include "exchange.h"
#include "builtins.h"
#include "keys.h"

#define OF_HELLO 3                      /* purpose: the key of the first hello, and behind it that of the second */

/* How do two ends that share a secret show each other what they have booted, and agree on nonces?

   key of a hello = HMAC(secret, LABEL, purpose, zeros)

   tag = HMAC(HMAC(key of the hello, measurement and nonce), nonce that was heard and zeros)

   Each end sends its hello until a genuine frame comes, always with the nonce that it has heard last. A session
   begins with a hello that has the nonce of this end in it: whoever made it made it now. A hello of an earlier
   session is genuine, but has another one, so it begins nothing, and the next hello of the other end is heard
   instead of it. */

/* Return where the words of an end begin, in the measurements and in the nonces of both.

   Ensures: result <= 8. */
uint32_t exchange_half_of(uint32_t direction)
{
    return direction == 0 ? 0 : 8;
}

/* Compute the tag of a hello of an end. */
void exchange_sign(uint32_t *tag, const struct hello *h, const uint32_t *secret, uint32_t half)
{
    uint32_t key[8] = {0};
    keys_expand(key, secret, half == 0 ? OF_HELLO : 4);
    uint32_t shown[16];
    clear_halves(shown, 16);
    uint32_t heard[16];
    clear_halves(heard, 16);
    for (uint32_t i = 0; i < 8; i++) {
        shown[i] = h->measurement[i];
        shown[i + 8] = h->nonce[i];
        heard[i] = h->heard[i];
    }
    uint32_t middle[8] = {0};
    keys_authenticate(middle, key, shown);
    keys_authenticate(tag, middle, heard);
}

/* Make the hello of this end. */
void exchange_introduce(struct hello *h, const struct beginning *b)
{
    uint32_t half = exchange_half_of(b->direction);
    for (uint32_t i = 0; i < 8; i++) {
        h->measurement[i] = b->measurement[half + i];
        h->nonce[i] = b->nonce[half + i];
        h->heard[i] = b->nonce[8 - half + i];
    }
    uint32_t tag[8] = {0};
    exchange_sign(tag, h, b->secret, half);
    for (uint32_t i = 0; i < 8; i++) {
        h->tag[i] = tag[i];
    }
}

/* Did the other end make this hello? All words of the tag are looked at, so the time tells nothing of it. */
bool exchange_is_genuine(const struct beginning *b, const struct hello *h)
{
    uint32_t tag[8] = {0};
    exchange_sign(tag, h, b->secret, 8 - exchange_half_of(b->direction));
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 8; i++) {
        wrong |= tag[i] ^ h->tag[i];
    }
    return wrong == 0;
}

/* Has the other end booted what it should? */
bool exchange_is_expected(const struct beginning *b, const struct hello *h)
{
    uint32_t half = 8 - exchange_half_of(b->direction);
    for (uint32_t i = 0; i < 8; i++) {
        if (h->measurement[i] != b->measurement[half + i]) {
            return false;
        }
    }
    return true;
}

/* Had the other end heard the nonce of this one when it made its hello? */
bool exchange_is_answer(const struct beginning *b, const struct hello *h)
{
    uint32_t half = exchange_half_of(b->direction);
    for (uint32_t i = 0; i < 8; i++) {
        if (h->heard[i] != b->nonce[half + i]) {
            return false;
        }
    }
    return true;
}

/* Is the nonce of a hello taken that is answered like this? */
bool exchange_is_heard(answer_t answer)
{
    return answer == ANSWER_OK || answer == ANSWER_UNANSWERED;
}

/* Is the nonce of the other end that of a hello, and that of this end as it was? */
bool exchange_has_nonce_of(const struct beginning *b, const struct beginning *old, const struct hello *h)
{
    uint32_t half = exchange_half_of(b->direction);
    for (uint32_t i = 0; i < 8; i++) {
        if (b->nonce[8 - half + i] != h->nonce[i] || b->nonce[half + i] != old->nonce[half + i]) {
            return false;
        }
    }
    return true;
}

/* Are both nonces as they were? */
bool exchange_is_same(const struct beginning *b, const struct beginning *old)
{
    for (uint32_t i = 0; i < 16; i++) {
        if (b->nonce[i] != old->nonce[i]) {
            return false;
        }
    }
    return true;
}

/* Take the nonce of the other end from its hello, if that is genuine, and of what the other end should boot.

   With OK a session can begin. With UNANSWERED this end must introduce itself again, to show what it has heard.

   Ensures: has_nonce_of(b, old_b, h) if is_heard(result) else is_same(b, old_b).

   Ensures: (result == Answer.FORGED) == (not is_genuine(old_b, h)).

   Ensures: is_heard(result) == (is_genuine(old_b, h) and is_expected(old_b, h)).

   Ensures: (result == Answer.OK) == (is_heard(result) and is_answer(old_b, h)). */
answer_t exchange_meet(struct beginning *b, const struct hello *h)
{
    if (!exchange_is_genuine(b, h)) {
        return ANSWER_FORGED;
    }
    if (!exchange_is_expected(b, h)) {
        return ANSWER_STRANGER;
    }
    uint32_t half = 8 - exchange_half_of(b->direction);
    for (uint32_t i = 0; i < 8; i++) {
        b->nonce[half + i] = h->nonce[i];
    }
    return exchange_is_answer(b, h) ? ANSWER_OK : ANSWER_UNANSWERED;
}
