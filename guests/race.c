/* Who gets how much of the processor, and how long does anybody wait, whatever the others do meanwhile? */
#include "creator.h"
#include "race.h"

enum { ORDINARY = 700000, MANY = 400, TURNS_OF_MAKER = DISK + 1, REGION_OF_CHILD, ROUND = 80 };
enum { MORE = 140, NUMBERS = 40 };      /* shares; partitions that its maker may make, each with the least share */

static void race(uint64_t p, uint64_t score)
{
    create(p, p - 1, score, MANY);
}

/* Who makes another partition needs a number for it, and shares that it can hand on: they come with numbers. */
static void make_all(void)
{
    for (uint64_t p = 1; p <= RACERS; p++)
        race(p, p == MAKER ? TRUSTED : ORDINARY);
    MUST(partition_endow(partition(STEADY), ALLOWANCE_SHARES, MORE));
    MUST(partition_endow(partition(MAKER), ALLOWANCE_PARTITIONS, NUMBERS));
    MUST(capability_grant(SLOT_SCHEDULER, TURNS_OF_MAKER, RIGHT_READ | RIGHT_WRITE, partition(MAKER), 0));
    MUST(capability_grant(SLOT_REGIONS + REGION_OF(CHILD_RACER), REGION_OF_CHILD, RIGHT_WRITE | RIGHT_GRANT,
                          partition(MAKER), 0));
    connect(TALKER, LISTENER);
    for (uint64_t i = 0; i < STINT_PAGES; i++)
        take_own(PAGE_OF(ROOT_PARTITION, STINTS_OF + i), ENTRY_OF(STINTS_OF + i));
    for (uint64_t p = 1; p <= RACERS; p++)
        run(p);
}

/* Make one of those that do not just compute more or less urgent than the others. */
static void stir(void)
{
    static const uint64_t DISTURBS[] = {RESTLESS, TALKER, LISTENER, FAULTY};
    static uint64_t state = 1;

    state = state * 6364136223846793005ull + 1442695040888963407ull;
    note(schedule_prioritize(SLOT_SCHEDULER, partition(DISTURBS[state >> 62]), state >> 40 & 0xfffff, false,
                             state >> 32 & 1 ? 1000000000ull : 0));
}

/* Map the page that stopped it, and let it go on. */
static void mend(void)
{
    note(page_map(partition(FAULTY), PAGE_OF(FAULTY, SPARE_OF), PAGE_OF(FAULTY, TABLE_3_OF), ENTRY_OF(SPARE_OF),
                  READ_WRITE));
    note(partition_resume(partition(FAULTY)));
}

void main(void)
{
    uint64_t last = 0;

    take_console();
    make_all();
    while (racing()) {
        if (nanoseconds() - last > ROUND * 1000000ull) {
            last = nanoseconds();
            stir();
            mend();
        }
        give_way();
    }
    for (uint64_t p = 1; p <= RACERS; p++)
        TRY(partition_suspend(partition(p)));
    say("root|done\n");
    send();
    MUST(partition_suspend(SLOT_OWN));
}
