// verdict: FALSE
// bounded: FALSE
// A loop with two entries.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = 0;
  if (__VERIFIER_nondet_int() == 5)
    goto middle;
top:
  x += 3;
middle:
  x += 2;
  if (x < 20 && __VERIFIER_nondet_int() != 9)
    goto top;
  assert(x != 17); // error: assertion failed: x != 17
  return 0;
}
