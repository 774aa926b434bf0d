/* How does a C program load modules, and call them? Through corollary.h, whose functions are here. */
#include "corollary.h"
#include "instance.h"

/* heap.c, where there is a C library; otherwise an allocator must be given */
#if __STDC_HOSTED__
extern const struct corollary_allocator corollary_heap;
#define USUAL (&corollary_heap)
#else
#define USUAL 0
#endif

enum { GRAIN = COROLLARY_ALIGNMENT };   /* of a block, and of what follows a record in it */

struct corollary_module {
    struct loaded loaded;
    struct corollary_allocator allocator;
    size_t size;
};

struct corollary_instance {
    struct instance instance;
    struct { struct corollary_import *at; uint64_t length; } imports;   /* as `services` number them */
    struct { struct corollary_value *at; uint64_t length; } values;     /* of the host call that runs */
    const struct function_type *called;             /* the type of the function whose call runs or waits; or null */
    struct corollary_allocator allocator;
    size_t size;
    int stopped;                                    /* what a function of the host returned, if not 0 */
    bool is_wrong;                                  /* did it give a reference that is not null? */
    bool waits, is_busy;
};

/* ---- errors */

static void say(struct corollary_error *error, const char *text, size_t size)
{
    size_t at = 0;

    while (error->text[at] != 0)
        at++;
    for (size_t n = 0; n < size && text[n] != 0 && at + 1 < sizeof error->text; n++)
        error->text[at++] = text[n];
    error->text[at] = 0;
}

static void say_number(struct corollary_error *error, uint64_t number)
{
    char digit[1] = {(char)('0' + number % 10)};

    if (number >= 10)
        say_number(error, number / 10);
    say(error, digit, 1);
}

/* Set an error to a status, with the first words of its text. */
static enum corollary_status problem(struct corollary_error *error, enum corollary_status status, const char *text)
{
    *error = (struct corollary_error){.status = status};
    say(error, text, SIZE_MAX);
    return status;
}

static enum corollary_status problem_with(struct corollary_error *error, enum corollary_status status,
                                          const char *before, const char *name, const char *after)
{
    problem(error, status, before);
    say(error, name, SIZE_MAX);
    say(error, after, SIZE_MAX);
    return status;
}

static void refuse(struct corollary_error *error, refusal_t refusal, uint32_t offset)
{
    problem_with(error, COROLLARY_REFUSED, "", corollary_refusal_text(refusal), ", at byte ");
    error->refusal = refusal;
    error->offset = offset;
    say_number(error, offset);
}

/* ---- memory */

static size_t whole(size_t size)
{
    return (size + GRAIN - 1) / GRAIN * GRAIN;
}

/* A block of `size` zeros; null, with the error, if there is none that may be used. */
static void *block_of(const struct corollary_allocator *allocator, size_t size, struct corollary_error *error)
{
    void *block = allocator->allocate(allocator->context, size);

    if (block == 0) {
        problem(error, COROLLARY_NO_ROOM, "no memory: bytes that are needed: ");
        say_number(error, size);
    } else if ((uintptr_t)block % GRAIN != 0) {
        allocator->release(allocator->context, block, size);
        block = 0;
        problem(error, COROLLARY_MISALIGNED, "the allocator gave a block that is not aligned; bytes of alignment: ");
        say_number(error, GRAIN);
    }
    return block;
}

/* ---- modules */

struct corollary_module *corollary_load(const void *bytes, size_t size, const struct corollary_allocator *allocator,
                                        struct corollary_error *error)
{
    struct module surveyed = {.bytes = {(uint8_t *)(uintptr_t)bytes, size}};
    const struct corollary_allocator *from = allocator != 0 ? allocator : USUAL;
    struct capacity capacity = {.blocks = DEPTH, .operands = OPERANDS, .words = room_code_words(&surveyed)};
    size_t before = whole(sizeof(struct corollary_module)) + whole(size), all;
    struct corollary_module *made;
    struct arena arena;

