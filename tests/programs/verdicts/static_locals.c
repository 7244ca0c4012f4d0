// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int counter(int reset)
{
  static int n = 3;
  if (reset)
    n = 0;
  return ++n;
}
int main(void)
{
  counter(0);
  counter(__VERIFIER_nondet_int() == 8);
  int c = counter(0);
  assert(c == 6); // error: assertion failed: c == 6
  return 0;
}
