// verdict: TRUE
// bounded: TRUE
// Allocated objects are distinct, and calloc gives zeros.
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned n = __VERIFIER_nondet_uint() % 4 + 1;
  int *a = malloc(n * sizeof *a), *b = calloc(n, sizeof *b);
  assert(a && b && a != b);
  a[n - 1] = 3;
  assert(b[n - 1] == 0);
  b[0] = 4;
  assert(a[n - 1] == 3);
  unsigned i = __VERIFIER_nondet_uint();
  a[i] = 8;
  assert(i < n);
  free(a);
  int *c = malloc(sizeof *c);
  assert(c != b);
  return 0;
}
