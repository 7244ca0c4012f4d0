// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  int a[5], *end = a + 5, *p = a + __VERIFIER_nondet_uint() % 6;
  assert(p >= a && p <= end && (p == end) == (p - a == 5) && end - p >= 0);
  int n = 0;
  for (; p != end; p++)
    n++;
  assert(n <= 5 && p > a);
  return 0;
}