    decoder_survey(&surveyed);
    if (surveyed.refusal != REFUSAL_NONE) {
        refuse(error, surveyed.refusal, surveyed.offset);
        return 0;
    }
    all = before + corollary_room_to_load(&surveyed, &capacity);
    made = block_of(from, all, error);
    if (made == 0)
        return 0;
    made->allocator = *from;
    made->size = all;
    uint8_t *copy = (uint8_t *)made + whole(sizeof *made);
    __builtin_memcpy(copy, bytes, size);
    arena = corollary_arena((uint8_t *)made + before, all - before, all - before);
    if (corollary_take_in(&made->loaded, &arena, &capacity, copy, size) == REFUSAL_NONE)
        return made;
    refuse(error, made->loaded.module.refusal, made->loaded.module.offset);
    corollary_unload(made);
    return 0;
}

void corollary_unload(struct corollary_module *module)
{
    if (module != 0)
        module->allocator.release(module->allocator.context, module, module->size);
}

/* ---- imports */

static size_t length_of(const char *text)
{
    size_t length = 0;

    while (text[length] != 0)
        length++;
    return length;
}

static bool is_named(const struct module *m, const struct import *wanted, const struct corollary_import *offered)
{
    return corollary_is_text(m, &wanted->module, offered->module, length_of(offered->module)) &&
           corollary_is_text(m, &wanted->name, offered->name, length_of(offered->name));
}

static enum corollary_status unlinkable(struct corollary_error *error, const struct module *m,
                                        const struct import *wanted, const char *why)
{
    problem(error, COROLLARY_UNLINKABLE, why);
    say(error, (const char *)m->bytes.at + wanted->module.at, wanted->module.size);
    say(error, ".", 1);
    say(error, (const char *)m->bytes.at + wanted->name.at, wanted->name.size);
    return COROLLARY_UNLINKABLE;
}

/* Find the function of the host for one import. */
static enum corollary_status link_one(struct instance *i, const struct import *wanted,
                                      const struct corollary_import *imports, size_t count,
                                      struct corollary_error *error)
{
    const struct module *m = &i->loaded->module;
    size_t found = 0;

    if (wanted->kind != EXTERNAL_FUNCTION)
        return unlinkable(error, m, wanted, "only functions can be imported, unlike ");
    while (found < count && !is_named(m, wanted, &imports[found]))
        found++;
    if (found == count)
        return unlinkable(error, m, wanted, "unknown import: ");
    const struct function_type *type = corollary_type_of(m, wanted->index);
    if (!corollary_has_types(m, &type->parameters, imports[found].parameters) ||
        !corollary_has_types(m, &type->results, imports[found].results))
        return unlinkable(error, m, wanted, "incompatible import type: ");
    i->services.at[wanted->index] = (uint32_t)found;
    return COROLLARY_RETURNED;
}

static enum corollary_status link_all(struct instance *i, const struct corollary_import *imports, size_t count,
                                      struct corollary_error *error)
{
    const struct module *m = &i->loaded->module;

    for (uint32_t n = 0; n < m->counts.imports; n++)
        if (link_one(i, &m->imports.at[n], imports, count, error) != COROLLARY_RETURNED)
            return COROLLARY_UNLINKABLE;
    return COROLLARY_RETURNED;
}

/* ---- values */

static bool is_wide(uint8_t type)
{
    return type != COROLLARY_I32 && type != COROLLARY_F32;
}

static uint8_t type_at(const struct module *m, const struct types *types, uint32_t n)
{
    return m->bytes.at[types->at + n];
}

/* Read values from slots. */
static void get(const struct module *m, const struct types *types, const uint64_t *slot, struct corollary_value *values)
{
    for (uint32_t n = 0; n < types->count; n++) {
        values[n].type = type_at(m, types, n);
        values[n].of.bits = slot[n];
    }
}

