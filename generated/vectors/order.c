/* Generated from spec/vectors/order.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 ca1ab904e8359320 */

#include "order.h"
#include "builtins.h"

/* What do the words for rows, for the order of keys and for the order of a search mean? */

/* Does a row hold a vector? */
bool order_is_vector(const struct vectors *s, row_id_t i)
{
    return s->row[i].version != 0;
}

/* Is a row one of the store, for a vector? */
bool order_is_row(const struct vectors *s, row_id_t i)
{
    return i != 0 && i <= (uint64_t)s->capacity + 1;
}

/* Return the vector behind row p in the order of keys, the first one for row 0; 0 if there is none. */
row_id_t order_following(const struct vectors *s, row_id_t p)
{
    return p == 0 ? s->first : s->row[p].next;
}

/* Is row p the vector with the greatest key below this one, or 0 if there is none? */
bool order_is_before(const struct vectors *s, row_id_t p, uint64_t key)
{
    row_id_t n = order_following(s, p);
    bool after_one = p == 0 || (order_is_vector(s, p) && s->row[p].key < key);
    return after_one && (n == 0 || s->row[n].key >= key);
}

/* Return the vector behind row p if it is that of the key, or 0. */
row_id_t order_known(const struct vectors *s, row_id_t p, uint64_t key)
{
    row_id_t n = order_following(s, p);
    return n != 0 && s->row[n].key == key ? n : 0;
}

/* Return the version of a vector; 0 for row 0. */
uint64_t order_version_of(const struct vectors *s, row_id_t n)
{
    return n != 0 ? s->row[n].version : 0;
}

/* Is a version the expected one? */
bool order_is_expected(uint64_t version, uint64_t expected)
{
    return expected == ANY || version == expected;
}

/* Does the store hold as many vectors as it may? */
bool order_is_full(const struct vectors *s)
{
    return s->row[0].key <= saturating_sub(MOST, s->capacity);
}

/* Does a vector at a distance come before one that was found? Of two as far, the one with the lower key does. */
bool order_is_nearer(const struct vectors *s, uint32_t far, uint64_t key, rank_t r)
{
    const struct found *other = &s->best[r];
    return far < other->far || (far == other->far && key < other->key);
}

/* Has every rank a vector, and does none of them come after one at a distance? */
bool order_is_worse(const struct vectors *s, uint32_t far, uint64_t key)
{
    return s->search.found >= RANKS && !order_is_nearer(s, far, key, 15);
}

/* Were all rows looked at? */
bool order_is_complete(const struct vectors *s)
{
    return s->search.at > (uint64_t)s->capacity + 1;
}
