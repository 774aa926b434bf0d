/* What do stores make of memory that anybody wrote, of sizes that lie, and of rows and keys at the extremes? Every area
   is exactly as large as it is said to be, so a build that checks itself notices any access outside.

       attacked COUNT SEED      prints how often each answer was given, a line for each */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store.h"

enum { ANSWERS = STATUS_UNFINISHED + 1, MOST_ROWS = 12, MOST_ELEMENTS = 20 };

static uint64_t state, answers[ANSWERS];

static uint32_t below(uint32_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % bound;
}

static uint64_t telling(void)        /* a number that means something to a store */
{
    static const uint64_t values[] = {0, 1, ROWS - 1, ROWS, MOST, UINT32_MAX, UINT64_MAX - 1, UINT64_MAX};

    return below(2) ? below(12) : values[below(sizeof values / sizeof values[0])];
}

static void count(status_t answer)
{
    answers[answer]++;
}

static void *room(uint64_t size)
{
    void *made = calloc(size ? size : 1, 1);

    if (made == NULL) {
        abort();
    }
    return made;
}

/* Write a table that is nearly one of a store, or not at all. */
static void forge(struct store *s, uint32_t dimension, uint32_t kind, uint32_t capacity)
{
    for (uint64_t at = 0; at < s->table.length; at++) {
        s->table.at[at] = at < HEADER ? 0 : at % 2 ? below(3) : below(40);
    }
    if (s->table.length > AT_LATEST && below(16)) {
        s->table.at[0] = MAGIC;
        s->table.at[AT_DIMENSION] = dimension;
        s->table.at[AT_ELEMENT] = kind;
        s->table.at[AT_CAPACITY] = capacity;
        s->table.at[AT_LATEST] = 2;
    }
    for (uint32_t changes = below(3); changes > 0 && s->table.length > 0; changes--) {
        s->table.at[below(below(2) && s->table.length >= HEADER ? HEADER : (uint32_t)s->table.length)] = telling();
    }
    for (uint64_t at = 0; at < s->words.length; at++) {
        s->words.at[at] = below(64) ? below(1u << 30) : below(UINT32_MAX);
    }
    for (uint64_t at = 0; at < s->bytes.length; at++) {
        s->bytes.at[at] = (uint8_t)below(256);
    }
}

/* Set a part of the index to anything that its type can hold. */
static void disturb(struct vectors *s)
{
    uint32_t *numbers[] = {&s->dimension, &s->capacity, &s->search.at};
    uint64_t *words[] = {&s->latest, &s->search.latest, &s->row[below(MOST_ROWS)].key,
                         &s->row[below(MOST_ROWS)].version};

    *numbers[below(3)] = (uint32_t)telling();
    *words[below(4)] = telling();
    s->row[below(MOST_ROWS)].next = (row_id_t)below(ROWS);
    s->first = (row_id_t)below(ROWS);
    s->search.found = (uint8_t)below(256);
    s->search.running = true;
    s->kind = (element_t)below(2);
}

static void call(struct store *s)
{
    uint32_t row = below(4) ? store_free_row(s) : (uint32_t)telling();
    uint64_t key = below(4) ? below(8) : telling();
    metric_t metric = (metric_t)below(2);

    switch (below(5)) {
    case 0:
        count(store_put_row(s, row, key, below(2) ? UINT64_MAX : telling()));
        break;
    case 1:
        count(store_delete_key(s, key, below(2) ? UINT64_MAX : telling()));
        break;
    case 2:
        count(store_begin_nearest(s, metric));
        break;
    case 3:
        count(store_go_on(s, below(2) ? below(4) : (uint32_t)telling()));
        break;
    default:
        (void)store_row_of(s, key);
    }
}

int main(int arguments, char **argument)
{
    static struct store s;
    uint64_t left = arguments > 1 ? strtoull(argument[1], NULL, 10) : 0;

    state = 88172645463325252u + (arguments > 2 ? strtoull(argument[2], NULL, 10) : 0);
    for (; left > 0; left--) {
        uint32_t dimension = 1 + below(MOST_ELEMENTS), kind = below(2), capacity = 1 + below(MOST_ROWS - 2);
        uint64_t rows = capacity + 2, words = HEADER + ENTRY * rows - (below(8) ? 0 : below(4));
        uint64_t elements = rows * dimension - (below(8) ? 0 : below(3));

        if (below(16) == 0) {
            words = below(HEADER + 2);
        }
        uint64_t *table = room(words * sizeof *table);
        void *area = room(elements * (kind ? 4 : 1));

        s.index.is_open = false;
        s.table = (struct u64_slice){table, words};
        s.bytes = (struct u8_slice){kind ? NULL : area, kind ? 0 : elements};
        s.words = (struct u32_slice){kind ? area : NULL, kind ? elements : 0};
        forge(&s, dimension, kind, capacity);
        if (below(2)) {
            count(store_open_stored(&s));
        } else {
            uint32_t elements_said = below(8) ? dimension : (uint32_t)telling();

            count(store_format(&s, elements_said, (element_t)kind, below(8) ? capacity : (uint32_t)telling()));
        }
        for (uint32_t calls = below(12); calls > 0; calls--) {
            call(&s);
            if (below(8) == 0) {
                disturb(&s.index);
            }
        }
        free(table);
        free(area);
    }
    for (uint32_t answer = 0; answer < ANSWERS; answer++) {
        printf("%" PRIu32 ": %" PRIu64 "\n", answer, answers[answer]);
    }
    return 0;
}
