/* What does a half find of what the other one had? Each counts the words that are not as the other one left them.
 *
 * The first fills a page and a block before the second is there, hears from it when it has them, and sees in the end,
 * when it gets no more messages, whether they came back.
 */
#include "half.h"
#include "large.h"

#define WORD ((volatile uint64_t *)LARGE)
#define PAGE AT(ENTRY_OF(EXCHANGE_OF))
#define MAIL PAGE_OF(myself(), SPARE_OF)
#define LEFT_AT(i) ((i) * 0x9e3779b97f4a7c15ull + 1)

enum { WORDS = LARGE_SIZE / 8, MESSAGES = 6, PATIENCE = 1000000000 /* ns */ };

static void fill(volatile uint64_t *word, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        word[i] = LEFT_AT(i);
}

/* Count the words that are not what was left, or its complement; and invert every bit. */
static uint64_t other_words(volatile uint64_t *word, uint64_t count, uint64_t flipped)
{
    uint64_t other = 0;

    for (uint64_t i = 0; i < count; i++) {
        other += word[i] != (LEFT_AT(i) ^ flipped);
        word[i] = ~word[i];
    }
    return other;
}

static void count_others(uint64_t flipped)
{
    status.wish = other_words(PAGE, PAGE_WORDS, flipped) + other_words(WORD, WORDS, flipped);
}

/* Hear from the other half until there is no edge any more. */
static void listen(void)
{
    uint64_t heard = 0;

    while (TRY(edge_await(RECEIVING, PATIENCE)).status == STATUS_OK) {
        heard += TRY(edge_receive(RECEIVING, MAIL)).status == STATUS_OK;
        if (heard == MESSAGES)
            status.done = HEARD;
    }
}

static void be_first(void)
{
    take_page(EXCHANGE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    fill(PAGE, PAGE_WORDS);
    fill(WORD, WORDS);
    status.done = FILLED;
    listen();
    count_others(~0ull);
    status.done = CHECKED;
}

static void be_second(void)
{
    count_others(0);
    for (uint64_t i = 0; i < MESSAGES; i++)
        TRY(edge_send(SENDING, MAIL, 1, SCHEMA));
}

void main(void)
{
    take_page(SPARE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    if (myself() == WORKER_A)
        be_first();
    else
        be_second();
    for (;;)
        give_way();
}