/* Write values into slots; of 32 bits, the upper half is zero. */
static void put(const struct module *m, const struct types *types, const struct corollary_value *values, uint64_t *slot)
{
    for (uint32_t n = 0; n < types->count; n++)
        slot[n] = is_wide(type_at(m, types, n)) ? values[n].of.bits : (uint32_t)values[n].of.bits;
}

static bool are_references_null(const struct module *m, const struct types *types, const struct corollary_value *values)
{
    for (uint32_t n = 0; n < types->count; n++) {
        uint8_t type = type_at(m, types, n);

        if ((type == COROLLARY_FUNCREF || type == COROLLARY_EXTERNREF) && values[n].of.bits != NULL_REFERENCE)
            return false;
    }
    return true;
}

/* ---- calls */

/* Perform a host call; false if the run is not to go on. */
static bool serve(struct instance *i)
{
    struct corollary_instance *all = (struct corollary_instance *)i;
    const struct module *m = &i->loaded->module;
    struct machine *vm = &i->machine;

    if (vm->foreign || vm->callee >= i->services.length) {
        corollary_trapped(i, TRAP_INDIRECT_CALL_TYPE);
        return false;
    }
    const struct function_type *type = corollary_type_of(m, (uint32_t)vm->callee);
    const struct corollary_import *import = &all->imports.at[i->services.at[vm->callee]];
    struct corollary_value *results = all->values.at + type->parameters.count;
    get(m, &type->parameters, vm->stack.at + vm->arguments, all->values.at);
    for (uint32_t n = 0; n < type->results.count; n++)
        results[n] = (struct corollary_value){.type = type_at(m, &type->results, n)};
    all->stopped = import->function(import->context, all, all->values.at, results);
    all->is_wrong = all->stopped == 0 && !are_references_null(m, &type->results, results);
    put(m, &type->results, results, vm->stack.at + entry_result_slot(vm, type->results.count));
    return all->stopped == 0 && !all->is_wrong;
}

/* Say how a run ended, and free the instance for the next one. */
static enum corollary_status ended(struct corollary_instance *i, outcome_t outcome, struct corollary_error *error)
{
    struct machine *vm = &i->instance.machine;

    __atomic_store_n(&vm->stop, 0, __ATOMIC_RELAXED);
    i->waits = outcome == OUTCOME_SUSPENDED;
    if (outcome == OUTCOME_RETURNED) {
        *error = (struct corollary_error){.status = COROLLARY_RETURNED};
    } else if (outcome == OUTCOME_SUSPENDED) {
        problem(error, COROLLARY_SUSPENDED, vm->budget == 0 ? "its fuel is spent" : "it was interrupted");
    } else if (outcome == OUTCOME_TRAPPED) {
        problem(error, COROLLARY_TRAPPED, corollary_trap_text(vm->trap));
        error->trap = vm->trap;
    } else if (i->is_wrong) {
        problem(error, COROLLARY_WRONG_TYPES, "a function of the host gave a reference that is not null");
    } else {
        problem(error, COROLLARY_STOPPED, "a function of the host ended the call with ");
        say(error, "-", i->stopped < 0);
        say_number(error, i->stopped < 0 ? -(uint64_t)i->stopped : (uint64_t)i->stopped);
        error->stopped = i->stopped;
    }
    if (!i->waits)
        entry_leave(vm);
    __atomic_store_n(&i->is_busy, false, __ATOMIC_RELEASE);
    return error->status;
}

/* Hand out the results of a call that returned; then end it. */
static enum corollary_status finished(struct corollary_instance *i, outcome_t outcome, struct corollary_value *results,
                                      struct corollary_error *error)
{
    if (outcome == OUTCOME_RETURNED && i->called != 0)
        get(&i->instance.loaded->module, &i->called->results, i->instance.machine.stack.at, results);
    return ended(i, outcome, error);
}

