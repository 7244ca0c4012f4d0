// verdict: TRUE
// bounded: TRUE
#include <assert.h>
#include <stdint.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  int a[4] = {1, 2, 3, 4};
  uintptr_t n = (uintptr_t)a;
  unsigned i = __VERIFIER_nondet_uint() % 4;
  int *p = (int *)(n + 4 * i);
  *p = 9;
  assert(a[i] == 9 && p == &a[i] && (n & 3) == 0 && n != 0);
  p = (int *)((uintptr_t)p | 1);
  p = (int *)((uintptr_t)p & ~(uintptr_t)1);
  assert(*p == 9);
  return 0;
}
