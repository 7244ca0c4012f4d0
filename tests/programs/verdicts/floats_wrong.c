// verdict: FALSE
// bounded: UNKNOWN
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  float f = x;
  assert((int)f == x || x < 0 || x > 16777217); // error: assertion failed
  return 0;
}
