/* How is a module made to run? It gets what it defines, its segments are copied, and its functions are called. */
#include "instance.h"

enum { SLOTS = 4096, GROWTH = 64 };     /* of the stack, and elements by which a table may grow at most */

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t constant(const struct instance *i, const struct constant *c)
{
    if (c->opcode == OPCODE_GLOBAL_GET)
        return i->machine.globals.at[c->value].cell.at[0];
    return c->opcode == OPCODE_REF_FUNC ? c->value + 1 : c->opcode == OPCODE_REF_NULL ? NULL_REFERENCE : c->value;
}

/* ---- its parts */

static void make_tables(struct instance *i)
{
    const struct module *m = &i->module;

    TAKE(i->machine.tables, m->counts.tables);
    for (uint64_t n = 0; n < i->machine.tables.length; n++) {
        const struct limits *wanted = &m->tables.at[n].limits;
        struct table_of *place = &i->machine.tables.at[n];
        uint64_t most = (uint64_t)wanted->minimum + GROWTH;

        if (wanted->bounded)
            most = smaller(most, wanted->maximum);
        TAKE(place->table, 1);
        if (place->table.length == 0)
            return;
        TAKE(place->table.at->elements, most);
        place->table.at->size = wanted->minimum;
        place->table.at->maximum = most;
        place->elements = place->table.at->elements;
    }
}

static void make_globals(struct instance *i)
{
    TAKE(i->machine.globals, i->module.counts.globals);
    for (uint64_t n = 0; n < i->machine.globals.length; n++) {
        struct u64_slice *cell = &i->machine.globals.at[n].cell;

        TAKE(*cell, 1);
        if (cell->length == 0)
            return;
        cell->at[0] = constant(i, &i->module.globals.at[n].value);
    }
}

static void make_items(struct instance *i)
{
    TAKE(i->machine.items, i->module.counts.items);
    for (uint64_t n = 0; n < i->machine.items.length; n++)
        i->machine.items.at[n] = constant(i, &i->module.items.at[n]);
    TAKE(i->machine.dropped_elements, i->module.counts.elements);
    TAKE(i->machine.dropped_data, i->module.counts.data);
}

/* The memory is made last: it may grow into all the room that is left. */
static void make_memory(struct instance *i)
{
    const struct limits *wanted = &i->module.memories.at[0];
    uint64_t most = smaller(room_left() / PAGE, wanted->bounded ? wanted->maximum : MEMORY_PAGES);

    most = most < wanted->minimum ? wanted->minimum : most;
    TAKE(i->memory.bytes, most * PAGE);
    i->memory.size = (uint64_t)wanted->minimum * PAGE;
    i->memory.maximum = most;
    i->machine.memory.at = &i->memory;
    i->machine.memory.length = 1;
}

/* Make what the module itself defines; false if there is too little room. Functions can be entered after `begin`. */
bool make(struct instance *i)
{
    struct machine *vm = &i->machine;

    vm->module.at = &i->module;
    vm->module.length = 1;
    vm->code.at = i->translation.code.at;
    vm->code.length = i->translation.at;
    vm->entries = i->module.entries;
    TAKE(vm->stack, SLOTS);
    TAKE(vm->control, SLOTS);
    vm->beyond.at = vm->stack.at + vm->stack.length;
    make_tables(i);
    make_globals(i);
    make_items(i);
    if (i->module.counts.memories != 0)
        make_memory(i);
    return !room_is_short();
}

/* ---- its first steps */

static trap_t bring_elements(struct instance *i, uint32_t number)
{
    const struct element *segment = &i->module.elements.at[number];
    uint32_t to = segment->mode == MODE_ACTIVE ? (uint32_t)constant(i, &segment->offset) : 0, done = 0;
    trap_t trap = TRAP_NONE;

    while (trap == TRAP_NONE && segment->mode == MODE_ACTIVE && (done == 0 || done < segment->count)) {
        trap = machine_init_table(&i->machine, i->machine.tables.at[segment->table].table.at, number, to + done, done,
                                  segment->count - done);
        done += ITEMS;
    }
    if (trap == TRAP_NONE && segment->mode != MODE_PASSIVE)
        i->machine.dropped_elements.at[number] = 1;
    return trap;
}

static trap_t bring_data(struct instance *i, uint32_t number)
{
    const struct data *segment = &i->module.data.at[number];
    uint32_t to, done = 0;
    trap_t trap;

    if (segment->mode != MODE_ACTIVE)
        return TRAP_NONE;
    to = (uint32_t)constant(i, &segment->offset);
    do {
        trap = machine_init_memory(&i->machine, &i->memory, number, to + done, done, segment->size - done);
        done += PIECE;
    } while (trap == TRAP_NONE && done < segment->size);
    i->machine.dropped_data.at[number] = trap == TRAP_NONE;
    return trap;
}

/* Copy the segments, then run the start function, which spends no fuel; return how that ended. */
trap_t begin(struct instance *i)
{
    trap_t trap = TRAP_NONE;

    i->machine.budget = ~0ull;
    for (uint32_t n = 0; n < i->module.counts.elements && trap == TRAP_NONE; n++)
        trap = bring_elements(i, n);
    for (uint32_t n = 0; n < i->module.counts.data && trap == TRAP_NONE; n++)
        trap = bring_data(i, n);
    if (trap != TRAP_NONE || i->module.start == NONE)
        return trap;
    trap = enter(i, i->module.start, 0, 0);
    return trap == TRAP_NONE && go_on(i) == OUTCOME_TRAPPED ? i->machine.trap : trap;
}

/* ---- calls from outside */

bool is_text(const struct module *m, const struct name *name, const char *text, uint64_t size)
{
    if (name->size != size)
        return false;
    for (uint64_t n = 0; n < size; n++)
        if (m->bytes.at[name->at + n] != (uint8_t)text[n])
            return false;
    return true;
}

/* Set up a call of a function that the module defines, on an empty stack, with the bits of its arguments. */
trap_t enter(struct instance *i, uint32_t index, const uint64_t *arguments, uint32_t count)
{
    struct machine *vm = &i->machine;
    uint32_t entry = (uint32_t)vm->entries.at[index];
    uint64_t shape = vm->code.at[entry - 1];

    if ((uint32_t)shape > vm->stack.length)
        return TRAP_STACK_EXHAUSTED;
    for (uint32_t n = 0; n < count; n++)
        vm->stack.at[n] = arguments[n];
    for (uint64_t n = shape >> PARAMETERS_AT & FIELD; n < shape >> LOCALS_AT; n++)
        vm->stack.at[n] = 0;
    vm->control.at[0] = EXIT;
    vm->at = entry;
    vm->frame = 0;
    vm->depth = 1;
    return TRAP_NONE;
}

/* Run until it returns, traps, or has spent its budget; host calls are served on the way. */
outcome_t go_on(struct instance *i)
{
    while (corollary_run(&i->machine) == OUTCOME_HOST_CALL) {
        trap_t trap = serve(i);

        if (trap != TRAP_NONE) {
            i->machine.trap = trap;
            i->machine.outcome = OUTCOME_TRAPPED;
            break;
        }
    }
    return i->machine.outcome;
}
