// verdict: FALSE
// bounded: FALSE
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
int main(void)
{
  char *line = 0;
  size_t n = 0;
  if (getline(&line, &n, stdin) == 2)
    assert(line[0] != 'q'); // error: line[0] != 'q'
  return 0;
}
