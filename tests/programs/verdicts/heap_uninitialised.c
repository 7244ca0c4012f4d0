// verdict: FALSE
// bounded: FALSE
#include <assert.h>
#include <stdlib.h>
int main(void)
{
  int *a = malloc(8);
  a[0] = 1;
  a = realloc(a, 12);
  assert(a[0] == 1);
  assert(a[2] != 123456); // error: assertion failed: a[2] != 123456
  return 0;
}
