/* How many primes are there below a number? It runs long enough to be suspended half-way and resumed elsewhere. */
#include <stdio.h>
#include <stdlib.h>

static int is_prime(int number)
{
    for (int divisor = 2; divisor * divisor <= number; divisor++)
        if (number % divisor == 0)
            return 0;
    return number >= 2;
}

int main(int count, char **argument)
{
    int limit = count > 1 ? atoi(argument[1]) : 0, found = 0;

    if (limit <= 0) {
        fprintf(stderr, "primes LIMIT\n");
        return 2;
    }
    for (int number = 0; number < limit; number++)
        found += is_prime(number);
    printf("%d primes below %d\n", found, limit);
    return 0;
}
