// verdict: TRUE
// bounded: TRUE
// What a union shows of a float: sign, exponent and fraction, for all numbers.
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
union bits {
  float f;
  unsigned u;
};
int main(void)
{
  union bits x, y;
  x.f = __VERIFIER_nondet_float();
  unsigned exponent = x.u >> 23 & 255;
  assert(isnan(x.f) == (exponent == 255 && (x.u & 0x7fffff) != 0));
  assert((signbit(x.f) != 0) == x.u >> 31);
  y.f = -x.f;
  assert(y.u == (x.u ^ 0x80000000u));
  if (exponent > 0 && exponent < 254) {
    y.f = x.f * 2.0f;
    assert(y.u == x.u + (1u << 23));
  }
  if (isnan(x.f)) {
    y.f = x.f + 1.0f;
    assert(y.u == (x.u | 0x400000u));
  }
  return 0;
}
