// verdict: TRUE
// bounded: TRUE
// Two files are two files, also if they are opened at the same place.
#include <assert.h>
#include <stdio.h>
static FILE *opened(void)
{
  return fopen("file", "r");
}
int main(void)
{
  FILE *one = opened();
  FILE *two = opened();
  if (one && two)
    assert(one != two);
  return 0;
}
