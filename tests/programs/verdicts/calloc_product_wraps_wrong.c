// verdict: FALSE
// bounded: FALSE
// The product of the two is zero modulo the size of the address space; calloc does not fall for it.
#include <stdlib.h>
extern size_t __VERIFIER_nondet_size(void);
extern void reach_error(void);
int main(void)
{
  size_t half = (size_t)1 << (4 * sizeof half), n = __VERIFIER_nondet_size();
  if (n == half && !calloc(n, n))
    reach_error(); // error: reach_error() is called
  return 0;
}
