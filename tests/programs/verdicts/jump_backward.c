// verdict: TRUE
// bounded: TRUE
// A jump back does not touch what stays in scope, and the declaration is made again.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int rounds = 0, kept = 4;
again:;
  int x = 5;
  assert(x == 5 && kept == 4);
  x = 6;
  if (rounds++ < 3 && __VERIFIER_nondet_int())
    goto again;
  assert(x == 6);
  goto end;
  {
    int inner;
  end:
    inner = x;
    assert(inner == 6 && kept == 4);
  }
  return 0;
}
