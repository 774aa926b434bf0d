/* How does one agent ask another? A message for each question, and a region for an answer that is too long for one. */
#include "inquiry.h"

static uint8_t text[TEXT_SIZE];

/* Count the bytes of a region that are not as agreed. */
static uint64_t wrong_in(uint64_t region)
{
    uint64_t wrong = map_shared(OWN, region, text, TEXT_SIZE) != STATUS_OK;

    for (uint32_t i = 0; i < TEXT_SIZE; i++)
        wrong += text[i] != letter_at(i);
    return wrong;
}

uint32_t run(void)
{
    uint64_t wrong = 0, words[2];

    for (uint64_t number = 0; number < QUESTIONS; number++) {
        say(SQUARE, number);
        hear(words);
        wrong += words[0] != SQUARE || words[1] != number * number;
    }
    say(TEXT, 0);
    hear(words);
    wrong += words[0] != TEXT || wrong_in(words[1]);
    tell("mapped again: ", map_shared(OWN, words[1], text, TEXT_SIZE));
    tell("answers that are wrong: ", wrong);
    return (uint32_t)wrong;
}
