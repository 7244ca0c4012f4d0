// verdict: FALSE
// bounded: FALSE
// Signed arithmetic wraps, so the sum of two positive numbers can be negative.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a > 0 && b > 0) {
    int sum = a + b;
    assert(sum > 0); // error: assertion failed: sum > 0
  }
  return 0;
}
