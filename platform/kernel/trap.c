/* What does an exception mean to the model?
 *
 * A partition enters by a call, by giving up the processor, when its slice ends, or by doing what no
 * partition may do. Anything else is not caused by a partition, and the kernel starts again.
 */
#include "platform.h"
#include "action.h"
#include "gate.h"
#include "report.h"
#include "schedule.h"

static uint32_t charged; /* partition whose slice is running, counted from 1; 0 at first */
static uint32_t waited; /* first partition to wait since one did anything else, counted from 1; 0 if none */

static void charge(void)
{
    charged = kernel.current + 1u;
    timer_start(kernel.partition[kernel.current].share * SHARE_TICKS);
}

static void hypercall(struct context *caller)
{
    struct call call = {.now = now(), .operation = caller->x[0]};

    waited = 0;
    for (uint32_t i = 0; i < ARGUMENTS; i++)
        call.argument[i] = caller->x[i + 1];
    caller->x[0] = gate_dispatch(&kernel, &call);
    for (uint32_t i = 0; i < RESULTS; i++)
        caller->x[i + 1] = call.result[i];
}

/* WFI and WFE. Nothing is recorded, because waiting must not be a way to fill the log.
 *
 * When all partitions that can run have waited in turn, nothing happens before the slice ends, so the processor
 * waits, too.
 */
static void wait(struct context *context)
{
    bool all = waited == kernel.current + 1u;

    if (waited == 0)
        waited = kernel.current + 1u;
    context->elr_el2 += INSTRUCTION_SIZE;
    schedule_wait(&kernel);
    if (all)
        wfi();
}

/* Nobody but the kernel can start root again, and it does so with itself. */
static void contain(uint64_t syndrome, uint64_t address)
{
    waited = 0;
    action_contain(&kernel, now(), syndrome, address);
    if (kernel.current == ROOT)
        restart(MESSAGE_ROOT_FAULTED);
}

/* With HCR_EL2.DC, stage 1 is flat, so FAR_EL2 is the IPA. Only an abort sets it. */
static void misbehaviour(struct context *context, uint64_t syndrome, uint64_t class)
{
    bool abort = class == EC_INSTRUCTION_ABORT || class == EC_DATA_ABORT;

    contain(syndrome, abort ? read_far_el2() : context->elr_el2);
}

/* EL1 is AArch64, but nothing stops it from returning to an AArch32 EL0. */
static void foreign_state(struct context *context)
{
    contain(EC_ILLEGAL_STATE << ESR_EC_SHIFT, context->elr_el2);
}

static void synchronous(struct context *context)
{
    uint64_t syndrome = read_esr_el2();
    uint64_t class = syndrome >> ESR_EC_SHIFT & ESR_EC_MASK;

    if (class == EC_HVC64 && (syndrome & ESR_IMMEDIATE_MASK) == 0)
        hypercall(context);
    else if (class == EC_WFX)
        wait(context);
    else
        misbehaviour(context, syndrome, class);
}

/* A spurious interrupt changes nothing: IHI 0069, "Special INTIDs". */
static void interrupt(void)
{
    uint64_t interrupt = interrupt_accept();

    if (interrupt >= SPECIAL_INTERRUPTS)
        return;
    if (interrupt != TIMER_INTERRUPT)
        restart(MESSAGE_STRANGE_INTERRUPT);
    waited = 0;
    action_preempt(&kernel, now());
    charge();
    interrupt_finish(interrupt);
}

static void end(void)
{
    report_tell_end(&kernel);
    stop(MESSAGE_NOBODY);
}

/* The current partition rests, and executes nothing: an interrupt that is pending when it is resumed is taken before
 * its first instruction. Arm ARM D1, "Prioritization and recognition of interrupts".
 */
static void doze(void)
{
    wfi();
    while ((read_isr_el1() & ISR_INTERRUPT) == 0)
        ;
}

/* A new partition has a full slice; a partition that calls keeps what is left of its own. */
struct context *resume(void)
{
    struct context *next;

    if (kernel.idle) {
        schedule_survey(&kernel);
        schedule_rotate(&kernel);
    }
    if (kernel.idle && !schedule_dozes(&kernel))
        end();
    if (kernel.idle)
        doze();
    next = &contexts[kernel.current];
    if (kernel.current + 1u != charged)
        charge();
    next->vttbr_el2 = hardware_vttbr(&kernel, kernel.current);
    return next;
}

struct context *trap(struct context *context, uint64_t cause)
{
    if (cause == CAUSE_FIQ)
        restart(MESSAGE_STRANGE_FIQ);
    if (cause == CAUSE_SERROR)
        restart(MESSAGE_STRANGE_ERROR);
    if (kernel.idle && cause != CAUSE_IRQ)
        restart(MESSAGE_AWAKE);
    if (context->spsr_el2 & SPSR_AARCH32)
        foreign_state(context);
    else if (cause == CAUSE_IRQ)
        interrupt();
    else
        synchronous(context);
    return resume();
}

void fault(uint64_t vector, uint64_t syndrome, uint64_t address, uint64_t instruction)
{
    report_tell_fault(vector, syndrome, address, instruction);
    restart(MESSAGE_FAULTED);
}
