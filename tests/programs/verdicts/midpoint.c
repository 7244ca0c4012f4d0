// verdict: TRUE
// bounded: TRUE
// The midpoint of two numbers without overflow.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned low = __VERIFIER_nondet_uint(), high = __VERIFIER_nondet_uint();
  if (low <= high) {
    unsigned mid = low + (high - low) / 2;
    assert(low <= mid && mid <= high);
  }
  return 0;
}
