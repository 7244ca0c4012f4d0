// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int add(int *a, int *b)
{
  *a += 1;
  *b += 1;
  return *a;
}
int main(void)
{
  int x = 0, y = 0;
  int r = add(&x, __VERIFIER_nondet_int() == 42 ? &x : &y);
  assert(r == 1); // error: assertion failed: r == 1
  return 0;
}
