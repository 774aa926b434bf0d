/* Generated from model/vectors/search.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 9df3f3d1bfad390f */

#include "search.h"
#include "order.h"

/* Which vectors are the nearest? All rows are looked at, one by one; how far each is comes from outside. */

/* Begin a search. A search under way ends. */
status_t search_begin_search(struct vectors *s, metric_t metric)
{
    if (!s->is_open) {
        return STATUS_NOT_OPEN;
    }
    s->search.running = true;
    s->search.metric = metric;
    s->search.found = 0;
    s->search.at = 1;
    s->search.latest = s->latest;
    return STATUS_OK;
}

/* Return why a search cannot go on, if so. */
status_t search_halted(const struct vectors *s)
{
    if (!s->search.running) {
        return STATUS_NO_SEARCH;
    }
    return s->search.latest != s->latest ? STATUS_STALE_SEARCH : STATUS_OK;
}

/* Look at the next row, which is so far from the query; one without a vector is passed over. */
status_t search_look(struct vectors *s, uint32_t far)
{
    status_t refused = search_halted(s);
    if (refused != STATUS_OK) {
        return refused;
    }
    if (order_is_complete(s) || s->search.at >= ROWS) {
        return STATUS_SEARCHED;
    }
    row_id_t here = s->search.at;
    s->seen[here].here = order_is_vector(s, here);
    if (order_is_vector(s, here)) {
        s->seen[here].key = s->row[here].key;
        s->seen[here].far = far;
        search_rank(s, here, s->row[here].key, far);
    }
    s->search.at++;
    return STATUS_OK;
}

/* Put a vector among those that were found, if it is near enough. */
void search_rank(struct vectors *s, row_id_t row, uint64_t key, uint32_t far)
{
    if (order_is_worse(s, far, key)) {
        return;
    }
    uint8_t place = s->search.found;
    for (uint32_t i = 0; i < RANKS; i++) {
        place = search_place_from(s, far, key, 15 - i, place);
    }
    if (s->search.found < RANKS) {
        s->search.found++;
    }
    for (uint32_t i = 0; i < 15; i++) {
        search_make_room(s, place, 15 - i);
    }
    if (place < RANKS) {
        search_set_found(s, place, row, key, far);
    }
}

/* Return a rank as the place of a vector, if that one's is further, and else the place found before. */
uint8_t search_place_from(const struct vectors *s, uint32_t far, uint64_t key, rank_t r, uint8_t place)
{
    if (r < s->search.found && order_is_nearer(s, far, key, r)) {
        return r;
    }
    return place;
}

/* Give a rank what the one before has, if it is behind a place. */
void search_make_room(struct vectors *s, uint8_t place, rank_t r)
{
    if (r < s->search.found && r > place) {
        search_copy(s, r - 1, r);
    }
}

/* Give one rank what another one has. */
void search_copy(struct vectors *s, rank_t q, rank_t r)
{
    search_set_found(s, r, s->best[q].row, s->best[q].key, s->best[q].far);
}

/* Give a vector a rank. */
void search_set_found(struct vectors *s, rank_t r, row_id_t row, uint64_t key, uint32_t far)
{
    s->best[r].row = row;
    s->best[r].key = key;
    s->best[r].far = far;
}

/* Say whether what was found is the answer. */
status_t search_conclude(const struct vectors *s)
{
    status_t refused = search_halted(s);
    if (refused != STATUS_OK) {
        return refused;
    }
    return order_is_complete(s) ? STATUS_OK : STATUS_UNFINISHED;
}
