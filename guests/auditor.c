/* How does the witness log reach the host? The auditor reads a page of it, checks and sends it, and only then drops it.
 *
 * It also has the log sealed.
 */
#include "runtime.h"

enum { BATCHES_PER_SEAL = 16 };
enum { PAUSE = 20, CALM = 200 };        /* ms between two looks at an empty log, and until the others are at rest */

static uint64_t batches;
static uint64_t next, kept;             /* numbers of the next record to read, and of the oldest still in the log */

/* Are these the records that were asked for, in sequence? */
static bool is_whole(const volatile uint64_t *record, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        if (record[i * RECORD_WORDS] != next + i)
            return false;
    return true;
}

/* Read the next records, and copy those before number `end` to word `at` of the page to send.
 * Returns how many were read. `last` is set if one of them says that root has suspended itself.
 */
static uint64_t read_to(uint64_t *at, uint64_t end, bool *last)
{
    volatile uint64_t *record = AT(ENTRY_OF(SPARE_OF)), *target = AT(ENTRY_OF(BUFFER_OF));
    struct answer answer = TRY(witness_read(LOG, PAGE_OF(AUDITOR, SPARE_OF), next));

    if (answer.status != STATUS_OK || !is_whole(record, answer.result[0]))
        return 0;
    for (uint64_t i = 0; i < answer.result[0]; i++, record += RECORD_WORDS) {
        *last |= is_suspension_of_root(record);
        for (uint64_t word = 0; record[0] < end && word < RECORD_WORDS; word++)
            target[(*at)++] = record[word];
    }
    next += answer.result[0];
    return answer.result[0];
}

/* Discard the records that were sent: all those that were read and come before number `end`. */
static void discard(uint64_t end)
{
    uint64_t sent = next < end ? next : end;

    while (kept < sent) {
        uint64_t last = sent - kept > DRAIN_LIMIT ? kept + DRAIN_LIMIT - 1 : sent - 1;

        if (TRY(witness_discard(LOG, last)).status != STATUS_OK)
            break;
        kept = last + 1;
    }
}

/* Read until nothing is left or the page is full, send the page, and discard its records.
 * Returns how many records the last read had.
 */
static uint64_t drain(uint64_t end, bool *last)
{
    uint64_t words = 0, copied;

    do
        copied = read_to(&words, end, last);
    while (copied == DRAIN_LIMIT && words < PAGE_WORDS);
    if (words == 0 || write_out(buffer_page, words, FORMAT_HEX) == STATUS_OK)
        discard(end);
    return copied;
}

/* Seal the log; return the number of the first record that the seal does not cover. */
static uint64_t seal(void)
{
    struct answer answer = TRY(witness_seal(LOG, PAGE_OF(AUDITOR, SPARE_OF)));

    write_out(PAGE_OF(AUDITOR, SPARE_OF), CHECKPOINT_WORDS, FORMAT_HEX);
    return answer.result[0];
}

/* Send exactly what the last seal covers, so that a holder of the key can check every record that the host gets. */
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
