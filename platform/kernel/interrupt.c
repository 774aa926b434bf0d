/* Which interrupts exist, and what time is it?
 *
 * The only interrupt is the EL2 physical timer. The kernel runs with interrupts masked, so nothing here nests.
 */
#include "platform.h"

/* GICv3 without security states: IHI 0069, "GICD_CTLR" with DS = 1. */
static void distributor_start(void)
{
    put32(GICD_START + GICD_CTLR, GICD_CTLR_GROUP1_ARE);
}

static void redistributor_start(void)
{
    put32(GICR_START + GICR_WAKER, get32(GICR_START + GICR_WAKER) & ~GICR_WAKER_SLEEP);
    while (get32(GICR_START + GICR_WAKER) & GICR_WAKER_ASLEEP)
        ;
    put32(GICR_START + GICR_ICENABLER0, ALL_INTERRUPTS);
    put32(GICR_START + GICR_IGROUPR0, ALL_INTERRUPTS);
    *(volatile uint8_t *)(GICR_START + GICR_IPRIORITYR + TIMER_INTERRUPT) = TIMER_PRIORITY;
    put32(GICR_START + GICR_ISENABLER0, 1u << TIMER_INTERRUPT);
}

void interrupt_start(void)
{
    if (read_cntfrq_el0() != COUNTER_HZ)
        stop(MESSAGE_WRONG_FREQUENCY);
    distributor_start();
    redistributor_start();
    write_icc_pmr_el1(ICC_PMR_OPEN);
    write_icc_igrpen1_el1(ICC_GROUP_ENABLE);
    isb();
}

uint64_t interrupt_accept(void)
{
    return read_icc_iar1_el1();
}

/* The timer is level-triggered: the caller has already moved its deadline. */
void interrupt_finish(uint64_t interrupt)
{
    isb();
    write_icc_eoir1_el1(interrupt);
}

void timer_start(uint64_t ticks)
{
    write_cnthp_tval_el2(ticks);
    write_cnthp_ctl_el2(CNTHP_ENABLE);
}

/* Without the barrier, the counter may be read early: Arm ARM D11, "The physical counter". */
uint64_t now(void)
{
    isb();
    return read_cntpct_el0() * TICK_NS;
}
