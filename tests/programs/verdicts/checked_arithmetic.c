// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), r;
  if (!__builtin_add_overflow(a, b, &r) && a > 0 && b > 0)
    assert(r > a && r > b);
  unsigned char c;
  if (!__builtin_sub_overflow(a, 5, &c))
    assert(a >= 5 && a <= 260 && c == a - 5);
  int s;
  if (__builtin_smul_overflow(a, 2, &s))
    assert(a > 1073741823 || a < -1073741824);
  return 0;
}
