/* How do messages follow an agent? Its first machine numbers them, and they are put into an edge where the agent is.
 *
 * An edge holds so many messages. So who has put message n knows that the agent has received all up to n less that
 * many, and the first machine keeps those that may have to be put again, where the agent goes next. What is in the edge
 * of a machine when the agent has left is thrown away there.
 */
#include "mail.h"
#include "runtime.h"

enum { AHEAD = 8, KEPT = MESSAGES_PER_EDGE + AHEAD };   /* messages that wait for an edge, and with those in it */
enum { PAPER_OF = EXCHANGE_OF, KEPT_OF = 60, KEPT_PAGES = 2 };  /* pages: of one message, and of those that are kept */

#define MOST_TAKEN (1ull << 63)     /* more than anybody sends */

_Static_assert(KEPT * sizeof(struct mail) <= KEPT_PAGES * PAGE_SIZE, "what is kept does not fit");

static uint64_t taken, put;     /* numbers of messages, from 1 on */
static bool is_here, is_first;  /* is the agent here, and was it here first? */

static struct mail *kept(uint64_t number)
{
    return (struct mail *)AT(ENTRY_OF(KEPT_OF)) + number % KEPT;
}

static uint64_t paper(void)
{
    return PAGE_OF(myself(), PAPER_OF);
}

void mail_prepare(bool is_home)
{
    is_here = is_first = is_home;
    take_page(PAPER_OF, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
    for (uint64_t i = 0; i < KEPT_PAGES; i++)
        take_page(KEPT_OF + i, PAGE_KIND_DATA, ACCESS_READ | ACCESS_WRITE);
}

uint64_t mail_taken(void)
{
    return taken;
}

uint64_t mail_put(void)
{
    return put;
}

bool mail_is_here(void)
{
    return is_here;
}

const struct mail *mail_kept(uint64_t number)
{
    return kept(number);
}

/* Read what was received. */
static void read_paper(struct mail *mail, uint64_t length)
{
    const volatile uint64_t *page = AT(ENTRY_OF(PAPER_OF));

    mail->number = ++taken;
    mail->schema = page[MESSAGE_SCHEMA];
    mail->length = length;
    for (uint64_t i = 0; i < PAYLOAD_WORDS; i++)
        mail->word[i] = page[MESSAGE_PAYLOAD + i];
}

bool mail_take(void)
{
    struct answer answer;

    if (!is_first || taken - put >= AHEAD)
        return false;
    answer = TRY(edge_receive(RECEIVING, paper()));
    if (answer.status == STATUS_OK)
        read_paper(kept(taken + 1), answer.result[0]);
    return answer.status == STATUS_OK;
}

bool mail_accept(const struct mail *mail)
{
    struct mail *target = kept(taken + 1);

    if (!is_here || mail->number != taken + 1)
        return false;
    for (uint64_t i = 0; i < sizeof(struct mail) / sizeof(uint64_t); i++)
        ((volatile uint64_t *)target)[i] = ((const volatile uint64_t *)mail)[i];
    taken++;
    return true;
}

bool mail_deliver(void)
{
    volatile uint64_t *page = AT(ENTRY_OF(PAPER_OF));
    const struct mail *mail = kept(put + 1);

    if (!is_here || put == taken)
        return false;
    for (uint64_t i = 0; i < PAYLOAD_WORDS; i++)
        page[MESSAGE_PAYLOAD + i] = mail->word[i];
    if (TRY(edge_send(SENDING, paper(), mail->length, mail->schema)).status != STATUS_OK)
        return false;
    put++;
    return true;
}

void mail_was_put(uint64_t number)
{
    if (!is_here && number > put && number <= taken)
        put = number;
}

/* What the agent has not received is still kept where it was first. Return how many it has received. */
uint64_t mail_leave(void)
{
    while (is_here && TRY(edge_receive(INBOX, paper())).status == STATUS_OK)
        put--;
    is_here = false;
    return put;
}

/* Can it have received so many? Only where it was first is it known how many were taken. */
bool mail_can_come(uint64_t read)
{
    return read <= (is_first ? taken : MOST_TAKEN);
}

void mail_come(uint64_t read)
{
    is_here = true;
    put = read;
    taken = is_first ? taken : read;
}
