/* What do sessions make of forged frames, and of states that no step leads to? Every buffer is exactly as large as it
   must be, so a build that checks itself notices any access outside.

       attacked COUNT SEED      prints how often each answer was given to a frame, a line for each */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session.h"

enum { ENDS = 2, ANSWERS = ANSWER_DEAD + 1, PLACES = WINDOW * MOST_MESSAGE };

static uint64_t state;

static uint32_t below(uint32_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % bound;
}

static uint64_t telling(void)        /* a number that means something to a session */
{
    static const uint64_t values[] = {0, 1, 63, 64, 65, UINT64_MAX - 64, UINT64_MAX - 1, UINT64_MAX};

    return below(2) ? below(200) : values[below(sizeof values / sizeof values[0])];
}

static struct u8_slice room(uint64_t size)
{
    uint8_t *made = calloc(size, 1);

    if (made == NULL) {
        abort();
    }
    return (struct u8_slice){made, size};
}

static void begin(struct session *s, uint32_t direction)
{
    struct beginning b = {.direction = direction};

    if (session_begin(s, &b, 0) != ANSWER_OK) {
        abort();
    }
}

/* Set a part of the state to anything; keys and id stay, so that frames go on being genuine. */
static void disturb(struct session *s)
{
    uint32_t place = below(WINDOW);
    uint64_t *counters[] = {&s->link.next,  &s->link.after, &s->link.seen, &s->link.taken, &s->link.settled,
                            &s->link.given, &s->link.held,  &s->heard,     &s->forged,     &s->due[place]};

    *counters[below(sizeof counters / sizeof counters[0])] = telling();
    s->outgoing_size[place] = (uint16_t)telling();
    s->incoming_size[place] = (uint16_t)telling();
    s->tries[place] = (uint8_t)telling();
    if (below(8) == 0) {
        s->ended = ANSWER_OK;
    }
}

static void damage(struct session *s)
{
    if (below(4) == 0) {
        s->size = below(MOST_FRAME + 8);
    }
    for (uint32_t count = below(3); count > 0; count--) {
        s->frame.bytes.at[below(below(2) ? HEADER : MOST_FRAME)] ^= (uint8_t)(1 << below(8));
    }
}

int main(int count, char **arguments)
{
    static struct session ends[ENDS];
    uint64_t answers[ANSWERS] = {0}, left = count > 1 ? strtoull(arguments[1], NULL, 10) : 0;

    state = 88172645463325252u + (count > 2 ? strtoull(arguments[2], NULL, 10) : 0);
    for (uint32_t i = 0; i < ENDS; i++) {
        ends[i].frame.bytes = room(MOST_FRAME);
        ends[i].message = room(MOST_MESSAGE);
        ends[i].outgoing = room(PLACES);
        ends[i].incoming = room(PLACES);
        begin(&ends[i], i);
    }
    for (uint64_t now = 0; left > 0; left--, now += below(1 << 26)) {
        uint32_t i = below(ENDS);
        struct session *from = &ends[i], *to = &ends[1 - i];

        from->size = below(MOST_MESSAGE + 2);
        (void)session_submit(from, now);
        if (session_poll(from, below(50) ? now : telling()) == ANSWER_OK) {
            memcpy(to->frame.bytes.at, from->frame.bytes.at, MOST_FRAME);
            to->size = from->size;
        }
        if (below(2)) {
            damage(to);
        }
        answers[session_arrive(to, now)]++;
        (void)session_give_out(to);
        if (below(16) == 0) {
            disturb(&ends[below(ENDS)]);
        }
        if (below(64) == 0) {
            begin(from, i);
            begin(to, 1 - i);
        }
    }
    for (uint32_t answer = 0; answer < ANSWERS; answer++) {
        printf("%" PRIu32 ": %" PRIu64 "\n", answer, answers[answer]);
    }
    return 0;
}
