// verdict: TRUE
// bounded: TRUE
#include <assert.h>
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);
static int pick(int n, ...)
{
  va_list ap;
  int v = 0;
  va_start(ap, n);
  while (n-- > 0)
    v = va_arg(ap, int);
  va_end(ap);
  return v;
}
int main(void)
{
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (n >= 1 && n <= 3)
    assert(pick(n, a, b, 7) == (n == 1 ? a : n == 2 ? b : 7));
  return 0;
}
