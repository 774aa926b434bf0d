/* How does an agent come to the disk, and back?
 *
 * One agent at a time: there is room for one block. What can fail returns whether it is done. What is done already is
 * done again without harm.
 */
#ifndef COLD_H
#define COLD_H

#include <stdbool.h>
#include <stdint.h>

/* Where the snapshot of an agent is, its sizes in bytes, and its hash. */
struct cold_receipt {
    uint64_t at, packed, plain, hash[4];
};

/* Pages for blocks and snapshots, which are there after a restart of this guest, too. */
void prepare_cold(void);

/* There: compress the snapshot of an agent, write it, put its receipt into the log, and free its pages. */
bool cold_pack(uint64_t a);
uint64_t cold_packed(void);
bool cold_write(uint64_t a);
uint64_t cold_place(uint64_t a);
bool cold_record(uint64_t a, const struct cold_receipt *receipt);
bool cold_free(uint64_t a);

/* And back: read what was written, make a snapshot of it, compute the hash of that, and let the agent begin with it. */
bool cold_read(uint64_t a, uint64_t packed);
bool cold_unpack(uint64_t packed, uint64_t plain);
void cold_hash(uint64_t hash[4], uint64_t plain);
bool cold_restore(uint64_t a, uint64_t plain);

/* Alter what was read, as a disk might. */
void alter_block(void);

#endif
