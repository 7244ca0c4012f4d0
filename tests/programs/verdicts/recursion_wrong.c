// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned odd(unsigned n);
static unsigned even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static unsigned odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
int main(void)
{
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 5 && even(n))
    assert(n != 8); // error: assertion failed: n != 8
  return 0;
}