/* Nobody else may use the instance from here on, until `ended`; false, with the error, if somebody does. */
static bool began(struct corollary_instance *i, bool waits, struct corollary_error *error)
{
    if (__atomic_exchange_n(&i->is_busy, true, __ATOMIC_ACQUIRE)) {
        problem(error, COROLLARY_BUSY, "the instance is in the middle of a call");
        return false;
    }
    if (i->waits == waits)
        return true;
    problem(error, COROLLARY_BUSY, waits ? "no call waits" : "a call waits: resume or abandon it first");
    __atomic_store_n(&i->is_busy, false, __ATOMIC_RELEASE);
    return false;
}

static enum corollary_status left(struct corollary_instance *i, enum corollary_status status)
{
    __atomic_store_n(&i->is_busy, false, __ATOMIC_RELEASE);
    return status;
}

static bool fit(const struct module *m, const struct function_type *type, const struct corollary_value *arguments,
                size_t count, size_t results_count)
{
    if (count != type->parameters.count || results_count != type->results.count)
        return false;
    for (uint32_t n = 0; n < count; n++)
        if (arguments[n].type != type_at(m, &type->parameters, n))
            return false;
    return are_references_null(m, &type->parameters, arguments);
}

enum corollary_status corollary_call(struct corollary_instance *i, const char *name,
                                     const struct corollary_value *arguments, size_t count,
                                     struct corollary_value *results, size_t results_count,
                                     struct corollary_error *error)
{
    const struct module *m = &i->instance.loaded->module;
    const struct export *found = corollary_find(m, EXTERNAL_FUNCTION, name, length_of(name));

    if (!began(i, false, error))
        return COROLLARY_BUSY;
    if (found == 0 || found->index < m->imported_functions)
        return left(i, problem_with(error, COROLLARY_NO_FUNCTION, "no function ", name, " is defined and exported"));
    i->called = corollary_type_of(m, found->index);
    if (!fit(m, i->called, arguments, count, results_count))
        return left(i, problem_with(error, COROLLARY_WRONG_TYPES, "", name, " takes or returns other values"));
    trap_t trap = corollary_enter(&i->instance, found->index);
    if (trap != TRAP_NONE)
        return ended(i, corollary_trapped(&i->instance, trap), error);
    put(m, &i->called->parameters, arguments, i->instance.machine.stack.at);
    return finished(i, corollary_go_on(&i->instance), results, error);
}

enum corollary_status corollary_resume(struct corollary_instance *i, struct corollary_value *results,
                                       size_t results_count, struct corollary_error *error)
{
    if (!began(i, true, error))
        return COROLLARY_BUSY;
    if (results_count != (i->called != 0 ? i->called->results.count : 0))
        return left(i, problem(error, COROLLARY_WRONG_TYPES, "the call returns another number of values"));
    return finished(i, corollary_go_on(&i->instance), results, error);
}

void corollary_abandon(struct corollary_instance *i)
{
    struct corollary_error ignored;

    if (!began(i, true, &ignored))
        return;
    i->waits = false;
    entry_leave(&i->instance.machine);
    left(i, COROLLARY_RETURNED);
}

void corollary_interrupt(struct corollary_instance *i)
{
    __atomic_store_n(&i->instance.machine.stop, UINT64_MAX, __ATOMIC_RELAXED);
}

/* ---- instances */

/* The most values that any host call takes and returns. */
static uint64_t most_values(const struct module *m)
{
    uint64_t most = 0;

    for (uint32_t n = 0; n < m->imported_functions; n++) {
        const struct function_type *type = corollary_type_of(m, n);
        uint64_t all = (uint64_t)type->parameters.count + type->results.count;

        most = all > most ? all : most;
    }
    return most;
}

static bool make_room(struct corollary_instance *i, size_t imports, struct arena *arena, const struct bounds *bounds)
{
    TAKE(arena, i->imports, imports);
    TAKE(arena, i->values, most_values(&i->instance.loaded->module));
    return corollary_make_room(&i->instance, arena, arena, bounds);
}

