// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned low = __VERIFIER_nondet_uint(), high = __VERIFIER_nondet_uint();
  if (low <= high) {
    unsigned mid = (low + high) / 2;
    assert(low <= mid && mid <= high); // error: assertion failed
  }
  return 0;
}
