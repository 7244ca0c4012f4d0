// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void swap(int *a, int *b)
{
  int t = *a;
  *a = *b;
  *b = t;
}
int main(void)
{
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), ox = x, oy = y;
  swap(&x, &y);
  assert(x == oy && y == ox);
  swap(&x, &x);
  assert(x == oy);
  return 0;
}
