/* Generated from model/kernel/memory.py, model/kernel/partition.py, model/kernel/console.py
   with codegen/templates/hardware_host.c.j2: edit those, not this.
   Content: sha256 2d60ddf14585dfe1 */

/* What do the effects on Arm hardware do on a machine that has none of it? Nothing. */

#include "hardware.h"

void hardware_memory_synchronize_instructions(page_id_t page)
{
    (void)page;
}

void hardware_memory_flush_translation(mapping_id_t m, uint64_t base)
{
    (void)m;
    (void)base;
}

void hardware_partition_reset_context(partition_id_t p, uint64_t entry)
{
    (void)p;
    (void)entry;
}

void hardware_partition_flush_partition(partition_id_t p)
{
    (void)p;
}

void hardware_console_put(uint8_t character)
{
    (void)character;
}
