// verdict: TRUE
// bounded: UNKNOWN
// Whether the error is reached is decided by a loop that the assertion has nothing to do with.
#include <assert.h>
#include <math.h>
int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  double root = sqrt(9.0);
  while (root == 3.0)
    ;
  assert(x != 5);
  return 0;
}
