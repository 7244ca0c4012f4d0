// expect: exit 0
// rounding and the kinds of floating-point numbers: models in C, compared with the real library
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double values[] = {0.0,  -0.0, 0.25, 0.5,   -0.5,   0.75,   1.0,    -1.5,    2.5,   -2.5,
                          3.49, -3.5, 1e10, 1e300, -1e300, 5e-324, 2.0e-308, 4503599627370497.5};

int main(void)
{
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    double x = values[i];
    printf("%g: %g %g %g %g", x, floor(x), ceil(x), trunc(x), round(x));
    printf(" %g %g", copysign(3.0, x), fmax(x, 1.0));
    printf(" %d %d", __builtin_isnormal(x) != 0, fpclassify(x) == FP_SUBNORMAL);
    printf(" %d %d\n", __builtin_isless(x, 1.0) != 0, __builtin_isunordered(x, x) != 0);
  }
  float tiny = 1e-40f;
  printf("%d %d\n", __builtin_isnormal(tiny) != 0, __builtin_isnormal((double)tiny) != 0);
  double none = __builtin_nan("");
  printf("%d %d\n", __builtin_islessgreater(none, 1.0) != 0, __builtin_isunordered(none, 1.0) != 0);
  return 0;
}
