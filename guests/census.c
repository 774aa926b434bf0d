/* How does the guest that places agents see the traffic?
 *
 * It reads the kernel's accounts, and knows agents by the roll.
 */
#include "census.h"
#include "counsel.h"
#include "runtime.h"

enum { STATE_OF = 16, TOLD_OF = SPARE_OF };     /* pages: of the component, and of what the kernel tells */
enum { GROUPS = EDGES / GRAPH_ROWS };

#define ROLL ((const volatile struct roll *)AT(ROLL_ENTRY))

const volatile struct roll *the_roll(void)
{
    return ROLL;
}

void *prepare_census(uint64_t size)
{
    take_page(BUFFER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    take_page(TOLD_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (uint64_t at = 0; at < size; at += PAGE_SIZE)
        take_page(STATE_OF + at / PAGE_SIZE, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    counsel_prepare();
    return (void *)AT(ENTRY_OF(STATE_OF));
}

/* The number of the agent in a partition. */
static uint64_t agent_in(uint64_t partition)
{
    for (uint64_t row = 0; row < ROLL->entries; row++)
        if (ROLL->entry[row].partition == partition && partition != 0)
            return ROLL->entry[row].number;
    return NOBODY;
}

bool census_read(uint64_t group, struct account account[GRAPH_ROWS])
{
    const volatile uint64_t *word = AT(ENTRY_OF(TOLD_OF));

    if (group >= GROUPS || TRY(graph_read(TRAFFIC, PAGE_OF(PLACER, TOLD_OF), group)).status != STATUS_OK)
        return false;
    for (uint64_t i = 0; i < GRAPH_ROWS; i++) {
        account[i].carried = word[2 * i];
        account[i].edge = word[2 * i + 1] & 0xffff;
        account[i].from = agent_in(word[2 * i + 1] >> 16 & 0xffff);
        account[i].to = agent_in(word[2 * i + 1] >> 32);
    }
    return true;
}

void report(const char *what, uint64_t first, uint64_t second, uint64_t third)
{
    say(what);
    say("|");
    say_number(first);
    say("|");
    say_number(second);
    say("|");
    say_number(third);
    say("\n");
}

void send_reports(void)
{
    send();
}

void rest(uint64_t milliseconds)
{
    wait(milliseconds);
}

void has_seen_enough(void)
{
    status.wish = 1;
}
