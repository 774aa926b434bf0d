/* Generated from model/console.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 2d4d1964b0dc99b0 */

#ifndef KERNEL_CONSOLE_H
#define KERNEL_CONSOLE_H

#include "types.h"

void console_send_to_console(const struct kernel *s, partition_id_t p, page_id_t page, uint16_t words, format_t format);
status_t console_write(const struct kernel *s, const struct call *call, page_id_t page, uint16_t words,
                       format_t format);

#endif
