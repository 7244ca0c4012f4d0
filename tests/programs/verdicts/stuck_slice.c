// verdict: TRUE
// bounded: TRUE
// What the error does not depend on is an endless loop: the slice must still run.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int i = __VERIFIER_nondet_int();
  if (i >= 100)
  STUCK:
    goto STUCK;
  assert(i < 200);
  return 0;
}
