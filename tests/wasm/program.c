/* What does a program see of its surroundings? Its first argument says what to tell. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int failed(const char *what)
{
    printf("%s: %s\n", what, strerror(errno));
    return 1;
}

static int show(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return failed(path);
    fseek(file, 2, SEEK_SET);
    for (int c; (c = getc(file)) != EOF;)
        putchar(c);
    fclose(file);
    return 0;
}

static int list(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return failed(path);
    for (struct dirent *entry; (entry = readdir(folder));) {
        struct stat about;
        char name[512];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (stat(name, &about) == 0 && S_ISREG(about.st_mode))
            printf("%s %lld\n", entry->d_name, (long long)about.st_size);
    }
    closedir(folder);
    return 0;
}

static int count_lines(void)
{
    char line[64];
    int lines = 0;
    while (fgets(line, sizeof line, stdin))
        lines++;
    printf("%d lines\n", lines);
    return lines;
}

static int measure(void)
{
    struct timespec before, after;
    unsigned char random[16] = {0};
    clock_gettime(CLOCK_MONOTONIC, &before);
    clock_gettime(CLOCK_MONOTONIC, &after);
    getentropy(random, sizeof random);
    int different = 0;
    for (size_t i = 1; i < sizeof random; i++)
        different |= random[i] != random[0];
    printf("%d %d %d\n", time(0) > 1600000000, after.tv_sec >= before.tv_sec, different);
    return 0;
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "hello";
    if (!strcmp(what, "args"))
        for (int i = 0; i < count; i++)
            printf("%s\n", arguments[i]);
    else if (!strcmp(what, "environ"))
        printf("%s\n", getenv("COLOUR") ? getenv("COLOUR") : "none");
    else if (!strcmp(what, "stdin"))
        return count_lines();
    else if (!strcmp(what, "stderr"))
        fprintf(stderr, "to the other stream\n");
    else if (!strcmp(what, "terminal"))
        printf("%d %d\n", isatty(0), isatty(1));
    else if (!strcmp(what, "measure"))
        return measure();
    else if (!strcmp(what, "show") && count > 2)
        return show(arguments[2]);
    else if (!strcmp(what, "list") && count > 2)
        return list(arguments[2]);
    else if (!strcmp(what, "write") && count > 2)
        return fopen(arguments[2], "w") ? 0 : failed(arguments[2]);
    else
        printf("hello\n");
    return 0;
}
