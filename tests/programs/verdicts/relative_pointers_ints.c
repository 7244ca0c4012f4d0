// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = 1, y = 2;
  int *p = __VERIFIER_nondet_int() ? &x : &y, *q = __VERIFIER_nondet_int() ? &x : &y;
  long d = (long)p - (long)q;
  int *r = (int *)((long)q + d);
  *r = 5;
  assert(*p == 5 && (p == q || *q != 5));
  return 0;
}
