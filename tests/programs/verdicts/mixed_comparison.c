// verdict: FALSE
// bounded: FALSE
// -1 compared with an unsigned number is the largest one.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  unsigned u = 10;
  if (x < u)
    assert(x >= 0 && x < 10);
  else
    assert(x >= 10); // error: assertion failed: x >= 10
  return 0;
}
