/* Generated from model/kernel/console.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 bfb46cc72226daba */

#ifndef KERNEL_CONSOLE_H
#define KERNEL_CONSOLE_H

#include "types.h"

#define NEWLINE 10
#define SPACE 32

void console_put(uint8_t character);
void console_put_byte(uint8_t value);
void console_put_bytes(uint64_t word);
void console_put_head(partition_id_t p, uint8_t mark);
void console_put_shown(partition_id_t p, uint8_t character);
void console_put_text(partition_id_t p, uint64_t word);
void console_put_word_as_bytes(const struct kernel *s, page_id_t page, uint32_t position, uint32_t end);
void console_put_word_as_text(const struct kernel *s, partition_id_t p, page_id_t page, uint32_t position,
                              uint32_t end);
void console_put_page_as_bytes(const struct kernel *s, partition_id_t p, page_id_t page, entry_id_t first,
                               uint16_t words);
void console_put_page_as_text(const struct kernel *s, partition_id_t p, page_id_t page, entry_id_t first,
                              uint16_t words);
status_t console_write(const struct kernel *s, const struct call *call, page_id_t page, entry_id_t first,
                       uint16_t words, format_t format);

#endif
