/* Who carries the witness log to the host? It drains as much as fits a page, sends the records as they are, and seals. */
#include "runtime.h"

enum { RECORD_WORDS = 8, CHECKPOINT_WORDS = 12, PAGE_WORDS = PAGE_SIZE / 8, BATCHES_PER_SEAL = 16 };
enum { PAUSE = 20, CALM = 200 };        /* ms: between two looks at an empty log, and until the others are at rest */

static uint64_t batches;

/* Move the oldest records to word `at` of the page that is sent, those before number `end`; how many left the log.
 * `last` tells whether root has gone to rest.
 */
static uint64_t drain_to(uint64_t *at, uint64_t end, bool *last)
{
    volatile uint64_t *record = AT(ENTRY_OF(SPARE_OF)), *target = AT(ENTRY_OF(BUFFER_OF));
    struct answer answer = TRY(witness_drain(LOG, PAGE_OF(AUDITOR, SPARE_OF)));

    if (answer.status != STATUS_OK)
        return 0;
    for (uint64_t i = 0; i < answer.result[0]; i++, record += RECORD_WORDS) {
        *last |= is_suspension_of_root(record);
        for (uint64_t word = 0; record[0] < end && word < RECORD_WORDS; word++)
            target[(*at)++] = record[word];
    }
    return answer.result[0];
}

/* Drain until nothing is left, or the page is full, and send it; how many records the last drain had. */
static uint64_t drain(uint64_t end, bool *last)
{
    uint64_t words = 0, drained;

    do
        drained = drain_to(&words, end, last);
    while (drained == DRAIN_LIMIT && words < PAGE_WORDS);
    if (words != 0)
        write_out(buffer_page, words, FORMAT_HEX);
    return drained;
}

/* The number of the first record that the seal does not cover. */
static uint64_t seal(void)
{
    struct answer answer = TRY(witness_seal(LOG, PAGE_OF(AUDITOR, SPARE_OF)));

    write_out(PAGE_OF(AUDITOR, SPARE_OF), CHECKPOINT_WORDS, FORMAT_HEX);
    return answer.result[0];
}

/* All that the last seal covers goes out, and nothing else: whoever has the key can check every record that the host gets. */
static void finish(void)
{
    bool last = true;
    uint64_t end = seal();

    while (drain(end, &last) == DRAIN_LIMIT)
        ;
    TRY(partition_suspend(OWN));
}

void main(void)
{
    bool last = false;

    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(SPARE_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (;;) {
        uint64_t drained = drain(~0ull, &last);

        if (++batches % BATCHES_PER_SEAL == 0)
            seal();
        if (drained < DRAIN_LIMIT && last)
            break;
        if (drained < DRAIN_LIMIT)
            wait(PAUSE);
    }
    wait(CALM);
    finish();
}