/* How much each table may grow, if tables have at most `limit` elements together: those that may grow share equally
 * what the others and their own beginning leave. False if there is too little to begin with.
 */
static bool share(const struct module *m, uint64_t limit, uint64_t *growth)
{
    uint64_t growing = 0;

    for (uint32_t n = 0; n < m->counts.tables; n++) {
        const struct limits *wanted = &m->tables.at[n].limits;

        if (wanted->minimum > limit)
            return false;
        limit -= wanted->minimum;
        growing += wanted->maximum > wanted->minimum;
    }
    *growth = growing != 0 ? limit / growing : 0;
    return true;
}

static uint64_t chosen(uint64_t given, uint64_t usual)
{
    return given != 0 ? given : usual;
}

enum corollary_status corollary_instantiate(struct corollary_instance **made, const struct corollary_module *module,
                                            const struct corollary_import *imports, size_t count,
                                            const struct corollary_limits *limits,
                                            const struct corollary_allocator *allocator, struct corollary_error *error)
{
    const struct corollary_limits none = {0}, *given = limits != 0 ? limits : &none;
    const struct corollary_allocator *from = allocator != 0 ? allocator : USUAL;
    struct bounds bounds = {.slots = chosen(given->slots, COROLLARY_USUAL_SLOTS),
                            .pages = chosen(given->pages, COROLLARY_USUAL_PAGES)};
    struct corollary_instance counted = {.instance.loaded = &module->loaded}, *i;
    struct arena arena = corollary_counting();
    size_t before = whole(sizeof *i), all;

    *made = 0;
    if (!share(&module->loaded.module, chosen(given->elements, COROLLARY_USUAL_ELEMENTS), &bounds.growth))
        return problem(error, COROLLARY_NO_ROOM, "the module asks for more elements of tables than the limits allow");
    if (!make_room(&counted, count, &arena, &bounds))
        return problem(error, COROLLARY_NO_ROOM, "the module asks for more memory than the limits allow");
    all = before + arena.most;
    i = block_of(from, all, error);
    if (i == 0)
        return error->status;
    i->instance.loaded = &module->loaded;
    i->instance.serve = serve;
    i->instance.machine.budget = chosen(given->fuel, UINT64_MAX);
    i->allocator = *from;
    i->size = all;
    i->is_busy = true;
    arena = corollary_arena((uint8_t *)i + before, all - before, all - before);
    make_room(i, count, &arena, &bounds);
    for (size_t n = 0; n < count; n++)
        i->imports.at[n] = imports[n];
    if (link_all(&i->instance, imports, count, error) == COROLLARY_RETURNED) {
        corollary_make(&i->instance, &bounds);
        ended(i, corollary_begin(&i->instance), error);
    }
    if (error->status == COROLLARY_RETURNED || error->status == COROLLARY_SUSPENDED)
        *made = i;
    else
        corollary_free(i);
    return error->status;
}

void corollary_free(struct corollary_instance *i)
{
    if (i != 0)
        i->allocator.release(i->allocator.context, i, i->size);
}

uint64_t corollary_fuel(const struct corollary_instance *i)
{
    return i->instance.machine.budget;
}

void corollary_set_fuel(struct corollary_instance *i, uint64_t fuel)
{
    i->instance.machine.budget = fuel;
}

size_t corollary_memory_size(const struct corollary_instance *i)
{
    return i->instance.memory.size;
}

bool corollary_read(const struct corollary_instance *i, uint64_t at, void *target, size_t count)
{
    const uint8_t *found = corollary_within(&i->instance, at, count);

    if (found != 0)
        __builtin_memcpy(target, found, count);
    return found != 0;
}

bool corollary_write(struct corollary_instance *i, uint64_t at, const void *source, size_t count)
{
    uint8_t *found = corollary_within(&i->instance, at, count);

    if (found != 0)
        __builtin_memcpy(found, source, count);
    return found != 0;
}
