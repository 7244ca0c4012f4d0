// verdict: TRUE
// bounded: TRUE
// A run that divides by zero ends there; what follows is not reached with a zero.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  int y = 100 / x;
  assert(x != 0);
  return y;
}
