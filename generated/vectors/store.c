/* Generated from model/vectors/store.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 173659bfc6298f5d */

#include "store.h"
#include "builtins.h"
#include "distance.h"
#include "index.h"
#include "order.h"
#include "search.h"

/* How is a store of vectors kept in memory that somebody lends, and what may a host ask of it?

   The host writes the elements of a vector, or of a query, into the row that it is given for them, and reads them
   from the row that it is told. Whatever bytes the memory holds, and whatever the arguments are, each function has a
   value and ends. */

/* Is there room for all rows of such a store, and is it within the limits? */
bool store_is_roomy(const struct store *s, uint32_t dimension, element_t kind, uint32_t capacity)
{
    if (dimension > MOST_DIMENSION || capacity > MOST) {
        return false;
    }
    uint64_t rows = (uint64_t)capacity + 2;
    uint64_t elements = kind == ELEMENT_I8 ? s->bytes.length : s->words.length;
    return HEADER + ENTRY * rows <= s->table.length && rows * (uint64_t)dimension <= elements;
}

/* Is there room for all rows of this store? */
bool store_has_room(const struct store *s)
{
    return store_is_roomy(s, s->index.dimension, s->index.kind, s->index.capacity);
}

/* Make an empty store of the memory. What was there is lost. */
status_t store_format(struct store *s, uint32_t dimension, element_t kind, uint32_t capacity)
{
    if (dimension <= MOST_DIMENSION && capacity <= MOST && !store_is_roomy(s, dimension, kind, capacity)) {
        return STATUS_NO_ROOM;
    }
    status_t opened = store_opened_empty(&s->index, dimension, kind, capacity, 0);
    if (opened != STATUS_OK || s->table.length < HEADER) {
        return opened;
    }
    s->table.at[0] = MAGIC;
    s->table.at[AT_DIMENSION] = dimension;
    s->table.at[AT_ELEMENT] = kind == ELEMENT_I8 ? 0 : 1;
    s->table.at[AT_CAPACITY] = capacity;
    s->table.at[AT_LATEST] = 0;
    uint64_t at = AT_ZEROS;
    while (at < HEADER + ENTRY * ((uint64_t)capacity + 2) && at < s->table.length) {
        s->table.at[at] = 0;
        at++;
    }
    return STATUS_OK;
}

/* Open the index as one without vectors, if it is not open. */
status_t store_opened_empty(struct vectors *s, uint32_t dimension, element_t kind, uint32_t capacity, uint64_t latest)
{
    if (!s->is_open) {
        *s = (struct vectors){0};
        index_begin(s);
    }
    return index_open_as(s, dimension, kind, capacity, latest);
}

/* Open a store that somebody has left in the memory, whoever it was. Nothing of the memory changes. */
status_t store_open_stored(struct store *s)
{
    if (s->index.is_open) {
        return STATUS_OPEN;
    }
    if (s->table.length < HEADER) {
        return STATUS_NO_ROOM;
    }
    status_t fault = store_header_fault(s);
    if (fault != STATUS_OK) {
        return fault;
    }
    element_t kind = s->table.at[AT_ELEMENT] == 0 ? ELEMENT_I8 : ELEMENT_F32;
    uint32_t dimension = (uint32_t)s->table.at[AT_DIMENSION];
    uint32_t capacity = (uint32_t)s->table.at[AT_CAPACITY];
    if (!store_is_roomy(s, dimension, kind, capacity)) {
        return STATUS_NO_ROOM;
    }
    status_t opened = store_opened_empty(&s->index, dimension, kind, capacity, s->table.at[AT_LATEST]);
    if (opened != STATUS_OK) {
        return opened;
    }
    status_t answer = store_taken_in(s);
    if (answer != STATUS_OK) {
        s->index = (struct vectors){0};
    }
    return answer;
}

/* Return what is wrong with the header. */
status_t store_header_fault(const struct store *s)
{
    REQUIRES(s->table.length >= HEADER);
    if (s->table.at[0] != MAGIC) {
        return STATUS_NO_STORE;
    }
    if (s->table.at[AT_DIMENSION] == 0 || s->table.at[AT_DIMENSION] > MOST_DIMENSION) {
        return STATUS_BAD_DIMENSION;
    }
    if (s->table.at[AT_ELEMENT] > 1) {
        return STATUS_BAD_ELEMENT;
    }
    if (s->table.at[AT_CAPACITY] == 0 || s->table.at[AT_CAPACITY] > MOST) {
        return STATUS_BAD_CAPACITY;
    }
    if (s->table.at[AT_LATEST] > LAST) {
        return STATUS_DAMAGED;
    }
    uint64_t zeros = s->table.at[AT_ZEROS] | s->table.at[6] | s->table.at[7];
    return zeros == 0 ? STATUS_OK : STATUS_DAMAGED;
}

