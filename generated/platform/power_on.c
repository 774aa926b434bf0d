/* Generated from spec/kernel/memory_map.py, spec/kernel/platform.py
   with codegen/templates/platform/power_on.c.j2: edit those, not this.
   Content: sha256 2bb4fbda223fd610 */

/* In what order does the kernel come up, and what does it measure on the way?
 *
 * Each of the seven phases of the model's boot is bound to what it relies on; the host prints and recomputes the
 * measurements from the files that it loads: the kernel, and the boot package beside it.
 */
#include "platform.h"
#include "boot.h"
#include "invariants.h"
#include "kept.h"
#include "measure.h"
#include "package.h"
#include "report.h"

#define SECRET ((struct secret *)SECRET_START)
#define PACKAGE ((const struct frame *)PACKAGE_START)

/* Whole pages: link.ld. */
extern const struct frame text_start[], text_end[], translation_start[], translation_end[];
extern const struct frame rodata_start[], rodata_end[];

struct boot_information information;
uint64_t registers[32];
struct violation violation;

/* Nothing is done with a package that has no good header. */
static void take_package(void)
{
    package_fault_t fault = package_accept((const struct package_header *)PACKAGE, &information);

    if (fault != PACKAGE_FAULT_NONE)
        stop(report_refusal(fault));
}

/* A kernel that failed too often stays down; its log is told, and nothing else. */
static void take_kept(void)
{
    standing_t standing = kept_take(&information, KEPT);

    report_tell_kept(KEPT, standing);
    if (standing == STANDING_EXHAUSTED)
        stop(MESSAGE_EXHAUSTED);
}

/* As the processor holds them, not as they were meant. */
static void read_registers(void)
{
    registers[0] = read_hcr_el2();
    registers[1] = read_sctlr_el1();
    registers[2] = read_tcr_el1();
    registers[3] = read_ttbr0_el1();
    registers[4] = read_ttbr1_el1();
    registers[5] = read_mair_el1();
    registers[6] = read_amair_el1();
    registers[7] = read_afsr0_el1();
    registers[8] = read_afsr1_el1();
    registers[9] = read_contextidr_el1();
    registers[10] = read_cptr_el2();
    registers[11] = read_hstr_el2();
    registers[12] = read_mdcr_el2();
    registers[13] = read_actlr_el2();
    registers[14] = read_mdscr_el1();
    registers[15] = read_cnthctl_el2();
    registers[16] = read_cntvoff_el2();
    registers[17] = read_cnthp_ctl_el2();
    registers[18] = read_vpidr_el2();
    registers[19] = read_vmpidr_el2();
    registers[20] = read_vtcr_el2();
    registers[21] = read_vttbr_el2();
    registers[22] = read_mair_el2();
    registers[23] = read_tcr_el2();
    registers[24] = read_tpidr_el2();
    registers[25] = read_icc_sre_el2();
    registers[26] = read_ich_hcr_el2();
    registers[27] = read_sctlr_el2();
}

static void check(void)
{
    if (!check_invariants(&kernel, &violation)) {
        report_tell_violation(violation.number);
        stop(MESSAGE_BROKEN_STATE);
    }
    report_say(MESSAGE_INVARIANTS_HOLD);
}

struct context *power_on(void)
{
    bool keyed;

    console_start();
    keyed = measure_take_secret(&information, SECRET);
    take_kept();
    take_package();
    measure_pages(&information, 0, text_start, text_end - text_start);
    interrupt_start();
    read_registers();
    measure_words(&information, 1, registers);
    measure_pages(&information, 2, translation_start, translation_end - translation_start);
    measure_pages(&information, 3, rodata_start, rodata_end - rodata_start);
    kept_measure_start(&information, 4, keyed, KEPT);
    measure_pair(&information, 5, read_cntfrq_el0(), SHARE_TICKS);
    measure_root(&information, 6, PACKAGE);
    report_tell_measurements(&information);
    report_tell_key(keyed);
    measure_unpack(&kernel, &information, PACKAGE);
    information.now = now();
    boot(&kernel, &information);
    measure_forget_key(&information);
    hardware_partition_reset_context(ROOT, GUEST_BASE);
    find_devices();
    check();
    report_tell_number(MESSAGE_TICKS, read_cntpct_el0());
    return resume();
}
