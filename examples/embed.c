/* How does a program in C run a module? It loads the bytes, gives what they import, and calls what they export.
 *
 *     python -m ziglang cc -target wasm32-freestanding -nostdlib -O2 -Wl,--no-entry -Wl,--export=greet \
 *         examples/hello.c -o build/hello.wasm
 *     python -m ziglang cc -O2 -fno-strict-aliasing -ffp-contract=off \
 *         -Igenerated -Igenerated/vm -Igenerated/embedding -Iplatform \
 *         generated/vm/[a-z]*.c generated/embedding/[a-z]*.c platform/vm/[aehils]*.c examples/embed.c -o build/embed
 *     build/embed build/hello.wasm
 */
#include <stdio.h>
#include <stdlib.h>

#include "corollary.h"

/* The module calls this to get a number: it is the context. */
static int number(void *context, struct corollary_instance *instance, const struct corollary_value *arguments,
                  struct corollary_value *results)
{
    (void)instance;
    (void)arguments;
    results[0].of.i32 = *(const int32_t *)context;
    return 0;
}

/* The module calls this with position and size of a text in its memory. */
static int say(void *context, struct corollary_instance *instance, const struct corollary_value *arguments,
               struct corollary_value *results)
{
    char text[80];
    size_t size = (uint32_t)arguments[1].of.i32;

    (void)context;
    (void)results;
    if (size > sizeof text || !corollary_read(instance, (uint32_t)arguments[0].of.i32, text, size))
        return 1;
    printf("%.*s\n", (int)size, text);
    return 0;
}

/* Read a whole file, which has at most `room` bytes. */
static size_t file(const char *path, void *bytes, size_t room)
{
    FILE *opened = fopen(path, "rb");
    size_t size = opened != NULL ? fread(bytes, 1, room, opened) : 0;

    if (opened != NULL)
        fclose(opened);
    return size;
}

int main(int count, char **argument)
{
    static uint8_t bytes[1 << 20];
    int32_t seven = 7;
    const struct corollary_import imports[] = {
        {"host", "number", COROLLARY_NO_TYPES, COROLLARY_TYPES(COROLLARY_I32), number, &seven},
        {"host", "say", COROLLARY_TYPES(COROLLARY_I32, COROLLARY_I32), COROLLARY_NO_TYPES, say, NULL},
    };
    const struct corollary_limits limits = {.pages = 32, .fuel = 1000};
    const struct corollary_value twice[] = {COROLLARY_VALUE_I32(2)};
    struct corollary_value result[1];
    struct corollary_module *module;
    struct corollary_instance *instance = NULL;
    struct corollary_error error;

    if (count != 2) {
        fprintf(stderr, "embed MODULE\n");
        return 2;
    }
    module = corollary_load(bytes, file(argument[1], bytes, sizeof bytes), NULL, &error);
    if (module != NULL)
        corollary_instantiate(&instance, module, imports, 2, &limits, NULL, &error);
    if (instance != NULL && corollary_call(instance, "greet", twice, 1, result, 1, &error) == COROLLARY_RETURNED)
        printf("greet returned %d, and %d units of fuel are left\n", result[0].of.i32, (int)corollary_fuel(instance));
    else
        fprintf(stderr, "%s: %s\n", argument[1], error.text);
    corollary_free(instance);
    corollary_unload(module);
    return error.status == COROLLARY_RETURNED ? EXIT_SUCCESS : EXIT_FAILURE;
}
