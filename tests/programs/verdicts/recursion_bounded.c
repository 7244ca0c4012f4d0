// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned sum(unsigned n) { return n ? n + sum(n - 1) : 0; }
static int depth(int n, int *deepest)
{
  int here = n;
  if (n > *deepest)
    *deepest = n;
  int below = n < 4 ? depth(n + 1, deepest) : 0;
  assert(here == n);
  return below + here;
}
int main(void)
{
  unsigned n = __VERIFIER_nondet_uint() % 8;
  assert(sum(n) == n * (n + 1) / 2);
  int deepest = 0;
  assert(depth(0, &deepest) == 10 && deepest == 4);
  return 0;
}
