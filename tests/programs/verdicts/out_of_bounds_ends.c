// verdict: TRUE
// bounded: TRUE
// An access out of bounds ends the run, and never touches the neighbour.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int before = 1, a[4] = {0}, after = 2;
  int i = __VERIFIER_nondet_int();
  a[i] = 99;
  assert(before == 1 && after == 2 && i >= 0 && i < 4 && a[i] == 99);
  return 0;
}
