/* What does a module look like that examples/embed.c runs? It asks its host for a number, and says something. */
#include <stdint.h>

#define HOST(name) __attribute__((import_module("host"), import_name(name)))

HOST("number") int32_t number(void);
HOST("say") void say(const char *text, uint32_t size);

static const char HELLO[] = "hello from WebAssembly";

int32_t greet(int32_t times)
{
    for (int32_t n = 0; n < times; n++)
        say(HELLO, sizeof HELLO - 1);
    return times * number();
}
