/* What do all guests share? Conventions with root, time, attempts under root's watch, reports to the host. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include "constants.h"
#include "hypercall.h"
#include "layout.h"
#include "mutation.h"
#include "slots.h"

/* Each partition has a region of the pool: first three tables, then pages that it takes itself. */
enum { TABLE_1_OF, TABLE_2_OF, TABLE_3_OF, BUFFER_OF = 8, CANARY_OF, EXCHANGE_OF, APPEND_OF, SPARE_OF };

#define PAGES_IN_REGION (1 << REGION_SHIFT)
#define REGION_OF(p) ((p) + FIRST_REGION)
#define PAGE_OF(p, what) (REGION_OF(p) * PAGES_IN_REGION + (what))

/* Where a guest maps them, above its image, in its level-3 table. */
#define ENTRY_OF(what) (64 + (what))
#define ENTRY_OF_PEER(what) (128 + (what))
#define AT(entry) ((volatile uint64_t *)(GUEST_BASE + (uint64_t)(entry) * PAGE_SIZE))

/* An attempt by a guest; the expected result is coded as in constants.h. */
struct attempt {
    const char *name;
    uint32_t expected;
    uint64_t (*act)(void);
};

enum { ATTEMPTS = 160 };   /* that there is room to remember */

/* At the start of the data, where root looks: a guest that stays too long at a dangerous attempt was stopped. */
struct status {
    volatile uint64_t attempt;
    volatile uint64_t dangerous;
    volatile uint64_t wish;         /* what the guest asks root to do */
    volatile uint64_t done;
    uint64_t stage;                 /* how far main has come */
    uint64_t calls;                 /* calls that left a record */
};

extern struct status status;

/* `note` counts a call; TRY repeats a call until it gets its turn, and waits `patience` milliseconds in between. */
extern uint64_t patience;
struct answer note(struct answer answer);
bool too_soon(uint64_t outcome);
#define TRY(call) ({ struct answer answer_; do answer_ = note(call); while (too_soon(answer_.status)); answer_; })

uint64_t nanoseconds(void);
void give_way(void);
void wait(uint64_t milliseconds);
void linger(uint64_t nanoseconds);
uint64_t myself(void);

void take_page_of(uint64_t region, uint64_t page, uint64_t entry, uint64_t kind, uint64_t access);
void take_page(uint64_t what, uint64_t kind, uint64_t access);
void try_all(const struct attempt *attempt, uint64_t count);

void say(const char *text);
void say_number(uint64_t value);
void tell_number(const char *what, uint64_t value);
void say_hash(const volatile uint64_t *page);
uint64_t send(void);
uint64_t write_out(uint64_t page, uint64_t words, uint64_t format);

/* Where to continue after an exception of the guest's own; 0: after the instruction that caused it. */
extern uint64_t landing;

/* The buffer page of the console, and the handle on the console, which differs for root. */
extern uint64_t buffer_page, console;

bool is_suspension_of_root(const volatile uint64_t *words);
void hash_words(uint32_t digest[8], const volatile uint64_t *word, uint64_t count);

void main(void);

#endif
