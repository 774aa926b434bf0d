/* Generated from model/wasm/reader.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 b6f1270b1d2b63a6 */

#include "reader.h"
#include "builtins.h"

#define CONTINUED 0x80                  /* another byte follows */
#define LOW 0x7f                        /* the bits of a number in a byte */
#define SIGN 0x40                       /* the highest of these */
#define ALL_ONES 0xffffffffffffffffull

/* How are the bytes of a module read?

   Every read stops at the end that is set. After a refusal, nothing more is read. */

/* Keep the first reason to refuse the module. */
void reader_refuse(struct module *m, refusal_t reason, uint32_t at)
{
    if (m->refusal == REFUSAL_NONE) {
        m->refusal = reason;
        m->offset = at;
    }
    m->at = m->end;
}

/* Is there a reason to refuse the module, or a request to stop? */
bool reader_refused(const struct module *m)
{
    return m->refusal != REFUSAL_NONE || __atomic_load_n(&m->stop, __ATOMIC_RELAXED) != 0;
}

/* Pay for the rounds of a loop over operand types. Refuse the module if it cannot pay. */
void reader_spend(struct module *m, uint32_t rounds)
{
    if (m->work < rounds) {
        reader_refuse(m, REFUSAL_TOO_MUCH_WORK, m->at);
        return;
    }
    m->work -= rounds;
}

/* Return how many bytes may still be read. */
uint32_t reader_remaining(const struct module *m)
{
    return m->at < m->end ? m->end - m->at : 0;
}

/* Read the next byte. */
uint8_t reader_byte(struct module *m)
{
    uint32_t at = m->at;
    if (at >= m->end || at >= m->bytes.length) {
        reader_refuse(m, REFUSAL_UNEXPECTED_END, at);
        return 0;
    }
    m->at = at + 1;
    return m->bytes.at[at];
}

/* Read a u32 in LEB128: at most 5 bytes, with nothing above bit 31 in the last one. */
uint32_t reader_unsigned_32(struct module *m)
{
    uint32_t start = m->at;
    uint64_t value = 0;
    for (uint32_t i = 0; i < 5; i++) {
        uint8_t part = reader_byte(m);
        if (i == 4 && part >= CONTINUED) {
            reader_refuse(m, REFUSAL_NUMBER_LENGTH, start);
            return 0;
        }
        if (i == 4 && part > 15) {
            reader_refuse(m, REFUSAL_NUMBER_RANGE, start);
            return 0;
        }
        value |= (uint64_t)(part & LOW) << (uint64_t)(7 * i);
        if (part < CONTINUED) {
            return (uint32_t)value;
        }
    }
    return 0;
}

/* Read a signed number of 32, 33 or 64 bits in LEB128, as 64 bits of two's complement.

   The unused bits of its last byte repeat the sign. */
uint64_t reader_signed_number(struct module *m, uint32_t bits)
{
    uint32_t start = m->at;
    uint64_t value = 0;
    for (uint32_t i = 0; i < 10; i++) {
        uint8_t part = reader_byte(m);
        value |= shift_left_64(part & LOW, 7 * i);
        if (7 * i + 7 >= bits) {
            if (part >= CONTINUED) {
                reader_refuse(m, REFUSAL_NUMBER_LENGTH, start);
                return 0;
            }
            uint8_t sign = shift_right_8(part & LOW, (uint8_t)saturating_sub(bits, 7 * i + 1));
            if (sign != 0 && sign != shift_right_8(LOW, (uint8_t)saturating_sub(bits, 7 * i + 1))) {
                reader_refuse(m, REFUSAL_NUMBER_RANGE, start);
                return 0;
            }
        }
        if (part < CONTINUED) {
            return (part & SIGN) != 0 ? reader_negative(value, 7 * i + 7) : value;
        }
    }
    return 0;
}

