/* Generated from model/console.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 bf05716834b329cf */

#include "console.h"
#include "hardware.h"
#include "witness.h"

/* How do guests speak to the host? Through the console, when they hold a capability on it. */

/* Send the first words of a page to the host. */
void console_send_to_console(const struct kernel *s, partition_id_t p, page_id_t page, uint16_t words, format_t format)
{
    (void)s;
    hardware_console_send_to_console(p, page, words, format);
}

/* Write the first `words` words of an own page to the console. */
status_t console_write(const struct kernel *s, const struct call *call, page_id_t page, uint16_t words, format_t format)
{
    (void)call;
    if (words > PAGE_WORDS) {
        return STATUS_BAD_ARGUMENT;
    }
    if (!witness_own_data(s, s->current, page)) {
        return STATUS_NOT_OWNER;
    }
    console_send_to_console(s, s->current, page, words, format);
    return STATUS_OK;
}
