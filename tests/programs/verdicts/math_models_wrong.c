// verdict: FALSE
// bounded: FALSE
#include <math.h>
void reach_error(void);
double __VERIFIER_nondet_double(void);

int main(void)
{
  double x = __VERIFIER_nondet_double();
  int e;
  if (!(x >= 1 && x <= 64))
    return 0;
  double part = frexp(x, &e);
  if (e == 6 && part == 0.75 && ldexp(part, e) == 48 && fmod(x, 10.0) == 8)
    reach_error(); // error: reach_error
  return 0;
}
