// verdict: TRUE
// bounded: TRUE
#include <math.h>
void reach_error(void);
float __VERIFIER_nondet_float(void);

int main(void)
{
  float x = __VERIFIER_nondet_float();
  float rest = fmodf(x, 8);
  if (x >= 0 && x <= 100 && !(rest >= 0 && rest < 8 && rest <= x))
    reach_error();
  if (x >= 8 && x < 16 && rest != x - 8)
    reach_error();
  if (isinf(x) && !isnan(rest))
    reach_error();
  return 0;
}
