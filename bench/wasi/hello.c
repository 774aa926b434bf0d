/* What does it take to say one line? The smallest program of WASI, whose start counts and nothing else. */

#include <stdio.h>

int main(void)
{
    puts("hello");
    return 0;
}
