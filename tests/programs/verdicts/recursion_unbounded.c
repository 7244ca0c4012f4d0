// verdict: TRUE
// bounded: UNKNOWN
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned twice(unsigned n) { return n ? 2 + twice(n - 1) : 0; }
int main(void)
{
  unsigned n = __VERIFIER_nondet_uint();
  assert(twice(n) % 2 == 0);
  return 0;
}
