/* What do the programs of these tests have in common? They read modules from files. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "corollary.h"

static uint8_t bytes[1 << 24];

static size_t file(const char *path)
{
    FILE *opened = fopen(path, "rb");
    size_t size;

    if (opened == NULL) {
        perror(path);
        exit(2);
    }
    size = fread(bytes, 1, sizeof bytes, opened);
    fclose(opened);
    return size;
}
