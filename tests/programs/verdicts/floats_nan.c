// verdict: TRUE
// bounded: UNKNOWN
#include <assert.h>
extern float __VERIFIER_nondet_float(void);
int main(void)
{
  float f = __VERIFIER_nondet_float();
  assert(!(f < 1 && f > 2));
  return 0;
}
