// expect: exit 0
// Exponents, significands, neighbours, quotients and products with one rounding, of numbers of all
// kinds: what is printed is what gcc's program prints.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

double significand(double x);

static uint64_t state = 88172645463325252ull;

static uint64_t any(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static double number(void)
{
  static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e-310, 5e-324, -5e-324, 1e308,
                                   -1e308, 1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0, 2.2250738585072014e-308};
  uint64_t bits = any();
  double x;
  switch (any() % 5) {
  case 0:
    bits &= 0x8000ffffffffffffull;
    break;
  case 1:
    return (double)(int)(any() % 2001) / 8 - 125;
  case 2:
    return special[any() % 14];
  }
  memcpy(&x, &bits, sizeof x);
  return x;
}

static float small(void)
{
  uint32_t bits = any();
  float x;
  memcpy(&x, &bits, sizeof x);
  return any() % 2 ? x : (float)number();
}

static long double large(void)
{
  long double x = number();
  for (int i = any() % 4 ? 0 : 8; i; i--)
    x *= 1e-300L;
  return any() % 2 ? x * x : x / 3;
}

static void show(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  printf(" %llx", x != x ? 0x7ff8ull : (unsigned long long)bits);
}

static void show_large(long double x)
{
  uint64_t bits;
  uint16_t top;
  memcpy(&bits, &x, sizeof bits);
  memcpy(&top, (char *)&x + 8, sizeof top);
  printf(" %llx/%x", x != x ? 0ull : (unsigned long long)bits, x != x ? 1 : top);
}

int main(void)
{
  for (int i = 0; i < 30; i++) {
    double x = number(), y = number();
    float a = small(), b = small(), c = small();
    long double u = large(), v = large();
    int n = any() % 3 ? (int)(any() % 101) - 50 : (int)(any() % 5001) - 2500, e = 0, q = 0;
    show(frexp(x, &e));
    printf(" %d", isfinite(x) ? e : 0);
    show(ldexp(x, n));
    show(scalbn(x, -n));
    show(scalbln(x, n / 2));
    show(ldexp(x, i % 2 ? INT32_MIN : INT32_MAX));
    show_large(scalblnl(u, i % 2 ? -0x7fffffffL - 1 : 0x7fffffffL));
    show(logb(x));
    show(nexttoward(x, v));
    show(significand(x));
    show(frexpf(a, &e));
    printf(" %d %d %d %d", isfinite(a) ? e : 0, ilogb(x), ilogbf(a), ilogbl(u));
    show(ldexpf(a, n));
    show(logbf(a));
    show(nexttowardf(a, v));
    show(fmaf(a, b, c));
    show(fmaf(a, b, -a * b));
    show(fmaf(a, b, a * b * 0x1p-24f * 1.0000001f));
    show(fma(x, y, b));
    show(fma(x, y, -x * y));
    show(fma(x, y, x * y * 0x1p-53 * (1 + 0x1p-50)));
    show_large(frexpl(u, &e));
    printf(" %d", isfinite(u) ? e : 0);
    show_large(ldexpl(u, 8 * n));
    show_large(logbl(u));
    show_large(nextafterl(u, v));
    show_large(nexttowardl(u, v));
    show(remquo(x, y, &q));
    printf(" %d", isfinite(x) && isfinite(y) && y != 0 ? q : 0);
    q = 0;
    show(remquof(a, b, &q));
    printf(" %d", isfinite(a) && isfinite(b) && b != 0 ? q : 0);
    printf("\n");
  }
  double nans[] = {nan(""), nan("12"), nan("0x7"), nan("zz"), nan("1-")};
  for (int i = 0; i < 5; i++) {
    uint64_t bits;
    memcpy(&bits, &nans[i], sizeof bits);
    printf(" %llx", (unsigned long long)bits);
  }
  float short_nan = nanf("5");
  uint32_t bits;
  memcpy(&bits, &short_nan, sizeof bits);
  printf(" %x\n", (unsigned)bits);
  return 0;
}
