// verdict: FALSE
// bounded: UNKNOWN
// Two such objects do not fit side by side, but the first one has ended.
#include <stdlib.h>
extern size_t __VERIFIER_nondet_size(void);
extern void reach_error(void);
int main(void)
{
  size_t n = __VERIFIER_nondet_size();
  char *p = malloc(n);
  free(p);
  p = malloc(n);
  if (p && n > (size_t)-1 / 16 * 7)
    reach_error(); // error: reach_error() is called
  return 0;
}
