// verdict: TRUE
// bounded: UNKNOWN
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned n = __VERIFIER_nondet_uint(), x = 0;
  for (unsigned i = 0; i < n; i++)
    x += 2;
  assert(x % 2 == 0);
  return 0;
}
