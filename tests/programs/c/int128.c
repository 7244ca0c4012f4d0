// expect: exit 0
// models: LP64
// __int128, signed and unsigned.
#include <assert.h>
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;
static u128 global = (u128)1 << 100;
struct s {
  char c;
  i128 n;
};

static void show(u128 x) { printf("%llx %llx\n", (unsigned long long)(x >> 64), (unsigned long long)x); }
static u128 product(unsigned long long a, unsigned long long b) { return (u128)a * b; }
static i128 negated(i128 x) { return -x; }

int main(void)
{
  assert(sizeof(i128) == 16 && sizeof(struct s) == 32);
  u128 x = product(~0ULL, ~0ULL);
  show(x);
  show(x / 3);
  show(x % 1000000007);
  show(x << 3 | x >> 120);
  show(global + x);
  show(~x ^ global);
  i128 y = negated(5);
  assert(y < 0 && y == -5 && (long long)y == -5 && (u128)y > x && y / 2 == -2 && y % 2 == -1);
  assert((y >> 1) == -3 && (unsigned long long)(y >> 64) == ~0ULL && (int)(y * y) == 25);
  struct s s = {1, -1};
  s.n++;
  assert(s.n == 0);
  s.n -= 1;
  assert((u128)s.n == ~(u128)0 && (u128)s.n + 1 == 0);
  x = 10;
  x <<= 70;
  assert((double)x > 1e22 && (x >> 70) == 10 && (_Bool)x && !!x == 1 && (int)x == 0);
  for (x = 1; x; x *= 1048576)
    show(x);
  i128 a[2] = {1, (i128)-1 << 127};
  assert(a[1] < a[0] && a[1] - 1 > 0);
  return 0;
}
