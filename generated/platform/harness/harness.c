/* Generated from spec/kernel/memory_map.py, spec/kernel/platform.py
   with codegen/templates/platform/harness.c.j2: edit those, not this.
   Content: sha256 673acd932dda3d25 */

/* Does the kernel do what the model does, on the same trace?
 *
 * A harness: it is loaded beside the kernel's image, which stays as it is, and calls the kernel's functions where they
 * lie. The processor begins here, not at the kernel's first instruction, and no partition runs: nothing else differs.
 * The host shares the memory, writes entries, then a command; the harness clears it when the results are there.
 */
#include "platform.h"
#include "action.h"
#include "boot.h"
#include "gate.h"
#include "schedule.h"

enum { KIND_CALL, KIND_PREEMPT, KIND_CONTAIN, KIND_STORE, KIND_WAIT };
enum { COMMAND_NONE, COMMAND_RUN, COMMAND_RESET, COMMAND_OFF };

/* One step of a trace and its outcome. */
struct entry {
    uint64_t kind;
    uint64_t status;
    struct call call;
};
/* What the host and the harness say to each other, at the start of the shared region. */
struct mailbox {
    uint64_t command;
    uint64_t count;                     /* entries to run */
    uint64_t runs;                      /* commands completed */
    uint64_t ticks;                     /* counter ticks of the last run */
    struct boot_information information;
};

#define MAILBOX ((struct mailbox *)0x50000000ull)
#define ENTRIES ((struct entry *)0x50001000ull)

/* From all zeros, as the model starts; the pages of the boot package stay empty. */
static void reset(void)
{
    uint64_t *word = (uint64_t *)&kernel;

    for (uint64_t i = 0; i < sizeof(kernel) / sizeof(*word); i++)
        word[i] = 0;
    boot(&kernel, &MAILBOX->information);
}

static void enter(struct entry *entry)
{
    struct call *call = &entry->call;

    switch (entry->kind) {
    case KIND_CALL:
        entry->status = gate_dispatch(&kernel, call);
        break;
    case KIND_PREEMPT:
        action_preempt(&kernel, call->now);
        break;
    case KIND_CONTAIN:
        action_contain(&kernel, call->now, call->argument[0], call->argument[1]);
        break;
    case KIND_STORE:
        kernel.memory[call->argument[0] % PAGES].word[call->argument[1] % PAGE_WORDS] = call->argument[2];
        break;
    case KIND_WAIT:
        schedule_wait(&kernel);
        break;
    default:
        power_off();
    }
    if (kernel.idle) {
        schedule_survey(&kernel);
        schedule_rotate(&kernel);
    }
}

static void run(uint64_t count)
{
    uint64_t begin = read_cntpct_el0();

    for (uint64_t i = 0; i < count; i++)
        enter(&ENTRIES[i]);
    MAILBOX->ticks = read_cntpct_el0() - begin;
}

static void obey(uint64_t command)
{
    switch (command) {
    case COMMAND_RUN:
        run(MAILBOX->count);
        break;
    case COMMAND_RESET:
        reset();
        break;
    default:
        power_off();
    }
}

struct context *power_on(void)
{
    console_start();
    for (;;) {
        uint64_t command = __atomic_load_n(&MAILBOX->command, __ATOMIC_ACQUIRE);

        if (command == COMMAND_NONE)
            continue;
        obey(command);
        MAILBOX->runs++;
        __atomic_store_n(&MAILBOX->command, COMMAND_NONE, __ATOMIC_RELEASE);
    }
}
