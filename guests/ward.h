/* What can the manager do to an agent, by its row? All of it is done by the kernel, by the agent's guest, or by root.
 *
 * What can fail returns whether it is done. What is done already is done again without harm.
 */
#ifndef WARD_H
#define WARD_H

#include <stdbool.h>
#include <stdint.h>
#include "roll.h"

/* The manager's own level-3 table. */
#define OWN_TABLE PAGE_OF(MANAGER, TABLE_3_OF)

/* How an agent ended since it was started last. */
enum end { NO_END, GOOD_END, BAD_END };

/* Prepare everything; return the pages for the state of the manager, and whether it was there before. */
void *prepare_wards(uint64_t size, bool *was_there);

const volatile struct roll *the_roll(void);
enum end ward_end(uint64_t a);
uint64_t ward_violations(uint64_t a);
bool ward_has_room(uint64_t a);
bool ward_is_empty(uint64_t a);

bool ward_start(uint64_t a);
bool ward_stop(uint64_t a);
bool ward_restart(uint64_t a);
bool ward_reload(uint64_t a);
bool ward_destroy(uint64_t a);
bool ward_leave(uint64_t a);
bool ward_spawn(uint64_t a);
void ward_dismiss(uint64_t a);
void ward_save(uint64_t a);

/* For hibernation: pause an agent and suspend it, let its partition rest, and let it begin with a snapshot. */
bool ward_halt(uint64_t a);
bool ward_hibernate(uint64_t a);
bool ward_rest(uint64_t a);
bool ward_wake(uint64_t a);
bool ward_begin_with(uint64_t a, uint64_t size);

/* For moves. A snapshot has chunks of a page each, and a hash of four words. */
bool ward_pause(uint64_t a);
bool ward_resume(uint64_t a);
bool ward_snapshot(uint64_t a);
uint64_t ward_chunks(uint64_t a);
const volatile uint64_t *ward_hash(uint64_t a);
uint64_t ward_size(uint64_t a);
void ward_open(uint64_t a);
bool ward_is_open(uint64_t a);
void ward_close(uint64_t a);
void ward_expect(uint64_t a, uint64_t size);
bool ward_pass_chunk(uint64_t a, uint64_t there, uint64_t chunk);
bool ward_pass_checkpoint(uint64_t a, uint64_t there);
bool ward_check(uint64_t a);
bool ward_arrive(uint64_t a);
void ward_make_room(uint64_t a);
bool ward_prepare_room(uint64_t a, uint64_t number);

/* Of a move to another machine: read a chunk; where one that comes is written, and let the agent's guest read it. */
void prepare_chunks(void);
bool ward_can_hold(uint64_t size, uint64_t chunks);
bool ward_is_chunk(uint64_t chunk);
const volatile uint8_t *ward_view_chunk(uint64_t a, uint64_t chunk);
volatile uint8_t *ward_chunk(uint64_t chunk);
volatile uint8_t *ward_memory(uint64_t page);
uint64_t ward_memory_pages(void);
void ward_let_fade(void);
bool ward_lend_chunk(uint64_t a, uint64_t chunk);

/* Tell the host, in numbers; pass the time; let root act on the manager and on agents. */
void report(const char *what, uint64_t a, uint64_t first, uint64_t second);
uint64_t milliseconds(void);
void rest(uint64_t milliseconds);
void die(void);
void end_agents(void);
void finish(void);

#endif
