/* What does a program in C see of modules, in every way a call can end? It says so, a line for each. */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "program.h"

enum { THREADS = 2, ROUNDS = 100000, SLICE = 1000 };

/* ---- functions of the host */

static int mix(void *context, struct corollary_instance *instance, const struct corollary_value *given,
               struct corollary_value *results)
{
    (void)context;
    (void)instance;
    results[0].of.f64 = given[0].of.i32 + (double)given[1].of.i64 + (double)given[2].of.f32 + given[3].of.f64;
    return 0;
}

static int stop(void *context, struct corollary_instance *instance, const struct corollary_value *given,
                struct corollary_value *results)
{
    (void)context;
    (void)instance;
    (void)results;
    return given[0].of.i32;
}

/* Call the instance that is calling this, and give what comes of it. */
static int again(void *context, struct corollary_instance *instance, const struct corollary_value *given,
                 struct corollary_value *results)
{
    struct corollary_error error;

    (void)context;
    (void)given;
    results[0].of.i32 = (int32_t)corollary_call(instance, "nothing", NULL, 0, NULL, 0, &error);
    return 0;
}

/* Give a reference, which must be null, to whatever. */
static int refer(void *context, struct corollary_instance *instance, const struct corollary_value *given,
                 struct corollary_value *results)
{
    (void)context;
    (void)instance;
    results[0].of.bits = (uint64_t)given[0].of.i32;
    return 0;
}

static const struct corollary_import IMPORTS[] = {
    {"host", "refer", (const uint8_t[]){COROLLARY_I32, 0}, (const uint8_t[]){COROLLARY_EXTERNREF, 0}, refer, NULL},
    {"host", "again", (const uint8_t[]){0}, (const uint8_t[]){COROLLARY_I32, 0}, again, NULL},
    {"host", "mix", (const uint8_t[]){COROLLARY_I32, COROLLARY_I64, COROLLARY_F32, COROLLARY_F64, 0},
     (const uint8_t[]){COROLLARY_F64, 0}, mix, NULL},
    {"host", "stop", (const uint8_t[]){COROLLARY_I32, 0}, (const uint8_t[]){0}, stop, NULL},
};

enum { COUNT = sizeof IMPORTS / sizeof *IMPORTS };

/* ---- what happens, in words */

static void say(const char *what, const struct corollary_error *error)
{
    printf("%s: %d %s\n", what, (int)error->status, error->text);
}

static void call(struct corollary_instance *instance, const char *name, const struct corollary_value *given,
                 size_t count, size_t results)
{
    struct corollary_value result[2];
    struct corollary_error error;

    if (corollary_call(instance, name, given, count, result, results, &error) != COROLLARY_RETURNED) {
        say(name, &error);
        return;
    }
    printf("%s:", name);
    for (size_t n = 0; n < results; n++)
        if (result[n].type == COROLLARY_F64)
            printf(" f64 %g", result[n].of.f64);
        else
            printf(" %s %" PRId64, result[n].type == COROLLARY_I32 ? "i32" : "i64",
                   result[n].type == COROLLARY_I32 ? result[n].of.i32 : result[n].of.i64);
    printf("\n");
}

static struct corollary_instance *made(const struct corollary_module *module, size_t count,
                                       const struct corollary_limits *limits)
{
    struct corollary_instance *instance;
    struct corollary_error error;

    corollary_instantiate(&instance, module, IMPORTS, count, limits, NULL, &error);
    if (instance == NULL || error.status == COROLLARY_SUSPENDED)
        say("instance", &error);
    return instance;
}

/* ---- threads */

static void *run(void *module)
{
    struct corollary_value rounds[] = {COROLLARY_VALUE_I32(ROUNDS)}, result[1] = {COROLLARY_VALUE_I32(0)};
    struct corollary_instance *instance = made(module, COUNT, NULL);
    struct corollary_error error;
    intptr_t waits = 0;

    corollary_set_fuel(instance, SLICE);
    corollary_call(instance, "count", rounds, 1, result, 1, &error);
    for (; error.status == COROLLARY_SUSPENDED; waits++) {
        corollary_set_fuel(instance, SLICE);
        corollary_resume(instance, result, 1, &error);
    }
    corollary_free(instance);
    return (void *)(result[0].of.i32 == ROUNDS ? waits : -1);
}

