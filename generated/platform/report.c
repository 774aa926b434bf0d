/* Generated from spec/memory_map.py, spec/platform.py
   with codegen/templates/platform/report.c.j2: edit those, not this.
   Content: sha256 ecf2feaf1cfce504 */

/* How do the words of a guest reach the host?
 *
 * Every line begins with the partition, as the kernel writes it: no guest can speak in another's name.
 */
#include "platform.h"

static void head(partition_id_t p, const char *mark)
{
    print_hexadecimal(p, 2);
    print(mark);
}

/* Text: zero bytes are not shown, others that do not print are dots. */
static void report_text(partition_id_t p, const uint8_t *byte, uint64_t size)
{
    bool fresh = true;

    for (uint64_t i = 0; i < size; i++) {
        if (byte[i] == 0)
            continue;
        if (fresh)
            head(p, "> ");
        fresh = byte[i] == '\n';
        put_character(fresh || (byte[i] >= ' ' && byte[i] <= '~') ? byte[i] : '.');
    }
    if (!fresh)
        put_character('\n');
}

/* Hexadecimal: one line, the bytes as they lie in memory. */
static void report_bytes(partition_id_t p, const uint8_t *byte, uint64_t size)
{
    head(p, "# ");
    for (uint64_t i = 0; i < size; i++)
        print_hexadecimal(byte[i], 2);
    put_character('\n');
}

void hardware_console_send_to_console(partition_id_t p, page_id_t page, uint16_t words, format_t format)
{
    const uint8_t *byte = (const uint8_t *)kernel.memory[page].word;
    uint64_t size = words * sizeof(kernel.memory[page].word[0]);

    if (format == FORMAT_HEX)
        report_bytes(p, byte, size);
    else
        report_text(p, byte, size);
}
