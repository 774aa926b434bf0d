/* How long does the machine run before the host looks whether to go on? A turn: short runs, the clock between them.
 *
 * A run ends after so many safe points, and after so many returns: on the control stack, that many calls below, the
 * place to return to is replaced by the exit while the run lasts. So no more code is passed in a run than the longest
 * function, about twice so many times.
 */
#define _POSIX_C_SOURCE 199309L
#include <time.h>

#include "run.h"

#define UPPER 0xffffffff00000000u

outcome_t turn(struct machine *vm, uint32_t stride, uint64_t nanoseconds);

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* One run: `vm->budget` is what it may use of the turn's, and then what it has left. */
static outcome_t stretch(struct machine *vm, uint32_t stride)
{
    if (vm->depth <= stride)
        return run(vm);
    uint32_t border = vm->depth - stride;
    uint64_t *place = vm->control.at + border, back = *place;

    *place = (back & UPPER) | EXIT;
    outcome_t outcome = run(vm);
    if (vm->depth > border)
        *place = back;
    else if (outcome == OUTCOME_RETURNED && vm->depth == border && (uint32_t)back != EXIT) {
        vm->at = (uint32_t)back; /* it has returned so often: that is where it goes on */
        vm->outcome = outcome = OUTCOME_SUSPENDED;
    }
    return outcome;
}

/* Run until it returns, traps, wants the host, spends its budget, or the time is over; the budget is what is left. */
outcome_t turn(struct machine *vm, uint32_t stride, uint64_t nanoseconds)
{
    uint64_t end = now() + nanoseconds, left = vm->budget;
    outcome_t outcome;

    do {
        uint64_t given = left < stride ? left : stride;

        vm->budget = given;
        outcome = stretch(vm, stride);
        left -= given - vm->budget;
    } while (outcome == OUTCOME_SUSPENDED && left > 0 && now() < end);
    vm->budget = left;
    return outcome;
}