/* Take all stored vectors into the index. */
status_t store_taken_in(struct store *s)
{
    uint64_t row = 1;
    while (row < ROWS && row <= (uint64_t)s->index.capacity + 1 && HEADER + ENTRY * row + 1 < s->table.length) {
        uint64_t version = s->table.at[HEADER + ENTRY * row + 1];
        if (version != 0) {
            if (!distance_is_finite(s, row)) {
                return STATUS_NOT_FINITE;
            }
            uint64_t key = s->table.at[HEADER + ENTRY * row];
            row_id_t place = store_place_of(&s->index, key);
            status_t answer = index_adopt(&s->index, place, row, key, version);
            if (answer != STATUS_OK) {
                return STATUS_DAMAGED;
            }
        }
        row++;
    }
    return STATUS_OK;
}

/* Return the row of the vector with the greatest key below this one; 0 if there is none. */
row_id_t store_place_of(const struct vectors *s, uint64_t key)
{
    row_id_t found = 0;
    uint64_t greatest = 0;
    uint64_t row = 1;
    while (row < ROWS && row <= (uint64_t)s->capacity + 1) {
        row_id_t here = row;
        if (s->row[here].key < key && s->row[here].key >= greatest && order_is_vector(s, here)) {
            found = here;
            greatest = s->row[here].key;
        }
        row++;
    }
    return found;
}

/* Return the row of the vector of a key; 0 if there is none. */
uint32_t store_row_of(const struct store *s, uint64_t key)
{
    row_id_t place = store_place_of(&s->index, key);
    return order_known(&s->index, place, key);
}

/* Return a row for the elements of the next vector; 0 if there is none. */
uint32_t store_free_row(const struct store *s)
{
    uint64_t row = 1;
    while (row < ROWS && row <= (uint64_t)s->index.capacity + 1) {
        if (!order_is_vector(&s->index, row)) {
            return row;
        }
        row++;
    }
    return 0;
}

/* Write what the index says of a row, and the version of the store, into the table. */
void store_note_row(struct store *s, row_id_t row)
{
    uint64_t at = HEADER + ENTRY * (uint64_t)row;
    if (at + 1 < s->table.length) {
        s->table.at[at] = s->index.row[row].key;
        s->table.at[at + 1] = s->index.row[row].version;
        s->table.at[AT_LATEST] = s->index.latest;
    }
}

/* Let a free row, which has the elements, hold the vector of a key; 0 is expected if there must be none. */
status_t store_put_row(struct store *s, uint32_t row, uint64_t key, uint64_t expected)
{
    if (!store_has_room(s)) {
        return STATUS_NO_ROOM;
    }
    if (row >= ROWS) {
        return STATUS_ROW_TAKEN;
    }
    if (s->index.is_open && !distance_is_finite(s, row)) {
        return STATUS_NOT_FINITE;
    }
    row_id_t place = store_place_of(&s->index, key);
    row_id_t old = order_known(&s->index, place, key);
    status_t answer = index_put(&s->index, place, row, key, expected);
    if (answer == STATUS_OK) {
        if (old != 0) {
            store_note_row(s, old);
        }
        store_note_row(s, row);
    }
    return answer;
}

/* Take the vector of a key out of the store. */
status_t store_delete_key(struct store *s, uint64_t key, uint64_t expected)
{
    if (!store_has_room(s)) {
        return STATUS_NO_ROOM;
    }
    row_id_t place = store_place_of(&s->index, key);
    row_id_t old = order_known(&s->index, place, key);
    status_t answer = index_delete(&s->index, place, key, expected);
    if (answer == STATUS_OK) {
        store_note_row(s, old);
    }
    return answer;
}

/* Begin to search for the vectors that are nearest to the query in row 0. */
status_t store_begin_nearest(struct store *s, metric_t metric)
{
    if (!store_has_room(s)) {
        return STATUS_NO_ROOM;
    }
    if (s->index.is_open && !distance_is_finite(s, 0)) {
        return STATUS_NOT_FINITE;
    }
    return search_begin_search(&s->index, metric);
}

/* Look at some rows more. Return OK if all were looked at: then `best` has the answer. */
status_t store_go_on(struct store *s, uint32_t rows)
{
    if (!store_has_room(s)) {
        return STATUS_NO_ROOM;
    }
    uint32_t left = minimum(rows, ROWS);
    status_t answer = search_conclude(&s->index);
    while (answer == STATUS_UNFINISHED && left > 0) {
        uint32_t here = s->index.search.at;
        uint32_t apart = here < ROWS && order_is_vector(&s->index, minimum(here, 0x1fff)) ? distance_far(s, here) : 0;
        status_t looked = search_look(&s->index, apart);
        answer = looked == STATUS_OK ? search_conclude(&s->index) : looked;
        left--;
    }
    return answer;
}
