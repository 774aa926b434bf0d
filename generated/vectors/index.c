/* Generated from model/vectors/index.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 939697406c8d10e7 */

#include "index.h"
#include "builtins.h"
#include "order.h"

/* How does a store of vectors change? Each step names the rows that it is about, and is refused if they are not
   those.

   Each step can be taken in any state, even one that no step leads to. */

/* Note that there is no vector yet. */
void index_begin(struct vectors *s)
{
    s->row[0].key = MOST;
}

/* Open an empty store that has come to a version. */
status_t index_open_as(struct vectors *s, uint32_t dimension, element_t kind, uint32_t capacity, uint64_t latest)
{
    if (s->is_open) {
        return STATUS_OPEN;
    }
    if (dimension == 0 || dimension > MOST_DIMENSION) {
        return STATUS_BAD_DIMENSION;
    }
    if (capacity == 0 || capacity > MOST) {
        return STATUS_BAD_CAPACITY;
    }
    if (latest > LAST) {
        return STATUS_EXHAUSTED;
    }
    s->is_open = true;
    s->dimension = dimension;
    s->kind = kind;
    s->capacity = capacity;
    s->latest = latest;
    return STATUS_OK;
}

/* Return why a row cannot get the vector of a key, if so. */
status_t index_barred(const struct vectors *s, row_id_t p, row_id_t row, uint64_t key)
{
    if (!s->is_open) {
        return STATUS_NOT_OPEN;
    }
    if (order_is_vector(s, row) || !order_is_row(s, row)) {
        return STATUS_ROW_TAKEN;
    }
    if (!order_is_before(s, p, key)) {
        return STATUS_WRONG_PLACE;
    }
    return STATUS_OK;
}

/* Let a vector follow row p. */
void index_link(struct vectors *s, row_id_t p, row_id_t n)
{
    if (p == 0) {
        s->first = n;
    } else {
        s->row[p].next = n;
    }
}

/* Let a row hold a new vector, behind row p. */
void index_insert(struct vectors *s, row_id_t p, row_id_t row, uint64_t key, uint64_t version)
{
    s->row[row].key = key;
    s->row[row].version = version;
    s->row[row].next = order_following(s, p);
    index_link(s, p, row);
    if (s->row[0].key > 0) {
        s->row[0].key--;
    }
}

/* Take a vector that was stored before. */
status_t index_adopt(struct vectors *s, row_id_t p, row_id_t row, uint64_t key, uint64_t version)
{
    status_t refused = index_barred(s, p, row, key);
    if (refused != STATUS_OK) {
        return refused;
    }
    if (order_known(s, p, key) != 0) {
        return STATUS_KEY_KNOWN;
    }
    if (version == 0 || version > s->latest) {
        return STATUS_BAD_VERSION;
    }
    if (order_is_full(s)) {
        return STATUS_FULL;
    }
    s->search.running = false;
    index_insert(s, p, row, key, version);
    return STATUS_OK;
}

/* Let a free row hold the vector of a key, whose version must be the expected one; 0 if there must be none. */
status_t index_put(struct vectors *s, row_id_t p, row_id_t row, uint64_t key, uint64_t expected)
{
    status_t refused = index_barred(s, p, row, key);
    if (refused != STATUS_OK) {
        return refused;
    }
    row_id_t old = order_known(s, p, key);
    if (!order_is_expected(order_version_of(s, old), expected)) {
        return STATUS_STALE_VERSION;
    }
    if (old == 0 && order_is_full(s)) {
        return STATUS_FULL;
    }
    if (s->latest >= LAST) {
        return STATUS_EXHAUSTED;
    }
    s->latest++;
    if (old == 0) {
        index_insert(s, p, row, key, s->latest);
    } else {
        s->row[row].key = key;
        s->row[row].version = s->latest;
        s->row[row].next = s->row[old].next;
        index_link(s, p, row);
        s->row[old] = (struct row){0};
    }
    return STATUS_OK;
}

/* Take the vector of a key, whose version must be the expected one, out of the store. */
status_t index_delete(struct vectors *s, row_id_t p, uint64_t key, uint64_t expected)
{
    if (!s->is_open) {
        return STATUS_NOT_OPEN;
    }
    if (!order_is_before(s, p, key)) {
        return STATUS_WRONG_PLACE;
    }
    row_id_t old = order_known(s, p, key);
    if (old == 0) {
        return STATUS_ABSENT;
    }
    if (expected != ANY && s->row[old].version != expected) {
        return STATUS_STALE_VERSION;
    }
    if (s->latest >= LAST) {
        return STATUS_EXHAUSTED;
    }
    s->latest++;
    index_link(s, p, s->row[old].next);
    s->row[old] = (struct row){0};
    s->row[0].key = minimum(s->row[0].key, 0x1ffd) + 1;
    return STATUS_OK;
}
