/* Generated from model/kernel/measure.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 32c41c378a053c61 */

#ifndef KERNEL_MEASURE_H
#define KERNEL_MEASURE_H

#include "types.h"

void measure_add_line(uint32_t *state, const uint64_t *line);
void measure_add_line_of(uint32_t *state, const struct frame *page, line_id_t number);
void measure_add_page(uint32_t *state, const struct frame *page);
void measure_add_page_of(uint32_t *state, const struct frame *part, uint32_t number, page_count_t pages);
void measure_add_pages(uint32_t *state, const struct frame *part, page_count_t pages);
void measure_finalize(struct boot_information *information, phase_id_t phase, uint32_t *state, line_count_t lines);
void measure_pages(struct boot_information *information, phase_id_t phase, const struct frame *part,
                   page_count_t pages);
void measure_words(struct boot_information *information, phase_id_t phase, const uint64_t *words);
void measure_pair(struct boot_information *information, phase_id_t phase, uint64_t first, uint64_t second);
void measure_root(struct boot_information *information, phase_id_t phase, const struct frame *package);
bool measure_take_secret(struct boot_information *information, struct secret *secret);
void measure_forget_key(struct boot_information *information);
void measure_copy_line(struct frame *target, const struct frame *source, entry_id_t first);
void measure_copy_page(struct frame *target, const struct frame *source);
void measure_unpack_page(struct kernel *s, const struct boot_information *information, const struct frame *package,
                         package_page_id_t number);
void measure_unpack(struct kernel *s, const struct boot_information *information, const struct frame *package);

#endif
