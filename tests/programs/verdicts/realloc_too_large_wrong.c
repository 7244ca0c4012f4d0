// verdict: FALSE
// bounded: FALSE
// A failed realloc leaves the object as it is.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
  int *p = malloc(sizeof *p);
  *p = 5;
  int *q = realloc(p, __VERIFIER_nondet_int());
  if (!q && *p == 5)
    reach_error(); // error: reach_error() is called
  return 0;
}
