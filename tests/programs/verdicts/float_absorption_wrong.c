// verdict: FALSE
// bounded: FALSE
// Adding one makes a number larger, until it is too large for that.
#include <assert.h>
extern double __VERIFIER_nondet_double(void);
int main(void)
{
  double x = __VERIFIER_nondet_double();
  if (x > 1.0 && x < 1e17)
    assert(x + 1.0 > x); // error: x
  return 0;
}
