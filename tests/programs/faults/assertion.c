// inputs: 5,-2
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void check(int x)
{
  assert(x > 0); // expect: error assertion failed: x > 0
}
int main(void)
{
  check(__VERIFIER_nondet_int());
  check(__VERIFIER_nondet_int());
  return 0;
}
