/* Generated from model/kernel/memory.py, model/kernel/partition.py, model/kernel/device.py, model/kernel/console.py,
   model/kernel/block.py, model/kernel/unit.py
   with codegen/templates/hardware_host.c.j2: edit those, not this.
   Content: sha256 6d2b63c1066bccb2 */

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

void hardware_device_reset(device_id_t d)
{
    (void)d;
}

void hardware_device_start(device_id_t d, device_kind_t kind)
{
    (void)d;
    (void)kind;
}

void hardware_console_put(uint8_t character)
{
    (void)character;
}

void hardware_device_publish(device_id_t d)
{
    (void)d;
}

void hardware_device_notify(device_id_t d, device_kind_t kind)
{
    (void)d;
    (void)kind;
}

void hardware_device_observe(device_id_t d)
{
    (void)d;
}

void hardware_block_clear_part(unit_id_t unit, unit_part_id_t part)
{
    (void)unit;
    (void)part;
}

void hardware_unit_flush_unit(unit_id_t unit, uint64_t base)
{
    (void)unit;
    (void)base;
}
