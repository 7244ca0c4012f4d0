// verdict: TRUE
// bounded: TRUE
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
  int *p = malloc(sizeof *p), x = __VERIFIER_nondet_int();
  *p = 1;
  if (x)
    free(p);
  *p = 2;
  assert(x == 0);
  return 0;
}
