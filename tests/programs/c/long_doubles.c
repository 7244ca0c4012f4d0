// expect: exit 0
// long double has 64 digits, more than a double, and 15 bits of exponent.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static long double third(void) { return 1.0L / 3.0L; }

int main(void)
{
  long double x = third(), one = 1.0L, tiny = 0x1p-63L;
  unsigned char bytes[sizeof x];
  memcpy(bytes, &x, sizeof x);
  for (int i = 9; i >= 0; i--)
    printf("%02x", bytes[i]);
  printf("\n");
  assert(x != (double)x && one + tiny != one && one + tiny / 2 == one);
  assert(0.1L != 0.1 && (double)0.1L == 0.1 && (float)0.1L == 0.1f);
  long double big = 1e300L * 1e300L;
  assert(big < INFINITY && (double)big == INFINITY && big / 1e300L > 9e299L);
  assert((long long)9223372036854775807.0L == 9223372036854775807ll);
  assert((long double)9223372036854775807ll == 9223372036854775807.0L);
  assert(sqrtl(2.0L) * sqrtl(2.0L) != 2.0L && floorl(-0.5L) == -1.0L && fabsl(-x) == x);
  assert(fmodl(10.0L, 3.0L) == 1.0L && roundl(2.5L) == 3.0L && rintl(2.5L) == 2.0L);
  return 0;
}
