// verdict: TRUE
// bounded: UNKNOWN
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned char a[8], b[8];
  unsigned n = __VERIFIER_nondet_uint() % 9, i = __VERIFIER_nondet_uint() % 8;
  memset(a, 1, sizeof a);
  memset(a, 2, n);
  assert(a[i] == (i < n ? 2 : 1));
  memset(b, 7, 8);
  memcpy(b, a, n);
  assert(b[i] == (i < n ? 2 : 7));
  for (unsigned k = 0; k < 8; k++)
    a[k] = k;
  unsigned to = __VERIFIER_nondet_uint() % 3;
  memmove(a + to, a + 1, 6);
  assert(a[to] == 1 && a[to + 5] == 6 && (to < 2 || a[0] == 0));
  return 0;
}
