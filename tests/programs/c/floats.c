// expect: exit 0
// Floating point: arithmetic, conversions both ways, comparisons, float against double.
#include <assert.h>
#include <stdio.h>

static float half(float x) { return x / 2; }
static double average(int n, const double *a)
{
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s / n;
}
static int truncated(double d) { return d; }
static double global = 0.1, quotient = 1.0 / 3;
static float single = 0.1;

int main(void)
{
  assert(global != single && (float)global == single && 0.1f != 0.1);
  volatile double tenth = 0.1;
  assert(tenth + 0.2 != 0.3 && tenth * 10 == 1.0 && 0.5 + 0.25 == 0.75);
  assert(1 / 2 == 0 && 1 / 2.0 == 0.5 && 1.0f / 3 != 1.0 / 3 && quotient * 3 == 1.0);
  assert(truncated(2.9) == 2 && truncated(-2.9) == -2 && (unsigned)3e9 == 3000000000u);
  assert((long long)1e15 == 1000000000000000 && (char)65.9 == 'A' && (int)1e-300 == 0);
  assert((float)16777217 == 16777216.0f && (double)16777217 == 16777217.0);
  assert((double)(1LL << 53) + 1 == (double)(1LL << 53) && (float)0x7fffffff == 2147483648.0f);
  assert((double)0xffffffffffffffffULL == 18446744073709551616.0 && (float)-1 == -1.0f);
  assert((unsigned long long)1e19 == 10000000000000000000ULL);
  float f = 3;
  f += 0.25;
  f *= 2;
  assert(f == 6.5f && half(f) == 3.25f && -f == -6.5f && +f == f);
  double a[] = {1, 2, 6.5};
  assert(average(2, a) == 1.5 && a[0] < a[1] && a[2] >= 6.5 && !(a[0] > a[1]) && a[1] <= 2);
  double zero = 0, minus = -0.0, inf = 1 / zero, nan = zero / zero;
  assert(zero == minus && inf > 1e308 && -inf < inf && nan != nan && !(nan < 1) && !(nan >= 1));
  assert(!zero && !minus && nan && (inf ? 1 : 0) && (zero || inf) && 1 / minus < 0);
  assert(!(nan == nan) && !(nan > 1 || nan < 1 || nan == 1));
  int i = 7;
  double mixed = i / 2 + i / 2.0;
  assert(mixed == 6.5 && (i += 0.9) == 7 && (i *= 1.5) == 10 && (i = 3.99) == 3);
  unsigned char c = 250;
  c += 5.7;
  assert(c == 255);
  assert((0.5 ? 1 : 2) == 1 && (i > 2.5) == 1 && sizeof(1.0f + 1) == 4 && sizeof(1.0f + 1.0) == 8);
  double *p = a;
  *p++ += 1;
  assert(a[0] == 2 && *p == 2);
  p[1]--;
  assert(a[2] == 5.5);
  for (double d = 0; d < 1; d += 0.25)
    i++;
  assert(i == 7);
  struct {
    float x;
    double y;
  } s = {1.5, 2}, t = s;
  assert(t.x * t.y == 3.0);
  switch ((int)2.7) {
  case 2: i = 0;
  }
  assert(i == 0);
  long double l = 1.5L;
  l = l * 2 + i;
  assert(l == 3.0L && (int)l == 3 && (double)l == 3.0);
  printf("%f %.3f %g %e %d\n", global, quotient, f, 12345.678, (int)(tenth * 100));
  printf("%.9f %.17g %5.1f|%-8.2f|%+.0f\n", single, tenth, 3.14159, 2.5, 7.0);
  return 0;
}
