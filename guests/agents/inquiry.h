/* What have the asker and the answerer agreed on? */
#ifndef INQUIRY_H
#define INQUIRY_H

#include "corollary.h"

enum { QUESTIONS = 20, TEXT_SIZE = 4096 };  /* the text fills a page, which is too long for a message */
enum { SQUARE, TEXT };                      /* the first word of a question: of the second one, or all of the text */

static inline void say(uint64_t first, uint64_t second)
{
    uint64_t words[] = {first, second};

    while (send(SENDING, words, 2, SCHEMA) == STATUS_WOULD_BLOCK)
        ;
}

static inline void hear(uint64_t words[2])
{
    struct about about;

    while (recv(RECEIVING, words, 2, &about) == STATUS_WOULD_BLOCK)
        ;
}

/* The byte of the text at a place. */
static inline uint8_t letter_at(uint32_t place)
{
    return (uint8_t)(place * 7 + place / 256);
}

#endif
