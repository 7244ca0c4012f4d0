// verdict: TRUE
// bounded: UNKNOWN
// No object is larger than half of the address space: then there is none.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
  int n = __VERIFIER_nondet_int();
  char *p = malloc(n), *q = calloc(n, 3);
  if (n < 0 && (p || q))
    reach_error();
  return 0;
}
