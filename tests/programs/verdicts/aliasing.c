// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = 1, y = 2, *p = &x, *q = &y;
  if (__VERIFIER_nondet_int())
    q = p;
  *p = 10;
  *q = 20;
  assert(x == 20 && y == 2 || x == 10 && y == 20);
  assert((p == q) == (x == 20) && *q == 20);
  int **pp = __VERIFIER_nondet_int() ? &p : &q;
  *pp = &y;
  assert(p == &y || q == &y);
  return 0;
}
