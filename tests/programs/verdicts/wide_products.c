// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned x = __VERIFIER_nondet_uint();
  if (x > 1 && x < 65536) {
    unsigned long long square = (unsigned long long)x * x;
    assert(square != 4225130001ULL || x == 3); // error: assertion failed
  }
  return 0;
}
