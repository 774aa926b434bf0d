/* Generated from spec/kernel/memory_map.py, spec/kernel/platform.py
   with codegen/templates/platform/platform.h.j2: edit those, not this.
   Content: sha256 03b64557f7a915d6 */

/* What do the parts of the kernel know of each other? */
#ifndef PLATFORM_H
#define PLATFORM_H

#include "hardware.h"
#include "constants.h"

/* Everything a partition can see or change in the processor; moved in pairs, so the order matters. */
struct context {
    uint64_t x[31];
    uint64_t vttbr_el2;
    uint64_t sp_el0;
    uint64_t sp_el1;
    uint64_t elr_el2;
    uint64_t spsr_el2;
    uint64_t cpacr_el1;
    uint64_t vbar_el1;
    uint64_t esr_el1;
    uint64_t far_el1;
    uint64_t elr_el1;
    uint64_t spsr_el1;
    uint64_t tpidr_el0;
    uint64_t tpidr_el1;
    uint64_t tpidrro_el0;
    uint64_t par_el1;
    uint64_t csselr_el1;
    uint64_t cntkctl_el1;
    uint64_t cntv_ctl_el0;
    uint64_t cntv_cval_el0;
    uint64_t fpcr;
    uint64_t fpsr;
    uint64_t q[64];                     /* two words a register */
};

PIN_SIZE(context, 928);
PIN(context, x, 0);
PIN(context, vttbr_el2, 248);
PIN(context, sp_el0, 256);
PIN(context, sp_el1, 264);
PIN(context, elr_el2, 272);
PIN(context, spsr_el2, 280);
PIN(context, cpacr_el1, 288);
PIN(context, vbar_el1, 296);
PIN(context, esr_el1, 304);
PIN(context, far_el1, 312);
PIN(context, elr_el1, 320);
PIN(context, spsr_el1, 328);
PIN(context, tpidr_el0, 336);
PIN(context, tpidr_el1, 344);
PIN(context, tpidrro_el0, 352);
PIN(context, par_el1, 360);
PIN(context, csselr_el1, 368);
PIN(context, cntkctl_el1, 376);
PIN(context, cntv_ctl_el0, 384);
PIN(context, cntv_cval_el0, 392);
PIN(context, fpcr, 400);
PIN(context, fpsr, 408);
PIN(context, q, 416);

_Static_assert(sizeof(struct kernel) <= KERNEL_SIZE, "the state outgrew its region");

/* The state of the model, and what it is not concerned with: registers of partitions that do not run. */
extern struct kernel kernel;
extern struct context contexts[PARTITIONS];

/* What boot was given, and what is kept over it. */
extern struct boot_information information;
#define KEPT ((struct kept *)KEPT_START)

/* hardware.S */
void power_off(void) __attribute__((noreturn));
void start_again(void) __attribute__((noreturn));
void halt(void) __attribute__((noreturn));

/* console.c */
void console_start(void);
void stop(message_t why) __attribute__((noreturn));
void restart(message_t why) __attribute__((noreturn));
void complain(void) __attribute__((noreturn));

/* interrupt.c */
void interrupt_start(void);
uint64_t interrupt_accept(void);
void interrupt_finish(uint64_t interrupt);
void timer_start(uint64_t ticks);
uint64_t now(void);

/* transport.c */
void find_device(device_id_t d);
void find_devices(void);

/* trap.c */
struct context *resume(void);
struct context *trap(struct context *context, uint64_t cause);
void fault(uint64_t vector, uint64_t syndrome, uint64_t address, uint64_t instruction) __attribute__((noreturn));

static inline void put32(uint64_t address, uint32_t value)
{
    *(volatile uint32_t *)address = value;
}

static inline uint32_t get32(uint64_t address)
{
    return *(volatile uint32_t *)address;
}

static inline void isb(void)
{
    __asm__ volatile("isb" ::: "memory");
}

/* Devices see all that was stored before, and nothing is read before. */
static inline void dsb(void)
{
    __asm__ volatile("dsb sy" ::: "memory");
}

static inline void wfi(void)
{
    __asm__ volatile("wfi" ::: "memory");
}

static inline uint64_t read_actlr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, actlr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_afsr0_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, afsr0_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_afsr1_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, afsr1_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_amair_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, amair_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_cntfrq_el0(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_cnthctl_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, cnthctl_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_cnthp_ctl_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, cnthp_ctl_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_cntpct_el0(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, cntpct_el0" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_cntvoff_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, cntvoff_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_contextidr_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, contextidr_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_cptr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, cptr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_esr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, esr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_far_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, far_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_hcr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, hcr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_hstr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, hstr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_icc_iar1_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, icc_iar1_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_icc_sre_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, icc_sre_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_ich_hcr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, ich_hcr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_isr_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, isr_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_mair_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, mair_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_mair_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, mair_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_mdcr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, mdcr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_mdscr_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, mdscr_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_sctlr_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, sctlr_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_sctlr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, sctlr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_tcr_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, tcr_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_tcr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, tcr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_tpidr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, tpidr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_ttbr0_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, ttbr0_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_ttbr1_el1(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, ttbr1_el1" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_vmpidr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, vmpidr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_vpidr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, vpidr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_vtcr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, vtcr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline uint64_t read_vttbr_el2(void)
{
    uint64_t value;
    __asm__ volatile("mrs %0, vttbr_el2" : "=r"(value) :: "memory");
    return value;
}

static inline void write_cnthp_ctl_el2(uint64_t value)
{
    __asm__ volatile("msr cnthp_ctl_el2, %0" :: "r"(value) : "memory");
}

static inline void write_cnthp_tval_el2(uint64_t value)
{
    __asm__ volatile("msr cnthp_tval_el2, %0" :: "r"(value) : "memory");
}

static inline void write_icc_pmr_el1(uint64_t value)
{
    __asm__ volatile("msr icc_pmr_el1, %0" :: "r"(value) : "memory");
}

static inline void write_icc_igrpen1_el1(uint64_t value)
{
    __asm__ volatile("msr icc_igrpen1_el1, %0" :: "r"(value) : "memory");
}

static inline void write_icc_eoir1_el1(uint64_t value)
{
    __asm__ volatile("msr icc_eoir1_el1, %0" :: "r"(value) : "memory");
}

#endif
