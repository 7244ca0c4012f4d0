// expect: exit 0
// Initialisers of locals: with run-time values, in loops, partly zero, in the order of the source.
#include <assert.h>
#include <stdio.h>

struct point {
  int x, y;
};
struct box {
  struct point low, high;
  char name[4];
  int *owner;
};

static int next_number;
static int next(void) { return ++next_number; }
static struct point make(int x, int y)
{
  struct point p = {x, y};
  return p;
}

static int sum_of_zeros(int round)
{
  int a[6] = {round};
  int s = 0;
  for (int i = 0; i < 6; i++)
    s += a[i], a[i] = 7;
  return s;
}

int main(void)
{
  int n = 5;
  int a[4] = {n, n * 2, [3] = n + 1};
  assert(a[0] == 5 && a[1] == 10 && a[2] == 0 && a[3] == 6);
  int calls[3] = {next(), next(), next()};
  assert(calls[0] == 1 && calls[1] == 2 && calls[2] == 3);
  for (int round = 0; round < 3; round++)
    assert(sum_of_zeros(round) == round);
  struct point p = {n}, q = p, r = make(8, 9);
  assert(p.x == 5 && p.y == 0 && q.x == 5 && r.y == 9);
  struct box b = {p, make(3, 4), "abc", &n};
  assert(b.low.x == 5 && b.high.y == 4 && b.name[3] == 0 && *b.owner == 5);
  struct box c = {.high = {1, 9}, .high.x = 1, .name = {'z'}, .low.y = n};
  printf("%d %d %d %d %d %d\n", c.low.x, c.low.y, c.high.x, c.high.y, c.name[0], c.name[1]);
  struct point many[] = {{1, 2}, p, {.y = n}, make(6, 7), [5] = {1}};
  assert(sizeof many / sizeof *many == 6 && many[1].x == 5 && many[2].y == 5 && many[3].y == 7);
  assert(many[4].x == 0 && many[5].x == 1 && many[5].y == 0);
  int grid[2][3] = {{n}, {1, n, 3}}, flat[2][2] = {1, n, 3, n};
  assert(grid[0][0] == 5 && grid[0][2] == 0 && grid[1][1] == 5 && flat[1][1] == 5 && flat[1][0] == 3);
  int range[8] = {[0 ... 3] = 2, [6 ... 7] = 4};
  assert(range[3] == 2 && range[4] == 0 && range[7] == 4);
  char text[8] = "hi", same[] = {'a', 'b', '\0'};
  assert(text[1] == 'i' && text[2] == 0 && text[7] == 0 && sizeof same == 3);
  int large[300] = {1, 2};
  int total = 0;
  for (int i = 0; i < 300; i++)
    total += large[i];
  assert(total == 3);
  union {
    int i;
    char c[4];
  } u = {.c = {1, 2}}, w = {n};
  assert(u.i == 0x201 && w.i == 5);
  int self = sizeof self, scalar = {n}, *pointer = (int *){&n};
  assert(self == 4 && scalar == 5 && *pointer == 5);
  const int fixed[] = {1, 2, 3}, *end = fixed + 3;
  assert(end[-1] == 3);
  int x = 1, y = x + 1, z = y + 1;
  assert(x + y + z == 6);
  int zeros[5] = {}, other = 9;
  assert(zeros[0] == 0 && zeros[4] == 0 && other == 9);
  struct point nothing = {};
  assert(nothing.x == 0 && nothing.y == 0);
  for (int i = 0; i < 2; i++) {
    int fresh = 0;
    fresh++;
    assert(fresh == 1);
  }
  struct {
    struct point p[2];
    int last;
  } deep = {{{1, 2}, {3, 4}}, 5}, brief = {1, 2, 3, 4, 5};
  assert(deep.p[1].y == brief.p[1].y && brief.last == 5);
  return 0;
}
