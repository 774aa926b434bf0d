/* How do the guest that places agents and the manager reach each other? By an edge each way. */
#include "counsel.h"
#include "runtime.h"

enum { PAPER_OF = EXCHANGE_OF };    /* page: of one message */

static volatile uint64_t *payload(void)
{
    return AT(ENTRY_OF(PAPER_OF)) + MESSAGE_PAYLOAD;
}

static uint64_t paper(void)
{
    return PAGE_OF(myself(), PAPER_OF);
}

void counsel_prepare(void)
{
    take_page(PAPER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
}

/* Send so many bytes, a number of words; false if the edge is full, or the other one is no more. */
bool counsel_send(const void *words, uint64_t size)
{
    for (uint64_t i = 0; i < size / sizeof(uint64_t); i++)
        payload()[i] = ((const uint64_t *)words)[i];
    return TRY(edge_send(SENDING, paper(), size / sizeof(uint64_t), SCHEMA)).status == STATUS_OK;
}

/* Receive as many; false if there is no message. */
bool counsel_receive(void *words, uint64_t size)
{
    if (TRY(edge_receive(RECEIVING, paper())).status != STATUS_OK)
        return false;
    for (uint64_t i = 0; i < size / sizeof(uint64_t); i++)
        ((uint64_t *)words)[i] = payload()[i];
    return true;
}
