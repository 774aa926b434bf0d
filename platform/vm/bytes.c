/* How are bytes moved without a C library? */
#include <stddef.h>

void *memmove(void *target, const void *source, size_t count);
void *memset(void *target, int value, size_t count);

void *memmove(void *target, const void *source, size_t count)
{
    unsigned char *to = target;
    const unsigned char *from = source;

    if (to <= from) {
        for (size_t i = 0; i < count; i++)
            to[i] = from[i];
    } else {
        for (size_t i = count; i > 0; i--)
            to[i - 1] = from[i - 1];
    }
    return target;
}

void *memset(void *target, int value, size_t count)
{
    unsigned char *to = target;

    for (size_t i = 0; i < count; i++)
        to[i] = (unsigned char)value;
    return target;
}
