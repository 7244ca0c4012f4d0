// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int global;
static int set(int n)
{
  global = n;
  return n;
}
int main(void)
{
  int x = __VERIFIER_nondet_int(), *p = &x, old = x;
  global = 1;
  int r = global + set(10) * 0 + global;
  assert(r == 11);
  r = x - (*p = 5) + x;
  assert(r == old - 5 + 5);
  int a[2] = {0, 0}, i = x == 5;
  a[--i] = i++;
  assert(a[0] == 0 && i == 1);
  return 0;
}
