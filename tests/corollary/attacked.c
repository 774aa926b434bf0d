/* What is a program in C told when it gives the VM blocks, bytes, names and values that do not fit? */
#include <string.h>

#include "program.h"

static void say(const char *what, const struct corollary_error *error)
{
    printf("%s: %d %s\n", what, (int)error->status, error->text);
}

/* ---- blocks: the context of an allocator is where its blocks begin, from an aligned address, or none if negative */

static int blocks;      /* that were given, and not yet released */

static void *allocate(void *context, size_t size)
{
    int shift = *(int *)context;
    uint8_t *block = shift < 0 ? NULL : calloc(1, size + (size_t)shift);

    blocks += block != NULL;
    return block == NULL ? NULL : block + shift;
}

static void release(void *context, void *block, size_t size)
{
    (void)size;
    blocks--;
    free((uint8_t *)block - *(int *)context);
}

static void allocators(const struct corollary_module *module, size_t size)
{
    struct corollary_instance *instance;
    struct corollary_error error;

    for (int shift = -1; shift <= 16; shift += shift < 1 || shift == 15 ? 1 : 7) {
        struct corollary_allocator given = {allocate, release, &shift};
        struct corollary_module *loaded = corollary_load(bytes, size, &given, &error);

        printf("shifted by %d: %d", shift, (int)error.status * (loaded == NULL));
        corollary_instantiate(&instance, module, NULL, 0, NULL, &given, &error);
        printf(" %d", (int)error.status);
        corollary_free(instance);
        corollary_unload(loaded);
        printf(", %d blocks are left\n", blocks);
    }
}

/* ---- bytes */

static void load(const char *what, const void *from, size_t size)
{
    struct corollary_error error;
    struct corollary_module *module = corollary_load(from, size, NULL, &error);

    if (module == NULL)
        say(what, &error);
    corollary_unload(module);
}

static void strange_bytes(void)
{
    load("nowhere", NULL, 0);
    load("no byte", bytes, 0);
    load("one byte", "", 1);
    load("half a header", "\0asm\1\0", 6);
    load("zeros", bytes, sizeof bytes);
    memcpy(bytes, "\0asm\1\0\0\0", 8);
    load("empty sections", bytes, sizeof bytes);
    load("4 G types", "\0asm\1\0\0\0\1\5\xff\xff\xff\xff\x0f", 15);
    load("a section of 4 GiB", "\0asm\1\0\0\0\1\xff\xff\xff\xff\x0f", 14);
    load("a name that is no UTF-8", "\0asm\1\0\0\0\0\2\1\xff", 12);
}

/* ---- calls */

static void call(struct corollary_instance *instance, const char *name, const struct corollary_value *given,
                 size_t count, size_t results)
{
    struct corollary_value result[1] = {COROLLARY_VALUE_I32(0)};
    struct corollary_error error;

    corollary_call(instance, name, given, count, result, results, &error);
    printf("%.8s: %d %d\n", name, (int)error.status, result[0].of.i32);
}

static void strange_calls(const struct corollary_module *module)
{
    const struct corollary_value given[] = {COROLLARY_VALUE_I32(1), COROLLARY_VALUE_I32(2)};
    const struct corollary_value other[] = {COROLLARY_VALUE_I64(1)};
    struct corollary_instance *instance;
    struct corollary_error error;
    static char large[1000];

    corollary_instantiate(&instance, module, NULL, 0, NULL, NULL, &error);
    for (size_t count = 0; count <= 2; count++)
        call(instance, "count", given, count, 1);
    call(instance, "count", given, SIZE_MAX, 1);
    call(instance, "count", given, 1, SIZE_MAX);
    call(instance, "count", other, 1, 1);
    for (int n = 0; n < 3; n++) {
        call(instance, "trap", NULL, 0, 0);
        call(instance, "count", given, 1, 1);
    }
    call(instance, "", NULL, 0, 0);
    call(instance, "\xff\xfe", NULL, 0, 0);
    memset(large, 'n', sizeof large - 1);
    call(instance, large, NULL, 0, 0);
    corollary_free(instance);
}

/* ---- tables */

static struct corollary_instance *with_elements(const struct corollary_module *module, uint32_t elements)
{
    const struct corollary_limits limits = {.elements = elements};
    struct corollary_instance *instance;
    struct corollary_error error;

    corollary_instantiate(&instance, module, NULL, 0, &limits, NULL, &error);
    printf("%u elements: %d %s\n", (unsigned)elements, (int)error.status, error.text);
    return instance;
}

static void tables(const struct corollary_module *module)
{
    const struct corollary_value one[] = {COROLLARY_VALUE_I32(1)};

    for (uint32_t elements = 5; elements <= 10; elements++) {
        struct corollary_instance *instance = with_elements(module, elements);

        for (int n = 0; instance != NULL && n < 3; n++) {
            call(instance, "a", one, 1, 1);
            call(instance, "b", one, 1, 1);
        }
        corollary_free(instance);
    }
}

int main(int count, char **argument)
{
    struct corollary_error error;
    size_t size = file(argument[count - 1]);
    struct corollary_module *module = corollary_load(bytes, size, NULL, &error);

    tables(module);
    allocators(module, size);
    strange_calls(module);
    memset(bytes, 0, sizeof bytes);
    strange_bytes();
    corollary_unload(module);
    corollary_unload(NULL);
    corollary_free(NULL);
    return 0;
}
