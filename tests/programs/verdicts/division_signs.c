// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  signed char x = __VERIFIER_nondet_int() % 32;
  signed char y = __VERIFIER_nondet_int() % 16;
  if (y != 0 && y != -1) {
    int q = x / y, r = x % y;
    assert(q * y + r == x);
    assert(r == 0 || (r < 0) == (x < 0));
  }
  int least = -2147483647 - 1, by = y;
  if (by == -1)
    assert(least / by == least && least % by == 0);
  return 0;
}
