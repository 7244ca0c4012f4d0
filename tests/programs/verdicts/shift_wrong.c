// verdict: FALSE
// bounded: FALSE
// An arithmetic shift rounds down, division rounds towards zero.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  if (x > -1000)
    assert(x >> 3 == x / 8); // error: assertion failed: x >> 3 == x / 8
  return 0;
}
