// verdict: TRUE
// bounded: TRUE
#include <math.h>
#include <limits.h>
void reach_error(void);
double __VERIFIER_nondet_double(void);
float __VERIFIER_nondet_float(void);

static void check(int condition)
{
  if (!condition)
    reach_error();
}

int main(void)
{
  double x = __VERIFIER_nondet_double();
  float f = __VERIFIER_nondet_float();
  int e;
  if (isfinite(x) && x != 0) {
    double part = fabs(frexp(x, &e));
    check(part >= 0.5 && part < 1);
  }
  if (x >= 1 && x < 2) {
    check(ldexp(x, 3) == 8 * x && scalbn(x, -1) == x / 2);
    check(ilogb(4 * x) == 2 && logb(x / 2) == -1);
  }
  check(ilogb(0.0) == INT_MIN && isnan(nan("")));
  if (isfinite(x))
    check(nexttoward(x, (long double)INFINITY) > x);
  if (f >= 0 && f <= 1)
    check(fmaf(f, f, 1) >= 1 && fmaf(f, f, 1) <= 2);
  return 0;
}
