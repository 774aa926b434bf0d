/* How do guests wait their turn, attempt what they must not do, and report to the host? */
#include "runtime.h"

__attribute__((section(".data.status"))) struct status status = {0};

enum { LINE = 256, MOST = CONSOLE_TEXT_WORDS * 8, ROUNDS = 256 };

uint64_t buffer_page, console = CONSOLE, landing, patience = 60;
static uint64_t used, caught;
static struct { uint32_t observed, before, after; } outcome[ATTEMPTS];  /* of attempts, and the calls made until then */

struct answer note(struct answer answer)
{
    status.calls += answer.status != STATUS_WITNESS_FULL;
    return answer;
}

bool too_soon(uint64_t outcome)
{
    bool soon = outcome == STATUS_RATE_LIMITED || outcome == STATUS_WITNESS_FULL;

    if (soon)
        wait(patience);
    return soon;
}

uint64_t nanoseconds(void)
{
    uint64_t ticks;

    __asm__ volatile("isb\n mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks * TICK_NS;
}

void give_way(void)
{
    __asm__ volatile("wfi" ::: "memory");
}

void wait(uint64_t milliseconds)
{
    uint64_t end = nanoseconds() + milliseconds * 1000000;

    while (nanoseconds() < end)
        give_way();
}

/* Let time pass without giving the processor up: while all guests rest, the machine's time runs ahead of its disk, and
 * of other machines. To read the clock leaves QEMU's translated code, which takes it as long as many rounds. */
void linger(uint64_t time)
{
    uint64_t end = nanoseconds() + time;

    while (nanoseconds() < end)
        for (int round = 0; round < ROUNDS; round++)
            __asm__ volatile("");
}

uint64_t myself(void)
{
    static uint64_t known;

    if (known == 0)
        known = TRY(capability_inspect(OWN)).result[0] >> 32;
    return known;
}

/* Take a page of a region, and map it. */
void take_page_of(uint64_t region, uint64_t page, uint64_t entry, uint64_t kind, uint64_t access)
{
    TRY(page_create(region, page, kind, SELF));
    TRY(page_map(OWN, page, PAGE_OF(myself(), TABLE_3_OF), entry, access));
}

void take_page(uint64_t what, uint64_t kind, uint64_t access)
{
    uint64_t page = PAGE_OF(myself(), what);

    take_page_of(REGION, page, ENTRY_OF(what), kind, access);
    if (what == BUFFER_OF)
        buffer_page = page;
}

/* An exception that the guest takes itself ends an attempt, not the guest. */
uint64_t exception(uint64_t syndrome, uint64_t address)
{
    if (landing)
        return landing;
    caught = CAUGHT | syndrome >> 26;
    return address + 4;
}

/* Make an attempt. Calls do not endanger the guest, and neither should an attempt that is expected to be harmless. */
static void act(const struct attempt *attempt, uint64_t number)
{
    uint64_t answer;

    caught = 0;
    status.dangerous = attempt->expected >= STOPPED && attempt->expected != HARMLESS;
    outcome[number].before = status.calls;
    answer = attempt->act();
    status.dangerous = 0;
    outcome[number].observed = caught ? caught : answer;
    outcome[number].after = status.calls;
}

static void tell(const struct attempt *attempt, uint64_t number)
{
    say("attempt|");
    say(attempt->name);
    say("|");
    say_number(attempt->expected);
    say("|");
    say_number(outcome[number].observed);
    say("|");
    say_number(outcome[number].before);
    say("|");
    say_number(outcome[number].after);
    say("\n");
}

/* Make all attempts. If the guest was restarted in the middle of one, that one stopped it. */
void try_all(const struct attempt *attempt, uint64_t count)
{
    if (status.dangerous) {
        outcome[status.attempt].observed = STOPPED;
        status.dangerous = 0;
        status.attempt++;
    }
    for (; status.attempt < count; status.attempt++)
        act(&attempt[status.attempt], status.attempt);
    for (uint64_t i = 0; i < count; i++)
        tell(&attempt[i], i);
}

/* Collect lines; send them when one call might not have room for another line. */
static void put(char character)
{
    volatile char *buffer = (volatile char *)AT(ENTRY_OF(BUFFER_OF));

    buffer[used++] = character;
    if (character == '\n' && used > MOST - LINE)
        send();
}

void say(const char *text)
{
    while (*text)
        put(*text++);
}

void say_number(uint64_t value)
{
    int shift = 60;

    while (shift > 0 && value >> shift == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        put("0123456789abcdef"[value >> shift & 0xf]);
}

/* Tell the host a number, and what it is of. */
void tell_number(const char *what, uint64_t value)
{
    say(what);
    say("|");
    say_number(value);
    say("\n");
}

void say_hash(const volatile uint64_t *page)
{
    uint32_t digest[8];

    hash_words(digest, page, PAGE_SIZE / 8);
    for (int i = 0; i < 8; i++)
        for (int shift = 28; shift >= 0; shift -= 4)
            put("0123456789abcdef"[digest[i] >> shift & 0xf]);
}

/* Write words with as many calls as necessary; stop at the first status that is not OK. */
uint64_t write_out(uint64_t page, uint64_t words, uint64_t format)
{
    uint64_t outcome = STATUS_OK, most = format == FORMAT_HEX ? CONSOLE_WORDS : CONSOLE_TEXT_WORDS;

    for (uint64_t first = 0; first < words && outcome == STATUS_OK; first += most) {
        uint64_t count = words - first < most ? words - first : most;

        outcome = TRY(console_write(console, page, first, count, format)).status;
    }
    return outcome;
}

/* Send the collected text, and return the kernel's status. The kernel ends the line. */
uint64_t send(void)
{
    volatile char *buffer = (volatile char *)AT(ENTRY_OF(BUFFER_OF));
    uint64_t outcome;

    if (used != 0 && buffer[used - 1] == '\n')
        used--;
    while (used % 8 != 0)
        buffer[used++] = 0;
    outcome = write_out(buffer_page, used / 8, FORMAT_TEXT);
    used = 0;
    return outcome;
}
