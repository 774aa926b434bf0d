/* How is a store of vectors kept for agents? What each asks is copied, checked, and asked of the component.
 *
 * That index is proved. This file gives it rows for elements, and tells what it answers.
 */
#include "desk.h"
#include "vectors/store.h"

enum { ROWS_IN_ALL = VECTORS_AT_MOST + 2 };     /* that of a query, and a spare one */

/* Each row of elements has its page. */
struct room {
    struct store store;
    _Alignas(VECTOR_BYTES) uint32_t element[ROWS_IN_ALL][VECTOR_ELEMENTS];
};

static uint64_t table[HEADER + ENTRY * ROWS_IN_ALL];

/* What agents see of a status of the component. */
static uint64_t seen_as(status_t status)
{
    return status == STATUS_OK ? STATUS_OK : STORE_STATUS + status;
}

static uint64_t get(struct room *room, const struct request *request, uint32_t *row)
{
    *row = store_row_of(&room->store, request->slip.key);
    if (*row == 0)
        return seen_as(STATUS_ABSENT);
    desk_lend(request, room->element[*row]);
    return STATUS_OK;
}

/* The elements are in a free row before they are looked at, and nobody else can write there. */
static uint64_t put(struct room *room, const struct request *request, uint32_t *row)
{
    uint64_t refused;

    *row = store_free_row(&room->store);
    refused = desk_take(request, room->element[*row]);
    if (refused != STATUS_OK)
        return refused;
    return seen_as(store_put_row(&room->store, *row, request->slip.key, request->slip.version));
}

static void serve(struct room *room)
{
    struct request request;
    struct reply reply = {.status = desk_hear(&request)};
    uint32_t row = 0;

    if (reply.status == STATUS_OK && request.slip.size != VECTOR_BYTES)
        reply.status = seen_as(STATUS_BAD_DIMENSION);
    else if (reply.status == STATUS_OK)
        reply.status = (request.slip.verb == SLIP_PUT ? put : get)(room, &request, &row);
    reply.number = request.slip.number;
    reply.version = reply.status == STATUS_OK ? room->store.index.row[row].version : 0;
    reply.size = reply.status == STATUS_OK ? VECTOR_BYTES : 0;
    desk_answer(&request, &reply, room->element[row]);
}

void main(void)
{
    struct room *room = desk_open(sizeof(struct room));

    room->store.table = (struct u64_slice){table, HEADER + ENTRY * ROWS_IN_ALL};
    room->store.words = (struct u32_slice){&room->element[0][0], ROWS_IN_ALL * VECTOR_ELEMENTS};
    desk_is_open(seen_as(store_format(&room->store, VECTOR_ELEMENTS, ELEMENT_F32, VECTORS_AT_MOST)));
    while (true)
        serve(room);
}
