// verdict: FALSE
// bounded: FALSE
// A negative size is a very large one: the request fails, and the run goes on.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void)
{
  int n = __VERIFIER_nondet_int();
  long *a = malloc(n * sizeof *a);
  for (int i = 0; i < n && i < 3; i++)
    a[i] = i;
  if (n < -7)
    reach_error(); // error: reach_error() is called
  return 0;
}