/* Skip a u32, and check its encoding. */
void reader_skip_number(struct module *m)
{
    for (uint32_t i = 0; i < 5; i++) {
        uint8_t part = reader_byte(m);
        if (i == 4 && part > 15) {
            reader_refuse(m, part < CONTINUED ? REFUSAL_NUMBER_RANGE : REFUSAL_NUMBER_LENGTH, m->at);
        }
        if (part < CONTINUED) {
            return;
        }
    }
}

/* Return a number with ones above its bits. */
uint64_t reader_negative(uint64_t value, uint32_t bits)
{
    return bits >= 64 ? value : value | shift_left_64(ALL_ONES, bits);
}

/* Read the four bytes of an f32. */
uint64_t reader_bits_32(struct module *m)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t part = reader_byte(m);
        value |= (uint64_t)part << (uint64_t)(8 * i);
    }
    return value;
}

/* Read the eight bytes of an f64. */
uint64_t reader_bits_64(struct module *m)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint8_t part = reader_byte(m);
        value |= (uint64_t)part << (uint64_t)(8 * i);
    }
    return value;
}

/* Read the length of a vector. Each element takes at least one byte. */
uint32_t reader_count(struct module *m)
{
    uint32_t start = m->at;
    uint32_t value = reader_unsigned_32(m);
    if (value > reader_remaining(m)) {
        reader_refuse(m, REFUSAL_LENGTH, start);
        return 0;
    }
    return value;
}

/* Skip bytes. */
void reader_skip(struct module *m, uint32_t size)
{
    if (size > reader_remaining(m)) {
        reader_refuse(m, REFUSAL_LENGTH, m->at);
        return;
    }
    m->at += size;
}

/* Read a name: a vector of bytes that must be UTF-8. */
void reader_name(struct module *m, struct name *found)
{
    found->size = reader_count(m);
    found->at = m->at;
    reader_skip(m, found->size);
    if ((uint64_t)found->at + (uint64_t)found->size > m->bytes.length) {
        reader_refuse(m, REFUSAL_UNEXPECTED_END, found->at);
    } else if (!reader_refused(m) && !reader_is_utf8(m, found)) {
        reader_refuse(m, REFUSAL_UTF8, found->at);
    }
}

/* Is a string of the module well-formed UTF-8? Shortest encodings of scalar values only: Unicode 15, table 3-7. */
bool reader_is_utf8(const struct module *m, const struct name *text)
{
    REQUIRES((uint64_t)text->at + (uint64_t)text->size <= m->bytes.length);
    uint32_t left = text->size;
    uint32_t at = text->at;
    while (left > 0 && !reader_refused(m)) {
        uint32_t size = reader_utf8_size(m, at, left);
        if (size == 0) {
            return false;
        }
        left -= size;
        at += size;
    }
    return true;
}

/* Return the size of the encoded character at a position, with so many bytes left; 0 if there is none.

   Ensures: result <= left. */
uint32_t reader_utf8_size(const struct module *m, uint32_t at, uint32_t left)
{
    REQUIRES(left > 0 && (uint64_t)at + (uint64_t)left <= m->bytes.length);
    uint8_t first = m->bytes.at[at];
    if (first < 128) {
        return 1;
    }
    uint32_t size = first < 224 ? 2 : (first < 240 ? 3 : 4);
    if (first < 194 || first > 244 || left < size) {
        return 0;
    }
    uint8_t second = m->bytes.at[(uint64_t)at + 1];
    uint8_t least = first == 224 ? 160 : (first == 240 ? 144 : 128);
    uint8_t most = first == 237 ? 159 : (first == 244 ? 143 : 191);
    if (second < least || second > most) {
        return 0;
    }
    if (size > 2 && !reader_follows(m->bytes.at[(uint64_t)at + 2])) {
        return 0;
    }
    if (size > 3 && !reader_follows(m->bytes.at[(uint64_t)at + 3])) {
        return 0;
    }
    return size;
}

/* May a byte come after the second byte of a character? */
bool reader_follows(uint8_t part)
{
    return part >= 128 && part <= 191;
}
