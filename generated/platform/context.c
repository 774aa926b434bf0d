/* Generated from spec/kernel/memory_map.py, spec/kernel/platform.py
   with codegen/templates/platform/context.c.j2: edit those, not this.
   Content: sha256 475798b5e64ea2be */

/* What does a partition start with? */
#include "platform.h"

_Alignas(CONTEXT_ALIGN) struct context contexts[PARTITIONS];

void hardware_partition_reset_context(partition_id_t p, uint64_t entry)
{
    struct context *context = &contexts[p];
    uint64_t *word = (uint64_t *)context;

    for (uint64_t i = 0; i < sizeof(*context) / sizeof(*word); i++)
        word[i] = 0;
    context->elr_el2 = entry;
    context->spsr_el2 = SPSR_EL2_INITIAL;
    context->cpacr_el1 = CPACR_EL1_INITIAL;
}
