/* How is a module made to run? It gets what it defines, its segments are copied, and its functions are called. */
#include "instance.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- its parts */

/* How many elements a table may have. */
static uint64_t most_elements(const struct limits *wanted, const struct bounds *bounds)
{
    uint64_t most = wanted->minimum + bounds->growth;

    return wanted->bounded ? smaller(most, wanted->maximum) : smaller(most, UINT32_MAX);
}

/* How many pages the memory may have, if it gets all the room that is left. */
static uint64_t most_pages(const struct limits *wanted, const struct bounds *bounds, const struct arena *arena)
{
    uint64_t most = smaller(smaller(bounds->pages, corollary_left(arena) / PAGE), MEMORY_PAGES);

    return wanted->bounded ? smaller(most, wanted->maximum) : most;
}

/* Make room for what the module itself defines; false if there is too little. The memory, which may have an arena of
 * its own, comes last, as it may take all the rest.
 */
bool corollary_make_room(struct instance *i, struct arena *arena, struct arena *memory, const struct bounds *bounds)
{
    const struct module *m = &i->loaded->module;
    struct machine *vm = &i->machine;
    uint64_t elements = 0;

    for (uint64_t n = 0; n < m->counts.tables; n++)
        elements += most_elements(&m->tables.at[n].limits, bounds);
    TAKE(arena, vm->stack, bounds->slots);
    TAKE(arena, vm->control, bounds->slots);
    TAKE(arena, vm->tables, m->counts.tables);
    TAKE(arena, i->tables, m->counts.tables);
    TAKE(arena, i->elements, elements);
    TAKE(arena, vm->globals, m->counts.globals);
    TAKE(arena, i->cells, m->counts.globals);
    TAKE(arena, vm->items, m->counts.items);
    TAKE(arena, vm->dropped_elements, m->counts.elements);
    TAKE(arena, vm->dropped_data, m->counts.data);
    TAKE(arena, i->services, m->counts.imports);
    if (m->counts.memories != 0) {
        i->memory.maximum = (uint32_t)most_pages(&m->memories.at[0], bounds, memory);
        TAKE(memory, i->memory.bytes, (uint64_t)i->memory.maximum * PAGE);
        arena->is_short |= i->memory.maximum < m->memories.at[0].minimum;
    }
    return !arena->is_short && !memory->is_short;
}

static void make_tables(struct instance *i, const struct bounds *bounds)
{
    uint64_t *elements = i->elements.at;

    for (uint64_t n = 0; n < i->tables.length; n++) {
        const struct limits *wanted = &i->loaded->module.tables.at[n].limits;
        struct table *table = &i->tables.at[n];
        struct table_of *place = &i->machine.tables.at[n];

        table->size = wanted->minimum;
        table->maximum = (uint32_t)most_elements(wanted, bounds);
        table->elements.at = elements;
        table->elements.length = table->maximum;
        place->table.at = table;
        place->table.length = 1;
        place->elements = table->elements;
        elements += table->maximum;
    }
}

/* Make an instance in its room. */
void corollary_make(struct instance *i, const struct bounds *bounds)
{
    const struct module *m = &i->loaded->module;
    struct machine *vm = &i->machine;

    vm->module.at = (struct module *)(uintptr_t)m;      /* a machine only reads it */
    vm->module.length = 1;
    vm->code.at = i->loaded->translation.code.at;
    vm->code.length = i->loaded->translation.at;
    vm->entries = m->entries;
    vm->beyond.at = vm->stack.at + vm->stack.length;
    make_tables(i, bounds);
    for (uint64_t n = 0; n < i->cells.length; n++) {
        vm->globals.at[n].cell.at = &i->cells.at[n];
        vm->globals.at[n].cell.length = 1;
    }
    if (m->counts.memories != 0) {
        i->memory.size = (uint64_t)m->memories.at[0].minimum * PAGE;
        vm->memory.at = &i->memory;
        vm->memory.length = 1;
    }
    instantiation_fill_globals(vm);
    for (uint64_t first = 0; first < vm->items.length; first += ITEMS)
        instantiation_fill_items(vm, first);
}

