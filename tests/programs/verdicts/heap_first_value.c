// verdict: FALSE
// bounded: FALSE
#include <assert.h>
#include <stdlib.h>
int main(void)
{
  int *a = malloc(2 * sizeof *a);
  a[0] = 5;
  assert(a[0] == 5 && a[1] != 77); // error: assertion failed
  return 0;
}
