// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int i = 0, even = 1;
again:
  if (i < 9) {
    i++;
    even = !even;
    if (__VERIFIER_nondet_int())
      goto again;
    goto skip;
  }
skip:
  if (i < 5 && __VERIFIER_nondet_int())
    goto again;
  assert(even == !(i & 1) && i <= 9);
  return 0;
}
