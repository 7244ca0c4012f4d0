// expect: exit 0
// models: LP64
// What is initialised twice has the later value, also if that is zero; flexible ends; pointer sums.
#include <assert.h>
#include <stdio.h>

static struct {
  char s[4];
} x = {.s = "abc", .s[1] = 0};
struct open {
  int n, a[];
};
static struct open g = {1, {2, 3}};
static int row[4];
static int first(struct open o) { return o.n; }

int main(void)
{
  struct open h;
  int *p = row, *old;
  __int128 big = (__int128)1 << 100, product;
  h = g;
  old = __sync_fetch_and_add(&p, 4);
  assert(old == row && p == row + 1);
  assert(__builtin_mul_overflow(big, big, &product));
  printf("%d %d %d %d %d\n", x.s[0], x.s[1], h.n, g.a[1], first(g));
  return 0;
}
