// verdict: TRUE
// bounded: TRUE
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int order(const void *one, const void *two)
{
  int a = *(const int *)one, b = *(const int *)two;
  return a < b ? -1 : a > b;
}
int main(void)
{
  int a[3] = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), 7};
  qsort(a, 3, sizeof *a, order);
  assert(a[0] <= a[1] && a[1] <= a[2]);
  assert(a[0] == 7 || a[1] == 7 || a[2] == 7);
  return 0;
}
