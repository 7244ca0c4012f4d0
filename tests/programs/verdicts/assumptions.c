// verdict: TRUE
// bounded: TRUE
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
static void assume(int cond)
{
  if (!cond)
    abort();
}
int main(void)
{
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 10);
  assume(y > x);
  if (y == 50)
    exit(1);
  assert(y > 11 && y != 50);
  return 0;
}
