/* How long does the machine run before the host checks whether to go on?
 *
 * It runs for a turn. A turn begins with short runs and checks the clock between them. If the machine has not
 * finished by then, one long run follows. Meanwhile another thread watches the clock and stops the machine at its next
 * safe point.
 *
 * The operations between two safe points are so few that they take milliseconds, even if each uses a page for the first
 * time. The operations between hundreds of safe points may take long.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "vm/run.h"

#define SECOND 1000000000u
#define SHORT 200000u /* nanoseconds after which a watcher costs less than checking the clock */
#define FEW 4u        /* safe points in a short run */

/* A watch on the clock for a machine. It is freed when both threads have left it: the running one waits for nobody. */
struct watch {
    struct machine *vm;
    struct timespec end;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool left; /* by one of the two: the machine has stopped running, or nobody watches it */
};

static uint64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* Do short runs until one does not end suspended, the budget is spent, or the time is `end`. */
static outcome_t stretches(struct machine *vm, uint32_t stride, uint64_t end)
{
    uint64_t left = vm->budget;
    outcome_t outcome;

    do {
        uint64_t given = left < stride ? left : stride;

        vm->budget = given;
        outcome = corollary_run(vm);
        left -= given - vm->budget;
    } while (outcome == OUTCOME_SUSPENDED && left > 0 && now() < end);
    vm->budget = left;
    return outcome;
}

/* Leave a watch. The second thread to leave frees it. The caller holds the lock, which is released here. */
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

/* Wait until the machine has stopped running, or it is time to stop it. */
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

/* Start a thread that watches and takes no signals, which are for the other threads. Return whether it started. */
static bool begin(struct watch *watch)
{
    sigset_t all, before;
    pthread_t thread;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(&thread, NULL, watcher, watch) == 0;
    if (begun)
        pthread_detach(thread); /* nobody joins it: it is gone when both have left the watch */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return begun;
}

/* Start a watch that lasts until `end`. Return NULL when there is no memory or no thread for it. */
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

/* Do one long run that a watcher stops at `end`, or short runs if there is no watcher. */
static outcome_t rest(struct machine *vm, uint32_t stride, uint64_t end)
{
    struct watch *watch = watched(vm, end);

    if (watch == NULL)
        return stretches(vm, stride, end);
    outcome_t outcome = corollary_run(vm);
    pthread_mutex_lock(&watch->lock);
    leave(watch);
    vm->stop = 0;
    return outcome;
}

/* Run until the machine returns, traps, needs the host, or spends its budget, or until the time is over.
 *
 * `vm->budget` is then what is left of the budget.
 */
outcome_t corollary_turn(struct machine *vm, uint32_t stride, uint64_t nanoseconds)
{
    uint64_t start = now(), end = start + nanoseconds, soon = nanoseconds < SHORT ? end : start + SHORT;
    outcome_t outcome = stretches(vm, stride < FEW ? stride : FEW, soon);

    if (outcome == OUTCOME_SUSPENDED && vm->budget > 0 && now() < end)
        outcome = rest(vm, stride, end);
    return outcome;
}

/* Let the thread that loads a module read no more of it. Any thread may call this. */
void corollary_stop_loading(struct module *m)
{
    __atomic_store_n(&m->stop, 1, __ATOMIC_RELAXED);
}
