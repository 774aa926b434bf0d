// Writes what it reads, in capital letters, and then ends as its first letter says.
#include <ctype.h>
#include <stdio.h>
#include <time.h>

int main(int count, char **names) {
  int first = getchar();
  for (int letter = first; letter != EOF; letter = getchar())
    putchar(toupper(letter));
  fprintf(stderr, "%s ran, %d name", names[0], count);
  if (first == 'w')
    nanosleep(&(struct timespec){1, 0}, NULL);
  return first == '1';
}
