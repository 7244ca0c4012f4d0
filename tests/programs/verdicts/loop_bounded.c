// verdict: TRUE
// bounded: TRUE
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void)
{
  unsigned n = __VERIFIER_nondet_uint(), i = 0, sum = 0;
  if (n > 20)
    n = 20;
  while (i < n) {
    i++;
    sum += i;
  }
  assert(sum == n * (n + 1) / 2);
  return 0;
}
