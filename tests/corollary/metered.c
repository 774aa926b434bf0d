/* How does a module run in C with some fuel?
 *
 * `metered MODULE FUEL [NAME NUMBER]...` says how each call ended, and what fuel was left.
 */
#include <inttypes.h>

#include "program.h"

enum { INSTANCES = 2, ROUNDS = 100 };

static int twice(void *context, struct corollary_instance *instance, const struct corollary_value *given,
                 struct corollary_value *results)
{
    (void)context;
    (void)instance;
    results[0].of.i32 = 2 * given[0].of.i32;
    return 0;
}

/* Call a function, and go on with new fuel as often as it is suspended. */
static void call(struct corollary_instance *instance, uint64_t fuel, const char *name, int number)
{
    const struct corollary_value given[] = {COROLLARY_VALUE_I32(number)};
    struct corollary_value result[1] = {COROLLARY_VALUE_I32(0)};
    struct corollary_error error;
    int rounds = 0;

    corollary_set_fuel(instance, fuel);
    corollary_call(instance, name, given, 1, result, 1, &error);
    for (; error.status == COROLLARY_SUSPENDED && rounds < ROUNDS; rounds++) {
        corollary_set_fuel(instance, fuel);
        corollary_resume(instance, result, 1, &error);
    }
    if (error.status == COROLLARY_SUSPENDED)
        corollary_abandon(instance);
    printf("%s: %d %d, result %d, fuel %" PRIu64 ", rounds %d, memory %zu\n", name, (int)error.status, error.trap,
           error.status == COROLLARY_RETURNED ? result[0].of.i32 : 0, corollary_fuel(instance), rounds,
           corollary_memory_size(instance));
}

/* Call the functions in two instances in turn: neither must notice the other. */
int main(int count, char **argument)
{
    const struct corollary_import imports[] = {
        {"host", "twice", COROLLARY_TYPES(COROLLARY_I32), COROLLARY_TYPES(COROLLARY_I32), twice, NULL},
    };
    const struct corollary_limits limits = {.fuel = (uint64_t)atoi(argument[2])};
    struct corollary_instance *instance[INSTANCES];
    struct corollary_error error;
    struct corollary_module *module = corollary_load(bytes, file(argument[1]), NULL, &error);
    enum corollary_status begun = COROLLARY_RETURNED;

    for (int n = 0; n < INSTANCES; n++) {
        begun = corollary_instantiate(&instance[n], module, imports, 1, &limits, NULL, &error);
        printf("made: %d %d", (int)error.status, error.trap);
        if (begun == COROLLARY_RETURNED)
            printf(", fuel %" PRIu64 ", memory %zu", corollary_fuel(instance[n]), corollary_memory_size(instance[n]));
        printf("\n");
    }
    for (int at = 3; begun == COROLLARY_RETURNED && at + 1 < count; at += 2)
        for (int n = 0; n < INSTANCES; n++)
            call(instance[n], limits.fuel, argument[at], atoi(argument[at + 1]));
    for (int n = 0; n < INSTANCES; n++)
        corollary_free(instance[n]);
    corollary_unload(module);
    return 0;
}
