/* Who carries the witness log to the host? It drains as much as one call writes, sends the records as they are, and seals. */
#include "runtime.h"

enum { RECORD_WORDS = 8, CHECKPOINT_WORDS = 12, BATCHES_PER_SEAL = 16 };
enum { CALM = 200 };        /* ms: until the calls of one round are within the rate, so that none is refused */

static uint64_t batches;

/* Move the oldest records to word `at` of the page that is sent; how many. `last` tells whether root has gone to rest. */
static uint64_t drain_to(uint64_t at, bool *last)
{
    volatile uint64_t *record = AT(ENTRY_OF(SPARE_OF)), *target = AT(ENTRY_OF(BUFFER_OF)) + at;
    struct answer answer = TRY(witness_drain(LOG, PAGE_OF(AUDITOR, SPARE_OF), DRAIN_LIMIT));

    if (answer.status != STATUS_OK)
        return 0;
    for (uint64_t i = 0; i < answer.result[0]; i++)
        *last |= is_suspension_of_root(record + RECORD_WORDS * i);
    for (uint64_t i = 0; i < RECORD_WORDS * answer.result[0]; i++)
        target[i] = record[i];
    return answer.result[0];
}

/* Drain until nothing is left, or as much as one call writes, and send it; how many records the last drain had. */
static uint64_t drain(bool *last)
{
    uint64_t words = 0, drained;

    do
        words += RECORD_WORDS * (drained = drain_to(words, last));
    while (drained == DRAIN_LIMIT && words < CONSOLE_WORDS);
    if (words != 0)
        write_out(buffer_page, words, FORMAT_HEX);
    return drained;
}

static void seal(void)
{
    TRY(witness_seal(LOG, PAGE_OF(AUDITOR, SPARE_OF)));
    write_out(PAGE_OF(AUDITOR, SPARE_OF), CHECKPOINT_WORDS, FORMAT_HEX);
}

/* The records of the last seal go out too, so that the host can check it; what follows them stays behind. */
void main(void)
{
    bool last = false;

    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(SPARE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (;;) {
        uint64_t drained = drain(&last);

        if (++batches % BATCHES_PER_SEAL == 0)
            seal();
        if (drained < DRAIN_LIMIT && last)
            break;
        if (drained < DRAIN_LIMIT)
            wait(80);
    }
    seal();
    do
        wait(CALM);
    while (drain(&last) == DRAIN_LIMIT);
    TRY(partition_suspend(OWN));
}
