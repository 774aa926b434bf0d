/* What can the manager do to an agent, by its row? All of it is done by the kernel, by the agent's guest, or by root.
 *
 * Whatever can fail returns whether it was done.
 */
#ifndef WARD_H
#define WARD_H

#include <stdbool.h>
#include <stdint.h>

/* How an agent ended since it was started last. */
enum end { NO_END, GOOD_END, BAD_END };

/* Prepare everything; return zeros for the state of the manager. */
void *prepare_wards(uint64_t size);

uint64_t ward_count(void);
uint64_t ward_badge(uint64_t a);
uint64_t ward_partition(uint64_t a);
enum end ward_end(uint64_t a);

bool ward_start(uint64_t a);
bool ward_stop(uint64_t a);
bool ward_restart(uint64_t a);
bool ward_reload(uint64_t a);
bool ward_destroy(uint64_t a);
bool ward_spawn(uint64_t a);
void ward_dismiss(uint64_t a);
void ward_give_up(uint64_t a);
void ward_save(uint64_t a);

/* Tell the host, in numbers, and pass the time. */
void report(const char *what, uint64_t a, uint64_t first, uint64_t second);
uint64_t milliseconds(void);
void rest(uint64_t milliseconds);
void finish(void);

#endif
