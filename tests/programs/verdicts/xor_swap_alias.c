// verdict: FALSE
// bounded: FALSE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static void swap(unsigned *a, unsigned *b)
{
  *a ^= *b;
  *b ^= *a;
  *a ^= *b;
}
int main(void)
{
  unsigned v[3] = {1, 2, 3}, i = __VERIFIER_nondet_uint() % 3, j = __VERIFIER_nondet_uint() % 3;
  swap(&v[i], &v[j]);
  assert(v[0] + v[1] + v[2] == 6); // error: assertion failed
  return 0;
}
