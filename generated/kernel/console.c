/* Generated from model/kernel/console.py
   with codegen/templates/unit.c.j2: edit those, not this.
   Content: sha256 c9d2af2b4bba9ad8 */

#include "console.h"
#include "hardware.h"
#include "memory.h"

#define TILDE 126
#define DOT 46
#define MARK_OF_TEXT 62
#define MARK_OF_BYTES 35
static const uint8_t DIGITS[16] = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

/* What goes out on the console, character by character? Words of guests that may write to it, after who speaks. */

/* Send one character to the host. */
void console_put(uint8_t character)
{
    hardware_console_put(character);
}

/* Send a byte as two hexadecimal digits. */
void console_put_byte(uint8_t value)
{
    console_put(DIGITS[value >> 4]);
    console_put(DIGITS[value & 15]);
}

/* Send the bytes of a word as they lie in memory, two hexadecimal digits each. */
void console_put_bytes(uint64_t word)
{
    for (uint32_t i = 0; i < 8; i++) {
        console_put_byte((uint8_t)(word >> (uint64_t)(8 * i)));
    }
}

/* Send who speaks, and how: no guest can speak in another's name. */
void console_put_head(partition_id_t p, uint8_t mark)
{
    console_put_byte(p);
    console_put(mark);
    console_put(SPACE);
}

/* Send a character of a text: zero is not shown, a new line begins with who speaks, an unprintable one is a dot. */
void console_put_shown(partition_id_t p, uint8_t character)
{
    if (character == NEWLINE) {
        console_put(NEWLINE);
        console_put_head(p, MARK_OF_TEXT);
    } else if (character != 0) {
        console_put(SPACE <= character && character <= TILDE ? character : DOT);
    }
}

/* Send the characters of a word as they lie in memory. */
void console_put_text(partition_id_t p, uint64_t word)
{
    for (uint32_t i = 0; i < 8; i++) {
        console_put_shown(p, (uint8_t)(word >> (uint64_t)(8 * i)));
    }
}

/* Send one word of a page as hexadecimal, if it is before the end. */
void console_put_word_as_bytes(const struct kernel *s, page_id_t page, uint32_t position, uint32_t end)
{
    if (position < end) {
        console_put_bytes(s->memory[page].word[position]);
    }
}

/* Send one word of a page as text, if it is before the end. */
void console_put_word_as_text(const struct kernel *s, partition_id_t p, page_id_t page, uint32_t position, uint32_t end)
{
    if (position < end) {
        console_put_text(p, s->memory[page].word[position]);
    }
}

/* Send some words of a page as hexadecimal, in one line. */
void console_put_page_as_bytes(const struct kernel *s, partition_id_t p, page_id_t page, entry_id_t first,
                               uint16_t words)
{
    console_put_head(p, MARK_OF_BYTES);
    for (uint32_t i = 0; i < CONSOLE_WORDS; i++) {
        console_put_word_as_bytes(s, page, (uint32_t)first + i, (uint32_t)first + (uint32_t)words);
    }
    console_put(NEWLINE);
}

/* Send some words of a page as text; each line begins with the partition, and the last line is ended. */
void console_put_page_as_text(const struct kernel *s, partition_id_t p, page_id_t page, entry_id_t first,
                              uint16_t words)
{
    console_put_head(p, MARK_OF_TEXT);
    for (uint32_t i = 0; i < CONSOLE_TEXT_WORDS; i++) {
        console_put_word_as_text(s, p, page, (uint32_t)first + i, (uint32_t)first + (uint32_t)words);
    }
    console_put(NEWLINE);
}

/* Write `words` words of the caller's page to the console, from word `first` on; more output takes more calls. */
status_t console_write(const struct kernel *s, const struct call *call, page_id_t page, entry_id_t first,
                       uint16_t words, format_t format)
{
    (void)call;
    uint16_t most = format == FORMAT_HEX ? CONSOLE_WORDS : CONSOLE_TEXT_WORDS;
    if (words > most || (uint32_t)first + (uint32_t)words > PAGE_WORDS) {
        return STATUS_BAD_ARGUMENT;
    }
    if (!memory_owns_data(s, s->current, page)) {
        return STATUS_NOT_OWNER;
    }
    if (!memory_lets(s, s->current, page, ACCESS_READ)) {
        return STATUS_NOT_MAPPED;
    }
    if (format == FORMAT_HEX) {
        console_put_page_as_bytes(s, s->current, page, first, words);
    } else {
        console_put_page_as_text(s, s->current, page, first, words);
    }
    return STATUS_OK;
}
