// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned n = __VERIFIER_nondet_uint() % 4 + 1;
  int a[n];
  for (unsigned i = 0; i < n; i++)
    a[i] = i;
  assert(sizeof a == 4 * n && a[n - 1] == n - 1);
  unsigned i = __VERIFIER_nondet_uint();
  a[i] = 1;
  assert(i < n);
  return 0;
}
