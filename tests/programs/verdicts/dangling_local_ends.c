// verdict: TRUE
// bounded: TRUE
// A pointer to a local of a call that has returned must not be used, even if the call is repeated.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int *kept;
static void keep(int fresh)
{
  int local = 5;
  if (fresh)
    kept = &local;
  else
    assert(*kept == 5 || *kept != 5);
}
int main(void)
{
  keep(1);
  if (__VERIFIER_nondet_int())
    keep(0);
  *kept = 1;
  assert(0);
  return 0;
}
