// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  unsigned u = x, n = (unsigned)__VERIFIER_nondet_int() % 32;
  assert((x >> 31) == (x < 0 ? -1 : 0) && (u >> 31) == (x < 0));
  assert((u << n) >> n <= u);
  assert(((u >> n) << n) + (u & ((1u << n) - 1)) == u);
  assert((unsigned char)(u << 4) == (u & 15) * 16);
  return 0;
}