/* ---- its first steps */

static trap_t copy_elements(struct instance *i)
{
    const struct module *m = &i->loaded->module;
    trap_t trap = TRAP_NONE;

    for (uint32_t n = 0; n < m->counts.elements; n++)
        for (uint64_t done = 0; trap == TRAP_NONE && (done == 0 || done < m->elements.at[n].count); done += ITEMS)
            trap = instantiation_copy_elements(&i->machine, n, (uint32_t)done);
    return trap;
}

static trap_t copy_data(struct instance *i)
{
    const struct module *m = &i->loaded->module;
    trap_t trap = TRAP_NONE;

    for (uint32_t n = 0; n < m->counts.data; n++)
        for (uint64_t done = 0; trap == TRAP_NONE && (done == 0 || done < m->data.at[n].size); done += PIECE)
            trap = instantiation_copy_data(&i->machine, n, (uint32_t)done);
    return trap;
}

/* Copy the segments, then run the start function; return how that ended. */
outcome_t corollary_begin(struct instance *i)
{
    trap_t trap = copy_elements(i);

    if (trap == TRAP_NONE)
        trap = copy_data(i);
    if (trap != TRAP_NONE)
        return corollary_trapped(i, trap);
    return i->loaded->module.start == NONE ? OUTCOME_RETURNED : corollary_perform(i, i->loaded->module.start, 0, 0);
}

/* ---- calls from outside */

/* Enter a function that the module defines, on an empty stack. Its arguments belong where the stack begins. */
trap_t corollary_enter(struct instance *i, uint32_t index)
{
    entry_leave(&i->machine);
    return entry_enter(&i->machine, index);
}

/* Call such a function with the bits of its arguments. */
outcome_t corollary_perform(struct instance *i, uint32_t index, const uint64_t *arguments, uint32_t count)
{
    trap_t trap = corollary_enter(i, index);

    if (trap != TRAP_NONE)
        return corollary_trapped(i, trap);
    for (uint32_t n = 0; n < count; n++)
        i->machine.stack.at[n] = arguments[n];
    return corollary_go_on(i);
}

/* Run until it returns, traps, or has spent its budget; host calls are served on the way. */
outcome_t corollary_go_on(struct instance *i)
{
    while (corollary_run(&i->machine) == OUTCOME_HOST_CALL && i->serve(i))
        ;
    return i->machine.outcome;
}

/* End the run with a trap. */
outcome_t corollary_trapped(struct instance *i, trap_t trap)
{
    i->machine.trap = trap;
    i->machine.outcome = OUTCOME_TRAPPED;
    return OUTCOME_TRAPPED;
}

/* ---- what others ask of it */

const struct function_type *corollary_type_of(const struct module *m, uint32_t function)
{
    return &m->types.at[m->functions.at[function].type];
}

/* Are these the types that are wanted? A zero ends the list of those. */
bool corollary_has_types(const struct module *m, const struct types *types, const uint8_t *wanted)
{
    for (uint32_t n = 0; n < types->count; n++)
        if (wanted[n] == 0 || wanted[n] != m->bytes.at[types->at + n])
            return false;
    return wanted[types->count] == 0;
}

bool corollary_is_text(const struct module *m, const struct name *name, const char *text, uint64_t size)
{
    if (name->size != size)
        return false;
    for (uint64_t n = 0; n < size; n++)
        if (m->bytes.at[name->at + n] != (uint8_t)text[n])
            return false;
    return true;
}

/* The export of a kind with this name; null if there is none. */
const struct export *corollary_find(const struct module *m, external_t kind, const char *text, uint64_t size)
{
    for (uint32_t n = 0; n < m->counts.exports; n++)
        if (m->exports.at[n].kind == kind && corollary_is_text(m, &m->exports.at[n].name, text, size))
            return &m->exports.at[n];
    return 0;
}

/* The address of `count` bytes of the memory; null if they are not within it. */
uint8_t *corollary_within(const struct instance *i, uint64_t at, uint64_t count)
{
    return at <= i->memory.size && count <= i->memory.size - at ? i->memory.bytes.at + at : 0;
}
