// verdict: FALSE
// bounded: FALSE
// A variable whose declaration a jump passes over holds any value.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  if (__VERIFIER_nondet_int() == 7)
    goto skip;
  int x = 5;
skip:
  assert(x == 5); // error: assertion failed: x == 5
  return 0;
}
