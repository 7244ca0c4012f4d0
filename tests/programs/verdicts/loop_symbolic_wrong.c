// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned n = __VERIFIER_nondet_uint() % 50, x = 1;
  for (unsigned i = 0; i < n; i++)
    x = 3 * x + 1;
  assert(x != 1093); // error: assertion failed: x != 1093
  return 0;
}
