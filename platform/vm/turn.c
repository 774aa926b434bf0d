/* How long does the machine run before the host looks whether to go on? A turn: short runs, the clock between them, and
 * if that is not the end a long one, while somebody else watches the clock and stops the machine at its next safe point.
 *
 * Between two safe points lie so few operations that they take milliseconds, even if each uses a page for the first time;
 * between hundreds of them they may take long.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "vm/run.h"

#define SECOND 1000000000u
#define SHORT 200000u /* nanoseconds until a watcher costs less than the clock does */
#define FEW 4u        /* safe points of a short run */

outcome_t turn(struct machine *vm, uint32_t stride, uint64_t nanoseconds);

/* Who watches the clock for a machine. It is gone when both have left it: the one that runs waits for nobody. */
struct watch {
    struct machine *vm;
    struct timespec end;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool left; /* by one of the two: the machine runs no more, or nobody watches it */
};

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Short runs until one is not suspended, the budget is spent, or it is so late. */
static outcome_t stretches(struct machine *vm, uint32_t stride, uint64_t end)
{
    uint64_t left = vm->budget;
    outcome_t outcome;

    do {
        uint64_t given = left < stride ? left : stride;

        vm->budget = given;
        outcome = run(vm);
        left -= given - vm->budget;
    } while (outcome == OUTCOME_SUSPENDED && left > 0 && now() < end);
    vm->budget = left;
    return outcome;
}

/* Leave a watch; the second one that does takes it away. The lock is held. */
static void leave(struct watch *watch)
{
    bool last = watch->left;

    watch->left = true;
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->lock);
    if (!last)
        return;
    pthread_mutex_destroy(&watch->lock);
    pthread_cond_destroy(&watch->changed);
    free(watch);
}

/* Wait until the machine runs no more, or it is time to stop it. */
static void *watcher(void *given)
{
    struct watch *watch = given;

    pthread_mutex_lock(&watch->lock);
    while (!watch->left && pthread_cond_timedwait(&watch->changed, &watch->lock, &watch->end) == 0)
        ;
    if (!watch->left)
        __atomic_store_n(&watch->vm->stop, UINT64_MAX, __ATOMIC_RELAXED);
    leave(watch);
    return NULL;
}

/* A thread of its own that watches, and hears no signals: those are for the others. Is there one? */
static bool begin(struct watch *watch)
{
    sigset_t all, before;
    pthread_t thread;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(&thread, NULL, watcher, watch) == 0 && pthread_detach(thread) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return begun;
}

/* A watch until it is so late; none where there is no room for it. */
static struct watch *watched(struct machine *vm, uint64_t end)
{
    struct watch *watch = malloc(sizeof *watch);
    pthread_condattr_t clock;

    if (watch == NULL)
        return NULL;
    *watch = (struct watch){.vm = vm, .end = {(time_t)(end / SECOND), (long)(end % SECOND)}};
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&watch->changed, &clock);
    pthread_condattr_destroy(&clock);
    pthread_mutex_init(&watch->lock, NULL);
    if (begin(watch))
        return watch;
    watch->left = true;
    pthread_mutex_lock(&watch->lock);
    leave(watch);
    return NULL;
}

/* One long run that somebody stops when it is so late; short ones where nobody can. */
static outcome_t rest(struct machine *vm, uint32_t stride, uint64_t end)
{
    struct watch *watch = watched(vm, end);

    if (watch == NULL)
        return stretches(vm, stride, end);
    outcome_t outcome = run(vm);
    pthread_mutex_lock(&watch->lock);
    leave(watch);
    vm->stop = 0;
    return outcome;
}

/* Run until it returns, traps, wants the host, spends its budget, or the time is over; the budget is what is left. */
outcome_t turn(struct machine *vm, uint32_t stride, uint64_t nanoseconds)
{
    uint64_t start = now(), end = start + nanoseconds, soon = nanoseconds < SHORT ? end : start + SHORT;
    outcome_t outcome = stretches(vm, stride < FEW ? stride : FEW, soon);

    if (outcome == OUTCOME_SUSPENDED && vm->budget > 0 && now() < end)
        outcome = rest(vm, stride, end);
    return outcome;
}
