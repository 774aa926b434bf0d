/* What is the state of an instance that waits? Its content as bytes, little-endian as the machine. */
#include "vm/save.h"
#include "vm/content.h"
#include "vm/entry.h"
#include "vm/operand_types.h"

static void put_numbers(const struct machine *vm, sink *put, void *context)
{
    outcome_t outcome = vm->depth == 0 ? OUTCOME_RETURNED : vm->outcome;
    uint64_t pages = vm->memory.length != 0 ? vm->memory.at->size / PAGE : 0;
    uint32_t number[] = {outcome, vm->at, vm->frame, vm->depth, entry_live(vm),
                         outcome == OUTCOME_HOST_CALL ? (uint32_t)vm->callee : 0, (uint32_t)vm->globals.length,
                         (uint32_t)vm->tables.length, (uint32_t)pages};

    put(context, number, sizeof number);
}

/* Only the return addresses: they determine the rest of the control stack. */
static void put_calls(const struct machine *vm, sink *put, void *context)
{
    for (uint32_t n = 0; n < vm->depth; n++) {
        uint32_t word = (uint32_t)vm->control.at[n];

        put(context, &word, sizeof word);
    }
}

static void put_globals(const struct machine *vm, sink *put, void *context)
{
    for (uint64_t n = 0; n < vm->globals.length; n++) {
        uint64_t value = vm->globals.at[n].cell.at[0];

        if (operand_types_is_reference(vm->module.at->globals.at[n].type))
            value = content_own(vm, value);
        put(context, &value, sizeof value);
    }
}

static void put_table(const struct machine *vm, const struct table *table, sink *put, void *context)
{
    put(context, &table->size, sizeof table->size);
    for (uint32_t n = 0; n < table->size; n++) {
        uint32_t reference = (uint32_t)content_own(vm, table->elements.at[n]);

        put(context, &reference, sizeof reference);
    }
}

void corollary_save(const struct machine *vm, sink *put, void *context)
{
    put_numbers(vm, put, context);
    put_calls(vm, put, context);
    put(context, vm->stack.at, sizeof *vm->stack.at * entry_live(vm));
    put_globals(vm, put, context);
    for (uint64_t n = 0; n < vm->tables.length; n++)
        put_table(vm, vm->tables.at[n].table.at, put, context);
    put(context, vm->dropped_elements.at, vm->dropped_elements.length);
    put(context, vm->dropped_data.at, vm->dropped_data.length);
    if (vm->memory.length != 0)
        put(context, vm->memory.at->bytes.at, vm->memory.at->size);
}

static void count(void *context, const void *bytes, uint64_t more)
{
    (void)bytes;
    *(uint64_t *)context += more;
}

uint64_t corollary_saved_size(const struct machine *vm)
{
    uint64_t size = 0;

    corollary_save(vm, count, &size);
    return size;
}

/* Where the next bytes go, how many fit there, and whether all did so far. */
struct buffer {
    uint8_t *next;
    uint64_t left;
    bool fits;
};

static void copy(void *context, const void *bytes, uint64_t more)
{
    struct buffer *to = context;

    to->fits = to->fits && more <= to->left;
    if (!to->fits || more == 0)
        return;
    __builtin_memmove(to->next, bytes, more);
    to->next += more;
    to->left -= more;
}

bool corollary_save_to(const struct machine *vm, uint8_t *buffer, uint64_t size)
{
    struct buffer to = {buffer, size, true};

    corollary_save(vm, copy, &to);
    return to.fits && to.left == 0;
}
