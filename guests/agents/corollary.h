/* What may an agent ask of the kernel? Every call is checked when it is made, and returns its status. */
#ifndef COROLLARY_H
#define COROLLARY_H

#include "slots.h"
#include "status.h"

#define IMPORT(name) __attribute__((import_module("corollary"), import_name(#name)))
#define WORDS_OF_MESSAGE 32

/* The details of a received message. */
struct about {
    uint64_t length, badge, sequence;
};

/* Send a message of `count` words through an edge. */
IMPORT(send) uint32_t message_send(uint64_t edge, const uint64_t *words, uint32_t count, uint64_t schema);
/* Receive the oldest message of an edge, as much as there is room for. */
IMPORT(recv) uint32_t message_recv(uint64_t edge, uint64_t *words, uint32_t room, struct about *about);
IMPORT(notify) uint32_t notify(uint64_t notification, uint64_t bits);
/* Get the bits that were set, and clear them. */
IMPORT(wait) uint32_t wait(uint64_t notification, uint64_t *bits);
IMPORT(yield_now) uint32_t yield_now(void);
IMPORT(print) uint32_t print(const char *text, uint32_t size);

uint32_t run(void);

/* Print a text followed by a number, as one line on the console. */
static inline void tell(const char *text, uint64_t number)
{
    char line[64];
    uint32_t used = 0, digits = 1;

    for (; text[used] != 0; used++)
        line[used] = text[used];
    for (uint64_t rest = number / 10; rest != 0; rest /= 10)
        digits++;
    for (uint32_t i = digits; i-- > 0; number /= 10)
        line[used + i] = (char)('0' + number % 10);
    print(line, used + digits);
}

#endif
