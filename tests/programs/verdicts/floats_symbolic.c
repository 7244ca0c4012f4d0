// verdict: TRUE
// bounded: UNKNOWN
// What holds for all numbers need not be proved, but must not be refuted.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  double d = x;
  assert((int)d == x && d + 1 > d && d * 0.5 * 2 == d);
  return 0;
}
