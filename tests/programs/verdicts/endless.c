// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int x = __VERIFIER_nondet_int();
  for (;;)
    if (x > 5)
      break;
  assert(x > 5);
  return 0;
}
