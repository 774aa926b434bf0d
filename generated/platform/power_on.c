/* Generated from spec/memory_map.py, spec/platform.py
   with codegen/templates/platform/power_on.c.j2: edit those, not this.
   Content: sha256 17542952619c734d */

/* In what order does the kernel come up, and what does it measure on the way?
 *
 * Each of the seven phases of the model's boot is bound to the bytes it relies on; the host prints and
 * recomputes them from the files that it loads: the kernel, and the boot package beside it.
 */
#include "platform.h"
#include "boot.h"
#include "builtins.h"
#include "invariants.h"
#include "package.h"

enum { WORD = sizeof(uint64_t), PHASES = 7 };

/* What the host puts into the region `secret` before the processor starts. */
struct secret {
    uint64_t key[4];                    /* as it lies in memory */
    uint64_t attested[4];               /* first proof root */
};

#define SECRET ((struct secret *)SECRET_START)
#define PACKAGE ((const struct package_header *)PACKAGE_START)

enum { HEADER_WORDS = PAGE_SIZE / WORD };

static const char *const PACKAGE_REFUSED[] = {
    [PACKAGE_FAULT_MISSING] = "boot package refused: nothing there begins like one",
    [PACKAGE_FAULT_VERSION] = "boot package refused: it is of another version",
    [PACKAGE_FAULT_SIZE] = "boot package refused: it has no pages, or more than the kernel takes",
    [PACKAGE_FAULT_PARTS] = "boot package refused: root has no code in it, or more pages than there are",
};

extern const uint64_t text_start[], text_end[], translation_start[], translation_end[], rodata_start[], rodata_end[];

static uint32_t *phase(struct boot_information *information, uint32_t number)
{
    return &information->measurement[8 * number];
}

static void measure(uint32_t *digest, const uint64_t *word, uint64_t count)
{
    struct measure measure;

    measure_begin(&measure);
    measure_words(&measure, word, count);
    measure_end(&measure, digest);
}

/* The registers as the processor holds them, not as they were meant. */
static void measure_registers(uint32_t *digest)
{
    const uint64_t word[] = {
        read_hcr_el2(),
        read_sctlr_el1(),
        read_tcr_el1(),
        read_ttbr0_el1(),
        read_ttbr1_el1(),
        read_mair_el1(),
        read_amair_el1(),
        read_afsr0_el1(),
        read_afsr1_el1(),
        read_contextidr_el1(),
        read_cptr_el2(),
        read_hstr_el2(),
        read_mdcr_el2(),
        read_actlr_el2(),
        read_mdscr_el1(),
        read_cnthctl_el2(),
        read_cntvoff_el2(),
        read_cnthp_ctl_el2(),
        read_vpidr_el2(),
        read_vmpidr_el2(),
        read_vtcr_el2(),
        read_vttbr_el2(),
        read_mair_el2(),
        read_tcr_el2(),
        read_tpidr_el2(),
        read_icc_sre_el2(),
        read_ich_hcr_el2(),
        read_sctlr_el2(),
    };

    measure(digest, word, sizeof(word) / WORD);
}

static void measure_scheduler(uint32_t *digest)
{
    const uint64_t word[] = {read_cntfrq_el0(), QUANTUM_TICKS};

    measure(digest, word, sizeof(word) / WORD);
}

static void measure_root(uint32_t *digest, const struct boot_information *information)
{
    struct measure measure;

    measure_begin(&measure);
    measure_words(&measure, (const uint64_t *)PACKAGE_START, HEADER_WORDS + information->package * PAGE_SIZE / WORD);
    measure_words(&measure, information->attested, sizeof(information->attested) / WORD);
    measure_end(&measure, digest);
}

/* The key seals checkpoints; whoever reads the page later must not find it. */
static bool take_secret(struct boot_information *information)
{
    uint64_t any = 0;

    for (uint32_t i = 0; i < 4; i++) {
        any |= SECRET->key[i];
        information->key[2 * i] = byte_swap((uint32_t)SECRET->key[i]);
        information->key[2 * i + 1] = byte_swap(SECRET->key[i] >> 32);
        information->attested[i] = SECRET->attested[i];
    }
    clear_words((uint64_t *)SECRET, SECRET_SIZE / WORD);
    return any != 0;
}

/* Nothing is done with a package that has no good header. */
static void take_package(struct boot_information *information)
{
    package_fault_t found = package_accept(PACKAGE, information);

    if (found != PACKAGE_FAULT_NONE)
        stop(PACKAGE_REFUSED[found]);
}

/* The root partition finds its own image, then those of its guests, in the pages that boot gives it. */
static void unpack(const struct boot_information *information)
{
    const uint64_t *from = (const uint64_t *)PACKAGE_START + HEADER_WORDS;
    uint64_t *to = kernel.memory[PACKAGE_PAGE].word;

    for (uint64_t i = 0; i < information->package * PAGE_SIZE / WORD; i++)
        to[i] = from[i];
}

static void announce(const struct boot_information *information)
{
    for (uint32_t number = 0; number < PHASES; number++) {
        print("kernel: measurement ");
        print_decimal(number);
        print(" ");
        for (uint32_t i = 0; i < 8; i++)
            print_hexadecimal(information->measurement[8 * number + i], 8);
        print("\n");
    }
}

static void check(void)
{
    struct violation found;

    if (!check_invariants(&kernel, &found)) {
        print("kernel: violated ");
        print(INVARIANT_ID[found.number]);
        stop(", an invariant of the booted state");
    }
    print("kernel: invariants ");
    print_decimal(INVARIANTS);
    print(" hold\n");
}

struct context *power_on(void)
{
    static struct boot_information information;
    uint64_t keyed;

    console_start();
    keyed = take_secret(&information);
    take_package(&information);
    measure(phase(&information, 0), text_start, text_end - text_start);
    interrupt_start();
    measure_registers(phase(&information, 1));
    measure(phase(&information, 2), translation_start, translation_end - translation_start);
    measure(phase(&information, 3), rodata_start, rodata_end - rodata_start);
    measure(phase(&information, 4), &keyed, 1);
    measure_scheduler(phase(&information, 5));
    measure_root(phase(&information, 6), &information);
    announce(&information);
    print(keyed ? "kernel: key given\n" : "kernel: NO KEY, anyone can forge checkpoints\n");
    unpack(&information);
    information.now = now();
    boot(&kernel, &information);
    clear_words((uint64_t *)information.key, sizeof(information.key) / WORD); /* the state holds the only copy */
    hardware_partition_reset_context(ROOT, GUEST_BASE);
    check();
    print("kernel: ticks to the first guest instruction ");
    print_decimal(read_cntpct_el0());
    print("\n");
    return resume();
}
