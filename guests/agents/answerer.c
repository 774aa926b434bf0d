/* How does an agent answer? Short answers are messages. A long one is put into a page that is shared with the asker. */
#include "inquiry.h"

static uint8_t text[TEXT_SIZE];

/* Share the text with the asker, whose partition is the peer. Return the name of the region. */
static uint64_t published(void)
{
    uint64_t region = 0;

    for (uint32_t i = 0; i < TEXT_SIZE; i++)
        text[i] = letter_at(i);
    tell("shared: ", request_shared_region(OWN, PEER, 1, text, TEXT_SIZE, &region));
    return region;
}

uint32_t run(void)
{
    uint64_t words[2];

    do {
        hear(words);
        say(words[0], words[0] == SQUARE ? words[1] * words[1] : published());
    } while (words[0] == SQUARE);
    return 0;
}
