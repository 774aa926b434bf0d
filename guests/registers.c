/* Does every register of a partition, system registers included, keep its value while others run? */
#include "registers.h"
#include "runtime.h"

enum { SPINS = 1000000, SYSTEM_SHIFT = 8, SYNDROME_LOST = 0x10 };

#define EACH(F) F(cpacr_el1) F(vbar_el1) F(elr_el1) F(spsr_el1) F(tpidr_el0) F(tpidr_el1) F(tpidrro_el0) \
    F(par_el1) F(csselr_el1) F(cntkctl_el1) F(cntv_ctl_el0) F(cntv_cval_el0) F(fpcr) F(fpsr) F(sp_el0)

enum {
#define F(name) R_##name,
    EACH(F) COUNT
#undef F
};

uint64_t hold(uint64_t spins, uint64_t seed);

static uint64_t get(int r)
{
    uint64_t value = 0;

    switch (r) {
#define F(name) case R_##name: __asm__ volatile("mrs %0, " #name : "=r"(value)); break;
    EACH(F)
#undef F
    }
    return r == R_cntv_ctl_el0 ? value & 3 : value; /* the rest depends on the time */
}

static void set(int r, uint64_t value)
{
    switch (r) {
#define F(name) case R_##name: __asm__ volatile("msr " #name ", %0; isb" :: "r"(value)); break;
    EACH(F)
#undef F
    }
}

/* A pattern of bits that the register has, without those that would stop the guest. */
static uint64_t pattern(int r, uint64_t seed)
{
    uint64_t any = (seed + r) * 0x9e3779b97f4a7c15;

    switch (r) {
    case R_cpacr_el1: return (seed & 1 ? 3 : 1) << 20;
    case R_cntv_ctl_el0: return any & 3;
    case R_csselr_el1: return any & 3;
    case R_fpcr: return any & 0x07c00000;
    case R_fpsr: return any & 0xf800009f;
    case R_vbar_el1: return any & ~2047ull;
    default: return any;
    }
}

/* ESR_EL1 and FAR_EL1 cannot be written (TVM): a branch to a misaligned address gives each guest its own values. */
static void brand(uint64_t seed, uint64_t syndrome[2])
{
    __asm__ volatile("adr x9, 0f\n str x9, [%0]\n br %1\n 0:"
                     :: "r"(&landing), "r"(GUEST_BASE + (seed & 0xff) * 4 + 1) : "x9", "memory");
    landing = 0;
    __asm__ volatile("mrs %0, esr_el1\n mrs %1, far_el1" : "=r"(syndrome[0]), "=r"(syndrome[1]));
}

uint64_t registers_lost(uint64_t seed)
{
    uint64_t before[COUNT], expected[COUNT], branded[2], found[2], lost;

    brand(seed, branded);
    for (int r = 0; r < COUNT; r++) {
        before[r] = get(r);
        set(r, pattern(r, seed));
        expected[r] = get(r);
    }
    lost = hold(SPINS, seed);
    __asm__ volatile("mrs %0, esr_el1\n mrs %1, far_el1" : "=r"(found[0]), "=r"(found[1]));
    lost |= found[0] != branded[0] || found[1] != branded[1] ? SYNDROME_LOST : 0;
    for (int r = 0; r < COUNT; r++) {
        lost |= get(r) != expected[r] ? 1ull << (SYSTEM_SHIFT + r) : 0;
        set(r, before[r]);
    }
    return lost;
}
