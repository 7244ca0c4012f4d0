// expect: exit 0
// Every operator on int, unsigned, long long and unsigned long long, with all pairs of odd values.
#include <assert.h>
#include <stdio.h>

#define BINARY(T, F, a, b)                                                                         \
  do {                                                                                             \
    T x = a, y = b;                                                                                \
    printf(F F F F F F "%d%d%d%d%d%d%d%d\n", (T)(x + y), (T)(x - y), (T)(x * y), (T)(x & y),       \
           (T)(x | y), (T)(x ^ y), x < y, x <= y, x > y, x >= y, x == y, x != y, x && y, x || y);   \
    if (y != 0 && !(y == (T)-1 && x != 0 && x == (T)-x))                                           \
      printf(F F "\n", (T)(x / y), (T)(x % y));                                                    \
    printf(F F "%d" F "\n", (T)-x, (T)~x, !x, (T) + x);                                            \
  } while (0)

#define SHIFT(T, F, a)                                                                             \
  do {                                                                                             \
    T x = a;                                                                                       \
    for (unsigned n = 0; n < 8 * sizeof x; n += 7)                                                 \
      printf(F F, (T)(x << n), (T)(x >> n));                                                       \
    printf("\n");                                                                                  \
  } while (0)

static const long long values[] = {0, 1, -1, 2, -7, 100, 0x7fffffff, -0x7fffffff - 1,
                                   0x123456789abcdef, -0x7fffffffffffffff - 1};
enum { COUNT = sizeof values / sizeof *values };

int main(void)
{
  for (int i = 0; i < COUNT; i++) {
    for (int j = 0; j < COUNT; j++) {
      BINARY(int, "%d ", values[i], values[j]);
      BINARY(unsigned, "%u ", values[i], values[j]);
      BINARY(long long, "%lld ", values[i], values[j]);
      BINARY(unsigned long long, "%llu ", values[i], values[j]);
    }
    SHIFT(int, "%d ", values[i]);
    SHIFT(unsigned, "%u ", values[i]);
    SHIFT(long long, "%lld ", values[i]);
    SHIFT(unsigned long long, "%llu ", values[i]);
  }
  assert((5 & 3) == 1 && (5 | 3) == 7 && (5 ^ 3) == 6 && ~5 == -6 && !5 == 0 && - -5 == 5);
  assert(7 / 2 == 3 && -7 / 2 == -3 && 7 % -2 == 1 && -7 % 2 == -1);
  assert(1 << 2 + 1 == 8 && (1 + 2) * 3 == 9 && 1 + 2 * 3 == 7 && (10 - 4 - 3) == 3);
  assert((1 < 2) + (2 < 1) == 1 && (3 > 2 > 1) == 0 && (5 & 6 == 6) == 1);
  return 0;
}
