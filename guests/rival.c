/* Does a partition that makes long calls take time from another?
 *
 * The victim counts. The attacker counts, too, at first. Then it makes the longest call that the console allows
 * whenever its turn is about to end.
 */
#include "runtime.h"

enum { HONEST = 2000, LATE = 2900000, GAP = 1000000 };     /* ms; ns into a turn; ns in which another ran */

static void fill_with_lines(void)
{
    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (uint64_t i = 0; i < CONSOLE_TEXT_WORDS; i++)
        AT(ENTRY_OF(BUFFER_OF))[i] = 0x0a0a0a0a0a0a0a0aull;
}

static void attack(void)
{
    uint64_t begin = nanoseconds(), last = begin;

    for (;;) {
        uint64_t time = nanoseconds();

        if (time - last > GAP)
            begin = time;
        if (time - begin > LATE) {
            status.calls += console_write(CONSOLE, buffer_page, 0, CONSOLE_TEXT_WORDS, FORMAT_TEXT).status == STATUS_OK;
            begin = time = nanoseconds();
        }
        last = time;
    }
}

void main(void)
{
    bool attacks = myself() == WORKER_B;
    uint64_t end = nanoseconds() + HONEST * 1000000ull;

    if (attacks)
        fill_with_lines();
    status.calls = 0;
    for (;;) {
        if (attacks && nanoseconds() > end)
            attack();
        status.done++;
    }
}