static void threads(struct corollary_module *module)
{
    pthread_t thread[THREADS];
    void *waits;

    for (int n = 0; n < THREADS; n++)
        pthread_create(&thread[n], NULL, run, module);
    for (int n = 0; n < THREADS; n++) {
        pthread_join(thread[n], &waits);
        printf("thread: suspended %d times\n", (int)(intptr_t)waits);
    }
}

/* ---- everything in turn */

static void memory(struct corollary_instance *instance)
{
    size_t size = corollary_memory_size(instance);
    char text[5] = {0}, last = 'x';

    printf("memory: %zu bytes, read %d", size, corollary_read(instance, 8, text, 4));
    printf(" %s, write %d", text, corollary_write(instance, size - 1, &last, 1));
    printf(", beyond %d %d", corollary_read(instance, size - 1, text, 2), corollary_write(instance, size, &last, 1));
    printf(" %d\n", corollary_read(instance, UINT64_MAX, text, 2));
}

static void suspended(struct corollary_instance *instance)
{
    struct corollary_value rounds[] = {COROLLARY_VALUE_I32(10)}, result[1];
    struct corollary_error error;

    corollary_set_fuel(instance, 3);
    call(instance, "count", rounds, 1, 1);
    call(instance, "nothing", NULL, 0, 0);
    corollary_set_fuel(instance, 1000);
    corollary_resume(instance, result, 1, &error);
    printf("resumed: %d\n", result[0].of.i32);
    corollary_resume(instance, result, 1, &error);
    say("resumed", &error);
    corollary_interrupt(instance);
    call(instance, "count", rounds, 1, 1);
    corollary_abandon(instance);
    call(instance, "count", rounds, 1, 1);
}

static void calls(struct corollary_instance *instance)
{
    const struct corollary_value mixed[] = {COROLLARY_VALUE_I32(-1), COROLLARY_VALUE_I64(1ll << 40),
                                            COROLLARY_VALUE_F32(0.5f), COROLLARY_VALUE_F64(0.25)};
    const struct corollary_value six[] = {COROLLARY_VALUE_I32(6), COROLLARY_VALUE_I32(-2)};
    const struct corollary_value zero[] = {COROLLARY_VALUE_I32(6), COROLLARY_VALUE_I32(0)};
    const struct corollary_value pages[] = {COROLLARY_VALUE_I32(4)};

    call(instance, "mixed", mixed, 4, 1);
    call(instance, "pair", NULL, 0, 2);
    call(instance, "divide", six, 2, 1);
    call(instance, "divide", zero, 2, 1);
    call(instance, "divide", mixed, 2, 1);
    call(instance, "divide", six, 1, 1);
    call(instance, "divide", six, 2, 0);
    call(instance, "endless", NULL, 0, 0);
    call(instance, "indirect", six, 1, 1);
    call(instance, "stop", six, 1, 0);
    call(instance, "stop", six + 1, 1, 0);
    call(instance, "again", NULL, 0, 1);
    call(instance, "refer", zero + 1, 1, 1);
    call(instance, "refer", six, 1, 1);
    call(instance, "missing", NULL, 0, 0);
    call(instance, "memory", NULL, 0, 0);
    call(instance, "grow", pages, 1, 1);
    memory(instance);
    call(instance, "grow", zero + 1, 1, 1);
}

int main(int count, char **argument)
{
    struct corollary_error error;
    struct corollary_module *module = corollary_load(bytes, file(argument[1]), NULL, &error);
    struct corollary_instance *instance = made(module, COUNT, NULL);

    calls(instance);
    suspended(instance);
    corollary_free(instance);
    made(module, COUNT - 1, NULL);
    made(module, COUNT, &(struct corollary_limits){.pages = 1});
    instance = made(module, COUNT, &(struct corollary_limits){.fuel = 1});
    corollary_resume(instance, NULL, 0, &error);
    say("start", &error);
    corollary_free(instance);
    threads(module);
    corollary_unload(module);
    for (int n = 2; n < count; n++) {
        module = corollary_load(bytes, file(argument[n]), NULL, &error);
        if (module != NULL)
            made(module, COUNT, NULL);
        else
            printf("refused: %d %" PRIu32 " %s\n", error.refusal, error.offset, error.text);
        corollary_unload(module);
    }
    return 0;
}
