// verdict: TRUE
// bounded: TRUE
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  void (*stop)(void) = abort;
  if (x > 5)
    stop();
  assert(x <= 5);
  return 0;
}
