/* Generated from model/wasm/reader.py
   with codegen/templates/unit.h.j2: edit those, not this.
   Content: sha256 8a0d88940411183f */

#ifndef VM_READER_H
#define VM_READER_H

#include "types.h"

void reader_refuse(struct module *m, refusal_t reason, uint32_t at);
bool reader_refused(const struct module *m);
void reader_spend(struct module *m, uint32_t rounds);
uint32_t reader_remaining(const struct module *m);
uint8_t reader_byte(struct module *m);
uint32_t reader_unsigned_32(struct module *m);
uint64_t reader_signed_number(struct module *m, uint32_t bits);
void reader_skip_number(struct module *m);
uint64_t reader_negative(uint64_t value, uint32_t bits);
uint64_t reader_bits_32(struct module *m);
uint64_t reader_bits_64(struct module *m);
uint32_t reader_count(struct module *m);
void reader_skip(struct module *m, uint32_t size);
void reader_name(struct module *m, struct name *found);
bool reader_is_utf8(const struct module *m, const struct name *text);
uint32_t reader_utf8_size(const struct module *m, uint32_t at, uint32_t left);
bool reader_follows(uint8_t part);

#endif
